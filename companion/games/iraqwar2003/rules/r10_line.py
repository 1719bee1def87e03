"""[10.0(2) - 10.0(4)] Supply lines, as far as it is told where units stand and who controls which hexes."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from companion.core.position import Piece, Position
from companion.games.iraqwar2003.names import COALITION, IRAQ, control_flag, held_flag, other
from companion.games.iraqwar2003.rules.r09_zones import SOURCES, at_home, unplaced, zones
from companion.games.iraqwar2003.words.counters import KDP, PUK, TURKISH, nation, side_of
from companion.games.iraqwar2003.words.land import KDP_AREA, KUWAIT, NAMED, PUK_AREA, SEA, Land, land_of
from companion.games.iraqwar2003.words.places import is_hex, units_in

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
    """[10.0(2), 10.0(3), 10.0(4)] The supply line of a unit, as far as all that counts is known.

    It is certain only while every enemy unit that has a zone of control is somewhere known.
    """
    land, side = land_of(position), side_of(piece)
    if not is_hex(piece.place) or not land.how or nation(piece) == TURKISH:
        return Line(None)
    source = SOURCES.get(nation(piece), "")
    done: Callable[[str], bool] = (lambda number: number == source) if source else (lambda number: bool(at_home(land, number)))
    hostile = zones(position, other(side))

    def free(number: str) -> bool:
        inside = units_in(position, number)
        if any(side_of(one) != side for one in inside):
            return False
        return bool(inside) or number not in hostile  # [10.0(4)]

    found = _search(land, piece.place, done, lambda number: free(number) and is_ours(position, number, side))
    if found and not unplaced(position, other(side)):
        return Line(True, found)
    loose = found or _search(land, piece.place, done, free)
    return Line(None, loose or _search(land, piece.place, done, lambda number: True), not loose)


def is_ours(position: Position, number: str, side: str) -> bool:
    """[10.0(3)] Whether a hex is known to be controlled by a side."""
    who = holder_of(position, number)
    return bool(who) and (who == IRAQ) == (side == IRAQ)


def _search(land: Land, start: str, done: Callable[[str], bool], free: Callable[[str], bool]) -> tuple[str, ...]:
    """The shortest line of hexes from one to another that may be passed, over no side of nothing but water; () without one."""
    came = {start: ""}
    front = [start]
    for here in front:
        if done(here):
            return tuple(_back(came, here))[::-1]
        for there in land.neighbours(here):
            dry = land.water(here, there) != SEA and land.ground(there).ground != SEA
            if there not in came and dry and free(there):
                came[there] = here
                front.append(there)
    return ()


def _back(came: dict[str, str], here: str) -> list[str]:
    found = []
    while here:
        found.append(here)
        here = came[here]
    return found
