"""The schema of the archive, as migrations. Imported only when a file is new or older than this program.

Together with ``store.py``, ``database.py``, ``reading.py``, ``derived.py`` and ``queries.py`` this is all the SQL there is.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.core.effects import ProgressCallback, ignore_progress
from companion.session.derived import AFTER, BEFORE, fill_summaries
from companion.session.reading import VIEWS

if TYPE_CHECKING:
    from sqlite_utils import Migrations
    from sqlite_utils.db import Database

_TABLES = """
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

# Materialised, because SQLite otherwise works the whole of v_force out for every row, and seeks a log entry by entry.
_VIEWS = """
CREATE VIEW v_force AS
WITH moved AS (
    SELECT l.session_id, CAST(m.value AS INTEGER) AS entry, l.seq * 2 AS told
    FROM log l, json_each(l.body, '$.take') m WHERE l.kind = 'change'
    UNION ALL
    SELECT l.session_id, CAST(m.value AS INTEGER), l.seq * 2 + 1
    FROM log l, json_each(l.body, '$.give') m WHERE l.kind = 'change'
), latest AS (
    SELECT session_id, entry, max(told) % 2 AS given FROM moved GROUP BY session_id, entry
)
SELECT e.session_id, e.entry,
    coalesce(m.given, NOT coalesce(json_extract(e.body, '$.hidden'), 0)) AS in_force
FROM log e LEFT JOIN latest m ON m.session_id = e.session_id AND m.entry = e.entry
WHERE e.kind = 'entry';

CREATE VIEW v_entries AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), done AS MATERIALIZED (
    SELECT session_id, entry, seq, body FROM log WHERE kind = 'done'
)
SELECT s.name AS session, e.entry, json_extract(e.body, '$.action') AS action, json_extract(e.body, '$.args') AS args,
    CASE WHEN NOT f.in_force THEN 'taken back' WHEN d.seq IS NULL THEN 'open' ELSE 'in force' END AS status,
    json_extract(e.body, '$.copy_of') AS copy_of, e.at,
    (SELECT group_concat(json_extract(v.value, '$.text'), char(10)) FROM json_each(d.body, '$.events') v
     WHERE json_extract(v.value, '$.kind') = 'said') AS lines
FROM log e
JOIN sessions s ON s.id = e.session_id
JOIN force f ON f.session_id = e.session_id AND f.entry = e.entry
LEFT JOIN done d ON d.session_id = e.session_id AND d.entry = e.entry
WHERE e.kind = 'entry'
ORDER BY e.session_id, e.entry;

CREATE VIEW v_rolls AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
)
SELECT s.name AS session, r.entry, json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    json_extract(r.body, '$.value') AS value, json_extract(r.body, '$.source') AS source,
    json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM log r
JOIN sessions s ON s.id = r.session_id
JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
WHERE r.kind = 'reply' AND json_extract(r.body, '$.kind') IN ('roll', 'draw')
ORDER BY r.session_id, r.seq;

CREATE VIEW v_tracks AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry FROM v_force WHERE in_force
), complete AS MATERIALIZED (
    SELECT session_id, entry, body FROM log WHERE kind = 'done'
), done AS MATERIALIZED (
    SELECT d.session_id, d.entry, d.body FROM complete d
    JOIN force f ON f.session_id = d.session_id AND f.entry = d.entry
), moved AS (
    SELECT d.session_id, d.entry, json_extract(v.value, '$.track') AS track, json_extract(v.value, '$.now') AS now, v.key
    FROM done d, json_each(d.body, '$.events') v WHERE json_extract(v.value, '$.kind') = 'track'
), latest AS MATERIALIZED (
    SELECT session_id, entry, track, now, max(key) FROM moved GROUP BY session_id, entry, track
), grid AS (
    SELECT d.session_id, d.entry, t.track, m.now
    FROM done d
    JOIN (SELECT DISTINCT session_id, track FROM latest) t ON t.session_id = d.session_id
    LEFT JOIN latest m ON m.session_id = d.session_id AND m.entry = d.entry AND m.track = t.track
), runs AS (
    SELECT *, count(now) OVER (PARTITION BY session_id, track ORDER BY entry) AS run FROM grid
), filled AS (
    SELECT session_id, entry, track, max(now) OVER (PARTITION BY session_id, track, run) AS value FROM runs WHERE run > 0
)
SELECT s.name AS session, f.entry, f.track, f.value FROM filled f JOIN sessions s ON s.id = f.session_id
ORDER BY f.session_id, f.entry, f.track;

CREATE VIEW v_printed AS
SELECT game, key, value, at FROM printed p
WHERE revision = (SELECT max(revision) FROM printed q WHERE q.game = p.game AND q.key = p.key) AND value <> ''
ORDER BY game, key;
"""

