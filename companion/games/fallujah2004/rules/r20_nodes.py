"""[20.0] OPFOR Node markers: where they are, revealing and capturing them, and their effects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.charts import Chart
from companion.core.position import Piece
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.notation import on_map
from companion.games.fallujah2004.referee import FallujahReferee, concealed_at, ground_at, nodes_at, open_nodes
from companion.games.fallujah2004.rules.r09_morale import morale_check
from companion.games.fallujah2004.state import is_engineer, is_ground, is_sof, node_of, steps_left


def has_node(referee: FallujahReferee, space: str) -> bool:
    """True if an OPFOR Node, concealed or revealed, lies in the space."""
    return bool(nodes_at(referee.position, space) or concealed_at(referee.position, space))


def open_space(referee: FallujahReferee, space: str) -> None:
    """[7.1(1)] Every Objective and Mosque space got one concealed Node at the start; name the one that lies here."""
    ground = ground_at(referee.position, space)
    if not ground or not ground.holy:
        return
    tokens = referee.position.of_kind(state.CONCEALED)
    waiting = [token for token in tokens if token.place == state.UNOPENED]
    if waiting and not any(token.marks.get(state.FIRST) == space for token in tokens):
        referee.mark(waiting[0].id, state.FIRST, space, "7.1(1)")
        referee.move(waiting[0].id, space, "7.1(1)", "its Node from the set-up")


async def draw_node(referee: FallujahReferee, space: str, rule: str) -> str:
    """Which Node a concealed one turns out to be: any that nobody has seen yet, each as likely as the other."""
    titles = [row[0] for row in referee.chart("nodes").rows.values() if row[0] != "Downed Helicopter"]
    name = await referee.draw(
        "node", f"Which Node is revealed at {referee.title(space)}?", rule, state.NODE_CUP, [str(t) for t in titles]
    )
    found = next((piece for piece in referee.position.at(state.NODE_CUP) if piece.name == name), None)
    if found is not None:
        return found.id
    kind = referee.chart("nodes").rows
    row = next(key for key, cells in kind.items() if cells[0] == name)
    return referee.make(state.NODE, name, state.NODE_CUP, "4.5", "drawn; Companion thought there were none left", {"node": row})


async def reveal(referee: FallujahReferee, space: str, rule: str) -> list[Piece]:
    """[20.2] Turn the concealed Nodes of a space face up; returns those that were just revealed.

    ``rule``: how: by units in the space [20.2(a)], by ISR [20.2(b)] or by infiltration [20.2(c)].
    """
    fresh: list[Piece] = []
    for token in concealed_at(referee.position, space):
        identity = await draw_node(referee, space, rule)
        referee.move(token.id, state.OFF, rule, "revealed")
        referee.move(identity, space, rule, "revealed")
        piece = referee.piece(identity)
        fresh.append(piece)
        effect = referee.chart("nodes").text(node_of(piece), "effect")
        referee.say(f"{referee.title(space)} is revealed: {piece.name}. {effect}", referee.chart("nodes").cite(node_of(piece)))
    return fresh


def node_edge(referee: FallujahReferee, space: str) -> int:
    """What the Nodes of a space add to the OPFOR Tactical Edge: 1 at the most (ruling C-19)."""
    return max((referee.chart("nodes").number(node_of(piece), "edge") for piece in nodes_at(referee.position, space)), default=0)


def extra_picks(referee: FallujahReferee, space: str) -> int:
    """Reaction counters that the Nodes of a space add to the picks."""
    return sum(referee.chart("nodes").number(node_of(piece), "extra_picks") for piece in nodes_at(referee.position, space))


def is_strongpoint(referee: FallujahReferee, space: str) -> bool:
    """True if a revealed Strongpoint lies in the space [16.8]."""
    return any(node_of(piece) == "strongpoint" for piece in nodes_at(referee.position, space))


async def revealed_effects(referee: FallujahReferee, fresh: Sequence[Piece], space: str, force: Sequence[Piece]) -> None:
    """[20.1] What happens at the instant that units in the space reveal a Node."""
    for piece in fresh:
        if node_of(piece) == "al_qaeda":
            await morale_check(referee, "Al Qaeda")
        if node_of(piece) == "ied_factory":
            await ied_factory(referee, space, force)


async def ied_factory(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> None:
    """IED Factory: one die for each ground combat unit in the space; an engineer in the force prevents it."""
    if any(is_engineer(piece) for piece in force):
        referee.say("IED Factory: the engineer cancels it.", "20.1")
        return
    targets = [piece for piece in referee.units_at(space) if is_ground(piece)]
    if not targets:
        referee.say("IED Factory: no ground unit is there.", "20.1")
    faces = await referee.roll(
        "ied", f"IED Factory, one die each, a hit on 6: {referee.piece_names(targets)}", "20.1", len(targets)
    )
    for piece, face in zip(targets, faces, strict=True):
        result = referee.chart("ied_factory").text(face, "result")
        if result == "hit":
            referee.say(f"IED against {piece.name}: {face}, HIT.", "20.1")
            hit_unit(referee, piece, "20.1", "IED")
        else:
            referee.say(f"IED against {piece.name}: {face}, miss.", "20.1")


def hit_unit(referee: FallujahReferee, piece: Piece, rule: str, why: str) -> None:
    """[16.3, 21.1] One hit on a Coalition unit: reduced, or eliminated with any leader of its."""
    if steps_left(referee.piece(piece.id)) == 2:
        referee.flip(piece.id, state.REDUCED, rule, why)
        referee.kia(-1, "21.1(a)", f"{piece.name} reduced")
        return
    reduced = referee.piece(piece.id).face == state.REDUCED
    lose_leader(referee, piece)
    referee.move(piece.id, state.ELIMINATED, rule, why)
    referee.kia(-1, "21.1(b)" if reduced else "21.1(c)", f"{piece.name} eliminated")


def lose_leader(referee: FallujahReferee, piece: Piece) -> None:
    """[29.1] A leader goes with the unit, deserters included (ruling C-62), and may be recruited again."""
    for leader in referee.leaders_with([piece]):
        referee.mark(leader.id, state.WITH, None, "29.1")
        referee.move(leader.id, state.RECRUIT, "29.1", f"lost with {piece.name}; may be recruited again")


def capture_ops(chart: Chart, node: Piece, with_sof: bool) -> tuple[int, int]:
    """[20.3, 27.2] The OPs that a captured Node brings: by the chart, and for SOF that help to capture a Hostage House."""
    hostages = node_of(node) == "hostage_house" and with_sof
    return chart.number(node_of(node), "capture_ops"), _HOSTAGE_OPS if hostages else 0


_HOSTAGE_OPS = 2


def battle_loss_ops(chart: Chart, nodes: Iterable[Piece]) -> int:
    """[17.0] The OPs that a lost battle costs by the Nodes of its space, from 0."""
    return -sum(chart.number(node_of(node), "loss_ops") for node in nodes)


def capture(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> bool:
    """[17.0, 20.3] Capture the Nodes of a space, with their OPs; True if there was one."""
    nodes = nodes_at(referee.position, space)
    for piece in nodes:
        referee.move(piece.id, state.CAPTURED, "20.3", "captured")
        referee.credit("nodes", 1)
        gain, bonus = capture_ops(referee.chart("nodes"), piece, any(map(is_sof, force)))
        referee.shift_track("ops", gain, "20.3", f"{piece.name} captured")
        if node_of(piece) == "hostage_house":
            if bonus:
                referee.shift_track("ops", bonus, "27.2", "Hostage House captured with SOF")
            else:
                referee.say("Hostage House captured without SOF: no OPs.", "27.2")
        elif not gain:
            referee.say(f"{piece.name} captured: no OPs.", "20.3")
    return bool(nodes)


def lose_battle(referee: FallujahReferee, space: str) -> None:
    """[17.0] The Nodes of a space stay, face up, and each may cost OPs; every lost battle counts (ruling C-42)."""
    for piece in nodes_at(referee.position, space):
        loss = referee.chart("nodes").number(node_of(piece), "loss_ops")
        if loss:
            referee.shift_track("ops", loss, "17.0", f"battle lost at {piece.name}")
        else:
            referee.say(f"{piece.name} stays in place; no OPs lost.", "17.0")


def node_spaces(referee: FallujahReferee) -> list[str]:
    """The spaces of the map that are known to hold a Node."""
    pieces = [*open_nodes(referee.position), *referee.position.of_kind(state.CONCEALED)]
    return sorted({piece.place for piece in pieces if on_map(piece.place)})
