"""[12.0] What a way costs, hex by hex, and what the rules forbid on it. Points are counted in halves."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.notation import Notation
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.land import CITY, LARGE, MINOR, NO, NOTHING, PORT, SEA, YES, Ground, Land, land_of, pair
from companion.games.iraqwar2003.notation import (
    PATH,
    TURKISH,
    Features,
    Path,
    features_text,
    nation,
    printed_side,
    read_features,
    read_path,
    side_of,
)
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r02_map import ask_orientation, learn_map_facts
from companion.games.iraqwar2003.rules.r08_stacking import LIMIT, stacking_faults
from companion.games.iraqwar2003.rules.r09_zones import (
    PathFeatures,
    closed_zones,
    hex_words,
    hexes_with_broken_roads,
    path_features,
    side_words,
    unlocated_units,
    zones,
)
from companion.games.iraqwar2003.state import MOUNTAINS, OUT_OF_SUPPLY, STORM, hex_of, is_hex, other, units_in, units_on_map


class Mover(NamedTuple):
    """Who goes: a movement value [2.2.8], and whether it flies [12.5]."""

    name: str
    move: int
    fly: bool = False


class PathCost(NamedTuple):
    """What a way costs one mover.

    Attributes:
        halves: movement points spent, in halves. left: points left, in halves (negative: too few).
        faults: what is forbidden, each with its rule.
        way: it. paid: of each of its hexes, what it costs, each part with its reason.
    """

    halves: int
    left: int
    faults: tuple[tuple[str, str], ...]
    way: Path
    paid: tuple[Sequence[tuple[str, int]], ...]

    def lines(self) -> tuple[str, ...]:
        """Each hex with its cost."""
        return tuple(
            f"hex {number} ({self.way.title(number - 1)}): {' + '.join(f'{points(part)} {why}'.strip() for why, part in parts)}"
            for number, parts in enumerate(self.paid, 1)
        )


def points(halves: int) -> str:
    """``2 1/2``, ``3``, ``1/2``."""
    whole, half = divmod(abs(halves), 2)
    text = f"{whole or ''}{' ' if whole and half else ''}{'1/2' if half else ''}" or "0"
    return f"-{text}" if halves < 0 else text


def road_rate(way: Path) -> bool:
    """[12.4] Half a point a hex: roads all the way from a road hex on [12.4(1)], and never in an enemy zone of control, where it
    starts included [12.4(2)].
    """
    begins = bool(way.hexes) and not way.from_zoc and not way.off_road
    return begins and all("road" in words and "zoc" not in words for words in way.hexes)


@lru_cache(maxsize=32)
def _halves(text: str) -> int:
    return int(2 * Fraction(text))


def halves(chart: Chart, row: str) -> int:
    """What the chart of movement costs says, in half points."""
    return _halves(chart.text(row, "cost"))


def zone_cost(before: bool, here: bool, chart: Chart) -> tuple[str, int]:
    """[12.3] Entering a zone of control, leaving one, or going from one to another; in words, and in halves."""
    if before and here:
        return "zone to zone", halves(chart, "zoc to zoc")
    if before or here:
        return ("leaving a zone", halves(chart, "zoc out")) if before else ("entering a zone", halves(chart, "zoc in"))
    return "", 0


def path_cost(way: Path, mover: Mover, chart: Chart) -> PathCost:
    """[12.1 - 12.5] The way of one mover, with everything that is wrong with it."""
    spent = 0
    paid: list[Sequence[tuple[str, int]]] = []
    faults: list[tuple[str, str]] = []
    cheap = road_rate(way) and not mover.fly
    zoc = way.from_zoc
    for number, words in enumerate(way.hexes, 1):
        last = number == len(way.hexes)
        here = "zoc" in words
        if mover.fly:
            parts = _flying_cost(words, last, chart, faults)
        else:
            parts = hex_cost(words, number, last, (zoc, here), cheap, chart, faults)
        for _, part in parts:
            spent += part
        paid.append(parts)
        zoc = here
    left = 2 * mover.move - spent
    zones = not mover.fly and (way.from_zoc or any("zoc" in words for words in way.hexes))
    if left < 0:
        faults.append(
            (
                f"{mover.name} has {mover.move} movement points and the way costs {points(spent)}",
                "12.3(4)" if zones else "12.1(2)",
            )
        )
    return PathCost(spent, left, tuple(faults), way, tuple(paid))


def _closed(words: frozenset[str], faults: list[tuple[str, str]]) -> None:
    if "enemy" in words:
        faults.append(("an enemy ground unit is in that hex", "12.1(4)"))
    if "edge" in words:
        faults.append(("movement never leaves the map", "12.1(5)"))


def _flying_cost(words: frozenset[str], last: bool, chart: Chart, faults: list[tuple[str, str]]) -> list[tuple[str, int]]:
    """[12.5(1), 12.5(2)] One point, whatever lies below; roads make no difference [12.5(5)]."""
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
    cheap: bool,
    chart: Chart,
    faults: list[tuple[str, str]],
) -> list[tuple[str, int]]:
    """[12.1(3), 12.2 - 12.4] What entering a hex costs on the ground, in halves, each part with its reason.

    Args:
        words: of the hex and of the side into it.
        number: of the hex on its way, from 1.
        last: whether the way ends there.
        zones: whether the hex before, and this one, lie in enemy zones of control.
        cheap: whether the way goes at the rate of roads.
        faults: what is forbidden is added, each with its rule.
    """
    _closed(words, faults)
    if cheap:
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
    """[12.2(3)] A large river is the first and only thing that a unit crosses, and never from zone to zone."""
    if number > 1:
        faults.append(("a large river is crossed only from the hex where the segment begins", "12.2(3)"))
    if not last:
        faults.append(("crossing a large river ends the movement", "12.2(3)"))
    if all(zones):
        faults.append(("a large river is not crossed from one enemy zone of control into another", "12.2(3)"))


def movement_value(printed: int, fly: bool, oos: bool, storm: bool) -> tuple[int, bool]:
    """[10.0(6), 16.6(4)] The movement value as it counts now, and whether the unit flies; fractions are dropped."""
    value = printed // 2 if oos else printed
    if fly and storm:
        return value // 2, False
    return value, fly


def say_cost(game: IraqWarReferee, mover: Mover, found: PathCost) -> None:
    """Says what a way costs and what is left."""
    if game.quiet:
        return
    text = f"{mover.name}: {points(found.halves)} of {mover.move} MP, {points(max(found.left, 0))} left"
    if not mover.fly and not found.faults and 0 <= found.left < 6:  # the hex itself and the zone [12.3]
        text += "; too few to leave or enter a zone of control"
    game.say(f"{text}.", "12.1(2)", *found.lines())


def apply_mountain_option(game: IraqWarReferee, way: Path) -> Path:
    """[16.9] The way as it counts: without the option a mountain is plain ground."""
    if game.has_rule(MOUNTAINS) or (all(way.hexes) and not any("mountain" in words for words in way.hexes)):
        return way
    return way._replace(hexes=tuple(words - {"mountain"} or frozenset({"plain"}) for words in way.hexes))


def forbid_faults(game: IraqWarReferee, faults: Sequence[tuple[str, str]]) -> None:
    """Says no to each thing that is wrong with a way; where the player insists, each is recorded."""
    for text, rule in dict.fromkeys(faults):
        game.forbid(text, rule, "Name another way")


async def look_up_cost(game: IraqWarReferee) -> None:
    """[12.2, 12.3] A look-up that needs no unit: movement value, flying or not, the way."""
    move = await game.number("move", "What is its movement value?", "2.2.8", 0, 30)
    fly = await game.confirm("fly", "Is it a flying unit? (white movement value)", "12.5", suggest=False)
    way = apply_mountain_option(
        game, read_path(await game.text("way", "Which hexes does it enter? (in order; from zoc first)", "12.2", PATH))
    )
    mover = Mover("The unit", move, fly)
    found = path_cost(way, mover, game.chart("movement"))
    rest = f"{points(found.left)} of {move} are left" if found.left >= 0 else f"{points(-found.left)} more than there are"
    game.say(f"The way costs {points(found.halves)} MP; {rest}.", "12.1(2)", *found.lines())
    for text, rule in dict.fromkeys(found.faults):
        game.say(f"Forbidden: {text}.", rule, tone="warning")


# -- [12.1 - 12.5] A way through hexes that are told by their digits: what the map and the units on it say of each --------

_TEMPORARY = frozenset({"zoc", "enemy", "edge", "sea", "lake"})
"""Words that are not learnt: of what stands on the map, and of water, which may be the hex or only its side."""


async def resolve_path(game: IraqWarReferee, pieces: Sequence[Piece], way: Path, fly: bool) -> Path:
    """[12.2, 12.3] A way of hexes with the words that it has: what was typed of them is learnt, what is known fills them.

    Args:
        pieces: who goes. fly: whether all of them fly.
    """
    if not any(way.numbers):
        return way
    start = way.at or hex_of(pieces)
    await ask_orientation(game)
    _adjacent(game, start, way.numbers)
    for at, words in enumerate(way.hexes):
        if words:
            await learn_map_facts(game, facts_from_features(game, _hex_before(start, way, at), way.numbers[at], words), "12.2")
    found = path_features(game.position, pieces, start, way.numbers, fly)
    if missing := _unknown_hexes(land_of(game.position), found, start, way):
        way = await _ask_features(game, missing, start, way)
        found = path_features(game.position, pieces, start, way.numbers, fly)
    _say_zones(game, pieces)
    _check_closed(game, pieces, way)
    hexes = tuple(_combined_features(way, at, found, _hex_before(start, way, at)) for at in range(len(way.hexes)))
    return way._replace(start=way.start | found.start, hexes=hexes, at=start)


def _hex_before(start: str, way: Path, at: int) -> str:
    """The hex from which one of a way is entered; "" where its digits were not told."""
    return way.numbers[at - 1] if at else start


def _adjacent(game: IraqWarReferee, start: str, numbers: Sequence[str]) -> None:
    """[12.1(3)] Each hex of a way lies beside the one before."""
    land = land_of(game.position)
    for here, there in zip([start, *numbers], numbers, strict=False):
        if here and there and land.adjacent(here, there) is False:
            around = " ".join(land.neighbours(here))
            game.forbid(f"{there} is not adjacent to {here}", "12.1(3)", f"Around {here} are {around}")


def _combined_features(way: Path, at: int, found: PathFeatures, before: str) -> Features:
    """The words of a hex: by the map where it is told which it is and from where it is entered, else as typed."""
    if not way.numbers[at]:
        return way.hexes[at]
    words = found.hexes[at] | way.hexes[at] & _TEMPORARY if before else found.hexes[at] | way.hexes[at]
    return words - {"plain"} or frozenset({"plain"})


def _say_zones(game: IraqWarReferee, pieces: Sequence[Piece]) -> None:
    """[12.3] Zones of control of units whose hex is not told are the player's to see."""
    if not game.quiet and (away := unlocated_units(game.position, other(side_of(pieces[0])))):
        text = f"{len(away)} enemy units stand in hexes that are not told: type zoc behind a hex in their zones of control."
        game.say(text, "12.3", tone="reminder")


