"""The log of one session: what is written, what is about to be, and the history that it folds to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.core.errors import SessionMoved
from companion.core.events import Event, encode
from companion.core.history import ADJUSTED, ROW_SCHEMAS, Change, Entry, History, LogRow, Reply
from companion.core.procedures import InferFact
from companion.core.values import JsonDict, JsonObject
from companion.session.store import Archive, Session, utc_now


class LogBatch:
    """Rows for the log that are not yet written, numbered on from the last that is; and printed facts to go with them."""

    __slots__ = ("at", "facts", "rows", "seq")

    def __init__(self, seq: int, at: str) -> None:
        self.seq = seq
        self.at = at
        self.rows: list[LogRow] = []
        self.facts: Mapping[str, str] = {}

    def add(self, kind: str, entry: int, body: JsonObject) -> None:
        """One row. Raises ValueError: the body is not of the shape that rows of the kind have."""
        shape = ROW_SCHEMAS[kind]
        if not (shape.required.keys() <= body.keys() and body.keys() <= {*shape.required, *shape.optional}):
            raise ValueError(f"a row of the kind '{kind}' does not hold {', '.join(body)}")
        self.rows.append(LogRow(self.seq + len(self.rows) + 1, kind, entry, body, self.at))

    def entry(self, number: int, action: str, args: JsonObject, anyway: bool = False) -> None:
        """The opening of an entry."""
        self.add("entry", number, {"action": action, "args": dict(args), **({"anyway": True} if anyway else {})})

    def copy(self, number: int, original: Entry, anyway: bool = False) -> None:
        """The opening of an entry that replaces another; it is out of force until a change puts it in."""
        self.correction(number, original.action, original.args, original.number, anyway)

    def correction(self, number: int, action: str, args: JsonObject, copy_of: int, anyway: bool = False) -> None:
        """The same, where the copy does something else than the original as a whole."""
        body: JsonDict = {"action": action, "args": dict(args), "copy_of": copy_of, "hidden": True}
        self.add("entry", number, {**body, "anyway": True} if anyway else body)

    def replies(self, number: int, replies: Iterable[Reply]) -> None:
        """Replies; an adjustment that was made at a question is a row of its own kind, with what it changed."""
        for reply in replies:
            if reply.is_adjustment:
                events = [encode(event) for event in reply.events]
                self.add(ADJUSTED, number, {"action": reply.key, **reply.value, "events": events})
                continue
            body = {"key": reply.key, "kind": reply.kind, "value": reply.value, "source": reply.source, "rule": reply.rule}
            self.add("reply", number, {**body, "anyway": True} if reply.anyway else body)

    def complete(self, number: int, events: Sequence[Event], result: JsonObject | None = None) -> None:
        """The end of an entry. ``result``: how the game has ended with it, where it has."""
        body: JsonDict = {"events": [encode(event) for event in events]}
        self.add("done", number, {**body, "result": dict(result)} if result else body)

    def change(self, change: Change, rolled: bool) -> None:
        """What leaves and enters force. ``rolled``: it goes past a roll or a draw."""
        body: JsonDict = {"take": list(change.take), "give": list(change.give), "how": change.how}
        self.add("change", max(change.take, default=0), {**body, "past_roll": True} if rolled else body)


class SessionLog:
    """A session's log over the archive.

    Args:
        archive: where it is stored.
        info: the session as stored; one whose id is 0 is stored with the first commit.
        sets: the flags of its game that are sets.
        last_used: whether a session that is stored becomes the last used one.

    Attributes:
        history: the fold of the log.
        others: how many of its rows others have written since it was opened.
    """

    def __init__(self, archive: Archive, info: Session, sets: Collection[str], last_used: bool = True) -> None:
        self.archive = archive
        self.info = info
        self.history = History(archive.rows(info.id, unread=("done",)) if info.id else (), sets)
        self.foreign_rows = 0
        self._staged: list[LogRow] = []
        self._last_used = last_used

    def facts(self) -> Mapping[str, str]:
        """What the owner has told of the game's printed facts, by full key."""
        return self.archive.printed(self.info.game)

    def new_batch(self) -> LogBatch:
        """An empty draft that goes on from what is written."""
        return LogBatch(self.history.seq, utc_now())

    def stage(self, batch: LogBatch) -> None:
        """Take in the rows of a session that is not stored yet: they are written with its first commit."""
        self._staged += batch.rows
        self._take(batch.rows)

    def commit(self, batch: LogBatch) -> None:
        """Write a draft, and take it into the history. The first one of a new session stores that too.

        Raises:
            SessionMoved: somebody else has written meanwhile; what they wrote is taken in, and nothing of the draft is kept.
        """
        try:
            if self.info.id:
                self.archive.append(self.info.id, self.history.seq, batch.rows, batch.facts, self._unlearns(batch.rows))
            else:
                self.info = self.archive.create(self.info, [*self._staged, *batch.rows], batch.facts, self._last_used)
        except SessionMoved:
            self.refresh()
            raise
        self._take(batch.rows)

    def _unlearns(self, rows: Sequence[LogRow]) -> bool:
        """Whether entries that play has shown a fact in leave or enter force; to find that in the file, all of it is read."""
        moved = {number for row in rows if row.kind == "change" for number in (*row.body["take"], *row.body["give"])}
        kept = (reply.kind for number in moved if (entry := self.history.entries.get(number)) for reply in entry.replies)
        return bool(moved) and (InferFact.kind in kept or any(row.body.get("kind") == InferFact.kind for row in rows))

    def refresh(self) -> None:
        """Read what others have written to this session meanwhile."""
        rows = self.archive.rows(self.info.id, self.history.seq)
        self.foreign_rows += len(rows)
        self._take(rows)

    def _take(self, rows: Iterable[LogRow]) -> None:
        for row in rows:
            self.history.add(row)
