"""[16.4] The Iraqi anti-air unit (option): it fires at bombers and ground support in its hex or beside it."""

from __future__ import annotations

from companion.games.iraqwar2003.names import ANTI_AIR_UNIT, DISRUPTED, IRAQ
from companion.games.iraqwar2003.referee import IraqWar, on_map


async def fire_of_the_unit(game: IraqWar) -> tuple[int, ...]:
    """[16.4(1), 16.4(2)] Its one shot at a Coalition unit over a hex: only the player sees whether it is near. Disrupted it
    does not fire [16.4(4)].
    """
    units = [piece for piece in on_map(game.position, IRAQ) if piece.number("anti_air")] if game.on(ANTI_AIR_UNIT) else []
    if not units:
        return ()
    if all(piece.mark(DISRUPTED) for piece in units):
        game.say(f"{game.names(units)} is disrupted: no anti-air fire.", "16.4(4)")
        return ()
    prompt = f"Is {game.names(units)} in the target hex or adjacent to it"
    near = await game.confirm("aa_unit", prompt, "16.4(2)", suggest=False)
    return (game.chart("anti_air").number("unit", "firepower"),) if near else ()
