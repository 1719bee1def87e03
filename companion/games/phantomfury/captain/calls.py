"""Missions and Reinforcements as the captain calls for them."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.games.phantomfury.captain.fights import SHOWN
from companion.games.phantomfury.captain.sight import Option, Sight
from companion.games.phantomfury.captain.worth import begun, firm, hope
from companion.games.phantomfury.notation.counters import short
from companion.games.phantomfury.rules.r09_missions import missions_left, unfit
from companion.games.phantomfury.rules.r10_reinforcements import cannot_come, entry_zones, tank_sections
from companion.games.phantomfury.state import (
    ARMOUR,
    BATTALION,
    COMPANY,
    IRAQI,
    MISSIONS,
    SUPPORT_OVER,
    SUSPECT,
    TANK,
    fortified,
    marker_of,
    place,
)

REACTION = 0.8
"""[9.4.1] What a Reaction of the insurgents costs on the average, in VP."""
UNMASKED = 0.55
"""[5.3.3] Of the Suspects that a UAV finds, so many are gone."""
FAR = 0.05
"""What a squad is worth less for each Movement Point from where it comes in to where it is wanted."""
HARD = 0.5
"""An enemy that will not give way."""


def mission_options(sight: Sight) -> Iterator[Option]:
    """[9.0] Each Mission where it does most, from turn 2 on: in the first the squads are among the insurgents."""
    referee = sight.referee
    if referee.turn < 2 or referee.position.flag(SUPPORT_OVER):
        return
    for which, targets in (("uav", _watched), ("ah1w", _struck), ("fa18", _bombed)):
        if missions_left(referee, which) > 0:
            found = max(targets(sight), key=lambda one: one[0], default=(0.0, ""))
            if found[1]:
                yield _call(sight, which, *found)


def _call(sight: Sight, which: str, gain: float, zones: str) -> Option:
    referee = sight.referee
    good = sight.estimates.mission(referee, which)
    name = f"{MISSIONS[which]} on Zone{'s' if ',' in zones else ''} {zones.replace(',', ' and ')}"
    why = f"it comes with {good:.0%}, and brings {gain:.1f} VP; else a Reaction [9.1]"
    return Option(good * gain - (1 - good) * REACTION, PlannedAction("mission", {"mission": which, "zones": zones}), name, why)


def _front(sight: Sight, zone: str) -> bool:
    """Whether a Zone lies beside one of ours."""
    return any(one in sight.ours for one in sight.referee.town.around(zone))


def _fit(sight: Sight, which: str) -> list[str]:
    return [
        zone for zone in sight.referee.zones() if zone in sight.referee.town.zones and unfit(sight.referee, which, zone) is None
    ]


def _watched(sight: Sight) -> Iterator[tuple[float, str]]:
    """Two Zones of the front with Suspects, next to each other."""
    referee = sight.referee
    known = {zone: _unmasked(sight, zone) for zone in _fit(sight, "uav") if _front(sight, zone)}
    for zone, gain in known.items():
        yield gain, zone
        for other in referee.town.around(zone):
            if other in known:
                yield gain + known[other], f"{zone},{other}"


def _unmasked(sight: Sight, zone: str) -> float:
    referee = sight.referee
    if fortified(referee.position, zone) or not marker_of(referee.position, zone):
        return 0.0
    suspects = [one for one in referee.enemies_in(zone) if one.kind == SUSPECT]
    return UNMASKED * (sight.begun(zone, *suspects) - sight.begun(zone) + SHOWN * len(suspects))


def _struck(sight: Sight) -> Iterator[tuple[float, str]]:
    """A Zone of the front with two that are hard to deal with."""
    referee = sight.referee
    for zone in _fit(sight, "ah1w"):
        if _front(sight, zone):
            strong = fortified(referee.position, zone)
            worst = sorted(referee.enemies_in(zone), key=lambda one: not firm(one, strong))[:2]
            yield sight.begun(zone, *worst) - sight.begun(zone) + HARD * sum(firm(one, strong) for one in worst), zone


def _bombed(sight: Sight) -> Iterator[tuple[float, str]]:
    """A Zone farther off, best one of which it is known that it is Fortified."""
    for zone in _fit(sight, "fa18"):
        strong = fortified(sight.referee.position, zone) and bool(marker_of(sight.referee.position, zone))
        empty = sight.price * begun(0, 0, sight.turns)
        yield empty - sight.begun(zone) + strong - 0.01 * sight.far_from_us.get(zone, 9), zone


# -- Reinforcements ----------------------------------------------------------------------------------------------------


def reinforcement_options(sight: Sight) -> Iterator[Option]:
    """[10.0] Everybody who can come, each to the start Zone with room from where it is nearest to where a squad is wanted."""
    referee = sight.referee
    waiting = [one for box in (ARMOUR, COMPANY, IRAQI, BATTALION) for one in referee.position.at(box)]
    for unit in waiting:
        if cannot_come(referee, unit, 0) is None and (unit.place != BATTALION or _needed(sight)):
            yield from _come(sight, unit)


def _needed(sight: Sight) -> bool:
    """[10.3] Whether a squad of the Battalion is worth its 2 VP: with full hope, and more Zones left than squads need."""
    wanted = sight.left > len(sight.squads) / 2 and hope(sight.left, sight.turns) == 1.0
    return sight.referee.option("variant") == "on" or wanted


def _come(sight: Sight, unit: Piece) -> Iterator[Option]:
    referee = sight.referee
    name = f"{unit.name} comes in"
    if unit.kind == TANK:
        if tank_sections(referee):
            yield Option(
                3.0, PlannedAction("reinforce", {"units": [short(unit)]}), name, "an M1A1 covers those who cross [11.4.2.2]"
            )
        return
    zones = [zone for zone in entry_zones(referee) if not _crowded(sight, zone)]
    if zones:
        marches = {one: _march(sight, one) for one in zones}
        zone = min(zones, key=lambda one: (marches[one], len(referee.squads_in(one))))
        plan = PlannedAction("reinforce", {"units": [short(unit)], "zone": zone})
        why = "it costs 2 VP [7.2.1], and clears Zones" if unit.place == BATTALION else "one squad more to clear Zones [10.1]"
        yield Option(2.0 - FAR * marches[zone], plan, f"{name} at Zone {zone}", why)


def _march(sight: Sight, zone: str) -> float:
    """How far it is from where one comes in to where a squad is wanted."""
    told = sight.referee.town.zones.get(zone)
    return min((sight.march(place(zone, door)) for door in told.doors), default=0.0) if told else 0.0


def _crowded(sight: Sight, zone: str) -> bool:
    """[12.2.2] Whether there would be no room to move on to: those at its entry can part until the Movement Phase ends."""
    return len(sight.referee.squads_in(zone)) >= len(sight.referee.locations(zone)) - 1
