"""Cached features of a position: enemies, squads, Zones in danger, distances."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from companion.core.graph import distances
from companion.core.position import Piece
from companion.core.procedures import Procedure
from companion.core.text import plural
from companion.games.phantomfury import state
from companion.games.phantomfury.ai.valuation import Constants, Fate, Valuation, strength
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules import r12_paths, r14_reorganisation
from companion.games.phantomfury.town import Town

T = TypeVar("T")


def immediate(procedure: Procedure[T], otherwise: T) -> T:
    """The result of a procedure that asks nothing; ``otherwise`` if it asks something, such as an unknown part of the map."""
    try:
        procedure.send(None)
    except StopIteration as end:
        result: T = end.value
        return result
    procedure.close()
    return otherwise


class Features:
    """A position as the planner sees it. What depends only on the places of pieces is shared by positions with equal places."""

    def __init__(self, referee: FuryReferee, valuation: Valuation) -> None:
        self.referee = referee
        self.valuation = valuation
        self._known: dict[Hashable, Any] = {}
        self._on_board = valuation.board_cache(self._board())

    def _board(self) -> Hashable:
        """The map, the Control of Zones, and the places of pieces."""
        referee = self.referee
        own = tuple([(unit.id, unit.place) for unit in (*referee.squads(), *referee.tanks())])
        return referee.town, self.ours, own, tuple([enemy.place for enemy in referee.enemies()]), frozenset(referee.ruins())

    @cached_property
    def layout(self) -> Hashable:
        """Every piece on the map with its side, and every marker: equal for positions that differ only in marks and tracks."""
        pieces = self.referee.position.pieces.values()
        shown = [piece for piece in pieces if state.on_map(piece) or piece.place.startswith(state.BOX)]
        return tuple([(piece.id, piece.place, piece.face) for piece in shown])

    def once(self, key: Hashable, look: Callable[[], T]) -> T:
        """Cache a feature of this position."""
        value: T | None = self._known.get(key)
        if value is None:
            value = self._known[key] = look()
        return value

    def on_board(self, key: Hashable, look: Callable[[], T]) -> T:
        """Cache a feature that depends only on the places of pieces."""
        value: T | None = self._on_board.get(key)
        if value is None:
            value = self._on_board[key] = look()
        return value

    @property
    def constants(self) -> Constants:
        return self.valuation.constants

    @cached_property
    def squads(self) -> list[Piece]:
        return self.referee.squads()

    @cached_property
    def ours(self) -> frozenset[str]:
        """The Zones under USMC Control."""
        return frozenset([zone for zone in self.referee.zones() if self.referee.is_controlled(zone)])

    @cached_property
    def turns(self) -> int:
        """Turns to go, including this one."""
        return self.referee.last_turn - self.referee.turn + 1

    @cached_property
    def price(self) -> float:
        """The value of taking a Zone now."""
        return self.valuation.price(self.left, self.turns)

    @property
    def phase(self) -> int:
        """The first Phase in which something can still be done."""
        return self.referee.position.track("phase")

    @property
    def left(self) -> int:
        """The number of Zones that are still to be taken."""
        return len(self.referee.zones()) - len(self.ours)

    @property
    def stake(self) -> str:
        """The value of a Zone now, and its reason, in words."""
        if not self.price:
            return f"{plural(self.left, 'Zone')} in {plural(self.turns, 'turn')}: victory is given up, points are saved [7.1]"
        return f"a Zone is worth {self.price:.1f}: {self.left} to take in {plural(self.turns, 'turn')}"

    def toll(self, fate: Fate) -> float:
        """The cost of a result: points, and what the squad would have gained in the turns to go."""
        return fate.cost + self.constants.squad_force * self.turns * fate.force

    def is_held(self, zone: str) -> bool:
        """True if one of our squads is in a Zone."""
        return bool(self.referee.squads_in(zone))

    def enemies(self, zone: str) -> int:
        """The number of enemies in a Zone; before its Activation, those that it will bring."""
        return sum(self._strength(zone))

    def _strength(self, zone: str, gone: Collection[str] = ()) -> tuple[int, int]:
        return self.once((zone, gone), lambda: strength(self.referee.position, zone, gone))

    def hold(self, zone: str, *gone: Piece) -> float:
        """The value of having a squad in a Zone, without the enemies that are gone."""
        strengths = self._strength(zone, tuple([enemy.id for enemy in gone]))
        return self.prize(zone) * self.valuation.grip(*strengths, self.turns)

    def idle(self, zone: str) -> float:
        """The value of a squad that waits in a Zone: units cannot fire into it, and a full squad cannot leave [11.1, 12.4.3]."""
        waits = zone not in self.ours and self.enemies(zone)
        return self.hold(zone) - (self.constants.squad_standoff * self.valuation.hope(self.left, self.turns) if waits else 0.0)

    def begun(self, zone: str, *gone: Piece) -> float:
        """The value of a Zone without a squad in it and without the enemies that are gone."""
        strengths = self._strength(zone, tuple([enemy.id for enemy in gone]))
        return self.prize(zone) * self.valuation.begun(*strengths, self.turns, self.guns(zone))

    def prize(self, zone: str) -> float:
        """The value of taking a Zone, including the Zones that it opens, and those of ours that need no guard against it then."""
        c, around = self.constants, self.referee.town.around
        gate = c.zone_gate * min(self.on_board(("gate", zone), lambda: self._opens(zone)), c.zone_gates) if c.zone_gate else 0
        # The Zones of ours that insurgents can enter from this one [14.4].
        ties = self.on_board(("tie", zone), lambda: sum(other in self.ours for other in around(zone)))
        return self.price * (1 + gate + c.zone_tie * ties)

    def _opens(self, zone: str) -> int:
        """The number of Zones of the insurgents beside a Zone and beside none of ours, or reached only through it."""
        around = self.referee.town.around
        beyond = {other for other in around(zone) if other not in self.ours and self.ours.isdisjoint(around(other))}
        reached = distances(self.ours, lambda where: [other for other in around(where) if other != zone])
        return len(beyond.union([other for other in self.referee.zones() if other not in reached and other != zone]))

    def guns(self, zone: str) -> int:
        """[11.1] The number of squads in Zones of ours around a Zone."""
        near = [other for other in self.referee.town.around(zone) if other in self.ours]
        return self.on_board(("guns", zone), lambda: sum(len(self.referee.squads_in(other)) for other in near))

    def ways(self, squad: Piece) -> dict[str, list[str]]:
        """[12.0] The places where a squad can end its movement, each with the way there."""
        return self.nearby("ways", squad, lambda: r12_paths.ways(self.referee, squad))

    def entrants(self, zone: str) -> set[str]:
        """The ids of squads that can enter a Zone of the insurgents this turn from one of ours."""
        return self.all_entrants().get(zone, set())

    def all_entrants(self) -> dict[str, set[str]]:
        """`entrants` of each Zone."""
        return self.once("entrants", self._entrants)

    def set_entrants(self, entrants: dict[str, set[str]]) -> None:
        """Set what `entrants` returns, as known from an earlier position of the Phase."""
        self._known["entrants"] = entrants

    def _entrants(self) -> dict[str, set[str]]:
        entrants: dict[str, set[str]] = {}
        for squad in self.squads:
            if squad.kind == state.SQUAD and state.zone_of(squad.place) in self.ours and self.referee.no_movement(squad) is None:
                for goal in self.ways(squad):
                    entrants.setdefault(state.zone_of(goal), set()).add(squad.id)
        return entrants

    def nearby(self, what: str, squad: Piece, look: Callable[[], T]) -> T:
        """Cache what depends on a squad and on everything that lies in the Zones and streets."""
        board = self.once("board", lambda: (self.ours, tuple(map(self._contents, self.referee.zones()))))
        key = what, self.referee.town, squad.id, squad.place, self.referee.fighter(squad), self.turns, board
        return self.valuation.once_nearby(key, look)

    def _contents(self, zone: str) -> Hashable:
        """The pieces in a Zone and in the streets at its sides, and the markers there."""

        def look() -> Hashable:
            referee, printed = self.referee, self.referee.town.zones.get(zone)
            streets = printed.streets if printed else ()
            own = [*referee.usmc_units_in(zone), *(unit for name in streets for unit in referee.at_section(name))]
            others = [(piece.place, piece.name, piece.face) for piece in (*referee.enemies_in(zone), *referee.elements_in(zone))]
            markers = [(marker.name, marker.face) for marker in referee.position.at(state.box(zone))]
            return tuple([(unit.id, unit.place) for unit in own]), tuple(others), tuple(markers)

        return self.once(("contents", zone), look)

    def march(self, where: str) -> float:
        """The Movement Points from a place to a Zone of the insurgents where a squad is wanted; squads beside it count extra."""

        def look() -> float:
            far = self.constants.move_unreachable
            return min([costs.get(where, far) + extra for costs, extra in self._wanted], default=0.0)

        return self.on_board(("march", where), look)

    @cached_property
    def _wanted(self) -> list[tuple[Mapping[str, int], float]]:
        left = [zone for zone in self.referee.zones() if zone not in self.ours and not self.is_held(zone)]
        crowd = self.constants.move_crowd
        return [(costs_to(self.referee.town, zone, self.ours), crowd * self.guns(zone)) for zone in left]

    @cached_property
    def far_from_us(self) -> Mapping[str, int]:
        """The distance of each Zone to the nearest one of ours, in Zones."""
        return self.on_board("far from us", lambda: distances(self.ours, self.referee.town.around))

    def left_open(self, squad: Piece, goal: str) -> int:
        """[14.4] How many more Zones could be infiltrated with the squad at a goal than with it where it is."""
        zone, target = state.zone_of(squad.place), state.zone_of(goal)
        if zone == target:
            return 0
        alone = sum(state.zone_of(other.place) == zone for other in self.squads) < 2
        return self.on_board(("open", zone or squad.place, target, alone), lambda: self._left_open(squad, goal))

    def _left_open(self, squad: Piece, goal: str) -> int:
        town = self.referee.town
        homes = state.zone_of(squad.place), state.zone_of(goal)
        near = dict.fromkeys(zone for home in homes for zone in (home, *town.around(home)))
        table = self.referee.hypothetical()
        table.move(squad.id, goal, "14.4")
        ours = table.usmc_zones()
        return sum(is_exposed(table, zone, ours) for zone in near) - sum(map(self._is_exposed, near))

    def gaps(self, zone: str) -> int:
        """[14.4] The number of our Zones, among a Zone and those around it, that can be infiltrated now."""
        return sum(map(self._is_exposed, (zone, *self.referee.town.around(zone))))

    def _is_exposed(self, zone: str) -> bool:
        return self.on_board(("exposed", zone), lambda: is_exposed(self.referee, zone, self._occupied))

    @cached_property
    def _occupied(self) -> set[str]:
        return self.referee.usmc_zones()


def is_exposed(table: FuryReferee, zone: str, occupied: Collection[str]) -> bool:
    """[14.4] True if a Zone would be infiltrated; ``occupied``: the Zones with USMC units."""
    if zone in occupied or not table.is_controlled(zone):
        return False
    return bool(r14_reorganisation.way_in(table, zone, r14_reorganisation.bases(table, table.town.around(zone), occupied))[0])


@lru_cache(maxsize=256)
def costs_to(town: Town, zone: str, ours: frozenset[str]) -> Mapping[str, int]:
    """The Movement Points from every place to a Zone, through streets and Zones of ours."""
    return r12_paths.approach_costs(town, zone, ours)
