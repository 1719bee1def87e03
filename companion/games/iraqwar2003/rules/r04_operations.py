"""[4.0, 7.3.3, 12.0] The Operation Phase (move and attack, recover), entering units, and the end of player turns and turns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.text import clean, split_list
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import TURNS
from companion.games.iraqwar2003.land import KUWAIT, land_of, read_ground
from companion.games.iraqwar2003.referee import IraqWarReferee, not_in_play, units_on_map_of
from companion.games.iraqwar2003.rules import r12_movement as movement
from companion.games.iraqwar2003.rules import r15_victory as victory
from companion.games.iraqwar2003.rules.r02_map import learn_map_facts
from companion.games.iraqwar2003.rules.r04_sequence import (
    check_can_act,
    disruption_obstacle,
    mark_moved,
    recovery_obstacle,
    undisrupted_units,
    units_to_act,
)
from companion.games.iraqwar2003.rules.r08_stacking import ask_stack, stacking_faults
from companion.games.iraqwar2003.rules.r09_zones import has_turkish_unit
from companion.games.iraqwar2003.rules.r11_command_points import pay_command_points
from companion.games.iraqwar2003.rules.r12_movement import Mover, resolve_path
from companion.games.iraqwar2003.rules.r13_combat import Approach, combat_segment, targets
from companion.games.iraqwar2003.rules.r13_results import units_left
from companion.games.iraqwar2003.rules.r14_roads import work_on_roads
from companion.games.iraqwar2003.rules.r16_options import end_visibility, roll_weather

DONE, RECOVER, ROAD = "done", "recover", "road"
"""Answers in place of an order: no other unit acts, units recover, a unit works on roads."""


async def operate(referee: IraqWarReferee) -> None:
    """[4.1(4)] Move and attack with a unit or stack; or recover [7.3.3], work on roads [14.1], end the turn."""
    order_text = await _ask_order(referee)
    word, _, rest = order_text.partition(" ")
    if order_text == DONE:
        await end_player_turn(referee)
    elif word == RECOVER:
        await _recover(referee, await referee.units_named(rest))
    elif word == ROAD:
        await work_on_roads(referee, (await referee.units_named(rest))[0])
    else:
        await _carry_out_order(referee, read_order(order_text))


async def _ask_order(referee: IraqWarReferee) -> str:
    """[4.1(4-1)] Ask for the next order; where the map is known, Companion's side gives its own."""
    ready, side = undisrupted_units(referee.position), referee.side
    prompt = f"Which {state.SIDE_TITLES[side]} unit acts, or stack? (> path > target; or {DONE})"
    request = Text("units", prompt, "12.1(1)", order_notation(referee, ready, side), lambda: referee.ordered_unit_choices(ready))
    if referee.computer_plays(side) and referee.option("opponent") and (order := await referee.planner.order(side)):
        referee.decide(request, side, order)
    return await request


async def _carry_out_order(referee: IraqWarReferee, order: Order) -> None:
    """[4.1(4)] The three segments of a unit or stack."""
    units = await _movers(referee, order)
    movers = [mover_of(referee, piece) for piece in units]
    path = await _ask_path(referee, units, movers, order)
    units = units_left(referee, [unit.id for unit in units])
    if path.hexes:
        if any("zoc" in words and notation.nation(piece) == notation.TURKISH for words in path.hexes for piece in units):
            referee.say("Only zones of control of Kurdish units are open to the Turkish unit.", "16.10(3)", tone="reminder")
        await ask_stack(referee, units)
        await _take_places(referee, units, path)
    units = units_left(referee, [unit.id for unit in units])
    if units:
        walked = bool(path.hexes) and not all(mover.fly for mover in movers)
        in_city = True if path.hexes and "city" in path.hexes[-1] else None
        clear = "12.3(1)" if walked and "zoc" not in path.hexes[-1] else ""
        await combat_segment(referee, units, in_city, Approach(clear, walked, order.target))
    mark_moved(referee, units)


