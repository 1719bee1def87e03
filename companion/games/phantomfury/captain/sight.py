"""What the captain sees of a position: enemies, squads, Zones in danger, and how far it is to the insurgents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from companion.core.match import Plan
from companion.core.position import Piece
from companion.core.procedures import Procedure
from companion.games.phantomfury.captain.estimates import Estimates
from companion.games.phantomfury.captain.worth import GATE, begun, grip, price, strength
from companion.games.phantomfury.pieces import controlled
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r12_paths import ways
from companion.games.phantomfury.rules.r14_reorganisation import bases, way_in
from companion.games.phantomfury.words.counters import kind_of
from companion.games.phantomfury.words.town import zone_of
from companion.games.phantomfury.words.zones import MOSQUE

T = TypeVar("T")


class Option(NamedTuple):
    """Something that the captain can do.

    Attributes:
        value: what it brings, in VP by our valuation.
        plan: the action with its answers; name: in words.
        why: chances and what they rest on.
    """

    value: float
    plan: Plan
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

    def __init__(self, game: Fury, estimates: Estimates) -> None:
        self.game = game
        self.estimates = estimates
        self._known: dict[Hashable, Any] = {}
        self._alike = estimates.alike(self._board())

    def _board(self) -> Hashable:
        """The map, whose Zones are whose, and who is where, with what keeps our units where they are."""
        game = self.game
        own = tuple(self.own.values())
        others = tuple([one.place for one in (*game.enemies(), *(e for zone in self.ours for e in game.elements_in(zone)))])
        return game.town, self.ours, own, others, frozenset(game.ruins())

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
    def own(self) -> Mapping[str, Hashable]:
        """Each unit of ours by its id: where it is, and what keeps it there."""
        found = (*self.game.squads(), *self.game.tanks())
        return {one.id: (one.id, one.place, one.face, self.game.held(one)) for one in found}

    @cached_property
    def squads(self) -> list[Piece]:
        return self.game.squads()

    @cached_property
    def ours(self) -> frozenset[str]:
        """The Zones under USMC Control."""
        return frozenset([zone for zone in self.game.zones() if controlled(self.game.position, zone)])

    @cached_property
    def turns(self) -> int:
        """Turns to go, this one among them."""
        return self.game.last_turn - self.game.turn + 1

    @cached_property
    def price(self) -> float:
        """What it is worth to take a Zone now."""
        return price(len(self.game.zones()) - len(self.ours), self.turns)

    def held(self, zone: str) -> bool:
        """Whether a squad of ours is in a Zone."""
        return bool(self.game.squads_in(zone))

    def enemies(self, zone: str) -> int:
        """Enemies in a Zone; as many as come with its Activation where that is to come."""
        return sum(self._strength(zone))

    def _strength(self, zone: str, gone: Collection[str] = ()) -> tuple[int, int]:
        return self.once((zone, gone), lambda: strength(self.game.position, zone, gone))

    def hold(self, zone: str, *gone: Piece) -> float:
        """What it is worth to have a squad in a Zone, with some of its enemies gone."""
        return self.prize(zone) * grip(*self._strength(zone, tuple([one.id for one in gone])), self.turns)

    def begun(self, zone: str, *gone: Piece) -> float:
        """What a Zone is worth without a squad in it, with some of its enemies gone."""
        share = begun(*self._strength(zone, tuple([one.id for one in gone])), self.turns, self.guns(zone))
        return self.prize(zone) * share

    def prize(self, zone: str) -> float:
        """What it is worth to take a Zone, with those that it opens."""
        return self.price * (1 + GATE * min(self.on_board(("gate", zone), lambda: self._opens(zone)), 3))

    def _opens(self, zone: str) -> int:
        """How many Zones of the insurgents lie beside a Zone, and beside none of ours."""
        around = self.game.town.around
        return sum(one not in self.ours and self.ours.isdisjoint(around(one)) for one in around(zone))

    def guns(self, zone: str) -> int:
        """[11.1] How many units can fire into a Zone, by where they are."""
        held = [one for one in self.game.town.around(zone) if one in self.ours]
        return self.on_board(("guns", zone), lambda: sum(len(self.game.squads_in(one)) for one in held))

    def ways(self, squad: Piece) -> dict[str, list[str]]:
        """[12.0] Where a squad can end its movement, each with the way there."""
        own, near = self.own[squad.id], self._nearby(zone_of(squad.place))
        return self.estimates.ways((self.game.town, own, near), lambda: ways(self.game, squad))

    def _nearby(self, zone: str) -> Hashable:
        """Who is where within two Zones of one, or on the whole map for a squad in a street."""
        town = self.game.town
        if not zone:
            return self.on_board("everywhere", lambda: tuple(map(self._standing, self.game.zones())))
        rings = dict.fromkeys((zone, *(two for one in town.around(zone) for two in (one, *town.around(one)))))
        return self.on_board(("near", zone), lambda: tuple([self._standing(one) for one in rings]))

    def _standing(self, zone: str) -> Hashable:
        """Who is where in a Zone and in the streets at its sides."""

        def look() -> Hashable:
            game = self.game
            told = game.town.zones.get(zone)
            pieces = [*game.enemies_in(zone), *game.elements_in(zone), *game.usmc_units_in(zone)]
            pieces += [one for name in (told.streets if told else ()) for one in game.at_section(name)]
            return (
                zone in self.ours,
                zone in game.ruins(),
                tuple([self.own.get(one.id, (one.place, kind_of(one))) for one in pieces]),
            )

        return self.on_board(("standing", zone), look)

    # -- distances, and Zones in danger ------------------------------------------------------------------------

    @cached_property
    def far(self) -> Mapping[str, int]:
        """How many Zones it is to one of the insurgents."""
        left = [zone for zone in self.game.zones() if zone not in self.ours]
        return self.on_board("far", lambda: self._distances(left))

    @cached_property
    def far_from_us(self) -> Mapping[str, int]:
        """How many Zones it is to one of ours."""
        return self.on_board("far from us", lambda: self._distances(self.ours))

    @cached_property
    def to_mosque(self) -> Mapping[str, int]:
        """How many Zones it is to Zone 26."""
        return self.on_board("mosque", lambda: self._distances([MOSQUE]))

    def _distances(self, zones: Iterable[str]) -> Mapping[str, int]:
        found = dict.fromkeys(zones, 0)
        edge = list(found)
        for here in edge:  # it grows on the way
            for there in self.game.town.around(here):
                if there not in found:
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
        town = self.game.town
        near = [one for home in (zone_of(squad.place), zone_of(goal)) for one in (home, *town.around(home))]
        table = self.game.again()
        table.move(squad.id, goal, "14.4")
        return self._exposed(table, near) - self._exposed(self.game, near)

    def _exposed(self, table: Fury, zones: Iterable[str]) -> int:
        """How many of these Zones, as they stand on a table, would be infiltrated."""
        held, town = table.usmc_zones(), table.town
        empty = [one for one in dict.fromkeys(zones) if one in self.ours and one not in held]
        return sum(bool(way_in(table, zone, bases(table, town.around(zone)))[0]) for zone in empty)


def best(options: Iterable[Option]) -> list[Option]:
    """The most valuable first; of the same value those that come first. Of what a unit can do in a Zone the best alone."""
    found: dict[Hashable, Option] = {}
    for one in sorted(options, key=lambda one: -one.value):
        found.setdefault(_alike(one.plan), one)
    return list(found.values())


def _alike(plan: Plan) -> Hashable:
    """The action with its unit and its Zone."""
    answers = [value for key, value in plan.answers.items() if key not in ("to", "target")]
    where = plan.answers.get("to") or plan.answers.get("target") or ""
    return plan.action, str(answers), zone_of(where)
