"""The tables, triggers and views of the archive, and the migrations that bring an older file up to date.

Imported only to migrate or check a file. Migrations change tables; the views are dropped before and created after them.
Released migrations never change: append a new one and raise `database.SCHEMA`.
"""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

from companion.core.history import ROW_SCHEMAS
from companion.core.procedures import Progress, ProgressCallback, ignore_progress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlite_utils import Migrations
    from sqlite_utils.db import Database

SESSIONS_PER_RANGE = 25
"""Sessions whose logs are summarised by one statement; few enough for a progress bar to advance."""

_BASE_TABLES = """
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    game TEXT NOT NULL,
    scenario TEXT NOT NULL,
    options TEXT NOT NULL,
    seed TEXT NOT NULL,
    created TEXT NOT NULL,
    version TEXT NOT NULL,
    parent INTEGER REFERENCES sessions (id),
    flags TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE TABLE log (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    seq INTEGER NOT NULL,
    kind TEXT NOT NULL,
    entry INTEGER NOT NULL,
    body TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (session_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE printed (
    game TEXT NOT NULL,
    key TEXT NOT NULL,
    revision INTEGER NOT NULL,
    value TEXT NOT NULL,
    at TEXT NOT NULL,
    PRIMARY KEY (game, key, revision)
) STRICT, WITHOUT ROWID;
CREATE TABLE state (
    key TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT, WITHOUT ROWID;
"""

_GUARDS = [
    f"""CREATE TRIGGER {table}_no_{what.lower()} BEFORE {what} ON {table}
    BEGIN SELECT RAISE(ABORT, 'the {table} is only ever added to'); END"""
    for table in ("log", "printed")
    for what in ("UPDATE", "DELETE")
]

# -- summaries of the log ----------------------------------------------------------------------------------------------
# Kept up to date by triggers, so that no view has to scan the whole log. They can be rebuilt from it by SUMMARY_QUERIES.

_PLAYER = "('typed', 'scripted', 'suggested')"
"""Sources of the player's own replies."""

_KINDS = f"({', '.join(map(repr, ROW_SCHEMAS))})"
_MOMENT = "CAST(strftime('%s', {}) AS INTEGER)"
_PAUSE = 3600
"""Seconds without a log row that count as a break."""

_SUMMARY_TABLES = """
CREATE TABLE force (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    entry INTEGER NOT NULL,
    first INTEGER NOT NULL,
    last INTEGER NOT NULL,
    done INTEGER,
    in_force INTEGER NOT NULL,
    answers INTEGER NOT NULL,
    rolls INTEGER NOT NULL,
    PRIMARY KEY (session_id, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE sums (
    session_id INTEGER PRIMARY KEY REFERENCES sessions (id),
    rows INTEGER NOT NULL,
    others INTEGER NOT NULL,
    notes INTEGER NOT NULL,
    first_at TEXT NOT NULL,
    last_at TEXT NOT NULL,
    at_table INTEGER NOT NULL,
    think ANY
) STRICT;
CREATE TABLE names (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (session_id, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE tracked (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    track TEXT NOT NULL,
    entry INTEGER NOT NULL,
    value ANY,
    PRIMARY KEY (session_id, track, entry)
) STRICT, WITHOUT ROWID;
CREATE TABLE faces (
    session_id INTEGER NOT NULL REFERENCES sessions (id),
    who TEXT NOT NULL,
    face INTEGER NOT NULL,
    entry INTEGER NOT NULL,
    dice INTEGER NOT NULL,
    PRIMARY KEY (session_id, who, face, entry)
) STRICT, WITHOUT ROWID;
CREATE INDEX log_learnt ON log (session_id, seq) WHERE kind = 'reply' AND instr(body, '"kind":"learn"') > 0;
"""

_OPENED = "NOT coalesce({sound} json_extract({row}body, '$.hidden') END, 0)"
_ANSWERED = f"coalesce({{sound}} json_extract({{row}}body, '$.source') IN {_PLAYER} END, 0)"
_ROLLED = 'instr({row}body, \'"kind":"roll"\') > 0'


def _over(text: str, row: str) -> str:
    """Format an expression over the body of a row, which may be damaged."""
    return text.format(row=row, sound=f"CASE WHEN json_valid({row}body) THEN")


