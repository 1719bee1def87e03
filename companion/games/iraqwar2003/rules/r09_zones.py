"""[9.0, 13.5, 16.3, 16.4] What follows from where units stand: zones of control, hexes to retreat to, ranges."""

from collections.abc import Callable, Collection, Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.core.position import Piece, Position
from companion.games.iraqwar2003.land import KURDISH_AREAS, KUWAIT, SEA, Land, land_of, pair
from companion.games.iraqwar2003.notation import KURDISH, TURKISH, nation, side_of
from companion.games.iraqwar2003.referee import derived_from_side, units_on_map_of
from companion.games.iraqwar2003.rules.r08_stacking import stacking_faults
from companion.games.iraqwar2003.state import COALITION, DISRUPTED, IRAQ, MAP, ROADS, UNIT, is_hex, other, units_in

SOURCES = {"us": "3241", "british": "3241", "kdp": "1107", "puk": "1810"}
"""Supply sources that are one hex [10.0(2)]."""
MAX_AREA_WIDTH = 15
"""Hexes that no Kurdish area and no part of Kuwait is wide."""


def units_in_hexes(position: Position, side: str, but: Collection[str] = ()) -> list[Piece]:
    """The ground combat units of a side whose hex is told. ``but``: ids of some that do not count."""
    units = units_on_map_of(position, side)
    if position.count(MAP):
        units = [piece for piece in units if piece.place != MAP]
    return [piece for piece in units if piece.id not in but] if but else units


def occupied_hexes(position: Position, side: str) -> frozenset[str]:
    """The hexes in which units of a side are told to stand."""
    return derived_from_side(position, side, _places)


def unlocated_units(position: Position, side: str) -> list[Piece]:
    """Those of a side with a zone of control, of which nobody has told where they stand."""
    lost = position.at(MAP)
    return (
        [piece for piece in lost if piece.kind == UNIT and side_of(piece) == side and not piece.mark(DISRUPTED)] if lost else lost
    )


def zones(
    position: Position, side: str, but: Collection[str] = (), counts: Callable[[Piece], bool] | None = None
) -> frozenset[str]:
    """[9.0, 9.0(2)] The hexes in the zones of control of a side's ground units [9.0(4)], as far as these are told: the six around
    each [9.0(1)], not across hexsides of nothing but water [9.0(3)], none of a disrupted unit [7.3.1(2)].

    Args:
        but: ids of units that do not count. at: which of the others do; all, without.
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
    """[16.10] Whether the Turkish unit is on the map."""
    return derived_from_side(position, IRAQ, _any_turkish)


def _any_turkish(pieces: Iterable[Piece]) -> bool:
    return TURKISH in [piece.values.get("nation") for piece in pieces]


@lru_cache(maxsize=256)
def _zones(land: Land, places: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*[land.ashore(place) for place in places])


def _has_land(land: Land, first: str, second: str) -> bool:
    """Whether there is land between two hexes, or nobody has said that there is none."""
    return land.water(first, second) != SEA


def enemy_zones(position: Position, pieces: Sequence[Piece]) -> frozenset[str]:
    """[12.3] The hexes in zones of control that cost some units of one side points; Kurds and the Turkish unit have none for each
    other that would keep them out, but pay for them [16.10(3), 16.10(4)].
    """
    return zones(position, other(side_of(pieces[0])))


def closed_zones(position: Position, pieces: Sequence[Piece]) -> dict[str, str]:
    """[16.10(3), 16.10(4)] Hexes that some units may not enter for the Turkish unit's sake -> the rule: it keeps out of all
    zones of control but those of Kurds, and all but Kurds keep out of its own.
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


# -- ways ----------------------------------------------------------------------------------------------------------------


class PathFeatures(NamedTuple):
    """What a way of hexes has, as far as it is known.

    Attributes:
        start: words of the hex where it begins: ``zoc``, ``road`` or ``city`` where they are known.
        hexes: the words of each hex that is entered.
        unknown: keys of the facts that matter on it and that nobody has told: ``hex:2231``, ``side:2231-2331`` ...
        zones: whether a zone of control on it may be one of a unit of which nobody has told where it stands.
    """

    start: frozenset[str]
    hexes: tuple[frozenset[str], ...]
    unknown: tuple[str, ...]
    zones: bool


