"""[3.0] Set-up."""

from __future__ import annotations

from companion.core.errors import Impossible
from companion.core.notation import whole_number
from companion.core.values import JsonObject
from companion.games.iraqwar2003 import state
from companion.games.iraqwar2003.facts import ROSTER, ROSTERS, roster_parts
from companion.games.iraqwar2003.land import MAP_FACTS
from companion.games.iraqwar2003.notation import IRAQI, SECTORS, SITES, Site, Unit, read_site, read_unit, unit_values
from companion.games.iraqwar2003.referee import IraqWarReferee, not_in_play
from companion.games.iraqwar2003.rules.r08_stacking import stacking_faults
from companion.games.iraqwar2003.rules.r16_options import roll_weather
from companion.games.iraqwar2003.state import is_hex, units_in, units_on_map

ROSTER_TITLES = {
    "us": "American air units",
    "british": "British air units",
    "carriers": "carriers",
    "naval": "destroyers and submarines",
    "iraqi": "Iraqi air units",
}
NATION = {"us": "us", "british": "british", "carriers": "us", "naval": "us", "iraqi": IRAQI}
TYPE = {"carriers": "carrier", "naval": "naval"}
MARKERS = 8
"""[16.1(1)] Number of palace markers."""
PALACE_TITLES = {"saddam": "Sadam Husein", "sahaf": "I.M. Sahaf", "dummy": "Dummy"}


async def set_up(referee: IraqWarReferee, data: JsonObject, sample: JsonObject) -> None:
    """[3.0] Place both sides and set the tracks; hexes of units are optional."""
    for option in state.OPTIONAL:
        referee.set_flag(state.option_flag(option), state.ON if referee.has_rule(option) else state.OFF, "16.0")
    _list_set_up(referee, data)
    await _enter_known_units(referee)
    await _air_units(referee, sample)
    await _enter_known_sites(referee)
    if referee.has_rule(state.PALACE):
        await _palace(referee, sample)
    places = referee.chart("places")
    for place in places.rows:  # without a flag Iraq controls a place (ruling C-23)
        start = places.text(place, "start")
        referee.set_flag(state.control_flag(place), None if start == state.IRAQ else start, "15.2")
    referee.set_track("turn", 1, "3.0", "start of the game")
    for track in ("cp", "kuwait", "sahaf"):
        referee.set_track(track, 0, "3.0", "start of the game")
    referee.set_flag(state.SIDE, state.COALITION, "4.0")
    referee.set_flag(state.PHASE, state.FACILITY, "4.1(1)")
    await roll_weather(referee)
    await _enter_known_map(referee)
    referee.instruct("Turn marker on box 1 of the Turn Track; the Coalition begins.", "3.0")


def _list_set_up(referee: IraqWarReferee, data: JsonObject) -> None:
    """[3.0] List where ground units start: Iraq first, then the Coalition."""
    for side in (state.IRAQ, state.COALITION):
        rows = [f"{item['units']}: {item['where']}" for item in data[side]]
        total = sum(item["count"] for item in data[side])
        title = state.SIDE_TITLES[side]
        guard = " and the Special Republican Guard" if side == state.IRAQ else ""
        referee.say(f"Set up the {title} ground units, {total}{guard}; companion why 1 lists where.", "3.0", *rows, tone="board")


async def _enter_known_units(referee: IraqWarReferee) -> None:
    """[2.2] Enter the ground units that are already known."""
    entered: dict[str, tuple[Unit, str]] = {}
    again: list[tuple[Unit, str]] = []
    for text in (await referee.known_facts("unit", "2.2")).values():
        unit = read_unit(text)
        place = state.OFF_MAP if not_in_play(referee.position, unit) else state.MAP
        if entered.setdefault(unit.name, (unit, place))[0] is not unit:
            again.append((unit, place))
    referee.make_all(state.UNIT, [(name, place, unit_values(unit)) for name, (unit, place) in entered.items()], "2.2")
    for unit, place in again:
        await referee.enter(unit, place, remembered=True)


async def _enter_known_map(referee: IraqWarReferee) -> None:
    """[2.1] Copy the known map facts to the position, and move units to their known start hexes."""
    for kind in MAP_FACTS:
        entered = await referee.known_facts(kind, "2.1")
        referee.set_flags({f"{kind}:{name}": value for name, value in entered.items()}, "2.1")
    units = {piece.name: piece for piece in referee.position.at(state.MAP) if piece.kind == state.UNIT}
    entered = await referee.known_facts("at", "3.0")
    referee.move_all([(units[name], place) for name, place in entered.items() if name in units], "3.0", "as entered")
    for place in dict.fromkeys(piece.place for piece in units_on_map(referee.position) if is_hex(piece.place)):
        for text, rule in stacking_faults(units_in(referee.position, place)):
            referee.say(f"{text} begins in {place}, as you entered; adjust puts it right.", rule, tone="warning")


async def _air_units(referee: IraqWarReferee, sample: JsonObject) -> None:
    """[2.1.3, 2.3.1] Put all air and naval units into their Available boxes; unknown values are asked for at first use."""
    entered = await referee.known_facts("air", "2.3")
    referee.set_flags({state.air_flag(name): values for name, values in entered.items()}, "2.3")
    for kind in ROSTERS:
        asked = f"What are the names of the {ROSTER_TITLES[kind]}?"
        text = await referee.printed(f"roster:{kind}", asked, "3.0", ROSTER, sample["roster"][kind])
        box = state.available_box(state.IRAQ if kind == "iraqi" else state.COALITION)
        others = {piece.name for piece in referee.position.of_kind(state.AIR)}
        printed = {"nation": NATION[kind], "type": TYPE.get(kind, "air")}
        parts = roster_parts(text, kind, others)
        units = [(name, box, {**printed, "values": values} if values else printed) for name, values in parts]
        referee.make_all(state.AIR, units, "2.1.3")


async def _enter_known_sites(referee: IraqWarReferee) -> None:
    """[2.1.2] Lay out the known sites; others are asked for at first use."""
    entered = {**await referee.known_facts("radar", "6.1.2"), **await referee.known_facts("site", "6.1.2")}
    for name in SITES:
        if name in entered:
            referee.place_site(name, read_site(entered[name], name in SECTORS))


async def _palace(referee: IraqWarReferee, sample: JsonObject) -> None:
    """[16.1(1), 16.1(2)] Place eight markers on the palace site, whose AA Fire box has firepower 2."""
    referee.place_site(state.PALACE, Site("central", (referee.chart("anti_air").number("palace", "firepower"),)))
    notation = whole_number("markers", 0, MARKERS)
    counts = {
        kind: int(
            await referee.printed(f"palace:{kind}", f"How many are {title}?", "16.1(1)", notation, str(sample["palace"][kind]))
        )
        for kind, title in PALACE_TITLES.items()
    }
    if sum(counts.values()) != MARKERS or not counts["saddam"]:
        mix = ", ".join(f"{count} {PALACE_TITLES[kind]}" for kind, count in counts.items())
        cure = f"Enter them again: companion printed iraqwar2003 set palace:dummy {max(MARKERS - 1 - counts['sahaf'], 0)}"
        text = f"you entered {mix} palace markers; there are {MARKERS}, Saddam Hussein among them"
        raise Impossible(text, rule="16.1(1)", cure=cure)
    for kind, count in counts.items():
        for _ in range(count):
            referee.make(state.PALACE, PALACE_TITLES[kind], state.PALACE, "16.1(1)", face="back", values={"palace": kind})
