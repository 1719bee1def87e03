"""[3.1, 13.0] Routes and J-3 movement, with helicopters [24.0], rivers [25.0] and infiltration [27.1]."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import ClassVar, NamedTuple

from companion.core.dice import summed_rolls
from companion.core.errors import Unreadable
from companion.core.game import Obstacle
from companion.core.graph import cheapest
from companion.core.notation import Notation
from companion.core.position import FlagReader, Piece, Position
from companion.core.procedures import Procedure
from companion.core.requests import Choice, Roll
from companion.core.text import clean, die_range, plural
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, ground_at
from companion.games.fallujah2004.rules import r08_forces, r09_opfor

Steps = Sequence[tuple[str, str]]
"""From one space or base into the next."""


class RouteMap:
    """What joins pairs of spaces, as far as it is known, and which phase line is the northern one, looked up once."""

    __slots__ = ("bridges", "position", "routes")

    _latest: ClassVar[tuple[Mapping[str, str], int]] = {}, 0
    """What was told last, which nobody changes any more, with its northern phase line: a map is made anew for each question."""

    def __init__(self, told: Mapping[str, str], position: Position, bridges: frozenset[str]) -> None:
        self.routes = told
        self.position = position
        self.bridges = bridges

    @property
    def north(self) -> int:
        told, found = RouteMap._latest
        if told is not self.routes:
            found = notation.north_line(self.routes)
            RouteMap._latest = self.routes, found
        return found

    @property
    def is_complete(self) -> bool:
        """True if nothing joins two spaces that do not lie side by side, unless it was told (``route:all none``)."""
        return self.routes.get(notation.ALL_ROUTES) == notation.NO_ROUTE

    def route(self, one: str, other: str) -> str:
        """What joins two spaces, or "" where nobody has said."""
        return self.routes.get(f"{one}/{other}") or self.routes.get(f"{other}/{one}") or ""

    def are_joined(self, one: str, other: str) -> bool:
        """True if they are known to be neighbours."""
        return self.route(one, other) not in ("", notation.NO_ROUTE)

    def look_adjacent(self, one: str, other: str) -> bool:
        """True if spaces are neighbours by route or phase line [3.1], diagonally on the MSR [13.2], or edge and base [13.4]."""
        if one in notation.BASES or other in notation.BASES:
            return self._edge(one, other) if one in notation.BASES else self._edge(other, one)
        known = self.position.cached_from_flags(_NEAR)
        if (one, other) not in known:
            known[one, other] = self._near(one, other)
        return known[one, other]

    def _near(self, one: str, other: str) -> bool:
        (route, line), (route2, line2) = notation.route_and_line(one), notation.route_and_line(other)
        if route != route2 and line != line2:
            return max(abs(route - route2), abs(line - line2)) == 1 and self._all("msr", one, other)
        return all(self._lacks(space) for space in notation.between(one, other))

    def _lacks(self, space: str) -> bool:
        return self.position.flag(state.space_flag(space)) == notation.NO_SPACE

    def may_be_joined(self, one: str, other: str) -> bool:
        """True if two places are neighbours, or may be, by what is known."""
        return self.are_joined(one, other) or (not self.route(one, other) and self.look_adjacent(one, other))

    def _edge(self, base: str, space: str) -> bool:
        north = 0 if base in ("east base", notation.WEST_BASE) else self.north
        known, key = self.position.cached_from_flags(_EDGES), (base, space, north)
        if key not in known:
            known[key] = self._at_edge(base, space, north)
        return known[key]

    def _at_edge(self, base: str, space: str, north: int) -> bool:
        spaces = self.position.cached_from_flags(_SPACES)
        route, line = notation.route_and_line(space)
        if base in ("east base", notation.WEST_BASE):
            beyond = [route2 - route for route2, line2 in spaces if line2 == line]
            return not any(by > 0 if base == "east base" else by < 0 for by in beyond)
        along = [line2 - line for route2, line2 in spaces if route2 == route]
        upward = 1 if (north == notation.LINES[-1]) == (base == "north base") else -1
        return not any(by * upward > 0 for by in along) or not (north or any(by * upward < 0 for by in along))

    def may_cross_river(self, one: str, other: str) -> bool:
        """True if a river route may join them: two water symbols [25.1], or one without a bridge and the West Base [13.3]."""
        ashore = [place for place in (one, other) if place != notation.WEST_BASE]
        return self._all("water", *ashore) and (len(ashore) == 2 or not self._bridged(*ashore))

    def _all(self, feature: str, *places: str) -> bool:
        grounds = [ground_at(self.position, place) for place in places]
        return all(ground and feature in ground.features for ground in grounds)

    def _bridged(self, *places: str) -> bool:
        grounds = [ground_at(self.position, place) for place in places if notation.on_map(place)]
        return bool(self.bridges.intersection(places)) or any(not ground or "bridge" in ground.features for ground in grounds)

    def blown_at(self, one: str, other: str) -> set[str]:
        """[14.7] The blown bridges at either end."""
        return {one, other}.intersection(blown_bridges(self.position))

    def is_settled(self, one: str, other: str) -> bool:
        """True if it is known what joins them, or that nothing does; a bridge that may do so matters once it is blown [14.7]."""
        how = self.route(one, other)
        return bool(how) and not (how == notation.EITHER and self.blown_at(one, other))

    def route_without_river(self, one: str, other: str) -> str:
        """What a way must be that is no river route: by land, or by a bridge too where one stands, or may, at either end."""
        return notation.EITHER if self._bridged(one, other) and not self.blown_at(one, other) else notation.LAND


def _spaces(position: Position) -> list[tuple[int, int]]:
    """Route and phase line of every space that was told."""
    told = [
        flag.removeprefix(state.SPACE)
        for flag, value in position.flags.items()
        if flag.startswith(state.SPACE) and value != notation.NO_SPACE
    ]
    return [notation.route_and_line(space) for space in told]


def _none_yet(position: Position) -> dict[tuple[str, str, int], bool]:
    return {}


def _no_pair_yet(position: Position) -> dict[tuple[str, str], bool]:
    return {}


_SPACES = FlagReader(_spaces, (state.SPACE,))
_EDGES = FlagReader(_none_yet, (state.SPACE,))
"""Whether a base is beside a space, by the northern phase line; of those that have been looked at."""
_NEAR = FlagReader(_no_pair_yet, (state.SPACE,))
"""Whether two spaces are likely neighbours; of those that have been looked at."""


async def known_routes(referee: FallujahReferee) -> RouteMap:
    """[3.1] The routes known now."""
    bridges = await referee.known_facts("bridge", "14.7")
    return map_of(await referee.known_facts("route", "13.0"), referee.position, bridges.values())


def map_of(told: Mapping[str, str], position: Position, bridges: Iterable[str]) -> RouteMap:
    """Build the route map from the known routes and the spaces of the bridges."""
    return RouteMap(told, position, frozenset(bridges))


def steps_along(start: str, path: Sequence[str]) -> Steps:
    """The steps of a path, as pairs of places."""
    return list(pairwise((start, *path)))


def route_fault(referee: FallujahReferee, known: RouteMap, steps: Steps, dry: bool) -> Obstacle | None:
    """Why a way cannot be taken: no route [13.0], or a river for a force that cannot cross one (`dry`) [13.3]."""
    for one, other in steps:
        how = known.route(one, other)
        where = f"{referee.title(one)} and {referee.title(other)}"
        if one == other:
            return Obstacle(f"{referee.title(one)} is named twice in a row", "13.0", "Name the spaces that are entered, in order")
        if notation.WEST_BASE in (one, other) and (fault := west_fault(other if one == notation.WEST_BASE else one)):
            return fault
        if how == notation.NO_ROUTE:
            cure = f"If one does: companion printed fallujah2004 set route:{notation.pair_key(one, other)} land"
            return Obstacle(f"no route joins {where}, as you entered it", "13.0", cure)
        if dry and (how == notation.RIVER or (how == notation.BRIDGE and known.blown_at(one, other))):
            what = "a blown bridge" if how == notation.BRIDGE else "a river route"
            text = f"{what} joins {where}: only Amtracs with their loads and SOF cross it"
            return Obstacle(
                text, "13.3", "Name another way, or repair the bridge: j4" if how == notation.BRIDGE else "Name another way"
            )
    return None


def west_fault(space: str) -> Obstacle | None:
    """[13.4] The West Base opens on certain phase lines only (ruling C-12)."""
    if not notation.on_map(space) or notation.route_and_line(space)[1] in notation.WEST_ENTRIES:
        return None
    lines = ", ".join(map(str, notation.WEST_ENTRIES))
    return Obstacle(f"the West Base opens on phase lines {lines}, not on {notation.route_and_line(space)[1]}", "13.4")


async def confirm_route(referee: FallujahReferee, known: RouteMap, steps: Steps, dry: bool) -> bool:
    """[13.0, 13.3] What only the map shows of a way is asked once, a step that looks like a slip and a crossing of the river;
    what is answered is remembered as told and what is gone as learnt, so that no answer is suggested. False where another way
    must be named.
    """
    doubted = [step for step in steps if not known.route(*step) and not known.look_adjacent(*step)]
    for one, other in doubted:
        lacking = f"No route joins {referee.title(one)} and {referee.title(other)}: name another way."
        if known.is_complete:
            referee.say(lacking, "13.0", tone="warning")
            return False
        prompt = f"Does a route join {referee.title(one)} and {referee.title(other)}?"
        if not await referee.confirm("joined", prompt, "13.0"):
            await _tell(referee, notation.NO_ROUTE, [(one, other)])
            referee.say(lacking, "13.0", tone="warning")
            return False
    unknown = [step for step in dict.fromkeys(steps) if not known.is_settled(*step)]
    for step in unknown:
        for space in filter(notation.on_map, step if notation.WEST_BASE in step or all(map(notation.on_map, step)) else ()):
            await referee.ground(space, "13.3")
    known = await known_routes(referee)
    doubtful = [step for step in unknown if known.blown_at(*step) or known.may_cross_river(*step)]
    if dry and doubtful and await _crosses(referee, known, doubtful):
        return False
    for step in unknown:
        if dry or step not in doubtful:
            await _remember(
                referee.record_fact if step in doubted + doubtful else referee.infer_fact,
                known.route_without_river(*step),
                [step],
            )
    return True


async def _crosses(referee: FallujahReferee, known: RouteMap, steps: Steps) -> bool:
    """[13.3] True if a way goes by the route west of a blown bridge or by a river, so that another must be named."""
    bridges = sorted(set().union(*(known.blown_at(*step) for step in steps)))
    wet = [f"from {referee.title(one)} to {referee.title(other)}" for one, other in steps if known.may_cross_river(one, other)]
    parts = [f"the blown bridge at {' or '.join(map(referee.title, bridges))}"] if bridges else []
    parts += [f"a river route {' or '.join(wet)}"] if wet else []
    if not await referee.confirm("river", f"Does the move cross {', or '.join(parts)}?", "13.3"):
        return False
    told = "only Amtracs with their loads and SOF cross a river route"
    if referee.anyway:
        referee.forbid(told, "13.3")
        return False
    if len(steps) == 1 and not (bridges and wet):
        await _tell(referee, notation.BRIDGE if bridges else notation.RIVER, steps)
    referee.say(f"{told.capitalize()}: name another way, or stay and repair the bridge (j4).", "13.3", tone="warning")
    return True


async def learn_apart(referee: FallujahReferee, one: str, others: Iterable[str]) -> None:
    """[28.2] Record that some spaces are not adjacent to a space."""
    await _tell(referee, notation.NO_ROUTE, [(one, other) for other in others])


async def learn_joined(referee: FallujahReferee, known: RouteMap, one: str, other: str) -> None:
    """[28.2] Record that two spaces are adjacent; what joins them is known if no river is near."""
    if not known.may_cross_river(one, other) and not known.blown_at(one, other):
        await _tell(referee, known.route_without_river(one, other), [(one, other)])


async def _tell(referee: FallujahReferee, how: str, steps: Steps) -> None:
    await _remember(referee.record_fact, how, steps)


async def _remember(so: Callable[[str, str, str], Procedure[str]], how: str, steps: Steps) -> None:
    for one, other in steps:
        await so(f"route:{notation.pair_key(one, other)}", how, "13.0")


class Move(NamedTuple):
    """A move as declared: how, and the spaces entered in order."""

    mode: str
    path: tuple[str, ...]


class Arrival(NamedTuple):
    """Where a movement ended and what it may still do.

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
    amtracs = [piece for piece in force if state.is_amtrac(piece)]
    riders = [piece for piece in force if piece not in amtracs and not state.is_sof(piece)]
    faults = [f"{piece.name} cannot be carried" for piece in riders if referee.unit_class(piece) != "light"]
    if len(riders) > len(amtracs):
        faults.append(f"{plural(len(riders), 'light unit')} to carry, {plural(len(amtracs), 'Amtrac')} there")
    return faults


