"""[16.7] Railroad transport (option)."""

from __future__ import annotations

from companion.core.notation import Notation
from companion.core.position import Piece
from companion.games.iraqwar2003.names import COALITION, DISRUPTED, IRAQ, NONE, RAIL
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r04_actions import check_acting, finish, fit_to_act, unfit
from companion.games.iraqwar2003.rules.r08_stacking import ask_stack
from companion.games.iraqwar2003.rules.r09_zones import enemy_zones
from companion.games.iraqwar2003.rules.r10_line import holder_of, is_ours
from companion.games.iraqwar2003.rules.r11_command_points import charge
from companion.games.iraqwar2003.rules.r13_combat import combat_segment
from companion.games.iraqwar2003.rules.r13_declare import Moved
from companion.games.iraqwar2003.rules.r13_losses import here
from companion.games.iraqwar2003.rules.r15_control import enter_hexes
from companion.games.iraqwar2003.words.counters import IRAQI, nation
from companion.games.iraqwar2003.words.places import is_hex, place_of

_RAILWAY = (
    ("zones", "By rail: neither from nor through an enemy zone of control, as on roads.", "16.7(4)"),
    ("broken", "No hex with destroyed roads: the railroad is destroyed there too.", "16.7.1(1)"),
    ("enemy", "No hex that the enemy controls.", "16.7(5)"),
)
"""What only the player sees of the way."""


async def rail(game: IraqWar) -> None:
    """[16.7] One Iraqi unit a turn along the railroad, any distance, as its movement; 1 CP, and it may attack (ruling C-25)."""
    ready = [piece for piece in fit_to_act(game.position) if nation(piece) == IRAQI]
    units = await game.ask_units("unit", "Which Iraqi unit goes by rail?", "16.7(1)", ready, IRAQ, 1, 1)
    piece = units[0]
    check_acting(game, piece, "go by rail")
    if nation(piece) != IRAQI:
        game.forbid(f"{piece.name} is not an Iraqi unit", "16.7(1)", "Name an Iraqi unit")
    game.heed(unfit(piece))
    for key, text, rule in _RAILWAY:
        game.say(text, rule, tone="reminder")
        game.skip_question(key, text.rstrip("."), rule, "Choose another way", as_good=("no",))
    charge(game, [piece], "railroad transport of", "11.2(1)")
    game.set_flag(RAIL, True, "16.7(1)")
    game.say(f"{piece.name} goes by rail, whatever its movement value.", "16.7(3)", tone="board")
    await _arrive(game, piece)
    await ask_stack(game, [game.piece(piece.id)])
    await _attack(game, piece)
    finish(game, [piece])


async def _arrive(game: IraqWar, piece: Piece) -> None:
    """[16.7(4), 16.7(5)] The hex where a unit comes to whose own is told: neither is in an enemy zone of control, and the enemy
    does not control it.
    """
    if not is_hex(piece.place):
        return
    place = await game.text("to", "To which hex does it go? (?: no digits known)", "16.7(3)", Notation("hex", "1321", place_of))
    zoned = enemy_zones(game.position, [piece])
    for number in (piece.place, place):
        if number in zoned:
            game.forbid(f"{number} lies in an enemy zone of control", "16.7(4)", "By rail neither from nor into one")
    if is_hex(place) and holder_of(game.position, place) and not is_ours(game.position, place, IRAQ):
        game.forbid(f"the enemy controls {place}", "16.7(5)", "Choose another hex")
    game.move(piece.id, place, "16.7(3)", "by rail")
    enter_hexes(game, piece, [place] if is_hex(place) else [])


async def _attack(game: IraqWar, piece: Piece) -> None:
    """[4.1(4-2), 16.7(4)] Its combat segment: in no enemy zone of control, it has only disrupted units beside it [7.3.1(2)]."""
    units = here(game, [piece.id])
    if units and any(one.mark(DISRUPTED) for one in on_map(game.position, COALITION)):
        await combat_segment(game, units, moved=Moved("16.7(4)"))
        return
    text = "beside it, where no enemy zone of control is, there can be no enemy that is not disrupted"
    game.skip_question("attack", text, "16.7(4)", as_good=(NONE,))
