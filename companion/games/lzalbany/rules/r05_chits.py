"""[3.6, 5.0] The Action Phase: a chit is drawn, and what it allows is done at once."""

from __future__ import annotations

from functools import lru_cache, partial

from companion.core.dice import faces_text
from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Text
from companion.core.text import plural
from companion.games.lzalbany.names import (
    CHIT,
    FIRE,
    FLARE,
    FLARE_TRACK,
    FLARES,
    FLARES_USED,
    MOVE,
    NVA,
    PHASE,
    POOL,
    SPENT,
    UNIT,
    US,
    WOUNDED,
    held_box,
    support_box,
    track_box,
)
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules import r02_map as ground
from companion.games.lzalbany.rules.r06_dust_off import dustoff_chit
from companion.games.lzalbany.rules.r06_movement import lone_officers, move_action
from companion.games.lzalbany.rules.r07_air import gunships_chit, skyraider_chit
from companion.games.lzalbany.rules.r07_artillery import artillery_chit
from companion.games.lzalbany.rules.r07_fire import fire_action
from companion.games.lzalbany.words.areas import is_area, title
from companion.games.lzalbany.words.orders import NONE

MOST_FLARES = 2
BOXES = 2


async def draw_chit(game: LzAlbany) -> None:
    """[3.6, 5.1] The next chit out of the pool, played whole."""
    name = await game.draw("chit", "Draw an action chit", "3.6", POOL, lambda: _names(game), thing="chit", holder="pool")
    chit = _chit(game, name)
    kind = str(chit.values.get("chit"))
    game.say(f"Drawn: {name}.", "3.6", f"{game.position.count(POOL) - 1} are left in the pool")
    if kind in ("us", "nva"):
        await fire_move(game, chit, US if kind == "us" else NVA)
        game.acting.clear()
    else:
        await _other(game, chit, kind)
    if not game.position.count(POOL):
        await end_of_action_phase(game)


async def _other(game: LzAlbany, chit: Piece, kind: str) -> None:
    """[5.3, 5.4, 5.5, 5.6] A chit that activates no group."""
    if game.option("lone_officers") == "any_chit":
        await lone_officers(game, str(chit.values["side"]))
    if kind.endswith("adrenaline"):
        adrenaline(game, chit)
    else:
        await _support(game, chit, kind)


def _names(game: LzAlbany) -> list[str]:
    return list(dict.fromkeys(chit.name for chit in game.position.of_kind(CHIT)))


def _chit(game: LzAlbany, name: str) -> Piece:
    """The piece that was drawn; one from elsewhere where the player insists that it was in the pool."""
    pool = [p for p in game.position.at(POOL) if p.name == name]
    if pool:
        return pool[0]
    elsewhere = [p for p in game.position.of_kind(CHIT) if p.name == name]
    if not elsewhere:
        raise Impossible(f"there is no chit {name}", rule="5.1")
    game.say(f"Companion did not have {name} in the pool.", "5.1", tone="warning")
    return elsewhere[0]


async def _support(game: LzAlbany, chit: Piece, kind: str) -> None:
    """[5.4, 5.5, 5.6] Everything that is no Fire/Move chit; the chit goes to its box afterwards."""
    if kind == "artillery":
        await artillery_chit(game)
    elif kind == "gunships":
        await gunships_chit(game)
    elif kind == "skyraider":
        await skyraider_chit(game)
    elif kind == "dust off":
        await dustoff_chit(game)
    else:
        game.say("Gunships or a Skyraider drawn later this turn make no strike. Dust Off still flies.", "5.6")
    game.move(chit.id, support_box(kind), {"artillery": "5.4", "visibility": "5.6"}.get(kind, "5.5"), "played")


def adrenaline(game: LzAlbany, chit: Piece) -> None:
    """[5.3] Kept in its box for a second chit of some group this turn."""
    side = str(chit.values["side"])
    game.move(chit.id, held_box(side), "5.3", "held")
    game.say(f"The {side} keeps its Adrenaline for a group's second chit this turn.", "5.3")


# -- Fire/Move ---------------------------------------------------------------------------------------------------------


