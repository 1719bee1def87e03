"""[5.4, 5.5, 5.6, 7.5, 7.6, 7.7] Artillery, gunships and the Skyraider."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from companion.core.dice import faces_text
from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece
from companion.core.procedures import Procedure
from companion.core.requests import Choice, Choose, Odds
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import COLUMBUS, TRANSITION, is_area, title
from companion.games.lzalbany.rules import r02_map, r04_victory, r08_hits

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

US_CAP = 2
"""[7.5(4)] The most hits that artillery leaves on a US unit."""
SILENCING_HITS = 2
"""[5.4A] Hits that keep an artillery platoon from firing."""


def _artillery(referee: AlbanyReferee) -> list[Piece]:
    return [piece for piece in referee.units(COLUMBUS, state.US) if state.is_artillery(piece)]


def batteries(referee: AlbanyReferee) -> list[Piece]:
    """[5.4A, 3.5] Artillery platoons in LZ Columbus with fewer than two hits and no marker against fire."""
    return [piece for piece in _artillery(referee) if state.hits_on(piece) < SILENCING_HITS and state.may_fire(piece)]


def is_silenced(referee: AlbanyReferee) -> bool:
    """[5.4B, 7.2B] True with NVA in LZ Columbus and no unit of 2-7 or 1-5."""
    guards = [piece for piece in referee.units(COLUMBUS, state.US) if state.company_of(piece).endswith(("2-7", "1-5"))]
    return bool(referee.units(COLUMBUS, state.NVA)) and not guards


def artillery_dice(referee: AlbanyReferee, gun: Piece, area: str) -> int:
    """[7.5(3)] The dice of an artillery platoon at an area: its fire strength, and massed targets by ruling C-38."""
    massed = referee.dice_rules.massed_dice(referee.unit_count(area, state.NVA)) if referee.option("massed") == "all" else 0
    return state.strength(gun, "fire") + massed


def artillery_cap(side: state.Side) -> int:
    """[7.5(4)] The most hits that artillery leaves on a unit of a side, 0 for no limit."""
    return US_CAP if side == state.US else 0


def artillery_targets(referee: AlbanyReferee) -> list[str]:
    """[7.5(1), 7.8] Undisputed areas with NVA platoons, in sight as far as is known."""
    areas = [area for area in referee.held_areas(state.NVA) if not _artillery_obstacle(referee, area)]
    return [area for area in areas if r02_map.in_sight(referee, state.US, area) is not False]


def _artillery_obstacle(referee: AlbanyReferee, area: str) -> str:
    """[7.5(1)] Why artillery does not fire at an area that is in sight; "" if it may."""
    if referee.is_disputed(area):
        return f"{title(area)} is disputed; artillery fires at undisputed areas"
    if area == TRANSITION or not referee.unit_count(area, state.NVA):
        return f"no NVA platoon is in {title(area)} that artillery could fire at"
    return ""


async def artillery_chit(referee: AlbanyReferee) -> None:
    """[5.4] One attack for each platoon that may fire."""
    if referee.night:
        referee.say("Night: no artillery attack.", "11.1C")
        return
    if is_silenced(referee):
        referee.say("The NVA is in LZ Columbus and nobody guards the artillery: it does not fire.", "5.4B")
        return
    hit = [piece for piece in _artillery(referee) if state.hits_on(piece) >= SILENCING_HITS]
    if hit:
        referee.say(f"Two hits or more keep {referee.piece_names(hit)} from firing.", "5.4A")
    marked = [piece for piece in _artillery(referee) if piece not in hit and not state.may_fire(piece)]
    if marked:
        referee.say(f"A marker keeps {referee.piece_names(marked)} from firing.", "3.5")
    guns = batteries(referee)
    if not guns:
        referee.say("No artillery platoon can fire.", "5.4")
    for number, gun in enumerate(guns, 1):
        if not await _fire_battery(referee, referee.piece(gun.id), f"{number} of {len(guns)}"):
            if number < len(guns) and artillery_targets(referee):
                referee.say(f"No fire either by {referee.piece_names(guns[number:])}.", "5.4")
            break


async def _fire_battery(referee: AlbanyReferee, gun: Piece, which: str) -> bool:
    """[7.5] One platoon fires; False if the player stops."""
    seen = artillery_targets(referee)
    if referee.is_computer(state.US):
        seen = [area for area in seen if await r02_map.spotted(referee, state.US, area, "7.5")]
    if not seen:
        referee.say("No US officer sees an undisputed NVA area.", "7.5(1)")
        return False
    others = [Choice(area, title(area)) for area in referee.held_areas(state.NVA) if area not in seen]
    choices = [*referee.area_choices(seen, state.NVA), r02_map.NO_CHOICE._replace(hint="ends the fire of the artillery")]
    prompt = f"Which area does {gun.name} fire at? ({which})"
    sure = [area for area in seen if r02_map.in_sight(referee, state.US, area)]
    suggest = r02_map.fullest(referee, sure, state.NVA)
    request = Choose("target", prompt, "7.5(1)", choices, suggest, others, "target")
    head = f"Artillery of {gun.name}"
    request.odds = lambda: odds.choice_odds(head, "7.5", {area: artillery_odds(referee, gun, area) for area in seen})
    request.has_quick_odds = len(seen) <= odds.FEW
    request.why_not = partial(_why_no_artillery, referee)
    target = await referee.decide(request, state.US, "target", lambda planner: planner.artillery_target(gun, seen), auto=False)
    if target == notation.NONE:
        return False
    if obstacle := _artillery_obstacle(referee, target):
        referee.forbid(obstacle, "7.5(1)", "Choose another target")
    if not await r02_map.confirm_sight(referee, state.US, target, "7.5"):
        return await _fire_battery(referee, gun, which)
    await shell(referee, gun, target)
    return True


def _why_no_artillery(referee: AlbanyReferee, name: str) -> tuple[str, str] | None:
    """[7.5(1), 7.8] Why artillery does not fire at an area that is named, with the rule."""
    area = referee.area_called(name)
    if not area:
        return None
    obstacle = _artillery_obstacle(referee, area)
    return (obstacle, "7.5(1)") if obstacle else r02_map.unseen(referee, state.US, area)


async def shell(referee: AlbanyReferee, gun: Piece, target: str) -> r08_hits.AttackResult:
    """[7.5(2), 7.5(3), 7.5(4), 7.5(5)] One platoon fires at an area; the result counts hits on the target."""
    area = await _impact_area(referee, gun, target)
    result = await bombard(referee, gun, area)
    return result if area == target else r08_hits.AttackResult(0, 0, True)


async def _impact_area(referee: AlbanyReferee, gun: Piece, target: str) -> str:
    """[7.5(2)] Where the fire comes down."""
    prompt = f"{gun.name} at {title(target)}: off target on 1"
    faces = await referee.volley("accuracy", prompt, "7.5(2)", 1, 1, "artillery")
    if referee.count(faces, "artillery"):
        referee.say(f"Artillery at {title(target)}: {faces[0]}, off target on 1. On target.", "7.5(2)")
        return target
    around = await r02_map.neighbours(referee, target, "7.5(2)")
    if not around:
        referee.say(f"Artillery at {title(target)}: {faces[0]}, OFF TARGET, but no area is adjacent.", "7.5(2)")
        return target
    referee.say(f"Artillery at {title(target)}: {faces[0]}, OFF TARGET.", "7.5(2)")
    index = await r08_hits.one_at_random(referee, "scatter", "adjacent area", [title(area) for area in around], "7.5(2)")
    referee.say(f"The fire shifts to {title(around[index])}.", "7.5(2)")
    return around[index]


async def bombard(referee: AlbanyReferee, gun: Piece, area: str) -> r08_hits.AttackResult:
    """[7.5(3), 7.5(4), 7.5(5)] Dice, one random unit, every officer."""
    units = [unit for side in state.SIDES for unit in referee.units(area, side)]
    dice = artillery_dice(referee, gun, area)
    caps = [artillery_cap(state.side_of(unit)) for unit in units]

    def limit() -> int:
        return max((r08_hits.room([unit], cap)() for unit, cap in zip(units, caps, strict=True)), default=1) or 1

    faces = await referee.volley("artillery", f"{gun.name} fires at {title(area)}: hits on 6", "7.5(3)", dice, limit)
    hits = referee.count(faces)
    referee.say(notation.volley_text(f"{gun.name} fires at {title(area)}", faces, hits), "7.5(3)")
    if not hits:
        return r08_hits.AttackResult(dice, 0)
    taken = 0
    if units:
        index = await r08_hits.one_at_random(referee, "victim", f"unit in {title(area)}", [unit.name for unit in units], "7.5(4)")
        taken = await r08_hits.take_hits(referee, state.US, [units[index]], hits, "7.5(4)", "artillery", cap=caps[index])
    else:
        referee.say(f"No unit is in {title(area)}: the hits are lost.", "7.5(4)")
    await r08_hits.officer_check(referee, area, state.SIDES, "7.5(5)", each=True)
    return r08_hits.AttackResult(dice, taken)


def artillery_odds(referee: AlbanyReferee, gun: Piece, target: str) -> Odds:
    """The odds of one platoon at an area: off target, and the counters there and next to it."""
    around = referee.map.neighbours(target)
    table = referee.limited_to((COLUMBUS, target, *around))
    outcomes = odds.enumerate_outcomes(table, lambda copy, _: shell(copy, gun, target))
    scatter = ("The fire falls", (("off target", outcomes.mean("impaired")),))
    at_target = odds.attack_odds(title(target), "7.5", state.US, outcomes, table.position.at(target), scatter)
    near = odds.by_side((p for place in around if place != COLUMBUS for p in table.position.at(place)), [outcomes])
    return at_target._replace(sections=(*at_target.sections, (_NEAR, near))) if near else at_target


_NEAR = "Next to it"


def is_grounded(referee: AlbanyReferee, what: str) -> bool:
    """[5.6, 11.1C] True, with a line, if Visibility was drawn before a strike or it is night."""
    if referee.night:
        referee.say(f"Night: {what} makes no attack.", "11.1C")
        return True
    if referee.position.at(state.VISIBILITY_BOX):
        referee.say(f"Visibility has been drawn: {what} makes no strike.", "5.6")
        return True
    return False


async def in_reach(referee: AlbanyReferee, area: str, disputed_too: bool, rule: str) -> bool:
    """[7.6(1), 7.7] True in a disputed area (gunships), next to a US unit, or in sight of a US officer."""
    if referee.is_disputed(area):
        return disputed_too
    places = _us_unit_areas(referee)
    return await r02_map.is_adjacent_to_any(referee, places, area, rule) or await r02_map.spotted(referee, state.US, area, rule)


def _known_reach(referee: AlbanyReferee, area: str) -> bool | None:
    """[7.6(1), 7.7] Like `in_reach`, as far as is known; None if unknown."""
    adjacent = [referee.map.adjacent(place, area) for place in _us_unit_areas(referee)]
    if referee.is_disputed(area) or True in adjacent:
        return True
    seen = r02_map.in_sight(referee, state.US, area)
    return None if None in adjacent and not seen else seen


def _us_unit_areas(referee: AlbanyReferee) -> list[str]:
    return [place for place in referee.held_areas(state.US) if referee.unit_count(place, state.US)]


def _possible_targets(referee: AlbanyReferee, disputed_too: bool) -> list[str]:
    areas = [area for area in referee.held_areas(state.NVA) if area != TRANSITION and referee.unit_count(area, state.NVA)]
    areas = [area for area in areas if disputed_too or not referee.is_disputed(area)]
    return [area for area in areas if _known_reach(referee, area) is not False]


async def _confirm_reach(referee: AlbanyReferee, area: str, rule: str) -> bool:
    """[7.6(1), 7.7] True if a target can be struck; False if the player has just said that nobody sees it."""
    known = _known_reach(referee, area)
    if await in_reach(referee, area, True, rule):
        return True
    text = _out_of_reach(area)
    if known is False:
        referee.forbid(text, rule, "Choose another target")
        return True
    referee.say(f"{text}. Choose another target, or none.", rule)
    return False


def _out_of_reach(area: str) -> str:
    """[7.6(1), 7.7] That nothing brings an area into the reach of an air strike."""
    return f"{title(area)} is not next to a US unit and no US officer sees it"


def air_casualty(referee: AlbanyReferee, why: str) -> None:
    """[4.1B] Score a damaged air unit (ruling C-19)."""
    if r04_victory.air_casualty_points(referee):
        referee.award("air", why)


class GunshipStrength(NamedTuple):
    """[7.6(3)] The printed fire strengths of a gunship."""

    full: int
    damaged: int

    def dice(self, is_damaged: bool) -> int:
        """[7.6(3)] The dice of its attack."""
        return self.damaged if is_damaged else self.full


async def gunship_strength(referee: AlbanyReferee) -> GunshipStrength:
    """[7.6(3)] The fire strengths of a gunship, as entered by the owner or of the sample counter."""
    sample = str(referee.data.counters["gunship"]["strength"])
    prompt = "What is the fire strength of a gunship, full/damaged?"
    text = await referee.printed("gunship", prompt, "7.6(3)", notation.GUNSHIP, sample)
    full, _, damaged = text.partition("/")
    return GunshipStrength(int(full), int(damaged))


def fire_at_gunship(referee: AlbanyReferee, area: str) -> list[Piece]:
    """[7.6(2)] The NVA infantry in an area, which fires at a gunship, a die each."""
    return [piece for piece in referee.units(area, state.NVA) if state.is_infantry(piece)]


async def gunships_chit(referee: AlbanyReferee) -> None:
    """[5.5A, 7.6] One gunship at one NVA unit."""
    if is_grounded(referee, "the gunship"):
        return
    areas = _possible_targets(referee, True)
    if referee.is_computer(state.US):
        areas = [area for area in areas if await in_reach(referee, area, True, "7.6(1)")]
    units = [unit for area in areas for unit in referee.units(area, state.NVA)]
    if not units:
        referee.say("The gunship finds no target.", "7.6(1)")
        return
    gunship = await gunship_strength(referee)
    choices = [Choice(p.name, p.name, f"{title(p.place)}, {r08_hits.state_text(r08_hits.target_of(p))}") for p in units]
    counters = [p for area in referee.held_areas(state.NVA) for p in referee.pieces(area, state.NVA, state.UNIT, state.OFFICER)]
    others, prompt = [Choice(p.name, p.name) for p in counters if p not in units], "Which unit does the gunship attack?"
    sure = [unit for unit in units if _known_reach(referee, unit.place)]
    suggest = max(sure, key=state.hits_on).name if sure else notation.NONE
    request = Choose("target", prompt, "7.6(1)", [*choices, r02_map.NO_CHOICE], suggest, others, "NVA unit")
    request.odds = lambda: odds.choice_odds("Gunship", "7.6", {p.name: gunship_odds(referee, p, gunship) for p in units[:8]})
    request.has_quick_odds = True
    request.why_not = partial(_why_no_gunship, referee)

    def name_of(unit: Piece | None) -> str:
        return unit.name if unit else notation.NONE

    name = await referee.decide(
        request, state.US, "unit_target", lambda planner: planner.gunship_target(units, gunship), auto=False, value=name_of
    )
    if name == notation.NONE:
        return
    target = next(p for p in counters if p.name == name)
    if target.kind != state.UNIT:
        referee.forbid(f"{name} is an officer, and gunships attack units", "7.6(1)", "Choose a unit with him")
    if target.place == TRANSITION:
        referee.forbid(f"{name} is in the Transition Area, and nobody attacks there", "6.5", "Choose another unit")
    if not await _confirm_reach(referee, target.place, "7.6(1)"):
        await gunships_chit(referee)
        return
    await strafe(referee, target, gunship)


def _why_no_gunship(referee: AlbanyReferee, name: str) -> tuple[str, str] | None:
    """[7.6(1)] Why a gunship does not attack a counter that is named, with the rule."""
    piece = referee.counter_called(name, state.NVA)
    if piece is None or not is_area(piece.place) or state.side_of(piece) == state.NVA:
        return None
    return f"{piece.name} is a US counter, and gunships attack NVA units", "7.6(1)"


async def strafe(referee: AlbanyReferee, target: Piece, gunship: GunshipStrength) -> r08_hits.AttackResult:
    """[7.6(2), 7.6(3), 7.6(4)] Damage first, then fire, then an officer."""
    area = target.place
    guns = fire_at_gunship(referee, area)

    def prompt() -> str:
        return f"Fire at the gunship, a die each: damaged on 6 ({referee.piece_names(guns)})"

    faces = await referee.volley("damage", prompt, "7.6(2)", len(guns), 1, "gunship")
    damaged = referee.count(faces, "gunship") > 0
    if guns:
        result = "DAMAGED" if damaged else "No damage"
        referee.say(f"Fire at the gunship: {faces_text(faces)}, damaged on 6. {result}.", "7.6(2)")
    if damaged:
        referee.instruct("Flip the gunship to its reduced side; after the attack flip it back for its next draw.", "7.6(2)")
        air_casualty(referee, "the gunship is damaged")
    dice, head = gunship.dice(damaged), f"The gunship fires at {target.name}"
    shots = await referee.volley("gunship", f"{head}: hits on 6", "7.6(3)", dice, r08_hits.room([referee.piece(target.id)]))
    hits = referee.count(shots)
    referee.say(notation.volley_text(head, shots, hits), "7.6(3)")
    if not hits:
        return r08_hits.AttackResult(dice, 0, damaged)
    taken = await r08_hits.take_hits(referee, state.US, [target], hits, "7.6(3)", "gunship")
    await r08_hits.officer_check(referee, area, (state.NVA,), "7.6(4)")
    return r08_hits.AttackResult(dice, taken, damaged)


def gunship_odds(referee: AlbanyReferee, target: Piece, gunship: GunshipStrength) -> Odds:
    """The odds of a gunship at one NVA unit."""
    table = referee.limited_to((target.place,))
    outcomes = odds.enumerate_outcomes(table, lambda copy, _: strafe(copy, target, gunship))
    watched = [target, *table.pieces(target.place, state.NVA, state.OFFICER)]
    damage = ("Gunship", (("is damaged first", outcomes.mean("impaired")),))
    return odds.attack_odds(f"Gunship on {target.name}", "7.6", state.US, outcomes, watched, damage)


BOMBS, NAPALM = "bombs", "napalm"
BOMB_DICE = 6
"""[7.7A(1)]"""
NAPALM_HITS = state.REDUCED - 1
"""[7.7B(1)] The hits that napalm leaves on a unit with fewer (ruling C-42)."""


async def skyraider_chit(referee: AlbanyReferee) -> None:
    """[5.5B, 7.7] The Skyraider at an undisputed NVA area, with bombs or napalm."""
    if is_grounded(referee, "the Skyraider"):
        return
    areas = _possible_targets(referee, False)
    if referee.is_computer(state.US):
        areas = [area for area in areas if await in_reach(referee, area, False, "7.7")]
    if not areas:
        referee.say("The Skyraider finds no target.", "7.7")
        return
    others = [Choice(area, title(area)) for area in referee.held_areas(state.NVA) if area not in areas]
    choices = [*referee.area_choices(areas, state.NVA), r02_map.NO_CHOICE]
    suggest = r02_map.fullest(referee, [area for area in areas if _known_reach(referee, area)], state.NVA)
    request = Choose("target", "Which area does the Skyraider attack?", "7.7", choices, suggest, others, "target")
    request.odds = lambda: odds.choice_odds("Skyraider", "7.7", {area: bomb_odds(referee, area) for area in areas})
    request.has_quick_odds = len(areas) <= odds.FEW
    request.why_not = partial(_why_no_skyraider, referee)
    area = await referee.decide(
        request, state.US, "target", lambda planner: planner.skyraider_target(areas), auto=False, rivals=1
    )
    if area == notation.NONE:
        return
    if obstacle := _skyraider_obstacle(referee, area):
        referee.forbid(obstacle, "7.7", "Choose another area")
    if not await _confirm_reach(referee, area, "7.7"):
        await skyraider_chit(referee)
        return
    weapons = [Choice(BOMBS, "bombs", "six dice"), Choice(NAPALM, "napalm", "all units to two hits")]
    weapon = Choose("weapon", "Does the Skyraider drop bombs or napalm?", "7.7", weapons, BOMBS)
    parts = {BOMBS: bomb_odds, NAPALM: napalm_odds}
    weapon.odds = lambda: odds.choice_odds("Skyraider", "7.7", {name: make(referee, area) for name, make in parts.items()})
    weapon.has_quick_odds = True
    chosen = await referee.decide(weapon, state.US, "weapon", lambda planner: planner.weapon(area), auto=True)
    await (drop_bombs if chosen == BOMBS else drop_napalm)(referee, area)


def _skyraider_obstacle(referee: AlbanyReferee, area: str) -> str:
    """[7.7] Why the Skyraider does not attack an area in its reach; "" if it may."""
    if referee.is_disputed(area):
        return f"{title(area)} is disputed"
    if area == TRANSITION or not referee.unit_count(area, state.NVA):
        return f"no NVA platoon is in {title(area)} that could be struck"
    return ""


def _why_no_skyraider(referee: AlbanyReferee, name: str) -> tuple[str, str] | None:
    """[7.7] Why the Skyraider does not attack an area that is named, with the rule."""
    area = referee.area_called(name)
    return (_skyraider_obstacle(referee, area) or _out_of_reach(area), "7.7") if area else None


async def drop_bombs(referee: AlbanyReferee, area: str) -> None:
    """[7.7A] Six dice, an officer, collateral damage."""
    await bomb(referee, area)
    await _bomb_collateral(referee, area)


async def bomb(referee: AlbanyReferee, area: str) -> r08_hits.AttackResult:
    """[7.7A(1), 7.7A(2)] Six dice, their hits, an officer."""
    units = referee.units(area, state.NVA)
    faces = await referee.volley("bombs", f"Bombs on {title(area)}: hits on 6", "7.7A(1)", BOMB_DICE, r08_hits.room(units))
    hits = referee.count(faces)
    referee.say(notation.volley_text(f"Bombs on {title(area)}", faces, hits), "7.7A(1)")
    if not hits:
        return r08_hits.AttackResult(BOMB_DICE, 0)
    taken = await r08_hits.take_hits(referee, state.US, units, hits, "7.7A(1)", "bombs")
    await r08_hits.officer_check(referee, area, (state.NVA,), "7.7A(2)")
    return r08_hits.AttackResult(BOMB_DICE, taken)


async def _bomb_collateral(referee: AlbanyReferee, area: str) -> None:
    """[7.7A(3)] One random adjacent area, one random unit there, one die."""
    rule = "7.7A(3)"
    around = await r02_map.neighbours(referee, area, rule)
    if not around:
        return
    place = around[await r08_hits.one_at_random(referee, "collateral", "adjacent area", [title(a) for a in around], rule)]
    units = [unit for side in state.SIDES for unit in referee.units(place, side)]
    if not units:
        referee.say(f"Nobody is in {title(place)}: no collateral damage.", rule)
        return
    names = [unit.name for unit in units]
    victim = units[await r08_hits.one_at_random(referee, "victim", f"unit in {title(place)}", names, rule)]
    head = f"Collateral damage to {victim.name}"
    faces = await referee.volley("collateral_hit", f"{head}: hit on 6", rule, 1, 1)
    hit = referee.count(faces)
    referee.say(notation.volley_text(head, faces, hit), rule)
    if hit:
        await r08_hits.take_hits(referee, state.enemy(state.side_of(victim)), [victim], 1, rule, "collateral damage")


async def drop_napalm(referee: AlbanyReferee, area: str) -> None:
    """[7.7B] All units to two hits, wounded markers destroyed, every officer, collateral damage."""
    await burn(referee, area)
    for place in await r02_map.neighbours(referee, area, "7.7B(3)"):
        await _napalm_collateral(referee, place)


async def burn(referee: AlbanyReferee, area: str) -> r08_hits.AttackResult:
    """[7.7B(1), 7.7B(2)] All units to two hits, wounded markers destroyed, every officer."""
    taken = 0
    for side in state.SIDES:
        for unit in referee.units(area, side):
            taken += await _burn_unit(referee, unit, "7.7B(1)")
        for marker in referee.pieces(area, side, state.WOUNDED):
            referee.destroy_wounded(marker.id, "7.7B(1)", "napalm")
    await r08_hits.officer_check(referee, area, state.SIDES, "7.7B(2)", each=True)
    return r08_hits.AttackResult(0, taken)


def napalm_hits(hits: int) -> int:
    """[7.7B(1)] The hits that napalm adds to a unit: up to two in all, never more (ruling C-42)."""
    return max(0, NAPALM_HITS - hits)


async def _burn_unit(referee: AlbanyReferee, unit: Piece, rule: str) -> int:
    hits = napalm_hits(state.hits_on(unit))
    if hits:
        return await r08_hits.take_hits(referee, state.enemy(state.side_of(unit)), [unit], hits, rule, "napalm")
    referee.say(f"Napalm does nothing more to {unit.name}.", rule)
    return 0


async def _napalm_collateral(referee: AlbanyReferee, place: str) -> None:
    """[7.7B(3)] One die for an adjacent occupied area."""
    rule = "7.7B(3)"
    victims = [p for side in state.SIDES for p in referee.pieces(place, side, state.UNIT, state.WOUNDED)]
    if not victims:
        return
    faces = await referee.volley("collateral_hit", f"Napalm, does it reach {title(place)}? On 6", rule, 1, 1)
    hit = referee.count(faces)
    result = f"it REACHES {title(place)}" if hit else f"it spares {title(place)}"
    referee.say(f"Napalm: {faces[0]}, spreads on 6. So {result}.", rule)
    if not hit:
        return
    names = [victim.name for victim in victims]
    victim = victims[await r08_hits.one_at_random(referee, "victim", f"unit in {title(place)}", names, rule)]
    if victim.kind == state.WOUNDED:
        referee.destroy_wounded(victim.id, rule, "napalm")
    else:
        await _burn_unit(referee, victim, rule)


def bomb_odds(referee: AlbanyReferee, area: str) -> Odds:
    """The odds of bombs on an area."""
    table = referee.limited_to((area,))
    outcomes = odds.enumerate_outcomes(table, lambda copy, _: bomb(copy, area))
    attack = odds.attack_odds(f"Bombs on {title(area)}", "7.7A", state.US, outcomes, table.position.at(area))
    return _with_collateral(referee, area, attack, lambda around: [(around, lambda copy: _bomb_collateral(copy, area))])


def napalm_odds(referee: AlbanyReferee, area: str) -> Odds:
    """The odds of napalm on an area."""
    table = referee.limited_to((area,))
    outcomes = odds.enumerate_outcomes(table, lambda copy, _: burn(copy, area))
    attack = odds.attack_odds(f"Napalm on {title(area)}", "7.7B", state.US, outcomes, table.position.at(area))

    def effects(around: Sequence[str]) -> list[_Effect]:
        return [((place,), lambda copy, place=place: _napalm_collateral(copy, place)) for place in around]  # type: ignore[misc]

    return _with_collateral(referee, area, attack, effects)


_Effect = tuple[Sequence[str], Callable[["AlbanyReferee"], Procedure[None]]]
"""The areas that collateral damage can reach, and its procedure."""


def _with_collateral(
    referee: AlbanyReferee, area: str, attack: Odds, effects: Callable[[Sequence[str]], Sequence[_Effect]]
) -> Odds:
    """Odds with the collateral damage to the areas around, which does not depend on the attack itself."""
    around = referee.map.listed_neighbours(area)
    if around is None:
        return attack._replace(notes=(*attack.notes, "Without collateral damage: the areas next to it have not been entered."))
    outcomes = [
        odds.enumerate_outcomes(referee.limited_to(places), lambda copy, _, procedure=procedure: procedure(copy))  # type: ignore[misc]
        for places, procedure in effects(around)
    ]
    near = odds.by_side((piece for place in around for piece in referee.position.at(place)), outcomes)
    return attack._replace(sections=(*attack.sections, (_NEAR, near))) if near else attack
