"""[4.0, 7.3.3, 12.0, 16.2, 16.7] The Operation Phase: orders, recovery, paratroop drop, railroad transport."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.text import clean
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import land_of, read_ground
from companion.games.iraqwar2003.referee import IraqWarReferee, side_units_in, units_on_map_of
from companion.games.iraqwar2003.rules import (
    r03_turn,
    r04_sequence,
    r05_air,
    r06_bombing,
    r08_map,
    r12_movement,
    r13_combat,
    r13_results,
    r15_control,
    r15_victory,
)

DONE, RECOVER, ROAD = "done", "recover", "road"
"""Answers in place of an order: no other unit acts, units recover, a unit works on roads."""


async def operate(referee: IraqWarReferee) -> None:
    """[4.1(4)] Move and attack with a unit or stack; or recover [7.3.3], work on roads [14.1], end the turn."""
    order_text = await _ask_order(referee)
    word, _, rest = order_text.partition(" ")
    if order_text == DONE:
        await r03_turn.end_player_turn(referee)
    elif word == RECOVER:
        await _recover(referee, await referee.units_named(rest))
    elif word == ROAD:
        await r12_movement.work_on_roads(referee, (await referee.units_named(rest))[0])
    else:
        await _carry_out_order(referee, Order(*map(str.strip, order_text.split(">"))))


UNIT_FIGURES = "6-5-8: attack-defence-movement"
"""[2.2.6 - 2.2.8] What the figures beside a ground unit are."""


def _order_example(referee: IraqWarReferee, ready: Sequence[Piece]) -> str:
    """An order that can be carried out now: a unit and the farthest hex within its reach, if the map is known."""
    for piece in ready:
        if (reach := _reach_of(referee, [piece])) and len(reach.spent) > 1:
            return f"{piece.name} > {max(reach.spent, key=lambda number: reach.spent[number])}"
    return f"{ready[0].name} > road, road" if ready else DONE


def _reach_of(referee: IraqWarReferee, units: Sequence[Piece]) -> r12_movement.Reach | None:
    """[12.1 - 12.5] The hexes within reach of units that are together in a known hex; None where the map is not known."""
    if not state.hex_of(units) or not land_of(referee.position).orientation:
        return None
    return r12_movement.MovementField(referee.position, notation.side_of(units[0]), referee.chart("movement")).reach(units)


async def _ask_order(referee: IraqWarReferee) -> str:
    """[4.1(4-1)] Ask for the next order; where the map is known, Companion's side gives its own."""
    ready, side = r04_sequence.undisrupted_units(referee.position), referee.side
    prompt = f"Which {state.SIDE_TITLES[side]} unit acts, or stack? (> path or its last hex > target; or {DONE}; {UNIT_FIGURES})"
    request = Text("units", prompt, "12.1(1)", order_notation(referee, ready, side), lambda: referee.ordered_unit_choices(ready))
    request.sample = partial(_order_example, referee, ready)
    if referee.computer_plays(side) and referee.option("opponent") and (order := await referee.planner.order(side)):
        referee.decide(request, side, order)
    return await request


async def _carry_out_order(referee: IraqWarReferee, order: Order) -> None:
    """[4.1(4)] The three segments of a unit or stack."""
    units = await _movers(referee, order)
    movers = [mover_of(referee, piece) for piece in units]
    path = await _ask_path(referee, units, movers, order)
    units = r13_results.units_left(referee, [unit.id for unit in units])
    if path.hexes:
        if any("zoc" in words and notation.is_turkish(piece) for words in path.hexes for piece in units):
            referee.say("Only zones of control of Kurdish units are open to the Turkish unit.", "16.10(3)", tone="reminder")
        await r08_map.ask_stack(referee, units)
        await _take_places(referee, units, path, all(mover.fly for mover in movers))
    units = r13_results.units_left(referee, [unit.id for unit in units])
    if units:
        walked = bool(path.hexes) and not all(mover.fly for mover in movers)
        in_city = True if path.hexes and "city" in path.hexes[-1] else None
        clear = "12.3(1)" if walked and "zoc" not in path.hexes[-1] else ""
        await r13_combat.combat_segment(referee, units, in_city, r13_combat.Approach(clear, walked, order.target, not path.hexes))
    r04_sequence.mark_moved(referee, units)


