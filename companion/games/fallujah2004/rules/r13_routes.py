"""[3.1, 13.0] The routes between places, as far as they are known, and the questions about them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from companion.core.game import Obstacle
from companion.core.position import FlagReader, Position
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, ground_at

Steps = Sequence[tuple[str, str]]
"""Pairs of places: from one space or base into the next."""


class RouteMap:
    """The known routes between places [3.1, 13.0], and the northern phase line."""

    __slots__ = ("bridges", "position", "routes")

    # a map is made anew for each question, but from the same routes: their northern line is found only once
    _latest: ClassVar[tuple[Mapping[str, str], int]] = {}, 0

    def __init__(self, routes: Mapping[str, str], position: Position, bridges: frozenset[str]) -> None:
        self.routes = routes
        self.position = position
        self.bridges = bridges

    @property
    def north(self) -> int:
        """[13.4] The northern phase line; 0 if unknown."""
        routes, line = RouteMap._latest
        if routes is not self.routes:
            line = notation.north_line(self.routes)
            RouteMap._latest = self.routes, line
        return line

    @property
    def is_complete(self) -> bool:
        """True if all routes between spaces that do not lie side by side are entered (``route:all none``)."""
        return self.routes.get(state.ALL_ROUTES) == state.NO_ROUTE

    def route(self, place: str, other: str) -> str:
        """The kind of route between two places; "" if unknown."""
        return self.routes.get(f"{place}/{other}") or self.routes.get(f"{other}/{place}") or ""

    def are_joined(self, place: str, other: str) -> bool:
        """True if they are known to be neighbours."""
        return self.route(place, other) not in ("", state.NO_ROUTE)

    def look_adjacent(self, place: str, other: str) -> bool:
        """True if places are neighbours by route or phase line [3.1], diagonally on the MSR [13.2], or edge and base [13.4]."""
        if place in state.BASES or other in state.BASES:
            return self._at_edge(place, other) if place in state.BASES else self._at_edge(other, place)
        cache = self.position.cached_from_flags(_NEAR)
        if (place, other) not in cache:
            cache[place, other] = self._are_near(place, other)
        return cache[place, other]

    def _are_near(self, space: str, other: str) -> bool:
        (route, line), (route2, line2) = notation.route_and_line(space), notation.route_and_line(other)
        if route != route2 and line != line2:
            return max(abs(route - route2), abs(line - line2)) == 1 and self._all("msr", space, other)
        flags = (self.position.flag(state.space_flag(crossing)) for crossing in notation.between(space, other))
        return all(flag == notation.NO_SPACE for flag in flags)

    def may_be_joined(self, place: str, other: str) -> bool:
        """True if two places are neighbours, or may be, by the known part of the map."""
        return self.are_joined(place, other) or (not self.route(place, other) and self.look_adjacent(place, other))

    def neighbours(self, start: str) -> Sequence[str]:
        """The spaces of known ground that are, or may be, beside a place, so that they can be offered without a question."""
        cache = self.position.cached_from_flags(_BESIDE)
        known = cache.get(start)
        if known is None or known[0] is not self.routes:
            known = cache[start] = self.routes, [space for space in state.SPACE_ORDER if self._is_beside(start, space)]
        return known[1]

    def _is_beside(self, start: str, space: str) -> bool:
        ground = ground_at(self.position, space) if space != start else None
        return ground is not None and ground.terrain != notation.NO_SPACE and self.may_be_joined(start, space)

    def _at_edge(self, base: str, space: str) -> bool:
        """[13.4] True if the space is at the edge of a base, by the known spaces."""
        north = 0 if base in ("east base", state.WEST_BASE) else self.north
        cache, key = self.position.cached_from_flags(_EDGES), (base, space, north)
        if key not in cache:
            cache[key] = self._find_at_edge(base, space, north)
        return cache[key]

    def _find_at_edge(self, base: str, space: str, north: int) -> bool:
        spaces = self.position.cached_from_flags(_SPACES)
        route, line = notation.route_and_line(space)
        if base in ("east base", state.WEST_BASE):
            offsets = [route2 - route for route2, line2 in spaces if line2 == line]
            return not any(offset > 0 if base == "east base" else offset < 0 for offset in offsets)
        offsets = [line2 - line for route2, line2 in spaces if route2 == route]
        upward = 1 if (north == state.LINES[-1]) == (base == "north base") else -1
        is_end = not any(offset * upward > 0 for offset in offsets)
        return is_end or not (north or any(offset * upward < 0 for offset in offsets))

    def may_cross_river(self, place: str, other: str) -> bool:
        """True if a river route may join them: two water symbols [25.1], or one without a bridge and the West Base [13.3]."""
        ashore = [end for end in (place, other) if end != state.WEST_BASE]
        return self._all("water", *ashore) and (len(ashore) == 2 or not self._may_have_bridge(*ashore))

    def _all(self, feature: str, *places: str) -> bool:
        grounds = [ground_at(self.position, place) for place in places]
        return all(ground and feature in ground.features for ground in grounds)

    def _may_have_bridge(self, *places: str) -> bool:
        grounds = [ground_at(self.position, place) for place in places if state.on_map(place)]
        return bool(self.bridges.intersection(places)) or any(not ground or "bridge" in ground.features for ground in grounds)

    def blown_at(self, place: str, other: str) -> set[str]:
        """[14.7] The blown bridges at either end."""
        return {place, other}.intersection(blown_bridges(self.position))

    def is_settled(self, place: str, other: str) -> bool:
        """True if the route between them is known; ``either`` must be settled once the bridge is blown [14.7]."""
        route = self.route(place, other)
        return bool(route) and not (route == state.EITHER and self.blown_at(place, other))

    def route_without_river(self, place: str, other: str) -> str:
        """The kind of a route that is not a river route: by land, or perhaps by a bridge that may stand at either end."""
        may_be_bridge = self._may_have_bridge(place, other) and not self.blown_at(place, other)
        return state.EITHER if may_be_bridge else state.LAND


def _spaces(position: Position) -> list[tuple[int, int]]:
    """The route and phase line of every known space."""
    spaces = (flag for flag, value in position.flags.items() if flag.startswith(state.SPACE) and value != notation.NO_SPACE)
    return [notation.route_and_line(flag.removeprefix(state.SPACE)) for flag in spaces]


def _new_edge_cache(position: Position) -> dict[tuple[str, str, int], bool]:
    return {}


def _new_pair_cache(position: Position) -> dict[tuple[str, str], bool]:
    return {}


def _new_neighbour_cache(position: Position) -> dict[str, tuple[Mapping[str, str], list[str]]]:
    return {}


_SPACES = FlagReader(_spaces, (state.SPACE,))
_EDGES = FlagReader(_new_edge_cache, (state.SPACE,))
"""Cache: whether a base is beside a space, by the northern phase line."""
_NEAR = FlagReader(_new_pair_cache, (state.SPACE,))
"""Cache: whether two spaces are likely neighbours."""
_BESIDE = FlagReader(_new_neighbour_cache, (state.SPACE,))
"""Cache: the neighbours of a place, with the routes by which they were found."""


async def known_routes(referee: FallujahReferee) -> RouteMap:
    """[3.1] The routes known now."""
    bridges = await referee.known_facts("bridge", "14.7")
    return map_of(await referee.known_facts("route", "13.0"), referee.position, bridges.values())


def map_of(routes: Mapping[str, str], position: Position, bridges: Iterable[str]) -> RouteMap:
    """Build the route map from the known routes and the spaces of the bridges."""
    return RouteMap(routes, position, frozenset(bridges))


def route_fault(referee: FallujahReferee, routes: RouteMap, steps: Steps, dry: bool) -> Obstacle | None:
    """Why a path cannot be taken: no route [13.0], or a river for a force that cannot cross one (`dry`) [13.3]."""
    for start, end in steps:
        route = routes.route(start, end)
        ends = f"{referee.title(start)} and {referee.title(end)}"
        if start == end:
            return Obstacle(f"{referee.title(start)} is named twice in a row", "13.0", "Name the spaces entered, in order")
        if state.WEST_BASE in (start, end) and (fault := west_fault(end if start == state.WEST_BASE else start)):
            return fault
        if route == state.NO_ROUTE:
            cure = f"If one does: companion printed fallujah2004 set route:{notation.pair_key(start, end)} land"
            return Obstacle(f"no route joins {ends}, as you entered it", "13.0", cure)
        if dry and route == state.RIVER:
            text = f"a river route joins {ends}: only Amtracs with their loads and SOF cross it"
            return Obstacle(text, "13.3", "Name another way")
        if dry and route == state.BRIDGE and routes.blown_at(start, end):
            text = f"a blown bridge joins {ends}: only Amtracs with their loads and SOF cross it"
            return Obstacle(text, "13.3", "Name another way, or repair the bridge: j4")
    return None


def west_fault(space: str) -> Obstacle | None:
    """[13.4] The West Base opens on certain phase lines only (ruling C-12)."""
    if not state.on_map(space) or notation.route_and_line(space)[1] in notation.WEST_ENTRIES:
        return None
    lines = ", ".join(map(str, notation.WEST_ENTRIES))
    return Obstacle(f"the West Base opens on phase lines {lines}, not on {notation.route_and_line(space)[1]}", "13.4")


async def confirm_route(referee: FallujahReferee, routes: RouteMap, steps: Steps, dry: bool) -> bool:
    """[13.0, 13.3] Ask about unlikely steps and river crossings of a path, and record its routes; False if it is not possible.

    An answer is recorded as entered by the player, a step that needs no question as learnt from play.
    """
    unlikely = [step for step in steps if not routes.route(*step) and not routes.look_adjacent(*step)]
    for step in unlikely:
        start, end = map(referee.title, step)
        refusal = f"No route joins {start} and {end}: name another way."
        if routes.is_complete:
            referee.say(refusal, "13.0", tone="warning")
            return False
        if not await referee.confirm("joined", f"Does a route join {start} and {end}?", "13.0"):
            await _record(referee, state.NO_ROUTE, step)
            referee.say(refusal, "13.0", tone="warning")
            return False
    unknown = [step for step in dict.fromkeys(steps) if not routes.is_settled(*step)]
    for step in unknown:
        for space in filter(state.on_map, step if state.WEST_BASE in step or all(map(state.on_map, step)) else ()):
            await referee.ground(space, "13.3")
    routes = await known_routes(referee)
    doubtful = [step for step in unknown if routes.blown_at(*step) or routes.may_cross_river(*step)]
    if dry and doubtful and await _crosses_river(referee, routes, doubtful):
        return False
    for step in unknown:
        if step in unlikely + doubtful:
            if dry or step not in doubtful:
                await _record(referee, routes.route_without_river(*step), step)
        else:
            await referee.infer_fact(_route_key(step), routes.route_without_river(*step), "13.0")
    return True


async def _crosses_river(referee: FallujahReferee, routes: RouteMap, steps: Steps) -> bool:
    """[13.3] Ask if a path crosses a blown bridge or a river, so that another must be named."""
    bridges = sorted(set().union(*(routes.blown_at(*step) for step in steps)))
    wet = [step for step in steps if routes.may_cross_river(*step)]
    rivers = [f"from {referee.title(start)} to {referee.title(end)}" for start, end in wet]
    parts = [f"the blown bridge at {' or '.join(map(referee.title, bridges))}"] if bridges else []
    parts += [f"a river route {' or '.join(rivers)}"] if rivers else []
    if not await referee.confirm("river", f"Does the move cross {', or '.join(parts)}?", "13.3"):
        return False
    refusal = "only Amtracs with their loads and SOF cross a river route"
    if referee.anyway:
        referee.forbid(refusal, "13.3")
        return False
    if len(steps) == 1 and not (bridges and rivers):
        await _record(referee, state.BRIDGE if bridges else state.RIVER, steps[0])
    referee.say(f"{refusal.capitalize()}: name another way, or stay and repair the bridge (j4).", "13.3", tone="warning")
    return True


async def learn_apart(referee: FallujahReferee, space: str, others: Iterable[str]) -> None:
    """[28.2] Record that some spaces are not adjacent to a space."""
    for other in others:
        await _record(referee, state.NO_ROUTE, (space, other))


async def learn_joined(referee: FallujahReferee, routes: RouteMap, space: str, other: str) -> None:
    """[28.2] Record that two spaces are adjacent; what joins them is known if no river is near."""
    if not routes.may_cross_river(space, other) and not routes.blown_at(space, other):
        await _record(referee, routes.route_without_river(space, other), (space, other))


async def _record(referee: FallujahReferee, route: str, step: tuple[str, str]) -> None:
    await referee.record_fact(_route_key(step), route, "13.0")


def _route_key(step: tuple[str, str]) -> str:
    return f"route:{notation.pair_key(*step)}"
