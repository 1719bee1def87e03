"""What one call of the desk did, as lines and as data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from companion.core.events import Event, Said, TrackMoved
from companion.core.position import Piece, Position
from companion.session.advance import Result
from companion.session.state import SessionState
from companion.views.banner import game_over_lines
from companion.views.board import occupied_places
from companion.views.data import event_data, session_data
from companion.views.events import Emphasis, board_change_lines, event_lines, table_list
from companion.views.lines import Line, lines_data, packed_rows, row_count
from companion.views.log import action_title
from companion.views.phrases import counted_names
from companion.views.question import continue_line, question_lines

_INDENT = "  "


def play_lines(desk: SessionState, result: Result) -> list[Line]:
    """What happened, what to know, and what to do on the board."""
    alone = "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in result.settled)
    lines = [Line(alone, "dim", "", "Not asked - ")] if alone else []
    lines += _event_lines(desk, result)
    lines += [Line(note, "reminder", "", "* ") for note in result.notes]
    lines += fix_lines(result)
    lines = Emphasis(desk.game, desk.options, result.before.pieces, result.after.pieces).lines(lines)
    return lines or ([] if result.pending else [_nothing_line(desk, result)])


def _event_lines(desk: SessionState, result: Result) -> list[Line]:
    """What was said, what to do on the table, and what comes next; where something is put right, all of it in its order, and
    the list follows.
    """
    pieces = dict(result.before.pieces)
    if result.fix:
        return event_lines(desk.game, result.events, pieces)
    moved = Counter(event.track for event in result.events if isinstance(event, TrackMoved))
    said = event_lines(desk.game, [event for event in result.events if not _shown_as_change(desk, event, moved)], pieces)
    shown = board_change_lines(desk.game, result.before, result.after, result.events)
    after = [line for line in said if line.tone == "reminder"] if shown else []
    return [*(line for line in said if line not in after), *shown, *after]


def _shown_as_change(desk: SessionState, event: Event, moved: Mapping[str, int]) -> bool:
    """Whether the list for the table tells all of an event: not what was said, no count of Companion's own, and no reason of a
    track that moved several times.
    """
    if isinstance(event, Said):
        return event.tone == "board"
    return not isinstance(event, TrackMoved) or (bool(desk.game.marker_title(event.track)) and moved[event.track] == 1)


def _nothing_line(desk: SessionState, result: Result) -> Line:
    """What to say where there is nothing to say: its last answer may have moved nothing, and the action much."""
    whole = desk.history.entries.get(result.entry)
    if whole and result.entry in desk.history.force and any(not isinstance(event, Said) for event in whole.events or ()):
        return Line(f"Done: {action_title(desk.game, whole.action)}", "dim")
    return Line("Nothing to move", "dim")


def _has_moved(piece: Piece, before: Position) -> bool:
    """Whether a piece lies elsewhere than it did, or is new."""
    old = before.pieces.get(piece.id)
    return old is None or old.place != piece.place


_ROWS = 6
"""Rows of a summary."""


def placement_lines(desk: SessionState, result: Result, rows: int, columns: int) -> list[Line]:
    """Where things came to lie, after an action whose lines fill more than a screen, with what stood between them."""
    whole = desk.history.entries.get(result.entry)
    if result.fix or whole is None or whole.events is None or len(whole.events) < rows:
        return []
    before = desk.history.position(before=result.entry)
    told = event_lines(desk.game, whole.events, dict(before.pieces))
    if row_count(told, columns) < rows:
        return []
    places = [
        place for place in occupied_places(desk.game, result.after) if place not in (*desk.game.cups, *desk.game.unchecked_places)
    ]
    came = {place: [one.name for one in result.after.at(place) if _has_moved(one, before)] for place in places}
    parts = [f"{desk.game.place_title(place)}: {counted_names(names)}" for place, names in came.items() if names]
    shown = packed_rows(parts, columns - len(_INDENT))
    more = [f"and {len(shown) - _ROWS} rows more: companion show places"] if len(shown) > _ROWS else []
    lines = [Line(text, "board", "", _INDENT) for text in [*shown[:_ROWS], *more]]
    return [Line("What came to lie where, in all:", "title"), *lines] if lines else []


def fix_lines(result: Result) -> list[Line]:
    """The board-fix list."""
    if not result.fix:
        return []
    return table_list([Line(text, "board", "", "-> ") for text in result.fix])


def result_lines(desk: SessionState, result: Result, elsewhere: bool = False) -> list[Line]:
    """All of it, with the question that it ends at."""
    lines = play_lines(desk, result)
    if result.pending:
        lines += question_lines(result.pending)
        lines.append(continue_line(result.pending, desk.question_number, desk.info.name if elsewhere else ""))
    elif result.done:
        lines += game_over_lines(desk.game, result.after, desk.options)
    return lines


def result_data(desk: SessionState, result: Result, brief: bool = False) -> dict[str, Any]:
    """The same as plain data, in the one shape of every command that plays or mends. ``brief``: without the position."""
    names = {piece.id: piece.name for piece in (*result.before.pieces.values(), *result.after.pieces.values())}
    return {
        **session_data(desk, brief),
        "entry": result.entry,
        "done": result.done,
        "repeated": result.repeated,
        "events": [event_data(event, names) for event in result.events],
        "lines": lines_data(event_lines(desk.game, result.events, dict(result.before.pieces))),
        "fix": list(result.fix),
        "notes": list(result.notes),
        "settled": [{"key": key, "answer": answer} for key, answer in result.settled],
    }
