"""[5.2, 5.4, 6.0, 7.0] Bombing missions: groups and interception, the Facility and the Ground Bombing Phase."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from companion.core.errors import Ambiguous, Unreadable
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.text import clean, matching_names, normalised, pick_name, plural, split_list
from companion.games.iraqwar2003 import notation, odds, state
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, radar_works, units_on_map_of
from companion.games.iraqwar2003.rules import r04_sequence, r05_air, r08_map, r12_movement, r16_options
from companion.games.iraqwar2003.rules.r05_air import AirGroup, Mission, PlannedMission
from companion.games.iraqwar2003.state import Side

HitEffect = Callable[[IraqWarReferee, PlannedMission], Awaitable[None]]
"""The effect of a hit."""


async def declare_group(
    referee: IraqWarReferee, plans: Sequence[PlannedMission], plan: PlannedMission, side: Side, typed: str
) -> PlannedMission | None:
    """[5.2(1), 5.3.1(1)] Check the group at a target, typed with it or asked for; None if the target is changed."""
    planned = [piece for other in plans for piece in other.group.pieces]
    group = await _ask_group(referee, plans, plan, side, typed)
    if group is None or group.lead is None:
        return None
    values = await r05_air.check_unit(referee, group.lead, r05_air.BOMBING, is_facility(plan))
    if group.other:
        if notation.is_naval(group.lead):
            referee.forbid(f"{group.lead.name} is not an air unit and cannot be escorted", "5.3(1)", "Send it alone")
        await r05_air.check_unit(referee, group.other, r05_air.ESCORT)
    if side == state.IRAQ:
        referee.enforce(r05_air.airfield_obstacle(referee, len(planned) + len(group.pieces)))
    value = r05_air.bombing_value(values.bombing, plan.city)
    if plan.city:
        referee.say(f"{group.lead.name} bombs with {value} in that city, half of {values.bombing}.", "5.7(3)")
    return plan._replace(group=group, value=value)


def is_facility(plan: PlannedMission) -> bool:
    """[2.5.4(1)] Return True for targets on the Air Operation Display, which ships can bomb."""
    return plan.kind in (state.BOX, state.PALACE)


def bombers(referee: IraqWarReferee, plans: Sequence[PlannedMission], side: Side, display: bool) -> list[Piece]:
    """[5.3(4), 5.8.2(1)] Units that can bomb besides the planned groups. ``display``: on the Air Operation Display."""
    planned = [piece for plan in plans for piece in plan.group.pieces]
    if side == state.IRAQ and r05_air.airfield_obstacle(referee, len(planned) + 1):
        return []
    return r05_air.ready_for(referee, side, r05_air.BOMBING, display, planned)


def no_bomber_obstacle(referee: IraqWarReferee, plans: Sequence[PlannedMission], side: Side, display: bool) -> Obstacle | None:
    """Why no unit can be sent; None while one can."""
    if bombers(referee, plans, side, display):
        return None
    fields = r05_air.airfield_obstacle(referee, sum(len(plan.group.pieces) for plan in plans) + 1) if side == state.IRAQ else None
    rule = "16.6(3)" if referee.position.flag(state.GROUNDED) else "5.3(4)"
    return fields or Obstacle(f"no {state.SIDE_TITLES[side]} unit that can bomb is left", rule)


async def _ask_group(
    referee: IraqWarReferee, plans: Sequence[PlannedMission], plan: PlannedMission, side: Side, typed: str
) -> AirGroup | None:
    """[5.3.1(1)] Ask for the group, unless it was typed with the target."""
    planned = [piece.id for other in plans for piece in other.group.pieces]
    pool = {piece.name: piece for piece in referee.air_units(side, "any")}
    text = typed
    if not text:
        ready = bombers(referee, plans, side, is_facility(plan))
        example = f"{ready[0].name}+{ready[1].name}" if len(ready) > 1 else state.NONE
        prompt = f"Which {state.SIDE_TITLES[side]} group bombs {plan.target}? (bomber, or bomber+escort; {r05_air.AIR_FIGURES})"
        choices = [Choice(state.NONE, "another target"), *referee.air_choices(ready)]
        request = Text("group", prompt, "5.3.1(1)", r05_air.group_notation(list(pool), example), choices, state.NONE)
        request.odds = lambda: odds.group_odds(referee, plan, ready)
        request.has_quick_odds = True
        text = await request
    if text == state.NONE:
        return None
    pieces = [pool[name] for name in text.split("+")]
    for piece in pieces:
        if piece.id in planned:
            referee.forbid(f"{piece.name} flies in another group already", "5.2(1)", "Name another unit")
    return AirGroup(pieces[0], pieces[1] if len(pieces) > 1 else None)


class _BombingObserver(r05_air.TableObserver):
    """Announces events and applies the effect of hits."""

    def __init__(
        self, referee: IraqWarReferee, plans: Sequence[PlannedMission], missions: Sequence[Mission], effect: HitEffect
    ) -> None:
        super().__init__(referee)
        self.of = {mission.fliers[0].id: plan for mission, plan in zip(missions, plans, strict=True)}
        self.effect = effect

    async def bombed(self, mission: Mission, value: int, face: int, hit: bool) -> None:
        await super().bombed(mission, value, face, hit)
        if hit:
            await self.effect(self.referee, self.of[mission.fliers[0].id])


async def fly_missions(referee: IraqWarReferee, plans: Sequence[PlannedMission], effect: HitEffect) -> None:
    """[5.2(3), 5.2(4), 5.2(5), 5.2(6)] Fly the planned missions, then move all units to their Used boxes."""
    flown = [piece for plan in plans for piece in (*plan.group.pieces, plan.interceptor) if piece]
    for piece in flown:
        await referee.air_values(piece)
    missions = [mission for plan in plans if (mission := r05_air.mission_of(referee, plan))]
    await r05_air.fly(missions, _BombingObserver(referee, plans, missions, effect), referee.option("air_combats") != "group")
    r05_air.mark_used(referee, flown)


# -- [5.2(2), 5.4] Interception ----------------------------------------------------------------------------------------


def _interceptors_notation(count: int, names: Sequence[str]) -> Notation:
    example = ", ".join(f"{index} {name}" for index, name in enumerate(names[: min(count, 2)], 1)) or state.NONE

    def read(text: str) -> str:
        plain = clean(text)
        if state.is_none(plain):
            return state.NONE
        pairs: dict[int, str] = {}
        for part in split_list(plain):
            number, _, name = part.partition(" ")
            index, name = (int(number), name) if number.isdecimal() and name else (1, part)
            if not 1 <= index <= count or (count > 1 and not (number.isdecimal() and part != number)):
                raise Unreadable(f"'{part}' names no group from 1 to {count}", rule="5.2(2)", cure=f"Type: {example}")
            if index in pairs:
                raise Unreadable(f"two groups intercept group {index}", rule="5.1.1(3)", cure="One group intercepts one group")
            pairs[index] = pick_name(name.strip(), names, "air unit")
        if len(set(pairs.values())) != len(pairs):
            raise Unreadable("a unit is named twice", rule="5.1.1(3)", cure="One group intercepts one group")
        return ", ".join(f"{index} {name}" for index, name in sorted(pairs.items()))

    return Notation("interceptors", example, read)


async def ask_interceptions(referee: IraqWarReferee, plans: Sequence[PlannedMission], side: Side) -> list[PlannedMission]:
    """[5.2(2)] Add interceptors to the planned missions; skipped if none is possible."""
    foe = state.other(side)
    able = r05_air.ready_for(referee, foe, r05_air.INTERCEPT)
    pool = [piece for piece in referee.air_units(foe, "any") if not notation.is_naval(piece)]
    if obstacle := _no_interception_obstacle(referee, plans, able, foe):
        referee.skip_question("intercept", *obstacle, equivalent=(state.NONE,))
        return list(plans)
    suggest = state.NONE
    if foe == state.IRAQ and referee.computer_plays(state.IRAQ):
        suggest = await referee.planner.interceptions(plans)
    numbered = "; ".join(f"{index} {plan.group.title} on {plan.target}" for index, plan in enumerate(plans, 1))
    prompt = f"Which {state.SIDE_TITLES[foe]} units intercept which groups? ({numbered})"
    pairs = _interceptors_notation(len(plans), [piece.name for piece in pool])
    choices = [Choice(state.NONE, "no interception"), *_possible_interceptions(referee, plans, able, foe)]
    request = Text("intercept", prompt, "5.2(2)", pairs, choices, suggest)
    referee.decide(request, foe, suggest)
    if foe == state.IRAQ and not referee.computer_plays(state.IRAQ):
        referee.offer_advice(request, lambda table: table.planner.interceptions(plans))
    request.odds = lambda: odds.interception_odds(referee, plans, able)
    return await _assign_interceptors(referee, plans, await request, pool, foe)


def _no_interception_obstacle(
    referee: IraqWarReferee, plans: Sequence[PlannedMission], able: Sequence[Piece], foe: Side
) -> Obstacle | None:
    """[5.2(2), 5.4.1] Why no group can be intercepted; None if one may be."""
    fields = r05_air.airfield_obstacle(referee, 1) if foe == state.IRAQ else None
    if plans and fields:
        return fields
    if not plans or not able:
        text = f"no {state.SIDE_TITLES[foe]} unit can intercept, or no group can be intercepted"
        return Obstacle(text, "16.6(3)" if referee.position.flag(state.GROUNDED) else "5.2(2)")
    against = [r05_air.interception_obstacle(referee, plan, foe) for plan in plans]
    return against[0] if all(against) else None


def _possible_interceptions(
    referee: IraqWarReferee, plans: Sequence[PlannedMission], ready: Sequence[Piece], foe: Side
) -> list[Choice]:
    """Every pairing that is legal as far as values are known."""
    return [
        Choice(f"{index} {piece.name}", f"{piece.name} meets {plan.group.title}", str(referee.known_values(piece) or ""))
        for index, plan in enumerate(plans, 1)
        if not r05_air.interception_obstacle(referee, plan, foe)
        for piece in ready
    ]


async def _assign_interceptors(
    referee: IraqWarReferee, plans: Sequence[PlannedMission], text: str, pool: Sequence[Piece], foe: Side
) -> list[PlannedMission]:
    """[5.4.1] Check and assign the named interceptors: white silhouettes, Radar, Air Fields, own values [5.3(2)]."""
    done = list(plans)
    for count, part in enumerate(split_list(text) if text != state.NONE else (), 1):
        number, _, name = part.partition(" ")
        piece = next(candidate for candidate in pool if candidate.name == name)
        plan = done[int(number) - 1]
        await referee.air_values(plan.lead)
        referee.enforce(r05_air.interception_obstacle(referee, plan, foe))
        if foe == state.IRAQ:
            referee.enforce(r05_air.airfield_obstacle(referee, count))
        await r05_air.check_unit(referee, piece, r05_air.INTERCEPT)
        done[int(number) - 1] = plan._replace(interceptor=piece)
    return done


# -- [6.0] Facility Bombing Phase --------------------------------------------------------------------------------------

BY = " by "
"""Separates a target from its group: ``radio 1 by B-1+F-15``."""
MARKER = "palace marker"
DONE = "done"


async def facility_phase(referee: IraqWarReferee) -> None:
    """[4.1(1), 5.1(1), 6.2] The Facility Bombing Phase in the order of 5.2."""
    await r16_options.roll_visibility(referee, "phase")
    await referee.enter_display()
    palace_found = await r16_options.intelligence(referee)

    async def add(plans: Sequence[PlannedMission], text: str) -> PlannedMission | None:
        name, group = split_target(text)
        plan = _marker_plan(referee, palace_found) if name == MARKER else _box_plan(referee, name, palace_found)
        return await declare_group(referee, plans, plan, state.COALITION, group)

    plans = await place_groups(lambda plans: _ask_boxes(referee, plans, palace_found), add)
    if not plans:
        say_skipped(referee, state.BOMBING)
    await fly_missions(referee, await ask_interceptions(referee, plans, state.COALITION), partial(_hit_box, []))
    r16_options.end_visibility(referee)
    referee.set_flag(state.PHASE, state.BOMBING, "4.1(1)")


def say_skipped(referee: IraqWarReferee, phase: state.Phase) -> None:
    """[4.1] Say which bombing phases end without a mission, where a unit could have flown one; ``phase``: the one that begins."""
    now, side = state.current_phase(referee.position), referee.side
    skipped = state.PHASES[state.PHASES.index(now) : state.PHASES.index(phase)]
    titles = [r04_sequence.PHASE_TITLES[earlier] for earlier in skipped if bombers(referee, (), side, earlier == state.FACILITY)]
    if titles and not referee.computer_plays(side):
        phases = f"{' and '.join(titles)} Phase{'s' if len(titles) > 1 else ''}"
        referee.say(f"No group bombs in the {phases}. To send one after all: undo.", "4.1", tone="reminder")


async def place_groups(
    ask: Callable[[Sequence[PlannedMission]], Awaitable[Sequence[str]]],
    add: Callable[[Sequence[PlannedMission], str], Awaitable[PlannedMission | None]],
) -> list[PlannedMission]:
    """[5.2(1)] Place groups until ``ask`` returns DONE; ``add`` returns None if the player changes the target."""
    plans: list[PlannedMission] = []
    while True:
        for text in await ask(plans):
            if text == DONE:
                return plans
            plan = await add(plans, text)
            plans += [plan] if plan else []


def matching_boxes(text: str, names: Sequence[str]) -> list[str]:
    """The boxes that a text may mean; word prefixes count if nothing else matches: ``rad 1``."""
    wanted = normalised(text).split()

    def matches(part: str, word: str) -> bool:
        return part == word if word.isdecimal() else part.startswith(word)

    def begins(parts: Sequence[str]) -> bool:
        return len(parts) == len(wanted) and all(map(matches, parts, wanted))

    parts_of = {name: normalised(name).split() for name in names}
    by_prefix = [name for name in names if any(begins(parts_of[name][index:][: len(wanted)]) for index in range(3))]
    return matching_names(text, names) or by_prefix


def _one_box(text: str, offered: Sequence[str], others: Sequence[str]) -> str:
    """The one box that is meant, offered boxes first.

    Raises:
        Unreadable: There is none.
        Ambiguous: There are several.
    """
    matches = matching_boxes(text, offered) or matching_boxes(text, others)
    if len(matches) > 1:
        raise Ambiguous(text, matches)
    return matches[0] if matches else pick_name(text, offered, "facility box")


def split_target(text: str) -> tuple[str, str]:
    """Split a target from the group typed with it."""
    head, _, tail = text.partition(BY)
    return head, tail


def read_group(tail: str, side: Side, referee: IraqWarReferee) -> str:
    """Normalise the group behind a target."""
    pool = [piece.name for piece in referee.air_units(side, "any")]
    return BY + r05_air.group_notation(pool, "B-1+F-15").read(tail) if tail else ""


def read_targets(text: str, read_one: Callable[[str], str]) -> str:
    """Read one target, or several with their groups: ``radio 1 by B-1+F-15, radio 2 by B-2, done``. Raises Unreadable."""
    parts = split_list(clean(text))
    if len(parts) < 2 or not any(BY in part for part in parts):
        return read_one(text)
    bare = next((part for part in parts if BY not in part and part.casefold() not in (DONE, "0")), "")
    if bare or {DONE, "0"}.intersection(map(str.casefold, parts[:-1])):
        cure = "Each with its group: radio 1 by B-1+F-15, radio 2 by B-2, done; done or 0 at the end: no more"
        raise Unreadable(f"'{bare or DONE}' is one of several targets and has no group", rule="5.2(1)", cure=cure)
    return ", ".join(map(read_one, parts))


def target_prompt(plans: Sequence[PlannedMission], kinds: str, ready: Sequence[Piece]) -> str:
    """The question for the next target."""
    left = f"{plural(len(ready), 'air unit')} can bomb" + ("" if plans else f"; {DONE}: none this turn")
    return f"What is target {len(plans) + 1}? ({kinds}, by bomber or bomber+escort; several with commas; {left})"


def _target_example(referee: IraqWarReferee, targets: Sequence[str], ready: Sequence[Piece], side: Side) -> str:
    """A target with a group that can bomb it now: the strongest bomber and, if it needs none to fly, the best escort."""
    if not targets or not ready:
        return DONE

    def value(piece: Piece, index: int) -> int:
        values = referee.known_values(piece)
        return values[index] if values else 0

    lead = max(ready, key=lambda piece: value(piece, 2))
    guards = [] if notation.is_naval(lead) or side == state.IRAQ else r05_air.ready_for(referee, side, r05_air.ESCORT, but=[lead])
    planes = [piece for piece in guards if piece in ready and not notation.is_naval(piece)]
    names = [lead.name, *([max(planes, key=lambda piece: value(piece, 0)).name] if planes else [])]
    return f"{targets[0]}{BY}{'+'.join(names)}"


async def _ask_boxes(referee: IraqWarReferee, plans: Sequence[PlannedMission], palace_found: bool) -> list[str]:
    """[6.2] Ask for the boxes of the next groups; DONE when all groups are placed or no unit is left."""
    if obstacle := no_bomber_obstacle(referee, plans, state.COALITION, True):
        referee.skip_question("target", *obstacle, equivalent=(DONE, state.NONE))
        return [DONE]
    offered = [piece.name for piece in intact(boxes(referee.position)) if palace_found or notation.site_of(piece) != state.PALACE]
    others = [piece.name for piece in boxes(referee.position) if piece.name not in offered]
    if referee.has_rule(state.PALACE):
        (offered if palace_found else others).append(MARKER)

    def read(text: str) -> str:
        head, tail = split_target(clean(text))
        if state.is_none(head) or head.casefold() in (DONE, "0"):
            return DONE
        return _one_box(head, offered, others) + read_group(tail, state.COALITION, referee)

    choices = [Choice(DONE, "no more groups"), *(Choice(name, name) for name in offered)]
    targets = Notation("target", "radio 1 by B-1+F-15", lambda text: read_targets(text, read), slash=BY)
    ready = bombers(referee, plans, state.COALITION, True)
    request = Text("target", lambda: target_prompt(plans, "a box", ready), "6.2", targets, choices, DONE)
    fresh = [name for name in offered if name not in {plan.target for plan in plans}]
    radios = [name for name in fresh if notation.RADIO in name] or fresh
    request.sample = lambda: _target_example(referee, radios, ready, state.COALITION)

    async def proposed(referee: IraqWarReferee) -> str:
        aims = [_box_plan(referee, name, palace_found) for name in offered if name != MARKER]
        return await referee.planner.coalition_bombing(aims, ready)

    if referee.computer_plays(state.COALITION):
        referee.decide(request, state.COALITION, await proposed(referee))
    else:
        referee.offer_advice(request, proposed)
    request.odds = lambda: odds.target_odds(referee, _boxes_by_fire(referee, offered), ready)
    return split_list(await request)


def _boxes_by_fire(referee: IraqWarReferee, offered: Sequence[str]) -> list[PlannedMission]:
    """[6.3] The sites that have targets, grouped by their anti-air fire."""
    sites = dict.fromkeys(notation.site_of(piece) for piece in boxes(referee.position) if piece.name in offered)
    if MARKER in offered:
        sites[state.PALACE] = None
    alike: dict[tuple[int, ...], list[str]] = {}
    for site in sites:
        alike.setdefault(referee.aa_shots(site), []).append(notation.SITE_TITLES[site])
    return [PlannedMission(AirGroup(), state.BOX, "", ", ".join(titles), shots) for shots, titles in alike.items()]


def _box_plan(referee: IraqWarReferee, name: str, palace_found: bool) -> PlannedMission:
    """[6.3] A box with the fire and the sector of its site."""
    box = next(piece for piece in boxes(referee.position) if piece.name == name)
    if box.mark(state.DAMAGED) is not None:
        referee.forbid(f"{name} is destroyed already, and a second hit does nothing", "6.4", "Bomb another box")
    if notation.site_of(box) == state.PALACE and not palace_found:
        referee.forbid("no intelligence on Saddam this turn: the palace is off limits", "16.1", "Bomb something else")
    shots, sectors = referee.aa_shots(notation.site_of(box)), (notation.sector_of(box),)
    return PlannedMission(AirGroup(), state.BOX, box.id, name, shots, sectors=sectors)


def _marker_plan(referee: IraqWarReferee, palace_found: bool) -> PlannedMission:
    """[16.1(1), 16.1(2)] The one palace marker of this turn, for any number of groups; the palace is in the Central sector."""
    if not palace_found:
        referee.forbid("no intelligence on Saddam this turn: the palace is off limits", "16.1", "Bomb something else")
    shots, sectors = referee.aa_shots(state.PALACE), (notation.CENTRAL,)
    return PlannedMission(AirGroup(), state.PALACE, "", "the palace marker", shots, sectors=sectors)


async def _hit_box(uncovered: list[PlannedMission], referee: IraqWarReferee, plan: PlannedMission) -> None:
    """[6.4, 16.1(3)] Apply a hit; a second hit on a target has no effect [5.1.1(4)]. ``uncovered``: earlier palace hits."""
    if plan.kind == state.PALACE and uncovered:
        referee.say("A palace marker has been looked at this turn: the second hit does nothing.", "5.1.1(4)")
    elif plan.kind == state.PALACE:
        uncovered.append(plan)
        await r16_options.uncover_marker(referee)
    elif referee.piece(plan.id).mark(state.DAMAGED) is not None:
        referee.say(f"{plan.target} is destroyed already: the second hit does nothing.", "6.4")
    else:
        referee.mark(plan.id, state.DAMAGED, referee.turn, "6.4", "bombed")
        title = plan.target[:1].upper() + plan.target[1:]
        referee.say(f"{title} is DESTROYED. {_consequence(referee, plan.id)}.", "6.4")


def _consequence(referee: IraqWarReferee, box_id: str) -> str:
    """[6.4(1) - 6.4(4)] The effect of losing a box, in words."""
    box = referee.piece(box_id)
    kind, sector = notation.kind_of(box), notation.sector_of(box)
    intact_count = len(intact(boxes(referee.position, kind)))
    if kind == notation.AA:
        return f"This site has {plural(len(referee.aa_shots(notation.site_of(box))), 'anti-air shot')} left"
    if kind == notation.RADAR:
        return f"Iraq can {'still' if radar_works(referee.position, sector) else 'no longer'} intercept in the {sector} sector"
    if kind == notation.RADIO:
        begins = "At once" if r04_sequence.loses_radio_at_once(referee) else "From next turn"
        return f"{begins} Iraq counts {plural(intact_count, 'Radio')}"
    return f"Iraq can use {plural(intact_count, 'air unit')} each turn"


# -- [7.0] Ground Bombing Phase ----------------------------------------------------------------------------------------

CITIES = ("Baghdad", "Basra", "Mosul")
"""[5.7(3)] Cities where the bombing value is halved."""
OPEN = "open"
ROAD = "road"


async def ground_phase(referee: IraqWarReferee) -> None:
    """[4.1(2), 7.1] The current player's Ground Bombing Phase in the order of 5.2."""
    if state.current_phase(referee.position) == state.FACILITY:
        say_skipped(referee, state.BOMBING)
    await r16_options.roll_visibility(referee, "phase")
    side = referee.side
    if side == state.IRAQ or referee.air_units(state.IRAQ):
        await referee.enter_display()

    async def add(plans: Sequence[PlannedMission], text: str) -> PlannedMission | None:
        name, group = split_target(text)
        target = await _with_city(referee, plans, await _ground_plan(referee, name, side), side)
        plan = await declare_group(referee, plans, target, side, group)
        return await _with_fire_and_sectors(referee, plan, side) if plan else None

    plans = await place_groups(lambda plans: _ask_ground_targets(referee, plans, side), add)
    if not plans and state.current_phase(referee.position) == state.BOMBING:
        say_skipped(referee, state.SUPPLY)
    await fly_missions(referee, await ask_interceptions(referee, plans, side), _hit_ground)
    r16_options.end_visibility(referee)
    referee.set_flag(state.PHASE, state.SUPPLY, "4.1(2)")


