"""Exact odds from the rules themselves.

A procedure is re-run for each outcome of its rolls; outcomes that the rule does not distinguish are merged, and equal
states are computed once.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from operator import mul

from companion.core.errors import NoPossibleAnswer, RuleFault
from companion.core.hints import Any, Generic, TypeVar
from companion.core.limits import PATH_ROLLS
from companion.core.named_tuple import NamedTuple
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
    """Each path through a procedure: its result and probability. The procedure must not change anything outside itself.

    Raises RuleFault: a path does not end.
    """
    pending: list[tuple[tuple[ReplyValue, ...], float]] = [((), 1.0)]
    while pending:
        taken, weight = pending.pop()
        replies = iter(taken)
        procedure = start()
        send = procedure.send
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
                    replies_of_chance = request.weighted_replies()
                    if not replies_of_chance:
                        procedure.throw(NoPossibleAnswer(request.named(request.dead_end() or "has no possible result")))
                    (reply, chance), *others = replies_of_chance
                    if others and len(taken) > PATH_ROLLS:  # raised inside, so that the traceback shows the line of the rules
                        procedure.throw(
                            RuleFault(request.named(f"is one of more than {PATH_ROLLS:,} rolls and draws of one result"))
                        )
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

_Rows = dict[int, float]
"""The distribution of codes: the number of a state (even) or result (odd), and from bit 32 on the cost."""

_Items = tuple[tuple[int, float], ...]
"""The same as pairs."""

_NUMBER = (1 << 32) - 1

_Means = tuple[float, ...]

_CERTAIN = [1.0]
"""The chances of a part with one outcome."""


class Rounds(Generic[S]):
    """Rounds of the same parts, repeated until the end.

    After each part only its state counts, so that equal states are computed once. A round may lead back to its own initial state
    (nothing happened), never to that of an earlier round. Costs are whole numbers from 0. ``judge`` returns from a state whether
    it is over, its cost, and the (normalised) state to continue with. A part that is None never changes anything.
    ``endless`` gives the result of a state that rounds never leave; without it such a state is refused.
    """

    def __init__(
        self,
        *parts: Part[S] | DirectPart[S] | None,
        judge: Callable[[Any], Continued | Finished] = lambda state: state,
        policy: ReplyPolicy = suggested_policy,
        endless: Callable[[S], R] | None = None,
    ) -> None:
        self._parts = parts
        self._endless = endless
        active = [index for index, part in enumerate(parts) if part is not None]
        self._next = [next((later for later in active if later > index), 0) for index in range(len(parts))]
        self._judge = judge
        self._policy = policy
        self._numbers: dict[Any, int] = {}
        self._states: list[Any] = []
        self._results: dict[Any, int] = {}
        self._judged: dict[Any, int] = {}
        self._unchanged: dict[int, int] = {}  # what a part that returns its state leads to; saves hashing the state
        self._part_rows: dict[Part[S] | DirectPart[S], dict[int, _Items]] = {part: {} for part in parts if part is not None}
        self._round_rows: dict[int, _Items] = {}

    def one_round(self, state: S, part: int = 0) -> Ends:
        """The outcomes of one round from the part of that index, states included."""
        return self._ends(self._round({self._number(state): 1.0}, part))

    def outcomes(self, state: S, part: int = 0) -> Ends:
        """The final outcomes from the part of that index. Raises ValueError: the rounds are circular or never end."""
        return self.mixed_outcomes({state: 1.0}, part)

    def mixed_outcomes(self, states: Mapping[S, float], part: int = 0) -> Ends:
        """The final outcomes if it begins in one of some states, each with its probability; otherwise as `outcomes`."""
        rows: _Rows = {self._number(state): chance for state, chance in states.items()}
        return self._ends(self._final(self._round(rows, part) if part else rows))

    def _round(self, current: _Rows, part: int = 0) -> _Rows:
        """The outcomes of the parts of a round from that index on."""
        finished: _Rows = {}
        for index in range(part, len(self._parts)):
            if self._parts[index] is None:
                continue
            following: _Rows = {}
            for code, chance in current.items():
                number = code & _NUMBER
                cost = code - number
                for row, share in self._rows(index, number):
                    target = finished if row & 1 else following
                    end = row + cost
                    target[end] = target.get(end, 0.0) + chance * share
            current = following
        return finished | current

    def _ends(self, rows: _Rows) -> Ends:
        results = list(self._results)
        numbers = ((code & _NUMBER, code >> 32, chance) for code, chance in rows.items())
        return {
            (results[number >> 1] if number & 1 else self._states[number >> 1], cost): chance for number, cost, chance in numbers
        }

    def _number(self, state: Any) -> int:
        number = self._numbers.get(state)
        if number is None:
            number = self._numbers[state] = 2 * len(self._states)
            self._states.append(state)
        return number

    def _code(self, state: Any) -> int:
        """The code of a state or result that a part ended in."""
        judged = self._judge(state)
        if isinstance(judged, Continued):
            return self._number(judged.state) + (judged.cost << 32)
        return self._results.setdefault(judged.result, 2 * len(self._results) + 1) + (judged.cost << 32)

    def _endless_result(self, number: int) -> int:
        """The number of the result of a state that rounds never leave. Raises ValueError: there is none."""
        if self._endless is None:
            raise ValueError("the rounds never end")
        return self._results.setdefault(self._endless(self._states[number >> 1]), 2 * len(self._results) + 1)

    def _rows(self, index: int, number: int) -> _Items:
        """The outcomes of the part of that index from a state."""
        part = self._parts[index]
        if part is None:
            return ((number, 1.0),)
        known = self._part_rows[part]
        items = known.get(number)
        if items is not None:
            return items
        rows: _Rows = {}
        state, judged = self._states[number >> 1], self._judged
        outcomes = part.outcomes(state) if isinstance(part, DirectPart) else paths(lambda: part(state), self._policy)
        for outcome, chance in outcomes:
            code = self._unchanged.get(number) if outcome is state else judged.get(outcome)
            if code is None:
                code = judged[outcome] = self._code(outcome)
                if outcome is state:
                    self._unchanged[number] = code
            rows[code] = rows.get(code, 0.0) + chance
        items = known[number] = tuple(rows.items())
        return items

    def _whole_round(self, number: int) -> _Items:
        """The outcomes of a whole round from a state."""
        items = self._round_rows.get(number)
        if items is None:
            items = self._round_rows[number] = tuple(self._round({number: 1.0}).items())
        return items

    def _in_order(self, starts: Iterable[int]) -> list[int]:
        """The states that rounds may begin in, each before those it leads to. Raises ValueError: the rounds are circular."""
        last_first: list[int] = []
        done: dict[int, bool] = {}  # False while the states that follow are visited
        pending = [number for number in starts if not number & 1]
        while pending:
            number = pending[-1]
            if number not in done:
                done[number] = False
                for code, _ in self._whole_round(number):
                    following = code & _NUMBER
                    if not following & 1 and following != number and not done.get(following):
                        if following in done:
                            raise ValueError("the rounds are circular")
                        pending.append(following)
                continue
            pending.pop()
            if not done[number]:
                done[number] = True
                last_first.append(number)
        return last_first[::-1]

    def _final(self, starts: _Rows) -> _Rows:
        """The final outcomes from the states that rounds begin in, or results; each state is left for good before the next."""
        ends: _Rows = {}
        reached: dict[int, _Rows] = {}  # the costs at which a state is reached

        def reach(rows: Iterable[tuple[int, float]], cost: int = 0, mass: float = 1.0) -> None:
            for row, chance in rows:
                number = row & _NUMBER
                if number & 1:
                    ends[row + cost] = ends.get(row + cost, 0.0) + mass * chance
                else:
                    costs = reached.setdefault(number, {})
                    total = row - number + cost
                    costs[total] = costs.get(total, 0.0) + mass * chance

        reach(starts.items())
        for number in self._in_order(tuple(reached)):
            rows = self._whole_round(number)
            repeats = {code - number: chance for code, chance in rows if code & _NUMBER == number}
            if len(repeats) == len(rows):
                reach([(self._endless_result(number), 1.0)], 0, sum(reached.pop(number).values()))
                continue
            others = [row for row in rows if row[0] & _NUMBER != number] if repeats else rows
            for cost, mass in _repeated(reached.pop(number), repeats).items():
                reach(others, cost, mass)
        return ends


class RoundsMeans(Rounds[S]):
    """The means of numbers of the result: a few numbers a state, a fraction of the work of whole distributions.

    `worths` returns the numbers of a result, such as 1 for those whose chance is wanted; `cost_worths` are those of each unit of
    cost, in the same order. `like` are other rounds with the same states and judge: parts that are the same object are worked
    out once for both.
    """

    def __init__(
        self,
        *parts: Part[S] | DirectPart[S] | None,
        worths: Callable[[Any], Sequence[float]],
        cost_worths: Sequence[float],
        like: Rounds[S] | None = None,
        **options: Any,
    ) -> None:
        super().__init__(*parts, **options)
        self._worths_of_result = worths
        self._cost_worths = tuple(cost_worths)
        self._worths: dict[int, _Means] = {}
        self._values: list[dict[int, _Means]] = [{} for _ in parts]
        self._starts: list[int] = []
        if like is not None:
            self._numbers, self._states, self._results = like._numbers, like._states, like._results
            self._judged, self._unchanged = like._judged, like._unchanged
            self._part_rows |= {part: like._part_rows[part] for part in parts if part is not None and part in like._part_rows}

    def means(self, state: S, part: int = 0) -> Sequence[float]:
        """The means from the part of that index. Raises ValueError: the rounds are circular or never end."""
        number = self._number(state)
        value = self._values[part].get(number)
        return self._value(number, part)[0] if value is None else value

    def _worths_of(self, number: int) -> _Means:
        worths = self._worths.get(number)
        if worths is None:
            worths = self._worths[number] = tuple(map(float, self._worths_of_result(list(self._results)[number >> 1])))
        return worths

    def _value(self, number: int, part: int) -> tuple[_Means, float]:
        """The means, and how likely the state that began the round is reached again first, from where it counts nothing."""
        if part == 0:
            if number in self._starts:
                if number != self._starts[-1]:
                    raise ValueError("the rounds are circular")
                return (0.0,) * len(self._cost_worths), 1.0
            self._starts.append(number)
        again = 0.0
        following = self._next[part]
        values = self._values[following]
        chances, found = [], []
        for code, chance in self._rows(part, number):
            after = code & _NUMBER
            if code != after:
                chances.append(chance * (code >> 32))
                found.append(self._cost_worths)
            if after & 1:
                value = self._worths_of(after)
            elif (known := values.get(after)) is not None:
                value = known
            else:
                value, repeated = self._value(after, following)
                again += chance * repeated
            chances.append(chance)
            found.append(value)
        if chances == _CERTAIN:
            value = found[0]
        else:
            value = tuple([sum(map(mul, chances, column)) for column in zip(*found, strict=True)])
        if part == 0:
            self._starts.pop()
            if again >= 1.0 - _NEGLIGIBLE:
                value = self._worths_of(self._endless_result(number))
            elif again:
                value = tuple([mean / (1.0 - again) for mean in value])
            again = 0.0
        if not again:
            self._values[part][number] = value
        return value, again


class RoundsMean(RoundsMeans[S]):
    """The mean of one number of the result; `worth` and `cost_worth` as the lists of `RoundsMeans`."""

    def __init__(
        self, *parts: Part[S] | DirectPart[S] | None, worth: Callable[[Any], float], cost_worth: float = 0.0, **options: Any
    ) -> None:
        super().__init__(*parts, worths=lambda result: (worth(result),), cost_worths=(cost_worth,), **options)

    def mean(self, state: S, part: int = 0) -> float:
        """The mean from the part of that index; raises as `means`."""
        return self.means(state, part)[0]


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


def _repeated(reached: _Rows, repeats: Mapping[int, float]) -> _Rows:
    """How often a state is begun at each cost, which is reached so often and repeats itself at these costs with a probability."""
    if not repeats:
        return reached
    free = 1.0 - repeats.get(0, 0.0)
    costly = {cost: chance for cost, chance in repeats.items() if cost}
    begun: _Rows = {}
    pending, least = dict(reached), _NEGLIGIBLE * sum(reached.values())
    while pending:
        cost = min(pending) if costly else next(iter(pending))
        mass = pending.pop(cost) / free
        if costly and mass < least:
            continue
        begun[cost] = mass
        for more, chance in costly.items():
            pending[cost + more] = pending.get(cost + more, 0.0) + mass * chance
    return begun