_EVENTS = "json_each(CASE WHEN json_valid({row}body) THEN {row}body ELSE '{{}}' END, '$.events') v"
_WHO = "CASE WHEN json_extract({row}body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END"
_DICE = "json_each(CASE WHEN json_valid({row}body) THEN {row}body ELSE '{{}}' END, '$.value') v"
_MADE = (
    "json_extract(v.value, '$.kind') = 'made' AND json_type(v.value, '$.id') = 'text' AND json_type(v.value, '$.name') = 'text'"
)
_MOVED = "json_extract(v.value, '$.kind') = 'track' AND json_type(v.value, '$.track') = 'text'"

_TRIGGERS = (
    f"""CREATE TRIGGER log_sums AFTER INSERT ON log BEGIN
    INSERT INTO sums VALUES (NEW.session_id, 1, NEW.kind NOT IN {_KINDS}, NEW.kind = 'note', NEW.at, NEW.at, 0, NULL)
    ON CONFLICT (session_id) DO UPDATE SET rows = rows + 1, others = others + (NEW.kind NOT IN {_KINDS}),
        notes = notes + (NEW.kind = 'note'),
        first_at = min(first_at, NEW.at), last_at = max(last_at, NEW.at), at_table = at_table + coalesce((
            SELECT CASE WHEN seconds < {_PAUSE} THEN seconds ELSE 0 END FROM (
                SELECT {_MOMENT.format("NEW.at")} - {_MOMENT.format("b.at")} AS seconds FROM log b
                WHERE b.session_id = NEW.session_id AND b.seq < NEW.seq ORDER BY b.seq DESC LIMIT 1)), 0);
    END""",
    f"""CREATE TRIGGER log_opened AFTER INSERT ON log WHEN NEW.kind = 'entry' BEGIN
    INSERT OR IGNORE INTO force
    VALUES (NEW.session_id, NEW.entry, NEW.seq, NEW.seq, NULL, {_over(_OPENED, "NEW.")}, 0, 0);
    END""",
    f"""CREATE TRIGGER log_answered AFTER INSERT ON log WHEN NEW.kind IN ('reply', 'adjusted') BEGIN
    UPDATE force SET last = NEW.seq, answers = answers + (NEW.kind = 'reply' AND {_over(_ANSWERED, "NEW.")}),
        rolls = rolls + (NEW.kind = 'reply' AND {_over(_ROLLED, "NEW.")})
    WHERE session_id = NEW.session_id AND entry = NEW.entry;
    END""",
    f"""CREATE TRIGGER log_done AFTER INSERT ON log WHEN NEW.kind = 'done' BEGIN
    UPDATE force SET last = NEW.seq, done = NEW.seq WHERE session_id = NEW.session_id AND entry = NEW.entry;
    INSERT OR REPLACE INTO names
    SELECT NEW.session_id, json_extract(v.value, '$.id'), json_extract(v.value, '$.name')
    FROM {_over(_EVENTS, "NEW.")} WHERE {_MADE};
    INSERT OR REPLACE INTO tracked
    SELECT NEW.session_id, json_extract(v.value, '$.track'), NEW.entry, json_extract(v.value, '$.now')
    FROM {_over(_EVENTS, "NEW.")} WHERE {_MOVED};
    END""",
    f"""CREATE TRIGGER log_rolled AFTER INSERT ON log
    WHEN NEW.kind = 'reply' AND {_over(_ROLLED, "NEW.")} AND json_valid(NEW.body) BEGIN
    INSERT INTO faces SELECT NEW.session_id, {_over(_WHO, "NEW.")}, v.value, NEW.entry, 1
    FROM {_over(_DICE, "NEW.")} WHERE v.type = 'integer'
    ON CONFLICT (session_id, who, face, entry) DO UPDATE SET dice = dice + 1;
    END""",
    """CREATE TRIGGER log_changed AFTER INSERT ON log WHEN NEW.kind = 'change' AND json_valid(NEW.body) BEGIN
    UPDATE force SET in_force = 0 WHERE session_id = NEW.session_id
        AND entry IN (SELECT m.value FROM json_each(NEW.body, '$.take') m);
    UPDATE force SET in_force = 1 WHERE session_id = NEW.session_id
        AND entry IN (SELECT m.value FROM json_each(NEW.body, '$.give') m);
    END""",
    """CREATE TRIGGER log_thought AFTER INSERT ON log
    WHEN NEW.kind = 'setting' AND json_valid(NEW.body) AND json_type(NEW.body, '$.think') IS NOT NULL BEGIN
    UPDATE sums SET think = json_extract(NEW.body, '$.think') WHERE session_id = NEW.session_id;
    END""",
)

