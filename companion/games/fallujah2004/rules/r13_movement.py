"""[13.0] J-3 movement, with helicopters [24.0], rivers [25.0] and infiltration [27.1]."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.dice import summed_rolls
from companion.core.errors import Unreadable
from companion.core.game import Obstacle
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Roll
from companion.core.text import clean, die_range, plural
from companion.games.fallujah2004.pieces import is_amtrac, is_helicopter, is_sof, side_of
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.rules.r08_forces import stack_fault
from companion.games.fallujah2004.rules.r13_routes import Map, Steps, known_routes, may_go, route_fault, steps_of, west_fault
from companion.games.fallujah2004.rules.r20_nodes import has_node, open_space, reveal, revealed_effects
from companion.games.fallujah2004.words import spaces
from companion.games.fallujah2004.words.counters import AIR


class Move(NamedTuple):
    """A move as declared: how, and the spaces entered in order."""

    how: str
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


def amtrac_faults(game: Fallujah, force: Sequence[Piece]) -> list[str]:
    """Why a force cannot move by water [25.1, 25.2, 27.3]; none where it can."""
    amtracs = [piece for piece in force if is_amtrac(piece)]
    riders = [piece for piece in force if piece not in amtracs and not is_sof(piece)]
    faults = [f"{piece.name} cannot be carried" for piece in riders if game.unit_class(piece) != "light"]
    if len(riders) > len(amtracs):
        faults.append(f"{plural(len(riders), 'light unit')} to carry, {plural(len(amtracs), 'Amtrac')} there")
    return faults


# -- the move -----------------------------------------------------------------------------------------------------


def _path_notation(names: spaces.Names) -> Notation:
    def read(text: str) -> str:
        parts = [part for part in clean(text).replace(",", " , ").split(" , ") if part.strip()]
        words = parts if len(parts) > 1 else _words(clean(text), names)
        how = "water " if words and words[0].casefold() == "water" else ""
        steps = [spaces.read_space(word, names) for word in (words[1:] if how else words)]
        if not steps:
            raise Unreadable("no space named", rule="13.0", cure="Type the spaces entered, in order: 3-8 3-9")
        return how + " ".join(step.replace(" ", "_") for step in steps)

    return Notation("path", "3-8 3-9", read)


def _words(text: str, names: spaces.Names) -> list[str]:
    """The words of a path; a name of several words stays whole where the whole text is one."""
    words = text.split()
    if all(map(spaces.grid, words)):  # no name: nobody need look through them
        return words
    try:
        return [spaces.read_space(text, names)]
    except Unreadable:
        return words


async def ask_move(
    game: Fallujah, force: Sequence[Piece], rule: str = "13.0", after: Arrival | None = None, join: str | None = None
) -> Move:
    """Where the force goes: the spaces it enters in order, a base, or ``water`` and a space for a water move.

    Args:
        game, force, rule: who goes, and by which rule.
        after: where the force had stopped, if it goes on after a battle [14.1].
        join: in a networked operation, where the forces before it have gone, "" for the first one [32.0(3)].
    """
    game.moving = force
    dry = bool(amtrac_faults(game, force))
    while True:
        known = await known_routes(game)
        move = await _named(game, force, rule, await _ends(game, force, after, join, known, dry))
        game.check(await move_fault(game, force, move, after, join))
        steps = await _steps(game, force, move)
        game.check(route_fault(game, known, steps, dry))
        if await may_go(game, known, steps, dry):
            return move


async def _steps(game: Fallujah, force: Sequence[Piece], move: Move) -> Steps:
    """The steps that a move takes on the ground, up to where it ends; none where it stays, or goes another way."""
    start = force[0].place
    if move.how != "ground" or move.path == (start,) or (start in spaces.BASES and move.path[0] in spaces.BASES):
        return ()  # from base to base no route is needed, and a base ends the move whatever is named beyond it
    return steps_of(start, await _way(game, force, move))


async def _ends(
    game: Fallujah, force: Sequence[Piece], after: Arrival | None, join: str | None, routes: Map, dry: bool
) -> list[str]:
    """Where a move may be offered to end: in a base, or where the others have gone. What would be refused is left out."""
    start, by_air = force[0].place, any(is_helicopter(piece) for piece in force)
    others = [join] if join else [base for base in spaces.BASES if base != start]
    return [
        end
        for end in others
        if (by_air or _leads(game, routes, start, end, dry))
        and not await move_fault(game, force, Move("air" if by_air else "ground", (end,)), after, join)
    ]


async def _named(game: Fallujah, force: Sequence[Piece], rule: str, ends: Sequence[str]) -> Move:
    names = await game.place_names()
    start = force[0].place
    by_air = any(is_helicopter(piece) for piece in force)
    asks = "where?" if by_air else "to which spaces, in order? (3-8 3-9; by boat: water 5-9)"
    known = [Choice(end, game.title(end)) for end in ends]
    text = await game.text("to", f"From {game.title(start)} {asks}", rule, _path_notation(names), known)
    words = text.split()
    how = "air" if by_air else "water" if words[0] == "water" else "ground"
    path = tuple(word.replace("_", " ") for word in words if word != "water")
    if gone := [space for space in path if names.lacks(space)]:
        game.no_space(gone[0])
    return Move(how, path)


def _leads(game: Fallujah, routes: Map, start: str, end: str, dry: bool) -> bool:
    """[13.0, 13.3, 13.4] Whether a ground move may end in one step where it is offered to: between bases always, otherwise by
    what is known. ``dry``: the force cannot cross a river.
    """
    return (start in spaces.BASES and end in spaces.BASES) or not route_fault(game, routes, [(start, end)], dry)


async def move_fault(
    game: Fallujah, force: Sequence[Piece], move: Move, after: Arrival | None = None, join: str | None = None
) -> Obstacle | None:
    """Why a move as it is declared cannot be made; None where it can. The arguments are those of ``ask_move``."""
    start, end = force[0].place, move.path[-1]
    if move.path == (start,):
        text = "every force of a networked operation moves"
        return None if join is None else Obstacle(text, "32.0(3)", "Name the spaces that it enters")
    if join and await _stop(game, force, move) != join:
        return Obstacle(f"every force ends in {game.title(join)}", "32.0(3)", "Name a path that ends there")
    if move.how == "water":
        fault = await _water_fault(game, force, end, after)
    elif move.how == "ground" and not _between_bases(start, move):
        fault = await _length_fault(game, force, move, after) or base_exit_fault(start, move.path)
    else:
        fault = None
    return fault or await _room_fault(game, force, move)


async def _room_fault(game: Fallujah, force: Sequence[Piece], move: Move) -> Obstacle | None:
    """[8.2, 27.1] Why a force finds no room where it will end its move, or where SOF may be noticed on the way (ruling C-74)."""
    swift = move.path[:-1] if move.how == "ground" and all(is_sof(piece) for piece in force) else ()
    noticed = [space for space in swift if game.units_at(space) and await _halting(game, space)]
    ends = [*noticed, await _stop(game, force, move)]
    return next(filter(None, (stack_fault(game, space, force) for space in ends)), None)


def _between_bases(start: str, move: Move) -> bool:
    return start in spaces.BASES and len(move.path) == 1 and move.path[0] in spaces.BASES


async def _way(game: Fallujah, force: Sequence[Piece], move: Move) -> tuple[str, ...]:
    """[8.2, 13.1, 13.4] The spaces of a move up to where it will end as far as can be known: at a base, or at a Node, through
    which SOF may slip [27.1].
    """
    swift = all(is_sof(piece) for piece in force)
    for number, space in enumerate(move.path[:-1] if move.how == "ground" else (), 1):
        if space in spaces.BASES or (not swift and await _halting(game, space)):
            return move.path[:number]
    return move.path


async def _stop(game: Fallujah, force: Sequence[Piece], move: Move) -> str:
    """Where a move will end."""
    return (await _way(game, force, move))[-1]


def slowest_of(game: Fallujah, force: Sequence[Piece]) -> Piece:
    """[8.3, 13.0] The unit that sets the pace; light units aboard an Amtrac move as it does [25.2]."""
    amtracs = sum(is_amtrac(piece) for piece in force)
    slowest = sorted(force, key=lambda piece: side_of(piece).move)
    aboard = [piece for piece in slowest if game.unit_class(piece) == "light"][:amtracs]
    return next(piece for piece in slowest if piece not in aboard)


def movement_value(game: Fallujah, force: Sequence[Piece]) -> int:
    """[8.3, 13.0] The movement of the slowest unit."""
    return side_of(slowest_of(game, force)).move


def remaining(game: Fallujah, arrival: Arrival, force: Sequence[Piece]) -> Arrival:
    """[13.0, 14.1] What is left to those who won, without whom a battle took from them: no more than before it, and by the side
    that is up unless the switch says otherwise (ruling C-70).
    """
    if not arrival.trail:
        return arrival
    ids = {piece.id for piece in force}
    set_out = [piece for piece in arrival.force if piece.id in ids]
    units = set_out if game.option("movement_left") == "at_start" else force
    entered = len(arrival.trail) - 1
    return arrival._replace(left=min(arrival.left, movement_value(game, units) - entered))


async def move_force(game: Fallujah, force: Sequence[Piece], move: Move, after: Arrival | None = None) -> Arrival | None:
    """Carry out a move by ground, air or water, up to where the force has to stop; None where it stays [14.2].

    Args:
        after: where the force had stopped, if it goes on after a battle [14.1].
    """
    start = force[0].place
    if move.path == (start,):
        game.say("The force stays where it is: no reaction.", "14.2")
        return None
    if move.how == "air":
        return _fly(game, force, move)
    if move.how == "water":
        return _by_water(game, force, move)
    return await _by_ground(game, force, move, after)


def _carry(game: Fallujah, force: Sequence[Piece], space: str, rule: str) -> None:
    for piece in force:
        game.move(piece.id, space, rule)


def _fly(game: Fallujah, force: Sequence[Piece], move: Move) -> Arrival:
    """[24.1, 24.5] Any distance over anything. Carrying others takes all movement; helicopters alone may fly on after
    a battle won (ruling C-64). The end of the move counts as landing, on station [24.2] or not (ruling C-69).
    """
    space = move.path[-1]
    loaded = any(not is_helicopter(piece) for piece in force)
    _carry(game, force, space, "24.5" if loaded else "24.1")
    game.say(f"By air to {game.title(space)}.", "24.1")
    return Arrival(space, 0 if loaded else AIR)


async def _water_fault(game: Fallujah, force: Sequence[Piece], end: str, after: Arrival | None) -> Obstacle | None:
    """[25.1, 27.3] Why a force cannot make a water move to a space."""
    if after:
        return Obstacle("a water move takes the whole movement of an operation", "25.1", "Go on by ground")
    if faults := amtrac_faults(game, force):
        cure = "Amtracs and SOF can; an Amtrac carries one light unit"
        return Obstacle(f"this force cannot move by water: {'; '.join(faults)}", "25.1", cure)
    for space in (force[0].place, end):
        if space in spaces.BASES or "water" not in (await game.ground(space, "25.1")).features:
            return Obstacle(f"{game.title(space)} has no water symbol", "25.1")
    return None


def _by_water(game: Fallujah, force: Sequence[Piece], move: Move) -> Arrival:
    """[25.1, 27.3] From one water symbol to any other; it uses all movement."""
    space, rule = move.path[-1], "27.3" if all(map(is_sof, force)) else "25.1"
    _carry(game, force, space, rule)
    game.say(f"By water to {game.title(space)}.", rule)
    return Arrival(space, 0)


async def _by_ground(game: Fallujah, force: Sequence[Piece], move: Move, after: Arrival | None) -> Arrival:
    """[13.0] Space by space: one movement point each, stops, bases, bridges, infiltration."""
    start = force[0].place
    if _between_bases(start, move):
        _carry(game, force, move.path[0], "13.4")
        game.say(f"From {game.title(start)} to {game.title(move.path[0])} for one OP.", "13.4")
        return Arrival(move.path[0], 0)
    value = after.left if after else movement_value(game, force)
    trail = after.trail if after else (start,)
    if len(move.path) == value + 1:
        game.say("The whole move keeps to the MSR: 1 more movement point.", "13.2")
    for number, space in enumerate(move.path, 1):
        _carry(game, force, space, "13.0")
        trail, value = (*trail, space), value - 1
        if number < len(move.path) and await _held_up(game, force, space):
            break
    return Arrival(trail[-1], value, trail, after.force if after else tuple(force))


async def _length_fault(game: Fallujah, force: Sequence[Piece], move: Move, after: Arrival | None) -> Obstacle | None:
    """[13.0, 13.2] As many spaces as movement points; one more when the whole move keeps to the MSR."""
    value = after.left if after else movement_value(game, force)
    trail = after.trail if after else (force[0].place,)
    length = len(move.path)
    slowest = slowest_of(game, force)
    if length <= value or (length == value + 1 and await _all_msr(game, (*trail, *move.path))):
        return None
    if length == value + 1:
        return Obstacle(f"a way of {plural(length, 'space')} needs the MSR all the way: {slowest.name} moves {value}", "13.2")
    text = f"{plural(length, 'space')}, but the force has {plural(max(value, 0), 'movement point')} ({slowest.name})"
    return Obstacle(text, "13.0", "Name fewer spaces")


async def points_left(game: Fallujah, arrival: Arrival) -> int:
    """[13.2, 14.1] The movement points with which a force may go on after a battle won, that of the MSR included."""
    return arrival.left + int(bool(arrival.trail) and await _all_msr(game, arrival.trail))


async def _all_msr(game: Fallujah, path: Sequence[str]) -> bool:
    """[13.2] Whether a way keeps to the MSR; a Base is no space of it, and may only be where it begins (ruling C-68)."""
    for space in path[1:] if path[0] in spaces.BASES else path:
        if space in spaces.BASES or "msr" not in (await game.ground(space, "13.2")).features:
            return False
    return True


def base_exit_fault(start: str, path: Sequence[str]) -> Obstacle | None:
    """[13.4] A force leaving a base stops in the first space; not every phase line leads out of the West Base."""
    if start not in spaces.BASES:
        return None
    if len(path) > 1:
        return Obstacle("a force that leaves a base stops in the first space", "13.4", "Name one space")
    return west_fault(path[0]) if start == spaces.WEST_BASE else None


async def _halting(game: Fallujah, space: str) -> bool:
    """[13.1] Whether an OPFOR Node lies in a space, which stops whoever enters it."""
    await game.ground(space, "13.1")
    open_space(game, space)
    return has_node(game, space)


async def _held_up(game: Fallujah, force: Sequence[Piece], space: str) -> bool:
    """[8.2, 13.1, 13.4] Whether a force has to stop on its way, at a base or a Node; SOF may try to infiltrate [27.1]. What a
    Node does when it is revealed it does at once, to those who are there (ruling C-11).
    """
    if space in spaces.BASES:
        game.say(f"{game.title(space)} ends the move.", "13.4")
        return True
    if not await _halting(game, space):
        return False
    if not all(is_sof(piece) for piece in force):
        game.say(f"OPFOR has a Node at {game.title(space)}: the force stops there.", "13.1")
        return True
    contact = min(side_of(piece).contact for piece in force)
    fresh = await reveal(game, space, "20.2(c)")
    face, passed = await infiltrates(contact, game.title(space))
    verdict = "The force slips through; the Node has no effect" if passed else "It is noticed and stops"
    game.say(f"Infiltration: {face}, needs {die_range(1, contact)}. {verdict}.", "27.1", "the lowest contact counts (C-39)")
    if not passed:
        await revealed_effects(game, fresh, space, force)
    return not passed


async def infiltrates(contact: int, where: str = "") -> tuple[int, bool]:
    """[27.1] One die against the contact of the force: the face, and whether it slips through."""
    roll = await Roll(
        "infiltrate",
        lambda: f"Infiltration through {where}: the force slips through on {die_range(1, contact)}",
        "27.1",
        outcomes=lambda: summed_rolls(1, lambda face: int(face <= contact)),
    )
    return roll[0], roll[0] <= contact
