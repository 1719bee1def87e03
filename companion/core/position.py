"""The position: what Companion believes is on the table. Immutable, and the only state of a game."""

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter

from companion.core.errors import BadData
from companion.core.hints import Any, Generic, TypeVar
from companion.core.named_tuple import NamedTuple

T = TypeVar("T")

Value = int | str | bool | None  # A printed value, a mark or a flag; JSON and SQL can hold it

FlagValue = Value | tuple[str, ...]  # The value of a flag; for a flag that is a set a tuple of words, stored as a list


ANY_VALUE = "*"  # Declared by a game that does not name its printed values: no name is refused

_VALUE_NAMES: set[str] = set()  # of all games of this process; a piece does not refer to its game


def declare_values(names: Iterable[str]) -> None:
    """Declare the names of printed values, so that `Piece.number` refuses others."""
    _VALUE_NAMES.update(names)


class Piece(NamedTuple):
    """A counter, chit, marker or card.

    Attributes:
        id: Unique among the pieces of the session in force.
        kind: The kind in terms of its game ("unit", "militia", "ambush").
        name: The printed name, which the player types.
        place: Where it is; each piece is in exactly one place.
        face: The side that is up; "front" unless turned.
        values: The printed values by name.
        marks: The markers on it by name; absent if off.
    """

    id: str
    kind: str
    name: str
    place: str
    face: str = "front"
    values: Mapping[str, Value] = {}
    marks: Mapping[str, Value] = {}

    def mark(self, name: str, default: Value = None) -> Value:
        """The value of a mark on it, or the default."""
        return self.marks.get(name, default)

    def number(self, name: str) -> int:
        """A printed value as a whole number; 0 if this piece has none. Raises KeyError: no game declares such a value."""
        value = self.values.get(name)
        if value is None and _VALUE_NAMES and name not in _VALUE_NAMES and ANY_VALUE not in _VALUE_NAMES:
            raise KeyError(f"no piece has a printed value '{name}'")
        return value if isinstance(value, int) else 0


NO_PIECE = Piece("", "", "", "")  # Placeholder for an unknown piece


def cached_by_values(look: Callable[[Piece], T]) -> Callable[[Piece], T]:
    """Cache a function of a piece that depends on its printed values alone."""
    known: dict[str, tuple[Mapping[str, Value], T]] = {}

    def cached(piece: Piece) -> T:
        latest = known.get(piece.id)
        if latest is None or latest[0] is not piece.values:
            if len(known) >= _MOST_CACHED:
                known.clear()
            latest = known[piece.id] = piece.values, look(piece)
        return latest[1]

    return cached


_MOST_CACHED = 1_000

Group = dict[str, Piece]
"""Pieces by id, in order of arrival."""

GroupKey = Callable[[Piece], Hashable]
"""Returns the group of a piece from the piece alone; None for no group. Must be the same function object each time."""

Index = dict[GroupKey, dict[Hashable, Group]]
"""The groups by key."""

Change = tuple[Piece | None, Piece, bool]
"""A piece before (None: new) and after, and whether it is now the last to arrive."""


Trail = tuple[Index, Sequence[Change], "Trail | None", int]
"""What leads from indexed groups of an earlier position to this one, so that they can be updated on demand: those groups, the
changes since, the trail before them (or None), and the total number of changes. A plain tuple, since each change of a piece
makes one.
"""

_FURTHEST = 40
"""Minimum number of changes kept in a trail; at most twice as many, so that positions are released. Groups not used for longer
are rebuilt.
"""

Reader = Callable[["Position"], Any]
"""Computes something from a position. Must be the same object each time: a function or a `FlagReader`."""

_PLACE: GroupKey = attrgetter("place")
_KIND: GroupKey = attrgetter("kind")


@cache
def _printed(name: str) -> GroupKey:
    return lambda piece: piece.values.get(name)


class FlagReader(Generic[T]):
    """Computes something from the flags owner names have one of the prefixes; cached as long as these do not change."""

    __slots__ = ("heeds", "look")

    def __init__(self, look: Callable[["Position"], T], heeds: tuple[str, ...]) -> None:
        self.look = look
        self.heeds = heeds

    def __call__(self, position: "Position") -> T:
        return self.look(position)


def get_piece(pieces: Mapping[str, Piece], piece: str) -> Piece:
    """A piece by its id. Raises BadData: it does not exist."""
    try:
        return pieces[piece]
    except KeyError:
        raise BadData(f"the log moves a piece '{piece}' that it never made") from None


