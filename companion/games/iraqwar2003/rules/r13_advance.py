"""[13.6] The advance after a combat."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Pick
from companion.games.iraqwar2003.bot.stands import pursuers
from companion.games.iraqwar2003.names import MAP, NONE
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r02_map import learn
from companion.games.iraqwar2003.rules.r08_stacking import check_stack
from companion.games.iraqwar2003.rules.r13_losses import here
from companion.games.iraqwar2003.rules.r15_control import MEGA_CITY, OTHER_PLACES, ask_taken, enter_hexes, settled, told_places
from companion.games.iraqwar2003.words.counters import side_of
from companion.games.iraqwar2003.words.land import read_ground

CITIES = ("minor_city", "major_city", "mega_city")
"""Terrain in which a retreat may be ignored [13.5(8)]."""


async def advance(game: IraqWar, ids: Sequence[str], terrain: str, number: str = "") -> None:
    """[13.6] Into the empty hex, as many of the attackers as wish. ``number``: its digits, where they are told."""
    gone = await _who(game, here(game, ids), number)
    if not gone:
        return
    game.say(
        f"{game.piece_names(gone)} {'advances' if len(gone) == 1 else 'advance'} into {number or 'the hex'}.",
        "13.6",
        "zones of control do not matter [13.6(2)], no movement points are spent [13.6(3)], and the map is not left [13.6(4)]",
        tone="board",
    )
    for piece in gone:
        game.move(piece.id, number or MAP, "13.6", "advances")
    await check_stack(game, gone)
    await _take(game, gone, terrain, number)


async def _who(game: IraqWar, able: Sequence[Piece], number: str) -> list[Piece]:
    """[13.6(1)] Who advances: any, all or nobody."""
    if not able:
        return []
    request = Pick("advance", "The hex is empty. Who advances?", "13.6(1)", game.unit_choices(able), suggest=[])
    side = side_of(able[0])
    if game.computer_plays(side):
        game.decide(request, side, [piece.name for piece in pursuers(game, able, number)])
    chosen = await request
    return [piece for piece in able if piece.name in chosen]


async def _take(game: IraqWar, gone: Sequence[Piece], terrain: str, number: str) -> None:
    """[15.2] Whether the hex is a city that counts: by what is told of it; else by its terrain, as it was declared, it may be.
    Of a port nobody knows.
    """
    enter_hexes(game, gone[0], [number])
    if number and settled(game, number):
        game.skip_question("taken", f"what lies in {number} is known", "15.2", as_good=(NONE, *told_places(game)))
        return
    if terrain in CITIES:
        kinds = (MEGA_CITY,) if terrain == "mega_city" else OTHER_PLACES
        taken = await ask_taken(game, gone, kinds=kinds, but=told_places(game) if number else ())
        if taken and number:
            await learn(game, {f"hex:{number}": str(read_ground(taken[0]))}, "15.2")
    else:
        game.skip_question("taken", f"the hex is not a city: its terrain is {terrain}", "15.2", as_good=(NONE,))
        game.say("If the hex is a port that counts, say so: control.", "15.2", tone="reminder")
