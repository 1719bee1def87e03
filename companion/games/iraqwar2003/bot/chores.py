"""Our opponent's other uses of a command point: recovery from disruption, and roads and bridges in the enemy's way."""

from __future__ import annotations

from companion.core.position import Piece
from companion.games.iraqwar2003.bot.scene import Scene
from companion.games.iraqwar2003.bot.weighing import Option, constant
from companion.games.iraqwar2003.land import LARGE, MINOR
from companion.games.iraqwar2003.notation import IRAQI, nation, printed_side
from companion.games.iraqwar2003.rules.r04_sequence import recovery_obstacle, units_to_act
from companion.games.iraqwar2003.rules.r09_zones import has_broken_roads
from companion.games.iraqwar2003.state import DISRUPTED, is_hex, units_in

AHEAD = 6
"""Hexes from the enemy at which a road is worth destroying: far enough to be passed next turn, near enough to be needed."""


def recoveries(scene: Scene) -> list[Option]:
    """[7.3.3, 11.2(2)] Units that could recover: what their full defence is worth where they stand, and their attack."""
    found = []
    for piece in units_to_act(scene.position):
        if nation(piece) == IRAQI and is_hex(piece.place) and not recovery_obstacle(scene.position, piece):
            found.append(Option(f"recover {piece.name}", f"recover {piece.name}", _recovered(scene, piece), cost=1))
    return found


def _recovered(scene: Scene, piece: Piece) -> float:
    near = max(1.0 - scene.near(piece.place) / 6, 0.1)
    worth = constant(scene.game, "recovery") * near * (printed_side(piece).attack + printed_side(piece).defence)
    number = piece.place
    if number in scene.counted and number not in scene.lost:
        here = units_in(scene.position, number)
        mended = piece._replace(marks={mark: value for mark, value in piece.marks.items() if mark != DISRUPTED})
        whole = [mended if one == piece else one for one in here]
        worth += scene.counted[number] * (scene.ahead.risk(number, here) - scene.ahead.risk(number, whole))
    return worth


def road_works(scene: Scene) -> list[Option]:
    """[14.1, 11.2(3)] Roads that a unit could destroy where it stands: on the enemy's way, a bridge before all."""
    found = {}
    for piece in scene.units:
        number = piece.place
        if number in found or has_broken_roads(scene.position, number) or not 1 <= scene.near(number) <= AHEAD:
            continue
        legs = [there for there, words in scene.field.front.legs(number) if "road" in words]
        land = scene.field.front.land
        bridge = any(land.water(number, there) in (MINOR, LARGE) for there in legs)
        if len(legs) > 1 or bridge:
            worth = constant(scene.game, "bridge" if bridge else "own_road") * (1 - scene.near(number) / (AHEAD + 1))
            found[number] = Option(f"destroy the roads of {number}", f"road {piece.name}", worth, cost=1)
    return list(found.values())
