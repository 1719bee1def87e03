"""[3.6, 5.0] The Action Phase: drawing chits and playing them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache, partial

from companion.core.dice import faces_text
from companion.core.errors import Impossible
from companion.core.hints import TYPE_CHECKING
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Request
from companion.core.text import plural
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.areas import is_area, title
from companion.games.lzalbany.rules import r02_map, r06_movement, r07_fire, r07_support

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee

MOST_FLARES = 2
"""[11.2] Flares that a chit can light."""


async def draw_chit(referee: AlbanyReferee) -> None:
    """[3.6, 5.1] Draw the next chit and play it."""
    names = list(dict.fromkeys(chit.name for chit in referee.position.of_kind(state.CHIT)))
    name = await referee.draw("chit", "Draw an action chit", "3.6", state.POOL, names, thing="chit", holder="pool")
    chit = _chit(referee, name)
    kind = str(chit.values.get("chit"))
    referee.say(f"Drawn: {name}.", "3.6", f"{referee.position.count(state.POOL) - 1} are left in the pool")
    with referee.side_acts(state.side_of(chit)):
        if kind in ("us", "nva"):
            referee.acting_side = state.US if kind == "us" else state.NVA
            await fire_move(referee, chit, referee.acting_side)
            referee.acting_side = ""
            referee.acting_officers.clear()
        else:
            await _support_chit(referee, chit, kind)
    if not referee.position.count(state.POOL):
        await end_of_action_phase(referee)


def _chit(referee: AlbanyReferee, name: str) -> Piece:
    pool = [p for p in referee.position.at(state.POOL) if p.name == name]
    if pool:
        return pool[0]
    elsewhere = [p for p in referee.position.of_kind(state.CHIT) if p.name == name]
    if not elsewhere:
        raise Impossible(f"there is no chit {name}", rule="5.1")
    referee.say(f"Companion did not have {name} in the pool.", "5.1", tone="warning")
    return elsewhere[0]


async def _support_chit(referee: AlbanyReferee, chit: Piece, kind: str) -> None:
    """[5.3, 5.4, 5.5, 5.6] Play a chit that activates no group; it goes to its box afterwards."""
    if referee.option("lone_officers") == "any_chit":
        await r06_movement.lone_officers(referee, state.side_of(chit))
    if kind.endswith("adrenaline"):
        side = state.side_of(chit)
        referee.move(chit.id, state.adrenaline_box(side), "5.3", "held")
        referee.say(f"The {side} keeps its Adrenaline for a group's second chit this turn.", "5.3")
        return
    if kind == "artillery":
        await r07_support.artillery_chit(referee)
    elif kind == "gunships":
        await r07_support.gunships_chit(referee)
    elif kind == "skyraider":
        await r07_support.skyraider_chit(referee)
    elif kind == "dust off":
        await r06_movement.dust_off_chit(referee)
    else:
        referee.say("Gunships or a Skyraider drawn later this turn make no strike. Dust Off still flies.", "5.6")
    referee.move(chit.id, state.support_box(kind), {"artillery": "5.4", "visibility": "5.6"}.get(kind, "5.5"), "played")


async def fire_move(referee: AlbanyReferee, chit: Piece, side: state.Side) -> None:
    """[5.2] Choose a group and its action, perhaps with Adrenaline, and carry the action out."""
    open_groups = [g for g in referee.data.groups[side] if referee.used_boxes(g) < state.BOXES_PER_GROUP and _can_act(referee, g)]
    if not open_groups:
        referee.move(chit.id, state.SPENT, "5.2", "no open box")
        absent = any(referee.used_boxes(g) < state.BOXES_PER_GROUP for g in referee.data.groups[side])
        why = "with a platoon or officer on the map has an open box" if absent else "has an open box"
        referee.say(f"No {side} group {why}: the chit has no effect.", "5.2")
        for key in ("group", "action"):
            referee.skip_question(key, f"no {side} group {why}", "5.2", "Draw the next chit")
        if referee.option("lone_officers") == "any_chit":
            await r06_movement.lone_officers(referee, side)
        return
    moves_only = referee.nva_retreats and side == state.NVA
    if side == state.US and referee.night:
        await light_flares(referee)
    choose = _choose_plan if referee.is_computer(side) else _choose_group
    group, first = await choose(referee, side, open_groups, moves_only)
    referee.move(chit.id, state.track_box(group, first), "5.2A")
    twice = await _play_adrenaline(referee, side, group)
    referee.has_adrenaline = twice
    if first == state.FIRE:
        await r06_movement.lone_officers(referee, side)
    await _act(referee, side, group, first)
    if twice:
        if referee.option("flare_actions") != "both":
            referee.lit_areas = frozenset()
        await _act(referee, side, group, await _choose_action(referee, side, group, "second", moves_only))
    referee.has_adrenaline, referee.lit_areas = False, frozenset()


def _can_act(referee: AlbanyReferee, group: str) -> bool:
    """[5.2] True for a group with a platoon or an unwounded officer on the map (ruling C-47)."""
    return any(map(state.holds_area, referee.group(group)))


async def _choose_group(referee: AlbanyReferee, side: state.Side, open_groups: list[str], moves_only: bool) -> tuple[str, str]:
    """[5.2, 5.2A] A player chooses a group with an open box and its action; a group named alone is asked for the action."""
    titles = {group: referee.group_title(group) for group in referee.data.groups[side]}
    single = [Choice(open_groups[0], titles[open_groups[0]])]
    choices = _plan_choices(referee, open_groups, moves_only) if len(open_groups) > 1 else single

    def suggest() -> str:
        """The group with fewest chits that can fire, else that can move."""
        able = [] if moves_only else [g for g in open_groups if r07_fire.can_fire(referee, side, g)]
        action = state.FIRE if able else state.MOVE
        movable = [] if able else [g for g in open_groups if r06_movement.Movers(referee, side, g).all]
        return f"{min(able or movable or open_groups, key=referee.used_boxes)} {action}"

    def others() -> list[Choice]:
        offered = {choice.value for choice in choices}
        plans = [Choice(g, name) for g, name in titles.items()]
        plans += [
            Choice(f"{g} {action}", f"{name} {action}") for g, name in titles.items() for action in (state.FIRE, state.MOVE)
        ]
        return [plan for plan in plans if plan.value not in offered]

    def why_not(name: str) -> tuple[str, str] | None:
        group = name.casefold().partition(" ")[0]
        return (f"the chit is the {side}'s", "5.2") if group in referee.data.groups[state.enemy(side)] else None

    prompt = f"{side} Fire/Move: which group fires or moves?"
    request = Choose("group", prompt, "5.2", choices, suggest, others, "group")
    request.why_not = why_not
    group, action = await _decide_plan(referee, side, request, open_groups)
    if referee.used_boxes(group) >= state.BOXES_PER_GROUP:
        text = f"{titles[group]} has had its {state.BOXES_PER_GROUP} activations this turn"
        referee.forbid(text, "5.2", "Choose a group with an open box")
    elif group not in open_groups:
        referee.forbid(f"no platoon or officer of {titles[group]} is on the map", "5.2", "Choose another group")
    if moves_only and action == state.FIRE:
        _forbid_fire(referee)
    return group, action or await _choose_action(referee, side, group, "action", moves_only)


async def _decide_plan(referee: AlbanyReferee, side: state.Side, request: Request[str], groups: Sequence[str]) -> tuple[str, str]:
    chosen = await referee.decide(request, side, "group", lambda planner: planner.group(groups), auto=False, rivals=1, value=str)
    group, _, action = chosen.partition(" ")
    return group, action


def _forbid_fire(referee: AlbanyReferee) -> None:
    """[5.2E] No fire with a chit drawn in the retreat."""
    referee.forbid("the NVA retreats: its chits are Moves", "5.2E", "Choose move")


def _plan_choices(referee: AlbanyReferee, groups: list[str], moves_only: bool) -> list[Choice]:
    """The activations of some groups; Moves alone in the retreat [5.2E]."""
    return [
        Choice(f"{g} {action}", _plan_title(referee.group_title(g), g, action), partial(_group_state, referee, g))
        for g in groups
        for action in ((state.MOVE,) if moves_only else (state.FIRE, state.MOVE))
    ]


@lru_cache(maxsize=64)
def _plan_title(title: str, group: str, action: str) -> str:
    more = title.removeprefix(group).strip()
    return f"{group} {action} {more}" if title.startswith(f"{group} ") else f"{title} {action}"


def _group_state(referee: AlbanyReferee, group: str) -> str:
    units = [piece for piece in referee.group(group) if piece.kind == state.UNIT]
    return f"{referee.used_boxes(group)} of {state.BOXES_PER_GROUP} chits used, {plural(len(units), 'unit')}"


async def _choose_plan(referee: AlbanyReferee, side: state.Side, open_groups: list[str], moves_only: bool) -> tuple[str, str]:
    """[5.2, 5.2A] The opponent chooses group and action in one decision; Moves alone in the retreat [5.2E]."""
    for area in dict.fromkeys(p.place for g in open_groups for p in referee.group(g) if p.kind == state.UNIT):
        await r02_map.neighbours(referee, area, "6.2")
    choices = _plan_choices(referee, open_groups, moves_only)
    request = Choose("plan", f"{side} Fire/Move: which group fires or moves?", "5.2", choices, choices[0].value)
    return await _decide_plan(referee, side, request, open_groups)


async def _choose_action(referee: AlbanyReferee, side: state.Side, group: str, key: str, moves_only: bool) -> str:
    """[5.2A, 5.2E] Fire or Move; with a chit drawn in the retreat the NVA can only move (ruling C-65)."""
    choices = [Choice(state.FIRE, "fire"), Choice(state.MOVE, "move")]
    barred: list[Choice] = []
    if moves_only:
        choices, barred = choices[1:], choices[:1]
    prompt = f"{side}: does {referee.group_title(group)} fire or move?"
    suggest = state.FIRE if not moves_only and r07_fire.can_fire(referee, side, group) else state.MOVE
    request = Choose(key, prompt, "5.2A", choices, suggest, others=barred)
    if barred and referee.is_computer(side):
        return state.MOVE
    chosen = await referee.decide(
        request, side, "group", lambda planner: planner.group([group]), auto=False, rivals=1, value=lambda plan: plan.action
    )
    if barred and chosen == state.FIRE:
        _forbid_fire(referee)
    return chosen


async def _play_adrenaline(referee: AlbanyReferee, side: state.Side, group: str) -> bool:
    """[5.3, 6.2B] Ask whether Adrenaline comes with the group's second chit: two actions in a row."""
    held = referee.position.at(state.adrenaline_box(side))
    if referee.used_boxes(group) < state.BOXES_PER_GROUP:
        text = f"Adrenaline comes with a group's second chit, and this is the first of {referee.group_title(group)}"
        referee.skip_question("adrenaline", text, "5.3", "Play it with the second one", equivalent=("no",))
        return False
    if not held:
        referee.skip_question("adrenaline", f"the {side} holds no Adrenaline", "5.3", "It must be drawn first")
        return False
    name = referee.group_title(group)
    if not referee.group(group):
        referee.skip_question("adrenaline", f"nobody of {name} is there to act twice", "5.3", equivalent=("no",))
        return False
    request = Confirm("adrenaline", f"{side}: play Adrenaline, so that {name} acts twice?", "5.3", False)
    if not await referee.decide(request, side, "adrenaline", lambda planner: planner.adrenaline(group), auto=True):
        return False
    referee.move(held[0].id, state.SPENT, "5.3", "played")
    referee.say(f"Adrenaline lets {name} act twice.", "5.3")
    return True


