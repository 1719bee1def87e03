"""What a position may come to, in victory points of the Coalition: an estimate of ours, which no rule gives.

The score as it stands, and what the cities and ports that count, Kuwait, and the strength in the field are likely to change of it
in the turns that are left. A unit in a hex that nobody has told counts for nothing here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.position import Piece, Position
from companion.games.iraqwar2003.land import KUWAIT, Land, land_of
from companion.games.iraqwar2003.notation import IRAQI, is_western, nation, printed_side, steps_left
from companion.games.iraqwar2003.rules.r09_zones import units_in_hexes
from companion.games.iraqwar2003.rules.r13_results import attack_value, defence_value
from companion.games.iraqwar2003.rules.r15_victory import count_points
from companion.games.iraqwar2003.state import COALITION, DISRUPTED, IRAQ, OUT_OF_SUPPLY, OVER, SIDE, TURNS, control_flag, units_in

USUAL_TURNS = 8
"""The turns of a game of which nobody has told how many it has."""
PACE = 5
"""Hexes that a unit of the Coalition gains towards a place in a turn, on roads and through zones of control."""
SLOW_PACE = 2
"""The same of a slow one: Kurds, and who is out of supply."""
AIR_COLUMNS = 2
"""Columns that the Coalition's ground support usually brings."""
FOCUS = 0.5
"""The part of the attacks that could be made on a place that are made there, and not elsewhere."""
LEFT = {"mega_city": 2, "major_city": 1, "minor_city": 1, "city": 1, "swamp": 1, "mountain": 1}
"""Columns of terrain, in an estimate: of the chart nobody need have told."""
IRAQI_STRENGTH = 0.12
"""What a strength step of an Iraqi unit is held worth, where it stands in no place that counts."""


class Threat(NamedTuple):
    """What the Coalition can bring to a hex in the turns that are left.

    Attributes:
        blow: the attack of its strongest stack there.
        attacks: how many attacks it may make there, on average.
        visits: how many of its units could walk in, each by its chance.
    """

    blow: float = 0.0
    attacks: float = 0.0
    visits: float = 0.0


def turns_left(position: Position, side: str) -> int:
    """The turns of a side that are still to come, that under way included."""
    turn = position.track("turn")
    last = max(int(str(position.flag(TURNS) or USUAL_TURNS)), turn)
    gone = side == COALITION and position.flag(SIDE) == IRAQ
    return max(0 if position.flag(OVER) else last - turn + 1 - gone, 0)


