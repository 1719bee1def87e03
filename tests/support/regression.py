"""Least squares, ridge and logistic regression of rows of numbers, without a library."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

from companion.core.fit import logistic
from tests.support.paired import solved

Row = Sequence[float]


class Linear(NamedTuple):
    """An intercept and a weight for each column."""

    intercept: float
    weights: tuple[float, ...]

    def value(self, row: Row) -> float:
        return self.intercept + sum(weight * cell for weight, cell in zip(self.weights, row, strict=True))

    def chance(self, row: Row) -> float:
        return logistic(self.value(row))


class Scale(NamedTuple):
    """Mean and standard deviation of each column; constant columns have 1 as their deviation."""

    means: tuple[float, ...]
    deviations: tuple[float, ...]

    @classmethod
    def of(cls, rows: Sequence[Row]) -> Scale:
        count = len(rows)
        means = tuple(sum(column) / count for column in zip(*rows, strict=True))
        spreads = (
            sqrt(sum((cell - mean) ** 2 for cell in column) / count)
            for column, mean in zip(zip(*rows, strict=True), means, strict=True)
        )
        return cls(means, tuple(spread if spread > 1e-12 else 1.0 for spread in spreads))

    def apply(self, rows: Sequence[Row]) -> list[list[float]]:
        """Return the rows with mean 0 and deviation 1."""
        return [
            [(cell - mean) / spread for cell, mean, spread in zip(row, self.means, self.deviations, strict=True)] for row in rows
        ]

    def unscaled(self, fitted: Linear) -> Linear:
        """Return a fit to scaled rows as one to the rows themselves."""
        weights = tuple(weight / spread for weight, spread in zip(fitted.weights, self.deviations, strict=True))
        return Linear(fitted.intercept - sum(w * mean for w, mean in zip(weights, self.means, strict=True)), weights)


def _gram(rows: Sequence[Row], targets: Sequence[float], weights: Sequence[float]) -> tuple[list[list[float]], list[float]]:
    """Return the weighted sums of products of columns with each other and with the targets; the first column is 1."""
    width = len(rows[0]) + 1
    matrix = [[0.0] * width for _ in range(width)]
    right = [0.0] * width
    for row, target, weight in zip(rows, targets, weights, strict=True):
        cells = [1.0, *row]
        for index, cell in enumerate(cells):
            scaled = weight * cell
            if scaled:
                right[index] += scaled * target
                line = matrix[index]
                for other in range(index, width):
                    line[other] += scaled * cells[other]
    for index in range(width):
        for other in range(index):
            matrix[index][other] = matrix[other][index]
    return matrix, right


def _with_penalty(matrix: list[list[float]], penalty: float) -> list[list[float]]:
    """Return the matrix with a penalty on every weight but the intercept."""
    return [[cell + penalty * (row == column > 0) for column, cell in enumerate(line)] for row, line in enumerate(matrix)]


def ridge(rows: Sequence[Row], targets: Sequence[float], penalty: float) -> Linear:
    """Return the ridge regression; the penalty is that of columns with deviation 1.

    >>> round(ridge([[0], [1], [2]], [1, 3, 5], 1e-9).value([3]), 6)
    7.0
    """
    scale = Scale.of(rows)
    matrix, right = _gram(scale.apply(rows), targets, [1.0] * len(rows))
    intercept, *weights = solved(_with_penalty(matrix, penalty), right)
    return scale.unscaled(Linear(intercept, tuple(weights)))


def logistic_ridge(rows: Sequence[Row], targets: Sequence[float], penalty: float) -> Linear:
    """Return the logistic regression of targets from 0 to 1 by Newton's method, with a penalty as of `ridge`."""
    scale = Scale.of(rows)
    scaled = scale.apply(rows)
    fitted = Linear(0.0, (0.0,) * len(rows[0]))
    for _ in range(30):
        chances = [fitted.chance(row) for row in scaled]
        spreads = [max(chance * (1 - chance), 1e-6) for chance in chances]
        errors = [(target - chance) / spread for target, chance, spread in zip(targets, chances, spreads, strict=True)]
        matrix, right = _gram(scaled, errors, spreads)
        right = [value - penalty * weight for value, weight in zip(right, (0.0, *fitted.weights), strict=True)]
        step = solved(_with_penalty(matrix, penalty), right)
        size = max(map(abs, step))
        step = [part * min(1.0, 2 / max(size, 1e-12)) for part in step]
        fitted = Linear(fitted.intercept + step[0], tuple(w + s for w, s in zip(fitted.weights, step[1:], strict=True)))
        if size < 1e-8:
            break
    return scale.unscaled(fitted)


class Effect(NamedTuple):
    """The effect of a column, with its standard error."""

    value: float
    error: float


def least_squares(rows: Sequence[Row], targets: Sequence[float]) -> list[Effect]:
    """Return intercept and weights of an ordinary regression with their standard errors.

    Raises:
        ValueError: There are no more rows than columns and the intercept, or a column depends on others.
    """
    width = len(rows[0]) + 1
    if len(rows) <= width:
        raise ValueError(f"{len(rows)} rows for {width} weights")
    matrix, right = _gram(rows, targets, [1.0] * len(rows))
    try:
        weights = solved(matrix, right)
        inverse = [solved(matrix, [float(row == column) for row in range(width)])[column] for column in range(width)]
    except ZeroDivisionError:
        raise ValueError("a column depends on others") from None
    fitted = Linear(weights[0], tuple(weights[1:]))
    rest = sum((target - fitted.value(row)) ** 2 for row, target in zip(rows, targets, strict=True)) / (len(rows) - width)
    return [Effect(weight, sqrt(max(rest * spread, 0.0))) for weight, spread in zip(weights, inverse, strict=True)]


def correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Pearson's correlation; 0 if either is constant.

    >>> round(correlation([1, 2, 3], [2, 4, 7]), 3), correlation([1, 1], [2, 3])
    (0.993, 0.0)
    """
    count = len(first)
    one, other = sum(first) / count, sum(second) / count
    product = sum((a - one) * (b - other) for a, b in zip(first, second, strict=True))
    spread = sqrt(sum((a - one) ** 2 for a in first) * sum((b - other) ** 2 for b in second))
    return product / spread if spread else 0.0
