"""Time ``companion stats`` over many sessions.

    python -m tests.measures.stats [SESSIONS]

The sessions are games of random players, each copied many times with different dates.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from datetime import UTC, datetime, timedelta
from time import perf_counter

from companion.core.history import LogRow
from companion.core.policies import RANDOM
from companion.session.simulation import make_series, replay_as_session
from companion.session.state import load_game
from companion.session.store import Archive

GAMES = ("lzalbany", "fallujah2004", "iraqwar2003", "phantomfury", "fallujahcards")
EACH = 2
"""Different games of each."""
LIMIT = 3.0
"""Seconds."""


def later(at: str, by: timedelta) -> str:
    """A time of the log moved by a duration."""
    return (datetime.strptime(at, "%Y-%m-%dT%H:%M:%SZ").replace(tzinfo=UTC) + by).strftime("%Y-%m-%dT%H:%M:%SZ")


def fill(path: str, sessions: int) -> None:
    """Create an archive of that many sessions."""
    with Archive.open(path) as archive:
        for game_id in GAMES:
            series = make_series(load_game(game_id), "", {}, {"": RANDOM}, "stats")
            for index in range(1, EACH + 1):
                replay_as_session(archive, series, index)
        made = archive.sessions()
        rows = {one.id: archive.rows(one.id) for one in made}
        for number in range(len(made), sessions):
            one = made[number % len(made)]
            by = timedelta(days=number, seconds=0)
            told = [
                LogRow(row.seq, row.kind, row.entry, row.body, later(row.at, by + timedelta(seconds=7 * row.seq)))
                for row in rows[one.id]
            ]
            archive.create(one._replace(id=0, name=f"{one.game}-{number}"), told, use=False)


def main() -> None:
    sessions = int(sys.argv[1]) if len(sys.argv) > 1 else 500
    with tempfile.TemporaryDirectory() as folder:
        path = os.environ.get("STATS_DB") or os.path.join(folder, "archive.sqlite3")
        if not os.path.exists(path):
            fill(path, sessions)
        size = os.path.getsize(path) / 1e6
        for words in (["stats"], ["stats", "lzalbany"], ["stats", "--json"]):
            begun = perf_counter()
            subprocess.run([sys.executable, "-m", "companion", *words, "--db", path], check=True, stdout=subprocess.DEVNULL)
            taken = perf_counter() - begun
            told = "passed" if taken < LIMIT else "MISSED"
            sys.stdout.write(
                f"{' '.join(words)}: {taken:.2f} s of {LIMIT:.0f} over {sessions} sessions ({size:.0f} MB): {told}\n"
            )


if __name__ == "__main__":
    main()
