"""Every game can be played by what the states offer, and each state fits into a small context."""

from __future__ import annotations

import json
import statistics
from collections.abc import Sequence
from typing import Any

import pytest

from companion.games import GAMES
from companion.session.facts import practice_defaults
from companion.session.state import load_game
from tests.support.model import LegalPlayer, Model, connected

pytestmark = pytest.mark.anyio

TYPICAL, LONGEST = 1500, 3500
"""Characters of a state as JSON: the median and the longest."""


class Played:
    """What came of a game.

    Attributes:
        sizes: The characters of each state, as JSON.
        refused: The messages of calls that were refused.
        state: The last state.
    """

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.refused: list[str] = []
        self.state: dict[str, Any] = {}


async def play(model: Model, game: str, seed: int, calls: int, preferred: Sequence[str] = ()) -> Played:
    """Play a practice game by what is offered, for so many calls at most, and preferred actions where they are."""
    played, player = Played(), LegalPlayer(seed, preferred)
    scenario, options = practice_defaults(load_game(game), {})
    chosen = {"scenario": scenario} if scenario else {}
    played.state = await model.call("new", game=game, seed=str(seed), options=options, **chosen)
    for _ in range(calls):
        played.sizes.append(len(json.dumps(played.state, separators=(",", ":"), ensure_ascii=False)))
        name, arguments = player.next_call(played.state)
        if not name:
            break
        result = await model.client.call_tool(name, arguments)
        if result.is_error:
            played.refused.append(result.content[0].text)
            await model.call("undo", reply=True) if len(played.refused) % 5 == 0 else None
            played.state = await model.call("state")
        else:
            played.state = dict(result.structured_content)
    return played


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
async def test_every_game_is_played_by_what_is_offered(game: str, db: str) -> None:
    async with connected(db.replace(".sqlite3", "-practice.sqlite3"), practice=True) as model:
        played = await play(model, game, 1, 60)

    assert len(played.sizes) > 50 and len(played.refused) < len(played.sizes) / 4, played.refused[:5]
    assert statistics.median(played.sizes) < TYPICAL and max(played.sizes) < LONGEST


@pytest.mark.slow
@pytest.mark.parametrize("game", ["fallujahcards", "phantomfury", "lzalbany"])
async def test_short_games_are_played_to_their_end(game: str, db: str) -> None:
    async with connected(db.replace(".sqlite3", "-practice.sqlite3"), practice=True) as model:
        played = await play(model, game, 2, 600, ["next"])

    assert played.refused == [] and played.state["over"] and "actions" not in played.state


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
async def test_long_games_are_played_by_what_is_offered(game: str, db: str) -> None:
    async with connected(db.replace(".sqlite3", "-practice.sqlite3"), practice=True) as model:
        played = await play(model, game, 3, 600)

    assert len(played.refused) < len(played.sizes) / 4, played.refused[:5]
    assert statistics.median(played.sizes) < TYPICAL and max(played.sizes) < LONGEST
