"""[10.0] The Supply Check Phase, in which Iraq also gets its command points [4.2(2)]."""

from __future__ import annotations

from companion.core.odds import mean
from companion.core.requests import Choice, Choose
from companion.games.iraqwar2003.bot import propose_source
from companion.games.iraqwar2003.names import COALITION, IRAQ, OPERATIONS, OUT_OF_SUPPLY, PHASE, REINFORCEMENTS, SIDE_TITLES
from companion.games.iraqwar2003.odds.command import cp_odds, received
from companion.games.iraqwar2003.referee import IraqWar, on_map
from companion.games.iraqwar2003.rules.r11_command_points import DIE, radios_that_count, receive, sources
from companion.games.iraqwar2003.rules.r16_options import reinforce
from companion.games.iraqwar2003.words.counters import IRAQI, US, nation, side_of
from companion.games.iraqwar2003.words.sites import RADIO


async def supply_phase(game: IraqWar) -> None:
    """[4.1(3), 10.0] The current player's units out of supply; then Iraq gets its command points [4.2(2)], and the Operation
    Phase of the Coalition begins with its reinforcements [16.8(1)].
    """
    side = game.side
    units = on_map(game.position, side)
    _sources(game, side)
    if units:
        prompt = f"{SIDE_TITLES[side]} units out of supply (all of them; Enter: as the markers lie)"
        suggest = game.names(piece for piece in units if piece.mark(OUT_OF_SUPPLY))
        cut = await game.ask_units("oos", prompt, "10.0(2)", units, side, suggest=suggest)
        for piece in cut:
            if side_of(piece) != side:
                game.forbid(f"{piece.name} belongs to the other player, whose check comes later", "10.0(1)", "Name own units")
        for piece in on_map(game.position, side):
            game.mark(piece.id, OUT_OF_SUPPLY, True if piece.id in {one.id for one in cut} else None, "10.0(5)")
        if cut:
            game.say(f"Out of supply: {game.names(cut)}: attack and movement halved, no recovery.", "10.0(6)")
    if side == IRAQ:
        await game.open_display()
        await receive(game, await _ask_source(game))
    game.set_flag(PHASE, OPERATIONS, "4.1(4)")
    if side == COALITION and game.on(REINFORCEMENTS):
        await reinforce(game)


def _sources(game: IraqWar, side: str) -> None:
    """[10.0(2)] The supply sources, as a reminder."""
    chart = game.chart("supply")
    nations = {nation(piece) for piece in on_map(game.position, side)} or ({US} if side == COALITION else {IRAQI})
    rows = [f"{chart.text(name, 'title')}: {chart.text(name, 'source')}" for name in chart.rows if name in nations]
    game.say(f"Supply sources: {'; '.join(rows)}.", "10.0(2)", tone="reminder")


async def _ask_source(game: IraqWar) -> str:
    """[11.1] Radio or die, chosen before the die is rolled."""
    radios, average = radios_that_count(game), mean(received(game, DIE))
    hint = f"{average:g} on average"
    choices = {RADIO: Choice(RADIO, "the Radio boxes", f"{radios} CP"), DIE: Choice(DIE, "roll one die", hint)}
    open_to = sources(game)
    suggest = RADIO if RADIO in open_to and radios > average else DIE
    if game.computer_plays_iraq:
        suggest = propose_source(game)
    shut = [choice for source, choice in choices.items() if source not in open_to]
    request = Choose("source", "Command points by", "11.1", [choices[source] for source in open_to], suggest, shut)
    request.odds = lambda: cp_odds(game)
    return await request
