"""What our opponent for Iraq does next with its command points, where the map is told: it proposes its moves itself."""

from __future__ import annotations

from companion.games.iraqwar2003.bot.chores import recoveries, road_works
from companion.games.iraqwar2003.bot.marches import marches
from companion.games.iraqwar2003.bot.scene import Scene
from companion.games.iraqwar2003.bot.strikes import strikes
from companion.games.iraqwar2003.bot.weighing import Option, choose, say_verdict, settled
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.state import IRAQ, is_hex

DONE = "done"


async def deeds(game: IraqWarReferee) -> list[Option]:
    """[11.2] Everything that a command point could be spent on, the last: to spend no more; nothing where the map does not tell
    where an Iraqi unit stands that could act.
    """
    told, left = await game.known_facts("crt", "13.4"), await game.known_facts("terrain", "13.3(5)")
    scene = Scene(game, told, left)
    if not scene.field.front.land.how or not any(is_hex(one.place) for one in units_on_map_of(game.position, IRAQ)):
        return []
    found = [*strikes(scene), *marches(scene), *recoveries(scene), *road_works(scene)] if scene.points else []
    return [*(one for one in found if one.cost <= scene.points and one.vp > 0), Option("nothing more", DONE, does=False)]


async def propose_order(game: IraqWarReferee) -> str:
    """[11.2] The next order as it is typed: ``51M > 3136 3137 > 3138``, ``recover Med``, ``road SF1``; ``done``; "" where the
    map is not told.
    """
    options = await deeds(game)
    if not options:
        return ""
    verdict = choose(game, "deed", options, "our estimate and exact odds")
    chosen, lines = await settled(game, "deed", "11.2", IRAQ, verdict, options)
    does = f"decides to {chosen.name}" if chosen.does else "does nothing more"
    say_verdict(game, f"Iraq {does} (next of {game.position.track('cp')} CP).", "11.2", *lines)
    return chosen.answer
