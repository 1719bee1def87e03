"""The archive: one SQLite file with all sessions and printed facts. How its file is opened stands in ``database.py``.

Each write is one ``BEGIN IMMEDIATE`` transaction, synced to the disk before it is acknowledged. The log is only ever
added to.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from companion import __version__
from companion.core import limits
from companion.core.errors import BadData, SessionMoved, Unreadable
from companion.core.events import fast_new
from companion.core.history import LogRow
from companion.core.procedures import INFERRED, InferFact, ProgressCallback, ignore_progress
from companion.core.text import clean, pick_name
from companion.core.values import JsonDict, JsonObject
from companion.session import database
from companion.session.database import sqlite_error

T = TypeVar("T")

TOLD = "told"
"""The source of a printed fact that the owner has typed."""

_LESSON = (
    "substr(json_extract(l.body, '$.key'), 7), json_extract(l.body, '$.value') FROM log l JOIN force f"
    " ON f.session_id = l.session_id AND f.entry = l.entry WHERE l.kind = 'reply' AND instr(l.body, '\"kind\":\"learn\"') > 0"
)
"""Of the log, what was learnt: full key and value."""

_TERMINALS = 64
"""Of so many terminals it is remembered which question they were shown."""


class Session(NamedTuple):
    """One play of one game.

    Attributes:
        id: its number in the archive; 0 while it is not stored.
        name: unique, chosen by the player.
        game, scenario: ids.
        options: every option with its choice, the scenario under ``scenario``.
        seed: what seeded dice and draws come from.
        created: time in UTC.
        version: the Companion that began it.
        parent: the session that it was branched from, or 0.
        flags: ``quick`` for a single action without a session of one's own, else "".
    """

    id: int
    name: str
    game: str
    scenario: str
    options: Mapping[str, str]
    seed: str
    created: str
    version: str
    parent: int = 0
    flags: str = ""


def utc_now() -> str:
    """The time in UTC to the second. The only clock of the program."""
    from datetime import UTC, datetime

    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _json(texts: Sequence[str]) -> list[Any]:
    """Rows of the log, all at one go: that takes a quarter of the time of one by one."""
    try:
        return list(json.loads(f"[{','.join(texts)}]"))
    except ValueError as fault:
        raise BadData(f"the log of the session is damaged: {fault}", cure="Go back to a copy of the archive") from None


class _Unread(JsonObject):
    """The body of a row of the log; all bodies that were left unread are read when somebody looks into one of them."""

    def __init__(self, bodies: list[Any], at: int) -> None:
        self._bodies = bodies
        self._at = at

    def _body(self) -> JsonObject:
        if isinstance(self._bodies[0], str):
            self._bodies[:] = _json(self._bodies)
        body: JsonObject = self._bodies[self._at]
        return body

    def __getitem__(self, key: str) -> Any:
        return self._body()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._body())

    def __len__(self) -> int:
        return len(self._body())


class Archive:
    """An open archive. Every method raises BadData when the file fails, and then keeps nothing of what it was to do."""

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._file = database.file_identity(path)
        self._told = 0
        self._known: dict[str, tuple[tuple[int, int], dict[str, str]]] = {}
        self._wrote = False

    @classmethod
    def open(cls, path: str | None = None, watch: ProgressCallback = ignore_progress) -> "Archive":
        """Opens the archive, made or brought up to date where needed.

        Args:
            path: the file; None for ``COMPANION_DB``, or else the user's data folder.
            watch: is told how far it is, where an old archive is brought up to date.

        Raises:
            BadData: it is no archive, is from a newer Companion, or cannot be opened.
        """
        file = database.archive_path(path)
        return cls(file, database.connect(file, watch))

    @classmethod
    def open_existing(cls, path: str | None = None, watch: ProgressCallback = ignore_progress) -> "Archive":
        """The same, to look at what is there: nothing is made.

        Raises:
            Unreadable: there is no archive.
            BadData: it cannot be opened.
        """
        file = database.archive_path(path)
        if not database.archive_exists(file):
            named = path or database.path_from_environment()
            raise Unreadable(
                f"there is no archive {file}" if named else "there is no session yet", cure="Begin one: companion new GAME"
            )
        return cls(file, database.connect(file, watch))

    @classmethod
    def open_existing_or_empty(cls, path: str | None = None, watch: ProgressCallback = ignore_progress) -> "Archive":
        """The same; where there is none, an archive of nothing that is gone with the process."""
        file = database.archive_path(path)
        file = file if database.archive_exists(file) else database.IN_MEMORY
        return cls(file, database.connect(file, watch))

    def close(self) -> None:
        """Let go of the file. What was written goes from the -wal beside it into the file itself, also while others look on."""
        if self._wrote:
            database.checkpoint(self._db)
        self._db.close()

    def close_on_collection(self) -> "Archive":
        """The same, whose file is closed at the latest when nobody holds it any more: for programs that do not close it."""
        from weakref import finalize

        finalize(self, database.close_quietly, self._db)
        return self

    # -- for whoever keeps it open -----------------------------------------------------------------------------

    @property
    def is_live(self) -> bool:
        """Whether what others write can be seen: not in a folder without the right to write, where the file is taken as it is."""
        return database.may_write(self.path)

    def is_in_place(self) -> bool:
        """Whether the file that was opened still stands in its place."""
        return database.file_identity(self.path) == self._file

    def change_stamp(self) -> tuple[int, int]:
        """Two numbers that are others after every change in the file, whoever has made it."""
        return database.data_version(self.path, self._db), self._db.total_changes

    def has_moved(self, session_id: int, seq: int) -> bool:
        """Whether there are rows in a session's log behind that one."""
        return bool(self._read("SELECT 1 FROM log WHERE session_id = ? AND seq > ? LIMIT 1", (session_id, seq)))

    def fact_revision(self, game: str) -> int:
        """How often something was told or withdrawn of a game's printed facts: another number is another state of them."""
        return int(self._read("SELECT count(*) FROM printed WHERE game = ?", (game,))[0][0])

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- sessions ----------------------------------------------------------------------------------------------

    def sessions(self) -> list[Session]:
        """All sessions, oldest first."""
        return [_session(row) for row in self._read("SELECT * FROM sessions ORDER BY id")]

    def session(self, name: str = "") -> Session:
        """The session of that name, by unique prefix; without a name the last used.

        Raises:
            Unreadable: there is none, or several fit.
        """
        if not name:
            found = self.last()
            if found is None:
                raise Unreadable("there is no session yet", cure="Begin one: companion new GAME")
            return found
        names = [row[0] for row in self._read("SELECT name FROM sessions ORDER BY id")]
        chosen = pick_name(name, names, "session", cure="See: companion sessions")
        return _session(self._read("SELECT * FROM sessions WHERE name = ?", (chosen,))[0])

    def last(self) -> Session | None:
        """The session that was last used, or None."""
        rows = self._read(
            "SELECT s.* FROM sessions s JOIN state t ON t.key = 'last session' AND t.value = CAST(s.id AS TEXT)"
        ) or self._read("SELECT * FROM sessions WHERE flags NOT LIKE '%quick%' ORDER BY id DESC LIMIT 1")
        return _session(rows[0]) if rows else None

    def use(self, session: Session) -> None:
        """Make a session the last used."""
        self._write(lambda: self._use(session.id))

    def create(
        self, session: Session, rows: Sequence[LogRow] = (), facts: Mapping[str, str] | None = None, use: bool = True
    ) -> Session:
        """Store a new session with its first rows; returns it with its number. An empty name is filled in.

        Raises:
            Unreadable: the name is taken.
        """

        return self._write(lambda: self._create(session, rows, facts or {}, use))

    def _create(self, session: Session, rows: Sequence[LogRow], facts: Mapping[str, str], use: bool) -> Session:
        name = session.name or self._free_name("quick" if "quick" in session.flags else session.game)
        if self._db.execute("SELECT 1 FROM sessions WHERE name = ?", (name,)).fetchone():
            raise Unreadable(f"there is already a session '{name}'", cure="Choose another name; see: companion sessions")
        made = session._replace(name=name, created=utc_now(), version=__version__)
        number = self._db.execute(
            "INSERT INTO sessions (name, game, scenario, options, seed, created, version, parent, flags)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?)",
            (
                *(made.name, made.game, made.scenario, _dump(made.options), made.seed),
                *(made.created, made.version, made.parent, made.flags),
            ),
        ).lastrowid
        made = made._replace(id=int(number or 0))
        self._insert(made.id, rows)
        self._tell(made.game, facts, inferred_facts_in(rows))
        if use:
            self._use(made.id)
        return made

    def branch(self, session: Session, name: str = "") -> Session:
        """Copy a session at its head; the copy becomes the last used. An empty name is filled in.

        The copy has a seed of its own, see ``core.dice.branch_seed``: what is in the log keeps its dice and draws, and
        those to come are not those that the session itself will see.

        Raises:
            Unreadable: the name is taken.
        """

        from companion.core.dice import branch_seed

        def work() -> Session:
            called = name or self._free_name(session.game)
            copy = session._replace(id=0, name=called, parent=session.id, flags="", seed=branch_seed(session.seed, called))
            return self._create(copy, self.rows(session.id), {}, True)

        return self._write(work)

    def _free_name(self, stem: str) -> str:
        taken = {row[0] for row in self._db.execute("SELECT name FROM sessions")}
        number = 1
        while f"{stem}-{number}" in taken:
            number += 1
        return f"{stem}-{number}"

    def _use(self, number: int) -> None:
        self._db.execute("INSERT OR REPLACE INTO state (key, value) VALUES ('last session', ?)", (str(number),))

    # -- what a terminal was shown -----------------------------------------------------------------------------

    def shown(self, session_id: int, terminal: str) -> str:
        """The number of the question of a session that a terminal was last shown; "" for none."""
        number = self._shown().get(f"{session_id} {terminal}", "")
        return number if isinstance(number, str) else ""

    def _shown(self) -> JsonDict:
        found = self._read("SELECT value FROM state WHERE key = 'shown'")
        return dict(json.loads(found[0][0])) if found else {}

    def show(self, session_id: int, terminal: str, number: str) -> None:
        """Remember that a terminal was shown the question of that number; of all terminals only the last are remembered."""
        key = f"{session_id} {terminal}"

        def work() -> None:
            shown = self._shown()
            shown.pop(key, None)
            kept = dict([*shown.items(), (key, number)][-_TERMINALS:])
            self._db.execute("INSERT OR REPLACE INTO state (key, value) VALUES ('shown', ?)", (_dump(kept),))

        if self.shown(session_id, terminal) != number:
            self._write(work)

    # -- the log -----------------------------------------------------------------------------------------------

    def rows(self, session_id: int, after: int = 0, unread: Collection[str] = ()) -> list[LogRow]:
        """The rows of a session's log, those after a number.

        Args:
            session_id: the session.
            after: the number.
            unread: kinds of rows whose bodies are read only when somebody looks into them.

        Raises:
            BadData: a row does not hold what it should.
        """
        found = self._read(
            "SELECT seq, kind, entry, body, at FROM log WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (session_id, after, limits.ROWS + 1),
        )
        if len(found) > limits.ROWS:
            raise BadData(
                f"the log of the session has more than {limits.ROWS} rows", cure="No game has: go on with another session"
            )
        later: list[Any] = [row[3] for row in found if row[1] in unread]
        number = iter(range(len(found)))
        bodies = _json(["null" if row[1] in unread else row[3] for row in found])
        return [
            fast_new(LogRow, (seq, kind, entry, _Unread(later, next(number)) if body is None else body, at))
            for (seq, kind, entry, _, at), body in zip(found, bodies, strict=True)
        ]

    def is_at_rest(self, session_id: int) -> bool:
        """Whether the last thing in a session's log is that an entry was completed: then no question is open."""
        found = self._read(
            "SELECT kind FROM log WHERE session_id = ? AND kind NOT IN ('note', 'setting') ORDER BY seq DESC LIMIT 1",
            (session_id,),
        )
        return bool(found) and found[0][0] == "done"

    def append(
        self,
        session_id: int,
        expected_seq: int,
        rows: Sequence[LogRow],
        facts: Mapping[str, str] | None = None,
        unlearns: bool = True,
    ) -> None:
        """Add rows to a log, and printed facts with them; on the disk when this returns.

        Args:
            session_id: the session.
            expected_seq: the number of the last row that the caller knows.
            rows: numbered on from there.
            facts: printed facts that the same replies told, by full key.
            unlearns: whether something was learnt in the entries that leave or enter force.

        Raises:
            SessionMoved: somebody else has written since.
        """

        def work() -> None:
            head = self._db.execute("SELECT max(seq) FROM log WHERE session_id = ?", (session_id,)).fetchone()[0] or 0
            if head != expected_seq:
                raise SessionMoved(
                    "the session has moved on: it was played in another window meanwhile",
                    cure="Look where it stands: companion status",
                )
            self._insert(session_id, rows)
            changes = [row for row in rows if row.kind == "change"]
            if facts or changes:
                game = self._db.execute("SELECT game FROM sessions WHERE id = ?", (session_id,)).fetchone()[0]
                self._tell(game, facts or {}, inferred_facts_in(rows))
                for change in changes if unlearns else ():
                    self._follow(session_id, game, change.body["take"], change.body["give"])

        self._write(work)

    def _insert(self, session_id: int, rows: Iterable[LogRow]) -> None:
        self._db.executemany(
            "INSERT INTO log (session_id, seq, kind, entry, body, at) VALUES (?, ?, ?, ?, ?, ?)",
            [(session_id, row.seq, row.kind, row.entry, _dump(row.body), row.at) for row in rows],
        )

    # -- printed facts -----------------------------------------------------------------------------------------

    def printed(self, game: str) -> dict[str, str]:
        """The printed facts that the owner has told of a game, by full key."""
        state = (self._told, database.data_version(self.path, self._db))
        if self._known.get(game, (None,))[0] != state:
            rows = self._read("SELECT key, value, max(revision) FROM printed WHERE game = ? GROUP BY key ORDER BY key", (game,))
            self._known[game] = state, {key: value for key, value, _ in rows if value}
        return dict(self._known[game][1])

    def inferred_facts(self, game: str) -> set[str]:
        """The full keys of the printed facts that nobody told: play has shown them."""
        rows = self._read(
            "SELECT key, value, source, max(revision) FROM printed WHERE game = ? GROUP BY key ORDER BY key", (game,)
        )
        return {key for key, value, source, _ in rows if value and source == INFERRED}

    def record_facts(self, game: str, facts: Mapping[str, str]) -> None:
        """Remember printed facts; an empty value withdraws one. Earlier values stay in the file."""
        self._write(lambda: self._tell(game, facts, anew=True))

    def _tell(self, game: str, facts: Mapping[str, str], learnt: Collection[str] = (), anew: bool = False) -> None:
        """What was told has the last word over what is ``learnt``; ``anew``: what was learnt counts as told from now on, whatever
        its value.
        """
        for key, value in facts.items():
            source = INFERRED if key in learnt else TOLD
            number, was, by = self._newest(game, key)
            settled = source == INFERRED and by == TOLD and was
            if not settled and (was != value or (anew and by != source and value)):
                self._keep(game, key, number + 1, value, source)

    def _newest(self, game: str, key: str, source: str = "") -> tuple[int, str, str]:
        """Number, value and source of what was last kept of a fact, of one source or of any."""
        sql = "SELECT revision, value, source FROM printed WHERE game = ? AND key = ? AND ? IN (source, '') ORDER BY 1 DESC"
        return self._db.execute(sql, (game, key, source)).fetchone() or (0, "", TOLD)

    def _keep(self, game: str, key: str, number: int, value: str, source: str) -> None:
        self._told += 1
        self._db.execute(
            "INSERT INTO printed (game, key, revision, value, at, source) VALUES (?, ?, ?, ?, ?, ?)",
            (game, key, number, value, utc_now(), source),
        )

    def _follow(self, session_id: int, game: str, taken: Sequence[int], given: Sequence[int]) -> None:
        """What entries have learnt goes out of force with them, and comes in with them."""
        gone = dict(self._lessons(session_id, taken))
        left = self._lessons_left(session_id, game) if gone else {}
        for key in gone:
            number, was, by = self._newest(game, key)
            value, source = (left[key], INFERRED) if key in left else self._newest(game, key, TOLD)[1:]
            if by == INFERRED and value != was:
                self._keep(game, key, number + 1, value, source)
        lessons = dict(self._lessons(session_id, given))
        self._tell(game, lessons, lessons)

    def _lessons(self, session_id: int, entries: Sequence[int]) -> list[tuple[str, str]]:
        """The facts (full key, value) that some entries have learnt, in order."""
        return self._db.execute(
            f"SELECT {_LESSON} AND l.session_id = ? AND l.entry IN (SELECT value FROM json_each(?)) ORDER BY l.seq",
            (session_id, _dump(list(entries))),
        ).fetchall()

    def _lessons_left(self, session_id: int, game: str) -> dict[str, str]:
        """The facts (full key -> value) that what is in force has learnt, in this session or, such as a branch, in another."""
        found = self._db.execute(
            f"SELECT {_LESSON} AND f.in_force AND l.session_id IN (SELECT id FROM sessions WHERE game = ?)"
            " ORDER BY l.session_id = ?, l.session_id, l.seq",
            (game, session_id),
        )
        return dict(found.fetchall())

    # -- the file ----------------------------------------------------------------------------------------------

    def objects(self) -> dict[str, tuple[str, str]]:
        """Its tables, views and triggers: name -> kind and what made it."""
        return database.schema_objects(self._db)

    def wrong_summaries(self, watch: ProgressCallback = ignore_progress) -> list[str]:
        """The tables that are kept beside the log and do not say what it says; ``watch`` is told how far the look is."""
        try:
            return database.wrong_summaries(self._db, watch)
        except sqlite3.Error as fault:
            raise sqlite_error(self.path, fault) from None

    def salvage_from(self, source: sqlite3.Connection) -> list[str]:
        """Fills an archive that has just been made with what can be read of another one; returns what was left out, in words."""
        self._told += 1
        try:
            return database.salvage(source, self._db)
        except sqlite3.Error as fault:
            raise sqlite_error(self.path, fault) from None

    def _read(self, sql: str, values: tuple[Any, ...] = ()) -> list[Any]:
        try:
            return self._db.execute(sql, values).fetchall()
        except sqlite3.Error as fault:
            raise sqlite_error(self.path, fault) from None

    def _write(self, work: Callable[[], T]) -> T:
        try:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                database.check_in_place(self.path, self._file)
                result = work()
                self._db.execute("COMMIT")
                self._wrote = True
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        except sqlite3.Error as fault:
            raise sqlite_error(self.path, fault) from None
        return result


def inferred_facts_in(rows: Iterable[LogRow]) -> set[str]:
    """The full keys of what some rows of a log have learnt."""
    return {
        str(row.body["key"]).removeprefix(f"{InferFact.kind} ")
        for row in rows
        if row.kind == "reply" and row.body.get("kind") == InferFact.kind
    }


_dump = json.JSONEncoder(separators=(",", ":")).encode
"""The encoder is made once: that takes as long as encoding a row does."""


def _session(row: Sequence[Any]) -> Session:
    number, name, game, scenario, options, seed, created, version, parent, flags = row
    return Session(number, clean(name), game, scenario, json.loads(options), seed, created, version, parent or 0, flags)
