"""The result of a call on a session, as lines and as JSON data."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.core.events import Event, Said, TrackMoved
from companion.core.position import Piece, Position
from companion.core.values import JsonDict
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


def play_lines(session: SessionState, result: Result) -> list[Line]:
    """Return what happened, notes, and what to do on the table."""
    alone = "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in result.settled)
    lines = [Line(alone, "dim", "", "Not asked - ")] if alone else []
    lines += _event_lines(session, result)
    lines += [Line(note, "reminder", "", "* ") for note in result.notes]
    lines += fix_lines(result)
    lines = Emphasis(session.game, session.options, result.before.pieces, result.after.pieces).lines(lines)
    return lines or ([] if result.pending else [_nothing_line(session, result)])


def _event_lines(session: SessionState, result: Result) -> list[Line]:
    """Return what happened, then the changes on the table, then reminders; corrections in their own order."""
    pieces = dict(result.before.pieces)
    if result.fix:
        return event_lines(session.game, result.events, pieces)
    moved = Counter(event.track for event in result.events if isinstance(event, TrackMoved))
    lines = event_lines(session.game, [event for event in result.events if not _shown_as_change(session, event, moved)], pieces)
    changes = board_change_lines(session.game, result.before, result.after, result.events)
    after = [line for line in lines if line.tone == "reminder"] if changes else []
    return [*(line for line in lines if line not in after), *changes, *after]


def _shown_as_change(session: SessionState, event: Event, moved: Mapping[str, int]) -> bool:
    """True if the list of changes shows all of an event."""
    if isinstance(event, Said):
        return event.tone == "board"
    return not isinstance(event, TrackMoved) or (bool(session.game.marker_title(event.track)) and moved[event.track] == 1)


def _nothing_line(session: SessionState, result: Result) -> Line:
    entry = session.history.entries.get(result.entry)
    if entry and result.entry in session.history.force and any(not isinstance(event, Said) for event in entry.events or ()):
        return Line(f"Done: {action_title(session.game, entry.action)}", "dim")
    return Line("Nothing to move", "dim")


def _has_moved(piece: Piece, before: Position) -> bool:
    old = before.pieces.get(piece.id)
    return old is None or old.place != piece.place


_MAX_ROWS = 6  # most rows of a placement summary


def placement_lines(session: SessionState, result: Result, rows: int, columns: int) -> list[Line]:
    """Return where pieces were placed, after an action whose lines fill more than a screen."""
    entry = session.history.entries.get(result.entry)
    if result.fix or entry is None or entry.events is None or len(entry.events) < rows:
        return []
    before = session.history.position(before=result.entry)
    event_rows = event_lines(session.game, entry.events, dict(before.pieces))
    if row_count(event_rows, columns) < rows:
        return []
    places = [
        place
        for place in occupied_places(session.game, result.after)
        if place not in (*session.game.cups, *session.game.unchecked_places)
    ]
    arrivals = {place: [piece.name for piece in result.after.at(place) if _has_moved(piece, before)] for place in places}
    parts = [f"{session.game.place_title(place)}: {counted_names(names)}" for place, names in arrivals.items() if names]
    texts = packed_rows(parts, columns - len(_INDENT))
    more = [f"and {len(texts) - _MAX_ROWS} rows more: companion show places"] if len(texts) > _MAX_ROWS else []
    lines = [Line(text, "board", "", _INDENT) for text in [*texts[:_MAX_ROWS], *more]]
    return [Line("New places, in all:", "title"), *lines] if lines else []


def fix_lines(result: Result) -> list[Line]:
    """Return the board-fix list."""
    if not result.fix:
        return []
    return table_list([Line(text, "board", "", "-> ") for text in result.fix])


def result_lines(session: SessionState, result: Result, elsewhere: bool = False) -> list[Line]:
    """Return the whole result, with the next question."""
    lines = play_lines(session, result)
    if result.pending:
        lines += question_lines(result.pending)
        lines.append(continue_line(result.pending, session.question_number, session.info.name if elsewhere else ""))
    elif result.done:
        lines += game_over_lines(session.game, result.after, session.options)
    return lines


def result_data(session: SessionState, result: Result, brief: bool = False) -> JsonDict:
    """Return the result as JSON data, in the form of `session_data`. `brief` omits the position."""
    names = {piece.id: piece.name for piece in (*result.before.pieces.values(), *result.after.pieces.values())}
    return {
        **session_data(session, brief),
        "entry": result.entry,
        "done": result.done,
        "repeated": result.repeated,
        "events": [event_data(event, names) for event in result.events],
        "lines": lines_data(event_lines(session.game, result.events, dict(result.before.pieces))),
        "fix": list(result.fix),
        "notes": list(result.notes),
        "settled": [{"key": key, "answer": answer} for key, answer in result.settled],
    }
