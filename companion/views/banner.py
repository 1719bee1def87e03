"""The banner above a prompt, the status of a session, and the score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from companion.core.game import Game, Score
from companion.core.history import Entry
from companion.core.position import Position
from companion.views.lines import Line, table_lines

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
    game: Game, position: Position, options: Mapping[str, str], pending: AnyRequest | None, samples: bool
) -> list[Line]:
    """Return the banner, the warning about sample values and the open question."""
    lines = banner_with_result(game, position, options)
    if samples:
        lines.append(Line(SAMPLE_NOTE.format(game=game.id), "warning", "", "! "))
    if pending:
        from companion.views.question import question_lines

        lines += question_lines(pending)
    return lines


def score_lines(score: Score) -> list[Line]:
    """Return the itemised score and its verdict."""
    rows = [(f"{points:+d}".rjust(5), f"{label} [{rule}]" if rule else label) for label, points, rule in score.items]
    lines = table_lines(rows)
    lines.append(Line("in total", "title", score.rule, f"{score.total:+d}".rjust(5) + "  "))
    lines.append(Line(score.verdict, "title"))
    return lines + [Line(note, "dim") for note in score.notes]
