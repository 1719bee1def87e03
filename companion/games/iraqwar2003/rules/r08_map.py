"""[2.1, 8.0 - 10.0, 13.5] The map and its units: stacking, zones of control, paths, retreats, supply lines."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from companion.core.game import Obstacle
from companion.core.graph import cheapest, distances
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece, Position, cached_by_values
from companion.core.requests import Choice
from companion.core.text import plural
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import (
    BAGHDAD,
    CITY,
    KURDISH_AREAS,
    KUWAIT,
    LOW,
    ORIENTATION,
    SEA,
    TERRAINS,
    WATER,
    Land,
    land_of,
    pair,
)
from companion.games.iraqwar2003.referee import IraqWarReferee, derived_from_side, side_units_in, units_on_map_of
from companion.games.iraqwar2003.rules.r15_control import initial_controller

LIMIT = 3


def stacking_size(piece: Piece) -> int:
    """[8.1(2)] 2 for an Iraqi unit of division scale, else 1; reduced units count in full [8.2(3)]."""
    return 2 if notation.is_iraqi(piece) and piece.values.get("big") else 1


def stacking_faults(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """All stacking violations of units in one hex, each with its rule; only ground units count [8.2(4)]."""
    return [(_stacking_text(rule, pieces), rule) for rule in _broken_rules(stacking_kinds(pieces))]


def can_stack(pieces: Sequence[Piece]) -> bool:
    """[8.1] Return True if units may be in one hex."""
    return len(pieces) < 2 or not _broken_rules(stacking_kinds(pieces))


StackingKind = tuple[str, int, str]
"""What counts of a unit in a stack: its nation, size and division."""


def stacking_kinds(pieces: Iterable[Piece]) -> tuple[StackingKind, ...]:
    """[8.1] What counts of some units in a stack."""
    return tuple([_stacking_kind(piece) for piece in pieces])


@cached_by_values
def _stacking_kind(piece: Piece) -> StackingKind:
    return notation.nation(piece), stacking_size(piece), notation.division_of(piece)


def can_stack_kinds(units: tuple[StackingKind, ...]) -> bool:
    """[8.1] Return True if units, of which only that is given which counts, may be in one hex."""
    return len(units) < 2 or not _broken_rules(units)


@lru_cache(maxsize=4096)
def _broken_rules(units: tuple[StackingKind, ...]) -> tuple[str, ...]:
    """The stacking rules that units break."""
    nations, divisions = {unit[0] for unit in units}, {unit[2] for unit in units if unit[2]}
    broken = {
        "8.1": sum(size for _, size, _ in units) > LIMIT,
        "8.1(3)": len(nations) > 1,
        "8.1(1)": len(divisions) > 1 and not nations.isdisjoint((notation.US, notation.BRITISH)),
    }
    return tuple(rule for rule, is_broken in broken.items() if is_broken)


def _stacking_text(rule: str, pieces: Sequence[Piece]) -> str:
    """A stacking violation in words."""
    if rule == "8.1":
        counted = ", ".join(f"{piece.name} {stacking_size(piece)}" for piece in pieces)
        return f"{plural(sum(map(stacking_size, pieces)), 'unit')} in a hex ({counted}), and {LIMIT} is the limit"
    if rule == "8.1(3)":
        nations = dict.fromkeys(map(notation.nation, pieces))
        return f"units of {' and '.join(notation.NATION_TITLES[name] for name in nations)} do not stack"
    return f"units of {' and '.join(notation.divisions_of(pieces))} do not stack"


def set_up_faults(pieces: Sequence[Piece]) -> list[tuple[str, str]]:
    """[3.0] Two units of the People's Army, which are called PA or People, do not begin in one hex."""
    people = [piece.name for piece in pieces if notation.is_iraqi(piece) and piece.name.casefold().startswith(("pa", "people"))]
    return [(f"{' and '.join(people)} of the People's Army do not begin in one hex", "3.0")] if len(people) > 1 else []


