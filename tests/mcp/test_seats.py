"""A server for one seat: it shows what the seat may see, and answers for no other."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.model import connected

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("made_up")]


async def begun(db: str) -> None:
    async with connected(db) as model:
        await model.call("new", game="ambush", seed="3", name="woods")


async def test_each_seat_answers_its_part_unseen(db: str) -> None:
    await begun(db)
    async with connected(db, session="woods", seat="red") as red, connected(db, session="woods", seat="blue") as blue:
        asked = await red.call("do", action="stakes")
        at = asked["question"]["at"]
        waiting = await red.call("answer", at=at, value=7)
        assert waiting["question"]["kind"] == "sealed"
        seen = await blue.call("state")
        assert seen["question"]["key"] == "stake" and seen["figures"] == {"Gold": "Blue 100000"}
        done = await blue.call("answer", at=at, value=5)
        assert "Red stakes 7, Blue 5 [3]" in done["happened"]
        assert (await red.call("state"))["figures"] == {"Gold": "Red 99993"}
    assert "99993" not in "".join(blue.texts)


async def test_a_seat_begins_and_answers_nothing_of_another(db: str) -> None:
    await begun(db)
    async with connected(db, session="woods", seat="red") as red, connected(db, session="woods", seat="blue") as blue:
        refused = await blue.refused("do", action="scout")
        assert refused["error"]["kind"] == "forbidden" and "actions" not in await blue.call("state")
        asked = await red.call("do", action="scout")
        assert asked["question"]["about"]["fox#1"] == "Fox"
        refused = await blue.refused("answer", at=asked["question"]["at"], value="fox#1", values={"to": "ford"})
        assert refused["error"]["kind"] == "forbidden"
        done = await red.call("answer", at=asked["question"]["at"], value="fox#1", values={"to": "ford"})
        assert "Fox steals to the ford [4]" in done["happened"]
        # the right answer to another seat's question is refused as a wrong one is
        for value in ("fox#1", "owl#2"):
            assert (await blue.refused("answer", at=asked["question"]["at"], value=value))["error"]["kind"] == "stale"
        assert (await red.call("answer", at=asked["question"]["at"], value="fox#1"))["repeated"]
        await blue.call("log")
        await blue.call("state", show=["pieces", "tracks", "places"])
    assert not {"Fox", "fox", "steals"} & set("".join(blue.texts).replace(":", " ").replace("#", " ").split())


async def test_tools_of_the_whole_table_are_not_offered(db: str) -> None:
    await begun(db)
    async with connected(db, session="woods", seat="red") as model:
        assert not {"adjust", "new"} & {tool.name for tool in (await model.client.list_tools()).tools}
        refused = await model.refused("adjust", changes={"blue_gold": 0}, why="x")
        assert refused["error"]["message"] == "there is no tool 'adjust' here"
        assert (await model.refused("advice"))["error"]["kind"] in ("illegal", "unreadable")


async def test_a_refusal_shows_no_question_of_another_seat(db: str) -> None:
    await begun(db)
    async with connected(db, session="woods", seat="red") as red, connected(db, session="woods", seat="blue") as blue:
        await red.call("do", action="scout")
        results: list[dict[str, Any]] = [
            await blue.refused("do", action="orders"),
            await blue.refused("undo", count=99),
            await blue.call("legal"),
            await blue.call("state"),
        ]
    assert not {"Fox", "Owl"} & set(json.dumps(results).replace('"', " ").split())
