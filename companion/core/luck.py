"""What a roll of a game that was played could have come to: each outcome is carried on from there by the procedure itself, to
the next roll or draw or the end of the action, and further where that takes few ways.

The luck of a roll is what it came to less what it comes to on average. Its own average is nought, whatever was decided before,
so the luck of all rolls of a game adds up to nought on average too; what is left of the result is everything else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from companion.core.history import Reply
from companion.core.match import DecisionPoint, Match
from companion.core.odds import merge, probability_of
from companion.core.policies import RandomStream
from companion.core.position import Position
from companion.core.referee import Referee
from companion.core.request import AnyRequest
from companion.core.values import ReplyValue

MAX_BRANCHES = 16
"""Ways beyond its own outcomes that are followed of a roll at most."""
MAX_OUTCOMES = 400
"""Of a roll with more outcomes than that none is followed."""

_LOST = "what could have come of it cannot be followed"
_SAME = 1e-9
"""Worths that differ by no more than rounding are the same."""

Valuation = Callable[[Position], float]
"""What a position is worth."""


class ReplayMismatch(Exception):
    """An action does not go as it went: the rules have changed since, or it was recorded against them."""


class StopPoint(NamedTuple):
    """Where an action has come to: the position, the roll or draw that it waits for (None at its end), and all replies so far."""

    position: Position
    request: AnyRequest | None
    replies: tuple[Reply, ...] = ()


class Branch(NamedTuple):
    """One way on from a point of an action: its chance, and where it stops."""

    probability: float
    stop: StopPoint


class RollLuck(NamedTuple):
    """A roll with what each of its outcomes is worth.

    Attributes:
        before: what the position is worth before it.
        chances: worth -> chance, of all outcomes; they add up to 1.
        came: what the outcome that it had is worth.
    """

    before: float
    chances: Mapping[float, float]
    actual: float

    @property
    def expected(self) -> float:
        """What it is worth on average."""
        return sum(worth * chance for worth, chance in self.chances.items())

    @property
    def luck(self) -> float:
        """What it came to less what it comes to on average."""
        return self.actual - self.expected

    @property
    def variance(self) -> float:
        """Of its luck."""
        return sum(chance * (worth - self.expected) ** 2 for worth, chance in self.chances.items())

    @property
    def percentile(self) -> float:
        """The share of outcomes that are worth less, and half of those that are worth the same, from 0 to 1."""
        less = probability_of(self.chances, lambda worth: worth < self.actual - _SAME)
        return (less + self.at_most) / 2

    @property
    def at_most(self) -> float:
        """The chance of an outcome that is worth no more."""
        return probability_of(self.chances, lambda worth: worth <= self.actual + _SAME)

    @property
    def matters(self) -> bool:
        """Whether its outcomes are worth different things."""
        return max(self.chances) - min(self.chances) > _SAME


class _Fallen(Exception):
    """Chance is asked, and nobody has told what it gives."""

    def __init__(self, stop: StopPoint) -> None:
        super().__init__()
        self.stop = stop


class _Stopped(Match):
    """A match that goes no further than to the next roll or draw."""

    def random_reply(self, request: AnyRequest, referee: Referee, told: Sequence[Reply]) -> ReplyValue:
        raise _Fallen(StopPoint(referee.position, request, tuple(told)))


def run_to_next_roll(spot: DecisionPoint, told: Sequence[Reply]) -> StopPoint:
    """Carry the action of a spot out with these replies, and on to the next roll or draw or to its end. What is decided on the
    way and nobody has told is decided as in playouts.

    Raises:
        Astray: it does not go so.
    """
    players = spot.game.players
    seats = {seat: players.rollout_policy(seat) for seat in players.seats}
    match = _Stopped(spot.game, spot.options, seats, RandomStream("branching"), spot.facts, spot.start)
    assert spot.procedure is not None
    try:
        taken = match.run_action(spot.procedure, "", told)
    except _Fallen as fallen:
        return fallen.stop
    except Exception as fault:  # whatever the rules of today make of an action of long ago
        raise ReplayMismatch(_LOST) from fault
    if not taken:
        raise ReplayMismatch(_LOST)
    return StopPoint(match.position, None)


def follow_branches(spot: DecisionPoint, told: Sequence[Reply], runs: int) -> list[Branch]:
    """Where an action leads from a point of it: to the next roll, with each outcome of that to the next, and so on, all ways
    equally far, as long as no more than so many are followed. Their chances add up to 1.

    Raises:
        Astray: one of them cannot be gone.
    """
    found = [Branch(1.0, run_to_next_roll(spot, told))]
    while 0 < (many := sum(len(way.stop.request.weighted_replies()) for way in found if way.stop.request is not None)) <= runs:
        runs -= many
        found = [further for way in found for further in _further(spot, way)]
    return found


def _further(spot: DecisionPoint, way: Branch) -> list[Branch]:
    request = way.stop.request
    if request is None:
        return [way]
    return [
        Branch(way.probability * chance, run_to_next_roll(spot, (*way.stop.replies, reply)))
        for reply, chance in _replies(request)
    ]


def _replies(request: AnyRequest) -> list[tuple[Reply, float]]:
    return [
        (Reply(request.key, request.kind, value, "tried", rule=request.rule), chance)
        for value, chance in request.weighted_replies()
    ]


def expected_value(found: Sequence[Branch], worth: Valuation) -> float:
    """What ways are worth together."""
    return sum(way.probability * worth(way.stop.position) for way in found)


def roll_luck(spot: DecisionPoint, at: int, worths: Sequence[Valuation], runs: int = MAX_BRANCHES) -> list[RollLuck]:
    """A roll that was made, by each of several ways to tell what a position is worth.

    Args:
        spot: before the action, with all its replies.
        at: the place of the roll among them.

    Raises:
        Astray: the action does not go as it went, or the roll has too many outcomes.
    """
    told = tuple(spot.replies[:at])
    stop, reply = run_to_next_roll(spot, told), spot.replies[at]
    if stop.request is None or (stop.request.key, stop.request.kind) != (reply.key, reply.kind):
        raise ReplayMismatch(_LOST)
    replies = _replies(stop.request)
    if len(replies) > MAX_OUTCOMES:
        raise ReplayMismatch(f"it has more than {MAX_OUTCOMES} outcomes")
    deep = runs // len(replies)
    each = [(follow_branches(spot, (*told, one), deep), chance) for one, chance in replies]
    came = follow_branches(spot, (*told, reply), deep)
    return [
        RollLuck(
            worth(stop.position),
            merge((expected_value(found, worth), chance) for found, chance in each),
            expected_value(came, worth),
        )
        for worth in worths
    ]
