"""[12.0] Where a unit or stack can go: every hex in which the rules let it end its movement, with the cheapest way there.

What a hex costs is what ``r12_movement`` says of it. Ways of which something is not told are left out.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.names import OUT_OF_SUPPLY, STORM, other
from companion.games.iraqwar2003.rules.r08_stacking import LIMIT, faults
from companion.games.iraqwar2003.rules.r09_zones import broken_roads, closed_zones, hex_words, side_words, zones
from companion.games.iraqwar2003.rules.r12_movement import halves, movement_value, walked
from companion.games.iraqwar2003.words.counters import TURKISH, nation, printed_side, side_of
from companion.games.iraqwar2003.words.land import SEA, Land, land_of
from companion.games.iraqwar2003.words.places import is_hex, units_in, units_on_map
from companion.games.iraqwar2003.words.ways import Words

_ROAD = "road"


class Leg(NamedTuple):
    """From a hex into the next: its digits, and the words of the side and of the hex that stay as they are."""

    there: str
    words: Words


class Front(NamedTuple):
    """The map as far as all that counts is told, and the hexes with destroyed roads."""

    land: Land
    broken: frozenset[str]

    def legs(self, here: str) -> tuple[Leg, ...]:
        """The hexes that a unit on the ground may enter from one, whoever stands there."""
        return _legs(self.land, here, self.broken.intersection((here, *self.around(here))) if self.broken else self.broken)

    def around(self, here: str) -> tuple[str, ...]:
        """Its neighbours of which anything is told, water too."""
        return _around(self.land, here)


def front_of(position: Position) -> Front:
    """[2.1, 14.2] The map of a position."""
    return Front(land_of(position), broken_roads(position))


@lru_cache(maxsize=8192)
def _around(land: Land, here: str) -> tuple[str, ...]:
    return tuple(there for there in land.neighbours(here) if there in land.told)


@lru_cache(maxsize=8192)
def _legs(land: Land, here: str, broken: frozenset[str]) -> tuple[Leg, ...]:
    found = []
    for there in land.neighbours(here):
        unknown: list[str] = []
        words = side_words(land, here, there, bool(broken & {here, there}), unknown)
        words |= hex_words(land, there, unknown, _ROAD not in words, True)
        if not unknown and SEA not in words:
            found.append(Leg(there, frozenset(words or {"plain"})))
    return tuple(found)


class Roads(NamedTuple):
    """Ways at the rate of roads: hex -> the one before; and where they are cheaper than any other."""

    came: Mapping[str, str] = {}
    cheaper: Collection[str] = ()


class Reach:
    """Where some units of one hex can go this turn.

    Attributes:
        spent: hex -> movement points that the cheapest way there costs, in halves; the one where they stand costs none.
    """

    def __init__(self, spent: Mapping[str, int], came: Mapping[str, str], roads: Roads, start: str) -> None:
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


class Field:
    """What decides where the units of a side can go, in one position.

    Attributes:
        front: the map. foes: hexes with enemy units -> these.
        zoned: hexes in enemy zones of control [9.0].
    """

    def __init__(self, position: Position, side: str, chart: Chart) -> None:
        self.position = position
        self.front = front_of(position)
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
        self._known: dict[tuple[Words, bool, bool, bool], tuple[int, bool, bool]] = {}

    def reach(self, pieces: Sequence[Piece]) -> Reach:
        """[12.1 - 12.5] Every hex in which these units, all of one hex, may end a movement, that where they stand first."""
        start = pieces[0].place
        movers = [self._mover(piece) for piece in pieces]
        budget = 2 * min(move for move, _ in movers)
        came: dict[str, str] = {start: ""}
        roads = Roads()
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
        return not inside or (len(inside) + len(pieces) <= LIMIT and not faults([*pieces, *inside]))

    def _entered(self, words: Words, first: bool, before: bool, here: bool) -> tuple[int, bool, bool]:
        """What entering a hex costs in halves, whether it may be, and whether the movement may go on from there."""
        key = words, first, before, here
        if key not in self._known:
            ends: list[tuple[str, str]] = []
            goes_on: list[tuple[str, str]] = []
            parts = walked(words, 1 if first else 2, True, (before, here), False, self._chart, ends)
            walked(words, 1 if first else 2, False, (before, here), False, self._chart, goes_on)
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

    def _by_road(self, start: str, budget: int, spent: dict[str, int]) -> Roads:
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
        return Roads(came, cheaper)

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
