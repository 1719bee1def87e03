"""[3.0, 4.0, 10.0] Set-up, Supply Check Phase, entering units, and the end of player turns and turns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.errors import Impossible
from companion.core.notation import Notation, whole_number
from companion.core.odds import mean
from companion.core.position import Piece, Value
from companion.core.requests import Choice, Choose
from companion.core.text import clean, plural, split_list
from companion.core.values import JsonObject
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import (
    AREAS,
    KDP_AREA,
    KUWAIT,
    MAP_FACTS,
    PUK_AREA,
    ROSTER,
    ROSTERS,
    TURNS,
    Land,
    land_of,
    roster_parts,
)
from companion.games.iraqwar2003.odds import command_point_chances, cp_odds
from companion.games.iraqwar2003.referee import IraqWarReferee, not_in_play, units_on_map_of
from companion.games.iraqwar2003.rules import r04_sequence, r06_bombing, r08_map, r15_control, r15_victory, r16_options

ROSTER_TITLES = {
    "us": "American air units",
    "british": "British air units",
    "carriers": "carriers",
    "naval": "destroyers and submarines",
    "iraqi": "Iraqi air units",
}
NATION = {"us": "us", "british": "british", "carriers": "us", "naval": "us", "iraqi": notation.IRAQI}
TYPE = {"carriers": "carrier", "naval": "naval"}
MARKERS = 8
"""[16.1(1)] Number of palace markers."""
PALACE_TITLES = {"saddam": "Sadam Husein", "sahaf": "I.M. Sahaf", "dummy": "Dummy"}


async def set_up(referee: IraqWarReferee, data: JsonObject, sample: JsonObject) -> None:
    """[3.0] Place both sides and set the tracks; hexes of units are optional."""
    for option in state.OPTIONAL:
        referee.set_flag(state.option_flag(option), state.ON if referee.has_rule(option) else state.OFF, "16.0")
    await _enter_known_units(referee)
    await _air_units(referee, sample)
    await _enter_known_sites(referee)
    if referee.has_rule(state.PALACE):
        await _palace(referee, sample)
    places = referee.chart("places")
    for place in places.rows:  # without a flag Iraq controls a place (ruling C-23)
        start = places.text(place, "start")
        referee.set_flag(state.control_flag(place), None if start == state.IRAQ else start, "15.2")
    referee.set_track("turn", 1, "3.0", "")
    for track in ("cp", "kuwait", "sahaf"):
        referee.set_track(track, 0, "3.0", "")
    referee.set_flag(state.SIDE, state.COALITION, "4.0")
    referee.set_flag(state.PHASE, state.FACILITY, "4.1(1)")
    await r16_options.roll_weather(referee)
    await _enter_known_map(referee)
    if not referee.quiet:
        for side in (state.IRAQ, state.COALITION):
            _list_set_up(referee, side, data[side])


def _list_set_up(referee: IraqWarReferee, side: state.Side, groups: Sequence[JsonObject]) -> None:
    """[3.0] List where the ground units of a side start: by hex in each region, north to south; else as the rulebook has it."""
    units = units_on_map_of(referee.position, side)
    land, title = land_of(referee.position), f"Set up the {state.SIDE_TITLES[side]} ground units"
    if not units or not all(state.is_hex(piece.place) for piece in units):
        total = sum(item["count"] for item in groups)
        guard = " and the Special Republican Guard" if side == state.IRAQ else ""
        starts = "; ".join(f"{item['units']}: {item['where']}" for item in groups)
        referee.instruct(f"{title}, {total}{guard}. {starts}.", "3.0")
    hexes = {piece.place for piece in units if state.is_hex(piece.place)}
    regions: dict[str, list[str]] = {region: [] for region in REGIONS}
    for number in sorted(hexes, key=lambda number: (number[2:], number)):
        names = referee.piece_names(state.units_in(referee.position, number))
        regions[_region(land, number)].append(f"{number} {land.place(number).removesuffix(number)}".strip() + f": {names}")
    for region, rows in regions.items():
        if rows:
            referee.instruct(f"{title}{REGIONS[region]}. {'; '.join(rows)}.", "3.0")


REGIONS = {
    **{sector: f" in the {sector.title()} air sector" for sector in notation.SECTORS},
    KDP_AREA: " in the Kurd Northern Control area",
    PUK_AREA: " in the Kurd Southern Control area",
    KUWAIT: " in Kuwait",
    "": "",
}
"""[3.0] Regions of the map in the order of setting up, each with its words; "" is one that is not known."""


def _region(land: Land, number: str) -> str:
    """The region of a hex: its area, else the (northern) air sector in which it lies."""
    area = next((area for area in AREAS if land.in_area(number, area)), "")
    return area or next(iter(land.sectors(number)), "")


async def _enter_known_units(referee: IraqWarReferee) -> None:
    """[2.2] Enter the ground units that are already known."""
    entered: dict[str, tuple[notation.Unit, str]] = {}
    again: list[tuple[notation.Unit, str]] = []
    for text in (await referee.known_facts("unit", "2.2")).values():
        unit = notation.read_unit(text)
        place = state.OFF_MAP if not_in_play(referee.position, unit) else state.MAP
        if entered.setdefault(unit.name, (unit, place))[0] is not unit:
            again.append((unit, place))
    referee.make_all(state.UNIT, [(name, place, notation.unit_values(unit)) for name, (unit, place) in entered.items()], "3.0")
    for unit, place in again:
        await referee.enter(unit, place, remembered=True)


async def _enter_known_map(referee: IraqWarReferee) -> None:
    """[2.1] Copy the known map facts to the position, and move units to their known start hexes."""
    for kind in MAP_FACTS:
        entered = await referee.known_facts(kind, "2.1")
        referee.set_flags({f"{kind}:{name}": value for name, value in entered.items()}, "2.1")
    units = {piece.name: piece for piece in referee.position.at(state.MAP) if piece.kind == state.UNIT}
    entered = await referee.known_facts("at", "3.0")
    referee.move_all([(units[name], place) for name, place in entered.items() if name in units], "3.0")
    r15_control.hold_places(referee, [place for name, place in entered.items() if name in units])
    for place in dict.fromkeys(piece.place for piece in state.units_on_map(referee.position) if state.is_hex(piece.place)):
        stack = state.units_in(referee.position, place)
        for text, rule in [*r08_map.stacking_faults(stack), *r08_map.set_up_faults(stack)]:
            cure = f"Type where one of them begins: adjust {stack[-1].name} HEX"
            referee.say(f"{referee.piece_names(stack)} begin in {place}: {text}. {cure}.", rule, tone="warning")


async def _air_units(referee: IraqWarReferee, sample: JsonObject) -> None:
    """[2.1.3, 2.3.1] Put all air and naval units into their Available boxes; unknown values are asked for at first use."""
    entered = await referee.known_facts("air", "2.3")
    referee.set_flags({state.air_flag(name): values for name, values in entered.items()}, "2.3")
    for kind in ROSTERS:
        asked = f"What are the names of the {ROSTER_TITLES[kind]}?"
        text = await referee.printed(f"roster:{kind}", asked, "3.0", ROSTER, sample["roster"][kind])
        box = state.available_box(state.IRAQ if kind == "iraqi" else state.COALITION)
        others = {piece.name for piece in referee.position.of_kind(state.AIR)}
        units = [(name, box, air_unit_values(kind, values)) for name, values in roster_parts(text, kind, others)]
        referee.make_all(state.AIR, units, "2.1.3")


def air_unit_values(roster: str, values: str) -> dict[str, Value]:
    """[2.3] The values of the piece of an air unit. ``values``: as printed, "" if unknown."""
    printed: dict[str, Value] = {"nation": NATION[roster], "type": TYPE.get(roster, "air")}
    return {**printed, "values": values} if values else printed


async def _enter_known_sites(referee: IraqWarReferee) -> None:
    """[2.1.2] Lay out the known sites; others are asked for at first use."""
    entered = {**await referee.known_facts("radar", "6.1.2"), **await referee.known_facts("site", "6.1.2")}
    for name in notation.SITES:
        if name in entered:
            referee.place_site(name, notation.read_site(entered[name], name in notation.SECTORS))


async def _palace(referee: IraqWarReferee, sample: JsonObject) -> None:
    """[16.1(1), 16.1(2)] Place eight markers on the palace site, whose AA Fire box has firepower 2."""
    referee.place_site(state.PALACE, notation.Site("central", (referee.chart("anti_air").number("palace", "firepower"),)))
    marker_count = whole_number("markers", 0, MARKERS)
    counts: dict[str, int] = {}
    for kind, title in PALACE_TITLES.items():
        prompt, usual = f"How many are {title}?", str(sample["palace"][kind])
        counts[kind] = int(await referee.printed(f"palace:{kind}", prompt, "16.1(1)", marker_count, usual))
    if sum(counts.values()) != MARKERS or not counts["saddam"]:
        mix = ", ".join(f"{count} {PALACE_TITLES[kind]}" for kind, count in counts.items())
        cure = f"Enter them again: companion printed iraqwar2003 set palace:dummy {max(MARKERS - 1 - counts['sahaf'], 0)}"
        text = f"you entered {mix} palace markers; there are {MARKERS}, Saddam Hussein among them"
        raise Impossible(text, rule="16.1(1)", cure=cure)
    for kind, count in counts.items():
        for _ in range(count):
            referee.make(state.PALACE, PALACE_TITLES[kind], state.PALACE, "16.1(1)", face="back", values={"palace": kind})


# -- [10.0, 4.2(2)] The Supply Check Phase, in which Iraq also receives command points ---------------------------------

MAX_HEXES_SHOWN = 12
"""Hexes of a line that are printed."""


async def supply_phase(referee: IraqWarReferee) -> None:
    """[4.1(3), 10.0] Mark units out of supply, then Iraqi command points [4.2(2)] or Coalition reinforcements [16.8(1)]."""
    side = referee.side
    units = units_on_map_of(referee.position, side)
    r06_bombing.say_skipped(referee, state.SUPPLY)
    _say_sources(referee, side)
    if units:
        cut = await _out_of_supply(referee, units, side)
        lost = {piece.id for piece in cut}
        own_units = units_on_map_of(referee.position, side)
        referee.mark_all([piece for piece in own_units if piece.id in lost], state.OUT_OF_SUPPLY, True, "10.0(5)")
        referee.mark_all([piece for piece in own_units if piece.id not in lost], state.OUT_OF_SUPPLY, None, "10.0(5)")
        if cut:
            names = referee.names_with_verb(cut, "is", "are")
            referee.say(f"{names} OUT OF SUPPLY: attack and movement halved, no recovery.", "10.0(6)")
    if side == state.IRAQ:
        await referee.enter_display()
        await r04_sequence.receive_command_points(referee, await _ask_source(referee))
    referee.set_flag(state.PHASE, state.OPERATIONS, "4.1(4)")
    if side == state.COALITION and referee.has_rule(state.REINFORCEMENTS):
        await r16_options.reinforce(referee)


async def _out_of_supply(referee: IraqWarReferee, units: Sequence[Piece], side: state.Side) -> list[Piece]:
    """[10.0(2)] The units of a side that are out of supply; asked only where lines are unknown."""
    if any(state.is_hex(piece.place) for piece in units):
        await r08_map.ask_orientation(referee)
    supply = r08_map.SupplyLines(referee.position, side)
    sure = [piece for piece in units if not supply.in_doubt(piece)]
    if sure and not referee.quiet:

        def line_row(piece: Piece) -> str:
            return f"{piece.name}: {_line_text(supply.of(piece))}"

        rows = [partial(line_row, piece) for piece in sure]
        title, rest = state.SIDE_TITLES[side], [piece for piece in units if piece not in sure]
        but = f" but {referee.piece_names(rest)}" if rest else ""
        every = "all " if len(units) > 1 else ""
        referee.say(f"In supply: {every}{plural(len(units), f'{title} unit')}{but}.", "10.0(3)", *rows)
    lines = {piece.id: supply.of(piece) for piece in units if piece not in sure}
    _say_cut(referee, [piece for piece in units if piece.id in lines], lines)
    lost = [piece for piece in units if piece.id in lines and lines[piece.id].open is False]
    unknown = [piece for piece in units if piece.id in lines and piece not in lost]
    if not unknown:
        text = f"{referee.names_with_verb(lost, 'is', 'are')} known to be cut off" if lost else "all of them are known to be open"
        cure = f"Correct who controls the hexes, or afterwards the marker: adjust {lost[0].name}.oos no" if lost else ""
        referee.skip_question("oos", f"supply lines: {text}", "10.0(3)", cure, equivalent=(referee.piece_names(lost),))
        return lost
    placed = not r08_map.unlocated_units(referee.position, state.other(side))
    doubtful = [piece for piece in unknown if lines[piece.id].hexes and placed]
    for piece in doubtful:
        if not lines[piece.id].cut:
            text = f"The supply line of {piece.name} would be {_line_text(lines[piece.id])}"
            referee.say(f"{text}; the holder of some of its hexes is not known.", "10.0(3)", tone="reminder")
    cut = await _ask_cut(referee, unknown, doubtful, lines, side)
    for piece in doubtful:
        if piece not in cut:
            _mark_controlled(referee, lines[piece.id], piece)
    return [piece for piece in units if piece in lost or piece in cut]


def _say_cut(referee: IraqWarReferee, units: Sequence[Piece], lines: Mapping[str, r08_map.SupplyLine]) -> None:
    """[10.0(3)] Say why supply lines are cut, and how to correct who controls their hexes."""
    alike: dict[tuple[str, tuple[str, ...]], list[Piece]] = {}
    for piece in units:
        if lines[piece.id].cut:
            alike.setdefault((lines[piece.id].cut, lines[piece.id].enemy), []).append(piece)
    for (cut, enemy), pieces in alike.items():
        text = f"{referee.names_with_verb(pieces, 'has', 'have')} no supply line: {cut}"
        if enemy:
            place = land_of(referee.position).place(enemy[0])
            what = f"control {place}" if place in referee.chart("places").rows else f"flag:{state.held_flag(enemy[0])}"
            holder = r15_control.CONTROLLER.get(notation.nation(pieces[0]), state.IRAQ)
            shown = " ".join(enemy[:MAX_HEXES_SHOWN])
            text += f', on the nearest {shown} (if it does not: adjust "{what}" {holder})'
        referee.say(f"{text}.", "10.0(3)", tone="reminder")


async def _ask_cut(
    referee: IraqWarReferee,
    unknown: Sequence[Piece],
    doubtful: Sequence[Piece],
    lines: Mapping[str, r08_map.SupplyLine],
    side: state.Side,
) -> list[Piece]:
    """[10.0(2)] Ask which units with unknown lines are cut; one question about the line if it is the same for all."""
    turks = [piece for piece in unknown if notation.is_turkish(piece)]
    for piece in turks:
        text = f"{piece.name} controls no hex: it is in supply only in a hex on the border with Turkey"
        referee.say(f"{text}.", "16.10(8)", tone="reminder")
    suggested = [piece for piece in unknown if piece.mark(state.OUT_OF_SUPPLY) or lines[piece.id].cut or piece in turks]
    if len({lines[piece.id].hexes for piece in unknown}) == 1 and len(doubtful) == len(unknown):
        prompt = f"{referee.piece_names(unknown)}: is the supply line {_line_text(lines[unknown[0].id])} open?"
        referee.skip_question("oos", "it is asked whether the line is open", "10.0(2)")
        return [] if await referee.confirm("line", prompt, "10.0(3)", suggest=not suggested) else list(unknown)
    among = "" if len(unknown) == len(units_on_map_of(referee.position, side)) else f" (of {referee.piece_names(unknown)})"
    prompt = f"Which {state.SIDE_TITLES[side]} units are out of supply?{among}"
    cut = await referee.ask_units("oos", prompt, "10.0(2)", unknown, side, suggest=referee.piece_names(suggested))
    for piece in cut:
        if notation.side_of(piece) != side:
            referee.forbid(f"{piece.name} belongs to the other player, whose check comes later", "10.0(1)", "Name own units")
    return cut


def _line_text(line: r08_map.SupplyLine) -> str:
    """A line as text, ``2231 2332 3241``, shortened to both ends."""
    if len(line.hexes) <= MAX_HEXES_SHOWN:
        return " ".join(line.hexes)
    return " ".join((*line.hexes[: MAX_HEXES_SHOWN // 2], "...", *line.hexes[-MAX_HEXES_SHOWN // 2 :]))


def _mark_controlled(referee: IraqWarReferee, line: r08_map.SupplyLine, piece: Piece) -> None:
    """[10.0(3)] Record control of the hexes of a line that the player calls open."""
    side, places = notation.side_of(piece), referee.chart("places").rows
    controller = state.COALITION if notation.is_western(piece) else notation.nation(piece)
    for number in line.hexes:
        is_place = land_of(referee.position).place(number) in places
        recorded = r15_control.recorded_controller(referee.position, number)
        if not is_place and (not recorded or (recorded == state.IRAQ) != (side == state.IRAQ)):
            referee.set_flag(state.held_flag(number), controller, "10.0(3)", "the line is open")


def _say_sources(referee: IraqWarReferee, side: state.Side) -> None:
    """[10.0(2)] Remind the player of the supply sources."""
    if referee.quiet:
        return
    chart = referee.chart("supply")
    usual = notation.US if side == state.COALITION else notation.IRAQI
    nations = {notation.nation(piece) for piece in units_on_map_of(referee.position, side)} or {usual}
    rows = [f"{chart.text(name, 'title')}: {chart.text(name, 'source')}" for name in chart.rows if name in nations]
    referee.say(f"Supply sources: {'; '.join(rows)}.", "10.0(2)", tone="reminder")


_AVERAGES: dict[tuple[str, ...], float] = {}


def _die_average(referee: IraqWarReferee) -> float:
    """[11.1] The mean of the die, cached per set of available methods."""
    open_to = r04_sequence.sources(referee)
    if open_to not in _AVERAGES:
        _AVERAGES[open_to] = mean(command_point_chances(referee, r04_sequence.DIE))
    return _AVERAGES[open_to]


async def _ask_source(referee: IraqWarReferee) -> str:
    """[11.1] Ask for Radio or die."""
    radios, average = r04_sequence.radio_points(referee), _die_average(referee)
    hint = f"{average:g} on average"
    choices = {
        notation.RADIO: Choice(notation.RADIO, "the Radio boxes", f"{radios} CP"),
        r04_sequence.DIE: Choice(r04_sequence.DIE, "roll one die", hint),
    }
    open_to = r04_sequence.sources(referee)
    suggest = notation.RADIO if notation.RADIO in open_to and radios > average else r04_sequence.DIE
    if referee.computer_plays(state.IRAQ):
        suggest = referee.planner.source()
    shut = [choice for source, choice in choices.items() if source not in open_to]
    asked = "Does Iraq get its command points by Radio or by the die?"
    request = Choose("source", asked, "11.1", [choices[source] for source in open_to], suggest, shut)
    referee.decide(request, state.IRAQ, suggest)
    if not referee.computer_plays(state.IRAQ):

        async def propose(referee: IraqWarReferee) -> str:
            return referee.planner.source()

        referee.offer_advice(request, propose)
    request.odds = lambda: cp_odds(referee)
    return await request


# -- [2.2] Entering units ----------------------------------------------------------------------------------------------


async def enter_units(referee: IraqWarReferee) -> None:
    """[2.2] Enter ground units as printed; they are remembered for every game."""
    example = referee.described_example(state.COALITION, "")

    def read(text: str) -> str:
        return ", ".join(_read_counter(part) for part in split_list(clean(text)) or [text])

    prompt = "Which units do you enter? (as on their counters; @2231: in that hex)"
    text = await referee.text("units", prompt, "2.2", Notation("units", example, read))
    parsed = [state.split_place(part) for part in split_list(text)]
    units = [notation.read_unit(unit) for unit, _ in parsed]
    against = [not_in_play(referee.position, unit) for unit in units]
    entered: list[Piece] = []
    for unit, obstacle in zip(units, against, strict=True):
        is_off_map = bool(obstacle) or unit.turn == referee.turn
        entered.append(await referee.enter(unit, state.OFF_MAP if is_off_map else state.MAP))
    entered = [referee.place_at(piece, place) for piece, (_, place) in zip(entered, parsed, strict=True)]
    r15_control.hold_places(referee, [piece.place for piece in entered])
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
    r16_options.end_visibility(referee)
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
        await r15_victory.kurdish_bonus(referee)
    _air_units_return(referee)
    last = int(await referee.printed("turns", "How many boxes has the Turn Track?", "2.1.5(1)", TURNS))
    if referee.option("opponent"):
        referee.set_flag(state.TURNS, last, "2.1.5(1)")
    referee.set_track("turn", referee.turn + 1, "4.3(2)", "end of the turn")
    referee.set_flag(state.SIDE, state.COALITION, "4.0")
    referee.set_flag(state.PHASE, state.FACILITY, "4.1(1)")
    referee.set_flag(state.RAIL, None, "16.7(1)")
    if referee.turn > last:
        await r15_victory.final_count(referee, last)
        return
    referee.say(f"Turn {referee.turn} of {last} begins.", "4.3(2)")
    await r16_options.roll_weather(referee)


async def _in_kuwait(referee: IraqWarReferee) -> bool:
    """[15.2] Whether an Iraqi ground unit is in Kuwait; asked unless the hexes decide."""
    land = land_of(referee.position)
    units = [piece for piece in units_on_map_of(referee.position, state.IRAQ) if notation.is_iraqi(piece)]
    inside = {piece.name: land.in_area(piece.place, KUWAIT) if state.is_hex(piece.place) else None for piece in units}
    in_kuwait = [name for name, is_inside in inside.items() if is_inside]
    if in_kuwait or (units and None not in inside.values()):
        verb = "is" if len(in_kuwait) == 1 else "are"
        text = f"{', '.join(in_kuwait)} {verb} in Kuwait" if in_kuwait else "no Iraqi unit is in Kuwait"
        referee.skip_question("kuwait", text, "15.2", equivalent=("yes",) if in_kuwait else ("no",))
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
        referee.say(f"{referee.names_with_verb(returned, 'is', 'are')} available again.", "4.3(1)")
