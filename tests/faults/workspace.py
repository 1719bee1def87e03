"""The folder in which commands run: set-up, and reading of the archive and other files left in it."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import shutil
import sqlite3
import sys
import traceback
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from companion.games import GAMES
from tests.support import tiny

T = TypeVar("T")

NOON = "2026-01-01T12:00:00Z"
"""The time of every clock, so that the same commands write the same bytes."""

ARCHIVE = os.path.join("home", "archive.sqlite3")
_SIDE = ("-wal", "-shm", "-journal", ".history")
_MAN_PAGE = "companion.1"
"""A name that ends in a number, as otherwise only temporary files have."""
_GAMES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "tables")


class State(NamedTuple):
    """What a clean process reads in a folder.

    Attributes:
        faults: Errors found in files.
        files: The content of each file by its path: a session as plain data, or a checksum.
        litter: Temporary files that were not removed.
    """

    faults: tuple[str, ...]
    files: Mapping[str, Any]
    litter: tuple[str, ...]


def prepare_process(home: Path, imports: bool = True) -> None:
    """Import everything and stop the clock, so that commands can run in forks of this process."""
    tables = home / "tables"
    tables.mkdir(exist_ok=True)
    for game, folder in (("tiny", tiny.TABLES), *((name, _GAMES) for name in GAMES)):
        if not (tables / game).exists():
            (tables / game).symlink_to(os.path.join(folder, game))
    GAMES["tiny"] = "tests.support.tiny"
    os.environ.update(COMPANION_TABLES=str(tables), COMPANION_CACHE=str(home / "cache"), COLUMNS="80", LC_ALL="C.UTF-8")
    for name in ("NO_COLOR", "COMPANION_DEBUG", "COMPANION_CLUSTER"):
        os.environ.pop(name, None)
    from companion.session import store

    store.utc_now = lambda: NOON  # before other modules import it by name
    from companion.session import controller

    controller.random_seed = lambda: "7"
    if imports:
        _import_all()


def _import_all() -> None:
    import pkgutil
    from importlib import import_module

    import companion

    for module in pkgutil.walk_packages(companion.__path__, "companion."):
        parts = module.name.split(".")
        if parts[:2] != ["companion", "games"] and parts[-1] != "__main__":
            import_module(module.name)


def enter(root: str) -> None:
    """Redirect every file that a command writes to a folder."""
    os.environ.update(
        COMPANION_DB=os.path.join(root, ARCHIVE),
        COMPANION_CONFIG=os.path.join(root, "config.toml"),
        COMPANION_GAMES=os.path.join(root, "games"),
        XDG_DATA_HOME=os.path.join(root, "data"),
        XDG_CONFIG_HOME=os.path.join(root, "settings"),
        TMPDIR=os.path.join(root, "tmp"),
    )
    import tempfile

    tempfile.tempdir = None
    os.makedirs(os.path.join(root, "tmp"), exist_ok=True)
    os.chdir(root)


def run_in_fork(work: Callable[[], T]) -> tuple[T | None, int]:
    """Call a function in a fork of this process; its result, or None if it did not return, and the exit status."""
    read, write = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            pickled = pickle.dumps(work())
            with os.fdopen(write, "wb") as pipe:
                pipe.write(pickled)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        pickled = pipe.read()
    status = os.waitpid(child, 0)[1]
    return (pickle.loads(pickled) if pickled and status == 0 else None), status


def checksum(root: Path) -> str:
    """A checksum of all files in a folder except shared memory."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix != ".sqlite3-shm":
            total.update(f"{path.relative_to(root)}\0".encode())
            total.update(path.read_bytes() if path.is_file() else b"/")
    return total.hexdigest()


