"""[5.5, 5.6, 7.6, 7.7] Gunships and the Skyraider."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.dice import faces_text
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.games.lzalbany.names import NVA, OFFICER, SIDES, UNIT, US, VISIBILITY_BOX, WOUNDED
from companion.games.lzalbany.odds.ends import FEW, chosen_odds, play_out, support_odds
from companion.games.lzalbany.odds.paper import on_paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r08_hits import REDUCED, Struck
from companion.games.lzalbany.rules.r08_placing import officer_check, one_at_random, room, state_text, take_hits
from companion.games.lzalbany.words.areas import TRANSITION, title
from companion.games.lzalbany.words.counters import enemy, hits_on, is_infantry, side_of, target_of
from companion.games.lzalbany.words.decisions import volley_text
from companion.games.lzalbany.words.roster import GUNSHIP

BOMBS, NAPALM, NOBODY = "bombs", "napalm", "none"
BOMB_DICE = 6


def grounded(game: LzAlbany, what: str) -> bool:
    """[5.6, 11.1C] Whether a strike is not flown: Visibility came out before it, or it is night."""
    if game.night:
        game.say(f"Night: {what} makes no attack.", "11.1C")
        return True
    if game.position.at(VISIBILITY_BOX):
        game.say(f"Visibility has been drawn: {what} makes no strike.", "5.6")
        return True
    return False


async def in_reach(game: LzAlbany, area: str, disputed_too: bool, rule: str) -> bool:
    """[7.6(1), 7.7] In a disputed area (gunships), next to any US unit, or in a US officer's sight."""
    if game.disputed(area):
        return disputed_too
    return await ground.next_door(game, _platoons(game), area, rule) or await ground.spotted(game, US, area, rule)


def _known_reach(game: LzAlbany, area: str) -> bool | None:
    """[7.6(1), 7.7] The same as far as is known; None where somebody must be asked."""
    near = [game.map.adjacent(place, area) for place in _platoons(game)]
    if game.disputed(area) or True in near:
        return True
    seen = ground.in_sight(game, US, area)
    return None if None in near and not seen else seen


def _platoons(game: LzAlbany) -> list[str]:
    """Areas with US platoons."""
    return [place for place in game.held(US) if game.stack(place, US)]


def _perhaps(game: LzAlbany, disputed_too: bool) -> list[str]:
    there = [a for a in game.held(NVA) if a != TRANSITION and game.stack(a, NVA) and (disputed_too or not game.disputed(a))]
    return [area for area in there if _known_reach(game, area) is not False]


async def _reached(game: LzAlbany, area: str, rule: str) -> bool:
    """[7.6(1), 7.7] Whether a target can be struck; a player who has just said that nobody sees it chooses again.

    Raises:
        Illegal: it was known before that it cannot.
    """
    known = _known_reach(game, area)
    if await in_reach(game, area, True, rule):
        return True
    text = f"{title(area)} is not next to a US unit and no US officer sees it"
    if known is False:
        game.forbid(text, rule, "Choose another target")
        return True
    game.say(f"{text}. Choose another target, or none.", rule)
    return False


async def gunships_chit(game: LzAlbany) -> None:
    """[7.6] One gunship at one NVA unit."""
    if grounded(game, "the gunship"):
        return
    areas = _perhaps(game, True)
    if game.played(US):
        areas = [a for a in areas if await in_reach(game, a, True, "7.6(1)")]
    units = [p for a in areas for p in game.units(a, NVA)]
    if not units:
        game.say("The gunship finds no target.", "7.6(1)")
        return
    full, damaged = await gunship_strength(game)
    choices = [Choice(p.name, p.name, f"{title(p.place)}, {state_text(target_of(p))}") for p in units]
    others = [Choice(p.name, p.name) for a in game.held(NVA) for p in game.pieces(a, NVA, UNIT, OFFICER) if p not in units]
    request = Choose(
        "target",
        "Which unit does the gunship attack?",
        "7.6(1)",
        [*choices, Choice(NOBODY, "none")],
        NOBODY,
        others=others,
        what="NVA unit",
    )
    request.odds = lambda: chosen_odds(
        "Gunship", "7.6", {unit.name: gunship_odds(game, unit, full, damaged) for unit in units[:8]}
    )
    request.has_quick_odds = True
    name = await game.decide(request, US, "unit_target", units, auto=False, value=lambda piece: piece.name)
    if name == NOBODY:
        return
    target = next(p for a in game.held(NVA) for p in game.pieces(a, NVA, UNIT, OFFICER) if p.name == name)
    if target.kind != UNIT:
        game.forbid(f"{name} is an officer, and gunships attack units", "7.6(1)", "Choose a unit with him")
    if target.place == TRANSITION:
        game.forbid(f"{name} is in the Transition Area, and nobody attacks there", "6.5", "Choose another unit")
    if not await _reached(game, target.place, "7.6(1)"):
        await gunships_chit(game)
        return
    await strafe(game, target, full, damaged)


