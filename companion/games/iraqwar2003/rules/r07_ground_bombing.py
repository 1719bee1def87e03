"""[7.0] The Ground Bombing Phase: units and roads as targets, disruption."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.text import clean, pick_name, split_list
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.land import land_of
from companion.games.iraqwar2003.odds import target_odds
from companion.games.iraqwar2003.referee import IraqWarReferee, radar_works, units_on_map_of
from companion.games.iraqwar2003.rules import r05_air_combat as air
from companion.games.iraqwar2003.rules.r05_missions import (
    ask_interceptions,
    bombers,
    declare_group,
    fly_missions,
    no_bomber_obstacle,
)
from companion.games.iraqwar2003.rules.r06_facility_bombing import (
    DONE,
    Target,
    place_groups,
    read_group,
    read_targets,
    split_target,
    target_prompt,
)
from companion.games.iraqwar2003.rules.r09_zones import has_turkish_unit
from companion.games.iraqwar2003.rules.r14_roads import destroy_roads, hex_number, read_hex
from companion.games.iraqwar2003.rules.r16_options import anti_air_unit_fire, end_visibility, roll_visibility

CITIES = ("Baghdad", "Basra", "Mosul")
"""[5.7(3)] Cities where the bombing value is halved."""
OPEN = "open"
ROAD = "road"


async def ground_phase(referee: IraqWarReferee) -> None:
    """[4.1(2), 7.1] The current player's Ground Bombing Phase in the order of 5.2."""
    await roll_visibility(referee, "phase")
    side = referee.side
    if side == state.IRAQ or referee.air_units(state.IRAQ):
        await referee.enter_display()

    async def add(plans: Sequence[air.PlannedMission], text: str) -> air.PlannedMission | None:
        target = await _target_of(referee, text, side)
        plan = await declare_group(referee, plans, await _with_city(referee, plans, target.plan, side), side, target.group)
        return await _with_fire_and_sectors(referee, plan, side) if plan else None

    plans = await place_groups(lambda plans: _ask_targets(referee, plans, side), add)
    await fly_missions(referee, await ask_interceptions(referee, plans, side), _apply_hit)
    end_visibility(referee)
    referee.set_flag(state.PHASE, state.SUPPLY, "4.1(2)")


async def _ask_targets(referee: IraqWarReferee, plans: Sequence[air.PlannedMission], side: str) -> list[str]:
    """[7.1(1), 7.1(2)] Ask for enemy units or roads; DONE when all groups are placed or no unit is left."""
    if obstacle := no_bomber_obstacle(referee, plans, side, False):
        referee.skip_question("target", *obstacle, as_good=(DONE, state.NONE))
        return [DONE]
    enemies = units_on_map_of(referee.position, state.other(side))
    names = [piece.name for piece in enemies]
    example = "us 1/3ID 6-5-8/4-3-8" if side == state.IRAQ else "iraq 6A 3-4-4/2-2-4"
    cure = f"Or: road 1722, or a new unit as on its counter: {example}"

    def read(text: str) -> str:
        head, tail = split_target(clean(text))
        if state.is_none(head) or head.casefold() == DONE:
            return DONE
        group = read_group(tail, side, referee)
        word, _, rest = head.partition(" ")
        if word.casefold() in ("road", "roads") and rest.strip():
            return f"road {hex_number(referee, read_hex(rest))[:30]}{group}"
        if notation.looks_like_unit(head):
            return f"{notation.read_unit(head)}{group}"
        return pick_name(head, names, "enemy unit", cure=cure) + group

    turks = side == state.COALITION and has_turkish_unit(referee.position)
    open_to = [piece for piece in enemies if notation.nation(piece) != notation.TURKISH] if turks else enemies  # [16.10(6)]
    choices = [Choice(DONE, "no more groups"), *referee.unit_choices(open_to), Choice("road 1722", "the roads of a hex")]
    prompt = target_prompt(plans, "a unit, or road and hex")

    async def proposed(referee: IraqWarReferee) -> str:
        ready = bombers(referee, plans, side, False)
        if side == state.IRAQ:
            return await referee.planner.iraqi_bombing(_fresh_targets(referee, plans, enemies), ready)
        aims = [_unit_plan(referee, piece) for piece in open_to if not piece.mark(state.DISRUPTED)]
        return await referee.planner.coalition_bombing(aims, ready)

    suggest = await proposed(referee) if referee.computer_plays(side) else DONE
    request = Text("target", prompt, "7.1", Notation("target", example, lambda text: read_targets(text, read)), choices, suggest)
    referee.decide(request, side, suggest)
    if not referee.computer_plays(side):
        referee.offer_advice(request, proposed)
    request.odds = lambda: target_odds(referee, _targets_by_fire(referee, enemies, side), bombers(referee, plans, side, False))
    return split_list(await request)


