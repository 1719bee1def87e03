"""Section 6, first part: march, rest, scout."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.requests import Choice, Choose

from .ending import ended
from .evening import evening
from .land import FORT
from .referee import ASIDE, REDUCED, Pass

ROAD, TRACK, FORCED = "by road", "by track", "forced march"
NONE = "none"


def order_begins(game: Pass) -> None:
    """[6.1] One order; the camp is broken [6.8]."""
    game.set_flag("order", None, "6.1")
    game.set_flag("camp", None, "6.8")


async def order_ends(game: Pass) -> None:
    """[3.1] The evening follows, unless the column is at the Fort [8.1]."""
    if not ended(game.position):
        await evening(game)


# -- march -------------------------------------------------------------------------------------------------------------


def ways(game: Pass) -> Mapping[str, str]:
    """[6.2, 6.3, 6.4] Where the column can march, and how."""
    here, land = game.here, game.land
    found = {area: ROAD for area in land.road[here] if not game.bands_at(area)}
    found |= {area: TRACK for area in land.track[here] if not game.bands_at(area)}
    if game.track("fatigue") < 2:
        stones = game.rockfall.place
        for between in [area for area in land.road[here] if area in found and area != stones]:
            further = [area for area in land.road[between] if area not in (here, stones) and not game.bands_at(area)]
            found |= {area: FORCED for area in further if area not in found}
    return found


async def march(game: Pass) -> None:
    """[6.2] The column goes on."""
    open_to = ways(game)
    offers = [Choice(area, game.title(area), _told(game, area, how)) for area, how in open_to.items()]
    others = [Choice(area, game.title(area)) for area in game.land.areas if area not in open_to]
    to = await Choose("to", "Where does the column march?", "6.2", offers, others=others, what="area")
    if to not in open_to:
        refuse(game, to)
    order_begins(game)
    await go(game, to, open_to.get(to, ROAD))
    await order_ends(game)


def _told(game: Pass, area: str, how: str) -> str:
    return f"{how}, over the rocks" if area == game.rockfall.place and how == ROAD else how


def refuse(game: Pass, to: str) -> None:
    """Why the column cannot march there."""
    if to in game.land.next[game.here]:
        game.forbid(f"bands stand at the {game.title(to)}", "6.2", "Attack them first")
    elif to == game.here:
        game.forbid("the column is there already", "6.2")
    else:
        game.forbid(f"the {game.title(to)} cannot be reached in one march", "6.4" if to in _two(game) else "6.2")


def _two(game: Pass) -> set[str]:
    return {area for between in game.land.road[game.here] for area in game.land.road[between]}


async def go(game: Pass, to: str, how: str) -> None:
    """[6.2, 6.3, 6.4] There, if the track and the rocks let the column."""
    if how == FORCED:
        game.shift_track("fatigue", 2, "6.4", "forced march")
    if (how == TRACK or to == game.rockfall.place) and not await through(game):
        return
    arrive(game, to)


async def through(game: Pass) -> bool:
    """[6.3] Whether the column gets through on a track."""
    game.shift_track("fatigue", 1, "6.3", "a track")
    (face,) = await game.roll("track", "The track", "6.3")
    got, needs = face + game.has("Pioneers"), game.track("snow") + 1
    game.say(
        lambda: f"The track: {got}, more than {needs} is needed: {'through' if got > needs else 'stuck'}",
        "6.3",
        f"die {face}",
        f"Pioneers {int(game.has('Pioneers')):+d}",
    )
    return got > needs


def arrive(game: Pass, to: str) -> None:
    """[1.2] The marker moves; what was scouted is behind [6.9], and rocks are cleared [4.5]."""
    game.move(game.marker.id, to, "6.2", "march")
    game.set_flag("scouted", None, "6.9")
    if game.rockfall.place == to:
        game.move(game.rockfall.id, ASIDE, "4.5", "cleared")
    if to == FORT:
        game.say("The column is at the Fort", "8.1")


# -- rest and scout ----------------------------------------------------------------------------------------------------


async def rest(game: Pass) -> None:
    """[6.8] Fatigue goes, and a company may come back."""
    order_begins(game)
    game.shift_track("fatigue", -2, "6.8", "rest")
    reduced = [piece for piece in game.companies if piece.face == REDUCED]
    if reduced and game.track("stores"):
        offers = [Choice(NONE, "nobody"), *game.choices(reduced)]
        chosen = await game.choose("refit", "Who is refitted, for 1 stores?", "6.8", offers, suggest=NONE)
        if chosen != NONE:
            game.shift_track("stores", -1, "6.8", "refitting")
            game.flip(chosen, "front", "6.8", "refitted")
    game.set_flag("camp", True, "6.8")
    await order_ends(game)


async def scout(game: Pass) -> None:
    """[6.9] A look at an adjacent area."""
    near = [area for area in game.land.next[game.here] if area != FORT]
    area = await game.choose("area", "Which area is scouted?", "6.9", game.area_choices(near))
    order_begins(game)
    (face,) = await game.roll("look", "The scouts", "6.9")
    seen = face + game.has("Scouts") >= 3
    game.say(f"The {game.title(area)} is {'scouted' if seen else 'not scouted'}", "6.9", f"die {face}, 3 is needed")
    if seen:
        game.set_flag("scouted", area, "6.9")
    await order_ends(game)
