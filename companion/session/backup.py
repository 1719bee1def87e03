"""Copy an archive: back it up, find damage in its file, and salvage what can be read of a damaged one."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import islice
from typing import Any, NamedTuple

from companion.core.errors import BadData, Unreadable
from companion.core.procedures import Progress, ProgressCallback, ignore_progress
from companion.core.text import clean
from companion.session import database
from companion.session.files import replacing
from companion.session.row_checks import check_rows
from companion.session.store import SELECT_SESSIONS, is_fact_row, read_session

PAGES_PER_STEP = 4096
"""Pages copied at a time."""


class BackupCopy(NamedTuple):
    """A copy: its absolute path, and the number of rows of each table."""

    path: str
    rows: dict[str, int]


def backup(archive: str, path: str, force: bool = False, watch: ProgressCallback = ignore_progress) -> BackupCopy:
    """Copy an archive as of one moment to `path`, which is replaced (if `force`) only after the copy has been checked.

    Raises:
        Unreadable: The target exists, or cannot be written.
        BadData: The archive cannot be read, or the copy is damaged.
    """
    _check_target(archive, path, force)
    try:
        with replacing(path, force) as beside:
            os.close(os.open(beside, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))  # readable by the player only
            rows = _write_copy(archive, beside, watch)
    except FileExistsError:
        raise Unreadable(f"{clean(path)} exists already", cure="Name another file, or --force") from None
    except OSError as fault:
        raise Unreadable(f"{clean(path)}: {fault.strerror or 'cannot be written'}", cure="Name another file") from None
    return BackupCopy(os.path.abspath(path), rows)


def _check_target(archive: str, path: str, force: bool) -> None:
    """Raise Unreadable if the copy may not be written there."""
    if os.path.isdir(path):
        raise Unreadable(f"{clean(path)} is a folder", cure="Name a file in it")
    if os.path.exists(path) and os.path.samefile(archive, path):
        raise Unreadable(f"{clean(path)} is the archive itself", cure="Name another file")
    if os.path.lexists(path) and not force:
        raise Unreadable(f"{clean(path)} exists already", cure="Name another file, or --force")


def _write_copy(archive: str, beside: str, watch: ProgressCallback) -> dict[str, int]:
    """Write the copy and return its row counts."""
    with (
        closing(database.connect_for_check(archive)) as source,
        database.player_errors(archive),
        closing(copy_database(source, beside, watch)) as copy,
    ):
        damage = find_damage(copy)
        rows = {} if damage else row_counts(copy)
    if damage:
        raise BadData(f"the archive {archive} is damaged: {damage[0]}", cure="No copy is kept. See: companion doctor")
    return rows


# -- copy and examine a file -----------------------------------------------------------------------------------------------


def copy_database(connection: sqlite3.Connection, path: str, watch: ProgressCallback = ignore_progress) -> sqlite3.Connection:
    """Copy a database as of one moment into a new file, while others may write; synced when this returns.

    Raises:
        sqlite3.Error: It cannot be read or written.
    """
    target = sqlite3.connect(path, isolation_level=None)
    try:
        connection.execute("BEGIN")
        connection.execute("PRAGMA schema_version").fetchone()  # a read, else the copy restarts whenever a process writes
        connection.backup(target, pages=PAGES_PER_STEP, progress=lambda _, left, total: watch(Progress(total - left, total, "")))
        connection.execute("COMMIT")
        target.execute("PRAGMA journal_mode = DELETE")  # a single file
    except BaseException:
        target.close()
        raise
    return target


def find_damage(connection: sqlite3.Connection, most: int = 5) -> list[str]:
    """Return the first faults that SQLite finds in pages, indexes and foreign keys. Ctrl-C ends the search.

    Raises:
        sqlite3.Error: The file cannot be read; it may still be sound.
    """
    with suppress(sqlite3.Error):  # a disk that fails once makes a sound file look damaged
        faults = _damages(connection, most)
        if not any("failed to get page" in text for text in faults):
            return faults
    try:
        return _damages(connection, most)
    except sqlite3.Error as fault:
        if database.primary_code(fault) in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB):
            return [str(fault)]
        raise


def _damages(connection: sqlite3.Connection, most: int) -> list[str]:
    with database.interruptible(connection):
        faults = [str(row[0]) for row in connection.execute(f"PRAGMA integrity_check({most})")]
        keys = connection.execute("PRAGMA foreign_key_check")
        dangling = [f"a row of '{row[0]}' names a '{row[2]}' that does not exist" for row in keys]
    if any("error code=" in text for text in faults):  # a page that cannot be read is reported as damage
        fault = sqlite3.OperationalError("disk I/O error")
        fault.sqlite_errorcode = sqlite3.SQLITE_IOERR
        raise fault
    return [text for text in faults if text != "ok"][:most] + dangling[:most]


def row_counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the number of rows of each table.

    Raises:
        sqlite3.Error: They cannot be read.
    """
    return {table: int(connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]) for table in database.TABLES}