async def _ask_ground_targets(referee: IraqWarReferee, plans: Sequence[PlannedMission], side: Side) -> list[str]:
    """[7.1(1), 7.1(2)] Ask for enemy units or roads; DONE when all groups are placed or no unit is left."""
    if obstacle := no_bomber_obstacle(referee, plans, side, False):
        referee.skip_question("target", *obstacle, equivalent=(DONE, state.NONE))
        return [DONE]
    enemies = units_on_map_of(referee.position, state.other(side))
    names = [piece.name for piece in enemies]
    example = "us 1/3ID 6-5-8/4-3-8" if side == state.IRAQ else "iraq 6A 3-4-4/2-2-4"
    cure = f"Or: road 1722, or a new unit as on its counter: {example}"

    def read(text: str) -> str:
        head, tail = split_target(clean(text))
        if state.is_none(head) or head.casefold() in (DONE, "0"):
            return DONE
        group = read_group(tail, side, referee)
        word, _, rest = head.partition(" ")
        if word.casefold() in ("road", "roads") and rest.strip():
            return f"road {land_of(referee.position).number_of(r12_movement.read_hex(rest))[:30]}{group}"
        if notation.looks_like_unit(head):
            return f"{notation.read_unit(head)}{group}"
        return pick_name(head, names, "enemy unit", cure=cure) + group

    turks = side == state.COALITION and r08_map.has_turkish_unit(referee.position)
    open_to = [piece for piece in enemies if not notation.is_turkish(piece)] if turks else enemies  # [16.10(6)]
    choices = [Choice(DONE, "no more groups"), *referee.unit_choices(open_to), Choice("road 1722", "the roads of a hex")]
    ready = bombers(referee, plans, side, False)

    async def proposed(referee: IraqWarReferee) -> str:
        if side == state.IRAQ:
            return await referee.planner.iraqi_bombing(_fresh_targets(referee, plans, enemies), ready)
        aims = [_unit_plan(referee, piece) for piece in open_to if not piece.mark(state.DISRUPTED)]
        return await referee.planner.coalition_bombing(aims, ready)

    suggest = await proposed(referee) if referee.computer_plays(side) else DONE
    readable = Notation("target", example, lambda text: read_targets(text, read), slash=BY)
    request = Text("target", lambda: target_prompt(plans, "a unit, or road and hex", ready), "7.1", readable, choices, suggest)
    planned = {plan.id for plan in plans}
    fresh = [piece.name for piece in open_to if not piece.mark(state.DISRUPTED) and piece.id not in planned] or ["road 1722"]
    request.sample = lambda: _target_example(referee, fresh, ready, side)
    referee.decide(request, side, suggest)
    if not referee.computer_plays(side):
        referee.offer_advice(request, proposed)
    request.odds = lambda: odds.target_odds(referee, _ground_targets_by_fire(referee, enemies, side), ready)
    return split_list(await request)


