"""Whole games of random answers, with units on both sides and every option in turn."""

from __future__ import annotations

import pytest

from companion.games.iraqwar2003.state import OPTIONAL
from tests.games.iraqwar2003.player import IraqPlayer


@pytest.mark.parametrize("seed", range(12))
def test_random_games_end(seed: int) -> None:
    """[4.0, 15.1] Three complete turns: no error but refusals; replay and fold give the same position."""
    on = dict.fromkeys(OPTIONAL, "on") if seed % 3 == 0 else {OPTIONAL[seed % len(OPTIONAL)]: "on"}
    player = IraqPlayer("iraqwar2003", "war", seed, iraq="bot" if seed % 2 else "player", **on)
    for _ in range(500):
        player.turn()
        if player.game.over(player.position):
            break
    assert player.game.over(player.position), "the game does not end"
    assert player.folded() == player.position
    assert player.replayed() == player.position
    score = player.game.score(player.position, player.options)
    assert score.total == sum(points for _, points, _ in score.items)
    for piece in player.position.of_kind("air"):
        assert piece.place.split()[-1] in ("available", "used", "removed")
    assert 0 <= player.position.track("cp") <= 30
