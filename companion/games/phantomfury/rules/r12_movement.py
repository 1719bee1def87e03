"""[12.0] The Movement Phase: squads in Zones, over roofs and across streets; M1A1s."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import prod

from companion.core.errors import Impossible, Unreadable
from companion.core.graph import distances
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Number, Odds, Text
from companion.core.text import clean, plural
from companion.games.phantomfury import odds, state
from companion.games.phantomfury.notation import CLOSED, read_street
from companion.games.phantomfury.referee import MOVEMENT, FuryReferee
from companion.games.phantomfury.rules import r03_basics, r11_shots, r12_paths, r13_assault
from companion.games.phantomfury.rules.r12_paths import Leg
from companion.games.phantomfury.town import read_place


def no_moves(referee: FuryReferee, squad: Piece) -> tuple[str, str] | None:
    """[12.2.2, 12.4.1] Why a squad has nowhere to go: (why, rule); None if it can move or not all around it is entered."""
    if _can_step(referee, squad) or not _surveyed(referee, squad) or _move_choices(referee, squad):
        return None
    return f"{squad.name} at {squad.place} can go nowhere", _no_move_reason(referee, squad)[0]


def _can_step(referee: FuryReferee, squad: Piece) -> bool:
    """True if a Location next to a squad is open to it. A quick check that avoids a search."""
    start, near = squad.place, filter(state.zone_of, r12_paths.steps_from(referee, squad.place))
    free = (where for where in near if not r12_paths.no_step(referee, squad, start, where))
    ends = (where for where in free if not r12_paths.no_exit(referee, squad, start, where))
    return any(r12_paths.crowding(referee, squad, where) is None for where in ends)


def _surveyed(referee: FuryReferee, squad: Piece) -> bool:
    """True if everything that a move of a squad may need is entered."""
    town, zone, section = referee.town, state.zone_of(squad.place), state.section_of(squad.place)
    if section:
        return section in town.sections and all(name in town.zones for name in town.sections[section].zones)
    if zone not in town.zones:
        return False
    around = [zone, *town.adjacent(zone)]
    return all(zone in town.zones and all(street in town.sections for street in town.zones[zone].streets) for zone in around)


async def move(referee: FuryReferee) -> None:
    """[12.1.1] Move one unit."""
    referee.begin(MOVEMENT)

    def barred(unit: Piece) -> tuple[str, str] | None:
        return referee.no_movement(unit) or (no_moves(referee, unit) if unit.kind != state.TANK else None)

    unit = await referee.ask_unit("unit", "Which unit moves?", "12.1.1", [*referee.squads(), *referee.tanks()], barred)
    referee.add_member(state.MOVED, state.short(unit), "12.1.1")
    await (move_tank if unit.kind == state.TANK else move_squad)(referee, unit)


async def move_squad(referee: FuryReferee, squad: Piece) -> None:
    """[12.3 - 12.5] Move a squad along the way that the player names; steps between are filled in."""
    zone = state.zone_of(squad.place)
    for nearby in await _zones_around(referee, squad):
        await referee.survey(nearby, "12.4.1")
    choices = _move_choices(referee, squad)
    if not choices:
        referee.forbid(f"{squad.name} at {squad.place} can go nowhere", *_no_move_reason(referee, squad))
    prompt = f"Where does {squad.name} move from {squad.place}? (C+ or R+: detach the Security Element there)"
    form = r12_paths.order_notation(referee.town, zone, [choice.name for choice in choices])
    request = Text("to", prompt, "12.1.1", form, choices)
    request.odds = lambda: ways_odds(referee, squad)
    legs = r12_paths.read_order(await request, zone)
    if legs[0].where == r12_paths.RECOVER:
        recover(referee, squad)
    elif legs[0].where == r12_paths.WITHDRAW:
        await withdraw(referee, squad)
    elif all(leg == Leg(squad.place) for leg in legs):
        raise Impossible(f"{squad.name} is at {squad.place} already", rule="12.1.1", cure="Name another Location")
    else:
        await _follow(SquadMovement(referee, squad), legs)


async def _follow(walk: SquadMovement, legs: list[Leg]) -> None:
    """[12.7.2] Follow an order; after a Step Loss on the way ask again where to go."""
    referee, squad = walk.referee, walk.squad
    for leg in legs:
        await _survey(referee, leg.where)
    _check_places(referee, [leg for leg in legs if state.zone_of(leg.where)])
    if refusal := r12_paths.crowding(referee, squad, legs[-1].where):  # squads would have to stay together [12.2.2]
        referee.forbid(*refusal)
    for done, (leg, way) in enumerate(plan(referee, squad, legs, walk.left), 1):
        await walk.go(leg, way)
        if walk.ended:
            return
        if walk.struck:
            walk.struck = False
            await _go_on(walk, legs[done - int(walk.squad.place != leg.where) :])
            return


async def _go_on(walk: SquadMovement, rest: list[Leg]) -> None:
    """[12.7.2, 12.4.3] After a Step Loss the squad may continue, stop, or take cover."""
    referee, squad = walk.referee, walk.squad
    choices = _way_choices(referee, squad, walk.left) if walk.left else []
    if not choices:
        return
    prompt = f"{squad.name} at {squad.place} took a Step Loss, {walk.left} MP left. Where does it go? ({squad.place}: it stays)"
    stays = [Leg(squad.place)]
    zone, onward = state.zone_of(squad.place), bool(rest) and rest[-1].where in [choice.value for choice in choices]
    suggest = r12_paths.order_text(rest if onward else stays)
    choices = [Choice(squad.place, "stays"), *choices]
    form = r12_paths.order_notation(referee.town, zone, [choice.name for choice in choices])
    request = Text("on", prompt, "12.7.2", form, choices, suggest)
    legs = r12_paths.read_order(await request, zone)
    if legs[0].where in (r12_paths.RECOVER, r12_paths.WITHDRAW):
        raise Impossible(f"'{legs[0].where}' is not a way on", rule="12.1.1", cure=f"Name a Location, or {squad.place} to stay")
    if legs != stays:
        await _follow(walk, legs)


async def _survey(referee: FuryReferee, where: str) -> None:
    """[12.4.2] Ask for what must be known of a place on the way: the Zone, or a street named by some Zone."""
    zone, section = state.zone_of(where), state.section_of(where)
    if zone == CLOSED:
        raise Impossible("no unit may enter Zone 27", rule="12.4.2")
    if zone:
        await referee.survey(zone, "12.4.1")
    elif any(section in printed.streets for printed in referee.town.zones.values()):
        await referee.section(section, "12.5.1")
    else:
        raise Impossible(f"no Zone entered lies at street {section}", rule="4.3.1.1", cure="Enter the Zone again: zone 14")


async def _zones_around(referee: FuryReferee, squad: Piece) -> list[str]:
    """The Zones whose facts a move may need: the squad's own and those next to it."""
    zone, section = state.zone_of(squad.place), state.section_of(squad.place)
    if section:
        return list((await referee.section(section, "12.5.1")).zones)
    zones = referee.town.zones
    return [zone, *(other for other in referee.town.adjacent(zone) if other in zones)] if zone in zones else [zone]


