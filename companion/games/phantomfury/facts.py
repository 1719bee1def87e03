"""Values printed only on the components: how they are entered, and contradictions between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import combinations

from companion.core.errors import Unreadable
from companion.core.game import Fact
from companion.core.notation import Notation, whole_number
from companion.core.text import clean
from companion.games.phantomfury import notation, state
from companion.games.phantomfury.notation import Section, Zone
from companion.games.phantomfury.town import Streets, Town, build_town, map_facts

ZONES = notation.ZONES
SQUADS = tuple(str(number) for number in range(1, 16))
CF = whole_number("CF of a squad at full strength", 4, 6)
COUNT = whole_number("number of markers", 4, 80)

FACTS = (
    Fact("start", "The nine Zones with a black circle", "6.2", notation.START, single=True),
    Fact("insurgents", "Insurgents counters: CF as Guerillas/Martyrs, and how many", "5.2.1", state.INSURGENT_LOTS, single=True),
    Fact("suspects", "Suspect markers: the Locations on the bottom, and how many", "5.3.2.2", state.SUSPECT_LOTS, single=True),
    Fact("activated", "How many 'Activated Zone' markers the set holds", "6.1.2", COUNT, single=True),
    Fact("squad", "CF of each USMC squad, front side", "5.1.1", CF, SQUADS, rulebook_values={"1": "6", "4": "6", "12": "5"}),
    Fact("zone", "Zones: Locations, symbols, Adjacent Zones, streets, lines of fire, Egress Routes", "4.1", notation.ZONE, ZONES),
    Fact("section", "Street Sections by a name of your own: Zones around, Sections next to it, edge", "4.3", notation.SECTION),
)
"""Squads #1, #4 and #12 are stated by the printed examples of rules 11 to 13 and of game turn 3."""


EXAMPLE = "14 c.12r^ a15 n3 e24 25"
LIKE = "="
"""Prefix of a Zone number: copies the Locations of that Zone."""


def read_line(line: str, facts: Mapping[str, str]) -> tuple[str, str]:
    """Read ``14 c.12r^ a15 n3 e24 25`` (a Zone), ``2/14 next 3/15`` (a Street Section), or ``4/5`` (one between two Zones).

    Returns the full key of the fact and its value. Raises Unreadable.
    """
    head, _, rest = clean(line).partition(" ")
    zones, sections = map_facts(facts)
    if head.isdecimal():
        number = notation.read_zone_number(head)
        if not rest.strip():
            raise Unreadable(f"nothing is entered of Zone {number}", rule="4.1", cure=f"Like this: {EXAMPLE}")
        return state.TOLD_ZONE + number, str(merged_zone(number, rest, zones))
    if not head[:1].isalpha() and "/" not in head:
        raise Unreadable(f"'{head}' is neither a Zone nor a Street Section", rule="4.1", cure=f"Like this: {EXAMPLE}")
    name, section = _section(head, rest, zones, sections)
    return state.TOLD_SECTION + name, str(section)


def merged_zone(number: str, text: str, zones: Mapping[str, Zone]) -> Zone:
    """Merge what is entered about a Zone with what was entered before; ``none`` removes a part. Raises Unreadable."""
    words = (_shape(word.removeprefix(LIKE), zones) if word.startswith(LIKE) else word for word in text.split(" "))
    new = notation.read_zone(" ".join(words))
    check_self_reference(number, new)
    old = zones.get(number)
    zone = _merged(old, new) if old else new
    # Without other entries the Zones of its Egress Routes are taken to lie across its streets.
    complete = zone.streets or notation.EGRESS in zone.near or "near" in zone.none
    if complete or not zone.egress or (zone.near and all(route in zone.near for route in zone.egress)):
        return zone
    return zone._replace(near=(notation.EGRESS, *zone.near))


def check_self_reference(number: str, zone: Zone) -> None:
    """Raise Unreadable if a Zone names itself."""
    for part, others in zone.parts():
        if number in others:
            cure = f"Take {number} out of: {part} {' '.join(others)}"
            raise Unreadable(f"Zone {number} cannot name itself: {part}", rule="4.1", cure=cure)


def _shape(number: str, zones: Mapping[str, Zone]) -> str:
    """The Locations of another Zone, for ``=13``. Raises Unreadable if they are not entered."""
    like = zones.get(notation.read_zone_number(number))
    if like is None or not like.locations:
        raise Unreadable(f"the Locations of Zone {number} are not entered", rule="4.2.1", cure="Enter them: c.12r^")
    shape = [" ".join(notation.chains_of(like.locations, like.arrows))]
    shape += [f"{part} {' '.join(symbols)}" for part, symbols in like.parts()[:2] if symbols]
    return f"{'; '.join(shape)};"


