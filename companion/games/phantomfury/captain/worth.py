"""What a position is worth to the captain, in Victory Points: those that count [7.2.1], and a valuation of ours for the rest."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from companion.core.position import Piece, Position
from companion.games.phantomfury.notation.counters import MARTYRS, kind_of
from companion.games.phantomfury.referee import last_turn
from companion.games.phantomfury.state import (
    IIF,
    OVER,
    PINNED,
    REDUCED,
    SQUAD,
    SUSPECT,
    WINNER,
    ZONES,
    controlled,
    enemies_in,
    fortified,
    marker_of,
    on_map,
    squads_in,
)

LOST = -30.0
"""A game that is lost, beside its points [7.1]."""
HOPE, FADED = 3.6, 5.2
"""Zones to be taken a turn up to which victory is hoped for, and from which on it is given up: then a Zone is worth no losses."""
ZONE, PACE, LAST = 1.5, 1.5, 9.0
"""What it is worth to take a Zone: each turn saved is 5 VP [7.2.1]; more, the more must be taken each turn to take them all; and
the last one most, the last but one half as much beside the rest, and so on, since victory needs them all [7.2]."""
DOUBT, ROOTED = 0.5, 0.3
"""What is left of the worth of a Zone with a squad in it for each Suspect or Guerillas in there, and for each that will not give
way: Martyrs, and Suspects of a Fortified Zone [13.4.7.1]."""
EMPTY, SHOT, DUG_IN = 0.6, 0.5, (0.4, 0.45, 0.5, 0.55, 0.6)
"""What a Zone without a squad is worth once it is empty, and what is left of that for each enemy there, who can be fired at; and
for each that will not give way, by the number of units that can fire at it."""
GATE = 0.25
"""What a Zone is worth more for each Zone that is reached only through it, up to three."""
TIE = 0.15
"""What a Zone is worth more for each Zone of ours beside it."""
UNSEEN = 2
"""Enemies in a Zone that is not Activated yet [5.3.2.1]."""
FORCE = 0.4
"""What a squad does in each turn to go, in VP: so much is lost with it, beside the points."""
REDUCTION, ELIMINATION = 0.3, 0.7
"""How much of a squad is lost with each of its two steps."""
STANDOFF = 1.2
"""What a squad loses in each turn that it stands among insurgents and does nothing, in VP."""
PIN, STUCK = 1.2, 3.0
"""A squad that is Pinned [11.5]; in a street, where it regroups with 2 more and lets nobody pass [14.3.4, 12.2.3.2]."""


@lru_cache(maxsize=256)
def price(left: int, turns: int) -> float:
    """What it is worth to take one of so many Zones that are left, with so many turns to go, this one among them."""
    return hope(left, turns) * (ZONE + PACE * left / max(turns, 1) + LAST / max(left, 1))


def hope(left: int, turns: int) -> float:
    """[7.1] What is left of the hope to take so many Zones in so many turns: a game that is lost brings no level of victory."""
    pace = left / (turns + 0.5)
    return min(1.0, max(0.0, (FADED - pace) / (FADED - HOPE)))


def firm(piece: Piece, strong: bool) -> bool:
    """Whether an enemy will not give way: Martyrs, and a Suspect of a Fortified Zone."""
    kind = kind_of(piece)
    return kind == MARTYRS or (strong and kind == SUSPECT)


def strength(position: Position, zone: str, gone: Collection[str] = ()) -> tuple[int, int]:
    """The enemies of a Zone without some of them: those that may give way, and those that will not. Where its Activation is to
    come, as many as come with it.
    """
    strong = fortified(position, zone)
    found = [one for one in enemies_in(position, zone) if one.id not in gone]
    if marker_of(position, zone) is None:
        return (0, UNSEEN + 1) if strong else (UNSEEN, 0)
    rooted = sum(firm(one, strong) for one in found)
    return len(found) - rooted, rooted


def grip(soft: int, rooted: int, turns: int) -> float:
    """The share of the worth of a Zone that a squad in it has for sure, by the enemies left and the turns to go."""
    return DOUBT**soft * ROOTED**rooted * _time(soft + rooted, turns)


def begun(soft: int, rooted: int, turns: int, guns: int = 0) -> float:
    """The share that a Zone without a squad is worth by the enemies left: they can be fired at, and the Zone be entered."""
    return EMPTY * SHOT**soft * DUG_IN[min(guns, len(DUG_IN) - 1)] ** rooted * _time(1, turns)


def _time(much: int, turns: int) -> float:
    """What is left of a hope of which so much must still be done in so many turns, this one among them."""
    return (1 - 1 / max(turns, 1)) ** much


def worth(position: Position) -> float:
    """The points, and what is to be expected: of Zones, of squads, of being Pinned; a game that is lost is worth little."""
    vp = float(position.track("vp"))
    if position.flag(OVER):
        return vp if position.flag(WINNER) == "usmc" else vp + LOST
    left = [zone for zone in position.members(ZONES) if not controlled(position, zone)]
    turns = last_turn(position) - position.track("turn") + 1
    missing = sum(price(number, turns) for number in range(1, len(left) + 1))
    ahead = sum((grip if squads_in(position, zone) else begun)(*strength(position, zone), turns) for zone in left)
    return vp - missing + price(len(left), turns) * ahead - _harm(position, turns)


def _harm(position: Position, turns: int) -> float:
    """What the squads have suffered beyond the points."""
    harm = 0.0
    for squad in (*position.of_kind(SQUAD), *position.of_kind(IIF)):
        lost = REDUCTION * (squad.face == REDUCED) + ELIMINATION * (squad.face == REDUCED and not on_map(squad))
        harm += FORCE * turns * lost + (PIN if squad.mark(PINNED) else 0.0)
    return harm