def _move_choices(referee: FuryReferee, squad: Piece) -> list[Choice]:
    """What a squad can do with its movement, as far as the map is entered."""
    choices = _way_choices(referee, squad, r12_paths.CAPACITY)
    if element := referee.element_of(squad):
        if state.zone_of(element.place) == state.zone_of(squad.place):
            choices.append(Choice(r12_paths.RECOVER, "the Security Element, with all Movement Points"))
    elif state.location_of(squad.place) in ("C", "R") and not referee.is_controlled(state.zone_of(squad.place)):
        choices.append(Choice(f"{state.location_of(squad.place)}+", "detach the Security Element here", "1 MP"))
    if no_withdrawal(referee, squad) is None:
        choices.append(Choice(r12_paths.WITHDRAW, "take cover off the map", "-2 VP"))
    return choices


def _way_choices(referee: FuryReferee, squad: Piece, left: int) -> list[Choice]:
    """The places where a squad can end its movement with so many Movement Points left."""
    costs = r12_paths.reachable(referee, squad, left)
    free = r12_paths.open_to(referee, squad, costs)
    return [Choice(where, f"{costs[where]} MP", partial(_hint, referee, squad, where)) for where in free]


def _no_move_reason(referee: FuryReferee, squad: Piece) -> tuple[str, str]:
    """The rule that keeps a squad where it is, and what it can do instead."""
    zone = state.zone_of(squad.place)
    if zone and not referee.is_controlled(zone) and not referee.enemies_in(zone):
        return "12.1.2", "It takes the Zone at the end of the turn"
    return "12.4.3" if zone and not referee.is_controlled(zone) else "12.4.1", "It can Assault, or stay"


