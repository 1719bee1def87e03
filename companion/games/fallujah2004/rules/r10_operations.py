"""[10.1] J-3, the Offensive Action: movement, reaction, combat, Node capture; with [32.0] and [33.0]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.errors import Impossible
from companion.core.game import Obstacle
from companion.core.position import Piece
from companion.core.requests import Choice, Confirm
from companion.core.text import plural
from companion.games.fallujah2004.names import OUT, RECRUIT
from companion.games.fallujah2004.pieces import AIR_STRIKE, ARTILLERY, SOA, is_fob, is_helicopter, is_iraqi, type_of
from companion.games.fallujah2004.referee import Fallujah, deployed, nodes_at, open_nodes
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r08_forces import choose_force, stack_fault
from companion.games.fallujah2004.rules.r13_movement import Arrival, ask_move, base_exit_fault, move_force, points_left, remaining
from companion.games.fallujah2004.rules.r14_reaction import Reaction, react
from companion.games.fallujah2004.rules.r16_battle import ask_strikes
from companion.games.fallujah2004.rules.r16_combat import (
    Aloud,
    choose_markers,
    fight,
    opfor_at,
    put_back,
    return_opfor,
    scene,
    support,
)
from companion.games.fallujah2004.rules.r16_fire import collateral_damage, firer_list, raw_hits
from companion.games.fallujah2004.rules.r29_leaders import leader_check
from companion.games.fallujah2004.words.counters import AIR
from companion.games.fallujah2004.words.spaces import BASES, on_map


def _movers(game: Fallujah, moved: Sequence[str] = ()) -> list[Piece]:
    """[8.3] The units that may move, without those that have; Forward Operations Bases never do [28.1].

    Raises:
        Impossible: there are none.
    """
    found = [piece for piece in deployed(game.position) if not is_fob(piece) and piece.id not in moved]
    if not found and not moved:
        raise Impossible("no Coalition unit is on the map or in a base", rule="8.3", cure="Recruit some first: j1")
    return found


async def offensive(game: Fallujah) -> None:
    """[10.1, 10.2] J-3 for one OP: one force moves, meets the reaction, fights, captures [10.1(1) - 10.1(4)]."""
    movers = _movers(game)
    game.begin_operation("J-3 offensive", "10.1")
    force = await choose_force(game, movers)
    move = await ask_move(game, force)
    arrival = await move_force(game, force, move)
    taken = await arrive(game, force, arrival)
    conclude(game, taken)


async def networked(game: Fallujah) -> None:
    """[32.0] Several forces, never Iraqi, move to one space for one OP and one NetWar marker."""
    if not game.netwar():
        raise Impossible("no NetWar marker is in the Available box", rule="32.0(1)", cure="Recruit one: j1")
    if all(map(is_iraqi, _movers(game))):
        raise Impossible("only Iraqi units are there, and they take no part", rule="32.0", cure="Recruit others: j1")
    game.begin_operation("J-3 networked", "32.0(2)")
    for marker in await choose_markers(game, 1):
        put_back(game, marker, RECRUIT, "32.0(1)", "used")
    moved: list[str] = []
    ends: dict[str, list[str]] = {}
    target = ""
    while not moved or await _another(game, target, _movers(game, moved)):
        force = await choose_force(game, _movers(game, moved), partial(joining_fault, game, target))
        arrival = await move_force(game, force, await ask_move(game, force, "32.0(3)", join=target))
        moved += [piece.id for piece in force]
        if arrival:
            target = target or arrival.space
            ends.setdefault(arrival.space, []).extend(piece.id for piece in force)
        if len(ends) > 1 and game.option("noticed") == "ends":
            break
    negotiations = 0
    for space, there in ends.items():  # more than one where an infiltration failed: ruling C-71; nobody moves on: C-63
        negotiations += await arrive(game, [game.piece(one) for one in there], Arrival(space, 0))
    conclude(game, negotiations)


async def _another(game: Fallujah, target: str, movers: Sequence[Piece]) -> bool:
    """[32.0(3)] Whether one more force goes there, where one can."""
    request = Confirm("more", f"Another force to {game.title(target)}?", "32.0(3)", False)
    faults = [joining_fault(game, target, [piece]) for piece in movers]
    request.implied_reply = False if all(faults) else None
    more = await request
    if more and all(faults):
        fault = next(filter(None, faults), Obstacle("every unit has moved", "32.0(3)"))
        raise Impossible(fault.text, rule=fault.rule, cure="Say no")
    return more


def joining_fault(game: Fallujah, target: str, force: Sequence[Piece]) -> Obstacle | None:
    """[32.0, 32.0(3)] Why a force can take no part in a networked operation; ``target``: where the others have gone, or ""."""
    if any(map(is_iraqi, force)):
        return Obstacle("Iraqi units take no part in networked operations", "32.0", "Leave them out")
    if not target:
        return None
    start = force[0].place
    if start == target:
        return Obstacle(f"{force[0].name} is in {game.title(target)} already", "32.0(3)", "Name units that move there")
    by_air = any(map(is_helicopter, force))
    fault = None if by_air or target in BASES else base_exit_fault(start, [target])
    return fault or stack_fault(game, target, force)


async def arrive(game: Fallujah, force: Sequence[Piece], arrival: Arrival | None) -> int:
    """[10.1(2) - 10.1(4)] Reaction, combat and capture where the force stopped, and further movement after a win.

    Returns the OPs that Negotiations take at the end [14.5].
    """
    negotiations = 0
    while arrival and arrival.space not in BASES:
        present = [game.piece(piece.id) for piece in force if game.piece(piece.id).place == arrival.space]
        reaction = await react(game, arrival.space, present)
        negotiations += reaction.negotiations
        if not (reaction.happened and reaction.survivors):
            break
        onward = await resolve(game, present, reaction, arrival)
        if not onward:
            break
        force = [game.piece(one) for one in onward]
        arrival = remaining(game, arrival, force)
        move = await ask_move(game, force, "14.1", arrival)
        arrival = await move_force(game, force, move, arrival)
    return negotiations


async def resolve(game: Fallujah, force: Sequence[Piece], reaction: Reaction, arrival: Arrival) -> tuple[str, ...]:
    """[10.1(3), 10.1(4), 17.0] Fight if OPFOR is there; capture; the ids of a force that moves on, or none."""
    space = arrival.space
    survivors = tuple(piece.id for piece in force if game.piece(piece.id).place == space)
    if not survivors:
        stays = "; the Node stays, face up" if nodes_at(game.position, space) else ""
        game.say(f"Nothing is left of the force: no battle{stays}.", "15.0", "ruling C-61")
        return_opfor(game, space)
        return ()
    fought = bool(opfor_at(game, space))
    if fought:
        battle = await fight(game, space, [game.piece(one) for one in survivors], reaction.circumstances)
        survivors = tuple(one.id for one in battle.coalition)
        if not battle.won:
            nodes.lost_battle(game, space)
            return ()
    elif nodes_at(game.position, space):
        game.say("Nobody defends the Node: you capture it without a battle.", "10.1(4)", "ruling C-1")
    winners = [game.piece(one) for one in survivors]
    captured = nodes.capture(game, space, winners)
    if not fought:
        return ()
    await leader_check(game, winners)
    left = 0 if captured or not winners else await points_left(game, remaining(game, arrival, winners))
    if left <= 0:
        return ()
    game.moving, game.points = winners, left
    points = "any distance" if left >= AIR else plural(left, "movement point")
    more = await game.confirm("move_on", f"{points[:1].upper()}{points[1:]} left. Move on?", "14.1", suggest=False)
    return survivors if more else ()


def conclude(game: Fallujah, negotiations: int) -> None:
    """The end of a J-3: what Negotiations cost, then the ends of the game [8.1]."""
    if negotiations:
        game.shift_track("ops", -negotiations, "14.5", "Negotiations")
    game.end_operation()


async def interdict(game: Fallujah) -> None:
    """[33.0] Air strikes alone against a revealed Node: one round, no reaction, no OPs, no VP."""
    lying = sorted({piece.place for piece in open_nodes(game.position) if on_map(piece.place)})
    if not lying:
        raise Impossible("no revealed Node is on the map", rule="33.0", cure="Reveal one first: j2")
    if not game.available(AIR_STRIKE, SOA):
        raise Impossible("no air strike is in the Available box", rule="33.0", cure="Recruit some: j1")
    targets = [space for space in lying if support(game, space).strikes]
    if not targets:
        raise Impossible("no fire support is used where Iraqi units are", rule="31.0", cure="Move them away first: j3")
    game.begin_operation("J-3 interdiction", "33.0")
    space = await game.one_space("Which Node do you interdict?", "33.0", targets)
    node = await _target(game, space)
    air = [strike for strike in support(game, space).strikes if type_of(game.piece(strike.id)) != ARTILLERY]
    strikes = await ask_strikes(air, least=1)
    faces = await game.roll("fire", f"Interdiction. In this order: {firer_list(strikes)}", "33.0", len(strikes))
    hits = raw_hits(strikes, faces)
    game.say(f"Interdiction: {' '.join(map(str, faces))}: {'the Node is ELIMINATED' if hits else 'no effect'}.", "33.0")
    if 6 in faces:
        terrain = (await game.ground(space, "23.5")).terrain
        collateral_damage(Aloud(game, scene(game, terrain)), strikes, faces)
    for strike in strikes:
        game.move(strike.id, RECRUIT, "23.1", "used")
    if hits:
        game.move(node, OUT, "33.0", "eliminated by interdiction")
    game.end_operation()


async def _target(game: Fallujah, space: str) -> str:
    """[33.0] The id of the Node that is attacked: one of them, where a helicopter lies with another."""
    found = nodes_at(game.position, space)
    if len(found) == 1:
        return found[0].id
    choices = [Choice(piece.id, piece.name) for piece in found]
    return await game.choose("node", f"Which Node at {game.title(space)}?", "33.0", choices)
