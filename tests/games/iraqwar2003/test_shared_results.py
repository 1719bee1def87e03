"""Results of combats that forecasts share: the same as the procedure gives for each combat."""

from __future__ import annotations

from functools import partial

import pytest

from companion.core.policies import RandomStream
from companion.games.iraqwar2003 import odds, state
from companion.games.iraqwar2003.ai.features import Features
from companion.games.iraqwar2003.ai.valuation import terrain_columns
from companion.games.iraqwar2003.odds import CombatForecast
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules import r08_map
from tests.games.iraqwar2003.test_players import FACTS, GAME, match

CELLS = sorted({cell for key, column in FACTS.items() if key.startswith("crt:") for cell in column.split(", ")} | {"A1R D1R"})


def _is_city(features: Features, number: str) -> bool:
    return bool(features.land.is_city(number))


def forecasts(referee: IraqWarReferee) -> list[CombatForecast]:
    """The combats that two units of each hex, of either side, could begin."""
    found = []
    for side in (state.COALITION, state.IRAQ):
        features = Features(referee, side, terrain_columns(referee.priorities))
        in_city = partial(_is_city, features)
        for place in sorted(r08_map.occupied_hexes(referee.position, side)):
            pieces = state.units_in(referee.position, place)[:2]
            for possible in features.attacks(pieces, in_city):
                found.append(CombatForecast(referee, possible.attack, {}))
    return found


@pytest.mark.slow
def test_13_4_equal_combats_share_results_as_the_procedure_gives_them() -> None:
    """[13.4, 13.5] Losses, clear retreats, cities, surrounded and crowded units, over the turns of a game of both planners."""
    game = match("bot", "bot", "shared")
    number, compared, shared = RandomStream("sample").randbelow, 0, 0
    while game.position.track("turn") < 5:
        assert game.act()
        referee = GAME.referee(game.position, game.options)
        referee.quiet = True
        if number(8):
            continue
        for forecast in forecasts(referee):
            for cell in CELLS if not number(2) else ():
                compared += 1
                shared += forecast._case(cell) in odds._RESULTS
                assert forecast._result(cell) == forecast.enumerate_result(cell), (forecast.attack, cell)
    assert 1_000 < compared < 2 * shared < 2 * compared  # some retreats are not clear, and are enumerated each time
