"""[3.1, 7.1(1), 7.2, 13.0, 13.4, 14.7] The printed facts of the game, and contradictions between facts of the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from companion.core.game import Fact
from companion.core.notation import whole_number
from companion.games.fallujah2004 import notation

NODE_KINDS = ("abandoned_position", "al_qaeda", "arms_cache", "c2", "hostage_house", "ied_factory", "strongpoint")
OPFOR_KINDS = ("hvt", "jihadists", "fedayeen", "militia", "heavy_weapons")
EVENT_KINDS = (
    "ambush",
    "blow_bridges",
    "civilians",
    "deception",
    "downed_helicopter",
    "intel",
    "iraqis_balk",
    "martyrs",
    "media_wars",
    "mob_attack",
    "morale_check",
    "negotiations",
    "rear_area_raid",
    "uprising_elsewhere",
)
STRIKE_KINDS = ("air", "soa", "artillery", "netwar")
COUNT = whole_number("number of counters", 0, 60)

FACTS = (
    Fact(
        "stand",
        "OPFOR Morale Chart: Stand or Break-off by morale and terrain",
        "9.3(2)",
        notation.STAND,
        tuple(f"{morale}:{terrain}" for morale in notation.MORALE for terrain in notation.TERRAINS),
    ),
    Fact("nodes", "How many Node counters of each kind the set holds", "4.5", COUNT, NODE_KINDS),
    Fact("opfor", "OPFOR combat units: what is printed on how many", "4.6", notation.OPFOR_LOTS, OPFOR_KINDS),
    Fact("events", "How many Event markers of each kind the set holds", "4.7", COUNT, EVENT_KINDS),
    Fact("strikes", "Fire Support and NetWar counters: firepower and number", "4.3", notation.STRIKE_LOTS, STRIKE_KINDS),
    Fact("leaders", "How many Coalition leaders the set holds", "29.0", whole_number("number of leaders", 0, 20), single=True),
    Fact(
        "bridge",
        "The spaces of the two bridges",
        "14.7",
        notation.GRID,
        ("brooklyn", "main"),
        rulebook_values={"brooklyn": notation.BROOKLYN},
    ),
    Fact("unit", "Coalition units, one a counter, by nation and name", "4.2", notation.UNIT),
    Fact(
        "route",
        "What joins two neighbours, learnt from moves: land, bridge, either of them, river; or none",
        "13.0",
        notation.ROUTE,
    ),
    Fact("space", "Spaces of the map by route and phase line: terrain, MSR, bridge, water, name", "3.1", notation.GROUND),
)


HOLY = 20
"""[7.1(1)] Objective and Mosque spaces: each gets one Node."""
BRIDGES = {"main": "Main Bridge", "brooklyn": "Brooklyn Bridge"}


class MapFacts(NamedTuple):
    """What has been told of the map: the spaces, what joins two places as it was told, and where the two bridges are."""

    grounds: Mapping[str, notation.Ground]
    routes: Mapping[str, str]
    bridges: Mapping[str, str]

    def lacks(self, place: str) -> bool:
        """True if the map has no such space."""
        return place in self.grounds and self.grounds[place].terrain == notation.NO_SPACE


def contradictions(facts: Mapping[str, str]) -> list[str]:
    """What cannot be, in words with the rule and what to do, of printed facts (full key -> value)."""
    told = _told(facts)
    return [*_off_the_grid(facts), *_spaces(told), *_bridges(told), *_routes(told)]


def _of(facts: Mapping[str, str], kind: str) -> dict[str, str]:
    lead = f"{kind}:"
    return {key.removeprefix(lead): value for key, value in facts.items() if key.startswith(lead)}


def _told(facts: Mapping[str, str]) -> MapFacts:
    spaces = _of(facts, "space")
    grounds = {
        space: notation.read_ground(spaces[space])
        for space in sorted(notation.SPACES.intersection(spaces), key=notation.route_and_line)
    }
    routes = {key: how for key, how in _of(facts, "route").items() if _readable(key)}
    return MapFacts(grounds, routes, {"brooklyn": notation.BROOKLYN} | _of(facts, "bridge"))


def _readable(key: str) -> bool:
    return key.count("/") == 1 and all(place in notation.IN_PLAY for place in key.split("/"))


def _off_the_grid(facts: Mapping[str, str]) -> Iterator[str]:
    for space in _of(facts, "space"):
        if space not in notation.SPACES:
            yield f"there is no space '{space}': routes are 1 to 6, phase lines 2 to 12, such as 3-8 [3.1]"
    for key in _of(facts, "route"):
        if key != notation.ALL_ROUTES and not _readable(key):
            yield f"'{key}' names no two places that a route can join: such as 3-9/3-10 or 3-12/north base [3.1]"


def _spaces(told: MapFacts) -> Iterator[str]:
    """[3.1, 7.1(1)] One name for one space, and no more Objectives and Mosques than there are."""
    called: dict[str, list[str]] = {}
    for space, ground in told.grounds.items():
        if ground.name:
            called.setdefault(ground.name.casefold(), []).append(space)
    for spaces in called.values():
        if len(spaces) > 1:
            yield f"{' and '.join(spaces)} are both named {told.grounds[spaces[0]].name}: give each its own name [3.1]"
    holy = sum(ground.holy for ground in told.grounds.values())
    if holy > HOLY:
        yield f"you entered {holy} Objective and Mosque spaces, and the map has {HOLY}: enter the wrong ones again [7.1(1)]"


def _bridges(told: MapFacts) -> Iterator[str]:
    """[7.2, 14.7] Two bridges, each in a space of its own, where its name and its mark are."""
    if told.bridges["brooklyn"] == told.bridges.get("main"):
        space = told.bridges["brooklyn"]
        brooklyn = f"{notation.BROOKLYN} is the Brooklyn Bridge"
        yield f"the Main Bridge and the Brooklyn Bridge are both entered at {space}; {brooklyn} [7.2]"
    for key, title in BRIDGES.items():
        space = told.bridges.get(key, "")
        named = [one for one, ground in told.grounds.items() if ground.name.casefold() == title.casefold()]
        if space and told.lacks(space):
            yield f"the {title} is entered at {space}, where the map has no space: enter one of the two again [14.7]"
        if space and named and space not in named:
            yield f"the {title} is entered at {space}, and {named[0]} has its name: enter one of the two again [14.7]"
    marked = [space for space, ground in told.grounds.items() if "bridge" in ground.features]
    if len(marked) > len(BRIDGES):
        yield f"bridges are entered at {', '.join(marked)}, and the map has two: enter one of them again without [14.7]"


def _routes(told: MapFacts) -> Iterator[str]:
    """[13.0, 13.4] What joins two places is the same both ways; a base opens on its edge of the map only."""
    for key, how in told.routes.items():
        one, other = key.split("/")
        back = told.routes.get(f"{other}/{one}", how)
        if one == other:
            yield f"{one} is entered as its own neighbour: forget route:{key} [13.0]"
        elif back != how and key == notation.pair_key(one, other):
            yield f"from {one} to {other} it is {how}, and back it is {back}: enter both alike, or forget one of them [13.0]"
        elif how != notation.NO_ROUTE:
            yield from _joined(told, one, other, how)


def _joined(told: MapFacts, one: str, other: str, how: str) -> Iterator[str]:
    """Why two places that were told as neighbours cannot be."""
    for place in (one, other):
        if told.lacks(place):
            yield f"{one} and {other} are entered as neighbours, and there is no space {place}: enter one of the two again [3.1]"
    if one in notation.BASES and other in notation.BASES:
        yield f"{one} and {other} are entered as neighbours: from base to base no route is needed [13.4]"
    for base, space in ((one, other), (other, one)):
        if (
            base == notation.WEST_BASE
            and notation.on_map(space)
            and notation.route_and_line(space)[1] not in notation.WEST_ENTRIES
        ):
            lines = ", ".join(map(str, notation.WEST_ENTRIES))
            yield f"{space} and West Base are entered as neighbours: it opens on phase lines {lines} only [13.4]"
    if notation.on_map(one) and notation.on_map(other) and (why := _apart(told, one, other)):
        cure = f"forget route:{notation.pair_key(one, other)}, or make it none"
        yield f"{one} and {other} are entered as neighbours, and {why}: {cure} [13.0]"
    ends = [told.grounds.get(place) for place in (one, other) if notation.on_map(place)]
    standing = {told.bridges.get("main"), notation.BROOKLYN}.intersection((one, other))
    if how == notation.BRIDGE and not standing and all(ground and "bridge" not in ground.features for ground in ends):
        yield f"{one} and {other} are entered as joined by a bridge, and neither has one: enter one of them again [14.7]"


def _apart(told: MapFacts, one: str, other: str) -> str:
    """[3.1, 13.0] Why two spaces of the map lie too far apart to be neighbours: a route runs on over what is no space only."""
    (route, line), (route2, line2) = notation.route_and_line(one), notation.route_and_line(other)
    if route != route2 and line != line2:
        far = max(abs(route - route2), abs(line - line2)) > 1
        return "lie neither on one route nor on one phase line" if far else ""
    routes, lines = sorted((route, route2)), sorted((line, line2))
    along = [f"{at}-{line}" for at in range(routes[0] + 1, routes[1])] + [f"{route}-{at}" for at in range(lines[0] + 1, lines[1])]
    between = [space for space in along if space in told.grounds and not told.lacks(space)]
    return f"{between[0]} lies between them" if between else ""
