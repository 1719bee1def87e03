"""The candidates of each decision, with their values in VP."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from companion.core.candidates import Candidate, Recommendation, rank
from companion.core.graph import distances
from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.phantomfury import state
from companion.games.phantomfury.ai.features import Features, costs_to, immediate
from companion.games.phantomfury.ai.valuation import is_firm
from companion.games.phantomfury.notation import MOSQUE
from companion.games.phantomfury.referee import ASSAULT, FIRE, MOVEMENT, REINFORCEMENTS, SUPPORT
from companion.games.phantomfury.rules import (
    r03_basics,
    r06_entry,
    r09_support,
    r11_fire,
    r11_shots,
    r12_movement,
    r12_paths,
    r13_assault,
    r13_combat,
)

Move = Candidate[PlannedAction]
"""An action with its answers as a candidate."""

END: Move = Candidate(PlannedAction("end"), "end the turn", reasons=("nothing else is worth its risk",))


def best(candidates: Iterable[Move]) -> Recommendation[PlannedAction] | None:
    """Rank candidates; of what a unit can do in a Zone only the best is kept. None without candidates."""
    distinct: dict[Hashable, Move] = {}
    for candidate in sorted(candidates, key=lambda candidate: -candidate.value):
        distinct.setdefault(_unit_and_zone(candidate.decision), candidate)
    return rank(distinct.values()) if distinct else None


def _unit_and_zone(plan: PlannedAction) -> Hashable:
    answers = [value for key, value in plan.answers.items() if key not in ("to", "target")]
    where = plan.answers.get("to") or plan.answers.get("target") or ""
    return plan.action, str(answers), state.zone_of(where)


def mission_candidates(features: Features) -> Iterator[Move]:
    """[9.0] Each Mission where it gains most."""
    referee = features.referee
    if referee.turn < features.constants.mission_first_turn or referee.position.flag(state.SUPPORT_OVER):
        return
    for which, targets in (("uav", _uav_targets), ("ah1w", _ah1w_targets), ("fa18", _fa18_targets)):
        if r09_support.missions_left(referee, which) > 0:
            gain, zones = max(targets(features), key=lambda target: target[0], default=(0.0, ""))
            if not zones:
                continue
            good = features.valuation.mission(referee, which)
            name = f"{state.MISSIONS[which]} on Zone{'s' if ',' in zones else ''} {zones.replace(',', ' and ')}"
            why = f"it succeeds with {good:.0%} and gains {gain:.1f} VP; otherwise a Reaction [9.1]"
            value = good * gain - (1 - good) * features.constants.mission_reaction
            yield Candidate(PlannedAction("mission", {"mission": which, "zones": zones}), name, value, reasons=(why,))


def _is_front(features: Features, zone: str) -> bool:
    """True if a Zone lies beside one of ours."""
    return not features.ours.isdisjoint(features.referee.town.around(zone))


def _mission_zones(features: Features, which: str) -> list[str]:
    """The Zones that a Mission can go to."""
    referee = features.referee
    return [zone for zone in referee.zones() if zone in referee.town.zones and r09_support.unfit(referee, which, zone) is None]


def _uav_targets(features: Features) -> Iterator[tuple[float, str]]:
    """One or two neighbouring Zones of the front with Suspects."""
    gains = {zone: _uav_gain(features, zone) for zone in _mission_zones(features, "uav") if _is_front(features, zone)}
    for zone, gain in gains.items():
        yield gain, zone
        for other in features.referee.town.around(zone):
            if other in gains:
                yield gain + gains[other], f"{zone},{other}"


def _uav_gain(features: Features, zone: str) -> float:
    referee, c = features.referee, features.constants
    if referee.is_fortified(zone) or not referee.marker_of(zone):
        return 0.0
    suspects = [enemy for enemy in referee.enemies_in(zone) if enemy.kind == state.SUSPECT]
    return c.mission_uav_gone * (features.begun(zone, *suspects) - features.begun(zone) + c.combat_known * len(suspects))


def _ah1w_targets(features: Features) -> Iterator[tuple[float, str]]:
    """Zones of the front; the hardest enemies of each count."""
    referee = features.referee
    for zone in _mission_zones(features, "ah1w"):
        if _is_front(features, zone):
            strong = referee.is_fortified(zone)
            worst = sorted(referee.enemies_in(zone), key=lambda enemy: not is_firm(enemy, strong))[: r09_support.AH1W_TARGETS]
            hard = features.constants.mission_hard_enemy * sum(is_firm(enemy, strong) for enemy in worst)
            yield features.begun(zone, *worst) - features.begun(zone) + hard, zone


def _fa18_targets(features: Features) -> Iterator[tuple[float, str]]:
    """Zones farther away, preferably known to be Fortified."""
    position, c = features.referee.position, features.constants
    for zone in _mission_zones(features, "fa18"):
        strong = c.mission_fortified * (state.is_fortified(position, zone) and bool(state.marker_of(position, zone)))
        empty = features.price * features.valuation.begun(0, 0, features.turns)
        yield empty - features.begun(zone) + strong - c.mission_distance * features.far_from_us.get(zone, 9), zone


def reinforcement_candidates(features: Features) -> Iterator[Move]:
    """[10.0] Each unit that can enter, at the start Zone nearest to where a squad is wanted."""
    referee = features.referee
    waiting = [unit for box in (state.ARMOUR, state.COMPANY, state.IRAQI, state.BATTALION) for unit in referee.position.at(box)]
    for unit in waiting:
        if r06_entry.cannot_come(referee, unit, 0) is None and (unit.place != state.BATTALION or _is_worth_entry(features, unit)):
            yield from _entries(features, unit)


def _is_worth_entry(features: Features, unit: Piece) -> bool:
    """[10.3] True if a squad of the Battalion is worth its points: while victory is possible, and with many Zones left."""
    wanted = features.constants.reinforcement_battalion and features.left > len(features.squads) / 2 and features.price > 0
    return not r06_entry.entry_cost(features.referee, unit) or bool(wanted)


def _entries(features: Features, unit: Piece) -> Iterator[Move]:
    referee, c = features.referee, features.constants
    name = f"{unit.name} comes in"
    if unit.kind == state.TANK:
        if r06_entry.tank_sections(referee):
            plan, why = PlannedAction("reinforce", {"units": [state.short(unit)]}), "an M1A1 covers those who cross [11.4.2.2]"
            yield Candidate(plan, name, c.reinforcement_tank, reasons=(why,))
        return
    # Squads at an entry need room to move on, and can part until the Movement Phase ends [12.2.2].
    zones = [zone for zone in r06_entry.entry_zones(referee) if len(referee.squads_in(zone)) < len(referee.locations(zone)) - 1]
    if zones:
        marches = {zone: _march_from(features, zone) for zone in zones}
        zone = min(zones, key=lambda zone: (marches[zone], len(referee.squads_in(zone))))
        plan = PlannedAction("reinforce", {"units": [state.short(unit)], "zone": zone})
        cost = r06_entry.entry_cost(referee, unit)
        why = f"it costs {cost} VP [7.2.1], and clears Zones" if cost else "one squad more to clear Zones [10.1]"
        value = c.reinforcement_squad - c.reinforcement_distance * marches[zone]
        yield Candidate(plan, f"{name} at Zone {zone}", value, reasons=(why,))


def _march_from(features: Features, zone: str) -> float:
    """The distance from the entry of a Zone to where a squad is wanted."""
    printed = features.referee.town.zones.get(zone)
    return min((features.march(state.place(zone, door)) for door in printed.doors), default=0.0) if printed else 0.0


def assault_candidates(features: Features) -> Iterator[Move]:
    """[13.0] Every legal Assault, by what it adds to the value of the squad's place."""
    referee = features.referee
    for squad in features.squads:
        if r13_assault.no_assault(referee, squad):
            continue
        for target in r13_assault.targets_of(referee, squad):
            if r13_assault.no_assault_into(referee, squad, target.place):
                continue
            zone, home = state.zone_of(target.place), state.zone_of(squad.place)
            after, why = assault_value(features, squad, target)
            opened = features.constants.zone_infiltrated * features.price * features.left_open(squad, target.place)
            before = features.idle(zone) if zone == home else features.begun(zone) + opened
            name = f"{squad.name} Assaults {state.enemy_text(target)} at {target.place}"
            plan = PlannedAction("assault", {"squad": state.short(squad), "target": target.place})
            yield Candidate(plan, name, after - before, reasons=(why,) if why else ())


