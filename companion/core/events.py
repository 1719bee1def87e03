"""Facts, in the past tense. Folding them rebuilds the Position; no rule, die or clock is in here.

An event is stored as a plain object with its ``kind``; a kind whose fields change gets a version ``v`` and an
upcaster, so that old archives stay readable.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from companion.core.errors import BadData
from companion.core.position import Piece, Position, Value


class TrackMoved(NamedTuple):
    """A track went from one number to another."""

    track: str
    was: int
    now: int
    rule: str = ""
    why: str = ""


class FlagSet(NamedTuple):
    """A fact about the game as a whole changed; None means it no longer holds."""

    flag: str
    was: Value
    now: Value
    rule: str = ""
    why: str = ""


class PieceMade(NamedTuple):
    """A piece that Companion did not know came into the game."""

    id: str
    piece: str
    name: str
    place: str
    face: str
    values: Mapping[str, Value]
    rule: str = ""
    why: str = ""


class PieceMoved(NamedTuple):
    """A piece went from one place to another."""

    id: str
    was: str
    now: str
    rule: str = ""
    why: str = ""


class PieceFlipped(NamedTuple):
    """A piece shows its other side."""

    id: str
    was: str
    now: str
    rule: str = ""
    why: str = ""


class PieceMarked(NamedTuple):
    """A marker was put on a piece, changed or taken off (None)."""

    id: str
    mark: str
    was: Value
    now: Value
    rule: str = ""
    why: str = ""


class Said(NamedTuple):
    """A line of explanation; it changes nothing. ``because`` holds the layer below it."""

    text: str
    rule: str = ""
    because: tuple[str, ...] = ()
    tone: str = ""


Event = TrackMoved | FlagSet | PieceMade | PieceMoved | PieceFlipped | PieceMarked | Said

_KINDS: dict[str, Callable[..., Event]] = {
    "track": TrackMoved,
    "flag": FlagSet,
    "made": PieceMade,
    "moved": PieceMoved,
    "flipped": PieceFlipped,
    "marked": PieceMarked,
    "said": Said,
}
_NAMES: dict[type, str] = {
    TrackMoved: "track",
    FlagSet: "flag",
    PieceMade: "made",
    PieceMoved: "moved",
    PieceFlipped: "flipped",
    PieceMarked: "marked",
    Said: "said",
}
_VERSIONS: dict[str, int] = {}
_UPCASTERS: dict[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}


def _piece(position: Position, event: PieceMoved | PieceFlipped | PieceMarked) -> Piece:
    try:
        return position.pieces[event.id]
    except KeyError:
        raise BadData(f"the log moves a piece '{event.id}' that it never made") from None


def apply(position: Position, event: Event) -> Position:
    """The position after one event."""
    if isinstance(event, Said):
        return position
    if isinstance(event, TrackMoved):
        return position._replace(tracks={**position.tracks, event.track: event.now})
    if isinstance(event, FlagSet):
        flags = {name: value for name, value in position.flags.items() if name != event.flag}
        if event.now is not None:
            flags[event.flag] = event.now
        return position._replace(flags=flags)
    if isinstance(event, PieceMade):
        made = Piece(event.id, event.piece, event.name, event.place, event.face, event.values)
        return position._replace(pieces={**position.pieces, event.id: made})
    piece = _piece(position, event)
    pieces = dict(position.pieces)
    if isinstance(event, PieceMoved):
        del pieces[event.id]  # re-entered below, so that the last to come lies last in its place
        pieces[event.id] = piece._replace(place=event.now)
    elif isinstance(event, PieceFlipped):
        pieces[event.id] = piece._replace(face=event.now)
    else:
        marks = {name: value for name, value in piece.marks.items() if name != event.mark}
        if event.now is not None:
            marks[event.mark] = event.now
        pieces[event.id] = piece._replace(marks=marks)
    return position._replace(pieces=pieces)


def fold(events: Iterable[Event], start: Position | None = None) -> Position:
    """The position after all events, one copy of each table for the whole run."""
    base = start or Position()
    tracks, pieces, flags = dict(base.tracks), dict(base.pieces), dict(base.flags)
    for event in events:
        if isinstance(event, TrackMoved):
            tracks[event.track] = event.now
        elif isinstance(event, Said):
            continue
        elif isinstance(event, FlagSet):
            flags.pop(event.flag, None)
            if event.now is not None:
                flags[event.flag] = event.now
        elif isinstance(event, PieceMade):
            pieces[event.id] = Piece(event.id, event.piece, event.name, event.place, event.face, event.values)
        else:
            one = apply(Position({}, {event.id: _piece(Position({}, pieces), event)}), event).pieces[event.id]
            if isinstance(event, PieceMoved):
                del pieces[event.id]
            pieces[event.id] = one
    return Position(tracks, pieces, flags)


def encode(event: Event) -> dict[str, Any]:
    """The event as plain data: its kind, and the fields that say something."""
    name = _NAMES[type(event)]
    body: dict[str, Any] = {"kind": name}
    if name in _VERSIONS:
        body["v"] = _VERSIONS[name]
    for field, value in event._asdict().items():
        if field in ("was", "now") or value not in ("", ()):
            body[field] = list(value) if isinstance(value, tuple) else value
    return body


def decode(body: Mapping[str, Any]) -> Event:
    """The event that ``encode`` wrote, of whatever version.

    Raises:
        BadData: a kind that this version of Companion does not know, or fields that do not fit.
    """
    fields = dict(body)
    kind = fields.pop("kind", None)
    version = fields.pop("v", 1)
    while (kind, version) in _UPCASTERS:
        fields = _UPCASTERS[(kind, version)](fields)
        version += 1
    make = _KINDS.get(kind) if isinstance(kind, str) else None
    if make is None or version != _VERSIONS.get(str(kind), 1):
        raise BadData(f"unknown event '{kind}' version {version}", cure="A newer Companion wrote this; update")
    if kind == "said":
        fields["because"] = tuple(fields.get("because", ()))
    for blank in ("values",) if kind == "made" else ():
        fields.setdefault(blank, {})
    if kind == "made":
        fields.setdefault("face", "front")
    try:
        return make(**fields)
    except TypeError as fault:
        raise BadData(f"an event of kind '{kind}' does not hold what it should: {fault}") from None