async def _movers(referee: IraqWarReferee, order: Order) -> list[Piece]:
    """[12.1(1), 7.3.1(1), 11.2(1)] The units that act: able to, paid for, in one hex."""
    units = await referee.units_named(order.units)
    for piece in units:
        r04_sequence.check_can_act(referee, piece, "move")
        referee.enforce(r04_sequence.disruption_obstacle(piece))
    for text, rule in r08_map.stacking_faults(units):
        referee.forbid(text, rule, "Move them one by one")
    apart = dict.fromkeys(piece.place for piece in units if state.is_hex(piece.place))
    if len(apart) > 1:
        text = f"{referee.piece_names(units)} are in {' and '.join(apart)}, not in one stack"
        referee.forbid(text, "12.1(1)", "Move them one by one")
    r04_sequence.pay_command_points(referee, units, "moving and fighting with", "11.2(1)")
    return [referee.place_at(piece, state.hex_of(units)) for piece in units]


class Order(NamedTuple):
    """An order in one line: ``1/3ID, 2/3ID > 2332 2331 > 2231``; parts not given are ""."""

    units: str
    way: str = ""
    target: str = ""


def order_notation(referee: IraqWarReferee, ready: Sequence[Piece], side: state.Side) -> Notation:
    """Notation of an order: units, path and target separated by ``>``; or ``recover 51M``, ``road SF1``, ``done``."""
    units = referee.unit_list(ready, side, 1, 6)

    def attacked(text: str) -> str:
        return r13_combat.targets(referee, ready, units_on_map_of(referee.position, state.other(side))).read(text)

    reads: tuple[Callable[[str], str], ...] = (units.read, lambda text: notation.PATH.read(text or notation.STAY), attacked)

    def read(text: str) -> str:
        word, _, rest = clean(text).partition(" ")
        if word.casefold() in (RECOVER, ROAD) and rest:
            return f"{word.casefold()} {units.read(rest)}"
        if clean(text).casefold() == DONE:
            return DONE
        parts = [part.strip() for part in clean(text).split(">")]
        if len(parts) > len(reads):
            raise Unreadable(f"{len(parts)} parts are too many", rule="12.1(1)", cure="Like this: 1/3ID, 2/3ID > 2332 2331 > 11D")
        return " > ".join(reader(part) for reader, part in zip(reads, parts, strict=False))

    example = f"{ready[0].name} > road, road" if ready else units.example
    return Notation("units", example, read, slash=" > ")


async def _ask_path(
    referee: IraqWarReferee, units: Sequence[Piece], movers: Sequence[r12_movement.Mover], order: Order
) -> notation.Path:
    """[12.1(2), 12.2] Ask for the path, charge each unit for it, and move them."""
    chart = referee.chart("movement")

    def is_legal(example: Choice) -> bool:
        path = notation.read_path(example.value)
        return not any(r12_movement.path_cost(path, mover, chart).faults for mover in movers)

    examples = [] if order.way else list(filter(is_legal, _PATH_EXAMPLES))
    request = Text("way", partial(_path_prompt, referee, units), "12.2", notation.PATH, examples)
    typed = _cheapest_path(referee, units, notation.read_path(order.way or await request))
    fly = all(mover.fly for mover in movers)
    path = r12_movement.apply_mountain_option(referee, await r12_movement.resolve_path(referee, units, typed, fly))
    ends_early = True
    for mover in movers:
        cost = r12_movement.path_cost(path, mover, chart)
        for text, rule in dict.fromkeys(cost.faults):
            referee.forbid(text, rule, "Name another way")
        if path.hexes:
            r12_movement.say_cost(referee, mover, cost)
            ends_early = ends_early and 2 * cost.left >= r12_movement.in_halves(mover.move)
    if path.hexes and ends_early and not referee.computer_plays(referee.side):
        text = f"{referee.names_with_verb(units, 'moves', 'move')} once a turn: what is left of the points is lost"
        referee.say(f"{text}. To go on, take this back and name the whole way.", "12.1(6)", tone="reminder")
    _move_along(referee, units, path)
    return path


