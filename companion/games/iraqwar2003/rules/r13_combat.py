"""[13.0 - 13.3, 5.3.1] The ground combat segment: declare attacks, allocate air support, resolve the combats one by one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from companion.core.game import Obstacle
from companion.core.notation import Notation, whole_number
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Text
from companion.core.text import clean, plural
from companion.games.iraqwar2003 import notation, odds, state
from companion.games.iraqwar2003.facts import LARGE, MINOR, SEA, TERRAINS, land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.rules import r05_air, r06_bombing, r08_map, r13_results, r16_options
from companion.games.iraqwar2003.rules.r05_air import AIR_FIGURES, AirGroup, Flier, Mission
from companion.games.iraqwar2003.rules.r13_results import Attack
from companion.games.iraqwar2003.state import Side

_WITH = " with "


class Approach(NamedTuple):
    """How units came to their hex.
    | Attributes:
        clear: The rule by which no enemy zone is there, or "".
        walked: They moved, and did not fly.
        stayed: They did not move.
    """

    clear: str = ""
    walked: bool = False
    target: str = ""
    stayed: bool = False


async def declare_attack(
    referee: IraqWarReferee, free: Sequence[Piece], attacks: Sequence[Attack], moved: Approach
) -> Attack | None:
    """[13.1(1), 13.2] Declare an attack on all enemy units of one hex; None when there are no more."""
    taken = {name for attack in attacks for name in attack.defenders}
    await _ensure_orientation(referee, free)
    near = [piece for piece in _adjacent_enemies(referee, free) if piece.id not in taken]
    pool = [piece for piece in near if not _turkish_zone_rule(free, piece, moved.walked)]
    if not pool and (base := state.hex_of(free)) and units_on_map_of(referee.position, state.other(referee.side)):
        cure = "Enter the enemy units, each with its hex behind it (@2332): units"
        text = f"Companion knows of no enemy unit beside {base}"
        referee.skip_question("attack", text, "13.0", cure, equivalent=(state.NONE,))
        if moved.target not in ("", state.NONE) and not attacks:
            referee.forbid(text, "13.0", cure)
        return None
    defenders, chosen = await _ask_target(referee, free, pool, moved, bool(attacks))
    if not defenders:
        return None
    defenders, target = _all_in_hex(referee, defenders)
    _check_target(referee, free, defenders, taken, moved)
    await _check_side(referee, state.hex_of(free), target)
    if not target:
        _check_zones(referee, [piece for piece in defenders if not piece.mark(state.DISRUPTED)], moved.clear)
    for text, rule in r08_map.stacking_faults(defenders):
        referee.say(f"These may not all be in one hex: {text}.", rule, tone="warning")
    alone = bool(target and state.hex_of(free)) and all(piece.place == target for piece in pool)
    attackers = await _attackers(referee, free, chosen, [name for attack in attacks for name in attack.attackers], alone)
    across = await _units_across_river(referee, attackers, state.hex_of(free), target)
    terrain, columns = await _ask_terrain_columns(referee, target)
    ids = [tuple(piece.id for piece in pieces) for pieces in (attackers, defenders, across)]
    return Attack(ids[0], ids[1], ids[2], terrain, columns, base=state.hex_of(free), hex=target)


async def _ensure_orientation(referee: IraqWarReferee, free: Sequence[Piece]) -> None:
    """[2.1] Ask for the orientation if units of both sides are in hexes."""
    if state.hex_of(free) and r08_map.occupied_hexes(referee.position, state.other(referee.side)):
        await r08_map.ask_orientation(referee)


def _adjacent_enemies(referee: IraqWarReferee, free: Sequence[Piece]) -> list[Piece]:
    """[13.0, 13.3(3)] Enemy units that can be attacked: adjacent and not across all water, or in unknown hexes."""
    position, base, foe = referee.position, state.hex_of(free), state.other(referee.side)
    land = land_of(position)
    if not base or not land.orientation:
        return units_on_map_of(position, foe)
    near = land.ashore(base)
    if not position.count(state.MAP) and r08_map.occupied_hexes(position, foe).isdisjoint(near):
        return []
    return [piece for piece in units_on_map_of(position, foe) if piece.place in near or not state.is_hex(piece.place)]


async def _ask_target(
    referee: IraqWarReferee, free: Sequence[Piece], pool: Sequence[Piece], moved: Approach, again: bool
) -> tuple[list[Piece], list[Piece]]:
    """[13.2(1), 13.2(3)] The enemy units, and attackers if typed with them. ``again``: others attack already."""
    hexes = dict.fromkeys(piece.place for piece in pool if state.is_hex(piece.place))
    choices = [Choice(state.NONE, "none of them")]
    for number in hexes:
        units = referee.unit_choices(state.units_in(referee.position, number))
        choices.append(Choice(number, number, "; ".join(f"{unit.label} {unit.hint_text}" for unit in units)))
    choices += referee.unit_choices(piece for piece in pool if not state.is_hex(piece.place))
    which = "a hex or a unit in it" if hexes else "enemy units, all of one hex"
    prompt = f"What else do you attack? ({which})" if again else f"What do you attack? ({which})"
    # units that neither move nor attack have acted for nothing: that is not suggested; a planner names the target in its order
    suggest = None if moved.stayed and not again and not referee.computer_plays(referee.side) else state.NONE
    request = Text("attack", prompt, "13.2(1)", targets(referee, free, pool), choices, suggest)
    referee.decide(request, referee.side, suggest)
    text = "" if again else moved.target
    text = text or await request
    head, _, tail = text.partition(_WITH)
    return await referee.units_named(head), await referee.units_named(tail or state.NONE)


def targets(referee: IraqWarReferee, free: Sequence[Piece], pool: Sequence[Piece]) -> Notation:
    """Notation of a target: ``2332``, ``11D``, ``2332 with 1/3ID``."""
    foes, own = referee.unit_list(pool, state.other(referee.side)), referee.unit_list(free, referee.side, 1)

    def read(text: str) -> str:
        head, word, tail = clean(text).partition(_WITH)
        return foes.read(head) + (word + own.read(tail) if word else "")

    return Notation("units", foes.example, read)


def _all_in_hex(referee: IraqWarReferee, named: Sequence[Piece]) -> tuple[list[Piece], str]:
    """[13.2(1)] All enemy units of the named units' hex, and the hex ("" if unknown)."""
    hexes = dict.fromkeys(piece.place for piece in named if state.is_hex(piece.place))
    if len(hexes) > 1:
        referee.forbid(f"{' and '.join(hexes)} are two hexes", "13.2(3)", "Attack one of them, and the other with other units")
    target = next(iter(hexes), "")
    targets_now = [referee.place_at(piece, target) for piece in named]
    others = state.others_in(referee.position, target, targets_now)
    return [*targets_now, *(piece for piece in others if notation.side_of(piece) != referee.side)], target


