"""Figures against those of textbooks and papers, and against other ways to the same figure."""

from __future__ import annotations

import random
import statistics
from collections import Counter
from itertools import pairwise

import pytest

from companion.core.statistics import Bin, histogram, quantile, summarise, wilson


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_matches_newcombe(hits: int, of: int, low: float, high: float) -> None:
    """Newcombe, Statistics in Medicine 17 (1998), table I, method 3."""
    assert [round(one, 4) for one in wilson(hits, of)] == [low, high]


def test_wilson_is_bounded_and_symmetric() -> None:
    for of in (1, 2, 7, 400):
        for hits in range(of + 1):
            low, high = wilson(hits, of)
            other = wilson(of - hits, of)
            assert 0 <= low <= hits / of <= high <= 1
            assert (1 - other[1], 1 - other[0]) == pytest.approx((low, high))
    assert wilson(0, 0) == (0, 1)


def test_wilson_solves_its_equation() -> None:
    """At either end the share is just 1.96 standard errors of that end away."""
    low, high = wilson(37, 200)
    for end in (low, high):
        assert abs(37 / 200 - end) / (end * (1 - end) / 200) ** 0.5 == pytest.approx(1.959963985)


@pytest.mark.parametrize("many", [2, 3, 4, 5, 10, 41])
def test_median_matches_the_standard_library(many: int) -> None:
    values = random.Random(many).choices(range(-5, 6), k=many)
    found = summarise(Counter(values))

    assert found.mean == pytest.approx(statistics.fmean(values))
    assert found.error == pytest.approx(statistics.stdev(values) / many**0.5)
    assert [found.lower, found.median, found.upper] == pytest.approx(statistics.quantiles(values, n=4, method="inclusive"))
    assert (found.least, found.greatest) == (min(values), max(values))


def test_one_value_has_no_error() -> None:
    assert summarise({7.5: 1}) == (7.5, 0.0, 7.5, 7.5, 7.5, 7.5, 7.5)
    assert quantile({1: 99, 2: 1}, 0.5) == 1


def test_bins_cover_all_values_once() -> None:
    for least, greatest in ((0, 0), (-3, 4), (-20, 300), (0.5, 12.5), (1e6, 1e9)):
        counts = {least: 2, (least + greatest) / 2: 3, greatest: 4}
        found = histogram(counts, 12)
        assert len(found) <= 12
        assert sum(one.many for one in found) == sum(counts.values())
        assert all(one.high == after.low for one, after in pairwise(found))
        assert found[0].low <= least < found[0].high and found[-1].low <= greatest < found[-1].high
    assert histogram({}) == []
    assert histogram({-7: 1, 22: 1}, 5) == [Bin(-10, 0, 1), Bin(0, 10, 0), Bin(10, 20, 0), Bin(20, 30, 1)]