def _hint(referee: FuryReferee, squad: Piece, where: str) -> str:
    """The streets on the way with the chance to cross unharmed, and the defenders of the Zone."""
    zone = state.zone_of(where)
    chances = {name: _unharmed(referee, name) for name in _streets_on_way(referee, squad, where)}
    parts = [f"by street {name}, {chance:.0%} unharmed" for name, chance in chances.items()]
    if r11_shots.draws_fire(referee, where) and referee.enemies_in(zone):
        parts.append(f"Defensive Fire: {referee.enemy_places_text(referee.enemies_in(zone))}")
    return "; ".join(parts)


def _streets_on_way(referee: FuryReferee, squad: Piece, where: str) -> list[str]:
    """The Street Sections on the shortest way to a place."""
    return [name for step in r12_paths.shortest(referee, squad, squad.place, where) if (name := state.section_of(step))]


def _unharmed(referee: FuryReferee, section: str) -> float:
    """[12.5.2] The chance to cross a Street Section unharmed."""
    return r11_shots.crossing_results(r11_shots.street_at(referee, section)).get((False, False), 0.0)


def _check_places(referee: FuryReferee, legs: list[Leg]) -> None:
    """[4.2.1] Check that each Location exists, and that the Element is detached in C or R."""
    for leg in legs:
        zone, location = state.zone_of(leg.where), state.location_of(leg.where)
        printed = referee.town.zones[zone].locations
        if location not in printed:
            raise Impossible(f"Zone {zone} has no Location {location}", rule="4.2.1", cure=f"It has: {' '.join(printed)}")
        if location not in referee.locations(zone):
            raise Impossible(f"{leg.where} lies in ruins", rule="4.1.6", cure=f"Left are: {' '.join(referee.locations(zone))}")
        if leg.detach and location not in ("C", "R"):
            raise Impossible(f"a Security Element is detached in C or R, not at {leg.where}", rule="12.3.2.1")


def plan(referee: FuryReferee, squad: Piece, legs: list[Leg], left: int = r12_paths.CAPACITY) -> list[tuple[Leg, list[str]]]:
    """[12.3.1, 12.4.1] The steps of each part of an order. Illegal orders are refused before the first step."""
    table = referee.hypothetical()
    parts: list[tuple[Leg, list[str]]] = []
    stood, cover = squad.place, ""  # its last Location, and the one from which it has gone to take cover
    for leg in legs:
        mover = table.piece(squad.id)
        way = _way(referee, table, mover, leg.where, state.zone_of(stood))
        needed = len(way) + int(leg.detach)
        if needed > left:
            referee.forbid(f"{leg.where} is {needed} Movement Points away, {left} are left", "12.3.1", "Stop on the way")
        left -= needed
        refusal = r12_paths.no_exit(table, mover, stood, leg.where) or r12_paths.no_return(table, mover, cover, leg.where)
        if refusal:
            referee.forbid(*refusal)
        if state.zone_of(leg.where):
            left_it = state.zone_of(stood) not in ("", state.zone_of(leg.where)) and not table.is_controlled(state.zone_of(stood))
            stood, cover = leg.where, stood if left_it else cover
        parts.append((leg, way))
        table.move(squad.id, leg.where, "12.3.1")
        if leg.detach:
            put_element(table, table.piece(squad.id))
    return parts


def _way(referee: FuryReferee, table: FuryReferee, squad: Piece, goal: str, home: str) -> list[str]:
    """The shortest way; if there is none, the goal itself when the player insists. ``home``: the last Zone of the squad."""
    way = r12_paths.shortest(table, squad, squad.place, goal, home)
    if way or goal == squad.place:
        return way
    referee.forbid(*_no_way(table, squad, goal))
    return [goal]


