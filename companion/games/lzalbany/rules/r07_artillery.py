"""[5.4, 7.5] The artillery of LZ Columbus."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.games.lzalbany.names import NVA, SIDES, US
from companion.games.lzalbany.odds.ends import FEW, chosen_odds, play_out, support_odds
from companion.games.lzalbany.odds.paper import on_paper
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r08_hits import Struck
from companion.games.lzalbany.rules.r08_placing import officer_check, one_at_random, room, take_hits
from companion.games.lzalbany.words.areas import COLUMBUS, TRANSITION, title
from companion.games.lzalbany.words.counters import company_of, hits_on, is_artillery, may_fire, side_of, strength
from companion.games.lzalbany.words.decisions import volley_text

US_CAP = 2
NOBODY = "none"
TOO_MANY = 2
"""Hits that keep a platoon of the artillery from firing [5.4A]."""


def _platoons(game: LzAlbany) -> list[Piece]:
    return [piece for piece in game.units(COLUMBUS, US) if is_artillery(piece)]


def batteries(game: LzAlbany) -> list[Piece]:
    """[5.4A, 3.5] Artillery platoons in LZ Columbus with fewer than two hits and no marker against fire."""
    return [piece for piece in _platoons(game) if hits_on(piece) < TOO_MANY and may_fire(piece)]


def silenced(game: LzAlbany) -> bool:
    """[5.4B, 7.2B] NVA in LZ Columbus and nobody of 2-7 or 1-5 with the guns."""
    guards = [piece for piece in game.units(COLUMBUS, US) if company_of(piece).endswith(("2-7", "1-5"))]
    return bool(game.units(COLUMBUS, NVA)) and not guards


def artillery_targets(game: LzAlbany) -> list[str]:
    """[7.5(1), 7.8] Undisputed areas with NVA platoons, in sight as far as is known."""
    return [a for a in game.held(NVA) if not _barred(game, a) and ground.in_sight(game, US, a) is not False]


def _barred(game: LzAlbany, area: str) -> str:
    """[7.5(1)] Why artillery does not fire at an area, whoever sees it; "" if it may."""
    if game.disputed(area):
        return f"{title(area)} is disputed; artillery fires at undisputed areas"
    if area == TRANSITION or not game.stack(area, NVA):
        return f"no NVA platoon is in {title(area)} that artillery could fire at"
    return ""


async def artillery_chit(game: LzAlbany) -> None:
    """[5.4] One attack for each platoon that may fire."""
    if game.night:
        game.say("Night: no artillery attack.", "11.1C")
        return
    if silenced(game):
        game.say("The NVA is in LZ Columbus and nobody guards the artillery: it does not fire.", "5.4B")
        return
    hit = [piece for piece in _platoons(game) if hits_on(piece) >= TOO_MANY]
    if hit:
        game.say(f"Two hits or more keep {game.piece_names(hit)} from firing.", "5.4A")
    barred = [piece for piece in _platoons(game) if piece not in hit and not may_fire(piece)]
    if barred:
        game.say(f"A marker keeps {game.piece_names(barred)} from firing.", "3.5")
    guns = batteries(game)
    if not guns:
        game.say("No artillery platoon can fire.", "5.4")
    for number, gun in enumerate(guns, 1):
        if not await _one(game, game.piece(gun.id), f"{number} of {len(guns)}"):
            break


async def _one(game: LzAlbany, gun: Piece, which: str) -> bool:
    """[7.5] One platoon; False where the player stops."""
    targets = artillery_targets(game)
    seen = [a for a in targets if await ground.spotted(game, US, a, "7.5")] if game.played(US) else targets
    if not seen:
        game.say("No US officer sees an undisputed NVA area.", "7.5(1)")
        return False
    others = [Choice(a, title(a)) for a in game.held(NVA) if a not in seen]
    request = Choose(
        "target",
        f"Which area does {gun.name} fire at? ({which})",
        "7.5(1)",
        [*game.area_choices(seen, NVA), Choice(NOBODY, "none")],
        NOBODY,
        others=others,
        what="target",
    )
    request.odds = lambda: chosen_odds(
        f"Artillery of {gun.name}", "7.5", {area: artillery_odds(game, gun, area) for area in seen}
    )
    request.has_quick_odds = len(seen) <= FEW
    target = await game.decide(request, US, "target", seen, "artillery", auto=False)
    if target == NOBODY:
        return False
    if why := _barred(game, target):
        game.forbid(why, "7.5(1)", "Choose another target")
    if not await ground.seen_after_all(game, US, target, "7.5"):
        return await _one(game, gun, which)
    await shell(game, gun, target)
    return True


async def shell(game: LzAlbany, gun: Piece, target: str) -> Struck:
    """[7.5(2), 7.5(3), 7.5(4), 7.5(5)] One platoon fires at an area; the hits are those on the target."""
    area = await _lands(game, target)
    struck = await bombard(game, gun, area)
    return struck if area == target else Struck(0, 0, True)


async def _lands(game: LzAlbany, target: str) -> str:
    """[7.5(2)] Where the fire comes down."""
    faces = await game.volley("accuracy", "Artillery: off target on 1", "7.5(2)", 1, 1, "artillery")
    if game.count(faces, "artillery"):
        game.say(f"Artillery at {title(target)}: {faces[0]}, off target on 1. On target.", "7.5(2)")
        return target
    around = await ground.neighbours(game, target, "7.5(2)")
    if not around:
        game.say(f"Artillery at {title(target)}: {faces[0]}, OFF TARGET, but no area is adjacent.", "7.5(2)")
        return target
    game.say(f"Artillery at {title(target)}: {faces[0]}, OFF TARGET.", "7.5(2)")
    at = await one_at_random(game, "scatter", "adjacent area", [title(a) for a in around], "7.5(2)")
    game.say(f"The fire shifts to {title(around[at])}.", "7.5(2)")
    return around[at]


async def bombard(game: LzAlbany, gun: Piece, area: str) -> Struck:
    """[7.5(3), 7.5(4), 7.5(5)] Dice, one random unit, every officer."""
    there = [p for side in SIDES for p in game.units(area, side)]
    dice = strength(gun, "fire")
    if game.option("massed") == "all":
        dice += game.rules.massed(game.stack(area, NVA))
    caps = [US_CAP if side_of(piece) == US else 0 for piece in there]

    def most() -> int:
        return max((room([piece], cap)() for piece, cap in zip(there, caps, strict=True)), default=1) or 1

    faces = await game.volley("artillery", f"{gun.name} fires at {title(area)}: hits on 6", "7.5(3)", dice, most)
    hits = game.count(faces)
    game.say(volley_text(f"{gun.name} fires at {title(area)}", faces, hits), "7.5(3)")
    if not hits:
        return Struck(dice, 0)
    taken = 0
    if there:
        at = await one_at_random(game, "victim", f"unit in {title(area)}", [p.name for p in there], "7.5(4)")
        taken = await take_hits(game, US, [there[at]], hits, "7.5(4)", "artillery", cap=caps[at])
    else:
        game.say(f"No unit is in {title(area)}: the hits are lost.", "7.5(4)")
    await officer_check(game, area, SIDES, "7.5(5)", each=True)
    return Struck(dice, taken)


def artillery_odds(game: LzAlbany, gun: Piece, target: str) -> Odds:
    """One platoon at an area: off target, and what becomes of everybody there and next door."""
    around = game.map.beside(target)
    paper = on_paper(game, (COLUMBUS, target, *around))
    ends = play_out(paper, lambda table, _: shell(table, gun, target))
    there = paper.position.at(target)
    odds = support_odds(title(target), "7.5", ends, there, ("The fire falls", (("off target", ends.mean("marred")),)))
    near = ends.fates(piece for place in around if place != COLUMBUS for piece in paper.position.at(place))
    return odds._replace(sections=(*odds.sections, ("Next door", near))) if near else odds