def _check_closed(game: IraqWarReferee, pieces: Sequence[Piece], way: Path) -> None:
    """[16.10(3), 16.10(4)] Hexes that the Turkish unit keeps others out of, or others it."""
    closed = closed_zones(game.position, pieces)
    for number in way.numbers:
        if number in closed:
            text = f"{number} lies in a zone of control that {game.piece_names(pieces)} may not enter"
            game.forbid(text, closed[number], "Only Kurdish units and the Turkish one meet so")


# -- what is not told ----------------------------------------------------------------------------------------------------


async def _ask_features(game: IraqWarReferee, missing: Sequence[int], start: str, way: Path) -> Path:
    """[12.2] The way with words for the hexes of which something that counts was not told: one question for all of them."""
    legs = ", ".join(f"{_hex_before(start, way, at)}>{way.numbers[at]}" for at in missing)
    prompt = f"Not told yet: {legs}. Each in words (road, river, large, swamp, city, plain), in order, or one word for all"

    def read(text: str) -> str:
        return ", ".join(map(features_text, read_features(text, len(missing))))

    text = await game.text("ground", prompt, "12.2", Notation("words of hexes", "road, plain river", read))
    hexes = list(way.hexes)
    for at, words in zip(missing, read_features(text, len(missing)), strict=True):
        await learn_map_facts(game, facts_from_features(game, _hex_before(start, way, at), way.numbers[at], words), "12.2")
        hexes[at] |= words & _TEMPORARY
    return way._replace(hexes=tuple(hexes))


