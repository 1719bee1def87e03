"""[7.1] What the faces of a die mean, by the chart; and which rolls a rule can tell apart."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.core.charts import Chart
from companion.core.dice import RollOutcome, pool_outcomes


class Die:
    """The chart of what a die means, each column read once. Of the two results of a column the second is what it counts:
    a hit, a casualty, on target.
    """

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._worth: dict[str, tuple[int, ...]] = {}

    def worth(self, column: str) -> tuple[int, ...]:
        """For each face 1 where it shows what the column counts, else 0."""
        if column not in self._worth:
            results = list(self._chart.columns[column])
            self._worth[column] = tuple(results.index(self._chart.text(face, column)) for face in range(1, 7))
        return self._worth[column]

    def count(self, faces: Sequence[int], column: str) -> int:
        """How many dice show what the column counts."""
        worth = self.worth(column)
        return sum(worth[face - 1] for face in faces)

    def outcomes(self, dice: int, most: int, *columns: str) -> tuple[RollOutcome, ...]:
        """The rolls that differ in what these columns count, each up to ``most``."""
        return _counted(dice, most, tuple(zip(*map(self.worth, columns), strict=True)))


@lru_cache(maxsize=4096)
def _counted(dice: int, most: int, worth: tuple[tuple[int, ...], ...]) -> tuple[RollOutcome, ...]:
    found: dict[tuple[int, ...], RollOutcome] = {}
    for outcome in pool_outcomes((worth,) * dice, 1):
        counts = tuple(min(sum(column), most) for column in zip(*(worth[face - 1] for face in outcome.faces), strict=True))
        known = found.get(counts)
        found[counts] = known._replace(weight=known.weight + outcome.weight) if known else outcome
    return tuple(found.values())
