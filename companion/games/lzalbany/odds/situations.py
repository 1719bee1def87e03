"""What can be asked of chance in LZ Albany: of the session's own areas, or of forces that are only described."""

from __future__ import annotations

from companion.core.requests import Choice, Odds
from companion.games.lzalbany.names import NVA, SIDES, US, next_flag
from companion.games.lzalbany.odds.described import (
    DESCRIBED,
    DISPUTED,
    FORCE,
    HERE,
    THERE,
    by_night,
    describe,
    described_fire,
    place_force,
    place_unit,
    read_force,
    which_area,
)
from companion.games.lzalbany.odds.paper import Described, on_paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r07_air import bomb_odds, gunship_odds, gunship_strength
from companion.games.lzalbany.rules.r07_artillery import artillery_odds
from companion.games.lzalbany.rules.r07_infantry import Fire, fire_odds, ranged_targets
from companion.games.lzalbany.rules.r07_melee import melee_odds
from companion.games.lzalbany.rules.r07_mortars import mortar_odds
from companion.games.lzalbany.rules.r09_rally import hit_units, rally_odds
from companion.games.lzalbany.words.areas import COLUMBUS, TRANSITION, is_area, title
from companion.games.lzalbany.words.counters import ARTILLERY, MORTAR, enemy, is_infantry, is_senior, may_fire


def _held(game: LzAlbany) -> list[str]:
    return sorted({area for side in SIDES for area in game.held(side)}) if game.phase else []


async def _side(game: LzAlbany, area: str, rule: str) -> str:
    there = [side for side in SIDES if game.units(area, side)]
    if len(there) == 1:
        return there[0]
    return await game.choose("side", "Which side attacks?", rule, [Choice(side, side) for side in SIDES], US)


async def fire_situation(game: LzAlbany) -> Odds:
    """[7.3] Ranged infantry fire at one area or several, with the return fire."""
    able = [area for area in _held(game) if not game.disputed(area) and area != TRANSITION]
    area = await which_area(game, "area", "From which area is the fire?", "7.3", able)
    if area == DESCRIBED:
        fight = Described(game)
        side = await describe(game, fight, "7.3", (HERE, THERE))
        fire = await described_fire(game, fight, side)
        await by_night(game, fight)
        return fire_odds(fight, fire, "Ranged fire")
    side = await _side(game, area, "7.3")
    known = [Choice(place, title(place)) for place in ranged_targets(game, side, area)]
    notation = ground.areas_notation(game)
    told = await game.text("target", "At which areas?", "7.3(1)", notation, known, known[0].value if known else None)
    units = [piece for piece in game.units(area, side) if is_infantry(piece) and may_fire(piece)]
    helpers = [officer for officer in game.officers(area, side) if not is_senior(officer)]
    targets = tuple(told.split(", "))
    head = f"{side} fire from {title(area)} at {', '.join(map(title, targets))}"
    return fire_odds(game, Fire(side, area, targets, units, helpers), head)


async def melee_situation(game: LzAlbany) -> Odds:
    """[7.2] One round of melee."""
    area = await which_area(game, "area", "In which area is the melee?", "7.2", [a for a in _held(game) if game.disputed(a)])
    if area == DESCRIBED:
        fight = Described(game)
        side = await describe(game, fight, "7.2", (DISPUTED,))
        await by_night(game, fight)
        return melee_odds(fight, side, DISPUTED, fight.pieces(DISPUTED, side), "Melee")
    side = await _side(game, area, "7.2")
    return melee_odds(game, side, area, game.pieces(area, side), f"Melee in {title(area)}, begun by the {side}")


async def _under_fire(game: LzAlbany, fight: Described, rule: str, whose: str = "") -> str:
    """Whose units are described in the target area."""
    side = whose or await game.choose("side", "Whose units are hit?", rule, [Choice(one, one) for one in SIDES], NVA)
    place_force(fight, side, THERE, await game.text("units", "Which units are in the area? (fire-melee/hits)", rule, FORCE))
    return side


async def mortar_situation(game: LzAlbany) -> Odds:
    """[7.4] Mortars at described units."""
    dice = await game.number("dice", "What is the fire strength of the mortars?", "7.4(2)", 1, 12)
    fight = Described(game)
    side = enemy(await _under_fire(game, fight, "7.4"))
    mortar = place_unit(fight, side, HERE, f"{side} {MORTAR}", MORTAR, dice)
    return mortar_odds(fight, side, HERE, [mortar], THERE)._replace(title="Mortar fire")


async def artillery_situation(game: LzAlbany) -> Odds:
    """[7.5] One platoon at an area with described units."""
    dice = await game.number("dice", "What is the fire strength of the platoon?", "7.5(3)", 1, 12)
    fight = Described(game)
    fight.set_flag(next_flag(THERE), "elsewhere", "7.5(2)")
    await _under_fire(game, fight, "7.5(4)")
    gun = place_unit(fight, US, COLUMBUS, "the platoon", ARTILLERY, dice)
    return artillery_odds(fight, gun, THERE)._replace(title="Artillery")


async def gunship_situation(game: LzAlbany) -> Odds:
    """[7.6] A gunship at the first unit described, all of them firing at it."""
    full, damaged = await gunship_strength(game)
    told = await game.text("units", "Which units are in the area, the target first? (fire-melee/hits)", "7.6(1)", FORCE)
    many = len(read_force(told))
    infantry = await game.number("infantry", "How many of these are infantry that fires at it?", "7.6(2)", 0, many, many)
    fight = Described(game)
    place_force(fight, NVA, THERE, told, infantry=infantry)
    return gunship_odds(fight, fight.units(THERE, NVA)[0], full, damaged)


async def bombs_situation(game: LzAlbany) -> Odds:
    """[7.7A] The six dice of the Skyraider at described units."""
    fight = Described(game)
    await _under_fire(game, fight, "7.7A(1)", NVA)
    return bomb_odds(fight, THERE)._replace(title="Bombs")


async def rally_situation(game: LzAlbany) -> Odds:
    """[9.0] The hits that a Rally Phase takes off: those of the session's units, or of so many units."""
    side = await game.choose("side", "Which side rallies?", "9.0", [Choice(one, one) for one in SIDES], US)
    if game.phase and hit_units(game, side):
        whose = [Choice("session", "the session's"), Choice(DESCRIBED, DESCRIBED)]
        if await game.choose("whose", "Whose units rally?", "9.0", whose, whose[0].value) != DESCRIBED:
            return rally_odds(on_paper(game, filter(is_area, game.position.places())), side)
    helped = await game.number("helped", "How many units does an officer help?", "9.2", 0, 40, 0)
    dice = await game.number("dice", "How many other units have one or two hits?", "9.1", 0, 40, 0)
    fight = Described(game)
    for number in range(helped):
        place_force(fight, side, f"area {number}", "1-1/1", 1)
    for _ in range(dice):
        place_force(fight, side, THERE, "1-1/1")
    return rally_odds(on_paper(fight, fight.position.places()), side)
