"""[5.5, 5.6, 7.6, 7.7] Gunships and the Skyraider."""

from __future__ import annotations

from companion.core.dice import faces_text
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.words import plural
from companion.games.lzalbany import ground
from companion.games.lzalbany.areas import TRANSITION, title
from companion.games.lzalbany.chances import gunship_odds, join_odds, support_odds
from companion.games.lzalbany.hits import REDUCED, UNIT, WOUNDED, count_sixes, room_of, volley
from companion.games.lzalbany.placing import officer_check, one_at_random, take_hits
from companion.games.lzalbany.referee import INFANTRY, SIDES, LzAlbany, enemy, hits_on, side_of, target_of
from companion.games.lzalbany.roster import GUNSHIP

BOMBS, NAPALM, NOBODY = "bombs", "napalm", "none"
BOMB_DICE = 6


def grounded(game: LzAlbany, what: str) -> bool:
    """[5.6, 11.1C] Whether a strike is not flown: Visibility came out before it, or it is night."""
    if game.night:
        game.say(f"Night: {what} makes no attack.", "11.1C")
        return True
    if game.position.at("box visibility"):
        game.say(f"Visibility is out: {what} makes no strike.", "5.6")
        return True
    return False


async def in_reach(game: LzAlbany, area: str, disputed_too: bool, rule: str) -> bool:
    """[7.6(1), 7.7] In a disputed area (gunships), next to any US unit, or in a US officer's sight."""
    if game.disputed(area):
        return disputed_too
    for place in game.held("US"):
        if game.units(place, "US") and game.map.adjacent(place, area):
            return True
    return await ground.spotted(game, "US", area, rule)


def _perhaps(game: LzAlbany, disputed_too: bool) -> list[str]:
    return [a for a in game.held("NVA") if a != TRANSITION and game.units(a, "NVA") and (disputed_too or not game.disputed(a))]


async def gunships_chit(game: LzAlbany) -> None:
    """[7.6] One gunship at one NVA unit."""
    from companion.games.lzalbany.bot import unit_target_advice

    if grounded(game, "the gunship"):
        return
    areas = _perhaps(game, True)
    if game.played("US"):
        areas = [a for a in areas if await in_reach(game, a, True, "7.6(1)")]
    units = [p for a in areas for p in game.units(a, "NVA")]
    if not units:
        game.say("The gunship finds no target.", "7.6(1)")
        return
    full, damaged = await gunship_strength(game)
    choices = [Choice(p.name, p.name, f"{title(p.place)}, {plural(hits_on(p), 'hit')}") for p in units]
    others = [Choice(p.name, p.name) for a in game.held("NVA") for p in game.officers(a, "NVA")]
    request = Choose(
        "target", "Gunship: target unit", "7.6(1)", [*choices, Choice(NOBODY, "none")], NOBODY, others=others, what="NVA unit"
    )
    request.odds = lambda: _gunship_odds(game, units, full, damaged)
    name = await game.decide(request, "US", lambda: unit_target_advice(game, units), lambda p: p.name, auto=False)
    if name == NOBODY:
        return
    target = next(p for a in game.held("NVA") for p in game.pieces(a, "NVA", UNIT, "officer") if p.name == name)
    if target.kind != UNIT:
        game.forbid(f"{name} is an officer, and gunships attack units", "7.6(1)", "Choose a unit with him")
    if not await in_reach(game, target.place, True, "7.6(1)"):
        game.forbid(f"{title(target.place)} is not next to a US unit and no US officer sees it", "7.6(1)", "Choose another unit")
    await strafe(game, target, full, damaged)


async def gunship_strength(game: LzAlbany) -> tuple[int, int]:
    """[7.6(3)] The printed strengths of a gunship, full and damaged."""
    sample = str(game.counters["gunship"]["strength"])
    told = await game.printed("gunship", "Fire strength of a gunship, and damaged", "7.6(3)", GUNSHIP, sample)
    full, _, damaged = told.partition("/")
    return int(full), int(damaged)


async def strafe(game: LzAlbany, target: Piece, full: int, damaged: int) -> None:
    """[7.6(2), 7.6(3), 7.6(4)] Damage first, then fire, then an officer."""
    area = target.place
    guns = [p for p in game.units(area, "NVA") if p.values.get("type") in INFANTRY]
    faces = await volley("damage", f"Damage dice against the gunship ({game.names(guns)}; 6)", "7.6(2)", len(guns), 1)
    hurt = any(game.chart("die").text(face, "gunship") == "damaged" for face in faces)
    if guns:
        game.say(f"Ground fire: {faces_text(faces)}: {'the gunship is damaged' if hurt else 'no damage'}.", "7.6(2)")
    if hurt:
        game.board("Flip the gunship to its reduced side.", "7.6(2)")
        air_casualty(game, "gunship damaged")
    dice = damaged if hurt else full
    shots = await volley("gunship", f"Gunship dice at {target.name}", "7.6(3)", dice, 5)
    hits = count_sixes(shots)
    game.say(f"Gunship at {target.name}: {faces_text(shots) or 'no dice'}: {plural(hits, 'hit')}.", "7.6(3)")
    if hits:
        await take_hits(game, "US", [target], hits, "7.6(3)", "gunship")
        await officer_check(game, area, ("NVA",), "7.6(4)")


def air_casualty(game: LzAlbany, why: str) -> None:
    """[4.1B] Points for a damaged air unit (ruling C-19)."""
    if game.option("air_casualty") != "never":
        game.award("air", why)


def _gunship_odds(game: LzAlbany, units: list[Piece], full: int, damaged: int) -> Odds:
    parts = []
    for piece in units[:8]:
        infantry = sum(p.values.get("type") in INFANTRY for p in game.units(piece.place, "NVA"))
        parts.append(gunship_odds(full, damaged, infantry, target_of(piece)))
    return join_odds("Gunship", "7.6", parts)