async def _movers(referee: IraqWarReferee, order: Order) -> list[Piece]:
    """[12.1(1), 7.3.1(1), 11.2(1)] The units that act: able to, paid for, in one hex."""
    units = await referee.units_named(order.units)
    for piece in units:
        check_can_act(referee, piece, "move")
        referee.enforce(disruption_obstacle(piece))
    for text, rule in stacking_faults(units):
        referee.forbid(text, rule, "Move them one by one")
    apart = dict.fromkeys(piece.place for piece in units if state.is_hex(piece.place))
    if len(apart) > 1:
        referee.forbid(
            f"{referee.piece_names(units)} stand in {' and '.join(apart)}, not in one stack", "12.1(1)", "Move them one by one"
        )
    pay_command_points(referee, units, "moving and fighting with", "11.2(1)")
    return [referee.place_at(piece, state.hex_of(units)) for piece in units]


class Order(NamedTuple):
    """An order in one line: ``1/3ID, 2/3ID > 2332 2331 > 2231``; parts not given are ""."""

    units: str
    way: str = ""
    target: str = ""


def read_order(text: str) -> Order:
    """Split an order in its normal form."""
    return Order(*(part.strip() for part in text.split(">")))


def order_notation(referee: IraqWarReferee, ready: Sequence[Piece], side: str) -> Notation:
    """Notation of an order: units, path and target separated by ``>``; or ``recover 51M``, ``road SF1``, ``done``."""
    units = referee.unit_list(ready, side, 1, 6)

    def attacked(text: str) -> str:
        return targets(referee, ready, units_on_map_of(referee.position, state.other(side))).read(text)

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


async def _ask_path(referee: IraqWarReferee, units: Sequence[Piece], movers: Sequence[Mover], order: Order) -> notation.Path:
    """[12.1(2), 12.2] Ask for the path, charge each unit for it, and move them."""
    chart = referee.chart("movement")
    prompt = "Which hexes do they enter, in order? (2332 2331; or road, zoc, river, large, swamp, city, port ...)"
    examples = [] if order.way else [example for example in _PATH_EXAMPLES if not _faults(example.value, movers, chart)]
    typed = notation.read_path(order.way or await referee.text("way", prompt, "12.2", notation.PATH, examples, notation.STAY))
    fly = all(mover.fly for mover in movers)
    path = movement.apply_mountain_option(referee, await resolve_path(referee, units, typed, fly))
    for mover in movers:
        cost = movement.path_cost(path, mover, chart)
        movement.forbid_faults(referee, cost.faults)
        if path.hexes:
            movement.say_cost(referee, mover, cost)
    _move_along(referee, units, path)
    return path


def _move_along(referee: IraqWarReferee, units: Sequence[Piece], path: notation.Path) -> None:
    """[12.1(3)] Move the units to the end of the path: a hex, or somewhere on the map."""
    place = (path.end or state.MAP) if path.hexes else path.at
    if not place:
        return
    if place == state.MAP and state.hex_of(units):
        text = f"Companion does not know where {referee.piece_names(units)} stand now: the way ends in a hex without digits"
        referee.say(f"{text} (adjust {units[0].name} 2231).", "2.1.1(1)", tone="reminder")
    for piece in units:
        referee.move(piece.id, place, "12.1(3)", "moves" if path.hexes else "where it stands")
    if path.hexes and referee.computer_plays(referee.side):
        referee.instruct(
            f"Move {referee.piece_names(units)}: {' '.join(filter(None, path.numbers)) or 'along that way'}.", "12.1(3)"
        )


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


def _faults(path: str, movers: Sequence[Mover], chart: Chart) -> bool:
    """Return True if a path is illegal for one of the units."""
    return any(movement.path_cost(notation.read_path(path), mover, chart).faults for mover in movers)


async def _take_places(referee: IraqWarReferee, units: Sequence[Piece], path: notation.Path) -> None:
    """[15.2] Take the VP places on the path; for unidentified cities and ports, ask."""
    victory.enter_hexes(referee, units[0], path.numbers)
    numbers = path.numbers or ("",) * len(path.hexes)
    named = [
        index
        for index, words in enumerate(path.hexes)
        if words & {"city", "port"} and not victory.is_identified(referee, numbers[index])
    ]
    if not named:
        return
    kinds = () if any("city" in path.hexes[index] for index in named) else (victory.PORT,)
    elsewhere = victory.located_places(referee) if all(numbers[index] for index in named) else ()
    taken = await victory.ask_taken(referee, units, len(named), kinds, elsewhere)
    if len(named) == len(taken) == 1 and numbers[named[0]]:
        await learn_map_facts(referee, {f"hex:{numbers[named[0]]}": str(read_ground(taken[0]))}, "15.2")


