"""[15.0] The running score is the score if the game ended now, at every position of random games."""

from __future__ import annotations

import pytest

from companion.core.odds import distribution
from companion.core.policies import PLAIN, RANDOM
from companion.core.position import Position
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.referee import units_on_map_of
from companion.games.iraqwar2003.rules.r15_control import CONTROLLER, controller
from companion.games.iraqwar2003.rules.r15_victory import final_count
from companion.games.iraqwar2003.state import NONE
from tests.games.iraqwar2003.test_players import GAME, match


def at_the_end(position: Position, options: dict[str, str]) -> tuple[int, str]:
    """Total and verdict after the end of the game, where the player agrees with who holds what."""

    async def play() -> tuple[int, str]:
        referee = GAME.new_referee(position, options)
        await final_count(referee, referee.turn)
        score = GAME.score(referee.position, options)
        return score.total, score.verdict

    return next(iter(distribution(play, lambda request: NONE)))


@pytest.mark.parametrize(("coalition", "seed"), [(PLAIN, "a"), (RANDOM, "b")])
def test_15_2_the_score_is_what_the_game_would_end_with(coalition: str, seed: str) -> None:
    """[15.1, 15.2] Total and verdict, and every place in whose hex a unit stands is its nation's."""
    played, positions = match(coalition, RANDOM, seed), []
    played.play(lambda position: bool(positions.append(position)))  # type: ignore[func-returns-value]
    options = dict(played.options)
    for position in positions[::3]:
        now = GAME.score(position, options)
        assert (now.total, now.verdict.replace(" if the game ended now", "")) == at_the_end(position, options)
        land, referee = land_of(position), GAME.new_referee(position, options)
        for piece in units_on_map_of(position):
            if (place := land.place(piece.place)) in referee.chart("places").rows:
                assert controller(referee, place) == CONTROLLER[str(piece.values["nation"])]
    assert len(positions) > 200