def _kill(features: Features, enemies: Iterable[Piece]) -> float:
    """The points expected of clearing the Locations of enemies."""
    kills = {state.GUERILLAS: features.constants.combat_guerillas, state.SUSPECT: features.constants.combat_suspect}
    return sum(kills.get(state.kind_of(enemy), 0.0) for enemy in enemies)


def assault_value(features: Features, squad: Piece, target: Piece) -> tuple[float, str]:
    """[13.4, 13.4.8] The value of a Zone after an Assault, less the losses; and the odds in words."""
    referee, zone = features.referee, state.zone_of(target.place)
    now = r13_assault.scene_of(referee, squad, [target])._replace(ways=(_way_out(features, zone),))
    if features.enemies(zone) > 1 and r13_combat.flooding_follows(now, squad.place, target.place):
        return _flooding_value(features, squad, target)
    kind = r13_combat.assault_type(squad.place, target.place)
    fate = features.valuation.assault(referee, now, kind)
    stays = features.hold(zone) if zone == state.zone_of(squad.place) else features.begun(zone)
    gain = _kill(features, [target]) * fate.good
    value = fate.good * features.hold(zone, target) + (1 - fate.good) * stays + gain - features.toll(fate)
    odds = f"cleared {fate.good:.0%}, a Step Loss {fate.loss:.0%}, {-features.toll(fate):+.1f} VP"
    return value, f"{kind.title()} Assault: {odds} [13.4.2]"


