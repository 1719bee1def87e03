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

_NEGLIGIBLE = 1e-13


def suggested_policy(request: AnyRequest) -> ReplyValue:
    """Take the suggestion of each request."""
    if request.suggest is None:
        raise ValueError(f"'{request.key}' has no suggested answer, so its odds need a policy")
    return request.suggest


def paths(start: Callable[[], Procedure[R]], policy: ReplyPolicy = suggested_policy) -> Iterator[tuple[R, float]]:
    """Each path through a procedure: its result and probability. The procedure must not change anything outside itself."""
    pending: list[tuple[tuple[ReplyValue, ...], float]] = [((), 1.0)]
    while pending:
        taken, weight = pending.pop()
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
                    pending += [((*taken, other), weight * share) for other, share in others]
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


class DirectPart(Generic[S]):
    """A part that combines its outcomes from those of procedures that it shares among states, instead of running for each."""

    def outcomes(self, state: S) -> Iterable[tuple[Any, float]]:
        """Each outcome with its probability."""
        raise NotImplementedError


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
        *parts: Part[S] | DirectPart[S],
        judge: Callable[[Any], Continued | Finished] = lambda state: state,
        policy: ReplyPolicy = suggested_policy,
    ) -> None:
        self._parts = parts
        self._judge = judge
        self._policy = policy
        self._numbers: dict[Any, int] = {}
        self._states: list[Any] = []
        self._results: dict[Any, int] = {}
        self._judged: dict[Any, tuple[int, int]] = {}
        self._unchanged: dict[int, tuple[int, int]] = {}  # what a part that returns its state leads to; saves hashing the state
        self._part_rows: dict[Part[S] | DirectPart[S], dict[int, _Rows]] = {part: {} for part in parts}
        self._final_rows: list[dict[int, _Rows]] = [{} for _ in parts]
        self._in_progress: set[int] = set()

    def one_round(self, state: S, part: int = 0) -> Ends:
        """The outcomes of one round from the part of that index, states included."""
        finished: _Rows = {}
        current: _Rows = {(self._number(state), 0): 1.0}
        for index in range(part, len(self._parts)):
            following: _Rows = {}
            for (number, cost), chance in current.items():
                for row, share in self._rows(index, number).items():
                    target = following if row[0] >= 0 else finished
                    end = (row[0], row[1] + cost)
                    target[end] = target.get(end, 0.0) + chance * share
            current = following
        return self._ends(finished | current)

    def outcomes(self, state: S, part: int = 0) -> Ends:
        """The final outcomes from the part of that index. Raises ValueError: the rounds are circular or never end."""
        return self._ends(self._final(self._number(state), part))

    def _ends(self, rows: _Rows) -> Ends:
        results = list(self._results)
        return {
            (self._states[number] if number >= 0 else results[~number], cost): chance for (number, cost), chance in rows.items()
        }

    def _number(self, state: Any) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = len(self._states)
            self._states.append(state)
        return number

    def _row(self, state: Any) -> tuple[int, int]:
        """The number and cost of a state or result that a part ended in."""
        judged = self._judge(state)
        if isinstance(judged, Continued):
            return self._number(judged.state), judged.cost
        return self._results.setdefault(judged.result, ~len(self._results)), judged.cost

    def _result(self, number: int) -> Any:
        return list(self._results)[~number]

    def _rows(self, index: int, number: int) -> _Rows:
        """The outcomes of the part of that index from a state."""
        part = self._parts[index]
        known = self._part_rows[part]
        rows = known.get(number)
        if rows is not None:
            return rows
        rows = known[number] = {}
        state, judged = self._states[number], self._judged
        outcomes = part.outcomes(state) if isinstance(part, DirectPart) else paths(lambda: part(state), self._policy)
        for outcome, chance in outcomes:
            row = self._unchanged.get(number) if outcome is state else judged.get(outcome)
            if row is None:
                row = judged[outcome] = self._row(outcome)
                if outcome is state:
                    self._unchanged[number] = row
            rows[row] = rows.get(row, 0.0) + chance
        return rows

    def _final(self, number: int, part: int = 0) -> _Rows:
        """The final outcomes from a part on; the state that began the round is among them if it may be reached again."""
        known = self._final_rows[part].get(number)
        if known is not None:
            return known
        if part == 0:
            if number in self._in_progress:
                return {(number, 0): 1.0}
            self._in_progress.add(number)
        ends: _Rows = {}
        following = (part + 1) % len(self._parts)
        rows, finals = self._rows(part, number), self._final_rows[following]
        for row, chance in rows.items():
            after, cost = row
            if after < 0:
                ends[row] = ends.get(row, 0.0) + chance
                continue
            final = finals.get(after) or self._final(after, following)
            if len(rows) == 1 and not cost:
                ends = final
                break
            for end, share in final.items():
                total = (end[0], end[1] + cost) if cost else end
                ends[total] = ends.get(total, 0.0) + chance * share
        if part == 0:
            self._in_progress.discard(number)
            repeats = {cost: chance for (after, cost), chance in ends.items() if after == number}
            if repeats:
                ends = _repeated({end: chance for end, chance in ends.items() if end[0] != number}, repeats)
        if not any(after >= 0 for after, _ in ends):
            self._final_rows[part][number] = ends
        elif part == 0:
            raise ValueError("the rounds are circular")
        return ends