def _no_way(referee: FuryReferee, squad: Piece, goal: str) -> tuple[str, str, str]:
    """Why no way leads to a goal: (why, rule, cure)."""
    origins = [squad.place, *r12_paths.reachable(referee, squad)]
    near = [(origin, target) for origin in origins for target in r12_paths.steps_from(referee, origin)]
    last = [(origin, goal) for origin, target in near if target == goal]
    streets = [(origin, target) for origin, target in near if state.section_of(target)]
    across = [(origin, target) for origin, target in streets if goal in r12_paths.steps_from(referee, target)]
    reasons = [r12_paths.no_step(referee, squad, origin, target) for origin, target in [*last, *across]]
    reason = next((barrier for barrier in [*reasons, r12_paths.no_step(referee, squad, squad.place, goal)] if barrier), None)
    if reason:
        return (*reason, "")
    zone = state.zone_of(squad.place)
    if zone == state.zone_of(goal) and (barrier := _barrier(referee, squad, goal)):
        return (*barrier, "Name another Location, or Assault")
    held = zone == state.zone_of(goal) and not referee.is_controlled(zone)
    text = f"no way leads from {squad.place} to {goal}"
    return text, "12.4.3" if held else "12.4.1", "If the board has one, enter the Zones again"


def _barrier(referee: FuryReferee, squad: Piece, goal: str) -> tuple[str, str] | None:
    """What closes the shortest way to another Location of the squad's Zone: (why, rule); None if no way is printed."""

    def inside(where: str) -> list[str]:
        return [other for other in r12_paths.steps_from(referee, where) if state.zone_of(other) == state.zone_of(goal)]

    far, where = distances([goal], inside), squad.place
    while where in far and where != goal:
        following = min(inside(where), key=lambda other: far.get(other, len(far)))
        if barrier := r12_paths.no_step(referee, squad, where, following):
            return barrier
        where = following
    return None


def put_element(referee: FuryReferee, squad: Piece) -> None:
    """[12.3.2.1] Leave the Security Element where the squad is."""
    if referee.element_of(squad):
        raise Impossible(f"{squad.name} has detached its Security Element already", rule="12.3.2.1")
    spare = next((piece for piece in referee.position.of_kind(state.ELEMENT) if piece.values.get("squad") == squad.id), None)
    if spare:
        referee.move(spare.id, squad.place, "12.3.2.1", "detached")
    else:
        referee.make(state.ELEMENT, f"Security Element of {squad.name}", squad.place, "12.3.2.1", "detached", {"squad": squad.id})
    referee.say(f"{squad.name} leaves its Security Element at {squad.place}: CF {referee.cf(squad)}.", "12.3.2.2")