def _check_target(
    referee: IraqWarReferee, free: Sequence[Piece], defenders: Sequence[Piece], taken: set[str], moved: Approach
) -> None:
    """[13.0, 13.2(2), 16.10] Check that the targets are enemies, not attacked yet, and open to these units."""
    for piece in defenders:
        if notation.side_of(piece) == referee.side:
            referee.forbid(f"{piece.name} is one of your own units", "13.0", "Name enemy units")
        if rule := _turkish_zone_rule(free, piece, moved.walked):
            text = f"{referee.piece_names(free)} cannot have come into the zone of control of {piece.name}"
            referee.forbid(text, rule, "Only Kurdish units and the Turkish unit enter each other's zones")
        if piece.id in taken:
            cure = "All units that attack one hex attack together: 2332 with 1/3ID, 2/3ID"
            referee.forbid(f"{piece.name} is attacked already", "13.2(2)", cure)


async def _check_side(referee: IraqWarReferee, base: str, target: str) -> None:
    """[13.0, 13.3(3)] Check that both hexes are adjacent and not separated by water alone."""
    if not base or not target:
        return
    await r08_map.ask_orientation(referee)
    if land_of(referee.position).adjacent(base, target) is False:
        referee.forbid(f"{target} is not adjacent to {base}", "13.0", "Attack an adjacent hex, or correct their hexes: adjust")
    elif await r08_map.ask_water(referee, base, target, "13.3(3)") == SEA:
        referee.forbid(f"nothing but water lies between {base} and {target}", "13.3(3)", "Attack another hex")