async def _ground_plan(referee: IraqWarReferee, name: str, side: Side) -> PlannedMission:
    """[7.1] A named target; a described unit enters the game."""
    if name.startswith(f"{ROAD} "):
        return PlannedMission(AirGroup(), ROAD, name[5:], f"the roads of {name[5:]}")
    enemies = {piece.name: piece for piece in units_on_map_of(referee.position, state.other(side))}
    piece = enemies[name] if name in enemies else await referee.described(name)
    _check_target(referee, piece, side)
    return PlannedMission(AirGroup(), state.UNIT, piece.id, piece.name)


def _unit_plan(referee: IraqWarReferee, piece: Piece) -> PlannedMission:
    """An Iraqi unit as a target: there is no fire at its bombers [7.2(1)], and a city may halve the bombs [5.7(3)]."""
    return PlannedMission(AirGroup(), state.UNIT, piece.id, piece.name, city=_city_at(referee, piece.place) in CITIES)


def _city_at(referee: IraqWarReferee, number: str) -> str:
    """The city of the chart that has a hex, "" if there is none."""
    chart = referee.chart("places")
    return next((name for name in chart.rows if chart.text(name, "hex") == number), "").partition(" ")[0]


def _fresh_targets(referee: IraqWarReferee, plans: Sequence[PlannedMission], enemies: Sequence[Piece]) -> list[PlannedMission]:
    """[7.3.2, 5.1.1(4)] Units neither disrupted nor targeted yet, each with its fire [7.2(2)]."""
    taken = {plan.id for plan in plans}
    fresh = [piece for piece in enemies if piece.id not in taken and not piece.mark(state.DISRUPTED)]
    plans = [PlannedMission(AirGroup(), state.UNIT, piece.id, piece.name, fire_rule="7.2(2)") for piece in fresh]
    return [plan._replace(shots=western_fire(referee, [piece])) for plan, piece in zip(plans, fresh, strict=True)]


