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
from companion.session.files import read_sql

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from sqlite_utils import Migrations
    from sqlite_utils.db import Database

SESSIONS_PER_RANGE = 25
"""Sessions whose logs are summarised by one statement; few enough for a progress bar to advance."""


def _statements(name: str, end: str = ";\n") -> list[str]:
    """Return the statements of a file, without the lines of comment."""
    text = "\n".join(line for line in read_sql(name).splitlines() if not line.startswith("--"))
    return [statement.strip().removesuffix(";") for statement in text.strip().split(end)]


def _views() -> dict[str, str]:
    # the first query of the file is a part of several views
    replies, *views = _statements("views", ";\n\n")
    return {view.split(maxsplit=3)[2]: view.replace("{replies}", f"{replies}\n") for view in views}


VIEWS = _views()
"""View -> the statement that creates it."""

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
    for statement in [*_statements("m001_tables"), *_GUARDS]:
        db.execute(statement)


def _add_fact_source(db: Database, _: ProgressCallback) -> None:
    db.execute("ALTER TABLE printed ADD COLUMN source TEXT NOT NULL DEFAULT 'told'")


def _add_summaries(db: Database, watch: ProgressCallback) -> None:
    for statement in _statements("m007_derived"):
        db.execute(statement)
    fill_summaries(db.conn, watch)
    for trigger in _TRIGGERS:
        db.execute(trigger)


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
        application: The SQLite application id to set.
        upto: The schema to stop at, without any views; for tests.
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
