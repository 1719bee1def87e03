"""The file of the archive: how it is opened, raced for, and what its faults are called."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.core.errors import BadData
from companion.session import database
from companion.session.backup import find_damage
from companion.session.store import Archive
from tests.support.commands import companion


def fault(name: str) -> sqlite3.OperationalError:
    found = sqlite3.OperationalError("disk I/O error")
    found.sqlite_errorcode = getattr(sqlite3, name)
    return found


def test_disk_error_does_not_claim_that_nothing_was_saved(tmp_path: Path) -> None:
    """The disk may have taken it before it failed: whoever repeats it without a look does it twice."""
    path = tmp_path / "a.db"
    path.write_bytes(b"SQLite format 3\0")
    said = str(database.sqlite_error(os.fspath(path), fault("SQLITE_IOERR")))

    assert "companion status: it may be kept" in said
    assert "Nothing of this command is kept" not in said


def test_read_error_is_not_called_damage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.db"
    path.write_bytes(b"no archive")
    damaged = str(database.sqlite_error(os.fspath(path), fault("SQLITE_NOTADB")))
    monkeypatch.setattr(database, "_read_error", lambda _: "Input/output error")
    unread = str(database.sqlite_error(os.fspath(path), fault("SQLITE_NOTADB")))

    assert "damaged" in damaged
    assert "a.db-wal" in damaged
    assert ".recover" in damaged
    assert "damaged" not in unread
    assert "Input/output error" in unread


def test_archive_without_wal_is_synced(tmp_path: Path) -> None:
    """After VACUUM INTO, or where the file system has no shared memory."""
    path, copy = tmp_path / "a.db", tmp_path / "b.db"
    with Archive.open(os.fspath(path)) as archive:
        archive._db.execute("VACUUM INTO ?", (os.fspath(copy),))
        assert archive._db.execute("PRAGMA synchronous").fetchone() == (2,)
    with Archive.open(os.fspath(copy)) as archive:
        assert archive._db.execute("PRAGMA journal_mode").fetchone() == ("delete",)
        assert archive._db.execute("PRAGMA synchronous").fetchone() == (3,)


@pytest.mark.slow
def test_concurrent_creation_of_the_archive(tmp_path: Path) -> None:
    """Eight processes wait for one word and open an archive that is not there yet."""
    code = "import sys; from companion.session.store import Archive; sys.stdin.read(1); Archive.open(sys.argv[1]).sessions()"
    for number in range(3):
        path = os.fspath(tmp_path / f"{number}.db")
        command = [sys.executable, "-c", code, path]
        children = [subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(8)]
        for child in children:
            assert child.stdin is not None
            child.stdin.write("x")
            child.stdin.flush()
        assert [child.communicate()[1] for child in children] == [""] * 8
        assert [child.returncode for child in children] == [0] * 8


@pytest.fixture
def half_made(tmp_path: Path) -> Iterator[sqlite3.Connection]:
    """An archive that somebody is making at this very moment: he has the lock, and has written nothing yet."""
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    yield other
    other.close()


def test_concurrent_creator_is_waited_for(tmp_path: Path, half_made: sqlite3.Connection) -> None:
    """SQLite itself does not wait where the journal is changed."""
    done = threading.Timer(0.2, half_made.execute, ["ROLLBACK"])
    done.start()
    with Archive.open(os.fspath(tmp_path / "a.db")) as archive:
        assert archive._db.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert archive.sessions() == []
    done.join()


def test_long_lock_is_reported(tmp_path: Path, half_made: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "LOCK_TIMEOUT", 0.05)
    with pytest.raises(BadData, match="another program holds the archive"):
        Archive.open(os.fspath(tmp_path / "a.db"))


def test_folder_in_place_of_the_archive_is_reported(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="is a folder"):
        Archive.open(os.fspath(tmp_path))


def test_unread_page_is_not_called_damaged(tmp_path: Path) -> None:
    """SQLite says of both that the image is malformed."""
    path = os.fspath(tmp_path / "a.db")
    with Archive.open(path):
        pass
    said = str(database.sqlite_error(path, fault("SQLITE_CORRUPT")))

    assert "cannot be read or written: disk I/O error" in said
    assert "it may be kept" in said


@pytest.mark.parametrize(
    "failing",
    [
        "database disk image is malformed",
        "Page 8: unable to get the page. error code=8458",
        "On tree page 6 cell 2: failed to get page 22",
    ],
)
def test_damage_is_confirmed_by_a_second_read(failing: str) -> None:
    """A disk that fails once makes a sound file look damaged."""

    class Once:
        calls = 0

        def set_progress_handler(self, handler: object, opcodes: int) -> None:
            pass

        def execute(self, sql: str) -> list[tuple[str]]:
            self.calls += 1
            if self.calls == 1 and "page" not in failing:
                raise fault("SQLITE_CORRUPT")
            found = failing if self.calls == 1 else "ok"
            return [] if "foreign" in sql else [(found,)]

    assert find_damage(Once()) == []  # type: ignore[arg-type]


def test_new_folders_are_synced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Otherwise a power failure takes the archive with the folder that it lies in."""
    synced: list[str] = []
    monkeypatch.setattr("companion.session.files.sync_file", synced.append)
    with Archive.open(os.fspath(tmp_path / "deep" / "er" / "a.db")):
        pass

    assert synced == [os.fspath(tmp_path), os.fspath(tmp_path / "deep")]


def test_full_disk_is_called_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite calls it an I/O error where it cannot make the files beside the archive."""
    path = os.fspath(tmp_path / "a.db")
    codes = ("SQLITE_IOERR_SHMSIZE", "SQLITE_READONLY", "SQLITE_CANTOPEN")
    assert not any("is full" in str(database.sqlite_error(path, fault(code))) for code in codes)
    monkeypatch.setattr(database, "_LEAST_ROOM", 10**18)
    assert all("is full" in str(database.sqlite_error(path, fault(code))) for code in codes)


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs a disk of its own")
def test_session_on_a_full_disk_is_shown(tmp_path: Path, tiny_game: str) -> None:
    """On a real file system of 1 MB that is filled to its last page."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], check=False, capture_output=True).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        archive = str(disk / "a.db")
        assert companion("new", "tiny", "--seed", "1", "--name", "patrol", "--db", archive).code == 0
        with (disk / "filler").open("wb", buffering=0) as file, suppress(OSError):
            while True:
                file.write(bytes(4096))
        for look in ("status", "log", "show", "sessions", "stats", "watch", "doctor"):
            assert companion(look, "--db", archive).code == 0, look
        refused = companion("note", "x", "--db", archive)
        assert refused.code == 4 and "is full" in refused.err
        (disk / "filler").unlink()
        assert companion("note", "x", "--db", archive).code == 0
    finally:
        subprocess.run(["umount", disk], check=True)
