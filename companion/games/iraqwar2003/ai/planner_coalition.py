"""The Coalition's orders, one stack after the other, and its bombing."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from math import sqrt
from typing import NamedTuple

from companion.core.candidates import Candidate, Recommendation, rank
from companion.core.odds import mean
from companion.core.position import Piece
from companion.core.rollouts import choose_by_rollouts
from companion.core.text import plural
from companion.games.iraqwar2003 import notation, odds, state
from companion.games.iraqwar2003.ai.features import FAR, Features, PossibleAttack, is_kurdish, kuwait_guards, strength
from companion.games.iraqwar2003.ai.kept import CANDIDATES
from companion.games.iraqwar2003.ai.supply import Supply
from companion.games.iraqwar2003.ai.valuation import (
    DONE,
    Constants,
    Stakes,
    announce,
    slips,
    stakes_of,
    step_value,
    target_value,
    terrain_columns,
    turns_left,
)
from companion.games.iraqwar2003.facts import KUWAIT, land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, is_rule_on
from companion.games.iraqwar2003.rules import r04_sequence, r05_air, r08_map, r13_combat, r13_results, r15_victory

TRIED = 3
"""Candidates that are played on."""


async def order_candidates(referee: IraqWarReferee) -> list[Candidate[str]]:
    """[4.1(4)] The Coalition's possible next orders; one if there is no choice, none without a map."""
    if disrupted := r04_sequence.recoverable_units(referee.position):
        return [_candidate(f"recover {referee.piece_names(disrupted)}", 0.0, "it costs only the phase")]
    terrain = await referee.known_facts("terrain", "13.3(5)")
    features = Features(referee, state.COALITION, terrain_columns(referee.priorities, terrain))
    if not r08_map.units_in_hexes(referee.position, state.COALITION) or not features.land.orientation:
        return []
    guards = kuwait_guards(features)
    stacks = _without_guards(features.unsorted_stacks(), guards)
    if not stacks:
        return [_candidate(DONE, 0.0, "all units have acted")]
    front = referee.priorities["coalition"]["front_hexes"]

    def rank_of(stack: Sequence[Piece]) -> tuple[bool, int, str]:
        return features.enemy_distance(stack[0].place) > front, -strength(stack), stack[0].name

    stack = min(stacks, key=rank_of)
    columns, post = await referee.known_facts("crt", "13.4"), guards.get(stack[0].id, "")
    which = state.COALITION, post, *(piece.id for piece in stack)
    return CANDIDATES.of(referee, which, terrain, columns, lambda facts: list(_stack_candidates(features, stack, facts, post)))


def recommend_order(candidates: Sequence[Candidate[str]]) -> Recommendation[str]:
    """Rank orders by value, with those that are worth a rollout. Raises ValueError: there are none."""
    return rank(candidates).with_rivals(TRIED - 1)


def order_reasons(ranking: Recommendation[str]) -> tuple[str, ...]:
    """The reasons of the best order."""
    return ranking.lines(source="exact odds and our estimate", digits=2)


async def propose_order(referee: IraqWarReferee) -> str:
    """[4.1(4)] The next order: ``recover 11Av``, ``1/3ID, 2/3ID > 3138 3137 > 3135``, ``done``; "" without a map."""
    candidates = await order_candidates(referee)
    if not candidates:
        return ""
    ranking = recommend_order(candidates)
    # single orders hardly differ by more than the luck of a few rollouts: only plans of a turn are played on
    slip = slips(referee, state.COALITION)
    chosen = await choose_by_rollouts(ranking, "order", "12.1(1)", state.COALITION) if slip else ranking
    if ranking.others:
        announce(referee, f"The Coalition orders {chosen.best.name}.", "4.1(4)", *order_reasons(chosen))
    return chosen.best.decision


def _candidate(order: str, value: float, detail: str) -> Candidate[str]:
    return Candidate(order, order, value, 0.0, (detail,))


