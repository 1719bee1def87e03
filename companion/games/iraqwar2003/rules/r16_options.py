"""[16.2, 16.7, 16.8] Optional actions: the paratroop drop, railroad transport, reinforcements."""

from __future__ import annotations

from companion.core.game import Tables
from companion.core.notation import free_text
from companion.core.requests import Choice, Text
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r04_operations import can_act, charge, check_acting, finish
from companion.games.iraqwar2003.rules.r05_air_combat import FLYING, REMOVED, Flier, air_combat
from companion.games.iraqwar2003.rules.r05_air_groups import Group, as_flier, check_unit, group_notation
from companion.games.iraqwar2003.rules.r05_display import TableDisplay
from companion.games.iraqwar2003.rules.r05_interception import interceptions
from companion.games.iraqwar2003.rules.r05_missions import sectors_of, spend
from companion.games.iraqwar2003.rules.r05_plans import Plan
from companion.games.iraqwar2003.rules.r08_stacking import ask_stack
from companion.games.iraqwar2003.rules.r13_results import remove
from companion.games.iraqwar2003.rules.r15_control import ask_taken
from companion.games.iraqwar2003.words.counters import nation


async def drop(game: IraqWar, tables: Tables) -> None:
    """[16.2] One paratroop unit from Kuwait City, once a game; it may be escorted and intercepted like a bomber, and does
    nothing more this turn [16.2(6)].
    """
    if game.position.flag("dropped"):
        game.forbid("the paratroop drop has been made; there is one a game", "16.2(1)", "Move as usual")
    ready = [piece for piece in can_act(game) if piece.values.get("para")]
    units = await game.ask_units("unit", "Which paratroop unit, in Kuwait City", "16.2(2)", ready, "coalition", 1, 1)
    piece = units[0]
    check_acting(game, piece, "drop")
    if not piece.values.get("para"):
        game.forbid(f"{piece.name} has no paratroop symbol", "16.2(2)", "Name a paratroop unit")
    if not await game.confirm("kuwait_city", f"{piece.name} is in Kuwait City", "16.2(2)", suggest=True):
        game.forbid("the drop starts in Kuwait City", "16.2(2)", "Move it there first")
    place = await game.text(
        "hex", "Into which hex (no Iraqi unit in it; zones of control do not matter)", "16.2(4)", free_text("hex", "1722")
    )
    game.set_flag("dropped", True, "16.2(1)")
    if await _flight(game, tables, piece.name, piece.id):
        game.say(f"{piece.name} lands in {place}.", "16.2(3)", tone="board")
        await ask_stack(game, [piece])
        await ask_taken(game, "coalition")
    finish(game, [piece])


async def _flight(game: IraqWar, tables: Tables, name: str, piece_id: str) -> bool:
    """[16.2(5)] Escort, interception, air combat; the paratroops have no air combat value. Whether they get through.

    Removed by a second roll, they are out of the game; otherwise hit, they stay in Kuwait City (ruling C-39). A storm does
    not keep them on the ground: it is no bombing phase and no combat segment (ruling C-45).
    """
    pool = game.air_units("coalition")
    planes = [one for one in pool if one.values.get("type") != "naval"]
    escort = None
    if planes:
        names = group_notation([one.name for one in planes], planes[0].name)
        text = await Text("escort", "Escort (Enter: none)", "16.2(5)", names, game.air_choices(planes), "none")
        escort = next((one for one in planes if one.name == text), None)
        if escort:
            await check_unit(game, escort, "escort")
    fliers = [Flier(name, "coalition", "bombing", 0)]
    if game.air_units("iraq"):
        await game.open_display()
        plan = Plan(Group(game.piece(piece_id), escort, "bombing", "escort"), "drop", "", "the drop", (), 0, (), None)
        plan = plan._replace(sectors=await sectors_of(game, "coalition"))
        (plan,) = await interceptions(game, tables, [plan], "coalition")
        if plan.interceptor:
            foe = as_flier(plan.interceptor, await game.air_values(plan.interceptor), "intercept", "iraq")
            if escort:
                fliers.append(as_flier(escort, await game.air_values(escort), "escort", "coalition"))
            fates = await air_combat([*fliers, foe], TableDisplay(game))
            spend(game, [plan.interceptor, *([escort] if escort else [])])
            if fates[name] != FLYING:
                game.say(f"{name} does not get through.", "16.2(5)")
                if fates[name] == REMOVED:
                    remove(game, game.piece(piece_id), "16.2(5)", "shot down on the way")
                return False
    if escort:
        spend(game, [escort])
    return True


