"""[16.6] Sand storms (option)."""

from __future__ import annotations

from companion.games.iraqwar2003.names import GROUNDED, SAND_STORMS, STORM
from companion.games.iraqwar2003.referee import IraqWar


async def weather(game: IraqWar) -> None:
    """[16.6(2)] At the start of each turn the Iraqi player rolls for sand storms."""
    if not game.on(SAND_STORMS):
        return
    face, now = await game.die("weather", "Weather (Iraqi player): 6 brings sand storms", "16.6(2)")
    storm = now == "storm"
    game.set_flag(STORM, True if storm else None, "16.6(2)")
    game.say(f"Weather: {face}, {'sand storms this turn' if storm else 'clear'}.", "16.6(1)")
    if storm:
        game.say("Flying units move at half their value and like any other unit this turn.", "16.6(4)", tone="reminder")


async def visibility(game: IraqWar, what: str) -> None:
    """[16.6(3)] In a sand storm one die a phase and combat segment may ground all air units."""
    lifted(game)
    if not game.position.flag(STORM):
        return
    prompt = f"Sand storm: 4 or more grounds all air units in this {what}"
    face, now = await game.die("visibility", prompt, "16.6(3)")
    grounded = now == "grounded"
    game.set_flag(GROUNDED, grounded or None, "16.6(3)")
    game.say(f"Visibility: {face}, air units {'stay on the ground' if grounded else 'can fly'}.", "16.6(3)")


def lifted(game: IraqWar) -> None:
    """[16.6(3)] With the phase or segment its visibility is over (ruling C-45)."""
    game.set_flag(GROUNDED, None, "16.6(3)")
