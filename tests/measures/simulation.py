"""What simulating costs. Run by hand: python -m tests.measures.simulation [GAMES] [GAME...]

Prints for each game (or those that are named) how many times as fast two processes play as one, which should be 1.8 times on a
machine with two idle cores. A busy machine cannot tell that; there the processor's time says what it would be: how many
decisions each of the two makes in a second of its core, less what handing out games and gathering rows takes. Then the memory
that a run of GAMES (20,000 without it; 0: none) takes at its end, against one of 1,000.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
import tracemalloc
from collections.abc import Generator
from typing import NamedTuple, cast

from companion.cli.commands.simulate import Workers, play_series
from companion.games import GAMES
from companion.session.simulation import MAX_GAMES, SimulatedGame, make_series, shard_numbers
from companion.session.state import load_game
from companion.session.worker_pool import processes
from tests.support import tiny

FEW = 1_000
LONG = 15.0
"""Seconds for which is counted."""


class Rate(NamedTuple):
    """Decisions a second by the clock on the wall, and of a second of the players' cores; and what the process that hands out the
    games takes of its own core in that time.
    """

    wall: float
    core: float
    share: float


def rate(game: str, jobs: int) -> Rate:
    """How fast so many processes play, from the moment at which each has played its first games."""
    series = make_series(load_game(game), "", {}, {"": "random"}, "speed")
    chunks = cast(Generator[list[SimulatedGame], None, None], processes(series, shard_numbers(MAX_GAMES), jobs))
    for _ in range(4 * jobs):
        next(chunks)
    begun, own, now, done, played = time.perf_counter(), time.process_time(), 0.0, 0, 0.0
    while now < LONG:
        rows = next(chunks)
        done += sum(row.decisions for row in rows)
        played += sum(row.seconds for row in rows)
        now = time.perf_counter() - begun
    share = (time.process_time() - own) / played
    chunks.close()
    return Rate(done / now, done / played, share)


def memory(games: int) -> tuple[int, int]:
    """Bytes that Python has taken at the most, and the pages of the process, after so many quick games with a file."""
    GAMES["tiny"] = "tests.support.tiny"
    os.environ["COMPANION_TABLES"] = tiny.TABLES
    game = load_game("tiny")
    series = make_series(game, "", {}, {"": "random"}, "memory")
    with tempfile.TemporaryDirectory() as folder:
        tracemalloc.start()
        play_series(game, series, shard_numbers(games), (1, 1), Workers(1, ""), os.path.join(folder, "x.csv"))
        most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    with open("/proc/self/statm") as file:
        return most, int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    games = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    for game in sys.argv[2:] or list(GAMES):
        one, two = rate(game, 1), rate(game, 2)
        gain = 2 * two.core / one.core / (1 + two.share)
        print(f"{game}: two processes {two.wall / one.wall:.2f} times one (at least 1.8), {gain:.2f} by the processor's time")
        print(f"  {one.wall:,.0f} and {two.wall:,.0f} decisions a second, handing out takes {two.share:.2%} of what playing does")
    for many in (FEW, games) if games else ():
        most, pages = memory(many)
        print(f"{many:,} games: {most / 1e6:.2f} MB at the most by Python's count, {pages / 1e6:.0f} MB of the process")


if __name__ == "__main__":
    main()
