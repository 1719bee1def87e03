"""A solo opponent for either side. The rulebook has none: its priorities are ours (``bot.toml``), not the publisher's."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from companion.core.advice import Advice
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.lzalbany.first.first_moves import plan_moves
from companion.games.lzalbany.first.first_view import (
    Option,
    answer_dice,
    area_facts,
    best_fire,
    fire_dice,
    infantry_of,
    melee_dice,
    threats,
    unit_facts,
    weigh,
    worthwhile,
)
from companion.games.lzalbany.names import AIRLIFT, FIRE, MOVE, NVA, OFFICER, SIDES, UNIT, US
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r06_dust_off import casualties, hot, landing_areas
from companion.games.lzalbany.rules.r06_movement import Movers
from companion.games.lzalbany.rules.r06_ways import room_in
from companion.games.lzalbany.rules.r07_air import bomb_odds, napalm_odds
from companion.games.lzalbany.rules.r08_hits import Target
from companion.games.lzalbany.words.areas import ALBANY, COLUMBUS, FAR, title
from companion.games.lzalbany.words.counters import MORTAR, enemy, healthy, is_artillery, is_infantry, type_of
from companion.games.lzalbany.words.orders import NONE


class Plan(NamedTuple):
    """What a Fire/Move chit is to be used for."""

    group: str
    action: str


def _as(advice: Advice[Option] | None, take: Callable[[Any], Any] = lambda value: value) -> Advice[Any] | None:
    """Advice on options as advice on what they stand for."""
    return None if advice is None else Advice(take(advice.choice.value), advice.name, advice.because, advice.passed)


def said(choice: Any, name: str, *because: str) -> Advice[Any]:
    """Advice without alternatives."""
    return Advice(choice, name, because, ())


# -- which group, and how ----------------------------------------------------------------------------------------------


def fire_option(game: LzAlbany, side: str, group: str) -> Option:
    """What a group's fire is worth."""
    dice = finishing = 0
    for area, units in infantry_of(game, group).items():
        mine, theirs, score = best_fire(game, side, area, units, group)
        if worthwhile(mine, theirs):
            dice += mine
            finishing += int(score > 1)
    mortars = [p for p in game.group(group) if p.kind == UNIT and type_of(p) == MORTAR and not game.disputed(p.place)]
    dice += len(mortars) if game.held(enemy(side)) else 0
    dice += sum(_close_dice(game, side, group, area) for area in _close(game, group))
    facts = {"useful": int(dice > 0), "finishing": finishing, "assaults": 0, "dice": dice, "moving": 0}
    return Option(f"{game.group_title(group)} fire", Plan(group, FIRE), {**facts, "used": game.used_boxes(group)})


def _close(game: LzAlbany, group: str) -> list[str]:
    return sorted({p.place for p in game.group(group) if p.kind == UNIT and game.disputed(p.place)})


def _close_dice(game: LzAlbany, side: str, group: str, area: str) -> int:
    units = [p for p in game.group(group) if p.kind == UNIT and p.place == area]
    return melee_dice(game, side, area, units, 0)[0]


def _move_option(game: LzAlbany, side: str, group: str) -> Option:
    plan = plan_moves(game, side, Movers(game, side, group).all)
    close = sum(_close_dice(game, side, group, area) for area in _close(game, group))
    facts = {
        "useful": int(plan.moving > 0 or close > 0),
        "finishing": 0,
        "assaults": plan.assaults,
        "dice": plan.dice + close,
        "moving": plan.moving,
        "used": game.used_boxes(group),
    }
    return Option(f"{game.group_title(group)} move", Plan(group, MOVE), facts)


def group_advice(game: LzAlbany, side: str, groups: Sequence[str]) -> Advice[Any] | None:
    """Which group acts, and how, of those with an open box."""
    options = [_move_option(game, side, group) for group in groups]
    if not (game.retreat and side == NVA):
        options = [option for group in groups for option in (fire_option(game, side, group), _move_option(game, side, group))]
    return _as(weigh(game, f"{side.casefold()}_activation", options))


def adrenaline_advice(game: LzAlbany, side: str, group: str) -> Advice[Any]:
    """Played when the group has anything useful to do."""
    useful = [option for option in (fire_option(game, side, group), _move_option(game, side, group)) if option.facts["useful"]]
    wanted = bool(useful)
    return said(wanted, "yes" if wanted else "no", f"useful: {', '.join(option.name for option in useful) or 'nothing'}")


