"""The solo opponent: the candidates of each decision, ranked by their value in VP."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.core.candidates import Candidate, Recommendation, rank
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.ai import setups
from companion.games.lzalbany.ai.features import CounterFeatures, Features, Stack
from companion.games.lzalbany.ai.valuation import KnownThreats, Valuation, valuation_of
from companion.games.lzalbany.areas import ALBANY, COLUMBUS, JUNGLE, OFF_GRID, TRANSITION, title
from companion.games.lzalbany.rules import (
    r02_map,
    r03_turn,
    r04_victory,
    r06_movement,
    r07_fire,
    r07_mortars,
    r07_support,
    r08_hits,
)

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

D = TypeVar("D")

_ROUNDS = 2
"""Rounds in which the move of each lot is improved in turn."""
_INFLUENCE = 3
"""Moves to the furthest stack on which the gain of a lot depends: to its goal, to a stack next to that, to that one's targets."""
_REASONS = 3
"""Moves or shots that explain a plan."""


class Plan(NamedTuple):
    """[5.2A] The activation for which a Fire/Move chit is used."""

    group: str
    action: state.Action

    def __str__(self) -> str:
        return f"{self.group} {self.action}"


class Shot(NamedTuple):
    """Fire at an area: its value, the dice, and those of the return fire."""

    value: float
    target: str
    dice: int
    answer: int

    @property
    def text(self) -> str:
        return f"{plural(self.dice, 'die', 'dice')} at {title(self.target)}, {self.answer} in return"


class FirePlan(NamedTuple):
    """All fire of a group: its value and the shots in words."""

    value: float
    shots: tuple[str, ...]


class MovePlan(NamedTuple):
    """All moves of a group: value, orders, each move in words, and the areas in short."""

    value: float
    orders: str
    reasons: tuple[str, ...]
    summary: str = ""


class Lot:
    """Counters of an area that move together, with their goal and gain.

    `surroundings` are the stacks of their side on which these depended.
    """

    def __init__(self, area: str, pieces: Sequence[Piece], features: Features) -> None:
        self.area = self.goal = area
        self.gain = 0.0
        self.surroundings: Sequence[Stack] = ()
        self.pieces = list(pieces)
        self.counters: list[CounterFeatures] = [features.counter(piece) for piece in pieces]

    @property
    def names(self) -> str:
        return ", ".join(piece.name for piece in self.pieces)


def only(decision: D, name: str, *reasons: str) -> Recommendation[D]:
    """A recommendation without alternatives."""
    return Recommendation(Candidate(decision, name, reasons=reasons))


def best_of(candidates: Iterable[Candidate[D]]) -> Recommendation[D] | None:
    """The ranking of candidates; None without any."""
    listed = list(candidates)
    return rank(listed) if listed else None


_NO_TARGET = "no target is worth it"


