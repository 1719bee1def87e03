"""A whole session as a document: Markdown for people, plain data for programs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from companion.core.events import TrackMoved
from companion.core.game import Game
from companion.core.history import EFFECTS, Entry, History, Note
from companion.core.position import Piece
from companion.core.words import clean, plural
from companion.views.banner import sample_keys
from companion.views.data import position_data, score_data
from companion.views.events import event_lines, take_in
from companion.views.log import action_title, log_data
from companion.views.say import adjusted_text, named, source_text

_TURN = "turn"
_BREAK = 3600.0
"""Seconds between two rows of the log from which on the table stood empty."""

_OPENS = r"[*`](?=\S)|(?<!\w)_(?=\S)|<(?=[A-Za-z/!?])|\](?=[(\[])|\\(?=[!-/:-@\[-`{-~])|&(?=\w+;)"
"""What begins markup where it stands."""
_FIRST = r"[#>+|]|-(?=\s|-)|\d+[.)](?=\s)|=+$|\[(?=[^\]]*\]:)"
"""What begins markup at the beginning of a line."""


def markdown(text: str) -> str:
    """Text that stays text in Markdown, whatever the player wrote; what Markdown takes for text anyway is left as it is, since a
    backslash shows wherever Markdown is not read.

    >>> markdown("Tie [16.1(2)]: 3* -> won"), markdown("*so* <b>"), markdown("# no heading")
    ('Tie [16.1(2)]: 3* -> won', '\\\\*so* \\\\<b>', '\\\\# no heading')
    """
    import re

    plain = re.sub(_OPENS, lambda found: f"\\{found[0]}", clean(text))
    first = re.match(_FIRST, plain)
    return plain if first is None else f"{plain[: first.end() - 1]}\\{plain[first.end() - 1 :]}"


def _cell(text: str) -> str:
    """The same in a table."""
    return markdown(text).replace("|", "\\|")


def _answers(entry: Entry, pieces: Mapping[str, Piece]) -> str:
    """What was answered, rolled and drawn; of printed values that nobody was asked for, only how many."""
    told = [
        f"{adjusted_text(reply)} (you: {reply.value['why']})"
        if reply.adjusted
        else f"{reply.key} {named(reply.value, pieces)} ({source_text(reply.source)})"
        for reply in entry.replies
        if reply.kind not in EFFECTS and (reply.by_hand or reply.kind != "printed")
    ]
    printed = sum(reply.kind == "printed" and not reply.by_hand for reply in entry.replies)
    return "; ".join([*told, *([plural(printed, "printed value")] if printed else [])])


def _entry_md(game: Game, entry: Entry, title: str, notes: Sequence[Note], pieces: dict[str, Piece]) -> list[str]:
    answers = _answers(entry, pieces)
    rows = ["", title, "", *([f"Answers: {markdown(answers)}", ""] if answers else [])]
    lines = event_lines(game, entry.events or (), pieces)
    rows += ["- " + " ".join(filter(None, (line.lead.strip(), markdown(line.cited)))) for line in lines]
    return rows + [f"\n> {markdown(note.text)}" for note in notes]


def _turn(entry: Entry, turn: int) -> int:
    """The turn after an entry."""
    moved = [event.now for event in entry.events or () if isinstance(event, TrackMoved) and event.track == _TURN]
    return moved[-1] if moved else turn


def _play_md(game: Game, history: History) -> list[str]:
    """The entries, those of a turn beneath its heading where turns have several."""
    pieces: dict[str, Piece] = {}
    first, *entries = history.in_force
    take_in(first.events or (), pieces)
    turn = _turn(first, 0)
    last = turn
    for entry in entries:
        last = _turn(entry, last)
    by_turn = _TURN in game.tracks and len(entries) > 2 * (last - turn)
    rows = ["", f"### {game.track_title(_TURN)} {turn}"] if by_turn else []
    for number, entry in enumerate(entries, 1):
        notes = [note for note in history.notes if note.entry == entry.number]
        rows += _entry_md(game, entry, f"**{number}. {markdown(action_title(game, entry.action))}**", notes, pieces)
        now = _turn(entry, turn)
        if by_turn and now != turn:
            rows += ["", f"### {game.track_title(_TURN)} {now}"]
        turn = now
    return rows


def _setup_md(game: Game, history: History, options: Mapping[str, str]) -> list[str]:
    """How the session was set up: what a reader needs last."""
    entry = history.in_force[0]
    chosen = ", ".join(f"{key} = {value or 'none'}" for key, value in options.items() if key != "scenario")
    notes = [note for note in history.notes if note.entry == entry.number]
    return [*_entry_md(game, entry, "## The set-up", notes, {}), *(["", f"Options: {markdown(chosen)}"] if chosen else [])]


def _when(history: History) -> str:
    """When it was played, and how long the players sat at it; "" for a log without times."""
    from datetime import datetime

    times = [datetime.fromisoformat(at) for at in history.times if at]
    if not times:
        return ""
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    minutes = round(sum(gap for gap in gaps if gap < _BREAK) / 60)
    first, last = times[0].date().isoformat(), times[-1].date().isoformat()
    days = first if first == last else f"{first} to {last}"
    return f"Played {days}, {minutes // 60} h {minutes % 60:02} min at the table."


def _dice(history: History) -> str:
    """How many dice and draws there were, by whom, and what the dice showed on average."""
    replies = [reply for entry in history.in_force for reply in entry.replies if reply.random]
    told = []
    for who, own in (("Companion", False), ("the players", True)):
        dice = [face for reply in replies if reply.kind == "roll" and reply.by_hand == own for face in reply.value]
        draws = sum(reply.kind == "draw" and reply.by_hand == own for reply in replies)
        if dice:
            told.append(f"{plural(len(dice), 'die', 'dice')} by {who}, {sum(dice) / len(dice):.2f} on average")
        if draws:
            told.append(f"{plural(draws, 'draw')} by {who}")
    return f"{'; '.join(told)}." if told else ""


def report_md(name: str, game: Game, history: History, options: Mapping[str, str]) -> str:
    """The session from its result backwards: the count, the play with its notes, and how it was set up, samples marked."""
    position = history.position()
    scenario = options.get("scenario", "")
    title = game.scenarios[scenario].title if scenario in game.scenarios else scenario
    about = [f"Session {markdown(name)}.", markdown(f"{game.edition}."), _when(history)]
    about += [f"Players: {markdown(options['players'])}."] if options.get("players") else []
    rows = [f"# {markdown(game.title)}: {markdown(title)}", "", " ".join(filter(None, [*about, _dice(history)]))]
    samples = sample_keys(history.in_force)
    if samples:
        rows += ["", f"**Played with sample values, not the published ones:** {markdown(', '.join(samples))}"]
    score = game.score(position, options)
    rows += ["", "## The count" + ("" if game.over(position) else " if it ended now")]
    rows += ["", f"**{markdown(score.verdict)}**", "", "| Item | Points | Rule |", "|---|---:|---|"]
    rows += [f"| {_cell(label)} | {points} | {_cell(rule)} |" for label, points, rule in score.items]
    rows += [f"| **Total** | **{score.total}** | {_cell(score.rule)} |"]
    rows += [f"\n{markdown(note)}" for note in score.notes]
    rows += ["", "## The play", *_play_md(game, history), *_setup_md(game, history, options)]
    return "\n".join(rows) + "\n"


def report_data(name: str, game: Game, history: History, options: Mapping[str, str]) -> dict[str, Any]:
    """The same as plain data, with the entries that were taken back."""
    position = history.position()
    return {
        "session": name,
        "game": game.id,
        "options": dict(options),
        "samples": sample_keys(history.in_force),
        **log_data(history, undone=True),
        "position": position_data(position),
        "over": game.over(position),
        "score": score_data(game.score(position, options)),
    }
