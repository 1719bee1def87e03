"""What our opponent would do for Iraq now, when it is asked."""

from __future__ import annotations

from companion.core.text import plural
from companion.games.iraqwar2003.bot.orders import propose_order
from companion.games.iraqwar2003.bot.sources import propose_source
from companion.games.iraqwar2003.bot.spending import propose_spending
from companion.games.iraqwar2003.notation import AIRFIELD, RADIO
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact
from companion.games.iraqwar2003.state import BOMBING, IRAQ, OPERATIONS


async def propose(game: IraqWarReferee) -> None:
    """What our opponent would do for Iraq now: command points by radio or die, or how to spend them."""
    game.say("The rulebook has no opponent: these priorities are ours.", "4.2", tone="reminder")
    if game.side == IRAQ and game.phase == OPERATIONS:
        if not await propose_order(game):
            await propose_spending(game)
        return
    if game.side == IRAQ and game.phase == BOMBING:
        game.say("What Iraq bombs is proposed target by target: bomb.", "7.1")
    if game.side == IRAQ and boxes(game.position, RADIO):
        propose_source(game)
        return
    fields = len(intact(boxes(game.position, AIRFIELD)))
    ready = game.piece_names(game.air_units(IRAQ))
    left = plural(fields, "Air Field")
    game.say(f"Iraq has nothing to decide now, only when groups are placed. Ready: {ready}; {left}.", "5.2(2)")
