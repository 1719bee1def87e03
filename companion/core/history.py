"""History: folds the log of a session, which is only ever appended to, into the entries in force.

An entry is an action with its replies and, once complete, its events. Undo, redo and amend delete nothing: each is a row
that takes entries out of force and puts others in.
"""

from bisect import bisect_left, bisect_right, insort
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from companion.core.errors import BadData, Impossible
from companion.core.events import Event, decode, fast_new, fold
from companion.core.hints import TYPE_CHECKING, Any, Literal
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.procedures import Source
from companion.core.sealed import SealedValue, unsealed
from companion.core.values import JsonObject, ReplyValue

if TYPE_CHECKING:
    from companion.core.trusted import TrustLog

EntryStatus = Literal["in force", "open", "taken back"]
ChangeKind = Literal["undo", "reply", "redo", "amend", "unamend", "abort", "look"]
RowKind = Literal["entry", "reply", "adjusted", "done", "change", "note", "setting", "trust"]


class LogRow(NamedTuple):
    """A row of the log as stored."""

    seq: int
    kind: RowKind
    entry: int
    body: JsonObject
    at: str = ""


ADJUST_ACTIONS = ("adjust", "audit")
"""Actions without a procedure: their events follow from what was typed."""
ADJUSTED: Literal["adjusted"] = "adjusted"  # Kind of a reply that is a correction by the player and answers no question
LOOK: Literal["look"] = "look"  # How an entry that only looked at the table leaves force; redo does not bring it back
FIRST = "first"  # Key in the body of a correction that precedes everything else in its entry
EFFECT_KINDS = ("known", "tell", "learn", "think")  # Kinds of replies that are results of effects


FieldTypes = Mapping[str, type | tuple[type, ...]]


class RowSchema:
    """Required and optional fields of the body of a row, each with its types."""

    __slots__ = ("optional", "required")

    def __init__(self, required: FieldTypes, optional: FieldTypes | None = None) -> None:
        self.required = required
        self.optional = optional or {}


ROW_SCHEMAS: dict[RowKind, RowSchema] = {
    "entry": RowSchema({"action": str, "args": dict}, {"anyway": bool, "copy_of": int, "hidden": bool}),
    "reply": RowSchema(
        {"key": str, "kind": str, "value": (int, str, list, dict), "source": str},
        {"anyway": bool, "rule": str, "seat": str, "left": int, "part": (int, str, list, dict)},
    ),
    ADJUSTED: RowSchema({"action": str, "changes": list, "why": str, "at": str, "events": list}, {FIRST: bool, "anyway": bool}),
    "done": RowSchema({"events": list}, {"result": dict}),
    "change": RowSchema({"take": list, "give": list, "how": str}, {"past_roll": bool}),
    "note": RowSchema({"text": str}),
    "setting": RowSchema({}, {"dice": str, "draws": str, "think": str, "uid": str, "host": str}),
    "trust": RowSchema({"at": str, "step": str, "seat": str, "value": str}, {"of": dict, "rows": list}),
}
"""The kinds of log rows; used to write, read and import rows."""


class Reply(NamedTuple):
    """An answer with its source.

    A reply of kind ``adjusted`` answers nothing: the player corrected the position while a question was open. Its key is the
    action (``adjust`` or ``audit``), its value holds ``changes``, ``why`` and ``at``, the key of that question, and ``events``
    holds what it changed.

    The reply to a part of a sealed question names its ``seat``, and how many seats are ``left`` to answer. Its value is a
    `SealedValue` until the last seat has answered.
    """

    key: str
    kind: str
    value: ReplyValue
    source: Source
    anyway: bool = False
    rule: str = ""
    events: tuple[Event, ...] = ()
    seat: str = ""
    left: int = 0

    @property
    def question(self) -> str:
        """The key of its question in words."""
        return self.key.replace("_", " ")

    @property
    def is_sealed(self) -> bool:
        """True if it is not revealed."""
        return isinstance(self.value, SealedValue)

    def revealed(self) -> "Reply":
        """The reply with its value for all to see."""
        return self._replace(value=unsealed(self.value)) if self.is_sealed else self

    @property
    def is_random(self) -> bool:
        return self.kind in ("roll", "draw")

    @property
    def is_adjustment(self) -> bool:
        return self.kind == ADJUSTED

    @property
    def is_automatic(self) -> bool:
        """True if neither the player nor chance decided it; nothing is lost if it is not asked again."""
        return not self.is_from_player and not self.is_random and not self.is_adjustment

    @property
    def is_from_player(self) -> bool:
        return self.source in ("typed", "scripted", "suggested")


