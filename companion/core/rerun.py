"""Results of computations that are reused where an action is run again with the same first replies.

A running procedure cannot be copied. Where many continuations of one action are followed, it runs again for each of them;
what it computes is a function of the replies so far, so that only the first run has to compute it. A run that reaches the
state of an earlier one by other replies need not go on.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from itertools import chain
from operator import is_

from companion.core.events import Event
from companion.core.hints import TYPE_CHECKING, Any, TypeVar
from companion.core.history import Reply
from companion.core.position import Position

if TYPE_CHECKING:
    from companion.core.referee import Referee

T = TypeVar("T")


class Rejoined(Exception):
    """Raised where a run goes on exactly as an earlier one did; ``stop`` is where that one stopped."""

    def __init__(self, stop: Any) -> None:
        super().__init__("an earlier run has gone on from here")
        self.stop = stop


class _Node:
    """A point of an action, after some replies: its results in order, and the points after one more reply, by its identity."""

    __slots__ = ("following", "results")

    def __init__(self) -> None:
        self.results: list[dict[int, list[_Result]]] = []  # by the identity of the first reply that came of it; 0: none did
        self.following: dict[int, tuple[Reply, _Node]] = {}


_State = tuple[dict[str, Any], list[str]]
"""The fields of a referee, with copies of collections, and the names of these."""


class _Result:
    """A result with the replies and events that came of it, and the state of the referee, the point and the count after it.

    ``beyond`` is what the rest of the run depends on besides, unless it was given more replies. ``stop`` is where a run without
    more replies has stopped after it; None: none has.
    """

    __slots__ = ("beyond", "end", "events", "number", "replies", "state", "stop", "value")

    def __init__(
        self,
        value: Any,
        replies: tuple[Reply, ...],
        events: tuple[Event, ...],
        state: _State,
        end: _Node,
        number: int,
        beyond: object,
    ) -> None:
        self.value = value
        self.replies = replies
        self.events = events
        self.state = state
        self.end = end
        self.number = number
        self.beyond = beyond
        self.stop: Any = None

    def leads_on_as(self, other: _Result) -> bool:
        """True if a run goes on alike after both, which are results of one procedure from one state."""
        (fields, _), (other_fields, _) = self.state, other.state
        return (
            _is_same_change(fields["position"], self.events, other_fields["position"], other.events)
            and self.value == other.value
            and self.beyond == other.beyond
            and len(fields) == len(other_fields)
            and all(
                name in other_fields and (field is other_fields[name] or name in _UNREAD or field == other_fields[name])
                for name, field in fields.items()
            )
        )


def _is_same_change(position: Position, events: Sequence[Event], other: Position, other_events: Sequence[Event]) -> bool:
    """True if two positions that come of events after one position are equal in all, the order of pieces and flags too."""
    pieces, other_pieces = position.pieces, other.pieces
    for event in chain(reversed(events), other_events):  # the first field of an event names the piece; others are in neither
        if pieces.get(event[0]) != other_pieces.get(event[0]):
            return False
    return (
        position.tracks == other.tracks
        and position.flags == other.flags
        and list(pieces) == list(other_pieces)
        and list(position.flags) == list(other.flags)
    )


class RerunCache:
    """The results of one action of one position.

    Replies are told apart by identity: runs share the replies that they have in common. What is computed changes nothing but
    the referee, and nothing changes its result later.
    """

    def __init__(self) -> None:
        self._root = _Node()
        self.go_to([], deque(), lambda: None)

    def go_to(self, passed: list[Reply], queue: deque[Reply], beyond: Callable[[], object]) -> None:
        """Begin a run, or go on with one.

        ``passed`` are its replies so far and ``queue`` those that it is given; the run goes on to change both. ``beyond`` returns
        what the rest of the action depends on besides the referee and the queue.
        """
        self._passed = passed
        self._queue = queue
        self._beyond = beyond
        self._node = self._root
        self._count = 0
        self._unstopped: list[_Result] = []
        for reply in passed:
            self.pass_reply(reply)

    def close(self) -> None:
        """Forget all results: break the reference cycles now instead of waiting for the garbage collector."""
        nodes = [self._root]
        while nodes:
            node = nodes.pop()
            nodes += [following for _, following in node.following.values()]
            node.results.clear()
            node.following.clear()
        self.go_to([], deque(), lambda: None)

    def end_run(self, stop: object) -> None:
        """Note where the run stopped."""
        for result in self._unstopped:
            result.stop = stop
        self._unstopped = []

    def pass_reply(self, reply: Reply) -> None:
        """Go on to the point after a reply."""
        following = self._node.following.get(id(reply))
        if following is None:
            following = self._node.following[id(reply)] = reply, _Node()
        self._node, self._count = following[1], 0

    def _take(self, replies: Sequence[Reply]) -> bool:
        """Take replies off the queue if it begins with the very same ones."""
        queue = self._queue
        if len(queue) < len(replies) or not all(map(is_, queue, replies)):
            return False
        for _ in replies:
            queue.popleft()
        self._passed += replies
        return True

    def _next(self) -> dict[int, list[_Result]]:
        """The results of what comes next."""
        node, number = self._node, self._count
        if number == len(node.results):
            node.results.append({})
        self._count += 1
        return node.results[number]

    def reuse(self, compute: Callable[[], T]) -> T:
        """The result of a computation."""
        results = self._next()
        if not results:
            results[0] = [_Result(compute(), (), (), ({}, []), self._node, self._count, None)]
        ((known,),) = results.values()
        self._count = known.number
        value: T = known.value
        return value

    async def reuse_procedure(self, referee: Referee, procedure: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a procedure; replies, events and the state of the referee are made what they were after it.

        Raises Rejoined: it leads on as an earlier one did, and the run has no more replies.
        """
        results, queue = self._next(), self._queue
        for known in results.get(0) or results.get(id(queue[0]) if queue else 0, []):
            if self._take(known.replies):
                self._node, self._count = known.end, known.number
                referee.events += known.events
                _restore(referee, known.state)
                value: T = known.value
                return value
        replies, events = len(self._passed), len(referee.events)
        value = await procedure()
        taken, new = tuple(self._passed[replies:]), tuple(referee.events[events:])
        beyond = None if self._queue else self._beyond()
        result = _Result(value, taken, new, _state_of(referee), self._node, self._count, beyond)
        if not self._queue:
            for known in chain.from_iterable(results.values()):
                if known.stop is not None and known.leads_on_as(result):
                    raise Rejoined(known.stop)
            self._unstopped.append(result)
        results.setdefault(id(taken[0]) if taken else 0, []).append(result)
        return value


_UNREAD = frozenset(("_changes", "_questions", "skipped_questions", "equivalent"))
"""Fields of a referee that only tell an endless action, and refuse what a player types."""

_FIXED = ("events", "rerun", "options", "charts", "bounds", "places")
"""Fields of a referee that do not change while it runs, or are restored otherwise."""

_COLLECTIONS = frozenset((list, dict, set))


def _state_of(referee: Referee) -> _State:
    """The fields that make up the state of a referee."""
    fields = vars(referee).copy()
    for name in _FIXED:
        fields.pop(name, None)
    collections = [name for name, field in fields.items() if type(field) in _COLLECTIONS]
    for name in collections:
        fields[name] = fields[name].copy()
    return fields, collections


def _restore(referee: Referee, state: _State) -> None:
    """Set the fields of a referee; it gets collections of its own."""
    fields, collections = state
    own = vars(referee)
    own.update(fields)
    for name in collections:
        own[name] = fields[name].copy()
