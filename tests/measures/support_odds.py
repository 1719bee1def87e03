"""Time the exact odds of a ground combat at the question for air support, both sides flying.

    python -m tests.measures.support_odds

The attacker has an escorted A-10 under anti-air fire; each of Iraq's units that is ready is weighed against it, on the chart of
the made-up set. Prints the shortest and the median of several runs in milliseconds (limit 100).
"""

from __future__ import annotations

import statistics
import sys
import time

from tests.games.iraqwar2003.field import attack, operations

RUNS = 25


def main() -> None:
    table = operations(anti_air_unit="on")
    attack(table, "173", "51M", "support=A-10+F-15", "aa_unit=yes", "counter=none", dice=[6, 3])
    request = next(one for one in table.asked if one.key == "counter")
    assert request.odds
    times = []
    for _ in range(RUNS):
        start = time.perf_counter()
        odds = request.odds()
        times.append(1000 * (time.perf_counter() - start))
    columns = odds.notes[0].count("-")
    sys.stdout.write(f"{columns} columns: {min(times):.1f} ms at best, {statistics.median(times):.1f} ms median (limit 100)\n")


if __name__ == "__main__":
    main()
