"""[13.6] The advance after a combat."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.games.iraqwar2003.names import NONE
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r08_stacking import check_stack
from companion.games.iraqwar2003.rules.r13_losses import here
from companion.games.iraqwar2003.rules.r15_control import MEGA_CITY, OTHER_PLACES, ask_taken

CITIES = ("minor_city", "major_city", "mega_city")
"""Terrain in which a retreat may be ignored [13.5(8)]."""


async def advance(game: IraqWar, ids: Sequence[str], terrain: str) -> None:
    """[13.6] Into the empty hex, as many of the attackers as wish."""
    prompt = "The hex is empty: who advances"
    gone = await game.pick_units("advance", prompt, "13.6(1)", here(game, ids))
    if not gone:
        return
    game.say(
        f"{game.names(gone)} {'advances' if len(gone) == 1 else 'advance'} into the hex.",
        "13.6",
        "zones of control do not matter [13.6(2)], no movement points are spent [13.6(3)], and the map is not left [13.6(4)]",
        tone="board",
    )
    await check_stack(game, gone)
    await _take(game, gone, terrain)


async def _take(game: IraqWar, gone: Sequence[Piece], terrain: str) -> None:
    """[15.2] Whether the hex is a city that counts: by its terrain, as it was declared, it may be one. Of a port nobody knows."""
    if terrain in CITIES:
        await ask_taken(game, gone, kinds=(MEGA_CITY,) if terrain == "mega_city" else OTHER_PLACES)
    else:
        game.skip("taken", f"the hex is no city: its terrain is {terrain}", "15.2", as_good=(NONE,))
        game.say("Should the hex be a port that counts, say so: control.", "15.2", tone="reminder")
