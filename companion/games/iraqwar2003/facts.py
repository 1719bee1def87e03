"""Values printed only on the components: their notation, and contradictions between entered map facts [2.1]."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from companion.core.errors import Unreadable
from companion.core.game import Fact
from companion.core.hexes import read_hex
from companion.core.notation import Notation, whole_number
from companion.core.text import clean, plural, split_list
from companion.games.iraqwar2003 import notation
from companion.games.iraqwar2003.land import (
    AREA,
    AREAS,
    BORDER,
    BORDERS,
    CITIES,
    CITY,
    GIVEN,
    GROUND,
    JOINED,
    LOW,
    MAJOR,
    ORIENTATION,
    PORTS,
    SEA,
    START,
    STARTS,
    WATER,
    YES,
    Land,
    border_rows,
    may_be_adjacent,
    pair,
    read_ground,
)

ROSTERS = ("us", "british", "carriers", "naval", "iraqi")
TERRAINS = ("swamp", "minor_city", "major_city", "mega_city", "other")
PALACE_KINDS = ("saddam", "sahaf", "dummy")

FIGURES = {"F-15 air": "5", "carrier air": "4", "MiG-23 air": "3", "Su-20 air": "0", "B-1 bombing": "5"}
"""Printed values shown in the rulebook's figures and examples [5.5, 5.7]."""


def _roster_entry(part: str) -> str:
    """Normalise ``F-15`` or ``F-15 5-2-4``: a name and, if given, its values."""
    words = part.split()
    for count in (2, 1):
        if len(words) > count:
            try:
                return f"{' '.join(words[:-count])} {notation.read_air(' '.join(words[-count:]))}"
            except Unreadable:
                continue
    return part


def roster_parts(text: str, roster: str = "", others: Collection[str] = ()) -> list[tuple[str, str]]:
    """Split a roster into names and values; values are "" if not given, and repeated names are numbered.

    Args:
        text: The roster.
        roster: Its id, used as a prefix for names that are among `others`.
        others: Names of units of other rosters.
    """
    parts: list[tuple[str, str]] = []
    seen: dict[str, int] = {}
    for part in split_list(clean(text)):
        words = _roster_entry(part).split()
        size = next((count for count in (2, 1) if len(words) > count and _is_air(" ".join(words[-count:]))), 0)
        name = " ".join(words[: len(words) - size])[:40]
        name = f"{roster} {name}" if name in others else name
        seen[name] = seen.get(name, 0) + 1
        parts.append((name if seen[name] == 1 else f"{name} ({seen[name]})", " ".join(words[len(words) - size :])))
    return parts


def _is_air(text: str) -> bool:
    try:
        notation.read_air(text)
    except Unreadable:
        return False
    return True


def _read_roster(text: str) -> str:
    parts = [_roster_entry(part) for part in split_list(clean(text))]
    if not 1 <= len(parts) <= 40 or any(sign in text for sign in "+:#"):
        fault = f"{plural(len(parts), 'unit')} named, or a sign among + : #"
        raise Unreadable(fault, rule="3.0", cure="Type names with commas between")
    return ", ".join(parts)


def _check_roster(text: str) -> None:
    """Reject values that are not three numbers, which would become part of a name. Raises Unreadable."""
    for name, _ in roster_parts(text):
        last = name.split()[-1] if name.split() else ""
        if " " in name and last.replace("-", "").isdecimal() and "-" in last:
            cure = "Three numbers, like this: F-15 5-2-4; a name that ends so has no blank before it"
            raise Unreadable(f"'{last}' does not give the values of an air unit", rule="2.3", cure=cure)


def _describe_roster(value: str) -> str:
    parts = roster_parts(value)
    return f"{plural(len(parts), 'unit')}, {sum(bool(values) for _, values in parts)} of them with values"


ROSTER = Notation(
    "list of units", "F-15 5-2-4, F-18, B-2 0-0-4 stealth", _read_roster, check_doubtful=_check_roster, describe=_describe_roster
)
TURNS = whole_number("number of turns", 2, 40)._replace(example="10")

