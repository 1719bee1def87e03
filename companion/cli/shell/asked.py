"""Which question a terminal was last shown: a late answer to an earlier one must not be taken for an answer to the next."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError, SessionMoved
from companion.session.standing import Standing

if TYPE_CHECKING:
    from companion.core.answering import Answers


def terminal() -> str:
    """What the terminal goes by; where there is none, the process that runs the commands, such as a script."""
    for stream in (0, 1, 2):
        with suppress(OSError, AttributeError):
            return os.ttyname(stream)
    return f"process {os.getppid()}"


def shown(desk: Standing) -> None:
    """Remember that this terminal has been shown the open question. Where that cannot be kept, nothing else is lost."""
    with suppress(CompanionError):
        if desk.pending is not None:
            desk.archive.show(desk.info.id, terminal(), desk.history.moved)


def still_asked(desk: Standing, given: Answers, at: int = 0) -> None:
    """See to it that answers are meant for the question that is open.

    Args:
        desk: the session.
        given: what names the open question by its key is meant for it.
        at: the number of the question that is answered; 0 for the one that this terminal was last shown.

    Raises:
        SessionMoved: another one is open meanwhile, or none; whoever is told so has been shown it.
    """
    request, now = desk.pending, desk.history.moved
    if not (at or given.accept or given.leftover()):
        return
    if request is None:
        if at:
            raise SessionMoved(f"question {at} is not open any more, and no other is", cure="See: companion status")
        return
    bare = not any(key == request.key for key, _ in given.keyed)
    meant = at or (bare and desk.archive.shown(desk.info.id, terminal())) or now
    if meant == now:
        return
    shown(desk)
    what = f"question {at} is not open any more" if at else "the question has changed since you were shown one"
    raise SessionMoved(
        f"{what}; now it is question {now}: {request.prompt}",
        rule=request.rule,
        cure=f"Nothing of this is kept. If you mean that one: companion answer --at {now} ...",
    )
