"""The luck of a roll: the value of its outcome compared with that of all possible outcomes.

Each outcome is played on by the procedure itself to the next roll or the end of the action, and further where that takes
few branches. The luck of a roll is its value minus the expected value, so that its mean is 0 whatever was decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.core.history import Reply
from companion.core.match import ActionRun, DecisionPoint, Match
from companion.core.odds import merge, probability_of
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.referee import Referee
from companion.core.request import AnyRequest
from companion.core.requests import Roll
from companion.core.rerun import RerunCache
from companion.core.values import ReplyValue

MAX_BRANCHES = 16  # Maximum number of branches of a roll that are followed, beyond its own outcomes
MAX_OUTCOMES = 400  # Rolls with more outcomes are not followed

_MISMATCH = "its other outcomes cannot be followed"
_SAME = 1e-9  # Values that differ by less are equal

Valuation = Callable[[Position], float]
"""Returns the value of a position."""


class ReplayMismatch(Exception):
    """An action does not replay as recorded: the rules have changed since, or it was recorded against them."""


class StopPoint(NamedTuple):
    """Where an action stopped: the position, the pending roll or draw (None at the end), all replies so far, and its run."""

    position: Position
    request: AnyRequest | None
    replies: tuple[Reply, ...] = ()
    run: ActionRun | None = None

    @property
    def can_resume(self) -> bool:
        """True if its run has not gone on since."""
        return self.run is not None and len(self.run.kept) == len(self.replies)


class _Stops:
    """Where runs of one action stopped, by the values of their replies."""

    def __init__(self) -> None:
        self.known: dict[tuple[str, ...], StopPoint] = {}
        self._outcomes: dict[int, tuple[AnyRequest, list[tuple[Reply, float]]]] = {}  # by identity
        self._texts: dict[int, tuple[Reply, str]] = {}  # by identity: a reply with the known facts is long

    def outcomes(self, request: AnyRequest) -> list[tuple[Reply, float]]:
        """The replies for all outcomes of a roll or draw, with their probabilities; the same for the same request."""
        known = self._outcomes.get(id(request))
        if known is None:
            known = self._outcomes[id(request)] = request, _outcome_replies(request)
        return known[1]

    def key(self, replies: Sequence[Reply]) -> tuple[str, ...]:
        """What the course of the action depends on."""
        texts = self._texts
        try:
            return tuple([texts[id(reply)][1] for reply in replies])
        except KeyError:
            for reply in replies:
                if id(reply) not in texts:
                    texts[id(reply)] = reply, f"{reply.key}={reply.value}"
        return tuple([texts[id(reply)][1] for reply in replies])


class Branch(NamedTuple):
    """A branch from a point of an action: its probability, and where it stops."""

    probability: float
    stop: StopPoint


class RollLuck(NamedTuple):
    """A roll with the values of its outcomes; ``chances`` is value -> probability."""

    before: float
    chances: Mapping[float, float]
    actual: float

    @property
    def expected(self) -> float:
        return sum(value * chance for value, chance in self.chances.items())

    @property
    def luck(self) -> float:
        """The actual value minus the expected one."""
        return self.actual - self.expected

    @property
    def variance(self) -> float:
        """The variance of the luck."""
        return sum(chance * (value - self.expected) ** 2 for value, chance in self.chances.items())

    @property
    def percentile(self) -> float:
        """The share of outcomes that are worth less, plus half of those worth the same."""
        less = probability_of(self.chances, lambda value: value < self.actual - _SAME)
        return (less + self.at_most) / 2

    @property
    def at_most(self) -> float:
        """The probability of an outcome worth no more."""
        return probability_of(self.chances, lambda value: value <= self.actual + _SAME)

    @property
    def matters(self) -> bool:
        """True if its outcomes differ in value."""
        return max(self.chances) - min(self.chances) > _SAME


class _StopAtRoll(Exception):
    """Raised at a roll or draw without a reply."""


class _MatchToNextRoll(Match):
    """A match that stops at the next roll or draw."""

    def random_reply(self, request: AnyRequest, referee: Referee, replies: Sequence[Reply]) -> ReplyValue:
        raise _StopAtRoll


def _new_match(point: DecisionPoint, rerun: RerunCache | None) -> Match:
    players = point.game.players
    seats = {seat: players.rollout_policy(seat) for seat in players.seats}
    match = _MatchToNextRoll(point.game, point.options, seats, RandomStream("branching"), point.facts, point.start)
    match.rerun = rerun
    return match


def _stop_of(run: ActionRun, follow: Callable[[], bool]) -> StopPoint:
    """Follow a run to where it stops. Raises ReplayMismatch: its replies do not fit."""
    try:
        taken = follow()
    except _StopAtRoll:
        return StopPoint(run.run.referee.position, run.run.request, tuple(run.kept), run)
    except Exception as fault:  # today's rules may fail in any way on an old action
        raise ReplayMismatch(_MISMATCH) from fault
    if not taken:
        raise ReplayMismatch(_MISMATCH)
    return StopPoint(run.run.referee.position, None)


def run_to_next_roll(point: DecisionPoint, replies: Sequence[Reply], rerun: RerunCache | None = None) -> StopPoint:
    """Run the action of a decision point with these replies to its next roll, draw or end; decide the rest as in rollouts.

    Raises ReplayMismatch: the replies do not fit.
    """
    assert point.procedure is not None
    run = _new_match(point, rerun).new_run(point.procedure, replies)
    return _stop_of(run, run.follow)


def _resume(point: DecisionPoint, stop: StopPoint, replies: Sequence[Reply], rerun: RerunCache) -> StopPoint:
    """Go on from a stop with further replies to the next one; it can be done once. Raises as `run_to_next_roll`."""
    run = stop.run
    assert run is not None
    return _stop_of(run, lambda: run.resume(_new_match(point, rerun), replies))


def follow_branches(
    point: DecisionPoint, replies: Sequence[Reply], runs: int, rerun: RerunCache | None = None, stops: _Stops | None = None
) -> list[Branch]:
    """The branches from a point of an action to the next roll, from each of its outcomes to the next, and so on to one depth.

    There are at most ``runs``, and their probabilities add up to 1. Raises ReplayMismatch: one of them cannot be run.
    """
    rerun = RerunCache() if rerun is None else rerun
    stops = _Stops() if stops is None else stops
    branches = [Branch(1.0, _known_stop(point, replies, rerun, stops, stops.key(replies)))]
    while True:
        requests = [branch.stop.request for branch in branches if branch.stop.request is not None]
        count = sum(len(stops.outcomes(request)) for request in requests)
        if not 0 < count <= runs:
            return branches
        runs -= count
        branches = [next_branch for branch in branches for next_branch in _next_branches(point, branch, rerun, stops)]


def _next_branches(point: DecisionPoint, branch: Branch, rerun: RerunCache, stops: _Stops) -> list[Branch]:
    """The branches of the outcomes of a roll: the first goes on with its run, for the others the action runs again."""
    probability, stop = branch
    if stop.request is None:
        return [branch]
    before, outcomes = stops.key(stop.replies), stops.outcomes(stop.request)
    first, _ = outcomes[0]
    key = (*before, *stops.key((first,)))
    if key not in stops.known and stop.can_resume:
        stops.known[key] = _resume(point, stop, (first,), rerun)
    return [
        Branch(probability * chance, _known_stop(point, (*stop.replies, reply), rerun, stops, (*before, *stops.key((reply,)))))
        for reply, chance in outcomes
    ]


def _known_stop(
    point: DecisionPoint, replies: Sequence[Reply], rerun: RerunCache, stops: _Stops, key: tuple[str, ...]
) -> StopPoint:
    """As `run_to_next_roll`; what was run before, or resumed, is not run again. ``key`` is that of the replies."""
    if key not in stops.known:
        stops.known[key] = run_to_next_roll(point, replies, rerun)
    return stops.known[key]


def _outcome_replies(request: AnyRequest) -> list[tuple[Reply, float]]:
    """The replies for all outcomes of a roll or draw, with their probabilities."""
    outcomes = request.weighted_replies()
    return [(Reply(request.key, request.kind, value, "tried", rule=request.rule), chance) for value, chance in outcomes]


def expected_value(branches: Sequence[Branch], valuation: Valuation) -> float:
    """The expected value of branches."""
    return sum(branch.probability * valuation(branch.stop.position) for branch in branches)


class RecordedRun:
    """A recorded action, run once and stopped at each of its rolls.

    The point is that before the action, with all its replies. Raises ReplayMismatch: the action does not replay.
    """

    def __init__(self, point: DecisionPoint) -> None:
        self.point = point
        self._rerun = RerunCache()
        self._stops: dict[int, StopPoint] = {}
        self._known = _Stops()
        replies, done = tuple(point.replies), 0
        rolls = [index for index, reply in enumerate(replies) if reply.kind == Roll.kind]
        stop: StopPoint | None = None
        for index in [*rolls, len(replies)]:
            if stop is not None and stop.can_resume and len(stop.replies) == done:
                stop = _resume(point, stop, replies[done:index], self._rerun)
            else:
                stop = run_to_next_roll(point, replies[:index], self._rerun)
            self._stops[index], done = stop, index
            self._known.known[self._known.key(replies[:index])] = stop
        self.end = self._stops[len(replies)].position

    def roll_luck(self, index: int, valuations: Sequence[Valuation], runs: int = MAX_BRANCHES) -> list[RollLuck]:
        """The luck of the roll that is the reply of that index, by each of several valuations.

        Raises ReplayMismatch: its outcomes cannot be followed, or are too many.
        """
        earlier, reply, stop = tuple(self.point.replies[:index]), self.point.replies[index], self._stops[index]
        if stop.request is None or (stop.request.key, stop.request.kind) != (reply.key, reply.kind):
            raise ReplayMismatch(_MISMATCH)
        alternatives = self._known.outcomes(stop.request)
        outcomes = [(reply if list(other.value) == list(reply.value) else other, chance) for other, chance in alternatives]
        if len(outcomes) > MAX_OUTCOMES:
            raise ReplayMismatch(f"it has more than {MAX_OUTCOMES} outcomes")
        runs_each = runs // len(outcomes)

        def follow(outcome: Reply) -> list[Branch]:
            return follow_branches(self.point, (*earlier, outcome), runs_each, self._rerun, self._known)

        followed = [(follow(outcome), chance) for outcome, chance in outcomes]
        same = [number for number, (outcome, _) in enumerate(outcomes) if outcome is reply]
        actual = followed[same[0]][0] if same else follow(reply)
        lucks = []
        for valuation in valuations:
            chances = merge((expected_value(branches, valuation), chance) for branches, chance in followed)
            lucks.append(RollLuck(valuation(stop.position), chances, expected_value(actual, valuation)))
        return lucks
