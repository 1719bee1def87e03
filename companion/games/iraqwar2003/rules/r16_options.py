"""[16.1, 16.3, 16.4, 16.6, 16.8] Optional rules: palace, artillery, anti-air unit, sand storms, reinforcements."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.game import Obstacle
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Pick
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import BAGHDAD, land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, reinforcements_due, units_on_map_of
from companion.games.iraqwar2003.rules import r08_map, r15_control


def available_artillery(
    referee: IraqWarReferee, supported: Sequence[Piece], fighting: Sequence[Piece], target: str = ""
) -> list[Piece]:
    """[16.3(1), 16.3(3), 16.3(5)] Artillery that may support: undisrupted, outside the combat, fitting division, in range."""
    guns = [piece for piece in units_on_map_of(referee.position, state.COALITION) if piece.number("range")]
    return [piece for piece in guns if not _artillery_excluded(referee, supported, fighting, target, piece)]


def _artillery_excluded(
    referee: IraqWarReferee, supported: Sequence[Piece], fighting: Sequence[Piece], target: str, piece: Piece
) -> tuple[str, str] | None:
    """[16.3(1), 16.3(2), 16.3(3), 16.3(5)] Why a unit on the map cannot support a combat with artillery, and the rule."""
    if not piece.number("range"):
        return "{} has no range: it is no artillery", "16.3(1)"
    if piece.mark(state.DISRUPTED):
        return "{} is disrupted", "7.3.1"
    if piece.id in [unit.id for unit in fighting]:
        return "{} fights in this combat itself", "16.3(2)"
    division = notation.division_of(piece)
    if division and any(notation.division_of(unit) != division for unit in supported):
        return "{} supports its own division only", "16.3(5)"
    if r08_map.in_range(referee.position, piece, target) is False:
        return f"{{}} is out of range of {target}", "16.3(3)"
    return None


def support_value(referee: IraqWarReferee, piece: Piece, all_halved: bool = False, defending: bool = False) -> int:
    """[16.3(2)] The support value, halved out of supply (ruling C-32) or with its units (C-38), up for defenders [13.3(8)]."""
    value = notation.artillery_value(piece)
    if piece.mark(state.OUT_OF_SUPPLY) and referee.option("artillery_supply") != "full":
        value //= 2
    if all_halved and referee.option("artillery_halving") == "before":
        value = (value + defending) // 2
    return value


async def artillery_support(
    referee: IraqWarReferee, attackers: Sequence[Piece], defenders: Sequence[Piece], river: Sequence[str], target: str = ""
) -> tuple[int, int]:
    """[16.3(2), 16.3(6)] Ask for artillery; returns what it adds to both sides. The player judges unknown ranges [16.3(3)]."""
    if not referee.has_rule(state.ARTILLERY):
        return 0, 0
    attack = bool(attackers) and notation.side_of(attackers[0]) == state.COALITION
    supported = attackers if attack else defenders
    guns = available_artillery(referee, supported, [*attackers, *defenders], target)
    if not guns:
        referee.skip_question("artillery", "no artillery that may support them is in range", "16.3(3)", equivalent=("none",))
        return 0, 0
    prompt = f"Which artillery in range of the hex attacked supports {referee.piece_names(supported)}?"
    ranges = {gun.name: r08_map.in_range(referee.position, gun, target) for gun in guns}
    near = [name for name, within_it in ranges.items() if within_it]
    request = Pick("artillery", prompt, "16.3(4)", referee.unit_choices(guns), suggest=near)
    request.why_not = referee.excluded_unit(partial(_artillery_excluded, referee, supported, [*attackers, *defenders], target))
    request.seat = state.COALITION
    all_known = None not in ranges.values()
    chosen = await (referee.ask_own(state.COALITION, request, near) if all_known else request)
    used = [gun for gun in guns if gun.name in chosen]
    if not used:
        return 0, 0
    if attack:
        halved = all(piece.id in river or piece.mark(state.OUT_OF_SUPPLY) for piece in attackers)
    else:
        halved = all(piece.mark(state.DISRUPTED) for piece in defenders)
    values = [support_value(referee, piece, halved, not attack) for piece in used]
    total = sum(values)
    rows = [f"{piece.name}: {value}, range {piece.number('range')}" for piece, value in zip(used, values, strict=True)]
    referee.say(f"Artillery adds {total} to {referee.piece_names(supported)}.", "16.3(2)", *rows)
    return (total, 0) if attack else (0, total)


async def anti_air_unit_fire(referee: IraqWarReferee, near: Sequence[str] = (), target: str = "") -> tuple[int, ...]:
    """[16.4(1), 16.4(2)] The undisrupted [16.4(4)] unit's shot over a hex. ``near``: ids of units in or beside it."""
    shot = (referee.chart("anti_air").number("unit", "firepower"),)
    units = [piece for piece in units_on_map_of(referee.position, state.IRAQ) if piece.number("anti_air")]
    if not units or not referee.has_rule(state.ANTI_AIR_UNIT):
        return ()
    able = [piece for piece in units if not piece.mark(state.DISRUPTED)]
    if not able:
        referee.say(f"No anti-air fire from {referee.piece_names(units)}: disrupted.", "16.4(4)")
        return ()
    if any(piece.id in near for piece in able):
        return shot
    if target and any(state.is_hex(piece.place) for piece in able):
        await r08_map.ask_orientation(referee)
    near_target = {r08_map.is_within(referee.position, piece, target, 1) for piece in able}
    if True in near_target or near_target == {False}:
        where, answer = ("within 1 hex of", "yes") if True in near_target else ("more than 1 hex from", "no")
        text = f"{referee.names_with_verb(able, 'is', 'are')} {where} {target}"
        referee.skip_question("aa_unit", text, "16.4(2)", equivalent=(answer,))
        return shot if True in near_target else ()
    prompt = f"Is {referee.piece_names(able)} in the target hex or adjacent to it?"
    with referee.acting_as(state.IRAQ):
        return shot if await referee.confirm("aa_unit", prompt, "16.4(2)", suggest=False) else ()


