"""Another program plays over ``--json``: one call a step, going by what the last document said and by nothing else."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from companion.games import GAMES
from tests.support.commands import companion

STEPS = 20
ROOT = Path(__file__).parents[2]


def answer(asked: dict[str, Any], dice: random.Random) -> str:
    """An answer to a question, out of its own description."""
    kind = asked["kind"]
    if kind == "roll":
        faces = range(asked["lowest"], asked["lowest"] + asked["sides"])
        return ",".join(str(dice.choice(faces)) for _ in range(asked["count"])) + ","
    if kind == "draw":
        return dice.choice(sorted(asked["contents"]))
    if kind == "number":
        return str(dice.randint(asked["low"], asked["high"]))
    if kind == "pick":
        return ",".join(asked["choices"][: max(asked["low"], min(1, asked["high"]))]) or "none"
    if "choices" in asked:
        return str(dice.choice(asked["choices"]))
    return str(asked.get("suggest") or asked["example"])


@pytest.mark.parametrize("game", GAMES)
def test_a_client_plays_by_what_each_document_says(game: str) -> None:
    """What is in sequence is not refused as out of sequence, and an answer by number and key never meets another question."""
    dice = random.Random(f"{game} 1")
    made_up = ROOT / "tests" / "games" / game / "scripts" / "made_up_set.toml"
    if made_up.exists():
        companion("printed", game, "import", str(made_up))
    step = companion("new", game, "--seed", "1", "--dice", "physical", "--json").json
    went = 0
    for _ in range(STEPS):
        asked, free = step["pending"], step["legal"]["now"]
        if not (asked or free):
            break
        words = (
            ["answer", "--at", str(asked["at"]), f"{asked['key']}={answer(asked, dice)}"]
            if asked
            else ["do", dice.choice(free[:3])]
        )
        done = companion(*words, "--json")
        if done.code in (0, 3):
            step, went = done.json, went + 1
            assert step["legal"]["now"] == [] if step["pending"] else step["legal"]["now"] or step["over"]
            continue
        assert done.json["error"]["kind"] in ("illegal", "impossible", "unreadable"), done.json
        assert "out of sequence" not in done.json["error"]["message"]
        step = companion("undo", "--json").json if asked and step["done"] is False else step

    assert went > STEPS / 2