def _ground_targets_by_fire(referee: IraqWarReferee, enemies: Sequence[Piece], side: Side) -> list[PlannedMission]:
    """[5.7(3), 7.2] Kinds of targets: in the three cities or elsewhere, with western fire [7.2(2)] or without."""
    fires: dict[tuple[int, ...], str] = {(): "a unit or a road"}
    if side == state.IRAQ and (fire := western_fire(referee, enemies)):
        fires = {fire: "an American or British unit", (): "a Kurdish unit or a road"}
    return [
        PlannedMission(AirGroup(), state.UNIT, "", f"{target_text} {where}", shots, "7.2(2)", city=city)
        for shots, target_text in fires.items()
        for where, city in (("elsewhere", False), (f"in {', '.join(CITIES)}", True))
    ]


def target_obstacle(piece: Piece, side: Side) -> Obstacle | None:
    """[7.0, 16.10(6)] Why a side cannot bomb a unit on the map."""
    if notation.side_of(piece) == side:
        return Obstacle(f"{piece.name} is one of your own units", "7.0", "Name an enemy unit")
    if side == state.COALITION and notation.is_turkish(piece):
        return Obstacle("the Coalition cannot bomb the Turkish unit", "16.10(6)", "Name an Iraqi unit")
    return None


def _check_target(referee: IraqWarReferee, piece: Piece, side: Side) -> None:
    referee.enforce(target_obstacle(piece, side))
    if piece.mark(state.DISRUPTED):
        referee.say(f"{piece.name} is disrupted already: another hit does nothing.", "7.3.2", tone="reminder")


