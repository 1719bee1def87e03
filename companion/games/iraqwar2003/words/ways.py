"""[12.0] How a way is written: the hexes entered in order, each by its digits, by what it has in words, or both."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.words import clean, pick_name, plural
from companion.games.iraqwar2003.words.places import is_hex, place_of

WORDS = ("plain", "road", "zoc", "river", "large", "swamp", "mountain", "sea", "lake", "city", "port", "enemy", "edge")
"""What a hex or the side into it may have; ``river``: minor river, ``large``: large river, ``sea``: no land at all."""
STAY = "stay"
MOST = 40
"""Hexes of a way."""

Words = frozenset[str]
"""Of one hex."""
_NOTHING: Words = frozenset()


class Way(NamedTuple):
    """A way: what was said of the hex where it starts, and of each hex that is entered.

    Attributes:
        start: words of the hex where it starts.
        hexes: the words of each hex; none of them, where only its digits were given.
        at: the hex where it starts. numbers: those that are entered; "" where only words were given.
    """

    start: Words
    hexes: tuple[Words, ...]
    at: str = ""
    numbers: tuple[str, ...] = ()

    @property
    def from_zoc(self) -> bool:
        """Whether it starts in an enemy zone of control."""
        return "zoc" in self.start

    @property
    def off_road(self) -> bool:
        """[12.4(1)] Whether the hex where it starts was said to have no road; every city has some [12.4(2)]."""
        return bool(self.start - {"zoc"}) and not self.start & {"road", "city"}

    @property
    def end(self) -> str:
        """The hex where it ends; "" where its digits were not given."""
        return self.numbers[-1] if self.numbers else ""

    def title(self, at: int) -> str:
        """A hex of it for a line: its digits, else its words."""
        return f"{self.numbers[at] if self.numbers else ''} {as_words(self.hexes[at])}".strip()

    def __str__(self) -> str:
        start = f"{self.at} {as_words(self.start)}".strip()
        parts = [f"from {start}"] if start else []
        parts += [self.title(at) for at in range(len(self.hexes))]
        return ", ".join(parts) if self.hexes else ", ".join([*parts, STAY])


@lru_cache(maxsize=1024)
def as_words(words: Words) -> str:
    """The words of a hex in their order."""
    return " ".join(word for word in WORDS if word in words)


@lru_cache(maxsize=1024)
def read_way(text: str) -> Way:
    """``from zoc, road, zoc river, city``, ``2332 2331 road, 2231``: the hexes in order, with commas between those that are given
    in words alone; ``stay``: none.

    Raises:
        Unreadable: a word that means nothing, digits that are none of a hex, or more than 40 hexes.
    """
    numbers = text.replace(",", " ").split()
    if numbers and len(numbers) <= MOST and all(map(is_hex, numbers)):
        return Way(_NOTHING, (_NOTHING,) * len(numbers), "", tuple(map(place_of, numbers)))
    parts = [part.split() for part in clean(text).casefold().replace("+", " ").replace(";", ",").split(",") if part.strip()]
    start: tuple[str, Words] = ("", frozenset())
    found: list[tuple[str, Words]] = []
    if parts and parts[0][0] in ("from", "start"):
        start, *found = _hexes(parts.pop(0)[1:]) or [start]
    if parts and "stay".startswith(parts[0][0]) and len(parts[0][0]) > 1:
        parts.pop(0)
    found += [one for part in parts for one in _hexes(part)]
    if len(found) > MOST:
        raise Unreadable(f"{plural(len(found), 'hex', 'hexes')} in a way are too many", rule="12.1(2)")
    words = tuple(words for _, words in found)
    return Way(start[1], words, start[0], tuple(number for number, _ in found))


def _hexes(words: list[str]) -> list[tuple[str, Words]]:
    """The hexes between two commas: each begins with its digits, what stands behind them is of it; one without, words alone."""
    found: list[tuple[str, set[str]]] = []
    for word in words:
        if word[:1].isdecimal():
            if len(found) == 1 and not found[0][0]:
                found[0] = place_of(word), found[0][1]
            else:
                found.append((place_of(word), set()))
        else:
            found = found or [("", set())]
            found[-1][1].add(pick_name(word, WORDS, "feature of a hex"))
    return [(number, frozenset(words - {"plain"} if len(words) > 1 else words)) for number, words in found]


def read_words(text: str, many: int) -> tuple[Words, ...]:
    """``road, river``: the words of so many hexes; those of one for all of them.

    Raises:
        Unreadable: for another number of hexes, or with digits.
    """
    way = read_way(text)
    if any(map(is_hex, way.numbers)) or len(way.hexes) not in (1, many):
        cure = f"Give words for {many}, with commas between, or one for all alike: road"
        raise Unreadable(f"'{clean(text)}' says nothing of {many} hexes", rule="12.2", cure=cure)
    return way.hexes * (many if len(way.hexes) == 1 else 1)


@lru_cache(maxsize=1024)
def _in_full(text: str) -> str:
    return str(read_way(text))


WAY = Notation("way", "2332 2331, or: from zoc, road, river zoc", _in_full)