def open_parts(replies: Sequence[Reply]) -> list[int]:
    """The places (from 0) of the replies to a sealed question that is still open."""
    last = max((place for place, reply in enumerate(replies) if reply.seat and not reply.left), default=-1)
    return [place for place, reply in enumerate(replies) if place > last and reply.seat]


def without_unrevealed(replies: Sequence[Reply]) -> list[Reply]:
    """The replies without the parts of a sealed question that is still open."""
    hidden = open_parts(replies)
    return [reply for place, reply in enumerate(replies) if place not in hidden]


class StoredEvents(Sequence[Event]):
    """The events of an entry, decoded on demand: most commands read few."""

    __slots__ = ("_body", "_changes", "_events", "_sets")

    def __init__(self, body: JsonObject, sets: Collection[str]) -> None:
        self._body = body
        self._sets = sets
        self._events: tuple[Event, ...] | None = None
        self._changes: tuple[Event, ...] | None = None

    def _all(self) -> tuple[Event, ...]:
        if self._events is None:
            self._events = tuple(decode(event, self._sets) for event in self._body["events"])
        return self._events

    def __getitem__(self, index: Any) -> Any:
        return self._all()[index]

    def __len__(self) -> int:
        return len(self._all())

    def __iter__(self) -> Iterator[Event]:
        return iter(self._all())

    def __eq__(self, other: object) -> bool:
        if isinstance(other, StoredEvents) and self._body["events"] == other._body["events"]:
            return True
        return isinstance(other, Sequence) and self._all() == tuple(other)

    def __hash__(self) -> int:
        return hash(self._all())

    def board_changes(self) -> Sequence[Event]:
        """The events that change the position; lines of explanation are not decoded."""
        if self._events is not None:
            return self._events
        if self._changes is None:
            self._changes = tuple(decode(event, self._sets) for event in self._body["events"] if event.get("kind") != "said")
        return self._changes


class Entry(NamedTuple):
    """An action in the log. ``events`` is None while it is open; ``copy_of`` is the entry it replaces."""

    number: int
    action: str
    args: JsonObject
    at: str
    anyway: bool = False
    copy_of: int = 0
    replies: tuple[Reply, ...] = ()
    events: Sequence[Event] | None = None

    # a log is long: _replace takes three times as long as these
    def with_reply(self, reply: Reply) -> "Entry":
        return fast_new(Entry, (*self[:6], (*self.replies, reply), self.events))

    def with_events(self, events: Sequence[Event]) -> "Entry":
        return fast_new(Entry, (*self[:7], events))

    @property
    def is_open(self) -> bool:
        return self.events is None

    @property
    def has_random_reply(self) -> bool:
        return any(reply.is_random for reply in self.replies)


class Change(NamedTuple):
    """Entries that leave force (``take``) and enter force (``give``)."""

    take: tuple[int, ...]
    give: tuple[int, ...]
    how: ChangeKind

    def inverse(self, how: ChangeKind) -> "Change":
        return Change(self.give, self.take, how)


class Note(NamedTuple):
    """A note of the player, and the last entry in force when it was written."""

    entry: int
    text: str
    at: str


_INTERVAL = 16  # Entries between cached positions
_NEWEST = 4  # Cached positions that are made on the way to a position: undo and review look near the end


