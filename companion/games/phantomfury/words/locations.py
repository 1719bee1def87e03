"""[4.2] Locations: their types, and the arrows and symbols between them as they are written."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from itertools import pairwise

from companion.core.errors import Unreadable
from companion.core.text import clean

LOCATIONS = ("OG", "C", "1", "1'", "1''", "2", "2'", "R")
DOOR, ROOF = ".", "^:"
"""Signs typed after a Location for the entry symbol and for the roof symbol [4.2.2]."""
_SHAPES = {"B": "'", "C": "''"}
_BEHIND = DOOR + ROOF + "'"


def family(location: str) -> str:
    """``1`` for 1, 1' and 1''; ``2`` for 2 and 2'; otherwise the Location itself [4.2.1]."""
    return location.rstrip("'")


def read_location(text: str) -> str:
    """Read a kind of Location: ``C``, ``og``, ``2'``; ``2b`` and ``1c`` stand for primes.

    Raises:
        Unreadable: There is no such kind [4.2.1].
    """
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


def pair(one: str, other: str) -> tuple[str, str]:
    """Two Locations in their standard order."""
    return (one, other) if LOCATIONS.index(one) <= LOCATIONS.index(other) else (other, one)


class Chains:
    """Collects Locations with their arrows and symbols, word by word."""

    def __init__(self) -> None:
        self.found: dict[str, None] = {}
        self.arrows: set[tuple[str, str]] = set()
        self.doors: list[str] = []
        self.roofs: list[str] = []

    def add(self, word: str) -> None:
        """Add ``C-1-2-R``, or ``c.12r^`` with symbols after the Locations. Raises Unreadable."""
        chain = [self._one(part, word) for part in _links(word)]
        self.found.update(dict.fromkeys(chain))
        self.arrows |= {pair(first, second) for first, second in pairwise(chain) if first != second}

    def _one(self, part: str, word: str) -> str:
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
        return tuple(sorted(self.found, key=LOCATIONS.index))


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