SUMMARY_QUERIES = {
    "force": f"""
WITH sound AS (
    SELECT session_id, seq, body FROM log WHERE kind = 'change' AND json_valid(body)
), moved AS (
    SELECT l.session_id, CAST(m.value AS INTEGER) AS entry, l.seq * 2 AS told FROM sound l, json_each(l.body, '$.take') m
    UNION ALL
    SELECT l.session_id, CAST(m.value AS INTEGER), l.seq * 2 + 1 FROM sound l, json_each(l.body, '$.give') m
), latest AS MATERIALIZED (
    SELECT session_id, entry, max(told) % 2 AS given FROM moved GROUP BY session_id, entry
), lived AS MATERIALIZED (
    SELECT session_id, entry, min(CASE kind WHEN 'entry' THEN seq END) AS first, max(seq) AS last,
        max(CASE kind WHEN 'done' THEN seq END) AS done,
        max(CASE kind WHEN 'entry' THEN {_over(_OPENED, "")} END) AS opened,
        sum(kind = 'reply' AND {_over(_ANSWERED, "")}) AS answers, sum(kind = 'reply' AND {_over(_ROLLED, "")}) AS rolls
    FROM log WHERE kind IN ('entry', 'reply', 'adjusted', 'done') GROUP BY session_id, entry
)
SELECT e.session_id, e.entry, e.first, e.last, e.done, coalesce(m.given, e.opened), e.answers, e.rolls
FROM lived e LEFT JOIN latest m ON m.session_id = e.session_id AND m.entry = e.entry WHERE e.first IS NOT NULL""",
    "sums": f"""
WITH timed AS (
    SELECT session_id, seq, {_MOMENT.format("at")} AS moment FROM log
), spaced AS (
    SELECT session_id, moment - lag(moment) OVER (PARTITION BY session_id ORDER BY seq) AS seconds FROM timed
), sat AS MATERIALIZED (
    SELECT session_id, sum(CASE WHEN seconds < {_PAUSE} THEN seconds ELSE 0 END) AS at_table FROM spaced GROUP BY session_id
), thought AS MATERIALIZED (
    SELECT session_id, json_extract(body, '$.think') AS think, max(seq) FROM log
    WHERE kind = 'setting' AND json_valid(body) AND json_type(body, '$.think') IS NOT NULL GROUP BY session_id
)
SELECT l.session_id, count(*), sum(l.kind NOT IN {_KINDS}), sum(l.kind = 'note'), min(l.at), max(l.at), s.at_table, t.think
FROM log l JOIN sat s ON s.session_id = l.session_id LEFT JOIN thought t ON t.session_id = l.session_id GROUP BY l.session_id""",
    "names": f"""
SELECT session_id, id, name FROM (
    SELECT d.session_id, json_extract(v.value, '$.id') AS id, json_extract(v.value, '$.name') AS name,
        max(d.seq * 100000 + v.key)
    FROM log d, {_over(_EVENTS, "d.")} WHERE d.kind = 'done' AND {_MADE} GROUP BY 1, 2
)""",
    "tracked": f"""
SELECT session_id, track, entry, value FROM (
    SELECT d.session_id, json_extract(v.value, '$.track') AS track, d.entry, json_extract(v.value, '$.now') AS value,
        max(d.seq * 100000 + v.key)
    FROM log d, {_over(_EVENTS, "d.")} WHERE d.kind = 'done' AND {_MOVED} GROUP BY 1, 2, 3
)""",
    "faces": f"""
SELECT r.session_id, {_over(_WHO, "r.")}, v.value, r.entry, count(*) FROM log r, {_over(_DICE, "r.")}
WHERE r.kind = 'reply' AND {_over(_ROLLED, "r.")} AND v.type = 'integer' GROUP BY 1, 2, 3, 4""",
}
"""Summary table -> a query that rebuilds it from the log."""