async def rail(game: IraqWar) -> None:
    """[16.7] One Iraqi unit a turn along the railroad, any distance, as its movement; 1 CP (ruling C-25)."""
    if game.position.flag("rail"):
        game.forbid("one unit a turn uses the railroad, and one has", "16.7(1)", "Move as usual")
    if any(piece.mark("moved") and nation(piece) == "iraq" for piece in game.position.of_kind("unit")):
        game.forbid("railroad transport comes first in the Operation Phase", "16.7(2)", "Move as usual")
    units = await game.ask_units("unit", "Which Iraqi unit goes by rail", "16.7(1)", can_act(game), "iraq", 1, 1)
    piece = units[0]
    check_acting(game, piece, "go by rail")
    if nation(piece) != "iraq":
        game.forbid(f"{piece.name} is no Iraqi unit", "16.7(1)", "Name an Iraqi unit")
    if piece.mark("disrupted"):
        game.forbid(f"{piece.name} is disrupted: it may not move", "7.3.1(1)", "It may recover: recover")
    for key, prompt, rule, wrong in (
        ("zones", "Does it start in or pass through an enemy zone of control", "16.7(4)", "road movement forbids that"),
        ("broken", "Does it pass a hex with destroyed roads", "16.7.1(1)", "the railroad is destroyed there too"),
        ("enemy", "Does it enter a hex that the enemy controls", "16.7(5)", "railroad transport is not possible there"),
    ):
        if await game.confirm(key, prompt, rule, suggest=False):
            game.forbid(wrong, rule, "Choose another way")
    charge(game, [piece], "railroad transport of", "11.2(1)")
    game.set_flag("rail", True, "16.7(1)")
    game.say(f"{piece.name} goes by rail, whatever its movement value.", "16.7(3)", tone="board")
    await ask_stack(game, [piece])
    finish(game, [piece])


async def reinforce(game: IraqWar) -> None:
    """[16.8] Units whose turn it is come into Kuwait City or beside it; lost if Iraq holds the city."""
    if any(piece.mark("moved") for piece in game.position.of_kind("unit")):
        game.forbid("reinforcements come first in the Operation Phase", "16.8(1)", "Place them on the board and insist")
    due = [piece for piece in game.position.at("off map") if 0 < piece.number("turn") <= game.turn]
    choices = [Choice(piece.name, piece.name, f"turn {piece.number('turn')}") for piece in due]
    if not due:
        game.forbid(f"no reinforcement is due on turn {game.turn}", "16.8(1)", "Enter the units as printed, turn:4 behind them")
        return
    if await game.confirm("held", "Does Iraq control Kuwait City", "16.8(3)", suggest=False):
        for piece in due:
            game.move(piece.id, "off", "16.8(3)", "reinforcements lost")
        game.say(f"Lost, though not counted as removed: {game.names(due)}.", "16.8(3)")
        return
    names = await game.pick(
        "units", "Which arrive, in Kuwait City or beside it", "16.8(2)", choices, suggest=[p.name for p in due]
    )
    arrived = [piece for piece in due if piece.name in names]
    for piece in arrived:
        game.move(piece.id, "map", "16.8(2)", "reinforcement")
    game.say(f"Arrived: {game.names(arrived)}. Mind the stacking limit where they appear.", "8.2(1)")