def _merged(old: Zone, new: Zone) -> Zone:
    """The new parts of a Zone over the old ones."""
    kept = dict(old.parts()) | {part: values for part, values in new.parts() if new.is_entered(part)}
    locations = new.locations or old.locations
    doors, roofs, adjacent, near, streets, fire, egress, block = kept.values()
    return Zone(
        locations,
        new.arrows if new.locations else old.arrows,
        tuple(location for location in doors if location in locations),
        tuple(location for location in roofs if location in locations),
        adjacent,
        near,
        streets,
        fire,
        egress,
        block,
        new.black or (old.black and "black" not in new.none),
        tuple(edge for edge in notation.EDGES if edge in new.edges or (edge in old.edges and edge not in new.none)),
        tuple(part for part in dict.fromkeys([*old.none, *new.none]) if part in kept and not kept[part]),
    )


_NEEDED = {
    "locations": ("its Locations", "4.2.1", "c.12r^ (. an entry symbol ^ a roof symbol)", notation.ZONE.example),
    "door": ("its entry symbol", "4.2.2", "c.12r^ (. an entry symbol), or: door C", notation.ZONE.example),
    "near": ("what lies across its streets", "4.1.2", "near 3 24, or near none", "near none"),
    notation.EGRESS: ("its Egress Routes", "4.1.7", "egress 24 25, or egress exit, or egress none", "egress exit"),
}
"""The parts of a Zone that rules can need: text, rule, how to type it, and an example that is always valid."""


def is_missing(zone: Zone | None, needed: str) -> bool:
    """True if the part of a Zone that a rule needs is not entered."""
    if zone is None or needed == "locations":
        return zone is None or not zone.locations
    if needed == "door":
        return not zone.doors
    return not zone.is_entered(needed) and not (needed == "near" and zone.streets)


_OTHERS = {"3": "4", "15": "16", "24": "23", "25": "26"}
"""For each Zone that the example of `notation.ZONE_CURE` names another one."""


def zone_notation(number: str, zones: Mapping[str, Zone], needed: str) -> Notation:
    """The notation of a Zone for a rule that needs a part of it."""
    what, rule, form, example = _NEEDED[needed]

    def read(text: str) -> str:
        try:
            zone = merged_zone(number, text, zones)
        except Unreadable as error:
            if error.cure == notation.ZONE_CURE and number in _OTHERS:  # a Zone does not name itself
                import re

                error.cure = re.sub(rf"(?<!\d){number}(?!\d)", _OTHERS[number], error.cure)
            raise
        if is_missing(zone, needed):
            raise Unreadable(f"nothing is said of Zone {number}, {what}", rule=rule, cure=f"Type it like this: {form}")
        return str(zone)

    return Notation("Zone", example, read)


def _read_whole(text: str) -> str:
    if not notation.read_section(text).zones:
        raise Unreadable("the Zones around the Section are missing", rule="4.3.1.1", cure="Type them first: 2 3 14 15; next a c")
    return notation.SECTION(text)


WHOLE_SECTION = notation.SECTION._replace(read=_read_whole)
"""A Street Section including the Zones around it."""


def implied_parts(number: str, zones: Mapping[str, Zone], sections: Mapping[str, Section]) -> dict[str, str]:
    """What other Zones and the Street Sections say about a Zone: ``adjacent`` and ``near``, as typed."""
    streets = Streets(zones, sections)
    beside = streets.beside.get(number, ())
    around = {other for section in streets.sections.values() if number in section.zones for other in section.zones}
    near = sorted(around - {number, *beside}, key=int)
    return {part: " ".join(words) for part, words in (("adjacent", beside), ("near", near)) if words}


def _section(head: str, rest: str, zones: Mapping[str, Zone], sections: Mapping[str, Section]) -> tuple[str, Section]:
    """Read a Section by its name, or a new one by all Zones at its sides: ``4/5``. Raises Unreadable."""
    known_sections = Streets(zones, sections).sections
    new = notation.read_section(_with_parts(rest))
    around = _named_zones(head)
    by_name = not around or (len(around) == 2 and head in known_sections and new != Section(()))
    name = notation.read_street(head if by_name else _free_name(around, new, known_sections))
    if around and not new.zones and name not in known_sections:
        new = new._replace(zones=around)
    if new == Section(()):
        raise Unreadable(f"nothing is entered of Section {name}", rule="4.3", cure="Like this: 2/14 next 3/15")
    old = sections.get(name, Section(()))
    north, south = new.north or old.north, new.south or old.south
    return name, Section(new.zones or old.zones, new.next or old.next, new.fire or old.fire, north, south)


