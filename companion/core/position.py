"""What Companion believes is on the board: an immutable value, and the only state of a game."""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cache
from operator import attrgetter
from typing import Any, Generic, NamedTuple, TypeVar

from companion.core.errors import BadData

T = TypeVar("T")

Value = int | str | bool | None
"""What a printed value, a mark or a flag may hold. JSON and SQL can hold it too."""

FlagValue = Value | tuple[str, ...]
"""What a flag holds: one that is declared as a set, a tuple of words, which is a list in JSON and SQL."""


class Piece(NamedTuple):
    """A counter, chit, marker or card.

    Attributes:
        id: unique among the pieces of its session that are in force; what is undone may give it back.
        kind: what it is in the words of its game ("unit", "militia", "ambush").
        name: what is printed on it and what the player types.
        place: where it is; each piece is in exactly one place.
        face: which side is up; "front" unless turned.
        values: what is printed on it, by name.
        marks: markers lying on it, by name; a mark that is off is absent.
    """

    id: str
    kind: str
    name: str
    place: str
    face: str = "front"
    values: Mapping[str, Value] = {}
    marks: Mapping[str, Value] = {}

    def mark(self, name: str, default: Value = None) -> Value:
        return self.marks.get(name, default)

    def number(self, name: str) -> int:
        """A printed value as a whole number; 0 where nothing is printed."""
        value = self.values.get(name)
        return value if isinstance(value, int) else 0


NO_PIECE = Piece("", "", "", "")
"""Stands for a piece of which nothing is known."""

Group = dict[str, Piece]
"""Pieces by id, in order of arrival."""

GroupKey = Callable[[Piece], Hashable]
"""What pieces have in common, read off each of them alone; None puts a piece into no group. A function that is made once."""

Index = dict[GroupKey, dict[Hashable, Group]]
"""Groups by what they have in common."""

Change = tuple[Piece | None, Piece, bool]
"""A piece before (None: a new one) and now, and whether it is now the last to have come."""


Trail = tuple[Index, Sequence[Change], "Trail | None", int]
"""What leads from what was looked up earlier to a position, whose groups are brought up to date when they are looked at again:
the groups of a position before, the changes of pieces since, what leads to that position (None where nothing is known of any
before it), and how many changes that makes in all. A plain tuple, for one is made with each change of a piece.
"""

_FURTHEST = 40
"""Changes that are known at the least of how groups were before, and twice as many at the most, so that no position is kept for
long; groups that nobody has looked at since are made anew rather than brought up to date.
"""

Reader = Callable[["Position"], Any]
"""What a game reads off a position. A function that is made once, or a ``Reading``."""

_PLACE: GroupKey = attrgetter("place")
_KIND: GroupKey = attrgetter("kind")


@cache
def _printed(name: str) -> GroupKey:
    return lambda piece: piece.values.get(name)


class FlagReader(Generic[T]):
    """A look at some of the flags only: what was read stays as long as none of these changes.

    Args:
        look: works it out.
        heeds: how the names of the flags begin that it looks at.
    """

    __slots__ = ("heeds", "look")

    def __init__(self, look: Callable[["Position"], T], heeds: tuple[str, ...]) -> None:
        self.look = look
        self.heeds = heeds

    def __call__(self, position: "Position") -> T:
        return self.look(position)


def get_piece(pieces: Mapping[str, Piece], piece: str) -> Piece:
    """A piece by its id. Raises BadData: it was never made."""
    try:
        return pieces[piece]
    except KeyError:
        raise BadData(f"the log moves a piece '{piece}' that it never made") from None


def copy_table(table: Mapping[str, T]) -> dict[str, T]:
    """A table of its own. ``dict(table)`` would put a table from which something was taken away together anew, key by key."""
    return table.copy() if isinstance(table, dict) else dict(table)


def put_flag(flags: dict[str, FlagValue], flag: str, value: FlagValue) -> None:
    """A flag that is set comes last; None takes it away."""
    flags.pop(flag, None)
    if value is not None:
        flags[flag] = value


def put_piece(pieces: dict[str, Piece], new: Piece, last: bool) -> None:
    """A piece, new or changed. ``last``: it is the last to come, so that it lies last in its place."""
    if last:
        pieces.pop(new.id, None)
    pieces[new.id] = new


_blank = object.__new__


