"""The referee of Phantom Fury: map facts, position, markers, points, questions about units."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import partial

from companion.core.charts import Chart
from companion.core.dice import count_by_name
from companion.core.errors import Impossible, NoEligiblePiece, Refused
from companion.core.hints import Any, TypeVar
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, LazyText, Printed
from companion.core.text import natural_key
from companion.games.phantomfury import state
from companion.games.phantomfury.facts import WHOLE_SECTION, contradictions, implied_parts, is_missing, zone_notation
from companion.games.phantomfury.notation import CLOSED, Section, Zone, read_section, read_zone
from companion.games.phantomfury.town import Town, entered_map, town_of

T = TypeVar("T")


def zone_choices(zones: Iterable[str]) -> list[Choice]:
    """The choices of a question for a Zone."""
    return [Choice(zone, f"Zone {zone}") for zone in zones]


def obsolete_zone_text(zone: str) -> str:
    """The warning for a Zone entered in the obsolete form ``counts`` [4.1]."""
    return f"Zone {zone} was entered as 'counts': it is asked for again when it comes up"


class MapFacts(Referee):
    """Referee mixin: the map as far as it is entered, and questions for the rest."""

    def __init__(self, position: Position, options: Mapping[str, str], charts: Mapping[str, Chart]) -> None:
        super().__init__(position, options, charts)
        self._seen: dict[Hashable, Any] = position.cache_for(options)
        self._seen_in = position

    def cached(self, what: Hashable, look: Callable[[], T]) -> T:
        """Cache a value that follows from the position; shared by all referees of that position."""
        if self._seen_in is not self.position:
            self._seen_in, self._seen = self.position, self.position.cache_for(self.options)
        value: T | None = self._seen.get(what)
        if value is None:
            value = self._seen[what] = look()
        return value

    @property
    def town(self) -> Town:
        """The map as entered in this session."""
        return self.position.cached_from_flags(town_of)

    def zones(self) -> tuple[str, ...]:
        """All Zones that count for Control: all but 27 [4.1.4, 7.1]."""
        return self.position.members(state.ZONES)

    def need_zone(self, zone: str) -> str:
        """Return the Zone. Raises Illegal if this map does not have it [4.1]."""
        if zone != CLOSED and zone not in self.zones():
            raise Impossible(f"this map has no Zone {zone}", rule="4.1", cure=f"It has: {', '.join(self.zones()[:20])}")
        return zone

    async def zone(self, number: str, rule: str) -> Zone:
        """What is printed on a Zone; asked once. Raises Illegal if the answer contradicts another Zone."""
        self.need_zone(number)
        if number not in self.town.zones:
            if self.position.flag(state.TOLD_ZONE + number) and number not in entered_map(self.position)[0]:
                cure = f"What lies in it: companion adjust new:suspect {number}-1"
                self.say(f"{obsolete_zone_text(number)}. {cure}", "4.1", tone="warning")
            form = "Locations with arrows; door, roof, adjacent, near (across its streets), egress"
            await self.complete(number, form, rule, "locations")
        return self.town.zones[number]

    async def complete(self, number: str, what: str, rule: str, needed: str) -> None:
        """Ask for a part of a Zone that a rule needs, unless it is entered. The question shows what other Zones say about it."""
        zones, sections = entered_map(self.position)
        made_up = self.option("scenario").startswith("practice") and needed != "locations"
        if made_up or not is_missing(zones.get(number), needed):
            return
        hints = "; ".join(f"{part} {words}" for part, words in implied_parts(number, zones, sections).items())
        prompt = f"Zone {number}{f' ({hints})' if hints else ''}: {what}"
        text = await Printed(f"zone:{number}", prompt, rule, zone_notation(number, zones, needed))
        self.refuse_contradictions({number: read_zone(text)}, {})
        self.record_map_fact(state.TOLD_ZONE + number, text, rule)

    def record_map_fact(self, flag: str, value: str, rule: str) -> None:
        """Record a Zone or a Street Section, and move units whose Street Section has another name now."""
        before = self.town
        self.set_flag(flag, value, rule)
        for unit in [*self.squads(), *self.tanks()]:
            name = state.section_of(unit.place)
            now = self.town.current_name(name) if name else ""
            if now != name:
                self.move(unit.id, state.street(now), "4.3", f"street {name} is street {now} now")
        self._note_late_contacts(before)

    def squads(self) -> list[Piece]:
        """The squads on the map."""
        alike = self.position.pieces_in_group
        return [*alike(state.kind_on_map, state.SQUAD), *alike(state.kind_on_map, state.IIF)]

    def tanks(self) -> list[Piece]:
        return self.position.pieces_in_group(state.kind_on_map, state.TANK)

    def _note_late_contacts(self, before: Town) -> None:
        """[14.2] Note Zones that turn out to lie beside one under USMC Control; the turn's end Activates them (ruling C-81)."""
        for zone in [zone for zone in self.zones() if state.is_controlled(self.position, zone)]:
            earlier = before.around(zone) if zone in before.zones else ()
            for other in [zone for zone in self.town.around(zone) if zone not in earlier and zone in self.zones()]:
                if state.marker_of(self.position, other) is None and other not in self.members(state.LATE):
                    self.add_member(state.LATE, other, "14.2")
                    text = f"Zone {other} lies beside Zone {zone}, which is yours: it is Activated as the turn ends"
                    self.say(f"{text}, or now: activate {other}", "14.2", tone="reminder")

    async def section(self, name: str, rule: str) -> Section:
        """The surroundings of a Street Section; asked once, then remembered."""
        if name not in self.town.sections:
            prompt = f"Street Section {name}: Zones around it; next (Sections); fire (Zones); north or south edge"
            text = await Printed(f"section:{name}", prompt, rule, WHOLE_SECTION)
            self.refuse_contradictions({}, {name: read_section(text)})
            self.record_map_fact(state.TOLD_SECTION + name, text, rule)
        return self.town.sections[name]

    def refuse_contradictions(self, zones: dict[str, Zone], sections: dict[str, Section]) -> None:
        """Refuse facts that contradict those entered before, unless the player insists."""
        printed, streets = entered_map(self.position)
        now = contradictions({**printed, **zones}, {**streets, **sections})
        before = contradictions(printed, streets) if now else ()
        cure = "If it is the other entry that is wrong: record this one anyway, then enter the other again"
        for text, rule in now:
            if (text, rule) not in before:
                self.forbid(text, rule, cure)

    async def survey(self, number: str, rule: str) -> Zone:
        """A Zone, after asking for the Street Sections at its sides, so that its Neighbours are known."""
        await self.zone(number, rule)
        await self.complete(number, "what lies across its streets (near)", rule, "near")
        zone, sections = self.town.zones[number], self.town.sections
        for name in zone.streets:
            if name not in sections:
                await self.section(name, rule)
        return zone

    async def around(self, number: str, rule: str) -> tuple[str, ...]:
        """[4.1.1, 4.1.2] The Adjacent and Neighbouring Zones of a Zone."""
        await self.survey(number, rule)
        return tuple(zone for zone in self.town.around(number) if zone != CLOSED)

    async def block(self, number: str, rule: str) -> tuple[str, ...]:
        """[4.4] The Zones of a Block without Zone 27; Zones that its extent depends on are asked for."""
        if not (await self.zone(number, rule)).block:
            while untold := [zone for zone in self.town.block(number) if zone not in (*self.town.zones, CLOSED)]:
                await self.zone(untold[0], rule)
        return tuple(zone for zone in self.town.block(number) if zone != CLOSED)


