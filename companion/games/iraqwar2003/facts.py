"""Facts printed only on the components: the known map (`Land`), rosters, charts; their notation and contradictions [2.1].

The position holds each map fact as a flag under its key: ``hex:2231``, ``side:2231-2331``, ``road:2231-2331``,
``rail:2231-2331``, ``area:kuwait``, ``border:north/central`` and ``orientation:low``. Facts given by the rulebook are built
in.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from itertools import pairwise

from companion.core import hexes
from companion.core.errors import Unreadable
from companion.core.game import Fact
from companion.core.hexes import Orientation, column_row, read_hex
from companion.core.named_tuple import NamedTuple
from companion.core.notation import DIGITS, Notation, whole_number
from companion.core.position import FlagReader, Position
from companion.core.text import clean, matching_names, misspelt_name, normalised, pick_name, plural, split_list
from companion.games.iraqwar2003 import notation, state

CITY = "city"
CITIES = (CITY, "minor city", "major city", "mega city")
"""Kinds of cities; the first is a city of unknown size."""
GROUNDS = ("plain", "swamp", "mountain", *CITIES, "sea", "other")
PORT = "port"
NOTHING, MINOR, LARGE, SEA = WATERS = ("none", "minor", "large", "sea")
"""Water of a hexside: none, minor river, large river, all water [12.2]."""
YES, NO = "yes", "no"
KUWAIT, KDP_AREA, PUK_AREA = AREAS = ("kuwait", "kdp", "puk")
KURDISH_AREAS = (KDP_AREA, PUK_AREA)
BORDERS = (f"{notation.NORTH}/{notation.CENTRAL}", f"{notation.CENTRAL}/{notation.SOUTH}")
ORIENTATION = "orientation:low"
MAP_FACTS = ("orientation", "hex", "side", "road", "rail", "area", "border")
"""Kinds of printed facts that the position mirrors as flags."""
NEITHER = "neither"

MAJOR = ("Irbil", "Sulaymaniya", "Kirkuk", "Tikrit", "Karbala", "Hillah", "Najaf", "Nasiriyah")
PORTS = ("Umm Qasr", "Al Faw")
BAGHDAD = ("1321", "1421")
NAMED = (*(f"Baghdad {number}" for number in BAGHDAD), "Mosul", "Basra", *MAJOR, *PORTS, "Kuwait City")
"""Places that the rulebook describes [15.2]."""
GIVEN: Mapping[str, str] = {
    **{number: f"mega city, Baghdad {number}" for number in BAGHDAD},
    "0607": "city, Mosul",
    "3135": "city, Basra",
    "1107": "major city, Irbil",
    "1810": "major city, Sulaymaniya",
    "2332": "major city, Nasiriyah",
    "3241": "city, Kuwait City",
    "3339": "Bubiyan",
}
"""Hexes whose numbers are in the rulebook, with their terrain [3.0, 5.7(3), 10.0(2), 15.2]."""
_KUWAIT_CITY = "3241"
STARTS: Mapping[str, str] = {"1107": KDP_AREA, "1810": PUK_AREA, _KUWAIT_CITY: KUWAIT}
"""Hexes whose area is in the rulebook [3.0, 10.0(2)]."""
MAX_AREA_HEXES = 700
HEX_CURE = "Like this: major city, Najaf; or one of: " + ", ".join((*GROUNDS, PORT))


class Ground(NamedTuple):
    """The contents of a hex: one of GROUNDS ("" if unknown), whether it is a port, and its name."""

    ground: str = ""
    port: bool = False
    name: str = ""

    def __str__(self) -> str:
        return ", ".join(filter(None, (self.ground, PORT if self.port else "", self.name)))


@lru_cache(maxsize=2048)
def read_ground(text: str) -> Ground:
    """Read ``major city, Najaf``, ``swamp`` or ``port, Umm Qasr``; cities of the rulebook are major [15.2]. Raises Unreadable."""
    grounds, names, port = [], [], False
    for part in split_list(clean(text)):
        word, name = _split(part)
        port = port or word == PORT
        grounds += [word] if word in GROUNDS else []
        names += [_name(name)] if name else []
    if len(grounds) > 1 or len(names) > 1 or not (grounds or names or port):
        raise Unreadable(f"'{clean(text)}' is not the terrain of one hex", rule="2.1.1(2)", cure=HEX_CURE)
    name = names[0] if names else ""
    ground = grounds[0] if grounds else "major city" if name in MAJOR else "mega city" if name.startswith("Baghdad ") else ""
    return Ground(ground, port or name in PORTS, name)


def _split(part: str) -> tuple[str, str]:
    """Split ``major city Najaf`` into terrain and name; either may be "". Raises Ambiguous."""
    for word in sorted((*GROUNDS, PORT), key=len, reverse=True):
        if normalised(part).startswith(f"{word} "):
            return word, part[len(word) :].strip()
    if len(part) < 3 or not matching_names(part, (*GROUNDS, PORT)):
        return "", part
    return pick_name(part, (*GROUNDS, PORT), "terrain"), ""


def _name(part: str) -> str:
    """The name of a place, spelt as in the rulebook if it is there. Raises Unreadable for a probable typing error."""
    if near := misspelt_name(part, (*GROUNDS, PORT)):
        raise Unreadable(f"'{part}' is not a terrain: is it {near}?", rule="2.1.1(2)", cure=HEX_CURE)
    if part.isdecimal() or len(part) < 2:
        raise Unreadable(f"'{part}' is neither a terrain nor a name", rule="2.1.1(2)", cure=HEX_CURE)
    matches = matching_names(part, NAMED)
    return matches[0] if len(matches) == 1 else part[:40]


@lru_cache(maxsize=64)
def read_hexes(text: str) -> tuple[str, ...]:
    """Read ``3241 3140-3143, 3040``; a range runs along a column or a row. Raises Unreadable."""
    hexes_read: list[str] = []
    for part in clean(text).replace(",", " ").replace(";", " ").split():
        first, dash, last = part.partition("-")
        hexes_read += _run(read_hex(first, "2.1"), read_hex(last, "2.1")) if dash else [read_hex(first, "2.1")]
    if not 1 <= len(hexes_read) <= MAX_AREA_HEXES:
        count_text = f"{plural(len(hexes_read), 'hex', 'hexes')} named"
        raise Unreadable(count_text, rule="2.1", cure="Type their numbers with blanks between: 3241 3140-3143")
    return tuple(hexes_read)


def _run(first: str, last: str) -> list[str]:
    (column, row), (column2, row2) = column_row(first), column_row(last)
    if column != column2 and row != row2:
        cure = f"Go along one column ({first}-{column:02}{row2:02}) or one row ({first}-{column2:02}{row:02})"
        raise Unreadable(f"{first}-{last} runs neither down a column nor along a row", rule="2.1", cure=cure)
    columns = range(min(column, column2), max(column, column2) + 1)
    rows = range(min(row, row2), max(row, row2) + 1)
    return [f"{x:02}{y:02}" for x in columns for y in rows]


def pair(first: str, second: str) -> str:
    """The key of a hexside: ``2231-2331``, the lower number first."""
    return "-".join(sorted((first, second)))


def may_be_adjacent(first: str, second: str) -> bool:
    """Return True if two hexes are adjacent in one of the two orientations."""
    (column, row), (column2, row2) = column_row(first), column_row(second)
    return abs(row - row2) == 1 if column == column2 else abs(column - column2) == 1 and abs(row - row2) <= 1


def _read_low(text: str) -> str:
    word = clean(text).casefold()
    if word and NEITHER.startswith(word) and len(word) > 1:
        return NEITHER
    parity = {"odd": BAGHDAD[0], "even": BAGHDAD[1]}
    if word in (*BAGHDAD, *parity):
        return parity.get(word, word)
    cure = f"Type {BAGHDAD[1]} (even columns lie lower), {BAGHDAD[0]} (odd ones), or {NEITHER}: no number shows what is adjacent"
    raise Unreadable(f"'{clean(text)}' is neither hex of Baghdad", rule="2.1", cure=cure)


@lru_cache(maxsize=16)
def _border(text: str) -> tuple[str, ...]:
    """The hexes of a border from west to east, at most one per column. Raises Unreadable if it turns back."""
    border = read_hexes(text)
    columns = [column_row(number)[0] for number in border]
    if sorted(set(columns)) not in (columns, columns[::-1]) or len(border) < 2:
        cure = "From the west to the east, so many hexes that the line goes straight from each to the next: 0118 1217 3519"
        raise Unreadable("a border of sectors has one hex in a column, and two at least", rule="2.1.1(4)", cure=cure)
    return border if columns == sorted(columns) else border[::-1]


LOW = Notation("hex of Baghdad", BAGHDAD[1], _read_low, words=(*BAGHDAD, NEITHER))
GROUND = Notation("hex", "major city, Najaf", lambda text: str(read_ground(text)), words=(*GROUNDS, PORT, *NAMED), between=", ")
WATER = Notation("hexside", MINOR, lambda text: pick_name(text, WATERS, "hexside"), WATERS)
JOINED = Notation("yes or no", YES, lambda text: pick_name(text, (YES, NO), "yes or no"), (YES, NO))
START = Notation("hex", "2332", lambda text: read_hex(text, "3.0"), words=DIGITS, between="")
AREA = Notation(
    "list of hexes",
    "3241 3140-3143",
    lambda text: " ".join(dict.fromkeys(read_hexes(text))),
    describe=lambda value: plural(len(value.split()), "hex", "hexes"),
    words=(*DIGITS, "-", " "),
    between="",
)
BORDER = Notation("list of hexes", "0118 1217 3519", lambda text: " ".join(_border(text)), words=(*DIGITS, " "), between="")


@lru_cache(maxsize=16)
def border_rows(value: str) -> dict[int, int]:
    """Map each column to the row of a border; empty if the border is unknown."""
    rows: dict[int, int] = {}
    points = [column_row(number) for number in value.split()]
    for (left, top), (right, bottom) in pairwise(points):
        for column in range(left, right + 1):
            rows[column] = round(top + (bottom - top) * (column - left) / (right - left))
    return rows


@lru_cache(maxsize=16)
def _area(value: str) -> frozenset[str]:
    return frozenset(value.split())


class _Distances(dict[str, int | None]):
    """The distances from a hex, each computed when it is first looked up; None if the orientation is unknown."""

    def __init__(self, number: str, orientation: Orientation | None) -> None:
        self._number = number
        self._orientation = orientation

    def __missing__(self, number: str) -> int | None:
        distance = self[number] = hexes.distance(self._number, number, self._orientation) if self._orientation else None
        return distance


class Land:
    """The known map, a view of its facts.
    | Args:
        facts: Flags, or facts by their full keys.
        mountains: Whether Kurdish areas are mountains [16.9].
    | Attributes:
        orientation: The orientation of the hex grid; None if it is unknown or numbers do not show adjacency.
    """

    def __init__(self, facts: Mapping[str, object], mountains: bool = False) -> None:
        self._told = facts
        self._mountains = mountains
        self._grounds: dict[str, Ground] = {}
        self._waters: dict[tuple[str, str], str] = {}
        self._roads: dict[tuple[str, str], bool | None] = {}
        self._distances: dict[str, _Distances] = {}
        self._ashore: dict[str, tuple[str, ...]] = {}
        low = facts.get(ORIENTATION)
        self.orientation = None if low not in BAGHDAD else Orientation("odd" if low == BAGHDAD[0] else "even", "top")

    def _fact(self, kind: str, name: str) -> str:
        return str(self._told.get(f"{kind}:{name}") or "")

    # -- numbers -----------------------------------------------------------------------------------------------

    @property
    def asked(self) -> bool:
        """Whether the orientation question was answered, even with "neither"."""
        return bool(self._told.get(ORIENTATION))

    def neighbours(self, number: str) -> tuple[str, ...]:
        """The adjacent hexes, clockwise from the north; empty if the orientation or the hex is unknown."""
        return hexes.neighbours(number, self.orientation) if self.orientation and state.is_hex(number) else ()

    def ashore(self, number: str) -> tuple[str, ...]:
        """The adjacent hexes that are not known to be water or behind an all-water side."""
        if (cached := self._ashore.get(number)) is None:
            around = self.neighbours(number)
            cached = self._ashore[number] = tuple(neighbour for neighbour in around if self.water(number, neighbour) != SEA)
        return cached

    def distance(self, first: str, second: str) -> int | None:
        """The distance in hexes; None if unknown."""
        return self.distances(first)[second]

    def distances(self, number: str) -> Mapping[str, int | None]:
        """The distance from a hex to any other, looked up as in a table."""
        distances = self._distances.get(number)
        if distances is None:
            distances = self._distances[number] = _Distances(number, self.orientation)
        return distances

    def adjacent(self, first: str, second: str) -> bool | None:
        """True if two hexes are adjacent; None if unknown."""
        return self.distances(first)[second] == 1 if self.orientation else None

    # -- a hex -------------------------------------------------------------------------------------------------

    def ground(self, number: str) -> Ground:
        """The contents of a hex as entered, completed by the rulebook's own facts."""
        if (cached := self._grounds.get(number)) is None:
            cached = self._grounds[number] = self._ground(number)
        return cached

    def _ground(self, number: str) -> Ground:
        given = read_ground(GIVEN[number]) if number in GIVEN else Ground()
        entered = self._fact("hex", number)
        if not entered:
            return given
        ground = read_ground(entered)
        size = given.ground if ground.ground in ("", CITY) and given.ground else ground.ground
        return ground._replace(ground=size, name=ground.name or given.name)

    def terrain(self, number: str) -> str:
        """[16.9] The terrain as on the Terrain Effect Chart, ``_`` for a blank; ``city`` of unknown size, "" if unknown."""
        ground = self.ground(number).ground
        if ground in CITIES or not ground:
            return ground.replace(" ", "_")
        if ground == "sea" or not self._mountains:
            return "plain" if ground == "mountain" else ground
        return "mountain" if any(self.in_area(number, area) for area in KURDISH_AREAS) else ground

    def is_city(self, number: str) -> bool | None:
        """[12.4(2)] True if there is a city of any size; None if unknown."""
        ground = self.ground(number).ground
        return ground in CITIES if ground else None

    def is_islet(self, number: str) -> bool:
        """[12.2(5)] True for a hex of Bubiyan other than 3339: as if behind all-water sides, so that only flying units enter."""
        return number != "3339" and self.place(number) == "Bubiyan"

    def place(self, number: str) -> str:
        """The name of the place in a hex, "" if none is known."""
        return self.ground(number).name

    def hex_of(self, name: str) -> str:
        """The hex of a named place, "" if unknown."""
        return self._places.get(name, "")

    def number_of(self, text: str) -> str:
        """The number of a hex that is named by its place, in any case; the text itself if that place is not known."""
        name = next((name for name in self._places if name.casefold() == text.casefold()), "")
        return self._places.get(name, text)

    @property
    def place_names(self) -> Iterable[str]:
        """The names of places in known hexes."""
        return self._places.keys()

    @cached_property
    def _places(self) -> dict[str, str]:
        return {name: number for number in self.known_hexes if (name := self.place(number))}

    def in_area(self, number: str, area: str) -> bool | None:
        """True if a hex is in Kuwait or a Kurdish area; None if unknown."""
        entered = self._fact("area", area)
        if entered:
            return number in _area(entered)
        return STARTS.get(number) == area if number in GIVEN and number != "3339" else None

    def sectors(self, number: str) -> tuple[str, ...]:
        """[2.1.1(4), 5.8.1(3)] The air sectors of a hex, two on a border; empty if unknown."""
        column, row = column_row(number)
        lines = [border_rows(self._fact("border", border)).get(column) for border in BORDERS]
        north, south = lines
        if north is not None and row <= north:
            return (notation.NORTH, notation.CENTRAL) if row == north else (notation.NORTH,)
        if south is not None and row >= south:
            return (notation.CENTRAL, notation.SOUTH) if row == south else (notation.SOUTH,)
        return (notation.CENTRAL,) if None not in lines else ()

    @cached_property
    def known_hexes(self) -> frozenset[str]:
        """Hexes with any known fact."""
        return frozenset((*GIVEN, *(key.removeprefix("hex:") for key in self._told if key.startswith("hex:"))))

    # -- between two hexes -------------------------------------------------------------------------------------

    def water(self, first: str, second: str) -> str:
        """One of WATERS, "" if unknown."""
        if (cached := self._waters.get((first, second))) is None:
            cached = self._waters[first, second] = self._water(first, second)
        return cached

    def _water(self, first: str, second: str) -> str:
        if SEA in (self.ground(first).ground, self.ground(second).ground):
            return SEA
        if self.is_islet(first) or self.is_islet(second):
            return SEA
        return self._fact("side", pair(first, second))

    def road(self, first: str, second: str) -> bool | None:
        """[12.4] True if a road, destroyed or not, crosses a hexside; None if unknown. Baghdad is connected [12.4(2)]."""
        key = first, second
        if key not in self._roads:
            entered = YES if {*key} == {*BAGHDAD} else self._fact("road", pair(*key))
            self._roads[key] = {YES: True, NO: False}.get(entered)
        return self._roads[key]

    @cached_property
    def _rails(self) -> dict[str, list[str]]:
        """[16.7] The railroad: hex to the hexes beside it that it leads to."""
        rails: dict[str, list[str]] = {}
        for key, value in self._told.items():
            kind, _, tail = key.partition(":")
            if kind == "rail" and value == YES:
                first, second = tail.split("-")
                rails.setdefault(first, []).append(second)
                rails.setdefault(second, []).append(first)
        return rails

    @property
    def has_rails(self) -> bool:
        """[16.7] Whether any part of the railroad is known."""
        return bool(self._rails)

    def along_rails(self, number: str) -> Sequence[str]:
        """[16.7(3)] The hexes to which the railroad leads from a hex, as far as it is known."""
        return self._rails.get(number, ())

    def side(self, first: str, second: str) -> frozenset[str] | None:
        """The features of a hexside, ``road``, ``river``, ``large``, ``sea``; None if some are unknown."""
        water, road = self.water(first, second), self.road(first, second)
        if not water or road is None:
            return None
        words = {"road": road, "river": water == MINOR, "large": water == LARGE, "sea": water == SEA}
        return frozenset(word for word, present in words.items() if present)


