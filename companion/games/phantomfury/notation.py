"""[4.0] Zones, Locations and Street Sections: how the printed map is written down.

A Zone is one line: its Locations as chains of arrows, then the other printed parts, separated by semicolons::

    C-1-2-R 1-1'; door C 1; roof R; adjacent 15 16; near 3 24; fire 46; egress 24 25; black

In short, with symbols after their Locations and the first letters of each word::

    c.12r^ 11' a15 16 n3 e24 25

``near`` has the Zones across its streets; ``egress`` in it stands for those of its Egress Routes; ``/`` separates one Street
Section from the next. With own names for Street Sections, enter ``streets b c`` instead, and for each Section the Zones at its
sides, the Sections next to it, its lines of fire, and the map edge::

    2 3 14 15; next a c; fire 26; north

``?`` in place of Locations or Zones: the entry is incomplete.
"""

# Annotations are evaluated: a NamedTuple would compile each postponed one at start-up.
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise

from companion.core.errors import Unreadable
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.text import clean, matching_names, pick_name

LOCATIONS = ("OG", "C", "1", "1'", "1''", "2", "2'", "R")
DOOR, ROOF = ".", "^:"
"""Signs typed after a Location for the entry symbol and for the roof symbol [4.2.2]."""
_SHAPES = {"B": "'", "C": "''"}
_BEHIND = DOOR + ROOF + "'"


def family(location: str) -> str:
    """``1`` for 1, 1' and 1''; ``2`` for 2 and 2'; otherwise the Location itself [4.2.1]."""
    return location.rstrip("'")


@lru_cache(maxsize=256)
def read_location(text: str) -> str:
    """Read a kind of Location [4.2.1]: ``C``, ``og``, ``2'``; ``2b`` and ``1c`` stand for primes. Raises Unreadable."""
    plain = _primed(clean(text).upper())
    if len(plain) == 2 and plain[0] in "12" and plain[1] in _SHAPES:
        plain = plain[0] + _SHAPES[plain[1]]
    if plain not in LOCATIONS:
        raise Unreadable(f"'{clean(text)}' is not a Location", rule="4.2.1", cure=f"It can be: {', '.join(LOCATIONS)}")
    return plain


def _primed(text: str) -> str:
    return text.replace("\u2019", "'").replace("\u2032", "'").replace('"', "''")


def chains_of(locations: Iterable[str], arrows: frozenset[tuple[str, str]]) -> list[str]:
    """Locations and arrows as short chains that read back to the same."""
    left = sorted(arrows, key=lambda pair: (LOCATIONS.index(pair[0]), LOCATIONS.index(pair[1])))
    chains: list[list[str]] = []
    while left:
        chain = list(left.pop(0))
        grown = True
        while grown:
            grown = False
            for pair in left:
                if chain[-1] in pair:
                    chain.append(pair[1] if pair[0] == chain[-1] else pair[0])
                    left.remove(pair)
                    grown = True
                    break
        chains.append(chain)
    used = {location for chain in chains for location in chain}
    return ["-".join(chain) for chain in chains] + [location for location in locations if location not in used]


def ordered_locations(first: str, second: str) -> tuple[str, str]:
    """Two Locations in their standard order."""
    return (first, second) if LOCATIONS.index(first) <= LOCATIONS.index(second) else (second, first)


class Chains:
    """Collects Locations with their arrows and symbols, word by word."""

    def __init__(self) -> None:
        self._locations: dict[str, None] = {}
        self.arrows: set[tuple[str, str]] = set()
        self.doors: list[str] = []
        self.roofs: list[str] = []

    def add(self, word: str) -> None:
        """Add ``C-1-2-R``, or ``c.12r^`` with symbols after the Locations. Raises Unreadable."""
        chain = [self._location(part, word) for part in _links(word)]
        self._locations.update(dict.fromkeys(chain))
        self.arrows |= {ordered_locations(first, second) for first, second in pairwise(chain) if first != second}

    def _location(self, part: str, word: str) -> str:
        plain = part.rstrip(DOOR + ROOF)
        try:
            location = read_location("OG" if plain.upper() == "O" else plain)
        except Unreadable:
            if "-" in word or not word[0].isalpha():
                raise
            raise Unreadable(f"'{word}' is neither a Location nor a part of a Zone", rule="4.2.1") from None
        signs = part[len(plain) :]
        self.doors += [location] if DOOR in signs else []
        self.roofs += [location] if set(signs) & set(ROOF) else []
        return location

    @property
    def locations(self) -> tuple[str, ...]:
        return tuple(sorted(self._locations, key=LOCATIONS.index))


