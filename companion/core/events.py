"""Events: what happened, in the past tense. Folding them rebuilds the position; they contain no rule, die or clock.

Each event implements its effect once, in ``apply_to``, for positions and builders. An event is stored as an object with its
``kind``; a kind whose fields change gets a version ``v`` and an upcaster, so that old archives stay readable.
"""

from collections.abc import Callable, Collection, Iterable, Mapping

from companion.core.errors import BadData
from companion.core.hints import Literal, TypeVar
from companion.core.named_tuple import NamedTuple
from companion.core.position import Change, FlagValue, Piece, Position, Value, copy_table, get_piece, put_flag, put_piece
from companion.core.values import JsonDict, JsonObject


class PositionBuilder:
    """A mutable position that events are applied to; each table is copied at most once."""

    __slots__ = ("_changed", "_changes", "_flags", "_pieces", "_start", "_tracks")

    def __init__(self, start: Position) -> None:
        self._start = start
        self._tracks: dict[str, int] | None = None
        self._pieces: dict[str, Piece] | None = None
        self._flags: dict[str, FlagValue] | None = None
        self._changed: list[str] = []
        self._changes: list[Change] = []

    @property
    def position(self) -> Position:
        """The resulting position; the builder must not be used afterwards."""
        start = self._start
        tracks = start.tracks if self._tracks is None else self._tracks
        flags = start.flags if self._flags is None else self._flags
        read = start.readings_without(*self._changed)
        if self._pieces is None:
            index, trail = start.lookups()
            return Position(tracks, start.pieces, flags, index, read, trail)
        return Position(tracks, self._pieces, flags, None, read, start.trail_after(self._changes))

    @property
    def pieces(self) -> Mapping[str, Piece]:
        return self._start.pieces if self._pieces is None else self._pieces

    def piece(self, piece: str) -> Piece:
        """A piece by its id. Raises BadData: it does not exist."""
        return self._start.piece(piece) if self._pieces is None else get_piece(self._pieces, piece)

    def with_track(self, track: str, value: int) -> "PositionBuilder":
        if self._tracks is None:
            self._tracks = copy_table(self._start.tracks)
        self._tracks[track] = value
        return self

    def with_flag(self, flag: str, value: FlagValue) -> "PositionBuilder":
        if self._flags is None:
            self._flags = copy_table(self._start.flags)
        self._changed.append(flag)
        put_flag(self._flags, flag, value)
        return self

    def with_piece(self, new: Piece, old: Piece | None = None, last: bool = False) -> "PositionBuilder":
        if self._pieces is None:
            self._pieces = copy_table(self._start.pieces)
        if old is None:
            old = self._pieces.get(new.id)
        put_piece(self._pieces, new, last)
        self._changes.append((old, new, last))
        return self


fast_new = tuple.__new__
"""Make a named tuple from all its fields, in a third of the time of its class."""

B = TypeVar("B", Position, PositionBuilder)
"""What an event is applied to: a position, which gives a new one, or a builder, which is modified."""


class TrackMoved(NamedTuple):
    """A track went from one number to another."""

    track: str
    was: int
    now: int
    rule: str = ""
    why: str = ""

    def apply_to(self, board: B) -> B:
        return board.with_track(self.track, self.now)


class FlagSet(NamedTuple):
    """A flag of the whole game changed; None: it was removed."""

    flag: str
    was: FlagValue
    now: FlagValue
    rule: str = ""
    why: str = ""

    def apply_to(self, board: B) -> B:
        return board.with_flag(self.flag, self.now)


class PieceMade(NamedTuple):
    """A piece was created."""

    id: str
    piece: str
    name: str
    place: str
    face: str = "front"
    values: Mapping[str, Value] = {}
    rule: str = ""
    why: str = ""

    def apply_to(self, board: B) -> B:
        return board.with_piece(fast_new(Piece, (self.id, self.piece, self.name, self.place, self.face, self.values, {})))


class PieceMoved(NamedTuple):
    """A piece went from one place to another."""

    id: str
    was: str
    now: str
    rule: str = ""
    why: str = ""

    def apply_to(self, board: B) -> B:
        old = board.piece(self.id)
        new = fast_new(Piece, (old.id, old.kind, old.name, self.now, old.face, old.values, old.marks))
        return board.with_piece(new, old, True)


class PieceFlipped(NamedTuple):
    """A piece was turned to another face."""

    id: str
    was: str
    now: str
    rule: str = ""
    why: str = ""

    def apply_to(self, board: B) -> B:
        old = board.piece(self.id)
        return board.with_piece(fast_new(Piece, (old.id, old.kind, old.name, old.place, self.now, old.values, old.marks)), old)