def _check_zones(referee: IraqWarReferee, awake: Sequence[Piece], clear: str) -> None:
    """[9.0(1), 7.3.1(2)] Undisrupted targets have a zone, where neither rail [16.7(4)] nor a cheap path [12.3(1)] leads."""
    has = "has" if len(awake) == 1 else "have"
    text = f"{referee.piece_names(awake)} {has} a zone of control, which would cover the attackers' hex"
    if awake and clear == "16.7(4)":
        referee.forbid(text, clear, "Units moved by rail attack only disrupted units")
    elif awake and clear:
        referee.say(f"{text}: the last hex of the way needed zoc.", clear, tone="warning")


def _turkish_zone_rule(ours: Sequence[Piece], enemy: Piece, walked: bool) -> str:
    """[16.10(3), 16.10(4)] The rule that keeps units that walked away from an enemy, or ""."""
    if not walked or enemy.mark(state.DISRUPTED):
        return ""
    if notation.is_turkish(enemy):
        return "" if all(notation.is_kurdish(piece) for piece in ours) else "16.10(4)"
    return "16.10(3)" if not notation.is_kurdish(enemy) and any(map(notation.is_turkish, ours)) else ""


async def _attackers(
    referee: IraqWarReferee, free: Sequence[Piece], chosen: Sequence[Piece], busy: Sequence[str], alone: bool
) -> list[Piece]:
    """[13.2(3), 13.2(5), 13.2(6), 16.11] The attacking units. ``alone``: there is no other target, so that all attack."""
    attackers = list(chosen or free)
    if chosen or alone:
        cure = "Name them with the hex: 2332 with 1/3ID"
        referee.skip_question("with", "all of them attack, there is no other hex", "13.2(3)", cure, equivalent=("all",))
    elif len(free) > 1:
        names, readable = referee.piece_names(free), referee.unit_list(free, referee.side, 1)
        request = Text("with", "With which units?", "13.2(3)", readable, referee.ordered_unit_choices(free), names)
        attackers = await referee.units_named(await referee.ask_own(referee.side, request, names))
    for piece in attackers:
        if piece.id in busy:
            referee.forbid(f"{piece.name} attacks already", "13.2(5)", "Attack with the others")
        elif piece.id not in {unit.id for unit in free}:
            referee.forbid(f"{piece.name} has not moved in this segment", "13.2(6)", "Attack with units that have just moved")
    divisions = notation.divisions_of(attackers)
    if referee.side == state.COALITION and referee.has_rule(state.SAME_DIVISION) and len(divisions) > 1:
        referee.forbid(f"units of {' and '.join(divisions)} do not attack together", "16.11", "Attack with one division")
    return attackers


async def _units_across_river(referee: IraqWarReferee, attackers: Sequence[Piece], base: str, target: str) -> list[Piece]:
    """[13.3(4)] The attackers across a river, minor or large; derived from the map if both hexes are known."""
    if not base or not target:
        able = r13_results.halved_by_river(attackers, MINOR)
        return await referee.pick_units(
            "river",
            "Which attackers cross a river? (halved)",
            "13.3(4)",
            able,
            lambda unit: (_WHITE if unit in attackers else "{} does not take part in this attack", "13.3(4)"),
        )
    water = await r08_map.ask_water(referee, base, target, "13.3(4)")
    slow = r13_results.halved_by_river(attackers, water)
    is_river = water in (MINOR, LARGE)
    text = f"{'a' if is_river else 'no'} river lies between {base} and {target}"
    referee.skip_question("river", text, "13.3(4)", equivalent=("all",) if is_river else (state.NONE,))
    if slow:
        referee.say(f"{text.capitalize()}: the attack of {referee.piece_names(slow)} is halved.", "13.3(4)")
    return slow