def mover_of(referee: IraqWarReferee, piece: Piece) -> Mover:
    """[10.0(6), 16.6(4)] A unit with its current movement value."""
    side = notation.printed_side(piece)
    storm = bool(referee.position.flag(state.STORM))
    if not storm and not piece.marks:
        return Mover(piece.name, side.move, bool(piece.values.get("fly")))
    value, fly = movement.movement_value(side.move, bool(piece.values.get("fly")), bool(piece.mark(state.OUT_OF_SUPPLY)), storm)
    halvings = [("10.0(6)", piece.mark(state.OUT_OF_SUPPLY)), ("16.6(4)", storm and piece.values.get("fly"))]
    if rules := [rule for rule, holds in halvings if holds]:
        twice = f" [{rules[0]}] and again" if len(rules) > 1 else ""
        referee.say(f"{piece.name} moves {value}, {side.move} halved{twice}.", rules[-1])
    return Mover(piece.name, value, fly)


async def recover(referee: IraqWarReferee) -> None:
    """[7.3.3] Disrupted units spend the phase to recover."""
    disrupted = [piece for piece in units_to_act(referee.position) if not recovery_obstacle(referee.position, piece)]
    await _recover(
        referee, await referee.ask_units("units", "Which disrupted units recover?", "7.3.3", disrupted, referee.side, 1)
    )


async def _recover(referee: IraqWarReferee, units: Sequence[Piece]) -> None:
    """[7.3.3, 11.2(2)] Remove disruption where it is allowed."""
    for piece in units:
        check_can_act(referee, piece, "recover")
        referee.enforce(recovery_obstacle(referee.position, piece))
    pay_command_points(referee, units, "recovery of", "11.2(2)")
    for piece in units:
        referee.mark(piece.id, state.DISRUPTED, None, "7.3.3", "recovered")
    mark_moved(referee, units)
    referee.say(f"{referee.piece_names(units)} {'recovers' if len(units) == 1 else 'recover'} from disruption.", "7.3.3")


async def enter_units(referee: IraqWarReferee) -> None:
    """[2.2] Enter ground units as printed; they are remembered for every game."""
    example = "us 1/3ID 6-5-8/4-3-8 div:3ID, iraq 6A 3-4-4/2-2-4 big"

    def read(text: str) -> str:
        return ", ".join(_read_counter(part) for part in split_list(clean(text)) or [text])

    prompt = "Which units do you enter? (as on their counters; @2231: in that hex)"
    text = await referee.text("units", prompt, "2.2", Notation("units", example, read))
    parsed = [state.split_place(part) for part in split_list(text)]
    units = [notation.read_unit(unit) for unit, _ in parsed]
    against = [not_in_play(referee.position, unit) for unit in units]
    arrives_now = [unit.turn == referee.turn for unit in units]
    is_off_map = [bool(obstacle) or late for obstacle, late in zip(against, arrives_now, strict=True)]
    entered = [
        await referee.enter(unit, state.OFF_MAP if off else state.MAP) for unit, off in zip(units, is_off_map, strict=True)
    ]
    entered = [referee.place_at(piece, place) for piece, (_, place) in zip(entered, parsed, strict=True)]
    for where, title in ((state.MAP, "On the map"), (state.OFF_MAP, "Off the map")):
        if listed := [piece for piece in entered if state.is_on_map(piece) == (where == state.MAP)]:
            reasons = (f"{reason.text} [{reason.rule}]" for reason in against if reason) if where == state.OFF_MAP else ()
            referee.say(f"{title}: {referee.piece_names(listed)}.", "2.2", *reasons)


def _read_counter(text: str) -> str:
    """A described unit with its place, if given."""
    unit, place = state.split_place(text)
    return state.with_place(notation.as_printed(unit), place)


# -- [4.0] End of player turns and turns -------------------------------------------------------------------------------


