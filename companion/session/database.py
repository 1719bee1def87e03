"""The archive's file: where it is, how it is opened and copied, and what SQLite errors mean to the player."""

import _sqlite3 as sqlite3  # the package imports datetime, which takes longer than opening the archive
import os
import stat
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress

from companion.core import limits
from companion.core.errors import BadData, CompanionError
from companion.core.procedures import ProgressCallback, ignore_progress
from companion.session.files import create_folder, user_folder

SCHEMA = 11
"""The number of migrations that this program knows."""
APPLICATION = 0x436F6D70
"""The SQLite application id of an archive."""
_LEAST_ROOM = 100_000
"""Bytes free on a disk below which it is called full."""
LOCK_TIMEOUT = 2.0
"""Seconds to wait for a lock of another process."""
WAL_LIMIT = 4_000_000
"""Bytes of the -wal file that stay on the disk after a checkpoint."""

IN_MEMORY = ":memory:"
"""In place of a path: an archive that lasts as long as the process."""

SUPER_JOURNAL = bytes.fromhex("d9d505f920a163d7")
"""The last bytes of a rollback journal that names another file for SQLite to delete."""
TABLES = ("sessions", "log", "printed", "state")
"""The tables that cannot be rebuilt."""
LONGEST_STATEMENT = 60.0
"""Seconds after which a read or write is stopped: only a trigger or view of others takes as long."""
_OPCODES = 50_000_000
"""Steps of SQLite's virtual machine between two looks at the clock."""
_OPCODES_TO_CTRL_C = 10_000
"""Steps of it between two looks for Ctrl-C where a statement takes long: some milliseconds."""

SQLValue = str | int | float | bytes | None
"""A value of an SQLite row."""

FileIdentity = tuple[int, int]
"""Device and inode: tells apart files of the same name."""


def path_from_environment() -> str:
    """Return the path in ``COMPANION_DB``, or ""."""
    return os.environ.get("COMPANION_DB", "")


def archive_path(path: str | None = None) -> str:
    """Return the archive's path: the given one, else ``COMPANION_DB``, else the default in the user's data folder.

    Raises:
        BadData: It names an unknown user, or the current folder has been removed.
    """
    chosen = path or path_from_environment()
    if not chosen:
        return os.path.join(user_folder("data"), "companion.sqlite3")
    file = os.path.expanduser(chosen)
    if file.startswith("~"):
        raise BadData(f"{chosen}: there is no such user", cure="Name the archive by its whole path")
    try:
        return os.path.abspath(file)
    except OSError:
        what = f"{chosen}: the folder you are in has been removed"
        raise BadData(what, cure="Change to another one, or name the whole path") from None


_PRACTICE_SUFFIX = "-practice"


def practice_path(path: str) -> str:
    """Return the archive for practice beside another one, so that made-up facts never mix with those of a real set."""
    stem, end = os.path.splitext(archive_path(path or None))
    return stem + end if stem.endswith(_PRACTICE_SUFFIX) else f"{stem}{_PRACTICE_SUFFIX}{end}"


def is_practice_path(path: str) -> bool:
    """True if an archive is one for practice."""
    return os.path.splitext(path)[0].endswith(_PRACTICE_SUFFIX)


def archive_exists(file: str) -> bool:
    """True if anything exists at the archive's path."""
    return os.path.exists(file)


def file_identity(path: str) -> FileIdentity | None:
    """Return the identity of the file at a path, or None."""
    try:
        status = os.stat(path)
    except OSError:
        return None
    return status.st_dev, status.st_ino


def snapshot_stamp(path: str) -> tuple[int, ...]:
    """Return numbers that change with an archive in a folder that is not writable, where a connection may see no later writes."""
    stamp: list[int] = []
    if not may_write(path):
        for file in (path, f"{path}-wal"):
            with suppress(OSError):
                status = os.stat(file)
                stamp += status.st_size, status.st_mtime_ns
    return tuple(stamp)


def check_in_place(path: str, was: FileIdentity | None) -> None:
    """Raise BadData if the open file was moved, removed or replaced: SQLite would write into a removed file."""
    if path != IN_MEMORY and file_identity(path) != was:
        what = f"the archive {path} was moved, removed or replaced while it was open; nothing of this is kept"
        raise BadData(what, cure="Put it back; or save what this window still knows of the session: /bundle FILE")