class SquadMovement:
    """The movement of a squad, with the Movement Points left; ``struck``: it has just suffered a Step Loss."""

    def __init__(self, referee: FuryReferee, squad: Piece) -> None:
        self.referee = referee
        self.id = squad.id
        self.start = squad.place
        self.left = r12_paths.CAPACITY
        self.ended = self.struck = False

    @property
    def squad(self) -> Piece:
        return self.referee.piece(self.id)

    async def go(self, leg: Leg, way: list[str]) -> None:
        """[12.3.1] Move to the next named place."""
        for number, target in enumerate(way, 1):
            await self.step(target, leg.detach and number == len(way))
            if self.ended or self.struck:
                return
        if not way and leg.detach:
            self.detach()

    async def step(self, target: str, detach: bool) -> None:
        """Move one step and resolve what happens there."""
        referee, came = self.referee, self.squad.place
        rule = "12.4.1" if state.zone_of(target) != state.zone_of(came) else "12.3.1"
        rule = "12.5.1" if state.section_of(target) or state.section_of(came) else rule
        if state.zone_of(target) != state.zone_of(came) and self.cleared(state.zone_of(came)):
            referee.say(f"Zone {state.zone_of(came)} is clear of enemies now: {self.squad.name} must remain there.", "12.1.2")
            self.ended = True
            return
        self.left -= 1
        referee.move(self.id, target, rule, f"{r12_paths.CAPACITY - self.left} of {r12_paths.CAPACITY} Movement Points")
        if state.section_of(target):
            await self.cross(came, state.section_of(target))
            return
        if detach:
            self.detach()
        zone = state.zone_of(target)
        if r11_shots.draws_fire(referee, target):
            before = self.squad
            await defend(referee, before)
            squad = self.squad
            self.struck = (squad.face, squad.mark(state.CAAT)) != (before.face, before.mark(state.CAAT))
            self.ended = bool(squad.mark(state.PINNED)) or not state.zone_of(squad.place)
        if self.ended or zone == state.zone_of(self.start) or referee.is_controlled(zone):
            return
        if not referee.enemies_in(zone):
            referee.say(f"Zone {zone} holds no enemy: {self.squad.name} must stay in it.", "12.1.2", tone="reminder")

    def cleared(self, zone: str) -> bool:
        """[12.1.2] True if a Zone entered on the way has lost its last enemy, unless the player insists."""
        referee = self.referee
        if zone in ("", state.zone_of(self.start)) or referee.anyway:
            return False
        return not referee.is_controlled(zone) and not referee.enemies_in(zone)

    def detach(self) -> None:
        """[12.3.2.1] Spend one Movement Point to detach the Security Element, before any Defensive Fire."""
        self.left -= 1
        put_element(self.referee, self.squad)

    async def cross(self, came: str, section: str) -> None:
        """[12.5.2, 12.5.3] Resolve a Sniper Attack in the street and how it ends the movement."""
        referee, squad = self.referee, self.squad
        printed = await referee.section(section, "12.5.2")
        met = r11_shots.street_at(referee, section)
        units, suspects, tank = met
        loss, pinned, faces = await r11_shots.in_street(met)
        because = [referee.enemies_text(printed.beside)]
        because += ["an M1A1 is in the street: no Suspects, and Pinned instead of a Step Loss [11.4.2.2]"] if tank else []
        if not faces:
            why = "an M1A1 covers it" if tank and suspects else "no enemy at its sides"
            text = f"{squad.name} crosses street {section}: no Sniper Attack ({why})."
            referee.say(text, "11.4.2.2" if tank else "12.5.2", *because)
            return
        watchers = [("unit", units, "PINNED" if tank else "STEP LOSS"), ("Suspect", 0 if tank else suspects, "PINNED")]
        dice = zip([watcher for watcher in watchers if watcher[1]], faces, strict=True)
        dice_texts = [f"{plural(count, who)} {face}, {word if face <= count else 'miss'}" for (who, count, word), face in dice]
        referee.say(f"{squad.name} crosses street {section} under fire: {'; '.join(dice_texts)}.", "11.4.2.1", *because)
        await self.hit(came, section, loss, pinned)

    async def hit(self, came: str, section: str, loss: bool, pinned: bool) -> None:
        """[12.5.3] After a Step Loss return to the last Location (Pinned there, ruling C-7); if only Pinned, stay."""
        referee = self.referee
        if pinned:
            r03_basics.pin(referee, self.squad, "11.4.2.1", "Sniper in the street")
        lost = await r03_basics.step_loss(referee, self.squad, "11.4.2.1", "Sniper in the street") if loss else ""
        self.ended = loss or pinned
        if loss and lost != "lost" and state.zone_of(came):
            referee.move(self.id, came, "12.5.3", "with its casualties")
            referee.add_member(state.BROUGHT_BACK, state.short(self.squad), "12.2.2")
        elif pinned and not loss:
            referee.say(f"{self.squad.name} stays in street {section}.", "12.5.3")


async def defend(referee: FuryReferee, squad: Piece) -> None:
    """[12.7] Insurgents units fire one by one, then Suspects may be Activated (ruling C-11)."""
    zone = state.zone_of(squad.place)
    enemies, entry = r11_shots.defenders(referee, zone), r11_shots.entry_at(referee, squad, squad.place)
    for enemy in enemies:
        table = r13_assault.TableStage(referee, squad, enemy, False)
        now = r13_assault.scene_of(referee, squad, [enemy])
        if not now.squad.steps:
            return
        await r11_shots.resolve_defender(referee, now, entry, table)
    if not enemies:
        referee.say(f"No Defensive Fire: no enemy in Zone {zone}.", "12.7.1")


