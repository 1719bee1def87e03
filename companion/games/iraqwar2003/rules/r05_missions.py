"""[5.2, 6.0, 7.0] The bombing phases: groups and targets, interception, air combat, anti-air fire, bombs, Used boxes."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Tables
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.games.iraqwar2003.odds.chances import group_odds
from companion.games.iraqwar2003.referee import SIDE_TITLES, IraqWar, boxes, intact, on_map, other, radar_works
from companion.games.iraqwar2003.rules import r16_palace as palace
from companion.games.iraqwar2003.rules.r05_air_combat import FLYING, air_combat, anti_air, bombing_value, drop_bombs
from companion.games.iraqwar2003.rules.r05_air_groups import Group, as_flier, check_airfields, check_unit, group_notation
from companion.games.iraqwar2003.rules.r05_display import TableDisplay
from companion.games.iraqwar2003.rules.r05_interception import interceptions
from companion.games.iraqwar2003.rules.r05_plans import Plan
from companion.games.iraqwar2003.rules.r06_targets import Target, facility_target, ground_target
from companion.games.iraqwar2003.words.counters import is_western, side_of
from companion.games.iraqwar2003.words.sites import PALACE, SECTORS

CITIES = ("Baghdad", "Basra", "Mosul")
"""[5.7(3)] Where the bombing value is halved."""


async def visibility(game: IraqWar, what: str) -> None:
    """[16.6(3)] In a sand storm one die a phase and combat segment: 4 or more grounds all air units."""
    game.set_flag("grounded", None, "16.6(3)")
    if not game.position.flag("storm"):
        return
    roll = await game.roll("visibility", f"Sand storm: 4 or more grounds all air units in this {what}", "16.6(3)")
    grounded = roll[0] >= 4
    game.set_flag("grounded", grounded or None, "16.6(3)")
    game.say(f"Visibility: {roll[0]}, air units {'stay on the ground' if grounded else 'can fly'}.", "16.6(3)")


# -- Facility Bombing --------------------------------------------------------------------------------------------------


async def facility_phase(game: IraqWar, tables: Tables) -> None:
    """[4.1(1), 5.1(1), 6.2] The whole Facility Bombing Phase, in the order of 5.2."""
    await visibility(game, "phase")
    await game.open_display()
    found = await palace.intelligence(game) if game.on("palace") else False
    plans: list[Plan] = []
    while (target := await facility_target(game, plans, found)) is not None:
        plan = await _declare(game, plans, target, "coalition")
        plans += [plan] if plan else []
    await _carry_out(game, await interceptions(game, tables, plans, "coalition"), "coalition")
    _close(game, "bombing", "4.1(1)")


# -- Ground Bombing ----------------------------------------------------------------------------------------------------


async def ground_phase(game: IraqWar, tables: Tables) -> None:
    """[4.1(2), 7.1] The whole Ground Bombing Phase of the current player, in the order of 5.2."""
    await visibility(game, "phase")
    side = game.side
    if side == "iraq" or game.air_units("iraq"):
        await game.open_display()
    plans: list[Plan] = []
    while (target := await ground_target(game, plans, side)) is not None:
        plan = await _declare(game, plans, target, side)
        plans += [plan] if plan else []
    await _carry_out(game, await interceptions(game, tables, plans, side), side)
    _close(game, "supply", "4.1(2)")


async def sectors_of(game: IraqWar, side: str) -> tuple[str, ...]:
    """[5.8.1] The air sectors of a hex; asked only while it matters for Iraqi interception: sectors never limit the Coalition
    [5.8.1(1)].
    """
    blind = [sector for sector in SECTORS if not radar_works(game.position, sector)]
    if side == "iraq" or not blind or not game.air_units("iraq"):
        return ()
    names = [*SECTORS, "north/central", "central/south"]
    choices = [Choice(name, name, "on the border" if "/" in name else "") for name in names]
    return tuple((await game.choose("sector", "Air sector of the target hex", "5.8.1(3)", choices, "central")).split("/"))


async def anti_air_unit(game: IraqWar, side: str) -> bool:
    """[16.4(2)] Whether the anti-air unit may fire at a mission against a hex: it is there or adjacent, not disrupted."""
    if side == "iraq" or not game.on("anti_air_unit"):
        return False
    units = [piece for piece in on_map(game.position, "iraq") if piece.number("anti_air")]
    if not units:
        return False
    if all(piece.mark("disrupted") for piece in units):
        game.say(f"{game.names(units)} is disrupted: no anti-air fire.", "16.4(4)")
        return False
    prompt = f"Is {game.names(units)} in the target hex or adjacent to it"
    return await game.confirm("aa_unit", prompt, "16.4(2)", suggest=False)


async def ground_shots(game: IraqWar, target: Target, side: str) -> tuple[int, ...]:
    """[7.2] Anti-air fire at ground bombing: 2 by an American or British unit that is bombed, none by Kurds and Iraqis
    [7.2(1)] but the anti-air unit's 2 [16.4(1)], at itself too [16.4(5)], and none at road bombing.
    """
    if target.kind == "road":
        game.say("No anti-air fire at road bombing.", "7.2(3)")
        return ()
    if side == "iraq":
        return (2,) if is_western(game.piece(target.id)) else ()
    if await anti_air_unit(game, side):
        return (2,)
    return ()


# -- declaring and carrying out ------------------------------------------------------------------------------------------


async def _declare(game: IraqWar, plans: Sequence[Plan], target: Target, side: str) -> Plan | None:
    """[5.2(1), 5.3.1(1)] The group for one target, with all that it will meet; None if the player thinks better of it."""
    planned = [piece.id for plan in plans for piece in plan.group.pieces]
    city, shots, sectors = False, (), ()  # type: tuple[bool, tuple[int, ...], tuple[str, ...]]
    if target.kind in ("unit", "road"):
        city = await _in_city(game, plans, target)
        shots = await ground_shots(game, target, side)
        sectors = await sectors_of(game, side)
    elif target.kind == "palace":
        shots, sectors = game.aa_shots(PALACE), ("central",)
    else:
        site = str(game.piece(target.id).values.get("site"))
        shots, sectors = game.aa_shots(site), (str(game.piece(target.id).values.get("sector")),)
    plan = Plan(Group(None, None, "bombing", "escort"), target.kind, target.id, target.title, shots, 0, sectors, None)
    group = await _ask_group(game, plan, planned, side, city, target.group)
    if group is None or group.lead is None:
        return None
    values = await check_unit(game, group.lead, "bombing", target.kind in ("box", "palace"))
    if group.other:
        await check_unit(game, group.other, "escort")
    if side == "iraq":
        check_airfields(game, group.pieces, len(planned))
    value = bombing_value(values.bombing, city)
    if city:
        game.say(f"{group.lead.name}: bombing {values.bombing} halved to {value} in that city.", "5.7(3)")
    return plan._replace(group=group, value=value, city=city)


async def _in_city(game: IraqWar, plans: Sequence[Plan], target: Target) -> bool:
    """[5.7(3)] Whether the target lies in Baghdad, Basra or Mosul; the same answer holds for the same target, and is what is
    suggested the next time.
    """
    before = next((plan for plan in plans if plan.target == target.title), None)
    if before is not None:
        return before.city
    choices = [Choice("open", "anywhere else"), *(Choice(city, city, "bombing halved") for city in CITIES)]
    last = str(game.position.flag(f"city:{target.title}", "open"))
    where = await game.choose("where", f"{target.title} is in", "5.7(3)", choices, last)
    game.set_flag(f"city:{target.title}", None if where == "open" else where, "5.7(3)")
    return where != "open"


async def _ask_group(game: IraqWar, plan: Plan, planned: Sequence[str], side: str, city: bool, typed: str) -> Group | None:
    """[5.3.1(1)] The group for a target, unless it was typed with it."""
    pool = {piece.name: piece for piece in game.air_units(side, "any")}
    ready = [piece for piece in pool.values() if piece.place == f"{side} available" and piece.id not in planned]
    text = typed
    if not text:
        example = f"{ready[0].name}+{ready[1].name}" if len(ready) > 1 else "none"
        prompt = f"{SIDE_TITLES[side]} group for {plan.target}: bomber, or bomber+escort"
        request = Text("group", prompt, "5.3.1(1)", group_notation(list(pool), example), game.air_choices(ready), "none")
        known = [(piece.name, values) for piece in ready if (values := game.known_values(piece)) and values.bombing]
        request.odds = lambda: group_odds(known, plan.shots, city, plan.target)
        text = await request
    if text == "none":
        return None
    pieces = [pool[name] for name in text.split("+")]
    for piece in pieces:
        if piece.id in planned:
            game.forbid(f"{piece.name} flies in another group already", "5.2(1)", "Name another unit")
    return Group(pieces[0], pieces[1] if len(pieces) > 1 else None, "bombing", "escort")


async def _carry_out(game: IraqWar, plans: Sequence[Plan], side: str) -> None:
    """[5.2(3), 5.2(4), 5.2(5), 5.2(6)] All air combats, then all anti-air fire, then who is left bombs [5.6(4)] (ruling C-5),
    then the Used boxes.
    """
    display = TableDisplay(game)
    alive: dict[str, bool] = {}
    for plan in plans:
        lead = plan.group.lead
        assert lead
        alive[lead.id] = True
        if plan.interceptor:
            fliers = [as_flier(lead, await game.air_values(lead), "bombing", side)]
            if plan.group.other:
                fliers.append(as_flier(plan.group.other, await game.air_values(plan.group.other), "escort", side))
            fliers.append(as_flier(plan.interceptor, await game.air_values(plan.interceptor), "intercept", other(side)))
            game.say(f"Air combat at {plan.target}: {', '.join(f'{one.name} {one.air}' for one in fliers)}.", "5.5")
            fates = await air_combat(fliers, display)
            alive[lead.id] = fates[lead.name] == FLYING
    for plan in plans:
        if (lead := plan.group.lead) and alive[lead.id] and plan.shots:
            flier = as_flier(lead, await game.air_values(lead), "bombing", side)
            if flier.stealth:
                game.say(f"{lead.name} is a stealth unit: no anti-air fire at it.", "5.6.1(1)")
            alive[lead.id] = await anti_air(flier, plan.shots, display, _aa_rule(plan, side)) == FLYING
    for plan in plans:
        if (lead := plan.group.lead) and alive[lead.id]:
            hit = await drop_bombs(lead.name, plan.value, plan.target, display)
            await _effect(game, plan, hit)
    for plan in plans:
        spend(game, [*plan.group.pieces, *([plan.interceptor] if plan.interceptor else [])])


def _aa_rule(plan: Plan, side: str) -> str:
    if plan.kind in ("box", "palace"):
        return "5.6(1)"
    return "7.2(2)" if side == "iraq" else "16.4(3)"


def spend(game: IraqWar, pieces: Sequence[Piece]) -> None:
    """[5.2(6), 5.5(10), 5.7(2)] Everything that took part and is still there goes to its Used box."""
    for piece in pieces:
        if game.piece(piece.id).place.endswith("available"):
            game.move(piece.id, f"{side_of(piece)} used", "5.2(6)", "used")


async def _effect(game: IraqWar, plan: Plan, hit: bool) -> None:
    """[6.4, 7.3, 7.4, 16.1] What a hit does; a second one on the same target does nothing more [5.1.1(4)]."""
    if not hit:
        return
    if plan.kind == "palace":
        await palace.uncover(game)
    elif plan.kind == "road":
        destroy_roads(game, plan.id, "7.4")
    elif plan.kind == "unit":
        if game.piece(plan.id).mark("disrupted"):
            game.say(f"{plan.target} is disrupted already: no more effect.", "7.3.2")
            return
        game.mark(plan.id, "disrupted", True, "7.3", "bombed")
        game.say(f"{plan.target} is disrupted: no move, no attack, no zone of control, defence halved.", "7.3.1")
    elif game.piece(plan.id).mark("damaged") is not None:
        game.say(f"{plan.target} is destroyed already: no more effect.", "6.4")
    else:
        game.mark(plan.id, "damaged", game.turn, "6.4", "bombed")
        game.say(f"{plan.target} is destroyed{_consequence(game, game.piece(plan.id))}.", "6.4")


def _consequence(game: IraqWar, box: Piece) -> str:
    """[6.4(1) - 6.4(4)] What the loss of a box means for Iraq."""
    kind, sector = str(box.values.get("box")), str(box.values.get("sector"))
    left = len(intact(boxes(game.position, kind)))
    if kind == "aa":
        return f": {len(game.aa_shots(str(box.values.get('site'))))} shots of anti-air fire are left in this site"
    if kind == "radar":
        return f": Iraq can {'still' if radar_works(game.position, sector) else 'no longer'} intercept in the {sector} sector"
    if kind == "radio":
        when = "at once" if game.option("radio_loss") == "at_once" else "from the next turn"
        return f": {left} Radio left, which counts {when}"
    return f": Iraq can use {left} air units a turn"


def destroy_roads(game: IraqWar, hex_name: str, rule: str) -> None:
    """[14.2, 14.3, 5.1(3)] A damaged marker on a hex; a second one does nothing."""
    name = f"roads of {hex_name}"
    if any(piece.name == name for piece in game.position.at("roads")):
        game.say(f"The {name} are destroyed already: no more effect.", "14.3")
        return
    game.make("roads", name, "roads", rule, "destroyed")
    game.say(f"The {name} and the bridges into it are destroyed.", "14.2")


def _close(game: IraqWar, phase: str, rule: str) -> None:
    game.set_flag("grounded", None, "16.6(3)")
    game.set_flag("phase", phase, rule)
