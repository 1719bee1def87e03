"""[3.1, 13.0] Routes and J-3 movement, with helicopters [24.0], rivers [25.0] and infiltration [27.1]."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, Literal, NamedTuple

from companion.core.dice import summed_rolls
from companion.core.errors import Unreadable
from companion.core.game import Obstacle
from companion.core.graph import cheapest
from companion.core.notation import Notation
from companion.core.position import FlagReader, Piece, Position
from companion.core.requests import Choice, Roll
from companion.core.text import clean, die_range, plural
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, ground_at
from companion.games.fallujah2004.rules import r08_forces, r09_opfor

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


_SPACES = FlagReader(_spaces, (state.SPACE,))
_EDGES = FlagReader(_new_edge_cache, (state.SPACE,))
"""Cache: whether a base is beside a space, by the northern phase line."""
_NEAR = FlagReader(_new_pair_cache, (state.SPACE,))
"""Cache: whether two spaces are likely neighbours."""


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


class Move(NamedTuple):
    """A move as declared: its mode, and the spaces entered in order."""

    mode: Literal["ground", "air", "water"]
    path: tuple[str, ...]


class Arrival(NamedTuple):
    """The end of a movement, and the movement still possible.

    Attributes:
        space: the space or base.
        left: movement points that a won battle may still use [14.1], without that of the MSR: below 0 where that is used up.
        trail: where a ground move began and every space that it entered; () for moves by air and water.
        force: the units as they set out, on the side that was up.
    """

    space: str
    left: int
    trail: tuple[str, ...] = ()
    force: tuple[Piece, ...] = ()


def amtrac_faults(referee: FallujahReferee, force: Sequence[Piece]) -> list[str]:
    """Why a force cannot move by water [25.1, 25.2, 27.3]; none where it can."""
    amtracs = sum(map(state.is_amtrac, force))
    riders = [piece for piece in force if not state.is_amtrac(piece) and not state.is_sof(piece)]
    faults = [f"{piece.name} cannot be carried" for piece in riders if referee.unit_class(piece) != "light"]
    if len(riders) > amtracs:
        faults.append(f"{plural(len(riders), 'light unit')} to carry, {plural(amtracs, 'Amtrac')} there")
    return faults


# -- the move -----------------------------------------------------------------------------------------------------


def _path_notation(names: notation.SpaceNames) -> Notation:
    def read(text: str) -> str:
        parts = [part for part in clean(text).replace(",", " , ").split(" , ") if part.strip()]
        words = parts if len(parts) > 1 else _words(clean(text), names)
        prefix = "water " if words and words[0].casefold() == "water" else ""
        places = [notation.read_space(word, names) for word in (words[1:] if prefix else words)]
        if not places:
            raise Unreadable("no space named", rule="13.0", cure="Type the spaces entered, in order: 3-8 3-9")
        return prefix + " ".join(place.replace(" ", "_") for place in places)

    return Notation("path", "3-8 3-9", read)


def _words(text: str, names: notation.SpaceNames) -> list[str]:
    """The words of a path; a text that is one name of several words is kept whole."""
    words = text.split()
    if all(map(notation.grid_name, words)):  # no names to look up
        return words
    try:
        return [notation.read_space(text, names)]
    except Unreadable:
        return words


async def ask_move(
    referee: FallujahReferee, force: Sequence[Piece], rule: str = "13.0", after: Arrival | None = None, join: str | None = None
) -> Move:
    """Ask where the force goes: the spaces that it enters in order, a base, or ``water`` and a space for a water move.

    Args:
        after: where the force had stopped, if it goes on after a battle [14.1].
        join: in a networked operation, where the forces before it have gone, "" for the first one [32.0(3)].
    """
    referee.moving_force = force
    dry = bool(amtrac_faults(referee, force))
    while True:
        routes = await known_routes(referee)
        move = await _ask_path(referee, force, rule, await _ends(referee, force, after, join, routes, dry))
        referee.check(await move_fault(referee, force, move, after, join))
        steps = await _ground_steps(referee, force, move)
        referee.check(route_fault(referee, routes, steps, dry))
        if await confirm_route(referee, routes, steps, dry):
            return move


async def _ground_steps(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> Steps:
    """The steps of a ground move up to where it ends; none for other moves."""
    start = force[0].place
    if move.mode != "ground" or move.path == (start,) or (start in state.BASES and move.path[0] in state.BASES):
        return ()  # from base to base no route is needed, and a base ends the move whatever is named beyond it
    return list(pairwise((start, *await _path_to_stop(referee, force, move))))


async def _ends(
    referee: FallujahReferee, force: Sequence[Piece], after: Arrival | None, join: str | None, routes: RouteMap, dry: bool
) -> list[str]:
    """The places to offer as the end of a move, without those that would be refused."""
    start, by_air = force[0].place, any(state.is_helicopter(piece) for piece in force)
    others = [join] if join else [base for base in state.BASES if base != start]
    near = [] if join or by_air else [space for space in state.SPACE_ORDER if _is_neighbour(referee, routes, start, space)]
    return [
        end
        for end in [*near, *others]
        if (by_air or _leads(referee, routes, start, end, dry))
        and not await move_fault(referee, force, Move("air" if by_air else "ground", (end,)), after, join)
    ]


async def _ask_path(referee: FallujahReferee, force: Sequence[Piece], rule: str, ends: Sequence[str]) -> Move:
    names = await referee.place_names()
    start = force[0].place
    by_air = any(state.is_helicopter(piece) for piece in force)
    asks = "where?" if by_air else "to which spaces, in order? (3-8 3-9; by boat: water 5-9)"
    choices = [Choice(end, referee.title(end), _terrain(referee, end)) for end in ends]
    text = await referee.text("to", f"From {referee.title(start)} {asks}", rule, _path_notation(names), choices)
    words = text.split()
    path = tuple(word.replace("_", " ") for word in words if word != "water")
    if missing := [space for space in path if names.lacks(space)]:
        referee.no_space(missing[0])
    return Move("air" if by_air else "water" if words[0] == "water" else "ground", path)


def _terrain(referee: FallujahReferee, place: str) -> str:
    return str(ground._replace(name="")) if (ground := ground_at(referee.position, place)) else ""


def _is_neighbour(referee: FallujahReferee, routes: RouteMap, start: str, space: str) -> bool:
    """True for a space beside the start whose ground is known, so that it can be offered without a question."""
    ground = ground_at(referee.position, space) if space != start else None
    return ground is not None and ground.terrain != notation.NO_SPACE and routes.may_be_joined(start, space)


def _leads(referee: FallujahReferee, routes: RouteMap, start: str, end: str, dry: bool) -> bool:
    """[13.0, 13.3, 13.4] True if a ground move may end in an offered step; `dry`: the force cannot cross a river."""
    return (start in state.BASES and end in state.BASES) or not route_fault(referee, routes, [(start, end)], dry)


async def move_fault(
    referee: FallujahReferee, force: Sequence[Piece], move: Move, after: Arrival | None = None, join: str | None = None
) -> Obstacle | None:
    """Why a declared move cannot be made; None if it can. The arguments are those of ``ask_move``."""
    start, end = force[0].place, move.path[-1]
    if move.path == (start,):
        text = "every force of a networked operation moves"
        return None if join is None else Obstacle(text, "32.0(3)", "Name the spaces that it enters")
    if join and await _stop(referee, force, move) != join:
        return Obstacle(f"every force ends in {referee.title(join)}", "32.0(3)", "Name a path that ends there")
    if move.mode == "water":
        fault = await _water_fault(referee, force, end, after)
    elif move.mode == "ground" and not _between_bases(start, move):
        fault = await _length_fault(referee, force, move, after) or base_exit_fault(start, move.path)
    else:
        fault = None
    return fault or await _room_fault(referee, force, move)


async def _room_fault(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> Obstacle | None:
    """[8.2, 27.1] Why a force has no room where it will end its move, or where SOF may be noticed on the way (ruling C-74)."""
    passed = move.path[:-1] if move.mode == "ground" and all(state.is_sof(piece) for piece in force) else ()
    noticed = [space for space in passed if referee.units_at(space) and await _has_node(referee, space)]
    ends = [*noticed, await _stop(referee, force, move)]
    return next(filter(None, (r08_forces.stack_fault(referee, space, force) for space in ends)), None)


def _between_bases(start: str, move: Move) -> bool:
    return start in state.BASES and len(move.path) == 1 and move.path[0] in state.BASES


async def _path_to_stop(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> tuple[str, ...]:
    """[8.2, 13.1, 13.4] The spaces of a move up to where it will end: at a base, or at a Node unless the force is SOF [27.1]."""
    may_infiltrate = all(state.is_sof(piece) for piece in force)
    for number, space in enumerate(move.path[:-1] if move.mode == "ground" else (), 1):
        if space in state.BASES or (not may_infiltrate and await _has_node(referee, space)):
            return move.path[:number]
    return move.path


async def _stop(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> str:
    """The place where a move will end."""
    return (await _path_to_stop(referee, force, move))[-1]


def slowest_of(referee: FallujahReferee, force: Sequence[Piece]) -> Piece:
    """[8.3, 13.0] The unit that sets the pace; light units aboard an Amtrac move as it does [25.2]."""
    amtracs = sum(state.is_amtrac(piece) for piece in force)
    slowest = sorted(force, key=lambda piece: notation.side_of(piece).move)
    aboard = [piece for piece in slowest if referee.unit_class(piece) == "light"][:amtracs]
    return next(piece for piece in slowest if piece not in aboard)


def movement_value(referee: FallujahReferee, force: Sequence[Piece]) -> int:
    """[8.3, 13.0] The movement of the slowest unit."""
    return notation.side_of(slowest_of(referee, force)).move


def remaining(referee: FallujahReferee, arrival: Arrival, force: Sequence[Piece]) -> Arrival:
    """[13.0, 14.1] The points left to the victors: never more than before, by current sides unless switched (ruling C-70)."""
    if not arrival.trail:
        return arrival
    ids = {piece.id for piece in force}
    set_out = [piece for piece in arrival.force if piece.id in ids]
    units = set_out if referee.option("movement_left") == "at_start" else force
    entered = len(arrival.trail) - 1
    return arrival._replace(left=min(arrival.left, movement_value(referee, units) - entered))


async def move_force(
    referee: FallujahReferee, force: Sequence[Piece], move: Move, after: Arrival | None = None
) -> Arrival | None:
    """Carry out a move up to where the force has to stop; None if it stays [14.2]. The arguments are those of ``ask_move``."""
    start = force[0].place
    if move.path == (start,):
        referee.say("The force stays where it is: no reaction.", "14.2")
        return None
    if move.mode == "air":
        return _fly(referee, force, move)
    if move.mode == "water":
        return _by_water(referee, force, move)
    return await _by_ground(referee, force, move, after)


def _carry(referee: FallujahReferee, force: Sequence[Piece], space: str, rule: str) -> None:
    for piece in force:
        referee.move(piece.id, space, rule)


def _fly(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> Arrival:
    """[24.1, 24.5] Fly; carriers stop, helicopters go on (C-64); landing ends it, on station [24.2] or not (C-69)."""
    space = move.path[-1]
    loaded = any(not state.is_helicopter(piece) for piece in force)
    _carry(referee, force, space, "24.5" if loaded else "24.1")
    referee.say(f"By air to {referee.title(space)}.", "24.1")
    return Arrival(space, 0 if loaded else notation.AIR)


async def _water_fault(referee: FallujahReferee, force: Sequence[Piece], end: str, after: Arrival | None) -> Obstacle | None:
    """[25.1, 27.3] Why a force cannot make a water move to a space."""
    if after:
        return Obstacle("a water move takes the whole movement of an operation", "25.1", "Go on by ground")
    if faults := amtrac_faults(referee, force):
        cure = "Amtracs and SOF can; an Amtrac carries one light unit"
        return Obstacle(f"this force cannot move by water: {'; '.join(faults)}", "25.1", cure)
    for space in (force[0].place, end):
        if space in state.BASES or "water" not in (await referee.ground(space, "25.1")).features:
            return Obstacle(f"{referee.title(space)} has no water symbol", "25.1")
    return None


def _by_water(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> Arrival:
    """[25.1, 27.3] Move from one water symbol to any other; it uses all movement."""
    space, rule = move.path[-1], "27.3" if all(map(state.is_sof, force)) else "25.1"
    _carry(referee, force, space, rule)
    referee.say(f"By water to {referee.title(space)}.", rule)
    return Arrival(space, 0)


async def _by_ground(referee: FallujahReferee, force: Sequence[Piece], move: Move, after: Arrival | None) -> Arrival:
    """[13.0] Move space by space, one movement point each, up to where the force is stopped."""
    start = force[0].place
    if _between_bases(start, move):
        _carry(referee, force, move.path[0], "13.4")
        referee.say(f"From {referee.title(start)} to {referee.title(move.path[0])} for one OP.", "13.4")
        return Arrival(move.path[0], 0)
    value = after.left if after else movement_value(referee, force)
    trail = after.trail if after else (start,)
    if len(move.path) == value + 1:
        referee.say("The whole move keeps to the MSR: 1 more movement point.", "13.2")
    for number, space in enumerate(move.path, 1):
        _carry(referee, force, space, "13.0")
        trail, value = (*trail, space), value - 1
        if number < len(move.path) and await _is_stopped(referee, force, space):
            break
    return Arrival(trail[-1], value, trail, after.force if after else tuple(force))


async def _length_fault(referee: FallujahReferee, force: Sequence[Piece], move: Move, after: Arrival | None) -> Obstacle | None:
    """[13.0, 13.2] As many spaces as movement points; one more when the whole move keeps to the MSR."""
    value = after.left if after else movement_value(referee, force)
    trail = after.trail if after else (force[0].place,)
    length = len(move.path)
    slowest = slowest_of(referee, force)
    if length <= path_limit(value, False):
        return None
    if length <= path_limit(value, True) and await _all_msr(referee, (*trail, *move.path)):
        return None
    if length == value + 1:
        return Obstacle(f"a path of {plural(length, 'space')} needs the MSR all the way: {slowest.name} moves {value}", "13.2")
    text = f"{plural(length, 'space')}, but the force has {plural(max(value, 0), 'movement point')} ({slowest.name})"
    return Obstacle(text, "13.0", "Name fewer spaces")


async def points_left(referee: FallujahReferee, arrival: Arrival) -> int:
    """[13.2, 14.1] The movement points with which a force may go on after a battle won, that of the MSR included."""
    return path_limit(arrival.left, bool(arrival.trail) and await _all_msr(referee, arrival.trail))


async def _all_msr(referee: FallujahReferee, path: Sequence[str]) -> bool:
    """[13.2] True if a path keeps to the MSR; unknown ground is asked for, space by space."""
    for space in msr_spaces(path):
        if space in state.BASES or not is_msr(await referee.ground(space, "13.2")):
            return False
    return True


def msr_spaces(path: Sequence[str]) -> Sequence[str]:
    """[13.2] The spaces that must be on the MSR for a path to keep to it: a Base may only be its start (ruling C-68)."""
    return path[1:] if path[0] in state.BASES else path


def is_msr(ground: notation.Ground) -> bool:
    """[13.2] True if a space is on the MSR."""
    return "msr" in ground.features


def path_limit(points: int, along_msr: bool) -> int:
    """[13.0, 13.2] The spaces that a force may enter: one a movement point, one more if the whole move keeps to the MSR."""
    return points + 1 if along_msr else points


def stops_at_once(start: str) -> bool:
    """[13.4] True if a force that leaves this place stops in the first space: the place is a Base."""
    return start in state.BASES


def reach(
    start: str,
    points: int,
    neighbours: Callable[[str], Iterable[str]],
    ground: Callable[[str], notation.Ground],
    nodes: Collection[str],
    *,
    whole_move: bool = True,
) -> dict[str, tuple[str, ...]]:
    """[13.0, 13.1, 13.2, 13.4] The spaces that a ground force can reach on the known map, each with its path.

    Args:
        points: The movement points, without the one of the MSR.
        neighbours: Returns the places joined to a place by a route that the force can use.
        ground: Returns what is printed on a space.
        nodes: The spaces with a Node, where a move ends.
        whole_move: The move starts here; False after a battle, when the MSR gives no point by itself.
    """

    def edges(place: str, spent: float) -> Iterator[tuple[str, float]]:
        if place == start or place not in nodes:
            yield from ((space, 1) for space in neighbours(place) if state.on_map(space))

    limit = min(points, 1) if stops_at_once(start) else points
    moves = cheapest({start: 0}, edges, limit)
    paths = {space: tuple(moves.path(space)[1:]) for space in moves.cost if space != start}
    if not whole_move or (stops_at_once(start) and points):
        return paths
    ends = [path for path in paths.values() if len(path) == points and path[-1] not in nodes] if points else [()]
    for path in ends:
        for space in neighbours(path[-1] if path else start):
            longer = (*path, space)
            if space in paths or space == start or not state.on_map(space):
                continue
            along_msr = all(is_msr(ground(entered)) for entered in msr_spaces((start, *longer)))
            if len(longer) <= path_limit(points, along_msr):
                paths[space] = longer
    return paths


def movement_points(referee: FallujahReferee, force: Sequence[Piece]) -> int:
    """[13.0, 24.1] The movement points of a force; helicopters have any number."""
    return notation.AIR if state.is_helicopter(force[0]) else movement_value(referee, force)


def base_exit_fault(start: str, path: Sequence[str]) -> Obstacle | None:
    """[13.4] A force leaving a base stops in the first space; not every phase line leads out of the West Base."""
    if not stops_at_once(start):
        return None
    if len(path) > 1:
        return Obstacle("a force that leaves a base stops in the first space", "13.4", "Name one space")
    return west_fault(path[0]) if start == state.WEST_BASE else None


async def _has_node(referee: FallujahReferee, space: str) -> bool:
    """[13.1] True if an OPFOR Node lies in a space, which stops a unit that enters it; unknown ground is asked for."""
    await referee.ground(space, "13.1")
    r09_opfor.open_space(referee, space)
    return r09_opfor.has_node(referee, space)


async def _is_stopped(referee: FallujahReferee, force: Sequence[Piece], space: str) -> bool:
    """[8.2, 13.1, 13.4] True if a force is stopped on its way, by a base or a Node; SOF may try to infiltrate [27.1]."""
    if space in state.BASES:
        referee.say(f"{referee.title(space)} ends the move.", "13.4")
        return True
    if not await _has_node(referee, space):
        return False
    if not all(state.is_sof(piece) for piece in force):
        referee.say(f"OPFOR has a Node at {referee.title(space)}: the force stops there.", "13.1")
        return True
    contact = min(notation.side_of(piece).contact for piece in force)
    fresh = await r09_opfor.reveal(referee, space, "20.2(c)")
    face, passed = await roll_infiltration(contact, referee.title(space))
    verdict = "The force slips through; the Node has no effect" if passed else "It is noticed and stops"
    referee.say(f"Infiltration: {face}, needs {die_range(1, contact)}. {verdict}.", "27.1", "the lowest contact counts (C-39)")
    if not passed:  # the effects of a revealed Node are immediate (ruling C-11)
        await r09_opfor.revealed_effects(referee, fresh, space, force)
    return not passed


async def roll_infiltration(contact: int, where: str = "") -> tuple[int, bool]:
    """[27.1] One die against the contact of the force: the face, and whether it slips through."""
    roll = await Roll(
        "infiltrate",
        lambda: f"Infiltration through {where}: the force slips through on {die_range(1, contact)}",
        "27.1",
        outcomes=lambda: summed_rolls(1, lambda face: int(face <= contact)),
    )
    return roll[0], roll[0] <= contact
