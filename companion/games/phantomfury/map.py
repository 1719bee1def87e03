"""[4.0] The map: entered, drawn, listed at the table, and matched to the board."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from companion.core.charts import Chart
from companion.core.errors import Impossible, Unreadable
from companion.core.map import AREAS, PRINTED, TOLD, Column, Facts, GameMap, Link, Map, Space, Stack
from companion.core.notation import Notation
from companion.core.position import Piece, Position
from companion.core.requests import Choice, Choose, Number, Text
from companion.core.text import clean, natural_key, plural
from companion.games.phantomfury import facts as printed_facts
from companion.games.phantomfury import notation, state
from companion.games.phantomfury.corrections import HOLDERS, set_control
from companion.games.phantomfury.notation import Section, Zone
from companion.games.phantomfury.referee import RUINED, FuryReferee, zone_choices
from companion.games.phantomfury.rules import r03_basics
from companion.games.phantomfury.town import Town, read_place, town_of

USMC, GUERILLAS, MARTYR, SUSPECTS = "usmc", "guerillas", "martyrs", "suspects"
SIDES = {USMC: "USMC and IIF", GUERILLAS: "Guerillas", MARTYR: "Martyrs", SUSPECTS: "Suspects"}
_LETTERS = {USMC: "U", GUERILLAS: "G", MARTYR: "M", SUSPECTS: "?"}
_GROUNDS = {"USMC Control": "us", "Activated": "ac", "Fortified": "fo"}


class PhantomFuryMap(GameMap):
    """Zones by number and Street Sections by name, each in the notation of its printed fact."""

    space = "zone"
    columns = (Column("printed", "zone"),)
    example = printed_facts.EXAMPLE

    def read_name(self, text: str) -> str:
        plain = clean(text)
        if " " in plain:
            text = f"'{plain}' is not a Zone, a Street Section or a unit on the map"
            raise Unreadable(text, rule="4.1", cure="Like this: 14, 2/14")
        return notation.read_zone_number(plain) if plain.isdecimal() else notation.read_street(plain)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        sections = (key.removeprefix(state.TOLD_SECTION) for key in facts if key.startswith(state.TOLD_SECTION))
        return [*printed_facts.ZONES, *sorted(sections, key=natural_key)]

    def spaces_of(self, key: str) -> tuple[str, ...]:
        head, _, tail = key.partition(":")
        return (tail,) if tail and head in ("zone", "section") else ()

    def key(self, column: Column, name: str, other: str = "") -> str:
        return (state.TOLD_ZONE if name.isdecimal() else state.TOLD_SECTION) + name

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        """Read one Zone or one Street Section, using what is already entered. Raises Unreadable."""
        return dict((printed_facts.read_line(line, facts),))

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        key = self.key(column, name)
        fact = self.game.fact(key)
        assert fact is not None
        return {key: fact.notation(value)}

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        town = _town(position, facts)
        zones = position.members(state.ZONES)
        whole = len(zones) in (0, len(printed_facts.ZONES) - 1)
        listed = printed_facts.ZONES if whole else zones
        spaces = [_zone(position, town, zone) for zone in listed]
        held = [name for name in town.sections if position.at(state.street(name))]
        made_up = str(options.get("scenario", "")).startswith("practice")
        return Map(
            self.game.title,
            AREAS,
            [*spaces, *(_section(position, name) for name in held)],
            _links(town, {space.name for space in spaces}, held),
            SIDES,
            {sign: word for word, sign in _GROUNDS.items()} | {letter: SIDES[side] for side, letter in _LETTERS.items()},
            ["The practice map is made up; it is not the published one."] if made_up and zones else [],
        )


def _town(position: Position, facts: Mapping[str, str]) -> Town:
    """The map of the session; without a session, the entered map."""
    if not position.members(state.ZONES):
        printed = (state.TOLD_ZONE, state.TOLD_SECTION)
        position = Position({}, {}, {key: value for key, value in facts.items() if key.startswith(printed)})
    return position.cached_from_flags(town_of)


def _zone(position: Position, town: Town, zone: str) -> Space:
    """A Zone as a space of the map: Control, Locations, markers, units."""
    printed, marker = town.zones.get(zone), state.marker_of(position, zone)
    ground = "USMC Control" if state.is_controlled(position, zone) else "Fortified" if state.is_fortified(position, zone) else ""
    ground = ground or ("Activated" if marker else "")
    lying = {piece.name for piece in position.at(state.box(zone))}
    features = [" ".join(str(printed).partition(";")[0].split())] if printed else []
    features += ["black circle"] if (printed and printed.black) or zone in position.members(state.START_ZONES) else []
    features += [name for name in state.ZONE_MARKERS if name in lying]
    title = {notation.MOSQUE: "mosque", notation.CLOSED: "closed"}.get(zone, "")
    source = TOLD if printed else PRINTED if title else ""
    sign, stacks = _GROUNDS.get(ground, ""), tuple(_stacks(position, zone))
    inside = tuple(_inside(position, printed, zone)) if printed else ()
    return Space(zone, title, ground, tuple(features), source, None, sign, stacks, inside)


def _inside(position: Position, printed: Zone, zone: str) -> Iterator[str]:
    """[4.2] The Locations of a Zone from the roof down, with symbols (``.`` a door, ``^`` a roof) and units, then the streets."""
    ruined = any(piece.name == state.RUBBLE for piece in position.at(state.box(zone)))
    for location in reversed(printed.locations):
        signs = ("." if location in printed.doors else "") + ("^" if location in printed.roofs else "")
        pieces = sorted(position.at(state.place(zone, location)), key=lambda piece: piece.kind == state.ELEMENT)
        contents = ["Element" if piece.kind == state.ELEMENT else _who(piece).rpartition(" at ")[0] for piece in pieces]
        rubble = ["rubble"] if ruined and location in RUINED else []
        yield f"{location + signs:4} {', '.join([*rubble, *contents])}".rstrip()
    if printed.streets:
        yield f"to   {' '.join(printed.streets)}"


def _stacks(position: Position, zone: str) -> Iterator[Stack]:
    """The units of a Zone by side, each with its Location."""
    tanks = [piece for piece in position.of_kind(state.TANK) if state.zone_of(piece.place) == zone]
    by_side: dict[str, list[Piece]] = {USMC: [*state.squads_in(position, zone), *tanks]}
    for enemy in state.enemies_in(position, zone):
        side = SUSPECTS if enemy.kind == state.SUSPECT else MARTYR if state.kind_of(enemy) == state.MARTYRS else GUERILLAS
        by_side.setdefault(side, []).append(enemy)
    for side in SIDES:
        if by_side.get(side):
            yield Stack(side, _LETTERS[side], tuple(map(_who, by_side[side])))


def _who(piece: Piece) -> str:
    """``Squad 4 at C``, ``Guerillas CF 2 at 1``."""
    return f"{piece.name if state.is_ours(piece) else state.enemy_text(piece)} at {state.location_of(piece.place)}"


def _section(position: Position, name: str) -> Space:
    """A Street Section with units in it [4.3]."""
    who = tuple(piece.name for piece in position.at(state.street(name)) if state.is_ours(piece))
    return Space(state.street(name), source=TOLD, stacks=(Stack(USMC, _LETTERS[USMC], who),) if who else ())


def _links(town: Town, listed: Collection[str], held: Collection[str]) -> Iterator[Link]:
    """[4.1.1, 4.1.2] Links between Adjacent Zones, between Neighbouring Zones, and to occupied Street Sections."""
    for number in town.zones:
        pairs = [*((other, "") for other in town.adjacent(number)), *((other, "street") for other in town.near(number))]
        for other, kind in pairs if number in listed else ():
            if other in listed and (other not in town.zones or int(number) < int(other)):
                yield Link(number, other, kind)
    for name in held:
        for zone in town.sections[name].zones:
            if zone in listed:
                yield Link(state.street(name), zone)


async def look(referee: FuryReferee) -> None:
    """List each Zone that is Activated or occupied, and each street with a unit. Changes nothing."""
    quiet, ours = 0, referee.usmc_zones()
    for zone in referee.zones():
        if zone not in ours and referee.marker_of(zone) is None:
            quiet += 1
            continue
        referee.say(zone_line(referee, zone), "4.1.4")
    for unit in [*referee.squads(), *referee.tanks()]:
        if state.section_of(unit.place):
            referee.say(f"{unit.place}: {unit.name}{' Pinned' if unit.mark('pinned') else ''}", "4.3")
    referee.say(f"{plural(quiet, 'Zone')} not Activated yet.", "4.1.3")


def zone_line(referee: FuryReferee, zone: str) -> str:
    """A Zone in one line: ``Zone 14, Normal, insurgents: Guerillas CF 2 at 1; Squad 4 (CF 5) at C``."""
    side = "USMC" if referee.is_controlled(zone) else "insurgents"
    nature = "Fortified" if referee.is_fortified(zone) else "Normal"
    markers = {marker.name for marker in referee.position.at(state.box(zone))}
    signs = [name for name in state.ZONE_MARKERS if name in markers]
    parts = [f"{state.enemy_text(enemy)} at {state.location_of(enemy.place)}" for enemy in referee.enemies_in(zone)]
    for unit in referee.usmc_units_in(zone):
        strength = "" if unit.kind == state.TANK else f" (CF {referee.cf(unit)})"
        marks = "".join(f" {word.title()}" for word in ("pinned", "fired") if unit.mark(word))
        parts.append(f"{unit.name}{strength}{marks} at {state.location_of(unit.place)}")
    parts += [f"{element.name} at {state.location_of(element.place)}" for element in referee.elements_in(zone)]
    head = ", ".join([f"Zone {zone}", nature, side, *signs])
    return f"{head}: {'; '.join(parts) or 'clear'}"


_PLACE = Notation("Location", "14-2", read_place)


async def control(referee: FuryReferee) -> None:
    """[4.1.4] Set who Controls a Zone: ``control 5; usmc``."""
    zone = await Choose("zone", "Control of which Zone?", "4.1.4", zone_choices(referee.zones()), what="Zone")
    who = await referee.choose("who", f"Who Controls Zone {zone}?", "4.1.4", [Choice(holder, holder) for holder in HOLDERS])
    set_control(referee, zone, who, "manual")


async def suspect(referee: FuryReferee) -> None:
    """[5.3.2] Place a Suspect marker from its cup: ``suspect 14-2``."""

    def free() -> list[Choice]:
        zones = [zone for zone in referee.zones() if zone in referee.town.zones and referee.marker_of(zone)]
        places = [state.place(zone, location) for zone in zones for location in referee.locations(zone)]
        return [Choice(where, where) for where in places if r03_basics.is_free(referee, where)]

    where = await Text("place", "Where does a Suspect marker lie?", "5.3.2", _PLACE, free)
    zone = referee.need_zone(state.zone_of(where))
    printed = await referee.zone(zone, "5.3.2")
    if state.location_of(where) not in printed.locations:
        cure = f"It has: {' '.join(printed.locations)}"
        raise Impossible(f"Zone {zone} has no {state.location_of(where)}", rule="4.2.1", cure=cure)
    if referee.enemy_at(where) or any(unit.place == where for unit in referee.usmc_units_in(zone)):
        referee.forbid(f"{where} is occupied", "5.3.2.3", "Name a free Location")
    if not referee.cup(state.SUSPECTS_CUP):
        raise Impossible("no Suspect marker is left in the cup", rule="6.1.3", cure=f'companion adjust new:suspect "{where}"')
    marker = await r03_basics.draw_marker(referee, zone, "5.3.2")
    referee.move(marker.id, where, "5.3.2", "manual")


async def activate(referee: FuryReferee) -> None:
    """[4.1.3] Activate a Zone by the rules; its nature and its Suspects are drawn: ``activate 23``."""
    left = [zone for zone in referee.zones() if referee.marker_of(zone) is None]
    if not left:
        raise Impossible("every Zone is Activated already", rule="4.1.3")
    others = zone_choices([zone for zone in referee.zones() if zone not in left])
    zone = await Choose("zone", "Which Zone is Activated?", "4.1.3", zone_choices(left), None, others, "Zone")
    if zone not in left:
        raise Impossible(f"Zone {zone} is Activated already", rule="4.1.3", cure="A Zone is Activated once in a game")
    await r03_basics.activate_zones(referee, [zone], "4.1.3")
    referee.set_flag(state.LATE, tuple(late for late in referee.members(state.LATE) if late != zone) or None, "14.2")


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
        if text.strip().casefold() in ("", notation.NONE, "-"):
            return notation.NONE
        zone = notation.read_zone(f"{locations}; {name} {text}")
        printed_facts.check_self_reference(number, zone)
        return " ".join(dict(zone.parts())[name]) or notation.NONE

    return Notation(name, {"door": "C", "roof": "R", "egress": "24 25"}.get(name, "15 16"), read)


async def fill_zone(referee: FuryReferee) -> None:
    """Enter one Zone in one line or part by part; contradictions with other Zones are refused unless the player insists."""
    number = str(await Number("zone", "Which Zone?", "4.1", 1, 61))
    zones = notation.zone_facts(await referee.known_facts("zone", "4.1"))
    sections = {name: notation.read_section(text) for name, text in (await referee.known_facts("section", "4.3")).items()}
    old = zones.get(number)
    hints = _stated_parts(referee, number) | printed_facts.implied_parts(number, zones, sections)
    prompt = f"Zone {number}: Locations with their arrows, C-1-2-R 1-1', and as much else as you like"
    form = printed_facts.zone_notation(number, zones, "locations")
    text = await Text("locations", prompt, "4.2.1", form, suggest=str(old) if old else hints.get("locations"))
    seen = set(printed_facts.contradictions(zones, sections))
    _check(referee, number, text, zones, sections, seen)
    for name, what, rule in _FIELDS:
        entered = notation.read_zone(text)
        if entered.is_entered(name) or (name == "streets" and entered.near) or (name == "near" and entered.streets):
            continue
        hint = hints.get(name, notation.NONE)
        offered = [Choice(option, option) for option in dict.fromkeys((hint, notation.NONE))]
        value = await Text(name, what, rule, _field(name, text.partition(";")[0], number), offered, hint)
        text += f"; {name} {value}" if value != notation.NONE else ""
        _check(referee, number, text, zones, sections, seen)
    if not notation.read_zone(text).black and printed_facts.may_be_black(number, zones):
        text += "; black" if await referee.confirm("black", "A black circle", "6.2", False) else ""
    zone = _check(referee, number, text, zones, sections, seen)
    await referee.record_fact(f"zone:{number}", str(zone), "4.1")
    if referee.position.flag(state.ZONES) and not referee.option("scenario").startswith("practice"):
        referee.record_map_fact(state.TOLD_ZONE + number, str(zone), "4.1")
    referee.say(f"Zone {number}: {zone}", "4.1")
    for name in zone.streets:
        await _fill_section(referee, name, {**zones, number: zone}, sections)


async def _fill_section(referee: FuryReferee, name: str, zones: dict[str, Zone], sections: dict[str, Section]) -> None:
    """Ask for a Street Section that is not entered yet."""
    if name in sections:
        return
    beside = " ".join(sorted((number for number, zone in zones.items() if name in zone.streets), key=int))
    before = set(printed_facts.contradictions(zones, sections))

    def faults(text: str) -> list[printed_facts.Fault]:
        now = printed_facts.contradictions(zones, {**sections, name: notation.read_section(text)})
        return [fault for fault in now if fault not in before]

    prompt = f"Street Section {name}: Zones around it; next; fire; north or south edge"
    text = await Text("section", prompt, "4.3", notation.SECTION, suggest=None if faults(beside) else beside)
    for what, rule in faults(text):
        referee.forbid(what, rule, "Correct one of the two")
    sections[name] = notation.read_section(text)
    await referee.record_fact(f"section:{name}", text, "4.3")
    if referee.position.flag(state.ZONES) and not referee.option("scenario").startswith("practice"):
        referee.record_map_fact(state.TOLD_SECTION + name, text, "4.3")


def _check(
    referee: FuryReferee, number: str, text: str, zones: dict[str, Zone], sections: dict[str, Section], seen: set[tuple[str, str]]
) -> Zone:
    """Return the Zone as entered so far; refuse contradictions that are not in ``seen``."""
    zone = printed_facts.merged_zone(number, text, {})
    for what, rule in printed_facts.contradictions({**zones, number: zone}, sections):
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
                # Neighbours at inferred Sections may still be entered from the other side.
                open_to = name == "near" and any(street in town.inferred for street in zone.streets)
                wrong = [word for word in stated if word not in have and not (open_to and word not in town.zones)]
            if wrong:
                rule = chart.cites.get(number, chart.rule)
                faults.append((f"Zone {number}, {name}: the rulebook's examples say {' '.join(stated)}", rule))
    return faults
