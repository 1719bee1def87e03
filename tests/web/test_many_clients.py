"""Many clients at once: every answer is in the log once, whoever sends it and however often."""

from __future__ import annotations

import asyncio
import json
from random import Random
from typing import Any

import pytest

from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.support import tiny
from tests.support.hosted import HOST, NO_LIMIT, Hosted, hosted
from tests.support.hostile import Got, Sent, run_apart, send

CLIENTS = 50
SAMPLE, ALL = 60, 10_000


@pytest.fixture
def haggle(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_haggle")
    monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)


async def _post(made: Hosted, role: str, path: str, body: Any) -> Got:
    fields = {"host": HOST, "origin": f"http://{HOST}", "content-type": "application/json"}
    fields["cookie"] = f"{made.host.cookie}={made.links.cookie(role)}"
    headers = [(name.encode(), value.encode()) for name, value in fields.items()]
    return await send(made, Sent("POST", path, b"", headers, json.dumps(body).encode(), role, True))


async def _answer_all(made: Hosted, answers: int) -> int:
    """Have clients of both seats answer at once until there are so many answers; return how many were recorded."""
    random, recorded = Random(1), 0
    state = json.loads((await _post(made, "red", "/do", {"action": "banter", "at_id": made.play.version[0]})).body)
    while recorded < answers:
        if not state["at"]:
            state = json.loads((await _post(made, "red", "/do", {"action": "banter", "at_id": state["id"]})).body)
        deciding, other = ("red", "blue") if state["question"]["key"] == "offer" else ("blue", "red")
        same, different = random.randint(1, 3), random.randint(4, 6)
        values = [same] * (CLIENTS // 10) + [different] * (CLIENTS // 20)
        random.shuffle(values)
        sent = [(deciding, value) for value in values] + [(other, value) for value in values[:3]]
        got = await asyncio.gather(*(_post(made, role, "/answer", {"at": state["at"], "value": value}) for role, value in sent))
        first = values[0]  # the calls are carried out in the order in which they arrive
        for (role, value), answer in zip(sent, got, strict=True):
            wanted = {403, 409} if role != deciding else {200} if value == first else {409}
            assert answer.status in wanted, (role, value, first, answer)
        state = json.loads(got[0].body)
        recorded += 1
    return recorded


def _check(answers: int) -> None:
    with hosted(limits=NO_LIMIT) as made:
        recorded = run_apart(_answer_all(made, answers))
    with Archive.open() as archive:
        history = SessionController.open(archive, "game").history
        replies = [reply for entry in history.entries.values() for reply in entry.replies]
    assert recorded == answers
    assert len(replies) == answers
    assert {reply.source for reply in replies} == {"scripted"}


@pytest.mark.slow
def test_answers_of_many_clients_are_recorded_once(haggle: None) -> None:
    _check(SAMPLE)


@pytest.mark.long
def test_ten_thousand_answers_of_many_clients_are_recorded_once(haggle: None) -> None:
    _check(ALL)
