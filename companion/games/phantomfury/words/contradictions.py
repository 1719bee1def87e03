"""[4.1] What cannot be on one map, of what was told of its Zones and Street Sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache

from companion.games.phantomfury.words.streets import Streets
from companion.games.phantomfury.words.town import Town, put_together
from companion.games.phantomfury.words.zones import BLACK, CLOSED, EGRESS, MOSQUE, Section, Zone

Fault = tuple[str, str]
"""(what, rule): a contradiction."""
_BLOCK = 3
"""Maximum number of Zones in a Block [4.4]."""


def may_be_black(number: str, zones: Mapping[str, Zone]) -> bool:
    """[6.2] True if a Zone can have a black circle, given the Zones entered."""
    others = [name for name, zone in zones.items() if zone.black and name != number]
    return len(others) < BLACK and number not in (MOSQUE, CLOSED)


def contradictions(zones: Mapping[str, Zone], sections: Mapping[str, Section]) -> list[Fault]:
    """Contradictions between entered Zones and Sections, each pair once."""
    return list(_contradictions(tuple(zones.items()), tuple(sections.items())))


@lru_cache(maxsize=128)
def _contradictions(told: tuple[tuple[str, Zone], ...], streets_told: tuple[tuple[str, Section], ...]) -> tuple[Fault, ...]:
    """Cached: an action that enters much of the map is replayed after a refusal."""
    zones, sections = dict(told), dict(streets_told)
    faults: list[Fault] = []
    streets, town = Streets(zones, sections), put_together(zones, sections)
    for number, zone in sorted(zones.items(), key=lambda item: int(item[0])):
        faults += _borders(number, zone, zones)
        faults += _across(number, zone, zones, sections, streets)
        faults += _routes(number, zone, streets)
        faults += _block(number, zone, town)
    for name, section in sorted(sections.items()):
        faults += _of_section(name, section, zones, sections, streets)
    faults += _twins(sections)
    black = [number for number in sorted(zones, key=int) if zones[number].black]
    if len(black) > BLACK:
        faults.append((f"nine Zones have a black circle, not {len(black)} ({', '.join(black)})", "6.2"))
    faults += [(f"Zone {number} has no black circle", "6.2") for number in black if number in (MOSQUE, CLOSED)]
    return tuple(dict.fromkeys(faults))


def _borders(number: str, zone: Zone, zones: Mapping[str, Zone]) -> Iterator[Fault]:
    for other in zone.adjacent:
        if other == number:
            yield f"Zone {number} is Adjacent to itself", "4.1.1"
        elif other in zones and zones[other].told("adjacent") and number not in zones[other].adjacent:
            yield f"Zone {number} names {other} as Adjacent, but {other} does not name {number}", "4.1.1"


def _across(
    number: str, zone: Zone, zones: Mapping[str, Zone], sections: Mapping[str, Section], streets: Streets
) -> Iterator[Fault]:
    """[4.1.2, 4.3.1.1] Contradictions about the streets at the sides of a Zone."""
    for name in zone.streets:
        if name in sections and sections[name].zones and number not in sections[name].zones:
            yield f"Zone {number} lies at Section {name}, but {name} does not name Zone {number}", "4.3.1.1"
    for other in () if "/" in zone.near else filter(str.isdecimal, zone.near):
        if other == number:
            yield f"Zone {number} lies across a street from itself", "4.1.2"
        elif other in streets.beside.get(number, ()):
            yield f"Zone {number} names {other} across a street, and shares a border with it", "4.1.2"
        elif other in zones and _closed(other, number, zones[other], sections):
            yield f"Zone {number} names {other} across a street, but no street of Zone {other} leads there", "4.1.2"


def _closed(number: str, across: str, zone: Zone, sections: Mapping[str, Section]) -> bool:
    """True if all named streets of a Zone are entered and none leads across to the other Zone."""
    sides = [sections[name].zones for name in zone.streets if name in sections]
    return bool(sides) and len(sides) == len(zone.streets) and not any(across in side for side in sides)


def _routes(number: str, zone: Zone, streets: Streets) -> Iterator[Fault]:
    """[4.1.7] Egress Routes that lead to Zones neither Adjacent nor Neighbouring."""
    across = {other for section in streets.sections.values() if number in section.zones for other in section.zones}
    complete = all(name in streets.sections for name in zone.streets)  # one without streets has no Neighbours [4.1.2]
    for other in filter(str.isdecimal, zone.egress):
        if other == number:
            yield f"Zone {number} has an Egress Route to itself", "4.1.7"
        elif other not in (*streets.beside[number], *across) and complete and EGRESS not in zone.near:
            yield f"Zone {number} has an Egress Route to {other}, which is neither Adjacent nor Neighbouring", "4.1.7"


def _block(number: str, zone: Zone, town: Town) -> Iterator[Fault]:
    """[4.4] Blocks that are too large or inconsistent."""
    if number not in town.zones:
        return
    block = town.block(number)
    if len(block) > _BLOCK:
        yield f"a Block has 3 Zones at most, that of Zone {number} {len(block)} ({', '.join(block)})", "4.4"
    for other in zone.block:
        if other in town.zones and town.block(other) != block:
            yield f"Zones {number} and {other} do not agree on their Block", "4.4"


def _of_section(
    name: str, section: Section, zones: Mapping[str, Zone], sections: Mapping[str, Section], streets: Streets
) -> Iterator[Fault]:
    for other in section.next:
        if other == name:
            yield f"Section {name} is next to itself", "4.3.1.1"
        elif other in sections and sections[other].next and name not in sections[other].next:
            yield f"Section {name} names Section {other} as next to it, but {other} does not name {name}", "4.3.1.1"
    for other in section.zones:
        if other in zones and zones[other].streets and name not in zones[other].streets:
            yield f"Section {name} lies at Zone {other}, but Zone {other} does not list it among its streets", "4.3.1.1"
    if name not in streets.sections:
        yield f"no Zone lies at a Section {name}, and the Zones around it are not entered", "4.3.1.1"


def _twins(sections: Mapping[str, Section]) -> Iterator[Fault]:
    """[4.3] Two names for one Section: equal Zones, edges, lines of fire and next Sections."""
    seen: dict[Section, str] = {}
    for name, section in sorted(sections.items()):
        if section.zones and section.next:
            first = seen.setdefault(section._replace(next=tuple(sorted(section.next))), name)
            if first != name:
                yield f"Sections {first} and {name} are one and the same: {section}", "4.3"
