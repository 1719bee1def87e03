"""Exact odds that can be asked for: they play the rolls of the rules."""

from __future__ import annotations

from companion.core.dice import cup_contents
from companion.core.errors import Illegal
from companion.core.game import Situation
from companion.core.odds import distribution
from companion.core.requests import Choice, Odds

from .attacks import against, aside, attack_odds, modifiers, targets
from .raids import raided
from .referee import CUP, Drm, Pass

GROUNDS = ("open", "wood", "gully", "height")


async def described(game: Pass) -> Odds:
    """[6.5, 6.6] An attack that is only described."""
    strength = await game.number("strength", "Strength of the companies", "6.6", 1, 9, suggest=9)
    bands = await game.number("bands", "Strength of the bands", "6.6", 1, 14, suggest=3)
    ground = await game.choose("ground", "Their ground", "6.6", [Choice(one, one) for one in GROUNDS], suggest="open")
    pioneers = await game.confirm("pioneers", "Are the Pioneers among the attackers", "6.6", suggest=True)
    other = await game.number("other", "Other modifiers", "6.6", -2, 1, suggest=0)
    drm = Drm((*against(game, strength, bands, ground, pioneers), ("other", other)))
    return attack_odds(aside(game), f"Strength {strength} against {bands}", drm)


async def here(game: Pass) -> Odds:
    """[6.5] An attack of the whole column on this table."""
    near = targets(game) if game.position.of_kind("marker") else []
    if not near:
        raise Illegal("no bands are adjacent to the column", rule="6.5")
    area = await game.choose("area", "Which area", "6.5", game.area_choices(near), suggest=near[0])
    companies = game.companies[:-1] or game.companies
    title = f"{game.piece_names(companies)} against the {game.title(area)}"
    return attack_odds(aside(game), title, modifiers(game, area, companies))


async def raid(game: Pass) -> Odds:
    """[5.7] A raid with modifiers of some total."""
    drm = await game.number("drm", "Modifiers in all", "5.8", -6, 9, suggest=0)
    found = distribution(lambda: raided(aside(game), Drm((("in all", drm),))))
    return Odds(f"A raid at DRM {drm:+d}", "5.7", (("Result", tuple(found.items())),))


async def chit(game: Pass) -> Odds:
    """[4.1] The next dawn."""
    counts = cup_contents(game.position, CUP)
    if not counts:
        raise Illegal("the cup is empty", rule="4.7")
    total = sum(counts.values())
    return Odds("The next chit", "4.1", (("It is", tuple((name, many / total) for name, many in counts.items())),))


SITUATIONS = (
    Situation("attack", "an attack that is described", "6.5", described),
    Situation("here", "an attack of the whole column from where it stands", "6.5", here),
    Situation("raid", "a raid", "5.7", raid),
    Situation("chit", "the next chit", "4.1", chit),
)
