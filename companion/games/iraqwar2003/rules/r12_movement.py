"""[12.0, 14.0] Movement: the cost of a path, known paths, hexes within reach; roads. Costs are in half points."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence, Set
from functools import lru_cache, partial
from heapq import heappop, heappush

from companion.core.charts import Chart
from companion.core.game import Obstacle
from companion.core.graph import distances, shortest_path
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation, free_text
from companion.core.position import Piece, Position
from companion.core.requests import Choice
from companion.core.text import plural
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import CITY, LARGE, MINOR, NO, NOTHING, PORT, SEA, YES, Ground, Land, land_of, pair
from companion.games.iraqwar2003.referee import IraqWarReferee, derived_from_side
from companion.games.iraqwar2003.rules import r04_sequence, r08_map, r15_control


class Mover(NamedTuple):
    """A unit with its movement value [2.2.8] and whether it flies [12.5]."""

    name: str
    move: int
    fly: bool = False


class PathCost(NamedTuple):
    """The cost of a path for one mover: points spent and left in halves, violations with rules, cost of each hex in parts."""

    halves: int
    left: int
    faults: tuple[tuple[str, str], ...]
    way: notation.Path
    paid: tuple[Sequence[tuple[str, int]], ...]

    def lines(self) -> tuple[str, ...]:
        """One line per hex with its cost."""
        costs = [" + ".join(f"{points(part)} {why}".strip() for why, part in parts) for parts in self.paid]
        return tuple(f"hex {index + 1} ({self.way.title(index)}): {cost}" for index, cost in enumerate(costs))


def points(halves: int) -> str:
    """``2 1/2``, ``3``, ``1/2``."""
    whole, half = divmod(abs(halves), 2)
    text = f"{whole or ''}{' ' if whole and half else ''}{'1/2' if half else ''}" or "0"
    return f"-{text}" if halves < 0 else text


def road_rate(path: notation.Path) -> bool:
    """[12.4] Whether the road rate applies: roads all the way from a road hex [12.4(1)], never in an enemy zone [12.4(2)]."""
    begins = bool(path.hexes) and not path.from_zoc and not path.off_road
    return begins and all("road" in words and "zoc" not in words for words in path.hexes)


def in_halves(movement_points: int) -> int:
    """Movement points in the unit of costs, half points [12.4]."""
    return 2 * movement_points


def halves(chart: Chart, row: str) -> int:
    """A cost of the movement chart in half points."""
    whole, _, parts = chart.text(row, "cost").partition("/")
    return 2 * int(whole) // int(parts or 1)


def zone_cost(before: bool, after: bool, chart: Chart) -> tuple[str, int]:
    """[12.3] The cost, in words and halves, of entering, leaving or moving between zones of control."""
    if before and after:
        return "zone to zone", halves(chart, "zoc to zoc")
    if before or after:
        return ("leaving a zone", halves(chart, "zoc out")) if before else ("entering a zone", halves(chart, "zoc in"))
    return "", 0


def path_cost(path: notation.Path, mover: Mover, chart: Chart) -> PathCost:
    """[12.1 - 12.5] The cost of a path for a mover, with all violations."""
    spent = 0
    paid: list[Sequence[tuple[str, int]]] = []
    faults: list[tuple[str, str]] = []
    at_road_rate = road_rate(path) and not mover.fly
    zoc = path.from_zoc
    ends = ""
    for number, words in enumerate(path.hexes, 1):
        last = number == len(path.hexes)
        in_zone = "zoc" in words
        if mover.fly:
            parts = _flying_cost(words, last, chart, faults)
        else:
            parts = hex_cost(words, number, last, (zoc, in_zone), at_road_rate, chart, faults)
        for _, part in parts:
            spent += part
        if not ends and spent > in_halves(mover.move):
            ends = f"; the points end before hex {number} ({path.title(number - 1)})"
        paid.append(parts)
        zoc = in_zone
    points_left = in_halves(mover.move) - spent
    zones = not mover.fly and (path.from_zoc or any("zoc" in words for words in path.hexes))
    if points_left < 0:
        text = f"{mover.name} has {plural(mover.move, 'movement point')} and the way costs {points(spent)}{ends}"
        faults.append((text, "12.3(4)" if zones else "12.1(2)"))
    return PathCost(spent, points_left, tuple(faults), path, tuple(paid))


def _closed(words: frozenset[str], faults: list[tuple[str, str]]) -> None:
    if "enemy" in words:
        faults.append(("an enemy ground unit is in that hex", "12.1(4)"))
    if "edge" in words:
        faults.append(("movement never leaves the map", "12.1(5)"))


def _flying_cost(words: frozenset[str], last: bool, chart: Chart, faults: list[tuple[str, str]]) -> list[tuple[str, int]]:
    """[12.5(1), 12.5(2)] One point for any hex; roads make no difference [12.5(5)]."""
    _closed(words, faults)
    if last and words & {"sea", "lake"}:
        text = "a flying unit cannot end in a hex that is all water (if only the side is, leave the word out)"
        faults.append((text, "12.5(3)"))
    return [("flying", halves(chart, "flying"))]


def hex_cost(
    words: frozenset[str],
    number: int,
    last: bool,
    zones: tuple[bool, bool],
    at_road_rate: bool,
    chart: Chart,
    faults: list[tuple[str, str]],
) -> list[tuple[str, int]]:
    """[12.1(3), 12.2 - 12.4] The cost of entering a hex on the ground, in halves, in parts with their reasons.
    | Args:
        words: Features of the hex and of the side crossed.
        number: Index of the hex on its path, from 1.
        zones: Whether the hex before and this one are in enemy zones of control.
        faults: Violations are added here, each with its rule.
    """
    _closed(words, faults)
    if at_road_rate:
        return [("road", halves(chart, "road"))]
    parts = [("", halves(chart, "plain"))]
    if "road" not in words:  # along a road the terrain does not count [12.2(4)]
        if words & {"sea", "lake"}:
            faults.append(("only flying units cross or enter what is all water", "12.2(5)"))
        if "river" in words:
            parts.append(("minor river", halves(chart, "river")))
        if words & {"swamp", "mountain"} and not last:
            faults.append(("a swamp or mountain hex ends the movement", "12.2(1)" if "swamp" in words else "16.9"))
        if "large" in words:
            _large_river(number, last, zones, faults)
    return [*parts, zone_cost(*zones, chart)] if any(zones) else parts


def _large_river(number: int, last: bool, zones: tuple[bool, bool], faults: list[tuple[str, str]]) -> None:
    """[12.2(3)] A large river is crossed only as first and last hex, and never from zone to zone."""
    if number > 1:
        faults.append(("a large river is crossed only from the hex where the segment begins", "12.2(3)"))
    if not last:
        faults.append(("crossing a large river ends the movement", "12.2(3)"))
    if all(zones):
        faults.append(("a large river is not crossed from one enemy zone of control into another", "12.2(3)"))


def movement_value(printed: int, fly: bool, oos: bool, storm: bool) -> tuple[int, bool]:
    """[10.0(6), 16.6(4)] The current movement value, rounded down, and whether the unit flies."""
    value = printed // 2 if oos else printed
    if fly and storm:
        return value // 2, False
    return value, fly


def say_cost(referee: IraqWarReferee, mover: Mover, result: PathCost) -> None:
    """Announce the cost of a path and the points left."""
    if referee.quiet:
        return
    text = f"{mover.name}: {points(result.halves)} of {mover.move} MP, {points(max(result.left, 0))} left"
    ends = mover.fly or bool(result.faults) or referee.computer_plays(referee.side)
    if not ends and 0 <= result.left < 6:  # the hex itself and the zone [12.3]
        text += "; too few to leave or enter a zone of control"
    referee.say(f"{text}.", "12.1(2)", *result.lines())


def apply_mountain_option(referee: IraqWarReferee, path: notation.Path) -> notation.Path:
    """[16.9] The path with mountains treated as plain ground unless the option is on."""
    if referee.has_rule(state.MOUNTAINS) or (all(path.hexes) and not any("mountain" in words for words in path.hexes)):
        return path
    return path._replace(hexes=tuple(words - {"mountain"} or frozenset({"plain"}) for words in path.hexes))


async def look_up_cost(referee: IraqWarReferee) -> None:
    """[12.2, 12.3] Look up the cost of a path without a unit."""
    move = await referee.number("move", "What is its movement value?", "2.2.8", 0, 30)
    fly = await referee.confirm("fly", "Is it a flying unit? (white movement value)", "12.5", suggest=False)
    text = await referee.text("way", "Which hexes does it enter? (in order; from zoc first)", "12.2", notation.PATH)
    path = apply_mountain_option(referee, notation.read_path(text))
    mover = Mover("The unit", move, fly)
    result = path_cost(path, mover, referee.chart("movement"))
    remainder = f"{points(result.left)} of {move} are left" if result.left >= 0 else f"{points(-result.left)} more than there are"
    referee.say(f"The way costs {points(result.halves)} MP; {remainder}.", "12.1(2)", *result.lines())
    for text, rule in dict.fromkeys(result.faults):
        referee.say(f"Forbidden: {text}.", rule, tone="warning")


# -- [12.1 - 12.5] Paths through known hexes ---------------------------------------------------------------------------

_TEMPORARY = frozenset({"zoc", "enemy", "edge", "sea", "lake"})
"""Features that are not remembered: units, and water, which may fill the hex or only its side."""


async def resolve_path(referee: IraqWarReferee, pieces: Sequence[Piece], path: notation.Path, fly: bool) -> notation.Path:
    """[12.2, 12.3] Complete the features of a path from the map; typed features are remembered, unknown ones asked for once."""
    if not any(path.numbers):
        return path
    start = path.at or state.hex_of(pieces)
    await r08_map.ask_orientation(referee)
    _adjacent(referee, start, path.numbers)
    for index, words in enumerate(path.hexes):
        await _learn_features(referee, start, path, index, words)
    features = r08_map.path_features(referee.position, pieces, start, path.numbers, fly)
    if missing := _unknown_hexes(land_of(referee.position), features, start, path):
        path = await _ask_features(referee, missing, start, path)
        features = r08_map.path_features(referee.position, pieces, start, path.numbers, fly)
    _say_zones(referee, pieces)
    if not fly:
        _check_closed(referee, pieces, path)
    hexes = tuple(_combined_features(path, index, features, _hex_before(start, path, index)) for index in range(len(path.hexes)))
    return path._replace(start=path.start | features.start, hexes=hexes, at=start)


async def _learn_features(referee: IraqWarReferee, start: str, path: notation.Path, index: int, words: notation.Features) -> None:
    """[12.2] Remember the typed features of one hex of a path."""
    facts = facts_from_features(referee, _hex_before(start, path, index), path.numbers[index], words)
    await r08_map.learn_map_facts(referee, facts, "12.2")


def _hex_before(start: str, path: notation.Path, index: int) -> str:
    """The hex before one on a path, "" if unknown."""
    return path.numbers[index - 1] if index else start


def _adjacent(referee: IraqWarReferee, start: str, numbers: Sequence[str]) -> None:
    """[12.1(3)] Check that consecutive hexes are adjacent."""
    land = land_of(referee.position)
    for before, entered in zip([start, *numbers], numbers, strict=False):
        if before and entered and land.adjacent(before, entered) is False:
            around = " ".join(land.neighbours(before))
            cure = f"Around {before} are {around}. A hex within reach can be named alone"
            referee.forbid(f"{entered} is not adjacent to {before}", "12.1(3)", cure)


def _combined_features(path: notation.Path, index: int, features: r08_map.PathFeatures, before: str) -> notation.Features:
    """The features of a hex: from the map if its position and the previous hex are known, else as typed."""
    if not path.numbers[index]:
        return path.hexes[index]
    words = features.hexes[index] | path.hexes[index] & _TEMPORARY if before else features.hexes[index] | path.hexes[index]
    return words - {"plain"} or frozenset({"plain"})


def _say_zones(referee: IraqWarReferee, pieces: Sequence[Piece]) -> None:
    """[12.3] Remind the player of zones of control of units in unknown hexes."""
    if not referee.quiet and (unlocated := r08_map.unlocated_units(referee.position, state.other(notation.side_of(pieces[0])))):
        text = f"{plural(len(unlocated), 'enemy unit')} in unknown hexes: put zoc after a hex in their zones of control."
        referee.say(text, "12.3", tone="reminder")


def _check_closed(referee: IraqWarReferee, pieces: Sequence[Piece], path: notation.Path) -> None:
    """[16.10(3), 16.10(4)] Refuse hexes closed by or to the Turkish unit; flying units ignore zones (ruling C-57)."""
    closed = r08_map.closed_zones(referee.position, pieces)
    for number in path.numbers:
        if number in closed:
            text = f"{number} lies in a zone of control that {referee.piece_names(pieces)} may not enter"
            referee.forbid(text, closed[number], "Only Kurdish units and the Turkish one meet so")


# -- [12.2] Unknown facts ----------------------------------------------------------------------------------------------


async def _ask_features(referee: IraqWarReferee, missing: Sequence[int], start: str, path: notation.Path) -> notation.Path:
    """[12.2] Ask one question for all hexes with unknown facts that matter."""
    legs = ", ".join(f"{_hex_before(start, path, index)}>{path.numbers[index]}" for index in missing)
    prompt = f"Unknown: {legs}. Features of each in order (road, river, large, swamp, city, plain), or one for all"

    def read(text: str) -> str:
        return ", ".join(map(notation.features_text, notation.read_features(text, len(missing))))

    text = await referee.text(
        "ground", prompt, "12.2", Notation("words of hexes", "road, plain river", read, words=notation.FEATURES, between=", ")
    )
    hexes = list(path.hexes)
    for index, words in zip(missing, notation.read_features(text, len(missing)), strict=True):
        await _learn_features(referee, start, path, index, words)
        hexes[index] |= words & _TEMPORARY
    return path._replace(hexes=tuple(hexes))


def _unknown_hexes(land: Land, features: r08_map.PathFeatures, start: str, path: notation.Path) -> list[int]:
    """The indices of hexes with an unknown fact that matters."""
    if not features.unknown:
        return []
    keys = {key.partition(":")[2] for key in features.unknown}
    legs = [(_hex_before(start, path, index), number) for index, number in enumerate(path.numbers)]
    matters = [_share_side(land, *leg) and bool(keys & {pair(*leg), leg[1]}) for leg in legs]
    return [index for index, asked in enumerate(matters) if asked]


def _share_side(land: Land, before: str, entered: str) -> bool:
    """Return True if both hexes are known and not known to be apart."""
    return bool(before and entered) and land.adjacent(before, entered) is not False


def facts_from_features(referee: IraqWarReferee, before: str, entered: str, words: notation.Features) -> dict[str, str]:
    """Map facts that features of a hex and its side imply; along a road rivers and terrain may be omitted [12.2(4)]."""
    printed = words - _TEMPORARY
    if not printed or not entered:
        return {}
    land, road = land_of(referee.position), "road" in printed
    facts: dict[str, str] = {}
    if _share_side(land, before, entered):
        water = LARGE if "large" in printed else MINOR if "river" in printed else ""
        if road or land.road(before, entered) is None:
            facts[f"road:{pair(before, entered)}"] = YES if road else NO
        if water or not (road or land.water(before, entered)):
            facts[f"side:{pair(before, entered)}"] = water or NOTHING
    ground = _ground(land.ground(entered), printed, road)
    return facts if ground == land.ground(entered) else facts | {f"hex:{entered}": str(ground)}


def _ground(current: Ground, printed: notation.Features, road: bool) -> Ground:
    """The contents of a hex after its features were typed."""
    terrain = next((word for word in ("swamp", "mountain") if word in printed), "")
    if CITY in printed and CITY not in current.ground:
        terrain = CITY
    if not (terrain or current.ground or road):
        terrain = "plain"
    return current._replace(ground=terrain or current.ground, port=current.port or PORT in printed)


# -- [12.0] Reach ------------------------------------------------------------------------------------------------------

_ROAD = "road"


class Step(NamedTuple):
    """A step into an adjacent hex: its number and the fixed features of side and hex."""

    there: str
    words: notation.Features


class MovementMap(NamedTuple):
    """The known map and the hexes with destroyed roads."""

    land: Land
    broken: frozenset[str]

    @property
    def legs(self) -> Mapping[str, tuple[Step, ...]]:
        """The steps that a ground unit can take from each hex, regardless of units."""
        return _legs(self)

    def around(self, number: str) -> tuple[str, ...]:
        """The adjacent hexes with known facts, including water."""
        return _around(self.land, number)


def movement_map(position: Position) -> MovementMap:
    """[2.1, 14.2] The movement map of a position."""
    return MovementMap(land_of(position), r08_map.hexes_with_broken_roads(position))


class _Legs(dict[str, tuple[Step, ...]]):
    """The steps from each hex of a map, computed when they are first looked up."""

    def __init__(self, front: MovementMap) -> None:
        self._front = front

    def __missing__(self, number: str) -> tuple[Step, ...]:
        land, broken = self._front
        legs = self[number] = _steps(land, number, broken.intersection((number, *_around(land, number))))
        return legs


class _Roads(dict[str, list[str]]):
    """[12.4] The hexes that roads lead to from each hex of a map, looked up likewise."""

    def __init__(self, front: MovementMap) -> None:
        self._legs = front.legs

    def __missing__(self, number: str) -> list[str]:
        roads = self[number] = [there for there, words in self._legs[number] if _ROAD in words]
        return roads


_legs, _roads = lru_cache(maxsize=64)(_Legs), lru_cache(maxsize=64)(_Roads)


@lru_cache(maxsize=8192)
def _around(land: Land, number: str) -> tuple[str, ...]:
    return tuple(neighbour for neighbour in land.neighbours(number) if neighbour in land.known_hexes)


@lru_cache(maxsize=8192)
def _steps(land: Land, number: str, broken: frozenset[str]) -> tuple[Step, ...]:
    steps = []
    for neighbour in land.neighbours(number):
        unknown: list[str] = []
        words = r08_map.side_words(land, number, neighbour, bool(broken & {number, neighbour}), unknown)
        words |= r08_map.hex_words(land, neighbour, unknown, _ROAD not in words, True)
        if not unknown and SEA not in words:
            steps.append(Step(neighbour, frozenset(words or {"plain"})))
    return tuple(steps)


class Reach:
    """The hexes within reach, with the cost of the cheapest path in half points; 0 for the start."""

    def __init__(self, spent: Mapping[str, int], start: str, path_to: Callable[[str], Sequence[str]]) -> None:
        self.spent = spent
        self._start = start
        self._path_to = path_to

    def path(self, number: str) -> tuple[str, ...]:
        """The hexes entered on the cheapest path, empty for the start."""
        return () if number == self._start else tuple(self._path_to(number))


class _Walk(NamedTuple):
    """The hexes that units can enter from a start, regardless of stacking: costs, and the hex before each.

    ``on_roads``: the hex before each on the shortest way along roads, for the hexes in ``cheaper``.
    """

    spent: dict[str, int]
    previous: Mapping[str, str]
    on_roads: Mapping[str, str]
    cheaper: Collection[str]

    def path(self, start: str, number: str) -> list[str]:
        """The hexes entered on the cheapest path."""
        before = self.on_roads if number in self.cheaper else self.previous
        hexes: list[str] = []
        while number != start:
            hexes.append(number)
            number = before[number]
        return hexes[::-1]


_Entries = dict[notation.Features, tuple[int, bool, bool]]
"""What `MovementField._entered` returns for the features of a hex that is entered."""


class _EnemyUnits:
    """The enemy units in known hexes, and what follows from them; kept until one of them changes, usually for a phase."""

    def __init__(self, pieces: Iterable[Piece]) -> None:
        self.foes: dict[str, list[Piece]] = {}
        for piece in pieces:
            if state.is_hex(piece.place):
                self.foes.setdefault(piece.place, []).append(piece)
        self.entries: dict[Hashable, defaultdict[tuple[bool, bool], tuple[_Entries, _Entries]]] = {}
        self.derived: dict[Land, dict[Hashable, Any]] = {}


@lru_cache(maxsize=64)
def _walks(*where: Hashable) -> dict[Hashable, _Walk]:  # of map, chart, hexes with enemy units, and zones
    return {}


class MovementField:
    """Everything that determines where units of a side can move: map, hexes with enemy units, enemy zones [9.0].

    ``derived`` is a cache for what follows from the map and the enemy units alone; emptied when one of them changes.
    """

    def __init__(self, position: Position, side: state.Side, chart: Chart) -> None:
        self.position = position
        self.front = movement_map(position)
        self.side = side
        enemy = state.other(side)
        self._enemies = derived_from_side(position, enemy, _EnemyUnits)
        self.foes = self._enemies.foes
        self.zoned = r08_map.zones(position, enemy)
        self._chart = chart
        self._rates = tuple(chart.rows.items())
        self._occupants: dict[tuple[r08_map.StackingKind, ...], list[str]] | None = None
        self._full: dict[tuple[r08_map.StackingKind, ...], frozenset[str]] = {}
        self._reaches: dict[Hashable, Reach] = {}
        self._turks = r08_map.has_turkish_unit(position)
        self._entries = self._enemies.entries.setdefault(self._rates, defaultdict(lambda: ({}, {})))
        self._walks = _walks(self.front, self._rates, r08_map.occupied_hexes(position, enemy), self.zoned)
        self.derived = self._enemies.derived.setdefault(self.front.land, {})

    def reach(self, pieces: Sequence[Piece]) -> Reach:
        """[12.1 - 12.5] The hexes where these units of one hex can end a movement, start first."""
        start = pieces[0].place
        movers = [self._mover(piece) for piece in pieces]
        budget, fly = in_halves(min(movers)[0]), all(fly for _, fly in movers)
        closed = frozenset(r08_map.closed_zones(self.position, pieces)) if self._turks and not fly else frozenset[str]()
        kinds = r08_map.stacking_kinds(pieces)
        reach = self._reaches.get(key := (start, budget, fly, closed, kinds))
        if reach is None:
            walk = self._walk(start, budget, fly, closed)
            full = (walk.spent.keys() & self._full_hexes(kinds)) - {start}
            ends = {number: cost for number, cost in walk.spent.items() if number not in full} if full else walk.spent
            reach = self._reaches[key] = Reach(ends, start, partial(walk.path, start))
        return reach

    def _mover(self, piece: Piece) -> tuple[int, bool]:
        out, storm = bool(piece.mark(state.OUT_OF_SUPPLY)), bool(self.position.flag(state.STORM))
        return movement_value(notation.printed_side(piece).move, bool(piece.values.get("fly")), out, storm)

    def _full_hexes(self, kinds: tuple[r08_map.StackingKind, ...]) -> frozenset[str]:
        """[8.1] The hexes with units of the side where other units cannot stack; the same for all that stack alike."""
        full = self._full.get(kinds)
        if full is None:
            if self._occupants is None:
                own: dict[str, list[Piece]] = {}
                for piece in r08_map.units_in_hexes(self.position, self.side):
                    own.setdefault(piece.place, []).append(piece)
                self._occupants = {}
                for number, units in own.items():
                    self._occupants.setdefault(r08_map.stacking_kinds(units), []).append(number)
            alike = [hexes for others, hexes in self._occupants.items() if not r08_map.can_stack_kinds(kinds + others)]
            full = self._full[kinds] = frozenset().union(*alike)
        return full

    def _entered(self, words: notation.Features, first: bool, before: bool, after: bool) -> tuple[int, bool, bool]:
        """The cost of entering a hex in halves, whether it is legal, and whether the movement can continue."""
        ends, goes_on = list[tuple[str, str]](), list[tuple[str, str]]()
        parts = hex_cost(words, 1 if first else 2, True, (before, after), False, self._chart, ends)
        hex_cost(words, 1 if first else 2, False, (before, after), False, self._chart, goes_on)
        entry = self._entries[first, before][after][words] = sum(part for _, part in parts), not ends, not goes_on
        return entry

    def _walk(self, start: str, budget: int, fly: bool, closed: frozenset[str]) -> _Walk:
        """[12.0] The hexes within a budget; the same for all units that begin there, while no enemy hex or zone changes.

        ``closed``: hexes that units on the ground do not enter [16.10].
        """
        key, walks = (start, budget, fly, closed), self._walks
        if (walk := walks.get(key)) is None:
            walk = walks[key] = self._flown(start, budget) if fly else self._on_ground(start, budget, self.foes.keys() | closed)
        return walk

    def _walked(self, start: str, budget: int, shut: Set[str]) -> tuple[dict[str, int], dict[str, str]]:
        """[12.1(3), 12.2, 12.3] Costs at the normal rate, and the previous hex of each."""
        # not core.graph.cheapest: a hex may end the movement, depending on the side that is crossed
        spent, previous, closed = {start: 0}, {start: ""}, set(shut)
        queue, stopped = [(0, start)], set[str]()
        legs, zoned, entries, too_much = self.front.legs, self.zoned, self._entries, budget + 1
        while queue:
            cost, number = heappop(queue)
            if number in closed or number in stopped:
                continue
            closed.add(number)
            first, before = number == start, number in zoned
            into_free, into_zone = entries[first, before]
            for neighbour, words in legs[number]:
                if neighbour in closed:
                    continue
                after = neighbour in zoned
                entry = (into_zone if after else into_free).get(words)
                paid, may, on = self._entered(words, first, before, after) if entry is None else entry
                total = cost + paid
                if may and total < spent.get(neighbour, too_much):
                    spent[neighbour], previous[neighbour] = total, number
                    if on:
                        stopped.discard(neighbour)
                        heappush(queue, (total, neighbour))
                    else:
                        stopped.add(neighbour)
        return spent, previous

    def _on_ground(self, start: str, budget: int, shut: Set[str]) -> _Walk:
        """[12.1(3), 12.2 - 12.4] Ground movement, at the road rate where that is cheaper [12.4]. ``shut``: hexes not entered."""
        spent, previous = self._walked(start, budget, shut)
        if start in self.zoned:
            return _Walk(spent, previous, {}, ())
        rate, on_roads, closed = halves(self._chart, _ROAD), dict[str, str](), shut | self.zoned
        roads = _roads(self.front)
        steps = distances([start], roads.__getitem__, budget // rate, on_roads, lambda number: number not in closed)
        cheaper = {number: rate * count for number, count in steps.items() if rate * count < spent.get(number, budget + 1)}
        spent.update(cheaper)
        return _Walk(spent, previous, on_roads, cheaper.keys())

    def _flown(self, start: str, budget: int) -> _Walk:
        """[12.5] Air movement over everything but enemy units, not ending in water [12.5(3)]."""
        rate, land, previous = halves(self._chart, "flying"), self.front.land, dict[str, str]()
        steps = distances([start], self.front.around, budget // rate, previous, lambda number: number not in self.foes)
        dry = [number for number in steps if number == start or land.ground(number).ground not in ("", SEA)]
        return _Walk({number: rate * steps[number] for number in dry}, previous, {}, ())


# -- [16.7] The railroad -----------------------------------------------------------------------------------------------


def rail_obstacle(position: Position, piece: Piece, number: str) -> Obstacle | None:
    """[16.7(4), 16.7(5), 16.7.1(1)] Why a hex is closed to a unit on the railroad, as far as is known."""
    if obstacle := r08_map.arrival_obstacle(position, [piece], number, "12.1(4)"):
        return obstacle
    if r08_map.has_broken_roads(position, number):
        return Obstacle(f"the roads of {number} are destroyed, and so is the railroad", "16.7.1(1)", "Choose another hex")
    if number in r08_map.enemy_zones(position, [piece]):
        return Obstacle(f"{number} lies in an enemy zone of control", "16.7(4)", "By rail neither from nor into one")
    if r15_control.controller_of(position, number) not in ("", state.IRAQ):
        return Obstacle(f"the enemy controls {number}", "16.7(5)", "Choose another hex")
    return None


def railroad(position: Position, piece: Piece) -> list[str]:
    """[16.7(3)] The hexes that a unit reaches along the railroad that was entered, its own first, in order of distance."""
    land = land_of(position)
    if rail_obstacle(position, piece, piece.place):
        return []

    def open_along(number: str) -> list[str]:
        return [other for other in land.along_rails(number) if not rail_obstacle(position, piece, other)]

    return list(distances([piece.place], open_along))


def rail_way(referee: IraqWarReferee, piece: Piece, place: str) -> Sequence[str]:
    """[16.7(3)] The hexes along the railroad to a hex, start and end included; the shortest that is open, if there is one."""
    land = land_of(referee.position)
    start = piece.place

    def open_along(number: str) -> list[str]:
        return [other for other in land.along_rails(number) if not rail_obstacle(referee.position, piece, other)]

    for along in (open_along, land.along_rails):
        if place in distances([start], along):
            return shortest_path(start, place, along)
    toward = min(land.ashore(start), key=lambda number: land.distance(number, place) or 0, default=place)
    cure = f'Name a hex on it, or enter what is missing: companion map iraqwar2003 tell "rail {start} {toward}"'
    referee.forbid(f"no railroad that has been entered leads from {start} to {place}", "16.7(3)", cure)
    return [start, place]


# -- [14.0] Road destruction and repair --------------------------------------------------------------------------------

_WORDS = free_text("hex", "1722")
DESTROY, REPAIR = "destroy", "repair"


def read_hex(text: str) -> str:
    """Read a hex in four digits: ``607`` is 0607 [5.7(3)]; a name stays a name."""
    word = _WORDS.read(text)
    return word.zfill(4) if word.isdecimal() else word


HEX = Notation("hex", "1722", read_hex)


def destroy_roads(referee: IraqWarReferee, hex_name: str, rule: str) -> None:
    """[14.2, 14.3, 5.1(3)] Put a damaged marker on a hex; a second one has no effect."""
    name = r08_map.roads_name(hex_name)
    if hex_name in r08_map.broken_roads(referee.position):
        referee.say(f"The {name} are destroyed already: another hit does nothing.", "14.3")
        return
    referee.make(state.ROADS, name, state.ROADS, rule, "destroyed")
    referee.say(f"The {name} and the bridges into it are DESTROYED.", "14.2")


async def road_work(referee: IraqWarReferee) -> None:
    """[14.1, 14.4] Ask for a unit that destroys or repairs the roads of its hex."""
    able = r04_sequence.undisrupted_units(referee.position)
    units = await referee.ask_units("unit", "Which unit works on the road?", "14.1", able, referee.side, 1, 1)
    await work_on_roads(referee, units[0])


async def work_on_roads(referee: IraqWarReferee, piece: Piece) -> None:
    """[14.1, 14.4, 16.7.1(2)] Destroy or repair the roads, or the railroad, of a unit's hex."""
    r04_sequence.check_can_act(referee, piece, "work on roads")
    referee.enforce(r04_sequence.disruption_obstacle(piece, "no work on roads", "14.5"))
    r04_sequence.check_command_points(referee, [piece], "work on roads with")
    broken = r08_map.broken_roads(referee.position)
    choices = [Choice(name, name, "destroyed") for name in broken]
    hex_name = piece.place
    if state.is_hex(hex_name):
        referee.skip_question("hex", f"{piece.name} is in {hex_name}", "14.1", equivalent=(hex_name,))
    else:
        named = await referee.text("hex", "In which hex?", "14.1", HEX, choices)
        hex_name = land_of(referee.position).number_of(named)
    marker = broken.get(hex_name)
    work = REPAIR if marker else DESTROY
    condition = "are destroyed already" if marker else "are not destroyed"
    cure = "Repair them instead" if marker else "Nothing to repair"
    referee.skip_question("work", f"the roads of {hex_name} {condition}", "14.3" if marker else "14.4", cure, equivalent=(work,))
    r04_sequence.pay_command_points(referee, [piece], f"{work}ing roads with", "11.2(4)" if work == REPAIR else "11.2(3)")
    if work == DESTROY:
        destroy_roads(referee, hex_name, "14.1")
    else:
        if marker:
            referee.move(marker.id, state.ASIDE, "14.4", "repaired")
        referee.say(f"{piece.name} repairs the roads of {hex_name}; units that act later may use them.", "14.4")
    r04_sequence.mark_moved(referee, [piece])