async def check_stack(referee: IraqWarReferee, pieces: Sequence[Piece]) -> None:
    """[8.2] Refuse excess units at the end of a movement; if the player insists they are removed [8.2 Penalty]."""
    for text, rule in stacking_faults(pieces):
        referee.forbid(text, rule, "End the movement elsewhere")
    remaining, prompt = list(pieces), "Too many units: which ones does their owner remove?"
    with referee.acting_as(notation.side_of(pieces[0]) if pieces else ""):
        while not can_stack(remaining) and (removed := await referee.pick_units("excess", prompt, "8.2 Penalty", remaining)):
            for piece in removed:
                referee.move(piece.id, state.REMOVED, "8.2 Penalty", "over the stacking limit")
            remaining = [piece for piece in remaining if piece not in removed]


async def ask_stack(referee: IraqWarReferee, movers: Sequence[Piece]) -> None:
    """[8.2(1)] Ask who else is in the end hex, unless hexes are known; limits do not apply on the way [8.2(2)]."""
    side, number = referee.side, state.hex_of(movers)
    ids = {mover.id for mover in movers}
    in_hex = [piece for piece in side_units_in(referee.position, side, number) if piece.id not in ids]
    units = units_on_map_of(referee.position, side)
    others = [piece for piece in units if piece.id not in ids and (not number or piece.place == state.MAP)]
    candidates = [piece for piece in others if can_stack([*movers, *in_hex, piece])]
    if candidates:
        await _ask_others(referee, movers, in_hex, candidates)
        return
    beside = f"with {referee.piece_names(in_hex)} there, none" if in_hex else "none"
    text = f"{beside} of the others may be there too"
    equivalent = (state.NONE, *([referee.piece_names(in_hex)] if in_hex else []))
    referee.skip_question("stacked", text, "8.1", "End the movement elsewhere", equivalent=equivalent)
    await check_stack(referee, [*movers, *in_hex])
    if not number:
        referee.say("No other unit may be in the hex where they end.", "8.2(1)", tone="reminder")


async def _ask_others(
    referee: IraqWarReferee, movers: Sequence[Piece], in_hex: Sequence[Piece], candidates: Sequence[Piece]
) -> None:
    """[8.2(1), 12.1(4)] Ask for units in the hex whose position is unknown."""
    side, prompt = referee.side, "Which other units of yours are in the hex where they end?"
    others = await referee.ask_units("stacked", prompt, "8.2(1)", candidates, side, suggest=state.NONE)
    for piece in others:
        if notation.side_of(piece) != side:
            referee.forbid(f"{piece.name} is an enemy: its hex is not entered", "12.1(4)", "Name units of the same side")
    together = [*(referee.piece(mover.id) for mover in movers), *in_hex, *others]
    if number := state.hex_of(together):
        together = [referee.place_at(piece, number) for piece in together]
    await check_stack(referee, together)


async def check_hex(referee: IraqWarReferee) -> None:
    """[8.1] Look up whether some units may stack."""
    known_units = units_on_map_of(referee.position)
    units = await referee.ask_units("units", "Which units are in the hex?", "8.1", known_units, state.COALITION, 1)
    wrong = stacking_faults(units)
    for text, rule in wrong:
        referee.say(f"Not allowed: {text}.", rule, tone="warning")
    if not wrong:
        referee.say(f"{referee.piece_names(units)} may stack: {sum(map(stacking_size, units))} of {LIMIT}.", "8.1")


# -- [9.0] Zones of control --------------------------------------------------------------------------------------------

SOURCES = {"us": "3241", "british": "3241", "kdp": "1107", "puk": "1810"}
"""[10.0(2)] Supply sources that are one hex."""
MAX_AREA_WIDTH = 15
"""Upper bound of the width of Kuwait and the Kurdish areas, in hexes."""


def units_in_hexes(position: Position, side: state.Side) -> list[Piece]:
    """Ground combat units of a side in known hexes."""
    units = units_on_map_of(position, side)
    return [piece for piece in units if piece.place != state.MAP] if position.count(state.MAP) else units


def occupied_hexes(position: Position, side: state.Side) -> frozenset[str]:
    """Known hexes with units of a side."""
    return derived_from_side(position, side, _places)