class Planner:
    """Recommends the decisions of a side in the position that its referee has when the first is wanted."""

    def __init__(self, referee: AlbanyReferee, side: state.Side) -> None:
        self.referee = referee
        self.side = side
        self.foe = state.enemy(side)

    @cached_property
    def valuation(self) -> Valuation:
        return valuation_of(self.referee, self.side)

    @property
    def features(self) -> Features:
        return self.valuation.features

    def group(self, groups: Sequence[str]) -> Recommendation[Plan] | None:
        """[5.2] The group that acts and its action."""
        return best_of(self._plans(groups))

    def _plans(self, groups: Sequence[str]) -> list[Candidate[Plan]]:
        plans: list[Candidate[Plan]] = []
        for group in groups:
            name = self.referee.group_title(group)
            moves = self.move_plan(r06_movement.Movers(self.referee, self.side, group).all)
            units = [piece for piece in self.referee.group(group) if piece.kind == state.UNIT]
            areas = sorted({piece.place for piece in units if self.referee.is_disputed(piece.place)})
            melees = sum(max(0.0, self.valuation.melee(self.side, group, area)) for area in areas)
            if not r06_movement.is_retreating(self.referee, self.side):
                fire = self.fire_plan(group)
                plans.append(Candidate(Plan(group, state.FIRE), f"{name} fire", fire.value, reasons=fire.shots[:_REASONS]))
            plan = Plan(group, state.MOVE)
            plans.append(Candidate(plan, f"{name} move", moves.value + melees, reasons=moves.reasons[:_REASONS]))
        return plans

    def adrenaline(self, group: str) -> Recommendation[bool]:
        """[5.3] Play Adrenaline if a second action is worth it and no other group can gain more."""
        referee = self.referee
        value = self._best_plan_value(group)
        others = (other for other in referee.data.groups[self.side] if other != group and referee.group(other))
        waiting = [other for other in others if referee.used_boxes(other) < state.BOXES_PER_GROUP]
        best, best_group = max(((self._best_plan_value(other), other) for other in waiting), default=(0.0, ""))
        weights = self.valuation.weights
        wanted = value > weights["least_gain"] and value >= weights["adrenaline_share"] * best
        reasons = [f"a second action of {referee.group_title(group)} brings {value:+.1f} VP"]
        reasons += [f"{referee.group_title(best_group)} may still act twice for {best:+.1f} VP"] if best_group else []
        return only(wanted, "yes" if wanted else "no", *reasons)

    def _best_plan_value(self, group: str) -> float:
        return max((plan.value for plan in self._plans([group])), default=0.0)

    def shots(self, group: str, area: str) -> list[Shot]:
        """[7.3] The targets of a group's infantry in an area, best first."""
        shots = []
        for target in self.features.targets(self.side, area):
            dice = self.features.fire_dice(self.side, group, area, target)
            answer = self.features.fire_dice(self.foe, "", target, area)
            if dice:
                shots.append(Shot(self.valuation.fire(self.side, group, area, target), target, dice, answer))
        return sorted(shots, key=lambda shot: -shot.value)

    def _best_mortar_target(self, area: str, units: Sequence[Piece]) -> tuple[float, str]:
        dice = sum(state.strength(piece, "fire") for piece in units)
        targets = r07_mortars.mortar_choices(self.referee, self.side, area, units, 0)
        return max(((self.valuation.mortar(self.side, target, dice), target) for target in targets), default=(0.0, ""))

    def _mortars(self, group: str) -> dict[str, list[Piece]]:
        return r07_fire.firing_units(self.referee, group, (state.MORTAR,))

    def fire_plan(self, group: str) -> FirePlan:
        """[5.2A] All fire and melees of a group in a Fire activation."""
        value, shots = 0.0, []
        for area in dict.fromkeys(p.place for p in self.referee.group(group) if p.kind == state.UNIT):
            if self.features.is_disputed(area):
                melee = self.valuation.melee(self.side, group, area)
                value += melee
                shots.append(f"melee in {title(area)} {melee:+.1f}")
                continue
            best = next(iter(self.shots(group, area)), None)
            if best and best.value > 0:
                value += best.value
                dice = plural(best.dice, "die", "dice")
                text = f"{title(area)} > {title(best.target)} ({dice}, {best.answer} in return)"
                shots.append(f"{text} {best.value:+.1f}")
        for area, units in self._mortars(group).items():
            gain, target = self._best_mortar_target(area, units)
            if gain > 0:
                value += gain
                shots.append(f"mortars > {title(target)} {gain:+.1f}")
        return FirePlan(value, tuple(shots))

    def combat(self, group: str, values: Sequence[str]) -> Recommendation[str] | None:
        """[7.3(1)] The next combat of a Fire activation; ``done`` if no fire is worth the return fire."""
        candidates: list[Candidate[str]] = []
        for value in values:
            kind, _, area = value.rpartition(" ")
            if kind == state.MORTAR:
                gain, target = self._best_mortar_target(area, self._mortars(group).get(area, []))
                if target:
                    candidates.append(Candidate(value, f"mortar {title(area)}", gain, reasons=(f"at {title(target)}",)))
            elif not kind and (shots := self.shots(group, area)):
                candidates.append(Candidate(value, title(area), shots[0].value, reasons=(shots[0].text,)))
        cease = Candidate("done", "done", 0.0, reasons=("no fire is worth the return fire",))
        melees = [value for value in values if value.startswith("melee ")]
        if any(candidate.value > 0 for candidate in candidates):
            return best_of(candidates if melees else [*candidates, cease])
        if not melees:
            return best_of([cease, *candidates])
        area = melees[0].rpartition(" ")[2]
        melee = self.valuation.melee(self.side, group, area)
        return best_of([Candidate(melees[0], f"melee {title(area)}", melee, reasons=("it must be fought",))])

    def aim(self, group: str, value: str) -> str:
        """The best target of an area or its mortars; "" if there is none."""
        kind, _, area = value.rpartition(" ")
        if kind == state.MORTAR:
            return self._best_mortar_target(area, self._mortars(group).get(area, []))[1]
        return next((shot.target for shot in self.shots(group, area)), "") if not kind else ""

    def fire_target(self, origin: str, areas: Sequence[str]) -> Recommendation[str]:
        """[7.3(1)] The target area of infantry fire."""
        stack = self.features.stack(self.side, origin)
        group = max(stack.groups, key=lambda group: len(stack.fire_force(group).strengths), default="")
        shots = [shot for shot in self.shots(group, origin) if shot.target in areas]
        candidates = (Candidate(shot.target, title(shot.target), shot.value, reasons=(shot.text,)) for shot in shots)
        return best_of(candidates) or only(notation.NONE, notation.NONE, _NO_TARGET)

    def mortar_target(self, areas: Sequence[str]) -> Recommendation[str]:
        """[7.4(1)] The target area of mortars."""
        dice = self.valuation.weights["mortar_dice"]
        return self._worthwhile(Candidate(area, title(area), self.valuation.mortar(self.side, area, dice)) for area in areas)

    @staticmethod
    def _worthwhile(candidates: Iterable[Candidate[str]]) -> Recommendation[str]:
        worthwhile = [candidate for candidate in candidates if candidate.value > 0]
        return best_of(worthwhile) or only(notation.NONE, notation.NONE, _NO_TARGET)

    def hit(self, key: str, targets: Sequence[r08_hits.Target]) -> Recommendation[r08_hits.Target] | None:
        """[8.1] The counter that takes a hit: for ``first_hit`` of the enemy, for ``hit`` of the own side."""
        sign = 1 if key == "first_hit" else -1
        values = [sign * (self.valuation.hit(target) + self._senior_value(target)) for target in targets]
        return best_of(Candidate(target, target.name, value) for target, value in zip(targets, values, strict=True))

    def _senior_value(self, target: r08_hits.Target) -> float:
        """What a senior officer is worth beyond another: he helps any units [9.2, 10.1]."""
        is_senior_officer = target.kind == state.OFFICER and target.id and state.is_senior(self.referee.piece(target.id))
        return self.valuation.weights["senior_officer"] if is_senior_officer and not target.hits else 0.0

    def return_fire(self) -> Recommendation[bool]:
        """[7.3(5)] Return fire costs nothing."""
        return only(True, "yes", "return fire costs nothing")

    def advance(self, area: str, ready: Sequence[Piece]) -> Recommendation[list[str]] | None:
        """[7.3(6)] The counters that advance, if their position improves."""
        units = [p for p in ready if p.kind == state.UNIT][: r06_movement.room_in(self.referee, area, self.side)]
        going = [self.features.counter(p) for p in (*units, *(p for p in ready if p.kind == state.OFFICER))]
        gain = self.valuation.shift(self.side, going, ready[0].place, area) if units else 0.0
        names = [counter.piece.name for counter in going]
        stay: Candidate[list[str]] = Candidate([], notation.NONE, 0.0, reasons=("no unit gains by advancing",))
        return best_of([stay, Candidate(names, ", ".join(names), gain)] if units else [stay])

    def retreat(self, area: str) -> Recommendation[str] | None:
        """[7.2(4), 7.2(5)] Stay in a melee or retreat."""
        movable = [p for p in self.referee.pieces(area, self.side) if not state.is_artillery(p)]
        units = [p for p in movable if p.kind == state.UNIT]
        going = movable if units else [p for p in movable if not state.needs_carrying(p)]
        counters = [self.features.counter(p) for p in going]
        stay = self._stay_value(area)
        candidates = [Candidate(notation.NONE, "stay", 0.0, reasons=(f"the next rounds bring {stay:+.1f} VP",))]
        for place in () if area == COLUMBUS else self.features.map.neighbours(area):
            if self.features.units(self.foe, place):
                continue
            gain = self.valuation.shift(self.side, counters, area, place) - stay
            crowded = max(0, len(units) - r06_movement.room_in(self.referee, place, self.side))
            gain -= self.valuation.weights["crowded_retreat"] * crowded
            orders = f"{' '.join(p.name for p in going)} > {place}"
            candidates.append(Candidate(orders, f"to {title(place)}", gain))
        return best_of(candidates)

    def _stay_value(self, area: str) -> float:
        stack = self.features.stack(self.foe, area)
        if not stack.units:
            return 0.0
        return -max(0.0, *(self.valuation.melee(self.foe, group, area) for group in stack.groups))

    def moves(self, movers: Sequence[Piece], thorough: bool = False) -> Recommendation[str]:
        """[6.2] Orders for all counters that may move; ``thorough``: with other sets of moves to compare."""
        plan = self.move_plan(movers)
        others = self._other_moves(movers, plan) if thorough else ()
        if not plan.summary:
            reasons = plan.reasons or ("nobody: +0.0 VP (no unit gains by moving)",)
            return Recommendation(Candidate(plan.orders, plan.orders, reasons=reasons), others)
        value, passed = f"{plan.summary}: {plan.value:+.1f} VP", f"out: nobody {-plan.value:+.1f}"
        best = Candidate(plan.orders, plan.summary, plan.value if others else 0.0)
        return Recommendation(best._replace(reasons=(value, "; ".join(plan.reasons), passed)), others)

    def _other_moves(self, movers: Sequence[Piece], plan: MovePlan) -> tuple[Candidate[str], ...]:
        """The moves of a planner that enters no melee, of one that keeps platoons together, and none."""
        if r06_movement.is_retreating(self.referee, self.side):
            return ()
        others: dict[str, Candidate[str]] = {}
        for changed in self.referee.data.ai["moods"].values():
            planner = Planner(self.referee, self.side)
            planner.valuation = self.valuation.with_weights(changed)
            other = planner.move_plan(movers)
            others[other.orders] = Candidate(other.orders, other.summary or other.orders, plan.value)
        others[notation.NONE] = Candidate(notation.NONE, notation.NONE)
        others.pop(plan.orders, None)
        return tuple(others.values())

    def move_plan(self, movers: Sequence[Piece]) -> MovePlan:
        """The best moves found: lots of each area are sent where they gain most, in turn."""
        if r06_movement.is_retreating(self.referee, self.side):
            orders = r06_movement.retreat_orders(self.referee, movers) or notation.NONE
            leaving = float(len(r06_movement.must_retreat(self.referee, movers)))
            return MovePlan(leaving, orders, ("the NVA retreats by the shortest way [5.2E]",))
        lots: list[Lot] = []
        for area in dict.fromkeys(p.place for p in movers):
            lots += self._lots_of(area, [p for p in movers if p.place == area])
        before = dict(self.features.stacks[self.side])
        for _ in range(_ROUNDS):
            if not sum([self._improve(lot) for lot in lots]):
                break
        self.features.restore(self.side, before)
        moved = [lot for lot in lots if lot.goal != lot.area]
        reasons = tuple(f"{lot.names}: {title(lot.area)} > {title(lot.goal)} {lot.gain:+.1f} VP" for lot in moved)
        summary = ", ".join(dict.fromkeys(f"{title(lot.area)} > {title(lot.goal)}" for lot in moved))
        text = notation.orders_text([notation.Order(piece, lot.goal) for lot in moved for piece in lot.pieces])
        return MovePlan(sum(lot.gain for lot in moved), text, reasons, summary)

    def _lots_of(self, area: str, movers: Sequence[Piece]) -> list[Lot]:
        referee = self.referee
        officers = [p for p in movers if p.kind == state.OFFICER and state.is_unwounded(p)]
        ids = {p.id for p in officers}
        able = [p for p in movers if p.kind == state.UNIT and state.may_move(p)]
        able = [p for p in able if not state.hits_on(p) or any(officer.id in ids for officer in r08_hits.leaders_of(referee, p))]
        infantry = sorted((p for p in able if state.is_infantry(p)), key=lambda p: -state.hits_on(p))
        mortars = [p for p in able if not state.is_infantry(p)]
        limit = referee.data.stacking.limit
        if not infantry and not mortars:
            return [Lot(area, [p], self.features) for p in officers if not referee.units(area, state.side_of(p))]
        lead, rest = (infantry or mortars)[:limit], infantry[limit:]
        staying = len(referee.units(area, state.side_of(movers[0]))) - len(lead)
        needed = {officer.id for p in lead if state.hits_on(p) for officer in r08_hits.leaders_of(referee, p)}
        going = [p for p in officers if not state.is_senior(p) or p.id in needed or staying <= len(lead)]
        carried = [p for p in movers if state.needs_carrying(p)]
        lots: list[Sequence[Piece]] = [[*lead, *going, *carried]]
        lots += [[p for p in rest[i : i + limit] if not state.hits_on(p)] for i in range(0, len(rest), limit)]
        if infantry and mortars:
            lots.append([p for p in mortars if not state.hits_on(p)])
        return [Lot(area, lot, self.features) for lot in lots if lot]

    def _goals(self, area: str) -> list[str]:
        """[6.2, 6.5] Areas that the side may enter from an area."""
        area_map = self.referee.map
        if area == COLUMBUS:
            return [] if r02_map.cannot_leave(self.referee, self.side, area) else area_map.east_edge()
        if area == TRANSITION:
            return [] if self.referee.has_adrenaline else [COLUMBUS, *area_map.east_edge()]
        return list(area_map.neighbours(area))

    def _improve(self, lot: Lot) -> bool:
        """Send a lot where it gains most; returns whether that is another goal."""
        features, valuation, home, previous = self.features, self.valuation, lot.area, lot.goal
        features.put(self.side, features.shifted(self.side, lot.counters, lot.goal, home))
        if not self._is_settled(lot):
            best = (valuation.weights["least_move_gain"], home)
            known: KnownThreats = {}
            values = [(goal, valuation.around(self.side, (home, goal), known)) for goal in self._goals(home)]
            for goal, before in values:
                gain = self._move_gain(lot, goal, before)
                if gain > best[0]:
                    best = gain, goal
            lot.gain, lot.goal = best
        features.put(self.side, features.shifted(self.side, lot.counters, home, lot.goal))
        return lot.goal != previous

    def _is_settled(self, lot: Lot) -> bool:
        """True if the goal of a lot that is at home was found with the same stacks as far as it depends on them.

        It depends on the stacks around all that can be fired at, or fire, from the areas next to the goals.
        """
        if lot.area in OFF_GRID:
            return False
        features, latest = self.features, lot.surroundings
        lot.surroundings = stacks = [features.stack(self.side, area) for area in features.map.graph.within(lot.area, _INFLUENCE)]
        if not latest or stacks[1:] != latest[1:]:  # the first is the lot's own, whose order changes when it leaves and returns
            return False
        return stacks[0].is_alike(latest[0], self.referee.data.stacking.limit)

    def _move_gain(self, lot: Lot, goal: str, before: float) -> float:
        """The gain of a lot that leaves its area for another; `before` is the value of both with the lot at home."""
        valuation, features, side = self.valuation, self.features, self.side
        changed = features.shifted(side, lot.counters, lot.area, goal)
        melee = 0.0
        if features.units(self.foe, goal) and goal != TRANSITION:
            if not any(counter.piece.kind == state.UNIT for counter in lot.counters):
                return -1.0  # officers do not move into enemies alone
            group = lot.counters[0].group
            melee = valuation.clash(changed[goal], features.stack(self.foe, goal), group, goal, side)
            melee -= valuation.weights["begun_melee"]
            if side == state.NVA and goal == COLUMBUS:
                melee += r04_victory.columbus_points(self.referee)
        together = bool(features.units(side, goal)) - bool(changed[lot.area].units)
        old = features.put(side, changed)
        after = valuation.around(side, (lot.area, goal))
        features.put(side, old)
        return melee + after - before + valuation.weights["friends"] * together

    def set_up(self) -> Recommendation[str]:
        """[3.2] The style in which the side is set up: the one found for the roster and map, or all to compare."""
        ai = self.referee.data.ai
        names, found = setups.style_names(ai, self.side), setups.found_style(ai, self.side, self.referee.position)
        if found is not None or not self.referee.map.is_complete():
            name = found or names[0]
            return only(name, name)
        usual = float(ai["rollout"]["usual_style"])
        return rank([Candidate(name, name, 0.0 if number else usual) for number, name in enumerate(names)]).with_rivals(
            len(names)
        )

    @cached_property
    def _set_up_weights(self) -> Mapping[str, float]:
        return {**self.valuation.weights, **setups.style_weights(self.referee, self.side)}

    def deploy(self, company: str, waiting: Sequence[Piece]) -> Recommendation[str] | None:
        """[3.2] Where a company is placed; None if the map is not known."""
        if company in r03_turn.FLOWN:
            return only(COLUMBUS, COLUMBUS, "it arrives there")
        room = r03_turn.free_start_areas(self.referee, self.side, company, waiting)
        if not room:
            return None
        infantry = [p for p in waiting if p.kind == state.UNIT and state.is_infantry(p)]
        infantry.sort(key=lambda p: -state.strength(p, "fire"))
        mortars = [p for p in waiting if p.kind == state.UNIT and not state.is_infantry(p)]
        officers = [p for p in waiting if p.kind != state.UNIT]
        limit = self.referee.data.stacking.limit
        before = dict(self.features.stacks[self.side])
        orders: list[notation.Order] = []
        rankings: list[Recommendation[str]] = []
        for lot in (*(infantry[i : i + limit] for i in range(0, len(infantry), limit)), mortars):
            for area, units in self._placements(room, lot, rankings):
                stack = [*units, *officers]
                officers = []
                orders += [notation.Order(piece, area) for piece in stack]
                counters = [self.features.counter(p) for p in stack]
                joined = self.features.cache.changed(self.features.stack(self.side, area), counters, True)
                self.features.put(self.side, {area: joined})
        if officers and (ranking := self._ranked_areas(room, officers)):
            rankings.append(ranking)
            orders += [notation.Order(piece, ranking.best.decision) for piece in officers]
        self.features.restore(self.side, before)
        placed = {order.piece.id for order in orders}
        if not all(p.id in placed for p in waiting):
            return None
        text = notation.orders_text(orders)
        return only(text, text, *_placement_reasons(rankings)) if text else None

    def _placements(
        self, room: dict[str, int], lot: Sequence[Piece], rankings: list[Recommendation[str]]
    ) -> Iterator[tuple[str, Sequence[Piece]]]:
        left = lot
        while left and (ranking := self._ranked_areas(room, left)):
            rankings.append(ranking)
            area = ranking.best.decision
            fitting, left = left[: room[area]], left[room[area] :]
            room[area] -= len(fitting)
            yield area, fitting

    def _ranked_areas(self, room: dict[str, int], lot: Sequence[Piece]) -> Recommendation[str] | None:
        units = [p for p in lot if p.kind == state.UNIT]
        free = [area for area, left in room.items() if left or not units]
        return best_of(Candidate(area, title(area), self._placement_value(area, room, lot)) for area in free)

    def _placement_value(self, area: str, room: dict[str, int], lot: Sequence[Piece]) -> float:
        weights, features = self._set_up_weights, self.features
        units = [p for p in lot if p.kind == state.UNIT]
        if not units:
            return float(len([unit for unit in features.units(self.side, area) if unit.fire])) - self._danger(area)
        value = self.valuation.arrival(self.side, lot, area)
        value -= weights["crowded_start"] * max(0, len(units) - room[area])
        if self.side == state.US:
            value -= self._danger(area)
        value += weights["jungle_start"] * (features.map.terrain(area) == JUNGLE)
        if not any(self.features.counter(unit).fire for unit in units):
            value -= self._danger(area)
        value += weights["friends_start"] * len(features.units(self.side, area))
        return value - weights["albany_start_distance"] * features.map.distance(area, ALBANY)

    def _danger(self, area: str) -> float:
        flags = self.referee.position.flags
        enemy_start = "nva1" if self.foe == state.NVA and self.referee.phase == "deploy" else "-"
        near = self.features.map.neighbours(area)
        threats = sum(bool(self.features.units(self.foe, a)) or flags.get(state.start_flag(a)) == enemy_start for a in near)
        return self._set_up_weights["enemy_start"] * threats

    def rally(self, able: Sequence[Piece]) -> Recommendation[Piece] | None:
        """[9.2] The unit that an officer rallies."""
        loss = self.valuation.loss
        targets = [self.features.counter(piece).target for piece in able]
        gains = [loss(target) - loss(target._replace(hits=target.hits - 1)) for target in targets]
        return best_of(Candidate(piece, piece.name, gain) for piece, gain in zip(able, gains, strict=True))

    def event_area(self, areas: Sequence[str]) -> Recommendation[str]:
        """[3.5] The area of an event."""
        candidates = (Candidate(area, title(area), self.valuation.event(self.side, area)) for area in areas)
        return best_of(candidates) or only(notation.NONE, notation.NONE, _NO_TARGET)

    def artillery_target(self, gun: Piece, areas: Sequence[str]) -> Recommendation[str]:
        """[7.5(1)] The target area of an artillery platoon."""
        return self._worthwhile(Candidate(area, title(area), self.valuation.artillery(gun, area)) for area in areas)

    def skyraider_target(self, areas: Sequence[str]) -> Recommendation[str]:
        """[7.7] The target area of the Skyraider."""
        value = self.valuation
        return self._worthwhile(Candidate(area, title(area), max(value.bombs(area), value.napalm(area))) for area in areas)

    def weapon(self, area: str) -> Recommendation[str] | None:
        """[7.7] Bombs or napalm."""
        values = {r07_support.BOMBS: self.valuation.bombs(area), r07_support.NAPALM: self.valuation.napalm(area)}
        return best_of(Candidate(weapon, weapon, value) for weapon, value in values.items())

    def gunship_target(self, units: Sequence[Piece], gunship: r07_support.GunshipStrength) -> Recommendation[Piece | None] | None:
        """[7.6(1)] The unit that a gunship attacks; None if no unit is worth the danger."""
        candidates: list[Candidate[Piece | None]] = [Candidate(None, notation.NONE)]
        for unit in units:
            value, danger = self.valuation.gunship(unit, gunship)
            candidates.append(Candidate(unit, unit.name, value, reasons=(danger,)))
        return best_of(candidates)

    def dust_off(self, choices: Sequence[str]) -> Recommendation[str] | None:
        """[5.5C] Evacuate or airlift."""
        referee = self.referee
        areas = [area for area in r06_movement.casualty_areas(referee) if not r06_movement.is_hot(referee, area)]
        evacuations = (self.valuation.landing(area) for area in areas)
        lifts = (lift.value for lift in self._lifts(referee.position.at(state.AIRLIFT)))
        values = {r06_movement.EVACUATE: max(evacuations, default=0.0), r06_movement.LIFT: max(lifts, default=0.0)}
        return best_of(Candidate(word, word, values.get(word, 0.0)) for word in (*choices, notation.NONE))

    def landing(self, areas: Sequence[str]) -> Recommendation[str] | None:
        """[6.3] Where Dust Off lands for the wounded."""
        return best_of(Candidate(area, title(area), self.valuation.landing(area)) for area in areas)

    def lift(self, waiting: Sequence[Piece]) -> Recommendation[str]:
        """[6.4] The area to which reinforcements fly, and the riders."""
        return rank([*self._lifts(waiting), Candidate(notation.NONE, notation.NONE)])

    def _lifts(self, waiting: Sequence[Piece]) -> Iterator[Candidate[str]]:
        """[6.4] The orders to each area that an airlift can reach."""
        referee = self.referee
        units, officers = [p for p in waiting if p.kind == state.UNIT], [p for p in waiting if p.kind != state.UNIT]
        units.sort(key=lambda piece: -state.strength(piece, "fire"))
        for area in referee.map.areas():
            terrain = referee.map.terrain(area)
            if not terrain or area in (COLUMBUS, TRANSITION) or referee.units(area, state.NVA):
                continue
            room = min(r06_movement.airlift_room(referee, terrain), r06_movement.room_in(referee, area, state.US), len(units))
            riders = [*units[:room], *officers]
            if (room or not units) and riders:
                orders = f"{' '.join(p.name for p in riders)} > {area}"
                yield Candidate(orders, title(area), self.valuation.arrival(state.US, riders, area))

    def flare(self) -> Recommendation[str]:
        """[11.2] The area of a flare, if light makes fire worthwhile."""
        values = [(self.valuation.flare(area), area) for area in self.features.held(state.NVA)]
        lights = [Candidate(area, title(area), value) for value, area in values if value is not None]
        return rank([*lights, Candidate(notation.NONE, notation.NONE, self.valuation.weights["least_flare_gain"])])


