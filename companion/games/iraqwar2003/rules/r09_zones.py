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
    found = units_on_map_of(position, side)
    if position.count(MAP):
        found = [one for one in found if one.place != MAP]
    return [one for one in found if one.id not in but] if but else found


def occupied_hexes(position: Position, side: str) -> frozenset[str]:
    """The hexes in which units of a side are told to stand."""
    return derived_from_side(position, side, _places)


def unlocated_units(position: Position, side: str) -> list[Piece]:
    """Those of a side with a zone of control, of which nobody has told where they stand."""
    lost = position.at(MAP)
    return [one for one in lost if one.kind == UNIT and side_of(one) == side and not one.mark(DISRUPTED)] if lost else lost


def zones(position: Position, side: str, but: Collection[str] = (), at: Callable[[Piece], bool] | None = None) -> frozenset[str]:
    """[9.0, 9.0(2)] The hexes in the zones of control of a side's ground units [9.0(4)], as far as these are told: the six around
    each [9.0(1)], not across hexsides of nothing but water [9.0(3)], none of a disrupted unit [7.3.1(2)].

    Args:
        but: ids of units that do not count. at: which of the others do; all, without.
    """
    if not but and at is None:
        return _zones(land_of(position), derived_from_side(position, side, _zone_sources))
    units = [one for one in units_in_hexes(position, side, but) if not one.mark(DISRUPTED) and (at is None or at(one))]
    return _zones(land_of(position), frozenset(one.place for one in units))


def _places(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset([one.place for one in pieces if one.place != MAP])


def _zone_sources(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset([one.place for one in pieces if one.place != MAP and not (one.marks and one.mark(DISRUPTED))])


def has_turkish_unit(position: Position) -> bool:
    """[16.10] Whether the Turkish unit is on the map."""
    return derived_from_side(position, IRAQ, _any_turkish)


def _any_turkish(pieces: Iterable[Piece]) -> bool:
    return TURKISH in [one.values.get("nation") for one in pieces]


@lru_cache(maxsize=256)
def _zones(land: Land, places: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*[land.ashore(here) for here in places])


def _has_land(land: Land, one: str, other_hex: str) -> bool:
    """Whether there is land between two hexes, or nobody has said that there is none."""
    return land.water(one, other_hex) != SEA


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
    if any(nation(one) == TURKISH for one in pieces):
        for side in (COALITION, IRAQ):
            own = [one.id for one in pieces]
            found = zones(position, side, own, lambda one: nation(one) not in KURDISH)
            closed |= dict.fromkeys(found, "16.10(3)")
    if any(nation(one) not in (*KURDISH, TURKISH) for one in pieces):
        closed |= dict.fromkeys(zones(position, IRAQ, (), lambda one: nation(one) == TURKISH), "16.10(4)")
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
    for number, (here, there) in enumerate(zip([start, *path], path, strict=False), 1):
        gone = not fly and has_broken_roads(position, here, there)
        words, missing = _entered_features(land, here, there, gone, fly, number == len(path), there in zoned, there in enemies)
        hexes.append(words)
        unknown += missing
    begins = {"zoc"} if start in zoned else set()
    begins |= {"city"} if land.is_city(start) else set()
    return PathFeatures(
        frozenset(begins), tuple(hexes), tuple(dict.fromkeys(unknown)), bool(unlocated_units(position, other(side)))
    )


@lru_cache(maxsize=16384)
def _entered_features(
    land: Land, here: str, there: str, gone: bool, fly: bool, last: bool, zoc: bool, enemy: bool
) -> tuple[frozenset[str], tuple[str, ...]]:
    """The words of a hex that is entered from another, and the facts of it that count and that nobody has told."""
    unknown: list[str] = []
    words = set() if fly else side_words(land, here, there, gone, unknown)
    words |= hex_words(land, there, unknown, not fly and "road" not in words, last)
    words |= {"zoc"} if zoc else set()
    words |= {"enemy"} if enemy else set()
    return frozenset(words or {"plain"}), tuple(unknown)


def side_words(land: Land, here: str, there: str, gone: bool, unknown: list[str]) -> set[str]:
    """The words of the hexside between two hexes. ``gone``: the roads of one of them are destroyed. ``unknown``: what is not told
    and counts is added.
    """
    road, water = land.road(here, there), land.water(here, there)
    if road and not gone:
        return {"road"}
    if road is None:
        unknown.append(f"road:{pair(here, there)}")
    if not water:
        unknown.append(f"side:{pair(here, there)}")
    return {word for name, word in (("minor", "river"), ("large", "large"), (SEA, "sea")) if water == name}


def hex_words(land: Land, number: str, unknown: list[str], walked: bool, last: bool) -> set[str]:
    """The words of a hex. ``walked``: its terrain counts for who enters it. ``last``: the way ends there."""
    terrain = land.terrain(number)
    if not terrain and (walked or last):
        unknown.append(f"hex:{number}")
    found = {terrain} & {"swamp", "mountain", "sea"}
    found |= {"city"} if land.is_city(number) else set()
    return found | ({"port"} if land.ground(number).port else set())


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
    around = [there for there in land.neighbours(start) if can_retreat_to(position, pieces, start, there)]
    far = distance_to_source(position, pieces[0])
    before = far(start)
    ranked = {there: (_is_nearer(before, far(there)), _fits(position, pieces, there)) for there in around}
    ordered = sorted(around, key=lambda there: ranked[there], reverse=True)
    first = tuple(there for there in ordered if ranked[there] == ranked[ordered[0]])
    enemy = other(side_of(pieces[0]))
    sure = bool(land.how) and not unlocated_units(position, enemy) and all(land.water(start, there) for there in around)
    return RetreatOptions(tuple(ordered), first, sure)


def can_retreat_to(position: Position, pieces: Sequence[Piece], start: str, there: str) -> bool:
    """[13.5(2-1), 13.5(3), 13.5(4)] Whether nothing that is known forbids a retreat into a hex: no water, no enemy, no enemy zone
    of control but with a friend in it, and no hex that the Turkish unit closes.
    """
    land, side = land_of(position), side_of(pieces[0])
    if not _has_land(land, start, there) or land.ground(there).ground == SEA:
        return False
    own = {one.id for one in pieces}
    inside = [one for one in units_in(position, there) if one.id not in own]
    if any(side_of(one) != side for one in inside) or there in closed_zones(position, pieces):
        return False
    return bool(inside) or there not in zones(position, other(side))


def _is_nearer(before: int | None, after: int | None) -> bool:
    return before is not None and after is not None and after < before


def _fits(position: Position, pieces: Sequence[Piece], there: str) -> bool:
    """[13.5(2-3)] Whether units fit into a hex with those that are there."""
    own = {one.id for one in pieces}
    return not stacking_faults([*pieces, *(one for one in units_in(position, there) if one.id not in own)])


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
        known = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
        if None in known:
            return None
        if True not in known:
            return 0
        ring = {number}
        for steps in range(1, MAX_AREA_WIDTH):
            ring = {there for here in ring for there in land.neighbours(here)}
            if any(is_home_hex(land, there) for there in ring):
                return steps
        return None

    return far


def is_home_hex(land: Land, number: str) -> bool | None:
    """[10.0(2)] Whether a hex is one of Iraq outside the Kurdish areas; None where nobody has said where these are."""
    return _at_home(land, number)


@lru_cache(maxsize=16384)
def _at_home(land: Land, number: str) -> bool | None:
    known = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
    return False if True in known else None if None in known else True


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