async def _with_city(
    referee: IraqWarReferee, plans: Sequence[PlannedMission], plan: PlannedMission, side: Side
) -> PlannedMission:
    """The target with its city, and with the fire that needs no question."""
    city = await _in_city(referee, plans, plan)
    if plan.kind == ROAD and not _roads_are_defended(referee):
        referee.say("No anti-air fire where roads are bombed.", "7.2(3)")
    shots = western_fire(referee, [referee.piece(plan.id)]) if plan.kind == state.UNIT and side == state.IRAQ else ()
    return plan._replace(city=city, shots=shots, fire_rule="7.2(2)")


async def _with_fire_and_sectors(referee: IraqWarReferee, plan: PlannedMission, side: Side) -> PlannedMission:
    """[5.8.1, 7.2, 16.4(3), 16.4(5)] The group with the fire and sectors it meets; a white silhouette meets neither."""
    if r05_air.stealth_obstacle(referee, plan.lead):
        return plan
    if side == state.COALITION and (plan.kind == state.UNIT or _roads_are_defended(referee)):
        shots = await r16_options.anti_air_unit_fire(referee, [plan.id], target_hex(referee, plan))
        plan = plan._replace(shots=shots, fire_rule="16.4(3)")
    return plan._replace(sectors=await sectors_of(referee, side, target_hex(referee, plan)))