def path_features(
    position: Position, pieces: Sequence[Piece], start: str, path: Sequence[str], fly: bool = False
) -> PathFeatures:
    """[12.2 - 12.5] A way from a hex through others in the words of a way. Along a road, terrain and rivers do not count
    [12.2(4)], and destroyed roads are none [14.2]; who flies minds no terrain but water where he ends [12.5].
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
    """The words of a hex that is entered from another, and the facts of it that count and that nobody has told."""
    unknown: list[str] = []
    words = set() if fly else side_words(land, before, entered, roads_broken, unknown)
    words |= hex_words(land, entered, unknown, not fly and "road" not in words, last)
    words |= {"zoc"} if zoc else set()
    words |= {"enemy"} if enemy else set()
    return frozenset(words or {"plain"}), tuple(unknown)


def side_words(land: Land, before: str, entered: str, roads_broken: bool, unknown: list[str]) -> set[str]:
    """The words of the hexside between two hexes. ``gone``: the roads of one of them are destroyed. ``unknown``: what is not told
    and counts is added.
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
    """The words of a hex. ``walked``: its terrain counts for who enters it. ``last``: the way ends there."""
    terrain = land.terrain(number)
    if not terrain and (walked or last):
        unknown.append(f"hex:{number}")
    words = {terrain} & {"swamp", "mountain", "sea"}
    words |= {"city"} if land.is_city(number) else set()
    return words | ({"port"} if land.ground(number).port else set())


def has_broken_roads(position: Position, *numbers: str) -> bool:
    """[14.2] Whether the roads of one of some hexes are destroyed, and with them the bridges into it."""
    return not hexes_with_broken_roads(position).isdisjoint(numbers)


def hexes_with_broken_roads(position: Position) -> frozenset[str]:
    """[14.2] The hexes whose roads are destroyed."""
    return position.cached_from_place(ROADS, _broken)


def _broken(markers: Iterable[Piece]) -> frozenset[str]:
    return frozenset([marker.name.rpartition(" ")[2] for marker in markers])


# -- [13.5] retreats -------------------------------------------------------------------------------------------------------


class RetreatOptions(NamedTuple):
    """Where units may retreat to.

    Attributes:
        hexes: those that nothing is known against, in the order in which the rule prefers them.
        first: those of them that the rule prefers to all others.
        sure: whether everything that counts is known.
    """

    hexes: tuple[str, ...]
    first: tuple[str, ...]
    sure: bool


def retreat_hexes(position: Position, pieces: Sequence[Piece], start: str) -> RetreatOptions:
    """[13.5(2)] The hexes around one in the order of the rule: first that nothing forbids it [13.5(3), 13.5(4)], then that it is
    nearer to the own supply source, then that the stack stays within its limit.
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
    """[13.5(2-1), 13.5(3), 13.5(4)] Whether nothing that is known forbids a retreat into a hex: no water, no enemy, no enemy zone
    of control but with a friend in it, and no hex that the Turkish unit closes.
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
    """[13.5(2-3)] Whether units fit into a hex with those that are there."""
    own = {piece.id for piece in pieces}
    return not stacking_faults([*pieces, *(piece for piece in units_in(position, number) if piece.id not in own)])


def distance_to_source(position: Position, piece: Piece) -> Callable[[str], int | None]:
    """[10.0(2)] How far a hex is from the supply source of a unit's army, in hexes; None where that is unknown. Every hex of Iraq
    outside the Kurdish areas is one for Iraqi units; of the Turkish unit only the player sees the border [16.10(7)].
    """
    land = land_of(position)
    source = SOURCES.get(nation(piece))
    if source:
        return lambda number: land.distance(number, source)
    if nation(piece) == TURKISH:
        return lambda number: None

    def far(number: str) -> int | None:
        in_areas = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
        if None in in_areas:
            return None
        if True not in in_areas:
            return 0
        ring = {number}
        for steps in range(1, MAX_AREA_WIDTH):
            ring = {neighbour for inner in ring for neighbour in land.neighbours(inner)}
            if any(is_home_hex(land, neighbour) for neighbour in ring):
                return steps
        return None

    return far


def is_home_hex(land: Land, number: str) -> bool | None:
    """[10.0(2)] Whether a hex is one of Iraq outside the Kurdish areas; None where nobody has said where these are."""
    return _at_home(land, number)


@lru_cache(maxsize=16384)
def _at_home(land: Land, number: str) -> bool | None:
    in_areas = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
    return False if True in in_areas else None if None in in_areas else True


# -- [16.3, 16.4] ranges ---------------------------------------------------------------------------------------------------


def in_range(position: Position, gun: Piece, target: str) -> bool | None:
    """[16.3(3), 16.3(4)] Whether a hex that is attacked lies within the range of a piece of artillery; None: unknown."""
    return is_within(position, gun, target, gun.number("range"))


def is_within(position: Position, piece: Piece, target: str, most: int) -> bool | None:
    """Whether a unit stands within so many hexes of a hex; None where one of the two is unknown."""
    if piece.place == target and is_hex(target):
        return True
    far = land_of(position).distance(piece.place, target) if is_hex(piece.place) and is_hex(target) else None
    return None if far is None else far <= most
