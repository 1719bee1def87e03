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

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.text import clean, matching_names, pick_name
from companion.games.phantomfury.words.locations import Chains, chains_of, read_location

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
_CURE = "Type it like this: C-1-2-R; door C; roof R; adjacent 15; near 3; egress 24 25, or c.12r^ a15 n3 e24 25"


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

    def told(self, part: str) -> bool:
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
    """The surroundings of a Street Section [4.3].

    Attributes:
        zones: Zones at its sides; empty: inferred from the Zones.
        next: Sections next to it.
        fire: Zones in its lines of fire.
        north, south: It lies on that map edge.
    """

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
    if not chains.found:
        raise Unreadable("a Zone needs its Locations", rule="4.2.1", cure=_CURE)
    return chains.locations, frozenset(chains.arrows)


def read_zone_number(text: str) -> str:
    """Read a Zone number, 1 to 61.

    Raises:
        Unreadable: There is no such Zone [4.1].
    """
    plain = clean(text)
    if not plain.isdecimal() or not 1 <= int(plain) <= 61:
        raise Unreadable(f"there is no Zone '{plain}'", rule="4.1", cure="Zones go from 1 to 61")
    return str(int(plain))


def _numbers(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sorted((read_zone_number(word) for word in words), key=int)))


def read_street(text: str) -> str:
    """Read the name of a Street Section: letters and digits.

    Raises:
        Unreadable: The name could be mistaken for something else.
    """
    name = text.casefold()
    if not name.replace("/", "").isalnum() or len(name) > 8 or name.isdecimal():
        raise Unreadable(f"'{clean(text)}' is not a name for a Street Section", rule="4.3", cure="Short and your own: a, b2")
    return name


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


@lru_cache(maxsize=512)
def read_zone(text: str) -> Zone:
    """Read a Zone.

    Raises:
        Unreadable: A part is unknown, or the text has the obsolete form ``counts``.
    """
    if clean(text).split(";")[0].strip().casefold() == "counts":
        raise Unreadable("Companion keeps what lies in every Zone: 'counts' is no more", rule="4.1", cure=_CURE)
    chains = Chains()
    parts: dict[str, list[str]] = {}
    for part, words in _parts(clean(text)):
        if part:
            parts.setdefault(part, []).extend(words)
        else:
            for word in words:
                chains.add(word)
    doors = tuple(dict.fromkeys([*chains.doors, *(read_location(word) for word in _some(parts, "door"))]))
    roofs = tuple(dict.fromkeys([*chains.roofs, *(read_location(word) for word in _some(parts, "roof"))]))
    for word in (*doors, *roofs):
        if word not in chains.found and chains.found:
            raise Unreadable(f"the symbol is on {word}, which the Zone does not have", rule="4.2.2")
    egress = tuple(dict.fromkeys(_route(word) for word in _some(parts, EGRESS)))
    if len(egress) > ROUTES or (EXIT in egress and len(egress) > 1):
        raise Unreadable(
            f"{len(egress)} Egress Routes are too many", rule="4.1.7", cure="Two or three Zones, or exit alone at the south edge"
        )
    edges = [edge for edge in EDGES if edge in parts]
    near, beyond = _near(_some(parts, "near"))
    zone = Zone(
        chains.locations,
        frozenset(chains.arrows),
        doors,
        roofs,
        _numbers(_some(parts, "adjacent")),
        near,
        tuple(read_street(word) for word in _some(parts, "streets")),
        _numbers(_some(parts, "fire")),
        egress,
        _numbers(_some(parts, "block")),
        "black" in parts,
        tuple(dict.fromkeys([*edges, *beyond])),
        tuple(part for part, words in parts.items() if [word.casefold() for word in words] == [NONE]),
    )
    if zone == Zone(()):
        raise Unreadable("nothing is entered of the Zone, such as its Locations", rule="4.2.1", cure=_CURE)
    return zone


def _some(found: Mapping[str, list[str]], part: str) -> list[str]:
    """The words entered for a part, without ``none``."""
    return [word for word in found.get(part, ()) if word.casefold() != NONE]


def _route(word: str) -> str:
    return EXIT if _ALONE.get(word.casefold()) == EXIT else read_zone_number(word)


def _parts(text: str) -> Iterator[tuple[str, list[str]]]:
    """The parts of a Zone with their words, the Locations under "". A part ends at a semicolon or where another begins."""
    for index, piece in enumerate(text.split(";")):
        part, words = ("", []) if index == 0 else (None, [])
        for word in _words(piece.replace("/", " / ")):
            begun = _begins(word, part)
            if begun is None and part is None:
                raise Unreadable(f"no part of a Zone '{clean(word)}'", rule="4.1", cure=_CURE)
            if begun is None:
                words += [word] if word != UNTOLD else []
                continue
            if part is not None:
                yield part, words
            part, words = begun
        if part is not None:
            yield part, words


def _begins(word: str, part: str | None) -> tuple[str, list[str]] | None:
    """The part that a word begins, with the value contained in the same word; None if it continues the current part.

    Args:
        part: The current part; None after a semicolon.

    Raises:
        Ambiguous, Unreadable: It begins no single part.
    """
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
    return _ALONE.get(head) or pick_name(head, _FIELDS, "part of a Zone", cure=_CURE), rest


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
            groups[-1].append(pick_name(word, (*EDGES, EGRESS), "part of a street", cure=_CURE))
    if len(groups) == 1:
        plain = [word for word in groups[0] if word not in EDGES]
        return _in_order(plain), tuple(word for word in groups[0] if word in EDGES)
    streets = [_in_order(street) for street in groups]
    return tuple(word for index, street in enumerate(streets) for word in (*(["/"] if index else []), *street)), ()


def _in_order(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(words), key=lambda word: (word.isdecimal(), int(word) if word.isdecimal() else 0)))


def told_zones(facts: Mapping[str, str]) -> dict[str, Zone]:
    """The Zones of stored facts, by number; obsolete entries are left out, to be asked again."""
    zones = {}
    for number, text in facts.items():
        with suppress(Unreadable):
            zones[number] = read_zone(text)
    return zones


@lru_cache(maxsize=512)
def read_section(text: str) -> Section:
    """Read a Street Section.

    Raises:
        Unreadable: A part is unknown.
    """
    head, *fields = clean(text).split(";")
    parts: dict[str, list[str]] = {}
    for field in fields:
        words = _words(field)
        if words:
            parts[pick_name(words[0], _SECTION_FIELDS, "part of a Street Section")] = words[1:]
    streets = tuple(read_street(word) for word in parts.get("next", ()))
    return Section(
        _numbers(word for word in _words(head) if word != UNTOLD),
        streets,
        _numbers(parts.get("fire", ())),
        "north" in parts,
        "south" in parts,
    )


def _read_start(text: str) -> str:
    zones = _numbers(_words(text))
    if len(zones) != BLACK:
        raise Unreadable(
            f"{len(zones)} named; nine Zones have a black circle", rule="6.2", cure="Name all nine, by their numbers"
        )
    return " ".join(zones)


ZONE = Notation("Zone", "C-1-2-R; door C; roof R; egress exit", lambda text: str(read_zone(text)))
SECTION = Notation("Street Section", "2 3 14 15; next a c; north", lambda text: str(read_section(text)))
START = Notation("Zones with a black circle", "1 2 3 4 5 6 7 8 9", _read_start)
CHAINS = Notation("Locations with their arrows", "C-1-2-R 1-1'", lambda text: " ".join(chains_of(*_read_chains(text))))
STREET_NAME = Notation("Street Section", "b", read_street)