def _named_zones(head: str) -> tuple[str, ...]:
    """The Zones of ``4/5`` or ``4/5/16``; empty for a name of the owner's own. Raises Unreadable."""
    words = head.split("/")
    if len(words) < 2 or not all(word.isdecimal() for word in words):
        return ()
    return tuple(sorted(dict.fromkeys(map(notation.read_zone_number, words)), key=int))


def _free_name(around: tuple[str, ...], new: Section, sections: Mapping[str, Section]) -> str:
    """The name of the Section around those Zones, or an unused name for it."""
    same = [name for name, section in sections.items() if section[:1] + section[3:] == (around, new.north, new.south)]
    names = [f"{zone}/{other}" for zone, other in combinations(around, 2)]
    return next((name for name in (*same, *names) if name in same or name not in sections), f"{names[0]}b")


def _with_parts(text: str) -> str:
    """The text of a Section with a semicolon before each part."""
    words = [f"; {word}" if word.casefold() in ("next", "fire", *notation.EDGES) else word for word in text.split()]
    return " ".join(words).replace("; ;", ";") or notation.UNTOLD


Fault = tuple[str, str]
"""(what, rule): a contradiction."""
_BLOCK = 3
"""Maximum number of Zones in a Block [4.4]."""


def may_be_black(number: str, zones: Mapping[str, Zone]) -> bool:
    """[6.2] True if a Zone can have a black circle, given the Zones entered."""
    others = [name for name, zone in zones.items() if zone.black and name != number]
    return len(others) < notation.BLACK and number not in (notation.MOSQUE, notation.CLOSED)


def contradictions(zones: Mapping[str, Zone], sections: Mapping[str, Section]) -> list[Fault]:
    """Contradictions between entered Zones and Sections, each pair once."""
    return list(_contradictions(tuple(zones.items()), tuple(sections.items())))


@lru_cache(maxsize=128)
def _contradictions(
    zone_items: tuple[tuple[str, Zone], ...], section_items: tuple[tuple[str, Section], ...]
) -> tuple[Fault, ...]:
    """Cached: an action that enters much of the map is replayed after a refusal."""
    zones, sections = dict(zone_items), dict(section_items)
    faults: list[Fault] = []
    streets, town = Streets(zones, sections), build_town(zones, sections)
    for number, zone in sorted(zones.items(), key=lambda item: int(item[0])):
        faults += _borders(number, zone, zones)
        faults += _across(number, zone, zones, sections, streets)
        faults += _routes(number, zone, streets)
        faults += _block_faults(number, zone, town)
    for name, section in sorted(sections.items()):
        faults += _of_section(name, section, zones, sections, streets)
    faults += _twins(sections)
    black = [number for number in sorted(zones, key=int) if zones[number].black]
    if len(black) > notation.BLACK:
        faults.append((f"nine Zones have a black circle, not {len(black)} ({', '.join(black)})", "6.2"))
    faults += [(f"Zone {number} has no black circle", "6.2") for number in black if number in (notation.MOSQUE, notation.CLOSED)]
    return tuple(dict.fromkeys(faults))


def _borders(number: str, zone: Zone, zones: Mapping[str, Zone]) -> Iterator[Fault]:
    for other in zone.adjacent:
        if other == number:
            yield f"Zone {number} is Adjacent to itself", "4.1.1"
        elif other in zones and zones[other].is_entered("adjacent") and number not in zones[other].adjacent:
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
        elif other in zones and _leads_elsewhere(other, number, zones[other], sections):
            yield f"Zone {number} names {other} across a street, but no street of Zone {other} leads there", "4.1.2"


def _leads_elsewhere(number: str, across: str, zone: Zone, sections: Mapping[str, Section]) -> bool:
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
        elif other not in (*streets.beside[number], *across) and complete and notation.EGRESS not in zone.near:
            yield f"Zone {number} has an Egress Route to {other}, which is neither Adjacent nor Neighbouring", "4.1.7"


def _block_faults(number: str, zone: Zone, town: Town) -> Iterator[Fault]:
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
