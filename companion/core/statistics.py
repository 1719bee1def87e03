"""Statistics: intervals, means and histograms of many games, and tests of fair dice."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, groupby
from math import erfc, exp, factorial, lgamma, log, log10, sqrt

from companion.core.named_tuple import NamedTuple

Z95 = 1.959963984540054  # Standard errors on either side of an estimate that include 95 %


class Bin(NamedTuple):
    """The number of values from ``low`` up to but excluding ``high``."""

    low: float
    high: float
    many: int


class Spread(NamedTuple):
    """Mean with standard error, minimum, quartiles and maximum of some values."""

    mean: float
    error: float
    least: float
    lower: float
    median: float
    upper: float
    greatest: float


def wilson(hits: float, of: int) -> tuple[float, float]:
    """The 95 % interval of a proportion by Wilson's score, valid for few trials and proportions near 0 and 1.

    Trials that count in part, such as draws, vary less than a proportion: for those the interval is on the safe side.

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


def elo(share: float) -> float:
    """The difference in Elo at which a share of the points, between 0 and 1, is expected.

    >>> round(elo(0.5)), round(elo(0.64)), round(elo(10 / 11))
    (0, 100, 400)
    """
    return 400 * log10(share / (1 - share))


def quantile(counts: Mapping[float, int], share: float) -> float:
    """The quantile of a share from 0 to 1, interpolated between neighbouring values.

    >>> [quantile({1: 1, 2: 1, 3: 1, 4: 1}, share) for share in (0.25, 0.5, 0.75)]
    [1.75, 2.5, 3.25]
    """
    target = share * (sum(counts.values()) - 1)
    seen, before = 0, min(counts)
    for value in sorted(counts):
        if target < seen:  # between the last of this value and the first of the next
            return before + (value - before) * (target - (seen - 1))
        seen, before = seen + counts[value], value
        if target <= seen - 1:
            return value
    return before


def summarise(counts: Mapping[float, int]) -> Spread:
    """Mean, error and quartiles of at least one value, given by counts.

    >>> summarise({2: 1, 4: 3, 5: 2, 7: 1, 9: 1})
    Spread(mean=5.0, error=0.7559289460184544, least=2, lower=4, median=4.5, upper=5.5, greatest=9)
    """
    count = sum(counts.values())
    mean = sum(value * count for value, count in counts.items()) / count
    square = sum(count * (value - mean) ** 2 for value, count in counts.items())
    error = (square / (count - 1) / count) ** 0.5 if count > 1 else 0.0
    lower, median, upper = (quantile(counts, share) for share in (0.25, 0.5, 0.75))
    return Spread(mean, error, min(counts), lower, median, upper, max(counts))