def _path_prompt(referee: IraqWarReferee, units: Sequence[Piece]) -> str:
    """The question for the whole path, with the hexes beside the units and their cost where the map is known."""
    start, reach = state.hex_of(units), _reach_of(referee, units)
    words = "road, zoc, river, large, swamp, city, port ..."
    if not reach:
        return f"Which hexes do they enter, in order? (all of them: they move once; 2332 2331; or {words})"
    around = land_of(referee.position).neighbours(start)
    near = [f"{number} {r12_movement.points(reach.spent[number])}" for number in around if number in reach.spent]
    beside = f"beside {start}, with their MP: {', '.join(near) or 'none'}"
    return f"Which hexes do they enter, in order, or which is the last? (they move once; {beside}; or {words})"


def _cheapest_path(referee: IraqWarReferee, units: Sequence[Piece], path: notation.Path) -> notation.Path:
    """[12.1(2)] The cheapest path to a hex within reach that was typed alone and is not beside the units; else as typed."""
    start = path.at or state.hex_of(units)
    if len(path.hexes) != 1 or any(path.hexes) or not start or path.end == start:
        return path
    if land_of(referee.position).adjacent(start, path.end) is not False:
        return path
    reach = _reach_of(referee, units)
    if not reach or path.end not in reach.spent:
        return path
    numbers = " ".join(reach.path(path.end))
    referee.say(f"The cheapest way to {path.end}: {numbers}.", "12.1(2)")
    return notation.read_path(numbers)


def _move_along(referee: IraqWarReferee, units: Sequence[Piece], path: notation.Path) -> None:
    """[12.1(3)] Move the units to the end of the path: a hex, or somewhere on the map."""
    place = (path.end or state.MAP) if path.hexes else path.at
    if not place:
        return
    if place == state.MAP and state.hex_of(units):
        text = f"Companion does not know where {referee.piece_names(units)} are now: the way ends in a hex without digits"
        referee.say(f"{text} (adjust {units[0].name} 2231).", "2.1.1(1)", tone="reminder")
    way = " ".join(path.numbers[:-1]) if referee.computer_plays(referee.side) else ""
    for piece in units:
        referee.move(piece.id, place, "12.1(3)", (f"by {way}" if way else "moves") if path.hexes else "where it stands")


_PATH_EXAMPLES = (
    Choice("stay", "it does not move"),
    Choice("road, road, road", "three hexes along a road"),
    Choice("plain, river", "the second across a minor river"),
    Choice("from zoc, plain zoc", "from one zone of control to another"),
    Choice("road", "a hex along a road"),
    Choice("plain", "a plain hex"),
    Choice("river", "a hex behind a minor river"),
)
"""Examples of paths, and single hexes to combine: ``road, river``."""


async def _take_places(referee: IraqWarReferee, units: Sequence[Piece], path: notation.Path, flying: bool) -> None:
    """[15.2] Take the VP places on the path, and keep the hex they leave; for unidentified cities and ports, ask."""
    first = r15_control.first_controlled(referee, len(path.hexes), flying)
    r15_control.enter_hexes(referee, units[0], [path.at, *path.numbers[first:]])
    numbers = path.numbers or ("",) * len(path.hexes)
    places = [index for index, words in enumerate(path.hexes) if index >= first and words & {"city", "port"}]
    named = [index for index in places if not r15_victory.is_identified(referee, numbers[index])]
    if not named:
        return
    kinds = () if any("city" in path.hexes[index] for index in named) else (r15_victory.PORT,)
    elsewhere = r15_victory.located_places(referee) if all(numbers[index] for index in named) else ()
    taken = await r15_victory.ask_taken(referee, units, len(named), kinds, elsewhere)
    if len(named) == len(taken) == 1 and numbers[named[0]]:
        await r08_map.learn_map_facts(referee, {f"hex:{numbers[named[0]]}": str(read_ground(taken[0]))}, "15.2")


