"""[5.2, 5.4] Bombing missions from declaration and interception to the Used boxes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from companion.core.errors import Unreadable
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.text import clean, pick_name, split_list
from companion.games.iraqwar2003.notation import is_naval
from companion.games.iraqwar2003.odds import group_odds, interception_odds
from companion.games.iraqwar2003.referee import IraqWarReferee
from companion.games.iraqwar2003.rules import r05_air_combat as air
from companion.games.iraqwar2003.rules import r05_air_combat as groups
from companion.games.iraqwar2003.state import BOX, GROUNDED, IRAQ, NONE, PALACE, SIDE_TITLES, is_none, other

HitEffect = Callable[[IraqWarReferee, groups.PlannedMission], Awaitable[None]]
"""The effect of a hit."""


async def declare_group(
    referee: IraqWarReferee, plans: Sequence[groups.PlannedMission], plan: groups.PlannedMission, side: str, typed: str
) -> groups.PlannedMission | None:
    """[5.2(1), 5.3.1(1)] Ask for and check the group at a target; None if the player changes the target.

    Args:
        plan: The target, without a group.
        typed: The group, if it was typed with the target.
    """
    planned = [piece for other in plans for piece in other.group.pieces]
    group = await _ask_group(referee, plans, plan, side, typed)
    if group is None or group.lead is None:
        return None
    values = await groups.check_unit(referee, group.lead, air.BOMBING, is_facility(plan))
    if group.other:
        if is_naval(group.lead):
            referee.forbid(f"{group.lead.name} is not an air unit and cannot be escorted", "5.3(1)", "Send it alone")
        await groups.check_unit(referee, group.other, air.ESCORT)
    if side == IRAQ:
        referee.enforce(groups.airfield_obstacle(referee, len(planned) + len(group.pieces)))
    value = air.bombing_value(values.bombing, plan.city)
    if plan.city:
        referee.say(f"{group.lead.name} bombs with {value} in that city, half of {values.bombing}.", "5.7(3)")
    return plan._replace(group=group, value=value)


def is_facility(plan: groups.PlannedMission) -> bool:
    """[2.5.4(1)] Return True for targets on the Air Operation Display, which ships can bomb."""
    return plan.kind in (BOX, PALACE)


def bombers(referee: IraqWarReferee, plans: Sequence[groups.PlannedMission], side: str, display: bool) -> list[Piece]:
    """[5.3(4), 5.8.2(1)] Units that can still bomb in addition to the planned groups.

    Args:
        display: The targets are on the Air Operation Display.
    """
    planned = [piece for plan in plans for piece in plan.group.pieces]
    if side == IRAQ and groups.airfield_obstacle(referee, len(planned) + 1):
        return []
    return groups.ready_for(referee, side, air.BOMBING, display, planned)


def no_bomber_obstacle(
    referee: IraqWarReferee, plans: Sequence[groups.PlannedMission], side: str, display: bool
) -> Obstacle | None:
    """Why no unit can be sent; None while one can."""
    if bombers(referee, plans, side, display):
        return None
    fields = groups.airfield_obstacle(referee, sum(len(plan.group.pieces) for plan in plans) + 1) if side == IRAQ else None
    rule = "16.6(3)" if referee.position.flag(GROUNDED) else "5.3(4)"
    return fields or Obstacle(f"no {SIDE_TITLES[side]} unit that can bomb is left", rule)


async def _ask_group(
    referee: IraqWarReferee, plans: Sequence[groups.PlannedMission], plan: groups.PlannedMission, side: str, typed: str
) -> groups.AirGroup | None:
    """[5.3.1(1)] Ask for the group, unless it was typed with the target."""
    planned = [piece.id for other in plans for piece in other.group.pieces]
    pool = {piece.name: piece for piece in referee.air_units(side, "any")}
    text = typed
    if not text:
        ready = bombers(referee, plans, side, is_facility(plan))
        example = f"{ready[0].name}+{ready[1].name}" if len(ready) > 1 else NONE
        prompt = f"Which {SIDE_TITLES[side]} group bombs {plan.target}? (bomber, or bomber+escort)"
        choices = [Choice(NONE, "another target"), *referee.air_choices(ready)]
        request = Text("group", prompt, "5.3.1(1)", groups.group_notation(list(pool), example), choices, NONE)
        request.odds = lambda: group_odds(referee, plan, ready)
        request.has_quick_odds = True
        text = await request
    if text == NONE:
        return None
    pieces = [pool[name] for name in text.split("+")]
    for piece in pieces:
        if piece.id in planned:
            referee.forbid(f"{piece.name} flies in another group already", "5.2(1)", "Name another unit")
    return groups.AirGroup(pieces[0], pieces[1] if len(pieces) > 1 else None)


class _BombingObserver(air.TableObserver):
    """Announces events and applies the effect of hits."""

    def __init__(
        self, referee: IraqWarReferee, plans: Sequence[groups.PlannedMission], missions: Sequence[air.Mission], effect: HitEffect
    ) -> None:
        super().__init__(referee)
        self.of = {mission.fliers[0].id: plan for mission, plan in zip(missions, plans, strict=True)}
        self.effect = effect

    async def bombed(self, mission: air.Mission, value: int, face: int, hit: bool) -> None:
        await super().bombed(mission, value, face, hit)
        if hit:
            await self.effect(self.game, self.of[mission.fliers[0].id])


async def fly_missions(referee: IraqWarReferee, plans: Sequence[groups.PlannedMission], effect: HitEffect) -> None:
    """[5.2(3), 5.2(4), 5.2(5), 5.2(6)] Fly the planned missions, then move all units to their Used boxes."""
    missions: list[air.Mission] = []
    for plan in plans:
        participants = [*plan.group.pieces, *([plan.interceptor] if plan.interceptor else [])]
        for piece in participants:
            await referee.air_values(piece)
        mission = groups.mission_of(referee, plan)
        assert mission
        missions.append(mission)
    await air.fly(missions, _BombingObserver(referee, plans, missions, effect), referee.option("air_combats") != "group")
    flown = [piece for plan in plans for piece in (*plan.group.pieces, plan.interceptor) if piece]
    groups.mark_used(referee, flown)


# -- [5.2(2), 5.4] Interception ----------------------------------------------------------------------------------------


def _notation(count: int, names: Sequence[str]) -> Notation:
    def read(text: str) -> str:
        plain = clean(text)
        if is_none(plain):
            return NONE
        pairs: dict[int, str] = {}
        for part in split_list(plain):
            number, _, name = part.partition(" ")
            index, name = (int(number), name) if number.isdecimal() and name else (1, part)
            if not 1 <= index <= count or (count > 1 and not (number.isdecimal() and part != number)):
                raise Unreadable(f"'{part}' names no group from 1 to {count}", rule="5.2(2)", cure="Type: 1 MiG-23, 2 Su-20")
            if index in pairs:
                raise Unreadable(f"two groups intercept group {index}", rule="5.1.1(3)", cure="One group intercepts one group")
            pairs[index] = pick_name(name.strip(), names, "air unit")
        if len(set(pairs.values())) != len(pairs):
            raise Unreadable("a unit is named twice", rule="5.1.1(3)", cure="One group intercepts one group")
        return ", ".join(f"{index} {name}" for index, name in sorted(pairs.items()))

    return Notation("interceptors", f"1 {names[0]}" if names else NONE, read)


async def ask_interceptions(referee: IraqWarReferee, plans: Sequence[air.PlannedMission], side: str) -> list[air.PlannedMission]:
    """[5.2(2)] Add interceptors to the planned missions; skipped if none is possible."""
    foe = other(side)
    able = air.ready_for(referee, foe, air.INTERCEPT)
    pool = [piece for piece in referee.air_units(foe, "any") if not is_naval(piece)]
    if obstacle := _no_interception_obstacle(referee, plans, able, foe):
        referee.skip_question("intercept", *obstacle, as_good=(NONE,))
        return list(plans)
    suggest = NONE
    if foe == IRAQ and referee.computer_plays_iraq:
        suggest = await referee.planner.interceptions(plans)
    numbered = "; ".join(f"{index} {plan.group.title} on {plan.target}" for index, plan in enumerate(plans, 1))
    request = Text(
        "intercept",
        f"Which {SIDE_TITLES[foe]} units intercept which groups? ({numbered})",
        "5.2(2)",
        _notation(len(plans), [piece.name for piece in pool]),
        [Choice(NONE, "no interception"), *_possible_interceptions(referee, plans, able, foe)],
        suggest,
    )
    referee.decide(request, foe, suggest)
    if foe == IRAQ and not referee.computer_plays_iraq:
        referee.offer_advice(request, lambda table: table.planner.interceptions(plans))
    request.odds = lambda: interception_odds(referee, plans, able)
    return await _assign_interceptors(referee, plans, await request, pool, foe)


def _no_interception_obstacle(
    referee: IraqWarReferee, plans: Sequence[air.PlannedMission], able: Sequence[Piece], foe: str
) -> Obstacle | None:
    """[5.2(2), 5.4.1] Why no group can be intercepted; None if one may be."""
    fields = air.airfield_obstacle(referee, 1) if foe == IRAQ else None
    if plans and fields:
        return fields
    if not plans or not able:
        text = f"no {SIDE_TITLES[foe]} unit can intercept, or no group can be intercepted"
        return Obstacle(text, "16.6(3)" if referee.position.flag(GROUNDED) else "5.2(2)")
    against = [air.interception_obstacle(referee, plan, foe) for plan in plans]
    return against[0] if all(against) else None


def _possible_interceptions(
    referee: IraqWarReferee, plans: Sequence[air.PlannedMission], ready: Sequence[Piece], foe: str
) -> list[Choice]:
    """Every pairing that is legal as far as values are known."""
    return [
        Choice(f"{index} {piece.name}", f"{piece.name} meets {plan.group.title}", str(referee.known_values(piece) or ""))
        for index, plan in enumerate(plans, 1)
        if not air.interception_obstacle(referee, plan, foe)
        for piece in ready
    ]


async def _assign_interceptors(
    referee: IraqWarReferee, plans: Sequence[air.PlannedMission], text: str, pool: Sequence[Piece], foe: str
) -> list[air.PlannedMission]:
    """[5.4.1] Check and assign the named interceptors: white silhouettes, Radar, Air Fields, own values [5.3(2)]."""
    done = list(plans)
    for count, part in enumerate(split_list(text) if text != NONE else (), 1):
        number, _, name = part.partition(" ")
        piece = next(candidate for candidate in pool if candidate.name == name)
        plan = done[int(number) - 1]
        await referee.air_values(plan.lead)
        referee.enforce(air.interception_obstacle(referee, plan, foe))
        if foe == IRAQ:
            referee.enforce(air.airfield_obstacle(referee, count))
        await air.check_unit(referee, piece, air.INTERCEPT)
        done[int(number) - 1] = plan._replace(interceptor=piece)
    return done
