"""The operations that the planner can carry out now, each with its estimated value in VP."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from companion.core.match import PlannedAction
from companion.core.policies import RandBelow
from companion.core.position import Piece
from companion.core.text import format_probability, plural, signed
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.ai.features import Going, Scout
from companion.games.fallujah2004.ai.valuation import OP, REFIT, STRIKE, Ahead, prize
from companion.games.fallujah2004.notation import AIR, BASES
from companion.games.fallujah2004.referee import concealed_at, deployed
from companion.games.fallujah2004.rules.r08_forces import largest_stack, stack_fault
from companion.games.fallujah2004.rules.r11_recruiting import WHOLE, count_names, order_text, recruitable, unit_cost, whole_ops
from companion.games.fallujah2004.rules.r13_movement import movement_value
from companion.games.fallujah2004.rules.r18_logistics import bridges, fob_cost, refit_places, sites
from companion.games.fallujah2004.state import (
    is_battalion,
    is_engineer,
    is_fob,
    is_ground,
    is_helicopter,
    lies_concealed,
    side_of,
    type_of,
)


def fought(ahead: Ahead) -> str:
    """How a battle is likely to go, in numbers."""
    win, kills = format_probability(ahead.win), signed(ahead.killed - ahead.lost, 1)
    text = f"{win} to win, KIA {kills}, {ahead.lost:.1f} strength steps lost"
    return text + (f", OPs -{ahead.ops:.1f} by Collateral Damage" if ahead.ops > 0.05 else "")


def told(going: Going | None) -> str:
    """How it is likely to go where a force goes, in numbers."""
    if going is None:
        return "units are there already: no reaction [14.1(1)]"
    text = f"{going.met:.1f} OPFOR units to expect; {fought(going.ahead)} [14.1, 16.1]"
    return text + (f"; the Node: {signed(going.prize.won, 1)} VP with its OPs [20.3]" if going.prize.won else "")


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
    main = largest_stack(afoot)
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


ARMY = 0.55
"""The part of the first OPs that goes into units."""

SUPPORT = {"artillery": 8, "air": 4, "netwar": 99, "soa": 0}
"""How many strikes are bought with the first order of battle."""

ENOUGH = 16
"""Firepower in play below which more is bought."""

_PART = 0.35
"""The part of the OPs that are left which goes into reinforcements."""

_UNREACHABLE = 12
"""Spaces that a Node is taken to be away where no way is known."""


def _cost(scout: Scout, unit: Piece) -> float:
    """OPs, with the part of one."""
    return unit_cost(scout.referee, unit)[0] / WHOLE


def _quality(unit: Piece, cost: float) -> float:
    side = side_of(unit)
    fights = side.fire + 0.7 * unit.number("back fire") + 0.3 * side.contact + 0.2 * min(side.move, 5)
    return fights / float(cost**0.8) + (0.5 if is_engineer(unit) else 0.0)


def army(scout: Scout, budget: float) -> list[Piece]:
    """Units for so many OPs, the best for their price first; as many battalions as companies, so that they stack [8.2]."""
    game = scout.referee
    for_sale = [piece for piece in recruitable(game) if piece.kind == state.UNIT and not is_helicopter(piece)]
    ranked = sorted(for_sale, key=lambda unit: -_quality(unit, _cost(scout, unit)))
    found: list[Piece] = []
    spent = 0.0
    for unit in ranked:
        cost = _cost(scout, unit)
        ahead = sum(is_battalion(piece) == is_battalion(unit) for piece in found) - len(found) / 2
        if spent + cost <= budget and ahead <= 2 and side_of(unit).move > 1:
            found.append(unit)
            spent += cost
    return found


def support(scout: Scout) -> list[Piece]:
    """Strikes and NetWar markers of the first order of battle."""
    wanted = dict(SUPPORT)
    found = []
    for piece in recruitable(scout.referee):
        kind = type_of(piece)
        if piece.kind == state.STRIKE and wanted.get(kind, 0) > 0:
            wanted[kind] -= 1
            found.append(piece)
    return found


def bases(scout: Scout) -> dict[str, float]:
    """[11.1] Each Base, with how many spaces the Nodes are away from it on average."""

    def far(one: str) -> float:
        away = scout.ways.distances([one])
        return sum(away.get(space, _UNREACHABLE) for space in scout.nodes) / max(1, len(scout.nodes))

    return {one: far(one) for one in BASES}


def _base(scout: Scout) -> str:
    """The Base that is the nearest to the Nodes."""
    found = bases(scout)
    return min(found, key=lambda one: found[one])


def order_of(pieces: Sequence[Piece]) -> str:
    """An order, as it is typed."""
    return order_text(count_names(pieces))


def charged(scout: Scout, pieces: Sequence[Piece]) -> int:
    """The OPs that an order takes, rounded up over all of it (ruling C-43)."""
    return whole_ops(sum(unit_cost(scout.referee, piece)[0] for piece in pieces))


def first_order(scout: Scout) -> Offer | None:
    """[7.1(2)] The first order of battle; None where it is bought."""
    position = scout.referee.position
    if position.at(state.AVAILABLE) or deployed(position):
        return None
    units, strikes = army(scout, ARMY * scout.referee.ops), support(scout)
    bought = [*units, *strikes]
    if not bought:
        return None
    words = f"{plural(len(units), 'unit')} and {plural(len(strikes), 'strike')} for {charged(scout, bought)}"
    why = f"at most {ARMY:.0%} of the OPs for units that stack [8.2, 11.1]; NetWar for J-5, which brings 1.5 OPs a marker [19.0]"
    plan = PlannedAction("buy", {"buy": order_of(bought), "at": _base(scout)})
    return Offer(0.0, plan, f"{words} of {plural(scout.referee.ops, 'OP')}", why, "7.1(2)")


def reinforcements(scout: Scout) -> list[Piece]:
    """[11.0] What a J-1 buys."""
    return army(scout, _PART * scout.referee.ops)


def restock(scout: Scout) -> Iterator[Offer]:
    """[11.0] J-1, where too little is left in play for the OPs."""
    game = scout.referee
    fire = sum(side_of(piece).fire for piece in deployed(game.position))
    if fire >= ENOUGH or game.ops < 8:
        return
    bought = reinforcements(scout)
    if bought:
        lacking = 1 - fire / ENOUGH
        cost = sum(_cost(scout, piece) for piece in bought)
        why = f"firepower {fire} in play is too little for {plural(game.ops, 'OP')}; this costs {cost + 1:g} [11.1]"
        yield Offer(
            lacking * 1.5 * OP,
            PlannedAction("j1", {"buy": order_of(bought), "at": _base(scout)}),
            f"J-1: {plural(len(bought), 'unit')}",
            why,
            "11.0",
        )


_NEAR_A_BRIDGE = 0.2
"""VP of a repaired bridge for each Node on the map, on either bank: a guess of ours, by which it is hardly ever repaired."""


def works(scout: Scout, offensives: Sequence[Offer]) -> Iterator[Offer]:
    """Everything of the kind; ``offensives``: what else could be done, for what is learnt serves those alone."""
    yield from isr(scout, offensives)
    yield from building(scout)
    for space in bridges(scout.referee):
        gain = _NEAR_A_BRIDGE * len(scout.nodes)
        why = "units on the ground cross again [13.3]"
        yield Offer(
            gain, PlannedAction("j4", {"kind": "bridge", "at": space}), f"J-4: repair {scout.referee.title(space)}", why, "18.4"
        )


def isr(scout: Scout, offensives: Sequence[Offer]) -> Iterator[Offer]:
    """[12.1] A look at the concealed Node that would be attacked next: worth what is gained by going elsewhere where it turns
    out to be a bad one, and by knowing that it is a good one.
    """
    game = scout.referee
    markers = game.netwar()
    aims = [one for one in offensives if one.goal and one.goal.going and concealed_at(game.position, one.goal.way[-1])]
    if not markers or not aims or not any(lies_concealed(piece) for piece in game.position.of_kind(state.CONCEALED)):
        return
    aim = max(aims, key=lambda one: one.value)
    assert aim.goal is not None
    space = aim.goal.way[-1]
    instead = max((one.value for one in offensives if one.goal and one.goal.way[-1] != space), default=0.0)
    chance = sum(game.chart("netwar").text(face, "isr") == "reveal" for face in range(1, 7)) / 6
    gain = chance * _better(scout, aim, max(instead, 0.0))
    where = game.title(space)
    why = f"revealed with {chance:.0%}; to know it changes what is done next by {gain / chance:.2f} VP on average [12.1]"
    yield Offer(gain - STRIKE["netwar"], PlannedAction("j2", {"nodes": space}), f"J-2 at {where}", why, "12.0")


def _better(scout: Scout, aim: Offer, instead: float) -> float:
    """How much more is to be had on average by who knows the Node and can do something else, than by who does not."""
    goal = aim.goal
    assert goal is not None and goal.going is not None
    left, chart = scout.referee.position.at(state.NODE_CUP), scout.referee.chart("nodes")
    won, average = goal.going.ahead.win, goal.going.prize
    total = 0.0
    for piece in left:
        one = prize(chart, [piece])
        value = aim.value + won * (one.won - average.won) - (1 - won) * (one.lost - average.lost)
        total += max(value, instead)
    return max(0.0, total / len(left) - max(aim.value, instead)) if left else 0.0


def building(scout: Scout) -> Iterator[Offer]:
    """[18.5, 28.2] An FOB where an engineer stands: the edge that it gives to who fights beside it, and refit on the spot;
    against the OPs that it takes more than another operation.
    """
    game = scout.referee
    spare = any(is_fob(piece) for piece in game.position.at(state.RECRUIT))
    for space in sites(game) if spare and fob_cost(game) < game.ops else []:
        units = game.units_at(space)
        edge = sum(_edge(scout, space, node) for node in scout.nodes if node in (space, *scout.ways.near(space, scout.blown)))
        reduced = sum(piece.face == state.REDUCED for piece in units)
        value = edge + REFIT * reduced - OP * (fob_cost(game) - 1)
        why = f"Tactical Edge beside it brings {edge:+.1f} VP, refit of {plural(reduced, 'unit')} {REFIT * reduced:+.1f}; "
        why += f"it costs {plural(fob_cost(game), 'OP')} [28.2]"
        yield Offer(value, PlannedAction("j4", {"kind": "fob", "at": space}), f"J-4: an FOB at {game.title(space)}", why, "18.5")


def _edge(scout: Scout, space: str, node: str) -> float:
    """What one more on the Tactical Edge is worth to the force at a space against a Node beside it."""
    here = [piece for piece in deployed(scout.referee.position) if piece.place == space and not is_fob(piece)]
    force = next(forces(here), [one for one in here if is_engineer(one)])
    return scout.going(force, node, fob=True).value - scout.going(force, node).value
