"""The games of the contract tests: all of them, and the two small ones that show an author how little is needed.

The tests themselves are those of ``companion.testing``, which an author has too; here is what more is known of our own games.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest

from companion.core.game import Game
from companion.games import GAMES, make_game
from companion.session.tables import load
from companion.testing.fixtures import Sit, Start, begun, seated
from tests.every_game.new_pieces import NEW
from tests.support import tiny
from tests.support.turns import turns_of

__all__ = ["begun"]

SMALL = ("tiny", "convoy")
TESTS = Path(__file__).parents[1] / "games"
EFFORT = {"lzalbany": (1, 30), "phantomfury": (2, 40), "fallujah2004": (2, 50)}
"""Games of which fewer and shorter ones are played by default: each question there has many offers."""
ELSEWHERE = {
    "test_a_game_is_the_same_in_another_process": SMALL,
    "test_two_processes_play_what_one_plays": (*SMALL, *[*GAMES][1:]),
}
"""What is not played with some games: other processes do not know the small ones, and one game is enough for the crew."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in list(items):
        params = getattr(getattr(item, "callspec", None), "params", {})
        not_with = SMALL if item.path.name == "test_register.py" else ELSEWHERE.get(getattr(item, "originalname", ""), ())
        if params.get("game") in not_with:
            items.remove(item)


@pytest.fixture(params=[*GAMES, *SMALL])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Each game, and the made-up ones: one with everything, one without pieces."""
    if request.param in SMALL:
        monkeypatch.setitem(GAMES, request.param, f"tests.support.{request.param}")
        monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    return make_game(request.param, load(request.param))


@pytest.fixture
def sit(game: Game) -> Sit:
    """Seats the random player of each game of ours, who knows what it is about."""
    if game.id in SMALL:
        return partial(seated, game)
    own: Sit = import_module(f"tests.games.{game.id}.player").sit
    return own


@pytest.fixture
def starts(game: Game) -> Sequence[Start]:
    """Where the measured turns begin."""
    return [turn.start for turn in turns_of(game.id)]


@pytest.fixture
def effort(game: Game) -> tuple[int, int]:
    return EFFORT.get(game.id, (4, 60))


@pytest.fixture
def new_pieces(game: Game) -> Sequence[tuple[str, str]]:
    return [(what, place) for what, place, _ in NEW.get(game.id, ())]


@pytest.fixture
def own_tests(game: Game) -> Path:
    folder = TESTS / game.id
    if not folder.is_dir():
        pytest.skip("it has no tests of its own")
    return folder
