"""The entered map: Adjacent and Neighbouring Zones, and the Street Sections that follow from the Zones."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import combinations, product

from companion.core.errors import Unreadable
from companion.core.position import FlagReader, Position
from companion.core.text import clean
from companion.games.phantomfury import notation, state
from companion.games.phantomfury.notation import Section, Zone

Pair = tuple[str, str]
Sides = frozenset[str]
"""The Zones around a Section."""
_AT_ONE = 6
"""Maximum number of Zones around one Section; with more, one typing error would join separate streets."""


def ordered_pair(first: str, second: str) -> Pair:
    """Two Zones in numerical order."""
    return (first, second) if int(first) < int(second) else (second, first)


def adjacent(zones: Mapping[str, Zone]) -> dict[str, tuple[str, ...]]:
    """[4.1.1] Each Zone with the Zones that share a border with it: as entered, or as the others say."""
    named: dict[str, list[str]] = {number: [] for number in zones}
    for number, zone in zones.items():
        for other in zone.adjacent:
            named.setdefault(other, []).append(number)
    explicit = {number: zone.adjacent for number, zone in zones.items() if zone.is_entered("adjacent")}
    return {number: explicit.get(number, tuple(sorted(others, key=int))) for number, others in named.items()}


class Streets:
    """The Street Sections between Zones, as entered (one without Zones adds details) and inferred, with names such as ``14/24``.
    ``inferred``: the names of these; ``beside``: each Zone with the Zones that share a border with it.
    """

    def __init__(self, zones: Mapping[str, Zone], sections: Mapping[str, Section]) -> None:
        self.beside = adjacent(zones)
        whole = {name: section for name, section in sections.items() if section.zones}
        exact = list(dict.fromkeys(_cut(zones)))
        self._near = _pairs(zones, self.beside) | _apart([frozenset(section.zones) for section in whole.values()], self.beside)
        self._near |= _apart([sides for sides, _ in exact], self.beside)
        side_sets = [frozenset(section.zones) for section in whole.values()] + [sides for sides, _ in exact]
        self._joined = {number: set(others) for number, others in self.beside.items()}
        for part, other in (*self._near, *((part, other) for part, others in self.beside.items() for other in others)):
            self._joined.setdefault(part, set()).add(other)
            self._joined.setdefault(other, set()).add(part)
        sides_and_edges = [*exact, *((sides, "") for sides in self._covering(side_sets)), *self._edges(zones, whole)]
        entered = {(frozenset(section.zones), _edge_of(section)) for section in whole.values()}
        sides_and_edges = [item for item in dict.fromkeys(sides_and_edges) if item not in entered]
        self._parts = {name: section for name, section in sections.items() if not section.zones}
        named = self._named(sorted(sides_and_edges, key=lambda item: (sorted(map(int, item[0])), item[1])), whole)
        self.inferred = tuple(named)
        self.sections: dict[str, Section] = {**whole, **named}
        self._around = {frozenset(section.zones) for section in self.sections.values()}
        self._join(named)

    def at(self, zone: str, with_entered: bool) -> list[str]:
        """The inferred Sections around a Zone; with ``with_entered`` also the entered ones."""
        names = self.sections if with_entered else self.inferred
        return [name for name in names if zone in self.sections[name].zones]

    def _covering(self, entered: Collection[Sides]) -> Iterator[Sides]:
        """Cover each pair of Zones across a street that no entered Section contains: by the largest group at each border that
        meets a street, otherwise by as few groups as possible. Zones at a crossing lie across from each other in pairs only.
        """
        left = {pair for pair in self._near if not any(sides.issuperset(pair) for sides in entered)}
        largest = {group for pair in left for group in self._groups(frozenset(pair))}
        groups = sorted(largest, key=lambda group: sorted(map(int, group)))
        chosen = [group for group in groups if not self._near.issuperset(_each(group))]
        yield from chosen
        left = {pair for pair in left if not any(group.issuperset(pair) for group in chosen)}
        while left:
            best = max(groups, key=lambda group: (sum(group.issuperset(pair) for pair in left), len(group)))
            left = {pair for pair in left if not best.issuperset(pair)}
            yield best

    def _groups(self, group: Sides) -> Iterator[Sides]:
        """The largest groups around some Zones."""
        others = set.intersection(*(self._joined[zone] for zone in group)) - group
        grown = False
        for other in sorted(others, key=int) if len(group) < _AT_ONE else ():
            grown = True
            yield from self._groups(group | {other})
        if not grown:
            yield group

    def _edges(self, zones: Mapping[str, Zone], whole: Mapping[str, Section]) -> Iterator[tuple[Sides, str]]:
        """The Sections along a map edge: one for each two adjoining Zones, and for each that stands alone."""
        for edge in notation.EDGES:
            on_edge = [number for number in sorted(zones, key=int) if edge in zones[number].edges]
            pairs = [pair for pair in combinations(on_edge, 2) if pair[1] in self._joined.get(pair[0], ())]
            alone = [zone for zone in on_edge if not any(zone in pair for pair in pairs)]
            yield from ((frozenset(pair), edge) for pair in pairs)
            yield from ((frozenset((zone,)), edge) for zone in alone)

    def _named(self, sides_and_edges: Iterable[tuple[Sides, str]], whole: Mapping[str, Section]) -> dict[str, Section]:
        """Name each Section after two of its Zones, preferably across from each other, and add the details entered for it."""
        named: dict[str, Section] = {}
        for sides, edge in sides_and_edges:
            zones = tuple(sorted(sides, key=int))
            names = [f"{zone}/{other}" for zone, other in sorted(combinations(zones, 2), key=lambda pair: pair not in self._near)]
            names += [f"{zone}/{edge}" for zone in zones if edge]
            name = next((candidate for candidate in names if candidate not in named and candidate not in whole), "")
            if name:
                more = self._parts.get(name, Section(()))
                north, south = more.north or edge == notation.NORTH, more.south or edge == notation.SOUTH
                named[name] = Section(zones, more.next, more.fire, north, south)
        return named

    def _join(self, named: Mapping[str, Section]) -> None:
        """[4.3.1.1] Infer which Sections are next to inferred ones, where it is not entered."""
        neighbours: dict[str, list[str]] = {name: [] for name in self.sections}
        for first, second in combinations(self.sections, 2):
            if self._meet(first, second, named):
                neighbours[first].append(second)
                neighbours[second].append(first)
        for name in named:
            if not self._parts.get(name, Section(())).next:
                self.sections[name] = self.sections[name]._replace(next=tuple(neighbours[name]))

    def _meet(self, first_name: str, second_name: str, named: Mapping[str, Section]) -> bool:
        """True if two Sections are inferred to be next to each other: between the same two Zones across a street (unless another
        Section lies between), at a crossing, or along a map edge.
        """
        first, second = self.sections[first_name], self.sections[second_name]
        for section, name in ((first, second_name), (second, first_name)):
            if section.next:
                return name in section.next
        if first_name not in named and second_name not in named:
            return False
        shared = frozenset(first.zones) & frozenset(second.zones)
        if (first.north and second.north) or (first.south and second.south):
            return bool(shared)
        if any(pair in self._near for pair in _each(shared)):
            between = Section(tuple(sorted(shared, key=int)))
            others = [side for name, side in self.sections.items() if name not in (first_name, second_name)]
            return not any(side[:1] + side[3:] == between[:1] + between[3:] for side in others)
        return any(self._corner(zone, first, second) for zone in shared)

    def _corner(self, zone: str, section: Section, other: Section) -> bool:
        """True if two Sections meet at a crossing at a corner of the Zone: beyond them two Zones lie across from it and from each
        other, and no Section has all three.
        """

        def faces(first: str, second: str) -> bool:
            return first != second and ordered_pair(first, second) in self._near

        across = [[number for number in side.zones if faces(zone, number)] for side in (section, other)]
        facing = [pair for pair in product(*across) if faces(*pair)]
        return any(not any(sides.issuperset((zone, *pair)) for sides in self._around) for pair in facing)


def _edge_of(section: Section) -> str:
    return notation.NORTH if section.north else notation.SOUTH if section.south else ""


def _each(zones: Iterable[str]) -> Iterator[Pair]:
    return combinations(sorted(zones, key=int), 2)


def _pairs(zones: Mapping[str, Zone], beside: Mapping[str, Collection[str]]) -> set[Pair]:
    """[4.1.2] Pairs of Zones entered as lying across a street."""
    pairs = set()
    for number, zone in zones.items():
        words = [word for street in zone.across() for word in street]
        across = [word for word in words if word.isdecimal() and "/" not in zone.near]
        if notation.EGRESS in words:
            across += [other for other in zone.egress if other.isdecimal() and other not in beside[number]]
        pairs |= {ordered_pair(number, other) for other in across if other != number}
    return pairs


def _cut(zones: Mapping[str, Zone]) -> Iterator[tuple[Sides, str]]:
    """The Sections entered street by street in the line of a Zone, each with its map edge."""
    for number, zone in zones.items():
        for words in zone.across() if "/" in zone.near else ():
            sides = frozenset([number, *(word for word in words if word.isdecimal())])
            edge = next((word for word in words if word in notation.EDGES), "")
            if len(sides) > 1 or edge:
                yield sides, edge


def _apart(groups: Iterable[Sides], beside: Mapping[str, Collection[str]]) -> set[Pair]:
    """[4.1.2] Pairs of Zones at one Section that share no border."""
    return {pair for group in groups for pair in _each(group) if pair[1] not in beside.get(pair[0], ())}


def read_place(text: str, zone: str = "") -> str:
    """Read ``14-2'``, ``14-2b``, or within ``zone`` only ``2'``. Raises Unreadable."""
    head, dash, tail = clean(text).partition("-")
    if dash:
        return state.place(notation.read_zone_number(head), notation.read_location(tail))
    if not zone:
        raise Unreadable(f"'{clean(text)}' names no Zone", rule="4.2", cure="Type Zone and Location: 14-C")
    return state.place(zone, notation.read_location(head))


class Town:
    """The entered part of the map, with cached adjacency. Zones and Sections that are not entered are missing."""

    __slots__ = ("_found", "inferred", "sections", "zones")

    def __init__(self, zones: Mapping[str, Zone], sections: Mapping[str, Section], made: Collection[str] = ()) -> None:
        self.zones = zones
        self.sections = sections
        self.inferred = made
        self._found: dict[tuple[Callable[[Town, str], tuple[str, ...]], str], tuple[str, ...]] = {}

    def _once(self, look: Callable[[Town, str], tuple[str, ...]], where: str) -> tuple[str, ...]:
        key = look, where
        if key not in self._found:
            self._found[key] = look(self, where)
        return self._found[key]

    def adjacent(self, zone: str) -> tuple[str, ...]:
        """[4.1.1] Zones that share a border."""
        return self.zones[zone].adjacent

    def near(self, zone: str) -> tuple[str, ...]:
        """[4.1.2] Neighbouring Zones: those at the same Street Sections that are not Adjacent."""
        printed = self.zones[zone]
        across = {other for name in printed.streets if name in self.sections for other in self.sections[name].zones}
        return tuple(sorted(across - {zone, *printed.adjacent}, key=int))

    def around(self, zone: str) -> tuple[str, ...]:
        """Adjacent and Neighbouring Zones."""
        return self._once(_around, zone)

    def block(self, zone: str) -> tuple[str, ...]:
        """[4.4] The Zones of a Block, with the Zone itself: those listed, or all connected ones."""
        listed = self.zones[zone].block
        if listed:
            return tuple(sorted({zone, *listed}, key=int))
        from companion.core.graph import distances  # not at start-up, where no Block is asked for

        connected = distances([zone], lambda number: self.zones[number].adjacent if number in self.zones else ())
        return tuple(sorted(connected, key=int))

    def between(self, zone: str, neighbour: str) -> tuple[str, ...]:
        """The Street Sections that lie between two Neighbouring Zones [13.6.5]."""
        return tuple(name for name, section in self.sections.items() if zone in section.zones and neighbour in section.zones)

    def current_name(self, name: str) -> str:
        """The current name of a Street Section that is named after two of its Zones, such as ``2/15`` for ``2/14``."""
        pair = name.split("/")
        if name in self.sections or len(pair) != 2:
            return name
        names = [name for name, section in self.sections.items() if set(pair) <= set(section.zones)]
        return names[0] if len(names) == 1 else name

    def next_to(self, where: str) -> tuple[str, ...]:
        """[4.2.2] The Locations Adjacent to a Location: by an arrow, or by equal symbols in an Adjacent Zone."""
        return self._once(_next_to, where)

    def doors(self, section: str) -> list[str]:
        """[4.3.1.1] The Locations with an entry symbol at a Street Section."""
        zones = [zone for zone in self.sections[section].zones if zone in self.zones and zone != notation.CLOSED]
        return [state.place(zone, location) for zone in zones for location in self.zones[zone].doors]

    def streets_at(self, where: str) -> tuple[str, ...]:
        """The Street Sections that a Location opens on: those of its Zone, if it has the entry symbol [12.5.1]."""
        printed = self.zones.get(state.zone_of(where))
        if printed is None or state.location_of(where) not in printed.doors:
            return ()
        return tuple(name for name in printed.streets if name in self.sections)

    def steps(self, where: str) -> tuple[str, ...]:
        """[12.3.1, 12.5.4] Places one Movement Point away; doors lead to a street and beyond, a street only through doors."""
        return self._once(_steps, where)


def _steps(town: Town, where: str) -> tuple[str, ...]:
    section = state.section_of(where)
    if section:
        return tuple(town.doors(section)) if section in town.sections else ()
    return (*town.next_to(where), *(state.street(name) for name in town.streets_at(where)))


def _around(town: Town, zone: str) -> tuple[str, ...]:
    return (*town.adjacent(zone), *town.near(zone)) if zone in town.zones else ()


def _next_to(town: Town, where: str) -> tuple[str, ...]:
    zone, location = state.zone_of(where), state.location_of(where)
    printed = town.zones.get(zone)
    if printed is None:
        return ()
    others = [other for other in printed.locations if other != location]
    linked = [other for other in others if notation.ordered_locations(location, other) in printed.arrows]
    adjacent = dict.fromkeys(state.place(zone, other) for other in linked)
    for name in printed.adjacent:
        neighbour = town.zones.get(name)
        if neighbour is None or name == notation.CLOSED:
            continue
        for mine, theirs in ((printed.doors, neighbour.doors), (printed.roofs, neighbour.roofs)):
            adjacent |= {state.place(name, other): None for other in theirs if location in mine}
    return tuple(adjacent)


@lru_cache(maxsize=64)
def _town(flags: tuple[tuple[str, object], ...]) -> Town:
    return build_town(*_entered_parts(flags))


@lru_cache(maxsize=64)
def _entered_parts(flags: tuple[tuple[str, object], ...]) -> tuple[Mapping[str, Zone], Mapping[str, Section]]:
    return map_facts({name: str(text) for name, text in flags})


def _map_flags(position: Position) -> tuple[tuple[str, object], ...]:
    return tuple([flag for flag in position.flags.items() if flag[0].startswith(_HEEDS)])


_HEEDS = (state.TOLD_ZONE, state.TOLD_SECTION)

town_of: FlagReader[Town] = FlagReader(lambda position: _town(_map_flags(position)), _HEEDS)
"""The map as entered in this session."""

_PARTS: FlagReader[tuple[Mapping[str, Zone], Mapping[str, Section]]] = FlagReader(
    lambda position: _entered_parts(_map_flags(position)), _HEEDS
)


def entered_map(position: Position) -> tuple[Mapping[str, Zone], Mapping[str, Section]]:
    """The Zones and Street Sections entered in this session, each as it was entered."""
    return position.cached_from_flags(_PARTS)


def map_facts(facts: Mapping[str, str]) -> tuple[dict[str, Zone], dict[str, Section]]:
    """The Zones and Street Sections of printed facts (by full key), each as it was entered."""
    zones, sections = (
        {key.removeprefix(head): text for key, text in facts.items() if key.startswith(head)}
        for head in (state.TOLD_ZONE, state.TOLD_SECTION)
    )
    return notation.zone_facts(zones), {name: notation.read_section(text) for name, text in sections.items()}


def build_town(zones: Mapping[str, Zone], sections: Mapping[str, Section]) -> Town:
    """Build the map: borders as either side says, and the inferred Street Sections. A Zone without Locations is left out."""
    streets = Streets(zones, sections)
    placed: dict[str, Zone] = {}
    for number, zone in zones.items():
        if zone.locations:
            names = dict.fromkeys([*zone.streets, *streets.at(number, not zone.streets)])
            placed[number] = zone._replace(adjacent=streets.beside[number], streets=tuple(names))
    return Town(placed, streets.sections, streets.inferred)