_LOG = "WITH log AS NOT MATERIALIZED (SELECT * FROM main.log WHERE session_id BETWEEN :low AND :high)"
"""Shadows the table `log` with the rows of a range of sessions, without copying them."""


def fill_summaries(connection: sqlite3.Connection, watch: ProgressCallback) -> None:
    """Fill the empty summary tables from the log.

    Raises:
        sqlite3.Error: They cannot be written.
    """
    for part in session_ranges(connection, watch):
        for table, sql in SUMMARY_QUERIES.items():
            connection.execute(f"INSERT INTO {table} {_LOG} SELECT * FROM ({sql})", part)


def wrong_summaries(connection: sqlite3.Connection, watch: ProgressCallback) -> list[str]:
    """Return the summary tables that differ from the log.

    Raises:
        sqlite3.Error: They cannot be read.
    """
    found = set()
    wrong = {table: _difference_query(connection, table, sql) for table, sql in SUMMARY_QUERIES.items()}
    for part in session_ranges(connection, watch):
        found |= {table for table, query in wrong.items() if connection.execute(query, part).fetchone()[0]}
    return [table for table in SUMMARY_QUERIES if table in found]


def _difference_query(connection: sqlite3.Connection, table: str, sql: str) -> str:
    """Return a query for whether a table and its rebuilt content differ."""
    columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
    both = f"SELECT 1 AS side, * FROM {table} WHERE session_id BETWEEN :low AND :high UNION ALL SELECT -1, * FROM ({sql})"
    alone = f"SELECT 1 FROM ({both}) GROUP BY {columns} HAVING sum(side) <> 0"
    return f"{_LOG} SELECT EXISTS ({alone})"


def session_ranges(connection: sqlite3.Connection, watch: ProgressCallback) -> Iterator[dict[str, int]]:
    """Yield ranges of session ids that cover every row of the log; `watch` is called with the progress."""
    ids = [row[0] for row in connection.execute("SELECT id FROM sessions ORDER BY id")]
    ends = ids[SESSIONS_PER_RANGE - 1 : -1 : SESSIONS_PER_RANGE]
    found = list(zip((-(2**63), *(end + 1 for end in ends)), (*ends, 2**63 - 1), strict=True))
    for number, (low, high) in enumerate(found):
        watch(Progress(number, len(found), ""))
        yield {"low": low, "high": high}
    watch(Progress(len(found), len(found), ""))


# -- migrations --------------------------------------------------------------------------------------------------------


def _create_tables(db: Database, _: ProgressCallback) -> None:
    _run_script(db, _BASE_TABLES)
    for guard in _GUARDS:
        db.execute(guard)


def _add_fact_source(db: Database, _: ProgressCallback) -> None:
    db.execute("ALTER TABLE printed ADD COLUMN source TEXT NOT NULL DEFAULT 'told'")


def _add_summaries(db: Database, watch: ProgressCallback) -> None:
    _run_script(db, _SUMMARY_TABLES)
    fill_summaries(db.conn, watch)
    for trigger in _TRIGGERS:
        db.execute(trigger)


def _run_script(db: Database, script: str) -> None:
    """Run statements one by one: ``executescript`` would commit the transaction."""
    for statement in script.strip().split(";\n"):
        db.execute(statement.rstrip(";"))


MIGRATIONS: tuple[tuple[str, Callable[[Database, ProgressCallback], None] | None], ...] = (
    ("m001_tables", _create_tables),
    ("m002_views", None),
    ("m003_adjusted", None),
    ("m004_everything", None),
    ("m005_learnt", _add_fact_source),
    ("m006_reading", None),
    ("m007_derived", _add_summaries),
)
"""Name and function of each migration, in order; those without a function changed views only."""


def migrations(upto: int = len(MIGRATIONS), watch: ProgressCallback = ignore_progress) -> Migrations:
    """Return the first `upto` migrations; each also sets ``user_version``, which is read when a file is opened."""
    from sqlite_utils import Migrations

    registry = Migrations("companion")
    for number, (name, migrate) in enumerate(MIGRATIONS[:upto], 1):

        def run(
            db: Database, migrate: Callable[[Database, ProgressCallback], None] | None = migrate, number: int = number
        ) -> None:
            if migrate:
                migrate(db, watch)
            db.execute(f"PRAGMA user_version = {number}")

        registry(name=name)(run)
    return registry


