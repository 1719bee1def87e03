"""What dice can tell: against published tables, and against every way that a few dice can fall."""

from __future__ import annotations

from itertools import product
from math import factorial, prod

import pytest

from companion.core.statistics import (
    analyse_dice,
    chi_square_bound,
    chi_square_tail,
    dice_needed,
    exact_test,
    power,
    runs,
    streak_probability,
)

PUBLISHED = {
    (1, 0.05): 3.841,
    (2, 0.05): 5.991,
    (5, 0.50): 4.351,
    (5, 0.10): 9.236,
    (5, 0.05): 11.070,
    (5, 0.01): 15.086,
    (5, 0.001): 20.515,
    (9, 0.95): 3.325,
    (9, 0.05): 16.919,
    (9, 0.01): 21.666,
    (30, 0.05): 43.773,
    (100, 0.05): 124.342,
}
"""Degrees of freedom and level -> the chi-square of any printed table."""

NON_CENTRAL = {(5, 0.80): 12.83, (5, 0.90): 16.47, (9, 0.80): 15.65, (9, 0.90): 19.83}
"""Degrees of freedom and power at 5 % -> the non-centrality of the published tables."""


@pytest.mark.parametrize(("degrees", "level"), PUBLISHED)
def test_chi_square_matches_published_tables(degrees: int, level: float) -> None:
    assert chi_square_tail(PUBLISHED[degrees, level], degrees) == pytest.approx(level, abs=2e-4)
    assert chi_square_bound(degrees, level) == pytest.approx(PUBLISHED[degrees, level], abs=6e-4)


@pytest.mark.parametrize(("degrees", "wanted"), NON_CENTRAL)
def test_power_matches_published_tables(degrees: int, wanted: float) -> None:
    sides = degrees + 1
    share = 1.2 / sides
    each = ((share - 1 / sides) ** 2 + degrees * ((1 - share) / degrees - 1 / sides) ** 2) * sides
    dice = round(NON_CENTRAL[degrees, wanted] / each)

    assert power(dice, sides, share) == pytest.approx(wanted, abs=2e-3)
    assert power(dice_needed(sides, share), sides, share) >= 0.8


def test_fair_die_is_rejected_once_in_twenty() -> None:
    assert power(600, 6, 1 / 6) == pytest.approx(0.05)


def every_way(counts: tuple[int, ...]) -> float:
    """The exact test by going through all throws."""
    sides, many = len(counts), sum(counts)

    def ways(some: list[int] | tuple[int, ...]) -> int:
        return factorial(many) // prod(map(factorial, some))

    throws = product(range(sides), repeat=many)
    rarer = sum(ways([throw.count(face) for face in range(sides)]) <= ways(counts) for throw in throws)
    return rarer / float(sides**many)


@pytest.mark.parametrize("counts", [(5, 1, 0, 0), (2, 2, 1, 1), (4, 3, 0), (0, 0, 0, 0, 0, 4), (7, 2), (1, 1, 1, 1, 1, 1)])
def test_exact_test_enumerates_every_outcome(counts: tuple[int, ...]) -> None:
    assert exact_test(counts) == pytest.approx(every_way(counts))


def test_exact_test_and_chi_square_agree_at_the_switch() -> None:
    faces = [1] * 9 + [2] * 6 + [3] * 5 + [4] * 4 + [5] * 3 + [6] * 3
    few, more = analyse_dice(faces), analyse_dice([*faces, 5])

    assert few.exact
    assert not more.exact
    assert few.p == pytest.approx(chi_square_tail(few.chi2, 5), abs=0.1)


def test_dice_are_counted_with_their_mean() -> None:
    found = analyse_dice([1, 2, 2, 6] * 10)

    assert found.counts == (10, 20, 0, 0, 0, 10)
    assert (found.dice, found.mean, found.expected) == (40, 2.75, 3.5)
    assert found.error == pytest.approx((35 / 12 / 40) ** 0.5)
    assert found.chi2 == pytest.approx(((10 - 40 / 6) ** 2 * 2 + (20 - 40 / 6) ** 2 + 3 * (40 / 6) ** 2) / (40 / 6))


def test_ten_faces_from_zero() -> None:
    found = analyse_dice(list(range(10)) * 10, 10, 0)

    assert (found.counts, found.mean, found.expected, found.p) == ((10,) * 10, 4.5, 4.5, 1.0)


def test_runs_match_enumeration() -> None:
    """Mean and variance of Wald and Wolfowitz, by all orders of five low and four high dice."""
    orders = [order for order in product((1, 6), repeat=9) if order.count(6) == 4]
    counted = [runs(order).runs for order in orders]
    mean = sum(counted) / len(counted)
    variance = sum((count - mean) ** 2 for count in counted) / len(counted)

    assert runs(orders[0]).expected == pytest.approx(mean)
    assert variance == pytest.approx(40 * 31 / (81 * 8))


@pytest.mark.parametrize(("dice", "length", "sides"), [(5, 2, 3), (6, 3, 3), (4, 4, 6), (3, 4, 6), (5, 1, 2)])
def test_run_probability_matches_enumeration(dice: int, length: int, sides: int) -> None:
    throws = list(product(range(sides), repeat=dice))
    found = sum(any(len(set(throw[at : at + length])) == 1 for at in range(dice - length + 1)) for throw in throws)

    assert streak_probability(dice, length, sides) == pytest.approx(found / len(throws))
