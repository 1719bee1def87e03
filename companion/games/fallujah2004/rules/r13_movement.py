"""[13.0] J-3 movement, with helicopters [24.0], rivers [25.0] and infiltration [27.1]."""

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.dice import summed
from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice, Roll
from companion.core.words import clean, plural
from companion.games.fallujah2004.pieces import (
    SOF_HELICOPTER,
    TRANSPORT,
    is_amtrac,
    is_helicopter,
    is_iraqi,
    is_sof,
    side_of,
    type_of,
)
from companion.games.fallujah2004.referee import Fallujah, blown_bridges
from companion.games.fallujah2004.rules.r08_forces import check_stacking
from companion.games.fallujah2004.rules.r20_nodes import has_node, open_space, reveal
from companion.games.fallujah2004.words import spaces
from companion.games.fallujah2004.words.counters import AIR
from companion.games.fallujah2004.words.spaces import on_map


class Move(NamedTuple):
    """A move as declared: how, and the spaces entered in order."""

    how: str
    path: tuple[str, ...]


class Arrival(NamedTuple):
    """Where a movement ended and what it may still do.

    Attributes:
        space: the space or base.
        left: movement points that a won battle may still use [14.1], without that of the MSR.
        fresh: Nodes that a failed infiltration has just revealed [27.1].
        trail: where a ground move began and every space that it entered; () for moves by air and water.
        msr_spent: the point of the MSR [13.2] is used up.
    """

    space: str
    left: int
    fresh: tuple[str, ...] = ()
    trail: tuple[str, ...] = ()
    msr_spent: bool = False


def _lifters(force: Sequence[Piece]) -> tuple[int, int]:
    """Lifts for any light unit, and lifts for SOF only [24.6]."""
    transports = sum(type_of(piece) == TRANSPORT for piece in force)
    return transports, sum(type_of(piece) == SOF_HELICOPTER for piece in force)


def airmobile_faults(game: Fallujah, force: Sequence[Piece]) -> list[str]:
    """Why a force of helicopters and ground units cannot move by air [24.3, 24.5, 24.6]; none where it can."""
    riders = [piece for piece in force if not is_helicopter(piece)]
    faults = [f"{piece.name} is heavy" for piece in riders if game.unit_class(piece) == "heavy"]
    faults += [f"{piece.name} is Iraqi" for piece in riders if is_iraqi(piece)]
    any_light, sof_only = _lifters(force)
    sof = sum(is_sof(piece) for piece in riders)
    needed = len(riders) - min(sof, sof_only)
    if needed > any_light:
        faults.append(f"{plural(len(riders), 'unit')} to carry, room for {any_light} and {sof_only} SOF more")
    return faults


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
    try:
        return [spaces.read_space(text, names)]
    except Unreadable:
        return text.split()


async def ask_move(game: Fallujah, key: str, force: Sequence[Piece], rule: str = "13.0") -> Move:
    """Where the force goes: the spaces it enters in order, a base, or ``water`` and a space for a water move."""
    names = await game.place_names()
    known = [Choice(base, base.title()) for base in spaces.BASES]
    by_air = any(is_helicopter(piece) for piece in force)
    prompt = "Destination" if by_air else "Spaces entered, in order (water X: a water move)"
    text = await game.text(key, f"{prompt}, from {game.title(force[0].place)}", rule, _path_notation(names), known)
    words = text.split()
    how = "air" if by_air else "water" if words[0] == "water" else "ground"
    return Move(how, tuple(word.replace("_", " ") for word in words if word != "water"))


def movement_value(game: Fallujah, force: Sequence[Piece]) -> int:
    """[8.3, 13.0] The movement of the slowest unit; light units aboard an Amtrac move as it does [25.2]."""
    amtracs = sum(is_amtrac(piece) for piece in force)
    slowest = sorted(force, key=lambda piece: side_of(piece).move)
    aboard = [piece for piece in slowest if game.unit_class(piece) == "light"][:amtracs]
    return min(side_of(piece).move for piece in force if piece not in aboard)


