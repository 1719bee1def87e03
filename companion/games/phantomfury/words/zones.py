"""[4.0] Zones, Locations and Street Sections: how the owner writes down what is printed on the map.

A Zone on one line: its Locations as chains of arrows, then what else is printed, with semicolons between::

    C-1-2-R 1-1'; door C 1; roof R; adjacent 15 16; streets b c; fire 46; egress 24 25; black

A Street Section: the Zones at its sides, then the Sections next to it, its lines of fire, and the map edge::

    2 3 14 15; next a c; fire 26; north
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.words import clean, one_of

LOCATIONS = ("OG", "C", "1", "1'", "1''", "2", "2'", "R")
MOSQUE = "26"
"""The Fortified Zone by default, closed to Marine squads [4.1.5, 12.4.2]."""
CLOSED = "27"
"""The Zone that nobody enters or Controls [4.1.4, 12.4.2]."""
BLACK = 9
"""How many Zones of the published map have a black circle [6.2]."""
EXIT = "exit"
_SHAPES = {"B": "'", "C": "''"}
_FIELDS = ("door", "roof", "adjacent", "near", "streets", "fire", "egress", "block", "black")
_SECTION_FIELDS = ("next", "fire", "north", "south")
_CURE = "Type it like this: C-1-2-R; door C; roof R; adjacent 15; streets a b; egress 24 25"


class Zone(NamedTuple):
    """What is printed on a Zone.

    Attributes:
        locations: its Locations, in the order in which they were written.
        arrows: pairs of Adjacent Locations [4.2.2].
        doors: Locations with the entry symbol; roofs: with the roof symbol.
        adjacent: Zones that share a border.
        streets: the Street Sections at its sides.
        fire: Zones that a target symbol names [4.1.2.1].
        egress: where Guerillas retreat to, best first; ``exit`` off the map [4.1.7].
        block: the Zones of its Block where the owner listed them [4.4].
        black: a start Zone with a black circle [6.2].
    """

    locations: tuple[str, ...]
    arrows: frozenset[tuple[str, str]] = frozenset()
    doors: tuple[str, ...] = ()
    roofs: tuple[str, ...] = ()
    adjacent: tuple[str, ...] = ()
    streets: tuple[str, ...] = ()
    fire: tuple[str, ...] = ()
    egress: tuple[str, ...] = ()
    block: tuple[str, ...] = ()
    black: bool = False

    def __str__(self) -> str:
        parts = [" ".join(_chains(self.locations, self.arrows))]
        for name, values in (
            ("door", self.doors),
            ("roof", self.roofs),
            ("adjacent", self.adjacent),
            ("streets", self.streets),
            ("fire", self.fire),
            ("egress", self.egress),
            ("block", self.block),
        ):
            if values:
                parts.append(" ".join([name, *values]))
        return "; ".join([*parts, *(["black"] if self.black else [])])


class Section(NamedTuple):
    """What lies around a Street Section [4.3]: Zones at its sides, Sections next to it, Zones in its line of fire, and
    whether it lies on the north or the south edge of the map.
    """

    zones: tuple[str, ...]
    next: tuple[str, ...] = ()
    fire: tuple[str, ...] = ()
    north: bool = False
    south: bool = False

    @property
    def beside(self) -> tuple[str, ...]:
        """[4.3.1.2] The Zones that count as Adjacent for Fire and for crossing: at its sides, and in its lines of fire."""
        return tuple(dict.fromkeys([*self.zones, *self.fire]))

    def __str__(self) -> str:
        parts = [" ".join(self.zones)]
        parts += [" ".join([name, *values]) for name, values in (("next", self.next), ("fire", self.fire)) if values]
        return "; ".join([*parts, *(["north"] if self.north else []), *(["south"] if self.south else [])])


def family(location: str) -> str:
    """``1`` for 1, 1' and 1''; ``2`` for 2 and 2'; else the Location itself [4.2.1]."""
    return location.rstrip("'")


def read_location(text: str) -> str:
    """A kind of Location: ``C``, ``og``, ``2'``; ``2b`` and ``1c`` where a prime is hard to type.

    Raises:
        Unreadable: there is no such kind [4.2.1].
    """
    plain = clean(text).upper().replace("\u2019", "'").replace("\u2032", "'").replace('"', "''")
    if len(plain) == 2 and plain[0] in "12" and plain[1] in _SHAPES:
        plain = plain[0] + _SHAPES[plain[1]]
    if plain not in LOCATIONS:
        raise Unreadable(f"'{clean(text)}' is no Location", rule="4.2.1", cure=f"There is: {', '.join(LOCATIONS)}")
    return plain


def _chains(locations: Iterable[str], arrows: frozenset[tuple[str, str]]) -> list[str]:
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


def pair(one: str, other: str) -> tuple[str, str]:
    """Two Locations in their usual order."""
    return (one, other) if LOCATIONS.index(one) <= LOCATIONS.index(other) else (other, one)


def _read_chains(text: str) -> tuple[tuple[str, ...], frozenset[tuple[str, str]]]:
    found: dict[str, None] = {}
    arrows = set()
    for word in text.replace(",", " ").split():
        chain = [read_location(part) for part in word.split("-") if part]
        found.update(dict.fromkeys(chain))
        arrows |= {pair(one, other) for one, other in pairwise(chain) if one != other}
    if not found:
        raise Unreadable("a Zone needs its Locations", rule="4.2.1", cure=_CURE)
    return tuple(sorted(found, key=LOCATIONS.index)), frozenset(arrows)


def read_zone_number(text: str) -> str:
    """``14``: a Zone of the map by its number, 1 to 61.

    Raises:
        Unreadable: there is no such Zone [4.1].
    """
    plain = clean(text)
    if not plain.isdecimal() or not 1 <= int(plain) <= 61:
        raise Unreadable(f"there is no Zone '{plain}'", rule="4.1", cure="Zones go from 1 to 61")
    return str(int(plain))


def _numbers(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(sorted((read_zone_number(word) for word in words), key=int)))


def read_street(text: str) -> str:
    """The name of a Street Section: the owner's own, of letters and digits.

    Raises:
        Unreadable: it could be mistaken for something else.
    """
    name = text.casefold()
    if not name.replace("/", "").isalnum() or len(name) > 8 or name.isdecimal():
        raise Unreadable(f"'{clean(text)}' is no name for a Street Section", rule="4.3", cure="Short and your own: a, b2, 3/15")
    return name


def _words(text: str) -> list[str]:
    return text.replace(",", " ").split()


@lru_cache(maxsize=512)
def read_zone(text: str) -> Zone:
    """A Zone as it is written above. ``near`` beside ``streets`` is let be, since Neighbours follow from those [4.1.2].

    Raises:
        Unreadable: a part is unknown or names what does not exist; or it was told in one of two ways that are no more:
            ``counts``, to be asked for what is there, and ``near`` without the streets, which four rules ask for [13.6.5].
    """
    head, *fields = clean(text).split(";")
    if head.strip().casefold() == "counts":
        raise Unreadable("Companion keeps what lies in every Zone: 'counts' is no more", rule="4.1", cure=_CURE)
    locations, arrows = _read_chains(head)
    found: dict[str, list[str]] = {}
    for field in fields:
        words = _words(field)
        if words:
            found[one_of(words[0], _FIELDS, "part of a Zone", cure=_CURE)] = words[1:]
    if "near" in found and not found.get("streets"):
        raise Unreadable("Neighbouring Zones follow from the streets at its sides, which are missing", rule="4.1.2", cure=_CURE)
    doors = tuple(read_location(word) for word in found.get("door", ()))
    roofs = tuple(read_location(word) for word in found.get("roof", ()))
    for word in (*doors, *roofs):
        if word not in locations:
            raise Unreadable(f"the symbol is on {word}, which the Zone does not have", rule="4.2.2")
    return Zone(
        locations,
        arrows,
        doors,
        roofs,
        _numbers(found.get("adjacent", ())),
        tuple(read_street(word) for word in found.get("streets", ())),
        _numbers(found.get("fire", ())),
        tuple(EXIT if word.casefold() == EXIT else read_zone_number(word) for word in found.get("egress", ())),
        _numbers(found.get("block", ())),
        "black" in found,
    )


def told_zones(facts: Mapping[str, str]) -> dict[str, Zone]:
    """The Zones of stored facts, by number; without those told in a way that is no more: they are asked for anew."""
    found = {}
    for number, text in facts.items():
        with suppress(Unreadable):
            found[number] = read_zone(text)
    return found


@lru_cache(maxsize=512)
def read_section(text: str) -> Section:
    """A Street Section as it is written above.

    Raises:
        Unreadable: a part is unknown or names what does not exist.
    """
    head, *fields = clean(text).split(";")
    found: dict[str, list[str]] = {}
    for field in fields:
        words = _words(field)
        if words:
            found[one_of(words[0], _SECTION_FIELDS, "part of a Street Section")] = words[1:]
    streets = tuple(read_street(word) for word in found.get("next", ()))
    return Section(_numbers(_words(head)), streets, _numbers(found.get("fire", ())), "north" in found, "south" in found)


def _read_start(text: str) -> str:
    zones = _numbers(_words(text))
    if len(zones) != BLACK:
        raise Unreadable(
            f"{len(zones)} Zones named; nine have a black circle", rule="6.2", cure="Name all nine, by their numbers"
        )
    return " ".join(zones)


ZONE = Notation("Zone", "C-1-2-R; door C; roof R; egress exit", lambda text: str(read_zone(text)))
SECTION = Notation("Street Section", "2 3 14 15; next a c; north", lambda text: str(read_section(text)))
START = Notation("Zones with a black circle", "1 2 3 4 5 6 7 8 9", _read_start)
CHAINS = Notation("Locations with their arrows", "C-1-2-R 1-1'", lambda text: " ".join(_chains(*_read_chains(text))))
STREET_NAME = Notation("Street Section", "b", read_street)
