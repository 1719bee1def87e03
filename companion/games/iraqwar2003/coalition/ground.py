"""What a player of the Coalition sees of the map: his stacks, the places that count, and how far it is to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.iraqwar2003.land import KUWAIT, LARGE, MINOR, SEA
from companion.games.iraqwar2003.notation import KURDISH, US, is_western, nation, printed_side
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r04_sequence import undisrupted_units
from companion.games.iraqwar2003.rules.r09_zones import SOURCES, units_in_hexes
from companion.games.iraqwar2003.rules.r10_lines import controller_of
from companion.games.iraqwar2003.rules.r12_movement import MovementField, MovementMap, Reach
from companion.games.iraqwar2003.rules.r13_results import Attack, combat_values, ladder_index
from companion.games.iraqwar2003.state import COALITION, IRAQ, is_hex, units_in

FAR = 10_000
LEFT: Mapping[str, int] = {"swamp": 1, "minor_city": 1, "major_city": 1, "city": 1, "mega_city": 2}
"""Columns that a terrain is taken to be worth where the chart is not told."""
REAR = 12
"""Hexes from the supply source that are the rear."""
PREY = 2
"""What an enemy in the rear counts beside the victory points of a place."""
GUARDS = 2
"""Units that stay behind to keep Iraq out of Kuwait."""
_SLOW = 2
_ROAD = 1


class Blow(NamedTuple):
    """An attack that is possible.

    Attributes:
        base: where the attackers would stand. target: the hex that they strike.
        attack: it, as the rules declare it.
        at: its column on the ladder, without air support; below 0 and beyond its end too.
    """

    base: str
    target: str
    attack: Attack
    at: int


class Sight:
    """One position, as the Coalition sees it.

    Args:
        game: on that position.
        left: terrain -> columns that it shifts to the left, where they are told.
    """

    def __init__(self, game: IraqWarReferee, left: Mapping[str, int]) -> None:
        self.game = game
        self.position = game.position
        self.field = MovementField(game.position, COALITION, game.chart("movement"))
        self.front: MovementMap = self.field.front
        self.left = left

    def stacks(self) -> list[list[Piece]]:
        """Who may still act, together where they stand together: who flies apart from who does not. The strongest first."""
        found: dict[tuple[str, bool, str], list[Piece]] = {}
        for piece in undisrupted_units(self.position):
            if is_hex(piece.place):
                key = piece.place, bool(piece.values.get("fly")), nation(piece)
                found.setdefault(key, []).append(piece)
        return sorted(found.values(), key=lambda pieces: (self.foes_near(pieces[0].place), -strength(pieces), pieces[0].name))

    def foes_near(self, number: str) -> int:
        """Hexes to the nearest enemy."""
        land = self.front.land
        return min((land.distance(number, foe) or 0 for foe in self.field.foes), default=FAR)

    def goals(self) -> dict[str, int]:
        """[15.2] The hexes that count and that Iraq holds -> their victory points."""
        places = self.game.chart("places")
        hexes = {self.front.land.hex_of(name): places.number(name, "vp") for name in places.rows}
        return {number: vp for number, vp in hexes.items() if number and controller_of(self.position, number) == IRAQ}

    def is_rear(self, number: str) -> bool:
        """Whether a hex lies near the supply source of the Coalition, where the lines of all its units run [10.0(2)]."""
        return (self.front.land.distance(SOURCES[US], number) or 0) <= REAR

    def rear(self) -> dict[str, int]:
        """What those who keep the rear go for: enemies there, and what Iraq holds of what counts; else where to return to."""
        held = {number: vp for number, vp in self.goals().items() if self.is_rear(number)}
        found = held | {number: held.get(number, 0) + PREY for number in self.field.foes if self.is_rear(number)}
        places = self.game.chart("places")
        homes = {self.front.land.hex_of(name): places.number(name, "vp") for name in places.rows}
        return found or {number: vp for number, vp in homes.items() if number and self.is_rear(number)} or self.goals()

    def blows(self, pieces: Sequence[Piece], reach: Reach) -> Iterator[Blow]:
        """[13.0] Every attack that some units could make after a movement."""
        land = self.front.land
        for base in reach.spent:
            for target in land.neighbours(base):
                if target in self.field.foes and (water := land.water(base, target)) != SEA:
                    yield self._blow(pieces, base, target, water in (MINOR, LARGE))

    def _blow(self, pieces: Sequence[Piece], base: str, target: str, wet: bool) -> Blow:
        foes = self.field.foes[target]
        river = tuple(piece.id for piece in pieces if not piece.values.get("white")) if wet else ()
        terrain = self.front.land.terrain(target) or "plain"
        ours, theirs = (tuple(piece.id for piece in group) for group in (pieces, foes))
        attack = Attack(ours, theirs, river, terrain, self.left.get(terrain, 0), base=base, hex=target)
        clash = combat_values(self.game, attack)
        return Blow(base, target, attack, ladder_index(clash.attack, clash.defence) - clash.left)

    def alone(self, piece: Piece) -> bool:
        """Whether nobody else of the Coalition holds a place that counts."""
        return len(units_in(self.position, piece.place)) == 1


def guards(sight: Sight) -> dict[str, str]:
    """[15.2] Who keeps Iraq out of Kuwait, id -> the hex: two of the slowest units nearest to the two hexes of it with the widest
    way in, each with its zone of control over the others.
    """
    land = sight.front.land
    area = {number for number in sight.front.land.told if land.in_area(number, KUWAIT)}
    ways = {number: sum(leg.there not in area for leg in sight.front.legs(number)) for number in area}
    posts = sorted((number for number in area if ways[number]), key=lambda number: (-ways[number], number))[:GUARDS]
    west = [one for one in units_in_hexes(sight.position, COALITION) if is_western(one)]
    slow = [one for one in west if not one.values.get("fly") and not one.values.get("white")]
    found: dict[str, str] = {}
    for post in posts:
        free = [one for one in slow if one.id not in found]
        order = sorted(free, key=lambda one: (printed_side(one).attack, land.distance(one.place, post) or 0, one.name))
        found |= {one.id: post for one in order[:1]}
    return found


def strength(pieces: Sequence[Piece]) -> int:
    """[2.2.6] Attack values together."""
    return sum(printed_side(piece).attack for piece in pieces)


def is_kurdish(pieces: Sequence[Piece]) -> bool:
    """Whether they belong to one of the Kurdish armies."""
    return nation(pieces[0]) in KURDISH


@lru_cache(maxsize=1024)
def travel(front: MovementMap, goal: str) -> Mapping[str, int]:
    """How far it is to a hex over the ground, in halves of movement points, whoever stands in the way."""
    found = {goal: 0}
    ahead = [(0, goal)]
    while ahead:
        cost, here = heappop(ahead)
        if cost > found[here]:
            continue
        for there, words in front.legs(here):
            total = cost + (_ROAD if "road" in words else _SLOW)
            if total < found.get(there, FAR):
                found[there] = total
                heappush(ahead, (total, there))
    return found
