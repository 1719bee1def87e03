"""What one call of a desk did."""

from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.events import Event
from companion.core.position import Position
from companion.core.request import Request


class Result(NamedTuple):
    """What one call did.

    Attributes:
        before, after: the working positions, with the open entry as far as it is.
        events: what came about since the previous question.
        pending: the question that is open now.
        entry: the entry that the call was about.
        done: whether that entry is complete.
        fix: what to put right on the table, after anything that takes back, brings back or corrects.
        notes: what else the player should know.
        fault: why an answer was not taken; those before it were.
        left: the ``Answers`` that are left of those brought along, where there were any.
        settled: answers that nobody was asked for, because no other could be given: the question and what it came to.
        repeated: the answer had been taken before, and nothing was done a second time.
    """

    before: Position
    after: Position
    events: tuple[Event, ...]
    pending: Request[Any] | None
    entry: int
    done: bool
    fix: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    fault: CompanionError | None = None
    left: Any = None
    settled: tuple[tuple[str, str], ...] = ()
    repeated: bool = False