async def gunship_strength(game: LzAlbany) -> tuple[int, int]:
    """[7.6(3)] The printed strengths of a gunship, full and damaged."""
    sample = str(game.book.counters["gunship"]["strength"])
    told = await game.printed("gunship", "What is the fire strength of a gunship, full/damaged?", "7.6(3)", GUNSHIP, sample)
    full, _, damaged = told.partition("/")
    return int(full), int(damaged)


async def strafe(game: LzAlbany, target: Piece, full: int, damaged: int) -> Struck:
    """[7.6(2), 7.6(3), 7.6(4)] Damage first, then fire, then an officer."""
    area = target.place
    guns = [piece for piece in game.units(area, NVA) if is_infantry(piece)]
    faces = await game.volley("damage", lambda: _ground_fire(game, guns), "7.6(2)", len(guns), 1, "gunship")
    hurt = game.count(faces, "gunship") > 0
    if guns:
        game.say(f"Fire at the gunship: {faces_text(faces)}, damaged on 6. {'DAMAGED' if hurt else 'No damage'}.", "7.6(2)")
    if hurt:
        game.instruct("Flip the gunship to its reduced side.", "7.6(2)")
        air_casualty(game, "the gunship is damaged")
    dice = damaged if hurt else full
    shots = await game.volley(
        "gunship", f"The gunship fires at {target.name}: hits on 6", "7.6(3)", dice, room([game.piece(target.id)])
    )
    hits = game.count(shots)
    game.say(volley_text(f"The gunship fires at {target.name}", shots, hits), "7.6(3)")
    if not hits:
        return Struck(dice, 0, hurt)
    taken = await take_hits(game, US, [target], hits, "7.6(3)", "gunship")
    await officer_check(game, area, (NVA,), "7.6(4)")
    return Struck(dice, taken, hurt)


def _ground_fire(game: LzAlbany, guns: Sequence[Piece]) -> str:
    return f"Fire at the gunship, a die each: damaged on 6 ({game.piece_names(guns)})"


def air_casualty(game: LzAlbany, why: str) -> None:
    """[4.1B] Points for a damaged air unit (ruling C-19)."""
    if game.option("air_casualty") != "never":
        game.award("air", why)


def gunship_odds(game: LzAlbany, target: Piece, full: int, damaged: int) -> Odds:
    """A gunship at one NVA unit."""
    paper = on_paper(game, (target.place,))
    ends = play_out(paper, lambda table, _: strafe(table, target, full, damaged))
    watched = [target, *paper.pieces(target.place, NVA, OFFICER)]
    harm = ("Gunship", (("is damaged first", ends.mean("marred")),))
    return support_odds(f"Gunship on {target.name}", "7.6", ends, watched, harm)


async def skyraider_chit(game: LzAlbany) -> None:
    """[7.7] The Skyraider at an undisputed NVA area, with bombs or napalm."""
    if grounded(game, "the Skyraider"):
        return
    areas = _perhaps(game, False)
    if game.played(US):
        areas = [a for a in areas if await in_reach(game, a, False, "7.7")]
    if not areas:
        game.say("The Skyraider finds no target.", "7.7")
        return
    others = [Choice(a, title(a)) for a in game.held(NVA) if a not in areas]
    choices = [*game.area_choices(areas, NVA), Choice(NOBODY, "none")]
    request = Choose("target", "Which area does the Skyraider attack?", "7.7", choices, NOBODY, others=others, what="target")
    request.odds = lambda: chosen_odds("Skyraider", "7.7", {one: bomb_odds(game, one) for one in areas})
    request.has_quick_odds = len(areas) <= FEW
    area = await game.decide(request, US, "target", areas, "skyraider", auto=False)
    if area == NOBODY:
        return
    if game.disputed(area):
        game.forbid(f"{title(area)} is disputed", "7.7", "Choose an undisputed area")
    if area == TRANSITION or not game.stack(area, NVA):
        game.forbid(f"no NVA platoon is in {title(area)} that could be struck", "7.7", "Choose another area")
    if not await _reached(game, area, "7.7"):
        await skyraider_chit(game)
        return
    weapons = [Choice(BOMBS, "bombs", "six dice"), Choice(NAPALM, "napalm", "all units to two hits")]
    weapon = Choose("weapon", "Does the Skyraider drop bombs or napalm?", "7.7", weapons, BOMBS)
    weapon.odds = lambda: chosen_odds("Skyraider", "7.7", {BOMBS: bomb_odds(game, area), NAPALM: napalm_odds(game, area)})
    weapon.has_quick_odds = True
    chosen = await game.decide(weapon, US, "weapon", area, auto=True)
    await (bombs if chosen == BOMBS else napalm)(game, area)


