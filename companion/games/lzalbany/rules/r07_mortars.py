"""[7.4] Ranged mortar fire: targets, dice, hits on both sides, and its odds."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.hints import TYPE_CHECKING
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.text import plural
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import MORTAR_AREAS, TRANSITION, title
from companion.games.lzalbany.rules import r02_map, r07_melee, r08_hits
from companion.games.lzalbany.state import Side

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

MORTAR_CAP = 2
"""[7.4(3)] The most hits that mortars leave on a unit."""


def mortar_pool(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], target: str, used: int) -> r07_melee.Pool:
    """[7.4(2)] Sum of strengths; over-stacking and night count, jungle and officers do not."""
    force = r07_melee.Force(tuple(state.strength(piece, "fire") for piece in units), 0, referee.unit_count(area, side))
    aim = r07_melee.Aim(referee.unit_count(target, state.enemy(side)), False, referee.is_dark(target))
    return r07_melee.pool_at(referee.dice_rules, force, aim, used)


def mortar_targets(referee: AlbanyReferee, side: Side, area: str) -> list[str]:
    """[7.4(1), 7.8] Areas with enemy platoons in range and sight, as far as is known; disputed ones for the NVA only."""
    foe = state.enemy(side)
    return [
        target
        for target in referee.held_areas(foe)
        if target != TRANSITION
        and not (side == state.US and referee.is_disputed(target))
        and referee.unit_count(target, foe)
        and referee.map.within(area, target, MORTAR_AREAS) is not False
        and r02_map.in_sight(referee, side, target) is not False
    ]


def mortar_obstacle(
    referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int, target: str
) -> tuple[str, str] | None:
    """[7.4, 7.4(1), 7.4(2), 7.8, 11.1] Why mortars do not fire at an area, with the rule; None if nothing known is against it."""
    at = title(target)
    if side == state.US and referee.is_disputed(target):
        return f"{at} is disputed, and US mortars do not fire into it", "7.4(1)"
    if target == TRANSITION or not referee.unit_count(target, state.enemy(side)):
        return f"no enemy platoon is in {at}", "7.4(1)"
    if referee.map.within(area, target, MORTAR_AREAS) is False:
        return out_of_range(area, target), "7.4"
    if r02_map.in_sight(referee, side, target) is False:
        return r02_map.unseen(referee, side, target)
    if not mortar_pool(referee, side, area, units, target, used).dice:
        return f"no die is left for mortar fire at {at}", "11.1B" if referee.is_dark(target) else "7.4(2)"
    return None


def out_of_range(area: str, target: str) -> str:
    """[7.4] That mortars in an area do not reach another."""
    return f"{title(target)} is more than six areas from {title(area)}"


def is_sure_target(referee: AlbanyReferee, side: Side, area: str, target: str) -> bool:
    """[7.4, 7.8] True if an area is known to be in range and sight of mortars; of an unknown map the player is asked."""
    is_near = referee.map.within(area, target, MORTAR_AREAS)
    return bool(is_near and r02_map.in_sight(referee, side, target))


def mortar_choices(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int) -> list[str]:
    """[7.4(2), 11.1B] The targets at which a die is left."""
    targets = mortar_targets(referee, side, area)
    return [target for target in targets if mortar_pool(referee, side, area, units, target, used).dice]


async def mortar_fire(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int, target: str = "") -> int:
    """[7.4] All activated mortars of an area fire at one target, asked if none was named; returns how many units fired."""
    target = target or await _ask_mortar_target(referee, side, area, units, used)
    while target != notation.NONE:
        pool = mortar_pool(referee, side, area, units, target, used)
        if await _check_mortar_target(referee, side, area, target, pool):
            await barrage(referee, side, area, units, target, used)
            return min(len(units), referee.dice_rules.may_fire(referee.unit_count(area, side), used))
        target = await _ask_mortar_target(referee, side, area, units, used)
    return 0


async def _ask_mortar_target(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int) -> str:
    """[7.4(1)] The target, or `notation.NONE`."""
    known = mortar_choices(referee, side, area, units, used)
    foes = referee.held_areas(state.enemy(side))
    others = [Choice(place, title(place)) for place in foes if place not in known and place != TRANSITION]
    offered = known
    if referee.is_computer(side):
        within = partial(r02_map.in_range, referee, area, limit=MORTAR_AREAS)
        offered = [p for p in known if await r02_map.spotted(referee, side, p, "7.4") and await within(p)]
    prompt = f"{side}: at which area do the mortars in {title(area)} fire?"
    choices = [*referee.area_choices(offered, state.enemy(side)), r02_map.NO_CHOICE]
    sure = [place for place in offered if is_sure_target(referee, side, area, place)]
    suggest = r02_map.fullest(referee, sure, state.enemy(side))
    request = Choose("target", prompt, "7.4(1)", choices, suggest, others, "target")
    request.odds = lambda: odds.choice_odds(
        "Mortar fire", "7.4", {place: mortar_odds(referee, side, area, units, place, used) for place in offered}
    )
    request.has_quick_odds = True
    request.why_not = partial(_why_no_target, referee, side, area, units, used)
    return await referee.decide(request, side, "target", lambda planner: planner.mortar_target(offered), auto=False)


def _why_no_target(
    referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], used: int, name: str
) -> tuple[str, str] | None:
    """Why mortars do not fire at an area that is named, with the rule."""
    place = referee.area_called(name)
    return mortar_obstacle(referee, side, area, units, used, place) if place else None


async def barrage(
    referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], target: str, used: int = 0
) -> r08_hits.AttackResult:
    """[7.4(2)] The dice of the mortars of an area at a target."""
    pool = mortar_pool(referee, side, area, units, target, used)
    dice = plural(pool.dice, "die", "dice")
    referee.say(f"Mortars fire at {title(target)} with {dice} ({referee.piece_names(units)}).", "7.4(2)", *pool.because)
    return r08_hits.AttackResult(pool.dice, await _resolve_barrage(referee, side, area, target, pool.dice) if pool.dice else 0)


async def _check_mortar_target(referee: AlbanyReferee, side: Side, area: str, target: str, pool: r07_melee.Pool) -> bool:
    """[7.4, 7.4(1)] Check range, sight and friends; False if the player has just said that it is out of range or sight."""
    if side == state.US and referee.is_disputed(target):
        referee.forbid("US mortars do not fire into a disputed area", "7.4(1)", "Choose another target")
    if not pool.dice:
        referee.forbid(f"no die is left for mortar fire at {title(target)}", "7.4(2)", "Choose another target, or none")
    known = referee.map.within(area, target, MORTAR_AREAS)
    if not await r02_map.in_range(referee, area, target, MORTAR_AREAS):
        text = out_of_range(area, target)
        if known is None:
            referee.say(f"{text}. Choose another target, or none.", "7.4")
            return False
        referee.forbid(text, "7.4", "Choose a nearer target")
    return await r02_map.confirm_sight(referee, side, target, "7.4")


async def _resolve_barrage(referee: AlbanyReferee, side: Side, area: str, target: str, dice: int) -> int:
    """[7.4(3), 7.4(4), 7.4(5)] Dice, hits on the enemy, hits on the own side, an officer."""
    hits_friends = side == state.NVA and referee.is_disputed(target)
    victims, friends = referee.units(target, state.enemy(side)), referee.units(target, side)
    columns = ("hit", "friendly") if hits_friends else ("hit",)

    def limit() -> int:
        return max(1, r08_hits.room(victims, MORTAR_CAP)(), r08_hits.room(friends, MORTAR_CAP)())

    prompt = f"Mortars in {title(area)} fire at {title(target)}: hits on 6"
    faces = await referee.volley("mortar", prompt, "7.4(3)", dice, limit, *columns)
    hits = referee.count(faces)
    referee.say(notation.volley_text("", faces, hits, title(target)), "7.4(3)")
    taken = await r08_hits.take_hits(referee, side, victims, hits, "7.4(3)", "mortars", cap=MORTAR_CAP) if hits else 0
    ones = referee.count(faces, "friendly") if hits_friends else 0
    if hits_friends:
        referee.say(f"Friendly fire on 1: {notation.hits_text(ones)} on the NVA in {title(target)}.", "7.4(4)")
    if ones:
        await _friendly_fire(referee, side, target, ones)
    if hits or ones:
        await r08_hits.officer_check(referee, target, state.SIDES, "7.4(5)")
    return taken


async def _friendly_fire(referee: AlbanyReferee, side: Side, target: str, ones: int) -> None:
    """[7.4(4)] Hits on own platoons, placed by the player who was fired at (ruling C-59)."""
    shooter, rule, why = state.enemy(side), "7.4(4)", "friendly fire"
    if referee.option("friendly_fire") == "owner":
        await r08_hits.take_hits(referee, shooter, referee.units(target, side), ones, rule, why, cap=MORTAR_CAP)
        return
    for _ in range(ones):
        await r08_hits.take_hits(referee, shooter, referee.units(target, side), 1, rule, why, (state.UNIT,), MORTAR_CAP)


def mortar_odds(referee: AlbanyReferee, side: Side, area: str, units: Sequence[Piece], target: str, used: int = 0) -> Odds:
    """The odds of mortar fire at one area."""
    table = referee.limited_to((area, target))
    outcomes = odds.enumerate_outcomes(table, lambda copy, _: barrage(copy, side, area, units, target, used))
    return odds.attack_odds(title(target), "7.4", side, outcomes, table.position.at(target))