# v_entries with what was put right on the table while an entry was open, and everything that was put right by itself.
_ADJUSTED = """
DROP VIEW v_entries;
CREATE VIEW v_entries AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), done AS MATERIALIZED (
    SELECT session_id, entry, seq, body FROM log WHERE kind = 'done'
), mended AS MATERIALIZED (
    SELECT session_id, entry, json_group_array(json_object('action', json_extract(body, '$.action'),
        'changes', json_extract(body, '$.changes'), 'why', json_extract(body, '$.why'))) AS adjusted
    FROM (SELECT * FROM log WHERE kind = 'adjusted' ORDER BY session_id, seq) GROUP BY session_id, entry
)
SELECT s.name AS session, e.entry, json_extract(e.body, '$.action') AS action, json_extract(e.body, '$.args') AS args,
    CASE WHEN NOT f.in_force THEN 'taken back' WHEN d.seq IS NULL THEN 'open' ELSE 'in force' END AS status,
    json_extract(e.body, '$.copy_of') AS copy_of, e.at,
    (SELECT group_concat(json_extract(v.value, '$.text'), char(10)) FROM json_each(d.body, '$.events') v
     WHERE json_extract(v.value, '$.kind') = 'said') AS lines, m.adjusted
FROM log e
JOIN sessions s ON s.id = e.session_id
JOIN force f ON f.session_id = e.session_id AND f.entry = e.entry
LEFT JOIN done d ON d.session_id = e.session_id AND d.entry = e.entry
LEFT JOIN mended m ON m.session_id = e.session_id AND m.entry = e.entry
WHERE e.kind = 'entry'
ORDER BY e.session_id, e.entry;

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
"""

