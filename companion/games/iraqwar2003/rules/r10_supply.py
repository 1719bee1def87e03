"""[10.0] The Supply Check Phase, in which Iraq also receives command points [4.2(2)]."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.odds import mean
from companion.core.position import Piece
from companion.core.requests import Choice, Choose
from companion.games.iraqwar2003 import state
from companion.games.iraqwar2003.land import land_of
from companion.games.iraqwar2003.notation import IRAQI, RADIO, US, is_western, nation, side_of
from companion.games.iraqwar2003.odds import command_point_chances, cp_odds
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.rules.r02_map import ask_orientation
from companion.games.iraqwar2003.rules.r09_zones import unlocated_units
from companion.games.iraqwar2003.rules.r10_lines import SupplyLine, SupplyLines, is_controlled_by
from companion.games.iraqwar2003.rules.r11_command_points import DIE, radio_points, receive_command_points, sources
from companion.games.iraqwar2003.rules.r16_options import reinforce

MAX_HEXES_SHOWN = 12
"""Hexes of a line that are printed."""


async def supply_phase(referee: IraqWarReferee) -> None:
    """[4.1(3), 10.0] Mark units out of supply, then receive Iraqi command points [4.2(2)] or Coalition reinforcements
    [16.8(1)].
    """
    side = referee.side
    units = units_on_map_of(referee.position, side)
    _say_sources(referee, side)
    if units:
        cut = await _out_of_supply(referee, units, side)
        lost = {piece.id for piece in cut}
        own_units = units_on_map_of(referee.position, side)
        referee.mark_all([piece for piece in own_units if piece.id in lost], state.OUT_OF_SUPPLY, True, "10.0(5)")
        referee.mark_all([piece for piece in own_units if piece.id not in lost], state.OUT_OF_SUPPLY, None, "10.0(5)")
        if cut:
            be = "is" if len(cut) == 1 else "are"
            referee.say(f"{referee.piece_names(cut)} {be} OUT OF SUPPLY: attack and movement halved, no recovery.", "10.0(6)")
    if side == state.IRAQ:
        await referee.enter_display()
        await receive_command_points(referee, await _ask_source(referee))
    referee.set_flag(state.PHASE, state.OPERATIONS, "4.1(4)")
    if side == state.COALITION and referee.has_rule(state.REINFORCEMENTS):
        await reinforce(referee)


async def _out_of_supply(referee: IraqWarReferee, units: Sequence[Piece], side: str) -> list[Piece]:
    """[10.0(2)] The units of a side that are out of supply; asked only where lines are unknown, and the answers are
    remembered.
    """
    if any(state.is_hex(piece.place) for piece in units):
        await ask_orientation(referee)
    supply = SupplyLines(referee.position, side)
    doubt = [supply.in_doubt(piece) for piece in units]
    sure = [piece for piece, doubted in zip(units, doubt, strict=True) if not doubted]
    if sure and not referee.quiet:
        rows = [partial(_line_row, piece, supply) for piece in sure]
        referee.say(lambda: f"{referee.piece_names(sure)} {'is' if len(sure) == 1 else 'are'} in supply.", "10.0(3)", *rows)
    unknown = [piece for piece, doubted in zip(units, doubt, strict=True) if doubted]
    if not unknown:
        referee.skip_question("oos", "every supply line is known to be open", "10.0(3)", as_good=(state.NONE,))
        return []
    lines = {piece.id: supply.of(piece) for piece in unknown}
    placed = not unlocated_units(referee.position, state.other(side))
    doubtful = [piece for piece in unknown if lines[piece.id].hexes and placed]
    for piece in doubtful:
        why = "enemies cut it" if lines[piece.id].blocked else "who holds all of its hexes is not known"
        referee.say(f"The supply line of {piece.name} would be {_line_text(lines[piece.id])}; {why}.", "10.0(3)", tone="reminder")
    cut = await _ask_cut(referee, unknown, doubtful, lines, side)
    for piece in doubtful:
        if piece not in cut and not lines[piece.id].blocked:
            _mark_controlled(referee, lines[piece.id], piece)
    return cut


async def _ask_cut(
    referee: IraqWarReferee, unknown: Sequence[Piece], doubtful: Sequence[Piece], lines: Mapping[str, SupplyLine], side: str
) -> list[Piece]:
    """[10.0(2)] Ask which units with unknown lines are cut; one question about the line if it is the same for all."""
    suggested = [piece for piece in unknown if piece.mark(state.OUT_OF_SUPPLY) or (piece in doubtful and lines[piece.id].blocked)]
    if len({lines[piece.id].hexes for piece in unknown}) == 1 and len(doubtful) == len(unknown):
        prompt = f"{referee.piece_names(unknown)}: is the supply line {_line_text(lines[unknown[0].id])} open?"
        referee.skip_question("oos", "it is asked whether the line is open", "10.0(2)")
        return [] if await referee.confirm("line", prompt, "10.0(3)", suggest=not suggested) else list(unknown)
    among = "" if len(unknown) == len(units_on_map_of(referee.position, side)) else f" (of {referee.piece_names(unknown)})"
    prompt = f"Which {state.SIDE_TITLES[side]} units are out of supply?{among}"
    cut = await referee.ask_units("oos", prompt, "10.0(2)", unknown, side, suggest=referee.piece_names(suggested))
    for piece in cut:
        if side_of(piece) != side:
            referee.forbid(f"{piece.name} belongs to the other player, whose check comes later", "10.0(1)", "Name own units")
    return cut


def _line_row(piece: Piece, supply: SupplyLines) -> str:
    return f"{piece.name}: {_line_text(supply.of(piece))}"


def _line_text(line: SupplyLine) -> str:
    """A line as text, ``2231 2332 3241``, shortened to both ends."""
    hexes = (
        line.hexes
        if len(line.hexes) <= MAX_HEXES_SHOWN
        else (*line.hexes[: MAX_HEXES_SHOWN // 2], "...", *line.hexes[-MAX_HEXES_SHOWN // 2 :])
    )
    return " ".join(hexes)


def _mark_controlled(referee: IraqWarReferee, line: SupplyLine, piece: Piece) -> None:
    """[10.0(3)] Record control of the hexes of a line that the player calls open."""
    places = referee.chart("places").rows
    for number in line.hexes:
        if (
            not is_controlled_by(referee.position, number, side_of(piece))
            and land_of(referee.position).place(number) not in places
        ):
            controller = state.COALITION if is_western(piece) else nation(piece)
            referee.set_flag(state.held_flag(number), controller, "10.0(3)", "the line is open")


def _say_sources(referee: IraqWarReferee, side: str) -> None:
    """[10.0(2)] Remind the player of the supply sources."""
    if referee.quiet:
        return
    chart = referee.chart("supply")
    nations = {nation(piece) for piece in units_on_map_of(referee.position, side)} or (
        {US} if side == state.COALITION else {IRAQI}
    )
    rows = [f"{chart.text(name, 'title')}: {chart.text(name, 'source')}" for name in chart.rows if name in nations]
    referee.say(f"Supply sources: {'; '.join(rows)}.", "10.0(2)", tone="reminder")


async def _propose_source(referee: IraqWarReferee) -> str:
    return referee.planner.source()


_AVERAGES: dict[tuple[str, ...], float] = {}


def _die_average(referee: IraqWarReferee) -> float:
    """[11.1] The mean of the die, cached per set of available methods."""
    open_to = sources(referee)
    if open_to not in _AVERAGES:
        _AVERAGES[open_to] = mean(command_point_chances(referee, DIE))
    return _AVERAGES[open_to]


async def _ask_source(referee: IraqWarReferee) -> str:
    """[11.1] Ask for Radio or die."""
    radios, average = radio_points(referee), _die_average(referee)
    hint = f"{average:g} on average"
    choices = {RADIO: Choice(RADIO, "the Radio boxes", f"{radios} CP"), DIE: Choice(DIE, "roll one die", hint)}
    open_to = sources(referee)
    suggest = RADIO if RADIO in open_to and radios > average else DIE
    if referee.computer_plays_iraq:
        suggest = referee.planner.source()
    shut = [choice for source, choice in choices.items() if source not in open_to]
    asked = "Does Iraq get its command points by Radio or by the die?"
    request = Choose("source", asked, "11.1", [choices[source] for source in open_to], suggest, shut)
    referee.decide(request, state.IRAQ, suggest)
    if not referee.computer_plays_iraq:
        referee.offer_advice(request, _propose_source)
    request.odds = lambda: cp_odds(referee)
    return await request