async def _act(referee: AlbanyReferee, side: state.Side, group: str, action: str) -> None:
    await (r07_fire.fire_action if action == state.FIRE else r06_movement.move_action)(referee, side, group)


async def light_flares(referee: AlbanyReferee) -> None:
    """[11.2, 10.3] Light up to two flares; night does not affect their areas during this action."""
    left = referee.position.track(state.FLARES)
    if not left:
        return
    limit = min(MOST_FLARES, left)
    prompt = f"Over which areas do you light flares? ({left} left, at most {limit} now)"
    reader = r02_map.areas_notation(referee, notation.NONE)
    request = notation.AreasRequest("flares", prompt, "11.2", reader, suggest=notation.NONE)
    request.possible = partial(_flare_areas, referee)
    text = await referee.decide(request, state.US, "flare", lambda planner: planner.flare(), auto=True)
    lit = [] if text == notation.NONE else text.split(", ")
    if len(lit) > limit:
        referee.forbid(f"{plural(len(lit), 'flare')}, and this chit lights {limit} at most", "11.2", "Name fewer areas")
    counters = [*referee.position.at(state.FLARE_TRACK), *referee.position.at(state.FLARES_USED)]
    for area, flare in zip(lit, counters, strict=False):
        beside = (referee.map.adjacent(area, place) is not False for place in referee.held_areas(state.US))
        if not referee.is_present(area, state.US) and not any(beside):
            referee.forbid(f"no US unit or officer is in or next to {title(area)}", "11.2", "Choose another area")
        r02_map.announce_new_area(referee, area)
        referee.move(flare.id, area, "11.2", "flare")
        referee.shift_track(state.FLARES, -1, "11.2", "flare")
    referee.lit_areas = frozenset(lit)