# -- the move -----------------------------------------------------------------------------------------------------


def _path_notation(names: notation.SpaceNames) -> Notation:
    def read(text: str) -> str:
        parts = [part for part in clean(text).replace(",", " , ").split(" , ") if part.strip()]
        words = parts if len(parts) > 1 else _words(clean(text), names)
        how = "water " if words and words[0].casefold() == "water" else ""
        steps = [notation.read_space(word, names) for word in (words[1:] if how else words)]
        if not steps:
            raise Unreadable("no space named", rule="13.0", cure="Type the spaces entered, in order: 3-8 3-9")
        return how + " ".join(step.replace(" ", "_") for step in steps)

    return Notation("path", "3-8 3-9", read)


def _words(text: str, names: notation.SpaceNames) -> list[str]:
    """The words of a path; a name of several words stays whole where the whole text is one."""
    words = text.split()
    if all(map(notation.grid_name, words)):  # no name: nobody need look through them
        return words
    try:
        return [notation.read_space(text, names)]
    except Unreadable:
        return words


async def ask_move(
    referee: FallujahReferee, force: Sequence[Piece], rule: str = "13.0", after: Arrival | None = None, join: str | None = None
) -> Move:
    """Where the force goes: the spaces it enters in order, a base, or ``water`` and a space for a water move.

    Args:
        after: where the force had stopped, if it goes on after a battle [14.1].
        join: in a networked operation, where the forces before it have gone, "" for the first one [32.0(3)].
    """
    referee.moving_force = force
    dry = bool(amtrac_faults(referee, force))
    while True:
        known = await known_routes(referee)
        move = await _named(referee, force, rule, await _ends(referee, force, after, join, known, dry))
        referee.check(await move_fault(referee, force, move, after, join))
        steps = await _steps(referee, force, move)
        referee.check(route_fault(referee, known, steps, dry))
        if await confirm_route(referee, known, steps, dry):
            return move


