"""Another program plays over ``--json``: one call a step, going by what the last document said and by nothing else."""

from __future__ import annotations

import random
from typing import Any

import pytest

from companion.games import GAMES
from tests.support.commands import companion

STEPS = 12


def answer(asked: dict[str, Any], dice: random.Random) -> str:
    """An answer to a question, out of its own description."""
    kind = asked["kind"]
    choices = [choice["value"] for choice in asked["choices"]]
    if kind == "roll":
        faces = range(asked["lowest"], asked["lowest"] + asked["sides"])
        return ",".join(str(dice.choice(faces)) for _ in range(asked["count"])) + ","
    if kind == "number":
        return str(dice.randint(asked["low"], asked["high"]))
    if kind == "pick":
        return ",".join(choices[: max(asked["low"], min(1, asked["high"]))]) or "none"
    if choices:
        return str(dice.choice(choices))
    return str(asked["suggest"] or asked["example"])


@pytest.mark.parametrize("game", GAMES)
def test_client_plays_from_documents_alone(game: str) -> None:
    """What is possible can be begun; an answer by number and key never meets another question, and said again it does nothing."""
    dice = random.Random(f"{game} 1")
    companion("printed", game, "import", "practice")
    step = companion("new", game, "--seed", "1", "--dice", "physical", "--json").json
    went = 0
    for _ in range(STEPS):
        asked = step["pending"]
        free = [way["action"] for way in step["legal"] if way["possible"]]
        if not (asked or free):
            break
        words = (
            ["answer", "--at", asked["at"], f"{asked['key']}={answer(asked, dice)}"] if asked else ["do", dice.choice(free[:3])]
        )
        done = companion(*words, "--brief", "--json")
        if done.code in (0, 3):
            step, went = done.json, went + 1
            assert "position" not in step
            if asked:
                again = companion(*words, "--brief", "--json")
                assert again.code == done.code and again.json == {**step, "repeated": True}
            assert bool(step["pending"]) == all(not way["possible"] for way in step["legal"]) or step["over"]
            continue
        refused = done.json
        assert asked, f"what is possible is begun: {refused}"
        assert refused["error"]["kind"] in ("illegal", "impossible", "unreadable"), refused
        assert refused["pending"] == asked
        step = companion("undo", "--json").json if asked and step["done"] is False else step
    companion("bot", "--json")

    assert went > STEPS / 2