# Everything that is in the log, one row each: what happened, what was answered, each die, each move, each session. The lines
# of v_entries are made of the ids in the log, since no archive knows the words of a game.
_EVERYTHING = """
CREATE VIEW v_names AS
SELECT d.session_id, json_extract(v.value, '$.id') AS id, max(json_extract(v.value, '$.name')) AS piece
FROM log d, json_each(d.body, '$.events') v WHERE d.kind = 'done' AND json_extract(v.value, '$.kind') = 'made'
GROUP BY d.session_id, json_extract(v.value, '$.id');

CREATE VIEW v_events AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), names AS MATERIALIZED (
    SELECT session_id, id, piece FROM v_names
), happened AS (
    SELECT d.session_id, d.entry, d.at, v.key + 1 AS nr, v.value AS event, json_extract(v.value, '$.kind') AS kind,
        json_extract(v.value, '$.id') AS id, json_extract(v.value, '$.was') AS was, json_extract(v.value, '$.now') AS now,
        json_extract(v.value, '$.why') AS why
    FROM log d, json_each(d.body, '$.events') v WHERE d.kind = 'done'
), named AS (
    SELECT e.*, coalesce(n.piece, e.id) AS piece,
        coalesce(json_extract(event, '$.track'), json_extract(event, '$.flag'), json_extract(event, '$.mark')) AS what,
        coalesce(json_extract(event, '$.place'), now) AS became
    FROM happened e LEFT JOIN names n ON n.session_id = e.session_id AND n.id = e.id
)
SELECT s.name AS session, h.entry, h.nr, h.kind, h.what, h.piece, h.id, h.was, h.became AS now,
    CASE h.kind WHEN 'said' THEN json_extract(h.event, '$.text')
        WHEN 'track' THEN h.what || ' ' || h.was || ' -> ' || h.now
        WHEN 'flag' THEN h.what || ': ' || coalesce(h.now, 'none')
        WHEN 'made' THEN h.became || ': ' || h.piece
        WHEN 'moved' THEN h.piece || ': ' || h.was || ' -> ' || h.now
        WHEN 'flipped' THEN h.piece || ': turned to its ' || h.now
        WHEN 'marked' THEN h.piece || ': ' || h.what || ' ' || coalesce(h.now, 'off')
    END || CASE WHEN coalesce(h.why, '') = '' THEN '' ELSE ': ' || h.why END AS line,
    json_extract(h.event, '$.rule') AS rule, h.why, f.in_force, h.at
FROM named h
JOIN sessions s ON s.id = h.session_id
JOIN force f ON f.session_id = h.session_id AND f.entry = h.entry
ORDER BY h.session_id, h.entry, h.nr;

CREATE VIEW v_moves AS
SELECT session, entry, nr, piece, id, was, now, rule, why, in_force, at FROM v_events WHERE kind IN ('moved', 'made');

CREATE VIEW v_replies AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), names AS MATERIALIZED (
    SELECT session_id, id, piece FROM v_names
), given AS (
    SELECT session_id, seq, kind AS row, entry, body, at,
        row_number() OVER (PARTITION BY session_id, entry ORDER BY seq) AS reply
    FROM log WHERE kind IN ('reply', 'adjusted')
)
SELECT s.name AS session, r.entry, r.reply, json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    CASE json_type(r.body, '$.value') WHEN 'true' THEN 'yes' WHEN 'false' THEN 'no'
        WHEN 'object' THEN json_extract(r.body, '$.value')
        ELSE (SELECT group_concat(coalesce(n.piece, v.value), ', ') FROM json_each(r.body, '$.value') v
            LEFT JOIN names n ON n.session_id = r.session_id AND n.id = v.value) END AS value,
    json_extract(r.body, '$.source') AS source,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted', 'suggested') THEN 'player' ELSE 'companion' END AS who,
    coalesce(json_extract(r.body, '$.anyway'), 0) AS anyway, json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM given r
JOIN sessions s ON s.id = r.session_id
JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
WHERE r.row = 'reply'
ORDER BY r.session_id, r.seq;

CREATE VIEW v_dice AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
)
SELECT s.name AS session, r.entry, json_extract(r.body, '$.key') AS key, v.key + 1 AS die, v.value AS face,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END AS who,
    json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM log r
JOIN sessions s ON s.id = r.session_id
JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
JOIN json_each(r.body, '$.value') v
WHERE r.kind = 'reply' AND json_extract(r.body, '$.kind') = 'roll'
ORDER BY r.session_id, r.seq, v.key;

DROP VIEW v_rolls;
CREATE VIEW v_rolls AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
)
SELECT s.name AS session, r.entry, json_extract(r.body, '$.key') AS key, json_extract(r.body, '$.kind') AS kind,
    json_extract(r.body, '$.value') AS value, json_extract(r.body, '$.source') AS source,
    CASE WHEN json_extract(r.body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END AS who,
    json_extract(r.body, '$.rule') AS rule, f.in_force, r.at
FROM log r
JOIN sessions s ON s.id = r.session_id
JOIN force f ON f.session_id = r.session_id AND f.entry = r.entry
WHERE r.kind = 'reply' AND json_extract(r.body, '$.kind') IN ('roll', 'draw')
ORDER BY r.session_id, r.seq;

DROP VIEW v_entries;
CREATE VIEW v_entries AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), done AS MATERIALIZED (
    SELECT session_id, entry FROM log WHERE kind = 'done'
), mended AS MATERIALIZED (
    SELECT session_id, entry, json_group_array(json_object('action', json_extract(body, '$.action'),
        'changes', json_extract(body, '$.changes'), 'why', json_extract(body, '$.why'))) AS adjusted
    FROM (SELECT * FROM log WHERE kind = 'adjusted' ORDER BY session_id, seq) GROUP BY session_id, entry
), answered AS MATERIALIZED (
    SELECT session, entry, json_group_object(key, json(value)) AS args FROM (
        SELECT session, entry, key, min(reply) AS first,
            CASE count(*) WHEN 1 THEN json_quote(max(value)) ELSE json_group_array(value) END AS value
        FROM v_replies WHERE who = 'player' GROUP BY session, entry, key ORDER BY session, entry, first
    ) GROUP BY session, entry
), told AS MATERIALIZED (
    SELECT session, entry, group_concat(line, char(10)) AS lines FROM v_events GROUP BY session, entry
)
SELECT s.name AS session, e.entry, json_extract(e.body, '$.action') AS action,
    CASE json_extract(e.body, '$.args') WHEN '{}' THEN coalesce(a.args, '{}') ELSE json_extract(e.body, '$.args') END AS args,
    CASE WHEN NOT f.in_force THEN 'taken back' WHEN d.entry IS NULL THEN 'open' ELSE 'in force' END AS status,
    json_extract(e.body, '$.copy_of') AS copy_of, e.at, t.lines, m.adjusted
FROM log e
JOIN sessions s ON s.id = e.session_id
JOIN force f ON f.session_id = e.session_id AND f.entry = e.entry
LEFT JOIN done d ON d.session_id = e.session_id AND d.entry = e.entry
LEFT JOIN mended m ON m.session_id = e.session_id AND m.entry = e.entry
LEFT JOIN answered a ON a.session = s.name AND a.entry = e.entry
LEFT JOIN told t ON t.session = s.name AND t.entry = e.entry
WHERE e.kind = 'entry'
ORDER BY e.session_id, e.entry;

CREATE VIEW v_sessions AS
WITH force AS MATERIALIZED (
    SELECT session_id, entry, in_force FROM v_force
), counted AS MATERIALIZED (
    SELECT session_id, sum(in_force) AS entries, sum(NOT in_force) AS taken_back, max(CASE WHEN in_force THEN entry END) AS last
    FROM force GROUP BY session_id
), logged AS MATERIALIZED (
    SELECT l.session_id, min(l.at) AS first_at, max(l.at) AS last_at,
        sum(l.kind = 'reply' AND f.in_force AND json_extract(l.body, '$.source') IN ('typed', 'scripted', 'suggested'))
            AS answers,
        sum(l.kind = 'reply' AND f.in_force AND json_extract(l.body, '$.kind') = 'roll') AS rolls,
        sum(l.kind = 'note') AS notes
    FROM log l LEFT JOIN force f ON f.session_id = l.session_id AND f.entry = l.entry GROUP BY l.session_id
)
SELECT s.name AS session, s.game, s.scenario, s.options, s.seed, p.name AS parent, s.flags = 'quick' AS quick, s.version,
    s.created,
    c.entries, c.taken_back, g.answers, g.rolls, g.notes, g.first_at, g.last_at,
    CAST(strftime('%s', g.last_at) AS INTEGER) - CAST(strftime('%s', g.first_at) AS INTEGER) AS seconds,
    d.seq IS NULL AS open, json_extract(d.body, '$.result.over') AS over, json_extract(d.body, '$.result.total') AS score,
    json_extract(d.body, '$.result.verdict') AS verdict
FROM sessions s
LEFT JOIN sessions p ON p.id = s.parent
LEFT JOIN counted c ON c.session_id = s.id
LEFT JOIN logged g ON g.session_id = s.id
LEFT JOIN log d ON d.session_id = s.id AND d.entry = c.last AND d.kind = 'done'
ORDER BY s.id;
"""


