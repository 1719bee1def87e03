"""Movement as the captain weighs it: into Zones of the insurgents, within them, and among his own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.phantomfury.captain.fights import OPEN, best_from
from companion.games.phantomfury.captain.sight import LOST_WAY, Option, Sight, approach
from companion.games.phantomfury.notation.counters import short
from companion.games.phantomfury.notation.zones import MOSQUE
from companion.games.phantomfury.rules.r11_shots import street_at
from companion.games.phantomfury.rules.r12_defence import defenders, entry_at
from companion.games.phantomfury.rules.r13_scenes import scene_of
from companion.games.phantomfury.state import IIF, REDUCED, location_of, section_of, zone_of

WORTHWHILE = 0.08
"""What a movement must be worth at least."""
WEAK = 0.6
"""What is left of the worth of a Zone with a reduced squad in it, which others cannot fire into as long as it stays [11.1]."""
RELIEF = 0.3
"""What is left of the loss of Zones that lie open, where another squad can come there."""
ROOM = 3.0
"""[12.2.2] A Location that a squad leaves to another: until somebody does, the Movement Phase cannot end."""
NEARER = 0.03
"""A Movement Point nearer to where squads are wanted, for an IIF squad to the mosque: of the worth of a Zone, so much."""
ROOF = 0.1
"""On a roof beside a Zone of the insurgents, from where it can be flooded."""


class Risk(NamedTuple):
    """What a way costs: the chance to get there unhindered, and losses in VP, with the chances in words."""

    good: float
    cost: float
    why: tuple[str, ...] = ()


Prospect = tuple[Risk, float, str]
"""The risk of a way into a Zone, what the Zone is worth once the squad is there, and why."""


def move_options(sight: Sight) -> Iterator[Option]:
    """[12.0] What each squad can do among the insurgents; if that is not worth it, what it can do among our own Zones."""
    free = [one for one in sight.squads if sight.referee.held(one) is None]
    forward = [one for squad in free for one in forward_options(sight, squad)]
    yield from forward
    if not any(one.value > WORTHWHILE for one in forward):
        for squad in free:
            yield from post_options(sight, squad)


def forward_options(sight: Sight, squad: Piece) -> Iterator[Option]:
    """Into a Zone of the insurgents, or within it."""
    zone = zone_of(squad.place)
    if zone and zone not in sight.ours:
        yield from _inside(sight, squad, sight.ways(squad))
        return
    for goal, seen in prospects(sight, squad).items():
        yield _into(sight, squad, goal, seen)


def _patient(sight: Sight, zone: str) -> bool:
    """[11.1, 5.1.6.2] Whether a Zone is better fired at than entered: the mosque, until the last turn."""
    return zone == MOSQUE and sight.enemies(zone) > 0 and sight.turns > 1


def post_options(sight: Sight, squad: Piece) -> Iterator[Option]:
    """Among our own Zones."""
    if zone_of(squad.place) in sight.ours or not zone_of(squad.place):
        for goal, way in sight.ways(squad).items():
            if zone_of(goal) in sight.ours and not _taken(sight, squad, goal):
                yield _among(sight, squad, goal, way)


def advances(sight: Sight, squad: Piece) -> dict[str, float]:
    """What a squad could make of each Zone of the insurgents that it can enter this turn."""
    zone = zone_of(squad.place)
    if not zone or zone not in sight.ours or sight.referee.held(squad):
        return {}
    key = "advances", squad.id, tuple(squad.marks.items()), sight.turns, sight.laid
    return sight.on_board(key, lambda: _advances(sight, squad))


def _advances(sight: Sight, squad: Piece) -> dict[str, float]:
    best: dict[str, float] = {}
    for goal, seen in prospects(sight, squad).items():
        there = zone_of(goal)
        best[there] = max(best.get(there, 0.0), _into(sight, squad, goal, seen).value)
    return best


def _order(squad: Piece, goal: str) -> PlannedAction:
    return PlannedAction("move", {"unit": short(squad), "to": goal})


def _taken(sight: Sight, squad: Piece, goal: str) -> bool:
    """[12.2.2] Whether a squad stands there already."""
    return any(one.place == goal and one.id != squad.id for one in sight.squads)


def risk(sight: Sight, squad: Piece, way: list[str]) -> Risk:
    """[12.5.2, 12.7] What happens on a way: Sniper Attacks in streets, Defensive Fire in Courtyards and Open Ground."""
    referee, found = sight.referee, Risk(1.0, 0.0)
    for where in way:
        section, zone = section_of(where), zone_of(where)
        if section:
            street = street_at(referee, section)
            fate = sight.estimates.crossing(referee.fighter(squad), street)
            if street.units or street.suspects:
                found = _after(found, fate.good, sight.toll(fate), f"street {section} unharmed {fate.good:.0%} [12.5.2]")
        elif zone not in sight.ours and location_of(where) in ("C", "OG"):
            foes = defenders(referee, zone)
            if foes:
                fate = sight.estimates.entry(referee, scene_of(referee, squad, foes), entry_at(referee, squad, where))
                found = _after(found, fate.good, sight.toll(fate), f"goes on after Defensive Fire {fate.good:.0%} [12.7]")
    return found


def _after(before: Risk, good: float, cost: float, why: str) -> Risk:
    return Risk(before.good * good, before.cost + before.good * cost, (*before.why, why))


def _into(sight: Sight, squad: Piece, goal: str, seen: Prospect) -> Option:
    """Into a Zone of the insurgents, with the Assault that can follow."""
    met, after, why = seen
    value = met.good * (after - sight.begun(zone_of(goal))) - met.cost - _opening(sight, squad, goal)
    return Option(value, _order(squad, goal), f"{squad.name} enters {goal}", told(met, why))


def _opening(sight: Sight, squad: Piece, goal: str) -> float:
    """[14.4] What it costs that Zones of ours lie open once a squad has gone; little where another can come in its place."""
    opened = sight.left_open(squad, goal)
    spared = RELIEF if opened > 0 and _relieved(sight, squad) else 1.0
    return OPEN * sight.price * opened * spared


def _relieved(sight: Sight, squad: Piece) -> bool:
    """Whether another squad, that nothing holds where it is, can come this turn to where one leaves, and no gap waits for it."""
    zone = zone_of(squad.place)
    if sight.gaps(zone):
        return False
    others = [
        one for one in sight.squads if one.id != squad.id and zone_of(one.place) in sight.ours and not sight.referee.held(one)
    ]
    return any(_can_come(sight, one, zone) for one in others)


def _can_come(sight: Sight, squad: Piece, zone: str) -> bool:
    there = next((goal for goal in sight.ways(squad) if zone_of(goal) == zone), "") if zone_of(squad.place) != zone else ""
    return bool(there) and sight.left_open(squad, there) <= 0


def prospects(sight: Sight, squad: Piece) -> dict[str, Prospect]:
    """What a squad can make of each place that it can enter among the insurgents."""

    def look() -> dict[str, Prospect]:
        goals = [one for one in sight.ways(squad) if zone_of(one) not in sight.ours and not _patient(sight, zone_of(one))]
        return {goal: _prospect(sight, squad, goal, sight.ways(squad)[goal]) for goal in goals}

    return sight.nearby("prospects", squad, look)


def _prospect(sight: Sight, squad: Piece, goal: str, way: list[str]) -> Prospect:
    if sight.enemies(zone_of(goal)):
        return risk(sight, squad, way), *best_from(sight, squad, goal)
    return risk(sight, squad, way), sight.hold(zone_of(goal)), "it is empty and will be taken [14.1.1]"


def told(met: Risk, why: str) -> str:
    """The chances on the way, and those of what follows."""
    return "; ".join([*met.why, *([why] if why else [])])


def _inside(sight: Sight, squad: Piece, found: dict[str, list[str]]) -> Iterator[Option]:
    """[12.4.3] A squad in a Zone of the insurgents: where it Assaults best from; reduced, it may take cover."""
    here = best_from(sight, squad, squad.place)[0]
    for goal, way in found.items():
        met = risk(sight, squad, way)
        if zone_of(goal) == zone_of(squad.place):
            after, why = best_from(sight, squad, goal)
            name = f"{squad.name} moves to {goal}"
            yield Option(met.good * (after - here) - met.cost, _order(squad, goal), name, told(met, why))
        elif squad.face == REDUCED and not _taken(sight, squad, goal):
            why = f"where it is, it is worth {here:+.1f} VP [12.4.3]"
            value = sight.begun(zone_of(squad.place)) - WEAK * here - met.cost
            yield Option(value, _order(squad, goal), f"{squad.name} takes cover at {goal}", why)


def _among(sight: Sight, squad: Piece, goal: str, way: list[str]) -> Option:
    """Among Zones of ours: to close one that could be infiltrated, and nearer to the insurgents."""
    met, closed = risk(sight, squad, way), -sight.left_open(squad, goal)
    nearer = _nearer(sight, squad, goal)
    better = NEARER * sight.price * nearer + _post(sight, squad, goal) - _post(sight, squad, squad.place)
    value = met.good * (OPEN * sight.price * closed + better) - met.cost
    crowded = any(one.place == squad.place and one.id != squad.id for one in sight.squads)
    why = f"{plural(closed, 'Zone')} less can be infiltrated [14.4]" if closed > 0 else _why_nearer(nearer)
    why = "to make room for another squad [12.2.2]" if crowded else why
    return Option(value + (ROOM if crowded else 0.0), _order(squad, goal), f"{squad.name} moves to {goal}", why)


def _why_nearer(nearer: float) -> str:
    """What a place is better for than another, in words."""
    if nearer > LOST_WAY / 2:
        return "a way leads on from there [12.4.1]"
    if nearer > 0:
        return f"{nearer:g} Movement Point{'' if nearer == 1 else 's'} nearer to where it is wanted [12.3.1]"
    return "from there it can go on next turn [12.4.1]"


def _nearer(sight: Sight, squad: Piece, goal: str) -> float:
    """By how many Movement Points a place is nearer to the insurgents: for an IIF squad to the mosque."""
    if squad.kind == IIF:
        far = approach(sight.referee.town, MOSQUE, sight.ours)
        return float(far.get(squad.place, LOST_WAY) - far.get(goal, LOST_WAY))
    return sight.march(squad.place) - sight.march(goal)


def _post(sight: Sight, squad: Piece, where: str) -> float:
    """What a Location is good for next turn: a roof beside a Zone to be flooded, a door for a street."""
    zone, town = zone_of(where), sight.referee.town
    if zone not in town.zones:
        return 0.0
    beside = [one for one in town.adjacent(zone) if one not in sight.ours and one != MOSQUE]
    if location_of(where) == "R" and any(zone_of(one) in beside for one in town.next_to(where)):
        return ROOF
    return ROOF / 2 if location_of(where) in town.zones[zone].doors and not beside else 0.0
