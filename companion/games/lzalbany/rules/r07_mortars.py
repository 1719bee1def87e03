"""[7.4] Ranged mortar fire."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.text import plural
from companion.games.lzalbany.names import NVA, SIDES, UNIT, US
from companion.games.lzalbany.odds.ends import chosen_odds, play_out, support_odds
from companion.games.lzalbany.odds.paper import on_paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_stacking import Aim, Force, Pool, pool_at
from companion.games.lzalbany.rules.r08_hits import Struck
from companion.games.lzalbany.rules.r08_placing import officer_check, room, take_hits
from companion.games.lzalbany.words.areas import MORTAR_AREAS, TRANSITION, title
from companion.games.lzalbany.words.counters import enemy, strength
from companion.games.lzalbany.words.decisions import hits_text, volley_text

CAP = 2
NOBODY = "none"


def mortar_pool(game: LzAlbany, side: str, area: str, units: Sequence[Piece], target: str, used: int) -> Pool:
    """[7.4(2)] Sum of strengths; over-stacking and night count, jungle and officers do not."""
    force = Force(tuple(strength(piece, "fire") for piece in units), 0, game.stack(area, side))
    return pool_at(game.rules, force, Aim(game.stack(target, enemy(side)), False, game.dark(target)), used)


def mortar_targets(game: LzAlbany, side: str, area: str) -> list[str]:
    """[7.4(1), 7.8] Areas with enemy platoons within six areas and in sight, as far as is known; disputed ones for the NVA
    only.
    """
    found = []
    for target in game.held(enemy(side)):
        if target == TRANSITION or (side == US and game.disputed(target)) or not game.stack(target, enemy(side)):
            continue
        if game.map.within(area, target, MORTAR_AREAS) is not False and ground.in_sight(game, side, target) is not False:
            found.append(target)
    return found


def mortar_choices(game: LzAlbany, side: str, area: str, units: Sequence[Piece], used: int) -> list[str]:
    """[7.4(2), 11.1B] Those of the targets at which there is a die."""
    return [one for one in mortar_targets(game, side, area) if mortar_pool(game, side, area, units, one, used).dice]


async def mortar_fire(game: LzAlbany, side: str, area: str, units: Sequence[Piece], used: int, target: str = "") -> int:
    """[7.4] All activated mortars of one area at one target, asked for where none was named; returns how many units fired."""
    target = target or await _aim(game, side, area, units, used)
    while target != NOBODY:
        if await _legal(game, side, area, target, mortar_pool(game, side, area, units, target, used)):
            await barrage(game, side, area, units, target, used)
            return min(len(units), game.rules.may_fire(game.stack(area, side), used))
        target = await _aim(game, side, area, units, used)
    return 0


async def _aim(game: LzAlbany, side: str, area: str, units: Sequence[Piece], used: int) -> str:
    """[7.4(1)] The target, or NOBODY."""
    choices = game.area_choices(mortar_choices(game, side, area, units, used), enemy(side))
    others = [
        Choice(place, title(place))
        for place in game.held(enemy(side))
        if place not in [choice.value for choice in choices] and place != TRANSITION
    ]
    offered = choices
    if game.played(side):
        offered = [choice for choice in choices if await _hits_home(game, side, area, choice.value)]
    request = Choose(
        "target",
        f"{side}: at which area do the mortars in {title(area)} fire?",
        "7.4(1)",
        [*offered, Choice(NOBODY, "none")],
        NOBODY,
        others=others,
        what="target",
    )
    request.odds = lambda: chosen_odds(
        "Mortar fire", "7.4", {choice.value: mortar_odds(game, side, area, units, choice.value, used) for choice in offered}
    )
    request.has_quick_odds = True
    return await game.decide(request, side, "target", [c.value for c in offered], "mortar", auto=False)


async def _hits_home(game: LzAlbany, side: str, area: str, target: str) -> bool:
    """[7.4] In sight and in range; what is not known is asked."""
    return await ground.spotted(game, side, target, "7.4") and await ground.in_range(game, area, target, MORTAR_AREAS)


async def barrage(game: LzAlbany, side: str, area: str, units: Sequence[Piece], target: str, used: int = 0) -> Struck:
    """[7.4(2)] The dice of the mortars of one area at a target."""
    pool = mortar_pool(game, side, area, units, target, used)
    dice = plural(pool.dice, "die", "dice")
    game.say(f"Mortars fire at {title(target)} with {dice} ({game.piece_names(units)}).", "7.4(2)", *pool.because)
    return Struck(pool.dice, await _resolve(game, side, target, pool.dice) if pool.dice else 0)


async def _legal(game: LzAlbany, side: str, area: str, target: str, pool: Pool) -> bool:
    """[7.4, 7.4(1)] Range, sight, and nobody of one's own in the way; False where it is out of reach or sight after all."""
    if side == US and game.disputed(target):
        game.forbid("US mortars do not fire into a disputed area", "7.4(1)", "Choose another target")
    if not pool.dice:
        game.forbid(f"no die is left for mortar fire at {title(target)}", "7.4(2)", "Choose another target, or none")
    known = game.map.within(area, target, MORTAR_AREAS)
    if not await ground.in_range(game, area, target, MORTAR_AREAS):
        far = f"{title(target)} is more than six areas from {title(area)}"
        if known is None:
            game.say(f"{far}. Choose another target, or none.", "7.4")
            return False
        game.forbid(far, "7.4", "Choose a nearer target")
    return await ground.seen_after_all(game, side, target, "7.4")


async def _resolve(game: LzAlbany, side: str, target: str, dice: int) -> int:
    """[7.4(3), 7.4(4), 7.4(5)] Dice, hits on the enemy, hits on one's own, an officer."""
    own = side == NVA and game.disputed(target)
    victims, friends = game.units(target, enemy(side)), game.units(target, side)
    columns = ("hit", "friendly") if own else ("hit",)

    def most() -> int:
        return max(1, room(victims, CAP)(), room(friends, CAP)())

    faces = await game.volley("mortar", f"Mortars fire at {title(target)}: hits on 6", "7.4(3)", dice, most, *columns)
    hits = game.count(faces)
    game.say(volley_text("", faces, hits, title(target)), "7.4(3)")
    taken = await take_hits(game, side, victims, hits, "7.4(3)", "mortars", cap=CAP) if hits else 0
    ones = game.count(faces, "friendly") if own else 0
    if own:
        game.say(f"Friendly fire on 1: {hits_text(ones)} on the NVA in {title(target)}.", "7.4(4)")
    if ones:
        await _astray(game, side, target, ones)
    if hits or ones:
        await officer_check(game, target, SIDES, "7.4(5)")
    return taken


async def _astray(game: LzAlbany, side: str, target: str, ones: int) -> None:
    """[7.4(4)] Hits on one's own platoons, placed by the player who was fired at (ruling C-59)."""
    if game.option("friendly_fire") == "owner":
        await take_hits(game, enemy(side), game.units(target, side), ones, "7.4(4)", "friendly fire", cap=CAP)
        return
    for _ in range(ones):
        await take_hits(game, enemy(side), game.units(target, side), 1, "7.4(4)", "friendly fire", (UNIT,), CAP)


def mortar_odds(game: LzAlbany, side: str, area: str, units: Sequence[Piece], target: str, used: int = 0) -> Odds:
    """Mortar fire at one area, whoever is hit there."""
    paper = on_paper(game, (area, target))
    ends = play_out(paper, lambda table, _: barrage(table, side, area, units, target, used))
    return support_odds(title(target), "7.4", ends, paper.position.at(target))