async def _ask_terrain_columns(referee: IraqWarReferee, target: str) -> tuple[str, int]:
    """[13.3(5), 2.1.5(3)] The terrain of the defender's hex and its columns to the left."""
    if target:
        terrain = await r08_map.ask_terrain(referee, target)
        referee.skip_question("terrain", f"{target} is known to be {terrain.replace('_', ' ')}", "13.3(5)", equivalent=(terrain,))
    else:
        names = ["plain", *TERRAINS, *(["mountain"] if referee.has_rule(state.MOUNTAINS) else [])]
        choices = [Choice(name, name.replace("_", " ")) for name in names]
        terrain = await referee.choose("terrain", "What is the terrain of the defender's hex?", "13.3(5)", choices, "plain")
    rule = "16.9" if terrain == "mountain" else "13.3(5)"
    chart: dict[str, int] = {}
    for row in r13_results.terrain_rows(terrain, referee.options):
        prompt = f"What does the Terrain Effect Chart say for {row.replace('_', ' ')}? (number before L; 0: none)"
        chart[row] = int(await referee.printed(f"terrain:{row}", prompt, rule, whole_number("number of columns", 0, 5)))
    columns = r13_results.terrain_shift(terrain, chart, referee.options)
    if columns:
        referee.say(f"{terrain.replace('_', ' ').capitalize()} takes {plural(columns, 'column')} off the attack.", rule)
    return terrain, columns


# -- [5.1, 5.3.1, 13.1(2) - 13.1(4), 13.3(2)] Air support --------------------------------------------------------------


class SupportedAttack(NamedTuple):
    """An attack with both sides' air groups, anti-air shots at Coalition support [16.4(2)] and relevant air sectors."""

    attack: Attack
    active: AirGroup | None = None
    passive: AirGroup | None = None
    fire: tuple[int, ...] = ()
    sectors: tuple[str, ...] = ()

    @property
    def pieces(self) -> list[Piece]:
        return [piece for group in (self.active, self.passive) if group for piece in group.pieces]


class SupportDecision(NamedTuple):
    """[5.3.1] A side's choice of a group at one combat.
    | Attributes:
        passive: Whether the side replies to the current player, and so intercepts instead of escorting.
        named: Air units of both sides that are in a group of this segment already.
    """

    supported: SupportedAttack
    side: Side
    passive: bool
    named: Sequence[Piece]
    known_columns: Mapping[str, str]

    @property
    def role(self) -> r05_air.Role:
        """The role of a unit that does not support."""
        return r05_air.INTERCEPT if self.passive else r05_air.ESCORT

    @property
    def already(self) -> int:
        """The number of the side's own units that fly already."""
        return sum(notation.side_of(piece) == self.side for piece in self.named)

    @property
    def enemy_group(self) -> AirGroup | None:
        """The group of the current player that the side replies to."""
        return self.supported.active if self.passive else None

    def group(self, lead: Piece | None, guard: Piece | None = None) -> AirGroup:
        """A unit on ground support and an escort or interceptor."""
        return AirGroup(lead, guard, r05_air.SUPPORT, self.role)

    def with_group(self, group: AirGroup) -> SupportedAttack:
        """The attack with the side's group."""
        return self.supported._replace(passive=group) if self.passive else self.supported._replace(active=group)

    def read_group(self, text: str, pool: Sequence[Piece]) -> AirGroup:
        """The group of a normalised answer."""
        by_name = {piece.name: piece for piece in pool}
        if text.startswith(f"{self.role} ") and text not in by_name:
            return self.group(None, by_name[text.removeprefix(f"{self.role} ")])
        lead, plus, second = text.partition("+")
        return self.group(by_name[lead], by_name[second] if plus else None)