PHASES = ("Support", "Reinforcements", "Fire Combat", "Movement", "Assault", "Reorganisation")
RUINED = ("2", "2'", "R")
"""[4.1.6] The Locations that Ruins do not have."""
SUPPORT, REINFORCEMENTS, FIRE, MOVEMENT, ASSAULT, REORGANISATION = range(6)


def phase_title(position: Position) -> str:
    """The name of the current Phase [8.0]."""
    now = position.track("phase")
    return PHASES[now] if 0 <= now < len(PHASES) else str(now)


def last_turn(position: Position) -> int:
    """The last turn of the game [7.0, 15.0]."""
    turns = position.flag(state.TURNS)
    return turns if isinstance(turns, int) else 16


def _unusable(piece: Piece, rule: str) -> Impossible:
    """Why a unit of the player that is no candidate cannot be named."""
    if state.on_map(piece):
        return Impossible(f"{piece.name} is not a squad", rule=rule, cure="Name a squad")
    return Impossible(f"{piece.name} is not on the map", rule=rule, cure=f'If it is: companion adjust "{piece.name}" PLACE')


class FuryReferee(MapFacts):
    """The referee of Phantom Fury."""

    def __init__(self, position: Position, options: Mapping[str, str], charts: Mapping[str, Chart]) -> None:
        super().__init__(position, options, charts)
        self._read: dict[Hashable, Any] = {}

    def cached_chart(self, what: Hashable, read: Callable[[], T]) -> T:
        """Cache a value read from the charts."""
        value: T | None = self._read.get(what)
        if value is None:
            value = self._read[what] = read()
        return value

    def enemy_counts(self, zones: Iterable[str]) -> tuple[int, int]:
        """The numbers of (Insurgents units, Suspects) in some Zones."""
        enemies = [piece for zone in zones for piece in self.enemies_in(zone)]
        suspects = sum(piece.kind == state.SUSPECT for piece in enemies)
        return len(enemies) - suspects, suspects

    def say_lazily(self, text: LazyText, rule: str, because: Iterable[LazyText]) -> None:
        """Say texts that may be callables; they are worded only when needed."""
        worded, *reasons = (line if isinstance(line, str) else line() for line in (text, *because))
        self.say(worded, rule, *reasons)

    def enemies_text(self, zones: Iterable[str]) -> str:
        """The enemies of some Zones in words."""
        held = [(zone, enemies) for zone in zones if (enemies := self.enemies_in(zone))]
        parts = [f"Zone {zone}: {', '.join(map(state.enemy_text, enemies))}" for zone, enemies in held]
        return "; ".join(parts) or "no enemy there"

    def units(self) -> list[Piece]:
        """All units of the player, on the map or not."""
        return [piece for kind in (state.SQUAD, state.IIF, state.TANK) for piece in self.position.of_kind(kind)]

    @property
    def turn(self) -> int:
        return self.position.track("turn")

    @property
    def last_turn(self) -> int:
        return last_turn(self.position)

    def enemies_in(self, zone: str) -> list[Piece]:
        return state.enemies_in(self.position, zone)

    def squads_in(self, zone: str) -> list[Piece]:
        return state.squads_in(self.position, zone)

    def usmc_units_in(self, zone: str) -> list[Piece]:
        """The squads and M1A1s in a Zone."""
        return [*self.squads_in(zone), *self.position.pieces_in_group(state.stack_of, (state.TANK, zone))]

    def usmc_zones(self) -> set[str]:
        """The Zones with squads or M1A1s in them."""
        return {state.zone_of(piece.place) for piece in (*self.squads(), *self.tanks())}

    def enemies(self, kind: str = "") -> list[Piece]:
        """The enemy counters on the map: all, or ``guerillas``, ``martyrs``, ``suspect``."""
        alike = self.position.pieces_in_group
        enemies = [*alike(state.kind_on_map, state.INSURGENT), *alike(state.kind_on_map, state.SUSPECT)]
        return [piece for piece in enemies if state.zone_of(piece.place) and (not kind or state.kind_of(piece) == kind)]

    def enemy_at(self, where: str) -> Piece | None:
        """The enemy counter in a Location; there is at most one [12.2.1.2]."""
        return self.position.first_in_group(state.enemy_place, where)

    def fighter(self, squad: Piece) -> state.Fighter:
        """A squad with its markers as a value; without steps if it is off the map."""
        squad = self.piece(squad.id)
        strength = state.fighter(squad, state.element_of(self.position, squad) is not None)
        return strength if state.on_map(squad) else strength._replace(steps=0)

    def cf(self, squad: Piece) -> int:
        """[5.1.1.1, 5.1.5.3, 12.3.2.2] The CF of a squad now: reduced, with its Hero, without its Security Element."""
        return state.fighter(self.piece(squad.id), state.element_of(self.position, squad) is not None).now

    def is_controlled(self, zone: str) -> bool:
        return state.is_controlled(self.position, zone)

    def is_fortified(self, zone: str) -> bool:
        return state.is_fortified(self.position, zone)

    def marker_of(self, zone: str) -> Piece | None:
        return state.marker_of(self.position, zone)

    def zone_marker(self, zone: str, name: str) -> Piece | None:
        return state.zone_marker(self.position, zone, name)

    def element_of(self, squad: Piece) -> Piece | None:
        return state.element_of(self.position, squad)

    def elements_in(self, zone: str) -> list[Piece]:
        """The Security Elements in a Zone."""
        return self.position.pieces_in_group(state.stack_of, (state.ELEMENT, zone))

    def locations(self, zone: str) -> tuple[str, ...]:
        """[4.1.6] The Locations of an entered Zone that still exist: Ruins have neither 2 nor R."""
        printed = self.town.zones[zone].locations
        return tuple(location for location in printed if location not in RUINED) if zone in self.ruins() else printed

    def ruins(self) -> set[str]:
        """[4.1.6] The Ruins Zones."""
        return {state.marked_zone(piece) for piece in self.position.pieces_in_group(state.in_zone, state.RUBBLE)}

    def tank_in(self, where: str) -> Piece | None:
        return next((piece for piece in self.position.at(where) if piece.kind == state.TANK), None)

    def at_section(self, section: str) -> list[Piece]:
        return self.position.at(state.street(section))

    def unit_text(self, piece: Piece) -> str:
        """One of the player's units in words: ``Squad 4 (CF 5, 14-C)``."""
        cf = "" if piece.kind == state.TANK else f"CF {self.cf(piece)}, "
        return f"{piece.name} ({cf}{piece.place})"

    def unit_choices(self, pieces: Sequence[Piece]) -> list[Choice]:
        in_order = sorted(pieces, key=lambda piece: natural_key(state.short(piece)))
        return [Choice(state.short(piece), piece.name, partial(self.unit_state, piece)) for piece in in_order]

    def unit_state(self, piece: Piece) -> str:
        """The state of a unit for a list of choices."""
        words = [piece.place] if piece.kind == state.TANK else [piece.place, f"CF {self.cf(piece)}"]
        words += [f"CAAT ammo {piece.mark('ammo', 0)}"] if piece.mark(state.CAAT) else []
        words += [name for name in ("fired", "pinned") if piece.mark(name)]
        return ", ".join(words)

    def put_marker(self, name: str, zone: str, rule: str, why: str) -> str:
        """Put a marker into a Zone, a spare one if there is any. Returns its id."""
        spare = next((piece for piece in self.position.at(state.OFF) if piece.name == name and piece.kind == state.MARKER), None)
        if spare:
            self.flip(spare.id, "front", rule)
            self.move(spare.id, state.box(zone), rule, why)
            return spare.id
        return self.make(state.MARKER, name, state.box(zone), rule, why)

    def take_marker(self, name: str, zone: str, rule: str, why: str) -> None:
        """Remove a marker from a Zone, if it is there."""
        if marker := self.zone_marker(zone, name):
            self.move(marker.id, state.OFF, rule, why)

    def take_control(self, zone: str, rule: str, why: str) -> None:
        """[14.1.1] Put a Zone under USMC Control; its Fanaticism ends [13.4.3.3]."""
        marker = self.marker_of(zone)
        made = marker.id if marker else self.make(state.CONTROL, state.PLAIN, state.box(zone), rule)
        self.flip(made, state.USMC, rule, why)
        self.take_marker(state.FANATICISM, zone, "13.4.3.3", "the Zone is under USMC Control")

    def lose_control(self, zone: str, rule: str, why: str) -> None:
        """Return a Zone to the insurgents [13.6.3, 14.4.1]."""
        if marker := self.marker_of(zone):
            self.flip(marker.id, "front", rule, why)

    def after_element_removed(self, zone: str) -> None:
        """[13.6.4] Remove the No Insurgents Event marker of a Zone without a Security Element."""
        if not self.elements_in(zone):
            self.take_marker(state.NO_EVENT, zone, "13.6.4", "no Security Element is left in the Zone")

    def near_fury(self, zone: str) -> bool:
        """[13.4.3.2] True if a Phantom Fury marker is in the Zone, an Adjacent or a Neighbouring one."""
        return any(self.zone_marker(other, state.FURY) for other in (zone, *self.town.around(zone)))

    def item_points(self, item: str) -> int:
        """[7.2.1] The Victory Points of an item of the chart of points."""
        return self.chart("points").number(item, "vp")

    def points(self, item: str, rule: str, why: str, count: int = 1) -> None:
        """[7.2.1] Score an item of the chart of points."""
        tally = self.position.flag(state.TALLY + item)
        self.set_flag(state.TALLY + item, (tally if isinstance(tally, int) else 0) + count, rule)
        self.shift_track("vp", self.item_points(item) * count, rule, why)

    def cup(self, name: str) -> Mapping[str, int]:
        """The counters in a cup by name; pieces that do not belong there are not drawn."""

        def look() -> Mapping[str, int]:
            return count_by_name([piece for piece in self.position.at(name) if piece.kind == state.CUPS[name]])

        return self.cached(("cup", name), look)

    def take_from(self, cup: str, name: str, where: str, rule: str, why: str = "") -> Piece:
        """Move a counter of that name from its cup. If the cup should not hold one, it is made: the player has it in hand."""
        held = next((piece for piece in self.position.at(cup) if piece.name == name), None)
        if held is None:
            held = self.piece(self.make(state.CUPS[cup], name, cup, rule, "not expected in the cup"))
        self.move(held.id, where, rule, why)
        return self.piece(held.id)

    async def ask_unit(
        self, key: str, prompt: str, rule: str, units: Sequence[Piece], barred: Callable[[Piece], tuple[str, str] | None]
    ) -> Piece:
        """Ask for one of the player's units; a barred one is refused unless the player insists. Raises Illegal if all are."""
        refused = {piece.id: why for piece in units if (why := barred(piece)) is not None}
        able = [piece for piece in units if piece.id not in refused] or self._refuse_all(key, units, refused, rule)
        fit = {piece.id for piece in able}

        def others() -> list[Choice]:  # also those off the map, so that their names are not read as those of able units
            everyone = {piece.id: piece for piece in (*units, *self.units())}
            return self.unit_choices([piece for piece in everyone.values() if piece.id not in fit])

        answer = await Choose(key, prompt, rule, lambda: self.unit_choices(able), None, others, "unit")
        chosen = next((piece for piece in units if state.short(piece) == answer), None)
        if chosen is None:
            raise _unusable(next(piece for piece in self.units() if state.short(piece) == answer), rule)
        if chosen.id in refused:
            self.forbid(*refused[chosen.id], "Another unit can" if len(refused) < len(units) else "")
        return self.piece(chosen.id)

    def _refuse_all(self, key: str, units: Sequence[Piece], refused: Mapping[str, tuple[str, str]], rule: str) -> Sequence[Piece]:
        """Refuse because no unit is able; a player who insists may name any unit on the map."""
        if not units:
            raise Impossible("no unit of yours is on the map", rule=rule)
        units = sorted(units, key=lambda piece: natural_key(state.short(piece)))
        why, by = refused[units[0].id]
        if self.anyway:
            self.forbid(why, by)
            return units
        reasons = list(dict.fromkeys(refused[piece.id][0] for piece in units))
        more = f"; and {len(reasons) - 2} more reasons" if len(reasons) > 3 else ""
        shown = "; ".join(reasons[: 2 if more else 3])

        def each() -> list[Refused]:
            why: dict[str, tuple[str, str] | Impossible] = {
                **{piece.id: _unusable(piece, rule) for piece in self.units()},
                **refused,
            }
            return [((state.short(piece), piece.name), why[piece.id]) for piece in (*units, *self.units())]

        raise NoEligiblePiece(f"no unit can do that: {shown}{more}" if len(units) > 1 else why, key, each, rule=by)

    def begin(self, phase: int) -> None:
        """[8.0] Advance to a Phase; earlier Phases end. Never goes back."""
        if self.position.track("phase") < phase:
            self.set_track("phase", phase, "8.0", "")

    def no_movement(self, unit: Piece) -> tuple[str, str] | None:
        """[12.1.1] Why a unit cannot move any more this turn: (why, rule)."""
        if state.short(unit) in self.members(state.MOVED):
            return f"{unit.name} has moved this turn", "12.1.1"
        if unit.mark(state.PINNED):
            return f"{unit.name} is Pinned", "11.5"
        return (f"{unit.name} has Fired", "11.3") if unit.mark(state.FIRED) else None

    def enemy_places_text(self, pieces: Iterable[Piece]) -> str:
        """Enemy counters with their places: ``Guerillas CF 2 at 15-R``."""
        return ", ".join(f"{state.enemy_text(piece)} at {piece.place}" for piece in pieces) or "none"