async def move_force(game: Fallujah, force: Sequence[Piece], move: Move, after: Arrival | None = None) -> Arrival | None:
    """Carry out a move by ground, air or water, up to where the force has to stop; None where it stays [14.2].

    Args:
        after: where the force had stopped, if it goes on after a battle [14.1].
    """
    start = force[0].place
    if move.path[-1] == start and len(move.path) == 1:
        game.say("The force stays where it is: no reaction.", "14.2")
        return None
    if move.how == "air":
        return _fly(game, force, move)
    if move.how == "water":
        if after:
            game.forbid("a water move takes the whole movement of an operation", "25.1", "Go on by ground")
        return await _by_water(game, force, move)
    return await _by_ground(game, force, move, after)


def _carry(game: Fallujah, force: Sequence[Piece], space: str, rule: str) -> None:
    for piece in force:
        game.move(piece.id, space, rule)


def _fly(game: Fallujah, force: Sequence[Piece], move: Move) -> Arrival:
    """[24.1, 24.5] Any distance over anything. Carrying others takes all movement; helicopters alone may fly on after
    a battle won (ruling C-64). The end of the move counts as landing, on station [24.2] or not (ruling C-69).
    """
    faults = airmobile_faults(game, force)
    if faults:
        game.forbid(f"this force cannot move by air: {'; '.join(faults)}", "24.5", "See capacities: /rule 24.6")
    space = move.path[-1]
    loaded = any(not is_helicopter(piece) for piece in force)
    _carry(game, force, space, "24.5" if loaded else "24.1")
    game.say(f"By air to {game.title(space)}.", "24.1")
    check_stacking(game, space)
    return Arrival(space, 0 if loaded else AIR)


async def _by_water(game: Fallujah, force: Sequence[Piece], move: Move) -> Arrival:
    """[25.1, 27.3] From one water symbol to any other; it uses all movement."""
    faults = amtrac_faults(game, force)
    if faults:
        game.forbid(
            f"this force cannot move by water: {'; '.join(faults)}",
            "25.1",
            "Amtracs and SOF can; an Amtrac carries one light unit",
        )
    for space in (force[0].place, move.path[-1]):
        if space in spaces.BASES or "water" not in (await game.ground(space, "25.1")).features:
            game.forbid(f"{game.title(space)} has no water symbol", "25.1")
    space = move.path[-1]
    _carry(game, force, space, "25.1")
    game.say(f"By water to {game.title(space)}.", "25.1")
    check_stacking(game, space)
    return Arrival(space, 0)


async def _by_ground(game: Fallujah, force: Sequence[Piece], move: Move, after: Arrival | None) -> Arrival:
    """[13.0] Space by space: one movement point each, stops, bases, bridges, infiltration."""
    start = force[0].place
    if start in spaces.BASES and len(move.path) == 1 and move.path[0] in spaces.BASES:
        _carry(game, force, move.path[0], "13.4")
        game.say(f"From {game.title(start)} to {game.title(move.path[0])} for one OP.", "13.4")
        return Arrival(move.path[0], 0)
    value = after.left if after else movement_value(game, force)
    trail = after.trail if after else (start,)
    await _check_length(game, force, move, value, (*trail, *move.path))
    check_base_exit(game, start, move.path)
    await _check_river(game, force, start, move)
    fresh: tuple[str, ...] | None = None
    for number, space in enumerate(move.path, 1):
        _carry(game, force, space, "13.0")
        trail, value = (*trail, space), value - 1
        if number < len(move.path) and space not in spaces.BASES:
            fresh = await _held_up(game, force, space)
        if fresh is not None or space in spaces.BASES:
            break
    check_stacking(game, trail[-1])
    return Arrival(trail[-1], max(value, 0), fresh or (), trail, value < 0)