def copy_folder(template: Path, target: Path) -> None:
    """Replace a folder by a copy of another."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(template, target, symlinks=True)


# -- reading -----------------------------------------------------------------------------------------------------


def read_state(root: str) -> State:
    """The content of a folder; archives are opened as a command opens them."""
    faults: list[str] = []
    files: dict[str, Any] = {}
    litter: list[str] = []
    for folder, folders, names in os.walk(root):
        folders.sort()
        if os.path.relpath(folder, root) == "tmp":
            folders.clear()
            continue
        if ".part" in os.path.basename(folder) or os.path.basename(folder).startswith("."):
            folders.clear()
            litter.append(os.path.relpath(folder, root))
            continue
        for name in sorted(names):
            path = os.path.join(folder, name)
            relative = os.path.relpath(path, root)
            if name.endswith(_SIDE):
                continue
            if ".part" in name or (name.rpartition(".")[2].isdigit() and name != _MAN_PAGE):
                litter.append(relative)
                continue
            try:
                files[relative] = _content(path)
            except Exception as fault:
                faults.append(f"{relative}: {type(fault).__name__}: {fault}")
    faults += [
        f"{relative}: {fault}" for relative, content in files.items() if isinstance(content, dict) for fault in content["faults"]
    ]
    return State(tuple(faults), files, tuple(litter))


def _content(path: str) -> Any:
    if path.endswith((".sqlite3", ".db")):
        if os.path.getsize(path) == 0:
            return "nothing"
        return read_archive(path) if path.endswith(".sqlite3") else _rows(path)
    with open(path, "rb") as file:
        content = file.read()
    if path.endswith(".csv") and b"index,".startswith(content[:6]) and b"\n" not in content:
        return "nothing"  # a part of the first line
    if path.endswith(".csv") and content.startswith(b"index,"):
        content = b"\n".join(line.rpartition(b",")[0] if b"," in line else line for line in _timeless(content))
    return hashlib.sha256(content).hexdigest()[:12]


def _timeless(content: bytes) -> list[bytes]:
    """The rows of a series without the column of seconds."""
    head, *rows = content.split(b"\n")
    at = head.strip().split(b",").index(b"seconds")
    return [head, *(b",".join(cell for number, cell in enumerate(row.split(b",")) if number != at) for row in rows)]


def _rows(path: str) -> Any:
    """The content of a series in a database."""
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        played = connection.execute('SELECT * FROM games ORDER BY "index"') if tables else ()
        rows = [dict(row) | {"seconds": 0} for row in played]
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    return {"faults": [] if sound == "ok" else [sound], "rows": rows} if rows else "nothing"


def read_archive(path: str) -> Any:
    """The content of an archive and the state of each session."""
    from companion.session.state import SessionState
    from companion.session.store import Archive

    with Archive.open(path) as archive:
        raw = archive._db
        content: dict[str, Any] = {"faults": [row[0] for row in raw.execute("PRAGMA integrity_check") if row[0] != "ok"]}
        content["faults"] += [f"{row} points nowhere" for row in raw.execute("PRAGMA foreign_key_check")]
        last = archive.last()
        content["last"] = last.name if last else ""
        content["printed"] = raw.execute("SELECT game, key, revision, value, source FROM printed ORDER BY 1, 2, 3").fetchall()
        content["sessions"] = {}
        for info in archive.sessions():
            rows = archive.rows(info.id)
            if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
                content["faults"].append(f"the log of {info.name} has a gap")
            if not rows:
                content["faults"].append(f"the session {info.name} has no log")
                continue
            session = SessionState.open(archive, info)
            if session.broken:
                content["faults"].append(f"{info.name}: {session.broken}")
            content["sessions"][info.name] = session_content(session, rows)
    return content


def session_content(session: Any, rows: Any) -> Any:
    """A session as plain data: its description, log, open question and position."""
    about = {key: value for key, value in session.info._asdict().items() if key not in ("id", "version")}
    log = [[row.kind, row.entry, dict(row.body)] for row in rows]
    asked = session.pending
    place = hashlib.sha256(repr(session.position).encode()).hexdigest()[:12]
    content = {"about": about, "log": log, "asked": asked and asked.describe(), "position": place}
    return json.loads(json.dumps(content, default=str))


def digest(content: Any) -> str:
    """A short checksum of plain data."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:12]