class Position:
    """Tracks, pieces and flags. ``pieces`` is in order of arrival, so a place is also a pile.

    What is where, what is of a kind, and what a game groups or reads off the flags is worked out at the first look and
    handed on from one position to the next, so that rules can ask as often as they like.
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
        """The same with other tracks, pieces or flags."""
        return Position(
            self.tracks if tracks is None else tracks,
            self.pieces if pieces is None else pieces,
            self.flags if flags is None else flags,
            self._index if pieces is None else None,
            self._read if flags is None else None,
            self._trail if pieces is None else None,
        )

    # -- what comes of it by one change ------------------------------------------------------------------------

    def with_track(self, track: str, value: int) -> "Position":
        """The same with one track at another number."""
        tracks = copy_table(self.tracks)
        tracks[track] = value
        return self._next(tracks, self.pieces, self.flags, self._index, self._read, self._trail)

    def with_flag(self, flag: str, value: FlagValue) -> "Position":
        """The same with one flag set, which comes last; None takes it away."""
        flags = copy_table(self.flags)
        put_flag(flags, flag, value)
        return self._next(self.tracks, self.pieces, flags, self._index, self.readings_without(flag), self._trail)

    def with_piece(self, new: Piece, old: Piece | None = None, last: bool = False) -> "Position":
        """The same with a piece, new or changed. ``last``: it is the last to come, so that it lies last in its place."""
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
        made = _blank(Position)
        made.tracks = tracks
        made.pieces = pieces
        made.flags = flags
        made._index = index
        made._read = read
        made._trail = trail
        made._own = None
        return made

    def piece(self, piece: str) -> Piece:
        """A piece by its id. Raises BadData: it was never made."""
        return get_piece(self.pieces, piece)

    def cache_for(self, whose: object) -> dict[Hashable, Any]:
        """Where somebody keeps what was worked out of this very position, all of it: nothing of that is handed on to another.
        ``whose``: what it rests on besides, such as the options; for another there is nothing kept.
        """
        if self._own is None or self._own[0] is not whose:
            self._own = whose, {}
        return self._own[1]

    # -- tracks and flags --------------------------------------------------------------------------------------

    def track(self, name: str) -> int:
        return self.tracks.get(name, 0)

    def flag(self, name: str, default: Value = None) -> Value:
        """What a flag holds that is no set."""
        return self.flags.get(name, default)  # type: ignore[return-value]  # a cast would take as long as the rest

    def members(self, flag: str) -> tuple[str, ...]:
        """What a flag that is a set holds, in the order in which it came in."""
        found = self.flags.get(flag)
        return found if isinstance(found, tuple) else ()

    def cached_from_flags(self, look: Callable[["Position"], T]) -> T:
        """What follows from the flags alone; ``look`` works it out once for as long as they stay as they are."""
        found: T | None = self._read.get(look)
        if found is None:
            found = self._read[look] = look(self)
        return found

    # -- pieces ------------------------------------------------------------------------------------------------

    def at(self, place: str) -> list[Piece]:
        """The pieces in a place, first come first."""
        found = (self._index.get(_PLACE) or self._groups(_PLACE)).get(place)
        return list(found.values()) if found else []

    def of_kind(self, kind: str) -> list[Piece]:
        """The pieces of a kind, first come first."""
        return list(self._groups(_KIND).get(kind, _NONE).values())

    def having(self, value: str, printed: Value) -> list[Piece]:
        """The pieces on which ``printed`` stands as that value (``side``, ``type``), first come first."""
        return self.pieces_in_group(_printed(value), printed)

    def pieces_in_group(self, key: GroupKey, value: Hashable) -> list[Piece]:
        """The pieces that a key of the game's own puts into one group, first come first."""
        found = (self._index.get(key) or self._groups(key)).get(value)
        return list(found.values()) if found else []

    def first_in_group(self, key: GroupKey, value: Hashable) -> Piece | None:
        """The first to come of such a group."""
        found = (self._index.get(key) or self._groups(key)).get(value)
        return next(iter(found.values())) if found else None

    def count_in_group(self, key: GroupKey, value: Hashable) -> int:
        """How many there are of such a group."""
        return len((self._index.get(key) or self._groups(key)).get(value, _NONE))

    def has_group(self, key: GroupKey, value: Hashable) -> bool:
        """Whether there is any of such a group."""
        return bool((self._index.get(key) or self._groups(key)).get(value))

    def cached_from_group(self, key: GroupKey, value: Hashable, look: Callable[[Iterable[Piece]], T]) -> T:
        """What follows from the pieces of one group alone; ``look``, a function that is made once, works it out once for as long
        as none of them changes.
        """
        group = (self._index.get(key) or self._groups(key)).get(value, _NONE)
        known = _LATEST.get((key, value, look))
        if known is None or known[0] is not group:
            known = _LATEST[key, value, look] = group, look(group.values())
        found: T = known[1]
        return found

    def cached_from_place(self, place: str, look: Callable[[Iterable[Piece]], T]) -> T:
        """What follows from the pieces in a place alone, worked out in the same way."""
        return self.cached_from_group(_PLACE, place, look)

    def cached_from_pieces(self, look: Callable[["Position"], T]) -> T:
        """What follows from the pieces alone; ``look``, a function that is made once, works it out once for as long as they stay
        as they are.
        """
        known: dict[Any, Any] = self._index
        found: T | None = known.get(look)
        if found is None:
            found = known[look] = look(self)
        return found

    def count(self, place: str) -> int:
        """How many pieces are in a place."""
        return len((self._index.get(_PLACE) or self._groups(_PLACE)).get(place, _NONE))

    def places(self) -> dict[str, list[Piece]]:
        """Every place that holds a piece, with its pieces; the place of the oldest piece first."""
        found: dict[str, list[Piece]] = {}
        for piece in self.pieces.values():
            found.setdefault(piece.place, []).append(piece)
        return found

    def occupied_places(self) -> list[str]:
        """The places that hold a piece, in no order of the table's."""
        return [str(place) for place, there in self._groups(_PLACE).items() if there]

    def _groups(self, key: GroupKey) -> dict[Hashable, Group]:
        found = self._index.get(key)
        if found is None:
            found = self._caught_up(key)
            if found is None:
                found = self._grouped(key)
            self._index[key] = found
        return found

    def _caught_up(self, key: GroupKey) -> dict[Hashable, Group] | None:
        """The groups of an earlier position with what has changed since; None where none is known."""
        trail, since = self._trail, []
        if trail is not None and len(trail[1]) == 1 and (latest := trail[0].get(key)) is not None:
            return _one_changed(latest, key, *trail[1][0])
        while trail is not None:
            groups, changes, trail, _ = trail
            since.append(changes)
            if (known := groups.get(key)) is not None:
                since.reverse()
                return _regrouped(known, key, since)
        return None

    def _grouped(self, key: GroupKey) -> dict[Hashable, Group]:
        found: dict[Hashable, Group] = {}
        for piece in self.pieces.values():
            if (value := key(piece)) is not None:
                found.setdefault(value, {})[piece.id] = piece
        return found

    def trail_after(self, changes: Sequence[Change]) -> Trail | None:
        """What a position that comes of this one by some changes is handed on of what was looked up."""
        before = self._trail
        many = len(changes) if before is None else before[3] + len(changes)
        if many > 2 * _FURTHEST:
            before = _end_of(before)
            many = len(changes) if before is None else before[3] + len(changes)
        if many > 2 * _FURTHEST or not (self._index or before):
            return None
        return self._index, changes, before, many

    def readings_without(self, *changed: str) -> dict[Reader, Any]:
        """What has been read off the flags, to be handed on with them. ``changed``: the names of those that are new since."""
        read = self._read
        if not (changed and read):
            return {} if changed else read
        found: dict[Reader, Any] = {}
        for look, seen in read.items():
            if isinstance(look, FlagReader):
                for flag in changed:
                    if flag.startswith(look.heeds):
                        break
                else:
                    found[look] = seen
        return found

    def lookups(self) -> tuple[Index, Trail | None]:
        """What was looked up of the pieces, for another position with the same ones."""
        return self._index, self._trail


