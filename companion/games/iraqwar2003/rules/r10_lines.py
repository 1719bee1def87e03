"""[10.0(2) - 10.0(4)] Supply lines, as far as unit positions and control of hexes are known."""

from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from companion.core.graph import cheapest, distances
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.land import KDP_AREA, KUWAIT, NAMED, PUK_AREA, Land, land_of
from companion.games.iraqwar2003.notation import KDP, PUK, TURKISH, nation, side_of
from companion.games.iraqwar2003.rules.r09_zones import SOURCES, is_home_hex, occupied_hexes, unlocated_units, zones
from companion.games.iraqwar2003.state import COALITION, IRAQ, control_flag, held_flag, is_hex, other

_START = {KUWAIT: COALITION, KDP_AREA: KDP, PUK_AREA: PUK}


class SupplyLine(NamedTuple):
    """A supply line.

    Attributes:
        open: True if it is certainly open; None if it is unknown or seems cut.
        hexes: The line from unit to source; if it seems cut, the shortest possible one; empty if there is none.
        blocked: Whether enemy units and zones of control leave no line, regardless of who controls the hexes.
    """

    open: bool | None
    hexes: tuple[str, ...] = ()
    blocked: bool = False


def controller_of(position: Position, number: str) -> str:
    """[10.0(3), 15.2] Who controls a hex: the last to enter it, else its holder at the start (ruling C-23); "" if unknown."""
    flag, first = _initial_controller(land_of(position), number)
    return str(position.flag(flag) or first)


@lru_cache(maxsize=4096)
def _initial_controller(land: Land, number: str) -> tuple[str, str]:
    """The flag for control of a hex, and its controller at the start ("" if unknown)."""
    place = land.place(number)
    if place in NAMED and place != "Kuwait City":
        return control_flag(place), IRAQ
    areas = {area: land.in_area(number, area) for area in _START}
    first = next((_START[area] for area, inside in areas.items() if inside), "" if None in areas.values() else IRAQ)
    return held_flag(number), first


def supply_line(position: Position, piece: Piece) -> SupplyLine:
    """[10.0(2), 10.0(3), 10.0(4)] The supply line of a unit."""
    return SupplyLines(position, side_of(piece)).of(piece)


class SupplyLines:
    """[10.0] The supply lines of a side in one position; certain only if every enemy unit with a zone of control is in a
    known hex.
    """

    def __init__(self, position: Position, side: str) -> None:
        self.position = position
        self.side = side
        self.land = land_of(position)
        self._free, self._ours = _passable(position, side)
        self._sure = not unlocated_units(position, other(side))
        self._floods: dict[tuple[str, Callable[[str], bool]], SourceDistances] = {}

    def of(self, piece: Piece) -> SupplyLine:
        """The line of a unit."""
        if not is_hex(piece.place) or not self.land.how or nation(piece) == TURKISH:
            return SupplyLine(None)
        certain = self._line(piece, self._ours)
        if certain and self._sure:
            return SupplyLine(True, certain)
        loose = certain or self._line(piece, self._free)
        return SupplyLine(None, loose or self._line(piece, _any_hex), not loose)

    def in_doubt(self, piece: Piece) -> bool:
        """Return True unless a unit's line is certainly open."""
        owner, place = nation(piece), piece.place
        if not self._sure or not is_hex(place) or not self.land.how or owner == TURKISH:
            return True
        if source := SOURCES.get(owner, ""):
            return not self._flood(source, self._ours).reaches(place)
        return not (is_home_hex(self.land, place) or _line_to_home(self.land, place, self._ours))

    def _flood(self, source: str, passed: Callable[[str], bool]) -> "SourceDistances":
        """The distances from a source, cached."""
        cached = self._floods.get((source, passed))
        if cached is None:
            cached = self._floods[source, passed] = SourceDistances(self.land, source, passed)
        return cached

    def _line(self, piece: Piece, passed: Callable[[str], bool]) -> tuple[str, ...]:
        """The shortest line of a unit over passable hexes."""
        source = SOURCES.get(nation(piece), "")
        if not source:
            return _line_to_home(self.land, piece.place, passed)
        return self._flood(source, passed).line(piece.place)


def _passable(position: Position, side: str) -> tuple[Callable[[str], bool], Callable[[str], bool]]:
    """Two predicates: hexes a line may enter regardless of control, and hexes that it may enter."""
    land, flags, iraqi = land_of(position), position.flags, side == IRAQ
    own, enemy, hostile = occupied_hexes(position, side), occupied_hexes(position, other(side)), zones(position, other(side))

    def free(number: str) -> bool:
        """[10.0(3), 10.0(4)] No enemy unit, and no enemy zone of control without a friendly unit."""
        return number not in enemy and (number in own or number not in hostile)

    def ours(number: str) -> bool:
        """[10.0(3)] Also known to be controlled by the side."""
        if number in enemy or (number in hostile and number not in own):
            return False
        flag, first = _initial_controller(land, number)
        controller = flags.get(flag) or first
        return bool(controller) and (controller == IRAQ) == iraqi

    return free, ours


def _any_hex(number: str) -> bool:
    return True


def is_controlled_by(position: Position, number: str, side: str) -> bool:
    """[10.0(3)] Return True if a hex is known to be controlled by a side."""
    controller = controller_of(position, number)
    return bool(controller) and (controller == IRAQ) == (side == IRAQ)


class SourceDistances:
    """Distances from a source over passable hexes, not across all-water sides."""

    def __init__(self, land: Land, source: str, passed: Callable[[str], bool]) -> None:
        self._land = land
        self._source = source
        self._ends: dict[str, tuple[str, ...]] = {}
        starts = [source] if passed(source) else []
        self._distances = distances(starts, lambda number: [neighbour for neighbour in land.ashore(number) if passed(neighbour)])

    def reaches(self, start: str) -> bool:
        """Return True if a hex is connected to the source; the hex itself need not be passable."""
        known = self._distances
        return start == self._source or start in known or not known.keys().isdisjoint(self._land.ashore(start))

    def line(self, start: str) -> tuple[str, ...]:
        """The shortest line from a hex, which need not be passable; empty if there is none."""
        if start == self._source:
            return (start,)
        reached = [neighbour for neighbour in self._land.ashore(start) if neighbour in self._distances]
        return (start, *self._line_from(min(reached, key=self._distances.__getitem__))) if reached else ()

    def _line_from(self, number: str) -> tuple[str, ...]:
        """The line from a reached hex, cached because lines share their ends."""
        cached = self._ends.get(number)
        if cached is None:
            nearer = self._distances[number] - 1
            following = (neighbour for neighbour in self._land.ashore(number) if self._distances.get(neighbour) == nearer)
            cached = self._ends[number] = (number, *(self._line_from(next(following)) if nearer >= 0 else ()))
        return cached


def _line_to_home(land: Land, start: str, passed: Callable[[str], bool]) -> tuple[str, ...]:
    """[10.0(2)] The shortest line to a hex of Iraq outside the Kurdish areas; empty if there is none."""

    def edges(number: str, spent: float) -> list[tuple[str, float]]:
        return [(neighbour, 1) for neighbour in land.ashore(number) if passed(neighbour)]

    search = cheapest({start: 0}, edges, done=lambda number: bool(is_home_hex(land, number)))
    last = list(search.cost)[-1]
    return tuple(search.path(last)) if is_home_hex(land, last) else ()