def _flooding_value(features: Features, squad: Piece, target: Piece) -> tuple[float, str]:
    referee, zone = features.referee, state.zone_of(target.place)
    met = [target, *r13_assault.flooded_enemies(referee, zone, target.place, target.place)]
    now = r13_assault.scene_of(referee, squad, met)._replace(ways=(_way_out(features, zone),))
    fate = features.valuation.flood(referee, now)
    gain = _kill(features, met) * fate.good
    value = fate.good * features.hold(zone, *met) + (1 - fate.good) * features.hold(zone, target) + gain - features.toll(fate)
    odds = f"the Zone cleared {fate.good:.0%}, a Step Loss {fate.loss:.0%}, {-features.toll(fate):+.1f} VP"
    return value, f"Flooding: {odds} [13.4.8]"


def _way_out(features: Features, zone: str) -> float:
    """[13.6.2] 1 if Guerillas find a way out of a Zone, otherwise 0; 1 if the map is not known."""
    return features.once(("ways", zone), lambda: float(bool(immediate(r13_combat.open_routes(features.referee, zone), ("?",)))))


def best_assault_from(features: Features, squad: Piece, where: str) -> tuple[float, str]:
    """The value of the best Assault of a squad from a place, or of none; with the odds in words."""
    moved, zone = squad._replace(place=where), state.zone_of(where)
    values = [(features.idle(zone) if zone not in features.ours else 0.0, "")]
    for target in r13_assault.targets_of(features.referee, moved):
        goal = state.zone_of(target.place)
        if goal == zone or (zone in features.ours and r12_paths.no_entry(features.referee, moved, where, target.place) is None):
            value, why = assault_value(features, moved, target)
            values.append((value - (0.0 if goal == zone else features.begun(goal)), why))
    return max(values, key=lambda item: item[0])


def fire_candidates(features: Features) -> Iterator[Move]:
    """[11.0] The best shot of each unit that can fire."""
    for firer in [*features.squads, *features.referee.tanks()]:
        if shot := best_shot(features, firer):
            yield shot


def best_shot(features: Features, firer: Piece) -> Move | None:
    """[11.1] The best shot of a unit; None if it cannot fire."""
    referee = features.referee
    if r11_fire.cannot_fire(referee, firer) is not None or _must_move(features, firer):
        return None
    zones = immediate(r11_fire.zones_in_range(referee, firer), ())
    shots = [_shot(features, firer, target) for target in r11_fire.targets_of(referee, firer, zones)]
    return rank(shots).best if shots else None


