"""[2.1] What cannot be true together among the facts of the map that an owner has told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from companion.core.errors import Unreadable
from companion.core.hexes import read_hex
from companion.games.iraqwar2003.words.land import (
    AREAS,
    BORDERS,
    CITIES,
    CITY,
    GIVEN,
    MAJOR,
    ORIENTATION,
    PORTS,
    SEA,
    STARTS,
    YES,
    Land,
    border_rows,
    could_touch,
    pair,
    read_ground,
)

_PAIRS = ("side", "road", "rail")


def contradictions(facts: Mapping[str, str]) -> Iterator[str]:
    """Each contradiction in words, with its rule and the cure.

    Args:
        facts: full key -> value, each in its notation.
    """
    land = Land(facts)
    yield from _keys(facts)
    yield from _begun(facts, land)
    yield from _sides(facts, land)
    yield from _names(facts)
    yield from _cities(facts)
    yield from _areas(facts)
    yield from _borders(facts)


def _keys(facts: Mapping[str, str]) -> Iterator[str]:
    """Keys of facts that no map can have: no number, no such area."""
    lists = {"area": AREAS, "border": BORDERS, "orientation": (ORIENTATION.partition(":")[2],)}
    for key in facts:
        kind, _, tail = key.partition(":")
        if kind in lists and tail not in lists[kind]:
            yield f"there is no {kind} '{tail}', but {', '.join(lists[kind])} [2.1]"
        numbers = [tail] if kind == "hex" else tail.split("-") if kind in _PAIRS else []
        for number in numbers:
            try:
                read_hex(number)
            except Unreadable as fault:
                yield f"{key}: {fault.message}: type four digits, column and row [2.1]"


def _begun(facts: Mapping[str, str], land: Land) -> Iterator[str]:
    """Ground units that begin on the water [3.0, 12.2(5)]."""
    for key, number in facts.items():
        kind, _, name = key.partition(":")
        if kind == "at" and land.ground(number).ground == SEA:
            yield f"{name} was entered to begin in {number}, which was entered as sea: enter one of the two again [3.0]"


def _sides(facts: Mapping[str, str], land: Land) -> Iterator[str]:
    """Facts of two hexes that are no neighbours, or that say that a road crosses nothing but water."""
    for key, value in facts.items():
        kind, _, tail = key.partition(":")
        one, _, other = tail.partition("-")
        if kind not in _PAIRS or not (one.isdecimal() and other.isdecimal() and len(tail) == 9):
            continue
        if one == other:
            yield f"{one} cannot be its own neighbour: name two hexes [2.1]"
        elif tail != pair(one, other):
            yield f"{key} stands the wrong way round: {kind}:{pair(one, other)} [2.1]"
        elif not could_touch(one, other):
            yield f"{one} and {other} were entered as neighbours and are not: name two that touch [2.1]"
        elif land.adjacent(one, other) is False:
            low = facts[ORIENTATION]
            text = f"{one} and {other} were entered as neighbours and are not while {low} lies lower in Baghdad"
            yield f"{text}: enter them again, or {ORIENTATION} [2.1]"
        elif kind != "side" and value == YES and land.water(one, other) == SEA:
            yield f"a {kind} from {one} to {other}, where there is nothing but water: enter one of the two again [12.2(5)]"


def _names(facts: Mapping[str, str]) -> Iterator[str]:
    """One name at two hexes, and a hex that the rulebook names with another name [15.2]."""
    at = {read_ground(value).name: number for number, value in GIVEN.items()}
    for key, value in facts.items():
        kind, _, number = key.partition(":")
        name = read_ground(value).name if kind == "hex" else ""
        if not name:
            continue
        given = read_ground(GIVEN[number]).name if number in GIVEN else ""
        if given and name != given:
            yield f"{number} has two names, {given} by the rulebook and {name}: enter it without [15.2]"
        elif at.setdefault(name, number) != number:
            yield f"{name} was entered in {at[name]} and in {number}: enter one of the two again [15.2]"


def _cities(facts: Mapping[str, str]) -> Iterator[str]:
    """Cities of the rulebook that are told as something else [15.2]."""
    for key, value in facts.items():
        kind, _, number = key.partition(":")
        if kind != "hex":
            continue
        told = read_ground(value)
        given = read_ground(GIVEN[number]) if number in GIVEN else told
        known = given.ground if number in GIVEN else "major city" if told.name in MAJOR else ""
        if known and told.ground and not _fits(told.ground, known):
            yield f"{number} was entered as {told.ground}, and the rulebook has {given.name} as a {known} [15.2]"
        if told.name in PORTS and told.ground == SEA:
            yield f"{told.name} was entered in the sea [15.2]"


def _fits(told: str, known: str) -> bool:
    return told in CITIES if known == CITY else told in (known, CITY)


def _areas(facts: Mapping[str, str]) -> Iterator[str]:
    """Areas that lack the city that they begin with, or share a hex [3.0, 10.0(2)]."""
    told = {area: facts[f"area:{area}"].split() for area in AREAS if f"area:{area}" in facts}
    for number, area in STARTS.items():
        if area in told and number not in told[area]:
            yield f"{area} was entered without {number}, {read_ground(GIVEN[number]).name}: add it [10.0(2)]"
    seen: dict[str, str] = {}
    for area, numbers in told.items():
        for number in numbers:
            if seen.setdefault(number, area) != area:
                yield f"{number} was entered in {seen[number]} and in {area} [3.0]"
            elif number in GIVEN and number != "3339" and STARTS.get(number) != area:
                yield f"{number}, {read_ground(GIVEN[number]).name}, was entered in {area} [3.0]"


def _borders(facts: Mapping[str, str]) -> Iterator[str]:
    """The southern border north of the northern one [2.1.1(4)]."""
    north, south = (border_rows(facts.get(f"border:{border}", "")) for border in BORDERS)
    for column in north.keys() & south.keys():
        if south[column] <= north[column]:
            yield f"in column {column:02} {BORDERS[1]} runs no further south than {BORDERS[0]} [2.1.1(4)]"
            return
