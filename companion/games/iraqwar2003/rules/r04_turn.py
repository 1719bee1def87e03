"""[4.0] The ends of player turns and turns."""

from __future__ import annotations

from companion.games.iraqwar2003 import names
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r09_zones import has_turks
from companion.games.iraqwar2003.rules.r15_control import kurdish_bonus
from companion.games.iraqwar2003.rules.r15_victory import final_count
from companion.games.iraqwar2003.rules.r16_options import lifted, weather
from companion.games.iraqwar2003.words.counters import IRAQI, is_naval, nation
from companion.games.iraqwar2003.words.facts import TURNS
from companion.games.iraqwar2003.words.land import KUWAIT, land_of
from companion.games.iraqwar2003.words.places import is_hex


async def end_player_turn(game: IraqWar) -> None:
    """[4.1, 4.2] The current player is done; after Iraq the turn ends [4.3]."""
    side = game.side
    game.mark_all(game.position.of_kind(names.UNIT), names.MOVED, None, "12.1(6)")
    lifted(game)
    if side == names.COALITION:
        game.set_flag(names.SIDE, names.IRAQ, "4.2")
        game.set_flag(names.PHASE, names.BOMBING, "4.2(1)")
        game.say("The Iraqi player turn begins with the Ground Bombing Phase.", "4.2(1)")
        return
    left = game.position.track("cp")
    if left:
        game.say(f"Iraq loses {left} CP that it has not spent.", "11.3")
        game.set_track("cp", 0, "11.3", "unspent command points are lost")
    await end_of_turn(game)


async def end_of_turn(game: IraqWar) -> None:
    """[4.3] Kuwait and the Kurds are looked at, air units come back, the turn marker moves on."""
    if await _in_kuwait(game):
        game.shift_track("kuwait", 1, "15.2", "Iraqi units in Kuwait at the end of the turn")
        game.say(f"Iraq holds ground in Kuwait: {game.points('kuwait')}.", "15.2")
    if game.turn == 2:
        await kurdish_bonus(game)
    _air_units_return(game)
    last = int(await game.printed("turns", "How many boxes has the Turn Track?", "2.1.5(1)", TURNS))
    if game.option("opponent"):
        game.set_flag(names.TURNS, str(last), "2.1.5(1)")
    game.set_track("turn", game.turn + 1, "4.3(2)", "end of the turn")
    game.set_flag(names.SIDE, names.COALITION, "4.0")
    game.set_flag(names.PHASE, names.FACILITY, "4.1(1)")
    game.set_flag(names.RAIL, None, "16.7(1)")
    if game.turn > last:
        await final_count(game, last)
        return
    game.say(f"Turn {game.turn} of {last} begins.", "4.3(2)")
    await weather(game)


async def _in_kuwait(game: IraqWar) -> bool:
    """[15.2] Whether an Iraqi ground unit is in Kuwait: said where all hexes that count are told."""
    land = land_of(game.position)
    units = on_map(game.position, names.IRAQ)
    units = [piece for piece in units if nation(piece) == IRAQI] if has_turks(game.position) else units
    inside = {piece.name: land.in_area(piece.place, KUWAIT) if is_hex(piece.place) else None for piece in units}
    there = [name for name, known in inside.items() if known]
    if there or (units and None not in inside.values()):
        verb = "stands" if len(there) == 1 else "stand"
        text = f"{', '.join(there)} {verb} in Kuwait" if there else "no Iraqi unit stands in Kuwait"
        game.skip_question("kuwait", text, "15.2", as_good=("yes",) if there else ("no",))
        game.say(f"{text[0].upper()}{text[1:]}.", "15.2")
        return bool(there)
    return await game.confirm("kuwait", "Is an Iraqi ground unit in Kuwait?", "15.2", suggest=False)


def _air_units_return(game: IraqWar) -> None:
    """[4.3(1)] Air units and carriers become available again, naval units never; Iraqi damaged markers go [5.8.2(1)]."""
    back = []
    for side in names.SIDE_TITLES:
        there = game.position.at(names.used(side))
        units = [piece for piece in there if piece.kind != names.MARKER and not is_naval(piece)]
        game.move_all([(piece, names.ASIDE) for piece in there if piece.kind == names.MARKER], "5.8.2(1)", "end of the turn")
        game.move_all([(piece, names.available(side)) for piece in units], "4.3(1)", "end of the turn")
        back += units
    if back:
        game.say(f"{game.piece_names(back)} {'is' if len(back) == 1 else 'are'} available again.", "4.3(1)")