def _must_move(features: Features, firer: Piece) -> bool:
    """[12.2.2] True if a unit shares its place with a squad that cannot move any more, so that the unit must move."""
    others = (squad for squad in features.squads if squad.place == firer.place and squad.id != firer.id)
    return any(map(features.referee.no_movement, others))


def _shot(features: Features, firer: Piece, target: Piece) -> Move:
    referee = features.referee
    ammo = r11_fire.no_ammo(firer) is None
    hit = features.valuation.shot(referee, r11_fire.shot_at(referee, firer, target, ammo))
    name = f"{firer.name} fires at {state.enemy_text(target)} at {target.place}"
    why = f"it takes effect with {hit:.0%}{' with CAAT Ammo' if ammo else ''} [11.2.2]"
    is_followed = features.entrants(state.zone_of(target.place)) - {firer.id}
    value = hit * _hit_value(features, firer, target) * (features.constants.combat_followed if is_followed else 1.0)
    return Candidate(PlannedAction("fire", {"unit": state.short(firer), "target": target.place}), name, value, reasons=(why,))


def _hit_value(features: Features, firer: Piece, target: Piece) -> float:
    """The value of a hit: one enemy less, points for Guerillas, knowledge of a Suspect less its Sniper."""
    referee, c, zone = features.referee, features.constants, state.zone_of(target.place)
    gain = features.begun(zone, target) - features.begun(zone)
    if state.kind_of(target) == state.GUERILLAS:
        return gain + referee.item_points("guerillas_eliminated")
    if target.kind != state.SUSPECT:
        return gain + c.combat_martyrs
    chances = r03_basics.activation_chances(referee, referee.is_fortified(zone))
    gone, sniper = chances.get(state.DUMMY, 0.0) + chances.get(state.AMBUSH, 0.0), chances.get(state.AMBUSH, 0.0)
    answered = r11_fire.draws_sniper(firer)
    back = sniper * c.combat_sniper_hit * (c.squad_pin + c.combat_sniper_loss) if answered else 0.0
    return gone * gain + (1 - gone) * c.combat_known - back


def fire_or_move_candidates(features: Features) -> Iterator[Move]:
    """[11.3] Shots, less what their units could gain by moving instead; each Zone is left to the squad that gains most in it."""
    shots = list(fire_candidates(features))
    instead = gains_of_moving(features) if shots else {}
    for shot in shots:
        yield shot._replace(value=shot.value - max(instead.get(shot.decision.answers["unit"], 0.0), 0.0))


def gains_of_moving(features: Features) -> dict[str, float]:
    """What each M1A1 and each squad that can advance would gain by moving this turn."""
    tanks = {state.short(tank): gain_of_moving(features, tank) for tank in features.referee.tanks()}
    return {**tanks, **_advance_values(features)}


def _advance_values(features: Features) -> dict[str, float]:
    """The value of the advance of each squad, if each Zone is entered by one [12.2.1.1]."""
    names = {state.short(squad): _advances(features, squad) for squad in features.squads}
    advances = [(value, name, zone) for name, zones in names.items() for zone, value in zones.items()]
    values: dict[str, float] = {}
    taken_zones: set[str] = set()
    for value, name, zone in sorted(advances, key=lambda item: -item[0]):
        if name not in values and zone not in taken_zones:
            values[name] = value
            taken_zones.add(zone)
    return values


class Risk(NamedTuple):
    """The risk of a way: the chance to get there unhindered, losses in VP, and the odds in words."""

    good: float
    cost: float
    why: tuple[str, ...] = ()

    def then(self, good: float, cost: float, why: str) -> Risk:
        """The risk including a later one."""
        return Risk(self.good * good, self.cost + self.good * cost, (*self.why, why))


Prospect = tuple[Risk, float, str]
"""The risk of a way into a Zone, the value of the Zone with the squad there, and why."""