def mover_of(referee: IraqWarReferee, piece: Piece) -> r12_movement.Mover:
    """[10.0(6), 16.6(4)] A unit with its current movement value."""
    printed, flies = notation.printed_side(piece).move, bool(piece.values.get("fly"))
    cut, storm = bool(piece.mark(state.OUT_OF_SUPPLY)), bool(referee.position.flag(state.STORM))
    value, fly = r12_movement.movement_value(printed, flies, cut, storm)
    if rules := [rule for rule, holds in (("10.0(6)", cut), ("16.6(4)", storm and flies)) if holds]:
        twice = f" [{rules[0]}] and again" if len(rules) > 1 else ""
        referee.say(f"{piece.name} moves {value}, {printed} halved{twice}.", rules[-1])
    return r12_movement.Mover(piece.name, value, fly)


async def recover(referee: IraqWarReferee) -> None:
    """[7.3.3] Disrupted units spend the phase to recover."""
    disrupted = r04_sequence.recoverable_units(referee.position)
    units = await referee.ask_units("units", "Which disrupted units recover?", "7.3.3", disrupted, referee.side, 1)
    await _recover(referee, units)


async def _recover(referee: IraqWarReferee, units: Sequence[Piece]) -> None:
    """[7.3.3, 11.2(2)] Remove disruption where it is allowed."""
    for piece in units:
        r04_sequence.check_can_act(referee, piece, "recover")
        referee.enforce(r04_sequence.recovery_obstacle(referee.position, piece))
    r04_sequence.pay_command_points(referee, units, "recovery of", "11.2(2)")
    for piece in units:
        referee.mark(piece.id, state.DISRUPTED, None, "7.3.3", "recovered")
    r04_sequence.mark_moved(referee, units)
    referee.say(f"{referee.names_with_verb(units, 'recovers', 'recover')} from disruption.", "7.3.3")


# -- [16.2] Paratroop drop ---------------------------------------------------------------------------------------------

KUWAIT_CITY = "Kuwait City"


def is_away(referee: IraqWarReferee, piece: Piece) -> bool:
    """[16.2(2)] Return True if a unit is known to be outside Kuwait City."""
    return state.is_hex(piece.place) and piece.place != land_of(referee.position).hex_of(KUWAIT_CITY)


async def paratroop_drop(referee: IraqWarReferee) -> None:
    """[16.2] Drop one paratroop unit from Kuwait City, once a game; it does nothing more this turn [16.2(6)]."""
    paratroops = [piece for piece in r04_sequence.undisrupted_units(referee.position) if piece.values.get("para")]
    ready = [piece for piece in paratroops if not is_away(referee, piece)]
    prompt = "Which paratroop unit jumps? (from Kuwait City)"
    units = await referee.ask_units("unit", prompt, "16.2(2)", ready, state.COALITION, 1, 1, described="para")
    piece = units[0]
    r04_sequence.check_can_act(referee, piece, "drop")
    referee.enforce(r04_sequence.disruption_obstacle(piece))
    if not piece.values.get("para"):
        referee.forbid(f"{piece.name} has no paratroop symbol", "16.2(2)", "Name a paratroop unit")
    if is_away(referee, piece):
        referee.forbid(f"{piece.name} is in {piece.place}, not in Kuwait City", "16.2(2)", "Move there first")
    referee.skip_question("kuwait_city", "the drop starts in Kuwait City, where the unit is", "16.2(2)", equivalent=("yes",))
    hexes = (f"{column}{row}" for row in range(22, 40) for column in range(17, 30))
    free = next(name for name in hexes if not side_units_in(referee.position, state.IRAQ, name))
    target = r12_movement.HEX._replace(example=free)
    place = await referee.text("hex", "Into which hex does it jump? (no Iraqi unit there)", "16.2(4)", target)
    referee.enforce(r08_map.arrival_obstacle(referee.position, units, place, "16.2(4)"))
    referee.set_flag(state.DROPPED, True, "16.2(1)")
    if await _flight(referee, piece, place):
        referee.say(f"{piece.name} lands in {place}.", "16.2(3)", tone="board")
        referee.move(piece.id, place if state.is_hex(place) else state.MAP, "16.2(3)", "lands")
        await r08_map.ask_stack(referee, [referee.piece(piece.id)])
        await _take_landing_place(referee, piece, place)
    r04_sequence.mark_moved(referee, [piece])