async def air_support(referee: IraqWarReferee, attacks: Sequence[Attack], known_columns: Mapping[str, str]) -> list[int]:
    """[5.1(4), 13.1(2), 13.1(3), 13.1(4)] The column shift of each combat; the current player allocates first."""
    if referee.air_units(state.IRAQ):
        await referee.enter_display()
    backed = [SupportedAttack(attack) for attack in attacks]
    for side in (referee.side, state.other(referee.side)):
        passive = side != referee.side
        for number, attack in enumerate(attacks):
            supported = backed[number]
            if side == state.IRAQ and passive and can_be_intercepted(referee, supported):
                hex_number = _hex_of(referee, attack)
                supported = supported._replace(sectors=await r06_bombing.sectors_of(referee, state.COALITION, hex_number))
            named = [piece for allocated in backed for piece in allocated.pieces]
            decision = SupportDecision(supported, side, passive, named, known_columns)
            backed[number] = await _ask_support(referee, decision)
    missions = [mission for supported in backed if (mission := mission_at(referee, supported))]
    results = await r05_air.fly(missions, r05_air.TableObserver(referee))
    shifts = {mission.what: result.shift for mission, result in zip(missions, results, strict=True)}
    for supported in backed:
        r05_air.mark_used(referee, supported.pieces)
    return [shifts.get(attack_title(referee, supported.attack), 0) for supported in backed]


async def _ask_support(referee: IraqWarReferee, decision: SupportDecision) -> SupportedAttack:
    """[5.3.1, 5.1.1(5)] Ask a side for its group in a combat."""
    supported, side, role = decision.supported, decision.side, decision.role
    key = "counter" if decision.passive else "support"
    bombs, guards = _available_air_units(referee, decision)
    if not bombs and not guards:
        referee.skip_question(key, *_no_support_obstacle(referee, decision), equivalent=(state.NONE,))
        return supported
    taken = {piece.id for piece in decision.named}
    pool = [piece for piece in referee.air_units(side, "any") if piece.id not in taken]
    proposed = partial(_propose_support, decision, bombs, guards)
    suggest = await referee.reuse_procedure(partial(proposed, referee)) if referee.computer_plays(side) else state.NONE
    against = f" against {decision.enemy_group.title}" if decision.enemy_group else ""
    title = f"{attack_title(referee, supported.attack)}{against}"
    prompt = f"Which {state.SIDE_TITLES[side]} air units fly at {title}? (a unit, or unit+{role}, or {role} UNIT; {AIR_FIGURES})"
    groups = r05_air.group_notation([piece.name for piece in pool], pool[0].name, (role,))
    choices = [Choice(state.NONE, "no air support"), *referee.air_choices(bombs)]
    choices += [Choice(f"{role} {piece.name}", f"{role} {piece.name}") for piece in guards]
    request = Text(key, prompt, "5.3.1(2)" if decision.passive else "5.3.1(1)", groups, choices, suggest)
    referee.decide(request, side, suggest)
    if not referee.computer_plays(side):
        referee.offer_advice(request, proposed)
    request.odds = lambda: odds.combat_odds(
        odds.CombatForecast(referee, supported.attack, decision.known_columns),
        {odds.WITHOUT: mission_at(referee, supported), **_support_examples(referee, decision, bombs)},
        _artillery_note(referee, supported.attack),
    )
    request.has_quick_odds = True
    text = await request
    if text == state.NONE:
        return supported
    group = decision.read_group(text, pool)
    await _check_group(referee, decision, group)
    backed = decision.with_group(group)
    lead = group.lead and r05_air.flier_of(referee, group.lead, r05_air.SUPPORT)
    if side == state.COALITION and lead and not lead.stealth:
        number = _hex_of(referee, supported.attack)
        backed = backed._replace(fire=await r16_options.anti_air_unit_fire(referee, supported.attack.units, number))
    return backed


async def _propose_support(
    decision: SupportDecision, bombs: Sequence[Piece], guards: Sequence[Piece], referee: IraqWarReferee
) -> str:
    """[5.1] The group that the planner would send, of units that can support and units that can intercept or escort."""
    options = await _support_options(referee, decision, bombs, guards)
    forecast = odds.CombatForecast(referee, decision.supported.attack, decision.known_columns)
    return await referee.planner.support(decision, forecast, options)