def _links(word: str) -> list[str]:
    """The Locations of a chain, each with its symbols."""
    with suppress(Unreadable):
        read_location(word.rstrip(DOOR + ROOF))
        return [word]
    plain = _primed(word).upper()
    if "-" in plain or not set(plain) <= set(f"OGC12R{_BEHIND}"):
        return [part for part in word.split("-") if part]
    parts: list[str] = []
    for char in plain:  # an O takes a G, and what is no letter and no number belongs to the Location before it
        if parts and (char in _BEHIND or (char == "G" and parts[-1] == "O")):
            parts[-1] += char
        else:
            parts.append(char)
    return parts


MOSQUE = "26"
"""The Fortified Zone by default, closed to Marine squads [4.1.5, 12.4.2]."""
CLOSED = "27"
"""The Zone that no unit enters and neither side Controls [4.1.4, 12.4.2]."""
BLACK = 9
"""Number of Zones with a black circle on the published map [6.2]."""
EXIT = "exit"
NONE = "none"
UNTOLD = "?"
NORTH, SOUTH = EDGES = ("north", "south")
EGRESS = "egress"
ROUTES = 3
"""Maximum number of Egress Routes of a Zone [4.1.7]."""
_FIELDS = ("door", "roof", "adjacent", "near", "streets", "fire", EGRESS, "block", "black", *EDGES)
_ALONE = {"n": "near", "s": "streets", "no": NORTH, "x": EXIT, "ex": EXIT, "exi": EXIT, EXIT: EXIT}
"""Abbreviations that would be ambiguous, or that stand for a part and its value."""
_SECTION_FIELDS = ("next", "fire", *EDGES)
ZONE_CURE = "Type it like this: C-1-2-R; door C; roof R; adjacent 15; near 3; egress 24 25, or c.12r^ a15 n3 e24 25"


class Zone(NamedTuple):
    """What is printed on a Zone.

    Attributes:
        locations: Its Locations as written; empty: not entered.
        arrows: Pairs of Adjacent Locations [4.2.2].
        doors: Locations with the entry symbol.
        roofs: Locations with the roof symbol.
        adjacent: Zones that share a border.
        near: Zones across its streets; ``egress`` for those of its Egress Routes; with ``/`` between Street Sections, map
        edges included [4.1.2].
        streets: The Street Sections at its sides, if the owner names them.
        fire: Zones named by a target symbol [4.1.2.1].
        egress: Where Guerillas retreat to, best first; ``exit`` off the map [4.1.7].
        block: The Zones of its Block, if listed [4.4].
        black: A start Zone with a black circle [6.2].
        edges: The map edges along which it has a street [10.2, 13.6.6].
        none: The parts entered as empty.
    """

    locations: tuple[str, ...]
    arrows: frozenset[tuple[str, str]] = frozenset()
    doors: tuple[str, ...] = ()
    roofs: tuple[str, ...] = ()
    adjacent: tuple[str, ...] = ()
    near: tuple[str, ...] = ()
    streets: tuple[str, ...] = ()
    fire: tuple[str, ...] = ()
    egress: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    black: bool = False
    edges: tuple[str, ...] = ()
    none: tuple[str, ...] = ()

    def __str__(self) -> str:
        parts = [" ".join(chains_of(self.locations, self.arrows)) or UNTOLD]
        for name, values in self.parts():
            if values or name in self.none:
                parts.append(" ".join([name, *(values or (NONE,))]).replace(" / ", "/"))
        return "; ".join([*parts, *(["black"] if self.black else []), *self.edges])

    def parts(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """The parts other than its Locations, by name."""
        return (
            ("door", self.doors),
            ("roof", self.roofs),
            ("adjacent", self.adjacent),
            ("near", self.near),
            ("streets", self.streets),
            ("fire", self.fire),
            (EGRESS, self.egress),
            ("block", self.block),
        )

    def is_entered(self, part: str) -> bool:
        """True if a part was entered, also as empty."""
        return part in self.none or bool(dict(self.parts())[part])

    def across(self) -> list[list[str]]:
        """The words of ``near``, by street if they are separated; otherwise all together."""
        streets: list[list[str]] = [[]]
        for word in self.near:
            if word == "/":
                streets.append([])
            else:
                streets[-1].append(word)
        return streets


class Section(NamedTuple):
    """The surroundings of a Street Section [4.3]; without ``zones`` at its sides they are inferred from the Zones."""

    zones: tuple[str, ...]
    next: tuple[str, ...] = ()
    fire: tuple[str, ...] = ()
    north: bool = False
    south: bool = False

    @property
    def beside(self) -> tuple[str, ...]:
        """[4.3.1.2] The Zones Adjacent for Fire and for crossing: at its sides, and in its lines of fire."""
        return tuple(dict.fromkeys([*self.zones, *self.fire]))

    def __str__(self) -> str:
        parts = [" ".join(self.zones) or UNTOLD]
        parts += [" ".join([name, *values]) for name, values in (("next", self.next), ("fire", self.fire)) if values]
        return "; ".join([*parts, *(["north"] if self.north else []), *(["south"] if self.south else [])])


def _read_chains(text: str) -> tuple[tuple[str, ...], frozenset[tuple[str, str]]]:
    chains = Chains()
    for word in text.replace(",", " ").split():
        chains.add(word)
    if not chains.locations:
        raise Unreadable("a Zone needs its Locations", rule="4.2.1", cure=ZONE_CURE)
    return chains.locations, frozenset(chains.arrows)


def read_zone_number(text: str) -> str:
    """Read a Zone number, 1 to 61 [4.1]. Raises Unreadable."""
    plain = clean(text)
    if not plain.isdecimal() or len(plain) > 9 or not 1 <= int(plain) <= 61:
        raise Unreadable(f"there is no Zone '{plain[:60]}'", rule="4.1", cure="Zones go from 1 to 61")
    return str(int(plain))


def _numbers(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sorted((read_zone_number(word) for word in words), key=int)))


