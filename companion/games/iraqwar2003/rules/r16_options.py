"""[16.6, 16.8] Sand storms and reinforcements (options)."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Pick
from companion.games.iraqwar2003.names import ASIDE, COALITION, GROUNDED, MAP, SAND_STORMS, STORM
from companion.games.iraqwar2003.referee import IraqWar, on_map, reinforcements_due
from companion.games.iraqwar2003.rules.r08_stacking import ask_stack, faults
from companion.games.iraqwar2003.rules.r09_zones import SOURCES
from companion.games.iraqwar2003.words.counters import US, side_of
from companion.games.iraqwar2003.words.land import land_of
from companion.games.iraqwar2003.words.places import is_hex, units_in


async def weather(game: IraqWar) -> None:
    """[16.6(2)] At the start of each turn the Iraqi player rolls for sand storms."""
    if not game.on(SAND_STORMS):
        return
    face, now = await game.die("weather", "Weather, Iraq rolls: sand storms on 6", "16.6(2)")
    storm = now == "storm"
    game.set_flag(STORM, True if storm else None, "16.6(2)")
    game.say(f"Weather: {face}, storms on 6. {'SAND STORMS this turn' if storm else 'Clear'}.", "16.6(1)")
    if storm:
        game.say("Flying units move at half their value and like any other unit this turn.", "16.6(4)", tone="reminder")


async def visibility(game: IraqWar, what: str) -> None:
    """[16.6(3)] In a sand storm one die a phase and combat segment may ground all air units."""
    lifted(game)
    if not game.position.flag(STORM):
        return
    prompt = f"Sand storm: all air units are grounded on 4-6 in this {what}"
    face, now = await game.die("visibility", prompt, "16.6(3)")
    grounded = now == "grounded"
    game.set_flag(GROUNDED, grounded or None, "16.6(3)")
    game.say(f"Visibility: {face}, grounded on 4-6. Air units {'stay on the ground' if grounded else 'can fly'}.", "16.6(3)")


def lifted(game: IraqWar) -> None:
    """[16.6(3)] With the phase or segment its visibility is over (ruling C-45)."""
    game.set_flag(GROUNDED, None, "16.6(3)")


async def reinforce(game: IraqWar) -> None:
    """[16.8, 8.2(1)] Units whose turn it is come into Kuwait City or beside it, stack by stack; lost if Iraq holds the city."""
    due = reinforcements_due(game.position)
    if not due:
        return
    if await _lost(game):
        for piece in due:
            game.move(piece.id, ASIDE, "16.8(3)", "reinforcements lost")
        game.say(f"{game.piece_names(due)} cannot arrive: lost, but not counted as eliminated.", "16.8(3)")
        return
    while due:
        together = await _together(game, due)
        place = await _where(game, together)
        for piece in together:
            game.move(piece.id, place, "16.8(2)", "reinforcement")
        title = "one hex, Kuwait City or beside it" if place == MAP else place
        game.say(
            f"{game.piece_names(together)} {'arrives' if len(together) == 1 else 'arrive'} in {title}.", "16.8(2)", tone="board"
        )
        await ask_stack(game, [game.piece(piece.id) for piece in together])
        due = reinforcements_due(game.position)


async def _together(game: IraqWar, due: Sequence[Piece]) -> list[Piece]:
    """[8.2(1)] Who of the reinforcements comes into the same hex: as many as may stack are suggested."""
    if len(due) == 1:
        return list(due)
    fitting: list[Piece] = []
    for piece in due:
        fitting += [] if faults([*fitting, piece]) else [piece]
    suggest = [piece.name for piece in fitting]
    prompt = "Which reinforcements arrive together, in Kuwait City or beside it?"
    request = Pick("units", prompt, "16.8(2)", game.unit_choices(due), 1, suggest=suggest)
    chosen = await game.own(COALITION, request, suggest)
    together = [piece for piece in due if piece.name in chosen]
    for text, rule in faults(together):
        game.forbid(text, rule, "Name those who may stack; the others arrive next, elsewhere")
    return together


async def _lost(game: IraqWar) -> bool:
    """[16.8(3)] Whether Iraq controls Kuwait City: not while one of the Coalition's units is told to stand there."""
    there = [piece for piece in units_in(game.position, SOURCES[US]) if side_of(piece) == COALITION]
    if there:
        game.skip_question("held", f"{game.piece_names(there)} in Kuwait City", "16.8(3)", as_good=("no",))
        return False
    return await game.confirm("held", "Does Iraq control Kuwait City?", "16.8(3)", suggest=False)


async def _where(game: IraqWar, units: Sequence[Piece]) -> str:
    """[16.8(2), 8.2(1)] Kuwait City or a hex beside it where they may stack with who is told to stand there; somewhere on the map
    where nobody is told to stand in a hex.
    """
    land, city = land_of(game.position), SOURCES[US]
    if not land.how or not any(is_hex(piece.place) for piece in on_map(game.position, COALITION)):
        return MAP
    hexes = [city, *land.neighbours(city)]
    there = {one: [piece for piece in units_in(game.position, one) if side_of(piece) == COALITION] for one in hexes}
    fit = [one for one in hexes if not faults([*units, *there[one]])] or hexes
    named = {one: Choice(one, f"{one} {land.place(one)}".strip()) for one in hexes}
    offered, others = [named[one] for one in fit], [named[one] for one in hexes if one not in fit]
    request = Choose("where", "In which hex do they arrive?", "16.8(2)", offered, fit[0], others, "hex")
    return await game.own(COALITION, request, fit[0])