def _end_of(trail: Trail | None) -> Trail | None:
    """The last changes of a trail, of which more are known than any group is brought up to date by."""
    links: list[tuple[Index, Sequence[Change]]] = []
    many = 0
    while trail is not None and many + len(trail[1]) <= _FURTHEST:
        links.append(trail[:2])
        many += len(trail[1])
        trail = trail[2]
    found: Trail | None = None
    many = 0
    for index, changes in reversed(links):
        many += len(changes)
        found = index, changes, found, many
    return found


_NONE: Group = {}
_LATEST: dict[tuple[GroupKey, Hashable, Callable[[Iterable[Piece]], Any]], tuple[Group, Any]] = {}
"""What was worked out last of a group: a group that changes is copied, and one that is the same object is the same."""


def _one_changed(known: dict[Hashable, Group], key: GroupKey, old: Piece | None, new: Piece, last: bool) -> dict[Hashable, Group]:
    """Groups after one change, by far the most frequent case of those below."""
    there, here = None if old is None else key(old), key(new)
    if there is here is None:
        return known
    groups = known.copy()
    if here is not None:
        group = groups[here] = groups[here].copy() if here in groups else {}
        if last:
            group.pop(new.id, None)
        group[new.id] = new
    if there is not None and there != here:
        group = groups[there] = groups[there].copy()
        del group[new.id]
    return groups


def _regrouped(known: dict[Hashable, Group], key: GroupKey, since: Sequence[Sequence[Change]]) -> dict[Hashable, Group]:
    """Groups after some changes, as a copy of no more than they touch; None: a piece is in none of them."""
    groups = known
    own: set[Hashable] = set()
    for changes in since:
        for old, new, last in changes:
            there, here = None if old is None else key(old), key(new)
            if there is here is None:
                continue
            if groups is known:
                groups = known.copy()
            if here is not None:
                if here in own:
                    group = groups[here]
                else:
                    group = groups[here] = groups[here].copy() if here in groups else {}
                    own.add(here)
                if last:
                    group.pop(new.id, None)
                group[new.id] = new
            if there is not None and there != here:
                if there not in own:
                    groups[there] = groups[there].copy()
                    own.add(there)
                del groups[there][new.id]
    return groups
