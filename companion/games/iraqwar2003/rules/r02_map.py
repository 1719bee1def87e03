"""[2.1] What the map says where nobody has told: asked once and remembered for ever."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.requests import Choice
from companion.games.iraqwar2003.facts import TERRAINS
from companion.games.iraqwar2003.land import BAGHDAD, CITY, LOW, ORIENTATION, WATER, land_of, pair
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.state import MOUNTAINS


async def ask_orientation(game: IraqWarReferee) -> None:
    """[2.1] Which columns of hexes lie half a hex lower, unless it is known: from then on numbers tell what is adjacent."""
    if not land_of(game.position).asked:
        prompt = f"Baghdad: which of its two hexes lies half a hex lower, {' or '.join(BAGHDAD)} (neither: numbers tell nothing)"
        game.set_flag(ORIENTATION, await game.printed(ORIENTATION, prompt, "2.1", LOW), "2.1")


async def learn_map_facts(game: IraqWarReferee, facts: Mapping[str, str], rule: str) -> None:
    """Remembers facts of the map, by their full keys, that play has shown; undo takes them back with what showed them."""
    for key, value in facts.items():
        if game.position.flag(key) != value:
            game.set_flag(key, await game.infer_fact(key, value, rule), rule)


async def ask_terrain(game: IraqWarReferee, number: str, rule: str = "13.3(5)") -> str:
    """[2.1.1(2)] The terrain of a hex as ``Land.terrain`` has it; asked where nobody has told it."""
    land = land_of(game.position)
    known = land.terrain(number)
    if known and known != CITY:
        return known
    sizes = [name for name in TERRAINS if "city" in name]
    names = sizes if known else ["plain", *TERRAINS, *(["mountain"] if game.has_rule(MOUNTAINS) else [])]
    title = f"{number} {land.place(number)}".strip()
    choices = [Choice(name, name.replace("_", " ")) for name in names]
    told = await game.choose("terrain", f"What is the terrain of {title}?", rule, choices, None if known else "plain")
    ground = land.ground(number)
    key = f"hex:{number}"
    game.set_flag(key, await game.record_fact(key, str(ground._replace(ground=told.replace("_", " "))), rule), rule)
    return land_of(game.position).terrain(number)


async def ask_water(game: IraqWarReferee, one: str, other: str, rule: str) -> str:
    """[12.2, 13.3(3), 13.3(4)] What water lies between two hexes, one of WATERS; asked where nobody has told."""
    land = land_of(game.position)
    if known := land.water(one, other):
        return known
    key = f"side:{pair(one, other)}"
    prompt = f"What lies between {one} and {other}? (a minor river, a large one, only sea or lake, or none)"
    game.set_flag(key, await game.printed(key, prompt, rule, WATER), rule)
    return land_of(game.position).water(one, other)
