"""The banner above a prompt, the status of a session, and the score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from companion.core.game import Game, Score
from companion.core.hints import TYPE_CHECKING
from companion.core.history import Entry
from companion.core.position import Position
from companion.views.lines import Line, named_value_text, table_lines

if TYPE_CHECKING:
    from companion.core.request import AnyRequest

SAMPLE_NOTE = "You are playing with our sample values. Enter your own: companion printed {game}"


def sample_keys(entries: Sequence[Entry]) -> list[str]:
    """Return the keys of the printed values for which a sample value was used in these entries."""
    keys = [reply.key for entry in entries for reply in entry.replies if reply.source == "sample"]
    return list(dict.fromkeys(keys))


def banner_lines(game: Game, position: Position, options: Mapping[str, str]) -> list[Line]:
    """Return stage, tracks and cups on as few lines as possible, then the reminders."""
    banner = game.banner(position, options)
    fields = " | ".join(f"{field.label} {field.value}".rstrip() for field in banner.fields)
    lines = [Line(banner.stage, "title")] if banner.stage else []
    lines += [Line(fields, "track")] if fields else []
    return lines + [Line(text, "reminder", "", "* ") for text in banner.reminders]


def game_over_lines(game: Game, position: Position, options: Mapping[str, str]) -> list[Line]:
    """Return why the game is over, and the verdict; empty while it goes on."""
    over = game.over(position)
    if not over:
        return []
    return [Line(f"The game is over: {over}", "title"), Line(game.score(position, options).verdict, "title")]


def banner_with_result(game: Game, position: Position, options: Mapping[str, str], counted: bool = False) -> list[Line]:
    """Return the banner; after the end of the game with the reason and verdict in place of the stage.

    Args:
        game, position, options: Of the session.
        counted: The verdict has been shown already.
    """
    over = game_over_lines(game, position, options)
    lines = banner_lines(game, position, options)
    return [*(line for line in lines if line.tone != "title"), *over[: 1 if counted else None]] if over else lines


def session_heading(name: str, game: Game, scenario: str) -> Line:
    """Return the name of a session with its game and scenario."""
    title = game.scenarios[scenario].title if scenario in game.scenarios else scenario
    return Line(" - ".join(filter(None, [f"Session {name}", game.title, title])), "dim")


def session_status_lines(
    game: Game,
    position: Position,
    options: Mapping[str, str],
    pending: AnyRequest | None,
    samples: bool,
    entry: Entry | None = None,
) -> list[Line]:
    """Return the banner, the warning about sample values, what the open entry was told so far, and the open question."""
    lines = banner_with_result(game, position, options)
    if samples:
        lines.append(Line(SAMPLE_NOTE.format(game=game.id), "warning", "", "! "))
    if pending:
        from companion.views.question import question_lines

        lines += [*(answered_lines(entry, pending, position) if entry else ()), *question_lines(pending)]
    return lines


_MAX_ANSWERED = 3 * 76  # most characters of the answers so far: three rows of the screen


def answered_lines(entry: Entry, pending: AnyRequest, position: Position) -> list[Line]:
    """Return the last answers, dice and draws of the open entry on one line; questions asked several times are numbered."""
    replies = [reply for reply in entry.replies if reply.is_from_player or reply.is_random]
    total, seen, texts = Counter([*(reply.key for reply in replies), pending.key]), Counter[str](), list[str]()
    for reply in replies:
        seen[reply.key] += 1
        number = f" {seen[reply.key]}" if total[reply.key] > 1 else ""
        texts.append(f"{reply.question}{number} = {named_value_text(reply.value, position.pieces)}")
    shown = len(texts)
    while shown > 1 and len("; ".join(texts[-shown:])) > _MAX_ANSWERED:
        shown -= 1
    earlier = ["..."] if shown < len(texts) else []
    return [Line("; ".join([*earlier, *texts[-shown:]]), "dim", "", "So far: ")] if texts else []


def score_lines(score: Score) -> list[Line]:
    """Return the itemised score and its verdict."""
    rows = [(f"{points:+d}".rjust(5), f"{label} [{rule}]" if rule else label) for label, points, rule in score.items]
    lines = table_lines(rows)
    lines.append(Line("in total", "title", score.rule, f"{score.total:+d}".rjust(5) + "  "))
    lines.append(Line(score.verdict, "title"))
    return lines + [Line(note, "dim") for note in score.notes]
