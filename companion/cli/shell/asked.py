"""Which question a terminal was last shown: a late answer to an earlier one must not be taken for an answer to the next."""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.cli.shell.slot import SLOT
from companion.core.errors import CompanionError
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
    if SLOT.keeper:
        SLOT.keeper.shown[desk.archive.path, desk.info.id] = desk.at
        return
    with suppress(CompanionError):
        if desk.pending is not None:
            desk.archive.show(desk.info.id, terminal(), desk.at)


def _last_shown(desk: Standing) -> str:
    """The number of the question of a session that this terminal, or the client of this process, was last shown; "" for none."""
    if SLOT.keeper:
        return SLOT.keeper.shown.get((desk.archive.path, desk.info.id), "")
    return desk.archive.shown(desk.info.id, terminal())


def still_asked(desk: Standing, given: Answers) -> None:
    """See to it that answers which name no question by its number are meant for the one that is open.

    Args:
        desk: the session.
        given: what names the open question by its key is meant for it.

    Raises:
        SessionMoved: another one is open than this terminal was last shown; whoever is told so has been shown it.
    """
    request = desk.pending
    if request is None or not (given.accept or given.leftover()) or any(key == request.key for key, _ in given.keyed):
        return
    if _last_shown(desk) not in ("", desk.at):
        from companion.session.lock import stale

        shown(desk)
        raise stale(desk)
