"""A player of LZ Albany on the practice map who answers anything at random."""

from __future__ import annotations

from companion.games import make_game
from companion.session.tables import load
from tests.support.random_player import RandomPlayer


def sit(seed: int, *ways: type) -> RandomPlayer:
    """A player for that seed."""
    scenarios = list(make_game("lzalbany", load("lzalbany")).scenarios)
    scenario = scenarios[seed % len(scenarios)]
    player: RandomPlayer = type("Player", (*ways, RandomPlayer), {})(
        "lzalbany", scenario, seed, map="practice", nva="companion" if seed % 2 else "player"
    )
    return player
