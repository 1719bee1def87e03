"""Our opponent's Ground Bombing: which spearhead it disrupts, and with what."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.games.iraqwar2003.bot.interceptors import plane_worth
from companion.games.iraqwar2003.bot.weighing import Option, choose, constant, say_verdict
from companion.games.iraqwar2003.land import land_of
from companion.games.iraqwar2003.notation import IRAQI, is_western, nation, printed_side
from companion.games.iraqwar2003.odds import fate_chance, flown_odds, success_chance
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.rules.r05_air_combat import SHOT_DOWN, AirGroup, PlannedMission, mission_of
from companion.games.iraqwar2003.state import IRAQ, OUT_OF_SUPPLY, is_hex
from companion.games.iraqwar2003.worth import Prospect, turns_left

DONE = "done"
NEAR = 6
"""Hexes from a place that counts at which a unit of the Coalition is no spearhead yet."""


def spearhead(ahead: Prospect, piece: Piece) -> float:
    """How much a unit threatens: its attack, the more the nearer it stands to what Iraq still holds, by the points of that."""
    attack = printed_side(piece).attack / (2 if piece.mark(OUT_OF_SUPPLY) else 1)
    if not is_hex(piece.place) or not ahead.land.how:
        return attack
    near = [vp * max(NEAR - _away(ahead, piece, number), 0) / NEAR for place, number, vp in ahead.counted() if ahead.held(place)]
    return attack * (0.25 + min(sum(near), 6.0) / 3)


def _away(ahead: Prospect, piece: Piece, number: str) -> int:
    away = ahead.land.distance(piece.place, number)
    return NEAR if away is None else away


def _exposed(game: IraqWarReferee, piece: Piece) -> int:
    """Iraqi attack values beside a unit, which would meet half its defence [7.3.1(3)]."""
    land = land_of(game.position)
    beside = {piece.place, *(land.neighbours(piece.place) if is_hex(piece.place) else ())}
    units = [
        one for one in units_on_map_of(game.position, IRAQ) if is_hex(one.place) and one.place in beside and nation(one) == IRAQI
    ]
    return sum(printed_side(one).attack for one in units)


async def propose_bombing(game: IraqWarReferee, targets: Sequence[PlannedMission], ready: Sequence[Piece]) -> str:
    """[5.1(2), 7.0] The next unit to bomb and with what, in the notation of the question; ``done``.

    Args:
        targets: a plan without a group for each. ready: who may bomb.
    """
    options = [Option("nothing more", DONE, does=False)]
    ahead = Prospect(game.position, game.charts)
    worth = {plan.id: _hit_worth(game, ahead, game.piece(plan.id)) for plan in targets} if ready else {}
    for piece in ready:
        bombing = (await game.air_values(piece)).bombing
        options += [_raid(game, plan, piece, bombing, worth[plan.id]) for plan in targets if bombing]
    verdict = choose(game, "raid", options)
    say_verdict(game, f"Iraq bombs {verdict.choice.name}.", "5.1(2)", *verdict.lines)
    return verdict.choice.answer


def _hit_worth(game: IraqWarReferee, ahead: Prospect, piece: Piece) -> float:
    """[7.3.1] What it is worth that a unit neither moves nor attacks in its next turn, and defends with half."""
    stopped = constant(game, "disruption") * spearhead(ahead, piece) if turns_left(game.position, IRAQ) > 1 else 0.0
    return stopped + constant(game, "half_defence") * _exposed(game, piece) * is_western(piece)


def _raid(game: IraqWarReferee, plan: PlannedMission, piece: Piece, bombing: int, worth: float) -> Option:
    mission = mission_of(game, plan._replace(group=AirGroup(piece), value=bombing))
    assert mission
    results = flown_odds(mission)
    hit, risk = success_chance(results), fate_chance(results, SHOT_DOWN)
    detail = f"hits in {hit:.0%}, is lost in {risk:.0%}"
    order = f"{plan.target} by {piece.name}"
    return Option(order, order, hit * worth - risk * plane_worth(game, piece), detail, risk)