def _unknown_hexes(land: Land, found: PathFeatures, start: str, way: Path) -> list[int]:
    """The hexes of a way of which a fact is unknown that counts there."""
    if not found.unknown:
        return []
    keys = {key.partition(":")[2] for key in found.unknown}
    legs = [(_hex_before(start, way, at), number) for at, number in enumerate(way.numbers)]
    return [at for at, (here, there) in enumerate(legs) if _share_side(land, here, there) and keys & {pair(here, there), there}]


def _share_side(land: Land, here: str, there: str) -> bool:
    """Whether both hexes are told, and there is a side between them."""
    return bool(here and there) and land.adjacent(here, there) is not False


def facts_from_features(game: IraqWarReferee, here: str, there: str, words: Features) -> dict[str, str]:
    """What the words of a hex tell for ever of it and of the side into it, by full keys: a word that is missing says that
    there is no such thing, unless it was told before; along a road, rivers and terrain do not count and may go unsaid [12.2(4)].
    """
    printed = words - _TEMPORARY
    if not printed or not there:
        return {}
    land, road = land_of(game.position), "road" in printed
    found: dict[str, str] = {}
    if _share_side(land, here, there):
        water = LARGE if "large" in printed else MINOR if "river" in printed else ""
        if road or land.road(here, there) is None:
            found[f"road:{pair(here, there)}"] = YES if road else NO
        if water or not (road or land.water(here, there)):
            found[f"side:{pair(here, there)}"] = water or NOTHING
    ground = _ground(land.ground(there), printed, road)
    return found if ground == land.ground(there) else found | {f"hex:{there}": str(ground)}