def move_candidates(features: Features) -> Iterator[Move]:
    """[12.0] What each squad can do among the insurgents; if that is not worth it, among our own Zones."""
    forward = list(for_free_squads(features, forward_candidates))
    yield from forward
    if not any(candidate.value > features.constants.move_least for candidate in forward):
        yield from for_free_squads(features, post_candidates)


def for_free_squads(features: Features, candidates: Callable[[Features, Piece], Iterable[Move]]) -> Iterator[Move]:
    """The candidates of each squad that can move."""
    for squad in features.squads:
        if features.referee.no_movement(squad) is None:
            yield from candidates(features, squad)


def move_tanks_first(features: Features) -> Iterator[Move]:
    """[12.0] M1A1s that move at all first, since they cover the squads [11.4.2.2]."""
    tanks = [candidate for candidate in tank_candidates(features) if candidate.value > features.constants.move_least]
    yield from tanks or move_candidates(features)


def forward_candidates(features: Features, squad: Piece) -> Iterator[Move]:
    """Movement into a Zone of the insurgents, or within it."""
    zone = state.zone_of(squad.place)
    if zone and zone not in features.ours:
        yield from _within(features, squad, features.ways(squad))
        return
    for goal, prospect in _prospects(features, squad).items():
        yield _entry(features, squad, goal, prospect)


def post_candidates(features: Features, squad: Piece) -> Iterator[Move]:
    """Movement among our own Zones."""
    if state.zone_of(squad.place) in features.ours or not state.zone_of(squad.place):
        for goal, way in features.ways(squad).items():
            if state.zone_of(goal) in features.ours and not _is_shared(features, squad, goal):
                yield _among(features, squad, goal, way)


def _is_shared(features: Features, squad: Piece, where: str) -> bool:
    """[12.2.2] True if another squad is at a place."""
    return any(other.place == where and other.id != squad.id for other in features.squads)


def _advances(features: Features, squad: Piece) -> dict[str, float]:
    """The value of entering each Zone of the insurgents that a squad can enter this turn."""
    zone = state.zone_of(squad.place)
    if not zone or zone not in features.ours or features.referee.no_movement(squad):
        return {}

    def look() -> dict[str, float]:
        values: dict[str, float] = {}
        for goal, prospect in _prospects(features, squad).items():
            value = _entry(features, squad, goal, prospect).value
            values[state.zone_of(goal)] = max(values.get(state.zone_of(goal), 0.0), value)
        return values

    return features.on_board(("advances", squad.id, tuple(squad.marks.items()), features.turns, features.layout), look)


def _order(squad: Piece, goal: str) -> PlannedAction:
    return PlannedAction("move", {"unit": state.short(squad), "to": goal})


def risk_of(features: Features, squad: Piece, way: list[str]) -> Risk:
    """[12.5.2, 12.7] The risk of a way: Sniper Attacks in streets, Defensive Fire in Courtyards and Open Ground."""
    referee, valuation, risk = features.referee, features.valuation, Risk(1.0, 0.0)
    for where in way:
        section = state.section_of(where)
        if section:
            stretch = r11_shots.street_at(referee, section)
            fate = valuation.crossing(referee, referee.fighter(squad), stretch)
            if stretch.units or stretch.suspects:
                risk = risk.then(fate.good, features.toll(fate), f"street {section} unharmed {fate.good:.0%} [12.5.2]")
        elif r11_shots.draws_fire(referee, where) and (foes := r11_shots.defenders(referee, state.zone_of(where))):
            fate = valuation.entry(referee, r13_assault.scene_of(referee, squad, foes), r11_shots.entry_at(referee, squad, where))
            risk = risk.then(fate.good, features.toll(fate), f"goes on after Defensive Fire {fate.good:.0%} [12.7]")
    return risk


def _entry(features: Features, squad: Piece, goal: str, prospect: Prospect) -> Move:
    """Movement into a Zone of the insurgents, with the Assault that can follow."""
    risk, after, why = prospect
    value = risk.good * (after - features.begun(state.zone_of(goal))) - risk.cost - _opening_cost(features, squad, goal)
    return Candidate(_order(squad, goal), f"{squad.name} enters {goal}", value, reasons=_reasons(risk, why))


