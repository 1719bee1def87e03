"""The operations that the planner can carry out now: candidates with their estimated value in VP."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.candidates import Candidate
from companion.core.match import PlannedAction
from companion.core.odds import mean
from companion.core.policies import RandBelow
from companion.core.position import Piece
from companion.core.text import format_probability, plural, signed
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.ai.features import Approach, Features
from companion.games.fallujah2004.ai.openings import Opening
from companion.games.fallujah2004.battles import Forecast
from companion.games.fallujah2004.notation import AIR, side_of
from companion.games.fallujah2004.referee import concealed_at, deployed
from companion.games.fallujah2004.rules import r08_forces, r10_operations, r11_recruiting, r13_movement


def battle_text(forecast: Forecast) -> str:
    """The expected course of a battle, in numbers."""
    kia = signed(forecast.killed - forecast.lost, 1)
    text = f"{format_probability(forecast.win)} to win, KIA {kia}, {forecast.lost:.1f} strength steps lost"
    return text + (f", OPs -{forecast.ops:.1f} by Collateral Damage" if forecast.ops > 0.05 else "")


def approach_text(approach: Approach | None) -> str:
    """What a force can expect where it goes, in numbers."""
    if approach is None:
        return "units are there already: no reaction [14.1(1)]"
    text = f"{approach.met:.1f} OPFOR units to expect; {battle_text(approach.forecast)} [14.1, 16.1]"
    return text + (f"; the Node: {signed(approach.nodes.won, 1)} VP with its OPs [20.3]" if approach.nodes.won else "")


class Destination(NamedTuple):
    """A space that a force can go to: the value in VP, what it can expect there (None: no reaction), and the path."""

    value: float
    approach: Approach | None
    path: tuple[str, ...]


class Operation(NamedTuple):
    """An operation with all its answers, its rule, and for an offensive the destination."""

    plan: PlannedAction
    rule: str
    destination: Destination | None = None


Offer = Candidate[Operation]


def _offer(value: float, plan: PlannedAction, name: str, reason: str, rule: str, destination: Destination | None = None) -> Offer:
    return Candidate(Operation(plan, rule, destination), name, value, reasons=(reason,))


# -- offensives --------------------------------------------------------------------------------------------------------


def forces(units: Sequence[Piece]) -> Iterator[list[Piece]]:
    """[8.2, 8.3, 24.3] Candidate forces of one place: the strongest stack, it without its weakest unit, and the gunships."""
    ground = sorted((unit for unit in units if not state.is_helicopter(unit) and side_of(unit).move), key=_strength, reverse=True)
    stack = r08_forces.largest_stack(ground)
    if stack:
        yield stack
    if len(stack) > 1:
        yield stack[:-1]
    gunships = r08_forces.largest_stack([unit for unit in units if state.type_of(unit) == "helicopter_gunship"])
    if gunships:
        yield gunships


def _strength(unit: Piece) -> tuple[int, int]:
    side = side_of(unit)
    return 2 * side.fire + side.contact + (unit.number("back fire") if unit.face != state.REDUCED else 0), side.move


def _targets(features: Features, force: Sequence[Piece], points: int, along_msr: bool) -> list[tuple[str, ...]]:
    """The paths to the spaces that a force can reach and where it finds room."""
    start = force[0].place
    if points >= AIR:
        paths: Mapping[str, tuple[str, ...]] = {space: (space,) for space in features.map.spaces if space != start}
    else:
        paths = features.reach(start, points, along_msr)
    has_room = not r08_forces.stacking_faults(force)
    return [path for path in paths.values() if has_room and _finds_room(features, path[-1], force)]


def _finds_room(features: Features, space: str, force: Sequence[Piece]) -> bool:
    """[8.2] True if a force that may be in one space may be in this one."""
    return space not in features.occupied or not r08_forces.stack_fault(features.referee, space, force)


class _March:
    """A force, and the value of leaving its space."""

    def __init__(self, features: Features, force: Sequence[Piece], points: int) -> None:
        self.features, self.force, self.points = features, force, points
        self.constants = features.constants
        start = force[0].place
        staying = [unit for unit in features.referee.units_at(start) if unit not in force and state.is_ground(unit)]
        self.has_ground = any(map(state.is_ground, force))
        self.lost = features.space_value(start) if self.has_ground and not staying else 0.0
        self.distance = features.node_distances.get(start, self.constants.move_far)

    def destination(self, path: tuple[str, ...], exact: bool) -> Destination:
        """The value of a path, by the exact odds of the battle or by an estimate."""
        features, space, constants = self.features, path[-1], self.constants
        nearer = constants.move_apart * (self.distance - features.node_distances.get(space, constants.move_far))
        if not features.reacts(space):
            return Destination(nearer - self.lost - constants.move_idle, None, path)
        approach = features.approach(self.force, space, exact)
        has_node = space in features.node_spaces
        points = 0 if has_node else min(constants.move_go_on_points, self.points - len(path))
        value = approach.value + max(0.0, approach.value) * constants.move_go_on * points - self.lost
        value += features.space_value(space) * approach.forecast.win if self.has_ground else 0.0
        return Destination(value + (0.0 if has_node else nearer), approach, path)

    def best(self, count: int, after_battle: bool = False) -> list[Destination]:
        """The best destinations by an estimate, valued by exact odds, the best first."""
        features = self.features
        paths = _targets(features, self.force, self.points, not after_battle or features.referee.has_msr_point)
        goals = (self.destination(path, False) for path in paths if not after_battle or features.reacts(path[-1]))
        likely = sorted(goals, key=lambda goal: -goal.value)[:count]
        return sorted((self.destination(goal.path, True) for goal in likely), key=lambda goal: -goal.value)


def destinations(
    features: Features, force: Sequence[Piece], points: int, count: int, after_battle: bool = False
) -> list[Destination]:
    """The best destinations of a force, the best first; after a battle won only spaces with a reaction [14.1]."""
    return _March(features, force, points).best(count, after_battle)


def _groups(features: Features) -> list[list[Piece]]:
    """The units in play that can move, by place."""
    groups: dict[str, list[Piece]] = {}
    for piece in deployed(features.referee.position):
        if not state.is_fob(piece):
            groups.setdefault(piece.place, []).append(piece)
    return list(groups.values())


def offensives(features: Features) -> Iterator[Offer]:
    """[10.1] J-3: the best destinations of each force."""
    for units in _groups(features):
        for force in forces(units):
            points = r13_movement.movement_points(features.referee, force)
            for goal in destinations(features, force, points, features.constants.move_goals):
                yield _offensive(features, force, goal)


def rash(features: Features, randbelow: RandBelow) -> Offer | None:
    """[10.1] A J-3 of a random unit alone into a random space, with a reaction if possible; None if no unit can move."""
    units = [unit for group in _groups(features) for unit in group if side_of(unit).move]
    if not units:
        return None
    force = [units[randbelow(len(units))]]
    march = _March(features, force, r13_movement.movement_points(features.referee, force))
    paths = _targets(features, force, march.points, True)
    paths = [path for path in paths if features.reacts(path[-1])] or paths
    return _offensive(features, force, march.destination(paths[randbelow(len(paths))], True)) if paths else None


def _offensive(features: Features, force: Sequence[Piece], goal: Destination) -> Offer:
    units = [piece.name for piece in force]
    plan = PlannedAction("j3", {"force": units, "to": " ".join(goal.path)})
    name = f"J-3 into {features.referee.title(goal.path[-1])} with {', '.join(units)}"
    return _offer(goal.value, plan, name, approach_text(goal.approach), "10.1", goal)


# -- other operations --------------------------------------------------------------------------------------------------


def others(features: Features) -> Iterator[Offer]:
    """[18.0, 19.0, 14.2] J-5, refits, and a J-3 in which a unit stays where it is."""
    referee, constants = features.referee, features.constants
    markers = len(referee.netwar())
    if markers:
        gain = markers * mean(r10_operations.infowar_totals(referee, 1))
        kept, op = constants.netwar_kept, constants.worth_op
        reason = f"OPs {signed(gain, 1)} on average [19.0]; an OP is worth {op} VP to us, a marker kept {kept}"
        name = f"J-5 with {plural(markers, 'NetWar marker')}"
        yield _offer(op * gain - kept * markers, PlannedAction("j5", {"markers": markers}), name, reason, "19.0")
    for place, units in r10_operations.refit_places(referee).items():
        reason = f"{plural(len(units), 'reduced unit')} at full strength for one OP [18.1]"
        plan, value = PlannedAction("j4", {"kind": "refit", "at": place}), features.valuation.refit(referee.ops) * len(units)
        yield _offer(value, plan, f"J-4: refit at {referee.title(place)}", reason, "18.1")
    movers = [piece for piece in deployed(referee.position) if not state.is_fob(piece)]
    if movers:
        plan = PlannedAction("j3", {"force": [movers[0].name], "to": movers[0].place.replace(" ", "_")})
        reason = "no other operation is worth its risk; no reaction [14.2]"
        yield _offer(0.0, plan, f"let {movers[0].name} stay where it is", reason, "14.2")


def returns(features: Features) -> Iterator[Offer]:
    """[13.4, 18.3] J-3 back to a Base that is in reach, where a second operation refits the reduced units of the force."""
    constants = features.constants
    for units in _groups(features):
        force = r08_forces.largest_stack([unit for unit in units if not state.is_helicopter(unit) and side_of(unit).move])
        reduced = sum(unit.face == state.REDUCED for unit in force)
        if reduced < constants.move_back_units or not state.on_map(force[0].place):
            continue
        path = _path_to_base(features, force)
        if path and not r10_operations.refit_places(features.referee).get(force[0].place):
            value = features.valuation.refit(features.referee.ops) * reduced / 2 - _March(features, force, len(path)).lost
            plan = PlannedAction("j3", {"force": [unit.name for unit in force], "to": " ".join(path).replace(" base", "_base")})
            reason = f"two operations, this one and a J-4, bring {plural(reduced, 'reduced unit')} to full strength [18.3]"
            yield _offer(value, plan, f"J-3 back to {path[-1].title()} with {', '.join(plan.answers['force'])}", reason, "13.4")


def _path_to_base(features: Features, force: Sequence[Piece]) -> tuple[str, ...]:
    """[13.0, 13.4] A shortest path of a force to a Base; () if none is in reach."""
    start, points = force[0].place, r13_movement.movement_points(features.referee, force)
    paths = {start: (), **(features.reach(start, points - 1, along_msr=False) if points > 1 else {})}
    for place, path in sorted(paths.items(), key=lambda item: len(item[1])):
        if place == start or place not in features.node_spaces:
            for base in features.map.neighbours(place, features.blown):
                if base in state.BASES:
                    return (*path, base)
    return ()


def works(features: Features, attacks: Sequence[Offer]) -> Iterator[Offer]:
    """[12.0, 18.4, 18.5] J-2 for these attacks, FOBs and bridge repair."""
    yield from isr(features, attacks)
    yield from building(features)
    for space in r10_operations.bridges(features.referee):
        gain = features.constants.engineer_bridge * len(features.node_spaces)
        plan = PlannedAction("j4", {"kind": "bridge", "at": space})
        name = f"J-4: repair {features.referee.title(space)}"
        yield _offer(gain, plan, name, "units on the ground cross again [13.3]", "18.4")


def isr(features: Features, attacks: Sequence[Offer]) -> Iterator[Offer]:
    """[12.1] ISR of the concealed Node that would be attacked next: the gain of attacking elsewhere if it is worth little."""
    referee = features.referee
    aims = [
        (offer, goal)
        for offer in attacks
        if (goal := offer.decision.destination) and goal.approach and concealed_at(referee.position, goal.path[-1])
    ]
    if not referee.netwar() or not aims or not any(map(state.lies_concealed, referee.position.of_kind(state.CONCEALED))):
        return
    aim, goal = max(aims, key=lambda pair: pair[0].value)
    space = goal.path[-1]
    elsewhere = (offer.value for offer in attacks if (to := offer.decision.destination) and to.path[-1] != space)
    alternative = max(elsewhere, default=0.0)
    chance = r10_operations.isr_chance(referee, 1)
    gain = chance * _gain_of_knowing(features, aim, goal, max(alternative, 0.0))
    reason = f"revealed with {chance:.0%}; to know it changes what is done next by {gain / chance:.2f} VP on average [12.1]"
    value = gain - features.valuation.strikes("netwar")
    yield _offer(value, PlannedAction("j2", {"nodes": space}), f"J-2 at {referee.title(space)}", reason, "12.0")


def _gain_of_knowing(features: Features, aim: Offer, goal: Destination, alternative: float) -> float:
    """The average gain, in VP, of knowing the Node before the choice between the aim and the alternative."""
    assert goal.approach is not None
    left, chart = features.referee.position.at(state.NODE_CUP), features.referee.chart("nodes")
    win, average = goal.approach.forecast.win, goal.approach.nodes
    total = 0.0
    for piece in left:
        node = features.valuation.nodes(chart, [piece])
        value = aim.value + win * (node.won - average.won) - (1 - win) * (node.lost - average.lost)
        total += max(value, alternative)
    return max(0.0, total / len(left) - max(aim.value, alternative)) if left else 0.0


def building(features: Features) -> Iterator[Offer]:
    """[18.5, 28.2] An FOB where an engineer stands: its Edge beside it and refit on the spot, against its additional OPs."""
    referee, constants = features.referee, features.constants
    if r10_operations.fob_fault(referee) or r10_operations.fob_cost(referee) >= referee.ops:
        return
    for space in r10_operations.sites(referee):
        units = referee.units_at(space)
        beside = (space, *features.map.neighbours(space, features.blown))
        edge = sum(_edge_value(features, space, node) for node in features.node_spaces if node in beside)
        reduced = sum(piece.face == state.REDUCED for piece in units)
        refit = features.valuation.refit(referee.ops) * reduced
        value = edge + refit - constants.worth_op * (r10_operations.fob_cost(referee) - 1)
        reason = f"Tactical Edge beside it brings {edge:+.1f} VP, refit of {plural(reduced, 'unit')} {refit:+.1f}; "
        reason += f"it costs {plural(r10_operations.fob_cost(referee), 'OP')} [28.2]"
        plan = PlannedAction("j4", {"kind": "fob", "at": space})
        yield _offer(value, plan, f"J-4: an FOB at {referee.title(space)}", reason, "18.5")


def _edge_value(features: Features, space: str, node: str) -> float:
    """The value of one more on the Tactical Edge to the force at a space, against a Node beside it."""
    units = [piece for piece in features.referee.units_at(space) if not state.is_fob(piece)]
    force = next(forces(units), [piece for piece in units if state.is_engineer(piece)])
    return features.approach(force, node, fob=True).value - features.approach(force, node).value


# -- buying ------------------------------------------------------------------------------------------------------------


def _cost(features: Features, unit: Piece) -> float:
    """The price of a unit in OPs, fractions included."""
    return r11_recruiting.unit_cost(features.referee, unit)[0] / r11_recruiting.WHOLE


def _quality(features: Features, unit: Piece, cost: float) -> float:
    constants, side = features.constants, side_of(unit)
    fights = side.fire + constants.buy_back * unit.number("back fire") + constants.buy_contact * side.contact
    fights += constants.buy_move * min(side.move, constants.buy_most_move)
    return fights / float(cost**constants.buy_price) + (constants.buy_engineer if state.is_engineer(unit) else 0.0)


def army(features: Features, budget: float, prefer: Mapping[str, float] = {}) -> list[Piece]:
    """Units for some OPs, the best for their price first; as many battalions as companies, so that they stack [8.2].

    ``prefer`` multiplies the quality of a type of unit, or of ``iraqi`` units; 0 leaves them out. Helicopters only if preferred.
    """

    def factor(unit: Piece) -> float:
        usual = 0.0 if state.is_helicopter(unit) else 1.0
        return prefer.get("iraqi" if state.is_iraqi(unit) else state.type_of(unit), usual)

    units = [piece for piece in r11_recruiting.recruitable(features.referee) if piece.kind == state.UNIT and factor(piece)]
    ranked = sorted(units, key=lambda unit: -factor(unit) * _quality(features, unit, _cost(features, unit)))
    bought: list[Piece] = []
    spent = 0.0
    for unit in ranked:
        cost = _cost(features, unit)
        surplus = sum(state.is_battalion(piece) == state.is_battalion(unit) for piece in bought) - len(bought) / 2
        if spent + cost <= budget and surplus <= features.constants.buy_balance and side_of(unit).move > 1:
            bought.append(unit)
            spent += cost
    return bought


def support(features: Features, wanted: Mapping[str, int]) -> list[Piece]:
    """Strikes and NetWar markers, as many of each kind as wanted, if they are for sale."""
    left = dict(wanted)
    bought = []
    for piece in r11_recruiting.recruitable(features.referee):
        kind = state.type_of(piece)
        if piece.kind == state.STRIKE and left.get(kind, 0) > 0:
            left[kind] -= 1
            bought.append(piece)
    return bought


def base_distances(features: Features) -> dict[str, float]:
    """[11.1] The average number of spaces from each Base to the Nodes."""

    def average(base: str) -> float:
        steps = features.map.distances([base])
        far = features.constants.buy_far
        return sum(steps.get(space, far) for space in features.node_spaces) / max(1, len(features.node_spaces))

    return {base: average(base) for base in state.BASES}


def _nearest_base(features: Features) -> str:
    distances = base_distances(features)
    return min(distances, key=lambda base: distances[base])


def order_of(pieces: Sequence[Piece]) -> str:
    """An order as it is typed."""
    return r11_recruiting.order_text(r11_recruiting.count_names(pieces))


def order_cost(features: Features, pieces: Sequence[Piece]) -> int:
    """The OPs of an order, rounded up over all of it (ruling C-43)."""
    return r11_recruiting.whole_ops(sum(r11_recruiting.unit_cost(features.referee, piece)[0] for piece in pieces))


def first_orders(features: Features) -> list[Offer]:
    """[7.1(2)] The first orders of battle, the best first by the whole games played with each; [] if one has been bought."""
    referee = features.referee
    if referee.position.at(state.AVAILABLE) or deployed(referee.position):
        return []
    offers: dict[str, Offer] = {}
    for opening in features.valuation.openings:
        offer = _first_order(features, opening)
        if offer:
            offers.setdefault(str(offer.decision.plan.answers["buy"]), offer)
    return sorted(offers.values(), key=lambda offer: -offer.value)


def _first_order(features: Features, opening: Opening) -> Offer | None:
    referee = features.referee
    units = army(features, opening.army * referee.ops, opening.prefer)
    strikes = support(features, opening.support)
    bought = [*units, *strikes]
    if not bought:
        return None
    name = f"{opening.title}: {plural(len(units), 'unit')} and {plural(len(strikes), 'strike')} "
    name += f"for {order_cost(features, bought)} of {plural(referee.ops, 'OP')}"
    gain = mean(r10_operations.infowar_totals(referee, 1))
    reason = f"at most {opening.army:.0%} of the OPs for units that stack [8.2, 11.1]; "
    reason += f"NetWar for J-5, OPs {signed(gain, 1)} a marker [19.0]"
    plan = PlannedAction("buy", {"buy": order_of(bought), "at": _nearest_base(features)})
    return _offer(opening.prior, plan, name, reason, "7.1(2)")


def reinforcements(features: Features) -> list[Piece]:
    """[11.0] The units that a J-1 buys."""
    return army(features, features.constants.buy_part * features.referee.ops)


def restock(features: Features) -> Iterator[Offer]:
    """[11.0] J-1, if too little firepower is in play for the OPs."""
    referee, constants = features.referee, features.constants
    fire = sum(side_of(piece).fire for piece in deployed(referee.position))
    if fire >= constants.buy_enough or referee.ops < constants.buy_least_ops:
        return
    bought = reinforcements(features)
    if bought:
        cost = sum(_cost(features, piece) for piece in bought)
        reason = f"firepower {fire} in play is too little for {plural(referee.ops, 'OP')}; this costs {cost + 1:g} [11.1]"
        plan = PlannedAction("j1", {"buy": order_of(bought), "at": _nearest_base(features)})
        value = (1 - fire / constants.buy_enough) * constants.buy_lacking * constants.worth_op
        yield _offer(value, plan, f"J-1: {plural(len(bought), 'unit')}", reason, "11.0")
