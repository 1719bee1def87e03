"""[3.5] The Event Phase: an area, a die, the Choi Oi Table, and what it does."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Roll, Text
from companion.games.lzalbany.names import HITS, INCIDENT, OFFICER, PHASE, SIDES, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r05_retreat import flees, must_go
from companion.games.lzalbany.rules.r06_movement import carry_out, check_orders, melees
from companion.games.lzalbany.rules.r06_ways import shut_in
from companion.games.lzalbany.rules.r08_placing import officer_check, take_hits
from companion.games.lzalbany.words.areas import title
from companion.games.lzalbany.words.choi_oi import EFFECT, KINDS, MARKERS, Effect, read_effect
from companion.games.lzalbany.words.counters import enemy, hits_on
from companion.games.lzalbany.words.orders import NONE

NOBODY = "none"
_IN_VAIN = "The event finds nobody to act on."


async def event_phase(game: LzAlbany) -> None:
    """[3.5] Each player has one event; the US none on turn 1 [3.3]."""
    for side in SIDES:
        if side == US and not game.chart("turns").cell(str(game.turn), "us_event"):
            game.say("Turn 1: the US has no Event Phase.", "3.3")
            continue
        await _event(game, side)
    game.set_flag(PHASE, "action", "3.5")


async def _event(game: LzAlbany, side: str) -> None:
    """[3.5] One side picks an area that the enemy occupies and rolls (ruling C-9)."""
    areas = game.held(enemy(side))
    if not areas:
        game.say(f"The {side} has no event: no enemy is on the map.", "3.5")
        return
    request = Choose("event_area", f"{side} event: in which enemy area?", "3.5", game.area_choices(areas, enemy(side)), areas[0])
    area = await game.decide(request, side, "target", areas, "event", auto=False)
    (face,) = await Roll("choi_oi", f"{side} event in {title(area)}: roll on the Choi Oi Table", "3.5")
    fallback = "none" if game.option("map") != "own" else None
    told = await game.printed(
        f"choi:{side.casefold()}-{face}",
        f"What does a {side} roll of {face} do on the Choi Oi Table? ({', '.join(KINDS)}: words)",
        "3.5",
        EFFECT,
        fallback,
    )
    effect = read_effect(told)
    game.say(f"{side} event in {title(area)}: {face}, {effect.words}.", "3.5")
    await take_effect(game, side, area, effect)


async def take_effect(game: LzAlbany, side: str, area: str, effect: Effect) -> None:
    """[3.5] What a result does to the enemy in the area."""
    theirs = enemy(side)
    if effect.kind == "none":
        return
    if effect.kind == "other":
        game.instruct(f"Do this by hand: {effect.text}", "3.5")
    elif effect.kind == "casualty" and game.pieces(area, theirs, OFFICER):
        await officer_check(game, area, (theirs,), "3.5")
    elif effect.kind == "move":
        await _extra_move(game, theirs, area)
    else:
        units = await _affected(game, side, area, effect)
        if not units:
            game.say(_IN_VAIN, "3.5")
        for unit in units:
            await _affect(game, side, unit, effect)


async def _affected(game: LzAlbany, side: str, area: str, effect: Effect) -> list[Piece]:
    units = game.units(area, enemy(side)) if effect.kind != "casualty" else []
    if effect.kind == "rally":
        units = [p for p in units if hits_on(p) in (1, 2)]
    if effect.scope == "area" or len(units) <= 1:
        return units
    choices = [Choice(p.name, p.name) for p in units]
    best = max(units, key=lambda p: (p.number("fire") + p.number("melee"), p.name))
    if game.played(side):
        return [best]
    name = await game.put(
        side, Choose("event_unit", f"Which unit in {title(area)} does the event strike?", "3.5", choices, best.name)
    )
    return [p for p in units if p.name == name]


async def _affect(game: LzAlbany, side: str, unit: Piece, effect: Effect) -> None:
    if effect.kind in MARKERS:
        game.mark(unit.id, INCIDENT, MARKERS[effect.kind], "3.5", "event")
    elif effect.kind == "hit":
        await take_hits(game, side, [unit], effect.number, "3.5", "event")
    else:
        left = max(0, hits_on(unit) - effect.number)
        game.mark(unit.id, HITS, left or None, "3.5", "event")


async def _extra_move(game: LzAlbany, side: str, area: str) -> None:
    """An extra move of the units in the area, by the player who owns them; where it brings both sides together they fight at
    once (ruling C-31).
    """
    movers = game.pieces(area, side)
    if game.disputed(area) or shut_in(game, side, area) or not (must_go(game, movers) or game.officers(area, side)):
        game.skip_question("event_moves", "nobody there can move", "3.5", as_good=(NONE,))
        game.say(_IN_VAIN, "3.5")
        return
    given = ground.orders_to(game, movers, *((ground.OFF,) if flees(game, side) else ()))
    prompt = f"Extra move of {side} units in {title(area)}: who goes where?"
    request = Text("event_moves", prompt, "3.5", given.notation, suggest=NONE)
    text = await game.decide(request, side, "moves", movers, auto=False)
    orders = given.read(text)
    await check_orders(game, side, orders)
    await carry_out(game, orders, ())
    await melees(game, side, [game.piece(order.piece.id) for order in orders])


def clear_incidents(game: LzAlbany) -> None:
    """[3.8] Incident markers come off with the turn (ruling D-1)."""
    marked = [p for p in game.position.of_kind(UNIT) if p.marks.get(INCIDENT)]
    for unit in marked:
        game.mark(unit.id, INCIDENT, None, "3.8", "end of the turn")