async def _target_of(referee: IraqWarReferee, text: str, side: str) -> Target:
    """[7.1] A named target and its typed group; a described unit enters the game."""
    name, group = split_target(text)
    if name.startswith(f"{ROAD} "):
        return Target(air.PlannedMission(air.AirGroup(), ROAD, name[5:], f"the roads of {name[5:]}"), group)
    piece = next(
        (piece for piece in units_on_map_of(referee.position, state.other(side)) if piece.name == name), None
    ) or await referee.described(name)
    _check_target(referee, piece, side)
    return Target(air.PlannedMission(air.AirGroup(), state.UNIT, piece.id, piece.name), group)


def _unit_plan(referee: IraqWarReferee, piece: Piece) -> air.PlannedMission:
    """An Iraqi unit as a target: there is no fire at its bombers [7.2(1)], and a city may halve the bombs [5.7(3)]."""
    chart = referee.chart("places")
    name = next((name for name in chart.rows if chart.text(name, "hex") == piece.place), "")
    return air.PlannedMission(air.AirGroup(), state.UNIT, piece.id, piece.name, city=name.partition(" ")[0] in CITIES)


def _fresh_targets(
    referee: IraqWarReferee, plans: Sequence[air.PlannedMission], enemies: Sequence[Piece]
) -> list[air.PlannedMission]:
    """[7.3.2, 5.1.1(4)] Units neither disrupted nor targeted yet, each with its fire [7.2(2)]."""
    taken = {plan.id for plan in plans}
    fresh = [piece for piece in enemies if piece.id not in taken and not piece.mark(state.DISRUPTED)]
    return [
        air.PlannedMission(air.AirGroup(), state.UNIT, piece.id, piece.name, western_fire(referee, [piece]), "7.2(2)")
        for piece in fresh
    ]


def _targets_by_fire(referee: IraqWarReferee, enemies: Sequence[Piece], side: str) -> list[air.PlannedMission]:
    """[5.7(3), 7.2] Kinds of targets: in the three cities or elsewhere, with western fire [7.2(2)] or without."""
    fires: dict[tuple[int, ...], str] = {(): "a unit or a road"}
    if side == state.IRAQ and (fire := western_fire(referee, enemies)):
        fires = {fire: "an American or British unit", (): "a Kurdish unit or a road"}
    return [
        air.PlannedMission(air.AirGroup(), state.UNIT, "", f"{target_text} {where}", shots, "7.2(2)", city=city)
        for shots, target_text in fires.items()
        for where, city in (("elsewhere", False), (f"in {', '.join(CITIES)}", True))
    ]


def _check_target(referee: IraqWarReferee, piece: Piece, side: str) -> None:
    if notation.side_of(piece) == side:
        referee.forbid(f"{piece.name} is one of your own units", "7.0", "Name an enemy unit")
    if side == state.COALITION and notation.nation(piece) == notation.TURKISH:
        referee.forbid("the Coalition cannot bomb the Turkish unit", "16.10(6)", "Name an Iraqi unit")
    if piece.mark(state.DISRUPTED):
        referee.say(f"{piece.name} is disrupted already: another hit does nothing.", "7.3.2", tone="reminder")


async def _with_city(
    referee: IraqWarReferee, plans: Sequence[air.PlannedMission], plan: air.PlannedMission, side: str
) -> air.PlannedMission:
    """The target with its city, and with the fire that needs no question."""
    city = await _in_city(referee, plans, plan)
    if plan.kind == ROAD and not _roads_are_defended(referee):
        referee.say("No anti-air fire where roads are bombed.", "7.2(3)")
    shots = western_fire(referee, [referee.piece(plan.id)]) if plan.kind == state.UNIT and side == state.IRAQ else ()
    return plan._replace(city=city, shots=shots, fire_rule="7.2(2)")


