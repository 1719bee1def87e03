"""[20.0] OPFOR Node markers: where they are, revealing and capturing them, and their effects."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.games.fallujah2004 import names
from companion.games.fallujah2004.pieces import is_engineer, is_ground, is_sof, node_of, steps_left
from companion.games.fallujah2004.referee import Fallujah, concealed_at, ground_at, nodes_at, open_nodes
from companion.games.fallujah2004.rules.r09_morale import morale_check
from companion.games.fallujah2004.words.spaces import on_map


def has_node(game: Fallujah, space: str) -> bool:
    """Whether an OPFOR Node, concealed or revealed, lies in the space."""
    return bool(nodes_at(game.position, space) or concealed_at(game.position, space))


def open_space(game: Fallujah, space: str) -> None:
    """[7.1(1)] Every Objective and Mosque space got one concealed Node at the start; name the one that lies here."""
    ground = ground_at(game.position, space)
    if not ground or not ground.holy:
        return
    tokens = game.position.of_kind(names.CONCEALED)
    waiting = [token for token in tokens if token.place == names.UNOPENED]
    if waiting and not any(token.marks.get(names.FIRST) == space for token in tokens):
        game.mark(waiting[0].id, names.FIRST, space, "7.1(1)")
        game.move(waiting[0].id, space, "7.1(1)", "its Node from the set-up")


async def draw_node(game: Fallujah, space: str, rule: str) -> str:
    """Which Node a concealed one turns out to be: any that nobody has seen yet, each as likely as the other."""
    titles = [row[0] for row in game.chart("nodes").rows.values() if row[0] != "Downed Helicopter"]
    name = await game.draw(
        "node", f"Which Node is revealed at {game.title(space)}?", rule, names.NODE_CUP, [str(t) for t in titles]
    )
    found = next((piece for piece in game.position.at(names.NODE_CUP) if piece.name == name), None)
    if found is not None:
        return found.id
    kind = game.chart("nodes").rows
    row = next(key for key, cells in kind.items() if cells[0] == name)
    return game.make(names.NODE, name, names.NODE_CUP, "4.5", "drawn; Companion thought there were none left", {"node": row})


async def reveal(game: Fallujah, space: str, rule: str) -> list[Piece]:
    """[20.2] Turn the concealed Nodes of a space face up; returns those that were just revealed.

    ``rule``: how: by units in the space [20.2(a)], by ISR [20.2(b)] or by infiltration [20.2(c)].
    """
    fresh: list[Piece] = []
    for token in concealed_at(game.position, space):
        identity = await draw_node(game, space, rule)
        game.move(token.id, names.OFF, rule, "revealed")
        game.move(identity, space, rule, "revealed")
        piece = game.piece(identity)
        fresh.append(piece)
        effect = game.chart("nodes").text(node_of(piece), "effect")
        game.say(f"{game.title(space)} is revealed: {piece.name}. {effect}", game.chart("nodes").cite(node_of(piece)))
    return fresh


def edge(game: Fallujah, space: str) -> int:
    """What the Nodes of a space add to the OPFOR Tactical Edge: 1 at the most (ruling C-19)."""
    return max((game.chart("nodes").number(node_of(piece), "edge") for piece in nodes_at(game.position, space)), default=0)


def extra_picks(game: Fallujah, space: str) -> int:
    """Reaction counters that the Nodes of a space add to the picks."""
    return sum(game.chart("nodes").number(node_of(piece), "extra_picks") for piece in nodes_at(game.position, space))


def is_strongpoint(game: Fallujah, space: str) -> bool:
    """Whether a revealed Strongpoint lies in the space [16.8]."""
    return any(node_of(piece) == "strongpoint" for piece in nodes_at(game.position, space))


async def revealed_effects(game: Fallujah, fresh: Sequence[Piece], space: str, force: Sequence[Piece]) -> None:
    """[20.1] What happens at the instant that units in the space reveal a Node."""
    for piece in fresh:
        if node_of(piece) == "al_qaeda":
            await morale_check(game, "Al Qaeda")
        if node_of(piece) == "ied_factory":
            await ied(game, space, force)


async def ied(game: Fallujah, space: str, force: Sequence[Piece]) -> None:
    """IED Factory: one die for each ground combat unit in the space; an engineer in the force prevents it."""
    if any(is_engineer(piece) for piece in force):
        game.say("IED Factory: the engineer cancels it.", "20.1")
        return
    targets = [piece for piece in game.units_at(space) if is_ground(piece)]
    if not targets:
        game.say("IED Factory: no ground unit is there.", "20.1")
    faces = await game.roll("ied", f"IED Factory, one die each, a hit on 6: {game.piece_names(targets)}", "20.1", len(targets))
    for piece, face in zip(targets, faces, strict=True):
        result = game.chart("ied_factory").text(face, "result")
        if result == "hit":
            game.say(f"IED against {piece.name}: {face}, HIT.", "20.1")
            hit_unit(game, piece, "20.1", "IED")
        else:
            game.say(f"IED against {piece.name}: {face}, miss.", "20.1")


def hit_unit(game: Fallujah, piece: Piece, rule: str, why: str) -> None:
    """[16.3, 21.1] One hit on a Coalition unit: reduced, or eliminated with any leader of its."""
    if steps_left(game.piece(piece.id)) == 2:
        game.flip(piece.id, names.REDUCED, rule, why)
        game.kia(-1, "21.1(a)", f"{piece.name} reduced")
        return
    reduced = game.piece(piece.id).face == names.REDUCED
    lose_leader(game, piece)
    game.move(piece.id, names.ELIMINATED, rule, why)
    game.kia(-1, "21.1(b)" if reduced else "21.1(c)", f"{piece.name} eliminated")


def lose_leader(game: Fallujah, piece: Piece) -> None:
    """[29.1] A leader goes with the unit, deserters included (ruling C-62), and may be recruited again."""
    for leader in game.leaders_with([piece]):
        game.mark(leader.id, names.WITH, None, "29.1")
        game.move(leader.id, names.RECRUIT, "29.1", f"lost with {piece.name}; may be recruited again")


def capture(game: Fallujah, space: str, force: Sequence[Piece]) -> bool:
    """[17.0, 20.3] The Nodes of a space are captured, with their OPs. Returns whether there was one."""
    nodes = nodes_at(game.position, space)
    for piece in nodes:
        kind = node_of(piece)
        game.move(piece.id, names.CAPTURED, "20.3", "captured")
        game.credit("nodes", 1)
        gain = game.chart("nodes").number(kind, "capture_ops")
        game.shift_track("ops", gain, "20.3", f"{piece.name} captured")
        if kind == "hostage_house":
            if any(is_sof(unit) for unit in force):
                game.shift_track("ops", 2, "27.2", "Hostage House captured with SOF")
            else:
                game.say("Hostage House captured without SOF: no OPs.", "27.2")
        elif not gain:
            game.say(f"{piece.name} captured: no OPs.", "20.3")
    return bool(nodes)


def lost_battle(game: Fallujah, space: str) -> None:
    """[17.0] The Nodes of a space stay, face up, and each may cost OPs; every lost battle counts (ruling C-42)."""
    for piece in nodes_at(game.position, space):
        loss = game.chart("nodes").number(node_of(piece), "loss_ops")
        if loss:
            game.shift_track("ops", loss, "17.0", f"battle lost at {piece.name}")
        else:
            game.say(f"{piece.name} stays in place; no OPs lost.", "17.0")


def node_spaces(game: Fallujah) -> list[str]:
    """The spaces of the map that are known to hold a Node."""
    pieces = [*open_nodes(game.position), *game.position.of_kind(names.CONCEALED)]
    return sorted({piece.place for piece in pieces if on_map(piece.place)})
