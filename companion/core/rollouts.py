"""Compare candidates of a decision by rollouts: games played on from each of them in the same sampled worlds.

A procedure that decides for an automated side awaits `RolloutDecision` with its candidates, the preferred one first. The
result is stored with the entry, so that a replay runs no rollouts. Without rollouts the first candidate is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import closing

from companion.core.candidates import Recommendation, describe_gap, is_alike
from companion.core.hints import Any, TypeVar
from companion.core.named_tuple import NamedTuple
from companion.core.procedures import Effect, Enough, ProgressCallback, ResolvedReply, Thinking, ignore_progress
from companion.core.text import signed
from companion.core.values import ReplyValue

D = TypeVar("D")


class Level(NamedTuple):
    """A level of play: the multiple of the usual playouts, the percentage of decisions that take another candidate, and the
    seconds after which a decision in a session ends with the best so far.

    The slips are those within an action; for actions see ``Players.slip_percent``.
    """

    times: int
    slips: int
    seconds: float


LEVEL = "level"  # The option that sets the level
EASY, NORMAL, HARD = "easy", "normal", "hard"
LEVELS = {EASY: Level(0, 35, 0.0), NORMAL: Level(1, 0, 1.0), HARD: Level(5, 0, 5.0)}


def level_of(options: Mapping[str, str], seat: str = "") -> Level:
    """The level of play in a session; the usual one if the game has no such option.

    The option of the seat, if given, may set the level instead, so that levels can be compared.

    >>> level_of({"level": "hard", "us": "easy"}, "us").slips, level_of({"level": "hard", "us": "player"}, "us").times
    (35, 5)
    """
    own = LEVELS.get(options.get(seat, ""))
    return own or LEVELS.get(options.get(LEVEL, ""), LEVELS[NORMAL])


class Outcome(NamedTuple):
    """How a playout ended: its value in VP for the side that decides, and that side's chance to win (None: nobody wins)."""

    value: float
    win: float | None = None


Play = Callable[[int, int], Outcome]
"""Plays on from a candidate in a world, both given by number."""
Spread = Callable[[Play, Sequence[tuple[int, int]]], Generator[Outcome]]
"""Runs playouts, given by candidate and world, and returns their outcomes in order."""


def in_turn(play: Play, tasks: Sequence[tuple[int, int]]) -> Generator[Outcome]:
    """Run playouts one after the other."""
    for task in tasks:
        yield play(*task)


class Prior(NamedTuple):
    """What is believed of the candidates before any playout: the value of each in VP, and how many worlds that is worth.

    Only differences between the values count.
    """

    values: Sequence[float] = ()
    worlds: float = 0.0


NO_PRIOR = Prior()


class CandidateStats(NamedTuple):
    """The rollouts of one candidate, in VP for the side that decides.

    ``lead`` is over the first candidate, ``gap`` the difference to the chosen one (None in old entries), in the same worlds.
    ``win`` is the chance to win from 0 to 1; None in old entries, and where nobody wins. ``win_gap`` is its difference to that of
    the chosen candidate, likewise in the same worlds.
    """

    name: str
    mean: float
    error: float
    lead: float
    lead_error: float
    playouts: int
    gap: float | None = None
    gap_error: float = 0.0
    win: float | None = None
    win_error: float = 0.0
    win_gap: float | None = None
    win_gap_error: float = 0.0


class DecisionStats(NamedTuple):
    """The index of the chosen candidate and the statistics of each in their order; none without rollouts.

    ``is_relative``: the means are relative to the value of the current position.
    """

    choice: int
    rows: tuple[CandidateStats, ...] = ()
    is_relative: bool = False

    def relative_to(self, value: float) -> DecisionStats:
        """The same with a baseline subtracted from every mean."""
        rows = tuple([row._replace(mean=row.mean - value) for row in self.rows])
        return DecisionStats(self.choice, rows, is_relative=True) if value else self

    def explain(self) -> tuple[str, ...]:
        """The explanation for ``why``: value, what decided, what was passed over and by how much."""
        if not self.rows:
            return ()
        first, best = self.rows[0], self.rows[self.choice]
        value = f"{best.name}: {signed(best.mean, 1)} VP (+-{best.error:.1f}) by {best.playouts} playouts, points and prospects"
        value += ", against those of now" if self.is_relative else ""
        if best.win is not None:
            value += f"; wins {best.win:.0%} (+-{100 * best.win_error:.0f})"
        if self.choice:
            decided = f"ahead of what the priorities say ({first.name}) by {best.lead:.1f} (+-{best.lead_error:.1f})"
        else:
            decided = "what the priorities say: no other is ahead of it, all considered"
        passed = [(row, *self.gap_of(row)) for row in self.rows if row is not best]
        if not passed:
            return (value, decided)
        second, gap, error = max(passed, key=lambda one: (not is_alike(one[0].playouts, *one[1:]), one[0].playouts, one[1]))
        reason = describe_gap(gap, error, second.playouts, second.win_gap, second.win_gap_error)
        out = [
            f"{row.name} {signed(gap, 1)} (+-{error:.1f}){_chance(row)}"
            for row, gap, error in passed
            if not is_alike(row.playouts, gap, error)
        ]
        alike = len(passed) - len(out)
        out += [f"{alike} more lead{'s' * (alike == 1)} to the same"] if alike else []
        return (value, f"{decided}; {second.name} is passed over: {reason}", "out: " + "; ".join(out))

    def gap_of(self, row: CandidateStats) -> tuple[float, float]:
        """The difference of a candidate to the chosen one in VP, with its standard error."""
        if row.gap is not None:
            return row.gap, row.gap_error
        return row.mean - self.rows[self.choice].mean, row.lead_error or self.rows[0].error


