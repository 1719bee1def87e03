"""Random players of the games. ``tests/games/GAME/player.py`` holds what a player of the game does differently, if anything."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from importlib.util import find_spec

from companion.session.state import load_game
from companion.testing.player import RandomPlayer


def seat(game: str, seed: int, *mixins: type, **chosen: str) -> RandomPlayer:
    """A random player after the set-up, with these classes mixed in; scenarios and options in turn by seed, or as chosen."""
    name = f"tests.games.{game}.player"
    if find_spec(name):
        kind, options = import_module(name).player_for(seed, chosen)
    else:
        kind, options = _usual(game, seed, chosen)
    player: RandomPlayer = type("Player", (*mixins, kind), {})(game, options.pop("scenario"), seed, **options)
    return player


def _usual(game: str, seed: int, chosen: Mapping[str, str]) -> tuple[type[RandomPlayer], dict[str, str]]:
    scenarios = list(load_game(game).scenarios)
    return RandomPlayer, {"scenario": scenarios[seed % len(scenarios)], **chosen}
