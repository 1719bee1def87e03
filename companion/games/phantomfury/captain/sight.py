"""What the captain sees of a position: enemies, squads, Zones in danger, and how far it is to the insurgents."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple, TypeVar

from companion.core.match import Plan
from companion.core.position import Piece
from companion.core.procedures import Procedure
from companion.games.phantomfury.captain.estimates import Estimates
from companion.games.phantomfury.captain.worth import begun, grip, price, strength
from companion.games.phantomfury.names import MOVED
from companion.games.phantomfury.pieces import controlled
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r12_paths import ways
from companion.games.phantomfury.rules.r14_reorganisation import bases, way_in
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
        own = tuple([(one.id, one.place, one.face, tuple(one.marks.items())) for one in (*game.squads(), *game.tanks())])
        others = tuple([one.place for one in (*game.enemies(), *(e for zone in self.ours for e in game.elements_in(zone)))])
        return game.town, self.ours, own, others, game.members(MOVED), frozenset(game.ruins())

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
        return self.game.squads()

    @cached_property
    def ours(self) -> frozenset[str]:
        """The Zones under USMC Control."""
        return frozenset([zone for zone in self.game.zones() if controlled(self.game.position, zone)])

    @cached_property
    def price(self) -> float:
        """What it is worth to take a Zone now."""
        return price(len(self.game.zones()) - len(self.ours))

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
        return self.price * grip(*self._strength(zone, tuple(one.id for one in gone)))

    def begun(self, zone: str, *gone: Piece) -> float:
        """What a Zone is worth without a squad in it, with some of its enemies gone."""
        return self.price * begun(*self._strength(zone, tuple(one.id for one in gone)))

    def ways(self, squad: Piece) -> dict[str, list[str]]:
        """[12.0] Where a squad can end its movement, each with the way there."""
        return self.on_board(("ways", squad.id), lambda: ways(self.game, squad))

    # -- distances, and Zones in danger ------------------------------------------------------------------------

    @cached_property
    def far(self) -> Mapping[str, int]:
        """How many Zones it is to one of the insurgents that USMC squads can enter."""
        left = [zone for zone in self.game.zones() if zone not in self.ours and zone != MOSQUE]
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
    """The most valuable first; of the same value those that come first."""
    return sorted(options, key=lambda one: -one.value)
