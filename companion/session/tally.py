"""Counts of the games of a series, and the strength of its policies against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.core.statistics import Z95, elo, summarise, wilson
from companion.session.simulation import ERROR, Series, SimulatedGame

MAX_FAULTS = 10
"""Failed games of which number and error are kept."""
MAX_REFUSALS = 10
"""Different refused answers of policies that are kept."""
PAIR = 2
"""Games of a mirrored pair."""


class Estimate(NamedTuple):
    """A value with its 95 % interval; None where it is infinite or unknown."""

    value: float | None
    low: float | None
    high: float | None


class Strength(NamedTuple):
    """The strength of a policy against another in a game for two.

    Attributes:
        first, second: The policies; with their seats if the games are not mirrored, where it is the strength of policy and side.
        units: Pairs of a mirrored series, else games.
        share: The share of games that the first wins; draws count half.
        pairs: The share of pairs in which the first has more VP, ties counting half; None if the games are not mirrored.
        margin: In VP a game.
        elo: What the share of pairs, or else of games, is in Elo.
    """

    first: str
    second: str
    units: int
    share: Estimate
    pairs: Estimate | None
    margin: Estimate
    elo: Estimate


def elo_of(share: Estimate) -> Estimate:
    """Return a share of points in Elo."""
    return Estimate(*(None if part in (None, 0.0, 1.0) else elo(part) for part in share))


def seat_points(result: str, seats: Sequence[str]) -> float:
    """Return the points of the first of two seats: 1, 0, or 1/2 if the result names neither."""
    return {seats[0]: 1.0, seats[1]: 0.0}.get(result, 0.5)


class Tally:
    """Counts the games of a series as they come in, in constant memory.

    Args:
        series: Needed for `strength`.

    Attributes:
        games, failed: The number of games, and of those that failed.
        results: How often each result occurred, without failures.
        scores, turns: How often each value occurred.
        decisions, seconds, refused: Totals.
        faults: The first failures.
        unused: How often each fixed answer was not used for each reason.
        refusals: How often each refused answer occurred, among the first of each game.
        planned: The answers of planned actions, as ``ACTION KEY``, and whether that question ever came.
        times: Processor seconds and decisions by seat and policy; of both seats under "" in a mirrored series.
    """

    def __init__(self, series: Series | None = None) -> None:
        self._seats = tuple(series.policies) if series else ()
        self._policies = tuple(series.names.values()) if series else ()
        self._variants = len(series.variants) if series else 0
        self._halves: dict[int, SimulatedGame] = {}  # by luck, the games whose pair is not complete
        self._points: Counter[float] = Counter()  # the first policy's points of a pair, as a share from 0 to 1
        self._margins: Counter[float] = Counter()  # its margin in a pair
        self.times: dict[tuple[str, str], tuple[float, int]] = {}
        self.games = self.failed = self.decisions = self.refused = 0
        self.seconds = 0.0
        self.results: Counter[str] = Counter()
        self.scores: Counter[float] = Counter()
        self.turns: Counter[float] = Counter()
        self.unused: Counter[str] = Counter()
        self.refusals: Counter[str] = Counter()
        self.planned: dict[str, bool] = {}
        self.faults: list[SimulatedGame] = []

    def add(self, rows: Iterable[SimulatedGame]) -> None:
        """Count more games."""
        for row in rows:
            self.games += 1
            self.decisions += row.decisions
            self.refused += row.refused
            self.unused.update(row.unused)
            if len(self.refusals) < MAX_REFUSALS:
                self.refusals.update(row.refusals)
            self.planned |= {name: asked or self.planned.get(name, False) for name, asked in row.planned}
            self.seconds += row.seconds
            self._add_times(row)
            if row.result == ERROR:
                self.failed += 1
                self.faults += [row] if len(self.faults) < MAX_FAULTS else []
                continue
            self.results[row.result] += 1
            self.turns[row.turns] += 1
            if row.score is not None:
                self.scores[row.score] += 1
                if self._variants == PAIR:
                    self._add_half(row)

    def _add_times(self, row: SimulatedGame) -> None:
        for time in row.times:
            key = ("" if self._variants else time.seat, time.policy)
            seconds, decisions = self.times.get(key, (0.0, 0))
            self.times[key] = seconds + time.seconds, decisions + time.decisions

    def _add_half(self, row: SimulatedGame) -> None:
        """Count a game of a mirrored pair, and the pair if it is complete."""
        luck = (row.number - 1) // PAIR
        other = self._halves.pop(luck, None)
        if other is None:
            self._halves[luck] = row
            return
        straight, swapped = sorted((row, other))
        points = seat_points(straight.result, self._seats) + 1 - seat_points(swapped.result, self._seats)
        self._points[points / PAIR] += 1
        self._margins[((straight.score or 0) - (swapped.score or 0)) / PAIR] += 1

    def never_asked(self) -> list[str]:
        """Return the answers of planned actions, as ``ACTION KEY``, whose question never came in any game."""
        return [name for name, asked in self.planned.items() if not asked]

    def strength(self) -> Strength | None:
        """Return the strength of the first policy against the second; None without two seats, or if no result names a seat."""
        if len(self._seats) != PAIR or not (self.results.keys() & set(self._seats)):
            return None
        if self._variants:
            first, second = self._policies
            points, margins = self._points, self._margins
            pairs_won = sum(count * ((margin > 0) + (margin == 0) / 2) for margin, count in margins.items())
        else:
            first, second = (f"{seat} {policy}" for seat, policy in zip(self._seats, self._policies, strict=True))
            points, margins, pairs_won = Counter(), self.scores, None
            for result, count in self.results.items():
                points[seat_points(result, self._seats)] += count
        count = sum(points.values())
        if not count or not margins:
            return None
        won = sum(share * times for share, times in points.items())
        mean = summarise(margins)
        pairs = None if pairs_won is None else Estimate(pairs_won / count, *wilson(pairs_won, count))
        half = Z95 * mean.error
        margin = Estimate(mean.mean, mean.mean - half, mean.mean + half) if count > 1 else Estimate(mean.mean, None, None)
        share = Estimate(won / count, *wilson(won, count))
        return Strength(first, second, count, share, pairs, margin, elo_of(pairs or share))

    @property
    def completed(self) -> int:
        """The number of games that did not fail."""
        return self.games - self.failed