async def _flight(referee: IraqWarReferee, piece: Piece, place: str) -> bool:
    """[16.2(5)] Fly the drop, even in a storm (ruling C-45); a hit unit stays or is lost (C-39). True if it gets through."""
    group = r05_air.AirGroup(piece, await _ask_escort(referee), r05_air.DROP, r05_air.ESCORT)
    plan = r05_air.PlannedMission(group, r05_air.DROP, "", "the drop")
    fate = r05_air.FLYING
    if referee.air_units(state.IRAQ):
        await referee.enter_display()
        plan = plan._replace(sectors=await r06_bombing.sectors_of(referee, state.COALITION, place if state.is_hex(place) else ""))
        (plan,) = await r06_bombing.ask_interceptions(referee, [plan], state.COALITION)
        if plan.interceptor:
            mission = r05_air.mission_of(referee, plan)
            assert mission
            fate = (await r05_air.fly([mission], r05_air.TableObserver(referee)))[0].fates[0]
    r05_air.mark_used(referee, [unit for unit in (plan.interceptor, plan.group.other) if unit])
    if fate != r05_air.FLYING:
        lost = "SHOT DOWN" if fate == r05_air.SHOT_DOWN else "it stays in Kuwait City, and the drop is used"
        referee.say(f"{piece.name} does not get through: {lost}.", "16.2(5)")
    if fate == r05_air.SHOT_DOWN:
        r13_results.remove(referee, referee.piece(piece.id), "16.2(5)", "shot down on the way")
    return fate == r05_air.FLYING


async def _take_landing_place(referee: IraqWarReferee, piece: Piece, place: str) -> None:
    """[15.2] Take the VP place at the landing hex, by name or number; else ask."""
    if state.is_hex(place):
        r15_control.enter_hexes(referee, piece, [piece.place, place])
        if r15_victory.skip_identified(referee, place):
            return
    chart = referee.chart("places")
    numbered = {chart.text(name, "hex"): name for name in chart.rows if chart.text(name, "hex")}
    place_name = next((name for name in chart.rows if name.casefold() == place.casefold()), numbered.get(place, ""))
    if not place_name:
        await r15_victory.ask_taken(referee, [piece], but=[*numbered.values()] if place.isdecimal() else ())
        return
    referee.skip_question("taken", f"{place} is {place_name}", "15.2", equivalent=(place_name,))
    r15_control.take_place(referee, piece, place_name)


async def _ask_escort(referee: IraqWarReferee) -> Piece | None:
    """[16.2(5)] Ask for an escort."""
    planes = r05_air.ready_for(referee, state.COALITION, r05_air.ESCORT)
    if not planes:
        return None
    names = r05_air.group_notation([piece.name for piece in planes], planes[0].name)
    choices = [Choice(state.NONE, "no escort"), *referee.air_choices(planes)]
    text = await Text("escort", "Which unit escorts it?", "16.2(5)", names, choices, state.NONE)
    escort = next((piece for piece in planes if piece.name == text), None)
    if escort:
        await r05_air.check_unit(referee, escort, r05_air.ESCORT)
    return escort