class History:
    """The folded log of a session. ``sets`` are the flags of the game that are sets, for old events.

    ``correction`` is the last undo, redo, amend or abort if nothing was played since.
    """

    def __init__(self, rows: Iterable[LogRow] = (), sets: Collection[str] = ()) -> None:
        self._sets = sets
        self.entries: dict[int, Entry] = {}
        self.force: list[int] = []
        self.changes: list[Change] = []
        self.correction: Change | None = None
        self.redos: list[Change] = []
        self.notes: list[Note] = []
        self.settings: dict[str, str] = {}
        self.seq = 0
        self.times: list[str] = []
        self._trust: TrustLog | None = None
        self._amends: list[tuple[Change, tuple[int, ...]]] = []  # each with the entries in force just after it
        self._rolls: dict[int, int] = {}  # random replies by entry
        self._random_index: int | None = 0  # random replies in force; None: to be counted
        self._positions: dict[int, Position] = {}  # by the number of entries in force that lead there
        self._counts: list[int] = []  # the keys of _positions, ascending
        self._tip = 0  # the only key that is not a multiple of _INTERVAL; 0: none
        for row in rows:
            self.add(row)

    def add(self, row: LogRow) -> None:
        """Fold one more row."""
        self.seq, kind, number, body, at = row  # a status folds the whole log: no field is read twice
        self.times.append(at)
        if self._trust is not None and kind not in ("trust", "note", "setting"):
            self._trust.ask = None  # play has gone on
        if kind == "entry":
            self._forget(number)
            head = body.get("args", {}), at, body.get("anyway", False), body.get("copy_of", 0)
            self.entries[number] = fast_new(Entry, (number, body["action"], *head, (), None))
            if not body.get("hidden"):
                self.force.append(number)
                self._moved_on(number)
        elif kind == "reply":
            anyway, rule = body.get("anyway", False), body.get("rule", "")
            fields = body["key"], body["kind"], body["value"], body["source"], anyway, rule, (), "", 0
            reply = fast_new(Reply, fields)
            self._add_reply(number, self._sealed(number, reply, body) if "seat" in body else reply)
        elif kind == ADJUSTED:
            value = {key: body[key] for key in ("changes", "why", "at", FIRST, "anyway") if key in body}
            events = tuple(decode(event, self._sets) for event in body["events"])
            self._add_reply(number, Reply(body["action"], ADJUSTED, value, "typed", events=events))
        elif kind == "done":
            self._forget(number)
            self.entries[number] = self._entry(number).with_events(StoredEvents(body, self._sets))
            self._moved_on(number)
        elif kind == "change":
            self._change(Change(tuple(body["take"]), tuple(body["give"]), body["how"]))
        elif kind == "note":
            self.notes.append(Note(number, body["text"], at))
        elif kind == "setting":
            self.settings.update(body)
        elif kind == "trust":
            self.trust.add(self.seq, body)
        else:
            raise BadData(f"log row {self.seq} is of an unknown kind '{kind}'", cure="A newer Companion wrote this; update")

    @property
    def trust(self) -> "TrustLog":
        """The commitments, shares and reveals of trusted dice."""
        if self._trust is None:
            from companion.core.trusted import TrustLog

            self._trust = TrustLog()
        return self._trust

    def _entry(self, number: int) -> Entry:
        if number not in self.entries:
            raise BadData(f"the log names action {number}, which it never opened")
        return self.entries[number]

    def _sealed(self, entry: int, reply: Reply, body: JsonObject) -> Reply:
        """The reply to a part of a sealed question; the last one reveals those before it."""
        left = body.get("left", 0)
        if left:
            return reply._replace(value=SealedValue.of(body.get("part")), seat=body["seat"], left=left)
        opened = self._entry(entry)
        self.entries[entry] = opened._replace(replies=tuple(map(Reply.revealed, opened.replies)))
        return reply._replace(seat=body["seat"])

    def _add_reply(self, entry: int, reply: Reply) -> None:
        self.entries[entry] = self._entry(entry).with_reply(reply)
        if reply.is_random:
            self._rolls[entry] = self._rolls.get(entry, 0) + 1
            if self._random_index is not None:
                self._random_index = self._random_index + 1 if self.force[-1:] == [entry] else None
        self._moved_on(entry)

    def _forget(self, number: int) -> None:
        """Drop cached positions that depend on an entry."""
        if not self._counts:
            return
        first = bisect_right(self._counts, bisect_left(self.force, number))
        for count in self._counts[first:]:
            del self._positions[count]
        del self._counts[first:]

    def _moved_on(self, number: int) -> None:
        """Clear what could be redone, since play has gone on."""
        if self.correction and self.force and self.force[-1] == number:  # a hidden copy is not in force
            self.correction = None
            self.redos.clear()
            self._amends.clear()

    def _change(self, change: Change) -> None:
        self._forget(min((*change.take, *change.give), default=0))
        self.force = sorted((set(self.force) - set(change.take)) | set(change.give))
        self._random_index = None
        amend = change._replace(how="amend")
        if change.how == "amend" or (change.how == "redo" and amend in self.changes):
            self._amends.append((amend, tuple(self.force)))
        elif change.how == "unamend" and self._amends:
            self._amends.pop()
        self.changes.append(change)
        if change.how != LOOK:
            self.correction = change
        if change.how == "redo":
            del self.redos[-1:]
        elif change.how == "amend":
            self.redos.clear()
        elif change.how != LOOK:
            self.redos.append(change.inverse("redo"))

    def is_in_force(self, number: int) -> bool:
        """True if the entry of that number counts. The numbers in force ascend, so that long logs are not searched through."""
        index = bisect_left(self.force, number)
        return index < len(self.force) and self.force[index] == number

    @property
    def in_force(self) -> list[Entry]:
        return [self.entries[number] for number in self.force]

    @property
    def open_entry(self) -> Entry | None:
        """The entry that waits for a reply, or None; always the last in force."""
        last = self.entries[self.force[-1]] if self.force else None
        return last if last and last.is_open else None

    @property
    def next_number(self) -> int:
        return max(self.entries, default=0) + 1

    def position(self, before: int | None = None) -> Position:
        """The position after the complete entries in force, or before the entry of that number."""
        end = len(self.force) if before is None else bisect_left(self.force, before)
        index = bisect_right(self._counts, end)
        start = self._counts[index - 1] if index else 0
        position = self._positions[start] if start else Position()
        first = max(start // _INTERVAL + 1, end // _INTERVAL - _NEWEST + 1)
        for stop in [*range(first * _INTERVAL, end + 1, _INTERVAL), end]:
            if stop > start:
                position = fold(self._board_changes(start, stop), position)
                start, self._positions[stop] = stop, position
                insort(self._counts, stop)
        if end % _INTERVAL:
            if self._tip != end and self._tip in self._positions:
                del self._positions[self._tip], self._counts[bisect_left(self._counts, self._tip)]
            self._tip = end
        return position

    def _board_changes(self, first: int, end: int) -> Iterator[Event]:
        """The events that change the position in a range of entries in force."""
        for number in self.force[first:end]:
            events = self.entries[number].events
            yield from (events.board_changes() if isinstance(events, StoredEvents) else events or ())

    def random_index(self, before: int | None = None) -> int:
        """The number of random replies in force (before the entry of that number): the next index of the seed."""
        if before is not None:
            return sum(self._rolls.get(number, 0) for number in self.force[: bisect_left(self.force, before)])
        if self._random_index is None:
            self._random_index = sum(self._rolls.get(number, 0) for number in self.force)
        return self._random_index

    def find(self, number: int) -> Entry:
        """An entry by its number, in force or not. Raises Impossible: the log has no such entry."""
        if number not in self.entries:
            raise Impossible(f"the log has no action {number}", cure="See: companion log")
        return self.entries[number]

    def plan_undo(self, count: int) -> Change:
        """The change that takes back the last ``count`` entries, or the last amend as a whole if nothing came after it.

        Raises Impossible: there are fewer entries after the first one (the set-up), which stays.
        """
        if count == 1 and self._amends and self._amends[-1][1] == tuple(self.force):
            return self._amends[-1][0].inverse("unamend")
        most = len(self.force) - 1
        if count < 1 or count > most:
            text = f"{count} to take back, {most} there" if most else "nothing to take back"
            raise Impossible(text, cure="See: companion log")
        return Change(tuple(self.force[-count:]), (), "undo")

    def plan_undo_to(self, number: int) -> Change:
        """The change that takes back every entry after the one of that number. Raises Impossible: not in force, or the last."""
        self.find(number)
        if not self.is_in_force(number):
            raise Impossible(f"action {number} is itself taken back", cure="See: companion log --undone")
        later = tuple(item for item in self.force if item > number)
        if not later or number < self.force[0]:
            raise Impossible(f"nothing to take back after action {number}")
        return Change(later, (), "undo")

    def plan_redo(self) -> Change:
        """The change that restores what the last undo took. Raises Impossible: nothing was undone since play last went on."""
        if not self.redos:
            raise Impossible("nothing to bring back", cure="Redo works until play goes on; see: companion log --undone")
        return self.redos[-1]

    def status(self, number: int) -> EntryStatus:
        if not self.is_in_force(number):
            return "taken back"
        return "open" if self.entries[number].is_open else "in force"