async def _support_options(
    referee: IraqWarReferee, decision: SupportDecision, bombs: Sequence[Piece], guards: Sequence[Piece]
) -> dict[str, Mission | None]:
    """[5.3.1] The missions with each group that a side could send, by what is typed for it: none, one unit, or two."""
    for piece in (*bombs, *guards):
        await referee.air_values(piece)
    groups = [decision.group(lead) for lead in bombs]
    if decision.passive:
        groups += [decision.group(None, guard) for guard in guards]
    if decision.side == state.IRAQ and not r05_air.airfield_obstacle(referee, decision.already + 2):
        groups += [decision.group(lead, guard) for lead in bombs for guard in guards if lead != guard]
    options = {state.NONE: mission_at(referee, decision.supported)}
    for group in groups:
        if not any(r05_air.role_obstacle(referee, piece, role) for piece, role in group.roles):
            text = group.title if group.lead else f"{decision.role} {group.title}"
            options[text] = mission_at(referee, decision.with_group(group))
    return options


def _available_air_units(referee: IraqWarReferee, decision: SupportDecision) -> tuple[list[Piece], list[Piece]]:
    """[5.3, 5.8.2, 16.5] Units for support, and as escort or interceptor where the enemy may support (ruling C-15)."""
    side, attack = decision.side, decision.supported.attack
    if side == state.IRAQ and r05_air.airfield_obstacle(referee, decision.already + 1):
        return [], []
    if decision.passive:
        meets = can_be_intercepted(referee, decision.supported)
    else:
        foe = state.other(side)
        grounded = foe == state.IRAQ and r05_air.airfield_obstacle(referee, 1)
        meets = not grounded and bool(supporting_units(referee, attack, foe))
    guards = r05_air.ready_for(referee, side, decision.role, but=decision.named) if meets else []
    return supporting_units(referee, attack, side, decision.named), guards


def supporting_units(referee: IraqWarReferee, attack: Attack, side: Side, but: Sequence[Piece] = ()) -> list[Piece]:
    """[5.3(3), 16.5] Air units of a side that are ready and may support a combat, except ``but``."""
    ready = r05_air.ready_for(referee, side, r05_air.SUPPORT, but=but)
    return [piece for piece in ready if not nationality_obstacle(referee, attack, piece)]


def can_be_intercepted(referee: IraqWarReferee, supported: SupportedAttack) -> bool:
    """[5.3(2), 5.4.1] Whether the current player's support may be intercepted, as far as is known."""
    lead = supported.active.lead if supported.active else None
    return bool(lead and not r05_air.stealth_obstacle(referee, lead) and not r05_air.radar_obstacle(referee, supported.sectors))


def _no_support_obstacle(referee: IraqWarReferee, decision: SupportDecision) -> Obstacle:
    """Why no air unit of a side can take part."""
    side = decision.side
    ready = r05_air.ready_for(referee, side, r05_air.SUPPORT)
    against = (nationality_obstacle(referee, decision.supported.attack, piece) for piece in ready)
    fields = r05_air.airfield_obstacle(referee, decision.already + 1) if side == state.IRAQ else None
    grounded = referee.position.flag(state.GROUNDED)
    none = Obstacle(f"no {state.SIDE_TITLES[side]} air unit can fly now", "16.6(3)" if grounded else "2.1.3")
    return fields or next(filter(None, against), none)


def _artillery_note(referee: IraqWarReferee, attack: Attack) -> tuple[str, ...]:
    """[16.3] Artillery that may still add to the values; it is named after air support."""
    if not referee.has_rule(state.ARTILLERY):
        return ()
    attackers, defenders = r13_results.units_left(referee, attack.attackers), r13_results.units_left(referee, attack.defenders)
    ours = notation.side_of(attackers[0]) == state.COALITION
    guns = r16_options.available_artillery(referee, attackers if ours else defenders, [*attackers, *defenders], attack.hex)
    named = ", ".join(f"{piece.name} {r16_options.support_value(referee, piece)}" for piece in guns)
    return (f"Artillery in range adds to the {'attack' if ours else 'defence'} and is not counted yet: {named}.",) if guns else ()


def _hex_of(referee: IraqWarReferee, attack: Attack) -> str:
    """The attacked hex, "" if unknown."""
    place = referee.piece(attack.defenders[0]).place
    return place if state.is_hex(place) else ""


