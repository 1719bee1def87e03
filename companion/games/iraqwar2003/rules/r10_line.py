"""[10.0(2) - 10.0(4)] Supply lines, as far as it is told where units stand and who controls which hexes."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from companion.core.position import Piece, Position, Reading
from companion.games.iraqwar2003.names import COALITION, CONTROL, HELD, IRAQ, control_flag, held_flag, other
from companion.games.iraqwar2003.rules.r09_zones import SOURCES, at_home, standing, unplaced, zones
from companion.games.iraqwar2003.words.counters import KDP, PUK, TURKISH, nation, side_of
from companion.games.iraqwar2003.words.land import HEEDED, KDP_AREA, KUWAIT, NAMED, PUK_AREA, Land, land_of
from companion.games.iraqwar2003.words.places import is_hex

_START = {KUWAIT: COALITION, KDP_AREA: KDP, PUK_AREA: PUK}


class Line(NamedTuple):
    """A supply line.

    Attributes:
        open: whether it is certain that nothing cuts it; None where it is unknown or seems cut.
        hexes: the line, from the unit to the source; where it seems cut, the shortest that there would be; () if none is known.
        blocked: whether enemy units and their zones of control leave no line at all, whoever controls the hexes.
    """

    open: bool | None
    hexes: tuple[str, ...] = ()
    blocked: bool = False


def holder_of(position: Position, number: str) -> str:
    """[10.0(3), 15.2] Who controls a hex: who entered it last, or held it at the start (ruling C-23); "": unknown."""
    known = position.by_flags(_HOLDERS)
    if number not in known:
        known[number] = _holder(position, number)
    return known[number]


def _nobody_yet(position: Position) -> dict[str, str]:
    return {}


_HOLDERS = Reading(_nobody_yet, (CONTROL, HELD, *HEEDED))
"""Who controls the hexes that have been looked at."""


def _holder(position: Position, number: str) -> str:
    land = land_of(position)
    place = land.place(number)
    if place in NAMED and place != "Kuwait City":
        return str(position.flag(control_flag(place), IRAQ))
    held = str(position.flag(held_flag(number)) or "")
    return held or _held_first(land, number)


@lru_cache(maxsize=4096)
def _held_first(land: Land, number: str) -> str:
    """Who controls a hex at the start; "": unknown."""
    known = {area: land.in_area(number, area) for area in _START}
    return next((_START[area] for area, there in known.items() if there), "" if None in known.values() else IRAQ)


def line_of(position: Position, piece: Piece) -> Line:
    """[10.0(2), 10.0(3), 10.0(4)] The supply line of a unit, as far as all that counts is known."""
    return Lines(position, side_of(piece)).of(piece)


class Lines:
    """[10.0] The supply lines of a side in one position. They are certain only while every enemy unit that has a zone of control
    is somewhere known.
    """

    def __init__(self, position: Position, side: str) -> None:
        self.position = position
        self.side = side
        self.land = land_of(position)
        self._hostile = zones(position, other(side))
        self._standing = position.by_pieces(_sides)
        self._sure = not unplaced(position, other(side))
        self._floods: dict[tuple[str, Callable[[str], bool]], Flood] = {}

    def of(self, piece: Piece) -> Line:
        """That of one unit."""
        if not is_hex(piece.place) or not self.land.how or nation(piece) == TURKISH:
            return Line(None)
        found = self._line(piece, self._ours)
        if found and self._sure:
            return Line(True, found)
        loose = found or self._line(piece, self._free)
        return Line(None, loose or self._line(piece, _any_hex), not loose)

    def _line(self, piece: Piece, passed: Callable[[str], bool]) -> tuple[str, ...]:
        """The shortest line of a unit over hexes that may be passed."""
        source = SOURCES.get(nation(piece), "")
        if not source:
            return _search(self.land, piece.place, passed)
        if (source, passed) not in self._floods:
            self._floods[source, passed] = Flood(self.land, source, passed)
        return self._floods[source, passed].line(piece.place)

    def _free(self, number: str) -> bool:
        """[10.0(3), 10.0(4)] No enemy is in it, and no enemy zone of control but where a unit of the own side stands."""
        inside = self._standing.get(number)
        return number not in self._hostile if inside is None else inside == self.side

    def _ours(self, number: str) -> bool:
        return self._free(number) and is_ours(self.position, number, self.side)


def _any_hex(number: str) -> bool:
    return True


def _sides(position: Position) -> dict[str, str]:
    """The hexes in which units stand -> their side; "" where both do."""
    found: dict[str, str] = {}
    for side in (COALITION, IRAQ):
        for piece in standing(position, side):
            found[piece.place] = side if found.get(piece.place, side) == side else ""
    return found


def is_ours(position: Position, number: str, side: str) -> bool:
    """[10.0(3)] Whether a hex is known to be controlled by a side."""
    who = holder_of(position, number)
    return bool(who) and (who == IRAQ) == (side == IRAQ)


class Flood:
    """How far it is from one hex to those around it, over hexes that may be passed and no side of nothing but water; it goes as
    far as somebody asks.
    """

    def __init__(self, land: Land, source: str, passed: Callable[[str], bool]) -> None:
        self._land = land
        self._passed = passed
        self._source = source
        self._away: dict[str, int] = {}
        self._homes: dict[str, tuple[str, ...]] = {}
        self._front: list[str] = []
        if passed(source):
            self._away[source] = 0
            self._front = [source]

    def line(self, start: str) -> tuple[str, ...]:
        """The shortest line from a hex, which need not be one that may be passed; () without one."""
        if start == self._source:
            return (start,)
        around = self._land.ashore(start)
        while self._front and start not in self._away and not any(there in self._away for there in around):
            self._grow()
        here = min((there for there in around if there in self._away), key=self._away.__getitem__, default="")
        return (start, *self._home(here)) if here else ()

    def _home(self, here: str) -> tuple[str, ...]:
        """The line from a hex that it has come to; lines that meet go on together."""
        known = self._homes.get(here)
        if known is None:
            nearer = self._away[here] - 1
            rest = () if nearer < 0 else self._home(next(one for one in self._land.ashore(here) if self._away.get(one) == nearer))
            known = self._homes[here] = (here, *rest)
        return known

    def _grow(self) -> None:
        """One hex further."""
        away = self._away[self._front[0]] + 1
        front = []
        for here in self._front:
            for there in self._land.ashore(here):
                if there not in self._away and self._passed(there):
                    self._away[there] = away
                    front.append(there)
        self._front = front


def _search(land: Land, start: str, passed: Callable[[str], bool]) -> tuple[str, ...]:
    """The shortest line from a hex to one of Iraq outside the Kurdish areas [10.0(2)]; () without one."""
    came = {start: ""}
    front = [start]
    for here in front:
        if at_home(land, here):
            return tuple(_back(came, here))[::-1]
        for there in land.ashore(here):
            if there not in came and passed(there):
                came[there] = here
                front.append(there)
    return ()


def _back(came: dict[str, str], here: str) -> list[str]:
    found = []
    while here:
        found.append(here)
        here = came[here]
    return found