def unlocated_units(position: Position, side: state.Side) -> list[Piece]:
    """Undisrupted units of a side in unknown hexes."""
    units = [piece for piece in position.at(state.MAP) if piece.kind == state.UNIT and notation.side_of(piece) == side]
    return [piece for piece in units if not piece.mark(state.DISRUPTED)]


def zones(position: Position, side: state.Side) -> frozenset[str]:
    """[9.0, 9.0(2), 9.0(3)] Hexes in zones of control of a side's units in known hexes [9.0(4)]."""
    return _zones(land_of(position), derived_from_side(position, side, _zone_sources))


def _places(pieces: Iterable[Piece]) -> frozenset[str]:
    return frozenset([piece.place for piece in pieces if piece.place != state.MAP])


def _zone_sources(pieces: Iterable[Piece]) -> frozenset[str]:
    return _places([piece for piece in pieces if not (piece.marks and piece.mark(state.DISRUPTED))])


def has_turkish_unit(position: Position) -> bool:
    """[16.10] Return True if the Turkish unit is on the map."""
    return position.has_group(_turkish_on_map, True)


def _turkish_on_map(piece: Piece) -> bool | None:
    return True if notation.is_turkish(piece) and state.is_on_map(piece) else None


@lru_cache(maxsize=256)
def _zones(land: Land, places: frozenset[str]) -> frozenset[str]:
    return frozenset().union(*[land.ashore(place) for place in places])


def enemy_zones(position: Position, pieces: Sequence[Piece]) -> frozenset[str]:
    """[12.3] Hexes in zones of control that cost points; Kurds and the Turkish unit pay for each other's [16.10(3), 16.10(4)]."""
    return zones(position, state.other(notation.side_of(pieces[0])))


def closed_zones(position: Position, pieces: Sequence[Piece]) -> dict[str, str]:
    """[16.10(3), 16.10(4)] Hexes closed to units, with the rule: the Turks enter only Kurdish zones, only Kurds enter theirs."""
    closed: dict[str, str] = {}
    if not has_turkish_unit(position):
        return closed
    land, units, own = land_of(position), units_on_map_of(position), {piece.id for piece in pieces}
    if any(map(notation.is_turkish, pieces)):
        others = [unit for unit in units if unit.id not in own and not notation.is_kurdish(unit)]
        closed |= dict.fromkeys(_zones(land, _zone_sources(others)), "16.10(3)")
    if not all(notation.is_kurdish(piece) or notation.is_turkish(piece) for piece in pieces):
        closed |= dict.fromkeys(_zones(land, _zone_sources(filter(notation.is_turkish, units))), "16.10(4)")
    return closed


# -- [12.0] Paths ------------------------------------------------------------------------------------------------------


class PathFeatures(NamedTuple):
    """The features of a path, as far as they are known.
    | Attributes:
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
    """[12.2 - 12.5] The features of a path; roads cancel terrain [12.2(4)], fliers meet only water at the end [12.5]."""
    land, side = land_of(position), notation.side_of(pieces[0])
    zoned, enemies = enemy_zones(position, pieces), occupied_hexes(position, state.other(side))
    unknown: list[str] = []
    hexes = []
    for number, (before, entered) in enumerate(zip([start, *path], path, strict=False), 1):
        roads_broken, last = not fly and has_broken_roads(position, before, entered), number == len(path)
        words, missing = _entered_features(land, before, entered, roads_broken, fly, last, entered in zoned, entered in enemies)
        hexes.append(words)
        unknown += missing
    begins = {"zoc"} if start in zoned else set()
    begins |= {"city"} if land.is_city(start) else set()
    may_add_zones = bool(unlocated_units(position, state.other(side)))
    return PathFeatures(frozenset(begins), tuple(hexes), tuple(dict.fromkeys(unknown)), may_add_zones)


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
    """[16.7.1(3)] The features of a hexside; a railroad is no road. Unknown facts that matter are added to ``unknown``.

    Args:
        roads_broken: Whether the roads are destroyed in either hex.
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


def roads_name(hex_name: str) -> str:
    """The name of the damaged marker of a hex."""
    return f"roads of {hex_name}"