def primary_code(fault: sqlite3.Error) -> int:
    """Return the primary code of an SQLite error; 0 if it has none."""
    return (getattr(fault, "sqlite_errorcode", 0) or 0) & 0xFF


def sqlite_error(path: str, fault: sqlite3.Error) -> CompanionError:
    """Return the player's error for an SQLite error."""
    code = primary_code(fault)
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_CANTOPEN) and _is_full(path):
        code = sqlite3.SQLITE_FULL
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return BadData(f"another program holds the archive {path}", cure="Close it and try again; nothing is lost")
    if code == sqlite3.SQLITE_READONLY:
        cure = "Make the file and its folder writable, or use --db; nothing is lost"
        return BadData(f"the archive {path} is read-only", cure=cure)
    if code == sqlite3.SQLITE_FULL:
        return BadData(f"the disk of the archive {path} is full", cure="Free some room and try again; nothing is lost")
    if code in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT) and not (_read_error(path) or _is_sound(path)):
        wal = os.path.basename(path) + "-wal"
        cure = f"Name another file with --db; to rescue this one, copy it together with {wal} and try: sqlite3 COPY .recover"
        return BadData(f"{path} is no Companion archive, or it is damaged: {fault}", cure=cure)
    if code == sqlite3.SQLITE_TOOBIG:
        what = f"the archive {path} holds a value that is larger than {limits.BODY} bytes"
        return BadData(what, cure="No value of Companion is: companion doctor")
    if code == sqlite3.SQLITE_INTERRUPT:
        what = f"the archive {path} does not answer: something in it that Companion did not make never ends"
        return BadData(what, cure="Nothing of this command is kept. Rescue what can be read: companion doctor --repair FILE")
    if code in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH):
        cure = "Check the permissions of the file and its folder, or use --db"
        return BadData(f"the archive {path} cannot be opened", cure=cure)
    if code in _DISK_CODES or _read_error(path):
        why = _read_error(path) or ("disk I/O error" if code in _DISK_CODES else fault)
        cure = "Check the disk; before you do it again see companion status: it may be kept"
        return BadData(f"the archive {path} cannot be read or written: {why}", cure=cure)
    return BadData(f"the archive {path} does not work: {fault}", cure="Nothing of this command is kept")


_DISK_CODES = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT)
"""Codes of a failing disk; a page that cannot be read is reported as damage too."""


@contextmanager
def player_errors(path: str) -> Iterator[None]:
    """Raise the player's error in place of an SQLite error; KeyboardInterrupt where Ctrl-C ended a statement."""
    try:
        yield
    except sqlite3.Error as fault:
        if is_ctrl_c(fault):
            raise KeyboardInterrupt from None
        raise sqlite_error(path, fault) from None


def _is_sound(path: str) -> bool:
    """True if the whole file can be read and passes SQLite's check."""
    try:
        with closing(_connect_to_read(path)) as connection:
            return bool(connection.execute("PRAGMA quick_check(1)").fetchone()[0] == "ok")
    except sqlite3.Error:
        return False


def _is_full(path: str) -> bool:
    """True if the archive's disk has no room for the files that SQLite writes beside it."""
    with suppress(OSError, AttributeError):  # not every system can tell
        disk = os.statvfs(os.path.dirname(path))
        return disk.f_bavail * disk.f_frsize < _LEAST_ROOM
    return False


def _read_error(path: str) -> str:
    """Return why the file cannot be read at all, or ""."""
    if os.path.exists(path) and not os.path.isfile(path):
        return "it is not a file"
    try:
        with open(path, "rb") as file:
            file.read(100)
    except OSError as fault:
        return fault.strerror or "it cannot be read"
    return ""


def connect(file: str, watch: ProgressCallback = ignore_progress) -> sqlite3.Connection:
    """Open an archive; create or upgrade it if needed. `watch` is called with the progress of an upgrade.

    Raises:
        BadData: It is not an archive, is from a newer version, or cannot be opened.
    """
    if file != IN_MEMORY:
        _prepare(file)
        check_side_files(file)
    fresh = file == IN_MEMORY or os.path.getsize(file) == 0
    with player_errors(file):
        try:
            return _configure(file, _limit_values(_connect(file)), fresh, watch)
        except sqlite3.OperationalError as fault:
            if fresh or not _needs_copy(file, fault):
                raise
            return _configure(file, _limit_values(_upgraded_copy(_connect_to_read(file), watch)), fresh, watch)