def salvage(source: sqlite3.Connection, target: sqlite3.Connection) -> list[str]:
    """Copy what can be read of an archive into an empty one; return descriptions of what was left out.

    Of each log the rows up to the first unreadable one are kept.

    Raises:
        sqlite3.Error: The new one cannot be written.
    """
    lost: list[str] = []
    odd = database.odd_tables(source)
    lost += [f"all of '{name}', which is not a table as Companion makes it" for name in odd]
    target.execute("BEGIN IMMEDIATE")
    target.execute("PRAGMA defer_foreign_keys = ON")
    for row in () if "sessions" in odd else _readable_rows(source, lost, "sessions", f"{SELECT_SESSIONS} ORDER BY s.id"):
        session = read_session(row)
        if isinstance(session, str):
            lost.append(session)
            continue
        log = () if "log" in odd else _sound_rows(source, lost, row[0], session.name)
        target.execute(f"INSERT OR IGNORE INTO sessions VALUES ({', '.join('?' * len(row))})", row)
        target.executemany("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", ((row[0], *cells) for cells in log))
    facts = "SELECT game, key, revision, value, at, source FROM printed"
    for row in () if "printed" in odd else _readable_rows(source, lost, "printed facts", facts):
        if is_fact_row(row):
            target.execute(
                "INSERT OR IGNORE INTO printed (game, key, revision, value, at, source) VALUES (?, ?, ?, ?, ?, ?)", row
            )
        else:
            lost.append(f"the printed fact '{clean(str(row[1]))[:60]}'")
    state = "SELECT key, value FROM state WHERE key <> 'shown'"  # what terminals were shown is not missed
    for row in () if "state" in odd else _readable_rows(source, lost, "what was last used", state):
        target.execute("INSERT OR REPLACE INTO state VALUES (?, ?)", tuple(map(str, row)))
    target.execute("UPDATE sessions SET parent = NULL WHERE parent NOT IN (SELECT id FROM sessions)")
    target.execute("COMMIT")
    return lost


def _sound_rows(source: sqlite3.Connection, lost: list[str], session: int, name: str) -> list[tuple[database.SQLValue, ...]]:
    """Return the rows of a log up to the first that is missing or damaged."""
    sql = "SELECT seq, kind, entry, body, at FROM log WHERE session_id = ? ORDER BY seq"
    what = f"the end of the log of {name}"
    rows = list(_readable_rows(source, lost, what, sql, session))
    sound, why = check_rows(rows)
    if why:
        lost.append(f"{what}, from row {sound + 1} on ({why})")
    return rows[:sound]


def _readable_rows(
    source: sqlite3.Connection, lost: list[str], what: str, sql: str, *values: object
) -> Iterator[tuple[Any, ...]]:
    """Yield the rows of a query up to the first unreadable one, which is noted in `lost`; a failing read is tried twice."""
    given = 0
    for _ in range(2):
        try:
            for row in islice(source.execute(sql, values), given, None):
                given += 1
                yield row
            return
        except sqlite3.DatabaseError as fault:
            if database.is_ctrl_c(fault):
                raise KeyboardInterrupt from None
    lost.append(what)
