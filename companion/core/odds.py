"""Exact odds from the rules themselves.

A procedure is re-run for each outcome of its rolls; outcomes that the rule does not distinguish are merged, and equal
states are computed once.
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
"""Answers the requests that the player decides."""

_REST = 1e-13


def suggested_policy(request: AnyRequest) -> ReplyValue:
    """Take the suggestion of each request."""
    if request.suggest is None:
        raise ValueError(f"'{request.key}' has no suggested answer, so its odds need a policy")
    return request.suggest


def paths(start: Callable[[], Procedure[R]], policy: ReplyPolicy = suggested_policy) -> Iterator[tuple[R, float]]:
    """Each path through a procedure: its result and probability. The procedure must not change anything outside itself."""
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
    """The probability of each result of a procedure; arguments as for `paths`.

    >>> from companion.core.requests import Roll
    >>> async def hits():
    ...     return sum(face >= 5 for face in await Roll("fire", "Two units fire", "16.2", count=2))
    >>> {hit: round(36 * chance) for hit, chance in sorted(distribution(hits).items())}
    {0: 16, 1: 16, 2: 4}
    """
    return merge(paths(start, policy))


def merge(chances: Iterable[tuple[R, float]]) -> dict[R, float]:
    """Merge equal items and add their probabilities, in order of first appearance."""
    merged: dict[R, float] = {}
    for item, chance in chances:
        merged[item] = merged.get(item, 0.0) + chance
    return merged


def probability_of(results: Mapping[R, float], holds: Callable[[R], object]) -> float:
    """The probability that a condition holds."""
    return sum([chance for result, chance in results.items() if holds(result)], 0.0)


def distribution_of(results: Mapping[R, float], number: Callable[[R], int]) -> dict[int, float]:
    """The distribution of a number computed from each result, ascending."""
    return dict(sorted(merge((number(result), chance) for result, chance in results.items()).items()))


def mean(numbers: Mapping[int, float]) -> float:
    """The expected value of a distribution of numbers."""
    return sum([number * chance for number, chance in numbers.items()])


class Continued(NamedTuple):
    """A round that did not end it: the next state, and the cost so far."""

    state: Any
    cost: int = 0


class Finished(NamedTuple):
    """A round that ended it."""

    result: Any
    cost: int = 0


Part = Callable[[S], AnyProcedure]
"""A part of a round, from state to state."""

Ends = dict[tuple[Any, int], float]
"""The distribution of (result, total cost)."""

_Rows = dict[tuple[int, int], float]
"""The distribution of (number of a state, cost); negative numbers stand for results."""


class Rounds(Generic[S]):
    """Rounds of the same parts, repeated until the end.

    After each part only its state counts, so that equal states are computed once. A round may lead back to its own initial state
    (nothing happened), never to that of an earlier round. Costs are whole numbers from 0. ``judge`` returns from a state whether
    it is over, its cost, and the (normalised) state to continue with.
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
        """The outcomes of one round from the part at index ``at``, states included."""
        return self._told(self._round(self._number(state), at))

    def outcomes(self, state: S, at: int = 0) -> Ends:
        """The final outcomes. Raises ValueError: the rounds are circular or never end."""
        number = self._number(state)
        return self._told(self._onward(self._round(number, at), None) if at else self._solved(number))

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
        """The number and cost of what a part ended in."""
        out = self._judge(raw)
        if isinstance(out, Continued):
            return self._number(out.state), out.cost
        number = self._ended.setdefault(out.result, ~len(self._ended))
        return number, out.cost

    def _lead(self, part: Part[S], number: int) -> _Rows:
        """The outcomes of one part from a state."""
        state, read = self._states[number], self._read
        rows: _Rows = {}
        for raw, chance in paths(lambda: part(state), self._policy):
            place = read.get(raw)
            if place is None:
                place = read[raw] = self._place(raw)
            rows[place] = rows.get(place, 0.0) + chance
        return rows

    def _round(self, number: int, at: int) -> _Rows:
        """The outcomes of a round, from one of its parts on."""
        over: _Rows = {}
        current: _Rows = {(number, 0): 1.0}
        for part in self._parts[at:]:
            leads = self._leads[part]
            following: _Rows = {}
            for (state, cost), chance in current.items():
                rows = leads.get(state)
                if rows is None:
                    rows = leads[state] = self._lead(part, state)
                for place, share in rows.items():
                    into = following if place[0] >= 0 else over
                    end = (place[0], place[1] + cost) if cost else place
                    into[end] = into.get(end, 0.0) + chance * share
            current = following
        return over | current

    def _solved(self, number: int) -> _Rows:
        """The final outcomes from a state at the beginning of a round."""
        rows = self._known.get(number)
        if rows is None:
            if number in self._under_way:
                raise ValueError("the rounds go in a circle")
            self._under_way.add(number)
            rows = self._known[number] = self._onward(self._round(number, 0), number)
            self._under_way.discard(number)
        return rows

    def _onward(self, rows: _Rows, began: int | None) -> _Rows:
        """The final outcomes after a round that may have led back to its own initial state."""
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
    """The distribution of (result, total cost) of a round that is repeated until it says that it has ended.

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
    """The outcomes of a round repeated with the probabilities in ``again``, each at a cost. Raises ValueError: it never ends."""
    if not ends:
        raise ValueError("the rounds never end")
    free = again.get(0, 0.0)
    scaled = {end: chance / (1.0 - free) for end, chance in ends.items()}
    costly = {cost: chance / (1.0 - free) for cost, chance in again.items() if cost}
    total: _Rows = {}
    pending = {0: 1.0}
    while pending:
        cost = min(pending)
        mass = pending.pop(cost)
        if mass < _REST:
            continue
        for (result, more), chance in scaled.items():
            total[(result, cost + more)] = total.get((result, cost + more), 0.0) + mass * chance
        for more, chance in costly.items():
            pending[cost + more] = pending.get(cost + more, 0.0) + mass * chance
    return total