def _ground(known: Ground, printed: Features, road: bool) -> Ground:
    """The terrain of a hex after some words of it."""
    said = next((word for word in ("swamp", "mountain") if word in printed), "")
    if CITY in printed and CITY not in known.ground:
        said = CITY
    if not (said or known.ground or road):
        said = "plain"
    return known._replace(ground=said or known.ground, port=known.port or PORT in printed)


# -- [12.0] Where a unit or stack can go: every hex in which the rules let it end its movement, with the cheapest w --------

_ROAD = "road"


class Step(NamedTuple):
    """From a hex into the next: its digits, and the words of the side and of the hex that stay as they are."""

    there: str
    words: Features


class MovementMap(NamedTuple):
    """The map as far as all that counts is told, and the hexes with destroyed roads."""

    land: Land
    broken: frozenset[str]

    def legs(self, here: str) -> tuple[Step, ...]:
        """The hexes that a unit on the ground may enter from one, whoever stands there."""
        return _steps(self.land, here, self.broken.intersection((here, *self.around(here))) if self.broken else self.broken)

    def around(self, here: str) -> tuple[str, ...]:
        """Its neighbours of which anything is told, water too."""
        return _around(self.land, here)


def movement_map(position: Position) -> MovementMap:
    """[2.1, 14.2] The map of a position."""
    return MovementMap(land_of(position), hexes_with_broken_roads(position))


@lru_cache(maxsize=8192)
def _around(land: Land, here: str) -> tuple[str, ...]:
    return tuple(there for there in land.neighbours(here) if there in land.told)


@lru_cache(maxsize=8192)
def _steps(land: Land, here: str, broken: frozenset[str]) -> tuple[Step, ...]:
    found = []
    for there in land.neighbours(here):
        unknown: list[str] = []
        words = side_words(land, here, there, bool(broken & {here, there}), unknown)
        words |= hex_words(land, there, unknown, _ROAD not in words, True)
        if not unknown and SEA not in words:
            found.append(Step(there, frozenset(words or {"plain"})))
    return tuple(found)


class RoadPaths(NamedTuple):
    """Ways at the rate of roads: hex -> the one before; and where they are cheaper than any other."""

    came: Mapping[str, str] = {}
    cheaper: Collection[str] = ()


class Reach:
    """Where some units of one hex can go this turn.

    Attributes:
        spent: hex -> movement points that the cheapest way there costs, in halves; the one where they stand costs none.
    """

    def __init__(self, spent: Mapping[str, int], came: Mapping[str, str], roads: RoadPaths, start: str) -> None:
        self.spent = spent
        self._came = came
        self._roads = roads
        self._start = start

    def path(self, number: str) -> tuple[str, ...]:
        """The hexes that are entered, in order; () for that where they stand."""
        came = self._roads.came if number in self._roads.cheaper else self._came
        found: list[str] = []
        while number != self._start:
            found.append(number)
            number = came[number]
        return tuple(reversed(found))