class PieceMarked(NamedTuple):
    """A marker was put on a piece, changed or removed (None)."""

    id: str
    mark: str
    was: Value
    now: Value
    rule: str = ""
    why: str = ""

    def apply_to(self, board: B) -> B:
        old = board.piece(self.id)
        marks = {name: value for name, value in old.marks.items() if name != self.mark}
        if self.now is not None:
            marks[self.mark] = self.now
        return board.with_piece(fast_new(Piece, (old.id, old.kind, old.name, old.place, old.face, old.values, marks)), old)


Tone = Literal["", "board", "reminder", "warning"]
"""The kind of an explanation: a result, an instruction for the table, a reminder, a warning."""


class Said(NamedTuple):
    """A line of explanation; changes nothing. ``because`` holds its details, ``seats`` who may read it; empty for all."""

    text: str
    rule: str = ""
    because: tuple[str, ...] = ()
    tone: Tone = ""
    seats: tuple[str, ...] = ()

    def apply_to(self, board: B) -> B:
        return board


Event = TrackMoved | FlagSet | PieceMade | PieceMoved | PieceFlipped | PieceMarked | Said
EventKind = Literal["track", "flag", "made", "moved", "flipped", "marked", "said"]

_KINDS: dict[type[Event], EventKind] = {
    TrackMoved: "track",
    FlagSet: "flag",
    PieceMade: "made",
    PieceMoved: "moved",
    PieceFlipped: "flipped",
    PieceMarked: "marked",
    Said: "said",
}

EVENT_TYPES: Mapping[str, type[Event]] = {kind: event_type for event_type, kind in _KINDS.items()}
"""The event class of each kind in the log. The stored fields are those of the class."""

VERSIONS: Mapping[str, int] = {"flag": 2}
"""Versions of kinds above 1: version 2 of a flag has sets."""


def _words_to_sets(fields: JsonDict, sets: Collection[str]) -> JsonDict:
    """Upgrade to version 2: a set was stored as words in a text."""
    if fields.get("flag") in sets:
        for key in ("was", "now"):
            value = fields.get(key)
            fields[key] = tuple(value.split()) or None if isinstance(value, str) else value
    return fields


_LISTS = {"flag": ("was", "now"), "said": ("because", "seats")}  # Fields that JSON holds as lists

_UPCASTERS: dict[tuple[str, int], Callable[[JsonDict, Collection[str]], JsonDict]] = {("flag", 1): _words_to_sets}


def apply(position: Position, event: Event) -> Position:
    """The position after an event; the same object if nothing changes, so that its caches stay valid."""
    return event.apply_to(position)


def fold(events: Iterable[Event], start: Position | None = None) -> Position:
    """The position after all events, copying each table once. ``start``: the position before them."""
    board = PositionBuilder(Position() if start is None else start)
    for event in events:
        event.apply_to(board)
    return board.position


def encode(event: Event) -> JsonDict:
    """The event as plain data: its kind and the fields that are not empty."""
    kind = _KINDS[type(event)]
    body: JsonDict = {"kind": kind}
    if kind in VERSIONS:
        body["v"] = VERSIONS[kind]
    for field, value in zip(event._fields, event, strict=True):
        if field in ("was", "now") or value not in ("", ()):
            body[field] = list(value) if isinstance(value, tuple) else value
    return body


def decode(body: JsonObject, sets: Collection[str] = ()) -> Event:
    """Read an event that `encode` wrote, of any version. Raises BadData.

    ``sets`` are the flags of the game that are sets, for events of version 1.
    """
    fields = dict(body)
    kind = fields.pop("kind", None)
    version = fields.pop("v", 1)
    make = EVENT_TYPES.get(kind) if isinstance(kind, str) else None
    if make is None:
        raise BadData(f"unknown event '{kind}'", cure="A newer Companion wrote this; update")
    newest = VERSIONS.get(kind, 1)
    while version != newest:
        if (kind, version) not in _UPCASTERS:
            raise BadData(f"unknown event '{kind}' version {version}", cure="A newer Companion wrote this; update")
        fields = _UPCASTERS[(kind, version)](fields, sets)
        version += 1
    for field in _LISTS.get(kind, ()):
        if isinstance(fields.get(field), list):
            fields[field] = tuple(fields[field])
    try:
        return make(**fields)
    except TypeError as fault:
        raise BadData(f"an event of kind '{kind}' does not hold what it should: {fault}") from None