async def bombs(game: LzAlbany, area: str) -> None:
    """[7.7A] Six dice, an officer, collateral damage."""
    await bomb(game, area)
    await _collateral(game, area)


async def bomb(game: LzAlbany, area: str) -> Struck:
    """[7.7A(1), 7.7A(2)] Six dice, their hits, an officer."""
    units = game.units(area, NVA)
    faces = await game.volley("bombs", f"Bombs on {title(area)}: hits on 6", "7.7A(1)", BOMB_DICE, room(units))
    hits = game.count(faces)
    game.say(volley_text(f"Bombs on {title(area)}", faces, hits), "7.7A(1)")
    if not hits:
        return Struck(BOMB_DICE, 0)
    taken = await take_hits(game, US, units, hits, "7.7A(1)", "bombs")
    await officer_check(game, area, (NVA,), "7.7A(2)")
    return Struck(BOMB_DICE, taken)


async def _collateral(game: LzAlbany, area: str) -> None:
    """[7.7A(3)] One random adjacent area, one random unit there, one die."""
    around = await ground.neighbours(game, area, "7.7A(3)")
    if not around:
        return
    place = around[await one_at_random(game, "collateral", "adjacent area", [title(a) for a in around], "7.7A(3)")]
    there = [p for side in SIDES for p in game.units(place, side)]
    if not there:
        game.say(f"Nobody is in {title(place)}: no collateral damage.", "7.7A(3)")
        return
    victim = there[await one_at_random(game, "victim", f"unit in {title(place)}", [p.name for p in there], "7.7A(3)")]
    faces = await game.volley("collateral_hit", f"Collateral damage to {victim.name}: hit on 6", "7.7A(3)", 1, 1)
    hit = game.count(faces)
    game.say(volley_text(f"Collateral damage to {victim.name}", faces, hit), "7.7A(3)")
    if hit:
        await take_hits(game, enemy(side_of(victim)), [victim], 1, "7.7A(3)", "collateral damage")


async def napalm(game: LzAlbany, area: str) -> None:
    """[7.7B] Everybody to two hits, wounded markers gone, every officer, collateral damage."""
    await burn(game, area)
    for place in await ground.neighbours(game, area, "7.7B(3)"):
        await _spread(game, place)


async def burn(game: LzAlbany, area: str) -> Struck:
    """[7.7B(1), 7.7B(2)] Everybody to two hits, wounded markers gone, every officer."""
    taken = 0
    for side in SIDES:
        for piece in game.units(area, side):
            taken += await _burn(game, piece, "7.7B(1)")
        for marker in game.pieces(area, side, WOUNDED):
            game.destroy_wounded(marker.id, "7.7B(1)", "napalm")
    await officer_check(game, area, SIDES, "7.7B(2)", each=True)
    return Struck(0, taken)


async def _burn(game: LzAlbany, piece: Piece, rule: str) -> int:
    """[7.7B(1)] Up to two hits, never more (ruling C-42)."""
    missing = max(0, REDUCED - 1 - hits_on(piece))
    if missing:
        return await take_hits(game, enemy(side_of(piece)), [piece], missing, rule, "napalm")
    game.say(f"Napalm does nothing more to {piece.name}.", rule)
    return 0


async def _spread(game: LzAlbany, place: str) -> None:
    """[7.7B(3)] One die for an adjacent occupied area."""
    there = [p for side in SIDES for p in game.pieces(place, side, UNIT, WOUNDED)]
    if not there:
        return
    faces = await game.volley("collateral_hit", f"Napalm, does it reach {title(place)}? On 6", "7.7B(3)", 1, 1)
    hit = game.count(faces)
    reached = f"it REACHES {title(place)}" if hit else f"it spares {title(place)}"
    game.say(f"Napalm: {faces[0]}, spreads on 6. So {reached}.", "7.7B(3)")
    if not hit:
        return
    victim = there[await one_at_random(game, "victim", f"unit in {title(place)}", [p.name for p in there], "7.7B(3)")]
    if victim.kind == WOUNDED:
        game.destroy_wounded(victim.id, "7.7B(3)", "napalm")
    else:
        await _burn(game, victim, "7.7B(3)")


def bomb_odds(game: LzAlbany, area: str) -> Odds:
    """Bombs on one area, without their collateral damage."""
    paper = on_paper(game, (area,))
    ends = play_out(paper, lambda table, _: bomb(table, area))
    return support_odds(f"Bombs on {title(area)}", "7.7A", ends, paper.position.at(area))


def napalm_odds(game: LzAlbany, area: str) -> Odds:
    """Napalm on one area, without its collateral damage."""
    paper = on_paper(game, (area,))
    ends = play_out(paper, lambda table, _: burn(table, area))
    return support_odds(f"Napalm on {title(area)}", "7.7B", ends, paper.position.at(area))
