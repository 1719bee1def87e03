"""Measure the cost of a reply without the disk: python -m tests.measures.store [FOLDER]

Prints, each against its limit where it has one: a committed row through the archive over a raw sqlite3 INSERT and commit with
the same pragmas; the rows of an action with the tables that are kept beside the log and without them; from a typed answer to the
next question, beyond that commit; opening a session of 2,000 entries, beyond an empty one. The folder should be on a real disk:
where syncing is free, there is nothing to compare with.
"""

from __future__ import annotations

import json
import os
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable

from companion.core.history import LogRow
from companion.core.resolver import Answers
from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive, Session
from tests.support import tiny

BODY = {"key": "fight", "kind": "roll", "value": [3, 5, 2], "source": "typed", "rule": "16.4"}

EVENTS = [
    {"kind": "said", "text": "three against two", "rule": "16.4"},
    {"kind": "track", "track": "kia", "was": 3, "now": 4, "rule": "16.4", "why": "a hit"},
    {"kind": "moved", "id": "u3", "was": "ford", "now": "lost", "rule": "16.4", "why": "a hit"},
    {"kind": "said", "text": "it is lost", "rule": "16.4"},
]
"""Of one action."""


def clock(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def raw_connection(path: str) -> sqlite3.Connection:
    """A table of the same form with the same triggers, without Companion."""
    with Archive.open(path) as archive:
        archive.create(Session(0, "", "tiny", "day", {}, "7", "", ""))
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def committed(folder: str, count: int = 1500) -> tuple[float, float]:
    """Seconds of a row through the archive and of a raw one, alternately, so that both use the disk alike."""
    raw = raw_connection(os.path.join(folder, "raw.db"))
    ours: list[float] = []
    plain: list[float] = []
    with Archive.open(os.path.join(folder, "ours.db")) as archive:
        session = archive.create(Session(0, "", "tiny", "day", {}, "7", "", ""))

        def bare(seq: int) -> None:
            plain_row(raw, (1, seq, "reply", 1, json.dumps(BODY), "2026-01-02T03:04:05Z"))

        for seq in range(1, count + 1):
            row = LogRow(seq, "reply", 1, BODY, "2026-01-02T03:04:05Z")
            plain.append(clock(lambda seq=seq: bare(seq)))
            ours.append(clock(lambda seq=seq, row=row: archive.append(session.id, seq - 1, [row])))
    raw.close()
    return statistics.median(ours), statistics.median(plain)


def kept_beside(folder: str, sync: str, count: int = 400) -> dict[str, tuple[float, float]]:
    """Seconds of an action's rows with the triggers of the summary tables and without them, alternately."""
    connections = [raw_connection(os.path.join(folder, f"{name}-{sync}.db")) for name in ("with", "without")]
    for connection in connections:
        connection.execute(f"PRAGMA synchronous = {sync}")
    kept = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'log' AND sql LIKE '%AFTER INSERT%'"
    for (name,) in connections[1].execute(kept).fetchall():
        connections[1].execute(f"DROP TRIGGER {name}")
    bodies = {"entry": {"action": "fight", "args": {}}, "reply": BODY, "done": {"events": EVENTS}}
    spent: dict[str, tuple[list[float], list[float]]] = {kind: ([], []) for kind in bodies}
    for number in range(count):
        for at, (kind, body) in enumerate(bodies.items(), 1):
            values = (1, 3 * number + at, kind, number + 1, json.dumps(body), "2026-01-02T03:04:05Z")
            both = list(zip(connections, spent[kind], strict=True))
            for connection, times in both[:: 1 if number % 2 else -1]:
                times.append(clock(lambda connection=connection, values=values: plain_row(connection, values)))
    for connection in connections:
        connection.close()
    return {kind: (statistics.median(some), statistics.median(none)) for kind, (some, none) in spent.items()}


def plain_row(connection: sqlite3.Connection, values: tuple[object, ...]) -> None:
    """A row of the log in a transaction of its own."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO log (session_id, seq, kind, entry, body, at) VALUES (?, ?, ?, ?, ?, ?)", values)
    connection.execute("COMMIT")


def answered(folder: str, count: int = 300) -> float:
    """Seconds from a typed answer to the next question."""
    with Archive.open(os.path.join(folder, "session.db")) as archive:
        session = SessionController.create(archive, "tiny", seed="7", dice="physical", draws="physical")
        spent: list[float] = []
        for _ in range(count):
            session.begin("search", anyway=True)
            spent.append(clock(lambda: session.reply("Gold", anyway=True)))
            session.reply("1")
        return statistics.median(spent)


def opened(folder: str, entries: int) -> float:
    """Seconds to open a session of that many entries and compute its position and question."""
    path = os.path.join(folder, f"long-{entries}.db")
    with Archive.open(path) as archive:
        archive._db.execute("PRAGMA synchronous = OFF")
        session = SessionController.create(archive, "tiny", seed="7", options={"length": "long"})
        while len(session.history.force) < entries:
            session.do("march", Answers(plain=["Blue", "ford"]), anyway=True)
            session.do("fight", Answers([("unit", "Blue"), ("go on", "no")]), anyway=True)
    spent = []
    for _ in range(7):
        with Archive.open(path) as archive:
            spent.append(clock(lambda archive=archive: SessionController.open(archive).position))
    return statistics.median(spent)


def main() -> None:
    GAMES["tiny"] = "tests.support.tiny"
    os.environ["COMPANION_TABLES"] = tiny.TABLES
    with tempfile.TemporaryDirectory(dir=sys.argv[1] if len(sys.argv) > 1 else None) as folder:
        os.environ["COMPANION_CACHE"] = folder
        ours, plain = committed(folder)
        print(f"a committed row: {ours * 1e6:.0f} us, raw {plain * 1e6:.0f} us: {ours / plain:.2f} times (at most 1.15)")
        for sync, where in (("FULL", "on the disk"), ("OFF", "without syncing")):
            for kind, (some, none) in kept_beside(folder, sync).items():
                told = f"{some * 1e6:.0f} us, without {none * 1e6:.0f} us: {some / none:.2f} times"
                print(f"a row '{kind}' {where}, with what is kept beside the log: {told}")
        print(f"from an answer to the next question, beyond the commit: {(answered(folder) - ours) * 1e3:.2f} ms (at most 5)")
        empty, long = opened(folder, 0), opened(folder, 2000)
        print(f"opening 2,000 entries, beyond an empty session: {(long - empty) * 1e3:.0f} ms (at most 200)")


if __name__ == "__main__":
    main()
