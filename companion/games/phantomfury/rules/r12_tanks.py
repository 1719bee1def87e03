"""[12.6] The movement of M1A1s through Street Sections and Open Ground."""

from __future__ import annotations

from companion.core.errors import Impossible, Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Text
from companion.core.text import clean
from companion.games.phantomfury.pieces import controlled
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import on_chart
from companion.games.phantomfury.words.town import location_of, place, read_place, section_of, street, zone_of
from companion.games.phantomfury.words.zones import CLOSED, read_street


async def move_tank(referee: Fury, unit: Piece) -> None:
    """[12.6.1 - 12.6.3] Roll the Movement Capacity, then move to a Section or to Open Ground within reach."""
    await _survey(referee, unit)
    capacity = await roll_capacity(referee, unit)
    reach = _reach(referee, unit, capacity)
    able = [where for where in reach if where != unit.place and may_end(referee, where) is None]
    choices = [Choice(_typed(where), where, f"{reach[where]} MP") for where in able]
    if not able and _told(referee, reach, capacity):
        referee.say(f"{unit.name} stays at {unit.place}: nowhere within {capacity} Movement Points can it end.", "12.6.3")
        return
    stay = _typed(unit.place)
    prompt = f"Where does {unit.name} move from {unit.place}? A Section or an Open Ground (Enter: it stays)"
    goal = await Text("to", prompt, "12.6.2", Notation("place of an M1A1", "b", _read), choices, stay)
    where = goal if zone_of(goal) else street(goal)
    if where == unit.place:
        referee.say(f"{unit.name} stays at {where}.", "12.6.2")
        return
    if section_of(where):
        await referee.section(section_of(where), "12.6.2")
    elif location_of(where) != "OG":
        raise Impossible(
            f"an M1A1 moves in streets and Open Ground, not to {where}", rule="12.6.2", cure="Name a Section or ZONE-OG"
        )
    elif zone_of(where) == CLOSED:
        raise Impossible("no unit may enter Zone 27", rule="12.4.2")
    else:
        await referee.survey(zone_of(where), "12.6.2")
    reach = await _explore(referee, unit, capacity, where)
    if where not in reach:
        referee.forbid(*_taken(referee, where) or (f"{where} is not within {capacity} Movement Points of {unit.place}", "12.6.2"))
    refusal = may_end(referee, where)
    if refusal:
        referee.forbid(*refusal)
    referee.move(unit.id, where, "12.6.2", f"{reach.get(where, capacity)} of {capacity} Movement Points")


def _read(text: str) -> str:
    plain = clean(text)
    if plain.casefold().startswith("street "):
        plain = plain[7:]
    head, dash, _ = plain.partition("-")
    if dash and head.isdecimal():
        return read_place(plain)
    try:
        return read_street(plain)
    except Unreadable:
        raise Unreadable(
            f"'{plain}' is no Street Section and no Open Ground", rule="12.6.2", cure="Like this: b, or 14-OG"
        ) from None


def _typed(where: str) -> str:
    return section_of(where) or where


async def _survey(referee: Fury, unit: Piece) -> None:
    section = section_of(unit.place)
    if section:
        await referee.section(section, "12.6.2")
    elif zone_of(unit.place):
        await referee.survey(zone_of(unit.place), "12.6.2")


def _steps(referee: Fury, where: str) -> list[str]:
    """The Sections next to a Section and Open Ground beside it; from Open Ground the Sections at its Zone."""
    town = referee.town
    section = section_of(where)
    if not section:
        zone = town.zones.get(zone_of(where))
        return [street(name) for name in zone.streets] if zone else []
    printed = town.sections.get(section)
    if printed is None:
        return []
    beside = [zone for zone in printed.zones if zone in town.zones and zone != CLOSED]
    grounds = [place(zone, "OG") for zone in beside if "OG" in town.zones[zone].locations]
    return [street(name) for name in printed.next] + grounds


def _reach(referee: Fury, unit: Piece, many: int) -> dict[str, int]:
    """[12.6.2] The places within so many Movement Points, each with its cost."""
    costs = {unit.place: 0}
    edge = [unit.place]
    while edge:
        spot = edge.pop(0)
        for neighbour in _steps(referee, spot):
            if neighbour in costs or costs[spot] >= many or _taken(referee, neighbour):
                continue
            costs[neighbour] = costs[spot] + 1
            edge.append(neighbour)
    return costs


def _taken(referee: Fury, where: str) -> tuple[str, str] | None:
    """[12.2.1.2, 12.2.3.2] Why another M1A1 cannot enter a place: an M1A1 is in the Section, or an enemy in the Location."""
    occupant = referee.tank_in(where) if section_of(where) else referee.enemy_at(where)
    return (f"{occupant.name} is in {where} already", "12.2.3.2" if section_of(where) else "12.2.1.2") if occupant else None


async def _explore(referee: Fury, unit: Piece, many: int, goal: str) -> dict[str, int]:
    """The places within reach. Unknown Sections on the way are asked for until the goal is among them."""
    town = referee.town
    last = [street(name) for name in town.sections[section_of(goal)].next] if section_of(goal) else _steps(referee, goal)
    while True:
        reach = _reach(referee, unit, many)
        unknown = [
            where for where, cost in reach.items() if cost < many and section_of(where) not in ("", *referee.town.sections)
        ]
        if goal in reach or not unknown:
            return reach
        await referee.section(section_of(min(unknown, key=lambda where: where not in last)), "12.6.2")


def _told(referee: Fury, reach: dict[str, int], many: int) -> bool:
    """True if everything within so many Movement Points is entered."""
    town = referee.town
    for where in (spot for spot, cost in reach.items() if cost < many):
        section = town.sections.get(section_of(where))
        beside = section.zones if section else ()
        if (section_of(where) and section is None) or any(zone not in (*town.zones, CLOSED) for zone in beside):
            return False
    return all(section_of(where) in town.sections for where in reach if section_of(where))


def may_end(referee: Fury, where: str) -> tuple[str, str] | None:
    """[12.6.3] Why an M1A1 cannot end its movement at a place: (why, rule)."""
    section = section_of(where)
    if section:
        zones = referee.town.sections[section].zones if section in referee.town.sections else ()
        if any(controlled(referee.position, zone) for zone in zones):
            return None
        return f"no Zone beside street {section} is under USMC Control", "12.6.3"
    near = referee.town.near(zone_of(where)) if zone_of(where) in referee.town.zones else ()
    if any(controlled(referee.position, zone) for zone in near):
        return None
    return f"no Zone Neighbouring Zone {zone_of(where)} is under USMC Control", "12.6.3"


async def roll_capacity(referee: Fury, unit: Piece) -> int:
    """[12.6.1] Roll the Movement Capacity of an M1A1."""
    face, capacity = await on_chart(referee, "m1a1", "mc", "mc", f"Movement Capacity of {unit.name}", "12.6.1")
    referee.say(f"{unit.name}: {face}, Movement Capacity {capacity}.", "12.6.1")
    return int(capacity)
