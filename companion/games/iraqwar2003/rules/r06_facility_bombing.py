"""[6.0] The Facility Bombing Phase, its targets on the Air Operation Display, and the effect of losing a box."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from companion.core.errors import Ambiguous, Unreadable
from companion.core.notation import Notation
from companion.core.requests import Choice, Text
from companion.core.text import clean, matching_names, normalised, pick_name, plural, split_list
from companion.games.iraqwar2003.notation import AA, CENTRAL, RADAR, RADIO, SITE_TITLES, kind_of, sector_of, site_of
from companion.games.iraqwar2003.odds import target_odds
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, radar_works
from companion.games.iraqwar2003.rules.r05_air_combat import AirGroup, PlannedMission, group_notation
from companion.games.iraqwar2003.rules.r05_missions import (
    ask_interceptions,
    bombers,
    declare_group,
    fly_missions,
    no_bomber_obstacle,
)
from companion.games.iraqwar2003.rules.r11_command_points import loses_radio_at_once
from companion.games.iraqwar2003.rules.r16_options import end_visibility, intelligence, roll_visibility, uncover_marker
from companion.games.iraqwar2003.state import BOMBING, BOX, COALITION, DAMAGED, NONE, PALACE, PHASE, is_none

BY = " by "
"""Separates a target from its group: ``radio 1 by B-1+F-15``."""
MARKER = "palace marker"
DONE = "done"


class Target(NamedTuple):
    """A named target. ``group``: the group typed with it, or ""."""

    plan: PlannedMission
    group: str = ""


async def facility_phase(referee: IraqWarReferee) -> None:
    """[4.1(1), 5.1(1), 6.2] The Facility Bombing Phase in the order of 5.2."""
    await roll_visibility(referee, "phase")
    await referee.enter_display()
    palace_found = await intelligence(referee)

    async def add(plans: Sequence[PlannedMission], text: str) -> PlannedMission | None:
        target = _target_of(referee, text, palace_found)
        return await declare_group(referee, plans, target.plan, COALITION, target.group)

    plans = await place_groups(lambda plans: _ask_targets(referee, plans, palace_found), add)
    await fly_missions(referee, await ask_interceptions(referee, plans, COALITION), partial(_apply_hit, []))
    end_visibility(referee)
    referee.set_flag(PHASE, BOMBING, "4.1(1)")


async def place_groups(
    ask: Callable[[Sequence[PlannedMission]], Awaitable[Sequence[str]]],
    add: Callable[[Sequence[PlannedMission], str], Awaitable[PlannedMission | None]],
) -> list[PlannedMission]:
    """[5.2(1)] Place groups on targets until the player is done.

    Args:
        ask: Returns the next targets; DONE ends.
        add: Returns the planned mission for a target; None if the player changes the target.
    """
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

    def begins(part: Sequence[str]) -> bool:
        return len(part) == len(wanted) and all(
            have == word if word.isdecimal() else have.startswith(word) for have, word in zip(part, wanted, strict=True)
        )

    return matching_names(text, names) or [
        name for name in names if any(begins(normalised(name).split()[index:][: len(wanted)]) for index in range(3))
    ]


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


def read_group(tail: str, side: str, referee: IraqWarReferee) -> str:
    """Normalise the group behind a target."""
    pool = [piece.name for piece in referee.air_units(side, "any")]
    return BY + group_notation(pool, "B-1+F-15").read(tail) if tail else ""


def read_targets(text: str, read_one: Callable[[str], str]) -> str:
    """Read one target, or several with their groups: ``radio 1 by B-1+F-15, radio 2 by B-2, done``.

    Args:
        read_one: Reads one target.

    Raises:
        Unreadable: One of several targets has no group.
    """
    parts = split_list(clean(text))
    if len(parts) < 2 or not any(BY in part for part in parts):
        return read_one(text)
    bare = next((part for part in parts if BY not in part and part.casefold() != DONE), "")
    if bare or DONE in map(str.casefold, parts[:-1]):
        cure = "Each with its group: radio 1 by B-1+F-15, radio 2 by B-2; done at the end: no more"
        raise Unreadable(f"'{bare or DONE}' stands among several targets without a group", rule="5.2(1)", cure=cure)
    return ", ".join(map(read_one, parts))


def target_prompt(plans: Sequence[PlannedMission], kinds: str) -> str:
    """The question for the next target."""
    return f"What is target {len(plans) + 1}? ({kinds}; with its group behind 'by' if you like; several with commas)"


async def _ask_targets(referee: IraqWarReferee, plans: Sequence[PlannedMission], palace_found: bool) -> list[str]:
    """[6.2] Ask for the boxes of the next groups; DONE when all groups are placed or no unit is left."""
    if obstacle := no_bomber_obstacle(referee, plans, COALITION, True):
        referee.skip_question("target", *obstacle, as_good=(DONE, NONE))
        return [DONE]
    offered = [piece.name for piece in intact(boxes(referee.position)) if palace_found or site_of(piece) != PALACE]
    others = [piece.name for piece in boxes(referee.position) if piece.name not in offered]
    if referee.has_rule(PALACE):
        (offered if palace_found else others).append(MARKER)

    def read(text: str) -> str:
        head, tail = split_target(clean(text))
        if is_none(head) or head.casefold() == DONE:
            return DONE
        return _one_box(head, offered, others) + read_group(tail, COALITION, referee)

    choices = [Choice(DONE, "no more groups"), *(Choice(name, name) for name in offered)]
    notation = Notation("target", "radio 1 by B-1+F-15", lambda text: read_targets(text, read))
    request = Text("target", target_prompt(plans, "a box"), "6.2", notation, choices, DONE)

    async def proposed(referee: IraqWarReferee) -> str:
        aims = [_box_plan(referee, name, palace_found) for name in offered if name != MARKER]
        return await referee.planner.coalition_bombing(aims, bombers(referee, plans, COALITION, True))

    if referee.computer_plays(COALITION):
        referee.decide(request, COALITION, await proposed(referee))
    else:
        referee.offer_advice(request, proposed)
    request.odds = lambda: target_odds(referee, _targets_by_fire(referee, offered), bombers(referee, plans, COALITION, True))
    return split_list(await request)


def _target_of(referee: IraqWarReferee, text: str, palace_found: bool) -> Target:
    """[6.2] A named target and its typed group."""
    name, group = split_target(text)
    return Target(_marker_plan(referee, palace_found) if name == MARKER else _box_plan(referee, name, palace_found), group)


def _targets_by_fire(referee: IraqWarReferee, offered: Sequence[str]) -> list[PlannedMission]:
    """[6.3] The sites that have targets, grouped by their anti-air fire."""
    sites = dict.fromkeys(site_of(piece) for piece in boxes(referee.position) if piece.name in offered)
    if MARKER in offered:
        sites[PALACE] = None
    alike: dict[tuple[int, ...], list[str]] = {}
    for site in sites:
        alike.setdefault(referee.aa_shots(site), []).append(SITE_TITLES[site])
    return [PlannedMission(AirGroup(), BOX, "", ", ".join(titles), shots) for shots, titles in alike.items()]


def _box_plan(referee: IraqWarReferee, name: str, palace_found: bool) -> PlannedMission:
    """[6.3] A box with the fire and the sector of its site."""
    box = next(piece for piece in boxes(referee.position) if piece.name == name)
    if box.mark(DAMAGED) is not None:
        referee.forbid(f"{name} is destroyed already, and a second hit does nothing", "6.4", "Bomb another box")
    if site_of(box) == PALACE and not palace_found:
        referee.forbid("no intelligence on Saddam this turn: the palace is off limits", "16.1", "Bomb something else")
    return PlannedMission(AirGroup(), BOX, box.id, name, referee.aa_shots(site_of(box)), sectors=(sector_of(box),))


def _marker_plan(referee: IraqWarReferee, palace_found: bool) -> PlannedMission:
    """[16.1(1), 16.1(2)] The one palace marker of this turn, for any number of groups; the palace is in the Central sector."""
    if not palace_found:
        referee.forbid("no intelligence on Saddam this turn: the palace is off limits", "16.1", "Bomb something else")
    return PlannedMission(AirGroup(), PALACE, "", "the palace marker", referee.aa_shots(PALACE), sectors=(CENTRAL,))


async def _apply_hit(uncovered: list[PlannedMission], referee: IraqWarReferee, plan: PlannedMission) -> None:
    """[6.4, 16.1(3)] Apply a hit; a second hit on a target has no effect [5.1.1(4)].

    Args:
        uncovered: Missions that have hit the palace marker in this phase.
    """
    if plan.kind == PALACE and uncovered:
        referee.say("A palace marker has been looked at this turn: the second hit does nothing.", "5.1.1(4)")
    elif plan.kind == PALACE:
        uncovered.append(plan)
        await uncover_marker(referee)
    elif referee.piece(plan.id).mark(DAMAGED) is not None:
        referee.say(f"{plan.target} is destroyed already: the second hit does nothing.", "6.4")
    else:
        referee.mark(plan.id, DAMAGED, referee.turn, "6.4", "bombed")
        referee.say(f"{_capital(plan.target)} is DESTROYED. {_consequence(referee, plan.id)}.", "6.4")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _consequence(referee: IraqWarReferee, box_id: str) -> str:
    """[6.4(1) - 6.4(4)] The effect of losing a box, in words."""
    box = referee.piece(box_id)
    kind, sector = kind_of(box), sector_of(box)
    intact_count = len(intact(boxes(referee.position, kind)))
    if kind == AA:
        return f"This site has {plural(len(referee.aa_shots(site_of(box))), 'anti-air shot')} left"
    if kind == RADAR:
        return f"Iraq can {'still' if radar_works(referee.position, sector) else 'no longer'} intercept in the {sector} sector"
    if kind == RADIO:
        return f"{'At once' if loses_radio_at_once(referee) else 'From next turn'} Iraq counts {plural(intact_count, 'Radio')}"
    return f"Iraq can use {plural(intact_count, 'air unit')} each turn"
