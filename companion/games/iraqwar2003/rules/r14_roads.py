"""[14.0] Road destruction and repair."""

from __future__ import annotations

from companion.core.notation import free_text
from companion.core.requests import Choice
from companion.games.iraqwar2003.names import ASIDE, ROADS
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r04_actions import can_act, check_acting, finish, unfit
from companion.games.iraqwar2003.rules.r11_command_points import charge

HEX = free_text("hex", "1722")
DESTROY, REPAIR = "destroy", "repair"


def roads_of(hex_name: str) -> str:
    """The name of the damaged marker of a hex."""
    return f"roads of {hex_name}"


def destroy_roads(game: IraqWar, hex_name: str, rule: str) -> None:
    """[14.2, 14.3, 5.1(3)] A damaged marker on a hex; a second one does nothing."""
    name = roads_of(hex_name)
    if any(piece.name == name for piece in game.position.at(ROADS)):
        game.say(f"The {name} are destroyed already: no more effect.", "14.3")
        return
    game.make(ROADS, name, ROADS, rule, "destroyed")
    game.say(f"The {name} and the bridges into it are destroyed.", "14.2")


async def road_work(game: IraqWar) -> None:
    """[14.1, 14.4] A unit that does nothing else destroys or repairs the roads of its hex, at once."""
    units = await game.ask_units("unit", "Which unit works on the road", "14.1", can_act(game), game.side, 1, 1)
    piece = units[0]
    check_acting(game, piece, "work on roads")
    game.heed(unfit(piece, "no work on roads", "14.5"))
    broken = {marker.name.removeprefix(roads_of("")): marker for marker in game.position.at(ROADS)}
    hex_name = await game.text("hex", "In which hex", "14.1", HEX, [Choice(name, name, "destroyed") for name in broken])
    marker = broken.get(hex_name)
    work = await game.choose(
        "work",
        f"The roads of {hex_name} are {'destroyed' if marker else 'whole'}",
        "14.4" if marker else "14.1",
        [Choice(DESTROY, "destroy them"), Choice(REPAIR, "repair them")],
        REPAIR if marker else DESTROY,
    )
    if work == REPAIR and not marker:
        game.forbid(f"the roads of {hex_name} are not destroyed", "14.4", "Nothing to repair")
    if work == DESTROY and marker:
        game.forbid(f"the roads of {hex_name} are destroyed already", "14.3", "Repair them instead")
    charge(game, [piece], f"{work}ing roads with", "11.2(4)" if work == REPAIR else "11.2(3)")
    if work == DESTROY:
        destroy_roads(game, hex_name, "14.1")
    else:
        if marker:
            game.move(marker.id, ASIDE, "14.4", "repaired")
        game.say(f"The roads of {hex_name} are repaired; whoever acts later may use them.", "14.4")
    finish(game, [piece])