def hexes_with_broken_roads(position: Position) -> frozenset[str]:
    """[14.2] Hexes with destroyed roads: numbers, and names of places whose hex is not known."""
    names = position.cached_from_place(state.ROADS, _broken)
    return _numbers(land_of(position), names) if names else names


def broken_roads(position: Position) -> dict[str, Piece]:
    """[14.2] The damaged markers by their hex, as in `hexes_with_broken_roads`."""
    land = land_of(position)
    return {land.number_of(_marked_hex(marker)): marker for marker in position.at(state.ROADS)}


def _broken(markers: Iterable[Piece]) -> frozenset[str]:
    return frozenset(map(_marked_hex, markers))


def _marked_hex(marker: Piece) -> str:
    return marker.name.removeprefix(roads_name(""))


@lru_cache(maxsize=256)
def _numbers(land: Land, names: frozenset[str]) -> frozenset[str]:
    return frozenset(map(land.number_of, names))


# -- [13.5] Retreats ---------------------------------------------------------------------------------------------------


class RetreatOptions(NamedTuple):
    """Hexes not known to be closed in order of preference, the equal first ones, and whether all that matters is known."""

    hexes: tuple[str, ...]
    first: tuple[str, ...]
    sure: bool


def retreat_hexes(position: Position, pieces: Sequence[Piece], start: str) -> RetreatOptions:
    """[13.5(2)] Adjacent open hexes [13.5(3), 13.5(4)]: nearer to the supply source first, then within the stacking limit."""
    land, side = land_of(position), notation.side_of(pieces[0])
    closed, hostile = closed_zones(position, pieces), zones(position, state.other(side))
    far = distance_to_source(position, pieces[0])
    before, alone = far(start), can_stack(pieces)
    ranked: dict[str, tuple[bool, bool]] = {}
    for number in land.ashore(start):
        inside = state.others_in(position, number, pieces)
        if not _closed_to(side, inside, number, closed, hostile):
            ranked[number] = _is_nearer(before, far(number)), can_stack([*pieces, *inside]) if inside else alone
    ordered = sorted(ranked, key=ranked.__getitem__, reverse=True)
    first = tuple([number for number in ordered if ranked[number] == ranked[ordered[0]]])
    printed = all(land.water(start, number) for number in ranked)
    sure = bool(land.orientation) and printed and not unlocated_units(position, state.other(side))
    return RetreatOptions(tuple(ordered), first, sure)


def retreat_excluded(position: Position, pieces: Sequence[Piece], start: str, number: str) -> tuple[str, str] | None:
    """[13.5, 13.5(3)] Why units cannot retreat into a hex, ``{}`` for its number, and the rule; None unless it is known."""
    land, side = land_of(position), notation.side_of(pieces[0])
    if land.adjacent(start, number) is False:
        return "{} is not adjacent", "13.5"
    if SEA in (land.water(start, number), land.ground(number).ground):
        return "nothing but water is in {} or before it", "13.5(3)"
    inside = state.others_in(position, number, pieces)
    return _closed_to(side, inside, number, closed_zones(position, pieces), zones(position, state.other(side)))


def _closed_to(
    side: state.Side, inside: Sequence[Piece], number: str, closed: Mapping[str, str], hostile: frozenset[str]
) -> tuple[str, str] | None:
    """[13.5(2-1), 13.5(3), 13.5(4)] What closes a hex to a retreat: ``inside`` it, its zones, and enemy zones."""
    if inside and any(notation.side_of(piece) != side for piece in inside):
        return "an enemy unit is in {}", "13.5(2-1)"
    if number in closed:
        return "{} lies in a zone of control that is closed to them", closed[number]
    if inside or number not in hostile:
        return None
    return "{} lies in an enemy zone of control, without a friend in it", "13.5(3)"


def _is_nearer(before: int | None, after: int | None) -> bool:
    return before is not None and after is not None and after < before


def fits(position: Position, pieces: Sequence[Piece], number: str) -> bool:
    """[8.1, 13.5(2-3)] Return True if units can stack with those in a hex."""
    return can_stack([*pieces, *state.others_in(position, number, pieces)])