def recover(referee: FuryReferee, squad: Piece) -> None:
    """[12.3.2.3] Spend all Movement Points to pick the Security Element up."""
    element = referee.element_of(squad)
    if element is None:
        raise Impossible(f"{squad.name} has no Security Element out", rule="12.3.2.3")
    if (where := state.zone_of(element.place)) != state.zone_of(squad.place):
        cure = f'If it lies with the squad: companion adjust "{element.name}" "{squad.place}"'
        raise Impossible(f"the Security Element of {squad.name} is in Zone {where}", rule="12.3.2.3", cure=cure)
    referee.move(element.id, state.OFF, "12.3.2.3", "picked up with all Movement Points")
    referee.say(f"{squad.name} picks its Security Element up: CF {referee.cf(squad)}.", "12.3.2.3")
    referee.after_element_removed(state.zone_of(element.place))


def no_withdrawal(referee: FuryReferee, squad: Piece) -> tuple[str, str] | None:
    """[12.4.3] Why a squad cannot take cover off the map: (why, rule)."""
    zone = state.zone_of(squad.place)
    if element := referee.element_of(squad):
        return f"the Security Element of {squad.name} is in Zone {state.zone_of(element.place)}", "12.3.2.2"
    if squad.face != state.REDUCED or not zone or referee.is_controlled(zone):
        return f"{squad.name} may not take cover off the map: only a reduced squad in a Zone of the insurgents", "12.4.3"
    if zone not in referee.members(state.START_ZONES) or any(referee.is_controlled(zone) for zone in referee.town.around(zone)):
        return "a squad withdraws only from a start Zone with no USMC Zone next to it", "12.4.3"
    if not referee.enemies_in(zone):
        return f"Zone {zone} is clear of enemies: {squad.name} must remain there", "12.1.2"
    return None


async def withdraw(referee: FuryReferee, squad: Piece) -> None:
    """[12.4.3] Leave the map from a start Zone without a refuge, for 2 VP (ruling C-10)."""
    if refusal := no_withdrawal(referee, squad):
        referee.forbid(*refusal)
    r03_basics.remove_from_map(referee, squad, "12.4.3", "withdrawn")
    referee.say(f"{squad.name} is withdrawn from the game.", "12.4.3")
    referee.points("withdrawn", "12.4.3", f"{squad.name} withdrawn")


async def move_tank(referee: FuryReferee, unit: Piece) -> None:
    """[12.6.1 - 12.6.3] Roll the Movement Capacity, then move to a Section or to Open Ground within reach."""
    section, zone = state.section_of(unit.place), state.zone_of(unit.place)
    if section:
        await referee.section(section, "12.6.2")
    elif zone:
        await referee.survey(zone, "12.6.2")

    def capacities_text() -> str:
        capacities = [f"{capacity} MP" for capacity in r03_basics.chart_column(referee, "m1a1", "mc")]
        return f"Movement Capacity of {unit.name}: {r03_basics.faces_text(capacities)}"

    face, entry = await r03_basics.on_chart(referee, "m1a1", "mc", "mc", capacities_text, "12.6.1")
    capacity = int(entry)
    referee.say(f"{unit.name}: {face}, Movement Capacity {capacity}.", "12.6.1")
    reach = _reach(referee, unit, capacity)
    able = [where for where in reach if where != unit.place and no_tank_end(referee, where) is None]
    choices = [Choice(state.section_of(where) or where, where, f"{reach[where]} MP") for where in able]
    if not able and _surveyed_reach(referee, reach, capacity):
        referee.say(f"{unit.name} stays at {unit.place}: nowhere within {capacity} Movement Points can it end.", "12.6.3")
        return
    stay = state.section_of(unit.place) or unit.place
    prompt = f"Where does {unit.name} move from {unit.place}? A Section or an Open Ground ({stay}: it stays)"
    goal = await Text("to", prompt, "12.6.2", Notation("place of an M1A1", "b", _read), choices)
    where = goal if state.zone_of(goal) else state.street(goal)
    if where == unit.place:
        referee.say(f"{unit.name} stays at {where}.", "12.6.2")
        return
    if state.section_of(where):
        await referee.section(state.section_of(where), "12.6.2")
    elif state.location_of(where) != "OG":
        text = f"an M1A1 moves in streets and Open Ground, not to {where}"
        raise Impossible(text, rule="12.6.2", cure="Name a Section or ZONE-OG")
    elif state.zone_of(where) == CLOSED:
        raise Impossible("no unit may enter Zone 27", rule="12.4.2")
    else:
        await referee.survey(state.zone_of(where), "12.6.2")
    reach = await _explore(referee, unit, capacity, where)
    if where not in reach:
        far = f"{where} is not within {capacity} Movement Points of {unit.place}", "12.6.2"
        referee.forbid(*(no_tank_room(referee, where, unit) or far))
    if refusal := no_tank_end(referee, where):
        referee.forbid(*refusal)
    referee.move(unit.id, where, "12.6.2", f"{reach.get(where, capacity)} of {capacity} Movement Points")


