"""[4.1.3, 4.1.4, 5.3.2] Actions that match the board: who Controls a Zone, a Suspect, an Activated Zone."""

from __future__ import annotations

from collections.abc import Iterable

from companion.core.errors import Impossible
from companion.core.notation import Notation
from companion.core.requests import Choice, Choose, Text
from companion.games.phantomfury.byhand import HOLDERS, hold
from companion.games.phantomfury.names import LATE, SUSPECTS_CUP
from companion.games.phantomfury.pieces import marker_of
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r05_suspects import activate_zone, draw_marker
from companion.games.phantomfury.words.town import location_of, read_place, zone_of

_PLACE = Notation("Location", "14-2", read_place)


async def control(referee: Fury) -> None:
    """[4.1.4] Set who Controls a Zone: ``control 5 usmc``."""
    zone = await Choose("zone", "Control of which Zone?", "4.1.4", _named(referee.zones()), what="Zone")
    who = await referee.choose("who", f"Who Controls Zone {zone}?", "4.1.4", [Choice(holder, holder) for holder in HOLDERS])
    hold(referee, zone, who, "by hand")


async def suspect(referee: Fury) -> None:
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
    referee.move(marker.id, where, "5.3.2", "by hand")


async def activate(referee: Fury) -> None:
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
