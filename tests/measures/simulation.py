"""What simulating costs. Run by hand: python -m tests.measures.simulation [GAMES]

Prints how much faster two processes play than one, which should be 1.8 times on a machine with two idle cores; and what memory
a run of GAMES (20,000 without it) takes at its end, against a run of 1,000.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Iterator

from companion.cli.commands.simulate import Way, play
from companion.games import GAMES
from companion.session.simulating import Row, numbers_of, series_of
from companion.session.standing import load_game
from companion.session.workforce import processes
from tests.support import tiny

GAME = "fallujahcards"
FEW = 1_000


def rate(jobs: int, games: int) -> float:
    """Games a second, from the moment at which every process has played one."""
    series = series_of(load_game(GAME), "", {}, {"": "random"}, "speed")
    chunks: Iterator[list[Row]] = processes(series, numbers_of(games), jobs)
    for _ in range(2 * jobs):
        next(chunks)
    begun, done = time.perf_counter(), sum(map(len, chunks))
    return done / (time.perf_counter() - begun)


def memory(games: int) -> tuple[int, int]:
    """Bytes that Python has taken at the most, and the pages of the process, after so many quick games with a file."""
    GAMES["tiny"] = "tests.support.tiny"
    os.environ["COMPANION_TABLES"] = tiny.TABLES
    game = load_game("tiny")
    series = series_of(game, "", {}, {"": "random"}, "memory")
    with tempfile.TemporaryDirectory() as folder:
        tracemalloc.start()
        play(game, series, numbers_of(games), (1, 1), Way(1, ""), os.path.join(folder, "x.csv"))
        most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    with open("/proc/self/statm") as file:
        return most, int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    one, two = rate(1, 600), rate(2, 1_200)
    print(f"two processes: {two / one:.2f} times one (at least 1.8); {one:.0f} and {two:.0f} games of {GAME} a second")
    for many in (FEW, games):
        most, pages = memory(many)
        print(f"{many:,} games: {most / 1e6:.2f} MB at the most by Python's count, {pages / 1e6:.0f} MB of the process")


if __name__ == "__main__":
    main()
