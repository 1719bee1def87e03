"""[5.4, 7.5] The artillery of LZ Columbus."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.dice import faces_text, summed
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds, Roll
from companion.core.words import plural
from companion.games.lzalbany import ground
from companion.games.lzalbany.areas import COLUMBUS, TRANSITION, title
from companion.games.lzalbany.chances import artillery_odds, join_odds
from companion.games.lzalbany.hits import UNIT, count_sixes, volley
from companion.games.lzalbany.placing import officer_check, one_at_random, take_hits
from companion.games.lzalbany.referee import SIDES, LzAlbany, hits_on, side_of, strength, target_of

US_CAP = 2
NOBODY = "none"


def batteries(game: LzAlbany) -> list[Piece]:
    """[5.4A] Artillery platoons in LZ Columbus with fewer than two hits."""
    return [p for p in game.units(COLUMBUS, "US") if p.values.get("type") == "artillery" and hits_on(p) < 2]


def silenced(game: LzAlbany) -> bool:
    """[5.4B, 7.2B] NVA in LZ Columbus and nobody of 2-7 or 1-5 with the guns."""
    guards = [p for p in game.fighters(COLUMBUS, "US") if str(p.values.get("company")).endswith(("2-7", "1-5"))]
    return bool(game.fighters(COLUMBUS, "NVA")) and not guards


def artillery_targets(game: LzAlbany) -> list[str]:
    """[7.5(1)] Undisputed areas with NVA platoons."""
    return [a for a in game.held("NVA") if a != TRANSITION and not game.disputed(a) and game.units(a, "NVA")]


async def artillery_chit(game: LzAlbany) -> None:
    """[5.4] One attack for each platoon that may fire."""
    if game.night:
        game.say("Night: no artillery attack.", "11.1C")
        return
    if silenced(game):
        game.say("The NVA is in LZ Columbus and nobody guards the artillery: it does not fire.", "5.4B")
        return
    hit = [p for p in game.units(COLUMBUS, "US") if p.values.get("type") == "artillery" and hits_on(p) >= 2]
    if hit:
        game.say(f"With two hits or more not firing: {game.names(hit)}.", "5.4A")
    guns = batteries(game)
    if not guns:
        game.say("No artillery platoon can fire.", "5.4")
    for number, gun in enumerate(guns, 1):
        if not await _one(game, game.piece(gun.id), f"{number} of {len(guns)}"):
            break


async def _one(game: LzAlbany, gun: Piece, which: str) -> bool:
    """[7.5] One platoon; False where the player stops."""
    from companion.games.lzalbany.bot import target_advice

    targets = artillery_targets(game)
    seen = [a for a in targets if await ground.spotted(game, "US", a, "7.5")] if game.played("US") else targets
    if not seen:
        game.say("No undisputed NVA area is in sight of a US officer.", "7.5(1)")
        return False
    others = [Choice(a, title(a)) for a in game.held("NVA") if a not in seen]
    request = Choose(
        "target",
        f"{gun.name} ({which}): target area",
        "7.5(1)",
        [*game.area_choices(seen, "NVA"), Choice(NOBODY, "none")],
        NOBODY,
        others=others,
        what="target",
    )
    request.odds = lambda: _odds(game, gun, seen)
    target = await game.decide(request, "US", lambda: target_advice(game, "US", seen, "artillery"), str, auto=False)
    if target == NOBODY:
        return False
    if game.disputed(target) or target == TRANSITION:
        game.forbid(f"{title(target)} is disputed; artillery fires at undisputed areas", "7.5(1)", "Choose another target")
    if not await ground.spotted(game, "US", target, "7.5"):
        game.forbid(f"no US officer has {title(target)} in his line of sight", "7.8", "Choose another target")
    await bombard(game, gun, await _lands(game, target))
    return True


async def _lands(game: LzAlbany, target: str) -> str:
    """[7.5(2)] Where the fire comes down."""
    (face,) = await Roll("accuracy", "Artillery: 1 is off target", "7.5(2)", outcomes=lambda: summed(1, lambda f: int(f == 1)))
    if game.chart("die").text(face, "artillery") == "on target":
        game.say(f"{face}: on target in {title(target)}.", "7.5(2)")
        return target
    around = await ground.neighbours(game, target, "7.5(2)")
    if not around:
        game.say("1: off target, and no area is adjacent.", "7.5(2)")
        return target
    at = await one_at_random(game, "scatter", "adjacent area", [title(a) for a in around], "7.5(2)")
    game.say(f"{face}: off target, the fire shifts to {title(around[at])}.", "7.5(2)")
    return around[at]


async def bombard(game: LzAlbany, gun: Piece, area: str) -> None:
    """[7.5(3), 7.5(4), 7.5(5)] Dice, one random unit, every officer."""
    there = [p for side in SIDES for p in game.units(area, side)]
    dice = strength(gun, "fire")
    if game.option("massed") == "all":
        dice += game.rules.massed(len(game.units(area, "NVA")))
    faces = await volley("artillery", f"Artillery dice of {gun.name}", "7.5(3)", dice, 5)
    hits = count_sixes(faces)
    game.say(f"{gun.name}: {faces_text(faces) or 'no dice'}: {plural(hits, 'hit')}.", "7.5(3)")
    if not hits:
        return
    if there:
        victim = there[await one_at_random(game, "victim", f"unit in {title(area)}", [p.name for p in there], "7.5(4)")]
        cap = US_CAP if side_of(victim) == "US" else 0
        await take_hits(game, "US", [victim], hits, "7.5(4)", "artillery", cap=cap)
    else:
        game.say(f"No unit is in {title(area)}: the hits are lost.", "7.5(4)")
    await officer_check(game, area, SIDES, "7.5(5)", each=True)


def _odds(game: LzAlbany, gun: Piece, targets: Sequence[str]) -> Odds:
    parts = []
    for area in targets:
        units = game.pieces(area, "NVA", UNIT)
        best = max((target_of(p) for p in units), key=lambda t: (t.hits, t.strength))
        parts.append(artillery_odds(strength(gun, "fire"), len(units), best)._replace(title=f"{title(area)}, {best.name}"))
    return join_odds(f"Artillery of {gun.name}", "7.5", parts)