FACTS = (
    Fact("turns", "Number of boxes on the Turn Track", "2.1.5(1)", TURNS, single=True),
    Fact(
        "radar",
        "AA Fire (and Radar) boxes of each radar site on the Air Operation Display",
        "6.1.2",
        notation.RADAR_SITE,
        notation.SECTORS,
    ),
    Fact(
        "site",
        "Sector and boxes of the Communication Site and of the Air Base",
        "6.1.2",
        notation.SITE_NOTATION,
        (notation.COMM, notation.BASE),
    ),
    Fact("roster", "Names of the air, carrier and naval units, with commas between", "3.0", ROSTER, ROSTERS),
    Fact(
        "air",
        "Air units by name: air combat-ground support-bombing, stealth for a white silhouette",
        "2.3",
        notation.AIR_NOTATION,
    ),
    Fact("figure", "Air values that the rulebook's figures show", "5.5", whole_number("value", 0, 9), (), False, FIGURES),
    Fact("unit", "Ground combat units by name, as printed on the counter", "2.2", notation.UNIT_NOTATION),
    Fact(
        "crt", "Combat Results Chart: the six results of a column, die 1 to 6", "13.4", notation.COLUMN_NOTATION, notation.LADDER
    ),
    Fact(
        "terrain",
        "Terrain Effect Chart: columns left (the number before L) by terrain of the defender",
        "13.3(5)",
        whole_number("number of columns", 0, 5),
        (*TERRAINS, "mountain", "plain"),
        False,
        {"mountain": "1", "plain": "0"},
    ),
    Fact("orientation", "Which of the two hexes of Baghdad lies half a hex lower", "2.1", LOW),
    Fact("hex", "Terrain and name of a hex of the map", "2.1.1(2)", GROUND, rulebook_values=GIVEN),
    Fact("side", "Water between two neighbouring hexes", "12.2", WATER),
    Fact("road", "Whether a road crosses the side between two neighbouring hexes", "12.4", JOINED),
    Fact("rail", "Whether the railroad crosses the side between two neighbouring hexes", "16.7", JOINED),
    Fact("area", "All hexes of Kuwait and of the two Kurdish areas", "3.0", AREA),
    Fact("border", "Hexes that a border of air sectors runs through, from west to east", "2.1.1(4)", BORDER),
    Fact("at", "Hex where a ground combat unit begins, by its name", "3.0", START),
    Fact("palace", "How many Presidential Palace markers of each kind", "16.1(1)", whole_number("markers", 0, 8), PALACE_KINDS),
)

# -- [2.1] Contradictions ----------------------------------------------------------------------------------------------

_PAIRS = ("side", "road", "rail")


def contradictions(facts: Mapping[str, str]) -> Iterator[str]:
    """Yield each contradiction between facts, with its rule and cure.

    Args:
        facts: Full key to value, each in its notation.
    """
    land = Land(facts)
    yield from _keys(facts)
    yield from _start_hexes(facts, land)
    yield from _sides(facts, land)
    yield from _names(facts)
    yield from _cities(facts)
    yield from _areas(facts)
    yield from _borders(facts)


def _keys(facts: Mapping[str, str]) -> Iterator[str]:
    """Keys that do not exist: unknown areas, invalid hex numbers."""
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


def _start_hexes(facts: Mapping[str, str], land: Land) -> Iterator[str]:
    """Ground units that start in a sea hex [3.0, 12.2(5)]."""
    for key, number in facts.items():
        kind, _, name = key.partition(":")
        if kind == "at" and land.ground(number).ground == SEA:
            yield f"{name} was entered to begin in {number}, which was entered as sea: enter one of the two again [3.0]"


