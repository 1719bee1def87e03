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
    """Read a hex in four digits: ``607`` is 0607 [5.7(3)]; a name stays a name."""
    word = _WORDS.read(text)
    return word.zfill(4) if word.isdecimal() else word


HEX = Notation("hex", "1722", read_hex)


def hex_number(referee: IraqWarReferee, text: str) -> str:
    """[14.3] The number of a city's hex if the rulebook gives it, so that a hex has one name."""
    chart = referee.chart("places")
    return next((chart.text(name, "hex") for name in chart.rows if name.casefold() == text.casefold()), "") or text


def roads_name(hex_name: str) -> str:
    """The name of the damaged marker of a hex."""
    return f"roads of {hex_name}"


def destroy_roads(referee: IraqWarReferee, hex_name: str, rule: str) -> None:
    """[14.2, 14.3, 5.1(3)] Put a damaged marker on a hex; a second one has no effect."""
    name = roads_name(hex_name)
    if any(piece.name == name for piece in referee.position.at(ROADS)):
        referee.say(f"The {name} are destroyed already: another hit does nothing.", "14.3")
        return
    referee.make(ROADS, name, ROADS, rule, "destroyed")
    referee.say(f"The {name} and the bridges into it are DESTROYED.", "14.2")


async def road_work(referee: IraqWarReferee) -> None:
    """[14.1, 14.4] Ask for a unit that destroys or repairs the roads of its hex."""
    units = await referee.ask_units(
        "unit", "Which unit works on the road?", "14.1", undisrupted_units(referee.position), referee.side, 1, 1
    )
    await work_on_roads(referee, units[0])


async def work_on_roads(referee: IraqWarReferee, piece: Piece) -> None:
    """[14.1, 14.4] Destroy or repair the roads of a unit's hex."""
    check_can_act(referee, piece, "work on roads")
    referee.enforce(disruption_obstacle(piece, "no work on roads", "14.5"))
    check_command_points(referee, [piece], "work on roads with")
    broken = {marker.name.removeprefix(roads_name("")): marker for marker in referee.position.at(ROADS)}
    choices = [Choice(name, name, "destroyed") for name in broken]
    hex_name = piece.place
    if is_hex(hex_name):
        referee.skip_question("hex", f"{piece.name} stands in {hex_name}", "14.1", as_good=(hex_name,))
    else:
        hex_name = hex_number(referee, await referee.text("hex", "In which hex?", "14.1", HEX, choices))
    marker = broken.get(hex_name)
    work = REPAIR if marker else DESTROY
    state = "are destroyed already" if marker else "are not destroyed"
    cure = "Repair them instead" if marker else "Nothing to repair"
    referee.skip_question("work", f"the roads of {hex_name} {state}", "14.3" if marker else "14.4", cure, as_good=(work,))
    pay_command_points(referee, [piece], f"{work}ing roads with", "11.2(4)" if work == REPAIR else "11.2(3)")
    if work == DESTROY:
        destroy_roads(referee, hex_name, "14.1")
    else:
        if marker:
            referee.move(marker.id, ASIDE, "14.4", "repaired")
        referee.say(f"{piece.name} repairs the roads of {hex_name}; units that act later may use them.", "14.4")
    mark_moved(referee, [piece])