def _land(position: Position) -> Land:
    return _land_from_flags(frozenset(item for item in position.flags.items() if item[0].startswith(MAP_FLAGS)))


@lru_cache(maxsize=32)
def _land_from_flags(flags: frozenset[tuple[str, object]]) -> Land:
    facts = dict(flags)
    return Land(facts, facts.get(state.option_flag(state.MOUNTAINS)) == state.ON)


MAP_FLAGS = (*(f"{kind}:" for kind in MAP_FACTS), state.option_flag(state.MOUNTAINS))
_READING = FlagReader(_land, MAP_FLAGS)


def land_of(position: Position) -> Land:
    """The map of a position."""
    return position.cached_from_flags(_READING)


# -- Rosters, and the list of facts ------------------------------------------------------------------------------------

ROSTERS = ("us", "british", "carriers", "naval", "iraqi")
TERRAINS = ("swamp", "minor_city", "major_city", "mega_city", "other")
PALACE_KINDS = ("saddam", "sahaf", "dummy")

FIGURES = {"F-15 air": "5", "carrier air": "4", "MiG-23 air": "3", "Su-20 air": "0", "B-1 bombing": "5"}
"""Printed values shown in the rulebook's figures and examples [5.5, 5.7]."""


def _split_entry(part: str) -> tuple[str, str]:
    """Split ``F-15 5-2-4`` into the name and the values in normal form, "" if there are none."""
    words = part.split()
    for count in (2, 1):
        if len(words) > count:
            try:
                return " ".join(words[:-count]), str(notation.read_air(" ".join(words[-count:])))
            except Unreadable:
                continue
    return " ".join(words), ""