def _connect(file: str) -> sqlite3.Connection:
    return sqlite3.connect(file, timeout=LOCK_TIMEOUT, isolation_level=None)


_SHARED_MEMORY_CODES = (sqlite3.SQLITE_IOERR_SHMOPEN, sqlite3.SQLITE_IOERR_SHMSIZE, sqlite3.SQLITE_IOERR_SHMMAP)


def _needs_copy(file: str, fault: sqlite3.OperationalError) -> bool:
    """True if SQLite could not write beside the archive: its folder is not writable, or its disk is full."""
    is_refused = primary_code(fault) in (sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY)
    return fault.sqlite_errorcode in _SHARED_MEMORY_CODES or (is_refused and (not may_write(file) or _is_full(file)))


def _limit_values(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Limit the size of values read from the file."""
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.BODY)
    return connection


def _upgraded_copy(connection: sqlite3.Connection, watch: ProgressCallback) -> sqlite3.Connection:
    """Return an upgraded read-only copy in memory of an older archive that cannot be written."""
    ours, version = read_schema_version(connection)
    if not ours or version >= SCHEMA:
        return connection
    from companion.session.schema import upgrade

    copy = sqlite3.connect(IN_MEMORY, isolation_level=None)
    connection.backup(copy)
    connection.close()
    upgrade(copy, APPLICATION, watch=watch)
    copy.execute("PRAGMA query_only = ON")
    return copy


def read_schema_version(connection: sqlite3.Connection) -> tuple[bool, int]:
    """Return whether the file is an archive, and its schema version."""
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
    return ours, int(connection.execute("PRAGMA user_version").fetchone()[0])


def checkpoint(connection: sqlite3.Connection) -> None:
    """Move the content of the -wal file into the archive, unless another process is using it."""
    try:
        connection.execute("PRAGMA busy_timeout = 0")
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    except sqlite3.Error as fault:  # all of it is on the disk already
        if is_ctrl_c(fault):
            raise KeyboardInterrupt from None


def close_quietly(connection: sqlite3.Connection) -> None:
    """Close a connection that may be closed already or belong to another thread."""
    with suppress(sqlite3.Error):
        connection.close()


def _prepare(file: str) -> None:
    """Create folder and file, readable by the user only."""
    folder = os.path.dirname(file)
    try:
        if not os.path.isdir(folder):
            create_folder(folder, 0o700)
        if not os.path.exists(file):
            os.close(os.open(file, os.O_CREAT | os.O_RDWR, 0o600))
    except (OSError, RecursionError, ValueError) as fault:
        why = getattr(fault, "strerror", None) or "the path is not valid"
        what = f"the archive {file}" if os.path.isdir(folder) else f"the folder {folder}"
        raise BadData(f"{what} cannot be created: {why}", cure="Name another with --db") from None
    _must_be_file(file)


def _must_be_file(file: str) -> None:
    """Raise BadData if the path is a folder, pipe or device."""
    if os.path.exists(file) and not os.path.isfile(file):
        what = "a folder" if os.path.isdir(file) else "a pipe or device"
        raise BadData(f"{file} is {what}, not an archive", cure="Name a file with --db")


def check_side_files(file: str) -> None:
    """Raise BadData if a file that SQLite would use beside a database is not one that SQLite wrote there.

    A pipe would block; a journal can make SQLite delete another file, which Companion's own never does.
    """
    journal = (path := os.path.realpath(file)) + "-journal"  # SQLite follows links too
    for beside in (journal, f"{path}-wal", f"{path}-shm"):
        with suppress(OSError):  # there is none
            if not stat.S_ISREG(os.lstat(beside).st_mode):
                raise BadData(f"{beside} is not a plain file, as SQLite makes it", cure=_SIDE_FILE_CURE)
    try:
        with open(journal, "rb") as content:
            content.seek(-len(SUPER_JOURNAL), os.SEEK_END)
            is_super = content.read() == SUPER_JOURNAL
    except OSError:
        return  # there is none, or none that long
    if is_super:
        what = f"{journal} was not written by Companion: opening {os.path.basename(path)} with it would delete another file"
        raise BadData(what, cure=_SIDE_FILE_CURE)


_SIDE_FILE_CURE = "Remove it, or name another file"


def may_write(file: str) -> bool:
    """True if the permissions allow writing to the file and its folder."""
    return os.access(file, os.W_OK) and os.access(os.path.dirname(file), os.W_OK)


def _configure(file: str, connection: sqlite3.Connection, fresh: bool, watch: ProgressCallback) -> sqlite3.Connection:
    """Check the file and set the connection up; close it on failure."""
    try:
        _check_schema(file, connection, fresh, watch)
        mode = connection.execute("PRAGMA journal_mode").fetchone()[0]
        # NORMAL loses acknowledged replies when the power fails; without a WAL FULL may lose the last one
        connection.execute(f"PRAGMA synchronous = {'FULL' if mode == 'wal' else 'EXTRA'}")
        connection.execute(f"PRAGMA journal_size_limit = {WAL_LIMIT}")
    except BaseException:
        connection.close()
        raise
    return connection


def _connect_to_read(file: str) -> sqlite3.Connection:
    """Open a file whose folder is not writable or has no room for the -shm file, or a copy of it in memory."""
    wal = file + "-wal"
    if not os.path.exists(wal) or os.path.getsize(wal) == 0:  # no process is writing
        return open_read_only(file, "&immutable=1")
    try:
        return _verify_readable(open_read_only(file))
    except sqlite3.OperationalError as fault:
        if primary_code(fault) != sqlite3.SQLITE_CANTOPEN or os.path.getsize(file) + os.path.getsize(wal) > limits.ARCHIVE_COPY:
            raise
        return _copy_with_wal(file, wal)


def _copy_with_wal(file: str, wal: str) -> sqlite3.Connection:
    """Return a read-only copy in memory of a file and its -wal, which SQLite reads only where it can write beside them."""
    from shutil import copyfile
    from tempfile import TemporaryDirectory

    copy = sqlite3.connect(IN_MEMORY, isolation_level=None)
    try:
        with TemporaryDirectory() as folder:
            copyfile(file, beside := os.path.join(folder, "copy"))
            copyfile(wal, f"{beside}-wal")
            with closing(_connect(beside)) as source:
                source.backup(copy)
    except OSError:
        raise BadData(f"the archive {file} cannot be opened", cure=f"Copy it together with {wal} elsewhere") from None
    copy.execute("PRAGMA query_only = ON")
    return copy


def open_read_only(file: str, parameters: str = "") -> sqlite3.Connection:
    """Open any SQLite file to read it; raise BadData if it, or a file beside it, is not a plain file."""
    from urllib.parse import quote

    _must_be_file(file)
    check_side_files(file)
    uri = f"file:{quote(os.fsencode(file))}?mode=ro{parameters}"
    return sqlite3.connect(uri, uri=True, timeout=LOCK_TIMEOUT, isolation_level=None)


def connect_read_only(file: str) -> sqlite3.Connection:
    """Open an archive to follow it: writes nothing, and holds no lock between reads.

    Raises:
        BadData: It is no archive of this schema, or cannot be read.
    """
    with player_errors(file):
        try:
            connection = _limit_values(_verify_readable(open_read_only(file)))
        except sqlite3.OperationalError as fault:
            if not _needs_copy(file, fault):
                raise
            connection = _limit_values(_connect_to_read(file))
        version = connection.execute("PRAGMA user_version").fetchone()[0]
    if version < SCHEMA:
        connection.close()
        raise BadData(f"{file} was written by an older Companion", cure="Bring it up to date: companion sessions")
    _check_schema(file, connection, False)
    return connection


def connect_for_check(file: str) -> sqlite3.Connection:
    """Open a file in any state without writing or checking its schema; raise BadData if it cannot be opened."""
    with player_errors(file):
        if os.path.exists(f"{file}-shm"):  # another process may be writing: an immutable read could see half of it
            with suppress(sqlite3.OperationalError):
                return _verify_readable(open_read_only(file))
        return _verify_readable(_connect_to_read(file))


def _verify_readable(connection: sqlite3.Connection) -> sqlite3.Connection:
    """Return the connection if the file can be read at all."""
    try:
        connection.execute("PRAGMA schema_version").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


def connect_with_temp_tables(file: str) -> sqlite3.Connection:
    """Open an archive so that temporary tables can be created, even if the file cannot be written. Raises as `connect`."""
    connection = connect(file)
    connection.execute("PRAGMA query_only = OFF")
    return connection


class Deadline:
    """A context in which a statement that never ends is stopped, as a trigger of a foreign archive can be. It may be nested.

    Attributes:
        has_stopped: True if the deadline stopped the statement that was checked last, on any connection.
    """

    has_stopped = False

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._end = 0.0
        self._depth = 0
        connection.set_progress_handler(self._is_over, _OPCODES)

    def __enter__(self) -> None:
        self._end = time.monotonic() + LONGEST_STATEMENT
        self._depth += 1

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._depth -= 1
        self._end = self._end if self._depth else 0.0
        if isinstance(error, sqlite3.Error) and is_ctrl_c(error):
            raise KeyboardInterrupt from None

    def _is_over(self) -> bool:
        Deadline.has_stopped = time.monotonic() > self._end > 0
        return Deadline.has_stopped


def is_ctrl_c(fault: sqlite3.Error) -> bool:
    """True if Ctrl-C ended the statement: to SQLite, any exception in the progress handler is a request to stop."""
    return primary_code(fault) == sqlite3.SQLITE_INTERRUPT and not Deadline.has_stopped


@contextmanager
def interruptible(connection: sqlite3.Connection) -> Iterator[None]:
    """A context in which Ctrl-C ends the statement that runs on a connection: KeyboardInterrupt is raised."""
    connection.set_progress_handler(_not_over, _OPCODES_TO_CTRL_C)
    try:
        yield
    except sqlite3.Error as fault:
        if not is_ctrl_c(fault):
            raise
        raise KeyboardInterrupt from None
    finally:
        connection.set_progress_handler(None, 0)


def _not_over() -> bool:
    Deadline.has_stopped = False
    return False  # the statement goes on, unless Ctrl-C raises here


def data_version(file: str, connection: sqlite3.Connection) -> int:
    """Return a number that changes with every commit of another connection; raise BadData if the file cannot be read."""
    with player_errors(file):
        return int(connection.execute("PRAGMA data_version").fetchone()[0])


_NAMES = ", ".join(map(repr, TABLES))
_PLAIN = "type = 'table' AND sql LIKE 'CREATE TABLE%'"
_SUSPICIOUS = f"SELECT 1 FROM sqlite_master WHERE name IN ({_NAMES}) AND NOT ({_PLAIN} AND sql NOT LIKE '%as%(%')"
_ODD_TABLES = f"""SELECT name FROM sqlite_master WHERE name IN ({_NAMES}) AND NOT ({_PLAIN})
 UNION SELECT m.name FROM sqlite_master m, pragma_table_xinfo(m.name) x WHERE m.name IN ({_NAMES}) AND x.hidden"""


def odd_tables(connection: sqlite3.Connection) -> list[str]:
    """Return the tables that are a view, a virtual table, or have a generated column: reading them may never end."""
    if not connection.execute(_SUSPICIOUS).fetchone():  # a generated column has AS and a bracket in its text
        return []
    return [row[0] for row in connection.execute(_ODD_TABLES)]


def _check_schema(file: str, connection: sqlite3.Connection, fresh: bool, watch: ProgressCallback = ignore_progress) -> None:
    """Check that the file is an archive, and upgrade it to the current schema."""
    connection.execute("BEGIN")  # one snapshot: another process may be creating the archive
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    ours = connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION
    odd = odd_tables(connection) if ours else ()
    foreign = not (fresh or ours) and connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
    connection.execute("COMMIT")
    if foreign:
        raise BadData(f"{file} is a database of another program", cure="Name another file with --db")
    if odd:
        what = f"{file}: its '{odd[0]}' is not a table as Companion makes it"
        raise BadData(what, cure="Rescue what can be read: companion doctor --repair FILE")
    if version > SCHEMA:
        what = f"{file} was written by a newer Companion (schema {version}, this one knows {SCHEMA})"
        raise BadData(what, cure="Update Companion")
    if version < SCHEMA:
        from sqlite3 import sqlite_version_info

        if sqlite_version_info < (3, 37):
            raise BadData(f"SQLite {sqlite3.sqlite_version} is too old", cure="Use a Python with SQLite 3.37 or newer")
        from companion.session.schema import upgrade

        upgrade(connection, APPLICATION, watch=watch)