_LEARNT = """
ALTER TABLE printed ADD COLUMN source TEXT NOT NULL DEFAULT 'told';
DROP VIEW v_printed;
CREATE VIEW v_printed AS
SELECT game, key, value, source, at FROM printed p
WHERE revision = (SELECT max(revision) FROM printed q WHERE q.game = p.game AND q.key = p.key) AND value <> ''
ORDER BY game, key;
"""


def _all(db: Database, script: str) -> None:
    """Runs statements one by one: ``executescript`` would commit what is to stand or fall together."""
    for statement in script.split(";\n"):
        if statement.strip():
            db.execute(statement)


def m001_tables(db: Database, _: ProgressCallback) -> None:
    """The tables, and the triggers that let the log only grow."""
    _all(db, _TABLES)
    for guard in _GUARDS:
        db.execute(guard)


def m002_views(db: Database, _: ProgressCallback) -> None:
    """What people read with sqlite3 or Datasette."""
    _all(db, _VIEWS)


def m003_adjusted(db: Database, _: ProgressCallback) -> None:
    """What is put right inside an open entry is read like what is put right between entries."""
    _all(db, _ADJUSTED)


def m004_everything(db: Database, _: ProgressCallback) -> None:
    """Views that answer what was asked of the log in SQL so far: answers, moves, events, dice, sessions with their results."""
    _all(db, _EVERYTHING)


