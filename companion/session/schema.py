"""The tables, triggers and views of the archive, and the migrations that bring an older file up to date.

Imported only to migrate or check a file. Migrations change tables; the views are dropped before and created after them.
Released migrations never change: append a new one and raise `database.SCHEMA`.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from sqlite_utils import Database, Migrations

from companion.core.history import ROW_SCHEMAS
from companion.core.procedures import Progress, ProgressCallback, ignore_progress
from companion.session.files import read_queries, read_sql

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

_FRAGMENTS = {
    "kinds": f"({', '.join(map(repr, ROW_SCHEMAS))})",
    "pause": "3599",  # seconds without a log row, above which they count as a break; a clock set back counts as 0
    "moment": "CAST(strftime('%s', {row}at) AS INTEGER)",
    "opened": "NOT coalesce(CASE WHEN json_valid({row}body) THEN json_extract({row}body, '$.hidden') END, 0)",
    "answered": "coalesce(CASE WHEN json_valid({row}body) THEN json_extract({row}body, '$.source')"
    " IN ('typed', 'scripted', 'suggested') END, 0)",
    "rolled": 'instr({row}body, \'"kind":"roll"\') > 0',
    "who": "CASE WHEN json_extract({row}body, '$.source') IN ('typed', 'scripted') THEN 'player' ELSE 'companion' END",
    "events": "json_each(CASE WHEN json_valid({row}body) THEN {row}body ELSE '{}' END, '$.events') v",
    "dice": "json_each(CASE WHEN json_valid({row}body) THEN {row}body ELSE '{}' END, '$.value') v",
    "made": "json_extract(v.value, '$.kind') = 'made' AND json_type(v.value, '$.id') = 'text'"
    " AND json_type(v.value, '$.name') = 'text'",
    "moved": "json_extract(v.value, '$.kind') = 'track' AND json_type(v.value, '$.track') = 'text'",
}
"""Parts of the triggers and of the queries that rebuild what they write. The body of a row may be damaged."""


def _expand(sql: str) -> str:
    """Replace placeholders such as ``{NEW.rolled}`` with the fragment over that row."""
    for name, fragment in _FRAGMENTS.items():
        for row in ("", "NEW.", "b.", "d.", "r."):
            sql = sql.replace(f"{{{row}{name}}}", fragment.replace("{row}", row))
    return sql


SUMMARY_QUERIES = {table: _expand(sql) for table, (_, sql) in read_queries("summaries").items()}
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
    wrong = set()
    queries = {table: _difference_query(connection, table, sql) for table, sql in SUMMARY_QUERIES.items()}
    for part in session_ranges(connection, watch):
        wrong |= {table for table, query in queries.items() if connection.execute(query, part).fetchone()[0]}
    return [table for table in SUMMARY_QUERIES if table in wrong]


def _difference_query(connection: sqlite3.Connection, table: str, sql: str) -> str:
    """Return a query for whether a table and its rebuilt content differ."""
    columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA table_info({table})"))
    rows = f"SELECT 1 AS side, * FROM {table} WHERE session_id BETWEEN :low AND :high UNION ALL SELECT -1, * FROM ({sql})"
    unmatched = f"SELECT 1 FROM ({rows}) GROUP BY {columns} HAVING sum(side) <> 0"
    return f"{_LOG} SELECT EXISTS ({unmatched})"


def session_ranges(connection: sqlite3.Connection, watch: ProgressCallback) -> Iterator[dict[str, int]]:
    """Yield ranges of session ids that cover every row of the log; `watch` is called with the progress."""
    ids = [row[0] for row in connection.execute("SELECT id FROM sessions ORDER BY id")]
    ends = ids[SESSIONS_PER_RANGE - 1 : -1 : SESSIONS_PER_RANGE]
    ranges = list(zip((-(2**63), *(end + 1 for end in ends)), (*ends, 2**63 - 1), strict=True))
    for number, (low, high) in enumerate(ranges):
        watch(Progress(number, len(ranges), ""))
        yield {"low": low, "high": high}
    watch(Progress(len(ranges), len(ranges), ""))


@contextmanager
def filled_at_end(connection: sqlite3.Connection, session_id: int, copy_of: int = 0) -> Iterator[None]:
    """Insert all rows of a session within; the summary tables are filled once, not by the triggers at each row.

    Several times as fast for a long log. Must be used within a transaction. `copy_of`: the session whose log is copied,
    and whose summaries are.
    """
    triggers = [_expand(trigger) for trigger in _statements("triggers", ";\n\n")]
    for trigger in triggers:
        connection.execute(f"DROP TRIGGER IF EXISTS {trigger.split()[2]}")
    yield
    for table, sql in SUMMARY_QUERIES.items():
        if copy_of:
            columns = ", ".join(row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != "session_id")
            copied = f"INSERT INTO {table} (session_id, {columns}) SELECT ?, {columns} FROM {table} WHERE session_id = ?"
            connection.execute(copied, (session_id, copy_of))
        else:
            connection.execute(f"INSERT INTO {table} {_LOG} SELECT * FROM ({sql})", {"low": session_id, "high": session_id})
    for trigger in triggers:
        connection.execute(trigger)


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
    for trigger in _statements("triggers", ";\n\n"):
        db.execute(_expand(trigger))


def _renew_sums(db: Database, watch: ProgressCallback) -> None:
    """Recreate the trigger that maintains the table `sums`, and recompute the table."""
    db.execute("DROP TRIGGER IF EXISTS log_thought")  # part of log_sums since schema 9
    trigger = _expand(next(sql for sql in _statements("triggers", ";\n\n") if "TRIGGER log_sums " in sql))
    if db.execute("SELECT 1 FROM sqlite_master WHERE name = 'log_sums' AND sql = ?", (trigger,)).fetchone():
        return  # created a moment ago
    db.execute("DROP TRIGGER IF EXISTS log_sums")
    db.execute(trigger)
    for part in session_ranges(db.conn, watch):
        db.conn.execute("DELETE FROM sums WHERE session_id BETWEEN :low AND :high", part)
        db.conn.execute(f"INSERT INTO sums {_LOG} SELECT * FROM ({SUMMARY_QUERIES['sums']})", part)


def _add_trust(db: Database, watch: ProgressCallback) -> None:
    """Allow rows of kind ``trust``, and one commitment for each question."""
    _renew_sums(db, watch)
    db.execute(
        "CREATE UNIQUE INDEX IF NOT EXISTS log_commit ON log (session_id, json_extract(body, '$.at'))"
        " WHERE kind = 'trust' AND instr(body, '\"step\":\"commit\"') > 0"
    )


def _add_analysis(db: Database, _: ProgressCallback) -> None:
    for statement in _statements("m011_analysis", ";\n\n"):
        db.execute(statement)


MIGRATIONS: tuple[tuple[str, Callable[[Database, ProgressCallback], None] | None], ...] = (
    ("m001_tables", _create_tables),
    ("m002_views", None),
    ("m003_adjusted", None),
    ("m004_everything", None),
    ("m005_learnt", _add_fact_source),
    ("m006_reading", None),
    ("m007_derived", _add_summaries),
    ("m008_no_step_back", _renew_sums),
    ("m009_think", _renew_sums),
    ("m010_trust", _add_trust),
    ("m011_analysis", _add_analysis),
)
"""Name and function of each migration, in order; those without a function changed views only."""


def migrations(upto: int = len(MIGRATIONS), watch: ProgressCallback = ignore_progress) -> Migrations:
    """Return the first `upto` migrations; each also sets ``user_version``, which is read when a file is opened."""
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
