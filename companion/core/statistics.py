"""Figures of many games: how sure a share is, where the middle of the scores lies, and how they spread."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

Z95 = 1.959963984540054
"""Standard errors to either side of a figure, within which it lies with 95 %."""

_NICE = (1, 2, 5)


class Bin(NamedTuple):
    """How many values lie from ``low`` up to but without ``high``."""

    low: float
    high: float
    many: int


class Spread(NamedTuple):
    """The middle of some values: the mean with its standard error, the least, the quartiles and the greatest."""

    mean: float
    error: float
    least: float
    lower: float
    median: float
    upper: float
    greatest: float


def wilson(hits: int, of: int) -> tuple[float, float]:
    """The 95 % interval of a share, by Wilson's score: it holds for few trials and for shares near 0 and 1 too.

    >>> low, high = wilson(81, 263)
    >>> round(low, 4), round(high, 4)
    (0.2553, 0.3662)
    """
    if not of:
        return 0.0, 1.0
    share, z2 = hits / of, Z95 * Z95
    middle = share + z2 / (2 * of)
    apart = Z95 * ((share * (1 - share) + z2 / (4 * of)) / of) ** 0.5
    low, high = (middle - apart) / (1 + z2 / of), (middle + apart) / (1 + z2 / of)
    return (0.0 if not hits else max(low, 0.0)), (1.0 if hits == of else min(high, 1.0))


def quantile(counts: Mapping[float, int], share: float) -> float:
    """The value below which a share of all lies, between two neighbours in proportion.

    Args:
        counts: how often each value came, one at least.
        share: 0 to 1.

    >>> [quantile({1: 1, 2: 1, 3: 1, 4: 1}, share) for share in (0.25, 0.5, 0.75)]
    [1.75, 2.5, 3.25]
    """
    at = share * (sum(counts.values()) - 1)
    seen, before = 0, min(counts)
    for value in sorted(counts):
        if at < seen:  # between the last of the one value and the first of the next
            return before + (value - before) * (at - (seen - 1))
        seen, before = seen + counts[value], value
        if at <= seen - 1:
            return value
    return before


def summarise(counts: Mapping[float, int]) -> Spread:
    """The middle of some values, one at least, given how often each came.

    >>> spread({2: 1, 4: 3, 5: 2, 7: 1, 9: 1})
    Spread(mean=5.0, error=0.7559289460184544, least=2, lower=4, median=4.5, upper=5.5, greatest=9)
    """
    many = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / many
    square = sum(count * (value - mean) ** 2 for value, count in counts.items())
    error = (square / (many - 1) / many) ** 0.5 if many > 1 else 0.0
    lower, median, upper = (quantile(counts, share) for share in (0.25, 0.5, 0.75))
    return Spread(mean, error, min(counts), lower, median, upper, max(counts))


def histogram(counts: Mapping[float, int], most: int = 15) -> list[Bin]:
    """The values in bins of one width, 1, 2 or 5 times a power of ten and 1 at least, as few as ``most``; from the least value
    to the greatest without a gap.

    >>> histogram({1: 3, 2: 1, 4: 2})
    [Bin(low=1, high=2, many=3), Bin(low=2, high=3, many=1), Bin(low=3, high=4, many=0), Bin(low=4, high=5, many=2)]
    >>> histogram({0: 1, 99: 1}, 10)[-1], len(histogram({0: 1, 100: 1}, 10))
    (Bin(low=90, high=100, many=1), 6)
    """
    if not counts:
        return []
    width = _width(min(counts), max(counts), most)
    found: dict[int, int] = {}
    for value, count in counts.items():
        place = int(value // width)
        found[place] = found.get(place, 0) + count
    return [Bin(at * width, (at + 1) * width, found.get(at, 0)) for at in range(min(found), max(found) + 1)]


def _width(least: float, greatest: float, most: int) -> int:
    """The narrowest width with which there are as few bins."""
    widths: Iterator[int] = (nice * int(10**power) for power in range(300) for nice in _NICE)
    return next(width for width in widths if greatest // width - least // width < most)


def trend(values: Sequence[float]) -> tuple[float, float]:
    """By how much values rise from one to the next, by least squares, with the standard error of that; three values at least.

    >>> trend([1, 2, 3, 4]), trend([1, 3, 2])[0]
    ((1.0, 0.0), 0.5)
    """
    many, middle = len(values), (len(values) - 1) / 2
    mean = sum(values) / many
    wide = sum((at - middle) ** 2 for at in range(many))
    slope = sum((at - middle) * value for at, value in enumerate(values)) / wide
    left = sum((value - mean - slope * (at - middle)) ** 2 for at, value in enumerate(values))
    return slope, (left / (many - 2) / wide) ** 0.5