def upgrade(
    connection: sqlite3.Connection, application: int, upto: int = len(MIGRATIONS), watch: ProgressCallback = ignore_progress
) -> None:
    """Migrate an open file in one transaction, and recreate its views.

    Args:
        connection: The file.
        application: The SQLite application id to set.
        upto: The schema to stop at, without any views; for tests.
        watch: Called with the progress.
    """
    from sqlite_utils import Database

    _enable_wal(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        for name in VIEWS:
            connection.execute(f"DROP VIEW IF EXISTS {name}")
        # no plug-ins: they belong to the owner's other databases, and may change what is written
        migrations(upto, watch).apply(Database(connection, execute_plugins=False))
        for statement in VIEWS.values() if upto == len(MIGRATIONS) else ():
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


_RETRY_SECONDS = 0.01


def _enable_wal(connection: sqlite3.Connection) -> None:
    """Switch the file to write-ahead logging."""
    # SQLite does not apply the busy timeout here, so that of two processes that create an archive one would fail at once.
    until = time.monotonic() + connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_RETRY_SECONDS)
        else:
            return


# -- views -------------------------------------------------------------------------------------------------------------
# They hold no data. When the schema changes, all are dropped and created again. Their columns and results are promised
# (docs/archive.md); `companion doctor` compares their text with the one here.


# Unsorted, since SQLite could not ask a sorted subquery for the replies of one entry.
_REPLIES = """\
SELECT s.name AS session, r.entry,
    (SELECT count(*) FROM log b WHERE b.session_id = r.session_id AND b.seq > f.first AND b.seq <= r.seq
        AND b.entry = r.entry AND b.kind IN ('reply', 'adjusted')) AS reply,
    json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    CASE json_type(r.body, '$.value') WHEN 'true' THEN 'yes' WHEN 'false' THEN 'no'
        WHEN 'object' THEN json_extract(r.body, '$.value')
        ELSE (SELECT group_concat(coalesce(n.name, v.value), ', ') FROM json_each(r.body, '$.value') v
            LEFT JOIN names n ON n.session_id = r.session_id AND n.id = v.value) END AS value,
    json_extract(r.body, '$.source') AS source,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted', 'suggested') THEN 'player' ELSE 'companion' END AS who,
    coalesce(json_extract(r.body, '$.anyway'), 0) AS anyway, json_extract(r.body, '$.rule') AS rule, f.in_force, r.at,
    CAST(strftime('%s', r.at) AS INTEGER) - (SELECT CAST(strftime('%s', b.at) AS INTEGER) FROM log b
        WHERE b.session_id = r.session_id AND b.seq = r.seq - 1) AS seconds
FROM sessions s
CROSS JOIN force f ON f.session_id = s.id
CROSS JOIN log r ON r.session_id = f.session_id AND r.seq > f.first AND r.seq <= f.last
WHERE r.kind = 'reply' AND r.entry = f.entry
"""

