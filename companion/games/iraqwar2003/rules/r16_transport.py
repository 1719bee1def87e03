"""[16.2, 16.7] Optional rules: paratroop drop and railroad transport."""

from __future__ import annotations

from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.games.iraqwar2003.land import land_of
from companion.games.iraqwar2003.notation import IRAQI, nation, side_of
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.rules import r05_air_combat as air
from companion.games.iraqwar2003.rules.r04_sequence import check_can_act, disruption_obstacle, mark_moved, undisrupted_units
from companion.games.iraqwar2003.rules.r05_missions import ask_interceptions
from companion.games.iraqwar2003.rules.r07_ground_bombing import sectors_of
from companion.games.iraqwar2003.rules.r08_stacking import ask_stack
from companion.games.iraqwar2003.rules.r09_zones import enemy_zones
from companion.games.iraqwar2003.rules.r10_lines import controller_of, is_controlled_by
from companion.games.iraqwar2003.rules.r11_command_points import pay_command_points
from companion.games.iraqwar2003.rules.r13_combat import Approach, combat_segment
from companion.games.iraqwar2003.rules.r13_results import remove, units_left
from companion.games.iraqwar2003.rules.r14_roads import HEX
from companion.games.iraqwar2003.rules.r15_victory import ask_taken, enter_hexes, is_identified, located_places, take_place
from companion.games.iraqwar2003.state import COALITION, DISRUPTED, DROPPED, IRAQ, MAP, NONE, RAIL, is_hex, place_of, units_in

KUWAIT_CITY = "Kuwait City"


def is_away(referee: IraqWarReferee, piece: Piece) -> bool:
    """[16.2(2)] Return True if a unit is known to be outside Kuwait City."""
    return is_hex(piece.place) and piece.place != land_of(referee.position).hex_of(KUWAIT_CITY)


async def paratroop_drop(referee: IraqWarReferee) -> None:
    """[16.2] Drop one paratroop unit from Kuwait City, once a game; it does nothing more this turn [16.2(6)]."""
    ready = [piece for piece in undisrupted_units(referee.position) if piece.values.get("para") and not is_away(referee, piece)]
    units = await referee.ask_units("unit", "Which paratroop unit jumps? (from Kuwait City)", "16.2(2)", ready, COALITION, 1, 1)
    piece = units[0]
    check_can_act(referee, piece, "drop")
    referee.enforce(disruption_obstacle(piece))
    if not piece.values.get("para"):
        referee.forbid(f"{piece.name} has no paratroop symbol", "16.2(2)", "Name a paratroop unit")
    if is_away(referee, piece):
        referee.forbid(f"{piece.name} stands in {piece.place}, not in Kuwait City", "16.2(2)", "Move there first")
    referee.skip_question("kuwait_city", "the drop starts in Kuwait City, where the unit is", "16.2(2)", as_good=("yes",))
    place = await referee.text("hex", "Into which hex does it jump? (no Iraqi unit there)", "16.2(4)", HEX)
    if enemies := [unit for unit in units_in(referee.position, place) if side_of(unit) == IRAQ]:
        referee.forbid(f"{referee.piece_names(enemies)} in {place}", "16.2(4)", "Name a hex without an Iraqi unit")
    referee.set_flag(DROPPED, True, "16.2(1)")
    if await _flight(referee, piece, place):
        referee.say(f"{piece.name} lands in {place}.", "16.2(3)", tone="board")
        if is_hex(piece.place):
            referee.move(piece.id, place if is_hex(place) else MAP, "16.2(3)", "lands")
        await ask_stack(referee, [referee.piece(piece.id)])
        await _take_place(referee, piece, place)
    mark_moved(referee, [piece])


async def _flight(referee: IraqWarReferee, piece: Piece, place: str) -> bool:
    """[16.2(5)] Fly the drop with escort, interception and air combat; returns whether it gets through.

    Removed by the second roll the unit is lost; otherwise a hit unit stays (ruling C-39). Storms do not ground a drop (ruling
    C-45).
    """
    plan = air.PlannedMission(air.AirGroup(piece, await _ask_escort(referee), air.DROP, air.ESCORT), air.DROP, "", "the drop")
    fate = air.FLYING
    if referee.air_units(IRAQ):
        await referee.enter_display()
        plan = plan._replace(sectors=await sectors_of(referee, COALITION, place if is_hex(place) else ""))
        (plan,) = await ask_interceptions(referee, [plan], COALITION)
        if plan.interceptor:
            mission = air.mission_of(referee, plan)
            assert mission
            fate = (await air.fly([mission], air.TableObserver(referee)))[0].fates[0]
    air.mark_used(referee, [unit for unit in (plan.interceptor, plan.group.other) if unit])
    if fate != air.FLYING:
        referee.say(f"{piece.name} does not get through: SHOT DOWN.", "16.2(5)")
    if fate == air.SHOT_DOWN:
        remove(referee, referee.piece(piece.id), "16.2(5)", "shot down on the way")
    return fate == air.FLYING


