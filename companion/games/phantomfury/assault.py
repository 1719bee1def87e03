"""[13.0] The Assault Phase on the table: who may Assault what, the Assault itself, Flooding."""

from __future__ import annotations

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Odds
from companion.games.phantomfury.counters import enemy_text
from companion.games.phantomfury.melee import (
    Outcomes,
    assault_one,
    flood_order,
    may_flood,
)
from companion.games.phantomfury.ontable import Table, scene
from companion.games.phantomfury.referee import (
    ASSAULT,
    Fury,
    controlled,
    element_of,
    enemies_in,
    is_squad,
    short,
)
from companion.games.phantomfury.scene import BOTTOM_UP, NORMAL, TOP_DOWN, Scene
from companion.games.phantomfury.town import location_of, place, zone_of
from companion.games.phantomfury.untracked import assault_there
from companion.games.phantomfury.zones import MOSQUE, family


def assault_type(start: str, target: str) -> str:
    """[13.1 - 13.3] Top-Down, Bottom-Up or Normal, by the two Locations."""
    step = family(location_of(start)), family(location_of(target))
    if zone_of(start) != zone_of(target):
        return NORMAL
    if step in (("R", "2"), ("2", "1")):
        return TOP_DOWN
    return BOTTOM_UP if step in (("1", "2"), ("2", "R")) else NORMAL


# -- who may Assault what ----------------------------------------------------------------------------------------------


def why_not(game: Fury, squad: Piece) -> tuple[str, str] | None:
    """Why a squad cannot Assault at all: (why, rule)."""
    if squad.mark("pinned"):
        return f"{squad.name} is Pinned", "11.5"
    if squad.mark("fired"):
        return f"{squad.name} has Fired", "11.3"
    if short(squad) in str(game.position.flag("assaulted") or "").split():
        return f"{squad.name} has made its Assault this turn", "13.0"
    return None if zone_of(squad.place) else (f"{squad.name} is in no Location", "13.0")


def why_not_there(game: Fury, squad: Piece, where: str) -> tuple[str, str] | None:
    """Why a squad cannot Assault into a Location next to it: (why, rule)."""
    zone, target = zone_of(squad.place), zone_of(where)
    if zone == target:
        return None
    if not controlled(game.position, zone) and not enemies_in(game.position, zone):
        return f"{squad.name} must stay in Zone {zone}, which it has just cleared", "12.1.2"
    if element_of(game.position, squad):
        return f"{squad.name} has its Security Element in Zone {zone}", "12.3.2.2"
    if target == MOSQUE and squad.kind != "iif":
        return "only IIF squads enter Zone 26", "12.4.2"
    if target != MOSQUE and squad.kind == "iif" and not controlled(game.position, target):
        return "IIF squads enter no other Zone of the insurgents", "5.1.6.1"
    others = [one for one in game.squads() if zone_of(one.place) == target and one.id != squad.id]
    if others and not controlled(game.position, target) and target != MOSQUE:
        return f"{others[0].name} is in Zone {target} already; one squad a Zone of the insurgents", "12.2.1.1"
    if not controlled(game.position, zone) and squad.face != "reduced" and zone != MOSQUE:
        return f"{squad.name} may not leave Zone {zone} of the insurgents", "12.4.3"
    return None


def targets_of(game: Fury, squad: Piece) -> list[Piece]:
    """The enemy counters in Locations Adjacent to a squad [4.2.2]."""
    found = [game.enemy_at(where) for where in game.town.next_to(squad.place)]
    return [piece for piece in found if piece is not None and location_of(piece.place) in game.locations(zone_of(piece.place))]


