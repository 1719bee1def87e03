"""Looking ahead: the candidates of a decision are weighed by playing on from each of them, in the same sampled worlds for all.

A procedure that decides for a side awaits ``Think`` with its candidates, the one that its priorities choose first. Whoever
drives it may play on from each; what came of it is stored with the entry, so that a replay needs no thinking. Where nobody
thinks, the first stands.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.procedures import Effect, Progress, ResolvedReply
from companion.core.text import signed
from companion.core.values import ReplyValue

SURE_ERRORS = 2.0
"""How many standard errors of the paired difference a challenger must lead by, or is dropped when behind by."""
BATCH = 8
"""Worlds of the first batch; each further batch brings as many as there have been."""


class Level(NamedTuple):
    """How well an opponent plays.

    Attributes:
        times: its playouts a candidate, against the usual number.
        slips: of a hundred decisions in the middle of an action, those in which it takes one of the other candidates; how often
            a player of a game for one slips is said by its game (``Players.slips``).
    """

    times: int
    slips: int


LEVEL = "level"
"""The option by which the player chooses."""
HARD = "hard"
LEVELS = {"easy": Level(0, 35), "normal": Level(1, 0), HARD: Level(4, 0)}


def level_of(options: Mapping[str, str], seat: str = "") -> Level:
    """How well Companion plays by the options of a session; as usual where the game has no such option. ``seat``: a side, whose
    own option, by its name, may say it instead, so that levels can meet each other.

    >>> level_of({"level": "hard", "us": "easy"}, "us").slips, level_of({"level": "hard", "us": "player"}, "us").times
    (35, 4)
    """
    own = LEVELS.get(options.get(seat, ""))
    return own or LEVELS.get(options.get(LEVEL, ""), LEVELS["normal"])


class CandidateStats(NamedTuple):
    """What playing on from a candidate has shown, in VP for the side that decides.

    Attributes:
        name: the candidate in words.
        mean: of its playouts.
        error: the standard error of that.
        lead: over the first candidate, in the same worlds.
        lead_error: the standard error of the lead.
        playouts: how many there were.
        gap: to the candidate that was taken, in the same worlds; ``gap_error``: the standard error of that. Entries of before
            have none.
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
    """What was decided: the number of a candidate, and what was seen of each; no rows where nobody played on."""

    choice: int
    rows: tuple[CandidateStats, ...] = ()

    def relative_to(self, value: float) -> DecisionStats:
        """The same with every mean told beside a value."""
        return self._replace(rows=tuple([row._replace(mean=row.mean - value) for row in self.rows])) if value else self

    def explain(self) -> tuple[str, ...]:
        """The layer below the decision, for ``why``: values, what decided, what was passed over and by how much."""
        if not self.rows:
            return ()
        own, best = self.rows[0], self.rows[self.choice]
        told = f"{best.name}: {signed(best.mean, 1)} VP (+-{best.error:.1f}) by {best.playouts} playouts, points and prospects"
        if self.choice:
            decided = f"ahead of what the priorities say ({own.name}) by {best.lead:.1f} (+-{best.lead_error:.1f})"
        else:
            decided = "what the priorities say: no other leads it by two standard errors"
        passed = [_passed(row, best, own) for at, row in enumerate(self.rows) if at != self.choice]
        return (told, decided, *(["out: " + "; ".join(passed)] if passed else []))


def _passed(row: CandidateStats, best: CandidateStats, own: CandidateStats) -> str:
    """A candidate that was passed over, and by how much."""
    if row.gap is None:
        return f"{row.name} {signed(row.mean - best.mean, 1)} (+-{row.lead_error or own.error:.1f})"
    return f"{row.name} {signed(row.gap, 1)} (+-{row.gap_error:.1f})"


def in_three(
    thought: Sequence[str], told: str, why: str, passed: Sequence[tuple[str, float]], against_now: bool = False
) -> tuple[str, ...]:
    """A decision of a policy in three lines: the value in VP with its error, what decided and its chances, and what was passed
    over and by how much.

    Args:
        thought: what playing on has told; () where nobody played on: then the value is the policy's own, and has no error.
        told: its own value, in words; ``why``: chances and what they rest on.
        passed: the other candidates, by how much the policy holds each better than what is taken.
        against_now: the values of playing on are told beside that of the position as it is (``Players.standing``).

    >>> in_three((), "north: +2.0 VP by our estimate", "70% to win", [("south", -0.5)])
    ('north: +2.0 VP by our estimate', '70% to win', 'out: south -0.5')
    >>> in_three(("north: +9.1 VP (+-0.4) by 8 playouts", "no other leads it"), "north: +2.0", "70% to win", [])
    ('north: +9.1 VP (+-0.4) by 8 playouts', 'no other leads it; 70% to win')
    """
    over = ["out: " + "; ".join(f"{name} {signed(less, 1)}" for name, less in passed)] if passed else []
    if len(thought) < 2:
        return tuple(line for line in (told, why, *thought, *([] if thought else over)) if line)
    value, decided, *out = thought
    value += ", against those of now" if against_now else ""
    return (value, "; ".join(filter(None, (decided, why))), *out)


