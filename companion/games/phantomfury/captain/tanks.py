"""M1A1s as the captain uses them: they fire, or go where squads will cross and where there is something to fire at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.phantomfury.captain.sight import Option, Sight
from companion.games.phantomfury.notation.counters import short
from companion.games.phantomfury.notation.zones import MOSQUE
from companion.games.phantomfury.rules.r11_shots import street_at
from companion.games.phantomfury.state import FIRED, SQUAD, location_of, section_of, street

USUAL = 2
"""Movement Points that an M1A1 has in most turns [12.6.1]."""
AIM, ACROSS = 0.3, 1.0
"""A target for the next turn, and a squad that gets across a street, in VP."""


def tank_options(sight: Sight) -> Iterator[Option]:
    """[12.6] An M1A1 that has not Fired goes on where another street is better."""
    referee = sight.referee
    for tank in referee.tanks():
        if referee.held(tank) is not None or tank.mark(FIRED):
            continue
        better = gain_of_moving(sight, tank)
        if better > 0 or _called(sight, tank):
            why = "to cover the squads that cross [11.4.2.2]"
            yield Option(max(better, AIM), PlannedAction("move", {"unit": short(tank)}), f"{tank.name} moves", why)


def gain_of_moving(sight: Sight, tank: Piece) -> float:
    """What an M1A1 does more in the best street that it is likely to reach, than where it is."""
    here = section_of(tank.place)
    return max((use(sight, name, tank) for name in _near(sight, here)), default=0.0) - use(sight, here, tank)


def _near(sight: Sight, section: str) -> set[str]:
    """[12.6.1] The Street Sections within a usual movement."""
    told = sight.referee.town.sections
    found = {section}
    for _ in range(USUAL):
        found |= {two for one in found if one in told for two in told[one].next}
    return found


def use(sight: Sight, section: str, tank: Piece) -> float:
    """[11.4.2.2, 11.1.3] What an M1A1 does in a street, in VP: squads that it covers as they cross, and targets not on roofs."""
    referee = sight.referee
    told = referee.town.sections.get(section)
    if told is None or not any(zone in sight.ours for zone in told.zones):
        return 0.0
    other = referee.tank_in(street(section))
    if other is not None and other.id != tank.id:
        return 0.0
    return _cover(sight, section) + AIM * min(_aims(sight, section), 2) + 0.1 * (MOSQUE in _free(sight, section))


def _free(sight: Sight, section: str) -> list[str]:
    """[11.1] The Zones beside a street that can be fired into."""
    return [zone for zone in sight.referee.town.sections[section].beside if zone not in sight.ours and not sight.held(zone)]


def _aims(sight: Sight, section: str) -> int:
    """[11.1.3] The targets that an M1A1 has from a street: those on roofs it cannot fire at."""
    return sum(location_of(one.place) != "R" for zone in _free(sight, section) for one in sight.referee.enemies_in(zone))


def duties(sight: Sight, section: str) -> str:
    """The use of an M1A1 in a street, in words."""
    cover, aims = _cover(sight, section), _aims(sight, section)
    if not cover and not aims:
        return "nobody to cover there yet [11.4.2.2], and nothing to fire at [11.1.3]"
    return f"{cover:+.1f} VP for the squads that cross it [11.4.2.2]; {plural(aims, 'target')} for its fire [11.1.3]"


def _cover(sight: Sight, section: str) -> float:
    """[11.4.2] What the squads beside a street are spared as they cross it, up to as many as there are Zones to enter."""
    referee = sight.referee
    zones = referee.town.sections[section].zones
    goals = [zone for zone in zones if zone not in sight.ours and not sight.held(zone) and zone != MOSQUE]
    squads = [one for zone in zones if zone in sight.ours for one in referee.squads_in(zone) if one.kind == SQUAD]
    return sum(_spared(sight, squad, section) for squad in squads[: len(goals)])


def _spared(sight: Sight, squad: Piece, section: str) -> float:
    bare, covered = (
        sight.estimates.crossing(sight.referee.fighter(squad), street_at(sight.referee, section)._replace(tank=one))
        for one in (False, True)
    )
    return sight.toll(bare) - sight.toll(covered) + ACROSS * (covered.good - bare.good)


def _called(sight: Sight, tank: Piece) -> Mapping[str, int]:
    """How many Street Sections it is from each to the one where an M1A1 that has nothing to do where it is would do most."""
    told = sight.referee.town.sections
    uses = {name: use(sight, name, tank) for name in told} if use(sight, section_of(tank.place), tank) <= 0 else {}
    best = max(uses, key=lambda one: uses[one], default="")
    if not best or uses[best] <= 0:
        return {}
    found = {best: 0}
    edge = [best]
    for here in edge:  # it grows on the way
        for there in told[here].next:
            if there in told and there not in found:
                found[there] = found[here] + 1
                edge.append(there)
    return found if found.get(section_of(tank.place), 0) > 0 else {}


def tank_goal(sight: Sight, tank: Piece, typed: Sequence[str]) -> str | None:
    """Of the places that an M1A1 can end in, as they are typed, the best, or the nearest to it; None where none is better than
    where it is.
    """
    here = use(sight, section_of(tank.place), tank)
    found = {one: use(sight, one, tank) for one in typed if one in sight.referee.town.sections}
    better = max(found, key=lambda one: found[one], default="")
    if better and found[better] > here:
        return better
    far = _called(sight, tank)
    near = min((one for one in found if one in far), key=lambda one: far[one], default="")
    return near if near and far[near] < far[section_of(tank.place)] else None