def copy_table(table: Mapping[str, T]) -> dict[str, T]:
    """A copy of a table; ``dict.copy`` is faster than ``dict()`` if keys were removed."""
    return table.copy() if isinstance(table, dict) else dict(table)


def put_flag(flags: dict[str, FlagValue], flag: str, value: FlagValue) -> None:
    """Set a flag, which becomes the last; None removes it."""
    flags.pop(flag, None)
    if value is not None:
        flags[flag] = value


def put_piece(pieces: dict[str, Piece], new: Piece, last: bool) -> None:
    """Set a piece. ``last``: it becomes the last to arrive and so lies last in its place."""
    if last:
        pieces.pop(new.id, None)
    pieces[new.id] = new


_blank = object.__new__


class Position:
    """Tracks, pieces and flags. ``pieces`` is in order of arrival, so that a place is also a pile.

    Groups of pieces and values computed from flags are cached and handed on, so that rules can ask as often as they like.
    """

    __slots__ = ("_index", "_own", "_read", "_trail", "flags", "pieces", "tracks")

    def __init__(
        self,
        tracks: Mapping[str, int] | None = None,
        pieces: Mapping[str, Piece] | None = None,
        flags: Mapping[str, FlagValue] | None = None,
        index: Index | None = None,
        read: dict[Reader, Any] | None = None,
        trail: Trail | None = None,
    ) -> None:
        self.tracks: Mapping[str, int] = {} if tracks is None else tracks
        self.pieces: Mapping[str, Piece] = {} if pieces is None else pieces
        self.flags: Mapping[str, FlagValue] = {} if flags is None else flags
        self._index: Index = {} if index is None else index
        self._read: dict[Reader, Any] = {} if read is None else read
        self._trail = trail
        self._own: tuple[object, dict[Hashable, Any]] | None = None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        return self.tracks == other.tracks and self.pieces == other.pieces and self.flags == other.flags

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"Position({self.tracks!r}, {self.pieces!r}, {self.flags!r})"

    def changed(
        self,
        tracks: Mapping[str, int] | None = None,
        pieces: Mapping[str, Piece] | None = None,
        flags: Mapping[str, FlagValue] | None = None,
    ) -> "Position":
        """A copy with other tracks, pieces or flags."""
        return self._next(
            self.tracks if tracks is None else tracks,
            self.pieces if pieces is None else pieces,
            self.flags if flags is None else flags,
            self._index if pieces is None else {},
            self._read if flags is None else {},
            self._trail if pieces is None else None,
        )

    def without(self, tracks: Collection[str] = (), pieces: Collection[str] = (), flags: Collection[str] = ()) -> "Position":
        """A copy without these tracks, pieces (by id) and flags."""
        return Position(
            {name: value for name, value in self.tracks.items() if name not in tracks},
            {name: piece for name, piece in self.pieces.items() if name not in pieces},
            {name: value for name, value in self.flags.items() if name not in flags},
        )

    def with_track(self, track: str, value: int) -> "Position":
        """A copy with one track at another number."""
        tracks = copy_table(self.tracks)
        tracks[track] = value
        return self._next(tracks, self.pieces, self.flags, self._index, self._read, self._trail)

    def with_flag(self, flag: str, value: FlagValue) -> "Position":
        """A copy with one flag set, which becomes the last; None removes it."""
        flags = copy_table(self.flags)
        put_flag(flags, flag, value)
        return self._next(self.tracks, self.pieces, flags, self._index, self.readings_without(flag), self._trail)

    def with_piece(self, new: Piece, old: Piece | None = None, last: bool = False) -> "Position":
        """A copy with a piece, new or changed. ``last``: it becomes the last to arrive.

        ``old`` is the piece of that id in this position; a caller that has it saves looking it up.
        """
        if old is None:
            old = self.pieces.get(new.id)
        pieces = copy_table(self.pieces)
        if last:
            pieces.pop(new.id, None)
        pieces[new.id] = new
        return self._next(self.tracks, pieces, self.flags, {}, self._read, self.trail_after(((old, new, last),)))

    @staticmethod
    def _next(
        tracks: Mapping[str, int],
        pieces: Mapping[str, Piece],
        flags: Mapping[str, FlagValue],
        index: Index,
        read: dict[Reader, Any],
        trail: Trail | None,
    ) -> "Position":
        position = _blank(Position)
        position.tracks = tracks
        position.pieces = pieces
        position.flags = flags
        position._index = index
        position._read = read
        position._trail = trail
        position._own = None
        return position

    def piece(self, piece: str) -> Piece:
        """A piece by its id. Raises BadData: it does not exist."""
        return get_piece(self.pieces, piece)

    def cache_for(self, owner: object) -> dict[Hashable, Any]:
        """A cache for values computed from this position and ``owner`` (such as the options); another owner clears it."""
        if self._own is None or self._own[0] is not owner:
            self._own = owner, {}
        return self._own[1]

    def track(self, name: str) -> int:
        """The value of a track; 0 if it was never set."""
        return self.tracks.get(name, 0)

    def flag(self, name: str, default: Value = None) -> Value:
        """The value of a flag that is not a set."""
        return self.flags.get(name, default)  # type: ignore[return-value]  # a cast would take as long as the rest

    def members(self, flag: str) -> tuple[str, ...]:
        """The members of a flag that is a set, in order of arrival."""
        members = self.flags.get(flag)
        return members if isinstance(members, tuple) else ()

    def cached_from_flags(self, look: Callable[["Position"], T]) -> T:
        """The result of ``look``, which depends on flags only; computed once until flags change."""
        result: T | None = self._read.get(look)
        if result is None:
            result = self._read[look] = look(self)
        return result

    def at(self, place: str) -> list[Piece]:
        """The pieces in a place, in order of arrival."""
        pieces = (self._index.get(_PLACE) or self._groups(_PLACE)).get(place)
        return list(pieces.values()) if pieces else []

    def of_kind(self, kind: str) -> list[Piece]:
        """The pieces of a kind, in order of arrival."""
        return list(self._groups(_KIND).get(kind, _NONE).values())

    def having(self, value: str, printed: Value) -> list[Piece]:
        """The pieces with a printed value (``side``, ``type``), in order of arrival."""
        return self.pieces_in_group(_printed(value), printed)

    def pieces_in_group(self, key: GroupKey, value: Hashable) -> list[Piece]:
        """The pieces of a group, in order of arrival."""
        pieces = (self._index.get(key) or self._groups(key)).get(value)
        return list(pieces.values()) if pieces else []

    def first_in_group(self, key: GroupKey, value: Hashable) -> Piece | None:
        """The first piece of a group, or None."""
        pieces = (self._index.get(key) or self._groups(key)).get(value)
        return next(iter(pieces.values())) if pieces else None

    def count_in_group(self, key: GroupKey, value: Hashable) -> int:
        """The number of pieces of a group."""
        return len((self._index.get(key) or self._groups(key)).get(value, _NONE))

    def has_group(self, key: GroupKey, value: Hashable) -> bool:
        """True if the group has pieces."""
        return bool((self._index.get(key) or self._groups(key)).get(value))

    def cached_from_group(self, key: GroupKey, value: Hashable, look: Callable[[Iterable[Piece]], T]) -> T:
        """The result of ``look`` on the pieces of a group; computed once until one of them changes."""
        group = (self._index.get(key) or self._groups(key)).get(value, _NONE)
        latest = _LATEST.get((key, value, look))
        if latest is None or latest[0] is not group:
            latest = _LATEST[key, value, look] = group, look(group.values())
        result: T = latest[1]
        return result

    def cached_from_place(self, place: str, look: Callable[[Iterable[Piece]], T]) -> T:
        """The result of ``look`` on the pieces of a place; computed once until one of them changes."""
        return self.cached_from_group(_PLACE, place, look)

    def cached_from_kind(self, kind: str, look: Callable[[Iterable[Piece]], T]) -> T:
        """The result of ``look`` on the pieces of a kind; computed once until one of them changes."""
        return self.cached_from_group(_KIND, kind, look)

    def cached_from_pieces(self, look: Callable[["Position"], T]) -> T:
        """The result of ``look``, which depends on pieces only; computed once until pieces change."""
        index: dict[Any, Any] = self._index  # holds these results beside the groups: both are dropped when pieces change
        result: T | None = index.get(look)
        if result is None:
            result = index[look] = look(self)
        return result

    def count(self, place: str) -> int:
        """The number of pieces in a place."""
        return len((self._index.get(_PLACE) or self._groups(_PLACE)).get(place, _NONE))

    def places(self) -> dict[str, list[Piece]]:
        """The pieces by place; the place of the oldest piece first."""
        pieces_by_place: dict[str, list[Piece]] = {}
        for piece in self.pieces.values():
            pieces_by_place.setdefault(piece.place, []).append(piece)
        return pieces_by_place

    def occupied_places(self) -> list[str]:
        """The places that hold pieces, in arbitrary order."""
        return [str(place) for place, pieces in self._groups(_PLACE).items() if pieces]

    def _groups(self, key: GroupKey) -> dict[Hashable, Group]:
        groups = self._index.get(key)
        if groups is None:
            groups = self._updated_groups(key)
            if groups is None:
                groups = self._grouped(key)
            self._index[key] = groups
        return groups

    def _updated_groups(self, key: GroupKey) -> dict[Hashable, Group] | None:
        """The groups of an earlier position, updated; None if there are none."""
        trail, since = self._trail, []
        if trail is not None and len(trail[1]) == 1 and (latest := trail[0].get(key)) is not None:
            return _one_changed(latest, key, *trail[1][0])
        while trail is not None:
            index, changes, trail, _ = trail
            since.append(changes)
            if (groups := index.get(key)) is not None:
                since.reverse()
                return _regrouped(groups, key, since)
        return None

    def _grouped(self, key: GroupKey) -> dict[Hashable, Group]:
        groups: dict[Hashable, Group] = {}
        for piece in self.pieces.values():
            if (value := key(piece)) is not None:
                groups.setdefault(value, {})[piece.id] = piece
        return groups

    def trail_after(self, changes: Sequence[Change]) -> Trail | None:
        """The trail of a position that follows from this one by some changes."""
        before = self._trail
        count = len(changes) if before is None else before[3] + len(changes)
        if count > 2 * _FURTHEST:
            before = _end_of(before)
            count = len(changes) if before is None else before[3] + len(changes)
        if count > 2 * _FURTHEST or not (self._index or before):
            return None
        return self._index, changes, before, count

    def readings_without(self, *changed: str) -> dict[Reader, Any]:
        """The cached readings that stay valid when the named flags change."""
        read = self._read
        if not (changed and read):
            return {} if changed else read
        valid: dict[Reader, Any] = {}
        for look, result in read.items():
            if isinstance(look, FlagReader):
                for flag in changed:
                    if flag.startswith(look.heeds):
                        break
                else:
                    valid[look] = result
        return valid

    def lookups(self) -> tuple[Index, Trail | None]:
        """The cached groups, for another position with the same pieces."""
        return self._index, self._trail


