"""Cached features of a position for one side: units that can act, reach, distances, VP hexes, supply lines."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.core.events import PieceMoved, apply
from companion.core.position import Piece
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.ai.supply import SupplyGap, supply_gap
from companion.games.iraqwar2003.ai.valuation import Valuation
from companion.games.iraqwar2003.facts import KUWAIT, SEA
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules import r04_sequence, r08_map, r12_movement, r13_results, r15_victory

FAR = 10_000
"""Stands for an unreachable hex."""


class PossibleAttack(NamedTuple):
    """An attack after a movement; ``values`` and ``column_index`` are without support, and the index not limited to the chart."""

    base: str
    target: str
    attack: r13_results.Attack
    values: r13_results.CombatValues
    column_index: int


@lru_cache(maxsize=1024)
def _travel_costs(front: r12_movement.MovementMap, goals: tuple[str, ...], plain: int, road: int) -> Mapping[str, float]:
    """[12.1(3), 12.4] The cost from each hex to the nearest of some goals in half points, regardless of units."""
    # not core.graph.cheapest: a leg has one of two costs, so that hexes wait in lists by cost
    legs, costs, waiting = front.legs, dict[str, float](), {0: list(goals)}
    while waiting:
        cost = min(waiting)
        for number in waiting.pop(cost):
            if number not in costs:
                costs[number] = cost
                for neighbour, words in legs[number]:
                    if neighbour not in costs:
                        waiting.setdefault(cost + (road if "road" in words else plain), []).append(neighbour)
    return costs


@lru_cache(maxsize=512)
def _ways(
    front: r12_movement.MovementMap,
    goal: str,
    rates: tuple[int, int],
    foes: frozenset[str],
    zoned: frozenset[str],
    extra: tuple[int, int],
) -> Mapping[str, float]:
    """The cost from each hex to a goal in half points, with what each zone of control and each enemy hex on the way adds."""
    (plain, road), (zone, enemy) = rates, extra
    legs, costs, waiting = front.legs, dict[str, float](), {0: [goal]}
    while waiting:
        cost = min(waiting)
        for number in waiting.pop(cost):
            if number not in costs:
                costs[number] = cost
                added = 0 if number == goal else enemy if number in foes else zone if number in zoned else 0
                for neighbour, words in legs[number]:
                    if neighbour not in costs:
                        paid = road if "road" in words and not added else plain + added
                        waiting.setdefault(cost + paid, []).append(neighbour)
    return costs


class Features:
    """Features of a position for the side that decides. ``columns``: row of the Terrain Effect Chart to its columns."""

    def __init__(self, referee: IraqWarReferee, side: state.Side, columns: Mapping[str, int]) -> None:
        self.referee = referee
        self.side = side
        self.columns = columns
        self.position = referee.position
        self.field = r12_movement.MovementField(referee.position, side, referee.chart("movement"))
        self.front: r12_movement.MovementMap = self.field.front
        self.land = self.front.land
        self._reach: dict[tuple[str, ...], r12_movement.Reach] = {}
        self._cuts: dict[str, float] = {}

    @cached_property
    def valuation(self) -> Valuation:
        referee = self.referee
        return Valuation(self.position, referee.charts, referee.priorities, referee.options, self.columns)

    # -- units ---------------------------------------------------------------------------------------------------

    @cached_property
    def iraqi_units(self) -> list[Piece]:
        """Iraqi units in known hexes that can act now."""
        able = r04_sequence.undisrupted_units(self.position) if self.referee.side == self.side else []
        return [piece for piece in able if state.is_hex(piece.place) and notation.is_iraqi(piece)]

    def unsorted_stacks(self) -> Sequence[list[Piece]]:
        """Units that can act, grouped by hex, nation and whether they fly."""
        stacks: dict[tuple[str, bool, str], list[Piece]] = {}
        for piece in r04_sequence.undisrupted_units(self.position):
            if state.is_hex(piece.place):
                stacks.setdefault((piece.place, bool(piece.values.get("fly")), notation.nation(piece)), []).append(piece)
        return list(stacks.values())

    def stacks(self) -> list[list[Piece]]:
        """The same; nearest to the enemy first, then strongest."""

        def rank(pieces: list[Piece]) -> tuple[int, int, str]:
            return self.enemy_distance(pieces[0].place), -strength(pieces), pieces[0].name

        return sorted(self.unsorted_stacks(), key=rank)

    # -- distances -----------------------------------------------------------------------------------------------

    def reach(self, pieces: Sequence[Piece]) -> r12_movement.Reach:
        """[12.0] Where units of one hex can go."""
        key = tuple(piece.id for piece in pieces)
        if key not in self._reach:
            self._reach[key] = self.field.reach(pieces)
        return self._reach[key]

    def enemy_distance(self, number: str) -> int:
        """Hexes to the nearest enemy."""
        key, derived = ("distance", number), self.field.derived
        if key not in derived:
            distances = self.land.distances(number)
            derived[key] = min([distances[foe] or 0 for foe in self.field.foes], default=FAR)
        distance: int = derived[key]
        return distance

    def iraqi_attack_near(self, number: str, most: int) -> int:
        """For the Coalition, the attack value of the strongest enemy stack that could come to a hex next turn, as far as it can.

        Units of different hexes do not attack together [13.2(2)]. ``most``: hexes that any moves.
        """
        key, derived = ("attacks near", most), self.field.derived
        if key not in derived:
            attacks: dict[str, dict[int, int]] = {}
            for piece in r08_map.units_in_hexes(self.position, state.IRAQ):
                side = notation.printed_side(piece)
                if notation.is_iraqi(piece) and side.attack:
                    stack = attacks.setdefault(piece.place, {})
                    reach = min(side.move, most)
                    stack[reach] = stack.get(reach, 0) + side.attack
            derived[key] = {}, [(place, max(stack), stack) for place, stack in attacks.items()]
        known, iraqis = derived[key]
        attack: int | None = known.get(number)
        if attack is None:
            distances, attack = self.land.distances(number), 0
            for place, reach, stack in iraqis:
                if 0 < (distance := distances[place] or FAR) <= reach:
                    attack = max(attack, sum([value for far, value in stack.items() if distance <= far]))
            known[number] = attack
        return attack

    @cached_property
    def _rates(self) -> tuple[int, int]:
        chart = self.referee.chart("movement")
        return r12_movement.halves(chart, "plain"), r12_movement.halves(chart, "road")

    @cached_property
    def _travels(self) -> dict[str, Mapping[str, float]]:
        travels: dict[str, Mapping[str, float]] = self.field.derived.setdefault(("travel", self.front, self._rates), {})
        return travels

    def travel(self, goal: str) -> Mapping[str, float]:
        """The movement cost from each hex to a goal, in half points, regardless of units."""
        if (costs := self._travels.get(goal)) is None:
            costs = self._travels[goal] = self.travel_to_any((goal,))
        return costs

    def travel_to_any(self, goals: tuple[str, ...]) -> Mapping[str, float]:
        """The same to the nearest of some hexes."""
        return _travel_costs(self.front, goals, *self._rates)

    def way(self, goal: str) -> Mapping[str, float]:
        """The same with what enemies on the way cost: their hexes, and their zones of control."""
        constants = self.referee.priorities["coalition"]
        zone, enemy = int(constants["zone"]), int(constants["enemy"])
        key, derived = ("way", goal, self.front, self._rates, zone, enemy), self.field.derived
        if key not in derived:
            derived[key] = _ways(self.front, goal, self._rates, frozenset(self.field.foes), self.field.zoned, (zone, enemy))
        costs: Mapping[str, float] = derived[key]
        return costs

    # -- VP hexes ------------------------------------------------------------------------------------------------

    @property
    def _vp_places(self) -> Sequence[tuple[str, str, int]]:
        """[15.2] The VP places whose hex is known: name, hex, victory points."""
        derived = self.field.derived
        if "places" not in derived:
            derived["places"] = r15_victory.located_points(self.position, self.referee.charts)
        places: Sequence[tuple[str, str, int]] = derived["places"]
        return places

    @cached_property
    def vp_hexes(self) -> Mapping[str, int]:
        """[15.2] Known hexes of VP places, with their victory points."""
        return {number: vp for _, number, vp in self._vp_places}

    @cached_property
    def iraqi_vp_hexes(self) -> Mapping[str, int]:
        """[15.2] Those that Iraq controls."""
        return {number: vp for place, number, vp in self._vp_places if r15_victory.is_iraqi(self.position, place)}

    @cached_property
    def lost_vp_hexes(self) -> Mapping[str, int]:
        """[15.2] Those that Iraq does not control."""
        return {number: vp for number, vp in self.vp_hexes.items() if number not in self.iraqi_vp_hexes}

    @cached_property
    def kuwait(self) -> tuple[str, ...]:
        """[15.2] Hexes of Kuwait on the known map."""
        area = str(self.position.flag(f"area:{KUWAIT}") or "").split()
        return tuple(number for number in area if self.front.legs[number])

    def is_rear(self, number: str) -> bool:
        """[10.0(2)] Return True for a hex near the supply source, which all Coalition lines pass."""
        distance = self.land.distance(r08_map.SOURCES[notation.US], number) or 0
        return distance <= int(self.referee.priorities["coalition"]["rear_hexes"])

    def rear_goals(self) -> Mapping[str, float]:
        """Goals of units that hold the rear: enemies and Iraqi VP hexes there; without any, VP hexes to return to."""
        held = {number: vp for number, vp in self.iraqi_vp_hexes.items() if self.is_rear(number)}
        prey = self.referee.priorities["coalition"]["prey"]
        enemies = {number: held.get(number, 0) + prey for number in self.field.foes if self.is_rear(number)}
        goals: Mapping[str, float] = held | enemies
        return goals or {number: vp for number, vp in self.vp_hexes.items() if self.is_rear(number)} or self.iraqi_vp_hexes

    @cached_property
    def line_threats(self) -> frozenset[str]:
        """[10.0(3)] The ids of enemies that could cut the way to the front next turn."""
        line, found = self._main_line, set[str]()
        for number, pieces in self.field.foes.items():
            near = min([self.land.distance(number, on) or 0 for on in line], default=FAR)
            found |= {piece.id for piece in pieces if near <= min(notation.printed_side(piece).move, self._raid_hexes) + 1}
        return frozenset(found)

    @property
    def _raid_hexes(self) -> int:
        return int(self.referee.priorities["coalition"]["enemy_reach"])

    @cached_property
    def line_places(self) -> Mapping[str, float]:
        """[15.2] VP places on the Coalition's way that it holds beyond the rear, as goals of those that guard them."""
        line, points = self._main_line, self.referee.priorities["coalition"]["post"]
        held = [number for number in self.lost_vp_hexes if any((self.land.distance(number, on) or 0) < 2 for on in line)]
        return {number: points for number in held if not self.front.land.in_area(number, KUWAIT)}

    @property
    def _main_line(self) -> tuple[str, ...]:
        """The way from the source to the farthest of the western units that are no guards."""
        source, guard = r08_map.SOURCES[notation.US], self.referee.priorities["coalition"]["guard"]
        units = [piece for piece in self.valuation.western if not piece.values.get("fly")]
        if not units or not self.land.orientation:
            return ()

        def rank(piece: Piece) -> tuple[bool, int, str]:
            return notation.printed_side(piece).attack > guard, self.land.distance(piece.place, source) or 0, piece.name

        head = max(units, key=rank).place
        known: dict[str, tuple[str, ...]] = self.field.derived.setdefault(("main line", self.front, self._rates), {})
        if head not in known:
            costs, line = self.travel(source), [head]
            while line[-1] != source and source in costs and line[-1] in costs:
                around = [leg.there for leg in self.front.legs[line[-1]]]
                line.append(min(around, key=lambda number: (costs.get(number, FAR), number)))
            known[head] = tuple(line)
        return known[head]

    # -- attacks -------------------------------------------------------------------------------------------------

    def attacks(self, pieces: Sequence[Piece], in_city: Callable[[str], bool] | None = None) -> Iterator[PossibleAttack]:
        """[13.0] Every attack that units could make after a movement. ``in_city``: whether a hex attacked from is a city."""
        known: dict[tuple[str, str], PossibleAttack] = self._known_attacks(pieces)
        values: dict[tuple[str, tuple[str, ...]], tuple[r13_results.CombatValues, int]] = {}
        beside = self._beside_enemies
        for base in self.reach(pieces).spent:
            for target in self.targets(base) if base in beside else ():
                possible = known.get((base, target))
                if possible is None:
                    city, foes, hexes = in_city(base) if in_city else None, self.field.foes[target], (base, target)
                    options = self.referee.options
                    attack = r13_results.possible_attack(self.land, pieces, foes, hexes, self.columns, options, city)
                    key = target, attack.river  # the hex attacked from matters no further
                    if key not in values:
                        clash = r13_results.combat_values(self.referee, attack)
                        values[key] = clash, r13_results.ladder_index(clash.attack, clash.defence) - clash.left
                    possible = known[base, target] = PossibleAttack(base, target, attack, *values[key])
                yield possible

    def _known_attacks(self, pieces: Sequence[Piece]) -> dict[tuple[str, str], PossibleAttack]:
        """The attacks of units that were worked out for earlier orders, by the hexes; emptied when one of the units changes."""
        key = "attacks", *(piece.id for piece in pieces)
        given = [*pieces, self.columns, self.referee.options]
        known = self.field.derived.get(key)
        if known is None or known[0] != given:
            known = self.field.derived[key] = given, {}
        attacks: dict[tuple[str, str], PossibleAttack] = known[1]
        return attacks

    @property
    def _beside_enemies(self) -> Container[str]:
        """The hexes adjacent to enemies."""
        derived = self.field.derived
        if "beside" not in derived:
            derived["beside"] = {neighbour for number in self.field.foes for neighbour in self.land.neighbours(number)}
        beside: Container[str] = derived["beside"]
        return beside

    def targets(self, base: str) -> Sequence[str]:
        """[13.1(1)] The hexes with enemies that can be attacked from a hex."""
        key, derived = ("targets", base), self.field.derived
        if key not in derived:
            around = self.land.neighbours(base)
            derived[key] = [number for number in around if number in self.field.foes and self.land.water(base, number) != SEA]
        targets: Sequence[str] = derived[key]
        return targets

    # -- supply lines of the Coalition ---------------------------------------------------------------------------

    @cached_property
    def _spearheads(self) -> dict[str, tuple[str, ...]]:
        """[10.0(3)] The open supply lines of the strongest units far from their source, by unit."""
        source, march = r08_map.SOURCES[notation.US], self.referee.priorities["march"]
        units = self.valuation.western
        distances = {piece.id: self.land.distance(piece.place, source) or 0 for piece in units}
        supplied = [piece for piece in units if not piece.mark(state.OUT_OF_SUPPLY)]
        far = [piece for piece in supplied if distances.get(piece.id, 0) > march["cut_hexes"]]
        far.sort(key=lambda piece: (-notation.printed_side(piece).attack, -distances[piece.id], piece.name))
        supply = r08_map.SupplyLines(self.position, state.COALITION)
        return {piece.id: supply.of(piece).hexes for piece in far[: int(march["cut_sample"])] if not supply.in_doubt(piece)}

    @cached_property
    def supply_gap(self) -> SupplyGap:
        """[10.0(3)] The gap in the lines of the Coalition's units that are cut off; none if no supply check follows."""
        if self.valuation.coalition_turns < 2:
            return SupplyGap()
        value = self.referee.priorities["coalition"]["supply"]
        return supply_gap(self.supply_lines, self.valuation.western, self.field.foes, value)

    @cached_property
    def supply_lines(self) -> r08_map.SupplyLines:
        """[10.0] The lines of the Coalition."""
        return r08_map.SupplyLines(self.position, state.COALITION)

    @cached_property
    def cut_hexes(self) -> frozenset[str]:
        """The hexes on and beside these lines, except at their ends; none if no supply check follows."""
        if not self.valuation.coalition_turns:
            return frozenset()
        inner = {number for line in self._spearheads.values() for number in line[2:]}
        return frozenset(inner | {neighbour for number in inner for neighbour in self.land.neighbours(number)})

    @cached_property
    def _supplied_attack(self) -> int:
        return strength([unit for unit in self.valuation.western if not unit.mark(state.OUT_OF_SUPPLY)])

    def cut_value(self, piece: Piece, number: str) -> float:
        """[10.0(3), 10.0(6)] The value of a unit in a hex at the Coalition's next supply check; cut-off units are halved."""
        if number not in self.cut_hexes:
            return 0.0
        priorities = self.referee.priorities
        if number not in self._cuts and len(self._cuts) < priorities["march"]["cut_tries"]:
            after = apply(self.position, PieceMoved(piece.id, piece.place, number, "12.1(3)", ""))
            supply = r08_map.SupplyLines(after, state.COALITION)
            cut = sum(supply.in_doubt(after.pieces[unit]) for unit in self._spearheads)
            self._cuts[number] = float(priorities["vp"]["cut"]) * self._supplied_attack * cut / len(self._spearheads)
        return self._cuts.get(number, 0.0)

    # -- what a unit leaves and reaches ----------------------------------------------------------------------------

    def leaving_cost(self, pieces: Sequence[Piece], kuwait: Sequence[str]) -> float:
        """[15.2] What it costs Iraq that units leave their hex. ``kuwait``: hexes of Kuwait that count."""
        place, valuation, cost = pieces[0].place, self.valuation, 0.0
        if place in self.iraqi_vp_hexes:
            rest = state.others_in(self.position, place, pieces)
            vp, constants = self.vp_hexes[place], self.referee.priorities["vp"]
            cost += vp * (valuation.risk(place, rest) - valuation.present_risk(place))
            cost += 0 if rest else constants["emptied"] * vp
        if place in kuwait and not [piece for piece in valuation.in_kuwait() if piece not in pieces]:
            cost += valuation.raid(pieces)
        return cost

    def arriving_gain(self, pieces: Sequence[Piece], number: str, kuwait: Sequence[str]) -> float:
        """[15.2] What it brings Iraq that units come to a hex. ``kuwait``: hexes of Kuwait that count."""
        valuation, gain = self.valuation, 0.0
        if number in self.lost_vp_hexes:
            gain += self.vp_hexes[number] * (1 - valuation.risk(number, pieces) - valuation.regained(number))
        elif number in self.vp_hexes:
            stack = state.units_in(self.position, number)
            gain += self.vp_hexes[number] * (valuation.present_risk(number) - valuation.risk(number, [*stack, *pieces]))
        if number in kuwait and not [piece for piece in valuation.in_kuwait() if piece not in pieces]:
            gain += valuation.raid(pieces)
        return gain