def _without_guards(stacks: Sequence[list[Piece]], guards: Mapping[str, str]) -> list[list[Piece]]:
    """The guards, each alone, and the stacks without them."""
    alone = [[piece] for stack in stacks for piece in stack if piece.id in guards]
    others = [[piece for piece in stack if piece.id not in guards] for stack in stacks]
    return [*alone, *filter(None, others)]


def _stack_candidates(
    features: Features, stack: Sequence[Piece], known_columns: Mapping[str, str], post: str
) -> Iterator[Candidate[str]]:
    """The moves and attacks of a stack. ``post``: the hex that it guards, or ""."""
    pieces = free_units(features, stack)
    values = HexValues(features, pieces, known_columns, post)
    reach = features.reach(pieces)
    names = features.referee.piece_names(pieces)
    ends = sorted(reach.spent, key=lambda number: (-values.of(number), reach.spent[number], number))
    for number in ends[:TRIED]:
        path = reach.path(number)
        value = values.of(number) + values.on_path(path)
        yield _candidate(f"{names} > {' '.join(path) or notation.STAY} > {state.NONE}", value, f"place {value:+.2f}")
    yield from _attack_candidates(features, pieces, known_columns, values, names)


def _attack_candidates(
    features: Features, pieces: Sequence[Piece], known_columns: Mapping[str, str], values: HexValues, names: str
) -> Iterator[Candidate[str]]:
    referee, reach, goals = features.referee, features.reach(pieces), values.goals
    constants: Constants = referee.priorities["coalition"]
    best: dict[str, PossibleAttack] = {}
    for attack in features.attacks(pieces):
        rival = best.get(attack.target)
        if rival is None or (attack.column_index, values.of(attack.base)) > (rival.column_index, values.of(rival.base)):
            best[attack.target] = attack
    ranks = {target: -attack.column_index - 2 * goals.get(target, 0) for target, attack in best.items()}
    ranked = sorted(best.values(), key=lambda attack: (ranks[attack.target], attack.target))
    for attack in ranked[: int(constants["attacks"])]:
        target, base = attack.target, attack.base
        columns = support_columns(referee, attack.attack)
        stakes = stakes_of(referee, attack.attack, state.COALITION)
        steps = max(sum(map(notation.steps_left, features.field.foes[target])), 1)
        worn = constants["worn"] * goals.get(target, 0) / steps
        stakes = stakes._replace(hex=stakes.hex + _hex_bonus(features, target), enemy_step=stakes.enemy_step + worn)
        gain = _combat_gain(referee, attack, stakes, columns, known_columns)
        path = reach.path(base)
        end = max(values.of(base), constants["advance"] * (values.of(base) + values.of(target)))
        detail = f"combat {gain:+.2f} with {plural(columns, 'column')} of support"
        yield _candidate(f"{names} > {' '.join(path) or notation.STAY} > {target}", gain + values.on_path(path) + end, detail)


def _hex_bonus(features: Features, target: str) -> float:
    """[15.2] The value of a hex beyond its place: Iraqi units in Kuwait cost points each turn, those in the rear cut lines."""
    bonus = features.supply_gap.enemies.get(target, 0.0)
    if features.land.in_area(target, KUWAIT):
        return bonus - r15_victory.row_points(features.referee.charts, "kuwait")
    return bonus + (features.referee.priorities["coalition"]["behind"] if features.is_rear(target) else 0.0)


def support_columns(referee: IraqWarReferee, attack: r13_results.Attack) -> int:
    """[13.3(2), 16.5] Columns of the strongest available air unit that may support this attack."""
    strongest: dict[str, tuple[int, Piece]] = {}  # by nation, on which alone it depends which units may support
    for piece in referee.air_units(state.COALITION):
        nation = notation.nation(piece)
        if (values := referee.known_values(piece)) and (nation not in strongest or values.support > strongest[nation][0]):
            strongest[nation] = values.support, piece
    able = [support for support, piece in strongest.values() if not r13_combat.nationality_obstacle(referee, attack, piece)]
    return max(able, default=0)