def _read(text: str) -> str:
    plain = clean(text)
    if plain.casefold().startswith("street "):
        plain = plain[7:]
    head, dash, _ = plain.partition("-")
    if dash and head.isdecimal():
        return read_place(plain)
    try:
        return read_street(plain)
    except Unreadable:
        text = f"'{plain}' is no Street Section and no Open Ground"
        raise Unreadable(text, rule="12.6.2", cure="Like this: b, or 14-OG") from None


def _steps(referee: FuryReferee, where: str) -> list[str]:
    """The Sections next to a Section and Open Ground beside it; from Open Ground the Sections at its Zone."""
    town = referee.town
    section = state.section_of(where)
    if not section:
        zone = town.zones.get(state.zone_of(where))
        return [state.street(name) for name in zone.streets] if zone else []
    printed = town.sections.get(section)
    if printed is None:
        return []
    beside = [zone for zone in printed.zones if zone in town.zones and zone != CLOSED]
    grounds = [state.place(zone, "OG") for zone in beside if "OG" in town.zones[zone].locations]
    return [state.street(name) for name in printed.next] + grounds


def _reach(referee: FuryReferee, unit: Piece, capacity: int) -> dict[str, int]:
    """[12.6.2] The places within so many Movement Points, each with its cost."""

    def steps(where: str) -> list[str]:
        return [other for other in _steps(referee, where) if not no_tank_room(referee, other, unit)]

    return distances([unit.place], steps, capacity)


def no_tank_room(referee: FuryReferee, where: str, unit: Piece) -> tuple[str, str] | None:
    """[12.2.1.2, 12.2.3.2] Why an M1A1 cannot enter a place: another one is in the Section, or an enemy in the Location."""
    occupant = referee.tank_in(where) if state.section_of(where) else referee.enemy_at(where)
    if occupant is None or occupant.id == unit.id:
        return None
    return f"{occupant.name} is in {where} already", "12.2.3.2" if state.section_of(where) else "12.2.1.2"


async def _explore(referee: FuryReferee, unit: Piece, capacity: int, goal: str) -> dict[str, int]:
    """The places within reach. Unknown Sections on the way are asked for until the goal is among them."""
    town, section = referee.town, state.section_of(goal)
    last = [state.street(name) for name in town.sections[section].next] if section else _steps(referee, goal)
    while True:
        reach = _reach(referee, unit, capacity)
        near = [where for where, cost in reach.items() if cost < capacity]
        unknown = [where for where in near if state.section_of(where) not in ("", *referee.town.sections)]
        if goal in reach or not unknown:
            return reach
        await referee.section(state.section_of(min(unknown, key=lambda where: where not in last)), "12.6.2")


def _surveyed_reach(referee: FuryReferee, reach: dict[str, int], capacity: int) -> bool:
    """True if everything within so many Movement Points is entered."""
    town = referee.town
    for where in (place for place, cost in reach.items() if cost < capacity):
        section = town.sections.get(state.section_of(where))
        beside = section.zones if section else ()
        if (state.section_of(where) and section is None) or any(zone not in (*town.zones, CLOSED) for zone in beside):
            return False
    return all(state.section_of(where) in town.sections for where in reach if state.section_of(where))


def no_tank_end(referee: FuryReferee, where: str) -> tuple[str, str] | None:
    """[12.6.3] Why an M1A1 cannot end its movement at a place: (why, rule)."""
    section, zone, town = state.section_of(where), state.zone_of(where), referee.town
    if section:
        near = town.sections[section].zones if section in town.sections else ()
    else:
        near = town.near(zone) if zone in town.zones else ()
    if any(map(referee.is_controlled, near)):
        return None
    which = f"beside street {section}" if section else f"Neighbouring Zone {zone}"
    return f"no Zone {which} is under USMC Control", "12.6.3"


