"""[4.1.4] A list of the Zones: Control, nature, markers, units."""

from __future__ import annotations

from companion.core.text import plural
from companion.games.phantomfury.names import FANATICISM, FURY, NO_EVENT, RUBBLE, TANK
from companion.games.phantomfury.pieces import controlled, fortified, marker_of
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.words.counters import enemy_text
from companion.games.phantomfury.words.town import box, location_of, section_of


async def look(referee: Fury) -> None:
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


def zone_line(referee: Fury, zone: str) -> str:
    """A Zone in one line: ``Zone 14, Normal, insurgents: Guerillas CF 2 at 1; Squad 4 (CF 5) at C``."""
    side = "USMC" if controlled(referee.position, zone) else "insurgents"
    nature = "Fortified" if fortified(referee.position, zone) else "Normal"
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
