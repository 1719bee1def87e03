"""Time the exact odds of Flooding to its end, Zones of one to four Suspects.

    python -m tests.measures.flooding

Prints processor time, the best of some runs, each from nothing; four Suspects are to take less than 100 ms.
"""

from __future__ import annotations

import sys
import time

from companion.games.phantomfury.odds import flood_results
from companion.games.phantomfury.rules.r13_assault import sample_cup
from companion.games.phantomfury.rules.r13_combat import Scene
from companion.games.phantomfury.state import SUSPECT, Enemy, Fighter
from tests.games.phantomfury.board import Board

RUNS = 5


def spent(suspects: int, ways: float) -> float:
    """Milliseconds, for a squad of CF 6 and a cup of five kinds of counters; ``ways``: the chance of a way out."""
    game = Board().referee
    scene = Scene(Fighter(6), (Enemy(SUSPECT),) * suspects, ways=(ways,), cup=sample_cup(game))
    times = []
    for _ in range(RUNS):
        start = time.process_time()
        flood_results(game, scene)
        times.append(time.process_time() - start)
    return 1000 * min(times)


def main() -> None:
    for suspects in range(1, 5):
        lost, kept = (f"{spent(suspects, ways):.0f}" for ways in (1.0, 0.0))
        sys.stdout.write(f"{suspects} Suspects: {lost} ms where Guerillas get away, {kept} ms where they do not\n")


if __name__ == "__main__":
    main()
