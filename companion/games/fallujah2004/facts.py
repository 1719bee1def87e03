"""[3.1, 7.1(1), 7.2, 13.0, 13.4, 14.7] The printed facts of the game, and contradictions between facts of the map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.game import Fact
from companion.core.named_tuple import NamedTuple
from companion.core.notation import whole_number
from companion.games.fallujah2004 import notation, state

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
LEADER_COUNT = whole_number("number of leaders", 0, 20)

_MORALE_CHART = tuple(f"{morale}:{terrain}" for morale in notation.MORALE for terrain in notation.TERRAINS)
_BROOKLYN = {"brooklyn": notation.BROOKLYN}

FACTS = (
    Fact("stand", "OPFOR Morale Chart: Stand or Break-off by morale and terrain", "9.3(2)", notation.STAND, _MORALE_CHART),
    Fact("nodes", "How many Node counters of each kind the set holds", "4.5", COUNT, NODE_KINDS),
    Fact("opfor", "OPFOR combat units: what is printed on how many", "4.6", notation.OPFOR_LOTS, OPFOR_KINDS),
    Fact("events", "How many Event markers of each kind the set holds", "4.7", COUNT, EVENT_KINDS),
    Fact("strikes", "Fire Support and NetWar counters: firepower and number", "4.3", notation.STRIKE_LOTS, STRIKE_KINDS),
    Fact("leaders", "How many Coalition leaders the set holds", "29.0", LEADER_COUNT, single=True),
    Fact("bridge", "The spaces of the two bridges", "14.7", notation.GRID, ("brooklyn", "main"), rulebook_values=_BROOKLYN),
    Fact("unit", "Coalition units, one a counter, by nation and name", "4.2", notation.UNIT),
    Fact("route", "Routes between neighbours, learnt from moves: land, bridge, either, river; or none", "13.0", notation.ROUTE),
    Fact("space", "Spaces of the map by route and phase line: terrain, MSR, bridge, water, name", "3.1", notation.GROUND),
)


HOLY = 20
"""[7.1(1)] The number of Objective and Mosque spaces; each gets one Node."""
BRIDGES = {"main": "Main Bridge", "brooklyn": "Brooklyn Bridge"}


class MapFacts(NamedTuple):
    """The known facts of the map: the spaces, the routes between places, and the spaces of the two bridges."""

    grounds: Mapping[str, notation.Ground]
    routes: Mapping[str, str]
    bridges: Mapping[str, str]

    def lacks(self, place: str) -> bool:
        """True if the map has no such space."""
        return place in self.grounds and self.grounds[place].terrain == notation.NO_SPACE


def contradictions(facts: Mapping[str, str]) -> list[str]:
    """The contradictions among printed facts (full key -> value): messages with a cure and the rule."""
    map_facts = _map_facts(facts)
    return [*_off_the_grid(facts), *_spaces(map_facts), *_bridges(map_facts), *_routes(map_facts)]


def _of(facts: Mapping[str, str], kind: str) -> dict[str, str]:
    prefix = f"{kind}:"
    return {key.removeprefix(prefix): value for key, value in facts.items() if key.startswith(prefix)}


def _map_facts(facts: Mapping[str, str]) -> MapFacts:
    spaces = _of(facts, "space")
    grounds = {space: notation.read_ground(spaces[space]) for space in state.SPACE_ORDER if space in spaces}
    routes = {key: route for key, route in _of(facts, "route").items() if _is_route_key(key)}
    return MapFacts(grounds, routes, _BROOKLYN | _of(facts, "bridge"))


def _is_route_key(key: str) -> bool:
    return key.count("/") == 1 and all(place in state.UNIT_PLACES for place in key.split("/"))


def _off_the_grid(facts: Mapping[str, str]) -> Iterator[str]:
    for space in _of(facts, "space"):
        if space not in state.SPACES:
            yield f"there is no space '{space}': routes are 1 to 6, phase lines 2 to 12, such as 3-8 [3.1]"
    for key in _of(facts, "route"):
        if key != state.ALL_ROUTES and not _is_route_key(key):
            yield f"'{key}' names no two places that a route can join: such as 3-9/3-10 or 3-12/north base [3.1]"


def _spaces(told: MapFacts) -> Iterator[str]:
    """[3.1, 7.1(1)] Names of several spaces, and too many Objectives and Mosques."""
    named: dict[str, list[str]] = {}
    for space, ground in told.grounds.items():
        if ground.name:
            named.setdefault(ground.name.casefold(), []).append(space)
    for spaces in named.values():
        if len(spaces) > 1:
            yield f"{' and '.join(spaces)} are both named {told.grounds[spaces[0]].name}: give each its own name [3.1]"
    holy = sum(ground.holy for ground in told.grounds.values())
    if holy > HOLY:
        yield f"you entered {holy} Objective and Mosque spaces, and the map has {HOLY}: enter the wrong ones again [7.1(1)]"


def _bridges(told: MapFacts) -> Iterator[str]:
    """[7.2, 14.7] Bridges in the same space, outside the map, apart from their names, or too many."""
    if told.bridges["brooklyn"] == told.bridges.get("main"):
        space = told.bridges["brooklyn"]
        brooklyn = f"{notation.BROOKLYN} is the Brooklyn Bridge"
        yield f"the Main Bridge and the Brooklyn Bridge are both entered at {space}; {brooklyn} [7.2]"
    for key, title in BRIDGES.items():
        space = told.bridges.get(key, "")
        named = [place for place, ground in told.grounds.items() if ground.name.casefold() == title.casefold()]
        if space and told.lacks(space):
            yield f"the {title} is entered at {space}, where the map has no space: enter one of the two again [14.7]"
        if space and named and space not in named:
            yield f"the {title} is entered at {space}, and {named[0]} has its name: enter one of the two again [14.7]"
    marked = [space for space, ground in told.grounds.items() if "bridge" in ground.features]
    if len(marked) > len(BRIDGES):
        yield f"bridges are entered at {', '.join(marked)}, and the map has two: enter one of them again without [14.7]"


def _routes(told: MapFacts) -> Iterator[str]:
    """[13.0, 13.4] Routes that differ in the two directions, or join places that cannot be neighbours."""
    for key, route in told.routes.items():
        start, end = key.split("/")
        back = told.routes.get(f"{end}/{start}", route)
        if start == end:
            yield f"{start} is entered as its own neighbour: forget route:{key} [13.0]"
        elif back != route and key == notation.pair_key(start, end):
            yield f"from {start} to {end} it is {route}, and back it is {back}: enter both alike, or forget one of them [13.0]"
        elif route != state.NO_ROUTE:
            yield from _neighbours(told, start, end, route)


def _neighbours(told: MapFacts, start: str, end: str, route: str) -> Iterator[str]:
    """Why two places that were entered as neighbours cannot be."""
    entered = f"{start} and {end} are entered as neighbours"
    ends = [place for place in (start, end) if state.on_map(place)]
    for place in ends:
        if told.lacks(place):
            yield f"{entered}, and there is no space {place}: enter one of the two again [3.1]"
    if not ends:
        yield f"{entered}: from base to base no route is needed [13.4]"
    for space in ends if state.WEST_BASE in (start, end) else ():
        if notation.route_and_line(space)[1] not in notation.WEST_ENTRIES:
            lines = ", ".join(map(str, notation.WEST_ENTRIES))
            yield f"{space} and West Base are entered as neighbours: it opens on phase lines {lines} only [13.4]"
    if len(ends) == 2 and (why := _distance_fault(told, start, end)):
        yield f"{entered}, and {why}: forget route:{notation.pair_key(start, end)}, or make it none [13.0]"
    grounds = [told.grounds.get(place) for place in ends]
    bridges = {told.bridges.get("main"), notation.BROOKLYN}.intersection(ends)
    if route == state.BRIDGE and not bridges and all(ground and "bridge" not in ground.features for ground in grounds):
        yield f"{start} and {end} are entered as joined by a bridge, and neither has one: enter one of them again [14.7]"


def _distance_fault(told: MapFacts, space: str, other: str) -> str:
    """[3.1, 13.0] Why two spaces are too far apart to be neighbours; a route passes only crossings without a space."""
    (route, line), (route2, line2) = notation.route_and_line(space), notation.route_and_line(other)
    if route != route2 and line != line2:
        far = max(abs(route - route2), abs(line - line2)) > 1
        return "lie neither on one route nor on one phase line" if far else ""
    between = [place for place in notation.between(space, other) if place in told.grounds and not told.lacks(place)]
    return f"{between[0]} lies between them" if between else ""