# -- [16.6, 16.8] Sand storms and reinforcements -----------------------------------------------------------------------


async def roll_weather(referee: IraqWarReferee) -> None:
    """[16.6(2)] At the start of each turn Iraq rolls for sand storms."""
    if not referee.has_rule(state.SAND_STORMS):
        return
    with referee.acting_as(state.IRAQ):
        face, now = await referee.die("weather", "Weather, Iraq rolls: sand storms on 6", "16.6(2)")
    storm, before = now == "storm", bool(referee.position.flag(state.STORM))
    referee.set_flag(state.STORM, True if storm else None, "16.6(2)")
    referee.say(f"Weather: {face}, storms on 6. {'SAND STORMS this turn' if storm else 'Clear'}.", "16.6(2)")
    if storm != before:
        referee.instruct(f"Turn the weather marker to Weather {'Sand Storm' if storm else 'Clear'}.", "16.6(1)")
    if storm:
        referee.say("Flying units move at half their value and like any other unit this turn.", "16.6(4)", tone="reminder")


async def roll_visibility(referee: IraqWarReferee, occasion: str) -> None:
    """[16.6(3)] In a sand storm, one die per phase or combat segment may ground all air units."""
    end_visibility(referee)
    if not referee.position.flag(state.STORM):
        return
    prompt = f"Sand storm: all air units are grounded on 4-6 in this {occasion}"
    face, now = await referee.die("visibility", prompt, "16.6(3)")
    grounded = now == "grounded"
    referee.set_flag(state.GROUNDED, grounded or None, "16.6(3)")
    referee.say(f"Visibility: {face}, grounded on 4-6. Air units {'stay on the ground' if grounded else 'can fly'}.", "16.6(3)")


def end_visibility(referee: IraqWarReferee) -> None:
    """[16.6(3)] End the grounding with its phase or segment (ruling C-45)."""
    referee.set_flag(state.GROUNDED, None, "16.6(3)")


