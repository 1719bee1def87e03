"""Combats that are only described: resolved with no session and no map."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.dice import faces_text
from companion.core.words import plural
from companion.games.lzalbany.chances import Exchange, fire_odds, melee_odds
from companion.games.lzalbany.described import Described, describe
from companion.games.lzalbany.hits import OFFICER, REDUCED, UNIT, Target, count_sixes, place_hits, room_of, volley
from companion.games.lzalbany.placing import TablePlacing, state_text
from companion.games.lzalbany.referee import LzAlbany, enemy
from companion.games.lzalbany.strength import Force, Pool, fire_pools, melee_pool


async def _volley(
    game: LzAlbany, key: str, side: str, pool: Pool, targets: Sequence[Target], rule: str, aim: bool
) -> tuple[Target | None, ...]:
    """Dice of one side, its first hit, the owner's others; says what became of everybody."""
    game.say(f"{side}: {plural(pool.dice, 'die', 'dice')}.", rule, *pool.because)
    faces = await volley(key, f"Dice of the {side}", rule, pool.dice, room_of(targets))
    hits = count_sixes(faces)
    if faces:
        game.say(f"{side}: {faces_text(faces)}: {plural(hits, 'hit')}.", rule)

    def may(target: Target) -> bool:
        return aim or target.kind != OFFICER

    after = await place_hits(targets, hits, TablePlacing(game, side, rule), may)
    for old, new in zip(targets, after, strict=True):
        if new != old:
            game.say(f"{old.name}: {state_text(new) if new else 'removed'}.", "8.2")
    return after


def _melee_force(targets: Sequence[Target], officers: int) -> Force:
    units = tuple(one.melee for one in targets if one.kind == UNIT)
    return Force(units, officers, len(units))


async def brawl(game: LzAlbany) -> None:
    """[7.2] One round of a described melee."""
    told = await describe(game, "7.2")
    forces = _melee_force(told.ours, told.officers[0]), _melee_force(told.theirs, told.officers[1])
    _expect(game, told, melee_odds(game.rules, *forces, told.ours, told.theirs).means, "7.2")
    pools = (
        melee_pool(game.rules, forces[0], len(forces[1].strengths), False),
        melee_pool(game.rules, forces[1], len(forces[0].strengths), False),
    )
    await _volley(game, "melee", told.side, pools[0], told.theirs, "7.2(3)", True)
    await _volley(game, "defence", enemy(told.side), pools[1], told.ours, "7.2(3)", True)


async def firefight(game: LzAlbany) -> None:
    """[7.3] Described ranged fire and its return fire."""
    told = await describe(game, "7.3")
    jungle = await game.confirm("jungle", "Is the target area jungle", "7.3(3)", False)
    home = await game.confirm("home_jungle", "Is the firing area jungle", "7.3(3)", False)
    fires = tuple(one.fire for one in told.ours if one.kind == UNIT)
    force = Force(fires, told.officers[0], len(fires))
    able = tuple(one.kind == UNIT for one in told.theirs)
    _expect(
        game,
        told,
        fire_odds(game.rules, Exchange(force, told.ours, told.theirs, able, told.officers[1], jungle, home)).means,
        "7.3",
    )
    enemies = sum(able)
    (pool,) = fire_pools(game.rules, force, [(enemies, jungle, False)], ())
    after = await _volley(game, "fire", told.side, pool, told.theirs, "7.3(4)", False)
    left = [one for one in after if one and one.kind == UNIT]
    answer = Force(
        tuple(one.back_fire if one.hits >= REDUCED else one.fire for one in left), told.officers[1] if left else 0, len(left)
    )
    (back,) = fire_pools(game.rules, answer, [(len(fires), home, False)], ())
    await _volley(game, "return_fire", enemy(told.side), back, told.ours, "7.3(5)", False)


def _expect(game: LzAlbany, told: Described, means: Sequence[tuple[str, float]], rule: str) -> None:
    """Say what was to be expected."""
    game.say(f"To be expected: {', '.join(f'{label} {value:.2f}' for label, value in means)}.", rule)
