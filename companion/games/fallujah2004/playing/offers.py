"""What the planner could do now, each with what it is likely to bring."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.core.match import PlannedAction
from companion.core.policies import RandBelow
from companion.core.position import Piece
from companion.core.text import plural, signed
from companion.games.fallujah2004.notation import AIR
from companion.games.fallujah2004.playing.plain import stacked
from companion.games.fallujah2004.playing.scout import Going, Scout
from companion.games.fallujah2004.playing.verdict import told
from companion.games.fallujah2004.playing.worth import OP, REFIT
from companion.games.fallujah2004.referee import deployed
from companion.games.fallujah2004.rules.r08_forces import stack_fault
from companion.games.fallujah2004.rules.r13_movement import movement_value
from companion.games.fallujah2004.rules.r18_logistics import refit_places
from companion.games.fallujah2004.state import is_fob, is_ground, is_helicopter, side_of, type_of

_GO_ON = 0.5
"""What a point of movement that is left after a battle is worth of what the battle was: another one may follow [14.1]."""
APART = 0.15
"""VP that each space away from the nearest Node costs a force."""
_GOALS = 2
"""Goals of each force that are valued by exact odds."""
_FAR = 9
_IDLE = 0.3
"""What an operation is worth that meets nobody, less than nothing."""
_MOVES = 3
"""Points that are worth having left."""
_KEPT = 0.3
"""VP that a NetWar marker is worth that is kept for later."""


def forces(units: Sequence[Piece]) -> Iterator[list[Piece]]:
    """[8.2, 8.3, 24.3] The forces worth a thought among the units of one place: the strongest stack, the same without its
    weakest unit, and the gunships.
    """
    afoot = sorted((unit for unit in units if not is_helicopter(unit) and side_of(unit).move), key=_strength, reverse=True)
    main = stacked(afoot)
    if main:
        yield main
    if len(main) > 1:
        yield main[:-1]
    gunships = [unit for unit in units if type_of(unit) == "helicopter_gunship"][:2]
    if gunships:
        yield gunships


def _strength(unit: Piece) -> tuple[int, int]:
    side = side_of(unit)
    return 2 * side.fire + side.contact + (unit.number("back fire") if unit.face != "reduced" else 0), side.move


def targets(scout: Scout, force: Sequence[Piece], points: int, on: bool) -> dict[str, tuple[str, ...]]:
    """Where a force could go, with its way."""
    start = force[0].place
    if points >= AIR:
        return {space: (space,) for space in scout.ways.spaces if space != start}
    return scout.ways.reached(start, points, scout.nodes, scout.blown, on)


class Goal(NamedTuple):
    """A space that a force can go to: what that is worth, how the battle goes (None: there is none), and the way."""

    value: float
    going: Going | None
    way: tuple[str, ...]


class Offer(NamedTuple):
    """Something to do: its worth in VP, the plan, and how it reads; of an offensive also its goal."""

    value: float
    plan: PlannedAction
    words: str
    why: str
    rule: str
    goal: Goal | None = None


class _March:
    """A force, and what its leaving and its coming are worth."""

    def __init__(self, scout: Scout, force: Sequence[Piece], points: int) -> None:
        self.scout, self.force, self.points = scout, force, points
        start = force[0].place
        stay = [unit for unit in scout.referee.units_at(start) if unit not in force and is_ground(unit)]
        self.afoot = any(map(is_ground, force))
        self.lost = scout.holds(start) if self.afoot and not stay else 0.0
        self.here = scout.away.get(start, _FAR)

    def goal(self, way: tuple[str, ...], exact: bool) -> Goal:
        """What going that way is worth; ``exact``: by the odds of the battle, or by a guess."""
        scout, space = self.scout, way[-1]
        nearer = APART * (self.here - scout.away.get(space, _FAR))
        if not scout.reacts(space):
            return Goal(nearer - self.lost - _IDLE, None, way)
        going = scout.going(self.force, space, exact)
        node = space in scout.nodes
        left = 0 if node else min(_MOVES, self.points - len(way))
        value = going.value + max(0.0, going.value) * _GO_ON * left - self.lost
        value += scout.holds(space) * going.ahead.win if self.afoot else 0.0
        return Goal(value + (0.0 if node else nearer), going, way)

    def best(self, many: int, on: bool = False) -> list[Goal]:
        """The best goals by a guess, valued by exact odds, the best first."""
        scout, force = self.scout, self.force
        able = [way for way in targets(scout, force, self.points, on).values() if not stack_fault(scout.referee, way[-1], force)]
        goals = (self.goal(way, False) for way in able if not on or scout.reacts(way[-1]))
        likely = sorted(goals, key=lambda one: -one.value)[:many]
        return sorted((self.goal(goal.way, True) for goal in likely), key=lambda one: -one.value)


def _groups(scout: Scout) -> list[list[Piece]]:
    """The units in play, by the places where they are."""
    groups: dict[str, list[Piece]] = {}
    for piece in deployed(scout.referee.position):
        if not is_fob(piece):
            groups.setdefault(piece.place, []).append(piece)
    return list(groups.values())


def points_of(scout: Scout, force: Sequence[Piece]) -> int:
    """[13.0, 24.1] The movement points of a force; helicopters have any number."""
    return AIR if is_helicopter(force[0]) else movement_value(scout.referee, force)


def offensives(scout: Scout) -> Iterator[Offer]:
    """[10.1] J-3: the best goals of each force."""
    for units in _groups(scout):
        for force in forces(units):
            for goal in _March(scout, force, points_of(scout, force)).best(_GOALS):
                yield _offensive(scout, force, goal)


def rash(scout: Scout, number: RandBelow) -> Offer | None:
    """[10.1] J-3 by who does not reckon: some unit or other, alone, into some space that it can reach, where there is somebody to
    meet if possible; None where no unit can go anywhere.
    """
    some = [unit for units in _groups(scout) for unit in units if side_of(unit).move]
    if not some:
        return None
    force = [some[number(len(some))]]
    march = _March(scout, force, points_of(scout, force))
    ways = [way for way in targets(scout, force, march.points, False).values() if not stack_fault(scout.referee, way[-1], force)]
    ways = [way for way in ways if scout.reacts(way[-1])] or ways
    return _offensive(scout, force, march.goal(ways[number(len(ways))], True)) if ways else None


def _offensive(scout: Scout, force: Sequence[Piece], goal: Goal) -> Offer:
    own = [piece.name for piece in force]
    plan = PlannedAction("j3", {"force": own, "to": " ".join(goal.way)})
    words = f"J-3 into {scout.referee.title(goal.way[-1])} with {', '.join(own)}"
    return Offer(goal.value, plan, words, told(goal.going), "10.1", goal)


def others(scout: Scout) -> Iterator[Offer]:
    """[18.0, 19.0, 14.2] J-4 and J-5; or an operation in which nothing is done."""
    game = scout.referee
    markers = len(game.netwar())
    if markers:
        gain = markers * sum(game.chart("netwar").number(face, "infowar") for face in range(1, 7)) / 6
        why = f"OPs {signed(gain, 1)} on average [19.0]; an OP is worth {OP} VP to us, a marker kept {_KEPT}"
        yield Offer(
            OP * gain - _KEPT * markers,
            PlannedAction("j5", {"markers": markers}),
            f"J-5 with {plural(markers, 'NetWar marker')}",
            why,
            "19.0",
        )
    for place, units in refit_places(game).items():
        why = f"{plural(len(units), 'reduced unit')} at full strength for one OP [18.1]"
        plan = PlannedAction("j4", {"kind": "refit", "at": place})
        yield Offer(REFIT * len(units), plan, f"J-4: refit at {game.title(place)}", why, "18.1")
    movers = [piece for piece in deployed(game.position) if not is_fob(piece)]
    if movers:
        plan = PlannedAction("j3", {"force": [movers[0].name], "to": movers[0].place.replace(" ", "_")})
        yield Offer(
            0.0, plan, f"let {movers[0].name} stay where it is", "nothing else is worth its risk; no reaction [14.2]", "14.2"
        )


def marched(scout: Scout, force: Sequence[Piece], points: int, many: int, on: bool = False) -> list[Goal]:
    """The best goals of a force, the best first; ``on``: of one that has won a battle [14.1]."""
    return _March(scout, force, points).best(many, on)
