"""[4.1(4), 7.3.3, 12.0, 14.0] The Operation Phase: moving and attacking, recovering, work on roads."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Tables
from companion.core.notation import Notation, free_text
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.words import clean, split_list
from companion.games.iraqwar2003.referee import SIDE_TITLES, IraqWar, on_map
from companion.games.iraqwar2003.rules import r12_movement as movement
from companion.games.iraqwar2003.rules.r05_missions import destroy_roads
from companion.games.iraqwar2003.rules.r08_stacking import ask_stack
from companion.games.iraqwar2003.rules.r12_movement import Mover
from companion.games.iraqwar2003.rules.r13_combat import combat_segment
from companion.games.iraqwar2003.rules.r15_control import ask_taken
from companion.games.iraqwar2003.words.counters import nation, printed_side, read_unit, side_of

HEX = free_text("hex", "1722")


def can_act(game: IraqWar) -> list[Piece]:
    """Units of the current player that have done nothing yet this player turn."""
    return [piece for piece in on_map(game.position, game.side) if not piece.mark("moved")]


def check_acting(game: IraqWar, piece: Piece, doing: str) -> None:
    """[4.1(4-1), 12.1(6)] Of the current player, and not done yet."""
    if side_of(piece) != game.side:
        game.forbid(f"{piece.name} belongs to the other player", "4.1(4-1)", f"Name a {SIDE_TITLES[game.side]} unit")
    if piece.mark("moved"):
        game.forbid(f"{piece.name} has finished its actions this turn", "12.1(6)", f"It cannot {doing}")


def charge(game: IraqWar, pieces: Sequence[Piece], what: str, rule: str) -> None:
    """[11.2, 4.2(3)] 1 CP a unit for Iraqi units (ruling C-29); the Turkish unit needs none [16.10(1)]."""
    needy = [piece for piece in pieces if nation(piece) == "iraq"]
    if needy:
        game.pay(len(needy), f"{what} {game.names(needy)}", rule)


def finish(game: IraqWar, pieces: Sequence[Piece]) -> None:
    """[4.1(4-3)] The moved marker."""
    for piece in pieces:
        if game.piece(piece.id).place == "map":
            game.mark(piece.id, "moved", True, "4.1(4-3)")


async def operate(game: IraqWar, tables: Tables) -> None:
    """[4.1(4)] One unit or stack: movement segment, ground combat segment, actions completed."""
    prompt = f"Which {SIDE_TITLES[game.side]} unit, or stack that moves as one"
    units = await game.ask_units("units", prompt, "12.1(1)", can_act(game), game.side, 1, 6)
    for piece in units:
        check_acting(game, piece, "move")
        if piece.mark("disrupted"):
            game.forbid(f"{piece.name} is disrupted: it may not move or attack", "7.3.1(1)", "It may recover: recover")
    charge(game, units, "moving and fighting with", "11.2(1)")
    way = movement.read_way(
        await game.text(
            "way",
            "Hexes entered, in order: road, zoc, river, large, swamp, city ... (Enter: it stays)",
            "12.2",
            movement.WAY,
            _ways(),
            movement.STAY,
        )
    )
    for piece in units:
        mover = mover_of(game, piece)
        found = movement.cost(way, mover)
        movement.forbid_faults(game, found.faults)
        if way.hexes:
            movement.tell_cost(game, mover, found)
    if way.hexes:
        await ask_stack(game, units)
        if "city" in way.hexes[-1] or any("city" in words for words in way.hexes):
            await ask_taken(game, game.side)
    units = [piece for unit in units if (piece := game.piece(unit.id)).place == "map"]
    if units:
        await combat_segment(game, tables, units)
    finish(game, units)


def _ways() -> list[Choice]:
    """A few ways, to show how they are written."""
    return [
        Choice("stay", "it does not move"),
        Choice("road, road, road", "three hexes along a road"),
        Choice("plain, river", "the second across a minor river"),
        Choice("from zoc, plain zoc", "from one zone of control to another"),
    ]


def mover_of(game: IraqWar, piece: Piece) -> Mover:
    """[10.0(6), 16.6(4)] The unit with the movement value that it has now."""
    side = printed_side(piece)
    storm = bool(game.position.flag("storm"))
    value, fly = movement.movement_value(side.move, bool(piece.values.get("fly")), bool(piece.mark("oos")), storm)
    if value != side.move:
        game.say(f"{piece.name}: movement {side.move} halved to {value}.", "10.0(6)" if piece.mark("oos") else "16.6(4)")
    return Mover(piece.name, value, fly)


async def recover(game: IraqWar) -> None:
    """[7.3.3] Disrupted units spend the whole phase and recover."""
    disrupted = [piece for piece in can_act(game) if piece.mark("disrupted")]
    units = await game.ask_units("units", "Which disrupted units recover", "7.3.3", disrupted, game.side, 1)
    for piece in units:
        check_acting(game, piece, "recover")
        if not piece.mark("disrupted"):
            game.forbid(f"{piece.name} is not disrupted", "7.3.3", "Name a disrupted unit")
        if piece.mark("oos"):
            game.forbid(f"{piece.name} is out of supply: it cannot recover", "7.3.3", "Open its supply line first")
        if piece.number("anti_air") and game.on("anti_air_unit"):
            game.forbid(f"{piece.name}, the anti-air unit, never recovers", "16.4(6)", "Name another unit")
    charge(game, units, "recovery of", "11.2(2)")
    for piece in units:
        game.mark(piece.id, "disrupted", None, "7.3.3", "recovered")
    finish(game, units)
    game.say(f"Recovered from disruption: {game.names(units)}.", "7.3.3")


async def road_work(game: IraqWar) -> None:
    """[14.1, 14.4] A unit that does nothing else destroys or repairs the roads of its hex, at once."""
    units = await game.ask_units("unit", "Which unit works on the road", "14.1", can_act(game), game.side, 1, 1)
    piece = units[0]
    check_acting(game, piece, "work on roads")
    if piece.mark("disrupted"):
        game.forbid(f"{piece.name} is disrupted: no work on roads", "14.5", "It may recover: recover")
    broken = [marker.name.removeprefix("roads of ") for marker in game.position.at("roads")]
    known = [Choice(name, name, "destroyed") for name in broken]
    hex_name = await game.text("hex", "In which hex", "14.1", HEX, known)
    repair = hex_name in broken
    work = await game.choose(
        "work",
        f"The roads of {hex_name} are {'destroyed' if repair else 'whole'}",
        "14.4" if repair else "14.1",
        [Choice("destroy", "destroy them"), Choice("repair", "repair them")],
        "repair" if repair else "destroy",
    )
    if work == "repair" and not repair:
        game.forbid(f"the roads of {hex_name} are not destroyed", "14.4", "Nothing to repair")
    if work == "destroy" and repair:
        game.forbid(f"the roads of {hex_name} are destroyed already", "14.3", "Repair them instead")
    charge(game, [piece], f"{work}ing roads with", "11.2(4)" if work == "repair" else "11.2(3)")
    if work == "repair":
        marker = next((one for one in game.position.at("roads") if one.name == f"roads of {hex_name}"), None)
        if marker:
            game.move(marker.id, "off", "14.4", "repaired")
        game.say(f"The roads of {hex_name} are repaired; whoever acts later may use them.", "14.4")
    else:
        destroy_roads(game, hex_name, "14.1")
    finish(game, [piece])


async def enter_units(game: IraqWar) -> None:
    """[2.2] Ground units as printed, several at a time; they are remembered for every game."""
    example = "us 1/3ID 6-5-8/4-3-8 div:3ID, iraq 6A 3-4-4/2-2-4 big"

    def read(text: str) -> str:
        parts = [str(read_unit(part)) for part in split_list(clean(text))]
        return ", ".join(parts) or str(read_unit(text))

    text = await game.text("units", "Units as on their counters, with commas between", "2.2", Notation("units", example, read))
    units = [read_unit(part) for part in split_list(text)]
    entered = [await game.enter(unit, "off map" if unit.turn else "map") for unit in units]
    for where, title in (("map", "On the map"), ("off map", "To come")):
        if there := [piece for piece in entered if piece.place == where]:
            game.say(f"{title}: {game.names(there)}.", "2.2")