def _end_of(trail: Trail | None) -> Trail | None:
    """The last part of a trail that is too long."""
    links: list[tuple[Index, Sequence[Change]]] = []
    count = 0
    while trail is not None and count + len(trail[1]) <= _FURTHEST:
        links.append(trail[:2])
        count += len(trail[1])
        trail = trail[2]
    trail_end: Trail | None = None
    count = 0
    for index, changes in reversed(links):
        count += len(changes)
        trail_end = index, changes, trail_end, count
    return trail_end


_NONE: Group = {}
_LATEST: dict[tuple[GroupKey, Hashable, Callable[[Iterable[Piece]], Any]], tuple[Group, Any]] = {}
"""The latest result for each group. A group that changes is copied, so that the same object is an unchanged group."""


def _one_changed(
    earlier: dict[Hashable, Group], key: GroupKey, old: Piece | None, new: Piece, last: bool
) -> dict[Hashable, Group]:
    """Update groups after one change, by far the most frequent case."""
    before, after = None if old is None else key(old), key(new)
    if before is after is None:
        return earlier
    groups = earlier.copy()
    if after is not None:
        group = groups[after] = groups[after].copy() if after in groups else {}
        if last:
            group.pop(new.id, None)
        group[new.id] = new
    if before is not None and before != after:
        group = groups[before] = groups[before].copy()
        del group[new.id]
    return groups


def _regrouped(earlier: dict[Hashable, Group], key: GroupKey, since: Sequence[Sequence[Change]]) -> dict[Hashable, Group]:
    """Update groups after several changes, copying only what they touch."""
    groups = earlier
    copied: set[Hashable] = set()
    for changes in since:
        for old, new, last in changes:
            before, after = None if old is None else key(old), key(new)
            if before is after is None:
                continue
            if groups is earlier:
                groups = earlier.copy()
            if after is not None:
                if after in copied:
                    group = groups[after]
                else:
                    group = groups[after] = groups[after].copy() if after in groups else {}
                    copied.add(after)
                if last:
                    group.pop(new.id, None)
                group[new.id] = new
            if before is not None and before != after:
                if before not in copied:
                    groups[before] = groups[before].copy()
                    copied.add(before)
                del groups[before][new.id]
    return groups
