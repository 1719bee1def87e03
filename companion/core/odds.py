"""Exact odds from the rules themselves: a procedure is re-run for each outcome of its rolls, outcomes that the rule
cannot tell apart are merged, and rounds that lead to the same state are worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, NamedTuple, TypeVar

from companion.core.dice import Outcome, orders
from companion.core.procedures import Procedure
from companion.core.requests import Draw, Request, Roll

S = TypeVar("S", bound=Hashable)
E = TypeVar("E", bound=Hashable)
R = TypeVar("R", bound=Hashable)

Policy = Callable[[Request[Any]], Any]
"""What the player is assumed to answer."""

_REST = 1e-13


def suggested(request: Request[Any]) -> Any:
    """The policy of taking what the request itself suggests."""
    if request.suggest is None:
        raise ValueError(f"'{request.key}' has no suggested answer, so its odds need a policy")
    return request.suggest


def roll_outcomes(roll: Roll) -> tuple[Outcome, ...]:
    """Every distinct outcome of a roll with its weight."""
    return roll.outcomes() if roll.outcomes else orders(roll.count, roll.sides, roll.lowest)


def _branches(request: Request[Any]) -> list[tuple[Any, float]] | None:
    """The replies that chance may give, or None where a player decides."""
    if isinstance(request, Roll):
        total = request.sides**request.count
        return [(outcome.faces, outcome.weight / total) for outcome in roll_outcomes(request)]
    if isinstance(request, Draw):
        total = sum(request.contents.values())
        return [(name, count / total) for name, count in request.contents.items()]
    return None


def distribution(start: Callable[[], Procedure[R]], policy: Policy = suggested) -> dict[R, float]:
    """Each result that the procedure can end in, with its probability.

    Args:
        start: makes the procedure anew; it must not change anything outside itself.
        policy: answers every request that is not left to chance.
    """
    results: dict[R, float] = {}
    open_prefixes: list[tuple[tuple[Any, ...], float]] = [((), 1.0)]
    while open_prefixes:
        prefix, weight = open_prefixes.pop()
        procedure = start()
        used = 0
        reply: Any = None
        while True:
            try:
                request = procedure.send(reply)
            except StopIteration as end:
                results[end.value] = results.get(end.value, 0.0) + weight
                break
            branches = _branches(request)
            if branches is None:
                reply = policy(request)
                continue
            if used < len(prefix):
                reply = prefix[used]
            else:
                reply, chance = branches[0]
                open_prefixes += [((*prefix, other), weight * share) for other, share in branches[1:]]
                prefix, weight = (*prefix, reply), weight * chance
            used += 1
    return results


class Onward(NamedTuple):
    """A round that leaves things undecided: the state that it leads to, and what it cost on the way."""

    state: Any
    cost: int = 0


class Ended(NamedTuple):
    """A round after which it is over."""

    result: Any
    cost: int = 0


def settle(state: S, play: Callable[[S], Procedure[Onward | Ended]], policy: Policy = suggested) -> dict[tuple[Any, int], float]:
    """The exact distribution of (result, total cost) when rounds are played until it is over.

    ``play`` plays one round from a state. A state may lead back to itself (a round without effect), never to an
    earlier one; costs are whole numbers from 0.

    Raises:
        ValueError: the rounds go in a circle, so they have no such distribution.
    """
    known: dict[Any, dict[tuple[Any, int], float]] = {}
    under_way: set[Any] = set()

    def solve(here: Any) -> dict[tuple[Any, int], float]:
        if here in known:
            return known[here]
        if here in under_way:
            raise ValueError("the rounds go in a circle")
        under_way.add(here)
        ends: dict[tuple[Any, int], float] = {}
        again: dict[int, float] = {}
        for out, chance in distribution(lambda: play(here), policy).items():
            if isinstance(out, Ended):
                ends[(out.result, out.cost)] = ends.get((out.result, out.cost), 0.0) + chance
            elif out.state == here:
                again[out.cost] = again.get(out.cost, 0.0) + chance
            else:
                for (result, cost), share in solve(out.state).items():
                    end = (result, cost + out.cost)
                    ends[end] = ends.get(end, 0.0) + chance * share
        known[here] = _with_repeats(ends, again)
        under_way.discard(here)
        return known[here]

    return solve(state)


def _with_repeats(ends: Mapping[tuple[Any, int], float], again: Mapping[int, float]) -> dict[tuple[Any, int], float]:
    """The ends of a round that may be played again from the same state, at a cost or at none."""
    free = again.get(0, 0.0)
    costly = {cost: chance for cost, chance in again.items() if cost}
    if free >= 1.0:
        raise ValueError("the rounds never end")
    scaled = {end: chance / (1.0 - free) for end, chance in ends.items()}
    if not costly:
        return scaled
    total: dict[tuple[Any, int], float] = {}
    left: dict[int, float] = {0: 1.0}
    while left:
        cost, mass = min(left.items())
        del left[cost]
        if mass < _REST:
            continue
        for (result, more), chance in scaled.items():
            total[(result, cost + more)] = total.get((result, cost + more), 0.0) + mass * chance
        for more, chance in costly.items():
            left[cost + more] = left.get(cost + more, 0.0) + mass * chance / (1.0 - free)
    return total
