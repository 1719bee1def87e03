"""Measures the exact odds of a battle of eight against eight to its end.

Three ways, in one run: the enumerator over the real procedures of Fallujah 2004; icepool's ``map`` with
``repeat='inf'`` (skipped where icepool is not installed); and a recurrence written by hand for this one battle. Each is
worked out anew several times, and its shortest time counts. Prints the times and their ratios, and how far the three
results are apart; then the enumerator's time for a battle of mixed units with two strength steps, with and without the
row of hits placed with a look ahead. Times are of the processor, so that other processes count little.

    python -m tests.measures.odds
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import cache
from math import comb
from typing import Any

from companion.core.request import complete_odds
from companion.games.fallujah2004.battles import BattleSolver, battle_odds, chance_of
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Conditions, Fighter
from tests.support.table import Table

SIZE, OURS, THEIRS, CONTACT, ENEMY_CONTACT = 8, 3, 2, 3, 2

EIGHT = Battle(tuple(Fighter(OURS, CONTACT) for _ in range(SIZE)), tuple(Fighter(THEIRS, ENEMY_CONTACT) for _ in range(SIZE)))
MIXED = Battle(
    (*[Fighter(3, 3, 2, 2, 2)] * 2, *[Fighter(4, 2, 2, 2, 1)] * 2, Fighter(4, 2), *[Fighter(2, 3)] * 2, Fighter(1, 4)),
    (*[Fighter(2, 2)] * 4, *[Fighter(3, 2)] * 2, *[Fighter(1, 1)] * 2),
)


def by_companion(name: str, battle: Battle) -> float:
    """P(the Coalition wins), from the procedures."""
    stage = host()
    results = timed(name, lambda: BattleSolver(stage, battle).results())
    return chance_of(results, "won")


def host() -> BattleHost:
    """A battle in a city, where OPFOR stands."""
    table = Table("fallujah2004", "vigilant_resolve")
    return BattleHost(table.game.referee(table.position, table.options), Conditions("urban", "opfor"))


def edge() -> float:
    """P(the Coalition fires first): its die must beat the other by more than the lead, ties go to OPFOR."""
    lead = CONTACT - ENEMY_CONTACT
    return sum(a - b + lead > 0 for a in range(1, 7) for b in range(1, 7)) / 36


def by_hand() -> float:
    """The same by a recurrence that knows only this battle."""

    def hits(dice: int, need: int, most: int) -> list[float]:
        odds = [0.0] * (most + 1)
        for k in range(dice + 1):
            odds[min(k, most)] += comb(dice, k) * (need / 6) ** k * (1 - need / 6) ** (dice - k)
        return odds

    first = edge()

    @cache
    def wins(ours: int, theirs: int) -> float:
        total, stays = 0.0, 0.0
        for k, p in enumerate(hits(ours, OURS, theirs)):
            if k == theirs:
                total += first * p
                continue
            for j, q in enumerate(hits(theirs - k, THEIRS, ours)):
                if (j, k) == (0, 0):
                    stays += first * p * q
                elif j < ours:
                    total += first * p * q * wins(ours - j, theirs - k)
        for j, q in enumerate(hits(theirs, THEIRS, ours)):
            if j == ours:
                continue
            for k, p in enumerate(hits(ours - j, OURS, theirs)):
                if (j, k) == (0, 0):
                    stays += (1 - first) * p * q
                else:
                    total += (1 - first) * p * q * (1.0 if k == theirs else wins(ours - j, theirs - k))
        return total / (1 - stays)

    def anew() -> float:
        wins.cache_clear()
        return wins(SIZE, SIZE)

    return float(timed("by hand", anew))


def by_icepool() -> float | None:
    """The same with icepool, or None where it is not installed."""
    try:
        import icepool
    except ImportError:
        print("icepool is not installed: pip install icepool")
        return None

    def volley(dice: int, need: int) -> Any:
        return dice @ icepool.coin(need, 6) if dice else icepool.Die([0])

    first = sum(a - b + CONTACT - ENEMY_CONTACT > 0 for a in range(1, 7) for b in range(1, 7))

    def round_(ours: int, theirs: int) -> Any:
        if not ours or not theirs:
            return (ours, theirs)

        def we_first(k: int) -> Any:
            left = max(theirs - k, 0)
            return volley(left, THEIRS).map(lambda j: (max(ours - j, 0), left))

        def they_first(j: int) -> Any:
            left = max(ours - j, 0)
            return volley(left, OURS).map(lambda k: (left, max(theirs - k, 0)))

        us = volley(ours, OURS).map(we_first)
        them = volley(theirs, THEIRS).map(they_first)
        return icepool.Die([us, them], times=[first, 36 - first])

    start = icepool.Die([(SIZE, SIZE)])
    ends = timed("icepool", lambda: start.map(round_, star=True, repeat="inf"), times=1)
    return float(ends.map(lambda ours, theirs: int(theirs == 0), star=True).mean())


def timed(name: str, work: Callable[[], Any], times: int = 7) -> Any:
    """The result; the shortest of some times is kept."""
    found = []
    for _ in range(times):
        start = time.process_time()
        result = work()
        found.append(time.process_time() - start)
    TIMES[name] = min(found)
    print(f"{name}: {' ' * (20 - len(name))}{TIMES[name] * 1000:8.2f} ms")
    return result


TIMES: dict[str, float] = {}


def main() -> None:
    results = {"companion": by_companion("companion", EIGHT), "by hand": by_hand(), "icepool": by_icepool()}
    for name, value in results.items():
        print(f"P(Coalition wins), {name}: {value}")
    if "icepool" in TIMES:
        print(f"companion / icepool: {TIMES['companion'] / TIMES['icepool']:.2f}")
    by_companion("mixed, two steps", MIXED)
    stage = host()
    timed("with a look ahead", lambda: complete_odds(battle_odds(stage, MIXED)), times=2)
    for name, limit in (("companion", 5.5), ("with a look ahead", 450.0)):
        print(f"{name} / by hand: {TIMES[name] / TIMES['by hand']:.2f} (limit {limit})")


if __name__ == "__main__":
    main()
