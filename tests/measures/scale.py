"""Time the commands over an archive of 1,000 sessions and 1,000,000 rows.

    python -m tests.measures.scale [ROWS] [FILE]

A few games of random players, some with undone entries and notes, are copied many times with different dates. FILE is created if
it is missing, and kept. Each command has a limit in seconds. The instructions of ``status``, counted by valgrind, are compared
with those over an archive of a single session.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from time import perf_counter

from companion.core.policies import RANDOM
from companion.session.database import APPLICATION, TABLES
from companion.session.schema import upgrade
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive

GAMES = ("lzalbany", "fallujah2004", "iraqwar2003", "phantomfury", "fallujahcards")
EACH = 3
"""Different games of each."""
DERIVED = 7
"""The migration that fills the summary tables."""
ROWS = 1_000_000
A_SESSION = 1_000
"""The mean number of log rows a session."""
LIMIT = 1.0
"""Seconds."""
SHARE = 1.2
"""Instructions of ``status`` over a large archive to those over a small one."""
COMMANDS = (
    ["status"],
    ["sessions"],
    ["sessions", "--json"],
    ["stats"],
    ["stats", "lzalbany"],
    ["log", "--grep", "VP"],
    ["--complete", "bash", "companion use l"],
    ["--complete", "bash", "companion do "],
    ["--complete", "bash", "companion answer "],
)
SLOW = (["backup", "copy.sqlite3", "--force"], ["doctor"])
"""Commands with a progress bar."""
NAMES = "SELECT name FROM sessions WHERE name >= 'lz' AND name < 'lz{'"

_COPY = """INSERT INTO log SELECT :new, seq, kind, entry, body,
    strftime('%Y-%m-%dT%H:%M:%SZ', at, '+' || :new || ' days', '+' || (seq * 7) || ' seconds') FROM log WHERE session_id = :old"""
_SESSION = """INSERT INTO sessions SELECT :new, game || '-' || :new, game, scenario, options, seed,
    strftime('%Y-%m-%dT%H:%M:%SZ', created, '+' || :new || ' days'), version, NULL, flags FROM sessions WHERE id = :old"""


def pool(path: str) -> None:
    """Create the games to copy; every third of them is unfinished."""
    with Archive.open(path) as archive:
        for game in GAMES:
            series = make_series(load_game(game), "", {}, {"": RANDOM}, "scale")
            for index in range(1, EACH + 1):
                session = replay_as_session(archive, series, index).session
                session.note("a pause for tea")
                if index == EACH:
                    session.undo(3)
                    session.redo()
                    session.undo(1)


def choice(sizes: dict[int, int]) -> Iterator[int]:
    """Yield sessions without end, alternating long and short ones so that their mean size is A_SESSION."""
    long = [number for number, size in sizes.items() if size >= A_SESSION]
    short = [number for number, size in sizes.items() if size < A_SESSION]
    rows = taken = 0
    while True:
        some = short if rows > taken * A_SESSION else long
        number = some[taken % len(some)]
        taken, rows = taken + 1, rows + sizes[number]
        yield number


def fill(path: str, rows: int = ROWS) -> None:
    """Create an archive of that many rows."""
    pool(path)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        sizes = dict(connection.execute("SELECT session_id, count(*) FROM log GROUP BY session_id").fetchall())
        kept, new = sum(sizes.values()), max(sizes)
        for old in choice(sizes):
            if kept >= rows:
                break
            new, kept = new + 1, kept + sizes[old]
            connection.execute(_SESSION, {"new": new, "old": old})
            connection.execute(_COPY, {"new": new, "old": old})
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def spent(path: str, words: list[str]) -> float:
    """Seconds of a command."""
    env = {**os.environ, "COMPANION_DB": path, "PYTHONPATH": os.getcwd()}
    begun = perf_counter()
    command = [sys.executable, "-m", "companion", *words]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=env, cwd=os.path.dirname(path))
    return perf_counter() - begun


def counted(path: str, folder: str) -> int:
    """Instructions of ``status``."""
    notes = os.path.join(folder, "notes")
    tool = ["valgrind", "--tool=cachegrind", "--cache-sim=no", f"--cachegrind-out-file={notes}"]
    subprocess.run([*tool, sys.executable, "-m", "companion", "status", "--db", path], check=True, capture_output=True)
    with open(notes, encoding="utf-8") as file:
        return int(next(line for line in file if line.startswith("summary:")).split()[1])


def renewed(path: str, folder: str) -> float:
    """Seconds to migrate the archive from the schema without summary tables."""
    old = os.path.join(folder, "old.sqlite3")
    with closing(sqlite3.connect(old, isolation_level=None)) as connection:
        upgrade(connection, APPLICATION, DERIVED - 1)
        connection.execute("PRAGMA synchronous = OFF")
        connection.execute("ATTACH ? AS whole", (path,))
        for table in TABLES:
            connection.execute(f"INSERT INTO main.{table} SELECT * FROM whole.{table}")
    return spent(old, ["sessions"])


def views(path: str) -> Iterator[tuple[str, float]]:
    """Seconds of each view, read for one session."""
    with closing(sqlite3.connect(path)) as connection:
        for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name").fetchall():
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({name})")]
            where = "WHERE session = 'lzalbany-1'" if "session" in columns else "WHERE session_id = 1" * ("session_id" in columns)
            begun = perf_counter()
            connection.execute(f"SELECT * FROM {name} {where}").fetchall()
            yield name, perf_counter() - begun


def told(what: str, value: float, limit: float, unit: str = " s") -> None:
    sys.stdout.write(f"{what}: {value:.2f}{unit} of {limit:g}: {'passed' if value < limit else 'MISSED'}\n")
    sys.stdout.flush()


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else ROWS
    with tempfile.TemporaryDirectory() as folder:
        small = os.path.join(folder, "small.sqlite3")
        large = os.path.abspath(sys.argv[2]) if len(sys.argv) > 2 else os.path.join(folder, "large.sqlite3")
        begun = perf_counter()
        if not os.path.exists(large):
            fill(large, rows)
        sys.stdout.write(f"{os.path.getsize(large) / 1e6:.0f} MB in {perf_counter() - begun:.0f} s\n")
        _alone(large, small)
        for words in COMMANDS:
            told(" ".join(words), spent(large, words), LIMIT)
        for words in SLOW:
            sys.stdout.write(f"{' '.join(words)}: {spent(large, words):.1f} s, with a bar\n")
        sys.stdout.write(f"brought up to date: {renewed(large, folder):.1f} s, with a bar\n")
        for name, seconds in views(large):
            told(name, seconds, LIMIT)
        if shutil.which("valgrind"):
            told("status, instructions", counted(large, folder) / counted(small, folder), SHARE, " times")


def _alone(large: str, small: str) -> None:
    """Copy the last session of an archive into a new archive."""
    with Archive.open(large) as archive, Archive.open(small) as other:
        session = archive.session()
        other.create(session._replace(id=0, parent=0), archive.rows(session.id))


if __name__ == "__main__":
    main()