def _combat_gain(
    referee: IraqWarReferee, attack: PossibleAttack, stakes: Stakes, columns: int, known_columns: Mapping[str, str]
) -> float:
    """[13.4] The expected value of an attack with support; by its column if the chart is unknown."""
    flier = r05_air.Flier("support", state.COALITION, r05_air.SUPPORT, 0, True, columns)
    mission = r05_air.Mission((flier,)) if columns else None
    ends = odds.CombatForecast(referee, attack.attack, known_columns).ends(mission)
    if any(end.result == notation.UNKNOWN_RESULT for end in ends):
        constants: Constants = referee.priorities["coalition"]
        above = attack.column_index + columns - constants["even_column"]
        return constants["unknown_chart"] * above * (1 + stakes.hex)
    return odds.expected(ends, stakes.value)


def free_units(features: Features, stack: Sequence[Piece]) -> list[Piece]:
    """The units of a stack that can leave: the weakest stays in a VP place with enemies near and no other unit."""
    place, constants = stack[0].place, features.referee.priorities["coalition"]
    others = len(state.units_in(features.position, place)) > len(stack)
    counts = r15_victory.hex_points(features.position, features.referee.charts, place)
    if not counts or others or len(stack) < 2 or features.enemy_distance(place) > constants["danger_hexes"]:
        return list(stack)
    weakest = min(stack, key=lambda piece: (notation.printed_side(piece).attack, piece.name))
    if notation.printed_side(weakest).attack > constants["guard"]:
        return list(stack)
    return [piece for piece in stack if piece is not weakest]