def _sides(facts: Mapping[str, str], land: Land) -> Iterator[str]:
    """Facts about two hexes that are not adjacent, and roads across all-water sides."""
    for key, value in facts.items():
        kind, _, tail = key.partition(":")
        first, _, second = tail.partition("-")
        if kind not in _PAIRS or not (first.isdecimal() and second.isdecimal() and len(tail) == 9):
            continue
        if first == second:
            yield f"{first} cannot be its own neighbour: name two hexes [2.1]"
        elif tail != pair(first, second):
            yield f"{key} stands the wrong way round: {kind}:{pair(first, second)} [2.1]"
        elif not may_be_adjacent(first, second):
            yield f"{first} and {second} were entered as neighbours and are not: name two that touch [2.1]"
        elif land.adjacent(first, second) is False:
            low = facts[ORIENTATION]
            text = f"{first} and {second} were entered as neighbours and are not while {low} lies lower in Baghdad"
            yield f"{text}: enter them again, or {ORIENTATION} [2.1]"
        elif kind != "side" and value == YES and land.water(first, second) == SEA:
            yield f"a {kind} from {first} to {second}, where there is nothing but water: enter one of the two again [12.2(5)]"


def _names(facts: Mapping[str, str]) -> Iterator[str]:
    """One name in two hexes, and hexes whose name differs from the rulebook's [15.2]."""
    hexes = {read_ground(value).name: number for number, value in GIVEN.items()}
    for key, value in facts.items():
        kind, _, number = key.partition(":")
        name = read_ground(value).name if kind == "hex" else ""
        if not name:
            continue
        given = read_ground(GIVEN[number]).name if number in GIVEN else ""
        if given and name != given:
            yield f"{number} has two names, {given} by the rulebook and {name}: enter it without [15.2]"
        elif hexes.setdefault(name, number) != number:
            yield f"{name} was entered in {hexes[name]} and in {number}: enter one of the two again [15.2]"


def _cities(facts: Mapping[str, str]) -> Iterator[str]:
    """Cities of the rulebook entered as other terrain [15.2]."""
    for key, value in facts.items():
        kind, _, number = key.partition(":")
        if kind != "hex":
            continue
        entered = read_ground(value)
        given = read_ground(GIVEN[number]) if number in GIVEN else entered
        expected = given.ground if number in GIVEN else "major city" if entered.name in MAJOR else ""
        if expected and entered.ground and not _is_compatible(entered.ground, expected):
            yield f"{number} was entered as {entered.ground}, and the rulebook has {given.name} as a {expected} [15.2]"
        if entered.name in PORTS and entered.ground == SEA:
            yield f"{entered.name} was entered in the sea [15.2]"


def _is_compatible(entered: str, expected: str) -> bool:
    return entered in CITIES if expected == CITY else entered in (expected, CITY)


def _areas(facts: Mapping[str, str]) -> Iterator[str]:
    """Areas without their start city, and hexes in two areas [3.0, 10.0(2)]."""
    entered = {area: facts[f"area:{area}"].split() for area in AREAS if f"area:{area}" in facts}
    for number, area in STARTS.items():
        if area in entered and number not in entered[area]:
            yield f"{area} was entered without {number}, {read_ground(GIVEN[number]).name}: add it [10.0(2)]"
    seen: dict[str, str] = {}
    for area, numbers in entered.items():
        for number in numbers:
            if seen.setdefault(number, area) != area:
                yield f"{number} was entered in {seen[number]} and in {area} [3.0]"
            elif number in GIVEN and number != "3339" and STARTS.get(number) != area:
                yield f"{number}, {read_ground(GIVEN[number]).name}, was entered in {area} [3.0]"


def _borders(facts: Mapping[str, str]) -> Iterator[str]:
    """A southern sector border north of the northern one [2.1.1(4)]."""
    north, south = (border_rows(facts.get(f"border:{border}", "")) for border in BORDERS)
    for column in north.keys() & south.keys():
        if south[column] <= north[column]:
            yield f"in column {column:02} {BORDERS[1]} runs no further south than {BORDERS[0]} [2.1.1(4)]"
            return