def roster_parts(text: str, roster: str = "", others: Collection[str] = ()) -> list[tuple[str, str]]:
    """Split a roster into names (numbered if repeated, with ``roster`` as prefix if among `others`) and values or ""."""
    parts: list[tuple[str, str]] = []
    seen: dict[str, int] = {}
    for part in split_list(clean(text)):
        name, values = _split_entry(part)
        name = f"{roster} {name[:40]}" if name[:40] in others else name[:40]
        seen[name] = seen.get(name, 0) + 1
        parts.append((name if seen[name] == 1 else f"{name} ({seen[name]})", values))
    return parts


def _read_roster(text: str) -> str:
    parts = [" ".join(_split_entry(part)).strip() for part in split_list(clean(text))]
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
    Fact("radar", "AA Fire (and Radar) boxes of each radar site", "6.1.2", notation.RADAR_SITE, notation.SECTORS),
    Fact("site", "Sector and boxes of Communication Site and Air Base", "6.1.2", notation.SITE_NOTATION, notation.SITES[3:]),
    Fact("roster", "Names of the air, carrier and naval units, with commas between", "3.0", ROSTER, ROSTERS),
    Fact("air", "Air units by name: air combat-ground support-bombing, stealth if white", "2.3", notation.AIR_NOTATION),
    Fact("figure", "Air values that the rulebook's figures show", "5.5", whole_number("value", 0, 9), (), False, FIGURES),
    Fact("unit", "Ground combat units by name, as printed on the counter", "2.2", notation.UNIT_NOTATION),
    Fact("crt", "Combat Results Chart: six results of a column, die 1 to 6", "13.4", notation.COLUMN_NOTATION, notation.LADDER),
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
    """Yield each contradiction between facts (by full keys), with its rule and cure."""
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
            yield f"{key} has its hexes in the wrong order: {kind}:{pair(first, second)} [2.1]"
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
        elif hexes.setdefault(name, number) != number and name != "Bubiyan":
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
        compatible = CITIES if expected == CITY else (expected, CITY)
        if expected and entered.ground and entered.ground not in compatible:
            yield f"{number} was entered as {entered.ground}, and the rulebook has {given.name} as a {expected} [15.2]"
        if entered.name in PORTS and entered.ground == SEA:
            yield f"{entered.name} was entered in the sea [15.2]"


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
