"""A player of FALLUJAH, the card game who answers anything at random."""

from __future__ import annotations

from companion.games import make_game
from companion.session.tables import load
from tests.support.random_player import RandomPlayer


def sit(seed: int, *ways: type) -> RandomPlayer:
    """A player for that seed."""
    scenarios = list(make_game("fallujahcards", load("fallujahcards")).scenarios)
    scenario = scenarios[seed % len(scenarios)]
    player: RandomPlayer = type("Player", (*ways, RandomPlayer), {})("fallujahcards", scenario, seed)
    return player