def _roads_are_defended(referee: IraqWarReferee) -> bool:
    """[7.2(3), 16.4(2)] Whether the anti-air unit fires at road bombing near it (ruling C-50)."""
    return referee.has_rule(state.ANTI_AIR_UNIT) and referee.option("road_bombers") == "anti_air_unit"


def target_hex(referee: IraqWarReferee, plan: PlannedMission) -> str:
    """The hex of a target, "" if unknown."""
    place = plan.id if plan.kind == ROAD else referee.piece(plan.id).place
    return place if state.is_hex(place) else ""


async def _in_city(referee: IraqWarReferee, plans: Sequence[PlannedMission], plan: PlannedMission) -> bool:
    """[5.7(3)] Whether the target is in Baghdad, Basra or Mosul; asked unless its hex is known, and remembered."""
    target = plan.target
    before = next((other for other in plans if other.target == target), None)
    if before is not None:
        return before.city
    if number := target_hex(referee, plan):
        city = _city_at(referee, number)
        equivalent = (city if city in CITIES else OPEN,)
        referee.skip_question("where", "the numbers of those hexes are known", "5.7(3)", equivalent=equivalent)
        return city in CITIES
    choices = [Choice(OPEN, "anywhere else"), *(Choice(city, city, "bombing halved") for city in CITIES)]
    last = str(referee.position.flag(state.city_flag(target), OPEN))
    where = await referee.choose("where", f"Where is {target}?", "5.7(3)", choices, last)
    referee.set_flag(state.city_flag(target), None if where == OPEN else where, "5.7(3)")
    return where != OPEN


