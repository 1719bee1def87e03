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
"""Attacks and stacks whose values are kept in a context."""
_CONTEXTS = 40
"""Contexts whose values are kept: by turn, side, and at night flares."""


class HitCosts(NamedTuple):
    """What the next hit on a stack costs its side: placed by the enemy, placed by the owner, or on an average officer."""

    first: float
    later: float
    officer: float


KnownThreats = dict[state.Side, dict[str, float]]
"""Threats by side and area."""


class SharedValues(NamedTuple):
    """Values of stacks that do not depend on the rest of the position.

    Attributes:
        hit_costs: By the stack.
        attacks: The best attack of a group, by stack, enemy stack, group and both areas.
        strikes: The best attack of each group of a stack; by stack, enemies in its area, the area, and those next to it that can
            be fired at with the enemies there.
        stack_values: By the side and what distances are measured to, the areas of enemy platoons; then by stack and area.
    """

    hit_costs: dict[Stack, HitCosts]
    attacks: dict[tuple[Stack, Stack, str, str, str], float]
    strikes: dict[tuple[object, ...], tuple[tuple[str, float], ...]]
    stack_values: dict[tuple[state.Side, frozenset[str]], dict[tuple[Stack, str], float]]

    @property
    def is_large(self) -> bool:
        return len(self.attacks) + len(self.strikes) + sum(map(len, self.stack_values.values())) > _CACHE_SIZE


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
        self._shared = self._shared_values()
        self._stack_values: dict[state.Side, dict[tuple[Stack, str], float]] = {}

    @property
    def referee(self) -> AlbanyReferee:
        return self.features.referee

    def with_weights(self, changed: Mapping[str, float]) -> Valuation:
        """The valuation with other weights of moves, which no cached value depends on."""
        other = copy(self)
        other.weights = {**self.weights, **changed}
        return other

    def _shared_values(self) -> SharedValues:
        """The values of stacks in earlier positions with the same context: all else that they depend on."""
        features, shared_values = self.features, self.referee.data.shared_values
        context = self.side, self.remaining, features.night, self.referee.lit_areas, features.dice_rules, features.map.graph
        shared = shared_values.get(context)
        if shared is None or shared.is_large:
            if len(shared_values) >= _CONTEXTS:
                shared_values.clear()
            shared = shared_values[context] = SharedValues({}, {}, {}, {})
        return shared

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
        known = self._shared.hit_costs.get(stack)
        if known is None:
            units = [self.hit(unit.target) for unit in stack.units]
            wounded = [self.hit(counter.target) for counter in stack.wounded if counter.piece.kind != state.UNIT]
            first = max([*units, *(wounded if units else ())], default=0.0)
            officers = [self.hit(officer.target) for officer in stack.officers]
            later = min(units, default=0.0) * self.weights["owner_hit"]
            known = HitCosts(first, later, sum(officers) / len(officers) if officers else 0.0)
            self._shared.hit_costs[stack] = known
        return known

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
        stack = features.stack(side, area)
        if not stack.units or area == TRANSITION:
            return 0.0
        foes = features.stacks[state.enemy(side)]
        near = features.targets(side, area)
        if not near and area not in foes:
            return 0.0
        key = stack, foes.get(area), area, *near, *[foes[place] for place in near]
        strikes = self._shared.strikes.get(key)
        if strikes is None:
            strikes = self._shared.strikes[key] = self._strikes(side, area, stack, near)
        total = 0.0
        for group, value in strikes:
            total += self._activations.get(group, 0.0) * value
        return total

    def _strikes(self, side: state.Side, area: str, stack: Stack, near: Sequence[str]) -> tuple[tuple[str, float], ...]:
        """The best attack of each group of a stack; none that costs more than it gains."""
        if self.features.is_disputed(area):
            return tuple([(group, max(0.0, self.melee(side, group, area))) for group in stack.groups])
        attacks = {group: [self._best_attack(side, group, area, place, stack) for place in near] for group in stack.groups}
        return tuple([(group, max(0.0, *values)) for group, values in attacks.items() if values])

    def _best_attack(self, side: state.Side, group: str, area: str, goal: str, stack: Stack) -> float:
        key, attacks = (stack, self.features.stack(state.enemy(side), goal), group, area, goal), self._shared.attacks
        known = attacks.get(key)
        if known is None:
            known = attacks[key] = self._attack(side, group, area, goal, stack)
        return known

    def _attack(self, side: state.Side, group: str, area: str, goal: str, stack: Stack) -> float:
        shot = self.fire(side, group, area, goal)
        going = [unit for unit in stack.units if unit.group == group and unit.fire]
        if not going:
            return shot
        charge = self.features.cache.charge(stack, group, going[: self.referee.data.stacking.limit])
        melee = self.clash(charge, self.features.stack(state.enemy(side), goal), group, goal, side)
        return max(shot, self.weights["melee"] * melee)

    def around(self, side: state.Side, areas: tuple[str, ...], known: KnownThreats | None = None) -> float:
        """The part of a position's value to a side that changes with its own stacks in some areas.

        `known` are the threats that were valued with the same stacks, to which those of these areas are added.
        """
        features, foe = self.features, state.enemy(side)
        own, foes, graph = features.stacks[side], features.stacks[foe], features.map.graph
        fighting = areas
        for area in areas:
            if area in foes and foes[area].units:  # whether others can fire into it depends on who is there [7.3]
                fighting = tuple(dict.fromkeys((*fighting, *graph.neighbours(area))))
        total = self._total_threat(side, fighting, known)
        total += sum([self.stack_value(side, area) for area in areas if area in own])
        total -= self.weights["enemy_threat"] * self._total_threat(foe, graph.surroundings(areas), known)
        return total + (self.albany(side) if ALBANY in areas else 0.0)

    def _total_threat(self, side: state.Side, areas: Sequence[str], known: KnownThreats | None) -> float:
        stacks = self.features.stacks[side]
        if known is None:
            return sum([self.threat(side, area) for area in areas if area in stacks])
        threats, values = known.setdefault(side, {}), []
        for area in areas:
            if area in stacks:
                threat = threats.get(area)
                if threat is None:
                    threat = threats[area] = self.threat(side, area)
                values.append(threat)
        return sum(values)

    def shift(self, side: state.Side, counters: Sequence[CounterFeatures], origin: str, goal: str) -> float:
        """The gain of moving counters from an area to another."""
        before = self.around(side, (origin, goal))
        old = self.features.put(side, self.features.shifted(side, counters, origin, goal))
        gain = self.around(side, (origin, goal)) - before
        self.features.put(side, old)
        return gain

    def arrival(self, side: state.Side, pieces: Sequence[Piece], area: str) -> float:
        """The gain of placing pieces in an area."""
        before = self.around(side, (area,))
        features = self.features
        counters = [features.counter(piece) for piece in pieces]
        old = features.put(side, {area: features.cache.changed(features.stack(side, area), counters, True)})
        gain = self.around(side, (area,)) - before
        self.features.put(side, old)
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
        values = self._stack_values.get(side)
        if values is None:
            front = self.features.front(state.enemy(side))
            values = self._stack_values[side] = self._shared.stack_values.setdefault((side, front), {})
        stack = self.features.stack(side, area)
        known = values.get((stack, area))
        if known is None:
            known = values[stack, area] = self._stack_value(side, area, stack)
        return known

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