class MovementField:
    """What decides where the units of a side can go, in one position.

    Attributes:
        front: the map. foes: hexes with enemy units -> these.
        zoned: hexes in enemy zones of control [9.0].
    """

    def __init__(self, position: Position, side: str, chart: Chart) -> None:
        self.position = position
        self.front = movement_map(position)
        self.side = side
        self.foes: dict[str, list[Piece]] = {}
        units = units_on_map(position)
        self._held = {piece.place for piece in units}
        for piece in units:
            if side_of(piece) != side and is_hex(piece.place):
                self.foes.setdefault(piece.place, []).append(piece)
        self.zoned = zones(position, other(side))
        self._chart = chart
        self._turks = any(nation(piece) == TURKISH for piece in units)
        self._known: dict[tuple[Features, bool, bool, bool], tuple[int, bool, bool]] = {}

    def reach(self, pieces: Sequence[Piece]) -> Reach:
        """[12.1 - 12.5] Every hex in which these units, all of one hex, may end a movement, that where they stand first."""
        start = pieces[0].place
        movers = [self._mover(piece) for piece in pieces]
        budget = 2 * min(move for move, _ in movers)
        came: dict[str, str] = {start: ""}
        roads = RoadPaths()
        if all(fly for _, fly in movers):
            spent = self._flown(start, budget, came)
        else:
            spent = self._walked(start, budget, came)
            roads = self._by_road(start, budget, spent)
        closed = closed_zones(self.position, pieces) if self._turks else {}
        fit = {to: cost for to, cost in spent.items() if to == start or (to not in closed and self.fits(pieces, to))}
        return Reach(fit, came, roads, start)

    def _mover(self, piece: Piece) -> tuple[int, bool]:
        out, storm = bool(piece.mark(OUT_OF_SUPPLY)), bool(self.position.flag(STORM))
        return movement_value(printed_side(piece).move, bool(piece.values.get("fly")), out, storm)

    def fits(self, pieces: Sequence[Piece], number: str) -> bool:
        """[8.1] Whether they may stack with those who stand there."""
        if number not in self._held:
            return True
        own = {piece.id for piece in pieces}
        inside = [piece for piece in units_in(self.position, number) if piece.id not in own]
        return not inside or (len(inside) + len(pieces) <= LIMIT and not stacking_faults([*pieces, *inside]))

    def _entered(self, words: Features, first: bool, before: bool, here: bool) -> tuple[int, bool, bool]:
        """What entering a hex costs in halves, whether it may be, and whether the movement may go on from there."""
        key = words, first, before, here
        if key not in self._known:
            ends: list[tuple[str, str]] = []
            goes_on: list[tuple[str, str]] = []
            parts = hex_cost(words, 1 if first else 2, True, (before, here), False, self._chart, ends)
            hex_cost(words, 1 if first else 2, False, (before, here), False, self._chart, goes_on)
            self._known[key] = sum(part for _, part in parts), not ends, not goes_on
        return self._known[key]

    def _walked(self, start: str, budget: int, came: dict[str, str]) -> dict[str, int]:
        """[12.1(3), 12.2, 12.3] On the ground, at the usual rate."""
        spent, done = {start: 0}, set()
        front = [(0, start)]
        stopped: set[str] = set()
        while front:
            cost, here = heappop(front)
            if here in done or here in stopped:
                continue
            done.add(here)
            for there, words in self.front.legs(here):
                if there in self.foes or there in done:
                    continue
                paid, may, on = self._entered(words, here == start, here in self.zoned, there in self.zoned)
                total = cost + paid
                if may and total <= budget and total < spent.get(there, budget + 1):
                    spent[there], came[there] = total, here
                    if on:
                        stopped.discard(there)
                        heappush(front, (total, there))
                    else:
                        stopped.add(there)
        return spent

    def _by_road(self, start: str, budget: int, spent: dict[str, int]) -> RoadPaths:
        """[12.4] Along roads all the way, in no zone of control: what is cheaper so goes into ``spent``."""
        cheap = halves(self._chart, _ROAD)
        came: dict[str, str] = {}
        cheaper: set[str] = set()
        ring, cost = [start], 0
        seen = {start}
        while ring and start not in self.zoned and cost + cheap <= budget:
            cost += cheap
            following = []
            for here in ring:
                for there, words in self.front.legs(here):
                    if _ROAD in words and there not in seen and there not in self.foes and there not in self.zoned:
                        seen.add(there)
                        came[there] = here
                        following.append(there)
                        if cost < spent.get(there, budget + 1):
                            spent[there] = cost
                            cheaper.add(there)
            ring = following
        return RoadPaths(came, cheaper)

    def _flown(self, start: str, budget: int, came: dict[str, str]) -> dict[str, int]:
        """[12.5] By air: over everything but enemy units, and not into water at the end [12.5(3)]."""
        cheap = halves(self._chart, "flying")
        spent, ring, cost = {start: 0}, [start], 0
        while ring and cost + cheap <= budget:
            cost += cheap
            following = []
            for here in ring:
                for there in self.front.around(here):
                    if there not in came and there not in self.foes:
                        came[there] = here
                        following.append(there)
                        if (ground := self.front.land.ground(there).ground) and ground != SEA:
                            spent[there] = cost
            ring = following
        return spent