def _chance(row: CandidateStats) -> str:
    return "" if row.win is None else f", wins {row.win:.0%} (+-{100 * row.win_error:.0f})"


class RolloutDecision(Effect[DecisionStats]):
    """A decision of an automated side among at least two named candidates, the first being its own choice."""

    kind = "think"
    __slots__ = ("horizon", "names", "seat", "values")

    def __init__(
        self, key: str, rule: str, seat: str, names: Sequence[str], values: Sequence[float] = (), horizon: int | None = None
    ) -> None:
        super().__init__(f"think {key}", rule)
        self.seat = seat
        self.horizon = horizon  # turns of a playout; None: as usual
        self.names = tuple(names)
        self.values = tuple(values)  # of the candidates in VP, by the priorities; not stored

    def __await__(self) -> Generator[Effect[DecisionStats], Any, DecisionStats]:
        reply = yield self
        return self.from_reply(reply)

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        return ResolvedReply([0], "priorities")

    def default_result(self) -> ReplyValue:
        return [0]

    def to_reply(self, stats: DecisionStats) -> ResolvedReply:
        """The reply that is stored."""
        rows = [[round(cell, 3) if isinstance(cell, float) else cell for cell in row] for row in stats.rows]
        return ResolvedReply([stats.choice, *rows], "playouts" if rows else "priorities")

    def check(self, value: ReplyValue) -> ReplyValue:
        self.from_reply(value)
        return value

    def from_reply(self, value: ReplyValue) -> DecisionStats:
        """Read a stored reply. Raises Unreadable: it does not fit the candidates."""
        try:
            choice, *rows = value
            if not 0 <= choice < len(self.names):
                raise IndexError
            return DecisionStats(choice, tuple(CandidateStats(*row) for row in rows))
        except (TypeError, ValueError, IndexError):
            raise self._invalid(value) from None


async def choose_by_rollouts(
    recommendation: Recommendation[D], key: str, rule: str, seat: str, horizon: int | None = None
) -> Recommendation[D]:
    """Let an automated side choose among the candidates of a recommendation that are worth a rollout, of so many turns."""
    compared = recommendation.compared
    if len(compared) < 2:
        return recommendation
    names, values = [candidate.name for candidate in compared], [candidate.value for candidate in compared]
    return recommendation.after(await RolloutDecision(key, rule, seat, names, values, horizon))


