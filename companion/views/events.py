"""Events as the lines of play: what happened, the numbers that made it so, and the rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, MutableMapping, Sequence
from contextlib import suppress

from companion.core.errors import BadData
from companion.core.events import Board, Event, FlagSet, PieceFlipped, PieceMade, PieceMarked, PieceMoved, Said, TrackMoved
from companion.core.game import Game
from companion.core.position import NOBODY, Piece, Position, Value
from companion.core.words import says
from companion.views.lines import LEADS, Line
from companion.views.say import counted_names, value_text

_ROOM = 400
"""Characters that names may take before only their number is told."""


def apply_event(event: Event, board: Board) -> None:
    """An event on a board of which lines speak. What was taken back may speak of pieces that there are no more."""
    with suppress(BadData):
        event.on(board)


def apply_events(events: Iterable[Event], pieces: MutableMapping[str, Piece]) -> None:
    """Bring the pieces that lines speak of up to date with events that are not told."""
    board = Board(Position({}, pieces))
    for event in events:
        apply_event(event, board)
    pieces.update(board.pieces)


def _name(piece_id: str, pieces: Mapping[str, Piece]) -> str:
    return pieces[piece_id].name if piece_id in pieces else piece_id.partition("#")[0]


def _with_reason(text: str, why: str) -> str:
    return f"{text}: {why}" if why and not says(text, why) else text


def _group_key(event: Event) -> tuple[object, ...] | None:
    """What events must share to be told in one line, or None for one that stands alone."""
    if isinstance(event, PieceMade):
        return ("made", event.place, event.rule, event.why)
    if isinstance(event, PieceMoved):
        return ("moved", event.was, event.now, event.rule, event.why)
    if isinstance(event, PieceMarked):
        return ("marked", event.mark, event.now, event.rule, event.why)
    if isinstance(event, PieceFlipped):
        return ("flipped", event.was, event.now, event.rule, event.why)
    return None


def event_groups(events: Iterable[Event]) -> list[list[Event]]:
    """Runs of neighbouring events that one line can tell."""
    found: list[list[Event]] = []
    key: tuple[object, ...] | None = None
    for event in events:
        this = _group_key(event)
        if this is None or this != key:
            found.append([])
        key = this
        found[-1].append(event)
    return found


def said_line(event: Said) -> Line:
    """A line that a procedure said, with the marker of its tone."""
    return Line(event.text, event.tone, event.rule, LEADS.get(event.tone, ""))


def change_line(game: Game, event: TrackMoved | FlagSet) -> Line | None:
    """The line of a track or a flag; None where it has no words."""
    if isinstance(event, TrackMoved):
        title = game.track_title(event.track)
        text = game.moved_track(event.track, event.was, event.now)
    else:
        title = game.flag_title(event.flag)
        text = title if event.now is True else f"{title}: {value_text(event.now)}"
    return Line(_with_reason(text, event.why), "track", event.rule) if title else None


def _group_names(game: Game, events: list[Event], pieces: Mapping[str, Piece]) -> str:
    return names_text(game, [_name(event.id, pieces) for event in events if not isinstance(event, Said | TrackMoved | FlagSet)])


def names_text(game: Game, names: Sequence[str]) -> str:
    """Names of pieces, each once; of very many only the number."""
    shown = counted_names(names)
    return shown if len(shown) <= _ROOM else f"{len(names)} {game.things}"


def mark_display(value: Value, pieces: Mapping[str, Piece]) -> Value:
    """What a mark says, a piece by its name."""
    return pieces[value].name if isinstance(value, str) and value in pieces else value


def _piece_line(game: Game, events: list[Event], pieces: Mapping[str, Piece]) -> Line | None:
    """One line on pieces to which the same has happened."""
    first = events[0]
    names = _group_names(game, events, pieces)
    if isinstance(first, PieceMade):
        text = f"{game.place_title(first.place)}: {names}"
    elif isinstance(first, PieceMoved):
        text = f"{names}: {game.place_title(first.was)} -> {game.place_title(first.now)}"
    elif isinstance(first, PieceFlipped):
        text = game.turned(names, len(events), pieces.get(first.id, NOBODY), first.now)
    elif isinstance(first, PieceMarked):
        text = game.marked(names, len(events), first.mark, mark_display(first.now, pieces))
    else:
        return None
    return Line(_with_reason(text, first.why), "", first.rule) if text else None


def event_lines(game: Game, events: Iterable[Event], pieces: MutableMapping[str, Piece], because: bool = False) -> list[Line]:
    """The lines of some events.

    Args:
        game: for the words.
        events: in their order.
        pieces: the pieces before the first event, by id; left as they are after the last.
        because: show the layer below each explanation as well.
    """
    lines: list[Line] = []
    board = Board(Position({}, pieces))
    for group in event_groups(events):
        for event in group:
            apply_event(event, board)
        first = group[0]
        if not game.told(first):
            continue
        if isinstance(first, Said):
            lines.append(said_line(first))
            lines += [Line(reason, "dim", "", "    - ") for reason in first.because] if because else []
            continue
        line = change_line(game, first) if isinstance(first, TrackMoved | FlagSet) else _piece_line(game, group, board.pieces)
        if line:
            lines.append(line)
    pieces.update(board.pieces)
    return lines
