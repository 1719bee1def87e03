"""[6.0, 10.0] How units come onto the map: set-up and the Reinforcements Phase."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

from companion.core.errors import Impossible, NoEligiblePiece
from companion.core.graph import distances
from companion.core.notation import read_counter_lots
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Draw, Number, Pick, Printed, Text
from companion.core.text import natural_key, plural
from companion.core.values import JsonObject
from companion.games.phantomfury import state
from companion.games.phantomfury.facts import CF, COUNT, contradictions
from companion.games.phantomfury.notation import CLOSED, MOSQUE, START, STREET_NAME
from companion.games.phantomfury.referee import REINFORCEMENTS, FuryReferee, obsolete_zone_text, zone_choices
from companion.games.phantomfury.rules import r03_basics
from companion.games.phantomfury.town import entered_map


async def set_up(referee: FuryReferee, head: JsonObject) -> None:
    """[6.1 - 6.3] Set up a scenario from its data."""
    variant = referee.option("variant") == "on"
    for track in ("vp", "uav", "ah1w", "fa18", "phase"):
        referee.set_track(track, 0, "6.0", "")
    referee.set_track("turn", 1, "6.0", "")
    referee.set_flag(state.TURNS, head["variant_turns"] if variant else head["turns"], "15.0" if variant else "7.0")
    battalion = head["variant_battalion"] if variant else head["battalion"]
    referee.set_flag(state.BATTALION_TURN, battalion, "15.0" if variant else "10.3")
    await _map(referee, head)
    await _cups(referee, head)
    start = await _start_zones(referee, head)
    await _squads(referee, head, start)
    _boxes(referee, head, variant)
    await _caats(referee, head["caats"])
    referee.say("The insurgents Control every Zone; play begins with the Support Phase of turn 1.", "4.1.4", tone="reminder")


async def _map(referee: FuryReferee, head: JsonObject) -> None:
    """[4.1] Record the Zones of the map, including those entered before, and warn about contradictions."""
    made_up: Mapping[str, str] = head.get("zones", {})
    if made_up:
        referee.set_flags({state.TOLD_ZONE + name: text for name, text in made_up.items()}, "4.1")
        referee.set_flags({state.TOLD_SECTION + name: text for name, text in head["sections"].items()}, "4.3")
        referee.say("The practice map is made up; it is not the published one.", "4.1", tone="warning")
        zones = [name for name in made_up if name != CLOSED]
    else:
        for kind, rule in (("zone", "4.1"), ("section", "4.3")):
            facts = await referee.known_facts(kind, rule)
            referee.set_flags({f"{kind}:{name}": text for name, text in facts.items()}, rule)
        readable = entered_map(referee.position)[0]
        for name in [number for number in await referee.known_facts("zone", "4.1") if number not in readable]:
            referee.set_flag(state.TOLD_ZONE + name, None, "4.1")
            referee.say(f"{obsolete_zone_text(name)}.", "4.1", tone="warning")
        zones = [str(number) for number in range(1, 62) if str(number) != CLOSED]
    referee.set_flag(state.ZONES, tuple(zones), "4.1")
    for text, rule in () if referee.quiet else contradictions(*entered_map(referee.position)):
        referee.say(f"What you entered of the map cannot be: {text}.", rule, tone="warning")


async def _cups(referee: FuryReferee, head: JsonObject) -> None:
    """[6.1.1 - 6.1.3] Fill the three containers; values that are not entered come from our sample."""
    sample = referee.chart("sample")
    prompt = "Which Insurgents counters are there, and how many? (CF as Guerillas/as Martyrs)"
    lots = await Printed("insurgents", prompt, "6.1.1", state.INSURGENT_LOTS, sample.text("insurgents", "values"))
    for values, count in read_counter_lots(lots):
        for _ in range(count):
            referee.make(state.INSURGENT, state.insurgent_name(*state.read_sides(values)), state.INSURGENTS_CUP, "6.1.1")
    prompt = "Which Suspect markers are there, and how many?"
    lots = await Printed("suspects", prompt, "6.1.3", state.SUSPECT_LOTS, sample.text("suspects", "values"))
    for values, count in read_counter_lots(lots):
        for _ in range(count):
            referee.make(state.SUSPECT, values, state.SUSPECTS_CUP, "6.1.3")
    for unit, suspect in list(zip(referee.cup(state.INSURGENTS_CUP), referee.cup(state.SUSPECTS_CUP), strict=False))[:1]:
        guerillas, martyrs = (state.sides(unit)[kind] for kind in (state.GUERILLAS, state.MARTYRS))
        text = f"{unit} is an Insurgents unit: CF {guerillas} as Guerillas, {martyrs} as Martyrs"
        referee.say(f"{text}. {suspect} is a Suspect marker: it lies at the first of these that is free.", "5.2", tone="reminder")
    prompt = "How many 'Activated Zone' markers are there?"
    total = head.get("markers") or await Printed("activated", prompt, "6.1.2", COUNT, sample.text("activated", "values"))
    strong = await Number("strong_points", "How many Strong Points go into the cup? (the more, the harder)", "6.1.2", 1, 4, 2)
    for number in range(int(total)):
        referee.make(state.CONTROL, state.STRONG if number < strong else state.PLAIN, state.ZONES_CUP, "6.1.2")


async def _start_zones(referee: FuryReferee, head: JsonObject) -> list[str]:
    """[6.2] Activate the Zones with a black circle and their Suspects; a 0 is a Dummy."""
    black = [name for name, zone in referee.town.zones.items() if zone.black]
    if len(black) != head["start_zones"]:
        black = (await Printed("start", "Which nine Zones have a black circle?", "6.2", START)).split()
    start = [zone for zone in sorted(black, key=int) if zone in referee.zones()]
    referee.set_flag(state.START_ZONES, tuple(start), "6.2")
    for index, zone in enumerate(start):
        await referee.zone(zone, "6.2")
        await referee.complete(zone, "its entry symbol, at which a squad starts", "4.2.2", "door")
        referee.make(state.CONTROL, state.START_ZONE, state.box(zone), "6.2")
        await r03_basics.place_suspects(referee, start[index:])
    suspects = [(zone, suspect) for zone in start for suspect in r03_basics.suspects_in(referee, zone)]
    for index, (zone, suspect) in enumerate(suspects):
        await r03_basics.activate_suspect(referee, suspect, zone, "dummy", [other.place for _, other in suspects[index:]])
    return start


async def _squads(referee: FuryReferee, head: JsonObject, start: list[str]) -> None:
    """[6.3] Draw squads at random: one for each start Zone, then the Company's; the last are the Battalion's."""
    sample = referee.chart("sample").text("squads", "values").split()
    for number in range(1, head["squads"] + 1):
        cf = await Printed(f"squad:{number}", f"What is the CF of Squad {number}?", "5.1.1", CF, sample[number - 1])
        referee.make(state.SQUAD, f"Squad {number}", state.SQUADS_CUP, "6.3", values={"number": number, "cf": int(cf)})
    company: int = head["company"]
    what, then = "for the start Zones", f", then {company} for the Company Reinforcements"
    drawn = [await _draw_squad(referee, state.DRAWN, what, left, then, company) for left in range(len(start), 0, -1)]
    for left in range(company, 0, -1):
        await _draw_squad(referee, state.COMPANY, "for the Company Reinforcements", left)
    for squad in referee.position.at(state.SQUADS_CUP)[: head["battalion_squads"]]:
        referee.move(squad.id, state.BATTALION, "6.3", "")
    names = {state.short(referee.piece(squad)): squad for squad in drawn}
    pieces = [referee.piece(squad) for squad in drawn]
    choices = [Choice(state.short(squad), squad.name, f"CF {squad.number('cf')}") for squad in pieces]
    prompt = f"Squads for Zones {', '.join(start)}, in this order"
    order = await Pick("squads", prompt, "6.3", choices, len(start), len(start), list(names), ordered=True)
    for zone, name in zip(start, order, strict=True):
        where = await entry(referee, zone, "6.3")
        referee.move(names[name], where, "6.3", "start")


async def _draw_squad(referee: FuryReferee, where: str, what: str, left: int, then: str = "", following: int = 0) -> str:
    """Draw one squad from its container; ``left`` with this one, and ``following`` for something else."""
    held = referee.cup(state.SQUADS_CUP)
    more = f": {left} in all" if left > 1 else ""
    draw = Draw("squad", f"Squad drawn {what}{more}{then}", "6.3", state.SQUADS_CUP, held, thing="squad", holder="container")
    draw.remaining = left + following
    name = await draw
    piece = next(squad for squad in referee.position.at(state.SQUADS_CUP) if squad.name == name)
    referee.move(piece.id, where, "6.3", "")
    return piece.id


def _boxes(referee: FuryReferee, head: JsonObject, variant: bool) -> None:
    """[6.3, 5.1.6, 15.0] Put the M1A1 (two in the variant) and the IIF squads into their boxes."""
    for number in range(1, (2 if variant else 1) + 1):
        referee.make(state.TANK, f"M1A1 {number}", state.ARMOUR, "15.0" if variant else "6.3", values={"number": number, "cf": 8})
    for number in range(1, head["iif"] + 1):
        referee.make(state.IIF, f"IIF {number}", state.IRAQI, "5.1.6", values={"number": number, "cf": 4})


async def _caats(referee: FuryReferee, maximum: int) -> None:
    """[6.3.1] Give CAATs with Ammo 4 and Explosives to squads in the start Zones, at most one each."""
    squads = referee.squads()
    count = min(maximum, len(squads))
    best = sorted(squads, key=lambda squad: -squad.number("cf"))[:count]
    choices = [Choice(state.short(squad), squad.name, f"CF {squad.number('cf')}, {squad.place}") for squad in squads]
    which = "Which squad gets a CAAT" if count == 1 else f"Which {plural(count, 'squad')} get a CAAT each"
    prompt = f"{which}, with Ammo for 4 shots and Explosives?"
    chosen = await Pick("caats", prompt, "6.3.1", choices, count, count, [state.short(squad) for squad in best])
    for squad in squads:
        if state.short(squad) in chosen:
            for mark, value in ((state.CAAT, True), (state.AMMO, 4), (state.EXPLOSIVES, True)):
                referee.mark(squad.id, mark, value, "5.1.4.1")


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
    return [zone for zone in referee.members(state.START_ZONES) if referee.is_controlled(zone)]


def cannot_come(referee: FuryReferee, unit: Piece, before: int) -> tuple[str, str] | None:
    """Why a unit cannot enter now, after so many M1A1s that could: (why, rule)."""
    if wait := not_yet(referee, unit.place):
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
    units = sorted(pieces, key=lambda unit: natural_key(state.short(unit)))
    tanks = [unit for unit in units if unit.kind == state.TANK]
    before = {unit.id: index for index, unit in enumerate(tanks)}
    barred = {unit.id: why for unit in units if (why := cannot_come(referee, unit, before.get(unit.id, 0))) is not None}
    able = [unit for unit in units if unit.id not in barred]
    if not able:
        _refuse_all(referee, units, barred)
    waiting = {state.short(unit): unit for unit in units}
    choices = [Choice(state.short(unit), unit.name, partial(hint, referee, unit)) for unit in able or units]
    others = [Choice(state.short(unit), unit.name, "not yet") for unit in units if able and unit not in able]
    chosen = await Pick("units", "Which Reinforcements come in?", "10.1", choices, 1, others=others)
    for unit in [waiting[name] for name in chosen] + _accompanying(referee, units, chosen):
        if unit.id in barred:
            referee.forbid(*barred[unit.id], "Commit it later")
        await (bring_tank if unit.kind == state.TANK else bring_squad)(referee, unit)


def _accompanying(referee: FuryReferee, units: Sequence[Piece], chosen: Sequence[str]) -> list[Piece]:
    """[10.4] The IIF squads that must enter with the chosen ones; none by a switch (ruling C-69)."""
    iraqis = [iraqi for iraqi in units if iraqi.place == state.IRAQI]
    rest = [iraqi for iraqi in iraqis if state.short(iraqi) not in chosen]
    if len(rest) == len(iraqis) or not rest or referee.option("iif") == "apart":
        return []
    referee.say(f"The IIF squads enter on the same turn: {referee.piece_names(rest)} too.", "10.4")
    return rest


def _refuse_all(referee: FuryReferee, units: list[Piece], barred: dict[str, tuple[str, str]]) -> None:
    """Refuse because no Reinforcement can enter."""
    why, rule = barred[units[0].id]
    reasons = list(dict.fromkeys(text.partition(": ")[2] for text, _ in barred.values()))
    if not referee.anyway:
        each = [((state.short(unit), unit.name), barred[unit.id]) for unit in units]
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
    choices, suggest = partial(zone_choices, zones), zones[0] if len(zones) > 1 else None
    others = partial(zone_choices, [other for other in referee.zones() if other not in zones])
    zone = await Choose("zone", f"{unit.name} comes in at which Zone?", rule, choices, suggest, others, "Zone")
    if zone not in zones:
        referee.forbid(f"Zone {zone} is not a start Zone under USMC Control", rule)
    where = await entry(referee, zone, rule)
    battalion, cost = unit.place == state.BATTALION, entry_cost(referee, unit)
    referee.move(unit.id, where, rule, "Reinforcement")
    if cost:
        referee.points("battalion_used", "7.2.1", f"{unit.name} of the Battalion Reinforcements")
    elif battalion:
        referee.say("No Victory Points are lost for it in the Historical Variant.", "15.0")


async def entry(referee: FuryReferee, zone: str, rule: str) -> str:
    """The entry Location, by choice of several; if enemies hold all of them, the nearest free one (ruling C-40)."""
    printed = await referee.zone(zone, rule)
    doors = [state.place(zone, where) for where in printed.doors if where in referee.locations(zone)]
    open_doors = [where for where in doors if referee.enemy_at(where) is None]
    free = [where for where in open_doors if not any(state.is_squad(piece) for piece in referee.position.at(where))]
    doors = free or open_doors or _beside(referee, doors)
    if not doors:
        raise Impossible(f"the Locations of Zone {zone} are occupied", rule=rule)
    if len(doors) == 1:
        return doors[0]
    return await Choose("entry", f"Entry Location of Zone {zone}", rule, [Choice(where, where) for where in doors], doors[0])


def _beside(referee: FuryReferee, doors: Sequence[str]) -> list[str]:
    """The Locations of the Zone without enemies that are nearest to its entry."""

    def neighbours(where: str) -> list[str]:
        zone = state.zone_of(where)
        near = [other for other in referee.town.next_to(where) if state.zone_of(other) == zone]
        return [other for other in near if state.location_of(other) in referee.locations(zone)]

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
    if refusal := no_tank_entry(referee, name):
        referee.forbid(*refusal)
    referee.move(unit.id, state.street(name), "10.2", "Reinforcement")


def _ours(referee: FuryReferee) -> list[str]:
    return [zone for zone in referee.zones() if referee.is_controlled(zone)]


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
    if not any(referee.is_controlled(zone) for zone in section.zones):
        return f"no Zone beside Section {name} is under USMC Control", "10.2"
    return (f"an M1A1 is in Section {name} already", "12.2.3.2") if referee.tank_in(state.street(name)) else None


def by_mosque(referee: FuryReferee) -> str:
    """[10.4] A Zone under USMC Control Adjacent to Zone 26 or Neighbouring it (ruling C-33); "" if none is entered."""
    around = referee.town.around
    return next((zone for zone in _ours(referee) if MOSQUE in around(zone) or zone in around(MOSQUE)), "")


def note_mosque(referee: FuryReferee) -> None:
    """[10.4] Record the turn in which a Zone next to Zone 26 first came under Control, even if it is lost again."""
    zone = by_mosque(referee)
    if zone and referee.position.flag(state.MOSQUE_REACHED) is None:
        referee.set_flag(state.MOSQUE_REACHED, referee.turn, "10.4")
        referee.say(f"Zone {zone} lies next to Zone 26: the IIF squads may come from the next turn on.", "10.4", tone="reminder")
