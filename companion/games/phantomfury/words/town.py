"""The map as far as it has been told, put together: what is Adjacent, what is Neighbouring, what lies between."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.position import FlagReader, Position
from companion.core.text import clean
from companion.games.phantomfury.names import BOX, STREET, TOLD_SECTION, TOLD_ZONE
from companion.games.phantomfury.words.locations import LOCATIONS, pair, read_location
from companion.games.phantomfury.words.streets import Streets
from companion.games.phantomfury.words.zones import CLOSED, Section, Zone, read_section, read_zone_number, told_zones


@lru_cache(maxsize=4096)
def box(zone: str) -> str:
    """The place of a Zone's Control box, with its markers [4.1.4]."""
    return BOX + zone


@lru_cache(maxsize=4096)
def street(section: str) -> str:
    """The place of a Street Section."""
    return STREET + section


def place(zone: str, location: str) -> str:
    """The place of a Location: ``14-2'``."""
    return f"{zone}-{location}"


@lru_cache(maxsize=4096)
def zone_of(where: str) -> str:
    """The Zone of a Location; "" for a Street Section, a cup or a box beside the map."""
    zone, dash, location = where.partition("-")
    return zone if dash and location in LOCATIONS else ""


@lru_cache(maxsize=4096)
def location_of(where: str) -> str:
    """The Location of a place in a Zone: ``2'`` of ``14-2'``; "" elsewhere."""
    zone, dash, location = where.partition("-")
    return location if dash and location in LOCATIONS and zone else ""


@lru_cache(maxsize=4096)
def section_of(where: str) -> str:
    """The name of a Street Section that is a place; "" elsewhere."""
    return where[len(STREET) :] if where.startswith(STREET) else ""


def read_place(text: str, zone: str = "") -> str:
    """Read ``14-2'``, ``14-2b``, or within ``zone`` only ``2'``.

    Raises:
        Unreadable: The text is no Location.
    """
    head, dash, tail = clean(text).partition("-")
    if dash:
        return place(read_zone_number(head), read_location(tail))
    if not zone:
        raise Unreadable(f"'{clean(text)}' names no Zone", rule="4.2", cure="Type Zone and Location: 14-C")
    return place(zone, read_location(head))


class Town:
    """The entered part of the map, with cached adjacency. Zones and Sections that are not entered are missing.

    Attributes:
        made: The names of the inferred Sections.
    """

    __slots__ = ("_found", "made", "sections", "zones")

    def __init__(self, zones: Mapping[str, Zone], sections: Mapping[str, Section], made: Collection[str] = ()) -> None:
        self.zones = zones
        self.sections = sections
        self.made = made
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
        zones = [zone]
        for member in zones:
            zones += [other for other in (self.zones[member].adjacent if member in self.zones else ()) if other not in zones]
        return tuple(sorted(zones, key=int))

    def between(self, one: str, other: str) -> tuple[str, ...]:
        """The Street Sections that lie between two Neighbouring Zones [13.6.5]."""
        return tuple(name for name, section in self.sections.items() if one in section.zones and other in section.zones)

    def called(self, name: str) -> str:
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
        return [
            place(zone, location)
            for zone in self.sections[section].zones
            if zone in self.zones and zone != CLOSED
            for location in self.zones[zone].doors
        ]

    def streets_at(self, where: str) -> tuple[str, ...]:
        """The Street Sections that a Location opens on: those of its Zone, if it has the entry symbol [12.5.1]."""
        printed = self.zones.get(zone_of(where))
        if printed is None or location_of(where) not in printed.doors:
            return ()
        return tuple(name for name in printed.streets if name in self.sections)

    def steps(self, where: str) -> tuple[str, ...]:
        """[12.3.1, 12.5.4] Places one Movement Point away: Adjacent Locations; through a door the street and what lies beyond;
        from a street only through a door.
        """
        return self._once(_steps, where)


def _steps(town: Town, where: str) -> tuple[str, ...]:
    section = section_of(where)
    if section:
        return tuple(town.doors(section)) if section in town.sections else ()
    return (*town.next_to(where), *(street(name) for name in town.streets_at(where)))


def _around(town: Town, zone: str) -> tuple[str, ...]:
    return (*town.adjacent(zone), *town.near(zone)) if zone in town.zones else ()


def _next_to(town: Town, where: str) -> tuple[str, ...]:
    zone, location = zone_of(where), location_of(where)
    printed = town.zones.get(zone)
    if printed is None:
        return ()
    adjacent = {
        place(zone, other): None for other in printed.locations if pair(location, other) in printed.arrows and other != location
    }
    for name in printed.adjacent:
        neighbour = town.zones.get(name)
        if neighbour is None or name == CLOSED:
            continue
        for mine, theirs in ((printed.doors, neighbour.doors), (printed.roofs, neighbour.roofs)):
            adjacent |= {place(name, other): None for other in theirs if location in mine}
    return tuple(adjacent)


@lru_cache(maxsize=64)
def _town(told: tuple[tuple[str, object], ...]) -> Town:
    return put_together(*_told(told))


@lru_cache(maxsize=64)
def _told(told: tuple[tuple[str, object], ...]) -> tuple[Mapping[str, Zone], Mapping[str, Section]]:
    return told_parts({name: str(text) for name, text in told})


def _told_flags(position: Position) -> tuple[tuple[str, object], ...]:
    return tuple([flag for flag in position.flags.items() if flag[0].startswith(_HEEDS)])


_HEEDS = (TOLD_ZONE, TOLD_SECTION)

town_of: FlagReader[Town] = FlagReader(lambda position: _town(_told_flags(position)), _HEEDS)
"""The map as entered in this session."""

_PARTS: FlagReader[tuple[Mapping[str, Zone], Mapping[str, Section]]] = FlagReader(
    lambda position: _told(_told_flags(position)), _HEEDS
)


def told_to(position: Position) -> tuple[Mapping[str, Zone], Mapping[str, Section]]:
    """The Zones and Street Sections entered in this session, each as it was entered."""
    return position.cached_from_flags(_PARTS)


def told_parts(facts: Mapping[str, str]) -> tuple[dict[str, Zone], dict[str, Section]]:
    """The Zones and Street Sections of printed facts (by full key), each as it was entered."""
    zones = told_zones({name[len(TOLD_ZONE) :]: text for name, text in facts.items() if name.startswith(TOLD_ZONE)})
    sections = {name[len(TOLD_SECTION) :]: text for name, text in facts.items() if name.startswith(TOLD_SECTION)}
    return zones, {name: read_section(text) for name, text in sections.items()}


def put_together(zones: Mapping[str, Zone], sections: Mapping[str, Section]) -> Town:
    """Build the map: borders as either side says, and the inferred Street Sections. A Zone without Locations is left out."""
    streets = Streets(zones, sections)
    placed = {
        number: zone._replace(
            adjacent=streets.beside[number], streets=tuple(dict.fromkeys([*zone.streets, *streets.at(number, not zone.streets)]))
        )
        for number, zone in zones.items()
        if zone.locations
    }
    return Town(placed, streets.sections, streets.made)
