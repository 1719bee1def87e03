"""[4.1] The score shown at any time is that of the game if it ended now."""

from __future__ import annotations

import pytest

from companion.core.procedures import ProcedureRun, until_game_over
from companion.games.lzalbany import state
from companion.games.lzalbany.rules.r03_turn import administrative
from tests.support.players import seat


@pytest.mark.parametrize("seed", range(3))
def test_the_running_score_is_the_final_score(seed: int) -> None:
    """The end of turn 10 is played from every position of a random game."""
    player = seat("lzalbany", seed, map="practice", nva="player")
    compared = 0
    while player.turn() and not player.game.over(player.position):
        shown = player.game.score(player.position, player.options)
        last = player.position.changed(tracks={**player.position.tracks, state.TURN: 10})
        referee = player.game.new_referee(last, player.options, trial=True)
        assert ProcedureRun(referee, until_game_over(administrative, referee)).done
        final = player.game.score(referee.position, player.options)
        assert shown is not None and final is not None
        assert (shown.total, shown.verdict) == (final.total, final.verdict)
        compared += 1
    assert compared > 30