def _placement_reasons(rankings: Sequence[Recommendation[str]]) -> tuple[str, ...]:
    best = "; ".join(f"{ranking.best.name}: {ranking.best.value:+.1f} VP" for ranking in rankings)
    beaten = [(ranking.others[0], ranking.best) for ranking in rankings if ranking.others]
    behind = [f"{second.name} {second.value - first.value:+.1f}" for second, first in beaten]
    return (best, f"out: {'; '.join(behind)}") if behind else (best,)


async def explain(referee: AlbanyReferee) -> None:
    """Say what the opponent would do with the next Fire/Move chit of each side, with its reasons."""
    groups = referee.data.groups
    if not any(referee.group(group) for side in state.SIDES for group in groups[side]):
        referee.say("Nobody is on the map yet, and no start areas have been entered.", "3.2")
        return
    for side in state.SIDES:
        planner = Planner(referee, side)
        able = [g for g in groups[side] if referee.used_boxes(g) < state.BOXES_PER_GROUP and referee.group(g)]
        recommendation = planner.group(able) if able else None
        if recommendation is None:
            referee.say(f"The {side} has no group that can act.", "5.2")
            continue
        plan = recommendation.best.decision
        referee.say(f"The {side} would let {recommendation.best.name}.", "5.2A", *recommendation.lines())
        if plan.action == state.MOVE:
            moves = planner.moves(r06_movement.Movers(referee, side, plan.group).all)
            referee.say(f"The {side} would move {moves.best.decision}.", "6.2", *moves.best.reasons)
        else:
            for line in planner.fire_plan(plan.group).shots:
                referee.say(f"The {side} counts on {line} VP.", "7.3(1)")
