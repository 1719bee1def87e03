"""[10.0] Supply lines in games at random: as long as, and open where, a search hex by hex finds them."""

from __future__ import annotations

import pytest

from companion.core.policies import PLAIN, RANDOM
from companion.core.position import Position
from companion.games.iraqwar2003.facts import SEA, land_of
from companion.games.iraqwar2003.notation import nation, side_of
from companion.games.iraqwar2003.referee import units_on_map_of
from companion.games.iraqwar2003.rules.r08_map import SOURCES, SupplyLines, zones
from companion.games.iraqwar2003.rules.r15_control import controller_of
from companion.games.iraqwar2003.state import COALITION, units_in
from tests.games.iraqwar2003.test_players import match


def away(position: Position, start: str, source: str) -> int | None:
    """[10.0(3), 10.0(4)] The length of the shortest open line from a hex of the Coalition, ring by ring; None without one."""
    land, hostile = land_of(position), zones(position, "iraq")

    def may_pass(here: str, there: str) -> bool:
        inside = units_in(position, there)
        clear = all(side_of(piece) == COALITION for piece in inside) and (bool(inside) or there not in hostile)
        return clear and land.water(here, there) != SEA and controller_of(position, there) not in ("", "iraq")

    ring, seen, length = {start}, {start}, 0
    while ring:
        if source in ring:
            return length
        ring = {there for here in ring for there in land.neighbours(here) if there not in seen and may_pass(here, there)}
        seen |= ring
        length += 1
    return None


@pytest.mark.parametrize("coalition", [PLAIN, RANDOM])
def test_10_0_a_line_is_the_shortest_that_is_open(coalition: str) -> None:
    played, checked = match(coalition, RANDOM, "lines"), {True: 0, False: 0}
    for turn in range(2, 6):
        played.play(lambda position, turn=turn: position.track("turn") == turn)  # type: ignore[misc]
        lines = SupplyLines(played.position, COALITION)
        for piece in units_on_map_of(played.position, COALITION):
            found, length = lines.of(piece), away(played.position, piece.place, SOURCES[nation(piece)])
            assert found == SupplyLines(played.position, COALITION).of(piece)
            assert (found.open is True) == (length is not None)
            assert length is None or len(found.hexes) == length + 1
            checked[length is not None] += 1
    assert checked[True] > 20