def western_fire(referee: IraqWarReferee, pieces: Sequence[Piece]) -> tuple[int, ...]:
    """[7.2(2), 13.3(2-2)] One shot by American or British units at an Iraqi air unit over them."""
    return (referee.chart("anti_air").number("western", "firepower"),) if any(map(notation.is_western, pieces)) else ()


async def sectors_of(referee: IraqWarReferee, side: Side, number: str = "") -> tuple[str, ...]:
    """[5.8.1, 5.8.1(1)] The air sectors of a hex ("" if unknown), asked only while they matter for Iraqi interception."""
    blind = [sector for sector in notation.SECTORS if not radar_works(referee.position, sector)]
    if side == state.IRAQ or not blind:
        return ()
    if not r05_air.ready_for(referee, state.IRAQ, r05_air.INTERCEPT) or r05_air.airfield_obstacle(referee, 1):
        return ()
    if len(blind) == len(notation.SECTORS):
        return notation.SECTORS
    if number and (sectors := land_of(referee.position).sectors(number)):
        referee.skip_question("sector", f"{number} lies in {' and '.join(sectors)}", "5.8.1(3)", equivalent=("/".join(sectors),))
        return sectors
    names = [*notation.SECTORS, "north/central", "central/south"]
    choices = [Choice(name, name, "on the border" if "/" in name else "") for name in names]
    prompt = "Which air sector is the target hex in?"
    return tuple((await referee.choose("sector", prompt, "5.8.1(3)", choices, notation.CENTRAL)).split("/"))


async def _hit_ground(referee: IraqWarReferee, plan: PlannedMission) -> None:
    """[7.3, 7.4] Apply a hit; a second hit on a target has no effect [5.1.1(4)]."""
    if plan.kind == ROAD:
        r12_movement.destroy_roads(referee, plan.id, "7.4")
        return
    if referee.piece(plan.id).mark(state.DISRUPTED):
        referee.say(f"{plan.target} is disrupted already: the second hit does nothing.", "7.3.2")
        return
    referee.mark(plan.id, state.DISRUPTED, True, "7.3", "bombed")
    text = f"{plan.target} is DISRUPTED: no move, no attack, no zone of control [7.3.1(2)], defence halved."
    referee.say(text, "7.3.1")
