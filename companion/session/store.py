"""The archive: one SQLite file with all sessions and printed facts.

Each write is one ``BEGIN IMMEDIATE`` transaction, synced to the disk before it is acknowledged. The log is append-only.
"""

import _sqlite3 as sqlite3  # the package imports datetime, which takes longer than opening the archive
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

from companion import __version__
from companion.core import limits
from companion.core.errors import BadData, SessionMoved, Unreadable
from companion.core.events import fast_new
from companion.core.hints import Any, Literal, TypeVar
from companion.core.history import LogRow
from companion.core.named_tuple import NamedTuple
from companion.core.procedures import INFERRED, InferFact, ProgressCallback, ignore_progress
from companion.core.text import clean, pick_name
from companion.core.values import JsonDict, JsonObject, compact_json, read_json
from companion.session import database
from companion.session.database import SQLValue, player_errors

T = TypeVar("T")

RecordedSource = Literal["told", "learnt"]
"""The source of a recorded fact: the player, or play."""
TOLD: Literal["told"] = "told"

_INFERRED_FACTS = (
    "substr(json_extract(l.body, '$.key'), 7), json_extract(l.body, '$.value') FROM log l JOIN force f"
    " ON f.session_id = l.session_id AND f.entry = l.entry WHERE l.kind = 'reply' AND instr(l.body, '\"kind\":\"learn\"') > 0"
)
"""Key and value of the facts inferred in a log."""

SELECT_SESSIONS = (
    "SELECT s.id, s.name, s.game, s.scenario, s.options, s.seed, s.created, s.version, s.parent, s.flags FROM sessions s"
)
_RESCUE = "Rescue what can be read: companion doctor --repair FILE"

_LONG_LOG = 2_000
"""Rows of a new session from which its summaries are filled at the end: below it, preparing that takes longer."""
_TERMINALS = 64
"""The number of terminals whose last question is remembered."""


class Session(NamedTuple):
    """One play of one game.

    Attributes:
        id: Its number in the archive; 0 if it is not stored.
        name: Unique, chosen by the player.
        options: Every option with its choice; the scenario under ``scenario``.
        seed: The seed of dice and draws.
        version: The version of Companion that began it.
        parent: The session that it was branched from, or 0.
        flags: ``quick`` for a single action outside a session, else "".
    """

    id: int
    name: str
    game: str
    scenario: str
    options: Mapping[str, str]
    seed: str
    created: str = ""
    version: str = ""
    parent: int = 0
    flags: str = ""


