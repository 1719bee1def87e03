"""The ground on which commands are run: a folder with an archive and whatever files they write, and what is found in it."""

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
"""What every clock says, so that the same commands write the same bytes."""

ARCHIVE = os.path.join("home", "archive.sqlite3")
_SIDE = ("-wal", "-shm", "-journal", ".history")
_GAMES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "tables")


class State(NamedTuple):
    """What a clean process finds below a folder.

    Attributes:
        faults: whatever is wrong with a file that is there; the text of an error.
        files: of each file by its path what it holds: a session as plain data, or the sum of its bytes.
        litter: half-written files beside those they were to become.
    """

    faults: tuple[str, ...]
    files: Mapping[str, Any]
    litter: tuple[str, ...]


def settle(home: Path, imports: bool = True) -> None:
    """Makes this process one in which every command can be run in a fork: everything is imported, and no clock goes."""
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

    store.utc_now = lambda: NOON  # before anybody takes it over by its name
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


def stand_on(root: str) -> None:
    """Every file that a command writes comes to lie below this folder."""
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


def apart(work: Callable[[], T]) -> tuple[T | None, int]:
    """What a piece of work returns that is done in a fork of this process, and the status that process ended with; None where
    it did not come to return anything.
    """
    read, write = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        code = 1
        try:
            os.close(read)
            told = pickle.dumps(work())
            with os.fdopen(write, "wb") as pipe:
                pipe.write(told)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(code)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        told = pipe.read()
    status = os.waitpid(child, 0)[1]
    return (pickle.loads(told) if told and status == 0 else None), status


def bytes_of(root: Path) -> str:
    """A sum of all that stands in the files below a folder, but what processes share while they run."""
    total = hashlib.sha256()
    for path in sorted(root.rglob("*")):
        if path.suffix != ".sqlite3-shm":
            total.update(f"{path.relative_to(root)}\0".encode())
            total.update(path.read_bytes() if path.is_file() else b"/")
    return total.hexdigest()


def fresh(template: Path, target: Path) -> None:
    """A copy of a folder in the place of whatever is there."""
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(template, target, symlinks=True)


# -- what is found -----------------------------------------------------------------------------------------------------


def found(root: str) -> State:
    """What there is below a folder. Whatever is in it is opened as a command opens it."""
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
            told = os.path.relpath(path, root)
            if name.endswith(_SIDE):
                continue
            if ".part" in name or name.rpartition(".")[2].isdigit():
                litter.append(told)
                continue
            try:
                files[told] = _content(path)
            except Exception as fault:
                faults.append(f"{told}: {type(fault).__name__}: {fault}")
    faults += [f"{told}: {fault}" for told, content in files.items() if isinstance(content, dict) for fault in content["faults"]]
    return State(tuple(faults), files, tuple(litter))


def _content(path: str) -> Any:
    if path.endswith((".sqlite3", ".db")):
        if os.path.getsize(path) == 0:
            return "nothing"
        return archived(path) if path.endswith(".sqlite3") else _rows(path)
    with open(path, "rb") as file:
        content = file.read()
    if path.endswith(".csv") and b"index,".startswith(content[:6]) and b"\n" not in content:
        return "nothing"  # a part of the first line
    if path.endswith(".csv") and content.startswith(b"index,"):
        content = b"\n".join(line.rpartition(b",")[0] if b"," in line else line for line in _timeless(content))
    return hashlib.sha256(content).hexdigest()[:12]


def _timeless(content: bytes) -> list[bytes]:
    """The rows of a series without the seconds that a game took."""
    head, *rows = content.split(b"\n")
    at = head.strip().split(b",").index(b"seconds")
    return [head, *(b",".join(cell for number, cell in enumerate(row.split(b",")) if number != at) for row in rows)]


def _rows(path: str) -> Any:
    """The rows of a series in a table."""
    with sqlite3.connect(path) as connection:
        connection.row_factory = sqlite3.Row
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        played = connection.execute('SELECT * FROM games ORDER BY "index"') if tables else ()
        rows = [dict(row) | {"seconds": 0} for row in played]
        sound = connection.execute("PRAGMA integrity_check").fetchone()[0]
    connection.close()
    return {"faults": [] if sound == "ok" else [sound], "rows": rows} if rows else "nothing"


def archived(path: str) -> Any:
    """Everything that an archive keeps, and of each session where it stands."""
    from companion.session.state import SessionState
    from companion.session.store import Archive

    with Archive.open(path) as archive:
        raw = archive._db
        told: dict[str, Any] = {"faults": [row[0] for row in raw.execute("PRAGMA integrity_check") if row[0] != "ok"]}
        told["faults"] += [f"{row} points nowhere" for row in raw.execute("PRAGMA foreign_key_check")]
        last = archive.last()
        told["last"] = last.name if last else ""
        told["printed"] = raw.execute("SELECT game, key, revision, value, source FROM printed ORDER BY 1, 2, 3").fetchall()
        told["sessions"] = {}
        for info in archive.sessions():
            rows = archive.rows(info.id)
            if [row.seq for row in rows] != list(range(1, len(rows) + 1)):
                told["faults"].append(f"the log of {info.name} has a gap")
            if not rows:
                told["faults"].append(f"the session {info.name} has no log")
                continue
            session = SessionState.open(archive, info)
            if session.broken:
                told["faults"].append(f"{info.name}: {session.broken}")
            told["sessions"][info.name] = standing(session, rows)
    return told


def standing(session: Any, rows: Any) -> Any:
    """A session: who began it, its log, and the question that is open."""
    about = {key: value for key, value in session.info._asdict().items() if key not in ("id", "version")}
    log = [[row.kind, row.entry, dict(row.body)] for row in rows]
    asked = session.pending
    place = hashlib.sha256(repr(session.position).encode()).hexdigest()[:12]
    told = {"about": about, "log": log, "asked": asked and asked.describe(), "position": place}
    return json.loads(json.dumps(told, default=str))


def digest(content: Any) -> str:
    """A short sum of anything found, to be told by."""
    return hashlib.sha256(json.dumps(content, sort_keys=True, default=str).encode()).hexdigest()[:12]
