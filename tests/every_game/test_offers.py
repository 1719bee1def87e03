"""Whatever is offered can be given, and nothing is asked that has one answer: each offer of random games is tried on a copy."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from tests.support.offers import played

CLEAN = ("fallujah2004", "fallujahcards", "iraqwar2003", "lzalbany", "phantomfury")
"""The games of which this holds already."""
SEEDS, TURNS = 4, 60
SLOW = {"lzalbany": (1, 30), "phantomfury": (2, 40), "fallujah2004": (2, 50)}
"""Games of which fewer and shorter ones are played by default: each question there has many offers."""
LONG_SEEDS, LONG_TURNS = 40, 200


def holds(game: Game, seeds: int, turns: int) -> None:
    if game.id not in CLEAN:
        pytest.skip("its offers are being put in order")
    for seed in range(seeds):
        player = played(game.id, seed, turns)
        assert not player.refusals
        assert not player.singles
        assert not player.unanswerable
        assert player.questions


def test_every_answer_that_is_offered_can_be_given(game: Game) -> None:
    """Of each question every choice, each thing of a list and the ends of a range are tried; none is refused, none is alone."""
    holds(game, *SLOW.get(game.id, (SEEDS, TURNS)))


@pytest.mark.long
def test_every_answer_that_is_offered_can_be_given_at_length(game: Game) -> None:
    """The same over many games."""
    holds(game, LONG_SEEDS, LONG_TURNS)
