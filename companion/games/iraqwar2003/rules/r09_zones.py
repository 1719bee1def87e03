"""[9.0, 13.5, 16.3, 16.4] What follows from unit positions: zones of control, path features, retreat hexes, ranges."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.core.graph import cheapest
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.land import KURDISH_AREAS, KUWAIT, SEA, Land, land_of, pair
from companion.games.iraqwar2003.notation import KURDISH, TURKISH, nation, side_of
from companion.games.iraqwar2003.referee import derived_from_side, units_on_map_of
from companion.games.iraqwar2003.rules.r08_stacking import stacking_faults
from companion.games.iraqwar2003.state import COALITION, DISRUPTED, IRAQ, MAP, ROADS, UNIT, is_hex, other, units_in

SOURCES = {"us": "3241", "british": "3241", "kdp": "1107", "puk": "1810"}
"""[10.0(2)] Supply sources that are one hex."""
MAX_AREA_WIDTH = 15
"""Upper bound of the width of Kuwait and the Kurdish areas, in hexes."""


def units_in_hexes(position: Position, side: str, but: Collection[str] = ()) -> list[Piece]:
    """Ground combat units of a side in known hexes. ``but``: ids to leave out."""
    units = units_on_map_of(position, side)
    if position.count(MAP):
        units = [piece for piece in units if piece.place != MAP]
    return [piece for piece in units if piece.id not in but] if but else units


def occupied_hexes(position: Position, side: str) -> frozenset[str]:
    """Known hexes with units of a side."""
    return derived_from_side(position, side, _places)


def unlocated_units(position: Position, side: str) -> list[Piece]:
    """Undisrupted units of a side in unknown hexes."""
    lost = position.at(MAP)
    return (
        [piece for piece in lost if piece.kind == UNIT and side_of(piece) == side and not piece.mark(DISRUPTED)] if lost else lost
    )


def zones(
    position: Position, side: str, but: Collection[str] = (), counts: Callable[[Piece], bool] | None = None
) -> frozenset[str]:
    """[9.0, 9.0(2)] Hexes in the zones of control of a side's ground units in known hexes [9.0(4)].

    A zone is the six adjacent hexes [9.0(1)], not across all-water sides [9.0(3)]; disrupted units have none [7.3.1(2)].

    Args:
        but: Ids of units to leave out. counts: Which of the others count; by default all.
    """
    if not but and counts is None:
        return _zones(land_of(position), derived_from_side(position, side, _zone_sources))
    units = [
        piece for piece in units_in_hexes(position, side, but) if not piece.mark(DISRUPTED) and (counts is None or counts(piece))
    ]
    return _zones(land_of(position), frozenset(piece.place for piece in units))


def _places(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset([piece.place for piece in pieces if piece.place != MAP])


def _zone_sources(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset([piece.place for piece in pieces if piece.place != MAP and not (piece.marks and piece.mark(DISRUPTED))])


def has_turkish_unit(position: Position) -> bool:
    """[16.10] Return True if the Turkish unit is on the map."""
    return derived_from_side(position, IRAQ, _any_turkish)


def _any_turkish(pieces: Iterable[Piece]) -> bool:
    return TURKISH in [piece.values.get("nation") for piece in pieces]


@lru_cache(maxsize=256)
def _zones(land: Land, places: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*[land.ashore(place) for place in places])


def _has_land(land: Land, first: str, second: str) -> bool:
    """Return True unless the side between two hexes is known to be all water."""
    return land.water(first, second) != SEA


def enemy_zones(position: Position, pieces: Sequence[Piece]) -> frozenset[str]:
    """[12.3] Hexes in zones of control that cost movement points; Kurds and the Turkish unit pay for each other's too
    [16.10(3), 16.10(4)].
    """
    return zones(position, other(side_of(pieces[0])))


def closed_zones(position: Position, pieces: Sequence[Piece]) -> dict[str, str]:
    """[16.10(3), 16.10(4)] Hexes closed to some units, with the rule.

    The Turkish unit enters only zones of Kurdish units, and only Kurdish units enter its zone.
    """
    closed: dict[str, str] = {}
    if not has_turkish_unit(position):
        return closed
    if any(nation(piece) == TURKISH for piece in pieces):
        for side in (COALITION, IRAQ):
            own = [piece.id for piece in pieces]
            zone_hexes = zones(position, side, own, lambda piece: nation(piece) not in KURDISH)
            closed |= dict.fromkeys(zone_hexes, "16.10(3)")
    if any(nation(piece) not in (*KURDISH, TURKISH) for piece in pieces):
        closed |= dict.fromkeys(zones(position, IRAQ, (), lambda piece: nation(piece) == TURKISH), "16.10(4)")
    return closed


# -- paths -------------------------------------------------------------------------------------------------------------


class PathFeatures(NamedTuple):
    """The features of a path, as far as they are known.

    Attributes:
        start: Features of the start hex: ``zoc``, ``road``, ``city``.
        hexes: Features of each hex entered.
        unknown: Keys of unknown facts that matter: ``hex:2231``, ``side:2231-2331`` ...
        zones: Whether units in unknown hexes may add zones of control.
    """

    start: frozenset[str]
    hexes: tuple[frozenset[str], ...]
    unknown: tuple[str, ...]
    zones: bool


def path_features(
    position: Position, pieces: Sequence[Piece], start: str, path: Sequence[str], fly: bool = False
) -> PathFeatures:
    """[12.2 - 12.5] The features of a path from a hex through others.

    Along a road terrain and rivers do not count [12.2(4)]; destroyed roads are no roads [14.2]; flying units ignore terrain
    except water at the end [12.5].
    """
    land, side = land_of(position), side_of(pieces[0])
    zoned, enemies = enemy_zones(position, pieces), occupied_hexes(position, other(side))
    unknown: list[str] = []
    hexes = []
    for number, (before, entered) in enumerate(zip([start, *path], path, strict=False), 1):
        roads_broken = not fly and has_broken_roads(position, before, entered)
        words, missing = _entered_features(
            land, before, entered, roads_broken, fly, number == len(path), entered in zoned, entered in enemies
        )
        hexes.append(words)
        unknown += missing
    begins = {"zoc"} if start in zoned else set()
    begins |= {"city"} if land.is_city(start) else set()
    return PathFeatures(
        frozenset(begins), tuple(hexes), tuple(dict.fromkeys(unknown)), bool(unlocated_units(position, other(side)))
    )


@lru_cache(maxsize=16384)
def _entered_features(
    land: Land, before: str, entered: str, roads_broken: bool, fly: bool, last: bool, zoc: bool, enemy: bool
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The features of entering a hex from another, and the unknown facts that matter."""
    unknown: list[str] = []
    words = set() if fly else side_words(land, before, entered, roads_broken, unknown)
    words |= hex_words(land, entered, unknown, not fly and "road" not in words, last)
    words |= {"zoc"} if zoc else set()
    words |= {"enemy"} if enemy else set()
    return frozenset(words or {"plain"}), tuple(unknown)


