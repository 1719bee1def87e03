"""Cups: what is in them, and what the next draw may bring."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.core.position import Piece, Position


def cup_contents(position: Position, cup: str) -> dict[str, int]:
    """How many counters of each name are in the cup, in alphabetical order, so that the order tells nothing."""
    return count_by_name(position.at(cup))


def count_by_name(counters: Iterable[Piece]) -> dict[str, int]:
    """How many counters there are of each name, in alphabetical order."""
    counts: dict[str, int] = {}
    for name in sorted([piece.name for piece in counters]):
        counts[name] = counts.get(name, 0) + 1
    return counts


def seeded_draw(counts: Mapping[str, int], seed: str, index: int) -> str:
    """The name that Companion draws: each counter is as likely as any other.

    >>> [seeded_draw({"blue": 2, "red": 1}, "table", index) for index in range(5)]
    ['red', 'red', 'blue', 'blue', 'blue']
    """
    from companion.core.dice import seeded_number

    return nth_counter(counts, seeded_number(seed, index, 0, sum(counts.values())))


def nth_counter(counts: Mapping[str, int], number: int) -> str:
    """The name of one counter out of so many, counted from 0 through all of them."""
    for name, count in counts.items():
        number -= count
        if number < 0:
            return name
    raise ValueError("an empty cup was drawn from")


def draw_odds(counts: Mapping[str, int], draws: int) -> dict[str, float]:
    """For each name the chance that at least one of them is among ``draws`` counters drawn without return.

    >>> draw_odds({"blue": 2, "red": 3}, draws=2)
    {'blue': 0.7, 'red': 0.9}
    """
    total = sum(counts.values())
    drawn = min(draws, total)
    odds: dict[str, float] = {}
    for name, count in counts.items():
        none = 1.0
        for number in range(drawn):
            none *= (total - count - number) / (total - number)
        odds[name] = 1.0 - none
    return odds
