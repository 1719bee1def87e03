"""[10.0] The USMC Reinforcements Phase."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.errors import Impossible, NoEligiblePiece
from companion.core.graph import distances
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Pick, Text
from companion.core.text import natural_key
from companion.games.phantomfury import state
from companion.games.phantomfury.notation.counters import short
from companion.games.phantomfury.notation.zones import MOSQUE, STREET_NAME
from companion.games.phantomfury.referee import REINFORCEMENTS, FuryReferee
from companion.games.phantomfury.state import is_controlled, is_squad, location_of, place, street, zone_of

_RULES = {state.COMPANY: "10.1", state.BATTALION: "10.3", state.ARMOUR: "10.2", state.IRAQI: "10.4"}


def not_yet(referee: FuryReferee, box: str) -> tuple[str, str] | None:
    """Why the units of a box cannot enter now: (why, rule)."""
    rule = _RULES[box]
    if box in (state.COMPANY, state.ARMOUR) and referee.turn < 2:
        return "they come from turn 2 on", rule
    flag = referee.position.flag(state.BATTALION_TURN)
    battalion = flag if isinstance(flag, int) else 9
    if box == state.BATTALION and referee.turn < battalion:
        return f"Battalion Reinforcements come from turn {battalion} on", rule
    if box == state.IRAQI:
        since = referee.position.flag(state.MOSQUE_REACHED)
        if referee.turn <= since if isinstance(since, int) else not by_mosque(referee):
            return "IIF squads come the turn after a Zone next to Zone 26 came under USMC Control", rule
    return None


def entry_zones(referee: FuryReferee) -> list[str]:
    """[10.1] The start Zones under USMC Control."""
    return [zone for zone in referee.members(state.START_ZONES) if is_controlled(referee.position, zone)]


def cannot_come(referee: FuryReferee, unit: Piece, before: int) -> tuple[str, str] | None:
    """Why a unit cannot enter now: (why, rule).

    Args:
        before: The number of M1A1s that could enter before it.
    """
    wait = not_yet(referee, unit.place)
    if wait:
        return f"{unit.name}: {wait[0]}", wait[1]
    if unit.kind != state.TANK:
        closed = f"{unit.name}: no Zone with a black circle is under USMC Control", _RULES[unit.place]
        return None if entry_zones(referee) else closed
    room = len(tank_sections(referee))
    if not _is_edge_entered(referee) or before < room:
        return None
    if room:
        return f"{unit.name}: there is room for {room} at the north edge, and another M1A1 comes before it", "12.2.3.2"
    return f"{unit.name}: no Street Section of the north edge beside a USMC Zone is free of M1A1s", "10.2"


async def reinforce(referee: FuryReferee) -> None:
    """[10.1 - 10.4] Commit some of the available Reinforcements."""
    referee.begin(REINFORCEMENTS)
    pieces = [piece for box in _RULES for piece in referee.position.at(box) if piece.kind in (state.SQUAD, state.IIF, state.TANK)]
    if not pieces:
        raise Impossible("no Reinforcements are left", rule="10.1")
    if any(unit.kind == state.TANK for unit in pieces):
        for zone in _ours(referee):
            await referee.survey(zone, "10.2")
    units = sorted(pieces, key=lambda unit: natural_key(short(unit)))
    tanks = [unit for unit in units if unit.kind == state.TANK]
    barred = {
        unit.id: why
        for unit in units
        if (why := cannot_come(referee, unit, tanks.index(unit) if unit in tanks else 0)) is not None
    }
    able = [unit for unit in units if unit.id not in barred]
    if not able:
        _refuse_all(referee, units, barred)
    waiting = {short(unit): unit for unit in units}
    choices = [Choice(short(unit), unit.name, partial(hint, referee, unit)) for unit in able or units]
    others = [Choice(short(unit), unit.name, "not yet") for unit in units if able and unit not in able]
    chosen = await Pick("units", "Which Reinforcements come in?", "10.1", choices, 1, others=others)
    for unit in [waiting[name] for name in chosen] + _accompanying(referee, units, chosen):
        if unit.id in barred:
            referee.forbid(*barred[unit.id], "Commit it later")
        await (bring_tank if unit.kind == state.TANK else bring_squad)(referee, unit)


def _accompanying(referee: FuryReferee, units: Sequence[Piece], chosen: Sequence[str]) -> list[Piece]:
    """[10.4] The IIF squads that must enter with the chosen ones; none by a switch (ruling C-69)."""
    iraqis = [iraqi for iraqi in units if iraqi.place == state.IRAQI]
    rest = [iraqi for iraqi in iraqis if short(iraqi) not in chosen]
    if len(rest) == len(iraqis) or not rest or referee.option("iif") == "apart":
        return []
    referee.say(f"The IIF squads enter on the same turn: {referee.piece_names(rest)} too.", "10.4")
    return rest


def _refuse_all(referee: FuryReferee, units: list[Piece], barred: dict[str, tuple[str, str]]) -> None:
    """Refuse because no Reinforcement can enter."""
    why, rule = barred[units[0].id]
    reasons = list(dict.fromkeys(text.partition(": ")[2] for text, _ in barred.values()))
    if not referee.anyway:
        each = [((short(unit), unit.name), barred[unit.id]) for unit in units]
        raise NoEligiblePiece(f"no Reinforcements can come in: {'; '.join(reasons)}", "units", each, rule=rule)
    referee.forbid(why, rule)


def hint(referee: FuryReferee, unit: Piece) -> str:
    """What the entry of a unit costs."""
    if unit.kind == state.TANK:
        return "M1A1"
    cost = entry_cost(referee, unit)
    return f"CF {unit.number('cf')}" + (f", {-cost} VP" if cost else "")


def entry_cost(referee: FuryReferee, unit: Piece) -> int:
    """[10.3, 15.0] The Victory Points that the entry of a unit costs."""
    return -referee.item_points("battalion_used") if unit.place == state.BATTALION and referee.option("variant") != "on" else 0


async def bring_squad(referee: FuryReferee, unit: Piece) -> None:
    """[10.1, 10.3, 10.4] Place a squad at the entry symbol of a start Zone under USMC Control."""
    rule = _RULES[unit.place]
    zones = entry_zones(referee)
    if not zones:
        raise Impossible("no Zone with a black circle is under USMC Control", rule=rule)
    others = partial(_others, referee, zones)
    suggest = zones[0] if len(zones) > 1 else None
    zone = await Choose("zone", f"{unit.name} comes in at which Zone?", rule, partial(_named, zones), suggest, others, "Zone")
    if zone not in zones:
        referee.forbid(f"Zone {zone} is not a start Zone under USMC Control", rule)
    where = await entry(referee, zone, rule)
    battalion, cost = unit.place == state.BATTALION, entry_cost(referee, unit)
    referee.move(unit.id, where, rule, "Reinforcement")
    if cost:
        referee.points("battalion_used", "7.2.1", f"{unit.name} of the Battalion Reinforcements")
    elif battalion:
        referee.say("No Victory Points are lost for it in the Historical Variant.", "15.0")


def _others(referee: FuryReferee, zones: list[str]) -> list[Choice]:
    return _named([zone for zone in referee.zones() if zone not in zones])


def _named(zones: list[str]) -> list[Choice]:
    return [Choice(zone, f"Zone {zone}") for zone in zones]


async def entry(referee: FuryReferee, zone: str, rule: str) -> str:
    """The entry Location: with the entry symbol, the player's choice of several; if enemies hold all of them, the nearest free
    one (ruling C-40).
    """
    printed = await referee.zone(zone, rule)
    doors = [place(zone, where) for where in printed.doors if where in referee.locations(zone)]
    free = [
        where
        for where in doors
        if referee.enemy_at(where) is None and not any(is_squad(piece) for piece in referee.position.at(where))
    ]
    doors = free or [where for where in doors if referee.enemy_at(where) is None] or _beside(referee, doors)
    if not doors:
        raise Impossible(f"the Locations of Zone {zone} are occupied", rule=rule)
    if len(doors) == 1:
        return doors[0]
    return await Choose("entry", f"Entry Location of Zone {zone}", rule, [Choice(where, where) for where in doors], doors[0])


def _beside(referee: FuryReferee, doors: Sequence[str]) -> list[str]:
    """The Locations of the Zone without enemies that are nearest to its entry."""

    def neighbours(where: str) -> list[str]:
        zone = zone_of(where)
        near = [other for other in referee.town.next_to(where) if zone_of(other) == zone]
        return [other for other in near if location_of(other) in referee.locations(zone)]

    steps = distances(doors, neighbours)
    free = [where for where in steps if where not in doors and referee.enemy_at(where) is None]
    return [where for where in free if steps[where] == steps[free[0]]]


async def bring_tank(referee: FuryReferee, unit: Piece) -> None:
    """[10.2] Place an M1A1 in a Street Section on the north edge, beside a Zone under USMC Control."""
    able = tank_sections(referee)
    choices = [Choice(name, f"between Zones {', '.join(referee.town.sections[name].zones)}") for name in able]
    prompt = f"{unit.name} enters in which Street Section of the north edge?"
    if able and _is_edge_entered(referee):
        others = [Choice(name, f"Section {name}") for name in referee.town.sections if name not in able]
        name = await Choose("section", prompt, "10.2", choices, None, others, "Section")
    else:
        name = await Text("section", prompt, "10.2", STREET_NAME, choices, able[0] if len(able) == 1 else None)
    await referee.section(name, "10.2")
    refusal = no_tank_entry(referee, name)
    if refusal:
        referee.forbid(*refusal)
    referee.move(unit.id, street(name), "10.2", "Reinforcement")


def _ours(referee: FuryReferee) -> list[str]:
    return [zone for zone in referee.zones() if is_controlled(referee.position, zone)]


def _is_edge_entered(referee: FuryReferee) -> bool:
    """True if every Street Section at a USMC Zone is entered."""
    town = referee.town
    ours = [town.zones.get(zone) for zone in _ours(referee)]
    return all(printed is not None and all(name in town.sections for name in printed.streets) for printed in ours)


def tank_sections(referee: FuryReferee) -> list[str]:
    """The entered Street Sections where an M1A1 can enter."""
    return [name for name in referee.town.sections if no_tank_entry(referee, name) is None]


def no_tank_entry(referee: FuryReferee, name: str) -> tuple[str, str] | None:
    """[10.2, 12.2.3.2] Why an M1A1 cannot enter at a Street Section: (why, rule)."""
    section = referee.town.sections[name]
    if not section.north:
        return f"Section {name} is not on the north edge", "10.2"
    if not any(is_controlled(referee.position, zone) for zone in section.zones):
        return f"no Zone beside Section {name} is under USMC Control", "10.2"
    return (f"an M1A1 is in Section {name} already", "12.2.3.2") if referee.tank_in(street(name)) else None


def by_mosque(referee: FuryReferee) -> str:
    """[10.4] A Zone under USMC Control next to Zone 26 (Adjacent counts too, ruling C-33), as far as the map is entered; "" if
    there is none.
    """
    around = referee.town.around
    return next((zone for zone in _ours(referee) if MOSQUE in around(zone) or zone in around(MOSQUE)), "")


def note_mosque(referee: FuryReferee) -> None:
    """[10.4] Record the turn in which a Zone next to Zone 26 first came under Control, even if it is lost again."""
    zone = by_mosque(referee)
    if zone and referee.position.flag(state.MOSQUE_REACHED) is None:
        referee.set_flag(state.MOSQUE_REACHED, referee.turn, "10.4")
        referee.say(f"Zone {zone} lies next to Zone 26: the IIF squads may come from the next turn on.", "10.4", tone="reminder")
