"""[10.1] J-3, the Offensive Action: movement, reaction, combat, Node capture; with [32.0] and [33.0]."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from companion.core.errors import Impossible
from companion.core.game import Obstacle
from companion.core.position import Piece
from companion.core.requests import Choice, Confirm
from companion.core.text import plural
from companion.games.fallujah2004.notation import AIR, BASES, on_map
from companion.games.fallujah2004.referee import FallujahReferee, deployed, nodes_at, open_nodes
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r08_forces import choose_force, stack_fault
from companion.games.fallujah2004.rules.r13_movement import Arrival, ask_move, base_exit_fault, move_force, points_left, remaining
from companion.games.fallujah2004.rules.r14_reaction import Reaction, react
from companion.games.fallujah2004.rules.r16_battle import ask_strikes, collateral_damage, firer_list, raw_hits
from companion.games.fallujah2004.rules.r16_combat import (
    ReportedBattle,
    choose_markers,
    conditions,
    fight,
    opfor_at,
    put_back,
    return_opfor,
    support,
)
from companion.games.fallujah2004.rules.r29_leaders import leader_check
from companion.games.fallujah2004.state import AIR_STRIKE, ARTILLERY, OUT, RECRUIT, SOA, is_fob, is_helicopter, is_iraqi, type_of


def _movers(referee: FallujahReferee, moved: Sequence[str] = ()) -> list[Piece]:
    """[8.3] The units that may move, without those that have; Forward Operations Bases never do [28.1].

    Raises:
        Impossible: there are none.
    """
    found = [piece for piece in deployed(referee.position) if not is_fob(piece) and piece.id not in moved]
    if not found and not moved:
        raise Impossible("no Coalition unit is on the map or in a base", rule="8.3", cure="Recruit some first: j1")
    return found


async def offensive(referee: FallujahReferee) -> None:
    """[10.1, 10.2] J-3 for one OP: one force moves, meets the reaction, fights, captures [10.1(1) - 10.1(4)]."""
    movers = _movers(referee)
    referee.begin_operation("J-3 offensive", "10.1")
    force = await choose_force(referee, movers)
    move = await ask_move(referee, force)
    arrival = await move_force(referee, force, move)
    taken = await arrive(referee, force, arrival)
    finish_offensive(referee, taken)


async def networked(referee: FallujahReferee) -> None:
    """[32.0] Several forces, never Iraqi, move to one space for one OP and one NetWar marker."""
    if not referee.netwar():
        raise Impossible("no NetWar marker is in the Available box", rule="32.0(1)", cure="Recruit one: j1")
    if all(map(is_iraqi, _movers(referee))):
        raise Impossible("only Iraqi units are there, and they take no part", rule="32.0", cure="Recruit others: j1")
    referee.begin_operation("J-3 networked", "32.0(2)")
    for marker in await choose_markers(referee, 1):
        put_back(referee, marker, RECRUIT, "32.0(1)", "used")
    moved: list[str] = []
    ends: dict[str, list[str]] = {}
    target = ""
    while not moved or await _another(referee, target, _movers(referee, moved)):
        force = await choose_force(referee, _movers(referee, moved), partial(networked_fault, referee, target))
        arrival = await move_force(referee, force, await ask_move(referee, force, "32.0(3)", join=target))
        moved += [piece.id for piece in force]
        if arrival:
            target = target or arrival.space
            ends.setdefault(arrival.space, []).extend(piece.id for piece in force)
        if len(ends) > 1 and referee.option("noticed") == "ends":
            break
    negotiations = 0
    for space, there in ends.items():  # more than one where an infiltration failed: ruling C-71; nobody moves on: C-63
        negotiations += await arrive(referee, [referee.piece(one) for one in there], Arrival(space, 0))
    finish_offensive(referee, negotiations)


async def _another(referee: FallujahReferee, target: str, movers: Sequence[Piece]) -> bool:
    """[32.0(3)] Ask for another force, if one can join."""
    request = Confirm("more", f"Another force to {referee.title(target)}?", "32.0(3)", False)
    faults = [networked_fault(referee, target, [piece]) for piece in movers]
    request.implied_reply = False if all(faults) else None
    more = await request
    if more and all(faults):
        fault = next(filter(None, faults), Obstacle("every unit has moved", "32.0(3)"))
        raise Impossible(fault.text, rule=fault.rule, cure="Say no")
    return more


def networked_fault(referee: FallujahReferee, target: str, force: Sequence[Piece]) -> Obstacle | None:
    """[32.0, 32.0(3)] Why a force can take no part in a networked operation; ``target``: where the others have gone, or ""."""
    if any(map(is_iraqi, force)):
        return Obstacle("Iraqi units take no part in networked operations", "32.0", "Leave them out")
    if not target:
        return None
    start = force[0].place
    if start == target:
        return Obstacle(f"{force[0].name} is in {referee.title(target)} already", "32.0(3)", "Name units that move there")
    by_air = any(map(is_helicopter, force))
    fault = None if by_air or target in BASES else base_exit_fault(start, [target])
    return fault or stack_fault(referee, target, force)


async def arrive(referee: FallujahReferee, force: Sequence[Piece], arrival: Arrival | None) -> int:
    """[10.1(2) - 10.1(4)] Reaction, combat and capture where the force stopped, and further movement after a win.

    Returns the OPs that Negotiations take at the end [14.5].
    """
    negotiations = 0
    while arrival and arrival.space not in BASES:
        present = [referee.piece(piece.id) for piece in force if referee.piece(piece.id).place == arrival.space]
        reaction = await react(referee, arrival.space, present)
        negotiations += reaction.negotiations
        if not (reaction.happened and reaction.survivors):
            break
        onward = await resolve(referee, present, reaction, arrival)
        if not onward:
            break
        force = [referee.piece(one) for one in onward]
        arrival = remaining(referee, arrival, force)
        move = await ask_move(referee, force, "14.1", arrival)
        arrival = await move_force(referee, force, move, arrival)
    return negotiations


async def resolve(referee: FallujahReferee, force: Sequence[Piece], reaction: Reaction, arrival: Arrival) -> tuple[str, ...]:
    """[10.1(3), 10.1(4), 17.0] Fight if OPFOR is there; capture; the ids of a force that moves on, or none."""
    space = arrival.space
    survivors = tuple(piece.id for piece in force if referee.piece(piece.id).place == space)
    if not survivors:
        stays = "; the Node stays, face up" if nodes_at(referee.position, space) else ""
        referee.say(f"Nothing is left of the force: no battle{stays}.", "15.0", "ruling C-61")
        return_opfor(referee, space)
        return ()
    fought = bool(opfor_at(referee, space))
    if fought:
        battle = await fight(referee, space, [referee.piece(one) for one in survivors], reaction.circumstances)
        survivors = tuple(one.id for one in battle.coalition)
        if not battle.won:
            nodes.lose_battle(referee, space)
            return ()
    elif nodes_at(referee.position, space):
        referee.say("Nobody defends the Node: you capture it without a battle.", "10.1(4)", "ruling C-1")
    winners = [referee.piece(one) for one in survivors]
    captured = nodes.capture(referee, space, winners)
    if not fought:
        return ()
    await leader_check(referee, winners)
    left = 0 if captured or not winners else await points_left(referee, remaining(referee, arrival, winners))
    if left <= 0:
        return ()
    referee.moving_force, referee.points_left = winners, left
    points = "any distance" if left >= AIR else plural(left, "movement point")
    more = await referee.confirm("move_on", f"{points[:1].upper()}{points[1:]} left. Move on?", "14.1", suggest=False)
    return survivors if more else ()


def finish_offensive(referee: FallujahReferee, negotiations: int) -> None:
    """End a J-3: apply what Negotiations cost, then check for the end of the game [8.1]."""
    if negotiations:
        referee.shift_track("ops", -negotiations, "14.5", "Negotiations")
    referee.end_operation()


async def interdict(referee: FallujahReferee) -> None:
    """[33.0] Air strikes alone against a revealed Node: one round, no reaction, no OPs, no VP."""
    lying = sorted({piece.place for piece in open_nodes(referee.position) if on_map(piece.place)})
    if not lying:
        raise Impossible("no revealed Node is on the map", rule="33.0", cure="Reveal one first: j2")
    if not referee.available(AIR_STRIKE, SOA):
        raise Impossible("no air strike is in the Available box", rule="33.0", cure="Recruit some: j1")
    targets = [space for space in lying if support(referee, space).strikes]
    if not targets:
        raise Impossible("no fire support is used where Iraqi units are", rule="31.0", cure="Move them away first: j3")
    referee.begin_operation("J-3 interdiction", "33.0")
    space = await referee.choose_space("Which Node do you interdict?", "33.0", targets)
    node = await _target(referee, space)
    air = [strike for strike in support(referee, space).strikes if type_of(referee.piece(strike.id)) != ARTILLERY]
    strikes = await ask_strikes(air, least=1)
    faces = await referee.roll("fire", f"Interdiction. In this order: {firer_list(strikes)}", "33.0", len(strikes))
    hits = raw_hits(strikes, faces)
    referee.say(f"Interdiction: {' '.join(map(str, faces))}: {'the Node is ELIMINATED' if hits else 'no effect'}.", "33.0")
    if 6 in faces:
        terrain = (await referee.ground(space, "23.5")).terrain
        collateral_damage(ReportedBattle(referee, conditions(referee, terrain)), strikes, faces)
    for strike in strikes:
        referee.move(strike.id, RECRUIT, "23.1", "used")
    if hits:
        referee.move(node, OUT, "33.0", "eliminated by interdiction")
    referee.end_operation()


async def _target(referee: FallujahReferee, space: str) -> str:
    """[33.0] The id of the Node that is attacked: one of them, where a helicopter lies with another."""
    found = nodes_at(referee.position, space)
    if len(found) == 1:
        return found[0].id
    choices = [Choice(piece.id, piece.name) for piece in found]
    return await referee.choose("node", f"Which Node at {referee.title(space)}?", "33.0", choices)