async def _check_length(game: Fallujah, force: Sequence[Piece], move: Move, value: int, trail: Sequence[str]) -> None:
    """[13.0, 13.2] As many spaces as movement points; one more when the whole move keeps to the MSR."""
    length = len(move.path)
    slowest = min(force, key=lambda piece: side_of(piece).move)
    if length <= value:
        return
    if length == value + 1:
        if await _all_msr(game, trail):
            game.say("The whole move keeps to the MSR: 1 more movement point.", "13.2")
            return
        game.forbid(f"{length} spaces need the MSR all the way; the movement of {slowest.name} is {value}", "13.2")
        return
    game.forbid(
        f"{plural(length, 'space')}, but the force has {plural(max(value, 0), 'movement point')} ({slowest.name})",
        "13.0",
        "Name fewer spaces",
    )


async def points_left(game: Fallujah, arrival: Arrival) -> int:
    """[13.2, 14.1] The movement points with which a force may go on after a battle won, that of the MSR included."""
    may_gain = arrival.trail and not arrival.msr_spent
    return arrival.left + int(bool(may_gain and await _all_msr(game, arrival.trail)))


async def _all_msr(game: Fallujah, path: Sequence[str]) -> bool:
    for space in path:
        if space not in spaces.BASES and "msr" not in (await game.ground(space, "13.2")).features:
            return False
    return True


def check_base_exit(game: Fallujah, start: str, path: Sequence[str]) -> None:
    """[13.4] A force leaving a base stops in the first space; the West Base opens on certain phase lines only."""
    if start not in spaces.BASES:
        return
    if len(path) > 1:
        game.forbid("a force that leaves a base stops in the first space", "13.4", "Name one space")
    line = int(path[0].partition("-")[2]) if on_map(path[0]) else 0
    if start == spaces.WEST_BASE and line and line not in spaces.WEST_ENTRIES:
        lines = ", ".join(map(str, spaces.WEST_ENTRIES))
        game.forbid(f"the West Base opens on phase lines {lines}, not on {line}", "13.4")


async def _check_river(game: Fallujah, force: Sequence[Piece], start: str, move: Move) -> None:
    """[13.3] The route west of a blown bridge is a river route: Amtracs, their loads and SOF only."""
    touched = {start, *move.path}.intersection(blown_bridges(game.position))
    if not touched or not amtrac_faults(game, force):
        return
    crossing = await game.confirm(
        "river", f"Does the move cross the blown bridge at {game.title(min(touched))}", "13.3", suggest=False
    )
    if crossing:
        game.forbid("only Amtracs with their loads and SOF cross a river route", "13.3", "Repair the bridge (j4) or go round")


async def _held_up(game: Fallujah, force: Sequence[Piece], space: str) -> tuple[str, ...] | None:
    """[8.2, 13.1] None where a force may go on; SOF may try to infiltrate [27.1]. Else the Nodes just revealed."""
    await game.ground(space, "13.1")
    open_space(game, space)
    if not has_node(game, space):
        return None
    if not all(is_sof(piece) for piece in force):
        game.say(f"{game.title(space)} holds an OPFOR Node: the force stops there.", "13.1")
        return ()
    contact = min(side_of(piece).contact for piece in force)
    fresh = await reveal(game, space, "20.2(c)")
    face, passed = await infiltrates(contact, game.title(space))
    verdict = "the force slips through; the Node has no effect" if passed else "noticed; the force stops"
    game.say(f"Infiltration: {face} against contact {contact}: {verdict}.", "27.1", "the lowest contact counts (C-39)")
    return None if passed else tuple(piece.id for piece in fresh)


async def infiltrates(contact: int, where: str = "") -> tuple[int, bool]:
    """[27.1] One die against the contact of the force: the face, and whether it slips through."""
    roll = await Roll(
        "infiltrate",
        lambda: f"Infiltration through {where}: {contact} or less passes",
        "27.1",
        outcomes=lambda: summed(1, lambda face: int(face <= contact)),
    )
    return roll[0], roll[0] <= contact
