"""The games of the contract tests: all of them, and the two small ones that show an author how little is needed."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from companion.games import GAMES, make_game
from companion.session.tables import load
from tests.support import tiny

SMALL = ("tiny", "convoy")


@pytest.fixture(params=[*GAMES, *SMALL])
def game(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Each game, and the made-up ones: one with everything, one without pieces."""
    if request.param in SMALL:
        monkeypatch.setitem(GAMES, request.param, f"tests.support.{request.param}")
        monkeypatch.setenv("COMPANION_TABLES", tiny.TABLES)
    return make_game(request.param, load(request.param))