class RoundsChance(Rounds[S]):
    """The chance that rounds end with some results: one number a state, a fraction of the work of whole distributions."""

    def __init__(self, *parts: Part[S] | DirectPart[S], holds: Callable[[Any], bool], **options: Any) -> None:
        super().__init__(*parts, **options)
        self._holds = holds
        self._values: list[dict[int, float]] = [{} for _ in parts]
        self._starts: list[int] = []

    def chance(self, state: S, part: int = 0) -> float:
        """The chance from the part of that index. Raises ValueError: the rounds are circular or never end."""
        return self._value(self._number(state), part)[0]

    def _value(self, number: int, part: int) -> tuple[float, float]:
        """The chance, and how likely the state that began the round is reached again first."""
        if part == 0:
            if number in self._starts:
                if number != self._starts[-1]:
                    raise ValueError("the rounds are circular")
                return 0.0, 1.0
            self._starts.append(number)
        value = again = 0.0
        following = (part + 1) % len(self._parts)
        values = self._values[following]
        for (after, _), chance in self._rows(part, number).items():
            if after < 0:
                value += chance * self._holds(self._result(after))
                continue
            found = values.get(after)
            if found is None:
                found, repeated = self._value(after, following)
                again += chance * repeated
            value += chance * found
        if part == 0:
            self._starts.pop()
            if again >= 1.0:
                raise ValueError("the rounds never end")
            value, again = value / (1.0 - again), 0.0
        if not again:
            self._values[part][number] = value
        return value, again


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


def _repeated(ends: _Rows, repeats: Mapping[int, float]) -> _Rows:
    """The outcomes of a round repeated at each cost with a probability. Raises ValueError: it never ends."""
    if not ends:
        raise ValueError("the rounds never end")
    free = repeats.get(0, 0.0)
    scaled = {end: chance / (1.0 - free) for end, chance in ends.items()}
    costly = {cost: chance / (1.0 - free) for cost, chance in repeats.items() if cost}
    total: _Rows = {}
    pending = {0: 1.0}
    while pending:
        cost = min(pending)
        mass = pending.pop(cost)
        if mass < _NEGLIGIBLE:
            continue
        for (result, more), chance in scaled.items():
            total[(result, cost + more)] = total.get((result, cost + more), 0.0) + mass * chance
        for more, chance in costly.items():
            pending[cost + more] = pending.get(cost + more, 0.0) + mass * chance
    return total