def _reasons(risk: Risk, why: str) -> tuple[str, ...]:
    return (*risk.why, why) if why else risk.why


def _opening_cost(features: Features, squad: Piece, goal: str) -> float:
    """[14.4] The cost of Zones of ours left open to infiltration; less if another squad can replace the one that leaves."""
    opened, c = features.left_open(squad, goal), features.constants
    spared = c.move_relief if opened > 0 and _is_relieved(features, squad) else 1.0
    return c.zone_infiltrated * features.price * opened * spared


def _is_relieved(features: Features, squad: Piece) -> bool:
    """True if another squad that is not needed where it is can come this turn, and no other gap waits for it."""
    zone = state.zone_of(squad.place)
    if features.gaps(zone):
        return False
    ours = [other for other in features.squads if other.id != squad.id and state.zone_of(other.place) in features.ours]
    return any(_can_come(features, other, zone) for other in ours if not features.referee.no_movement(other))


def _can_come(features: Features, squad: Piece, zone: str) -> bool:
    if state.zone_of(squad.place) == zone:
        return False
    goal = next((goal for goal in features.ways(squad) if state.zone_of(goal) == zone), "")
    return bool(goal) and features.left_open(squad, goal) <= 0


def _prospects(features: Features, squad: Piece) -> dict[str, Prospect]:
    """The prospect of each place that a squad can enter among the insurgents."""

    def look() -> dict[str, Prospect]:
        goals = [goal for goal in features.ways(squad) if state.zone_of(goal) not in features.ours]
        if features.turns > 1 and features.enemies(MOSQUE):  # better fired at than entered, until the last turn [11.1, 5.1.6.2]
            goals = [goal for goal in goals if state.zone_of(goal) != MOSQUE]
        return {goal: prospect(goal, features.ways(squad)[goal]) for goal in goals}

    def prospect(goal: str, way: list[str]) -> Prospect:
        risk, zone = risk_of(features, squad, way), state.zone_of(goal)
        if features.enemies(zone):
            return risk, *best_assault_from(features, squad, goal)
        return risk, features.hold(zone), "it is empty and will be taken [14.1.1]"

    return features.nearby("prospects", squad, look)


def _within(features: Features, squad: Piece, goals: Mapping[str, list[str]]) -> Iterator[Move]:
    """[12.4.3] Movement of a squad in a Zone of the insurgents: to a better place to Assault from; if reduced, to take cover."""
    stays = best_assault_from(features, squad, squad.place)[0]
    for goal, way in goals.items():
        risk = risk_of(features, squad, way)
        if state.zone_of(goal) == state.zone_of(squad.place):
            after, why = best_assault_from(features, squad, goal)
            value = risk.good * (after - stays) - risk.cost
            yield Candidate(_order(squad, goal), f"{squad.name} moves to {goal}", value, reasons=_reasons(risk, why))
        elif squad.face == state.REDUCED and not _is_shared(features, squad, goal):
            why = f"its present place is worth {stays:+.1f} VP [12.4.3]"
            value = features.begun(state.zone_of(squad.place)) - features.constants.squad_cover * stays - risk.cost
            yield Candidate(_order(squad, goal), f"{squad.name} takes cover at {goal}", value, reasons=(why,))


def _among(features: Features, squad: Piece, goal: str, way: list[str]) -> Move:
    """Movement among our Zones: to close one that could be infiltrated, and nearer to the insurgents."""
    c, risk, closes = features.constants, risk_of(features, squad, way), -features.left_open(squad, goal)
    nearer = _nearer(features, squad, goal)
    better = c.move_nearer * features.price * nearer + _post(features, goal) - _post(features, squad.place)
    value = risk.good * (c.zone_infiltrated * features.price * closes + better) - risk.cost
    crowded = _is_shared(features, squad, squad.place)
    why = f"{plural(closes, 'Zone')} less can be infiltrated [14.4]" if closes > 0 else _why_nearer(features, nearer)
    why = "to make room for another squad [12.2.2]" if crowded else why
    value += c.move_room if crowded else 0.0
    return Candidate(_order(squad, goal), f"{squad.name} moves to {goal}", value, reasons=(why,))