async def end_player_turn(referee: IraqWarReferee) -> None:
    """[4.1, 4.2] End the player turn; after Iraq's the turn ends [4.3]."""
    side = referee.side
    referee.mark_all(referee.position.of_kind(state.UNIT), state.MOVED, None, "12.1(6)")
    end_visibility(referee)
    if side == state.COALITION:
        referee.set_flag(state.SIDE, state.IRAQ, "4.2")
        referee.set_flag(state.PHASE, state.BOMBING, "4.2(1)")
        referee.say("The Iraqi player turn begins with the Ground Bombing Phase.", "4.2(1)")
        return
    unspent = referee.position.track("cp")
    if unspent:
        referee.say(f"Iraq loses {unspent} CP that it has not spent.", "11.3")
        referee.set_track("cp", 0, "11.3", "unspent command points are lost")
    await end_of_turn(referee)


async def end_of_turn(referee: IraqWarReferee) -> None:
    """[4.3] Check Kuwait and the Kurds, return air units, advance the turn marker."""
    if await _in_kuwait(referee):
        referee.shift_track("kuwait", 1, "15.2", "Iraqi units in Kuwait at the end of the turn")
        referee.say(f"Iraq holds ground in Kuwait: {referee.points('kuwait')}.", "15.2")
    if referee.turn == 2:
        await victory.kurdish_bonus(referee)
    _air_units_return(referee)
    last = int(await referee.printed("turns", "How many boxes has the Turn Track?", "2.1.5(1)", TURNS))
    if referee.option("opponent"):
        referee.set_flag(state.TURNS, str(last), "2.1.5(1)")
    referee.set_track("turn", referee.turn + 1, "4.3(2)", "end of the turn")
    referee.set_flag(state.SIDE, state.COALITION, "4.0")
    referee.set_flag(state.PHASE, state.FACILITY, "4.1(1)")
    referee.set_flag(state.RAIL, None, "16.7(1)")
    if referee.turn > last:
        await victory.final_count(referee, last)
        return
    referee.say(f"Turn {referee.turn} of {last} begins.", "4.3(2)")
    await roll_weather(referee)


async def _in_kuwait(referee: IraqWarReferee) -> bool:
    """[15.2] Whether an Iraqi ground unit is in Kuwait; asked unless the hexes decide."""
    land = land_of(referee.position)
    units = units_on_map_of(referee.position, state.IRAQ)
    units = (
        [piece for piece in units if notation.nation(piece) == notation.IRAQI] if has_turkish_unit(referee.position) else units
    )
    inside = {piece.name: land.in_area(piece.place, KUWAIT) if state.is_hex(piece.place) else None for piece in units}
    in_kuwait = [name for name, is_inside in inside.items() if is_inside]
    if in_kuwait or (units and None not in inside.values()):
        verb = "stands" if len(in_kuwait) == 1 else "stand"
        text = f"{', '.join(in_kuwait)} {verb} in Kuwait" if in_kuwait else "no Iraqi unit stands in Kuwait"
        referee.skip_question("kuwait", text, "15.2", as_good=("yes",) if in_kuwait else ("no",))
        referee.say(f"{text[0].upper()}{text[1:]}.", "15.2")
        return bool(in_kuwait)
    return await referee.confirm("kuwait", "Is an Iraqi ground unit in Kuwait?", "15.2", suggest=False)


def _air_units_return(referee: IraqWarReferee) -> None:
    """[4.3(1)] Return air units and carriers, not ships, to Available; remove damaged markers from the Used boxes [5.8.2(1)]."""
    returned = []
    for side in state.SIDE_TITLES:
        in_box = referee.position.at(state.used_box(side))
        units = [piece for piece in in_box if piece.kind != state.MARKER and not notation.is_naval(piece)]
        referee.move_all([(piece, state.ASIDE) for piece in in_box if piece.kind == state.MARKER], "5.8.2(1)", "end of the turn")
        referee.move_all([(piece, state.available_box(side)) for piece in units], "4.3(1)", "end of the turn")
        returned += units
    if returned:
        referee.say(f"{referee.piece_names(returned)} {'is' if len(returned) == 1 else 'are'} available again.", "4.3(1)")
