"""[3.1, 13.0] Features of a position for the planner: the known map, the Nodes, the cup, the value of entering a space."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.core.graph import distances
from companion.core.position import FlagReader, Piece, Position
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.ai.valuation import NOTHING, BattleForecasts, NodeValue, ReactionCup, Valuation, cup_of
from companion.games.fallujah2004.battles import Commitment, Force, Forecast
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, concealed_at, deployed, nodes_at
from companion.games.fallujah2004.rules import r09_opfor, r13_movement, r13_routes, r14_reaction, r16_battle, r16_combat
from companion.games.fallujah2004.rules.r16_battle import Battle, Conditions, Step

UNKNOWN = notation.Ground("urban", frozenset())
"""The assumption for an unknown space: most of the city is urban."""

_ROUTES = ("route:", "bridge:")
_STAND = "stand:"
_NO_PLACES: frozenset[str] = frozenset()


class KnownMap:
    """The known spaces of a map and their neighbours; the caller says which bridges are blown."""

    def __init__(self, position: Position, facts: Mapping[str, str]) -> None:
        routes = {key.removeprefix("route:"): route for key, route in facts.items() if key.startswith("route:")}
        self._map = r13_routes.map_of(routes, position, [space for key, space in facts.items() if key.startswith("bridge:")])
        self._routes: dict[str, set[str]] = {}
        for pair in routes:
            place, _, other = pair.partition("/")
            self._routes.setdefault(place, set()).add(other)
            self._routes.setdefault(other, set()).add(place)
        self._grounds = position.cached_from_flags(_GROUNDS_AT)
        self.spaces = tuple(self._grounds)
        self._neighbours: dict[str, list[tuple[str, bool, bool]]] = {}

    def ground(self, space: str) -> notation.Ground:
        """What is printed on a space, or the assumption for it."""
        return self._grounds.get(space, UNKNOWN)

    def _around(self, place: str) -> Iterator[tuple[str, bool, bool]]:
        candidates = _around(place) | self._routes.get(place, _NO_PLACES)
        for other in (*self.spaces, *state.BASES):
            if other not in candidates or not self._map.may_be_joined(place, other):
                continue
            if state.WEST_BASE in (place, other) and r13_routes.west_fault(place if other == state.WEST_BASE else other):
                continue
            route = self._map.route(place, other)
            yield other, route == state.RIVER, route == state.BRIDGE

    def neighbours(self, place: str, blown: Collection[str] = ()) -> Iterator[str]:
        """The neighbours of a place for a force that cannot cross a river [13.3]; `blown`: spaces with a blown bridge."""
        if place not in self._neighbours:
            self._neighbours[place] = list(self._around(place))
        for other, river, bridge in self._neighbours[place]:
            if not river and not (bridge and (place in blown or other in blown)):
                yield other

    def distances(self, targets: Collection[str]) -> dict[str, int]:
        """The number of spaces from each place to the nearest target."""
        return distances(targets, self.neighbours)

    def reach(
        self, start: str, points: int, node_spaces: Collection[str], blown: Collection[str], along_msr: bool = True
    ) -> dict[str, tuple[str, ...]]:
        """[13.0, 14.1] The spaces that a ground force can reach, each with its path."""
        return r13_movement.reach(
            start, points, lambda place: self.neighbours(place, blown), self.ground, node_spaces, along_msr=along_msr
        )


@lru_cache(maxsize=256)
def _around(place: str) -> frozenset[str]:
    """The places that may be adjacent to a place."""
    return frozenset([other for other in state.UNIT_PLACES if other != place and _may_adjoin(place, other)])


def _may_adjoin(place: str, other: str) -> bool:
    """True if a route or a phase line, a diagonal, or the edge of the map may join two places."""
    if not (state.on_map(place) and state.on_map(other)):
        return state.on_map(place) or state.on_map(other)
    (route, line), (route2, line2) = notation.route_and_line(place), notation.route_and_line(other)
    return route == route2 or line == line2 or max(abs(route - route2), abs(line - line2)) == 1


def _grounds_at(position: Position) -> dict[str, notation.Ground]:
    flags = {space: position.flag(state.space_flag(space)) for space in sorted(state.SPACES, key=notation.route_and_line)}
    return {
        space: notation.read_ground(text) if isinstance(text, str) else UNKNOWN
        for space, text in flags.items()
        if text != notation.NO_SPACE
    }


_GROUNDS_AT = FlagReader(_grounds_at, (state.SPACE,))
"""The ground of each space of the map, known or assumed."""

_GROUNDS = FlagReader(
    lambda position: tuple([item for item in position.flags.items() if item[0].startswith(state.SPACE)]), (state.SPACE,)
)
"""The flags of the spaces."""


class MapCache:
    """The known map, kept from one decision to the next until a new fact is recorded."""

    def __init__(self) -> None:
        self._maps: dict[object, KnownMap] = {}
        self._facts: Mapping[str, str] = {}
        self._seen: Mapping[str, str] | None = None
        self._routes: tuple[tuple[str, str], ...] = ()
        self._last: tuple[object, object, KnownMap] | None = None

    def get(self, position: Position, facts: Mapping[str, str]) -> KnownMap:
        """The map by the flags of a position and the printed facts."""
        if facts is not self._seen and facts != self._facts:
            self._facts, self._routes = dict(facts), tuple([fact for fact in facts.items() if fact[0].startswith(_ROUTES)])
        self._seen = facts
        key = self._routes, position.cached_from_flags(_GROUNDS)
        if self._last and self._last[0] is key[0] and self._last[1] is key[1]:
            return self._last[2]
        if key not in self._maps:
            if len(self._maps) > 50:
                self._maps.clear()
            self._maps[key] = KnownMap(position, facts)
        self._last = (*key, self._maps[key])
        return self._maps[key]


class Approach(NamedTuple):
    """What a force can expect in a space: the value in VP, the battle, the OPFOR units met, the Nodes there."""

    value: float
    forecast: Forecast
    met: float
    nodes: NodeValue


class _Scene(NamedTuple):
    """What waits for any force in a space where OPFOR reacts: the conditions, whether it stands, the Nodes, the picks."""

    conditions: Conditions
    stands: bool
    nodes: NodeValue
    picks: int
    cup: ReactionCup


ApproachCache = dict[tuple[Force, bool], Approach]


class Features:
    """Cached features of a position."""

    def __init__(
        self,
        referee: FallujahReferee,
        known_map: KnownMap,
        forecasts: BattleForecasts,
        valuation: Valuation,
        facts: Mapping[str, str],
    ) -> None:
        self.referee = referee
        self.map = known_map
        self.facts = facts
        self.valuation = valuation
        self.constants = valuation.constants
        self._forecasts = forecasts
        self._forces: dict[tuple[str, ...], Force] = {}
        self._scenes: dict[tuple[str, bool], tuple[_Scene, ApproachCache]] = {}
        self._nodes: dict[str, NodeValue] = {}
        self._reach: dict[tuple[str, int, bool], Mapping[str, tuple[str, ...]]] = {}

    @cached_property
    def node_spaces(self) -> list[str]:
        """The spaces that are known to hold a Node."""
        return r09_opfor.node_spaces(self.referee)

    @cached_property
    def node_distances(self) -> dict[str, int]:
        """The number of spaces from each place to the nearest Node."""
        return self.map.distances(self.node_spaces)

    @cached_property
    def blown(self) -> list[str]:
        """The spaces of blown bridges."""
        return blown_bridges(self.referee.position)

    @cached_property
    def _beside_fobs(self) -> set[str]:
        """[28.2] The spaces with an FOB in them or adjacent."""
        built = {piece.place for piece in deployed(self.referee.position) if state.is_fob(piece) and state.on_map(piece.place)}
        return built.union(*(self.map.neighbours(space) for space in built)) if built else set()

    @cached_property
    def _cup(self) -> ReactionCup:
        return cup_of(self.referee.position, self.referee.chart("mob_attack"))

    @cached_property
    def _unseen(self) -> NodeValue:
        return self.valuation.unseen_node(self.referee.chart("nodes"), self.referee.position)

    @cached_property
    def _stand_chart(self) -> dict[str, str]:
        return {key.removeprefix(_STAND): cell for key, cell in self.facts.items() if key.startswith(_STAND)}

    def nodes(self, space: str) -> NodeValue:
        """The value of the Nodes of a space, as far as they are known."""
        value = self._nodes.get(space)
        if value is None:
            value = self._nodes[space] = self._nodes_of(space)
        return value

    def _nodes_of(self, space: str) -> NodeValue:
        revealed = self.valuation.nodes(self.referee.chart("nodes"), nodes_at(self.referee.position, space))
        if concealed_at(self.referee.position, space):
            return NodeValue(revealed.won + self._unseen.won, revealed.lost + self._unseen.lost)
        return revealed

    def reach(self, start: str, points: int, along_msr: bool = True) -> Mapping[str, tuple[str, ...]]:
        """[13.0, 14.1] The spaces that a ground force can reach from a place, each with its path."""
        key = start, points, along_msr
        if key not in self._reach:
            self._reach[key] = self.map.reach(start, points, self.node_spaces, self.blown, along_msr)
        return self._reach[key]

    @cached_property
    def occupied(self) -> frozenset[str]:
        """The places with a Coalition unit."""
        return frozenset(piece.place for piece in deployed(self.referee.position))

    def reacts(self, space: str) -> bool:
        """[14.1(1)] True if OPFOR reacts to a force that enters a space."""
        return r14_reaction.reacts(self.referee, space, self.referee.units_at(space))

    def approach(self, force: Sequence[Piece], space: str, exact: bool = True, fob: bool = False) -> Approach:
        """Forecast a force in a space where OPFOR reacts, exactly or by an estimate; `fob`: an FOB is beside the space."""
        scene, approaches = self._scene(space, fob or space in self._beside_fobs)
        fighters = self._fighters(force)
        approach = approaches.get((fighters, exact))
        if approach is None:
            approach = approaches[fighters, exact] = self._new_approach(fighters, scene, exact)
        return approach

    def _fighters(self, force: Sequence[Piece]) -> Force:
        """The nameless fighters of a force, in order; several forces are valued in many spaces each."""
        ids = tuple([piece.id for piece in force])
        if ids not in self._forces:
            named = [r16_combat.fighter(self.referee, piece) for piece in force]
            self._forces[ids] = Force(sorted([fighter._replace(id="", name="") for fighter in named]))
        return self._forces[ids]

    def _scene(self, space: str, fob: bool) -> tuple[_Scene, ApproachCache]:
        """What waits in a space, and the approaches to the same by the force and whether they are exact."""
        found = self._scenes.get((space, fob))
        if found is None:
            terrain = self.map.ground(space).terrain
            conditions = r16_combat.conditions_at(self.referee, space, terrain, r16_combat.EventBonuses(), fob)
            stands = r09_opfor.known_stand(self.referee.morale, terrain, self._stand_chart)
            picks = r14_reaction.pick_count(self.referee, space)
            scene = _Scene(conditions, stands, self.nodes(space), picks, self._cup)
            found = self._scenes[space, fob] = scene, self.valuation.approaches_to(scene)
        return found

    def _new_approach(self, fighters: Force, scene: _Scene, exact: bool) -> Approach:
        met = self._cup.met(scene.picks)
        fewer, part = int(met), met - int(met)
        numbers = (fewer, fewer + 1) if part > self.constants.battle_small_part else (fewer,)
        ends = [self._against(scene, fighters, number, exact) for number in numbers]
        forecast = Forecast(*(low + part * (high - low) for low, high in zip(ends[0], ends[-1], strict=True)))
        return Approach(self.battle_value(forecast, scene.nodes), forecast, met, scene.nodes)

    def _against(self, scene: _Scene, fighters: Force, met: int, exact: bool) -> Forecast:
        if not met:
            return Forecast(1.0, 0.0, 0.0, 0.0)
        battle = Battle(fighters, (self._cup.typical,) * min(met, self.constants.battle_most_met))
        forecast = self._forecasts.forecast if exact else self.valuation.estimate
        return forecast(scene.conditions, scene.stands, battle)

    def battle_value(self, forecast: Forecast, node_value: NodeValue = NOTHING) -> float:
        """The value of a battle in VP: KIA of both sides, strength steps beyond that, OPs, the Nodes."""
        step, op = self.constants.worth_step, self.constants.worth_op
        fought = forecast.killed * self._cup.kill - forecast.lost * (1 + step) - forecast.ops * op
        return fought + forecast.win * node_value.won - (1 - forecast.win) * node_value.lost

    def most_battle_value(self, battle: Battle, node_value: NodeValue) -> float:
        """The value of a battle that is won for certain at no loss, a limit of what support can bring."""
        return self.battle_value(Forecast(1.0, len(battle.opfor), 0.0, 0.0), node_value)

    # -- within a battle ---------------------------------------------------------------------------------------

    def battle_space(self) -> str:
        """The space of the battle in progress; "" if there is none."""
        position = self.referee.position
        return position.cached_from_kind(state.OPFOR, _fought_at) or position.cached_from_kind(state.EVENT, _fought_at)

    def committed(
        self, decision: Commitment, netwar: bool = False, strikes: int = 0, step: Step = r16_battle.ROUND[0]
    ) -> Forecast:
        """The exact forecast of the battle with this support, if no unit withdraws."""
        host = decision.stage
        return self._forecasts.forecast(host.conditions, host.opfor_standing, decision.battle, netwar, strikes, step)

    def space_value(self, space: str) -> float:
        """The value of a ground unit in a space [6.1]."""
        if state.on_map(space) and self.map.ground(space).holy:
            return self.valuation.held_space(self.referee.position)
        return 0.0


def _fought_at(pieces: Iterable[Piece]) -> str:
    """The space of the first OPFOR unit on the map, or ""."""
    return next((piece.place for piece in pieces if state.fights(piece) and state.on_map(piece.place)), "")
