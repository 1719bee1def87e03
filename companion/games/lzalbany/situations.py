"""What can be asked of chance in LZ Albany: of the session's own areas, or of forces that are only described."""

from __future__ import annotations

from companion.core.requests import Choice, Odds
from companion.games.lzalbany.air import BOMB_DICE, gunship_strength
from companion.games.lzalbany.areas import title
from companion.games.lzalbany.chances import (
    Exchange,
    artillery_odds,
    fire_odds,
    gunship_odds,
    melee_odds,
    rally_odds,
    support_odds,
)
from companion.games.lzalbany.described import DESCRIBED, FORCE, describe, targets_of, which_area
from companion.games.lzalbany.hits import OFFICER, UNIT, Target
from companion.games.lzalbany.infantry import exchange
from companion.games.lzalbany.melee import attack_force, defence_force
from companion.games.lzalbany.mortars import CAP
from companion.games.lzalbany.rally import hit_units, whom
from companion.games.lzalbany.referee import INFANTRY, SIDES, LzAlbany, enemy, healthy, side_of, target_of
from companion.games.lzalbany.strength import Force


def _held(game: LzAlbany) -> list[str]:
    return sorted({area for side in SIDES for area in game.held(side)}) if game.phase else []


async def _target(game: LzAlbany, side: str, rule: str) -> str:
    areas = game.held(enemy(side))
    return await game.choose("target", "Target area", rule, [Choice(a, title(a)) for a in areas], areas[0] if areas else None)


async def _side(game: LzAlbany, area: str, rule: str) -> str:
    there = [side for side in SIDES if game.units(area, side)]
    if len(there) == 1:
        return there[0]
    return await game.choose("side", "Which side attacks", rule, [Choice(side, side) for side in SIDES], "US")


async def fire_situation(game: LzAlbany) -> Odds:
    """[7.3] Ranged infantry fire at one area, with the return fire."""
    area = await which_area(game, "area", "Fire from which area", "7.3", _held(game))
    if area != DESCRIBED:
        side = await _side(game, area, "7.3")
        place = await _target(game, side, "7.3")
        units = [p for p in game.units(area, side) if p.values.get("type") in INFANTRY]
        officers = len(game.officers(area, side))
        title_now = f"{side} fire from {title(area)} at {title(place)}"
        return fire_odds(game.rules, exchange(game, side, area, units, officers, place), title_now)
    told = await describe(game, "7.3")
    jungle = await game.confirm("jungle", "Is the target area jungle", "7.3(3)", False)
    home = await game.confirm("home_jungle", "Is the firing area jungle", "7.3(3)", False)
    night = await game.confirm("night", "Night without a flare", "11.1B", False)
    fires = tuple(one.fire for one in told.ours if one.kind == UNIT)
    able = tuple(one.kind == UNIT for one in told.theirs)
    force = Force(fires, told.officers[0], len(fires))
    return fire_odds(game.rules, Exchange(force, told.ours, told.theirs, able, told.officers[1], jungle, home, night, night))


async def melee_situation(game: LzAlbany) -> Odds:
    """[7.2] One round of melee."""
    area = await which_area(game, "area", "Melee in which area", "7.2", [a for a in _held(game) if game.disputed(a)])
    if area != DESCRIBED:
        side = await _side(game, area, "7.2")
        force = attack_force(game, side, area, game.units(area, side), len(game.officers(area, side)))
        ours = [target_of(p) for p in game.pieces(area, side)]
        theirs = [target_of(p) for p in game.pieces(area, enemy(side))]
        other = defence_force(game, enemy(side), area)
        return melee_odds(game.rules, force, other, ours, theirs, game.dark(area), f"Melee in {title(area)}, begun by the {side}")
    told = await describe(game, "7.2")
    night = await game.confirm("night", "Night without a flare", "11.1B", False)
    force = _melee_force(told.ours, told.officers[0])
    return melee_odds(game.rules, force, _melee_force(told.theirs, told.officers[1]), told.ours, told.theirs, night)


def _melee_force(targets: tuple[Target, ...], officers: int) -> Force:
    units = tuple(one.melee for one in targets if one.kind == UNIT)
    return Force(units, officers, len(units))


async def mortar_situation(game: LzAlbany) -> Odds:
    """[7.4] Mortar dice at described units."""
    dice = await game.number("dice", "Mortar dice", "7.4(2)", 1, 12)
    return support_odds("Mortar fire", "7.4", dice, await _described(game, "7.4"), CAP, ("Nobody gets a third hit.",))


async def _described(game: LzAlbany, rule: str) -> tuple[Target, ...]:
    side = await game.choose("side", "Whose units are hit", rule, [Choice(one, one) for one in SIDES], "NVA")
    return targets_of(await game.text("units", "Units in the area, fire-melee/hits", rule, FORCE), side)


async def artillery_situation(game: LzAlbany) -> Odds:
    """[7.5] One platoon at an area; what becomes of the first unit described there."""
    dice = await game.number("dice", "Fire strength of the platoon", "7.5(3)", 1, 12)
    units = await _described(game, "7.5(4)")
    return artillery_odds(dice, len(units), units[0])


async def gunship_situation(game: LzAlbany) -> Odds:
    """[7.6] A gunship at the first unit described, all of them firing at it."""
    full, damaged = await gunship_strength(game)
    units = targets_of(await game.text("units", "Units in the area, the target first, fire-melee/hits", "7.6(1)", FORCE), "NVA")
    infantry = await game.number("infantry", "Of these, infantry that fires at it", "7.6(2)", 0, 12, len(units))
    return gunship_odds(full, damaged, infantry, units[0])


async def bombs_situation(game: LzAlbany) -> Odds:
    """[7.7A] The six dice of the Skyraider at described units."""
    units = targets_of(await game.text("units", "NVA units in the area, fire-melee/hits", "7.7A(1)", FORCE), "NVA")
    return support_odds("Bombs", "7.7A", BOMB_DICE, units)


async def rally_situation(game: LzAlbany) -> Odds:
    """[9.0] The hits that a Rally Phase takes off: those of the session's units, or of so many units."""
    side = await game.choose("side", "Which side rallies", "9.0", [Choice(one, one) for one in SIDES], "US")
    units = hit_units(game, side) if game.phase else []
    officers = [p for p in game.position.of_kind(OFFICER) if side_of(p) == side and healthy(p)]
    helped: list[str] = []
    for officer in officers:
        helped += [p.id for p in whom(officer, units) if p.id not in helped][:1]
    certain = await game.number("helped", "Units that an officer helps", "9.2", 0, 40, len(helped))
    dice = await game.number("dice", "Other units with one or two hits", "9.1", 0, 40, len(units) - len(helped))
    return rally_odds(dice, certain)
