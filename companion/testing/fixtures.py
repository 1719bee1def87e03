"""Fixtures of the contract tests for one game. A suite of several games defines its own ``game`` fixture."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.core.game import Game
from companion.session.controller import Answers, SessionController
from companion.session.facts import practice_facts
from companion.session.plugins import resolve_game_id
from companion.session.stalls import limited_rules
from companion.session.state import load_game
from companion.session.store import Archive
from companion.testing import game_named
from companion.testing.player import RandomPlayer

Sit = Callable[..., RandomPlayer]
"""A random player for a seed, with these classes mixed in."""
Begun = Callable[[int], SessionController]
"""Begins a session for a seed."""
Start = Callable[[Archive], SessionController]
"""Makes a session, in the middle of a game or at its beginning."""


@pytest.fixture(autouse=True)
def own_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use a temporary archive and configuration instead of the user's own."""
    monkeypatch.setenv("COMPANION_DB", str(tmp_path / "archive.sqlite3"))
    monkeypatch.setenv("COMPANION_CONFIG", str(tmp_path / "config.toml"))


@pytest.fixture(autouse=True)
def rules_end() -> Iterator[None]:
    """End a rule that computes on and on, with a fault that names its line."""
    with limited_rules():
        yield


@pytest.fixture(scope="session")
def _named(request: pytest.FixtureRequest) -> Game:
    return load_game(resolve_game_id(game_named(request.config)))


@pytest.fixture
def game(_named: Game) -> Game:
    """The game under test."""
    return _named


@pytest.fixture
def archive(own_files: None) -> Iterator[Archive]:
    """An empty archive."""
    with Archive.open() as opened:
        yield opened


@pytest.fixture
def sit(game: Game) -> Sit:
    """Makes random players: the scenarios in turn, with the made-up set if the game has one."""
    return partial(seated, game)


def seated(game: Game, seed: int, *mixins: type, **options: str) -> RandomPlayer:
    """A random player of a game for a seed, with these classes mixed in."""
    scenarios = list(game.scenarios)
    chosen = {**game.players.practice_options(), "scenario": scenarios[seed % len(scenarios)], **options}
    kind: Any = type("Player", (*mixins, RandomPlayer), {"TOLD": practice_facts(game)})
    player: RandomPlayer = kind(game.id, chosen.pop("scenario"), seed, **chosen)
    return player


@pytest.fixture
def begun(game: Game, archive: Archive) -> Begun:
    """Begins a session for a seed with the options of practice."""

    def begin(seed: int) -> SessionController:
        scenarios = list(game.scenarios)
        scenario = game.players.practice_options().get("scenario", scenarios[seed % len(scenarios)])
        return _set_up(game, scenario, archive, str(seed), anyway=True)

    return begin


@pytest.fixture
def starts(game: Game) -> Sequence[Start]:
    """One function for each scenario that begins a session."""
    return [partial(_set_up, game, scenario) for scenario in game.scenarios]


def _set_up(game: Game, scenario: str, archive: Archive, seed: str = "start", anyway: bool = False) -> SessionController:
    options = {key: value for key, value in game.players.practice_options().items() if key != "scenario"}
    archive.record_facts(game.id, practice_facts(game))
    given = Answers(accept=True)
    return SessionController.create(archive, game.id, scenario, options, seed=seed, answers=given, anyway=anyway)


@pytest.fixture
def effort() -> tuple[int, int]:
    """The number of random games, and of actions in each, in which every offered answer is tried."""
    return 4, 60


@pytest.fixture
def new_pieces() -> Sequence[tuple[str, str]]:
    """Descriptions of new pieces in the game's own notation, as ``kind:text``, each with a place for it."""
    return ()


@pytest.fixture
def own_tests(request: pytest.FixtureRequest) -> Path:
    """The folder of the game's own tests."""
    folder = request.config.rootpath / str(request.config.getini("companion_tests"))
    if not folder.is_dir():
        pytest.skip(f"there are no tests of its own in {folder}: companion_tests names the folder")
    return folder