class HexValues:
    """The value of ending in a hex for some units of the Coalition."""

    def __init__(self, features: Features, pieces: Sequence[Piece], known_columns: Mapping[str, str], post: str = "") -> None:
        self.features = features
        self._known_columns = known_columns
        self.pieces = pieces
        self.constants: Constants = features.referee.priorities["coalition"]
        guards_rear = notation.nation(pieces[0]) == notation.BRITISH
        self.goals: Mapping[str, float] = features.rear_goals() if guards_rear else features.iraqi_vp_hexes
        marches = notation.is_western(pieces[0]) and not guards_rear and not pieces[0].values.get("fly")
        if marches and strength(pieces) < self.constants["weak"]:  # a weak stack guards a place on the way to the front
            places = [number for number in features.line_places if not state.others_in(features.position, number, pieces)]
            self.goals = {number: features.line_places[number] for number in places} or self.goals
        self._post = post
        self._start = pieces[0].place
        self._defence = sum(notation.printed_side(piece).defence for piece in pieces)
        self._costs = {goal: features.travel(goal) for goal in self.goals}
        self._values: dict[str, float] = {}
        power = self.constants["kurdish_power" if is_kurdish(pieces) else "power"]
        efforts = {goal: self._cost(goal, self._start) / points**power for goal, points in self.goals.items()}
        self._aim = min(efforts, key=lambda goal: (efforts[goal], goal), default="")
        self._aim_costs: Mapping[str, float] = features.way(self._aim) if self._aim else {}
        self._nearer_value: float = self.constants["nearer"]
        self._enemy_reach = int(self.constants["enemy_reach"])
        self._kurdish = is_kurdish(pieces)
        self._stays = self._kurdish and self._holds_source()
        self._distance = self._aim_costs.get(self._start, FAR) if self._aim else 0.0
        self._pull = sqrt(self.goals[self._aim]) if self._aim else 0.0
        self._weak = strength(pieces) < self.constants["weak"]
        self._step_value = step_value(features.referee, pieces)
        self._steps = sum(map(notation.steps_left, pieces))
        self._supply = Supply.of(features, pieces)

    def _cost(self, goal: str, number: str) -> float:
        return self._costs[goal].get(number, FAR)

    def of(self, number: str) -> float:
        """The value of a hex: nearer to VP places, not beside a strong enemy, not leaving a place alone."""
        if self._post:
            return -self.constants["astray"] * self.features.travel(self._post).get(number, FAR)
        if (value := self._values.get(number)) is None:
            left = 0.0 if number == self._start else self._leaving
            value = self._nearer(number) - self._danger(number) - left
            if self._supply:
                value += self._supply.value(number)
            if self._kurdish:
                value += self._joined(number)
            self._values[number] = value
        return value

    def on_path(self, path: Sequence[str]) -> float:
        """[15.2] The value of places on a path."""
        return sum(self.constants["passed"] * self.goals.get(number, 0) for number in path)

    def _joined(self, number: str) -> float:
        """[13.2(2)] Kurdish units are too weak to attack alone."""
        if self._stays:
            return 0.0
        return self.constants["gathered"] * len(state.others_in(self.features.position, number, self.pieces))

    def _nearer(self, number: str) -> float:
        if not self._aim or self._stays:
            return 0.0
        return self._nearer_value * (self._distance - self._aim_costs.get(number, FAR)) * self._pull

    def _holds_source(self) -> bool:
        """[10.0(2)] Return True for the last units at a Kurdish supply source, which stay there."""
        if self._start not in r08_map.SOURCES.values():
            return False
        return len(state.units_in(self.features.position, self._start)) == len(self.pieces)

    def _danger(self, number: str) -> float:
        """[13.4] The expected cost of the strongest Iraqi attack that may come next turn; Kurdish losses cost no points."""
        features, constants = self.features, self.constants
        cost = constants["in_the_way"] if self._weak and not self._kurdish and number in features.field.zoned else 0.0
        attack = features.iraqi_attack_near(number, self._enemy_reach)
        if attack and features.valuation.iraqi_turns:
            fellows = state.others_in(features.position, number, self.pieces)
            defence = max(self._defence + sum(notation.printed_side(piece).defence for piece in fellows), 1)
            left = r13_results.terrain_shift(features.land.terrain(number), features.columns, features.referee.options)
            cost += constants["hurt"] * min(self._lost(attack, defence, left), self._steps) * self._step_value
        return cost

    def _lost(self, attack: int, defence: int, left: int) -> float:
        """[13.4] The strength steps that an enemy attack costs on average; by its column if the chart is unknown."""
        cells = r13_results.column_cells(self._known_columns, r13_results.column(attack, defence, -left))
        key, derived = ("losses", cells), self.features.field.derived
        if key not in derived:
            derived[key] = odds.mean_losses(self.features.referee, cells)
        lost: float | None = derived[key]
        if lost is None:
            lost = max(r13_results.ladder_position(attack, defence) - left, 0.0) * self.constants["unknown_loss"]
        return lost

    @cached_property
    def _leaving(self) -> float:
        """[15.2] The expected loss of a place that the last unit leaves."""
        features, constants = self.features, self.constants
        points = r15_victory.hex_points(features.position, features.referee.charts, self._start)
        if not points or features.enemy_distance(self._start) > constants["danger_hexes"]:
            return 0.0
        stays = len(state.units_in(features.position, self._start)) > len(self.pieces)
        return 0.0 if stays else constants["left_alone"] * points


# -- bombing --------------------------------------------------------------------------------------------------------------


Sortie = tuple[float, r05_air.PlannedMission, Piece]
"""The gain of a group, its target and its unit."""