def _why_nearer(features: Features, nearer: float) -> str:
    """The advantage of a place, in words."""
    if nearer > features.constants.move_unreachable / 2:
        return "a way leads on from there [12.4.1]"
    if nearer > 0:
        return f"{nearer:g} Movement Point{'' if nearer == 1 else 's'} nearer to where it is wanted [12.3.1]"
    return "from there it can go on next turn [12.4.1]"


def _nearer(features: Features, squad: Piece, goal: str) -> float:
    """By how many Movement Points a goal is nearer to the insurgents; for an IIF squad, to the mosque."""
    if squad.kind == state.IIF:
        costs, far = costs_to(features.referee.town, MOSQUE, features.ours), features.constants.move_unreachable
        return float(costs.get(squad.place, far) - costs.get(goal, far))
    return features.march(squad.place) - features.march(goal)


def _post(features: Features, where: str) -> float:
    """The value of a Location for the next turn: a roof beside a Zone that can be flooded, or a door to a street."""
    zone, town, roof = state.zone_of(where), features.referee.town, features.constants.move_roof
    if zone not in town.zones:
        return 0.0
    beside = [other for other in town.adjacent(zone) if other not in features.ours and other != MOSQUE]
    if state.location_of(where) == "R" and any(state.zone_of(neighbour) in beside for neighbour in town.next_to(where)):
        return roof
    return roof / 2 if state.location_of(where) in town.zones[zone].doors and not beside else 0.0


def tank_candidates(features: Features) -> Iterator[Move]:
    """[12.6] Movement of an M1A1 that has not Fired, if another street is better."""
    for tank in features.referee.tanks():
        if features.referee.no_movement(tank) is not None or tank.mark(state.FIRED):
            continue
        better = gain_of_moving(features, tank)
        if better > 0 or _distances_to_best(features, tank):
            value = max(better, features.constants.tank_target)
            why = "to cover the squads that cross [11.4.2.2]"
            yield Candidate(PlannedAction("move", {"unit": state.short(tank)}), f"{tank.name} moves", value, reasons=(why,))


def gain_of_moving(features: Features, tank: Piece) -> float:
    """[12.6.1] The additional value of an M1A1 in the best street within a usual movement."""
    now, sections = state.section_of(tank.place), features.referee.town.sections
    near = distances([now], lambda name: sections[name].next if name in sections else (), features.constants.tank_capacity)
    return max(tank_value(features, name, tank) for name in near) - tank_value(features, now, tank)


def tank_value(features: Features, section: str, tank: Piece) -> float:
    """[11.4.2.2, 11.1.3] The value of an M1A1 in a street: squads that it covers as they cross, and targets."""
    referee, c, where = features.referee, features.constants, state.street(section)
    if r12_movement.no_tank_end(referee, where) is not None or r12_movement.no_tank_room(referee, where, tank) is not None:
        return 0.0
    targets = c.tank_target * min(_target_count(features, section, tank), c.tank_targets)
    mosque = MOSQUE in referee.town.sections[section].beside and MOSQUE not in features.ours and not features.is_held(MOSQUE)
    return _cover(features, section) + targets + c.tank_mosque * mosque


def _target_count(features: Features, section: str, tank: Piece) -> int:
    """[11.1.3] The number of targets of an M1A1 in a street."""
    referee, zones = features.referee, features.referee.town.sections[section].beside
    moved = tank._replace(place=state.street(section))
    near = [enemy for zone in zones if zone not in features.ours for enemy in referee.enemies_in(zone)]
    return sum(r11_fire.no_target(referee, moved, enemy, zones) is None for enemy in near)


def tank_duties(features: Features, section: str, tank: Piece) -> str:
    """The use of an M1A1 in a street, in words."""
    cover, targets = _cover(features, section), _target_count(features, section, tank)
    if not cover and not targets:
        return "no squad to cover there yet [11.4.2.2], and no target for its fire [11.1.3]"
    return f"{cover:+.1f} VP for the squads that cross it [11.4.2.2]; {plural(targets, 'target')} for its fire [11.1.3]"


