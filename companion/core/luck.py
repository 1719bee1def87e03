"""The luck of a roll: the value of its outcome compared with that of all possible outcomes.

Each outcome is played on by the procedure itself to the next roll or the end of the action, and further where that takes
few branches. The luck of a roll is its value minus the expected value, so that its mean is 0 whatever was decided before.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence

from companion.core.history import Reply
from companion.core.match import ActionRun, DecisionPoint, Match
from companion.core.named_tuple import NamedTuple
from companion.core.odds import merge, probability_of
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.referee import Referee
from companion.core.request import AnyRequest
from companion.core.requests import Roll
from companion.core.rerun import Rejoined, RerunCache
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
    """Follow a run to where it stops, or until it goes on as an earlier one.

    Raises ReplayMismatch: its replies do not fit.
    """
    try:
        taken = follow()
    except _StopAtRoll:
        stop = StopPoint(run.run.referee.position, run.run.request, tuple(run.kept), run)
    except Rejoined as rejoined:
        stop = rejoined.stop
    except Exception as fault:  # today's rules may fail in any way on an old action
        raise ReplayMismatch(_MISMATCH) from fault
    else:
        if not taken:
            raise ReplayMismatch(_MISMATCH)
        stop = StopPoint(run.run.referee.position, None)
    if run.rerun is not None:
        run.rerun.end_run(stop)
    return stop


def _run(point: DecisionPoint, replies: Sequence[Reply], match: Match) -> StopPoint:
    assert point.procedure is not None
    run = match.new_run(point.procedure, replies)
    return _stop_of(run, run.follow)


def run_to_next_roll(point: DecisionPoint, replies: Sequence[Reply], rerun: RerunCache | None = None) -> StopPoint:
    """Run the action of a decision point with these replies to its next roll, draw or end; decide the rest as in rollouts.

    Raises ReplayMismatch: the replies do not fit.
    """
    return _run(point, replies, _new_match(point, rerun))


def follow_branches(point: DecisionPoint, replies: Sequence[Reply], runs: int) -> list[Branch]:
    """The branches from a point of an action to the next roll, from each of its outcomes to the next, and so on to one depth.

    There are at most ``runs``, and their probabilities add up to 1. Raises ReplayMismatch: one of them cannot be run.
    """
    branching = _Branching(point)
    return branching.branches(branching.run(tuple(replies)), runs)


class _Branching:
    """The branches of one action, each run once; where they stop, by the values of their replies."""

    def __init__(self, point: DecisionPoint) -> None:
        self._point = point
        self._match = _new_match(point, RerunCache())
        self._recorded: dict[int, StopPoint] = {}  # by the number of replies
        # by identity; what has the identity is kept with it
        self._following: dict[int, tuple[StopPoint, dict[Hashable, StopPoint]]] = {}
        self._weights: dict[int, tuple[AnyRequest, list[tuple[ReplyValue, float]]]] = {}
        self._outcomes: dict[int, list[tuple[Reply, float]]] = {}

    def _fresh_match(self) -> Match:
        """A match at the start of the action: that of the last run if it left no trace there."""
        if not self._match.can_run_again:
            self._match = _new_match(self._point, self._match.rerun)
        self._match.actions = 0
        return self._match

    def run(self, replies: tuple[Reply, ...]) -> StopPoint:
        """As `run_to_next_roll`."""
        return _run(self._point, replies, self._fresh_match())

    def resume(self, stop: StopPoint, replies: Sequence[Reply]) -> StopPoint:
        """Go on from a stop with further replies to the next one; it can be done once. Raises as `run_to_next_roll`."""
        run, match = stop.run, self._fresh_match()
        assert run is not None
        return _stop_of(run, lambda: run.resume(match, replies))

    def close(self) -> None:
        """Release the runs: break the reference cycles now instead of waiting for the garbage collector."""
        stops = [stop for before, following in self._following.values() for stop in (before, *following.values())]
        for stop in (*stops, *self._recorded.values()):
            if stop.run is not None:
                stop.run.run.close()
        self._following.clear()
        if self._match.rerun is not None:
            self._match.rerun.close()

    def record(self, stop: StopPoint, reply: Reply | None, following: StopPoint) -> None:
        """Add a stop of the recorded action; ``reply`` is the only one since the recorded stop before, if there is only one."""
        if following.request is not None:
            self._recorded[len(following.replies)] = following
        if reply is not None:
            self._stops_after(stop)[_value(reply)] = following

    def after(self, stop: StopPoint, reply: Reply) -> StopPoint:
        """The next stop with one more reply; run once."""
        stops, value = self._stops_after(stop), _value(reply)
        if value not in stops:
            following = self.resume(stop, (reply,)) if stop.can_resume else self.run((*stop.replies, reply))
            recorded = self._recorded.get(len(following.replies)) if following.request is not None else None
            if recorded is not None and all(map(_is_same, following.replies, recorded.replies)):
                following = recorded
            stops[value] = following
        return stops[value]

    def _stops_after(self, stop: StopPoint) -> dict[Hashable, StopPoint]:
        """The known stops after a stop, by the value of the reply."""
        known = self._following.get(id(stop))
        if known is None:
            known = self._following[id(stop)] = stop, {}
        return known[1]

    def branches(self, stop: StopPoint, runs: int) -> list[Branch]:
        """The branches from a stop; otherwise as `follow_branches`."""
        branches = [Branch(1.0, stop)]
        while True:
            requests = [branch.stop.request for branch in branches if branch.stop.request is not None]
            if not 0 < len(requests) <= runs or (count := sum([len(self._weighted(request)) for request in requests])) > runs:
                return branches
            runs -= count
            branches = [following for branch in branches for following in self._next_branches(branch)]

    def _next_branches(self, branch: Branch) -> list[Branch]:
        """The branches of the outcomes of a roll: the first goes on with its run, for the others the action runs again."""
        probability, stop = branch
        if stop.request is None:
            return [branch]
        return [Branch(probability * chance, self.after(stop, reply)) for reply, chance in self.outcomes(stop.request)]

    def _weighted(self, request: AnyRequest) -> list[tuple[ReplyValue, float]]:
        known = self._weights.get(id(request))
        if known is None:
            known = self._weights[id(request)] = request, request.weighted_replies()
        return known[1]

    def outcomes(self, request: AnyRequest) -> list[tuple[Reply, float]]:
        """The replies for all outcomes of a roll or draw, with their probabilities; the same for the same request."""
        outcomes = self._outcomes.get(id(request))
        if outcomes is None:
            key, kind, rule = request.key, request.kind, request.rule
            outcomes = [(Reply(key, kind, value, "tried", rule=rule), chance) for value, chance in self._weighted(request)]
            self._outcomes[id(request)] = outcomes
        return outcomes


def _value(reply: Reply) -> Hashable:
    """The value of a roll or draw."""
    return tuple(reply.value) if isinstance(reply.value, list) else reply.value


def _is_same(reply: Reply, other: Reply) -> bool:
    return reply is other or (reply.key == other.key and _value(reply) == _value(other))


def expected_value(branches: Sequence[Branch], valuation: Valuation) -> float:
    """The expected value of branches."""
    return sum(branch.probability * valuation(branch.stop.position) for branch in branches)


class RecordedRun:
    """A recorded action, run once and stopped at each of its rolls.

    The point is that before the action, with all its replies. Raises ReplayMismatch: the action does not replay.
    """

    def __init__(self, point: DecisionPoint) -> None:
        self.point = point
        self._stops: dict[int, StopPoint] = {}
        self._branching = _Branching(point)
        self._values: dict[Valuation, dict[int, float]] = {}  # by the identity of a position, which a stop holds
        replies, done = tuple(point.replies), 0
        rolls = [index for index, reply in enumerate(replies) if reply.kind == Roll.kind]
        stop: StopPoint | None = None
        for index in [*rolls, len(replies)]:
            before = stop
            if before is not None and before.can_resume and len(before.replies) == done:
                stop = self._branching.resume(before, replies[done:index])
            else:
                stop = self._branching.run(replies[:index])
            if before is not None:
                self._branching.record(before, replies[done] if index == done + 1 else None, stop)
            self._stops[index], done = stop, index
        self.end = self._stops[len(replies)].position

    def close(self) -> None:
        """Release what was followed; the luck of no further roll can be computed."""
        self._branching.close()

    def roll_luck(self, index: int, valuations: Sequence[Valuation], runs: int = MAX_BRANCHES) -> list[RollLuck]:
        """The luck of the roll that is the reply of that index, by each of several valuations.

        Raises ReplayMismatch: its outcomes cannot be followed, or are too many.
        """
        reply, stop = self.point.replies[index], self._stops[index]
        if stop.request is None or (stop.request.key, stop.request.kind) != (reply.key, reply.kind):
            raise ReplayMismatch(_MISMATCH)
        alternatives = self._branching.outcomes(stop.request)
        outcomes = [(reply if list(other.value) == list(reply.value) else other, chance) for other, chance in alternatives]
        if len(outcomes) > MAX_OUTCOMES:
            raise ReplayMismatch(f"it has more than {MAX_OUTCOMES} outcomes")
        runs_each = runs // len(outcomes)

        def follow(outcome: Reply) -> list[Branch]:
            return self._branching.branches(self._branching.after(stop, outcome), runs_each)

        followed = [(follow(outcome), chance) for outcome, chance in outcomes]
        same = [number for number, (outcome, _) in enumerate(outcomes) if outcome is reply]
        actual = followed[same[0]][0] if same else follow(reply)
        lucks = []
        for valuation in valuations:
            value = self._valuation(valuation)
            chances = merge((expected_value(branches, value), chance) for branches, chance in followed)
            lucks.append(RollLuck(value(stop.position), chances, expected_value(actual, value)))
        return lucks

    def _valuation(self, valuation: Valuation) -> Valuation:
        """The valuation, called once for each position."""
        values = self._values.setdefault(valuation, {})

        def value(position: Position) -> float:
            known = values.get(id(position))
            if known is None:
                known = values[id(position)] = valuation(position)
            return known

        return value