async def assault(game: Fury) -> None:
    """[13.0] One Assault of one squad."""
    game.begin(ASSAULT)
    for zone in {zone_of(one.place) for one in game.squads() if zone_of(one.place)}:
        await game.zone(zone, "13.0")

    def barred(one: Piece) -> tuple[str, str] | None:
        none = f"no enemy is Adjacent to {one.name} at {one.place}", "4.2.2"
        here = zone_of(one.place)
        return why_not(game, one) or (None if targets_of(game, one) or not game.tracked(here) else none)

    squad = await game.ask_unit("squad", "Which squad Assaults", "13.0", game.squads(), barred)
    await game.survey(zone_of(squad.place), "13.0")
    untold = not game.tracked(zone_of(squad.place))
    target = None if untold else await ask_target(game, squad)
    done = str(game.position.flag("assaulted") or "").split()
    game.set_flag("assaulted", " ".join(dict.fromkeys([*done, short(squad)])), "13.0")
    if target is None:
        await assault_there(game, squad, assault_type)
    else:
        await carry_out(game, squad, target)


async def ask_target(game: Fury, squad: Piece) -> Piece:
    """The counter that is Assaulted; any other Location is refused by its rule."""
    able = targets_of(game, squad)
    if not able:
        raise Impossible(
            f"no Suspect and no Insurgents unit is Adjacent to {squad.name} at {squad.place}",
            rule="13.0",
            cure="If one is there: adjust new:suspect",
        )
    zones = {zone_of(squad.place), *(zone_of(one.place) for one in able)}
    empty = [
        Choice(place(zone, location), "empty")
        for zone in zones
        for location in game.locations(zone)
        if place(zone, location) not in [one.place for one in able]
    ]
    from companion.games.phantomfury.chances import targets_odds

    choices = [Choice(one.place, enemy_text(one), assault_type(squad.place, one.place)) for one in able]
    request = Choose("target", f"{squad.name} at {squad.place} Assaults", "13.0", choices, None, empty, "target")
    if len(able) == 1:
        request.suggest = able[0].place
    request.odds = lambda: targets_odds(game, squad, able)
    answer = await request
    target = game.enemy_at(answer)
    if target is None:
        raise Impossible(f"{answer} is empty: there is nothing to Assault", rule="13.0", cure="If it is not: adjust new:suspect")
    if target not in able:
        game.forbid(f"{answer} is not Adjacent to {squad.place}", "4.2.2", "Move next to it first")
    refusal = why_not_there(game, squad, answer)
    if refusal:
        game.forbid(*refusal)
    return target


# -- carrying it out ---------------------------------------------------------------------------------------------------


async def carry_out(game: Fury, squad: Piece, target: Piece) -> None:
    """[13.4] The Assault, the advance into the emptied Location, and Flooding."""
    start, where = game.piece(squad.id).place, target.place
    kind = assault_type(start, where)
    game.say(f"{game.who(squad)} Assaults {enemy_text(target)} at {where}: {kind.title()}.", _type_rule(kind))
    before = scene(game, squad, [target])
    out = await fight(game, squad, target, kind, before, True)
    if not alive(game, squad):
        return
    if not out.empty:
        game.say(f"{squad.name} stays at {start}.", "13.4.7.2")
        return
    if game.piece(squad.id).mark("pinned") and not before.squad.pinned:
        game.say(f"{squad.name} is Pinned at {start} and does not enter {where}.", "13.5")
        return
    floods = kind == TOP_DOWN and family(location_of(start)) == "R"
    enter(game, squad, where)
    if floods:
        await flooding(game, squad)


def _type_rule(kind: str) -> str:
    return {TOP_DOWN: "13.1", BOTTOM_UP: "13.2", NORMAL: "13.3"}[kind]


async def fight(game: Fury, squad: Piece, target: Piece, kind: str, now: Scene, explosives: bool) -> Outcomes:
    """One Assault with its Field; explosives used are taken away after it."""
    table = Table(game, squad, target, explosives)
    out = await assault_one(game, now, kind, table)
    table.clear_explosives()
    return out


def alive(game: Fury, squad: Piece) -> bool:
    """Whether a squad is still on the map."""
    return bool(zone_of(game.piece(squad.id).place))