async def _take_place(referee: IraqWarReferee, piece: Piece, place: str) -> None:
    """[15.2] Take the VP place at the landing hex, by name or number; else ask."""
    if is_hex(place):
        enter_hexes(referee, piece, [place])
        if is_identified(referee, place):
            referee.skip_question("taken", f"what lies in {place} is known", "15.2", as_good=(NONE, *located_places(referee)))
            return
    chart = referee.chart("places")
    numbered = {chart.text(name, "hex"): name for name in chart.rows if chart.text(name, "hex")}
    place_name = next((name for name in chart.rows if name.casefold() == place.casefold()), numbered.get(place, ""))
    if not place_name:
        await ask_taken(referee, [piece], but=[*numbered.values()] if place.isdecimal() else ())
        return
    referee.skip_question("taken", f"{place} is {place_name}", "15.2", as_good=(place_name,))
    take_place(referee, piece, place_name)


async def _ask_escort(referee: IraqWarReferee) -> Piece | None:
    """[16.2(5)] Ask for an escort."""
    planes = air.ready_for(referee, COALITION, air.ESCORT)
    if not planes:
        return None
    names = air.group_notation([piece.name for piece in planes], planes[0].name)
    choices = [Choice(NONE, "no escort"), *referee.air_choices(planes)]
    text = await Text("escort", "Which unit escorts it?", "16.2(5)", names, choices, NONE)
    escort = next((piece for piece in planes if piece.name == text), None)
    if escort:
        await air.check_unit(referee, escort, air.ESCORT)
    return escort


# -- [16.7] Railroad transport -----------------------------------------------------------------------------------------

_RAIL_REMINDERS = (
    ("zones", "By rail: neither from nor through an enemy zone of control, as on roads.", "16.7(4)"),
    ("broken", "No hex with destroyed roads: the railroad is destroyed there too.", "16.7.1(1)"),
    ("enemy", "No hex that the enemy controls.", "16.7(5)"),
)
"""What only the player can check."""


async def rail_transport(referee: IraqWarReferee) -> None:
    """[16.7] Move one Iraqi unit a turn along the railroad as its movement, for 1 CP; it may attack (ruling C-25)."""
    ready = [piece for piece in undisrupted_units(referee.position) if nation(piece) == IRAQI]
    units = await referee.ask_units("unit", "Which Iraqi unit goes by rail?", "16.7(1)", ready, IRAQ, 1, 1)
    piece = units[0]
    check_can_act(referee, piece, "go by rail")
    if nation(piece) != IRAQI:
        referee.forbid(f"{piece.name} is not an Iraqi unit", "16.7(1)", "Name an Iraqi unit")
    referee.enforce(disruption_obstacle(piece))
    for key, text, rule in _RAIL_REMINDERS:
        referee.say(text, rule, tone="reminder")
        referee.skip_question(key, text.rstrip("."), rule, "Choose another way", as_good=("no",))
    pay_command_points(referee, [piece], "railroad transport of", "11.2(1)")
    referee.set_flag(RAIL, True, "16.7(1)")
    referee.say(f"{piece.name} goes by rail, whatever its movement value.", "16.7(3)", tone="board")
    await _arrive(referee, piece)
    await ask_stack(referee, [referee.piece(piece.id)])
    await _attack(referee, piece)
    mark_moved(referee, [piece])


async def _arrive(referee: IraqWarReferee, piece: Piece) -> None:
    """[16.7(4), 16.7(5)] Ask for the destination and check zones and control of both hexes."""
    if not is_hex(piece.place):
        return
    place = await referee.text(
        "to", "To which hex does it go? (?: no digits known)", "16.7(3)", Notation("hex", "1321", place_of)
    )
    zoned = enemy_zones(referee.position, [piece])
    for number in (piece.place, place):
        if number in zoned:
            referee.forbid(f"{number} lies in an enemy zone of control", "16.7(4)", "By rail neither from nor into one")
    if is_hex(place) and controller_of(referee.position, place) and not is_controlled_by(referee.position, place, IRAQ):
        referee.forbid(f"the enemy controls {place}", "16.7(5)", "Choose another hex")
    referee.move(piece.id, place, "16.7(3)", "by rail")
    enter_hexes(referee, piece, [place] if is_hex(place) else [])


async def _attack(referee: IraqWarReferee, piece: Piece) -> None:
    """[4.1(4-2), 16.7(4)] The unit's combat segment: only disrupted enemies can be adjacent [7.3.1(2)]."""
    units = units_left(referee, [piece.id])
    if units and any(unit.mark(DISRUPTED) for unit in units_on_map_of(referee.position, COALITION)):
        await combat_segment(referee, units, moved=Approach("16.7(4)"))
        return
    text = "beside it, where no enemy zone of control is, there can be no enemy that is not disrupted"
    referee.skip_question("attack", text, "16.7(4)", as_good=(NONE,))