def ways_odds(referee: FuryReferee, squad: Piece) -> Odds:
    """Odds of each street and of each Courtyard or Open Ground within reach, including the streets on the way."""
    costs = r12_paths.reachable(referee, squad)
    near = dict.fromkeys(name for where in [squad.place, *costs] for name in referee.town.streets_at(where))
    away = {where for where in costs if state.zone_of(where) != state.zone_of(squad.place)}
    streets = [name for name in near if not away.isdisjoint(referee.town.doors(name))]
    sections = [(f"Crossing street {name}", odds.crossing_rows(r11_shots.street_at(referee, name))) for name in streets]
    for where in costs:
        foes = r11_shots.defenders(referee, state.zone_of(where))
        if foes and r11_shots.draws_fire(referee, where):
            sections += _entered(referee, squad, where, foes, costs[where] < r12_paths.CAPACITY)
    notes = ("+: with the Security Element detached there.",) if any("+" in head for head, _ in sections) else ()
    return Odds(f"Ways of {squad.name}", "12.5", tuple(sections), (), notes)


def _entered(referee: FuryReferee, squad: Piece, where: str, foes: Sequence[Piece], detach: bool) -> list[tuple[str, odds.Rows]]:
    """Odds of entering a place after the streets on the way; also with the Security Element detached."""
    names = _streets_on_way(referee, squad, where)
    across = prod(_unharmed(referee, name) for name in names)
    by = f" by street {', '.join(names)}" if names else ""
    before, entry = r13_assault.scene_of(referee, squad, foes), r11_shots.entry_at(referee, squad, where)
    ways = [("", before, entry)]
    if detach and state.location_of(where) == "C" and not before.squad.element:
        alone = before.with_squad(before.squad._replace(element=True))
        ways.append(("+", alone, entry._replace(element=True)))
    sections = []
    for sign, now, site in ways:
        fates = [(fate, across * chance) for fate, chance in odds.labelled_rows(odds.entry_results(referee, now, site), str)]
        stopped = [("stopped in the street", 1 - across)] if across < 1 else []
        sections.append((f"Entering {where}{sign}{by}", (*fates, *stopped)))
    return sections


async def odds_of_entry(referee: FuryReferee) -> Odds:
    """[12.7] Defensive Fire on entering a Courtyard or Open Ground."""
    text = await Text("enemies", "Enemies in the Zone: g2,s,s", "12.7", state.ENEMIES)
    location = await Choose("location", "Entering", "12.7.1", [Choice("C", "Courtyard"), Choice("OG", "Open Ground")], "C")
    tank = location == "OG" and await Confirm("tank", "With an M1A1 in Open Ground", "12.7.2", False)
    element = location == "C" and await Confirm("detach", "Security Element detached in the Courtyard", "12.7.2", False)
    ruins = location == "C" and await Confirm("ruins", "A Ruins Zone", "12.7.2", False)
    enemies = sorted((enemy for _, enemy in state.listed(text)), key=lambda piece: piece.kind == state.SUSPECT)
    scene = await r13_assault.describe(referee, tuple(enemies), "12.7")
    scene = scene._replace(squad=scene.squad._replace(element=element))
    results = odds.entry_results(referee, scene, r11_shots.EntryPlace(location, tank, element, ruins))
    return Odds("Defensive Fire on entering", "12.7", (("The squad is", odds.labelled_rows(results, str)),))


async def odds_of_crossing(referee: FuryReferee) -> Odds:
    """[12.5.2] Crossing a street."""
    units = await Number("units", "Insurgents units beside the street", "11.4.2.1", 0, 12, 0)
    suspects = await Number("suspects", "Suspects beside the street", "11.4.2.1", 0, 12, 0)
    tank = await Confirm("tank", "An M1A1 in the street", "11.4.2.2", False)
    rows = odds.crossing_rows(r11_shots.Street(units, suspects, tank))
    return Odds("Crossing a street", "12.5.2", (("The squad is", rows),))