def utc_now() -> str:
    """Return the time in UTC to the second. The only clock of the program."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _parse_bodies(texts: Sequence[str]) -> list[Any]:
    """Parse the bodies of log rows."""
    try:  # all at once: four times as fast as one by one
        return list(read_json(f"[{','.join(texts)}]"))
    except (ValueError, RecursionError, TypeError) as fault:  # a body that is no text
        raise BadData(f"the log of the session is damaged: {clean(str(fault))}", cure=_RESCUE) from None


class _LazyBody(JsonObject):
    """The body of a log row, parsed with all other deferred bodies when one of them is first read."""

    __slots__ = ("_bodies", "_index")

    def __init__(self, bodies: list[Any], index: int) -> None:
        self._bodies = bodies
        self._index = index

    def _body(self) -> JsonObject:
        if isinstance(self._bodies[0], str):
            self._bodies[:] = _parse_bodies(self._bodies)
        body: JsonObject = self._bodies[self._index]
        return body

    def __getitem__(self, key: str) -> Any:
        return self._body()[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._body())

    def __len__(self) -> int:
        return len(self._body())


class Archive:
    """An open archive. Every method raises BadData if the file fails, and then changes nothing."""

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._deadline = database.Deadline(connection)
        self._file = database.file_identity(path)
        self._fact_writes = 0
        self._fact_cache: dict[str, tuple[tuple[int, int], dict[str, str]]] = {}
        self._has_written = False

    @classmethod
    def open(cls, path: str | None = None, watch: ProgressCallback = ignore_progress) -> "Archive":
        """Open the archive, by default the one of ``COMPANION_DB`` or of the user's data folder; create or upgrade it if needed.

        Raises:
            BadData: It is no archive, is from a newer version, or cannot be opened.
        """
        file = database.archive_path(path)
        return cls(file, database.connect(file, watch))

    @classmethod
    def open_existing(cls, path: str | None = None, watch: ProgressCallback = ignore_progress) -> "Archive":
        """Open an archive without creating one.

        Raises:
            Unreadable: There is no archive.
            BadData: It cannot be opened.
        """
        file = database.archive_path(path)
        if not database.archive_exists(file):
            named = path or database.path_from_environment()
            what = f"there is no archive {file}" if named else "there is no session yet"
            raise Unreadable(what, cure="Begin one: companion new GAME")
        return cls(file, database.connect(file, watch))

    @classmethod
    def open_existing_or_empty(cls, path: str | None = None, watch: ProgressCallback = ignore_progress) -> "Archive":
        """Open an archive without creating one; if there is none, an empty one in memory."""
        file = database.archive_path(path)
        file = file if database.archive_exists(file) else database.IN_MEMORY
        return cls(file, database.connect(file, watch))

    def close(self) -> None:
        """Close the file, after moving the content of the -wal file into it."""
        if self._has_written:
            database.checkpoint(self._db)
        self._db.close()

    def close_on_collection(self) -> "Archive":
        """Close the file at the latest when this object is garbage collected; for programs that do not close it."""
        from weakref import finalize

        finalize(self, database.close_quietly, self._db)
        return self

    # -- changes by other processes ----------------------------------------------------------------------------

    @property
    def is_live(self) -> bool:
        """True if writes of other processes can be seen; not for a file in a read-only folder."""
        return database.may_write(self.path)

    def is_in_place(self) -> bool:
        """True if the open file is still the one at its path."""
        return database.file_identity(self.path) == self._file

    def require_in_place(self) -> None:
        """Raise BadData if the open file is no longer the one at its path."""
        database.check_in_place(self.path, self._file)

    def change_stamp(self) -> tuple[int, int]:
        """Return two numbers that change with every commit, of this connection or another."""
        return database.data_version(self.path, self._db), self._db.total_changes

    def has_moved(self, session_id: int, seq: int) -> bool:
        """True if a session's log has rows after that one."""
        return bool(self._read("SELECT 1 FROM log WHERE session_id = ? AND seq > ? LIMIT 1", (session_id, seq)))

    def fact_revision(self, game: str) -> int:
        """Return how many times printed facts of a game were recorded or withdrawn."""
        return int(self._read("SELECT count(*) FROM printed WHERE game = ?", (game,))[0][0])

    def __enter__(self) -> "Archive":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -- sessions ----------------------------------------------------------------------------------------------

    def sessions(self) -> list[Session]:
        """Return all sessions, oldest first, without those whose row is damaged."""
        return [item for row in self._session_rows() if isinstance(item := read_session(row), Session)]

    def damaged_sessions(self) -> list[str]:
        """Return what is wrong with each session whose row is damaged."""
        return [item for row in self._session_rows() if isinstance(item := read_session(row), str)]

    def _session_rows(self) -> list[Any]:
        return self._read(f"{SELECT_SESSIONS} ORDER BY s.id")

    def session(self, name: str = "") -> Session:
        """Return a session by unique prefix of its name; the last used one by default.

        Raises:
            Unreadable: None or several match.
            BadData: Its row is damaged.
        """
        if not name:
            last = self.last()
            if last is None:
                raise Unreadable("there is no session yet", cure="Begin one: companion new GAME")
            return last
        names = [row[0] for row in self._read("SELECT name FROM sessions WHERE typeof(name) = 'text' ORDER BY id")]
        chosen = pick_name(name, names, "session", cure="See: companion sessions")
        return _session(self._read(f"{SELECT_SESSIONS} WHERE name = ?", (chosen,))[0])

    def last(self) -> Session | None:
        """Return the last used session, or None. Raises BadData: its row is damaged."""
        row = self._last_row()
        return _session(row) if row else None

    def last_id(self) -> int:
        """Return the number of the last used session, or 0."""
        row = self._last_row()
        return row[0] if row else 0

    def _last_row(self) -> Sequence[Any]:
        rows = self._read(
            f"{SELECT_SESSIONS} JOIN state t ON t.key = 'last session' AND t.value = CAST(s.id AS TEXT)"
        ) or self._read(f"{SELECT_SESSIONS} WHERE flags NOT LIKE '%quick%' ORDER BY id DESC LIMIT 1")
        return rows[0] if rows else ()

    def last_played(self) -> str:
        """Return when a session was last played or chosen, as UTC; "" for never."""
        rows = self._read("SELECT max(last_at) FROM sums") + self._read("SELECT value FROM state WHERE key = 'used at'")
        return max((str(row[0]) for row in rows if row[0]), default="")

    def times_played(self) -> dict[int, str]:
        """Return when each session was last played, as UTC, by its number."""
        return {row[0]: str(row[1]) for row in self._read("SELECT session_id, last_at FROM sums")}

    def use(self, session: Session) -> None:
        """Make a session the last used one."""
        self._write(lambda: self._use(session.id))

    def create(
        self,
        session: Session,
        rows: Sequence[LogRow] = (),
        facts: Mapping[str, str] | None = None,
        use: bool = True,
        secrets: Mapping[str, str] | None = None,
        own_seat: tuple[str, str] | None = None,
    ) -> Session:
        """Store a new session with its first rows; return it with its number and, if it had none, a name.

        `own_seat`: its uid, and the seat that is played with this archive.

        Raises:
            Unreadable: The name is taken.
        """

        def work() -> Session:
            self._keep_secrets(secrets or {})
            if own_seat:
                row = (f"seat {own_seat[0]}", own_seat[1])
                self._db.execute("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", row)
            return self._create(session, rows, facts or {}, use)

        return self._write(work)

    def _create(self, session: Session, rows: Sequence[LogRow], facts: Mapping[str, str], use: bool) -> Session:
        name = session.name or self.free_name("quick" if "quick" in session.flags else session.game)
        if self._db.execute("SELECT 1 FROM sessions WHERE name = ?", (name,)).fetchone():
            raise Unreadable(f"there is already a session '{name}'", cure="Choose another name; see: companion sessions")
        stored = session._replace(name=name, created=utc_now(), version=__version__)
        number = self._db.execute(
            "INSERT INTO sessions (name, game, scenario, options, seed, created, version, parent, flags)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, nullif(?, 0), ?)",
            (*stored[1:4], compact_json(stored.options), *stored[5:]),
        ).lastrowid
        stored = stored._replace(id=int(number or 0))
        if len(rows) < _LONG_LOG:
            self._insert(stored.id, rows)
        else:
            from companion.session.schema import filled_at_end

            with filled_at_end(self._db, stored.id):
                self._insert(stored.id, rows)
        self._record(stored.game, facts, inferred_facts_in(rows))
        if use:
            self._use(stored.id)
        return stored

    def branch(self, session: Session, name: str = "", settings: JsonObject | None = None) -> Session:
        """Copy a session at its head; the copy becomes the last used one.

        The copy keeps the dice and draws of the log; later ones follow from a new seed, see ``core.dice.branch_seed``.
        ``settings`` are changed in the copy.

        Raises:
            Unreadable: The name is taken.
        """
        from companion.core.dice import branch_seed

        def work() -> Session:
            copy_name = name or self.free_name(session.game)
            seed = branch_seed(session.seed, copy_name)
            copy = session._replace(id=0, name=copy_name, parent=session.id, flags="", seed=seed)
            stored = self._create(copy, (), {}, True)
            self._copy_log(session.id, stored.id)
            columns = "kind, entry, level, key, data"
            sql = f"INSERT INTO analysis (session_id, {columns}) SELECT ?, {columns} FROM analysis WHERE session_id = ?"
            self._db.execute(sql, (stored.id, session.id))
            if settings:
                head = self._db.execute("SELECT max(seq) FROM log WHERE session_id = ?", (stored.id,)).fetchone()[0]
                self._insert(stored.id, [LogRow(head + 1, "setting", 0, settings, utc_now())])
            return stored

        return self._write(work)

    def _copy_log(self, source: int, target: int) -> None:
        """Copy all rows of a session's log as they are stored."""

        def copy() -> None:
            columns = "seq, kind, entry, body, at"
            sql = f"INSERT INTO log (session_id, {columns}) SELECT ?, {columns} FROM log WHERE session_id = ? ORDER BY seq"
            self._db.execute(sql, (target, source))

        if self._db.execute("SELECT count(*) FROM log WHERE session_id = ?", (source,)).fetchone()[0] < _LONG_LOG:
            copy()
        else:
            from companion.session.schema import filled_at_end

            with filled_at_end(self._db, target, source):
                copy()

    def free_name(self, stem: str) -> str:
        """Return ``stem-1``, or the first further number that no session has."""
        taken = {row[0] for row in self._read("SELECT name FROM sessions")}
        number = 1
        while f"{stem}-{number}" in taken:
            number += 1
        return f"{stem}-{number}"

    def _use(self, number: int) -> None:
        rows = (("last session", str(number)), ("used at", utc_now()))
        self._db.executemany("INSERT OR REPLACE INTO state (key, value) VALUES (?, ?)", rows)

    # -- what a terminal was shown -----------------------------------------------------------------------------

    def shown(self, session_id: int, terminal: str) -> str:
        """Return the number of the question that a terminal was last shown, or ""."""
        number = self._shown().get(f"{session_id} {terminal}", "")
        return number if isinstance(number, str) else ""

    def _shown(self) -> JsonDict:
        rows = self._read("SELECT value FROM state WHERE key = 'shown'")
        try:
            shown = read_json(rows[0][0]) if rows else {}
        except (ValueError, TypeError, RecursionError):
            shown = {}  # damaged: each terminal shows its question once more
        return dict(shown) if isinstance(shown, dict) else {}

    def show(self, session_id: int, terminal: str, number: str) -> None:
        """Remember which question a terminal was shown."""
        key = f"{session_id} {terminal}"

        def work() -> None:
            shown = self._shown()
            shown.pop(key, None)
            kept = dict([*shown.items(), (key, number)][-_TERMINALS:])
            self._db.execute("INSERT OR REPLACE INTO state (key, value) VALUES ('shown', ?)", (compact_json(kept),))

        if self.shown(session_id, terminal) != number:
            self._write(work)

    # -- requests to the hosts of a session --------------------------------------------------------------------

    def host_request(self, session_id: int) -> JsonDict:
        """Return what the hosts of a session are asked at present; empty for nothing."""
        rows = self._read("SELECT value FROM state WHERE key = ?", (f"host {session_id}",))
        try:
            request = read_json(rows[0][0]) if rows else {}
        except (ValueError, TypeError, RecursionError):
            request = {}
        return dict(request) if isinstance(request, dict) else {}

    def ask_hosts(self, session_id: int, request: JsonObject) -> None:
        """Ask the hosts of a session for something; nothing takes a request back."""
        key = f"host {session_id}"

        def work() -> None:
            self._db.execute("DELETE FROM state WHERE key = ?", (key,))
            if request:
                self._db.execute("INSERT INTO state (key, value) VALUES (?, ?)", (key, compact_json(request)))

        self._write(work)

    def answer_as_host(self, session_id: int, number: str) -> None:
        """Count a host that has done what is asked."""

        def work() -> None:
            request = self.host_request(session_id)
            if request.get("number") == number:
                answered = {**request, "hosts": int(request.get("hosts", 0)) + 1}
                self._db.execute("UPDATE state SET value = ? WHERE key = ?", (compact_json(answered), f"host {session_id}"))

        self._write(work)

    # -- the log -----------------------------------------------------------------------------------------------

    def rows(self, session_id: int, after: int = 0, unread: Collection[str] = ()) -> list[LogRow]:
        """Return the rows of a session's log after that number; bodies of the kinds in `unread` are parsed when first read.

        Raises:
            BadData: A row is damaged.
        """
        stored = self._read(
            "SELECT seq, kind, entry, body, at FROM log WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT ?",
            (session_id, after, limits.ROWS + 1),
        )
        if len(stored) > limits.ROWS:
            what = f"the log of the session has more than {limits.ROWS} rows"
            raise BadData(what, cure="No game has: go on with another session")
        deferred: list[Any] = [row[3] for row in stored if row[1] in unread]
        index = iter(range(len(stored)))
        bodies = _parse_bodies(["null" if row[1] in unread else row[3] for row in stored])
        return [
            fast_new(LogRow, (seq, kind, entry, _LazyBody(deferred, next(index)) if body is None else body, at))
            for (seq, kind, entry, _, at), body in zip(stored, bodies, strict=True)
        ]

    def first_row(self, session_id: int) -> LogRow | None:
        """Return the first row of a session's log, or None. Raises BadData: it is damaged."""
        stored = self._read("SELECT seq, kind, entry, body, at FROM log WHERE session_id = ? AND seq = 1", (session_id,))
        return next((LogRow(seq, kind, entry, _parse_bodies([body])[0], at) for seq, kind, entry, body, at in stored), None)

    def is_at_rest(self, session_id: int) -> bool:
        """True if a session's log ends with a completed entry, so that no question is open."""
        rows = self._read(
            "SELECT kind FROM log WHERE session_id = ? AND kind NOT IN ('note', 'setting') ORDER BY seq DESC LIMIT 1",
            (session_id,),
        )
        return bool(rows) and rows[0][0] == "done"

    def append(
        self,
        session_id: int,
        expected_seq: int,
        rows: Sequence[LogRow],
        facts: Mapping[str, str] | None = None,
        facts_change: bool = True,
        secrets: Mapping[str, str] | None = None,
        use: bool = False,
    ) -> None:
        """Append rows to a log, and record printed facts with them; synced when this returns.

        Args:
            expected_seq: The number of the last row that the caller has read.
            rows: The rows, numbered from there.
            facts: Printed facts that the replies gave, by full key.
            facts_change: Entries that inferred facts may leave or enter force.
            secrets: Nonces to keep beside the log, by session and question; "" removes one.
            use: Make the session the last used one.

        Raises:
            SessionMoved: Another process has written since.
        """

        def work() -> None:
            head = self._db.execute("SELECT max(seq) FROM log WHERE session_id = ?", (session_id,)).fetchone()[0] or 0
            if head != expected_seq:
                what = "the session has moved on: it was played in another window meanwhile"
                raise SessionMoved(what, cure="See its current state: companion status")
            self._insert(session_id, rows)
            self._keep_secrets(secrets or {})
            changes = [row for row in rows if row.kind == "change"]
            if facts or changes:
                game = self._db.execute("SELECT game FROM sessions WHERE id = ?", (session_id,)).fetchone()[0]
                self._record(game, facts or {}, inferred_facts_in(rows))
                for change in changes if facts_change else ():
                    self._update_inferred(session_id, game, change.body["take"], change.body["give"])
            if use:
                self._use(session_id)

        self._write(work)

    def secret(self, key: str) -> str:
        """Return a nonce that is not revealed yet; "" if this archive has none of that key."""
        rows = self._read("SELECT value FROM state WHERE key = ?", (f"nonce {key}",))
        return str(rows[0][0]) if rows else ""

    def own_seat(self, uid: str) -> str:
        """Return the seat of a session with trusted dice that is played with this archive; "" for the one of its log."""
        rows = self._read("SELECT value FROM state WHERE key = ?", (f"seat {uid}",))
        return str(rows[0][0]) if rows else ""

    def _keep_secrets(self, secrets: Mapping[str, str]) -> None:
        for key, value in secrets.items():
            if value:
                self._db.execute("INSERT INTO state (key, value) VALUES (?, ?)", (f"nonce {key}", value))
            else:
                self._db.execute("DELETE FROM state WHERE key = ?", (f"nonce {key}",))

    def _insert(self, session_id: int, rows: Iterable[LogRow]) -> None:
        self._db.executemany(
            "INSERT INTO log (session_id, seq, kind, entry, body, at) VALUES (?, ?, ?, ?, ?, ?)",
            # not a list: Ctrl-C is noticed between two rows
            ((session_id, row.seq, row.kind, row.entry, compact_json(row.body), row.at) for row in rows),
        )

    # -- what was computed about the entries -------------------------------------------------------------------

    def analysis(self, session_id: int, kind: str, level: str, entry: int, key: str) -> bytes:
        """Return the JSON of what was computed about an entry and kept under that key; empty if there is none."""
        sql = "SELECT CAST(data AS BLOB) FROM analysis WHERE session_id = ? AND kind = ? AND entry = ? AND level = ? AND key = ?"
        rows = self._read(sql, (session_id, kind, entry, level, key))
        return bytes(rows[0][0] or b"") if rows else b""

    def analysis_levels(self, session_id: int, kind: str) -> set[str]:
        """Return the levels of which something is kept about a session."""
        sql = "SELECT DISTINCT level FROM analysis WHERE session_id = ? AND kind = ?"
        return {str(level) for (level,) in self._read(sql, (session_id, kind))}

    def keep_analysis(self, session_id: int, kind: str, level: str, rows: Iterable[tuple[int, str, str]]) -> None:
        """Keep what was computed about some entries, each with its key and JSON, in place of what was kept of that level."""
        sql = "INSERT OR REPLACE INTO analysis (session_id, kind, level, entry, key, data) VALUES (?, ?, ?, ?, ?, ?)"
        self._write(lambda: self._db.executemany(sql, [(session_id, kind, level, *row) for row in rows]))

    # -- printed facts -----------------------------------------------------------------------------------------

    def printed(self, game: str) -> dict[str, str]:
        """Return the printed facts of a game, by full key."""
        state = (self._fact_writes, database.data_version(self.path, self._db))
        if self._fact_cache.get(game, (None,))[0] != state:
            rows = self._read("SELECT key, value, max(revision) FROM printed WHERE game = ? GROUP BY key ORDER BY key", (game,))
            facts = {key: value for key, value, _ in rows if value and isinstance(value, str) and isinstance(key, str)}
            self._fact_cache[game] = state, facts
        return dict(self._fact_cache[game][1])

    def inferred_facts(self, game: str) -> set[str]:
        """Return the full keys of the facts that were inferred from play."""
        rows = self._read(
            "SELECT key, value, source, max(revision) FROM printed WHERE game = ? GROUP BY key ORDER BY key", (game,)
        )
        return {key for key, value, source, _ in rows if value and source == INFERRED}

    def damaged_facts(self) -> list[str]:
        """Return the keys of the printed facts of all games whose row is damaged."""
        rows = self._read("SELECT game, key, revision, value, at, source FROM printed")
        return [clean(str(row[1])) for row in rows if not is_fact_row(row)]

    def record_facts(self, game: str, facts: Mapping[str, str]) -> None:
        """Record printed facts; an empty value withdraws one. Earlier values stay in the file."""
        self._write(lambda: self._record(game, facts, confirm=True))

    def _record(self, game: str, facts: Mapping[str, str], inferred: Collection[str] = (), confirm: bool = False) -> None:
        """Record facts; inferred ones never replace entered ones. `confirm`: inferred values count as entered from now on."""
        for key, value in facts.items():
            source = INFERRED if key in inferred else TOLD
            revision, old_value, old_source = self._latest(game, key)
            is_entered = source == INFERRED and old_source == TOLD and old_value
            if not is_entered and (old_value != value or (confirm and old_source != source and value)):
                self._insert_fact(game, key, revision + 1, value, source)

    def _latest(self, game: str, key: str, source: RecordedSource | Literal[""] = "") -> tuple[int, str, RecordedSource]:
        """Return revision, value and source of the latest record of a fact, of one source or any."""
        sql = "SELECT revision, value, source FROM printed WHERE game = ? AND key = ? AND ? IN (source, '') ORDER BY 1 DESC"
        return self._db.execute(sql, (game, key, source)).fetchone() or (0, "", TOLD)

    def _insert_fact(self, game: str, key: str, revision: int, value: str, source: RecordedSource) -> None:
        if revision >= MAX_REVISION:
            raise BadData(f"the printed fact '{clean(key)}' is damaged: it has been told {revision} times", cure=_RESCUE)
        self._fact_writes += 1
        self._db.execute(
            "INSERT INTO printed (game, key, revision, value, at, source) VALUES (?, ?, ?, ?, ?, ?)",
            (game, key, revision, value, utc_now(), source),
        )

    def _update_inferred(self, session_id: int, game: str, taken: Sequence[int], given: Sequence[int]) -> None:
        """Withdraw and restore the facts inferred by entries that leave and enter force."""
        withdrawn = dict(self._inferred_by(session_id, taken))
        in_force = self._inferred_in_force(session_id, game) if withdrawn else {}
        for key in withdrawn:
            revision, old_value, old_source = self._latest(game, key)
            value, source = (in_force[key], INFERRED) if key in in_force else self._latest(game, key, TOLD)[1:]
            if old_source == INFERRED and value != old_value:
                self._insert_fact(game, key, revision + 1, value, source)
        restored = dict(self._inferred_by(session_id, given))
        self._record(game, restored, restored)

    def _inferred_by(self, session_id: int, entries: Sequence[int]) -> list[tuple[str, str]]:
        """Return the facts inferred by some entries, in order."""
        return self._db.execute(
            f"SELECT {_INFERRED_FACTS} AND l.session_id = ? AND l.entry IN (SELECT value FROM json_each(?)) ORDER BY l.seq",
            (session_id, compact_json(list(entries))),
        ).fetchall()

    def _inferred_in_force(self, session_id: int, game: str) -> dict[str, str]:
        """Return the facts inferred by entries in force, in this session or another of the game."""
        rows = self._db.execute(
            f"SELECT {_INFERRED_FACTS} AND f.in_force AND l.session_id IN (SELECT id FROM sessions WHERE game = ?)"
            " ORDER BY l.session_id = ?, l.session_id, l.seq",
            (game, session_id),
        )
        return dict(rows.fetchall())

    # -- the file ----------------------------------------------------------------------------------------------

    def objects(self) -> dict[str, tuple[str, str]]:
        """Return the tables, views and triggers: name -> type and SQL."""
        rows = self._read("SELECT name, type, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' AND type <> 'index'")
        return {name: (kind, sql) for name, kind, sql in rows if not name.startswith("_sqlite_")}

    def wrong_summaries(self, watch: ProgressCallback = ignore_progress) -> list[str]:
        """Return the summary tables that differ from the log; `watch` is called with the progress."""
        from companion.session import schema

        with player_errors(self.path):
            return schema.wrong_summaries(self._db, watch)

    def fill(self, source: sqlite3.Connection, copy: Callable[[sqlite3.Connection, sqlite3.Connection], T]) -> T:
        """Fill a new archive from another by a function of both connections; return its result."""
        self._fact_writes += 1
        with player_errors(self.path):
            return copy(source, self._db)

    def _read(self, sql: str, values: tuple[SQLValue, ...] = ()) -> list[Any]:
        with player_errors(self.path), self._deadline:
            return self._db.execute(sql, values).fetchall()

    def _write(self, work: Callable[[], T]) -> T:
        with player_errors(self.path), self._deadline:
            self._db.execute("BEGIN IMMEDIATE")
            try:
                database.check_in_place(self.path, self._file)
                result = work()
                self._db.execute("COMMIT")
                self._has_written = True
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        return result


