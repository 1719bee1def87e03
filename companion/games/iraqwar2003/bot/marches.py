"""Our opponent's movements: into what counts and stands empty or weak, into Kuwait, and towards both over several turns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.iraqwar2003.bot.scene import Scene
from companion.games.iraqwar2003.bot.weighing import Option, constant
from companion.games.iraqwar2003.coalition.ground import FAR
from companion.games.iraqwar2003.notation import printed_side
from companion.games.iraqwar2003.state import NONE, units_in

LATER = 0.55
"""What something is worth a turn later."""
RAIDERS = 2
"""Units that are on their way to Kuwait at a time."""
NEAR = 5
"""Hexes from the enemy at which a unit may do more than hold."""
FURTHEST = 4.0
"""Turns for which nothing is planned any more."""


class Goal(NamedTuple):
    """Something to come to.

    Attributes:
        name: it in words.
        away: hex -> how far it is from there, in halves of movement points, whoever stands in the way.
        vp: what it is worth to be there. only: ids of the units that it draws; all, without.
    """

    name: str
    away: Mapping[str, int]
    vp: float
    only: frozenset[str] = frozenset()


def goals(scene: Scene) -> list[Goal]:
    """[15.2] What is worth a march of several turns: Kuwait, what was lost and stands open, what is held too weakly."""
    found = [*_kuwait(scene)]
    for number, vp in scene.lost.items():
        open_to = not units_in(scene.position, number)
        found.append(Goal(f"retakes {number}", scene.away((number,)), vp * (0.8 if open_to else 0.15)))
    for place, number, vp in scene.ahead.counted():
        here = units_in(scene.position, number)
        if scene.ahead.held(place) and (risk := scene.ahead.risk(number, here)) > 0.1:
            found.append(Goal(f"defends {number}", scene.away((number,)), 0.3 * vp * risk))
    return found


def _kuwait(scene: Scene) -> Iterator[Goal]:
    """[15.2] A unit in Kuwait at the end of a turn: for the nearest few."""
    left = scene.ahead.own_turns
    if not scene.kuwait or scene.ahead.in_kuwait() or left < 1:
        return
    away = scene.away(scene.kuwait)
    nearest = sorted(scene.ahead.ours, key=lambda one: turns(away, one, one.place))[:RAIDERS]
    worth = -scene.ahead.points.number("kuwait", "vp") * min(max(left - 1, 1), 3) * 0.6
    yield Goal("goes for Kuwait", away, worth, frozenset(one.id for one in nearest))


def turns(away: Mapping[str, int], piece: Piece, number: str) -> float:
    """In how many of its turns a unit that stands in a hex could be where something is so far away, nobody in its way."""
    return away.get(number, FAR) / (2 * max(printed_side(piece).move, 1))


class Drawn:
    """What draws a unit of so many movement points, out of several goals."""

    def __init__(self, scene: Scene, aims: Sequence[Goal], piece: Piece) -> None:
        pace = 2 * max(printed_side(piece).move, 1)
        self._most = pace * min(FURTHEST, scene.ahead.own_turns - 1)
        near = [goal for goal in aims if not goal.only or piece.id in goal.only]
        self._aims = [goal for goal in near if goal.away.get(piece.place, FAR) <= self._most + pace]
        self._fade = LATER ** (1 / pace)

    def __call__(self, number: str) -> tuple[float, str]:
        """How much draws it where it stands in a hex, in victory points of turns to come, and what."""
        best = (0.0, "")
        for goal in self._aims:
            halves = goal.away.get(number, FAR)
            if halves <= self._most:
                best = max(best, (goal.vp * LATER * self._fade**halves, goal.name))
        return best


def marches(scene: Scene) -> list[Option]:
    """[12.0] For each unit the best hex that it can go to now, each as it is typed."""
    aims = goals(scene)
    return [option for piece in scene.units if (option := _best(scene, Drawn(scene, aims, piece), piece))]


def _best(scene: Scene, drawn: Drawn, piece: Piece) -> Option | None:
    pull = drawn(piece.place)[0]
    pace = 2 * printed_side(piece).move
    matters = any(scene.away((number,)).get(piece.place, FAR) <= pace for number in scene.matters)
    if not pull and not matters and scene.near(piece.place) > NEAR:
        return None
    reach, cost = scene.reach([piece]), scene.left_behind([piece])
    best: tuple[float, str, str] = (0.0, "", "")
    for number in reach.spent:
        later, why = drawn(number)
        now = scene.arrived([piece], number) if number in scene.matters else 0.0
        cut = scene.lines.cut_by(piece, number)
        value = now + cut + constant(scene.game, "march") * (later - pull) - cost
        if number != piece.place and value > best[0]:
            best = value, number, _why(scene, number, now, cut, why if later - pull > now else "")
    vp, number, why = best
    order = f"{piece.name} > {' '.join(reach.path(number))} > {NONE}" if number else ""
    return Option(f"move {piece.name} to {number}", order, vp, why, cost=1) if number else None


def _why(scene: Scene, number: str, now: float, cut: float, later: str) -> str:
    """What a movement is for, in words."""
    if later:
        return later
    if cut > now:
        return "cuts the supply of spearheads"
    return f"{'retakes' if number in scene.lost else 'holds'} {number}" if number in scene.counted else "into Kuwait"