def distance_to_source(position: Position, piece: Piece) -> Callable[[str], int | None]:
    """[10.0(2), 16.10(7)] A function from hex to the distance from the unit's supply source, None if unknown."""
    land = land_of(position)
    source = SOURCES.get(notation.nation(piece))
    if source:
        return lambda number: land.distance(number, source)
    if notation.is_turkish(piece):
        return lambda number: None

    return partial(_distance_home, land)


@lru_cache(maxsize=4096)
def _distance_home(land: Land, number: str) -> int | None:
    """[10.0(2)] Hexes to Iraq outside the Kurdish areas; None if unknown."""

    def edges(number: str, spent: float) -> list[tuple[str, float]]:
        return [(neighbour, 1) for neighbour in land.neighbours(number)]

    in_areas = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
    if None in in_areas:
        return None
    if True not in in_areas:
        return 0
    search = cheapest({number: 0}, edges, MAX_AREA_WIDTH - 1, lambda reached: bool(is_home_hex(land, reached)))
    last = list(search.cost)[-1]
    return int(search.cost[last]) if is_home_hex(land, last) else None


@lru_cache(maxsize=16384)
def is_home_hex(land: Land, number: str) -> bool | None:
    """[10.0(2)] True for a hex of Iraq outside the Kurdish areas; None if the areas are unknown."""
    in_areas = [land.in_area(number, area) for area in (KUWAIT, *KURDISH_AREAS)]
    return False if True in in_areas else None if None in in_areas else True


# -- [16.3, 16.4] Ranges -----------------------------------------------------------------------------------------------


def in_range(position: Position, gun: Piece, target: str) -> bool | None:
    """[16.3(3), 16.3(4)] Whether an attacked hex is within range of artillery; None if unknown."""
    return is_within(position, gun, target, gun.number("range"))


def is_within(position: Position, piece: Piece, target: str, most: int) -> bool | None:
    """Whether a unit is within a number of hexes of a hex; None if unknown."""
    if piece.place == target and state.is_hex(target):
        return True
    far = land_of(position).distance(piece.place, target) if state.is_hex(piece.place) and state.is_hex(target) else None
    return None if far is None else far <= most


# -- [12.1(4), 12.2(5), 16.10] Hexes that no unit enters from outside the map or from the air ------------------------------


def arrival_obstacle(position: Position, pieces: Sequence[Piece], number: str, rule: str) -> Obstacle | None:
    """[12.1(4), 12.2(5), 16.10(3), 16.10(4)] Why units cannot be put into a hex: enemies, water, or a closed zone of control."""
    side = notation.side_of(pieces[0])
    if enemies := [piece for piece in state.units_in(position, number) if notation.side_of(piece) != side]:
        names = ", ".join(piece.name for piece in enemies)
        return Obstacle(f"{names} {'is' if len(enemies) == 1 else 'are'} in {number}", rule, "Name a hex without an enemy unit")
    if land_of(position).ground(number).ground == SEA:
        return Obstacle(f"{number} is all water", "12.2(5)", "Name a hex with land")
    if closed := closed_zones(position, pieces).get(number):
        cure = "Only Kurdish units and the Turkish one meet so: name another hex"
        return Obstacle(f"{number} lies in a zone of control that is closed to {pieces[0].name}", closed, cure)
    return None


# -- [10.0] Supply lines, as far as unit positions and control of hexes are known --------------------------------------


class SupplyLine(NamedTuple):
    """A supply line.
    | Attributes:
        open: True if it is certainly open, False if it is certainly cut; None if it is unknown.
        hexes: The line from unit to source; if it seems cut, the shortest possible one; empty if there is none.
        cut: Why it seems cut, "" if it does not.
        enemy: Hexes of the line that the enemy controls; others would leave it open.
    """

    open: bool | None
    hexes: tuple[str, ...] = ()
    cut: str = ""
    enemy: tuple[str, ...] = ()


