"""Section 5, first part: what the bands do, by their priorities. `tables/bot.toml` holds their order."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from companion.core.position import Piece

from .land import FORT
from .raids import modifiers, raid
from .referee import HILLS, Pass


class Deed(NamedTuple):
    """What a band can do: where it goes, or "" for a raid from where it stands."""

    band: Piece
    to: str = ""


Found = Deed | str
"""What can be done, or why nothing can."""


def raiding(game: Pass, idle: list[Piece]) -> Found:
    """[5.2] A band adjacent to the column whose modifiers come to 0 or more."""
    near = [band for band in idle if band in game.around]
    able = [band for band in near if modifiers(game, band).total >= 0]
    if able:
        return Deed(able[0])
    return "no band that can act is adjacent" if not near else "with these modifiers none dares"


def blocking(game: Pass, idle: list[Piece]) -> Found:
    """[5.3] A band steps into the way to the Fort."""
    area = game.land.onward(game.here)
    if area in ("", FORT):
        return "the Fort is next"
    if game.bands_at(area):
        return f"the {game.title(area)} is held already"
    able = [band for band in idle if band.place in game.land.next[area]]
    return Deed(able[0], area) if able else f"none can reach the {game.title(area)}"


def closing_in(game: Pass, idle: list[Piece]) -> Found:
    """[5.4] The nearest of those that are further away comes nearer."""
    far, ground = game.land.far(game.here), game.chart("ground")
    able: list[tuple[int, int, Deed]] = []
    for number, band in enumerate(idle):
        if band.place not in far or far[band.place] < 2:
            continue
        ahead = [area for area in game.land.next[band.place] if far[area] < far[band.place] and area != FORT]
        ahead.sort(key=lambda area: (-ground.number(game.land.ground(area), "height"), game.land.areas.index(area)))
        able += [(far[band.place], number, Deed(band, area)) for area in ahead[:1]]
    return min(able, key=lambda one: one[:2])[2] if able else "none is further away"


def coming_down(game: Pass, idle: list[Piece]) -> Found:
    """[5.5] A band from the Hills box, to the Crags or the Shrine."""
    ready = [band for band in idle if band.place == HILLS]
    if not ready:
        return "none is ready in the hills"
    near = (game.here, *game.land.next[game.here])
    area = next((area for area in ("crags", "shrine") if area not in near), "")
    return Deed(ready[0], area) if area else "the column stands too near"


WAYS: dict[str, Callable[[Pass, list[Piece]], Found]] = {
    "raid": raiding,
    "block": blocking,
    "close_in": closing_in,
    "come_down": coming_down,
}


async def bands_act(game: Pass, times: int) -> None:
    """[4.3, 5.1] So many times; a band once at most."""
    acted: set[str] = set()
    for _ in range(times):
        acted |= await one_acts(game, acted)


async def one_acts(game: Pass, acted: set[str]) -> set[str]:
    """[5.1] The first priority that can be carried out; the band that did, by its id."""
    passed: list[str] = []
    for priority in game.tables.bot["priority"]:
        found = WAYS[priority["way"]](game, [band for band in game.bands if band.id not in acted])
        if isinstance(found, str):
            passed.append(f"[{priority['rule']}] {found}")
            continue
        await carried_out(game, found, str(priority["rule"]), passed)
        return {found.band.id}
    game.say("No band can do anything", "5.1", *passed)
    return set()


async def carried_out(game: Pass, deed: Deed, rule: str, passed: list[str]) -> None:
    """What a band does, with what came before it in the order and could not be."""
    if not deed.to:
        game.say(f"{deed.band.name} raids from the {game.title(deed.band.place)}", rule, *passed)
        await raid(game, deed.band)
        return
    told = {"5.3": "bars the way at", "5.4": "closes in on", "5.5": "comes down to"}[rule]
    game.say(f"{deed.band.name} {told} the {game.title(deed.to)}", rule, *passed)
    game.move(deed.band.id, deed.to, rule)
