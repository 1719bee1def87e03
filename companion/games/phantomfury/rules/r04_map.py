"""[4.1] The map at the table: a list of the Zones, the form for one Zone, and actions that match the board."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.charts import Chart
from companion.core.errors import Impossible
from companion.core.notation import Notation
from companion.core.requests import Choice, Choose, Number, Text
from companion.core.text import plural
from companion.games.phantomfury.corrections import HOLDERS, set_control
from companion.games.phantomfury.facts import (
    Fault,
    check_self_reference,
    contradictions,
    implied_parts,
    may_be_black,
    merged_zone,
    zone_notation,
)
from companion.games.phantomfury.notation.counters import enemy_text
from companion.games.phantomfury.notation.town import Town, read_place
from companion.games.phantomfury.notation.zones import NONE, SECTION, Section, Zone, read_section, read_zone, zone_facts
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules.r05_counters import activate_zone, draw_marker
from companion.games.phantomfury.state import (
    FANATICISM,
    FURY,
    LATE,
    NO_EVENT,
    RUBBLE,
    SUSPECTS_CUP,
    TANK,
    TOLD_SECTION,
    TOLD_ZONE,
    ZONES,
    box,
    is_controlled,
    is_fortified,
    location_of,
    marker_of,
    section_of,
    zone_of,
)


async def look(referee: FuryReferee) -> None:
    """List each Zone that is Activated or occupied, and each street with a unit. Changes nothing."""
    quiet, ours = 0, referee.usmc_zones()
    for zone in referee.zones():
        if zone not in ours and marker_of(referee.position, zone) is None:
            quiet += 1
            continue
        referee.say(zone_line(referee, zone), "4.1.4")
    for unit in [*referee.squads(), *referee.tanks()]:
        if section_of(unit.place):
            referee.say(f"{unit.place}: {unit.name}{' Pinned' if unit.mark('pinned') else ''}", "4.3")
    referee.say(f"{plural(quiet, 'Zone')} not Activated yet.", "4.1.3")


def zone_line(referee: FuryReferee, zone: str) -> str:
    """A Zone in one line: ``Zone 14, Normal, insurgents: Guerillas CF 2 at 1; Squad 4 (CF 5) at C``."""
    side = "USMC" if is_controlled(referee.position, zone) else "insurgents"
    nature = "Fortified" if is_fortified(referee.position, zone) else "Normal"
    markers = {marker.name for marker in referee.position.at(box(zone))}
    signs = [name for name in (FURY, FANATICISM, NO_EVENT, RUBBLE) if name in markers]
    parts = [f"{enemy_text(enemy)} at {location_of(enemy.place)}" for enemy in referee.enemies_in(zone)]
    for unit in referee.usmc_units_in(zone):
        strength = "" if unit.kind == TANK else f" (CF {referee.cf(unit)})"
        state = "".join(f" {word.title()}" for word in ("pinned", "fired") if unit.mark(word))
        parts.append(f"{unit.name}{strength}{state} at {location_of(unit.place)}")
    parts += [f"{element.name} at {location_of(element.place)}" for element in referee.elements_in(zone)]
    head = ", ".join([f"Zone {zone}", nature, side, *signs])
    return f"{head}: {'; '.join(parts) or 'clear'}"


# -- matching the board ------------------------------------------------------------------------------------------------


_PLACE = Notation("Location", "14-2", read_place)


async def control(referee: FuryReferee) -> None:
    """[4.1.4] Set who Controls a Zone: ``control 5 usmc``."""
    zone = await Choose("zone", "Control of which Zone?", "4.1.4", _named(referee.zones()), what="Zone")
    who = await referee.choose("who", f"Who Controls Zone {zone}?", "4.1.4", [Choice(holder, holder) for holder in HOLDERS])
    set_control(referee, zone, who, "manual")


async def suspect(referee: FuryReferee) -> None:
    """[5.3.2] Place a Suspect marker from its cup: ``suspect 14-2``."""
    where = await Text("place", "Where does a Suspect marker lie?", "5.3.2", _PLACE)
    zone = referee.need_zone(zone_of(where))
    printed = await referee.zone(zone, "5.3.2")
    if location_of(where) not in printed.locations:
        raise Impossible(f"Zone {zone} has no {location_of(where)}", rule="4.2.1", cure=f"It has: {' '.join(printed.locations)}")
    if referee.enemy_at(where) or any(unit.place == where for unit in referee.usmc_units_in(zone)):
        referee.forbid(f"{where} is occupied", "5.3.2.3", "Name a free Location")
    if not referee.cup(SUSPECTS_CUP):
        raise Impossible("no Suspect marker is left in the cup", rule="6.1.3", cure=f"companion adjust new:suspect {where}")
    marker = await draw_marker(referee, zone, "5.3.2")
    referee.move(marker.id, where, "5.3.2", "manual")


async def activate(referee: FuryReferee) -> None:
    """[4.1.3] Activate a Zone by the rules; its nature and its Suspects are drawn: ``activate 23``."""
    left = [zone for zone in referee.zones() if marker_of(referee.position, zone) is None]
    if not left:
        raise Impossible("every Zone is Activated already", rule="4.1.3")
    others = _named([zone for zone in referee.zones() if zone not in left])
    zone = await Choose("zone", "Which Zone is Activated?", "4.1.3", _named(left), None, others, "Zone")
    if zone not in left:
        raise Impossible(f"Zone {zone} is Activated already", rule="4.1.3", cure="A Zone is Activated once in a game")
    await activate_zone(referee, zone, "4.1.3")
    referee.set_flag(LATE, tuple(late for late in referee.members(LATE) if late != zone) or None, "14.2")


def _named(zones: Iterable[str]) -> list[Choice]:
    return [Choice(zone, f"Zone {zone}") for zone in zones]


# -- the form for one Zone ---------------------------------------------------------------------------------------------


_FIELDS = (
    ("door", "Locations with the entry symbol", "4.2.2"),
    ("roof", "Locations with the roof symbol", "4.2.2"),
    ("adjacent", "Zones that share a border", "4.1.1"),
    ("near", "Zones across its streets, with / between one Street Section and the next", "4.1.2"),
    ("streets", "Street Sections at its sides, by names of your own", "4.3.1.1"),
    ("fire", "Zones below a target symbol", "4.1.2.1"),
    ("egress", "Egress Routes from left to right, or exit", "4.1.7"),
    ("block", "the other Zones of its Block, if you like", "4.4"),
)


def _field(name: str, locations: str, number: str) -> Notation:
    """The notation of a field of the form: one part of a Zone."""

    def read(text: str) -> str:
        if text.strip().casefold() in ("", NONE, "-"):
            return NONE
        zone = read_zone(f"{locations}; {name} {text}")
        check_self_reference(number, zone)
        return " ".join(dict(zone.parts())[name]) or NONE

    return Notation(name, {"door": "C", "roof": "R", "egress": "24 25"}.get(name, "15 16"), read)


async def fill_zone(referee: FuryReferee) -> None:
    """Enter one Zone, all in one line or part by part; Enter keeps the known value. Contradictions with other Zones are refused
    at once unless the player insists.
    """
    number = str(await Number("zone", "Which Zone?", "4.1", 1, 61))
    zones = zone_facts(await referee.known_facts("zone", "4.1"))
    sections = {name: read_section(text) for name, text in (await referee.known_facts("section", "4.3")).items()}
    old = zones.get(number)
    hints = _stated_parts(referee, number) | implied_parts(number, zones, sections)
    prompt = f"Zone {number}: Locations with their arrows, C-1-2-R 1-1', and as much else as you like"
    notation = zone_notation(number, zones, "locations")
    text = await Text("locations", prompt, "4.2.1", notation, suggest=str(old) if old else hints.get("locations"))
    seen = set(contradictions(zones, sections))
    _check(referee, number, text, zones, sections, seen)
    for name, what, rule in _FIELDS:
        entered = read_zone(text)
        if entered.is_entered(name) or (name == "streets" and entered.near) or (name == "near" and entered.streets):
            continue
        hint = hints.get(name, NONE)
        offered = [Choice(option, option) for option in dict.fromkeys((hint, NONE))]
        value = await Text(name, what, rule, _field(name, text.partition(";")[0], number), offered, hint)
        text += f"; {name} {value}" if value != NONE else ""
        _check(referee, number, text, zones, sections, seen)
    if not read_zone(text).black and may_be_black(number, zones):
        text += "; black" if await referee.confirm("black", "A black circle", "6.2", False) else ""
    zone = _check(referee, number, text, zones, sections, seen)
    await referee.record_fact(f"zone:{number}", str(zone), "4.1")
    if referee.position.flag(ZONES) and not referee.option("scenario").startswith("practice"):
        referee.record_map_fact(TOLD_ZONE + number, str(zone), "4.1")
    referee.say(f"Zone {number}: {zone}", "4.1")
    for name in zone.streets:
        await _fill_section(referee, name, {**zones, number: zone}, sections)


async def _fill_section(referee: FuryReferee, name: str, zones: dict[str, Zone], sections: dict[str, Section]) -> None:
    """Ask for a Street Section that is not entered yet."""
    if name in sections:
        return
    beside = " ".join(sorted((number for number, zone in zones.items() if name in zone.streets), key=int))
    before = set(contradictions(zones, sections))

    def faults(text: str) -> list[Fault]:
        return [fault for fault in contradictions(zones, {**sections, name: read_section(text)}) if fault not in before]

    prompt = f"Street Section {name}: Zones around it; next; fire; north or south edge"
    text = await Text("section", prompt, "4.3", SECTION, suggest=None if faults(beside) else beside)
    for what, rule in faults(text):
        referee.forbid(what, rule, "Correct one of the two")
    sections[name] = read_section(text)
    await referee.record_fact(f"section:{name}", text, "4.3")
    if referee.position.flag(ZONES) and not referee.option("scenario").startswith("practice"):
        referee.record_map_fact(TOLD_SECTION + name, text, "4.3")


def _check(
    referee: FuryReferee, number: str, text: str, told: dict[str, Zone], sections: dict[str, Section], seen: set[tuple[str, str]]
) -> Zone:
    """Return the Zone as entered so far; refuse contradictions that are not in ``seen``."""
    zone = merged_zone(number, text, {})
    for what, rule in contradictions({**told, number: zone}, sections):
        if (what, rule) not in seen:
            referee.forbid(what, rule, "Correct one of the two")
            seen.add((what, rule))
    return zone


def _stated_parts(referee: FuryReferee, number: str) -> dict[str, str]:
    """What the rulebook's text and examples state about a Zone."""
    chart = referee.chart("stated")
    if number not in chart.rows:
        return {}
    return {name: chart.text(number, name) for name in ("locations", "adjacent", "egress") if chart.text(number, name) != "-"}


def disagreements(chart: Chart, town: Town) -> list[tuple[str, str]]:
    """Where entered Zones lack what the rulebook's examples state: (what, rule). Additional entries are no fault."""
    faults = []
    for number in chart.rows:
        zone = town.zones.get(number)
        if zone is None:
            continue
        near = town.near(number) if zone.streets and town.sections.keys() >= set(zone.streets) else None
        printed = (("locations", zone.locations), ("adjacent", zone.adjacent), ("near", near), ("egress", zone.egress[:1]))
        for name, have in printed:
            stated = chart.text(number, name).split()
            if have is None or stated in ([], ["-"]):
                continue
            if stated[0] == "no":
                wrong = [word for word in stated[1:] if word in have]
            else:
                open_to = name == "near" and any(
                    name in town.inferred for name in zone.streets
                )  # more may be told from the other side
                wrong = [word for word in stated if word not in have and not (open_to and word not in town.zones)]
            if wrong:
                rule = chart.cites.get(number, chart.rule)
                faults.append((f"Zone {number}, {name}: the rulebook's examples say {' '.join(stated)}", rule))
    return faults