class SupplyLines:
    """[10.0(2), 10.0(3), 10.0(4)] The supply lines of a side; certain only if all enemies with a zone are in known hexes."""

    def __init__(self, position: Position, side: state.Side) -> None:
        self.position = position
        self.side = side
        self.land = land_of(position)
        self._free, self._unrecorded, self._not_theirs, ours = _passable(position, side)
        self.is_ours = _cached(ours)
        """[10.0(3), 10.0(4)] Whether a line surely may pass a hex."""
        self._sure = not unlocated_units(position, state.other(side))
        self._floods: dict[tuple[str, Callable[[str], bool]], SourceDistances] = {}

    def of(self, piece: Piece) -> SupplyLine:
        """The line of a unit."""
        if not state.is_hex(piece.place) or not self.land.orientation or notation.is_turkish(piece):
            return SupplyLine(None)
        certain = self._line(piece, self.is_ours)
        if certain and self._sure:
            return SupplyLine(True, certain)
        if possible := certain or self._line(piece, self._not_theirs):
            return SupplyLine(None, possible)
        for passed in (self._unrecorded, self._free):
            if loose := self._line(piece, passed):
                theirs = tuple(number for number in loose[1:] if not self._not_theirs(number))
                sure = passed is self._free and self._sure and not unlocated_units(self.position, self.side)
                return SupplyLine(False if sure else None, loose, "the enemy controls hexes of every way", theirs)
        across = self._line(piece, _any_hex)
        return SupplyLine(False, across, "enemies close every way" if across else "there is no way by land")

    def in_doubt(self, piece: Piece) -> bool:
        """Return True unless a unit's line is certainly open: it is unknown, or cut."""
        owner, place = notation.nation(piece), piece.place
        if not self._sure or not state.is_hex(place) or not self.land.orientation or owner == notation.TURKISH:
            return True
        if source := SOURCES.get(owner, ""):
            return not self._flood(source, self.is_ours).reaches(place)
        return not (is_home_hex(self.land, place) or _line_to_home(self.land, place, self.is_ours))

    def after(self, source: str, left: str = "", entered: Sequence[str] = ()) -> "SourceDistances":
        """The distances from a source over hexes that the side surely controls, after units left a hex for the last of others.

        ``left``: a hex that no other unit of the side is in, or "".
        """
        if not left and not entered:
            return self._flood(source, self.is_ours)
        hostile, occupied = zones(self.position, state.other(self.side)), occupied_hexes(self.position, self.side)
        end, on_way = entered[-1] if entered else "", frozenset(entered)

        def passed(number: str) -> bool:
            if number == end:
                return True
            if number == left:
                return number not in hostile
            if number in on_way:
                return number not in hostile or number in occupied
            return self.is_ours(number)

        return SourceDistances(self.land, source, passed)

    def _flood(self, source: str, passed: Callable[[str], bool]) -> "SourceDistances":
        """The distances from a source, cached."""
        cached = self._floods.get((source, passed))
        if cached is None:
            cached = self._floods[source, passed] = SourceDistances(self.land, source, passed)
        return cached

    def _line(self, piece: Piece, passed: Callable[[str], bool]) -> tuple[str, ...]:
        """The shortest line of a unit over passable hexes."""
        source = SOURCES.get(notation.nation(piece), "")
        if not source:
            return _line_to_home(self.land, piece.place, passed)
        return self._flood(source, passed).line(piece.place)


def _passable(position: Position, side: state.Side) -> tuple[Callable[[str], bool], ...]:
    """Four predicates, each narrower: hexes a line may enter regardless of control; without those that the enemy entered
    last; without all that the enemy controls; and only those that the side controls.
    """
    land, flags, iraqi, foe = land_of(position), position.flags, side == state.IRAQ, state.other(side)
    own, enemy, hostile = occupied_hexes(position, side), occupied_hexes(position, foe), zones(position, foe)
    held = own
    if iraqi and has_turkish_unit(position):
        held = _places([piece for piece in units_in_hexes(position, side) if not notation.is_turkish(piece)])

    def free(number: str) -> bool:
        """[10.0(3), 10.0(4)] No enemy unit, and no enemy zone of control without a friendly unit."""
        return number not in enemy and (number in own or number not in hostile)

    def unrecorded(number: str) -> bool:
        """[10.0(3)] Also not taken by the enemy during the game; what it controls from the start may have changed unseen."""
        holder = flags.get(initial_controller(land, number)[0])
        return free(number) and (number in held or not holder or (holder == state.IRAQ) == iraqi)

    def not_theirs(number: str) -> bool:
        """[10.0(3)] Also not known to be controlled by the enemy."""
        if not free(number):
            return False
        flag, first = initial_controller(land, number)
        controller = flags.get(flag) or first
        return number in held or not controller or (controller == state.IRAQ) == iraqi

    def ours(number: str) -> bool:
        """[10.0(3)] Also known to be controlled by the side."""
        if number in enemy or (number in hostile and number not in own):
            return False
        flag, first = initial_controller(land, number)
        controller = flags.get(flag) or first
        return number in held or (bool(controller) and (controller == state.IRAQ) == iraqi)

    return free, unrecorded, not_theirs, ours