def side_words(land: Land, before: str, entered: str, roads_broken: bool, unknown: list[str]) -> set[str]:
    """The features of a hexside. ``roads_broken``: roads of either hex are destroyed. Unknown facts that matter are added to
    ``unknown``.
    """
    road, water = land.road(before, entered), land.water(before, entered)
    if road and not roads_broken:
        return {"road"}
    if road is None:
        unknown.append(f"road:{pair(before, entered)}")
    if not water:
        unknown.append(f"side:{pair(before, entered)}")
    return {word for name, word in (("minor", "river"), ("large", "large"), (SEA, "sea")) if water == name}


def hex_words(land: Land, number: str, unknown: list[str], walked: bool, last: bool) -> set[str]:
    """The features of a hex. ``walked``: its terrain matters. ``last``: the path ends there."""
    terrain = land.terrain(number)
    if not terrain and (walked or last):
        unknown.append(f"hex:{number}")
    words = {terrain} & {"swamp", "mountain", "sea"}
    words |= {"city"} if land.is_city(number) else set()
    return words | ({"port"} if land.ground(number).port else set())


def has_broken_roads(position: Position, *numbers: str) -> bool:
    """[14.2] Return True if the roads of any of these hexes are destroyed, and thus the bridges into it."""
    return not hexes_with_broken_roads(position).isdisjoint(numbers)


def hexes_with_broken_roads(position: Position) -> frozenset[str]:
    """[14.2] Hexes with destroyed roads."""
    return position.cached_from_place(ROADS, _broken)


def _broken(markers: Iterable[Piece]) -> frozenset[str]:
    return frozenset([marker.name.rpartition(" ")[2] for marker in markers])


# -- [13.5] retreats ---------------------------------------------------------------------------------------------------


