"""A process that plays is killed at any moment: every reply that it acknowledged is found, and the same question."""

from __future__ import annotations

import json
import os
import random
import select
import signal
import time
import traceback
from typing import Any, NoReturn

import pytest

from companion.core.errors import Illegal
from companion.core.history import History
from companion.core.requests import Request
from companion.session.controller import SessionController
from companion.session.store import Archive

KILLS = [15, pytest.param(60, marks=pytest.mark.slow), pytest.param(1000, marks=pytest.mark.long)]
BUNCH = 20
"""Kills of one session, before the next one is begun."""

ACTIONS = ("march", "fight", "search", "march", "rest", "fight", "search")


def answer_to(request: Request[Any], seq: int) -> str:
    """What the player types: the same in whatever process the question is asked."""
    if request.kind == "roll":
        return "" if seq % 2 else " ".join("352614"[: request.describe()["count"]])
    if request.kind == "pick":
        choices = [choice.value for choice in request.legal_choices()]
        return choices[seq % len(choices)]
    return {"text": ("ford", "far bank")[seq % 2], "confirm": ("", "yes")[seq % 2], "printed": "2"}.get(request.kind, "")


def state(session: SessionController) -> dict[str, Any]:
    """What a player is told when a call has returned."""
    request: Request[Any] | None = session.pending
    return {"seq": session.history.seq, "pending": request and request.describe(), "replies": replies(session.history)}


def replies(history: History) -> int:
    return sum(len(entry.replies) for entry in history.entries.values())


def play(path: str, number: int, write: int) -> NoReturn:
    """Plays for ever, each reply a call, and says so only after the call has returned."""

    def acknowledge() -> None:
        os.write(write, (json.dumps(state(session)) + "\n").encode())

    with Archive.open(path) as archive:
        session = SessionController.open(archive, archive.sessions()[number])
        acknowledge()
        while True:
            seq, last = session.history.seq, len(session.history.force)
            if seq % 11 == 0:
                session.note("still here")
            elif last > 25:
                session.undo(20)
            elif session.pending and seq % 7 == 0 and last > 1:
                session.undo_reply()
            elif session.pending and seq % 5 == 0:
                session.adjust([("supply", str(1 + session.position.track("supply") % 7))], "seen")
            elif session.pending:
                try:
                    session.reply(answer_to(session.pending, seq), anyway=True)
                except Illegal:  # the cup is empty, and nothing can be drawn for him
                    session.abort()
            else:
                session.begin(ACTIONS[seq % len(ACTIONS)], anyway=True)
            acknowledge()


def killed(path: str, number: int, dice: random.Random) -> tuple[dict[str, Any], int]:
    """What the last acknowledgement of a killed process said, and how many there were."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(read)
            play(path, number, write)
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(1)
    os.close(write)
    select.select([read], [], [], 10)  # its first word: it stands where the process before it stood
    time.sleep(dice.random() * dice.choice([0.001, 0.004, 0.02, 0.1]))
    os.kill(child, signal.SIGKILL)
    status = os.waitpid(child, 0)[1]
    with os.fdopen(read, "rb") as pipe:
        told = [json.loads(line) for line in pipe.read().split(b"\n") if line.endswith(b"}")]
    assert os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL, "the script itself failed"
    return told[-1], len(told)


@pytest.mark.parametrize("kills", KILLS)
def test_no_acknowledged_reply_is_ever_lost(tmp_path: object, tiny_game: str, kills: int) -> None:
    path, dice = f"{tmp_path}/archive.sqlite3", random.Random(5)
    acknowledged = 0
    for kill in range(kills):
        if kill % BUNCH == 0:
            with Archive.open(path) as archive:
                SessionController.create(archive, "tiny", seed=str(kill), dice="physical", draws="physical")
        told, count = killed(path, kill // BUNCH, dice)
        acknowledged += count
        with Archive.open(path) as archive:
            session = SessionController.open(archive, archive.sessions()[kill // BUNCH])
            found = state(session)
            rows = archive.rows(session.info.id)
        assert [row.seq for row in rows] == list(range(1, len(rows) + 1))
        assert session.broken == ""
        if found["seq"] == told["seq"]:
            assert found == json.loads(json.dumps(told))
        else:  # killed after the commit and before the word of it
            assert found["seq"] > told["seq"] and found["replies"] >= told["replies"]
        known = History(rows[: told["seq"]])
        assert replies(known) == told["replies"]
    assert acknowledged > kills
