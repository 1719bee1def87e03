"""The page of every game: what can be tapped is accepted, and every fragment is well-formed, through random games."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from tests.support.fuzzing.player import in_memory
from tests.support.page import Tapper, practice_session

QUICK = {"iraqwar2003": 2, "fallujah2004": 5, "fallujahcards": 20}
"""Looks at the page in the test that always runs; 8 in the other games."""
WHOLE = 2_000
"""Looks at the page at most in a whole game."""


def tapped(game: str, seed: int, looks: int, usual: float = 0.7, dice: str = "computer") -> Tapper:
    """A player who taps through a game until its end, or for so many looks at the page."""
    with in_memory() as archive:
        session = practice_session(archive, game, str(seed))
        session.setting(dice=dice, draws=dice)
        player = Tapper(session, seed, usual=usual)
        while looks and player.step():
            looks -= 1
        return player


@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_tapped_is_accepted(game: str) -> None:
    assert tapped(game, 1, QUICK.get(game, 8), dice="physical").taps > 1


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_what_can_be_tapped_is_accepted_at_length(game: str) -> None:
    for seed, dice in ((1, "physical"), (2, "computer")):
        player = tapped(game, seed, 40, dice=dice)

        assert player.taps > 20
        assert sum(player.free.values()) < player.taps / 2


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES)
def test_whole_games_are_played_by_taps_alone(game: str) -> None:
    for seed in range(2):
        player = tapped(game, seed, WHOLE, usual=0.95)

        assert player.session.game.over(player.session.position), (seed, player.taps)