def attack_title(referee: IraqWarReferee, attack: Attack) -> str:
    """An attack in words."""
    return f"the attack on {referee.piece_names(referee.piece(name) for name in attack.defenders)}"


# -- checks ------------------------------------------------------------------------------------------------------------


async def _check_group(referee: IraqWarReferee, decision: SupportDecision, group: AirGroup) -> None:
    """[5.3, 5.3(2), 5.4.1, 16.5] Check that a group is legal in this combat, and that there is support to intercept."""
    if group.lead:
        await r05_air.check_unit(referee, group.lead, r05_air.SUPPORT)
        referee.enforce(nationality_obstacle(referee, decision.supported.attack, group.lead))
    if group.other:
        await r05_air.check_unit(referee, group.other, group.other_role)
    if decision.side == state.IRAQ:
        referee.enforce(r05_air.airfield_obstacle(referee, decision.already + len(group.pieces)))
    if not (decision.passive and group.other):
        return
    enemy = decision.enemy_group.lead if decision.enemy_group else None
    if enemy is None:
        referee.forbid("there is no enemy on ground support to intercept", "5.3(2)", "Give ground support, or none")
    else:
        await referee.air_values(enemy)
        referee.enforce(r05_air.stealth_obstacle(referee, enemy))
    if decision.side == state.IRAQ and decision.enemy_group:
        referee.enforce(r05_air.radar_obstacle(referee, decision.supported.sectors))


def nationality_obstacle(referee: IraqWarReferee, attack: Attack, lead: Piece) -> Obstacle | None:
    """[16.5, 16.10(5)] Why an air unit cannot support by nationality; Iraqis are barred only from British combats (C-49)."""
    nations = {notation.nation(referee.piece(name)) for name in attack.units}
    iraqi = notation.side_of(lead) == state.IRAQ
    if notation.TURKISH in nations and not iraqi:
        text = "the Coalition's air units do not support a combat with the Turkish unit"
        return Obstacle(text, "16.10(5)", "Name none")
    if not referee.has_rule(state.NATIONALITY):
        return None
    barred = not (iraqi and referee.option("british_combats") == "coalition")
    if barred and notation.BRITISH in nations and notation.nation(lead) != notation.BRITISH:
        text = f"{lead.name} is {notation.NATION_TITLES[notation.nation(lead)]}: British units fight here"
        return Obstacle(text, "16.5(1)", "Name none" if iraqi else "Name a British air unit")
    if nations & {*notation.KURDISH} and not iraqi:
        return Obstacle("Coalition air units do not support a combat with Kurdish units", "16.5(2)", "Name none")
    return None


# -- missions ----------------------------------------------------------------------------------------------------------


def mission_at(referee: IraqWarReferee, supported: SupportedAttack) -> Mission | None:
    """[13.3(2)] All air units in a combat with known values; None if there are none."""
    fliers: list[Flier] = []
    for group, sign in ((supported.active, 1), (supported.passive, -1)):
        for piece, role in group.roles if group else ():
            flier = r05_air.flier_of(referee, piece, role)
            if flier and role == r05_air.SUPPORT:
                flier = _support_flier(referee, supported, piece, flier, sign)
            fliers += [flier] if flier else []
    return Mission(tuple(fliers), attack_title(referee, supported.attack)) if fliers else None


def _support_flier(referee: IraqWarReferee, supported: SupportedAttack, piece: Piece, flier: Flier, sign: int) -> Flier:
    """[13.3(2), 13.3(2-2)] A supporting unit with its columns and the fire that it meets."""
    values = referee.known_values(piece)
    worth = sign * values.support if values else 0
    if flier.side == state.IRAQ:
        west = r06_bombing.western_fire(referee, [referee.piece(name) for name in supported.attack.units])
        return flier._replace(worth=worth, shots=west, fire_rule="13.3(2-2)")
    return flier._replace(worth=worth, shots=supported.fire, fire_rule="16.4(3)")