def histogram(counts: Mapping[float, int], most: int = 15) -> list[Bin]:
    """The values in at most ``most`` bins of equal width: 1, 2 or 5 times a power of ten.

    >>> histogram({1: 3, 2: 1, 4: 2})
    [Bin(low=1, high=2, many=3), Bin(low=2, high=3, many=1), Bin(low=3, high=4, many=0), Bin(low=4, high=5, many=2)]
    >>> histogram({0: 1, 99: 1}, 10)[-1], len(histogram({0: 1, 100: 1}, 10))
    (Bin(low=90, high=100, many=1), 6)
    """
    if not counts:
        return []
    widths = (factor * int(10**power) for power in range(300) for factor in (1, 2, 5))
    width = next(width for width in widths if max(counts) // width - min(counts) // width < most)
    bins: Counter[int] = Counter()
    for value, count in counts.items():
        bins[int(value // width)] += count
    return [Bin(index * width, (index + 1) * width, bins[index]) for index in range(min(bins), max(bins) + 1)]


def trend(values: Sequence[float]) -> tuple[float, float]:
    """The slope of at least three values by least squares, with its standard error.

    >>> trend([1, 2, 3, 4]), trend([1, 3, 2])[0]
    ((1.0, 0.0), 0.5)
    """
    count, middle = len(values), (len(values) - 1) / 2
    mean = sum(values) / count
    wide = sum((index - middle) ** 2 for index in range(count))
    slope = sum((index - middle) * value for index, value in enumerate(values)) / wide
    left = sum((value - mean - slope * (index - middle)) ** 2 for index, value in enumerate(values))
    return slope, (left / (count - 2) / wide) ** 0.5


LEVEL = 0.05  # P-value below which a sample is reported; one fair sample in twenty is
EXACT = 30  # Maximum number of dice for the exact test; chi-square is accurate beyond
_TINY = 1e-15
_SAME = 1e-9  # Relative difference below which probabilities are equal


class RunsTest(NamedTuple):
    """The order of dice: the number of runs of low or high dice, and the number expected for as many of each, with its p-value.

    ``longest`` is the longest streak of one face, ``as_long`` the probability of such a streak with fair dice.
    """

    runs: int
    expected: float
    p: float
    longest: int
    as_long: float


class DiceSample(NamedTuple):
    """The distribution of some dice: the count of each face from the lowest, and the chi-square statistic.

    ``exact``: the p-value is that of the exact multinomial test.
    """

    counts: tuple[int, ...]
    lowest: int
    mean: float
    expected: float
    error: float
    chi2: float
    p: float
    exact: bool

    @property
    def dice(self) -> int:
        return sum(self.counts)


def analyse_dice(faces: Sequence[int], sides: int = 6, lowest: int = 1) -> DiceSample:
    """Analyse at least one die.

    >>> sample = analyse_dice([1, 2, 3, 4, 5, 6] * 20)
    >>> sample.mean, sample.chi2, sample.p
    (3.5, 0.0, 1.0)
    """
    face_counts = Counter(faces)
    counts = tuple(face_counts[face] for face in range(lowest, lowest + sides))
    dice = sum(counts)
    chi2 = sum((count - dice / sides) ** 2 for count in counts) * sides / dice
    exact = dice <= EXACT
    p = exact_test(counts) if exact else chi_square_tail(chi2, sides - 1)
    mean = sum(face * count for face, count in enumerate(counts, lowest)) / dice
    error = sqrt((sides * sides - 1) / 12 / dice)
    return DiceSample(counts, lowest, mean, lowest + (sides - 1) / 2, error, chi2, p, exact)


def gamma_tail(shape: float, x: float) -> float:
    """The regularised upper incomplete gamma function Q(shape, x), by series or continued fraction (Lentz).

    >>> round(gamma_tail(1.0, 2.0), 12) == round(exp(-2.0), 12)
    True
    """
    if x <= 0:
        return 1.0
    scale = exp(shape * log(x) - x - lgamma(shape))
    return 1.0 - scale * _series(shape, x) if x < shape + 1 else scale * _fraction(shape, x)


def _series(shape: float, x: float) -> float:
    term = total = 1 / shape
    while abs(term) > abs(total) * _TINY:
        shape += 1
        term *= x / shape
        total += term
    return total


def _fraction(shape: float, x: float) -> float:
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    value, number = d, 0
    while abs(c * d - 1) >= _TINY:
        number += 1
        a = -number * (number - shape)
        b += 2
        d = 1 / (a * d + b)
        c = b + a / c
        value *= c * d
    return value


def chi_square_tail(chi2: float, degrees: int) -> float:
    """The probability of at least this chi-square.

    >>> round(chi_square_tail(11.070, 5), 4), round(chi_square_tail(16.919, 9), 4)
    (0.05, 0.05)
    """
    return gamma_tail(degrees / 2, chi2 / 2)


@lru_cache(maxsize=64)
def chi_square_bound(degrees: int, level: float = LEVEL) -> float:
    """The chi-square that is exceeded with this probability.

    >>> round(chi_square_bound(5), 3)
    11.07
    """
    low, high = 0.0, 10.0 * degrees + 100
    while high - low > 1e-10:
        middle = (low + high) / 2
        low, high = (middle, high) if chi_square_tail(middle, degrees) > level else (low, middle)
    return low


def power(dice: int, sides: int, share: float) -> float:
    """The probability that chi-square at 5 % detects a die with one face of probability ``share`` and the others equal.

    >>> [round(power(many, 6, 0.20), 2) for many in (100, 600, 2000)]
    [0.09, 0.35, 0.89]
    """
    fair, rest = 1 / sides, (1 - share) / (sides - 1)
    half = dice * ((share - fair) ** 2 + (sides - 1) * (rest - fair) ** 2) / fair / 2
    bound = chi_square_bound(sides - 1) / 2
    weight, seen, total, number = exp(-half), 0.0, 0.0, 0
    while seen < 1 - 1e-9 and number < 10 * half + 200:
        total += weight * gamma_tail((sides - 1) / 2 + number, bound)
        seen += weight
        number += 1
        weight *= half / number
    return min(total + max(1 - seen, 0.0), 1.0)


@lru_cache(maxsize=64)
def dice_needed(sides: int, share: float, sure: float = 0.8) -> int:
    """The number of dice needed to detect such a die with this probability, to two figures.

    >>> dice_needed(6, 0.20)
    1700
    """
    low, high = 0, 1
    while power(high, sides, share) < sure:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if power(middle, sides, share) < sure else (low, middle)
    scale = int(10 ** max(len(str(high)) - 2, 0))
    return -(-high // scale) * scale


def exact_test(counts: Sequence[int]) -> float:
    """The p-value of the exact multinomial test against a fair die. Samples are enumerated without the order of their faces.

    >>> round(exact_test([9, 1]), 4)  # the two-sided binomial test of nine heads in ten throws
    0.0215
    >>> round(exact_test([2, 0, 0, 0, 0, 0]), 4)  # two dice alike
    0.1667
    """
    log_ways, chances = _all_counts(sum(counts), len(counts))
    as_rare = bisect_right(log_ways, _log_ways(counts) + _SAME)
    return min(chances[as_rare - 1], 1.0)


def _log_ways(counts: Sequence[int]) -> float:
    """The logarithm of the number of orders with these counts."""
    return lgamma(sum(counts) + 1) - sum(lgamma(count + 1) for count in counts)


@lru_cache(maxsize=64)
def _all_counts(dice: int, sides: int) -> tuple[list[float], list[float]]:
    """All possible counts, the rarest first: the logarithm of their orders, and cumulative probability."""
    rows = sorted((_log_ways(parts), _orders(parts)) for parts in _partitions(dice, sides, dice))
    chances = accumulate(orders * exp(log_ways - dice * log(sides)) for log_ways, orders in rows)
    return [log_ways for log_ways, _ in rows], list(chances)


def _orders(parts: Sequence[int]) -> int:
    """The number of ways to assign the counts to faces."""
    total = factorial(len(parts))
    for repeats in Counter(parts).values():
        total //= factorial(repeats)
    return total


def _partitions(total: int, parts: int, most: int) -> Iterator[tuple[int, ...]]:
    """The partitions of a number into so many parts, the largest first."""
    if parts == 1:
        yield (total,)
        return
    for first in range(min(total, most), -(-total // parts) - 1, -1):
        for rest in _partitions(total - first, parts - 1, first):
            yield (first, *rest)


def runs(faces: Sequence[int], sides: int = 6, lowest: int = 1) -> RunsTest:
    """The runs test (Wald and Wolfowitz), and the longest streak of one face.

    >>> runs([1, 6, 1, 6, 1, 6, 1, 6])[:2]
    (8, 5.0)
    """
    high = [face >= lowest + sides / 2 for face in faces]
    count, ups = len(high), sum(high)
    run_count = sum(1 for _ in groupby(high))
    longest = max((len([*streak]) for _, streak in groupby(faces)), default=0)
    pairs = 2 * ups * (count - ups)
    expected = pairs / count + 1 if count else 0.0
    variance = pairs * (pairs - count) / (count * count * (count - 1)) if count > 1 else 0.0
    p = erfc(abs(run_count - expected) / sqrt(2 * variance)) if variance > 0 else 1.0
    return RunsTest(run_count, expected, p, longest, streak_probability(count, longest, sides))


def streak_probability(dice: int, length: int, sides: int = 6) -> float:
    """The probability that so many fair dice have a streak of one face at least this long.

    >>> round(streak_probability(2, 2), 4), round(streak_probability(3, 2), 4)
    (0.1667, 0.3056)
    """
    if length <= 1:
        return 1.0 if dice else 0.0
    if dice < length:
        return 0.0
    rows, reached = [1.0, *[0.0] * (length - 2)], 0.0  # the chance that the row at the end is so long, and none was longer
    for _ in range(dice - 1):
        reached += rows[-1] / sides
        rows = [sum(rows) * (1 - 1 / sides), *(chance / sides for chance in rows[:-1])]
    return reached
