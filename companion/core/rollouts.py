"""Compare candidates of a decision by rollouts: games played on from each of them in the same sampled worlds.

A procedure that decides for an automated side awaits `RolloutDecision` with its candidates, the preferred one first. The
result is stored with the entry, so that a replay runs no rollouts. Without rollouts the first candidate is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence

from companion.core.candidates import Recommendation
from companion.core.hints import Any, TypeVar
from companion.core.named_tuple import NamedTuple
from companion.core.procedures import Effect, Progress, ProgressCallback, ResolvedReply, ignore_progress
from companion.core.text import signed
from companion.core.values import ReplyValue

D = TypeVar("D")

SURE_ERRORS = 2.0  # Standard errors of the paired difference by which a candidate must lead to be chosen, or trail to be dropped
BATCH = 8  # Worlds of the first batch; each further batch doubles the total


class Level(NamedTuple):
    """A level of play: the multiple of the usual playouts, and the percentage of decisions that take another candidate.

    The slips are those within an action; for actions see ``Players.slip_percent``.
    """

    times: int
    slips: int


LEVEL = "level"  # The option that sets the level
HARD = "hard"
LEVELS = {"easy": Level(0, 35), "normal": Level(1, 0), HARD: Level(4, 0)}


def level_of(options: Mapping[str, str], seat: str = "") -> Level:
    """The level of play in a session; the usual one if the game has no such option.

    The option of the seat, if given, may set the level instead, so that levels can be compared.

    >>> level_of({"level": "hard", "us": "easy"}, "us").slips, level_of({"level": "hard", "us": "player"}, "us").times
    (35, 4)
    """
    own = LEVELS.get(options.get(seat, ""))
    return own or LEVELS.get(options.get(LEVEL, ""), LEVELS["normal"])


class CandidateStats(NamedTuple):
    """The rollouts of one candidate, in VP for the side that decides.

    ``lead`` is over the first candidate, ``gap`` the difference to the chosen one (None in old entries), in the same worlds.
    """

    name: str
    mean: float
    error: float
    lead: float
    lead_error: float
    playouts: int
    gap: float | None = None
    gap_error: float = 0.0


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
        if self.choice:
            decided = f"ahead of what the priorities say ({first.name}) by {best.lead:.1f} (+-{best.lead_error:.1f})"
        else:
            decided = "what the priorities say: no other leads it by two standard errors"
        gaps: list[str] = []
        for row in self.rows:
            gap, error = row.gap, row.gap_error
            if gap is None:
                gap, error = row.mean - best.mean, row.lead_error or first.error
            if row is not best:
                gaps.append(f"{row.name} {signed(gap, 1)} (+-{error:.1f})")
        return (value, decided, *(["out: " + "; ".join(gaps)] if gaps else []))


class RolloutDecision(Effect[DecisionStats]):
    """A decision of an automated side among at least two named candidates, the first being its own choice."""

    kind = "think"
    __slots__ = ("names", "seat")

    def __init__(self, key: str, rule: str, seat: str, names: Sequence[str]) -> None:
        super().__init__(f"think {key}", rule)
        self.seat = seat
        self.names = tuple(names)

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


async def choose_by_rollouts(recommendation: Recommendation[D], key: str, rule: str, seat: str) -> Recommendation[D]:
    """Let an automated side choose among the candidates of a recommendation that are worth a rollout."""
    names = [candidate.name for candidate in recommendation.compared]
    return recommendation.after(await RolloutDecision(key, rule, seat, names)) if len(names) > 1 else recommendation


class RolloutComparison:
    """Compares named candidates in the same worlds, in growing batches; those clearly behind are dropped. The first is usual.

    ``play`` returns the value in VP of playing on from a candidate in a world, both given by number.
    """

    def __init__(
        self, play: Callable[[int, int], float], names: Sequence[str], budget: int, watch: ProgressCallback = ignore_progress
    ) -> None:
        self._play = play
        self._names = names
        self._budget = budget
        self._watch = watch
        self._values: list[list[float]] = [[] for _ in names]

    def run(self) -> DecisionStats:
        """Run the comparison: the first candidate is chosen unless another leads it by two standard errors.

        >>> names = ("as the priorities say", "better", "worse")
        >>> RolloutComparison(lambda candidate, world: (0, 2, -1)[candidate] + world % 3, names, 64).run().choice
        1
        >>> RolloutComparison(lambda candidate, world: world % 3 if candidate else 1, names, 64).run().choice
        0
        """
        remaining = list(range(len(self._names)))
        done = 0
        while done < self._budget and len(remaining) > 1:
            until = min(self._budget, 2 * done or BATCH)
            for world in range(done, until):
                self._watch(Progress(world, self._budget, ""))
                for candidate in remaining:
                    self._values[candidate].append(self._play(candidate, world))
            done = until
            leads = {index: self._lead(index) for index in remaining}
            remaining = [index for index, (lead, error) in leads.items() if not index or lead > -SURE_ERRORS * error]
        self._watch(Progress(self._budget, self._budget, ""))
        if not done:
            return DecisionStats(0)
        rows = [self._row(index) for index in range(len(self._names))]
        ahead = [index for index in remaining if index and rows[index].lead > SURE_ERRORS * rows[index].lead_error + 1e-9]
        chosen = max(ahead, key=lambda index: rows[index].lead, default=0)
        for index, row in enumerate(rows):
            gap, error = self._lead(index, chosen)
            rows[index] = row._replace(gap=gap, gap_error=error)
        return DecisionStats(chosen, tuple(rows))

    def _lead(self, candidate: int, over: int = 0) -> tuple[float, float]:
        """Mean lead over another candidate in the worlds of both, with its standard error."""
        pairs = zip(self._values[candidate], self._values[over], strict=False)
        return mean_with_error([value - other for value, other in pairs])

    def _row(self, candidate: int) -> CandidateStats:
        values = self._values[candidate]
        lead = self._lead(candidate) if candidate else (0.0, 0.0)
        return CandidateStats(self._names[candidate], *mean_with_error(values), *lead, len(values))


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
