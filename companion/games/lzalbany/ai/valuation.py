"""The value of positions, counters and decisions in VP, with the constants of ``ai.toml``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from companion.core.position import Piece
from companion.games.lzalbany import state
from companion.games.lzalbany.ai.features import CounterFeatures, Features, Stack
from companion.games.lzalbany.areas import ALBANY, COLUMBUS, JUNGLE, TRANSITION
from companion.games.lzalbany.rules import r04_victory, r06_movement, r07_mortars, r07_support, r08_hits

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee


_CACHE_SIZE = 50_000
"""Attacks whose values are kept."""


class HitCosts(NamedTuple):
    """What the next hit on a stack costs its side: placed by the enemy, placed by the owner, or on an average officer."""

    first: float
    later: float
    officer: float


class SharedValues(NamedTuple):
    """Values of stacks that do not depend on the rest of the position."""

    hit_costs: dict[Stack, HitCosts]
    attacks: dict[tuple[Stack, Stack, str, str, str], float]


class Valuation:
    """Values a position and decisions on it for the planner of a side, or of none; all values are in VP."""

    def __init__(self, features: Features, side: state.Side | None = None) -> None:
        referee = features.referee
        self.features = features
        self.side = side
        self.hits: Mapping[str, Any] = referee.data.ai["hits"]
        self.weights = referee.data.weights(side)
        self.turn = max(1, referee.turn)
        self.remaining = min(1.0, (r04_victory.LAST_TURN + 1 - self.turn) / self.hits["fading"])
        """The part of the game that is left for consequences of hits, 1 to nearly 0."""
        self.points = referee.data.hit_values
        self._unit_losses: Mapping[str, Sequence[float]] = {side: self._losses(side) for side in state.SIDES}
        groups = [group for side in state.SIDES for group in referee.data.groups[side]]
        self._activations = {group: self._expected_activations(group) for group in groups}
        self._hit_costs, self._attacks = self._shared_values()
        self._threats: dict[tuple[object, ...], float] = {}
        self._stack_values: dict[tuple[Stack, str, str], float] = {}

    @property
    def referee(self) -> AlbanyReferee:
        return self.features.referee

    def with_weights(self, changed: Mapping[str, float]) -> Valuation:
        """The valuation with other weights of moves, which no cached value depends on."""
        other = copy(self)
        other.weights = {**self.weights, **changed}
        return other

    def _shared_values(self) -> SharedValues:
        """The values of hits and attacks on stacks in the last position, if they are the same in this one."""
        features, data = self.features, self.referee.data
        context = self.remaining, self.referee.night, self.referee.lit_areas, features.dice_rules, features.jungle
        cache = data.shared_values.get(self.side)
        if cache is None or cache[0] != context or len(cache[1].attacks) > _CACHE_SIZE:
            cache = data.shared_values[self.side] = context, SharedValues({}, {})
        return cache[1]

    def _expected_activations(self, group: str) -> float:
        referee, turn = self.referee, self.turn
        used = referee.used_boxes(group) if referee.phase in ("action", "event") else 0
        now = max(0, state.BOXES_PER_GROUP - used)
        later = state.BOXES_PER_GROUP if turn < r04_victory.LAST_TURN else 0
        if turn == 1 and group not in referee.data.groups[state.NVA]:
            now = 0
        return self.weights["activation_now"] * now + self.weights["activation_next"] * later

    def _losses(self, side: state.Side) -> Sequence[float]:
        """[4.1] What a side has lost with a platoon, by its hits: points scored and their expected consequences."""
        expected = (0.0, *self.hits[side.casefold()])
        points = self.points.unit_points(side)
        return tuple(scored + self.remaining * (loss - scored) for scored, loss in zip(points, expected, strict=True))

    def loss(self, target: r08_hits.Target) -> float:
        """What its side has lost with a counter in its state."""
        if target.kind == state.UNIT:
            return self._unit_losses[target.side][min(target.hits, state.REMOVED)]
        if target.kind == state.OFFICER:
            return self.officer_wound(target) if target.hits else 0.0
        return self._unit_losses[state.US][state.REMOVED]

    def future_loss(self, piece: Piece) -> float:
        """What the hits of a counter are expected to cost its side beyond the points scored."""
        target = r08_hits.target_of(piece)
        scored = 0 if target.kind == state.OFFICER else self.points.unit_points(target.side)[target.hits]
        return self.loss(target) - scored

    def officer_wound(self, target: r08_hits.Target) -> float:
        """What a wound of an officer costs his side."""
        points = self.points.points(target._replace(hits=1))
        return float(self.hits["officer"] * self.remaining + self.hits["dead"] * points)

    def hit(self, target: r08_hits.Target) -> float:
        """What one more hit on a counter costs its side."""
        if target.kind == state.WOUNDED:
            return float(self.hits["marker"])
        if target.kind == state.OFFICER:
            return self.officer_wound(target) if not target.hits else float(self.points.points(target))
        losses = self._unit_losses[target.side]
        return losses[min(target.hits + 1, state.REMOVED)] - losses[min(target.hits, state.REMOVED)]

    def several_hits(self, target: r08_hits.Target, hits: int, cap: int = 0) -> float:
        """What several hits on a platoon cost its side; `cap`: the most that it may have afterwards."""
        most = min(target.hits + hits, cap or state.REMOVED) if target.hits < (cap or state.REMOVED) else target.hits
        losses = self._unit_losses[target.side]
        return losses[min(most, state.REMOVED)] - losses[min(target.hits, state.REMOVED)]

    def concentrated_hits(self, unit: CounterFeatures, dice: int, cap: int = 0) -> float:
        """What dice cost a side whose one platoon takes all hits."""
        chances = self.referee.die.count_chances(dice, "hit")
        return sum((chance * self.several_hits(unit.target, hits, cap) for hits, chance in enumerate(chances)), 0.0)

    def hit_costs(self, stack: Stack) -> HitCosts:
        """What the next hit on a stack costs its side."""
        if stack not in self._hit_costs:
            units = [self.hit(unit.target) for unit in stack.units]
            wounded = [self.hit(counter.target) for counter in stack.wounded if counter.piece.kind != state.UNIT]
            first = max([*units, *(wounded if units else ())], default=0.0)
            officers = [self.hit(officer.target) for officer in stack.officers]
            later = min(units, default=0.0) * self.weights["owner_hit"]
            self._hit_costs[stack] = HitCosts(first, later, sum(officers) / len(officers) if officers else 0.0)
        return self._hit_costs[stack]

    def dice_cost(self, stack: Stack, dice: int, by_enemy: bool = True) -> float:
        """What dice cost a stack: the first hit placed by the enemy or the owner, later ones by the owner, an officer checked."""
        if dice <= 0 or not stack.units:
            return 0.0
        costs, die = self.hit_costs(stack), self.referee.die
        any_hit, mean = die.any_chance(dice, "hit"), dice * die.chance("hit")
        officer = any_hit * die.chance("casualty") * costs.officer
        return any_hit * (costs.first if by_enemy else costs.later) + (mean - any_hit) * costs.later + officer

    def fire(self, side: state.Side, group: str, origin: str, goal: str) -> float:
        """Fire of a group, less the cost of return fire."""
        features, foe = self.features, state.enemy(side)
        dice = features.fire_dice(side, group, origin, goal)
        if not dice:
            return 0.0
        answer = features.fire_dice(foe, "", goal, origin)
        survivors = max(self.weights["return_fire_least"], 1 - self.weights["return_fire_per_die"] * dice)
        return self.dice_cost(features.stack(foe, goal), dice) - self.dice_cost(features.stack(side, origin), answer) * survivors

    def melee(self, side: state.Side, group: str, area: str) -> float:
        """A round of melee begun by a group of a side in a disputed area."""
        features = self.features
        return self.clash(features.stack(side, area), features.stack(state.enemy(side), area), group, area, side)

    def clash(self, attacker: Stack, defender: Stack, group: str, area: str, side: state.Side) -> float:
        """A round of melee between two stacks that meet in an area."""
        attack, defence = self.features.melee_dice(attacker, defender, group, area)
        must_spot = side == state.US and self.features.is_dark(area)
        spotted = self.referee.die.chance("spotting") if must_spot else 1.0
        return spotted * (self.dice_cost(defender, attack) - self.dice_cost(attacker, defence))

    def mortar(self, side: state.Side, target: str, dice: float) -> float:
        """[7.4] Mortar dice at an area: no third hit, placed by the owner; NVA mortars can hit their own side."""
        features, die = self.features, self.referee.die
        cap, foes = r07_mortars.MORTAR_CAP, features.units(state.enemy(side), target)
        victims = [self.hit(unit.target) for unit in foes if unit.target.hits < cap]
        officer = self.hit_costs(features.stack(state.enemy(side), target)).officer
        value = dice * die.chance("hit") * (min(victims, default=0.0) + die.chance("casualty") * officer)
        if side == state.NVA and features.is_disputed(target):
            friends = [self.hit(u.target) for u in features.units(side, target) if u.target.hits < cap]
            value -= dice * die.chance("friendly") * max(friends, default=0.0)
        return value

    def threat(self, side: state.Side, area: str) -> float:
        """What the platoons of a side in an area can do to the enemy with their next activations."""
        features = self.features
        stack, foe = features.stack(side, area), state.enemy(side)
        if not stack.units or area == TRANSITION:
            return 0.0
        near = features.targets(side, area)
        key = stack, features.stack(foe, area), area, *near, *[features.stack(foe, place) for place in near]
        known = self._threats.get(key)
        if known is None:
            known = self._threats[key] = self._threat(side, area, stack, near)
        return known

    def _threat(self, side: state.Side, area: str, stack: Stack, near: Sequence[str]) -> float:
        if self.features.is_disputed(area):
            return sum(self._activations.get(g, 0.0) * max(0.0, self.melee(side, g, area)) for g in stack.groups)
        total = 0.0
        for group in stack.groups:
            activations = self._activations.get(group, 0.0)
            if activations and near:
                total += activations * max(0.0, *(self._best_attack(side, group, area, place, stack) for place in near))
        return total

    def _best_attack(self, side: state.Side, group: str, area: str, goal: str, stack: Stack) -> float:
        key = stack, self.features.stack(state.enemy(side), goal), group, area, goal
        known = self._attacks.get(key)
        if known is None:
            known = self._attacks[key] = self._attack(side, group, area, goal, stack)
        return known

    def _attack(self, side: state.Side, group: str, area: str, goal: str, stack: Stack) -> float:
        shot = self.fire(side, group, area, goal)
        going = [unit for unit in stack.units if unit.group == group and unit.fire]
        if not going:
            return shot
        charge = self.features.charge(stack, group, going[: self.referee.data.stacking.limit])
        melee = self.clash(charge, self.features.stack(state.enemy(side), goal), group, goal, side)
        return max(shot, self.weights["melee"] * melee)

    def around(self, side: state.Side, areas: Sequence[str]) -> float:
        """The part of a position's value to a side that changes with its own stacks in some areas."""
        features, foe, stacks = self.features, state.enemy(side), self.features.stacks
        near, own = dict.fromkeys(areas), dict.fromkeys(areas)
        for area in areas:
            around = dict.fromkeys(features.map.neighbours(area))
            near.update(around)
            if features.units(foe, area):  # whether others can fire into it depends on who is there [7.3]
                own.update(around)
        total = sum([self.threat(side, area) for area in own if (side, area) in stacks])
        total += sum([self.stack_value(side, area) for area in areas if (side, area) in stacks])
        total -= self.weights["enemy_threat"] * sum([self.threat(foe, area) for area in near if (foe, area) in stacks])
        return total + (self.albany(side) if ALBANY in areas else 0.0)

    def shift(self, side: state.Side, counters: Sequence[CounterFeatures], origin: str, goal: str) -> float:
        """The gain of moving counters from an area to another."""
        before = self.around(side, (origin, goal))
        old = self.features.put(self.features.shifted(side, counters, origin, goal))
        gain = self.around(side, (origin, goal)) - before
        self.features.put(old)
        return gain

    def arrival(self, side: state.Side, pieces: Sequence[Piece], area: str) -> float:
        """The gain of placing pieces in an area."""
        before = self.around(side, (area,))
        joined = self.features.stack(side, area).joined([self.features.counter(piece) for piece in pieces])
        old = self.features.put({(side, area): joined})
        gain = self.around(side, (area,)) - before
        self.features.put(old)
        return gain

    def albany(self, side: state.Side) -> float:
        """[4.1C] Holding LZ Albany: the points of the end, weighted by the turn."""
        own, foe = (sum(unit.fire for unit in self.features.units(who, ALBANY)) for who in (side, state.enemy(side)))
        if own == foe:
            return 0.0
        holder, sign = (side, 1) if own > foe else (state.enemy(side), -1)
        share = self.weights["albany_start"] + self.weights["albany_turn"] * self.turn
        return sign * float(self.points.item(f"{holder.casefold()} albany")) * share

    def stack_value(self, side: state.Side, area: str) -> float:
        """The value of an area's stack apart from threats: over-stacking, unguarded wounded, distance to the enemy."""
        stack = self.features.stack(side, area)
        key = stack, side, area
        if key not in self._stack_values:
            self._stack_values[key] = self._stack_value(side, area, stack)
        return self._stack_values[key]

    def _stack_value(self, side: state.Side, area: str, stack: Stack) -> float:
        weights, value = self.weights, 0.0
        unguarded = side == state.US and stack.wounded and not stack.units
        if unguarded and self.features.distance(state.NVA, area) <= weights["unguarded_range"]:
            value -= weights["unguarded_wounded"] * len(stack.wounded)
        if stack.officers and not stack.units:
            value -= weights["lone_officer"] * len(stack.officers)
        if not stack.units or area in (COLUMBUS, TRANSITION):
            return value
        value -= weights["over_stacked"] * self.referee.data.stacking.excess(len(stack.units))
        if side == state.NVA:
            distance = self.features.distance(state.US, area)
            infantry = sum(state.is_infantry(unit.piece) for unit in stack.units)
            value -= weights["distance"] * min(max(distance, 1) - 1, weights["distance_limit"]) * infantry
            value -= weights["exposed_mortar"] * (len(stack.units) - infantry) if distance <= 1 else 0.0
        return value

    def standing(self) -> float:
        """The position for the US: points [4.1], expected consequences of hits, LZ Albany, threats."""
        referee = self.referee
        value = float(referee.position.track(state.US_VP) - referee.position.track(state.NVA_VP))
        for side, sign in ((state.US, -1), (state.NVA, 1)):
            value += sign * sum(self.future_loss(piece) for piece in referee.on_map(side, state.UNIT, state.OFFICER))
        value -= len(referee.on_map(state.US, state.WOUNDED)) * self.points.item("wounded left")
        us, nva = (sum(self.threat(side, area) for area in self.features.held(side)) for side in state.SIDES)
        return value + self.albany(state.US) + self.weights["standing_threats"] * (us - nva)

    def event(self, side: state.Side, area: str) -> float:
        """[3.5] An event in an enemy area."""
        return sum(self.hit(unit.target) for unit in self.features.units(state.enemy(side), area))

    def artillery(self, gun: Piece, area: str) -> float:
        """[7.5] An artillery platoon at an area; off target it strikes next to it, friends included."""
        die, around = self.referee.die, self.features.map.neighbours(area)
        scattered = sum(self._shelled(gun, place) for place in around) / len(around) if around else 0.0
        return die.chance("artillery") * self._shelled(gun, area) + die.chance("artillery", 0) * scattered

    def _shelled(self, gun: Piece, area: str) -> float:
        """[7.5(4), 7.5(5)] Artillery that strikes an area: a random unit takes the hits, and every officer is checked."""
        features, die = self.features, self.referee.die
        foes, friends = features.units(state.NVA, area), features.units(state.US, area)
        if not foes and not friends:
            return 0.0
        dice = r07_support.artillery_dice(self.referee, gun, area)
        harm = sum(self.concentrated_hits(unit, dice, r07_support.artillery_cap(state.NVA)) for unit in foes)
        harm -= sum(self.concentrated_hits(unit, dice, r07_support.artillery_cap(state.US)) for unit in friends)
        officers = sum(self.hit(officer.target) for officer in features.stack(state.NVA, area).officers)
        officers -= sum(self.hit(officer.target) for officer in features.stack(state.US, area).officers)
        check = die.any_chance(dice, "hit") * die.chance("casualty")
        return harm / (len(foes) + len(friends)) + check * officers

    def gunship(self, unit: Piece, gunship: r07_support.GunshipStrength) -> tuple[float, str]:
        """[7.6] A gunship at a unit, less the points of its damage; and the chance of damage in words."""
        die, counter = self.referee.die, self.features.counter(unit)
        damaged = die.any_chance(len(r07_support.fire_at_gunship(self.referee, unit.place)), "gunship")
        full, reduced = (self.concentrated_hits(counter, gunship.dice(is_damaged)) for is_damaged in (False, True))
        value = (1 - damaged) * full + damaged * reduced
        any_hit = die.any_chance((gunship.full + gunship.damaged) / 2, "hit")
        value += any_hit * die.chance("casualty") * self.hit_costs(self.features.stack(state.NVA, unit.place)).officer
        return value - damaged * r04_victory.air_casualty_points(self.referee), f"{damaged:.0%} to be damaged"

    def bombs(self, area: str) -> float:
        """[7.7A] Bombs, whose hits the NVA places."""
        return self.dice_cost(self.features.stack(state.NVA, area), r07_support.BOMB_DICE, by_enemy=False)

    def napalm(self, area: str) -> float:
        """[7.7B] Napalm, less the danger to friends next to the area."""
        features, die = self.features, self.referee.die
        stack = features.stack(state.NVA, area)
        burnt = sum(self.several_hits(unit.target, r07_support.napalm_hits(unit.target.hits)) for unit in stack.units)
        officers = sum(self.hit(officer.target) for officer in stack.officers)
        spreads, most = die.chance("hit"), r07_support.NAPALM_HITS
        near = [units for place in features.map.neighbours(area) if (units := features.units(state.US, place))]
        friends = sum(spreads * self.several_hits(unit.target, most, most) / len(units) for units in near for unit in units)
        return burnt + die.chance("casualty") * officers - friends

    def landing(self, area: str) -> float:
        """[6.3] Dust Off: the wounded flown out, less the danger of the landing."""
        referee = self.referee
        terrain = referee.map.terrain(area) or JUNGLE
        markers, officers = r06_movement.casualties(referee, area)
        damaged = referee.die.any_chance(len(r06_movement.landing_fire(referee, referee.map.neighbours(area))), "dustoff")
        rooms = (r06_movement.dust_off_room(referee, terrain, is_damaged) for is_damaged in (False, True))
        full, reduced = (min(room, len(markers)) for room in rooms)
        saved = float(self.points.item("evacuated") + self.points.item("wounded left"))
        value = saved * ((1 - damaged) * full + damaged * reduced)
        return value + self.weights["officer_evacuated"] * len(officers) - damaged * r04_victory.air_casualty_points(referee)

    def flare(self, area: str) -> float | None:
        """[11.2] A flare over an enemy area: fire at it by light; None if no US platoon is next to it."""
        features = self.features
        near = [place for place in features.held(state.US) if place in features.map.neighbours(area)]
        if not near or area == COLUMBUS:
            return None
        return max(0.0, *(self.fire(state.US, g, place, area) for place in near for g in features.stack(state.US, place).groups))


def valuation_of(referee: AlbanyReferee, side: state.Side | None = None) -> Valuation:
    """The valuation of the referee's position for the planner of a side; cached until the position changes."""
    data, position = referee.data, referee.position
    key = position.pieces, position.flags, position.tracks, referee.lit_areas
    cache = data.valuations
    if cache is None or any(old is not new for old, new in zip(cache[0], key, strict=True)):
        cache = data.valuations = key, Features(referee), {}
    _, features, valuations = cache
    features.referee = referee
    if side not in valuations:
        valuations[side] = Valuation(features, side)
    return valuations[side]
