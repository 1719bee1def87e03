"""[3.1, 13.0] The position as the planner sees it: the known map, the Nodes, the cup, the value of going into a space."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.core.position import FlagReader, Piece, Position
from companion.games.fallujah2004.ai.valuation import (
    NOTHING,
    OP,
    STEP,
    Ahead,
    Cup,
    Paper,
    Prize,
    cup_of,
    guess,
    late,
    prize,
    unseen,
)
from companion.games.fallujah2004.notation import (
    BASES,
    BRIDGE,
    IN_PLAY,
    NO_SPACE,
    RIVER,
    SPACES,
    WEST_BASE,
    Ground,
    on_map,
    read_ground,
    route_and_line,
)
from companion.games.fallujah2004.odds.battles import Commitment
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, concealed_at, deployed, nodes_at
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r09_morale import picks
from companion.games.fallujah2004.rules.r13_movement import map_of, west_fault
from companion.games.fallujah2004.rules.r16_battle import ROUND, Battle, Conditions, Fighter, Step
from companion.games.fallujah2004.rules.r16_combat import conditions, fighter
from companion.games.fallujah2004.state import SPACE, fights, is_fob, is_ground, space_flag

UNTOLD = Ground("urban", frozenset())
"""What a space is taken for that nobody has told: most of the city is that."""

_ROUTES = ("route:", "bridge:")


class Ways:
    """Spaces, and the neighbours of each by what is known of the routes; who asks says which bridges are blown.

    Args:
        position: its flags tell the spaces.
        facts: what the owner has told, by full key.

    Attributes:
        spaces: all that the map has, as far as is known.
    """

    def __init__(self, position: Position, facts: Mapping[str, str]) -> None:
        told = {key.removeprefix("route:"): how for key, how in facts.items() if key.startswith("route:")}
        self._map = map_of(told, position, [space for key, space in facts.items() if key.startswith("bridge:")])
        self._told: dict[str, set[str]] = {}
        for pair in told:
            one, _, other = pair.partition("/")
            self._told.setdefault(one, set()).add(other)
            self._told.setdefault(other, set()).add(one)
        self._grounds = position.cached_from_flags(_GROUNDS_AT)
        self.spaces = tuple(self._grounds)
        self._near: dict[str, list[tuple[str, bool, bool]]] = {}

    def ground(self, space: str) -> Ground:
        """What is printed there, or what is taken for it."""
        return self._grounds.get(space, UNTOLD)

    def _around(self, place: str) -> Iterator[tuple[str, bool, bool]]:
        able = _around(place) | self._told.get(place, _NOBODY)
        for other in (*self.spaces, *BASES):
            if other not in able or not self._map.may_be_joined(place, other):
                continue
            if WEST_BASE in (place, other) and west_fault(place if other == WEST_BASE else other):
                continue
            how = self._map.route(place, other)
            yield other, how == RIVER, how == BRIDGE

    def near(self, place: str, blown: Collection[str] = ()) -> Iterator[str]:
        """The neighbours of a place for those who cannot cross a river [13.3]; ``blown``: the spaces of blown bridges."""
        if place not in self._near:
            self._near[place] = list(self._around(place))
        for other, river, bridge in self._near[place]:
            if not river and not (bridge and (place in blown or other in blown)):
                yield other

    def distances(self, targets: Collection[str]) -> dict[str, int]:
        """How many spaces each place is from the nearest of some."""
        found = dict.fromkeys(targets, 0)
        front = list(found)
        while front:
            after = []
            for place in front:
                for other in self.near(place):
                    if other not in found:
                        found[other] = found[place] + 1
                        after.append(other)
            front = after
        return found

    def reached(
        self, start: str, points: int, stops: Collection[str], blown: Collection[str], on: bool = False
    ) -> dict[str, tuple[str, ...]]:
        """[13.0, 13.1, 13.2, 13.4] The spaces that a force on the ground can reach, with the way that it takes to each.

        Args:
            points: movement points, without the one that the MSR gives.
            stops: spaces that end a move: those with a Node.
            on: it goes on after a battle, so that its way is no whole MSR move.
        """
        found: dict[str, tuple[str, ...]] = {}
        front: list[tuple[str, ...]] = [()]
        highway = {start, *BASES} if start in BASES or self._is_msr(start) else set()
        for length in range(1, (1 if start in BASES else points + 1) + 1):
            after = []
            for way in front:
                place = way[-1] if way else start
                for other in self.near(place, blown):
                    if other in found or other == start or not on_map(other):
                        continue
                    if length > points and (on or not self._msr_all(start, (*way, other), highway)):
                        continue
                    found[other] = (*way, other)
                    if other not in stops:
                        after.append(found[other])
            front = after
        return found

    def _is_msr(self, space: str) -> bool:
        return "msr" in self.ground(space).features

    def _msr_all(self, start: str, way: tuple[str, ...], highway: Collection[str]) -> bool:
        return start in highway and all(map(self._is_msr, way))


_NOBODY: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def _around(place: str) -> frozenset[str]:
    """The places that may be beside one."""
    return frozenset([other for other in IN_PLAY if other != place and _beside(place, other)])


def _beside(place: str, other: str) -> bool:
    """Whether a route or a phase line, a diagonal, or the edge of the map may join two places."""
    if not (on_map(place) and on_map(other)):
        return on_map(place) or on_map(other)
    (route, line), (route2, line2) = route_and_line(place), route_and_line(other)
    return route == route2 or line == line2 or max(abs(route - route2), abs(line - line2)) == 1


def _grounds_at(position: Position) -> dict[str, Ground]:
    flags = {space: position.flag(space_flag(space)) for space in sorted(SPACES, key=route_and_line)}
    return {space: read_ground(text) if isinstance(text, str) else UNTOLD for space, text in flags.items() if text != NO_SPACE}


_GROUNDS_AT = FlagReader(_grounds_at, (SPACE,))
"""What is printed on each space that the map has, or what is taken for it."""

_GROUNDS = FlagReader(lambda position: tuple([one for one in position.flags.items() if one[0].startswith(SPACE)]), (SPACE,))
"""What is told of the spaces."""


class Known:
    """The ways that are known, kept from one decision to the next while nobody tells more."""

    def __init__(self) -> None:
        self._kept: dict[object, Ways] = {}
        self._facts: Mapping[str, str] = {}
        self._seen: Mapping[str, str] | None = None
        self._told: tuple[tuple[str, str], ...] = ()
        self._last: tuple[object, object, Ways] | None = None

    def ways(self, position: Position, facts: Mapping[str, str]) -> Ways:
        """The ways as this position and these facts tell them."""
        if facts is not self._seen and facts != self._facts:
            self._facts, self._told = dict(facts), tuple([(key, how) for key, how in facts.items() if key.startswith(_ROUTES)])
        self._seen = facts
        key = self._told, position.cached_from_flags(_GROUNDS)
        if self._last and self._last[0] is key[0] and self._last[1] is key[1]:
            return self._last[2]
        if key not in self._kept:
            if len(self._kept) > 50:
                self._kept.clear()
            self._kept[key] = Ways(position, facts)
        self._last = (*key, self._kept[key])
        return self._kept[key]


_NEARLY = 0.1
"""A part of an OPFOR unit that is let go."""

_MET = 4
"""OPFOR units beyond which a battle is lost or won as with so many, as far as a plan goes."""


class Going(NamedTuple):
    """What going into a space is likely to bring, in VP, and how the battle goes on average."""

    value: float
    ahead: Ahead
    met: float
    prize: Prize


class Scout:
    """Looks at the table for the planner.

    Attributes:
        referee, ways, facts: what is known.
        nodes: spaces that are known to hold a Node.
        away: how far each place is from the nearest of them.
        blown: the spaces of blown bridges.
        late: how much of a VP it is to stand where that counts at the end.
    """

    def __init__(self, referee: FallujahReferee, ways: Ways, paper: Paper, facts: Mapping[str, str]) -> None:
        self.referee = referee
        self.ways = ways
        self.facts = facts
        self._paper = paper
        self._known: dict[object, Going] = {}

    @cached_property
    def nodes(self) -> list[str]:
        return nodes.node_spaces(self.referee)

    @cached_property
    def away(self) -> dict[str, int]:
        return self.ways.distances(self.nodes)

    @cached_property
    def blown(self) -> list[str]:
        return blown_bridges(self.referee.position)

    @cached_property
    def late(self) -> float:
        return late(self.referee.position)

    @cached_property
    def _by_fob(self) -> set[str]:
        """[28.2] The spaces with an FOB in them or beside them."""
        built = {piece.place for piece in deployed(self.referee.position) if is_fob(piece) and on_map(piece.place)}
        return built.union(*(self.ways.near(space) for space in built)) if built else set()

    @cached_property
    def _cup(self) -> Cup:
        return cup_of(self.referee.position)

    @cached_property
    def _unseen(self) -> Prize:
        return unseen(self.referee.chart("nodes"), self.referee.position)

    def prize(self, space: str) -> Prize:
        """What the Nodes of a space bring, as far as is known."""
        found = prize(self.referee.chart("nodes"), nodes_at(self.referee.position, space))
        if concealed_at(self.referee.position, space):
            return Prize(found.won + self._unseen.won, found.lost + self._unseen.lost)
        return found

    def reacts(self, space: str) -> bool:
        """[14.1(1)] Whether OPFOR reacts to those who come: not where units stand on the ground already and no Node lies."""
        return nodes.has_node(self.referee, space) or not any(map(is_ground, self.referee.units_at(space)))

    def going(self, force: Sequence[Piece], space: str, exact: bool = True, fob: bool = False) -> Going:
        """What it brings that a force goes into a space where OPFOR reacts; by a rough guess of the battle, or exact odds against
        typical units of the cup. ``fob``: as if an FOB were beside it, where none is.
        """
        fob = fob or space in self._by_fob
        fighters = tuple(sorted(fighter(self.referee, piece)._replace(id="", name="") for piece in force))
        terrain = self.ways.ground(space).terrain
        marks = nodes.node_edge(self.referee, space), nodes.is_strongpoint(self.referee, space), self.prize(space)
        key = fighters, terrain, marks, nodes.extra_picks(self.referee, space), exact, fob
        if key not in self._known:
            self._known[key] = self._gone(fighters, space, terrain, exact, fob)
        return self._known[key]

    def _gone(self, fighters: tuple[Fighter, ...], space: str, terrain: str, exact: bool, fob: bool) -> Going:
        game = self.referee
        here = conditions(
            game, terrain, strongpoint=nodes.is_strongpoint(game, space), node_edge=nodes.node_edge(game, space), fob=fob
        )
        stand = self.facts.get(f"stand:{game.morale}:{terrain}") != "break-off"
        met = self._cup.met(picks(game) + nodes.extra_picks(game, space))
        few, part = int(met), met - int(met)
        ends = [self._against(here, stand, fighters, many, exact) for many in ((few, few + 1) if part > _NEARLY else (few,))]
        found = Ahead(*(one + part * (other - one) for one, other in zip(ends[0], ends[-1], strict=True)))
        won = self.prize(space)
        return Going(self.worth(found, won), found, met, won)

    def _against(self, here: Conditions, stand: bool, fighters: tuple[Fighter, ...], met: int, exact: bool) -> Ahead:
        if not met:
            return Ahead(1.0, 0.0, 0.0, 0.0)
        battle = Battle(fighters, (self._cup.typical,) * min(met, _MET))
        return self._paper.ahead(here, stand, battle) if exact else guess(here, stand, battle)

    def worth(self, ahead: Ahead, won: Prize = NOTHING) -> float:
        """What a battle is worth in VP: KIA both ways, what strength steps are worth beyond that, OPs, the Nodes."""
        fought = ahead.killed * self._cup.kill - ahead.lost * (1 + STEP) - ahead.ops * OP
        return fought + ahead.win * won.won - (1 - ahead.win) * won.lost

    # -- within a battle ---------------------------------------------------------------------------------------

    def field(self) -> str:
        """Where the battle is that is fought now; "" where none is."""
        pieces = self.referee.position.pieces.values()
        return next((piece.place for piece in pieces if fights(piece) and on_map(piece.place)), "")

    def committed(self, decision: Commitment, netwar: bool = False, strikes: int = 0, part: Step = ROUND[0]) -> Ahead:
        """How the battle ends with this support; exact, save that nobody withdraws."""
        stage = decision.stage
        return self._paper.ahead(stage.conditions, stage.opfor_standing, decision.battle, netwar, strikes, part)

    def holds(self, space: str) -> float:
        """What it is worth that a ground unit stands in a space [6.1]."""
        return self.late if on_map(space) and self.ways.ground(space).holy else 0.0