def _flare_areas(referee: AlbanyReferee) -> list[str]:
    """[11.2] The known areas in or next to which the US is, those of the NVA first."""
    near = {area for place in referee.held_areas(state.US) for area in (place, *referee.map.neighbours(place))}
    return sorted(near, key=lambda area: (not referee.is_present(area, state.NVA), area))


async def end_of_action_phase(referee: AlbanyReferee) -> None:
    """[3.6, 8.4C, 8.4D] The pool is empty: check the wounded and go to the Rally Phase."""
    referee.say("That was the last chit.", "3.6")
    for area in sorted({p.place for p in referee.on_map(state.US, state.WOUNDED)}):
        await _check_wounded(referee, area)
    referee.enter_phase("rally", "3.6")


async def _check_wounded(referee: AlbanyReferee, area: str) -> None:
    """[8.4C, 8.4D, 11.2] Check wounded markers with the NVA in their area."""
    if not is_area(area) or not referee.unit_count(area, state.NVA):
        return
    markers = referee.pieces(area, state.US, state.WOUNDED)
    if not referee.night:
        by_officer = referee.option("wounded_guard") == "officer" and bool(referee.officers(area, state.US))
        guarded = bool(referee.units(area, state.US)) or by_officer
        for marker in [] if guarded else markers:
            referee.destroy_wounded(marker.id, "8.4C", f"alone with the NVA in {title(area)}")
        return
    if any(p.kind == state.FLARE for p in referee.position.at(area)):
        for marker in markers:
            referee.destroy_wounded(marker.id, "11.2", f"lit by a flare in {title(area)}")
        return
    prompt, dice = f"Wounded in {title(area)}, a die each: lost on 1-3 ({referee.piece_names(markers)})", len(markers)
    faces = await referee.volley("wounded", prompt, "8.4D", dice, dice, "wounded", side=state.US)
    lost = referee.count(faces, "wounded")
    referee.say(f"Wounded in {title(area)}: {faces_text(faces)}, lost on 1-3. {lost or 'None'} lost.", "8.4D")
    for marker, face in zip(markers, faces, strict=True):
        if referee.count((face,), "wounded"):
            referee.destroy_wounded(marker.id, "8.4D", "found at night")