async def fire_move(game: LzAlbany, chit: Piece, side: str) -> None:
    """[5.2] Which group, Fire or Move, perhaps with Adrenaline; then the action."""
    open_to = [g for g in game.book.groups[side] if game.used_boxes(g) < BOXES]
    if not open_to:
        game.move(chit.id, SPENT, "5.2", "no open box")
        game.say(f"No {side} group has an open box: the chit has no effect.", "5.2")
        if game.option("lone_officers") == "any_chit":
            await lone_officers(game, side)
        return
    bound = game.retreat and side == NVA
    if side == US and game.night:
        await flares(game)
    if game.played(side):
        group, first = await _plan(game, side, open_to, bound)
    else:
        group, first = await _group(game, side, open_to, bound)
    game.move(chit.id, track_box(group, first), "5.2A")
    twice = game.used_boxes(group) >= BOXES and await _rapid(game, side, group)
    game.rapid = twice
    if first == FIRE:
        await lone_officers(game, side)
    await _perform(game, side, group, first)
    if twice:
        if game.option("flare_actions") != "both":
            game.lit = frozenset()
        await _perform(game, side, group, await _action(game, side, group, "second", bound))
    game.rapid, game.lit = False, frozenset()


async def _group(game: LzAlbany, side: str, open_to: list[str], bound: bool) -> tuple[str, str]:
    """[5.2, 5.2A] A group with an open box, and Fire or Move; a full one is refused. A group that is named alone, or the only
    one, is asked for its action.
    """
    there = [g for g in open_to if game.group(g)] or open_to
    request = Choose(
        "group",
        f"{side} Fire/Move: which group fires or moves?",
        "5.2",
        _plans(game, there, bound) if len(there) > 1 else [Choice(there[0], game.group_title(there[0]))],
        lambda: f"{max(there, key=lambda g: -game.used_boxes(g))} {MOVE if bound else FIRE}",
        others=lambda: [
            *(Choice(g, game.group_title(g)) for g in game.book.groups[side] if there != [g]),
            *(Choice(f"{g} {FIRE}", f"{game.group_title(g)} {FIRE}") for g in there if bound),
        ],
        what="group",
    )
    chosen = await game.decide(request, side, "group", there, auto=False, value=lambda plan: f"{plan.group} {plan.action}")
    group, _, action = chosen.partition(" ")
    if group not in open_to:
        game.forbid(
            f"{game.group_title(group)} has had its {BOXES} activations this turn", "5.2", "Choose a group with an open box"
        )
    if bound and action == FIRE:
        _barred(game)
    return group, action or await _action(game, side, group, "action", bound)


def _barred(game: LzAlbany) -> None:
    """[5.2E] No fire with a chit drawn in the retreat."""
    game.forbid("the NVA retreats: its chits are Moves", "5.2E", "Choose move")


def _plans(game: LzAlbany, groups: list[str], bound: bool) -> list[Choice]:
    """What each of some groups can be activated for; ``bound``: Moves alone [5.2E]."""
    return [
        Choice(f"{g} {action}", _planned(game.group_title(g), g, action), partial(_state, game, g))
        for g in groups
        for action in ((MOVE,) if bound else (FIRE, MOVE))
    ]


@lru_cache(maxsize=64)
def _planned(title: str, group: str, action: str) -> str:
    """A group and its action; where its title begins with what is typed for it, the title stands once."""
    more = title.removeprefix(group).strip()
    return f"{group} {action} {more}" if title.startswith(f"{group} ") else f"{title} {action}"


def _state(game: LzAlbany, group: str) -> str:
    units = [piece for piece in game.group(group) if piece.kind == UNIT]
    return f"acted {game.used_boxes(group)} of {BOXES}, {plural(len(units), 'unit')}"


async def _plan(game: LzAlbany, side: str, open_to: list[str], bound: bool) -> tuple[str, str]:
    """[5.2, 5.2A] Group and action in one proposal, where our opponent plays the side; ``bound``: to Moves [5.2E]."""
    for area in dict.fromkeys(p.place for g in open_to for p in game.group(g) if p.kind == UNIT):
        await ground.neighbours(game, area, "6.2")
    open_to = [g for g in open_to if game.group(g)] or open_to
    choices = _plans(game, open_to, bound)
    request = Choose("plan", f"{side} Fire/Move: which group fires or moves?", "5.2", choices, choices[0].value)
    chosen = await game.decide(request, side, "group", open_to, auto=False, value=lambda plan: f"{plan.group} {plan.action}")
    group, _, action = chosen.partition(" ")
    return group, action


async def _action(game: LzAlbany, side: str, group: str, key: str, bound: bool) -> str:
    """[5.2A, 5.2E] Fire or Move; the NVA can only move with a chit drawn in the retreat (``bound``, ruling C-65)."""
    choices = [Choice(FIRE, "fire"), Choice(MOVE, "move")]
    barred: list[Choice] = []
    if bound:
        choices, barred = choices[1:], choices[:1]
    request = Choose(
        key, f"{side}: does {game.group_title(group)} fire or move?", "5.2A", choices, choices[0].value, others=barred
    )
    if barred and game.played(side):
        return MOVE
    chosen = await game.decide(request, side, "group", [group], auto=False, value=lambda plan: plan.action)
    if barred and chosen == FIRE:
        _barred(game)
    return chosen