# -- fire --------------------------------------------------------------------------------------------------------------


def combat_advice(game: LzAlbany, side: str, group: str, values: Sequence[str]) -> Advice[Any] | None:
    """The next combat of a Fire activation; ``done`` when nothing is worth the answer."""
    options: list[Option] = []
    for value in values:
        kind, _, area = value.rpartition(" ")
        if kind == "melee":
            continue
        if kind == "mortar":
            facts = {"worth": 1, "mortar": 1, "dice": 1}
        else:
            mine, theirs, _ = best_fire(game, side, area, infantry_of(game, group).get(area, []), group)
            facts = {"worth": int(worthwhile(mine, theirs)), "mortar": 0, "dice": mine}
        if facts["worth"]:
            options.append(Option(value, value, facts))
    if options:
        return _as(weigh(game, "combat", options))
    close = [value for value in values if value.startswith("melee ")]
    return said(close[0], close[0], "the melee must be fought") if close else said("done", "done", "nothing else is worth it")


def target_advice(game: LzAlbany, side: str, areas: Sequence[str], weapon: str, origin: str = "") -> Advice[Any] | None:
    """The area that a weapon is aimed at; nothing where there is none."""
    options = []
    for area in areas:
        facts = area_facts(game, side, area)
        if origin:
            units = [p for p in game.units(origin, side) if is_infantry(p)]
            facts["dice"] = fire_dice(game, side, origin, units, len(game.officers(origin, side)), area)
            facts["answer"] = answer_dice(game, side, origin, area)
        if weapon != "mortar" or facts["takers"]:
            options.append(Option(title(area), area, facts))
    return _as(weigh(game, f"target_{weapon}", options)) or said(NONE, NONE, "no target is worth it")


def hit_advice(game: LzAlbany, key: str, targets: Sequence[Target]) -> Advice[Any] | None:
    """Who takes a hit: by ``first_hit`` the enemy, by ``hit`` one's own."""
    options = []
    for target in targets:
        points = game.book.wishes.points(target)
        facts = {"points": points, "loss": target.loss, "hits": target.hits, "strength": target.strength}
        options.append(Option(target.name, target, facts))
    return _as(weigh(game, key, options))


def answer_advice(game: LzAlbany, side: str) -> Advice[Any]:
    """Return fire costs nothing."""
    return said(True, "yes", "return fire costs nothing")


def advance_advice(game: LzAlbany, side: str, area: str, ready: Sequence[Piece]) -> Advice[Any]:
    """Into LZ Albany as many as have room; elsewhere nobody."""
    names = [p.name for p in ready if p.kind == UNIT][: room_in(game, area, side)] if area == ALBANY else []
    return said(names, ", ".join(names) or NONE, "only LZ Albany is worth an advance")


def retreat_advice(game: LzAlbany, side: str, area: str) -> Advice[Any] | None:
    """Stay in a melee or leave it, and where to."""
    units = game.units(area, side)
    officers = len(game.officers(area, side))
    mine, theirs = melee_dice(game, side, area, units, officers)
    hopeless = 2 * mine < theirs or not units
    here = {"sensible": int(not hopeless), "crowded": 0, "threats": 0, "friends": 0}
    options = [Option("stay", NONE, here)]
    movable = [p for p in game.pieces(area, side) if (units or (p.kind == OFFICER and healthy(p))) and not is_artillery(p)]
    for there in game.map.beside(area):
        if area == COLUMBUS or game.stack(there, enemy(side)):
            continue
        facts = {
            "sensible": int(hopeless),
            "crowded": int(len(units) > room_in(game, there, side)),
            "threats": threats(game, side, there),
            "friends": game.stack(there, side),
        }
        options.append(Option(f"to {title(there)}", f"{' '.join(p.name for p in movable)} > {there}", facts))
    return _as(weigh(game, "retreat", options))


def moves_advice(game: LzAlbany, side: str, movers: Sequence[Piece]) -> Advice[Any]:
    """Orders for everybody who may move."""
    return plan_moves(game, side, movers).advice


# -- support of the US -------------------------------------------------------------------------------------------------


def unit_target_advice(game: LzAlbany, units: Sequence[Piece]) -> Advice[Any] | None:
    """The unit that a gunship attacks."""
    return _as(weigh(game, "target_unit", [Option(p.name, p, unit_facts(game, p)) for p in units]))


