"""[13.6] Retreat Movement of Guerillas along the Egress Routes, Isolation, and the map EXIT."""

from __future__ import annotations

from companion.core.position import Piece
from companion.games.phantomfury.names import FANATICISM, INSURGENTS_CUP, NO_EVENT, OUT, SUSPECTS_CUP, TANK
from companion.games.phantomfury.pieces import controlled, is_ours, marked
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r05_suspects import draw_marker, free_location
from companion.games.phantomfury.words.counters import enemy_text
from companion.games.phantomfury.words.town import zone_of
from companion.games.phantomfury.words.zones import CLOSED, EGRESS, EXIT, MOSQUE


def held_back(referee: Fury, unit: Piece) -> str:
    """[13.6.1] Why Guerillas make no Retreat Movement at all; "" if they do."""
    zone = zone_of(unit.place)
    if zone == MOSQUE:
        return "they are in Zone 26"
    return "Fanaticism" if marked(referee.position, zone, FANATICISM) else ""


def mark_quiet(referee: Fury, zone: str) -> None:
    """Place a No Insurgents Event marker, once."""
    if marked(referee.position, zone, NO_EVENT) is None:
        referee.put_marker(NO_EVENT, zone, "13.6.4", "a Security Element refused a retreat")


async def retreat(referee: Fury, unit: Piece, rule: str = "13.6") -> bool:
    """[13.6.2, 13.6.2.1, 13.6.2.2, 13.6.2.3] Follow the Egress Routes, best first. Returns whether the unit left its Location."""
    zone = zone_of(unit.place)
    printed = await referee.survey(zone, "13.6.2")
    if not printed.egress:
        await referee.complete(zone, "its Egress Routes from left to right", "4.1.7", EGRESS)
        printed = referee.town.zones[zone]
    because: list[str] = []
    for number, route in enumerate(printed.egress, 1):
        reason = await _closed(referee, zone, route)
        if not reason and route == EXIT:
            return _leave_map(referee, unit, because)
        if not reason:
            where, reason = await _destination(referee, route)
            if where:
                _arrive(referee, unit, route, where, f"Egress Route {number}", because)
                return True
        because.append(f"Egress Route {number} to {route}: {reason}")
    referee.say(f"{enemy_text(unit)} finds no way out of Zone {zone} and stays at {unit.place}.", "13.6.2.4", *because)
    return False


async def _closed(referee: Fury, zone: str, route: str) -> str:
    """[13.6.3, 13.6.5, 13.6.6] Why a route is closed; "" if it is open."""
    if route == EXIT:
        edge = [
            name
            for name in referee.town.zones[zone].streets
            if name in referee.town.sections and referee.town.sections[name].south
        ]
        return "Isolated" if edge and all(covered(referee, name) for name in edge) else ""
    if route == CLOSED:
        return "nobody enters Zone 27"
    await referee.zone(route, "13.6.2")
    if controlled(referee.position, route) and referee.squads_in(route):
        return "under USMC Control with a squad in it"
    if route in referee.town.adjacent(zone):
        return ""
    streets = referee.town.between(zone, route)
    if streets and all(covered(referee, name) for name in streets):
        return f"Isolated (street {', '.join(streets)})"
    return ""


def covered(referee: Fury, section: str) -> bool:
    """[13.6.5] True if an M1A1 in or next to a Street Section, or a squad in a USMC Zone beside it, closes it."""
    printed = referee.town.sections[section]
    if any(piece.kind == TANK for name in (section, *printed.next) for piece in referee.at_section(name)):
        return True
    return any(controlled(referee.position, zone) and referee.squads_in(zone) for zone in printed.zones)


async def open_routes(referee: Fury, zone: str) -> tuple[str, ...]:
    """[13.6.2] The open Egress Routes of a Zone, best first."""
    return tuple([route for route in referee.town.zones[zone].egress if not await _closed(referee, zone, route)])


async def _destination(referee: Fury, zone: str) -> tuple[str, str]:
    """[13.6.2.1] The Location in the new Zone, by a drawn Suspect marker, or why there is none."""
    if not any(_free(referee, f"{zone}-{location}") for location in referee.locations(zone)):
        return "", "every Location is occupied"
    markers = referee.cup(SUSPECTS_CUP)
    if not markers:
        return "", "no Suspect marker is left to place it by"
    if not any(free_location(referee, zone, name) for name in markers):
        return "", "no Suspect marker leads to a free Location of it"
    marker = await draw_marker(referee, zone, "13.6.2.1")
    where = free_location(referee, zone, marker.name)
    if where:
        referee.say(f"Suspect marker {marker.name} drawn: {where}; it goes back.", "13.6.2.1")
    return where, "" if where else f"no free Location on marker {marker.name}"


def _free(referee: Fury, where: str) -> bool:
    return referee.enemy_at(where) is None and not any(is_ours(piece) for piece in referee.position.at(where))


def _arrive(referee: Fury, unit: Piece, zone: str, where: str, route: str, because: list[str]) -> None:
    origin = unit.place
    referee.move(unit.id, where, "13.6.2.1", route)
    referee.say(f"{enemy_text(unit)} retreats from {origin} to {where} ({route}).", "13.6.2.1", *because)
    if controlled(referee.position, zone):
        referee.lose_control(zone, "13.6.3", "Guerillas retreated into it")
        referee.say(f"Zone {zone} passes back to the insurgents.", "13.6.3")


def _leave_map(referee: Fury, unit: Piece, because: list[str]) -> bool:
    """[13.6.6] Remove the unit permanently, without a Victory Point (ruling C-23)."""
    back = referee.option("exit") == "returned"
    referee.say(f"{enemy_text(unit)} leaves the map from {unit.place}.", "13.6.6", *because)
    referee.move(unit.id, INSURGENTS_CUP if back else OUT, "13.6.6", "EXIT")
    return True
