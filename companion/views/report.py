"""A whole session as a document: Markdown for people, plain data for programs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.game import Game
from companion.core.history import EFFECTS, Entry, History, Note
from companion.core.position import Piece
from companion.core.words import clean
from companion.views.banner import sample_keys
from companion.views.data import position_data, score_data
from companion.views.events import event_lines
from companion.views.log import action_title, log_data
from companion.views.say import adjusted_text, named, source_text

_SPECIAL = set("\\`*_{}[]<>#|")


def markdown(text: str) -> str:
    """Text that stays text in Markdown, whatever the player wrote."""
    return "".join(f"\\{char}" if char in _SPECIAL else char for char in clean(text))


def _entry_md(game: Game, entry: Entry, notes: list[Note], pieces: dict[str, Piece]) -> list[str]:
    rows = ["", f"### {entry.number}. {markdown(action_title(game, entry.action))}", ""]
    rolls = [
        markdown(f"{adjusted_text(reply)} (you: {reply.value['why']})")
        if reply.adjusted
        else f"{markdown(reply.key)} {markdown(named(reply.value, pieces))} ({markdown(source_text(reply.source))})"
        for reply in entry.replies
        if reply.kind not in EFFECTS
    ]
    if rolls:
        rows += [f"Replies: {'; '.join(rolls)}", ""]
    lines = event_lines(game, entry.events or (), pieces)
    rows += ["- " + " ".join(filter(None, (markdown(line.lead), markdown(line.cited)))) for line in lines]
    return rows + [f"\n> {markdown(note.text)}" for note in notes]


def report_md(name: str, game: Game, history: History, options: Mapping[str, str]) -> str:
    """The session by entry, with its notes, its sample values marked, and the score at its end."""
    position = history.position()
    scenario = options.get("scenario", "")
    title = game.scenarios[scenario].title if scenario in game.scenarios else scenario
    rows = [f"# {markdown(game.title)}: {markdown(title)}", "", f"Session {markdown(name)}. {markdown(game.edition)}"]
    samples = sample_keys(history.in_force)
    if samples:
        rows += ["", f"**Played with sample values, not the published ones:** {markdown(', '.join(samples))}"]
    chosen = [f"{key} = {value}" for key, value in options.items() if key != "scenario"]
    rows += ["", f"Options: {markdown(', '.join(chosen))}"] if chosen else []
    rows += ["", "## The play"]
    pieces: dict[str, Piece] = {}
    for entry in history.in_force:
        rows += _entry_md(game, entry, [note for note in history.notes if note.entry == entry.number], pieces)
    score = game.score(position, options)
    rows += [
        "",
        "## The count" + ("" if game.over(position) else " if it ended now"),
        "",
        "| Item | Points | Rule |",
        "|---|---:|---|",
    ]
    rows += [f"| {markdown(label)} | {points} | {markdown(rule)} |" for label, points, rule in score.items]
    rows += [f"| **Total** | **{score.total}** | {markdown(score.rule)} |", "", f"**{markdown(score.verdict)}**"]
    return "\n".join([*rows, *(f"\n{markdown(note)}" for note in score.notes)]) + "\n"


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
