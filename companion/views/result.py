"""The result of a call on a session, the summary of a turn, and the end of the game."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from typing import Literal, NamedTuple

from companion.core.errors import Impossible
from companion.core.events import Event, Said, TrackMoved
from companion.core.game import Game
from companion.core.history import Entry, History
from companion.core.map import Map
from companion.core.position import Piece, Position
from companion.core.text import plural
from companion.core.values import JsonDict
from companion.session.advance import Result, recorded_entry
from companion.session.state import SessionState
from companion.views.banner import game_over_lines, score_lines
from companion.views.board import occupied_places
from companion.views.dashboard import field_text, field_values
from companion.views.data import event_data, session_data
from companion.views.lines import BLANK, Line, counted_names, packed_rows, row_count, truncate, value_text
from companion.views.log import Emphasis, action_title, board_change_lines, event_lines, table_list
from companion.views.map_text import session_map
from companion.views.messages import event_lines_data
from companion.views.question import continue_line, question_lines
from companion.views.theme import Tone

_INDENT = "  "


def play_lines(session: SessionState, result: Result) -> list[Line]:
    """Return what happened, notes, and what to do on the table."""
    printed = "\n".join(event.text for event in result.events if isinstance(event, Said))
    settled = [(key, value) for key, value in result.settled if len(value) < 4 or value not in printed]
    forced = "; ".join(f"{key.replace('_', ' ')}: {value}" for key, value in settled)
    lines = [Line(forced, "dim", "", "Not asked - ")] if forced else []
    lines += [Line(f"{prompt.rstrip(':')}: {answer}", "dim", "", "Taken - ") for prompt, answer in result.taken]
    notes = [Line(note, "reminder", "", "* ") for note in result.notes]
    if result.fix:  # first what the hands have to do, then how it came to that
        fixes = [Line(text, "board", "", "-> ") for text in result.fix]
        lines += [*notes, *table_list(fixes), *_event_lines(session, result)]
    else:
        lines += [*_event_lines(session, result), *notes]
    lines = Emphasis(session.game, session.options, result.before.pieces, result.after.pieces).lines(lines)
    return lines or ([] if result.pending else [_nothing_line(session, result)])


def _event_lines(session: SessionState, result: Result) -> list[Line]:
    """Return what happened, then the changes on the table, then reminders; corrections in their own order."""
    pieces = dict(result.before.pieces)
    if result.fix:
        return event_lines(session.game, result.events, pieces)
    moved = Counter(event.track for event in result.events if isinstance(event, TrackMoved))
    lines = event_lines(session.game, [event for event in result.events if not _shown_as_change(session, event, moved)], pieces)
    changes = board_change_lines(session.game, result.before, result.after, result.events, session.sample_keys())
    after = [line for line in lines if line.tone == "reminder"] if changes else []
    return [*(line for line in lines if line not in after), *changes, *after]


def _shown_as_change(session: SessionState, event: Event, moved: Mapping[str, int]) -> bool:
    """True if the list of changes shows all of an event."""
    if isinstance(event, Said):
        return event.tone == "board"
    return not isinstance(event, TrackMoved) or (bool(session.game.marker_title(event.track)) and moved[event.track] == 1)


def _nothing_line(session: SessionState, result: Result) -> Line:
    entry = session.history.entries.get(result.entry)
    if entry and session.history.is_in_force(result.entry) and any(not isinstance(event, Said) for event in entry.events or ()):
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
    left_out = {*session.game.cups, *session.game.unchecked_places}
    places = [place for place in occupied_places(session.game, result.after) if place not in left_out]
    arrivals = {place: [piece.name for piece in result.after.at(place) if _has_moved(piece, before)] for place in places}
    parts = [f"{session.game.place_title(place)}: {counted_names(names)}" for place, names in arrivals.items() if names]
    texts = packed_rows(parts, columns - len(_INDENT))
    more = [f"and {len(texts) - _MAX_ROWS} rows more: companion show places"] if len(texts) > _MAX_ROWS else []
    lines = [Line(text, "board", "", _INDENT) for text in [*texts[:_MAX_ROWS], *more]]
    return [Line("New places, in all:", "title"), *lines] if lines else []


def _seen_by(session: SessionState, result: Result, seat: str) -> tuple[SessionState, Result]:
    """Return a session and a result as a seat sees them; both themselves without a seat."""
    if not seat:
        return session, result
    from companion.session.seat_view import seat_result, seat_view

    return seat_view(session, seat), seat_result(session, result, seat)


def result_lines(session: SessionState, result: Result, elsewhere: bool = False, seat: str = "") -> list[Line]:
    """Return the whole result, with the next question. `seat`: only what that seat sees."""
    session, result = _seen_by(session, result, seat)
    lines = play_lines(session, result)
    if result.pending:
        lines += question_lines(result.pending)
        lines.append(continue_line(result.pending, session.question_number, session.info.name if elsewhere else ""))
    elif result.done:
        lines += game_over_lines(session.game, result.after, session.options)
    return lines


def result_data(session: SessionState, result: Result, brief: bool = False, seat: str = "") -> JsonDict:
    """Return the result as JSON data, in the form of `session_data` with the same arguments."""
    whole = session
    session, result = _seen_by(session, result, seat)
    names = {piece.id: piece.name for piece in (*result.before.pieces.values(), *result.after.pieces.values())}
    return {
        **session_data(whole, brief, seat),
        "entry": recorded_entry(session, result),
        "done": result.done,
        "repeated": result.repeated,
        "events": [event_data(event, names, session.game) for event in result.events],
        "lines": event_lines_data(
            event_lines(session.game, result.events, dict(result.before.pieces)), result.events, session.game
        ),
        "fix": list(result.fix),
        "notes": list(result.notes),
        "settled": [{"key": key, "answer": answer} for key, answer in result.settled],
    }


_TURN = "turn"
_MAX_ROW = 300  # most characters of a row
_MAX_FIGURE = 60  # most characters of a figure with its old value
_NEXT_COMMANDS = (
    ("companion log", "what was done; and why: companion why N"),
    ("companion bot", "how it was played, where the game has an adviser"),
    ("companion review", "what each decision cost, and what the dice did"),
    ("companion report > FILE", "the whole game as a document"),
)


class TurnEntries(NamedTuple):
    """The entries of one turn; in a game without turns, one entry.

    Attributes:
        turn: Its number, or None.
        numbers: Of its entries in force.
    """

    turn: int | None
    numbers: tuple[int, ...]


def turns_played(game: Game, history: History) -> list[TurnEntries]:
    """Return the turns played, without the set-up. An entry belongs to the turn in which it began."""
    if _TURN not in game.tracks:
        return [TurnEntries(None, (number,)) for number in history.force[1:]]
    turns: list[tuple[int, list[int]]] = []
    turn = 0
    for entry in history.in_force:
        if entry.number != history.force[0]:
            if not turns or turns[-1][0] != turn:
                turns.append((turn, []))
            turns[-1][1].append(entry.number)
        turn = _turn_after(entry, turn)
    return [TurnEntries(turn, tuple(numbers)) for turn, numbers in turns]


def _turn_after(entry: Entry, turn: int) -> int:
    moves = [event.now for event in entry.events or () if isinstance(event, TrackMoved) and event.track == _TURN]
    return moves[-1] if moves else turn


def turn_ended_by(game: Game, history: History, number: int) -> TurnEntries | None:
    """Return the turn that an entry ended; None if it ended none or was the only entry of the turn."""
    if _TURN not in game.tracks or _turn_after(history.entries[number], -1) < 0:
        return None
    last = _last_turn(game, history)
    ended = last is not None and last.numbers[-1] == number and _turn_after(history.entries[number], 0) != last.turn
    return last if ended else None


def _last_turn(game: Game, history: History) -> TurnEntries | None:
    """Return the last turn; None if it has one entry only, whose lines say the same."""
    last = next(reversed(turns_played(game, history)), None)
    return last if last and last.turn is not None and len(last.numbers) > 1 else None


def turn_lines(
    game: Game, history: History, options: Mapping[str, str], entries: TurnEntries, map: Map | None = None
) -> list[Line]:
    """Return the changes of a turn.

    Args:
        game, history, options: Of the session.
        entries: The turn.
        map: Gives the side of a piece, and whether a place is on the map.
    """
    before, after = history.position(before=entries.numbers[0]), _position_after(history, entries)
    head = f"{game.track_title(_TURN)} {entries.turn}" if entries.turn is not None else f"Action {entries.numbers[0]}"
    lines = [Line(f"{head}: {plural(len(entries.numbers), 'action')}", "title")]
    lines += _field_lines(game, before, after, options)
    lines += _piece_lines(game, before, after, map)
    lines += _flag_lines(game, before, after)
    return lines if len(lines) > 1 else [*lines, Line("Nothing changed", "dim", "", "  ")]


def _position_after(history: History, entries: TurnEntries) -> Position:
    later = [number for number in history.force if number > entries.numbers[-1]]
    return history.position(before=later[0]) if later else history.position()


def _field_lines(game: Game, before: Position, after: Position, options: Mapping[str, str]) -> list[Line]:
    was = field_values(game.banner(before, options))
    fields = [field for field in game.banner(after, options).fields if field.value != was.get(field.key, field.value)]
    texts = [truncate(field_text(field, was, _MAX_FIGURE), _MAX_FIGURE) for field in fields]
    return [Line(" | ".join(texts), "changed", "", "  figures  ")] if texts else []


_LOSS_TONES: dict[int, Tone] = {0: "loss", 1: "gain"}  # index of the side that loses a piece -> tone


_Heading = Literal["left", "placed", "moved", "turned", "marked", "boxes"]
_HEADINGS: tuple[_Heading, ...] = ("left", "placed", "moved", "turned", "marked", "boxes")


class _PieceChange(NamedTuple):
    """The change of a piece, and the heading that it is listed under."""

    heading: _Heading
    tone: Tone
    text: str


def _piece_lines(game: Game, before: Position, after: Position, map: Map | None) -> list[Line]:
    """Return which pieces entered, left, moved, were turned or marked."""
    sides = _sides(map, before, after)
    spaces = set(map.spaces) if map else set[str]()
    texts_by_heading: dict[tuple[_Heading, Tone], list[str]] = {}
    for piece_id in {**before.pieces, **after.pieces}:
        change = _piece_change(game, before.pieces.get(piece_id), after.pieces.get(piece_id), spaces, sides)
        if change:
            texts_by_heading.setdefault((change.heading, change.tone), []).append(change.text)
    return [
        Line(truncate(counted_names(texts), _MAX_ROW), tone, "", f"  {heading:<7}  ")
        for (heading, tone), texts in sorted(texts_by_heading.items(), key=lambda item: _HEADINGS.index(item[0][0]))
    ]


def _sides(map: Map | None, before: Position, after: Position) -> dict[str, int]:
    """Return the index of each piece's side among the sides of the map, the player's own first."""
    if map is None:
        return {}
    order = list(map.sides)
    stacks = [stack for space in map.spaces.values() for stack in space.stacks if stack.side in order]
    kinds = {name: order.index(stack.side) for stack in stacks for name in stack.names}
    pieces = [*before.pieces.values(), *after.pieces.values()]
    by_kind = {piece.kind: kinds[piece.name] for piece in pieces if piece.name in kinds}
    return {**{piece.name: by_kind[piece.kind] for piece in pieces if piece.kind in by_kind}, **kinds}


def _piece_change(
    game: Game, old: Piece | None, new: Piece | None, spaces: Collection[str], sides: Mapping[str, int]
) -> _PieceChange | None:
    """Return the change of a piece; None if nothing is visible on the table."""
    piece = new or old
    assert piece is not None  # it is in one of the positions
    was, now = (version is not None and _is_on_map(game, version.place, spaces) for version in (old, new))
    if was and not now:
        return _PieceChange("left", _LOSS_TONES.get(sides.get(piece.name, -1), ""), _move_text(game, old, new))
    if now and not was:
        return _PieceChange("placed", "", f"{piece.name} on {game.place_title(piece.place)}")
    if old is None or new is None:
        return None
    if old.place != new.place:
        if now:
            return _PieceChange("moved", "", _move_text(game, old, new))
        return None if _is_hidden(game, old, new) else _PieceChange("boxes", "dim", _move_text(game, old, new))
    if now and old.face != new.face:
        return _PieceChange("turned", "", f"{piece.name} to its {game.face_title(new, new.face)}")
    marks = _mark_text(game, old, new) if now else ""
    return _PieceChange("marked", "", f"{piece.name} {marks}") if marks else None


def _move_text(game: Game, old: Piece | None, new: Piece | None) -> str:
    name = next(version.name for version in (new, old) if version is not None)
    places = [game.place_title(version.place) for version in (old, new) if version is not None]
    return f"{name} {' > '.join(places)}"


def _is_hidden(game: Game, old: Piece, new: Piece) -> bool:
    """True if a move needs no check: from or to a cup, or within the places out of play."""
    return not {old.place, new.place}.isdisjoint(game.cups) or {old.place, new.place} <= {*game.unchecked_places}


def _is_on_map(game: Game, place: str, spaces: Collection[str]) -> bool:
    return place in spaces or place not in game.places


def _mark_text(game: Game, old: Piece, new: Piece) -> str:
    texts = []
    for mark in sorted({**old.marks, **new.marks}):
        title, value = game.mark_title(mark), new.marks.get(mark)
        if title and value != old.marks.get(mark):
            texts.append(title if value is True else f"{title} {value_text(value)}")
    return ", ".join(texts)


def _flag_lines(game: Game, before: Position, after: Position) -> list[Line]:
    texts = [
        f"{game.flag_title(flag)}: {value_text(after.flags.get(flag))}"
        for flag in sorted({**before.flags, **after.flags})
        if game.flag_title(flag) and before.flags.get(flag) != after.flags.get(flag)
    ]
    return [Line(truncate("; ".join(texts), _MAX_ROW), "", "", "  now      ")] if texts else []


def next_lines(game: Game, position: Position, options: Mapping[str, str]) -> list[Line]:
    """Return the current stage, the usual action and the reminders."""
    banner = game.banner(position, options)
    usual = game.table_action(position)
    lines = [Line(f"{banner.stage}{f'; Enter: {usual}' if usual else ''}", "title", "", "  next     ")] if banner.stage else []
    return lines + [Line(text, "reminder", "", "  * ") for text in banner.reminders]


def game_end_lines(game: Game, position: Position, options: Mapping[str, str]) -> list[Line]:
    """Return the final score and what to look at next."""
    rows = [Line(f"{command}: {what}", "dim", "", "  ") for command, what in _NEXT_COMMANDS]
    return [*score_lines(game.score(position, options)), BLANK, Line("What can be looked at now:"), *rows]


def find_turn(session: SessionState, turn: int | None = None) -> TurnEntries:
    """Return a turn by number, or the last one. Raises Impossible if it was not played."""
    played = turns_played(session.game, session.history)
    matches = [entries for entries in played if turn is None or entries.turn == turn]
    if not matches:
        numbers = ", ".join(str(entries.turn) for entries in played if entries.turn is not None)
        what = f"turn {turn} was not played" if played else "nothing was played yet"
        raise Impossible(what, cure=f"You can name: {numbers}" if numbers else "See what can be done: companion status")
    return matches[-1]


def session_summary(session: SessionState, entries: TurnEntries) -> list[Line]:
    """Return the changes of a turn; after the last turn also the end of the game or what comes next."""
    game, options, position = session.game, session.options, session.position
    lines = turn_lines(game, session.history, options, entries, session_map(session, position))
    if entries.numbers[-1] != session.history.force[-1]:
        return lines
    if not game.over(position):
        return [*lines, *next_lines(game, position, options)]
    return [*lines, BLANK, *game_over_lines(game, position, options)[:1], BLANK, *game_end_lines(game, position, options)]


def turn_end_lines(session: SessionState, result: Result) -> list[Line]:
    """Return the summary of a turn that a call ended, and the final score if it ended the game."""
    entry = session.history.entries.get(result.entry)
    if not result.done or result.fix or entry is None or not session.history.is_in_force(entry.number):
        return []
    game, lines = session.game, list[Line]()
    over = bool(game.over(result.after)) and not game.over(result.before)
    entries = _last_turn(game, session.history) if over else turn_ended_by(game, session.history, entry.number)
    if entries:
        lines += [BLANK, *turn_lines(game, session.history, session.options, entries, session_map(session, result.after))]
    if over:
        lines += [BLANK, *game_end_lines(game, result.after, session.options)]
    return lines