async def propose_bombing(referee: IraqWarReferee, plans: Sequence[r05_air.PlannedMission], ready: Sequence[Piece]) -> str:
    """[5.2(1), 6.2, 7.1] All groups of a phase: ``radio 1 by B-2, radio 2 by DDG-1, done``; each goes where it adds most."""
    facility = referee.phase == state.FACILITY
    stakes = facility_values(referee, plans) if facility else _disruption_values(referee, plans)
    constants: Constants = referee.priorities["sorties"]
    left = dict.fromkeys(stakes, 1.0)
    kept = _kept_for_support(referee, ready, len(ready) if facility else int(constants["supports"]))
    free = [piece for piece in ready if piece not in kept]
    chances = _chances(referee, stakes, free)
    sent: list[str] = []
    gains: list[str] = []
    rest: list[Sortie] = []
    costs = {piece.id: _sortie_cost(referee, piece) for piece in free}

    def sorties(plan: r05_air.PlannedMission) -> list[Sortie]:
        value = stakes[plan] * left[plan]
        of_plan = chances[plan]
        return [(_gain(costs[piece.id], of_plan[piece.id], value), plan, piece) for piece in free]

    by_plan = {plan: sorties(plan) for plan in stakes}
    best = {plan: max(same, key=_sortie_rank) for plan, same in by_plan.items() if same}
    while free and stakes:
        gain, plan, piece = max(best.values(), key=_sortie_rank)
        if gain <= 0:
            rest = [sortie for same in by_plan.values() for sortie in same]
            break
        sent.append(f"{plan.target} by {piece.name}")
        gains.append(f"{sent[-1]} {gain:+.2f}")
        left[plan] *= 1 - chances[plan][piece.id][0]
        free.remove(piece)
        by_plan = {other: [sortie for sortie in same if sortie[2] is not piece] for other, same in by_plan.items()}
        by_plan[plan] = sorties(plan)
        for other, same in by_plan.items() if free else ():
            if other is plan or best[other][2] is piece:
                best[other] = max(same, key=_sortie_rank)
    reasons = _bombing_reasons(gains, rest, kept, int(constants["shown"]))
    announce(referee, f"The Coalition bombs {', '.join(sent) or 'nothing more'}.", "5.2(1)", *reasons)
    return ", ".join([*sent, DONE])


def _sortie_rank(sortie: Sortie) -> tuple[float, str, str]:
    gain, plan, piece = sortie
    return gain, plan.target, piece.name


def _bombing_reasons(gains: Sequence[str], rest: Sequence[Sortie], kept: Sequence[Piece], shown: int) -> list[str]:
    """The value of each group, what was rejected (``rest``: groups with what they would add), and what was kept."""
    best = sorted(rest, key=lambda sortie: (-sortie[0], *_sortie_rank(sortie)[1:]))[:shown]
    rejected = [f"{plan.target} by {piece.name} {gain:+.2f}" for gain, plan, piece in best]
    lines = [f"VP by exact odds: {', '.join(gains) or 'no sortie is worth its cost'}"]
    lines += ["each group goes where it adds most to the groups before it"] if gains else []
    lines += [f"out: {'; '.join(rejected)}"] if rejected else []
    return [*lines, *([f"kept for ground support: {', '.join(piece.name for piece in kept)}"] if kept else [])]


def _chances(
    referee: IraqWarReferee, plans: Iterable[r05_air.PlannedMission], ready: Sequence[Piece]
) -> dict[r05_air.PlannedMission, dict[str, tuple[float, float]]]:
    """For each target and unit, the probabilities that it hits and is lost, not intercepted; equal cases are computed once."""
    cases: dict[Hashable, tuple[float, float]] = {}
    chances: dict[r05_air.PlannedMission, dict[str, tuple[float, float]]] = {}
    values = [(piece, referee.known_values(piece)) for piece in ready]
    for plan in plans:
        of_plan = chances[plan] = {}
        for piece, printed in values:
            case = plan.shots, plan.fire_rule, plan.city, printed
            if case not in cases:
                cases[case] = _hit_chances(referee, plan, piece)
            of_plan[piece.id] = cases[case]
    return chances


def _hit_chances(referee: IraqWarReferee, plan: r05_air.PlannedMission, piece: Piece) -> tuple[float, float]:
    values = referee.known_values(piece)
    bombing = r05_air.bombing_value(values.bombing, plan.city) if values else 0
    mission = r05_air.mission_of(referee, plan._replace(group=r05_air.AirGroup(piece), value=bombing))
    if mission is None:
        return 0.0, 0.0
    results = odds.flown_odds(mission)
    return odds.success_chance(results), odds.fate_chance(results, r05_air.SHOT_DOWN)


