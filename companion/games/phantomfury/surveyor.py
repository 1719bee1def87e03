"""The referee of Phantom Fury as far as the map goes: what is told of it, what is asked, and what follows from what is told."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import Any, TypeVar

from companion.core.charts import Chart
from companion.core.errors import Impossible
from companion.core.position import Piece, Position
from companion.core.referee import Referee
from companion.core.requests import Printed
from companion.games.phantomfury import names
from companion.games.phantomfury.pieces import controlled, marker_of, out_there
from companion.games.phantomfury.words.contradictions import contradictions
from companion.games.phantomfury.words.lines import WHOLE_SECTION, hearsay, lacks, zone_notation
from companion.games.phantomfury.words.town import Town, section_of, street, told_to, town_of
from companion.games.phantomfury.words.zones import CLOSED, Section, Zone, read_section, read_zone

T = TypeVar("T")


def outdated(zone: str) -> str:
    """The warning for a Zone entered in the obsolete form ``counts`` [4.1]."""
    return f"Zone {zone} was entered as 'counts': it is asked for again when it comes up"


class Surveyor(Referee):
    """Referee mixin: the map as far as it is entered, and questions for the rest."""

    def __init__(self, position: Position, options: Mapping[str, str], charts: Mapping[str, Chart]) -> None:
        super().__init__(position, options, charts)
        self._seen: dict[Hashable, Any] = position.cache_for(options)
        self._seen_in = position

    def seen(self, what: Hashable, look: Callable[[], T]) -> T:
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
        return self.position.members(names.ZONES)

    def need_zone(self, zone: str) -> str:
        """Return the Zone if this map has it.

        Raises:
            Illegal: It does not [4.1].
        """
        if zone != CLOSED and zone not in self.zones():
            raise Impossible(f"this map has no Zone {zone}", rule="4.1", cure=f"It has: {', '.join(self.zones()[:20])}")
        return zone

    async def zone(self, number: str, rule: str) -> Zone:
        """What is printed on a Zone; asked once, then remembered.

        Raises:
            Illegal: The answer contradicts another Zone, and the player did not insist.
        """
        self.need_zone(number)
        if number not in self.town.zones:
            if self.position.flag(names.TOLD_ZONE + number) and number not in told_to(self.position)[0]:
                cure = f"What lies in it: companion adjust new:suspect {number}-1"
                self.say(f"{outdated(number)}. {cure}", "4.1", tone="warning")
            await self.complete(
                number, "Locations with arrows; door, roof, adjacent, near (across its streets), egress", rule, "locations"
            )
        return self.town.zones[number]

    async def complete(self, number: str, what: str, rule: str, needed: str) -> None:
        """Ask for a part of a Zone that a rule needs, unless it is entered. The question shows what other Zones say about it."""
        zones, sections = told_to(self.position)
        made_up = self.option("scenario").startswith("practice") and needed != "locations"
        if made_up or not lacks(zones.get(number), needed):
            return
        hints = "; ".join(f"{part} {words}" for part, words in hearsay(number, zones, sections).items())
        prompt = f"Zone {number}{f' ({hints})' if hints else ''}: {what}"
        text = await Printed(f"zone:{number}", prompt, rule, zone_notation(number, zones, needed))
        self.refuse_contradictions({number: read_zone(text)}, {})
        self.tell_of(names.TOLD_ZONE + number, text, rule)

    def tell_of(self, flag: str, value: str, rule: str) -> None:
        """Record a Zone or a Street Section and update the pieces on the map accordingly."""
        before = self.town
        self.set_flag(flag, value, rule)
        self._renamed()
        self._come_late(before)

    def _renamed(self) -> None:
        """Move units whose Street Section has another name now."""
        for unit in self._outside():
            name = section_of(unit.place)
            now = self.town.called(name) if name else ""
            if now != name:
                self.move(unit.id, street(now), "4.3", f"street {name} is street {now} now")

    def _outside(self) -> list[Piece]:
        return [
            piece for kind in (names.SQUAD, names.IIF, names.TANK) for piece in self.position.pieces_in_group(out_there, kind)
        ]

    def _come_late(self, before: Town) -> None:
        """[14.2] Note Zones that turn out to lie beside one under USMC Control; they are Activated as the turn ends (ruling
        C-81).
        """
        for zone in [zone for zone in self.zones() if controlled(self.position, zone)]:
            earlier = before.around(zone) if zone in before.zones else ()
            for other in [zone for zone in self.town.around(zone) if zone not in earlier and zone in self.zones()]:
                if marker_of(self.position, other) is None and other not in self.members(names.LATE):
                    self.add_member(names.LATE, other, "14.2")
                    text = f"Zone {other} lies beside Zone {zone}, which is yours: it is Activated as the turn ends"
                    self.say(f"{text}, or now: activate {other}", "14.2", tone="reminder")

    async def section(self, name: str, rule: str) -> Section:
        """The surroundings of a Street Section; asked once, then remembered."""
        if name not in self.town.sections:
            prompt = f"Street Section {name}: Zones around it; next (Sections); fire (Zones); north or south edge"
            text = await Printed(f"section:{name}", prompt, rule, WHOLE_SECTION)
            self.refuse_contradictions({}, {name: read_section(text)})
            self.tell_of(names.TOLD_SECTION + name, text, rule)
        return self.town.sections[name]

    def refuse_contradictions(self, zones: dict[str, Zone], sections: dict[str, Section]) -> None:
        """Refuse facts that contradict those entered before, unless the player insists."""
        printed, streets = told_to(self.position)
        now = contradictions({**printed, **zones}, {**streets, **sections})
        before = contradictions(printed, streets) if now else ()
        for text, rule in now:
            if (text, rule) not in before:
                self.forbid(
                    text, rule, "If the other one is wrong: companion adjust fact:zone:N or fact:section:NAME, to what is printed"
                )

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
