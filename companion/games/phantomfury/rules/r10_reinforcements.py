"""[10.0] The USMC Reinforcements Phase."""

from __future__ import annotations

from functools import partial

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Pick, Text
from companion.games.phantomfury.names import (
    ARMOUR,
    BATTALION,
    BATTALION_TURN,
    COMPANY,
    IIF,
    IRAQI,
    MOSQUE_REACHED,
    SQUAD,
    START_ZONES,
    TANK,
)
from companion.games.phantomfury.referee import REINFORCEMENTS, Fury, controlled, is_squad
from companion.games.phantomfury.words.counters import short
from companion.games.phantomfury.words.town import place, street
from companion.games.phantomfury.words.zones import MOSQUE, STREET_NAME

_RULES = {COMPANY: "10.1", BATTALION: "10.3", ARMOUR: "10.2", IRAQI: "10.4"}


def not_yet(game: Fury, box: str) -> tuple[str, str] | None:
    """Why the units of a box cannot come in now: (why, rule)."""
    rule = _RULES[box]
    if box in (COMPANY, ARMOUR) and game.turn < 2:
        return "they come from turn 2 on", rule
    battalion = int(game.position.flag(BATTALION_TURN) or 9)
    if box == BATTALION and game.turn < battalion:
        return f"Battalion Reinforcements come from turn {battalion} on", rule
    if box == IRAQI:
        since = game.position.flag(MOSQUE_REACHED)
        if not isinstance(since, int) or game.turn <= since:
            return "IIF squads come the turn after a Zone next to Zone 26 came under USMC Control", rule
    return None


def entry_zones(game: Fury) -> list[str]:
    """[10.1] Start Zones under USMC Control."""
    return [one for one in game.members(START_ZONES) if controlled(game.position, one)]


async def reinforce(game: Fury) -> None:
    """[10.1 - 10.4] Commit some of the Reinforcements that can come in."""
    game.begin(REINFORCEMENTS)
    found = [piece for box in _RULES for piece in game.position.at(box) if piece.kind in (SQUAD, IIF, TANK)]
    waiting = {short(one): one for one in found}
    if not waiting:
        raise Impossible("no Reinforcements are left", rule="10.1")
    wait = {box: not_yet(game, box) for box in _RULES}
    choices = [Choice(name, one.name, partial(hint, game, one)) for name, one in waiting.items() if wait[one.place] is None]
    later = [Choice(name, one.name, "not yet") for name, one in waiting.items() if wait[one.place] is not None]
    offered = Pick("units", "Which Reinforcements come in", "10.1", [*choices, *later], 1)
    for name in await offered:
        unit = waiting[name]
        why = wait[unit.place]
        if why:
            game.forbid(f"{unit.name}: {why[0]}", why[1], "Commit it later")
        await (bring_tank if unit.kind == TANK else bring_squad)(game, unit)


def hint(game: Fury, unit: Piece) -> str:
    """What its entry costs."""
    if unit.kind == TANK:
        return "M1A1"
    cost = unit.place == BATTALION and game.option("variant") != "on"
    return f"CF {unit.number('cf')}" + (", -2 VP" if cost else "")


async def bring_squad(game: Fury, unit: Piece) -> None:
    """[10.1, 10.3, 10.4] Into a start Zone under USMC Control, at its entry symbol."""
    rule = _RULES[unit.place]
    zones = entry_zones(game)
    if not zones:
        raise Impossible("no Zone with a black circle is under USMC Control", rule=rule)
    zone = zones[0]
    if len(zones) > 1:
        choices = partial(_named, zones)
        zone = await Choose(
            "zone", f"{unit.name} comes in at Zone", rule, choices, zones[0], partial(_others, game, zones), "Zone"
        )
        if zone not in zones:
            game.forbid(f"Zone {zone} is no start Zone under USMC Control", rule)
    where = await entry(game, zone, rule)
    battalion = unit.place == BATTALION
    game.move(unit.id, where, rule, "Reinforcement")
    if battalion and game.option("variant") != "on":
        game.points("battalion_used", "7.2.1", f"{unit.name} of the Battalion Reinforcements")
    elif battalion:
        game.say("No Victory Points are lost for it in the Historical Variant.", "15.0")


def _others(game: Fury, zones: list[str]) -> list[Choice]:
    return _named([one for one in game.zones() if one not in zones])


def _named(zones: list[str]) -> list[Choice]:
    return [Choice(one, f"Zone {one}") for one in zones]


async def entry(game: Fury, zone: str, rule: str) -> str:
    """The Location with the entry symbol; where several have it, the player says which (ruling C-40)."""
    told = await game.zone(zone, rule)
    doors = [place(zone, one) for one in told.doors if one in game.locations(zone)] if told.tracked else [place(zone, "C")]
    free = [one for one in doors if game.enemy_at(one) is None and not any(is_squad(piece) for piece in game.position.at(one))]
    doors = free or [one for one in doors if game.enemy_at(one) is None]
    if not doors:
        raise Impossible(f"the entry Locations of Zone {zone} are occupied", rule=rule)
    if len(doors) == 1:
        return doors[0]
    return await Choose("entry", f"Entry Location of Zone {zone}", rule, [Choice(one, one) for one in doors], doors[0])


async def bring_tank(game: Fury, unit: Piece) -> None:
    """[10.2] Into a Street Section on the north edge, next to a Zone under USMC Control."""
    able = [
        name
        for name, section in game.town.sections.items()
        if section.north and any(controlled(game.position, zone) for zone in section.zones) and _no_tank(game, name)
    ]
    known = [Choice(name, f"between Zones {', '.join(game.town.sections[name].zones)}") for name in able]
    suggest = able[0] if len(able) == 1 else None
    prompt = f"{unit.name} enters in which Street Section of the north edge"
    name = await Text("section", prompt, "10.2", STREET_NAME, known, suggest)
    told = await game.section(name, "10.2")
    if not told.north:
        game.forbid(f"Section {name} is not on the north edge", "10.2")
    if not any(controlled(game.position, zone) for zone in told.zones):
        game.forbid(f"no Zone beside Section {name} is under USMC Control", "10.2")
    if not _no_tank(game, name):
        game.forbid(f"an M1A1 is in Section {name} already", "12.2.3.2")
    game.move(unit.id, street(name), "10.2", "Reinforcement")


def _no_tank(game: Fury, name: str) -> bool:
    return game.tank_in(street(name)) is None


def note_mosque(game: Fury, zones: list[str]) -> None:
    """[10.4] Remember the turn in which a Zone next to Zone 26 first came under Control (Adjacent too, ruling C-33)."""
    town = game.town
    if game.position.flag(MOSQUE_REACHED) is not None:
        return
    for zone in zones:
        near = zone in town.zones and MOSQUE in town.around(zone)
        if near or (MOSQUE in town.zones and zone in town.around(MOSQUE)):
            game.set_flag(MOSQUE_REACHED, game.turn, "10.4")
            game.say(f"Zone {zone} lies next to Zone 26: the IIF squads may come from the next turn on.", "10.4", tone="reminder")
            return