class RolloutComparison:
    """Compares named candidates in the same worlds by sequential halving. The first candidate is the usual one.

    ``worlds`` are those of each candidate on average: every round spends an equal part of all playouts, and the better half of
    the candidates goes on to the next. Of candidates that went alike in every world, at least ``alike``, only the first does.
    Better is a higher mean value, with the prior counted like the values of so many worlds.
    """

    def __init__(
        self,
        play: Play,
        names: Sequence[str],
        worlds: int,
        watch: ProgressCallback = ignore_progress,
        prior: Prior = NO_PRIOR,
        spread: Spread = in_turn,
        alike: int = 2,
    ) -> None:
        self._play = play
        self._names = names
        self._total = worlds * len(names)
        self._watch = watch
        self._prior = prior.values or [0.0] * len(names)
        self._weight = prior.worlds
        self._spread = spread
        self._alike = alike
        self._outcomes: list[list[Outcome]] = [[] for _ in names]
        self._done = 0  # playouts

    def run(self) -> DecisionStats:
        """Run the comparison; `Enough`, raised by the callback, ends it with the best so far.

        >>> def play(candidate, world):
        ...     return Outcome((0, 2, -1)[candidate] + world % 3)
        >>> RolloutComparison(play, ("as the priorities say", "better", "worse"), 8).run().choice
        1
        >>> RolloutComparison(play, ("as the priorities say", "better", "worse"), 8, prior=Prior((9, 0, 0), 8)).run().choice
        0
        """
        remaining = list(range(len(self._names)))
        rounds = max(1, (len(remaining) - 1).bit_length())
        try:
            while rounds and len(remaining) > 1 and self._total - self._done >= len(remaining):
                more = max(1, (self._total - self._done) // (rounds * len(remaining)))
                self._play_on(remaining, more)
                rounds -= 1
                if rounds:
                    remaining = self._distinct(self._ranked(remaining))[: (len(remaining) + 1) // 2]
        except Enough:
            self._drop_unfinished(remaining)
        if not any(self._outcomes):
            return DecisionStats(0)
        chosen = self._ranked(remaining)[0]
        return DecisionStats(chosen, tuple([self._row(index, chosen) for index in range(len(self._names))]))

    def _play_on(self, remaining: Sequence[int], worlds: int) -> None:
        first = len(self._outcomes[remaining[0]])
        tasks = [(candidate, world) for world in range(first, first + worlds) for candidate in remaining]
        self._watch(Thinking(self._done, self._total, ""))
        with closing(self._spread(self._play, tasks)) as outcomes:
            for (candidate, _), outcome in zip(tasks, outcomes, strict=True):
                self._outcomes[candidate].append(outcome)
                self._done += 1
                self._watch(Thinking(self._done, self._total, ""))  # may raise Enough

    def _drop_unfinished(self, remaining: Sequence[int]) -> None:
        """Drop a world that not all of the remaining candidates were played in."""
        complete = min(len(self._outcomes[candidate]) for candidate in remaining)
        for candidate in remaining:
            del self._outcomes[candidate][complete:]

    def _ranked(self, remaining: Sequence[int]) -> list[int]:
        """The remaining candidates, which were played in the same worlds, the best first; of equal ones the first."""

        def total(candidate: int) -> float:
            played = sum([outcome.value for outcome in self._outcomes[candidate]])
            return round(self._weight * self._prior[candidate] + played, 9)

        return sorted(remaining, key=lambda candidate: -total(candidate))

    def _distinct(self, ranked: Sequence[int]) -> list[int]:
        """The candidates without those that went as a better one did in every world: plans that lead to the same."""
        if len(self._outcomes[ranked[0]]) < self._alike:
            return list(ranked)
        firsts: dict[tuple[Outcome, ...], int] = {}
        for candidate in ranked:
            firsts.setdefault(tuple(self._outcomes[candidate]), candidate)
        return list(firsts.values())

    def _lead(self, candidate: int, over: int) -> tuple[float, float]:
        """Mean lead over another candidate in the worlds of both, with its standard error."""
        pairs = zip(self._outcomes[candidate], self._outcomes[over], strict=False)
        return mean_with_error([outcome.value - other.value for outcome, other in pairs])

    def _row(self, candidate: int, chosen: int) -> CandidateStats:
        outcomes = self._outcomes[candidate]
        values, wins = [outcome.value for outcome in outcomes], [outcome.win for outcome in outcomes if outcome.win is not None]
        lead = self._lead(candidate, 0) if candidate else (0.0, 0.0)
        row = CandidateStats(self._names[candidate], *mean_with_error(values), *lead, len(values), *self._lead(candidate, chosen))
        if not values or len(wins) < len(values):  # known in some worlds says nothing
            return row
        win, error = mean_with_error(wins)
        gap, gap_error = self._win_gap(candidate, chosen)
        return row._replace(win=win, win_error=error, win_gap=gap, win_gap_error=gap_error)

    def _win_gap(self, candidate: int, over: int) -> tuple[float, float]:
        """Mean difference in the chance to win to another candidate, in the worlds of both."""
        pairs = zip(self._outcomes[candidate], self._outcomes[over], strict=False)
        return mean_with_error([one.win - other.win for one, other in pairs if one.win is not None and other.win is not None])


def mean_with_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean and its standard error.

    >>> mean_with_error([1, 2, 3, 4])
    (2.5, 0.6454972243679028)
    """
    if not values:
        return 0.0, 0.0
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, (sum((value - mean) ** 2 for value in values) / (len(values) - 1) / len(values)) ** 0.5