def m005_learnt(db: Database, _: ProgressCallback) -> None:
    """Where a printed fact comes from: the owner told it, or play has shown it."""
    _all(db, _LEARNT)


def m006_reading(db: Database, _: ProgressCallback) -> None:
    """A row a decision, a draw and a result; how long was thought, and how long a session took at the table."""
    _all(db, VIEWS)


def m007_derived(db: Database, watch: ProgressCallback) -> None:
    """What the log comes to is kept beside it, so that a view tells of one session without a look at all the others."""
    for statement in BEFORE:
        db.execute(statement)
    fill_summaries(db.conn, watch)
    for statement in AFTER:
        db.execute(statement)


MIGRATIONS: tuple[Callable[[Database, ProgressCallback], None], ...] = (
    m001_tables,
    m002_views,
    m003_adjusted,
    m004_everything,
    m005_learnt,
    m006_reading,
    m007_derived,
)
"""In order. One is never changed once it was released; a new one is put at the end, and ``store.SCHEMA`` raised."""


def migrations(upto: int = len(MIGRATIONS), watch: ProgressCallback = ignore_progress) -> Migrations:
    """The first ``upto`` migrations; each also notes its number, so that opening a file can see at once how old it is."""
    from sqlite_utils import Migrations

    found = Migrations("companion")
    for number, stage in enumerate(MIGRATIONS[:upto], 1):

        def run(db: Database, stage: Callable[[Database, ProgressCallback], None] = stage, number: int = number) -> None:
            stage(db, watch)
            db.execute(f"PRAGMA user_version = {number}")

        found(name=stage.__name__)(run)
    return found


def upgrade(
    connection: sqlite3.Connection, application: int, upto: int = len(MIGRATIONS), watch: ProgressCallback = ignore_progress
) -> None:
    """Brings an open file up to date, whole or not at all, whoever else is opening it; ``watch`` is told how far it is."""
    from sqlite_utils import Database

    _write_ahead(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        # no plug-ins: they belong to the owner's other databases, and may change what is written
        migrations(upto, watch).apply(Database(connection, execute_plugins=False))
        connection.execute(f"PRAGMA application_id = {application}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


_AGAIN = 0.01
"""Seconds between two tries to change the journal."""


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turns the file to a write-ahead log. SQLite waits for a lock where a transaction begins, but not where one that reads comes
    to write, as here: of two that make an archive at once the second would be refused within the same moment.

    Raises:
        sqlite3.Error: another process holds the file for longer than the connection waits for a lock, or it cannot be written.
    """
    until = time.monotonic() + connection.execute("PRAGMA busy_timeout").fetchone()[0] / 1000
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as fault:
            if fault.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_AGAIN)
        else:
            return
