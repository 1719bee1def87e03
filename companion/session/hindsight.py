"""What decisions gave away: where odds stood beside a question, what each answer was worth on average, by the means of luck."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from time import process_time
from typing import Any, NamedTuple

from companion.core.branching import Astray, average, ways
from companion.core.effects import Effect
from companion.core.events import fold
from companion.core.history import EFFECTS, Entry, Reply
from companion.core.match import Spot
from companion.core.position import Position
from companion.core.procedures import Run
from companion.core.request import Request
from companion.core.requests import Choose, Confirm
from companion.session.standing import SessionState

RUNS_PER_ANSWER = 60
"""Ways that are followed of an answer."""
MAX_ANSWERS = 12
"""Of a question with more answers than that none is weighed."""


class DecisionLoss(NamedTuple):
    """A decision with what each answer was worth, in VP, as if the game ended where it was followed to.

    Attributes:
        entry, reply: the numbers that ``amend`` takes.
        key, rule: of the question.
        taken, best: answers as the question shows them.
        given: the VP that the best is worth beyond the one that was taken.
    """

    entry: int
    reply: int
    key: str
    rule: str
    taken: str
    best: str
    given: float


def decision_losses(desk: SessionState, seconds: float = 60.0) -> list[DecisionLoss]:
    """Every decision of a player that had odds beside it and a few answers, and gave something away, in order."""
    until, found, position = process_time() + seconds, list[DecisionLoss](), Position()
    runs = {action.id: action.run for action in desk.game.actions}
    for entry in desk.history.in_force:
        if entry.action in runs and process_time() < until:
            spot = Spot(
                desk.game, desk.options, desk.log.facts(), position, runs[entry.action], entry.replies, anyway=entry.anyway
            )
            found += _in(desk, entry, spot)
        position = fold(entry.events or (), position)
    return found


def _in(desk: SessionState, entry: Entry, spot: Spot) -> Iterator[DecisionLoss]:
    for at, reply in enumerate(entry.replies):
        if reply.by_hand and reply.kind in (Choose.kind, Confirm.kind) and (request := _asked(spot, spot.told[:at])) is not None:
            one = _weighed(desk, entry.number, at, spot, request)
            if one is not None and one.given > 0.005:
                yield one


def _asked(spot: Spot, told: Sequence[Reply]) -> Request[Any] | None:
    """The question that comes after these replies, where it has odds beside it and a few answers; else None."""
    queue = list(told)

    def settle(effect: Effect[Any]) -> Any:
        return queue.pop(0).value if effect.stored and queue and queue[0].kind in EFFECTS else effect.unkept()

    referee = spot.game.opened(spot.start, spot.options)
    assert spot.procedure is not None
    try:
        run = Run(referee, spot.procedure(referee), settle)
        while queue and run.request is not None:
            run.send(queue.pop(0).value)
    except Exception:  # whatever the rules of today make of an action of long ago
        return None
    request = run.request
    few = isinstance(request, Choose | Confirm) and 1 < len(request.legal()) <= MAX_ANSWERS
    return request if few and request is not None and request.odds is not None else None


def _weighed(desk: SessionState, entry: int, at: int, spot: Spot, request: Request[Any]) -> DecisionLoss | None:
    """The decision with its best answer, to the seat that took it; None where an answer cannot be followed."""
    players, options = desk.game.players, desk.options
    sign = 1 if players.asked(request, players.acting(spot.start)) == players.seats[0] else -1

    def worth(position: Position) -> float:
        return sign * float(desk.game.score(position, options).total)

    values = {choice.label: request.read(choice.value) for choice in request.legal()}
    taken = spot.told[at]
    try:
        found = {
            label: average(ways(spot, (*spot.told[:at], taken._replace(value=value)), RUNS_PER_ANSWER), worth)
            for label, value in values.items()
        }
    except Astray:
        return None
    mine = next((label for label, value in values.items() if value == taken.value), "")
    if not mine:
        return None
    best = max(found, key=lambda label: found[label])
    return DecisionLoss(entry, at + 1, taken.key, taken.rule, mine, best, found[best] - found[mine])