# -- [16.7] Railroad transport -----------------------------------------------------------------------------------------

_RAIL_REMINDERS = (
    ("zones", "By rail: neither from nor through an enemy zone of control, as on roads.", "16.7(4)"),
    ("broken", "No hex with destroyed roads: the railroad is destroyed there too.", "16.7.1(1)"),
    ("enemy", "No hex that the enemy controls.", "16.7(5)"),
)
"""What only the player can check where the railroad has not been entered."""


async def rail_transport(referee: IraqWarReferee) -> None:
    """[16.7] Move one Iraqi unit a turn along the railroad as its movement, for 1 CP; it may attack (ruling C-25)."""
    ready = [piece for piece in r04_sequence.undisrupted_units(referee.position) if notation.is_iraqi(piece)]
    units = await referee.ask_units("unit", "Which Iraqi unit goes by rail?", "16.7(1)", ready, state.IRAQ, 1, 1)
    piece = units[0]
    r04_sequence.check_can_act(referee, piece, "go by rail")
    if not notation.is_iraqi(piece):
        referee.forbid(f"{piece.name} is not an Iraqi unit", "16.7(1)", "Name an Iraqi unit")
    referee.enforce(r04_sequence.disruption_obstacle(piece))
    is_known = land_of(referee.position).has_rails and state.is_hex(piece.place)
    for key, text, rule in _RAIL_REMINDERS:
        if not is_known:
            referee.say(text, rule, tone="reminder")
        referee.skip_question(key, text.rstrip("."), rule, "Choose another way", equivalent=("no",))
    r04_sequence.pay_command_points(referee, [piece], "railroad transport of", "11.2(1)")
    referee.set_flag(state.RAIL, True, "16.7(1)")
    referee.say(f"{piece.name} goes by rail, whatever its movement value.", "16.7(3)", tone="board")
    await _arrive(referee, piece)
    await r08_map.ask_stack(referee, [referee.piece(piece.id)])
    await _attack_by_rail(referee, piece)
    r04_sequence.mark_moved(referee, [piece])


async def _arrive(referee: IraqWarReferee, piece: Piece) -> None:
    """[16.7(3)] Ask for the destination, and check the way along the railroad as far as it has been entered."""
    if not state.is_hex(piece.place):
        return
    reach = [number for number in r12_movement.railroad(referee.position, piece) if number != piece.place]
    hexes = Notation("hex", reach[-1] if reach else "1321", state.place_of)
    place = await referee.text("to", "To which hex does it go? (?: no digits known)", "16.7(3)", hexes)
    way: Sequence[str] = [place] if state.is_hex(place) else []
    if way and land_of(referee.position).has_rails:
        way = r12_movement.rail_way(referee, piece, place)
    for number in way or [piece.place]:
        referee.enforce(r12_movement.rail_obstacle(referee.position, piece, number))
    if len(way) > 1:
        referee.say(f"By rail: {' '.join(way)}.", "16.7(3)", tone="board")
    referee.move(piece.id, place, "16.7(3)", "by rail")
    r15_control.enter_hexes(referee, piece, [piece.place, *way[r15_control.first_controlled(referee, len(way), False) :]])


async def _attack_by_rail(referee: IraqWarReferee, piece: Piece) -> None:
    """[4.1(4-2), 16.7(4)] The unit's combat segment: only disrupted enemies can be adjacent [7.3.1(2)]."""
    units = r13_results.units_left(referee, [piece.id])
    if units and any(unit.mark(state.DISRUPTED) for unit in units_on_map_of(referee.position, state.COALITION)):
        await r13_combat.combat_segment(referee, units, moved=r13_combat.Approach("16.7(4)"))
        return
    text = "beside it, where no enemy zone of control is, there can be no enemy that is not disrupted"
    referee.skip_question("attack", text, "16.7(4)", equivalent=(state.NONE,))
