"""What the captain sees of a position: enemies, squads, Zones in danger, and how far it is to the insurgents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, TypeVar

from companion.core.match import PlannedAction
from companion.core.position import Piece
from companion.core.procedures import Procedure
from companion.core.text import plural
from companion.games.phantomfury.captain.estimates import Estimates, Fate
from companion.games.phantomfury.captain.worth import FORCE, GATE, STANDOFF, TIE, begun, grip, hope, price, strength
from companion.games.phantomfury.notation.town import Town
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r12_paths import ways
from companion.games.phantomfury.rules.r14_reorganisation import bases, way_in
from companion.games.phantomfury.state import BOX, SQUAD, box, controlled, on_map, place, zone_of

T = TypeVar("T")

FEW = 4
"""Candidates that are weighed by playing on, and told."""
ENOUGH = 1.5
"""Movement Points by which a Zone seems farther off for each squad beside it."""
LOST_WAY = 99
"""Movement Points to where no way leads."""


class Option(NamedTuple):
    """Something that the captain can do.

    Attributes:
        value: what it brings, in VP by our valuation.
        plan: the action with its answers; name: in words.
        why: chances and what they rest on.
    """

    value: float
    plan: PlannedAction
    name: str
    why: str = ""


def at_once(procedure: Procedure[T], otherwise: T) -> T:
    """What a procedure comes to that has nothing to ask; else, as where the map has not been told, ``otherwise``."""
    try:
        procedure.send(None)
    except StopIteration as end:
        return end.value  # type: ignore[no-any-return]
    procedure.close()
    return otherwise


class Sight:
    """A position as the captain reads it; each thing is looked up once, and what depends on no more than who is where, once for
    all positions that are alike in that.
    """

    def __init__(self, referee: Fury, estimates: Estimates) -> None:
        self.referee = referee
        self.estimates = estimates
        self._known: dict[Hashable, Any] = {}
        self._alike = estimates.alike(self._board())

    def _board(self) -> Hashable:
        """The map, whose Zones are whose, and who is where."""
        referee = self.referee
        own = tuple([(one.id, one.place) for one in (*referee.squads(), *referee.tanks())])
        return referee.town, self.ours, own, tuple([one.place for one in referee.enemies()]), frozenset(referee.ruins())

    @cached_property
    def laid(self) -> Hashable:
        """Every piece on the map with its side, and every marker: positions that differ only in marks and tracks are alike."""
        found = [one for one in self.referee.position.pieces.values() if on_map(one) or one.place.startswith(BOX)]
        return tuple([(one.id, one.place, one.face) for one in found])

    def once(self, key: Hashable, look: Callable[[], T]) -> T:
        """What has been looked up."""
        found: T | None = self._known.get(key)
        if found is None:
            found = self._known[key] = look()
        return found

    def on_board(self, key: Hashable, look: Callable[[], T]) -> T:
        """The same for what depends on who is where, and on nothing else."""
        found: T | None = self._alike.get(key)
        if found is None:
            found = self._alike[key] = look()
        return found

    # -- what is there -----------------------------------------------------------------------------------------

    @cached_property
    def squads(self) -> list[Piece]:
        return self.referee.squads()

    @cached_property
    def ours(self) -> frozenset[str]:
        """The Zones under USMC Control."""
        return frozenset([zone for zone in self.referee.zones() if controlled(self.referee.position, zone)])

    @cached_property
    def turns(self) -> int:
        """Turns to go, this one among them."""
        return self.referee.last_turn - self.referee.turn + 1

    @cached_property
    def price(self) -> float:
        """What it is worth to take a Zone now."""
        return price(self.left, self.turns)

    @property
    def phase(self) -> int:
        """The first phase in which something can still be done."""
        return self.referee.position.track("phase")

    @property
    def left(self) -> int:
        """Zones that are still to be taken."""
        return len(self.referee.zones()) - len(self.ours)

    @property
    def stake(self) -> str:
        """What a Zone is worth now, and why, in words."""
        if not self.price:
            return f"{plural(self.left, 'Zone')} in {plural(self.turns, 'turn')}: victory is given up, points are saved [7.1]"
        return f"a Zone is worth {self.price:.1f}: {self.left} to take in {plural(self.turns, 'turn')}"

    def toll(self, fate: Fate) -> float:
        """What a fate costs: points, and what the squad would have done in the turns to go."""
        return fate.cost + FORCE * self.turns * fate.force

    def held(self, zone: str) -> bool:
        """Whether a squad of ours is in a Zone."""
        return bool(self.referee.squads_in(zone))

    def enemies(self, zone: str) -> int:
        """Enemies in a Zone; as many as come with its Activation where that is to come."""
        return sum(self._strength(zone))

    def _strength(self, zone: str, gone: Collection[str] = ()) -> tuple[int, int]:
        return self.once((zone, gone), lambda: strength(self.referee.position, zone, gone))

    def hold(self, zone: str, *gone: Piece) -> float:
        """What it is worth to have a squad in a Zone, with some of its enemies gone."""
        return self.prize(zone) * grip(*self._strength(zone, tuple([one.id for one in gone])), self.turns)

    def idle(self, zone: str) -> float:
        """The same if the squad does nothing this turn: nobody can help it, and a full one cannot leave [11.1, 12.4.3]."""
        waste = STANDOFF * hope(self.left, self.turns) if zone not in self.ours and self.enemies(zone) else 0.0
        return self.hold(zone) - waste

    def begun(self, zone: str, *gone: Piece) -> float:
        """What a Zone is worth without a squad in it, with some of its enemies gone."""
        share = begun(*self._strength(zone, tuple([one.id for one in gone])), self.turns, self.guns(zone))
        return self.prize(zone) * share

    def prize(self, zone: str) -> float:
        """What it is worth to take a Zone, with those that it opens, and with ours beside it that must not be guarded against it
        any more.
        """
        gate = GATE * min(self.on_board(("gate", zone), lambda: self._opens(zone)), 3) if GATE else 0
        return self.price * (1 + gate + TIE * self.on_board(("tie", zone), lambda: self._ties(zone)))

    def _ties(self, zone: str) -> int:
        """[14.4] How many Zones of ours insurgents can come to out of a Zone."""
        return sum(one in self.ours for one in self.referee.town.around(zone))

    def _opens(self, zone: str) -> int:
        """How many Zones of the insurgents lie beside a Zone and beside none of ours, or are reached only through it."""
        around = self.referee.town.around
        beyond = {one for one in around(zone) if one not in self.ours and self.ours.isdisjoint(around(one))}
        met = self._distances(self.ours, zone)
        return len(beyond.union([one for one in self.referee.zones() if one not in met and one != zone]))

    def guns(self, zone: str) -> int:
        """[11.1] How many units can fire into a Zone, by where they are."""
        held = [one for one in self.referee.town.around(zone) if one in self.ours]
        return self.on_board(("guns", zone), lambda: sum(len(self.referee.squads_in(one)) for one in held))

    def ways(self, squad: Piece) -> dict[str, list[str]]:
        """[12.0] Where a squad can end its movement, each with the way there."""
        return self.nearby("ways", squad, lambda: ways(self.referee, squad))

    def entrants(self, zone: str) -> set[str]:
        """The squads, by id, that can come into a Zone of the insurgents this turn out of one of ours."""
        return self.once("entrants", self._entrants).get(zone, set())

    def _entrants(self) -> dict[str, set[str]]:
        found: dict[str, set[str]] = {}
        for squad in self.squads:
            if squad.kind == SQUAD and zone_of(squad.place) in self.ours and self.referee.held(squad) is None:
                for goal in self.ways(squad):
                    found.setdefault(zone_of(goal), set()).add(squad.id)
        return found

    def nearby(self, what: str, squad: Piece, look: Callable[[], T]) -> T:
        """What depends on a squad and on what there is within two Zones of it; on the whole map for a squad in a street."""
        zone, referee = zone_of(squad.place), self.referee
        near = self.once(("near", zone), lambda: self._near(zone))
        return self.estimates.once_nearby(
            (what, referee.town, squad.id, squad.place, referee.fighter(squad), self.turns, near), look
        )

    def _near(self, zone: str) -> Hashable:
        around = self.referee.town.around
        rings = dict.fromkeys((zone, *(two for one in around(zone) for two in (one, *around(one)))))
        return self.ours, tuple(map(self._standing, rings if zone else self.referee.zones()))

    def _standing(self, zone: str) -> Hashable:
        """Who is in a Zone and in the streets at its sides, and which markers lie there."""

        def look() -> Hashable:
            referee, told = self.referee, self.referee.town.zones.get(zone)
            own = [
                *referee.usmc_units_in(zone),
                *(one for name in (told.streets if told else ()) for one in referee.at_section(name)),
            ]
            others = [(one.place, one.name, one.face) for one in (*referee.enemies_in(zone), *referee.elements_in(zone))]
            markers = [(one.name, one.face) for one in referee.position.at(box(zone))]
            return tuple([(one.id, one.place) for one in own]), tuple(others), tuple(markers)

        return self.once(("standing", zone), look)

    # -- distances, and Zones in danger ------------------------------------------------------------------------

    def march(self, where: str) -> float:
        """How many Movement Points it is from a place to a Zone of the insurgents where a squad is wanted: each squad beside one
        counts as so many more.
        """
        return self.on_board(
            ("march", where), lambda: min([far.get(where, LOST_WAY) + more for far, more in self._wanted], default=0.0)
        )

    @cached_property
    def _wanted(self) -> list[tuple[Mapping[str, int], float]]:
        left = [one for one in self.referee.zones() if one not in self.ours and not self.held(one)]
        return [(approach(self.referee.town, one, self.ours), ENOUGH * self.guns(one)) for one in left]

    @cached_property
    def far_from_us(self) -> Mapping[str, int]:
        """How many Zones it is to one of ours."""
        return self.on_board("far from us", lambda: self._distances(self.ours))

    def _distances(self, zones: Iterable[str], past: str = "") -> Mapping[str, int]:
        """How far it is to each Zone from some; ``past``: a Zone that no way leads through."""
        found = dict.fromkeys(zones, 0)
        edge = list(found)
        for here in edge:  # it grows on the way
            for there in self.referee.town.around(here):
                if there not in found and there != past:
                    found[there] = found[here] + 1
                    edge.append(there)
        return found

    def left_open(self, squad: Piece, goal: str) -> int:
        """[14.4] How many Zones more could be infiltrated with the squad at a place, than with it where it is."""
        zone, there = zone_of(squad.place), zone_of(goal)
        if zone == there:
            return 0
        alone = sum(zone_of(one.place) == zone for one in self.squads) < 2
        return self.on_board(("open", zone or squad.place, there, alone), lambda: self._left_open(squad, goal))

    def _left_open(self, squad: Piece, goal: str) -> int:
        town = self.referee.town
        near = dict.fromkeys(one for home in (zone_of(squad.place), zone_of(goal)) for one in (home, *town.around(home)))
        table = self.referee.again()
        table.move(squad.id, goal, "14.4")
        ours = table.usmc_zones()
        now = sum(self.on_board(("exposed", one), lambda one=one: exposed(self.referee, one, self._held)) for one in near)  # type: ignore[misc]
        return sum(exposed(table, one, ours) for one in near) - now

    def gaps(self, zone: str) -> int:
        """[14.4] How many Zones of ours, among one and those around it, can be infiltrated as it is."""
        near = (zone, *self.referee.town.around(zone))
        return sum(self.on_board(("exposed", one), lambda one=one: exposed(self.referee, one, self._held)) for one in near)  # type: ignore[misc]

    @cached_property
    def _held(self) -> set[str]:
        return self.referee.usmc_zones()


def exposed(table: Fury, zone: str, held: Collection[str]) -> bool:
    """[14.4] Whether a Zone, as it stands on a table with our units in some, would be infiltrated."""
    if zone in held or not controlled(table.position, zone):
        return False
    return bool(way_in(table, zone, bases(table, table.town.around(zone), held))[0])


@lru_cache(maxsize=256)
def approach(town: Town, zone: str, ours: frozenset[str]) -> Mapping[str, int]:
    """The Movement Points from every place to a Zone, whoever is on the way: through streets and Zones of ours, since a squad
    that enters another stays there [12.1.2, 12.4.3].
    """
    found = {place(zone, one): 0 for one in town.zones[zone].locations} if zone in town.zones else {}
    edge = list(found)
    for here in edge:  # it grows on the way
        for there in town.steps(here):
            if there not in found and (not zone_of(there) or zone_of(there) in ours):
                found[there] = found[here] + 1
                edge.append(there)
    return found


def best(options: Iterable[Option]) -> list[Option]:
    """The most valuable first; of the same value those that come first. Of what a unit can do in a Zone the best alone."""
    found: dict[Hashable, Option] = {}
    for one in sorted(options, key=lambda one: -one.value):
        found.setdefault(_alike(one.plan), one)
    return list(found.values())


def _alike(plan: PlannedAction) -> Hashable:
    """The action with its unit and its Zone."""
    answers = [value for key, value in plan.answers.items() if key not in ("to", "target")]
    where = plan.answers.get("to") or plan.answers.get("target") or ""
    return plan.action, str(answers), zone_of(where)