def _cover(features: Features, section: str) -> float:
    """[11.4.2] What the squads beside a street are spared as they cross it, for as many as there are Zones to enter."""
    referee = features.referee
    zones = referee.town.sections[section].zones
    goals = [zone for zone in zones if zone not in features.ours and not features.is_held(zone) and zone != MOSQUE]
    squads = [squad for zone in zones if zone in features.ours for squad in referee.squads_in(zone) if squad.kind == state.SQUAD]
    return sum(_spared(features, squad, section) for squad in squads[: len(goals)])


def _spared(features: Features, squad: Piece, section: str) -> float:
    referee = features.referee
    stretch, fighter = r11_shots.street_at(referee, section), referee.fighter(squad)
    crossing = features.valuation.crossing
    bare, covered = (crossing(referee, fighter, stretch._replace(tank=tank)) for tank in (False, True))
    return features.toll(bare) - features.toll(covered) + features.constants.tank_crossing * (covered.good - bare.good)


def _distances_to_best(features: Features, tank: Piece) -> Mapping[str, int]:
    """The distance of Street Sections to the best one, for an M1A1 that has nothing to do where it is; otherwise empty."""
    sections, now = features.referee.town.sections, state.section_of(tank.place)
    if tank_value(features, now, tank) > 0:
        return {}
    values = {name: tank_value(features, name, tank) for name in sections}
    goal = max(values, key=lambda name: values[name], default="")
    if not goal or values[goal] <= 0:
        return {}
    steps = distances([goal], lambda name: [other for other in sections[name].next if other in sections])
    return steps if steps.get(now, 0) > 0 else {}


def tank_goal(features: Features, tank: Piece, goals: Sequence[str]) -> str | None:
    """The best goal of an M1A1, or the one nearest to the best street; None if no goal is better than its place."""
    now = state.section_of(tank.place)
    values = {name: tank_value(features, name, tank) for name in goals if name in features.referee.town.sections}
    goal = max(values, key=lambda name: values[name], default="")
    if goal and values[goal] > tank_value(features, now, tank):
        return goal
    steps = _distances_to_best(features, tank)
    nearest = min((name for name in values if name in steps), key=lambda name: steps[name], default="")
    return nearest if nearest and steps[nearest] < steps[now] else None


Candidates = Callable[[Features], Iterator[Move]]


def phases(features: Features) -> tuple[tuple[int, float, Candidates], ...]:
    """[8.0] The Phases with decisions, each with the value above which something is done."""
    c = features.constants
    return (
        (SUPPORT, c.mission_least, mission_candidates),
        (REINFORCEMENTS, c.reinforcement_least, reinforcement_candidates),
        (FIRE, c.fire_least, fire_or_move_candidates),
        (MOVEMENT, c.move_least, move_tanks_first),
        (ASSAULT, c.assault_least, assault_candidates),
    )


def recommend(features: Features, refused: Sequence[PlannedAction]) -> Recommendation[PlannedAction]:
    """Rank the candidates of the first Phase in which something is worth doing; otherwise end the turn."""
    for phase, least, candidates in phases(features):
        if features.phase <= phase:
            worthwhile = [item for item in candidates(features) if item.value > least and item.decision not in refused]
            if recommendation := best(worthwhile):
                return recommendation
    return rank([END])


def best_of(candidates: Iterable[Move], refused: Sequence[PlannedAction], least: float) -> Move | None:
    """The best candidate worth more than ``least`` that has not been refused; None if there is none."""
    worthwhile = [item for item in candidates if item.value > least and item.decision not in refused]
    return max(worthwhile, key=lambda item: item.value, default=None)


def random_candidate(features: Features, refused: Sequence[PlannedAction], randbelow: Callable[[int], int]) -> Move:
    """A random candidate, each remaining Phase being equally likely: a planner that slips may skip Phases or end the turn."""
    open_phases = [candidates for phase, _, candidates in phases(features) if features.phase <= phase]
    options = [[item for item in candidates(features) if item.decision not in refused] for candidates in open_phases]
    choices = [*filter(None, options), [END]]
    group = choices[randbelow(len(choices))]
    return group[randbelow(len(group))]