async def _steps(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> Steps:
    """The steps that a move takes on the ground, up to where it ends; none where it stays, or goes another way."""
    start = force[0].place
    if move.mode != "ground" or move.path == (start,) or (start in notation.BASES and move.path[0] in notation.BASES):
        return ()  # from base to base no route is needed, and a base ends the move whatever is named beyond it
    return steps_along(start, await _way(referee, force, move))


async def _ends(
    referee: FallujahReferee, force: Sequence[Piece], after: Arrival | None, join: str | None, routes: RouteMap, dry: bool
) -> list[str]:
    """Where a move may be offered to end: in a base, or where the others have gone. What would be refused is left out."""
    start, by_air = force[0].place, any(state.is_helicopter(piece) for piece in force)
    others = [join] if join else [base for base in notation.BASES if base != start]
    near = [] if join or by_air else [space for space in notation.SPACE_ORDER if _is_neighbour(referee, routes, start, space)]
    return [
        end
        for end in [*near, *others]
        if (by_air or _leads(referee, routes, start, end, dry))
        and not await move_fault(referee, force, Move("air" if by_air else "ground", (end,)), after, join)
    ]


async def _named(referee: FallujahReferee, force: Sequence[Piece], rule: str, ends: Sequence[str]) -> Move:
    names = await referee.place_names()
    start = force[0].place
    by_air = any(state.is_helicopter(piece) for piece in force)
    asks = "where?" if by_air else "to which spaces, in order? (3-8 3-9; by boat: water 5-9)"
    known = [Choice(end, referee.title(end), _terrain(referee, end)) for end in ends]
    text = await referee.text("to", f"From {referee.title(start)} {asks}", rule, _path_notation(names), known)
    words = text.split()
    how = "air" if by_air else "water" if words[0] == "water" else "ground"
    path = tuple(word.replace("_", " ") for word in words if word != "water")
    if gone := [space for space in path if names.lacks(space)]:
        referee.no_space(gone[0])
    return Move(how, path)


def _terrain(referee: FallujahReferee, place: str) -> str:
    return str(ground._replace(name="")) if (ground := ground_at(referee.position, place)) else ""


def _is_neighbour(referee: FallujahReferee, routes: RouteMap, start: str, space: str) -> bool:
    """True for a space beside the start whose ground is known, so that nothing is asked to offer it."""
    ground = ground_at(referee.position, space) if space != start else None
    return ground is not None and ground.terrain != notation.NO_SPACE and routes.may_be_joined(start, space)


def _leads(referee: FallujahReferee, routes: RouteMap, start: str, end: str, dry: bool) -> bool:
    """[13.0, 13.3, 13.4] True if a ground move may end in an offered step; `dry`: the force cannot cross a river."""
    return (start in notation.BASES and end in notation.BASES) or not route_fault(referee, routes, [(start, end)], dry)


async def move_fault(
    referee: FallujahReferee, force: Sequence[Piece], move: Move, after: Arrival | None = None, join: str | None = None
) -> Obstacle | None:
    """Why a move as it is declared cannot be made; None where it can. The arguments are those of ``ask_move``."""
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
    """[8.2, 27.1] Why a force finds no room where it will end its move, or where SOF may be noticed on the way (ruling C-74)."""
    swift = move.path[:-1] if move.mode == "ground" and all(state.is_sof(piece) for piece in force) else ()
    noticed = [space for space in swift if referee.units_at(space) and await _halting(referee, space)]
    ends = [*noticed, await _stop(referee, force, move)]
    return next(filter(None, (r08_forces.stack_fault(referee, space, force) for space in ends)), None)


def _between_bases(start: str, move: Move) -> bool:
    return start in notation.BASES and len(move.path) == 1 and move.path[0] in notation.BASES


async def _way(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> tuple[str, ...]:
    """[8.2, 13.1, 13.4] The spaces of a move up to where it will end as far as can be known: at a base, or at a Node, through
    which SOF may slip [27.1].
    """
    swift = all(state.is_sof(piece) for piece in force)
    for number, space in enumerate(move.path[:-1] if move.mode == "ground" else (), 1):
        if space in notation.BASES or (not swift and await _halting(referee, space)):
            return move.path[:number]
    return move.path


async def _stop(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> str:
    """The place where a move will end."""
    return (await _way(referee, force, move))[-1]


def slowest_of(referee: FallujahReferee, force: Sequence[Piece]) -> Piece:
    """[8.3, 13.0] The unit that sets the pace; light units aboard an Amtrac move as it does [25.2]."""
    amtracs = sum(state.is_amtrac(piece) for piece in force)
    slowest = sorted(force, key=lambda piece: state.side_of(piece).move)
    aboard = [piece for piece in slowest if referee.unit_class(piece) == "light"][:amtracs]
    return next(piece for piece in slowest if piece not in aboard)


def movement_value(referee: FallujahReferee, force: Sequence[Piece]) -> int:
    """[8.3, 13.0] The movement of the slowest unit."""
    return state.side_of(slowest_of(referee, force)).move


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
    """Carry out a move by ground, air or water, up to where the force has to stop; None where it stays [14.2].

    Args:
        after: where the force had stopped, if it goes on after a battle [14.1].
    """
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
        if space in notation.BASES or "water" not in (await referee.ground(space, "25.1")).features:
            return Obstacle(f"{referee.title(space)} has no water symbol", "25.1")
    return None


def _by_water(referee: FallujahReferee, force: Sequence[Piece], move: Move) -> Arrival:
    """[25.1, 27.3] From one water symbol to any other; it uses all movement."""
    space, rule = move.path[-1], "27.3" if all(map(state.is_sof, force)) else "25.1"
    _carry(referee, force, space, rule)
    referee.say(f"By water to {referee.title(space)}.", rule)
    return Arrival(space, 0)


async def _by_ground(referee: FallujahReferee, force: Sequence[Piece], move: Move, after: Arrival | None) -> Arrival:
    """[13.0] Space by space: one movement point each, stops, bases, bridges, infiltration."""
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
        if number < len(move.path) and await _held_up(referee, force, space):
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
        return Obstacle(f"a way of {plural(length, 'space')} needs the MSR all the way: {slowest.name} moves {value}", "13.2")
    text = f"{plural(length, 'space')}, but the force has {plural(max(value, 0), 'movement point')} ({slowest.name})"
    return Obstacle(text, "13.0", "Name fewer spaces")


async def points_left(referee: FallujahReferee, arrival: Arrival) -> int:
    """[13.2, 14.1] The movement points with which a force may go on after a battle won, that of the MSR included."""
    return path_limit(arrival.left, bool(arrival.trail) and await _all_msr(referee, arrival.trail))


async def _all_msr(referee: FallujahReferee, path: Sequence[str]) -> bool:
    """[13.2] True if a path keeps to the MSR; the ground is asked for space by space."""
    for space in msr_spaces(path):
        if space in notation.BASES or not is_msr(await referee.ground(space, "13.2")):
            return False
    return True


def msr_spaces(path: Sequence[str]) -> Sequence[str]:
    """[13.2] The spaces that must be on the MSR for a path to keep to it: a Base may only be its start (ruling C-68)."""
    return path[1:] if path[0] in notation.BASES else path


def is_msr(ground: notation.Ground) -> bool:
    """[13.2] True if a space is on the MSR."""
    return "msr" in ground.features


def path_limit(points: int, along_msr: bool) -> int:
    """[13.0, 13.2] The spaces that a force may enter: one a movement point, one more if the whole move keeps to the MSR."""
    return points + 1 if along_msr else points


def stops_at_once(start: str) -> bool:
    """[13.4] True if a force that leaves this place stops in the first space: the place is a Base."""
    return start in notation.BASES


def reach(
    start: str,
    points: int,
    neighbours: Callable[[str], Iterable[str]],
    ground: Callable[[str], notation.Ground],
    nodes: Collection[str],
    *,
    whole_move: bool = True,
) -> dict[str, tuple[str, ...]]:
    """[13.0, 13.1, 13.2, 13.4] The spaces that a ground force can reach by what is known of the map, each with its path.

    Args:
        points: The movement points, without the one of the MSR.
        neighbours: Returns the places joined to a place by a route that the force can use.
        ground: Returns what is printed on a space.
        nodes: The spaces with a Node, where a move ends.
        whole_move: The move starts here; False after a battle, when the MSR gives no point by itself.
    """

    def edges(place: str, spent: float) -> Iterator[tuple[str, float]]:
        if place == start or place not in nodes:
            yield from ((space, 1) for space in neighbours(place) if notation.on_map(space))

    limit = min(points, 1) if stops_at_once(start) else points
    moves = cheapest({start: 0}, edges, limit)
    paths = {space: tuple(moves.path(space)[1:]) for space in moves.cost if space != start}
    if not whole_move or (stops_at_once(start) and points):
        return paths
    ends = [path for path in paths.values() if len(path) == points and path[-1] not in nodes] if points else [()]
    for path in ends:
        for space in neighbours(path[-1] if path else start):
            longer = (*path, space)
            if space in paths or space == start or not notation.on_map(space):
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
    return west_fault(path[0]) if start == notation.WEST_BASE else None


async def _halting(referee: FallujahReferee, space: str) -> bool:
    """[13.1] True if an OPFOR Node lies in a space, which stops a unit that enters it."""
    await referee.ground(space, "13.1")
    r09_opfor.open_space(referee, space)
    return r09_opfor.has_node(referee, space)


async def _held_up(referee: FallujahReferee, force: Sequence[Piece], space: str) -> bool:
    """[8.2, 13.1, 13.4] True if a force has to stop on its way, at a base or a Node; SOF may try to infiltrate [27.1]. What a
    Node does when it is revealed it does at once, to those who are there (ruling C-11).
    """
    if space in notation.BASES:
        referee.say(f"{referee.title(space)} ends the move.", "13.4")
        return True
    if not await _halting(referee, space):
        return False
    if not all(state.is_sof(piece) for piece in force):
        referee.say(f"OPFOR has a Node at {referee.title(space)}: the force stops there.", "13.1")
        return True
    contact = min(state.side_of(piece).contact for piece in force)
    fresh = await r09_opfor.reveal(referee, space, "20.2(c)")
    face, passed = await roll_infiltration(contact, referee.title(space))
    verdict = "The force slips through; the Node has no effect" if passed else "It is noticed and stops"
    referee.say(f"Infiltration: {face}, needs {die_range(1, contact)}. {verdict}.", "27.1", "the lowest contact counts (C-39)")
    if not passed:
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
