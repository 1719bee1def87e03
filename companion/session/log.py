"""The log of one session: the batch of rows to write, and the history that the written rows fold to."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.core.errors import SessionMoved
from companion.core.events import Event, encode
from companion.core.history import ADJUSTED, ROW_SCHEMAS, Change, Entry, History, LogRow, Reply
from companion.core.procedures import InferFact
from companion.core.values import JsonDict, JsonObject
from companion.session.store import Archive, Session, utc_now


class LogBatch:
    """Rows to append to the log, and the printed facts to record with them."""

    __slots__ = ("at", "facts", "rows", "seq")

    def __init__(self, seq: int, at: str) -> None:
        self.seq = seq
        self.at = at
        self.rows: list[LogRow] = []
        self.facts: Mapping[str, str] = {}

    def add(self, kind: str, entry: int, body: JsonObject) -> None:
        """Add one row.

        Raises:
            ValueError: The body does not have the fields of its kind.
        """
        shape = ROW_SCHEMAS[kind]
        if not (shape.required.keys() <= body.keys() and body.keys() <= {*shape.required, *shape.optional}):
            raise ValueError(f"a row of the kind '{kind}' does not hold {', '.join(body)}")
        self.rows.append(LogRow(self.seq + len(self.rows) + 1, kind, entry, body, self.at))

    def entry(self, number: int, action: str, args: JsonObject, anyway: bool = False) -> None:
        """Open an entry."""
        self.add("entry", number, {"action": action, "args": dict(args), **({"anyway": True} if anyway else {})})

    def copy(self, number: int, original: Entry, anyway: bool = False) -> None:
        """Open an entry that replaces another one; it stays out of force until a change brings it in."""
        self.correction(number, original.action, original.args, original.number, anyway)

    def correction(self, number: int, action: str, args: JsonObject, copy_of: int, anyway: bool = False) -> None:
        """Open a copy whose action or arguments differ from those of the original."""
        body: JsonDict = {"action": action, "args": dict(args), "copy_of": copy_of, "hidden": True}
        self.add("entry", number, {**body, "anyway": True} if anyway else body)

    def replies(self, number: int, replies: Iterable[Reply]) -> None:
        """Add replies; an adjustment made at a question is a row of its own kind, with its events."""
        for reply in replies:
            if reply.is_adjustment:
                events = [encode(event) for event in reply.events]
                self.add(ADJUSTED, number, {"action": reply.key, **reply.value, "events": events})
                continue
            body = {"key": reply.key, "kind": reply.kind, "value": reply.value, "source": reply.source, "rule": reply.rule}
            self.add("reply", number, {**body, "anyway": True} if reply.anyway else body)

    def complete(self, number: int, events: Sequence[Event], result: JsonObject | None = None) -> None:
        """Complete an entry; `result` says how the game ended with it, if it did."""
        body: JsonDict = {"events": [encode(event) for event in events]}
        self.add("done", number, {**body, "result": dict(result)} if result else body)

    def change(self, change: Change, rolled: bool) -> None:
        """Record which entries leave and enter force; `rolled`: a roll or draw is taken back."""
        body: JsonDict = {"take": list(change.take), "give": list(change.give), "how": change.how}
        self.add("change", max(change.take, default=0), {**body, "past_roll": True} if rolled else body)


class SessionLog:
    """The log of a session in the archive.

    Args:
        archive: The archive.
        info: The session as stored; with id 0 it is stored by the first commit.
        sets: The flags of its game that hold sets.
        last_used: Make a session that is stored the last used one.

    Attributes:
        history: The fold of the log.
        foreign_rows: The number of rows that other processes have written since it was opened.
    """

    def __init__(self, archive: Archive, info: Session, sets: Collection[str], last_used: bool = True) -> None:
        self.archive = archive
        self.info = info
        self.history = History(archive.rows(info.id, unread=("done",)) if info.id else (), sets)
        self.foreign_rows = 0
        self._staged: list[LogRow] = []
        self._last_used = last_used

    def facts(self) -> Mapping[str, str]:
        """Return the printed facts of the game, by full key."""
        return self.archive.printed(self.info.game)

    def new_batch(self) -> LogBatch:
        """Return an empty batch that continues the log."""
        return LogBatch(self.history.seq, utc_now())

    def stage(self, batch: LogBatch) -> None:
        """Add rows to a session that is not stored yet; its first commit writes them."""
        self._staged += batch.rows
        self._fold(batch.rows)

    def commit(self, batch: LogBatch) -> None:
        """Write a batch and fold it into the history; store a new session first.

        Raises:
            SessionMoved: Another process has written meanwhile. Its rows are read, and the batch is dropped.
        """
        try:
            if self.info.id:
                self.archive.append(
                    self.info.id, self.history.seq, batch.rows, batch.facts, self._changes_inferred_facts(batch.rows)
                )
            else:
                self.info = self.archive.create(self.info, [*self._staged, *batch.rows], batch.facts, self._last_used)
        except SessionMoved:
            self.refresh()
            raise
        self._fold(batch.rows)

    def _changes_inferred_facts(self, rows: Sequence[LogRow]) -> bool:
        """True if entries that inferred a fact leave or enter force; finding that out in the file would need a full scan."""
        moved = {number for row in rows if row.kind == "change" for number in (*row.body["take"], *row.body["give"])}
        kept = (reply.kind for number in moved if (entry := self.history.entries.get(number)) for reply in entry.replies)
        return bool(moved) and (InferFact.kind in kept or any(row.body.get("kind") == InferFact.kind for row in rows))

    def refresh(self) -> None:
        """Read the rows that other processes have written."""
        rows = self.archive.rows(self.info.id, self.history.seq)
        self.foreign_rows += len(rows)
        self._fold(rows)

    def _fold(self, rows: Iterable[LogRow]) -> None:
        for row in rows:
            self.history.add(row)