def inferred_facts_in(rows: Iterable[LogRow]) -> set[str]:
    """Return the full keys of the facts inferred in some rows."""
    return {
        str(row.body["key"]).removeprefix(f"{InferFact.kind} ")
        for row in rows
        if row.kind == "reply" and row.body.get("kind") == InferFact.kind
    }


def _session(row: Sequence[Any]) -> Session:
    """Return the session of a row; raise BadData if it is damaged."""
    session = read_session(row)
    if isinstance(session, str):
        raise BadData(session, cure=_RESCUE)
    return session


def read_session(row: Sequence[Any]) -> Session | str:
    """Return the session of a row, or what is wrong with it."""
    number, name, game, scenario, options, seed, created, version, parent, flags = row
    texts = (name, game, scenario, options, seed, created, version, flags)
    try:
        is_sound = all(isinstance(text, str) for text in texts) and isinstance(parent, int | None)
        choices = read_json(options) if is_sound else None
    except (ValueError, RecursionError):
        choices = None
    if not isinstance(choices, dict) or not all(isinstance(choice, str) for choice in choices.values()):
        return f"the session '{clean(str(name))[: limits.NAME]}' is damaged: its options or its name cannot be read"
    return Session(number, clean(name), game, scenario, choices, seed, created, version, parent or 0, flags)


MAX_REVISION = 10**9
"""A printed fact that was told more often is damaged."""


def is_fact_row(row: Sequence[Any]) -> bool:
    """True if game, key, revision, value, time and source of a printed fact, as stored, are sound."""
    game, key, revision, value, at, source = row
    is_text = all(isinstance(text, str) for text in (game, key, value, at))
    return is_text and isinstance(revision, int) and 0 < revision < MAX_REVISION and source in (TOLD, INFERRED)