def kuwait_guards(features: Features) -> dict[str, str]:
    """[15.2] Guards of the hexes of Kuwait with the most open sides; each gets the weakest slow unit nearest to it."""
    land, count = features.land, int(features.referee.priorities["coalition"]["guards"])
    units = [piece for piece in r08_map.units_in_hexes(features.position, state.COALITION) if notation.is_western(piece)]
    west = [(notation.printed_side(piece).attack, piece) for piece in units]
    slow = [(attack, piece) for attack, piece in west if not piece.values.get("fly") and not piece.values.get("white")]
    guards: dict[str, str] = {}
    for post in _posts_in_kuwait(features.front)[:count]:
        if free := [(attack, piece) for attack, piece in slow if piece.id not in guards]:
            least, distances = min([attack for attack, _ in free]), land.distances(post)
            ranks = [(distances[piece.place] or 0, piece.name, piece.id) for attack, piece in free if attack == least]
            guards[min(ranks)[2]] = post
    return guards


@lru_cache(maxsize=16)
def _posts_in_kuwait(front: r12_movement.MovementMap) -> list[str]:
    """The hexes of Kuwait that can be entered from outside, those with the most open sides first."""
    area = {number for number in front.land.known_hexes if front.land.in_area(number, KUWAIT)}
    openings = {number: sum(leg.there not in area for leg in front.legs[number]) for number in area}
    return sorted((number for number in area if openings[number]), key=lambda number: (-openings[number], number))


def strength(pieces: Sequence[Piece]) -> int:
    """[2.2.6] The sum of printed attack values."""
    return sum(notation.printed_side(piece).attack for piece in pieces)


def is_kurdish(pieces: Sequence[Piece]) -> bool:
    """Return True for units of a Kurdish army."""
    return notation.is_kurdish(pieces[0])
