"""Exact odds from the rules themselves: a procedure is re-run for each outcome of its rolls, outcomes that the rule
cannot tell apart are merged, and what leads to the same state is worked out once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple, TypeVar

from companion.core.procedures import AnyProcedure, Effect, Procedure
from companion.core.request import AnyRequest
from companion.core.values import ReplyValue

S = TypeVar("S", bound=Hashable)
R = TypeVar("R", bound=Hashable)

ReplyPolicy = Callable[[AnyRequest], ReplyValue]
"""What the player is assumed to answer."""

_REST = 1e-13


def suggested_policy(request: AnyRequest) -> ReplyValue:
    """The policy of taking what the request itself suggests."""
    if request.suggest is None:
        raise ValueError(f"'{request.key}' has no suggested answer, so its odds need a policy")
    return request.suggest


def paths(start: Callable[[], Procedure[R]], policy: ReplyPolicy = suggested_policy) -> Iterator[tuple[R, float]]:
    """Each way through a procedure: what it ends in, and the chance of that way.

    Args:
        start: makes the procedure anew; it must not change anything outside itself.
        policy: answers every request that is not left to chance.
    """
    waiting: list[tuple[tuple[Any, ...], float]] = [((), 1.0)]
    while waiting:
        taken, weight = waiting.pop()
        replies = iter(taken)
        send = start().send
        reply: ReplyValue = None
        try:
            while True:
                request = send(reply)
                if isinstance(request, Effect):
                    reply = request.default_result()
                    continue
                if not request.chance_setting:
                    reply = policy(request)
                    continue
                reply = next(replies, None)
                if reply is None:
                    (reply, chance), *others = request.weighted_replies()
                    waiting += [((*taken, other), weight * share) for other, share in others]
                    taken, weight = (*taken, reply), weight * chance
        except StopIteration as end:
            yield end.value, weight


def distribution(start: Callable[[], Procedure[R]], policy: ReplyPolicy = suggested_policy) -> dict[R, float]:
    """Each result that the procedure can end in, with its probability; the arguments are those of ``paths``.

    >>> from companion.core.requests import Roll
    >>> async def hits():
    ...     return sum(face >= 5 for face in await Roll("fire", "Two units fire", "16.2", count=2))
    >>> {hit: round(36 * chance) for hit, chance in sorted(distribution(hits).items())}
    {0: 16, 1: 16, 2: 4}
    """
    return merge(paths(start, policy))


def merge(chances: Iterable[tuple[R, float]]) -> dict[R, float]:
    """Each thing once, with the sum of its chances, in the order in which they come."""
    found: dict[R, float] = {}
    for one, chance in chances:
        found[one] = found.get(one, 0.0) + chance
    return found


def probability_of(results: Mapping[R, float], holds: Callable[[R], object]) -> float:
    """The chance of a result for which something holds."""
    return sum([chance for result, chance in results.items() if holds(result)], 0.0)


def distribution_of(results: Mapping[R, float], number: Callable[[R], int]) -> dict[int, float]:
    """The distribution of a number that results have, the smallest first."""
    return dict(sorted(merge((number(result), chance) for result, chance in results.items()).items()))


def mean(numbers: Mapping[int, float]) -> float:
    """The expected value of a distribution of numbers."""
    return sum([number * chance for number, chance in numbers.items()])


class Continued(NamedTuple):
    """What leaves things undecided: the state that it leads to, and what it cost on the way."""

    state: Any
    cost: int = 0


class Finished(NamedTuple):
    """What ends it."""

    result: Any
    cost: int = 0


Part = Callable[[S], AnyProcedure]
"""A part of a round, from state to state."""

Ends = dict[tuple[Any, int], float]
"""The distribution of (result, total cost)."""

_Rows = dict[tuple[int, int], float]
"""The distribution of (number of a state, cost); numbers below zero stand for results."""


class Rounds(Generic[S]):
    """Rounds that are played until it is over, each made of the same parts in the same order.

    After each part only its state counts: however it came about, what follows is worked out once. A round may lead back to
    the state that it began with (nothing happened in it), never to that of an earlier round; costs are whole numbers from 0.

    Args:
        parts: what a round consists of; the rule itself awaits them one after the other. A part may come twice.
        judge: reads off a state whether it is over, what it cost, and which state (of several that are alike) to go on with.
        policy: answers every request that is not left to chance.
    """

    def __init__(
        self,
        *parts: Part[S],
        judge: Callable[[Any], Continued | Finished] = lambda out: out,
        policy: ReplyPolicy = suggested_policy,
    ) -> None:
        self._parts = parts
        self._judge = judge
        self._policy = policy
        self._numbers: dict[Any, int] = {}
        self._states: list[Any] = []
        self._ended: dict[Any, int] = {}
        self._read: dict[Any, tuple[int, int]] = {}
        self._leads: dict[Part[S], dict[int, _Rows]] = {part: {} for part in parts}
        self._known: dict[int, _Rows] = {}
        self._under_way: set[int] = set()

    def one_round(self, state: S, at: int = 0) -> Ends:
        """What one round leads to, states among the results; ``at``: the part that comes next."""
        return self._told(self._round(self._number(state), at))

    def outcomes(self, state: S, at: int = 0) -> Ends:
        """What it all ends in. Raises ValueError: the rounds go in a circle or never end, so they have no such distribution."""
        here = self._number(state)
        return self._told(self._onward(self._round(here, at), None) if at else self._solved(here))

    def _told(self, rows: _Rows) -> Ends:
        results = list(self._ended)
        return {
            (self._states[number] if number >= 0 else results[~number], cost): chance for (number, cost), chance in rows.items()
        }

    def _number(self, state: Any) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
        return number

    def _place(self, raw: Any) -> tuple[int, int]:
        """The number of what a part ended in, and its cost."""
        out = self._judge(raw)
        if isinstance(out, Continued):
            return self._number(out.state), out.cost
        number = self._ended.setdefault(out.result, ~len(self._ended))
        return number, out.cost

    def _lead(self, part: Part[S], number: int) -> _Rows:
        """What one part leads to from a state."""
        state, read = self._states[number], self._read
        rows: _Rows = {}
        for raw, chance in paths(lambda: part(state), self._policy):
            place = read.get(raw)
            if place is None:
                place = read[raw] = self._place(raw)
            rows[place] = rows.get(place, 0.0) + chance
        return rows

    def _round(self, number: int, at: int) -> _Rows:
        """What a round, from one of its parts on, leads to."""
        over: _Rows = {}
        here: _Rows = {(number, 0): 1.0}
        for part in self._parts[at:]:
            leads = self._leads[part]
            there: _Rows = {}
            for (state, cost), chance in here.items():
                rows = leads.get(state)
                if rows is None:
                    rows = leads[state] = self._lead(part, state)
                for place, share in rows.items():
                    into = there if place[0] >= 0 else over
                    end = (place[0], place[1] + cost) if cost else place
                    into[end] = into.get(end, 0.0) + chance * share
            here = there
        return over | here

    def _solved(self, number: int) -> _Rows:
        """What it ends in from a state at the beginning of a round."""
        known = self._known.get(number)
        if known is None:
            if number in self._under_way:
                raise ValueError("the rounds go in a circle")
            self._under_way.add(number)
            known = self._known[number] = self._onward(self._round(number, 0), number)
            self._under_way.discard(number)
        return known

    def _onward(self, rows: _Rows, began: int | None) -> _Rows:
        """What it ends in after a round, where that may have led back to the state in which it began."""
        ends: _Rows = {}
        again: dict[int, float] = {}
        for (number, cost), chance in rows.items():
            if number == began:
                again[cost] = chance
                continue
            for end, share in (self._solved(number) if number >= 0 else {(number, 0): 1.0}).items():
                place = (end[0], end[1] + cost) if cost else end
                ends[place] = ends.get(place, 0.0) + chance * share
        return _repeated(ends, again) if again else ends


def round_outcomes(state: S, play: Part[S], policy: ReplyPolicy = suggested_policy) -> Ends:
    """The exact distribution of (result, total cost) when a round that says itself whether it goes on is played until it is
    over.

    >>> from companion.core.requests import Roll
    >>> async def shot(state):
    ...     (face,) = await Roll("shot", "Shot", "16.2")  # a 6 hits; a 4 or 5 has cost a round for nothing
    ...     return Finished("hit") if face == 6 else Continued(state, cost=int(face > 3))
    >>> ends = round_outcomes("both stand", shot)
    >>> [round(ends["hit", lost], 4) for lost in range(4)]  # 1/3, and two thirds of that, and so on
    [0.3333, 0.2222, 0.1481, 0.0988]
    """
    return Rounds(play, policy=policy).outcomes(state)


def _repeated(ends: _Rows, again: Mapping[int, float]) -> _Rows:
    """The ends of a round that is played again with the chances in ``again``, each at a cost or at none: those at none
    change nothing but the weights of the others.

    Raises:
        ValueError: it never ends.
    """
    if not ends:
        raise ValueError("the rounds never end")
    free = again.get(0, 0.0)
    scaled = {end: chance / (1.0 - free) for end, chance in ends.items()}
    costly = {cost: chance / (1.0 - free) for cost, chance in again.items() if cost}
    total: _Rows = {}
    left = {0: 1.0}
    while left:
        cost = min(left)
        mass = left.pop(cost)
        if mass < _REST:
            continue
        for (result, more), chance in scaled.items():
            total[(result, cost + more)] = total.get((result, cost + more), 0.0) + mass * chance
        for more, chance in costly.items():
            left[cost + more] = left.get(cost + more, 0.0) + mass * chance
    return total
