"""What the support of the US is worth, in VP: artillery, aircraft, Dust Off, flares; and the areas that events choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.core.position import Piece
from companion.games.lzalbany.bot.blows import HIT, Man, man_of
from companion.games.lzalbany.bot.board import Board, board_of
from companion.games.lzalbany.names import AIRLIFT, NVA, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r06_dust_off import casualties, hot, landing_areas
from companion.games.lzalbany.rules.r06_ways import room_in
from companion.games.lzalbany.rules.r07_air import BOMB_DICE
from companion.games.lzalbany.rules.r07_artillery import US_CAP, batteries
from companion.games.lzalbany.rules.r08_hits import REDUCED
from companion.games.lzalbany.words.areas import ALBANY, COLUMBUS
from companion.games.lzalbany.words.counters import enemy, is_infantry, strength

_BURNT = REDUCED - 1


def several(board: Board, man: Man, dice: int, cap: int = 0) -> float:
    """What so many dice at one platoon cost its side, all hits on it."""
    value, chance = 0.0, (1 - HIT) ** dice
    for hits in range(dice + 1):
        value += chance * board.worth.after(man.target, hits, cap)
        chance *= (dice - hits) / (hits + 1) * HIT / (1 - HIT)
    return value


def area_worth(game: LzAlbany, side: str, area: str, weapon: str) -> float:
    """What a weapon, or an event, brings at an area."""
    board = board_of(game)
    if weapon == "artillery":
        return artillery_worth(game, area)
    if weapon == "skyraider":
        return max(weapons(game, area).values())
    return sum(board.worth.hit(man.target) for man in board.units(enemy(side), area))


def artillery_worth(game: LzAlbany, area: str) -> float:
    """[7.5] One platoon at an area: a random unit, every officer; and one time in six next door, friends included."""
    board = board_of(game)
    guns = batteries(game)
    dice = strength(guns[0], "fire") if guns else 4
    around = board.map.beside(area)
    astray = sum(_shelled(board, there, dice) for there in around) / len(around) if around else 0.0
    return (1 - HIT) * _shelled(board, area, dice) + HIT * astray


def _shelled(board: Board, area: str, dice: int) -> float:
    """What artillery that falls on an area is worth to the US."""
    foes, friends = board.units(NVA, area), board.units(US, area)
    if not foes and not friends:
        return 0.0
    harm = sum(several(board, man, dice) for man in foes) - sum(several(board, man, dice, US_CAP) for man in friends)
    chiefs = sum(board.worth.hit(m.target) for m in board.stack(NVA, area).officers)
    chiefs -= sum(board.worth.hit(m.target) for m in board.stack(US, area).officers)
    return harm / (len(foes) + len(friends)) + (1 - (1 - HIT) ** dice) * HIT * chiefs


def gunship_worth(game: LzAlbany, unit: Piece) -> tuple[float, str]:
    """[7.6] A gunship at a unit, less the points of its damage; and the chance of that in words."""
    board, man = board_of(game), man_of(unit)
    full, _, hurt = str(game.book.counters["gunship"]["strength"]).partition("/")
    guns = sum(is_infantry(piece) for piece in game.units(unit.place, NVA))
    danger = 1 - (1 - HIT) ** guns
    value = (1 - danger) * several(board, man, int(full)) + danger * several(board, man, int(hurt))
    value += (1 - (1 - HIT) ** 3) * HIT * board.stack(NVA, unit.place).hurts[2]
    cost = 0 if game.option("air_casualty") == "never" else 2
    return value - danger * cost, f"{danger:.0%} to be damaged"


def weapons(game: LzAlbany, area: str) -> Mapping[str, float]:
    """[7.7] Bombs, whose hits the NVA places, and napalm."""
    board = board_of(game)
    stack = board.stack(NVA, area)
    burnt = sum(board.worth.after(m.target, max(0, _BURNT - m.target.hits)) for m in stack.units)
    chiefs = sum(board.worth.hit(m.target) for m in stack.officers)
    near = sum(
        HIT * board.worth.after(m.target, _BURNT, _BURNT) / len(stack.units)
        for a in board.map.beside(area)
        for stack in [board.stack(US, a)]
        for m in stack.units
    )
    return {"bombs": stack.blow(BOMB_DICE, placed=False), "napalm": burnt + HIT * chiefs - near}


# -- Dust Off ------------------------------------------------------------------------------------------------------------


def landing_worth(game: LzAlbany, area: str) -> float:
    """[6.3] Wounded who fly out, two points and one that is not lost each, less the danger of the landing."""
    terrain = game.map.terrain(area) or "jungle"
    markers, officers = casualties(game, area)
    guns = sum(len(game.units(there, NVA)) for there in game.map.beside(area))
    danger = 1 - (2 / 3) ** guns
    chart = game.chart("terrain")
    full, hurt = (min(chart.number(terrain, row), len(markers)) for row in ("dustoff", "damaged"))
    cost = 0 if game.option("air_casualty") == "never" else 2
    return 3.0 * ((1 - danger) * full + danger * hurt) + 0.5 * len(officers) - danger * cost


def dustoff_worth(game: LzAlbany, choice: str) -> float:
    """Evacuation or airlift."""
    if choice == "evacuate":
        return max((landing_worth(game, a) for a in landing_areas(game) if not hot(game, a)), default=0.0)
    if choice == "airlift":
        return max((value for value, _, _ in lifts(game, game.position.at(AIRLIFT))), default=0.0)
    return 0.0


def lifts(game: LzAlbany, waiting: Sequence[Piece]) -> Iterator[tuple[float, str, str]]:
    """[6.4] Areas to fly to, with what it is worth to have those there who find room, and the orders."""
    board = board_of(game)
    units, officers = [p for p in waiting if p.kind == UNIT], [p for p in waiting if p.kind != UNIT]
    units.sort(key=lambda piece: -strength(piece, "fire"))
    for area in game.map.known():
        terrain = game.map.terrain(area)
        if terrain not in ("jungle", "sawgrass", ALBANY) or game.units(area, NVA):
            continue
        room = min(game.chart("terrain").number(terrain, "airlift"), room_in(game, area, US), len(units))
        riders = [*units[:room], *officers]
        if (room or not units) and riders:
            before = board.part(US, (area,))
            old = board.put({(US, area): board.stack(US, area).joined([man_of(p) for p in riders])})
            yield board.part(US, (area,)) - before, area, f"{' '.join(p.name for p in riders)} > {area}"
            board.put(old)


# -- night ---------------------------------------------------------------------------------------------------------------


def flares(game: LzAlbany) -> Iterator[tuple[float, str]]:
    """[11.2] Areas of the enemy, with what fire at them from next door would bring by light."""
    board = board_of(game)
    for area in board.held(NVA):
        near = [a for a in board.held(US) if a in board.map.beside(area)]
        if near and area != COLUMBUS:
            yield max(0.0, *(board.fire(US, group, a, area) for a in near for group in board.stack(US, a).groups)), area