def facility_values(referee: IraqWarReferee, plans: Sequence[r05_air.PlannedMission]) -> dict[r05_air.PlannedMission, float]:
    """The value of a hit on each box: Radio above the mean of the die [11.1], Radar and fire while Iraq can fly [5.8.2(2)]."""
    flies = bool(intact(boxes(referee.position, notation.AIRFIELD)))
    radios = r04_sequence.radio_points(referee) - int(mean(odds.command_point_chances(referee, r04_sequence.DIE)))
    values: dict[r05_air.PlannedMission, float] = {}
    for plan in plans:
        kind = notation.kind_of(referee.piece(plan.id))
        radios -= kind == notation.RADIO
        idle = (kind == notation.RADIO and radios < 0) or (kind in (notation.RADAR, notation.AA) and not flies)
        factor = referee.priorities["sorties"]["airfields"] if kind == notation.AIRFIELD else 1
        values[plan] = 0.0 if idle else target_value(referee, plan) * factor
    return values


def _kept_for_support(referee: IraqWarReferee, ready: Sequence[Piece], count: int) -> list[Piece]:
    """The strongest units for ground support, and units with unknown values."""
    fit = []
    for piece in ready:
        if (values := referee.known_values(piece)) and values.support:
            fit.append((values.bombing - 2 * values.support, piece.name, piece))
    strongest = sorted(fit, key=lambda entry: entry[:2])[:count]
    return [*(piece for *_, piece in strongest), *(piece for piece in ready if not referee.known_values(piece))]


class SortieCost(NamedTuple):
    """What a sortie of a unit costs: the points if it is lost, its use, and the danger of an interceptor."""

    points: int
    use: float
    intercepted: float


def _sortie_cost(referee: IraqWarReferee, piece: Piece) -> SortieCost:
    constants: Constants = referee.priorities["sorties"]
    if notation.is_naval(piece):
        return SortieCost(0, constants["missile"], 0.0)
    values = referee.known_values(piece)
    meets = values and not values.stealth and referee.airfields_left() and referee.air_units(state.IRAQ)
    points = r15_victory.air_unit_points(referee.charts, piece)
    return SortieCost(points, constants["sortie"], constants["intercepted"] if meets else 0.0)


def _gain(cost: SortieCost, chances: tuple[float, float], value: float) -> float:
    hit, lost = chances
    return hit * value + lost * cost.points - cost.use - cost.intercepted


def _disruption_values(referee: IraqWarReferee, plans: Sequence[r05_air.PlannedMission]) -> dict[r05_air.PlannedMission, float]:
    """[7.3.1] The value of disrupting each unit; one that could cut the way to the front does not move [7.3.1(1)]."""
    features = Features(referee, state.COALITION, terrain_columns(referee.priorities))
    threats = features.line_threats if features.land.orientation and features.valuation.coalition_turns > 1 else ()
    pinned = referee.priorities["sorties"]["pinned"]
    return {plan: _disruption_value(referee, plan) + pinned * (plan.id in threats) for plan in plans}


def _disruption_value(referee: IraqWarReferee, plan: r05_air.PlannedMission) -> float:
    """[7.3.1] The value of disrupting a unit for attackers nearby, by their strength and its place."""
    piece, land = referee.piece(plan.id), land_of(referee.position)
    if not state.is_hex(piece.place) or piece.mark(state.DISRUPTED) or not land.orientation:
        return 0.0
    constants: Constants = referee.priorities["sorties"]
    units = r08_map.units_in_hexes(referee.position, state.COALITION)
    own = [unit for unit in units if (land.distance(unit.place, piece.place) or 9) <= constants["hexes"]]
    points = r15_victory.hex_points(referee.position, referee.charts, piece.place)
    share = min(strength(own) / constants["full_attack"], 1.0) if own else 0.0
    return share * (constants["disrupted"] + constants["place"] * points) + _silencing_value(referee, piece)


def _silencing_value(referee: IraqWarReferee, piece: Piece) -> float:
    """[16.4(4), 16.4(6)] The value of ending the anti-air unit's fire for the rest of the game."""
    if not piece.number("anti_air") or not is_rule_on(referee.position, state.ANTI_AIR_UNIT):
        return 0.0
    constants: Constants = referee.priorities["sorties"]
    left = turns_left(referee.position, state.COALITION, referee.priorities["outlook"]) - 1
    return constants["silenced"] * min(left, int(constants["silenced_turns"]))
