"""What the games of a series came to, counted as they come in, so that a hundred thousand take no more room than a hundred."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from companion.session.simulating import ERROR, SimulatedGame

MAX_FAULTS = 10
"""Games that failed of which the number and the fault are kept."""


class Tally:
    """The count.

    Attributes:
        games: how many there are; ``failed`` of them.
        results: how often each result came, without those that failed.
        scores, turns: how often each value came.
        decisions, seconds: of all of them together.
        faults: the first that failed.
    """

    def __init__(self) -> None:
        self.games = self.failed = self.decisions = 0
        self.seconds = 0.0
        self.results: Counter[str] = Counter()
        self.scores: Counter[float] = Counter()
        self.turns: Counter[float] = Counter()
        self.faults: list[SimulatedGame] = []

    def add(self, rows: Iterable[SimulatedGame]) -> None:
        """Count some more games in."""
        for row in rows:
            self.games += 1
            self.decisions += row.decisions
            self.seconds += row.seconds
            if row.result == ERROR:
                self._failed(row)
                continue
            self.results[row.result] += 1
            self.turns[row.turns] += 1
            if row.score is not None:
                self.scores[row.score] += 1

    def _failed(self, row: SimulatedGame) -> None:
        self.failed += 1
        if len(self.faults) < MAX_FAULTS:
            self.faults.append(row)

    @property
    def completed(self) -> int:
        """How many did not fail."""
        return self.games - self.failed
