"""Plays sessions with trusted dice: both seats in one process, the other seat's share as its page would send it."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path
from random import Random
from typing import Any
from unittest.mock import patch

from companion.core.errors import CompanionError
from companion.core.history import LogRow
from companion.core.policies import random_reply
from companion.core.values import compact_json
from companion.session.controller import SessionController
from companion.session.database import connect
from companion.session.store import Archive
from companion.session.trusted import ConsentPending
from companion.session.verify import Verification, verify

PRACTICE = {"map": "practice"}


def begin(archive: Archive, game: str = "lzalbany", **settings: Any) -> SessionController:
    """Begin a session with trusted dice."""
    options = settings.pop("options", PRACTICE if game == "lzalbany" else None)
    return SessionController.create(archive, game, "", options, dice="trusted", **settings)


def give_share(session: SessionController, numbers: Random) -> None:
    """Send the share that the open roll waits for."""
    session.share(session.question_number, session.waits_for[0], numbers.randbytes(32).hex())


def play_to_roll(session: SessionController, numbers: Random, rolls: int = 1, shares: bool = True, steps: int = 2000) -> int:
    """Play at random until so many rolls are made and the next one waits; without `shares` until the first waits.

    Returns the number of calls it took, of which there are at most `steps`.
    """
    for step in range(steps):
        request = session.pending
        try:
            if request is None:
                open_ = [item.id for item in session.game.actions if item.usual and not item.look]
                action = numbers.choice([item for item in open_ if not session.game.obstacle_to(item, session.position)])
                session.do(action)
            elif session.waits_for:
                if rolls <= 0 or not shares:
                    return step
                give_share(session, numbers)
                rolls -= 1
            else:
                session.reply(request.to_input(random_reply(request, numbers.randrange)))
        except CompanionError:
            continue
    assert steps < 2000, "no roll"
    return steps


def seeded_nonces(seed: str) -> Any:
    """Meanwhile the host's nonces follow from a seed."""
    numbers = Random(seed)
    return patch("companion.session.trusted.os.urandom", numbers.randbytes)


def ask_to_undo(seat: str) -> None:
    """In the session in use, undo the last action as a seat does from its page: the host is asked for its consent."""
    with Archive.open() as archive:
        session = SessionController.open(archive)
        session.seat = seat
        with suppress(ConsentPending):
            session.undo()


def verified(session: SessionController) -> Verification:
    """Verify the log of a session as it is stored."""
    return verify(session.game, session.options, session.archive.rows(session.info.id))


def rewrite(path: Path, change: Callable[[list[LogRow]], list[LogRow]]) -> None:
    """Change the log of the only session of an archive behind the program's back, and number its rows anew."""
    with closing(connect(os.fspath(path))) as file:
        for table, kind in file.execute("SELECT name, type FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchall():
            file.execute(f"DROP {kind} {table}")
        file.execute("DROP INDEX log_commit")
        changed = change(Archive(os.fspath(path), file).rows(1))
        file.execute("DELETE FROM log")
        for number, row in enumerate(changed, 1):
            values = (1, number, row.kind, row.entry, compact_json(dict(row.body)), row.at)
            file.execute("INSERT INTO log VALUES (?, ?, ?, ?, ?, ?)", values)