async def reinforce(referee: IraqWarReferee) -> None:
    """[16.8, 8.2(1)] Bring due units into Kuwait City or an adjacent hex, stack by stack; lost if Iraq holds the city."""
    arriving = reinforcements_due(referee.position)
    if not arriving:
        return
    if await _are_lost(referee):
        for piece in arriving:
            referee.move(piece.id, state.ASIDE, "16.8(3)", "reinforcements lost")
        referee.say(f"{referee.piece_names(arriving)} cannot arrive: lost, but not counted as eliminated.", "16.8(3)")
        return
    while arriving:
        together = await _ask_stack_arriving(referee, arriving)
        place = await _ask_arrival_hex(referee, together)
        for piece in together:
            referee.move(piece.id, place, "16.8(2)", "reinforcement")
        title = "one hex, Kuwait City or beside it" if place == state.MAP else place
        referee.say(f"{referee.names_with_verb(together, 'arrives', 'arrive')} in {title}.", "16.8(2)", tone="board")
        await r08_map.ask_stack(referee, [referee.piece(piece.id) for piece in together])
        arriving = reinforcements_due(referee.position)


async def _ask_stack_arriving(referee: IraqWarReferee, arriving: Sequence[Piece]) -> list[Piece]:
    """[8.2(1)] Ask which reinforcements arrive in the same hex; as many as can stack are suggested."""
    if len(arriving) == 1:
        return list(arriving)
    fitting: list[Piece] = []
    for piece in arriving:
        fitting += [piece] if r08_map.can_stack([*fitting, piece]) else []
    suggest = [piece.name for piece in fitting]
    prompt = "Which reinforcements arrive together, in Kuwait City or beside it?"
    request = Pick("units", prompt, "16.8(2)", referee.unit_choices(arriving), 1, suggest=suggest)
    chosen = await referee.ask_own(state.COALITION, request, suggest)
    together = [piece for piece in arriving if piece.name in chosen]
    for text, rule in r08_map.stacking_faults(together):
        referee.forbid(text, rule, "Name units that may stack; the others arrive next, in another hex")
    return together


async def _are_lost(referee: IraqWarReferee) -> bool:
    """[16.8(3)] Whether Iraq controls Kuwait City: asked only while Iraqi units in unknown hexes may have entered it."""
    position, city = referee.position, r08_map.SOURCES[notation.US]
    units = [piece for piece in state.units_in(position, city) if notation.nation(piece) in r15_control.CONTROLLER]
    is_lost = r15_control.controller_of(position, city) == state.IRAQ
    unknown = any(notation.is_iraqi(piece) for piece in position.at(state.MAP))
    if unknown and not units:
        return await referee.confirm("held", "Does Iraq control Kuwait City?", "16.8(3)", suggest=is_lost)
    holder = "Iraq holds it" if is_lost else "Iraq does not hold it"
    text = f"Kuwait City: {referee.names_with_verb(units, 'is', 'are')} there" if units else f"Kuwait City: {holder}"
    referee.skip_question("held", text, "16.8(3)", equivalent=("yes" if is_lost else "no",))
    return is_lost


async def _ask_arrival_hex(referee: IraqWarReferee, units: Sequence[Piece]) -> str:
    """[16.8(2), 8.2(1)] Ask for the arrival hex; without known hexes, somewhere on the map."""
    land, city = land_of(referee.position), r08_map.SOURCES[notation.US]
    if not land.orientation or not r08_map.units_in_hexes(referee.position, state.COALITION):
        return state.MAP
    hexes = [city, *land.neighbours(city)]
    possible = [number for number in hexes if not _arrival_obstacle(referee, units, number)] or [city]
    open_hexes = [number for number in possible if r08_map.fits(referee.position, units, number)] or possible
    named = {number: Choice(number, f"{number} {land.place(number)}".strip()) for number in hexes}
    offered, others = [named[number] for number in open_hexes], [named[number] for number in hexes if number not in open_hexes]
    request = Choose("where", "In which hex do they arrive?", "16.8(2)", offered, open_hexes[0], others, "hex")
    place = await referee.ask_own(state.COALITION, request, open_hexes[0])
    referee.enforce(_arrival_obstacle(referee, units, place))
    return place


