"""[7.0] Ground Bombing: the phase, units and roads as its targets, disruption."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.words import clean, one_of
from companion.games.iraqwar2003.names import COALITION, DISRUPTED, IRAQ, PHASE, SUPPLY, UNIT, city_flag, is_none, other
from companion.games.iraqwar2003.referee import IraqWar, on_map, radar_works
from companion.games.iraqwar2003.rules.r05_air_groups import Group, Plan
from companion.games.iraqwar2003.rules.r05_interception import interceptions
from companion.games.iraqwar2003.rules.r05_missions import carry_out, declare
from companion.games.iraqwar2003.rules.r06_facility_bombing import DONE, Target, read_group, split_target, target_prompt
from companion.games.iraqwar2003.rules.r14_roads import destroy_roads
from companion.games.iraqwar2003.rules.r16_artillery import fire_of_the_unit
from companion.games.iraqwar2003.rules.r16_options import lifted, visibility
from companion.games.iraqwar2003.words.counters import TURKISH, is_western, looks_like_unit, nation, read_unit, side_of
from companion.games.iraqwar2003.words.sites import CENTRAL, SECTORS

CITIES = ("Baghdad", "Basra", "Mosul")
"""[5.7(3)] Where the bombing value is halved."""
OPEN = "open"
ROAD = "road"


async def ground_phase(game: IraqWar) -> None:
    """[4.1(2), 7.1] The whole Ground Bombing Phase of the current player, in the order of 5.2."""
    await visibility(game, "phase")
    side = game.side
    if side == IRAQ or game.air_units(IRAQ):
        await game.open_display()
    plans: list[Plan] = []
    while (target := await _target(game, plans, side)) is not None:
        plan = await declare(game, plans, await _prepared(game, plans, target.plan, side), side, target.group)
        plans += [plan] if plan else []
    await carry_out(game, await interceptions(game, plans, side), _hit)
    lifted(game)
    game.set_flag(PHASE, SUPPLY, "4.1(2)")


async def _target(game: IraqWar, plans: Sequence[Plan], side: str) -> Target | None:
    """[7.1(1), 7.1(2)] An enemy ground unit, or the roads of a hex; None when all groups are placed."""
    enemies = on_map(game.position, other(side))
    names = [piece.name for piece in enemies]
    example = "us 1/3ID 6-5-8/4-3-8" if side == IRAQ else "iraq 6A 3-4-4/2-2-4"
    cure = f"Or: road 1722, or a new unit as on its counter: {example}"

    def read(text: str) -> str:
        head, tail = split_target(clean(text))
        if is_none(head) or head.casefold() == DONE:
            return DONE
        group = read_group(tail, side, game)
        word, _, rest = head.partition(" ")
        if word.casefold() in ("road", "roads") and rest.strip():
            return f"road {rest.strip()[:30]}{group}"
        if looks_like_unit(head):
            return f"{read_unit(head)}{group}"
        return one_of(head, names, "enemy unit", cure=cure) + group

    known = [Choice(DONE, "no more groups"), *game.unit_choices(enemies), Choice("road 1722", "the roads of a hex")]
    prompt = target_prompt(plans, "a unit, or road and hex")
    text = await game.text("target", prompt, "7.1", Notation("target", example, read), known, DONE)
    name, group = split_target(text)
    if name == DONE:
        return None
    if name.startswith(f"{ROAD} "):
        return Target(Plan(Group(), ROAD, name[5:], f"the roads of {name[5:]}"), group)
    piece = next((piece for piece in enemies if piece.name == name), None) or await game.enter(read_unit(name))
    _check_victim(game, piece, side)
    return Target(Plan(Group(), UNIT, piece.id, piece.name), group)


def _check_victim(game: IraqWar, piece: Piece, side: str) -> None:
    if side_of(piece) == side:
        game.forbid(f"{piece.name} is one of their own units", "7.0", "Name an enemy unit")
    if side == COALITION and nation(piece) == TURKISH:
        game.forbid("the Coalition cannot bomb the Turkish unit", "16.10(6)", "Name an Iraqi unit")
    if piece.mark(DISRUPTED):
        game.say(f"{piece.name} is disrupted already: a hit does nothing more.", "7.3.2", tone="reminder")


async def _prepared(game: IraqWar, plans: Sequence[Plan], plan: Plan, side: str) -> Plan:
    """The target with its city, the fire at it and its sectors."""
    city = await _in_city(game, plans, plan.target)
    shots, rule = await _shots(game, plan, side)
    return plan._replace(city=city, shots=shots, fire_rule=rule, sectors=await sectors_of(game, side))


async def _in_city(game: IraqWar, plans: Sequence[Plan], target: str) -> bool:
    """[5.7(3)] Whether the target lies in Baghdad, Basra or Mosul; the same answer holds for the same target, and is what is
    suggested the next time.
    """
    before = next((plan for plan in plans if plan.target == target), None)
    if before is not None:
        return before.city
    choices = [Choice(OPEN, "anywhere else"), *(Choice(city, city, "bombing halved") for city in CITIES)]
    last = str(game.position.flag(city_flag(target), OPEN))
    where = await game.choose("where", f"{target} is in", "5.7(3)", choices, last)
    game.set_flag(city_flag(target), None if where == OPEN else where, "5.7(3)")
    return where != OPEN


async def _shots(game: IraqWar, plan: Plan, side: str) -> tuple[tuple[int, ...], str]:
    """[7.2] Anti-air fire at ground bombing: by an American or British unit that is bombed, none by Kurds and Iraqis
    [7.2(1)] but the anti-air unit, at its own bombers too [16.4(5)], and none at road bombing.
    """
    if plan.kind == ROAD:
        game.say("No anti-air fire at road bombing.", "7.2(3)")
        return (), "7.2(3)"
    if side == IRAQ:
        return fire_of_the_west(game, [game.piece(plan.id)]), "7.2(2)"
    return await fire_of_the_unit(game), "16.4(3)"


def fire_of_the_west(game: IraqWar, pieces: Sequence[Piece]) -> tuple[int, ...]:
    """[7.2(2), 13.3(2-2)] One shot by American or British units at an Iraqi air unit over them."""
    return (game.chart("anti_air").number("western", "firepower"),) if any(map(is_western, pieces)) else ()


async def sectors_of(game: IraqWar, side: str) -> tuple[str, ...]:
    """[5.8.1] The air sectors of a hex; asked only while it matters for Iraqi interception: sectors never limit the Coalition
    [5.8.1(1)].
    """
    blind = [sector for sector in SECTORS if not radar_works(game.position, sector)]
    if side == IRAQ or not blind or not game.air_units(IRAQ):
        return ()
    names = [*SECTORS, "north/central", "central/south"]
    choices = [Choice(name, name, "on the border" if "/" in name else "") for name in names]
    return tuple((await game.choose("sector", "Air sector of the target hex", "5.8.1(3)", choices, CENTRAL)).split("/"))


async def _hit(game: IraqWar, plan: Plan) -> None:
    """[7.3, 7.4] What a hit does; a second one on the same target does nothing more [5.1.1(4)]."""
    if plan.kind == ROAD:
        destroy_roads(game, plan.id, "7.4")
        return
    if game.piece(plan.id).mark(DISRUPTED):
        game.say(f"{plan.target} is disrupted already: no more effect.", "7.3.2")
        return
    game.mark(plan.id, DISRUPTED, True, "7.3", "bombed")
    game.say(f"{plan.target} is disrupted: no move, no attack, no zone of control, defence halved.", "7.3.1")