def _support_examples(referee: IraqWarReferee, decision: SupportDecision, bombs: Sequence[Piece]) -> dict[str, Mission | None]:
    """The missions with a unit of each of the three highest ground support values, each with a title."""
    by_value: dict[int, Piece] = {}
    for piece in bombs:
        if (values := referee.known_values(piece)) and values.support:
            by_value.setdefault(values.support, piece)
    strongest = [by_value[value] for value in sorted(by_value, reverse=True)[:3]]
    return {f"with {piece.name}": mission_at(referee, decision.with_group(decision.group(piece))) for piece in strongest}


# -- [13.0 - 13.2] The combat segment ----------------------------------------------------------------------------------

_IN_PLACE = Approach()
_WHITE = "{} has a white attack value: no river halves it"
_NOT_FLED = "{} has not retreated in this combat segment"


async def combat_segment(
    referee: IraqWarReferee, units: Sequence[Piece], in_city: bool | None = None, moved: Approach = _IN_PLACE
) -> None:
    """[4.1(4-2), 13.1] Resolve all attacks of units that moved; optional [13.2(4)], none attacks twice [13.2(5)]."""
    if not await _roll_visibility(referee, moved.target not in ("", state.NONE)):
        return
    attacks: list[Attack] = []
    free = list(units)
    while free and (attack := await declare_attack(referee, free, attacks, moved)):
        is_city = land_of(referee.position).is_city(attack.base) if attack.base else None
        attacks.append(attack._replace(home=in_city if is_city is None else is_city))
        free = [piece for piece in free if piece.id not in attack.attackers]
    if attacks:
        shifts = await air_support(referee, attacks, await referee.known_facts("crt", "13.4"))
        pending = list(zip(attacks, shifts, strict=True))
        fled: list[str] = []
        while pending:
            attack, shift = pending.pop(await _ask_next(referee, [attack for attack, _ in pending]))
            attack = await _with_retreated(referee, attack, fled)
            foretell = odds.die_odds(referee, attack, await referee.known_facts("crt", "13.4"))
            result = await r13_results.resolve_attack(referee, attack, shift, foretell)
            fled += result.gone if result else ()
    r16_options.end_visibility(referee)


async def _with_retreated(referee: IraqWarReferee, attack: Attack, fled: Sequence[str]) -> Attack:
    """[13.2(1)] The attack with units that have since retreated into its hex (ruling C-52)."""
    pool = r13_results.units_left(referee, fled) if referee.option("retreated") != "apart" else []
    joined = [piece for piece in pool if state.is_hex(attack.hex) and piece.place == attack.hex]
    pool = [piece for piece in pool if not (state.is_hex(attack.hex) and state.is_hex(piece.place))]
    prompt = "Which units that have retreated now stand in the hex attacked next?"
    joined += await referee.pick_units("joined", prompt, "13.2(1)", pool, lambda unit: (_NOT_FLED, "13.2(1)"))
    return attack._replace(defenders=(*attack.defenders, *(piece.id for piece in joined)))


async def _roll_visibility(referee: IraqWarReferee, ordered: bool) -> bool:
    """[16.6(3)] Roll visibility for the segment; returns False if no unit attacks and ruling C-48 needs no die."""
    asks = referee.position.flag(state.STORM) and referee.option("storm_die") == "attackers"
    request = Confirm("fight", "Does one of them attack, if the weather lets it?", "16.6(3)", False)
    if asks and not await referee.ask_own(referee.side, request, ordered):
        referee.skip_question("attack", "you said that none of them attacks", "16.6(3)", equivalent=(state.NONE,))
        return False
    await r16_options.roll_visibility(referee, "combat segment")
    return True


async def _ask_next(referee: IraqWarReferee, attacks: Sequence[Attack]) -> int:
    """[13.1(5)] Ask which combat is resolved next."""
    if len(attacks) == 1:
        return 0
    names = [referee.piece_names(referee.piece(name) for name in attack.defenders) for attack in attacks]
    choices = [Choice(str(number), f"the attack on {name}") for number, name in enumerate(names, 1)]
    request = Choose("next", "Which combat do you resolve next?", "13.1(5)", choices, "1")
    referee.decide(request, referee.side, "1")
    return int(await request) - 1
