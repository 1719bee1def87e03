"""What our player of the Coalition bombs: facilities by ships and stealth first, then spearheads and what stands before its own
units. Each group goes where it adds most.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence

from companion.core.odds import mean
from companion.core.position import Piece
from companion.games.iraqwar2003.bot.interceptors import target_worth
from companion.games.iraqwar2003.bot.weighing import say_verdict
from companion.games.iraqwar2003.coalition.ground import strength
from companion.games.iraqwar2003.land import land_of
from companion.games.iraqwar2003.notation import AA, AIRFIELD, RADAR, RADIO, counts_for_victory, is_naval, kind_of
from companion.games.iraqwar2003.odds import command_point_chances, fate_chance, flown_odds, success_chance
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, is_rule_on
from companion.games.iraqwar2003.rules.r05_air_combat import SHOT_DOWN, AirGroup, PlannedMission, mission_of
from companion.games.iraqwar2003.rules.r09_zones import units_in_hexes
from companion.games.iraqwar2003.rules.r11_command_points import DIE, radio_points
from companion.games.iraqwar2003.state import ANTI_AIR_UNIT, COALITION, DISRUPTED, FACILITY, IRAQ, is_hex
from companion.games.iraqwar2003.worth import turns_left

DONE = "done"
MISSILE = 0.12
"""What the one attack of a ship is held worth elsewhere, in victory points [2.5.4(2)]."""
SORTIE = 0.04
"""The same of an air unit that is back next turn."""
INTERCEPTED = 0.6
"""What it is held to cost that an air unit may be met on its way."""
SUPPORTS = 6
"""Air units that are kept for ground support when units are bombed."""
FIELDS = 2.5
"""How much more an Air Field is held worth to the Coalition than Iraq holds its loss to be."""
SILENCED = 0.5
"""What the anti-air unit's fire is held to cost the Coalition a turn, in victory points [16.4]."""
LONG = 4
"""Turns for which that is reckoned, at most."""
PASSED = 3
"""Groups that are named though they are not sent."""
REACH = 2
"""Hexes from own units at which an enemy unit is worth a bomb."""


async def propose_raids(game: IraqWarReferee, plans: Sequence[PlannedMission], ready: Sequence[Piece]) -> str:
    """[5.2(1), 6.2, 7.1] All groups of a phase, as they are typed: ``radio 1 by B-2, radio 2 by DDG-1, done``.

    Args:
        plans: the targets, without a group. ready: who may bomb.
    """
    facility = game.phase == FACILITY
    stakes = facilities(game, plans) if facility else {plan: _stopped(game, plan) for plan in plans}
    left = dict.fromkeys(stakes, 1.0)
    kept = _kept(game, ready, len(ready) if facility else SUPPORTS)
    free = [piece for piece in ready if piece not in kept]
    chances = _chances(game, stakes, free)
    found: list[str] = []
    gains: list[str] = []
    rest: list[tuple[float, PlannedMission, Piece]] = []
    while free and stakes:
        pairs = ((plan, piece) for plan in stakes for piece in free)
        rest = [(_gain(game, piece, chances[plan, piece.id], stakes[plan] * left[plan]), plan, piece) for plan, piece in pairs]
        gain, plan, piece = max(rest, key=lambda one: (one[0], one[1].target, one[2].name))
        if gain <= 0:
            break
        found.append(f"{plan.target} by {piece.name}")
        gains.append(f"{found[-1]} {gain:+.2f}")
        left[plan] *= 1 - chances[plan, piece.id][0]
        free.remove(piece)
        rest = []
    sent = f"The Coalition bombs {', '.join(found) or 'nothing more'}."
    say_verdict(game, sent, "5.2(1)", *_reasons(gains, rest, kept))
    return ", ".join([*found, DONE])


def _reasons(gains: Sequence[str], rest: Sequence[tuple[float, PlannedMission, Piece]], kept: Sequence[Piece]) -> list[str]:
    """What the groups are worth, what decided, and what was passed over.

    Args:
        rest: whom else could be sent, each with what that would add. kept: who stays for ground support.
    """
    worst = sorted(rest, key=lambda one: (-one[0], one[1].target, one[2].name))[:PASSED]
    passed = [f"{plan.target} by {piece.name} {gain:+.2f}" for gain, plan, piece in worst]
    lines = [f"VP by exact odds: {', '.join(gains) or 'nothing is worth a sortie'}"]
    if gains:
        lines.append("decided by: each group goes where it adds most to what those before it leave")
    lines += [f"not worth it, in VP: {'; '.join(passed)}"] if passed else []
    return [*lines, *([f"kept for ground support: {', '.join(piece.name for piece in kept)}"] if kept else [])]