def read_street(text: str) -> str:
    """Read the name of a Street Section: letters and digits. Raises Unreadable."""
    name = text.casefold()
    if not name.replace("/", "").isalnum() or len(name) > 8 or name.isdecimal():
        raise Unreadable(f"'{clean(text)}' is not a name for a Street Section", rule="4.3", cure="Short and your own: a, b2")
    return name


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


@lru_cache(maxsize=512)
def read_zone(text: str) -> Zone:
    """Read a Zone. Raises Unreadable for an unknown part, and for the obsolete form ``counts``."""
    if clean(text).split(";")[0].strip().casefold() == "counts":
        raise Unreadable("Companion keeps the contents of every Zone: the entry 'counts' is obsolete", rule="4.1", cure=ZONE_CURE)
    chains = Chains()
    parts: dict[str, list[str]] = {}
    for part, words in _parts(clean(text)):
        if part:
            parts.setdefault(part, []).extend(words)
        else:
            for word in words:
                chains.add(word)
    doors = tuple(dict.fromkeys([*chains.doors, *(read_location(word) for word in _entered_words(parts, "door"))]))
    roofs = tuple(dict.fromkeys([*chains.roofs, *(read_location(word) for word in _entered_words(parts, "roof"))]))
    for word in (*doors, *roofs):
        if word not in chains.locations and chains.locations:
            raise Unreadable(f"the symbol is on {word}, which the Zone does not have", rule="4.2.2")
    egress = tuple(dict.fromkeys(_route(word) for word in _entered_words(parts, EGRESS)))
    if len(egress) > ROUTES or (EXIT in egress and len(egress) > 1):
        cure = "Two or three Zones, or exit alone at the south edge"
        raise Unreadable(f"{len(egress)} Egress Routes are too many", rule="4.1.7", cure=cure)
    edges = [edge for edge in EDGES if edge in parts]
    near, beyond = _near(_entered_words(parts, "near"))
    zone = Zone(
        chains.locations,
        frozenset(chains.arrows),
        doors,
        roofs,
        _numbers(_entered_words(parts, "adjacent")),
        near,
        tuple(read_street(word) for word in _entered_words(parts, "streets")),
        _numbers(_entered_words(parts, "fire")),
        egress,
        _numbers(_entered_words(parts, "block")),
        "black" in parts,
        tuple(dict.fromkeys([*edges, *beyond])),
        tuple(part for part, words in parts.items() if [word.casefold() for word in words] == [NONE]),
    )
    if zone == Zone(()):
        raise Unreadable("nothing is entered of the Zone, such as its Locations", rule="4.2.1", cure=ZONE_CURE)
    return zone


def _entered_words(parts: Mapping[str, list[str]], part: str) -> list[str]:
    """The words entered for a part, without ``none``."""
    return [word for word in parts.get(part, ()) if word.casefold() != NONE]


def _route(word: str) -> str:
    return EXIT if _ALONE.get(word.casefold()) == EXIT else read_zone_number(word)


