"""[2.1] Questions about the map; each is asked once and remembered."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.requests import Choice
from companion.games.iraqwar2003.facts import TERRAINS
from companion.games.iraqwar2003.land import BAGHDAD, CITY, LOW, ORIENTATION, WATER, land_of, pair
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.state import MOUNTAINS


async def ask_orientation(referee: IraqWarReferee) -> None:
    """[2.1] Ask which columns lie half a hex lower, if unknown; from then on numbers show adjacency."""
    if not land_of(referee.position).asked:
        prompt = f"Baghdad: which of its two hexes lies half a hex lower, {' or '.join(BAGHDAD)} (neither: numbers tell nothing)"
        referee.set_flag(ORIENTATION, await referee.printed(ORIENTATION, prompt, "2.1", LOW), "2.1")


async def learn_map_facts(referee: IraqWarReferee, facts: Mapping[str, str], rule: str) -> None:
    """Remember map facts (full keys) inferred from play; undo retracts them."""
    for key, value in facts.items():
        if referee.position.flag(key) != value:
            referee.set_flag(key, await referee.infer_fact(key, value, rule), rule)


async def ask_terrain(referee: IraqWarReferee, number: str, rule: str = "13.3(5)") -> str:
    """[2.1.1(2)] The terrain of a hex as in ``Land.terrain``, asked for if unknown."""
    land = land_of(referee.position)
    terrain = land.terrain(number)
    if terrain and terrain != CITY:
        return terrain
    sizes = [name for name in TERRAINS if "city" in name]
    names = sizes if terrain else ["plain", *TERRAINS, *(["mountain"] if referee.has_rule(MOUNTAINS) else [])]
    title = f"{number} {land.place(number)}".strip()
    choices = [Choice(name, name.replace("_", " ")) for name in names]
    answer = await referee.choose("terrain", f"What is the terrain of {title}?", rule, choices, None if terrain else "plain")
    ground = land.ground(number)
    key = f"hex:{number}"
    referee.set_flag(key, await referee.record_fact(key, str(ground._replace(ground=answer.replace("_", " "))), rule), rule)
    return land_of(referee.position).terrain(number)


async def ask_water(referee: IraqWarReferee, first: str, second: str, rule: str) -> str:
    """[12.2, 13.3(3), 13.3(4)] The water between two hexes, one of WATERS, asked for if unknown."""
    land = land_of(referee.position)
    if water := land.water(first, second):
        return water
    key = f"side:{pair(first, second)}"
    prompt = f"What lies between {first} and {second}? (a minor river, a large one, only sea or lake, or none)"
    referee.set_flag(key, await referee.printed(key, prompt, rule, WATER), rule)
    return land_of(referee.position).water(first, second)