async def skyraider_chit(game: LzAlbany) -> None:
    """[7.7] The Skyraider at an undisputed NVA area, with bombs or napalm."""
    from companion.games.lzalbany.bot import target_advice, weapon_advice

    if grounded(game, "the Skyraider"):
        return
    areas = _perhaps(game, False)
    if game.played("US"):
        areas = [a for a in areas if await in_reach(game, a, False, "7.7")]
    if not areas:
        game.say("The Skyraider finds no target.", "7.7")
        return
    others = [Choice(a, title(a)) for a in game.held("NVA") if a not in areas]
    choices = [*game.area_choices(areas, "NVA"), Choice(NOBODY, "none")]
    request = Choose("target", "Skyraider: target area", "7.7", choices, NOBODY, others=others, what="target")
    request.odds = lambda: _bomb_odds(game, areas)
    area = await game.decide(request, "US", lambda: target_advice(game, "US", areas, "skyraider"), str, auto=False)
    if area == NOBODY:
        return
    if game.disputed(area):
        game.forbid(f"{title(area)} is disputed", "7.7", "Choose an undisputed area")
    if not await in_reach(game, area, False, "7.7"):
        game.forbid(f"{title(area)} is not next to a US unit and no US officer sees it", "7.7", "Choose another area")
    weapons = [Choice(BOMBS, "bombs", "six dice"), Choice(NAPALM, "napalm", "all units to two hits")]
    weapon = Choose("weapon", "Bombs or napalm", "7.7", weapons, BOMBS)
    weapon.odds = lambda: _bomb_odds(game, [area])
    chosen = await game.decide(weapon, "US", lambda: weapon_advice(game, area), str, auto=True)
    await (bombs if chosen == BOMBS else napalm)(game, area)


async def bombs(game: LzAlbany, area: str) -> None:
    """[7.7A] Six dice, an officer, collateral damage."""
    units = game.units(area, "NVA")
    faces = await volley("bombs", f"Bombs on {title(area)}", "7.7A(1)", BOMB_DICE, room_of([target_of(p) for p in units]))
    hits = count_sixes(faces)
    game.say(f"Bombs: {faces_text(faces)}: {plural(hits, 'hit')}.", "7.7A(1)")
    if hits:
        await take_hits(game, "US", units, hits, "7.7A(1)", "bombs")
        await officer_check(game, area, ("NVA",), "7.7A(2)")
    around = await ground.neighbours(game, area, "7.7A(3)")
    if not around:
        return
    place = around[await one_at_random(game, "collateral", "adjacent area", [title(a) for a in around], "7.7A(3)")]
    there = [p for side in SIDES for p in game.units(place, side)]
    if not there:
        game.say(f"Nobody is in {title(place)}: no collateral damage.", "7.7A(3)")
        return
    victim = there[await one_at_random(game, "victim", f"unit in {title(place)}", [p.name for p in there], "7.7A(3)")]
    (face,) = await volley("collateral_hit", f"Collateral die against {victim.name} (6)", "7.7A(3)", 1, 1)
    game.say(f"Collateral damage: {face}, {'one hit on' if face == 6 else 'none to'} {victim.name}.", "7.7A(3)")
    if face == 6:
        await take_hits(game, enemy(side_of(victim)), [victim], 1, "7.7A(3)", "collateral damage")


async def napalm(game: LzAlbany, area: str) -> None:
    """[7.7B] Everybody to two hits, wounded markers gone, every officer, collateral damage."""
    for side in SIDES:
        for piece in game.units(area, side):
            await _burn(game, piece, "7.7B(1)")
        for marker in game.pieces(area, side, WOUNDED):
            game.destroy_wounded(marker.id, "7.7B(1)", "napalm")
    await officer_check(game, area, SIDES, "7.7B(2)", each=True)
    for place in await ground.neighbours(game, area, "7.7B(3)"):
        await _spread(game, place)


async def _burn(game: LzAlbany, piece: Piece, rule: str) -> None:
    """[7.7B(1)] Up to two hits, never more (ruling C-42)."""
    missing = max(0, REDUCED - 1 - hits_on(piece))
    if missing:
        await take_hits(game, enemy(side_of(piece)), [piece], missing, rule, "napalm")
    else:
        game.say(f"{piece.name} is unaffected.", rule)


async def _spread(game: LzAlbany, place: str) -> None:
    """[7.7B(3)] One die for an adjacent occupied area."""
    there = [p for side in SIDES for p in game.pieces(place, side, UNIT, WOUNDED)]
    if not there:
        return
    (face,) = await volley("collateral_hit", f"Napalm in {title(place)} next door (6)", "7.7B(3)", 1, 1)
    game.say(f"Collateral damage in {title(place)}: {face}, {'a unit is affected' if face == 6 else 'none'}.", "7.7B(3)")
    if face != 6:
        return
    victim = there[await one_at_random(game, "victim", f"unit in {title(place)}", [p.name for p in there], "7.7B(3)")]
    if victim.kind == WOUNDED:
        game.destroy_wounded(victim.id, "7.7B(3)", "napalm")
    else:
        await _burn(game, victim, "7.7B(3)")


def _bomb_odds(game: LzAlbany, areas: list[str]) -> Odds:
    parts = []
    for area in areas:
        units = game.units(area, "NVA")
        below = sum(hits_on(p) < REDUCED - 1 for p in units)
        notes = (f"Napalm brings {plural(below, 'unit')} of {title(area)} to two hits.",)
        parts.append(support_odds(f"Bombs on {title(area)}", "7.7A", BOMB_DICE, [target_of(p) for p in units], notes=notes))
    return join_odds("Skyraider", "7.7", parts)