def _chances(
    game: IraqWarReferee, plans: Iterable[PlannedMission], ready: Sequence[Piece]
) -> dict[tuple[PlannedMission, str], tuple[float, float]]:
    """What each unit may come to at each target; where the fire and the values are alike, that is worked out once."""
    known: dict[Hashable, tuple[float, float]] = {}
    found: dict[tuple[PlannedMission, str], tuple[float, float]] = {}
    for plan in plans:
        for piece in ready:
            alike = plan.shots, plan.fire_rule, plan.city, game.known_values(piece)
            if alike not in known:
                known[alike] = _hit(game, plan, piece)
            found[plan, piece.id] = known[alike]
    return found


def facilities(game: IraqWarReferee, plans: Sequence[PlannedMission]) -> dict[PlannedMission, float]:
    """What a hit on each box is worth: of the Radio boxes only those that bring more than the die does [11.1], and Radar and
    fire are worth nothing without an Air Field [5.8.2(2)].
    """
    flown = bool(intact(boxes(game.position, AIRFIELD)))
    radios = radio_points(game) - int(mean(command_point_chances(game, DIE)))
    found: dict[PlannedMission, float] = {}
    for plan in plans:
        kind = kind_of(game.piece(plan.id))
        radios -= kind == RADIO
        idle = (kind == RADIO and radios < 0) or (kind in (RADAR, AA) and not flown)
        found[plan] = 0.0 if idle else target_worth(game, plan) * (FIELDS if kind == AIRFIELD else 1)
    return found


def _kept(game: IraqWarReferee, ready: Sequence[Piece], many: int) -> list[Piece]:
    """Who is kept for ground support, so many of the strongest, and those of whom the values are not known."""
    known = [(piece, values) for piece in ready if (values := game.known_values(piece))]
    fit = sorted((one for one in known if one[1].support), key=lambda one: (one[1].bombing - 2 * one[1].support, one[0].name))
    return [*(piece for piece, _ in fit[:many]), *(piece for piece in ready if not game.known_values(piece))]


def _hit(game: IraqWarReferee, plan: PlannedMission, piece: Piece) -> tuple[float, float]:
    """The chances that a unit hits its target, not intercepted, and that it is lost."""
    values = game.known_values(piece)
    bombing = values.bombing if values else 0
    mission = mission_of(game, plan._replace(group=AirGroup(piece), value=bombing // 2 if plan.city else bombing))
    if mission is None:
        return 0.0, 0.0
    results = flown_odds(mission)
    return success_chance(results), fate_chance(results, SHOT_DOWN)


def _gain(game: IraqWarReferee, piece: Piece, chances: tuple[float, float], worth: float) -> float:
    hit, lost = chances
    values = game.known_values(piece)
    if is_naval(piece):
        return hit * worth - MISSILE
    met = INTERCEPTED if values and not values.stealth and game.airfields_left() and game.air_units(IRAQ) else 0.0
    dear = -game.chart("victory").number("air", "vp") if counts_for_victory(piece) else 0
    return hit * worth - lost * dear - SORTIE - met


def _stopped(game: IraqWarReferee, plan: PlannedMission) -> float:
    """[7.3.1] What a disrupted unit is worth to those who attack it this turn: the more, the stronger it is and what it holds."""
    piece = game.piece(plan.id)
    land = land_of(game.position)
    if not is_hex(piece.place) or piece.mark(DISRUPTED) or not land.how:
        return 0.0
    own = [one for one in units_in_hexes(game.position, COALITION) if (land.distance(one.place, piece.place) or 9) <= REACH]
    places = game.chart("places")
    name = land.place(piece.place)
    points = places.number(name, "vp") if name in places.rows else 0
    return min(strength(own) / 12, 1.0) * (0.4 + 0.3 * points) + _silenced(game, piece)


def _silenced(game: IraqWarReferee, piece: Piece) -> float:
    """[16.4(4), 16.4(6)] What it is worth besides that the anti-air unit fires no more, which is for the rest of the game."""
    if not piece.number("anti_air") or not is_rule_on(game.position, ANTI_AIR_UNIT):
        return 0.0
    return SILENCED * min(turns_left(game.position, COALITION) - 1, LONG)