async def _with_fire_and_sectors(referee: IraqWarReferee, plan: air.PlannedMission, side: str) -> air.PlannedMission:
    """[5.8.1, 7.2, 16.4(3)] The group with the fire and sectors it meets; a white silhouette meets neither.

    Bombed Iraqi units do not fire [7.2(1)]; the anti-air unit does, also at its own bombers [16.4(5)], and at road bombers by
    ruling C-50.
    """
    if air.stealth_obstacle(referee, plan.lead):
        return plan
    if side == state.COALITION and (plan.kind == state.UNIT or _roads_are_defended(referee)):
        plan = plan._replace(shots=await anti_air_unit_fire(referee, [plan.id], target_hex(referee, plan)), fire_rule="16.4(3)")
    return plan._replace(sectors=await sectors_of(referee, side, target_hex(referee, plan)))


def _roads_are_defended(referee: IraqWarReferee) -> bool:
    """[7.2(3), 16.4(2)] Whether the anti-air unit fires at road bombing near it (ruling C-50)."""
    return referee.has_rule(state.ANTI_AIR_UNIT) and referee.option("road_bombers") == "anti_air_unit"


def target_hex(referee: IraqWarReferee, plan: air.PlannedMission) -> str:
    """The hex of a target, "" if unknown."""
    place = plan.id if plan.kind == ROAD else referee.piece(plan.id).place
    return place if state.is_hex(place) else ""


async def _in_city(referee: IraqWarReferee, plans: Sequence[air.PlannedMission], plan: air.PlannedMission) -> bool:
    """[5.7(3)] Whether the target is in Baghdad, Basra or Mosul; asked unless its hex is known. Answers are remembered per
    target.
    """
    target, chart = plan.target, referee.chart("places")
    before = next((other for other in plans if other.target == target), None)
    if before is not None:
        return before.city
    if number := target_hex(referee, plan):
        city_name = next((name for name in chart.rows if chart.text(name, "hex") == number), "").partition(" ")[0]
        referee.skip_question(
            "where", "the numbers of those hexes are known", "5.7(3)", as_good=(city_name if city_name in CITIES else OPEN,)
        )
        return city_name in CITIES
    choices = [Choice(OPEN, "anywhere else"), *(Choice(city, city, "bombing halved") for city in CITIES)]
    last = str(referee.position.flag(state.city_flag(target), OPEN))
    where = await referee.choose("where", f"Where is {target}?", "5.7(3)", choices, last)
    referee.set_flag(state.city_flag(target), None if where == OPEN else where, "5.7(3)")
    return where != OPEN


def western_fire(referee: IraqWarReferee, pieces: Sequence[Piece]) -> tuple[int, ...]:
    """[7.2(2), 13.3(2-2)] One shot by American or British units at an Iraqi air unit over them."""
    return (referee.chart("anti_air").number("western", "firepower"),) if any(map(notation.is_western, pieces)) else ()


async def sectors_of(referee: IraqWarReferee, side: str, number: str = "") -> tuple[str, ...]:
    """[5.8.1] The air sectors of a hex, asked only while they matter for Iraqi interception; they never limit the Coalition
    [5.8.1(1)].

    Args:
        number: The hex, if it is known.
    """
    blind = [sector for sector in notation.SECTORS if not radar_works(referee.position, sector)]
    if (
        side == state.IRAQ
        or not blind
        or not air.ready_for(referee, state.IRAQ, air.INTERCEPT)
        or air.airfield_obstacle(referee, 1)
    ):
        return ()
    if len(blind) == len(notation.SECTORS):
        return notation.SECTORS
    if number and (sectors := land_of(referee.position).sectors(number)):
        referee.skip_question("sector", f"{number} lies in {' and '.join(sectors)}", "5.8.1(3)", as_good=("/".join(sectors),))
        return sectors
    names = [*notation.SECTORS, "north/central", "central/south"]
    choices = [Choice(name, name, "on the border" if "/" in name else "") for name in names]
    return tuple(
        (await referee.choose("sector", "Which air sector is the target hex in?", "5.8.1(3)", choices, notation.CENTRAL)).split(
            "/"
        )
    )


async def _apply_hit(referee: IraqWarReferee, plan: air.PlannedMission) -> None:
    """[7.3, 7.4] Apply a hit; a second hit on a target has no effect [5.1.1(4)]."""
    if plan.kind == ROAD:
        destroy_roads(referee, plan.id, "7.4")
        return
    if referee.piece(plan.id).mark(state.DISRUPTED):
        referee.say(f"{plan.target} is disrupted already: the second hit does nothing.", "7.3.2")
        return
    referee.mark(plan.id, state.DISRUPTED, True, "7.3", "bombed")
    text = f"{plan.target} is DISRUPTED: no move, no attack, no zone of control [7.3.1(2)], defence halved."
    referee.say(text, "7.3.1")
