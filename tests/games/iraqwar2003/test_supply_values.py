"""[10.0] What supply is worth to the Coalition's planner, against lines traced after the moves were made."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest

from companion.core.events import FlagSet, PieceMoved, apply
from companion.core.position import Piece, Position
from companion.games.iraqwar2003 import notation
from companion.games.iraqwar2003.ai.features import Features
from companion.games.iraqwar2003.ai.planner_coalition import _disruption_value, _disruption_values
from companion.games.iraqwar2003.ai.supply import Supply
from companion.games.iraqwar2003.ai.valuation import terrain_columns
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.odds import mean_losses
from companion.games.iraqwar2003.rules.r05_air import AirGroup, PlannedMission
from companion.games.iraqwar2003.rules.r08_map import SupplyLines, initial_controller
from companion.games.iraqwar2003.state import COALITION
from tests.games.iraqwar2003.test_players import GAME, match


def moved(position: Position, pieces: Sequence[Piece], path: Sequence[str]) -> Position:
    """After units went along a path, and took the hexes that they entered."""
    entered = path[-1:] if all(piece.values.get("fly") for piece in pieces) else path
    for number in entered:
        flag = initial_controller(land_of(position), number)[0]
        position = apply(position, FlagSet(flag, position.flags.get(flag), COALITION, "10.0(3)", ""))
    for piece in pieces:
        position = apply(position, PieceMoved(piece.id, piece.place, path[-1], "12.1", ""))
    return position


def stacks(turns: int) -> Iterator[tuple[Features, list[Piece]]]:
    """The stacks that can act at the beginning of each Operation Phase of the Coalition, in a game of both planners."""
    game = match("bot", "bot", "lines")
    while game.position.track("turn") <= turns:
        assert game.act()
        if (game.position.flag("side"), game.position.flag("phase")) != (COALITION, "operations"):
            continue
        features = Features(GAME.referee(game.position, game.options), COALITION, terrain_columns(GAME.tables.bot))
        yield from [(features, stack) for stack in features.unsorted_stacks() if notation.is_western(stack[0])][::4]


@pytest.mark.slow
def test_10_0_3_supply_after_a_move_is_as_traced_after_it() -> None:
    """[10.0(3), 10.0(4)] The own line of the stack, and those of others behind: held open, or opened again."""
    own = opened = lost = 0
    for features, stack in stacks(7):
        supply, reach = Supply(features, stack), features.reach(stack)
        before = SupplyLines(features.position, COALITION)
        others = [piece for piece in features.valuation.western if piece not in stack]
        for number in list(reach.spent)[1::3]:
            after = moved(features.position, stack, reach.path(number))
            lines = SupplyLines(after, COALITION)
            assert supply._is_supplied(number) == (not lines.in_doubt(after.pieces[stack[0].id])), (stack, number)
            own += 1
            gained = [piece for piece in others if before.in_doubt(piece) and not lines.in_doubt(after.pieces[piece.id])]
            gone = [piece for piece in others if not before.in_doubt(piece) and lines.in_doubt(after.pieces[piece.id])]
            assert not gone or supply._behind, (stack, number)
            opened += bool(gained and supply._reopened(number))
            lost += bool(gone)
    assert own > 300 and opened and lost


def test_13_4_mean_losses_of_a_column() -> None:
    """[13.4.1] Steps over the six faces; None while a cell is unknown."""
    table = GAME.referee(match("bot", "bot", "a").position, {})
    assert mean_losses(table, ("A1", "A1 D1", "-", "DR", "D1R", "D2R")) == pytest.approx(4 / 6)
    assert mean_losses(table, ("?",) * 6) is None


def test_7_3_1_units_that_could_cut_the_way_are_worth_a_bomb() -> None:
    """[7.3.1(1), 10.0(3)] A disrupted unit does not move: those that reach the hexes beside the line of a western unit."""
    game = match("bot", "plain", "way")
    game.play(lambda position: position.track("turn") == 3 and position.flag("phase") == "bombing")
    referee = GAME.referee(game.position, game.options)
    features = Features(referee, COALITION, terrain_columns(GAME.tables.bot))
    units = [piece for pieces in features.field.foes.values() for piece in pieces]
    plans = [PlannedMission(AirGroup(), "unit", piece.id, piece.name) for piece in units]
    values, pinned = _disruption_values(referee, plans), GAME.tables.bot["sorties"]["pinned"]
    added = {plan.id: round(values[plan] - _disruption_value(referee, plan), 9) for plan in plans}
    assert set(added.values()) == {0.0, pinned}
    lines = [SupplyLines(game.position, COALITION).of(piece).hexes for piece in features.valuation.western]
    on_way = {number for line in lines for number in line}
    for piece in units:
        near = min(features.land.distance(piece.place, number) or 0 for number in on_way)
        assert near <= notation.printed_side(piece).move + 1 if added[piece.id] else near, piece.name
