"""[4.0, 10.0, 11.0] The course of a turn: supply and command points, the ends of player turns and turns, the weather."""

from __future__ import annotations

from companion.core.dice import summed
from companion.core.game import Tables
from companion.core.requests import Choice, Choose
from companion.games.iraqwar2003.odds.chances import cp_odds
from companion.games.iraqwar2003.referee import SIDE_TITLES, IraqWar, boxes, intact, on_map
from companion.games.iraqwar2003.words.counters import nation, side_of


async def weather(game: IraqWar) -> None:
    """[16.6(2)] At the start of each turn the Iraqi player rolls: a 6 brings sand storms."""
    roll = await game.roll("weather", "Weather (Iraqi player): 6 brings sand storms", "16.6(2)")
    storm = roll[0] == 6
    game.set_flag("storm", True if storm else None, "16.6(2)")
    game.say(f"Weather: {roll[0]}, {'sand storms this turn' if storm else 'clear'}.", "16.6(1)")
    if storm:
        game.say("Flying units move at half their value and like any other unit this turn.", "16.6(4)", tone="reminder")


async def supply_phase(game: IraqWar, tables: Tables) -> None:
    """[4.1(3), 10.0] The current player's units out of supply; then Iraq gets its command points [4.2(2)]."""
    side = game.side
    units = on_map(game.position, side)
    _sources(game, side)
    marked = [piece for piece in units if piece.mark("oos")]
    if units:
        prompt = f"{SIDE_TITLES[side]} units out of supply (all of them; Enter: as the markers lie)"
        suggest = game.names(marked)
        cut = await game.ask_units("oos", prompt, "10.0(2)", units, side, suggest=suggest)
        for piece in cut:
            if side_of(piece) != side:
                game.forbid(f"{piece.name} belongs to the other player, whose check comes later", "10.0(1)", "Name own units")
        for piece in on_map(game.position, side):
            game.mark(piece.id, "oos", True if piece.id in {one.id for one in cut} else None, "10.0(5)")
        if cut:
            game.say(f"Out of supply: {game.names(cut)}: attack and movement halved, no recovery.", "10.0(6)")
    if side == "iraq":
        await command_points(game, tables)
    game.set_flag("phase", "operations", "4.1(4)")


def _sources(game: IraqWar, side: str) -> None:
    """[10.0(2)] The supply sources, as a reminder."""
    chart = game.chart("supply")
    nations = {nation(piece) for piece in on_map(game.position, side)} or ({"us"} if side == "coalition" else {"iraq"})
    rows = [f"{chart.text(name, 'title')}: {chart.text(name, 'source')}" for name in chart.rows if name in nations]
    game.say(f"Supply sources: {'; '.join(rows)}.", "10.0(2)", tone="reminder")


def radios_that_count(game: IraqWar) -> int:
    """[11.1(1), 6.1.1(3), 6.4(3)] Undestroyed Radio boxes; one destroyed this turn still counts (ruling C-2, switchable)."""
    at_once = game.option("radio_loss") == "at_once"
    there = boxes(game.position, "radio")
    kept = [box for box in there if box.mark("damaged") is None or (not at_once and box.mark("damaged") == game.turn)]
    return len(kept)


