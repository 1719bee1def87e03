"""[14.0] Road destruction and repair."""

from __future__ import annotations

from companion.core.notation import Notation, free_text
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules.r04_sequence import check_can_act, disruption_obstacle, mark_moved, undisrupted_units
from companion.games.iraqwar2003.rules.r11_command_points import check_command_points, pay_command_points
from companion.games.iraqwar2003.state import ASIDE, ROADS, is_hex

_WORDS = free_text("hex", "1722")
DESTROY, REPAIR = "destroy", "repair"


def read_hex(text: str) -> str:
    """A hex as its number is printed, in four digits: ``607`` is 0607 [5.7(3)]; a name stays a name."""
    said = _WORDS.read(text)
    return said.zfill(4) if said.isdecimal() else said


HEX = Notation("hex", "1722", read_hex)


def hex_number(game: IraqWarReferee, said: str) -> str:
    """A city by the number of its hex, where the rulebook gives it, so that the same hex has one name [14.3]."""
    chart = game.chart("places")
    return next((chart.text(name, "hex") for name in chart.rows if name.casefold() == said.casefold()), "") or said


def roads_name(hex_name: str) -> str:
    """The name of the damaged marker of a hex."""
    return f"roads of {hex_name}"


def destroy_roads(game: IraqWarReferee, hex_name: str, rule: str) -> None:
    """[14.2, 14.3, 5.1(3)] A damaged marker on a hex; a second one does nothing."""
    name = roads_name(hex_name)
    if any(piece.name == name for piece in game.position.at(ROADS)):
        game.say(f"The {name} are destroyed already: another hit does nothing.", "14.3")
        return
    game.make(ROADS, name, ROADS, rule, "destroyed")
    game.say(f"The {name} and the bridges into it are DESTROYED.", "14.2")


async def road_work(game: IraqWarReferee) -> None:
    """[14.1, 14.4] A unit that does nothing else destroys or repairs the roads of its hex, at once."""
    units = await game.ask_units(
        "unit", "Which unit works on the road?", "14.1", undisrupted_units(game.position), game.side, 1, 1
    )
    await work_on_roads(game, units[0])


async def work_on_roads(game: IraqWarReferee, piece: Piece) -> None:
    """[14.1, 14.4] The work of a unit that has been named."""
    check_can_act(game, piece, "work on roads")
    game.enforce(disruption_obstacle(piece, "no work on roads", "14.5"))
    check_command_points(game, [piece], "work on roads with")
    broken = {marker.name.removeprefix(roads_name("")): marker for marker in game.position.at(ROADS)}
    known = [Choice(name, name, "destroyed") for name in broken]
    hex_name = piece.place
    if is_hex(hex_name):
        game.skip_question("hex", f"{piece.name} stands in {hex_name}", "14.1", as_good=(hex_name,))
    else:
        hex_name = hex_number(game, await game.text("hex", "In which hex?", "14.1", HEX, known))
    marker = broken.get(hex_name)
    work = REPAIR if marker else DESTROY
    state = "are destroyed already" if marker else "are not destroyed"
    cure = "Repair them instead" if marker else "Nothing to repair"
    game.skip_question("work", f"the roads of {hex_name} {state}", "14.3" if marker else "14.4", cure, as_good=(work,))
    pay_command_points(game, [piece], f"{work}ing roads with", "11.2(4)" if work == REPAIR else "11.2(3)")
    if work == DESTROY:
        destroy_roads(game, hex_name, "14.1")
    else:
        if marker:
            game.move(marker.id, ASIDE, "14.4", "repaired")
        game.say(f"{piece.name} repairs the roads of {hex_name}; whoever acts later may use them.", "14.4")
    mark_moved(game, [piece])
