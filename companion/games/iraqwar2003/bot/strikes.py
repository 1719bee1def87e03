"""Our opponent's attacks: every one that a unit or stack could make now, the promising ones by exact odds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.iraqwar2003.bot.scene import Scene
from companion.games.iraqwar2003.bot.supports import combat_worth, stakes_of
from companion.games.iraqwar2003.bot.weighing import Option
from companion.games.iraqwar2003.land import LARGE, MINOR, SEA
from companion.games.iraqwar2003.notation import LADDER, STAY, is_western, printed_side
from companion.games.iraqwar2003.odds import CombatForecast
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r05_air_combat import SUPPORT, ready_for
from companion.games.iraqwar2003.rules.r08_stacking import stacking_faults
from companion.games.iraqwar2003.rules.r13_combat import nationality_obstacle
from companion.games.iraqwar2003.rules.r13_results import Attack, CombatValues, combat_values
from companion.games.iraqwar2003.rules.r16_options import available_artillery, support_value
from companion.games.iraqwar2003.state import ARTILLERY, COALITION, IRAQ
from companion.games.iraqwar2003.worth import LEFT

EXACT = 4
"""Attacks whose odds are worked out; the others stay behind by their columns."""
HOPE = LADDER.index("1-1")
"""The column below which no attack is looked at."""


class Strike(NamedTuple):
    """An attack that is possible.

    Attributes:
        pieces: who attacks. base: from where. attack: it, as the rules declare it.
        clash: the values, with the guns of the other side and the columns that air support is likely to shift.
        at: of its column. moved: what it brings that they come to the base, and costs that they leave their hex.
    """

    pieces: tuple[Piece, ...]
    base: str
    attack: Attack
    clash: CombatValues
    at: int
    moved: float = 0.0


def air_columns(game: IraqWarReferee, attack: Attack) -> float:
    """[13.3(2), 16.5] The columns by which air support is likely to shift an Iraqi attack: the best of both sides that may fly
    there, less ours that is stopped more often.
    """
    best = {}
    for side in (IRAQ, COALITION):
        ready = ready_for(game, side, SUPPORT) if side == COALITION or game.airfields_left() else []
        flyable = [piece for piece in ready if not nationality_obstacle(game, attack, piece)]
        best[side] = max((values.support for piece in flyable if (values := game.known_values(piece))), default=0)
    return 0.6 * best[IRAQ] - 0.8 * best[COALITION]


def groups(scene: Scene) -> Iterator[tuple[Piece, ...]]:
    """[12.1(1), 13.2(2)] The units that could attack together: of one hex, as many as there are command points."""
    stacks: dict[str, list[Piece]] = {}
    for piece in scene.units:
        stacks.setdefault(piece.place, []).append(piece)
    for place, pieces in stacks.items():
        if scene.near(place) <= 2 + max(printed_side(one).move for one in pieces):
            for many in range(1, min(len(pieces), scene.points, 3) + 1):
                yield from (group for group in combinations(pieces, many) if not stacking_faults(group))


def _strikes(scene: Scene) -> Iterator[Strike]:
    columns: dict[str, float] = {}
    land = scene.field.front.land
    for pieces in groups(scene):
        left_behind = scene.left_behind(pieces)
        for base in scene.reach(pieces).spent:
            for target in land.neighbours(base):
                if target in scene.field.foes and (water := land.water(base, target)) != SEA:
                    found = _strike(scene, pieces, base, target, water in (MINOR, LARGE), columns)
                    moved = scene.arrived(pieces, base) - left_behind if base != pieces[0].place else 0.0
                    yield found._replace(moved=moved)


def _strike(scene: Scene, pieces: Sequence[Piece], base: str, target: str, wet: bool, columns: dict[str, float]) -> Strike:
    game, foes = scene.game, scene.field.foes[target]
    terrain = scene.field.front.land.terrain(target) or "plain"
    left = int(scene.left.get(terrain, LEFT.get(terrain, 0)))
    ours, theirs = tuple(one.id for one in pieces), tuple(one.id for one in foes)
    river = tuple(one.id for one in pieces if wet and not one.values.get("white"))
    attack = Attack(ours, theirs, river, terrain, left, base=base, hex=target, home=bool(scene.field.front.land.is_city(base)))
    guns = available_artillery(game, foes, [*pieces, *foes], target) if game.has_rule(ARTILLERY) else []
    clash = combat_values(game, attack, (0, sum(support_value(game, gun, False, True) for gun in guns)))
    if target not in columns:
        columns[target] = air_columns(game, attack)
    clash = clash._replace(left=left - round(columns[target]))
    return Strike(tuple(pieces), base, attack, clash, LADDER.index(clash.column(0)) if clash.attack else -1)


def _promise(scene: Scene, strike: Strike) -> float:
    """What a strike may be worth by its column alone, a command point: to choose those whose odds are worked out."""
    foes = [scene.game.piece(one) for one in strike.attack.defenders]
    west = 2.0 if is_western(foes[0]) else 0.4
    here = scene.lost.get(strike.attack.hex, 0) * 0.5
    return ((west + here) * max(strike.at + 1, 0) * 0.2 + strike.moved) / len(strike.pieces)


def strikes(scene: Scene) -> list[Option]:
    """[13.0] The attacks that are worth a thought, the best by exact odds, each as it is typed."""
    found = [one for one in _strikes(scene) if one.at >= HOPE]
    found.sort(key=lambda one: -_promise(scene, one))
    best: dict[tuple[tuple[str, ...], str], Strike] = {}
    for one in found:
        best.setdefault((one.attack.attackers, one.attack.hex), one)
    return [option for one in list(best.values())[:EXACT] if (option := _option(scene, one))]


def _option(scene: Scene, strike: Strike) -> Option | None:
    game = scene.game
    stakes = stakes_of(game, strike.attack, IRAQ)
    value = combat_worth(CombatForecast(game, strike.attack, scene.told, strike.clash), None, stakes)
    if value is None:
        return None
    path = " ".join(scene.reach(strike.pieces).path(strike.base)) or STAY
    order = f"{game.piece_names(strike.pieces)} > {path} > {strike.attack.hex}"
    column = strike.clash.column(0)
    detail = f"column {column} with the air to be expected: the combat {value:+.2f}, the place {strike.moved:+.2f}"
    name = f"attack {strike.attack.hex} with {game.piece_names(strike.pieces)}"
    return Option(name, order, value + strike.moved, detail, cost=len(strike.pieces))