def _arrival(piece: Piece, away: int) -> int:
    """In which of its turns a unit could attack or enter a hex so far away; the first is 1."""
    slow = bool(piece.mark(OUT_OF_SUPPLY)) or printed_side(piece).move < PACE
    late = 1 if piece.mark(DISRUPTED) else 0
    return late + max(1, -(-(away - 1) // (SLOW_PACE if slow else PACE)))


def _blow(piece: Piece) -> int:
    return attack_value(piece.name, printed_side(piece).attack, False, bool(piece.mark(OUT_OF_SUPPLY))).counts


def threat_to(land: Land, number: str, foes: Sequence[Piece], turns: int) -> Threat:
    """What some units threaten a hex with."""
    weights = []
    for piece in foes:
        away = land.distance(piece.place, number)
        tries = turns + 1 - _arrival(piece, away) if away is not None else 0
        if tries > 0:
            weights.append((1 - 0.5**tries, _blow(piece), tries))
    strongest = sorted((share * blow for share, blow, _ in weights), reverse=True)[:3]
    attacks = FOCUS * sum(share * min(tries, 3) for share, blow, tries in weights if blow > 1) / 3
    return Threat(sum(strongest), attacks, sum(share for share, _, _ in weights))


@lru_cache(maxsize=4096)
def lost(blow: float, attacks: float, visits: float, defence: int, steps: int, left: int) -> float:
    """The chance, by our estimate, that a place with these defenders is the Coalition's in the end.

    >>> lost(12, 2, 6, 4, 2, 1) > lost(12, 2, 6, 8, 4, 1) > lost(0, 0, 0, 8, 4, 1)
    True
    """
    if not steps:
        return 1 - exp(-0.5 * visits)
    if blow < 1 or not attacks:
        return 0.0
    ratio = blow / max(defence, 1)
    index = (ratio if ratio >= 1 else 2 - 1 / ratio) - left + AIR_COLUMNS  # between the columns too [13.3(1)]
    each = min(max(0.28 * (index + 1), 0.3 / (2 - min(index, 0))), 3.0)
    return 1 / (1 + exp(-1.6 * (each * attacks - steps + 0.5))) * (1 - exp(-attacks))


def _stand(pieces: Iterable[Piece]) -> tuple[int, int]:
    """Defence and strength steps of some units."""
    there = list(pieces)
    values = (defence_value(one.name, printed_side(one).defence, bool(one.mark(DISRUPTED))).counts for one in there)
    return sum(values), sum(map(steps_left, there))


class Prospect:
    """What a position may come to, place by place; a side's view of it needs no more than where units stand.

    Args:
        position: it. charts: of the game.
    """

    def __init__(self, position: Position, charts: Mapping[str, Chart]) -> None:
        self.position = position
        self.places = charts["places"]
        self.points = charts["victory"]
        self.land = land_of(position)
        self.ours = units_in_hexes(position, IRAQ)
        self.foes = units_in_hexes(position, COALITION)
        self.turns = turns_left(position, COALITION)
        self.own_turns = turns_left(position, IRAQ)
        self._threats: dict[str, Threat] = {}

    def threat(self, number: str) -> Threat:
        """[15.2] What threatens a hex."""
        if number not in self._threats:
            self._threats[number] = threat_to(self.land, number, self.foes, self.turns)
        return self._threats[number]

    def counted(self) -> Iterable[tuple[str, str, int]]:
        """The places that count of which the hex is told: name, hex, victory points."""
        for place in self.places.rows:
            if number := self.land.hex_of(place):
                yield place, number, self.places.number(place, "vp")

    def held(self, place: str) -> bool:
        """Whether Iraq holds a place."""
        return self.position.flag(control_flag(place), IRAQ) == IRAQ

    def risk(self, number: str, pieces: Sequence[Piece]) -> float:
        """The chance that a hex with these Iraqi units in it, and no others, is lost."""
        defence, steps = _stand(pieces)
        return lost(*self.threat(number), defence, steps, LEFT.get(self.land.terrain(number), 0))

    def regained(self, number: str) -> float:
        """The chance that Iraq has a place back in the end that it has lost."""
        if not self.own_turns or any(nation(one) != IRAQI for one in units_in(self.position, number)):
            return 0.0
        near = sum((self.land.distance(one.place, number) or 99) <= printed_side(one).move for one in self.ours)
        return min(0.12 * near, 0.4)

    def coming(self) -> float:
        """What the places that count will change of the score, in victory points of the Coalition."""
        total = 0.0
        for place, number, vp in self.counted():
            here = [one for one in units_in(self.position, number) if nation(one) == IRAQI]
            total += vp * (self.risk(number, here) if self.held(place) else -self.regained(number))
        return total

    def in_kuwait(self) -> list[Piece]:
        """[15.2] Iraqi units in Kuwait, as far as it is told what is."""
        return [one for one in self.ours if nation(one) == IRAQI and self.land.in_area(one.place, KUWAIT)]

    def raid(self, pieces: Sequence[Piece]) -> float:
        """[15.2] What Iraqi units in Kuwait are worth to Iraq: this turn's end, and those that they may live to see."""
        if not pieces or not self.own_turns:
            return 0.0
        again = 0.35 * min(self.own_turns - 1, 2)
        sure = 1.0 if self.position.flag(SIDE) == IRAQ else 0.35
        return -self.points.number("kuwait", "vp") * (sure + again)


def coalition_worth(position: Position, charts: Mapping[str, Chart]) -> float:
    """The victory points that the Coalition may expect to have in the end [15.2]; those that it has, once the game is over."""
    score = float(count_points(position, charts).total)
    if position.flag(OVER):
        return score
    ahead = Prospect(position, charts)
    field = IRAQI_STRENGTH * sum(map(steps_left, ahead.ours)) * min(ahead.turns, 3) / 3
    force = sum(_blow(one) for one in ahead.foes if is_western(one)) * 0.02 * min(ahead.turns, 3)
    return score + ahead.coming() - ahead.raid(ahead.in_kuwait()) - field + force