async def command_points(game: IraqWar, tables: Tables) -> None:
    """[11.1] Radio or die, chosen before the die is rolled; what was left of the last turn is lost."""
    await game.open_display()
    radios = radios_that_count(game)
    by_die = [Choice("die", "roll one die", "3.5 on average")]
    by_radio = [Choice("radio", f"the Radio boxes: {radios} CP")]
    found = game.position.flag("saddam") == "found"
    suggest = "die" if found or radios < 4 else "radio"
    if game.computer_plays_iraq:
        from companion.games.iraqwar2003.bot import propose_source

        suggest = propose_source(game, tables, radios)
    offered = by_die if found else [*by_radio, *by_die]
    request = Choose("source", "Command points by", "11.1", offered, suggest, by_radio if found else ())
    request.odds = lambda: cp_odds(radios)
    source = await request
    if source == "radio":
        if found:
            game.forbid("Saddam Hussein is gone: command points come by the die only", "16.1(4)", "Roll")
        points = radios
        game.say(
            f"{points} CP by {len(intact(boxes(game.position, 'radio')))} undestroyed Radio boxes.", "11.1(1)", *_radio(game)
        )
    else:
        roll = await game.roll("cp", "Command points", "11.1(2)", outcomes=lambda: summed(1, int))
        points = roll[0]
        game.say(f"{points} CP by the die.", "11.1(2)")
    game.set_track("cp", points, "11.1", "command points received")


def _radio(game: IraqWar) -> list[str]:
    """Why the number of points may differ from what is undestroyed now."""
    fresh = [box.name for box in boxes(game.position, "radio") if box.mark("damaged") == game.turn]
    if fresh and game.option("radio_loss") != "at_once":
        return [f"{', '.join(fresh)}: destroyed this turn, counts until the next (ruling C-2)"]
    return []


async def end_player_turn(game: IraqWar, tables: Tables) -> None:
    """[4.1, 4.2] The current player is done; after Iraq the turn ends [4.3]."""
    side = game.side
    for piece in game.position.of_kind("unit"):
        game.mark(piece.id, "moved", None, "12.1(6)")
    game.set_flag("grounded", None, "16.6(3)")
    if side == "coalition":
        game.set_flag("side", "iraq", "4.2")
        game.set_flag("phase", "bombing", "4.2(1)")
        game.say("The Iraqi player turn begins with the Ground Bombing Phase.", "4.2(1)")
        return
    left = game.position.track("cp")
    if left:
        game.say(f"{left} CP unspent: lost.", "11.3")
        game.set_track("cp", 0, "11.3", "unspent command points are lost")
    await end_of_turn(game, tables)


async def end_of_turn(game: IraqWar, tables: Tables) -> None:
    """[4.3] Kuwait and the Kurds are looked at, air units come back, the turn marker moves on."""
    from companion.games.iraqwar2003.rules.r15_control import kurdish_bonus
    from companion.games.iraqwar2003.rules.r15_victory import final_count
    from companion.games.iraqwar2003.words.facts import TURNS

    if await game.confirm("kuwait", "Is an Iraqi ground unit in Kuwait", "15.2", suggest=False):
        game.shift("kuwait", 1, "15.2", "Iraqi units in Kuwait at the end of the turn")
        game.say("Iraqi units in Kuwait: -2 VP.", "15.2")
    if game.turn == 2:
        await kurdish_bonus(game)
    _air_units_return(game)
    last = int(await game.printed("turns", "Number of boxes on the Turn Track", "2.1.5(1)", TURNS))
    game.set_track("turn", game.turn + 1, "4.3(2)", "end of the turn")
    game.set_flag("side", "coalition", "4.0")
    game.set_flag("phase", "facility", "4.1(1)")
    game.set_flag("rail", None, "16.7(1)")
    if game.turn > last:
        await final_count(game, tables, last)
        return
    game.say(f"Turn {game.turn} of {last} begins.", "4.3(2)")
    if game.on("sand_storms"):
        await weather(game)


def _air_units_return(game: IraqWar) -> None:
    """[4.3(1)] Air units and carriers become available again, naval units never; Iraqi damaged markers go [5.8.2(1)]."""
    back = []
    for side in ("coalition", "iraq"):
        for piece in game.position.at(f"{side} used"):
            if piece.kind == "marker":
                game.move(piece.id, "off", "5.8.2(1)", "end of the turn")
            elif piece.values.get("type") != "naval":
                game.move(piece.id, f"{side} available", "4.3(1)", "end of the turn")
                back.append(piece)
    if back:
        game.say(f"Available again: {game.names(back)}.", "4.3(1)")