def _arrival_obstacle(referee: IraqWarReferee, units: Sequence[Piece], number: str) -> Obstacle | None:
    """[16.8(2)] Why reinforcements cannot arrive in a hex: it is closed, or Iraq controls it (ruling C-56)."""
    if obstacle := r08_map.arrival_obstacle(referee.position, units, number, "12.1(4)"):
        return obstacle
    if r15_control.controller_of(referee.position, number) != state.IRAQ:
        return None
    return Obstacle(f"Iraq controls {number}", "16.8(2)", "Name Kuwait City or a hex beside it that Iraq does not control")


# -- [16.1] Presidential Palace ----------------------------------------------------------------------------------------

MARKERS = ("Sadam Husein", "I.M. Sahaf", "Dummy")


async def intelligence(referee: IraqWarReferee) -> bool:
    """[16.1] Roll for intelligence at the start of each Facility Bombing Phase: 5 or 6 allows bombing the palace."""
    if not referee.has_rule(state.PALACE) or not referee.position.at(state.PALACE):
        return False
    face, word = await referee.die("intelligence", "Intelligence on Saddam: on 5-6 you may bomb a palace this turn", "16.1")
    is_found = word == "found"
    effect = "may be bombed" if is_found else "is off limits"
    referee.say(f"Intelligence: {face}, needs 5-6. The palace {effect} this turn.", "16.1")
    return is_found


async def uncover_marker(referee: IraqWarReferee) -> None:
    """[16.1(3)] Reveal the palace marker that was hit."""
    name = await referee.draw("marker", "Which palace marker was hit?", "16.1(3)", state.PALACE, MARKERS, "marker", "palace")
    piece = next((marker for marker in referee.position.at(state.PALACE) if marker.name == name), None)
    if name == MARKERS[0]:
        referee.set_flag(state.SADDAM, state.FOUND, "16.1(4)")
        text = f"SADDAM HUSSEIN is hit: {referee.points('saddam')}. From now on Iraq rolls for its command points."
        referee.say(text, "16.1(4)")
    elif name == MARKERS[1]:
        await _minister(referee)
        return
    else:
        referee.say("It was a dummy.", "16.1(5)")
    if piece:
        referee.move(piece.id, state.ASIDE, "16.1(3)", "bombed")


async def _minister(referee: IraqWarReferee) -> None:
    """[16.1(6)] Minister Sahaf speaks; his marker goes back to the pool (ruling C-26)."""
    if await _americans_in_baghdad(referee):
        referee.say("Americans are in Baghdad: the minister is not believed, no VP lost. Shuffle his marker back in.", "16.1(6)")
        return
    referee.shift_track("sahaf", 1, "16.1(6)", "the minister's press conference")
    referee.say(f"Minister Sahaf holds a press conference: {referee.points('sahaf')}. Shuffle his marker back in.", "16.1(6)")


async def _americans_in_baghdad(referee: IraqWarReferee) -> bool:
    """[16.1(6)] Whether an American ground unit is in Baghdad; asked unless hexes are known."""
    units = [piece for piece in units_on_map_of(referee.position, state.COALITION) if notation.nation(piece) == notation.US]
    in_baghdad = [piece for piece in units if piece.place in BAGHDAD]
    if in_baghdad or (units and all(state.is_hex(piece.place) for piece in units)):
        text = f"{referee.names_with_verb(in_baghdad, 'is', 'are')} in Baghdad" if in_baghdad else "no American is in Baghdad"
        referee.skip_question("americans", text, "16.1(6)", equivalent=("yes" if in_baghdad else "no",))
        return bool(in_baghdad)
    return await referee.confirm("americans", "Is an American ground unit in either hex of Baghdad?", "16.1(6)", suggest=False)