class RetreatOptions(NamedTuple):
    """Possible retreat hexes.

    Attributes:
        hexes: Hexes not known to be closed, in the rule's order of preference.
        first: Those that share the highest preference.
        sure: Whether everything that matters is known.
    """

    hexes: tuple[str, ...]
    first: tuple[str, ...]
    sure: bool


def retreat_hexes(position: Position, pieces: Sequence[Piece], start: str) -> RetreatOptions:
    """[13.5(2)] Adjacent hexes in order of preference: open [13.5(3), 13.5(4)], nearer to the supply source, within the
    stacking limit.
    """
    land = land_of(position)
    around = [number for number in land.neighbours(start) if can_retreat_to(position, pieces, start, number)]
    far = distance_to_source(position, pieces[0])
    before = far(start)
    ranked = {number: (_is_nearer(before, far(number)), _fits(position, pieces, number)) for number in around}
    ordered = sorted(around, key=lambda number: ranked[number], reverse=True)
    first = tuple(number for number in ordered if ranked[number] == ranked[ordered[0]])
    enemy = other(side_of(pieces[0]))
    sure = bool(land.how) and not unlocated_units(position, enemy) and all(land.water(start, number) for number in around)
    return RetreatOptions(tuple(ordered), first, sure)


def can_retreat_to(position: Position, pieces: Sequence[Piece], start: str, number: str) -> bool:
    """[13.5(2-1), 13.5(3), 13.5(4)] Return True unless a retreat is known to be forbidden: water, enemies, an enemy zone
    without a friendly unit, or a hex that the Turkish unit closes.
    """
    land, side = land_of(position), side_of(pieces[0])
    if not _has_land(land, start, number) or land.ground(number).ground == SEA:
        return False
    own = {piece.id for piece in pieces}
    inside = [piece for piece in units_in(position, number) if piece.id not in own]
    if any(side_of(piece) != side for piece in inside) or number in closed_zones(position, pieces):
        return False
    return bool(inside) or number not in zones(position, other(side))


def _is_nearer(before: int | None, after: int | None) -> bool:
    return before is not None and after is not None and after < before


def _fits(position: Position, pieces: Sequence[Piece], number: str) -> bool:
    """[13.5(2-3)] Return True if units can stack with those in a hex."""
    own = {piece.id for piece in pieces}
    return not stacking_faults([*pieces, *(piece for piece in units_in(position, number) if piece.id not in own)])


def distance_to_source(position: Position, piece: Piece) -> Callable[[str], int | None]:
    """[10.0(2)] A function from hex to the distance from the unit's supply source, None if unknown.

    For Iraqi units every hex of Iraq outside the Kurdish areas is a source; for the Turkish unit it is unknown [16.10(7)].
    """
    land = land_of(position)
    source = SOURCES.get(nation(piece))
    if source:
        return lambda number: land.distance(number, source)
    if nation(piece) == TURKISH:
        return lambda number: None

    def edges(number: str, spent: float) -> list[tuple[str, float]]:
        return [(neighbour, 1) for neighbour in land.neighbours(number)]

    def far(number: str) -> int | None:
        in_areas = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
        if None in in_areas:
            return None
        if True not in in_areas:
            return 0
        search = cheapest({number: 0}, edges, MAX_AREA_WIDTH - 1, lambda reached: bool(is_home_hex(land, reached)))
        last = list(search.cost)[-1]
        return int(search.cost[last]) if is_home_hex(land, last) else None

    return far


def is_home_hex(land: Land, number: str) -> bool | None:
    """[10.0(2)] True for a hex of Iraq outside the Kurdish areas; None if the areas are unknown."""
    return _at_home(land, number)


@lru_cache(maxsize=16384)
def _at_home(land: Land, number: str) -> bool | None:
    in_areas = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
    return False if True in in_areas else None if None in in_areas else True


# -- [16.3, 16.4] ranges -----------------------------------------------------------------------------------------------


def in_range(position: Position, gun: Piece, target: str) -> bool | None:
    """[16.3(3), 16.3(4)] Whether an attacked hex is within range of artillery; None if unknown."""
    return is_within(position, gun, target, gun.number("range"))


def is_within(position: Position, piece: Piece, target: str, most: int) -> bool | None:
    """Whether a unit is within a number of hexes of a hex; None if unknown."""
    if piece.place == target and is_hex(target):
        return True
    far = land_of(position).distance(piece.place, target) if is_hex(piece.place) and is_hex(target) else None
    return None if far is None else far <= most