def _cached(passed: Callable[[str], bool]) -> Callable[[str], bool]:
    """A predicate of hexes that asks another one once for each hex."""
    known: dict[str, bool] = {}

    def cached(number: str) -> bool:
        passes = known.get(number)
        if passes is None:
            passes = known[number] = passed(number)
        return passes

    return cached


def _any_hex(number: str) -> bool:
    return True


class SourceDistances:
    """Distances from a source over passable hexes, not across all-water sides."""

    def __init__(self, land: Land, source: str, passed: Callable[[str], bool]) -> None:
        self._land = land
        self._source = source
        self._ends: dict[str, tuple[str, ...]] = {}
        starts = [source] if passed(source) else []
        self._distances = distances(starts, land.ashore, is_open=passed)

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


# -- [2.1] Questions about the map, each asked once --------------------------------------------------------------------


async def ask_orientation(referee: IraqWarReferee) -> None:
    """[2.1] Ask which columns lie half a hex lower, if unknown; from then on numbers show adjacency."""
    if not land_of(referee.position).asked:
        prompt = f"Baghdad: which of its two hexes lies half a hex lower, {' or '.join(BAGHDAD)} (neither: numbers tell nothing)"
        referee.set_flag(ORIENTATION, await referee.printed(ORIENTATION, prompt, "2.1", LOW), "2.1")


async def learn_map_facts(referee: IraqWarReferee, facts: Mapping[str, str], rule: str) -> None:
    """Remember map facts (full keys) inferred from play; undo retracts them."""
    for key, value in facts.items():
        if referee.position.flag(key) != value:
            referee.set_flag(key, await referee.infer_fact(key, value, rule), rule)


async def ask_terrain(referee: IraqWarReferee, number: str, rule: str = "13.3(5)") -> str:
    """[2.1.1(2)] The terrain of a hex as in ``Land.terrain``, asked for if unknown."""
    land = land_of(referee.position)
    terrain = land.terrain(number)
    if terrain and terrain != CITY:
        return terrain
    sizes = [name for name in TERRAINS if "city" in name]
    names = sizes if terrain else ["plain", *TERRAINS, *(["mountain"] if referee.has_rule(state.MOUNTAINS) else [])]
    title = f"{number} {land.place(number)}".strip()
    choices = [Choice(name, name.replace("_", " ")) for name in names]
    answer = await referee.choose("terrain", f"What is the terrain of {title}?", rule, choices, None if terrain else "plain")
    ground = land.ground(number)
    key = f"hex:{number}"
    referee.set_flag(key, await referee.record_fact(key, str(ground._replace(ground=answer.replace("_", " "))), rule), rule)
    return land_of(referee.position).terrain(number)


async def ask_water(referee: IraqWarReferee, first: str, second: str, rule: str) -> str:
    """[12.2, 13.3(3), 13.3(4)] The water between two hexes, one of WATERS, asked for if unknown."""
    land = land_of(referee.position)
    if water := land.water(first, second):
        return water
    key = f"side:{pair(first, second)}"
    prompt = f"What lies between {first} and {second}? (a minor river, a large one, only sea or lake, or none)"
    referee.set_flag(key, await referee.printed(key, prompt, rule, WATER), rule)
    return land_of(referee.position).water(first, second)
