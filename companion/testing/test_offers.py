"""Whatever is offered can be given, and nothing is asked that has one answer: each offer of random games is tried on a copy."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.game import Game
from companion.testing.fixtures import Sit
from companion.testing.trying import Trying

LONG_SEEDS, LONG_TURNS = 40, 200


def holds(game: Game, sit: Sit, seeds: int, turns: int) -> None:
    questions = 0
    for seed in range(seeds):
        player: Any = sit(seed, Trying)
        for _ in range(turns):
            player.turn()
            if game.over(player.position):
                break
        assert not player.refusals
        assert not player.singles
        assert not player.unanswerable
        questions += player.questions
    if not questions:
        pytest.skip("nothing is asked")


def test_every_answer_that_is_offered_can_be_given(game: Game, sit: Sit, effort: tuple[int, int]) -> None:
    """Of each question every choice, each thing of a list and the ends of a range are tried; none is refused, none is alone."""
    holds(game, sit, *effort)


@pytest.mark.long
def test_every_answer_that_is_offered_can_be_given_at_length(game: Game, sit: Sit) -> None:
    """The same over many games."""
    holds(game, sit, LONG_SEEDS, LONG_TURNS)