_SCRIPT = f"""\
CREATE VIEW v_force AS SELECT session_id, entry, in_force FROM force;

CREATE VIEW v_names AS SELECT session_id, id, name AS piece FROM names;

CREATE VIEW v_events AS
WITH happened AS (
    SELECT s.name AS session, s.id AS session_id, f.entry, f.in_force, d.at, v.key + 1 AS nr, v.value AS event,
        json_extract(v.value, '$.kind') AS kind, json_extract(v.value, '$.id') AS id, json_extract(v.value, '$.was') AS was,
        json_extract(v.value, '$.now') AS now, json_extract(v.value, '$.why') AS why,
        coalesce(json_extract(v.value, '$.track'), json_extract(v.value, '$.flag'), json_extract(v.value, '$.mark')) AS what,
        coalesce(json_extract(v.value, '$.place'), json_extract(v.value, '$.now')) AS became
    FROM sessions s
    CROSS JOIN force f ON f.session_id = s.id
    CROSS JOIN log d ON d.session_id = f.session_id AND d.seq = f.done
    CROSS JOIN json_each(d.body, '$.events') v
)
SELECT h.session, h.entry, h.nr, h.kind, h.what, coalesce(n.name, h.id) AS piece, h.id, h.was, h.became AS now,
    CASE h.kind WHEN 'said' THEN json_extract(h.event, '$.text')
        WHEN 'track' THEN h.what || ' ' || h.was || ' -> ' || h.now
        WHEN 'flag' THEN h.what || ': ' || coalesce(h.now, 'none')
        WHEN 'made' THEN h.became || ': ' || coalesce(n.name, h.id)
        WHEN 'moved' THEN coalesce(n.name, h.id) || ': ' || h.was || ' -> ' || h.now
        WHEN 'flipped' THEN coalesce(n.name, h.id) || ': turned to its ' || h.now
        WHEN 'marked' THEN coalesce(n.name, h.id) || ': ' || h.what || ' ' || coalesce(h.now, 'off')
    END || CASE WHEN coalesce(h.why, '') = '' THEN '' ELSE ': ' || h.why END AS line,
    json_extract(h.event, '$.rule') AS rule, h.why, h.in_force, h.at
FROM happened h LEFT JOIN names n ON n.session_id = h.session_id AND n.id = h.id
ORDER BY h.session_id, h.entry, h.nr;

CREATE VIEW v_moves AS
SELECT session, entry, nr, piece, id, was, now, rule, why, in_force, at FROM v_events WHERE kind IN ('moved', 'made');

CREATE VIEW v_replies AS
{_REPLIES}ORDER BY s.id, f.entry, r.seq;

CREATE VIEW v_decisions AS
SELECT session, entry, reply, key, kind, value, source, seconds, anyway, rule, in_force, at
FROM v_replies WHERE who = 'player' AND kind NOT IN ('roll', 'draw', 'printed');

CREATE VIEW v_dice AS
SELECT s.name AS session, r.entry, json_extract(r.body, '$.key') AS key, v.key + 1 AS die, v.value AS face,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END AS who,
    json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM sessions s
CROSS JOIN log r ON r.session_id = s.id
CROSS JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
CROSS JOIN json_each(r.body, '$.value') v
WHERE r.kind = 'reply' AND json_extract(r.body, '$.kind') = 'roll'
ORDER BY s.id, r.seq, v.key;

CREATE VIEW v_rolls AS
SELECT s.name AS session, r.entry, json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    json_extract(r.body, '$.value') AS value, json_extract(r.body, '$.source') AS source,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END AS who,
    json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM sessions s
CROSS JOIN log r ON r.session_id = s.id
CROSS JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
WHERE r.kind = 'reply' AND json_extract(r.body, '$.kind') IN ('roll', 'draw')
ORDER BY s.id, r.seq;

CREATE VIEW v_draws AS
SELECT session, entry, key, value AS counter, source, who, rule, in_force, at FROM v_rolls WHERE kind = 'draw';

CREATE VIEW v_entries AS
SELECT s.name AS session, f.entry, json_extract(e.body, '$.action') AS action,
    CASE json_extract(e.body, '$.args') WHEN '{{}}' THEN (
        SELECT json_group_object(key, json(value)) FROM (
            SELECT key, min(reply) AS nr,
                CASE count(*) WHEN 1 THEN json_quote(max(value)) ELSE json_group_array(value) END AS value
            FROM ({_REPLIES}) a WHERE a.session = s.name AND a.entry = f.entry AND a.who = 'player' GROUP BY key ORDER BY nr)
    ) ELSE json_extract(e.body, '$.args') END AS args,
    CASE WHEN NOT f.in_force THEN 'taken back' WHEN f.done IS NULL THEN 'open' ELSE 'in force' END AS status,
    json_extract(e.body, '$.copy_of') AS copy_of, e.at,
    (SELECT group_concat(line, char(10)) FROM (
        SELECT h.line FROM v_events h WHERE h.session = s.name AND h.entry = f.entry ORDER BY h.nr LIMIT -1)) AS lines,
    (SELECT nullif(json_group_array(json_object('action', json_extract(a.body, '$.action'),
        'changes', json_extract(a.body, '$.changes'), 'why', json_extract(a.body, '$.why'))), '[]')
     FROM log a WHERE a.session_id = f.session_id AND a.seq > f.first AND a.seq <= f.last AND a.entry = f.entry
        AND a.kind = 'adjusted') AS adjusted
FROM sessions s
CROSS JOIN force f ON f.session_id = s.id
CROSS JOIN log e ON e.session_id = f.session_id AND e.seq = f.first
ORDER BY s.id, f.entry;

CREATE VIEW v_adjustments AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), made AS (
    SELECT session_id, seq, entry, at, json_extract(body, '$.action') AS action, json_extract(body, '$.changes') AS changes,
        json_extract(body, '$.why') AS why, json_extract(body, '$.at') AS question
    FROM log WHERE kind = 'adjusted'
    UNION ALL
    SELECT session_id, seq, entry, at, json_extract(body, '$.action'), json_extract(body, '$.args.changes'),
        json_extract(body, '$.args.why'), NULL
    FROM log WHERE kind = 'entry' AND json_extract(body, '$.action') IN ('adjust', 'audit')
)
SELECT s.name AS session, m.entry, m.action, json_extract(c.value, '$[0]') AS what, json_extract(c.value, '$[1]') AS value,
    m.why, m.question, f.in_force, m.at
FROM made m
JOIN sessions s ON s.id = m.session_id
JOIN force f ON f.session_id = m.session_id AND f.entry = m.entry
JOIN json_each(m.changes) c
ORDER BY m.session_id, m.seq, c.key;

CREATE VIEW v_tracks AS
SELECT session, entry, track, value FROM (
    SELECT s.name AS session, s.id AS session_id, f.entry, t.track, (
        SELECT k.value FROM tracked k JOIN force g ON g.session_id = k.session_id AND g.entry = k.entry AND g.in_force
        WHERE k.session_id = f.session_id AND k.track = t.track AND k.entry <= f.entry ORDER BY k.entry DESC LIMIT 1) AS value
    FROM sessions s
    CROSS JOIN force f ON f.session_id = s.id
    CROSS JOIN (SELECT DISTINCT session_id, track FROM tracked) t ON t.session_id = f.session_id
    WHERE f.in_force AND f.done IS NOT NULL
) WHERE value IS NOT NULL
ORDER BY session_id, entry, track;

CREATE VIEW v_sessions AS
WITH counted AS MATERIALIZED (
    SELECT session_id, sum(in_force) AS entries, sum(NOT in_force) AS taken_back, sum(in_force * answers) AS answers,
        sum(in_force * rolls) AS rolls, max(CASE WHEN in_force THEN entry END) AS last
    FROM force GROUP BY session_id
)
SELECT s.name AS session, s.game, s.scenario, s.options, s.seed, p.name AS parent, s.flags = 'quick' AS quick, s.version,
    s.created,
    c.entries, c.taken_back, c.answers, c.rolls, g.notes, g.first_at, g.last_at,
    CAST(strftime('%s', g.last_at) AS INTEGER) - CAST(strftime('%s', g.first_at) AS INTEGER) AS seconds, g.at_table,
    coalesce(g.think, 'usual') AS think,
    d.seq IS NULL AS open, json_extract(d.body, '$.result.over') AS over, json_extract(d.body, '$.result.total') AS score,
    json_extract(d.body, '$.result.verdict') AS verdict, json_extract(d.body, '$.result.turn') AS turns
FROM sessions s
LEFT JOIN sessions p ON p.id = s.parent
LEFT JOIN counted c ON c.session_id = s.id
LEFT JOIN sums g ON g.session_id = s.id
LEFT JOIN force l ON l.session_id = s.id AND l.entry = c.last
LEFT JOIN log d ON d.session_id = s.id AND d.seq = l.done
ORDER BY s.id;

CREATE VIEW v_results AS
SELECT session, game, scenario, verdict, score, over, turns, entries, at_table, seconds, last_at AS ended
FROM v_sessions WHERE over IS NOT NULL AND NOT quick;

CREATE VIEW v_printed AS
SELECT game, key, value, source, at FROM printed p
WHERE revision = (SELECT max(revision) FROM printed q WHERE q.game = p.game AND q.key = p.key) AND value <> ''
ORDER BY game, key
"""

VIEWS: dict[str, str] = {statement.split(maxsplit=3)[2]: statement for statement in _SCRIPT.strip().split(";\n\n")}
"""View -> the statement that creates it."""
