"""Results of computations that are reused where an action is run again with the same first replies.

A running procedure cannot be copied. Where many continuations of one action are followed, it runs again for each of them;
what it computes is a function of the replies so far, so that only the first run has to compute it.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from companion.core.events import Event
from companion.core.history import Reply

if TYPE_CHECKING:
    from companion.core.referee import Referee

T = TypeVar("T")


_State = tuple[dict[str, Any], list[tuple[str, Any]]]
"""The fields of a referee that are no collections, and copies of those that are."""


class _Node:
    """A point of an action, after some replies: its results in order, and the points after one more reply, by its identity."""

    __slots__ = ("following", "results")

    def __init__(self) -> None:
        self.results: list[_Result | None] = []  # None: not known to the end
        self.following: dict[int, tuple[Reply, _Node]] = {}


class _Result(NamedTuple):
    """A result with the replies and events that came of it, and the state of the referee, the point and the count after it."""

    value: Any
    replies: tuple[Reply, ...] = ()
    events: tuple[Event, ...] = ()
    state: _State = ({}, [])
    end: _Node | None = None
    number: int = 0


class RerunCache:
    """The results of one action of one position.

    Replies are told apart by identity: runs share the replies that they have in common. What is computed changes nothing but
    the referee, and nothing changes its result later.
    """

    def __init__(self) -> None:
        self._root = _Node()
        self.go_to((), lambda replies: False)

    def go_to(self, replies: Iterable[Reply], take: Callable[[Sequence[Reply]], bool]) -> None:
        """Begin a run, or go on with one after some replies.

        ``take`` takes replies off those that the run is given; it returns False if they do not come next.
        """
        self._take = take
        self._node = self._root
        self._count = 0
        self._passed: list[Reply] = []
        for reply in replies:
            self.pass_reply(reply)

    def pass_reply(self, reply: Reply) -> None:
        """Go on to the point after a reply."""
        following = self._node.following.get(id(reply))
        if following is None:
            following = self._node.following[id(reply)] = reply, _Node()
        self._node, self._count = following[1], 0
        self._passed.append(reply)

    def _next(self) -> tuple[_Node, int]:
        """The place of the next result."""
        node, number = self._node, self._count
        if number == len(node.results):
            node.results.append(None)
        self._count += 1
        return node, number

    def reuse(self, compute: Callable[[], T]) -> T:
        """The result of a computation."""
        node, number = self._next()
        known = node.results[number]
        if known is None:
            known = node.results[number] = _Result(compute(), (), (), ({}, []), self._node, self._count)
        self._count = known.number
        value: T = known.value
        return value

    async def reuse_procedure(self, referee: Referee, procedure: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """The result of a procedure; replies, events and the state of the referee are made what they were after it."""
        node, number = self._next()
        known = node.results[number]
        if known is not None and known.end is not None and self._take(known.replies):
            self._passed += known.replies
            self._node, self._count = known.end, known.number
            referee.events += known.events
            _restore(referee, known.state)
            value: T = known.value
            return value
        replies, events = len(self._passed), len(referee.events)
        value = await procedure()
        taken, new = tuple(self._passed[replies:]), tuple(referee.events[events:])
        node.results[number] = _Result(value, taken, new, _state_of(referee), self._node, self._count)
        return value


_NO_STATE = {"events", "rerun", "options", "charts", "bounds", "places"}
"""Fields of a referee that do not change while it runs, or are restored otherwise."""

_COLLECTIONS = {list, dict, set}


def _state_of(referee: Referee) -> _State:
    """The fields that make up the state of a referee."""
    fields: dict[str, Any] = {}
    collections: list[tuple[str, Any]] = []
    for name, field in vars(referee).items():
        if name not in _NO_STATE:
            if type(field) in _COLLECTIONS:
                collections.append((name, field.copy()))
            else:
                fields[name] = field
    return fields, collections


def _restore(referee: Referee, state: _State) -> None:
    """Set the fields of a referee; it gets collections of its own."""
    fields, collections = state
    own = vars(referee)
    own.update(fields)
    for name, collection in collections:
        if name not in own or own[name] != collection:
            own[name] = collection.copy()