def weapon_advice(game: LzAlbany, area: str) -> Advice[Any] | None:
    """Bombs or napalm, by the hits to be expected in hundredths."""
    odds = {"bombs": bomb_odds(game, area), "napalm": napalm_odds(game, area)}
    options = [Option(word, word, {"expected": round(100 * dict(one.means)["hits"])}) for word, one in odds.items()]
    return _as(weigh(game, "weapon", options))


def _wounded(game: LzAlbany, area: str) -> int:
    terrain = game.map.terrain(area) or "jungle"
    return min(len(casualties(game, area)[0]), game.chart("terrain").number(terrain, "dustoff"))


def dustoff_advice(game: LzAlbany, choices: Sequence[str]) -> Advice[Any] | None:
    """Evacuate or airlift."""
    wounded = max((_wounded(game, a) for a in landing_areas(game) if not hot(game, a)), default=0)
    units = sum(p.kind == UNIT for p in game.position.at(AIRLIFT))
    facts = {"evacuate": {"wounded": wounded, "units": 0}, "airlift": {"wounded": 0, "units": units}}
    return _as(weigh(game, "dustoff", [Option(word, word, facts[word]) for word in choices]))


def landing_advice(game: LzAlbany, areas: Sequence[str]) -> Advice[Any] | None:
    """Where Dust Off lands for wounded."""
    options = [
        Option(title(area), area, {"wounded": _wounded(game, area), "enemies_next": threats(game, US, area)}) for area in areas
    ]
    return _as(weigh(game, "landing", options))


def lift_advice(game: LzAlbany, waiting: Sequence[Piece]) -> Advice[Any]:
    """Which area reinforcements fly to, and who."""
    options = []
    units, officers = [p for p in waiting if p.kind == UNIT], [p for p in waiting if p.kind != UNIT]
    for area in game.map.known():
        terrain = game.map.terrain(area)
        if terrain not in ("jungle", "sawgrass", ALBANY) or game.stack(area, NVA):
            continue
        room = min(game.chart("terrain").number(terrain, "airlift"), room_in(game, area, US), len(units))
        facts = {"room": room, "threats": threats(game, US, area), "albany_distance": min(game.map.distance(area, ALBANY), FAR)}
        if room or not units:
            riders = " ".join(p.name for p in [*units[:room], *officers])
            options.append(Option(title(area), f"{riders} > {area}", facts))
    return _as(weigh(game, "lift", options)) or said(NONE, "none", "no area is free")


def rally_advice(game: LzAlbany, able: Sequence[Piece]) -> Advice[Any] | None:
    """Whom an officer rallies."""
    return _as(weigh(game, "rally", [Option(p.name, p, unit_facts(game, p)) for p in able]))


def flare_advice(game: LzAlbany) -> Advice[Any]:
    """A flare over an enemy area next to most of our units; one at a time."""
    options = []
    for area in game.held(NVA):
        near = [a for a in game.held(US) if a == area or game.map.adjacent(a, area)]
        if near and game.stack(area, NVA):
            facts = {"fights": int(any(game.units(a, US) for a in near)), "units": game.stack(area, NVA)}
            options.append(Option(title(area), area, facts))
    return _as(weigh(game, "flare", options)) or said(NONE, "none", "no enemy is near")


# -- at the prompt -----------------------------------------------------------------------------------------------------


async def propose(game: LzAlbany) -> None:
    """Say what the opponent would do with the next Fire/Move chit of each side, with its reasons."""
    for side in SIDES:
        open_to = [g for g in game.book.groups[side] if game.used_boxes(g) < 2 and game.group(g)]
        advice = group_advice(game, side, open_to) if open_to else None
        if advice is None:
            game.say(f"{side}: no group can act.", "5.2")
            continue
        game.say(f"{side}: {advice.name}.", "5.2A", *advice.lines())
        if advice.choice.action == MOVE:
            moves = moves_advice(game, side, Movers(game, side, advice.choice.group).all)
            game.say(f"{side} moves: {moves.name}.", "6.2", *moves.lines())
            continue
        for area, units in infantry_of(game, advice.choice.group).items():
            mine, theirs, _ = best_fire(game, side, area, units, advice.choice.group)
            if mine:
                word = "fires" if worthwhile(mine, theirs) else "holds its fire"
                game.say(f"{side} in {title(area)} {word}: {plural(mine, 'die', 'dice')} against {theirs} in return.", "7.3(1)")
