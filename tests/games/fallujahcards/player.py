"""A player of FALLUJAH, the card game who answers anything at random."""

from __future__ import annotations

from companion.games import make_game
from companion.session.tables import load
from companion.testing.player import RandomPlayer


def sit(seed: int, *ways: type, **chosen: str) -> RandomPlayer:
    """A player for that seed, with the options as published or as chosen."""
    scenarios = list(make_game("fallujahcards", load("fallujahcards")).scenarios)
    options = {"scenario": scenarios[seed % len(scenarios)], **chosen}
    player: RandomPlayer = type("Player", (*ways, RandomPlayer), {})("fallujahcards", options.pop("scenario"), seed, **options)
    return player
