"""Forces that are only described: ``2-3, 2-3/2, 3-2`` are three units with fire and melee strength, the second with 2 hits."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.text import clean
from companion.games.lzalbany.names import FRONT, HITS, OFFICER, REDUCED_SIDE, SIDES, TURN, UNIT, US, terrain_flag
from companion.games.lzalbany.odds.paper import Described
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r07_infantry import Fire
from companion.games.lzalbany.rules.r08_hits import REDUCED
from companion.games.lzalbany.words.areas import JUNGLE, SAWGRASS, title
from companion.games.lzalbany.words.counters import MORTAR, enemy
from companion.games.lzalbany.words.roster import Counter, values_of

EXAMPLE = "2-3, 2-3/2, 3-2"
DESCRIBED = "described"
HERE, THERE, DISPUTED = "the firing area", "the target area", "the disputed area"


def _read_unit(text: str) -> tuple[int, int, int]:
    values, _, hits = text.partition("/")
    fire, dash, melee = values.partition("-")
    numbers = [fire.strip(), melee.strip() if dash else "0", hits.strip() or "0"]
    if not all(number.isdecimal() and int(number) <= 12 for number in numbers) or int(numbers[2]) > REDUCED:
        raise Unreadable(
            f"'{clean(text)}' is not fire-melee/hits", rule="2.4", cure=f"Type units like this: {EXAMPLE}; 3 hits: reduced"
        )
    return int(numbers[0]), int(numbers[1]), int(numbers[2])


def read_force(text: str) -> list[tuple[int, int, int]]:
    """Fire, melee, hits of each unit, 1 to 12 of them.

    Raises:
        Unreadable: one of them cannot be read.
    """
    found = [_read_unit(part) for part in text.replace(";", ",").split(",") if part.strip()]
    if not 1 <= len(found) <= 12:
        raise Unreadable("1 to 12 units can be described", rule="2.4", cure=f"Type them like this: {EXAMPLE}")
    return found


def _shown(text: str) -> str:
    return ", ".join(f"{fire}-{melee}" + (f"/{hits}" if hits else "") for fire, melee, hits in read_force(text))


FORCE = Notation("force", EXAMPLE, _shown)


def place_unit(game: Described, side: str, area: str, name: str, kind: str, fire: int, melee: int = 0, hits: int = 0) -> Piece:
    """Put a described unit into an area; one that is not reduced loses one of each strength when it is."""
    back = (fire, melee) if hits == REDUCED else (max(0, fire - 1), max(0, melee - 1))
    values = values_of(Counter("", kind, fire, melee, *back), "", side, "")
    unit = game.make(UNIT, name, area, "2.4", values=values, face=REDUCED_SIDE if hits == REDUCED else FRONT)
    if 0 < hits < REDUCED:
        game.mark(unit, HITS, hits, "8.2")
    return game.piece(unit)


def place_force(game: Described, side: str, area: str, text: str, officers: int = 0, infantry: int = 99) -> None:
    """Put a described force into an area; behind so many of infantry the units are mortars."""
    for number, (fire, melee, hits) in enumerate(read_force(text), 1):
        place_unit(game, side, area, f"{side} unit {number}", "inf" if number <= infantry else MORTAR, fire, melee, hits)
    for number in range(1, officers + 1):
        values = values_of(Counter("", OFFICER), "", side, "")
        game.make(OFFICER, f"{side} officer {number}", area, "2.4", values=values)


async def describe(game: LzAlbany, fight: Described, rule: str, areas: Sequence[str]) -> str:
    """Ask for both forces of a combat, and put the attacker's into the first area and the other into the last; returns
    the attacking side.
    """
    side = await game.choose("side", "Which side attacks?", rule, [Choice(one, one) for one in SIDES], US)
    ours = await game.text("attacker", "Which units attack? (fire-melee/hits)", rule, FORCE)
    mine = await game.number("officers", "How many officers attack with them?", rule, 0, 9, 0)
    theirs = await game.text("defender", "Which units defend? (fire-melee/hits)", rule, FORCE)
    yours = await game.number("enemy_officers", "How many officers defend with them?", rule, 0, 9, 0)
    place_force(fight, side, areas[0], ours, mine)
    place_force(fight, enemy(side), areas[-1], theirs, yours)
    return side


async def described_fire(game: LzAlbany, fight: Described, side: str) -> Fire:
    """[7.3] The ground of a described exchange of fire; everybody fires."""
    for area, key, what in ((THERE, "jungle", "target"), (HERE, "home_jungle", "firing")):
        jungle = await game.confirm(key, f"Is the {what} area jungle?", "7.3(3)", False)
        fight.set_flag(terrain_flag(area), JUNGLE if jungle else SAWGRASS, "2.2")
    return Fire(side, HERE, (THERE,), fight.units(HERE, side), fight.officers(HERE, side))


async def by_night(game: LzAlbany, fight: Described) -> None:
    """[11.1B] Whether a described fight is fought at night."""
    if await game.confirm("night", "Is it night without a flare?", "11.1B", False):
        lights = game.chart("turns")
        fight.set_track(TURN, next(int(turn) for turn in lights.rows if lights.text(turn, "light") == "night"), "11.0", "night")


async def which_area(game: LzAlbany, key: str, prompt: str, rule: str, areas: list[str]) -> str:
    """An area of the session, or a description instead; without any area nobody is asked."""
    if not areas:
        return DESCRIBED
    choices = [Choice(area, title(area)) for area in areas]
    return await game.choose(key, prompt, rule, [*choices, Choice(DESCRIBED, "described")], DESCRIBED)