def enter(game: Fury, squad: Piece, where: str) -> None:
    """[13.4.7.2] The squad must enter the emptied Location."""
    game.move(squad.id, where, "13.4.7.2", "the Location is empty")


async def flooding(game: Fury, squad: Piece) -> None:
    """[13.4.8] Assault everything left in the Zone, from Location 2 down."""
    zone = zone_of(game.piece(squad.id).place)
    if not left(game, zone) or not await will_flood(game, squad, zone):
        return
    game.say(f"{squad.name} floods Zone {zone}.", "13.4.8")
    while left(game, zone):
        target = next_target(game, zone)
        now = scene(game, squad, [target, *(one for one in left(game, zone) if one.id != target.id)])
        if not may_flood(now):
            game.say(f"Flooding ends: {_stopped(now)}.", _stop_rule(now))
            return
        where = target.place
        approach(game, squad, where)
        game.say(f"Flooding: {enemy_text(target)} at {where}.", "13.4.8.1")
        out = await fight(game, squad, target, TOP_DOWN, now, False)  # no explosives [13.7.2]
        if not alive(game, squad):
            return
        if not out.empty:
            game.say(f"Flooding ends: {where} is still held.", "13.4.8.1")
            return
        if game.piece(squad.id).mark("pinned"):
            game.say("Flooding ends: the squad is Pinned.", "13.5")
            return
        if not left(game, zone):
            game.say(f"Flooding ends: Zone {zone} is clear.", "13.4.8.1")
            enter(game, squad, where)


def left(game: Fury, zone: str) -> list[Piece]:
    """The enemies still in a Zone."""
    return enemies_in(game.position, zone)


def next_target(game: Fury, zone: str) -> Piece:
    """[13.4.8] The next counter in the order of Flooding."""
    order = flood_order(location_of(one.place) for one in left(game, zone))
    return next(one for one in left(game, zone) if location_of(one.place) == order[0])


def _stopped(now: Scene) -> str:
    if now.fortified:
        return "the Zone is Fortified"
    return "the squad is Pinned" if now.squad.pinned else f"the squad's CF is {now.squad.now}, 4 or less"


def _stop_rule(now: Scene) -> str:
    return "4.1.5" if now.fortified else "11.5" if now.squad.pinned else "13.4.8.2"


async def will_flood(game: Fury, squad: Piece, zone: str) -> bool:
    """[13.4.7.2] Compulsory at full strength, a choice for a reduced squad, impossible in a Fortified Zone or with CF 4."""
    now = scene(game, squad, left(game, zone))
    if not may_flood(now):
        game.say(f"No Flooding: {_stopped(now)}.", _stop_rule(now))
        return False
    if game.piece(squad.id).face != "reduced":
        return True
    from companion.games.phantomfury.chances import flood_odds

    request = Confirm("flood", f"{squad.name} is reduced: does it flood Zone {zone}", "13.4.7.2", False)
    ordered = [next(one for one in left(game, zone) if location_of(one.place) == at) for at in flood_locations(game, zone)]

    def odds() -> Odds:
        return flood_odds(game, scene(game, squad, ordered))

    request.odds = odds
    return await request


def flood_locations(game: Fury, zone: str) -> list[str]:
    """Where the enemies of a Zone are, in the order of Flooding."""
    return flood_order(location_of(one.place) for one in left(game, zone))


def approach(game: Fury, squad: Piece, where: str) -> None:
    """[13.4.8.1] Move Adjacent to the next target, if need be, through Locations without enemies."""
    start = game.piece(squad.id).place
    if where in game.town.next_to(start):
        return
    seen, edge = {start}, [start]
    while edge:
        here = edge.pop(0)
        if where in game.town.next_to(here):
            game.move(squad.id, here, "13.4.8.1", "Adjacent to the next target")
            return
        steps = [one for one in game.town.next_to(here) if zone_of(one) == zone_of(where) and one not in seen]
        steps = [one for one in steps if game.enemy_at(one) is None and not any(is_squad(p) for p in game.position.at(one))]
        seen |= set(steps)
        edge += steps