class RolloutDecision(Effect[DecisionStats]):
    """A decision of a side that Companion plays, among candidates of which the first is what its priorities say.

    Args:
        key: of the decision; ``rule``: that calls for it.
        seat: the seat that decides.
        names: the candidates in words, two or more.
    """

    kind = "think"
    __slots__ = ("names", "seat")

    def __init__(self, key: str, rule: str, seat: str, names: Sequence[str]) -> None:
        super().__init__(f"think {key}", rule)
        self.seat = seat
        self.names = tuple(names)

    def __await__(self) -> Generator[Effect[DecisionStats], Any, DecisionStats]:
        found = yield self
        return self.from_reply(found)

    def resolve(self, facts: Mapping[str, str]) -> ResolvedReply:
        return ResolvedReply([0], "priorities")

    def default_result(self) -> ReplyValue:
        return [0]

    def to_reply(self, thought: DecisionStats) -> ResolvedReply:
        """What is stored of a thought."""
        rows = [[round(one, 3) if isinstance(one, float) else one for one in row] for row in thought.rows]
        return ResolvedReply([thought.choice, *rows], "playouts" if rows else "priorities")

    def check(self, value: ReplyValue) -> ReplyValue:
        self.from_reply(value)
        return value

    def from_reply(self, value: ReplyValue) -> DecisionStats:
        """The thought that was stored. Raises Unreadable: it is none of these candidates'."""
        try:
            choice, *rows = value
            if not 0 <= choice < len(self.names):
                raise IndexError
            return DecisionStats(choice, tuple(CandidateStats(*row) for row in rows))
        except (TypeError, ValueError, IndexError):
            raise self._invalid(value) from None


class RolloutComparison:
    """Candidates that are compared in the same worlds, in growing batches; those that are clearly behind are dropped.

    Args:
        play: the value, in VP for the side that decides, of playing on from a candidate in a world; both are numbers from 0.
        names: the candidates in words; the first is what the priorities say.
        budget: the worlds at most.
        watch: is shown how far it has come.
    """

    def __init__(
        self,
        play: Callable[[int, int], float],
        names: Sequence[str],
        budget: int,
        watch: Callable[[Progress], None] = lambda progress: None,
    ) -> None:
        self._play = play
        self._names = names
        self._budget = budget
        self._watch = watch
        self._values: list[list[float]] = [[] for _ in names]

    def run(self) -> DecisionStats:
        """Play on, and decide: the first candidate stands unless another leads it by two standard errors.

        >>> names = ("as the priorities say", "better", "worse")
        >>> RolloutComparison(lambda candidate, world: (0, 2, -1)[candidate] + world % 3, names, 64).run().choice
        1
        >>> RolloutComparison(lambda candidate, world: world % 3 if candidate else 1, names, 64).run().choice
        0
        """
        alive = list(range(len(self._names)))
        done = 0
        while done < self._budget and len(alive) > 1:
            until = min(self._budget, 2 * done or BATCH)
            for world in range(done, until):
                self._watch(Progress(world, self._budget, ""))
                for candidate in alive:
                    self._values[candidate].append(self._play(candidate, world))
            done = until
            alive = [one for one in alive if not one or not self._behind(one)]
        self._watch(Progress(self._budget, self._budget, ""))
        if not done:
            return DecisionStats(0)
        rows = [self._row(one) for one in range(len(self._names))]
        ahead = [one for one in alive if one and rows[one].lead > SURE_ERRORS * rows[one].lead_error + 1e-9]
        chosen = max(ahead, key=lambda one: rows[one].lead, default=0)
        gaps = [self._lead(one, chosen) for one in range(len(rows))]
        return DecisionStats(
            chosen, tuple(row._replace(gap=gap, gap_error=error) for row, (gap, error) in zip(rows, gaps, strict=True))
        )

    def _behind(self, candidate: int) -> bool:
        lead, error = self._lead(candidate)
        return lead <= -SURE_ERRORS * error

    def _lead(self, candidate: int, over: int = 0) -> tuple[float, float]:
        """Over another candidate, in the worlds of both."""
        mine = self._values[candidate]
        return mean_with_error([one - other for one, other in zip(mine, self._values[over], strict=False)])

    def _row(self, candidate: int) -> CandidateStats:
        values = self._values[candidate]
        return CandidateStats(
            self._names[candidate], *mean_with_error(values), *(self._lead(candidate) if candidate else (0.0, 0.0)), len(values)
        )


def mean_with_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and its standard error.

    >>> average([1, 2, 3, 4])
    (2.5, 0.6454972243679028)
    """
    if not values:
        return 0.0, 0.0
    mean = sum(values) / len(values)
    if len(values) < 2:
        return mean, 0.0
    return mean, (sum((one - mean) ** 2 for one in values) / (len(values) - 1) / len(values)) ** 0.5
