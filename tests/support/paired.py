"""Statistics of pairs of games: a sequential test whether one policy beats another, and ratings by maximum likelihood."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from companion.core.statistics import Z95

TINY_COUNT = 1e-3
"""Pairs that a score counts for which has not occurred, so that the likelihoods exist."""


class Test(NamedTuple):
    """A sequential test of the expected score of a pair, from 0 to 1: `low` against `high`.

    Attributes:
        error: The probability of either wrong decision, about.
    """

    __test__ = False  # no test of pytest's

    low: float = 0.5
    high: float = 0.55
    error: float = 0.05

    @property
    def bound(self) -> float:
        """The log-likelihood ratio at which the test ends, on either side (Wald)."""
        return log((1 - self.error) / self.error)

    def ratio(self, counts: Mapping[float, float]) -> float:
        """Return the generalised log-likelihood ratio of `high` over `low`, by the number of pairs of each score.

        The frequencies of the scores are fitted under either hypothesis, as in tests of chess engines. Without draws it is the
        ratio of Wald's test of a coin.

        >>> test = Test(0.5, 0.6)
        >>> abs(test.ratio({0.0: 40, 1.0: 60}) - (60 * log(1.2) + 40 * log(0.8))) < 0.01
        True
        """
        if not counts:
            return 0.0
        whole = {score: max(counts.get(score, 0), TINY_COUNT) for score in {0.0, 0.5, 1.0, *counts}}
        low, high = fitted_frequencies(whole, self.low), fitted_frequencies(whole, self.high)
        return sum(count * log(high[score] / low[score]) for score, count in whole.items())

    def decide(self, counts: Mapping[float, float]) -> str:
        """Return ``high`` or ``low``, or "" while the test is not decided."""
        ratio = self.ratio(counts)
        return "high" if ratio >= self.bound else "low" if ratio <= -self.bound else ""


def fitted_frequencies(counts: Mapping[float, float], mean: float) -> dict[float, float]:
    """Return the likeliest frequencies of scores whose mean is given, by empirical likelihood.

    >>> fitted = fitted_frequencies({0.0: 30, 0.5: 20, 1.0: 50}, 0.5)
    >>> round(sum(score * share for score, share in fitted.items()), 6), round(sum(fitted.values()), 6)
    (0.5, 1.0)
    """
    total = sum(counts.values())
    parts = [(score - mean, count / total) for score, count in counts.items()]
    low, high = -1 / (max(counts) - mean), 1 / (mean - min(counts))  # every weight is positive between
    tilt = 0.0
    for _ in range(100):  # Newton's method inside the bracket
        terms = [(share * apart / (1 + tilt * apart), apart / (1 + tilt * apart)) for apart, share in parts]
        slope = sum(term for term, _ in terms)
        low, high = (tilt, high) if slope > 0 else (low, tilt)
        step = slope / sum(term * factor for term, factor in terms)
        if abs(step) < 1e-12:
            break
        tilt = tilt + step if low < tilt + step < high else (low + high) / 2
    return {score: share / (1 + tilt * apart) for score, (apart, share) in zip(counts, parts, strict=True)}


class Encounter(NamedTuple):
    """The points of a policy against another in some pairs; a draw is half a point."""

    first: str
    second: str
    points: float
    pairs: int

    @property
    def is_one_sided(self) -> bool:
        return self.points in (0, self.pairs)


class Rating(NamedTuple):
    """Elo with its 95 % interval; an end is None where nothing bounds it, because one side won every pair."""

    elo: float
    low: float | None
    high: float | None


def ratings(encounters: Sequence[Encounter], anchor: str) -> dict[str, Rating]:
    """Return the ratings by maximum likelihood (Bradley and Terry), with the anchor at 0.

    Intervals are from the observed information, which is on the safe side where there are draws. Where one side won every pair,
    one drawn pair more is assumed. Policies without a path of encounters to the anchor are left out.
    """
    met = [one for one in encounters if one.pairs]
    names = _connected(met, anchor)
    met = [one._replace(points=one.points + 0.5, pairs=one.pairs + 1) if one.is_one_sided else one for one in met]
    met = [one for one in met if one.first in names and one.second in names]
    free = [name for name in names if name != anchor]
    place = {name: index for index, name in enumerate(free)}
    value = dict.fromkeys(names, 0.0)
    information: list[list[float]] = []
    for _ in range(200):
        information = [[0.0] * len(free) for _ in free]
        slope = [0.0] * len(free)
        for first, second, points, pairs in met:
            expected = 1 / (1 + exp(value[second] - value[first]))
            weight = pairs * expected * (1 - expected)
            ends = [(place[name], sign) for name, sign in ((first, 1), (second, -1)) if name in place]
            for row, sign in ends:
                slope[row] += sign * (points - pairs * expected)
                for column, other in ends:
                    information[row][column] += sign * other * weight
        step = solved(information, slope)
        size = max(map(abs, step), default=0.0)
        for name, index in place.items():
            value[name] += step[index] * min(1.0, 1 / max(size, 1e-12))  # steps of at most 1 for stability
        if size < 1e-10:
            break
    sure = _connected([one for one in encounters if one.pairs and not one.is_one_sided], anchor)
    return {name: _rating(name, anchor, value, place, information, name in sure) for name in names}


_ELO = 400 / log(10)


def _rating(
    name: str, anchor: str, value: Mapping[str, float], place: Mapping[str, int], information: list[list[float]], is_bounded: bool
) -> Rating:
    if name == anchor:
        return Rating(0.0, 0.0, 0.0)
    unit = [float(index == place[name]) for index in range(len(place))]
    half = Z95 * sqrt(solved(information, unit)[place[name]]) * _ELO
    elo = value[name] * _ELO
    if is_bounded:
        return Rating(elo, elo - half, elo + half)
    return Rating(elo, None, elo + half) if elo < 0 else Rating(elo, elo - half, None)


def _connected(encounters: Sequence[Encounter], anchor: str) -> list[str]:
    """Return the anchor and the policies that a path of encounters connects with it."""
    names, grown = [anchor], True
    while grown:
        grown = False
        for one in encounters:
            if (one.first in names) != (one.second in names):
                names.append(one.second if one.first in names else one.first)
                grown = True
    return names


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve linear equations by Gauss with pivots.

    >>> solved([[2, 1], [1, 3]], [3, 5])
    [0.8, 1.4]

    Raises:
        ZeroDivisionError: The matrix is singular.
    """
    rows = [[*map(float, row), float(value)] for row, value in zip(matrix, right, strict=True)]
    count = len(rows)
    for column in range(count):
        pivot = max(range(column, count), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        top = rows[column]
        for row in range(column + 1, count):
            factor = rows[row][column] / top[column]
            if factor:
                rows[row] = [value - factor * upper for value, upper in zip(rows[row], top, strict=True)]
    result = [0.0] * count
    for row in range(count - 1, -1, -1):
        rest = sum(rows[row][column] * result[column] for column in range(row + 1, count))
        result[row] = (rows[row][count] - rest) / rows[row][row]
    return result
