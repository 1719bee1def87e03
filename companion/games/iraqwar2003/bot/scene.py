"""What our opponent for Iraq sees before it spends a command point: its units that can act, what they reach, what is at stake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache

from companion.core.position import Piece
from companion.games.iraqwar2003.bot.severing import Lines
from companion.games.iraqwar2003.bot.weighing import constant, slips
from companion.games.iraqwar2003.coalition.ground import FAR, travel
from companion.games.iraqwar2003.land import KUWAIT
from companion.games.iraqwar2003.notation import IRAQI, nation
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r04_sequence import undisrupted_units
from companion.games.iraqwar2003.rules.r12_movement import MovementField, MovementMap, Reach
from companion.games.iraqwar2003.state import IRAQ, is_hex, units_in
from companion.games.iraqwar2003.worth import Prospect


@lru_cache(maxsize=64)
def to_any(front: MovementMap, goals: tuple[str, ...]) -> Mapping[str, int]:
    """How far it is to the nearest of some hexes, in halves of movement points, whoever stands in the way."""
    found: dict[str, int] = {}
    for goal in goals:
        for number, cost in travel(front, goal).items():
            found[number] = min(cost, found.get(number, FAR))
    return found


class Scene:
    """One position, as our opponent sees it.

    Args:
        game: on that position.
        told: what is known of the Combat Results Chart. left: terrain -> columns to the left, where they are told.

    Attributes:
        ahead: what the position may come to. field: where units can go. lines: of supply, of the Coalition.
        units: Iraqi units that can act, and whose hex is told.
        points: command points.
    """

    def __init__(self, game: IraqWarReferee, told: Mapping[str, str], left: Mapping[str, str]) -> None:
        self.game = game
        self.told = told
        self.left = left
        self.position = game.position
        self.ahead = Prospect(game.position, game.charts)
        self.field = MovementField(game.position, IRAQ, game.chart("movement"))
        able = undisrupted_units(game.position) if game.side == IRAQ else []
        self.units = [one for one in able if is_hex(one.place) and nation(one) == IRAQI]
        self.points = game.position.track("cp")
        self.lines = Lines(game, self.ahead)
        self._reach: dict[tuple[str, ...], Reach] = {}
        self._near: dict[str, int] = {}

    def reach(self, pieces: Sequence[Piece]) -> Reach:
        """[12.0] Where some units of one hex can go."""
        key = tuple(piece.id for piece in pieces)
        if key not in self._reach:
            self._reach[key] = self.field.reach(pieces)
        return self._reach[key]

    def near(self, number: str) -> int:
        """Hexes to the nearest enemy."""
        if number not in self._near:
            land = self.field.front.land
            self._near[number] = min((land.distance(number, foe) or 0 for foe in self.field.foes), default=FAR)
        return self._near[number]

    def away(self, goals: tuple[str, ...]) -> Mapping[str, int]:
        """How far it is to the nearest of some hexes, from every hex."""
        return to_any(self.field.front, goals)

    @cached_property
    def kuwait(self) -> tuple[str, ...]:
        """[15.2] The hexes of Kuwait on the map that is told; an opponent that slips does not think of going there."""
        if slips(self.game, IRAQ):
            return ()
        area = str(self.position.flag(f"area:{KUWAIT}") or "").split()
        return tuple(number for number in area if self.field.front.legs(number))

    @cached_property
    def counted(self) -> Mapping[str, int]:
        """[15.2] The hexes that count -> their victory points."""
        return {number: vp for _, number, vp in self.ahead.counted()}

    @cached_property
    def lost(self) -> Mapping[str, int]:
        """[15.2] Those of them that Iraq does not hold."""
        return {number: vp for place, number, vp in self.ahead.counted() if not self.ahead.held(place)}

    @cached_property
    def matters(self) -> frozenset[str]:
        """[15.2] The hexes in which it counts who stands there."""
        return frozenset((*self.counted, *self.kuwait))

    def left_behind(self, pieces: Sequence[Piece]) -> float:
        """[15.2] What it costs that some units leave their hex, in victory points."""
        place = pieces[0].place
        ids = {one.id for one in pieces}
        here = units_in(self.position, place)
        rest = [one for one in here if one.id not in ids]
        cost = 0.0
        if place in self.counted and place not in self.lost:
            cost += self.counted[place] * (self.ahead.risk(place, rest) - self.ahead.risk(place, here))
            cost += 0 if rest else constant(self.game, "emptied") * self.counted[place]
        if place in self.kuwait and not [one for one in self.ahead.in_kuwait() if one.id not in ids]:
            cost += self.ahead.raid(pieces)
        return cost

    def arrived(self, pieces: Sequence[Piece], number: str) -> float:
        """[15.2] What it brings that some units come to a hex, in victory points."""
        here = units_in(self.position, number)
        gain = 0.0
        if number in self.lost:
            gain += self.counted[number] * (1 - self.ahead.risk(number, pieces) - self.ahead.regained(number))
        elif number in self.counted:
            gain += self.counted[number] * (self.ahead.risk(number, here) - self.ahead.risk(number, [*here, *pieces]))
        if number in self.kuwait and not [one for one in self.ahead.in_kuwait() if one not in pieces]:
            gain += self.ahead.raid(pieces)
        return gain
