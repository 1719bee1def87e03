"""[16.6, 16.7, 16.8] Sand storms, railroad transport and reinforcements (options)."""

from __future__ import annotations

from companion.core.requests import Choice
from companion.games.iraqwar2003.names import ASIDE, GROUNDED, IRAQ, MAP, RAIL, SAND_STORMS, STORM
from companion.games.iraqwar2003.referee import IraqWar, reinforcements_due
from companion.games.iraqwar2003.rules.r04_actions import check_acting, finish, fit_to_act, unfit
from companion.games.iraqwar2003.rules.r08_stacking import ask_stack
from companion.games.iraqwar2003.rules.r11_command_points import charge
from companion.games.iraqwar2003.words.counters import IRAQI, nation


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


_RAILWAY = (
    ("zones", "By rail: neither from nor through an enemy zone of control, as on roads.", "16.7(4)"),
    ("broken", "No hex with destroyed roads: the railroad is destroyed there too.", "16.7.1(1)"),
    ("enemy", "No hex that the enemy controls.", "16.7(5)"),
)
"""What only the player sees of the way."""


async def rail(game: IraqWar) -> None:
    """[16.7] One Iraqi unit a turn along the railroad, any distance, as its movement; 1 CP (ruling C-25)."""
    ready = [piece for piece in fit_to_act(game.position) if nation(piece) == IRAQI]
    units = await game.ask_units("unit", "Which Iraqi unit goes by rail", "16.7(1)", ready, IRAQ, 1, 1)
    piece = units[0]
    check_acting(game, piece, "go by rail")
    if nation(piece) != IRAQI:
        game.forbid(f"{piece.name} is no Iraqi unit", "16.7(1)", "Name an Iraqi unit")
    game.heed(unfit(piece))
    for key, text, rule in _RAILWAY:
        game.say(text, rule, tone="reminder")
        game.skip(key, text.rstrip("."), rule, "Choose another way", as_good=("no",))
    charge(game, [piece], "railroad transport of", "11.2(1)")
    game.set_flag(RAIL, True, "16.7(1)")
    game.say(f"{piece.name} goes by rail, whatever its movement value.", "16.7(3)", tone="board")
    await ask_stack(game, [piece])
    finish(game, [piece])


async def reinforce(game: IraqWar) -> None:
    """[16.8] Units whose turn it is come into Kuwait City or beside it; lost if Iraq holds the city."""
    due = reinforcements_due(game.position)
    choices = [Choice(piece.name, piece.name, f"turn {piece.number('turn')}") for piece in due]
    if not due:
        return
    if await game.confirm("held", "Does Iraq control Kuwait City", "16.8(3)", suggest=False):
        for piece in due:
            game.move(piece.id, ASIDE, "16.8(3)", "reinforcements lost")
        game.say(f"Lost, though not counted as removed: {game.names(due)}.", "16.8(3)")
        return
    names = await game.pick(
        "units", "Which arrive, in Kuwait City or beside it", "16.8(2)", choices, suggest=[p.name for p in due]
    )
    arrived = [piece for piece in due if piece.name in names]
    for piece in arrived:
        game.move(piece.id, MAP, "16.8(2)", "reinforcement")
    game.say(f"Arrived: {game.names(arrived)}. Mind the stacking limit where they appear.", "8.2(1)")
