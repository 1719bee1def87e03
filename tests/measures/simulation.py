"""What simulating costs. Run by hand: python -m tests.measures.simulation [GAMES] [GAME...]

Prints for each game (or those that are named) how many times as fast two processes play as one, which should be 1.8 times on a
machine with two idle cores; and what memory a run of GAMES (20,000 without it; 0: none) takes at its end, against one of 1,000.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Generator
from typing import cast

from companion.cli.commands.simulate import Way, play
from companion.games import GAMES
from companion.session.simulating import MOST_GAMES, Row, numbers_of, series_of
from companion.session.standing import load_game
from companion.session.workforce import processes
from tests.support import tiny

FEW = 1_000
LONG = 15.0
"""Seconds for which is counted."""


def rate(game: str, jobs: int) -> float:
    """Decisions a second, from the moment at which every process has played its first games."""
    series = series_of(load_game(game), "", {}, {"": "random"}, "speed")
    chunks = cast(Generator[list[Row], None, None], processes(series, numbers_of(MOST_GAMES), jobs))
    for _ in range(4 * jobs):
        next(chunks)
    begun, now, done = time.perf_counter(), 0.0, 0
    while now < LONG:
        done += sum(row.decisions for row in next(chunks))
        now = time.perf_counter() - begun
    chunks.close()
    return done / now


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
    for game in sys.argv[2:] or list(GAMES):
        one, two = rate(game, 1), rate(game, 2)
        print(f"{game}: two processes {two / one:.2f} times one (at least 1.8); {one:,.0f} and {two:,.0f} decisions a second")
    for many in (FEW, games) if games else ():
        most, pages = memory(many)
        print(f"{many:,} games: {most / 1e6:.2f} MB at the most by Python's count, {pages / 1e6:.0f} MB of the process")


if __name__ == "__main__":
    main()
