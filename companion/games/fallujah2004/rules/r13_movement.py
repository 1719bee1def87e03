"""[13.0] J-3 movement, with helicopters [24.0], rivers [25.0] and infiltration [27.1]."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Literal

from companion.core.dice import summed_rolls
from companion.core.errors import Unreadable
from companion.core.game import Obstacle
from companion.core.graph import cheapest
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.request import LazyText, evaluate_text
from companion.core.requests import Choice, Roll, Text
from companion.core.text import clean, die_range, plural
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.referee import FallujahReferee, ground_at
from companion.games.fallujah2004.rules import r08_forces, r09_opfor
from companion.games.fallujah2004.rules.r13_routes import RouteMap, Steps, confirm_route, known_routes, route_fault, west_fault


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

    return Notation("path", "3-8 3-9", read, words=_PATH_WORDS, between=" ")


_PATH_WORDS = (*state.SPACE_ORDER, *(base.replace(" ", "_") for base in state.BASES), "water")


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
        points = after.left if after else movement_value(referee, force)
        example = "" if join or points < 2 else partial(_example, referee, force, routes, dry)
        ends = await referee.reuse_procedure(partial(_ends, referee, force, after, join, routes, dry))
        move = await _ask_path(referee, force, rule, ends, example, by_water=not dry and not after)
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
    near = [] if join or by_air else routes.neighbours(start)
    return [
        end
        for end in [*near, *others]
        if (by_air or _leads(referee, routes, start, end, dry))
        and not await move_fault(referee, force, Move("air" if by_air else "ground", (end,)), after, join)
    ]


async def _ask_path(
    referee: FallujahReferee, force: Sequence[Piece], rule: str, ends: Sequence[str], example: LazyText, by_water: bool
) -> Move:
    """Ask for a path. `example`: one of several spaces, or ""; `by_water`: the force may move by water [25.1, 27.3]."""
    names = await referee.place_names()
    start = force[0].place
    by_air = any(state.is_helicopter(piece) for piece in force)

    def prompt() -> str:
        if by_air:
            return f"From {referee.title(start)} where?"
        if stops_at_once(start):
            return f"From {referee.title(start)} to which space or Base?"
        return f"From {referee.title(start)} to which spaces, in order?"

    def typing_hint() -> str:
        if by_air or stops_at_once(start):
            return ""
        examples = [evaluate_text(example), _water_example(referee, start) if by_water else ""]
        return "; by water: ".join(filter(None, examples))

    request = Text(
        "to", prompt, rule, _path_notation(names), [Choice(end, referee.title(end), partial(_hint, referee, end)) for end in ends]
    )
    request.typing_hint = typing_hint
    request.table_default = lambda: next((end for end in ends if r09_opfor.has_node(referee, end)), ends[0] if ends else None)
    text = await request
    words = text.split()
    path = tuple(word.replace("_", " ") for word in words if word != "water")
    if missing := [space for space in path if names.lacks(space)]:
        referee.no_space(missing[0])
    return Move("air" if by_air else "water" if words[0] == "water" else "ground", path)


def _example(referee: FallujahReferee, force: Sequence[Piece], routes: RouteMap, dry: bool) -> str:
    """A legal path of two spaces over known ground; "" for none."""
    start = force[0].place

    def following(space: str) -> Iterator[str]:
        near = (other for other in routes.neighbours(space) if other != start)
        return (other for other in near if not route_fault(referee, routes, [(space, other)], dry))

    first = (space for space in following(start) if not r09_opfor.has_node(referee, space))
    paths = ((space, other) for space in first for other in following(space))
    return next((f"{space} {other}" for space, other in paths if not r08_forces.stack_fault(referee, other, force)), "")


def _water_example(referee: FallujahReferee, start: str) -> str:
    """[25.1] A water move as it is typed; "" if the force is not at a water symbol."""
    wet = [space for space in state.SPACE_ORDER if (ground := ground_at(referee.position, space)) and "water" in ground.features]
    return next((f"water {space}" for space in wet if space != start), "") if start in wet else ""


def _hint(referee: FallujahReferee, place: str) -> str:
    """The ground of a place, and whether a Node is known to lie there."""
    ground = ground_at(referee.position, place)
    node = ["Node"] if r09_opfor.has_node(referee, place) else []
    return ", ".join([*([str(ground._replace(name=""))] if ground else []), *node])


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
    """[8.2, 13.1, 13.4] The spaces of a move up to where it ends: at a base or an OPFOR unit, or at a Node unless all are SOF."""
    may_infiltrate = all(state.is_sof(piece) for piece in force)
    for number, space in enumerate(move.path[:-1] if move.mode == "ground" else (), 1):
        if space in state.BASES or _has_fighters(referee, space) or (not may_infiltrate and await _has_node(referee, space)):
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
    if length <= path_limit(value, False):
        return None
    if length <= path_limit(value, True) and await _all_msr(referee, (*trail, *move.path)):
        return None
    slowest = slowest_of(referee, force)
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
    along_msr: bool = True,
) -> dict[str, tuple[str, ...]]:
    """[13.0, 13.1, 13.2, 13.4] The spaces that a ground force can reach on the known map, each with its path.

    Args:
        points: The movement points, without the one of the MSR.
        neighbours: Returns the places joined to a place by a route that the force can use.
        ground: Returns what is printed on a space.
        nodes: The spaces with a Node, where a move ends.
        along_msr: The move keeps to the MSR so far, as one that starts here does; the MSR may give it one more point.
    """

    def edges(place: str, spent: float) -> Iterator[tuple[str, float]]:
        if place == start or place not in nodes:
            yield from ((space, 1) for space in neighbours(place) if state.on_map(space))

    limit = min(points, 1) if stops_at_once(start) else points
    moves = cheapest({start: 0}, edges, limit)
    paths = {space: tuple(moves.path(space)[1:]) for space in moves.cost if space != start}
    if not along_msr or (stops_at_once(start) and points):
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


def _has_fighters(referee: FallujahReferee, space: str) -> bool:
    """[8.2] True if an OPFOR unit lies in a space, where a correction has put it."""
    return any(map(state.fights, referee.position.at(space)))


async def _is_stopped(referee: FallujahReferee, force: Sequence[Piece], space: str) -> bool:
    """[8.2, 13.1, 13.4] True if a base, OPFOR unit or Node stops a force on its way; SOF may infiltrate a Node [27.1]."""
    if space in state.BASES:
        referee.say(f"{referee.title(space)} ends the move.", "13.4")
        return True
    if _has_fighters(referee, space):
        referee.say(f"An OPFOR unit is at {referee.title(space)}: the force stops there.", "8.2")
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