async def _rapid(game: LzAlbany, side: str, group: str) -> bool:
    """[5.3, 6.2B] The group's second chit may come with Adrenaline: two actions in a row."""
    held = game.position.at(held_box(side))
    if not held:
        game.skip_question("adrenaline", f"the {side} holds no Adrenaline", "5.3", "It must be drawn first")
        return False
    if not game.group(group):
        game.skip_question("adrenaline", f"nobody of {game.group_title(group)} is there to act twice", "5.3", as_good=("no",))
        return False
    request = Confirm("adrenaline", f"{side}: play Adrenaline, so that {game.group_title(group)} acts twice?", "5.3", False)
    if not await game.decide(request, side, "adrenaline", group, auto=True):
        return False
    game.move(held[0].id, SPENT, "5.3", "played")
    game.say(f"Adrenaline lets {game.group_title(group)} act twice.", "5.3")
    return True


async def _perform(game: LzAlbany, side: str, group: str, action: str) -> None:
    await (fire_action if action == FIRE else move_action)(game, side, group)


# -- flares and the end of the phase -----------------------------------------------------------------------------------


async def flares(game: LzAlbany) -> None:
    """[11.2, 10.3] Up to two with this chit; night does not count in their areas for its action."""
    left = game.position.track(FLARES)
    if not left:
        return
    request = Text(
        "flares",
        f"Over which areas do you light flares? ({left} left, at most {MOST_FLARES} now)",
        "11.2",
        ground.areas_notation(game, NONE),
        suggest=NONE,
    )
    text = await game.decide(request, US, "flare", auto=True)
    lit = [] if text == NONE else text.split(", ")
    if len(lit) > min(MOST_FLARES, left):
        game.forbid(
            f"{plural(len(lit), 'flare')}, and this chit lights {min(MOST_FLARES, left)} at most", "11.2", "Name fewer areas"
        )
    counters = [*game.position.at(FLARE_TRACK), *game.position.at(FLARES_USED)]
    for area, flare in zip(lit, counters, strict=False):
        if not await _near_us(game, area):
            game.forbid(f"no US unit or officer is in or next to {title(area)}", "11.2", "Choose another area")
        ground.say_new(game, area)
        game.move(flare.id, area, "11.2", "flare")
        game.shift_track(FLARES, -1, "11.2", "flare")
    game.lit = frozenset(lit)


async def _near_us(game: LzAlbany, area: str) -> bool:
    if game.present(area, US):
        return True
    return any(game.map.adjacent(area, place) is not False for place in game.held(US))


async def end_of_action_phase(game: LzAlbany) -> None:
    """[3.6, 8.4C, 8.4D] The pool is empty: the wounded are checked, and the Rally Phase follows."""
    game.say("That was the last chit.", "3.6")
    for area in sorted({p.place for p in game.on_map(US, WOUNDED)}):
        await _wounded(game, area)
    game.set_flag(PHASE, "rally", "3.6")


async def _wounded(game: LzAlbany, area: str) -> None:
    """[8.4C, 8.4D, 11.2] Wounded markers with the NVA in their area."""
    if not is_area(area) or not game.stack(area, NVA):
        return
    markers = game.pieces(area, US, WOUNDED)
    flare = any(p.kind == FLARE for p in game.position.at(area))
    guarded = bool(game.units(area, US)) or (game.option("wounded_guard") == "officer" and bool(game.officers(area, US)))
    if not game.night:
        for marker in [] if guarded else markers:
            game.destroy_wounded(marker.id, "8.4C", f"alone with the NVA in {title(area)}")
        return
    if flare:
        for marker in markers:
            game.destroy_wounded(marker.id, "11.2", f"lit by a flare in {title(area)}")
        return
    asked, many = f"Wounded in {title(area)}, a die each: lost on 1-3 ({game.piece_names(markers)})", len(markers)
    faces = await game.volley("wounded", asked, "8.4D", many, many, "wounded")
    lost = game.count(faces, "wounded")
    game.say(f"Wounded in {title(area)}: {faces_text(faces)}, lost on 1-3. {lost or 'None'} lost.", "8.4D")
    for marker, face in zip(markers, faces, strict=True):
        if game.count((face,), "wounded"):
            game.destroy_wounded(marker.id, "8.4D", "found at night")