def _parts(text: str) -> Iterator[tuple[str, list[str]]]:
    """The parts of a Zone with their words, the Locations under "". A part ends at a semicolon or where another begins."""
    for index, piece in enumerate(text.split(";")):
        part, words = ("", []) if index == 0 else (None, [])
        for word in _words(piece.replace("/", " / ")):
            begun = _begins(word, part)
            if begun is None and part is None:
                raise Unreadable(f"no part of a Zone '{clean(word)}'", rule="4.1", cure=ZONE_CURE)
            if begun is None:
                words += [word] if word != UNTOLD else []
                continue
            if part is not None:
                yield part, words
            part, words = begun
        if part is not None:
            yield part, words


def _begins(word: str, part: str | None) -> tuple[str, list[str]] | None:
    """The part that a word begins, with its value; None if it continues the current part (None after a semicolon)."""
    plain = word.casefold()
    if part == "streets" or (part in ("door", "roof", "") and _is_location(word)) or plain in (UNTOLD, "/", NONE):
        return None
    if part is not None and (plain[0].isdecimal() or (part == EGRESS and _ALONE.get(plain) == EXIT)):
        return None
    if part == "near" and len(plain) > 1 and matching_names(plain, (*EDGES, EGRESS)):
        return None
    head = plain[: next((index for index, char in enumerate(plain) if char.isdecimal()), None)]
    rest = [plain[len(head) :]] if plain != head else []
    if _ALONE.get(head) == EXIT:
        return EGRESS, [EXIT]
    if head not in _ALONE and not matching_names(head, _FIELDS) and part == "":
        return None
    return _ALONE.get(head) or pick_name(head, _FIELDS, "part of a Zone", cure=ZONE_CURE), rest


@lru_cache(maxsize=256)
def _is_location(word: str) -> bool:
    try:
        Chains().add(word)
    except Unreadable:
        return False
    return True


def _near(words: list[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The words of ``near`` in standard order, and the map edges of streets with no further details. Raises Unreadable."""
    groups: list[list[str]] = [[]]
    for word in words:
        if word == "/":
            groups.append([])
        elif word[0].isdecimal():
            low, dash, high = word.partition("-")
            last = int(read_zone_number(high if dash else low))
            groups[-1] += [str(number) for number in range(int(read_zone_number(low)), last + 1)]
        else:
            groups[-1].append(pick_name(word, (*EDGES, EGRESS), "part of a street", cure=ZONE_CURE))
    if len(groups) == 1:
        plain = [word for word in groups[0] if word not in EDGES]
        return _in_order(plain), tuple(word for word in groups[0] if word in EDGES)
    streets = [_in_order(street) for street in groups]
    return tuple(word for index, street in enumerate(streets) for word in (*(["/"] if index else []), *street)), ()


def _in_order(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(words), key=lambda word: (word.isdecimal(), int(word) if word.isdecimal() else 0)))


def zone_facts(facts: Mapping[str, str]) -> dict[str, Zone]:
    """The Zones of stored facts, by number; obsolete entries are left out, to be asked again."""
    zones = {}
    for number, text in facts.items():
        with suppress(Unreadable):
            zones[number] = read_zone(text)
    return zones


@lru_cache(maxsize=512)
def read_section(text: str) -> Section:
    """Read a Street Section. Raises Unreadable."""
    head, *fields = clean(text).split(";")
    parts: dict[str, list[str]] = {}
    for field in fields:
        words = _words(field)
        if words:
            parts[pick_name(words[0], _SECTION_FIELDS, "part of a Street Section")] = words[1:]
    zones = _numbers(word for word in _words(head) if word != UNTOLD)
    following = tuple(read_street(word) for word in parts.get("next", ()))
    return Section(zones, following, _numbers(parts.get("fire", ())), NORTH in parts, SOUTH in parts)


def _read_start(text: str) -> str:
    zones = _numbers(_words(text))
    if len(zones) != BLACK:
        cure = "Name all nine, by their numbers"
        raise Unreadable(f"{len(zones)} named; nine Zones have a black circle", rule="6.2", cure=cure)
    return " ".join(zones)


ZONE = Notation("Zone", "C-1-2-R; door C; roof R; egress exit", lambda text: str(read_zone(text)))
SECTION = Notation("Street Section", "2 3 14 15; next a c; north", lambda text: str(read_section(text)))
ZONES = tuple(str(number) for number in range(1, 62))
START = Notation("Zones with a black circle", "1 2 3 4 5 6 7 8 9", _read_start, words=ZONES, between=" ")
CHAINS = Notation("Locations with their arrows", "C-1-2-R 1-1'", lambda text: " ".join(chains_of(*_read_chains(text))))
STREET_NAME = Notation("Street Section", "b", read_street)
