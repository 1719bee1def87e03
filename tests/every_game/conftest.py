"""Fixtures of the contract tests in ``companion.testing`` for the five games and two small ones."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

import pytest

from companion.core.game import Game
from companion.games import GAMES
from companion.session.plugins import write_game
from companion.session.state import load_game
from companion.testing.fixtures import Sit, Start, begun, seated
from tests.every_game.new_pieces import NEW
from tests.support import tiny
from tests.support.players import seat
from tests.support.turns import turns_of

__all__ = ["begun"]

SMALL = ("tiny", "harbour")
"""A made-up game with one of everything, and the plug-in that ``companion game new`` writes."""
TESTS = Path(__file__).parents[1] / "games"
EFFORT = {"lzalbany": (1, 30), "phantomfury": (2, 40), "fallujah2004": (1, 50)}
"""Random games and actions by default, for games whose questions have many choices."""
ELSEWHERE = {
    "test_a_game_is_the_same_in_another_process": ("tiny",),
    "test_two_processes_play_what_one_plays": (*SMALL, *(game for game in GAMES if game != "fallujahcards")),
}
"""Games left out of a test: other processes do not have the made-up one; one game suffices for the worker pool."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in list(items):
        params = getattr(getattr(item, "callspec", None), "params", {})
        not_with = ("tiny",) if item.path.name == "test_register.py" else ELSEWHERE.get(getattr(item, "originalname", ""), ())
        if params.get("game") in not_with:
            items.remove(item)


@pytest.fixture(params=[*GAMES, *SMALL])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Each of the five games, and the small ones."""
    if request.param == "tiny":
        monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny")
        monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    elif request.param == "harbour":
        monkeypatch.setenv("COMPANION_GAMES", str(request.getfixturevalue("written")))
    return load_game(request.param)


@pytest.fixture(scope="session")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the game that ``companion game new`` writes."""
    folder = tmp_path_factory.mktemp("written")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COMPANION_GAMES", str(folder))
        write_game("harbour", own=True)
    return folder


@pytest.fixture
def sit(game: Game) -> Sit:
    """Makes random players of the game."""
    if game.id in SMALL:
        return partial(seated, game)
    return partial(seat, game.id)


@pytest.fixture
def starts(game: Game) -> Sequence[Start]:
    """The starts of the measured turns."""
    return [turn.start for turn in turns_of(game.id)]


@pytest.fixture
def effort(game: Game) -> tuple[int, int]:
    return EFFORT.get(game.id, (4, 60))


@pytest.fixture
def new_pieces(game: Game) -> Sequence[tuple[str, str]]:
    return [(what, place) for what, place, _ in NEW.get(game.id, ())]


@pytest.fixture
def own_tests(request: pytest.FixtureRequest, game: Game) -> Path:
    return TESTS / game.id if game.id in GAMES else Path(request.getfixturevalue("written")) / game.id / "tests"
