"""[9.0, 20.0] OPFOR morale and Nodes: revealing and capturing Nodes, and their effects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from companion.core.charts import Chart
from companion.core.dice import RollOutcome, grouped_rolls, pool_outcomes
from companion.core.position import Piece
from companion.core.requests import Number, Roll
from companion.core.text import die_range
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.facts import HOLY
from companion.games.fallujah2004.notation import MORALE, STAND
from companion.games.fallujah2004.referee import (
    FallujahReferee,
    all_known,
    concealed_at,
    deployed,
    ground_at,
    holy_spaces,
    nodes_at,
    open_nodes,
)


def holy_occupied(referee: FallujahReferee) -> int:
    """[9.2] The known Mosque and Objective spaces with any Coalition unit (ruling C-9)."""
    return min(len(holy_spaces(referee.position, {unit.place for unit in deployed(referee.position)})), 20)


@cache
def _outcomes(held: int) -> tuple[RollOutcome, ...]:
    """The two outcomes of a morale check."""
    return grouped_rolls(3, 6, 1, lambda roll: sum(roll) <= held)


def _falls(held: int) -> str:
    """The totals on which morale falls, for a message."""
    return f"falls on {die_range(3, held)}" if held > 2 else "cannot fall"


async def roll_morale(held: int, why: str = "") -> tuple[tuple[int, ...], int]:
    """[9.2] Three dice against the Mosque and Objective spaces held: the dice, and -1 if morale falls or 1 if it rises."""

    def prompt() -> str:
        return f"Morale check ({why}), three dice: OPFOR morale {_falls(held)}, else it rises"

    roll = await Roll("morale", prompt, "9.2", 3, outcomes=lambda: _outcomes(held))
    return roll, -1 if sum(roll) <= held else 1


def level_after(level: int, by: int) -> int:
    """[9.2] The level after a check: never below Low nor above Fanatic."""
    return min(max(level + by, 0), len(MORALE) - 1)


async def morale_check(referee: FallujahReferee, why: str) -> None:
    """[9.2] Make a morale check against the Mosque and Objective spaces that the Coalition occupies."""
    held = await ask_held(referee)
    roll, by = await roll_morale(held, why)
    total = sum(roll)
    was = referee.position.track("morale")
    now = level_after(was, by)
    verdict = f"Morale check: {total}, {_falls(held)}."
    if now == was:
        referee.say(f"{verdict} OPFOR morale stays {referee.morale}.", "9.2")
        return
    referee.say(f"{verdict} OPFOR morale {'falls' if by < 0 else 'rises'}.", "9.2", f"3d6 = {' + '.join(map(str, roll))}")
    referee.set_track("morale", now, "9.2", f"{total} rolled, {_falls(held)}")


async def ask_held(referee: FallujahReferee) -> int:
    """The number of these spaces that the Coalition occupies; asked if the ground of one of its spaces is not known."""
    held, prompt = holy_occupied(referee), "How many Mosque and Objective spaces hold Coalition units?"
    request = Number("holy_spaces", prompt, "9.2", 0, 20, held)
    request.implied_reply = held if all_known(referee.position) else None
    return await request


def picks(referee: FallujahReferee) -> int:
    """[9.3(1)] The number of Reaction counters picked at the current morale."""
    return referee.chart("morale").number(referee.morale, "picks")


def known_stand(morale: str, terrain: str, chart: Mapping[str, str]) -> bool:
    """[9.3(2)] True if OPFOR stands by the cells entered so far (``level:terrain``); an unknown cell counts as Stand."""
    return chart.get(f"{morale}:{terrain}") != "break-off"


async def stands(referee: FallujahReferee, terrain: str) -> bool:
    """[9.3(2)] True if OPFOR stands at the current morale in this terrain, by the Morale Chart."""
    fact = f"stand:{referee.morale}:{terrain}"
    prompt = f"What does the OPFOR Morale Chart print for {referee.morale} morale, {terrain}: stand or break-off?"
    return await referee.printed(fact, prompt, "9.3(2)", STAND) == "stand"


def has_node(referee: FallujahReferee, space: str) -> bool:
    """True if an OPFOR Node, concealed or revealed, lies in the space."""
    return bool(nodes_at(referee.position, space) or concealed_at(referee.position, space))


def open_space(referee: FallujahReferee, space: str) -> None:
    """[7.1(1)] Place the concealed Node of the set-up in a visited space whose ground was known without it."""
    position = referee.position
    if waiting := len(position.at(state.UNOPENED)):
        known = sum((ground := ground_at(position, other)) is not None and ground.holy for other in state.SPACES)
        if known + waiting > min(HOLY, len(position.of_kind(state.CONCEALED))):
            referee.place_first_node(space)  # an older log did not place it with the ground


async def draw_node(referee: FallujahReferee, space: str, rule: str) -> str:
    """Draw the identity of a concealed Node: any that is not revealed yet, with equal chances; its id."""
    kinds = {str(cells[0]): kind for kind, cells in referee.chart("nodes").rows.items()}
    titles = [title for title in kinds if title != "Downed Helicopter"]
    name = await referee.draw("node", f"Which Node is revealed at {referee.title(space)}?", rule, state.NODE_CUP, titles)
    node = next((piece for piece in referee.position.at(state.NODE_CUP) if piece.name == name), None)
    if node is not None:
        return node.id
    why = "drawn; Companion thought there were none left"
    return referee.make(state.NODE, name, state.NODE_CUP, "4.5", why, {"node": kinds[name]})


async def reveal(referee: FallujahReferee, space: str, rule: str) -> list[Piece]:
    """[20.2] Turn the concealed Nodes of a space face up; returns those that were just revealed.

    `rule`: by units in the space [20.2(a)], ISR [20.2(b)] or infiltration [20.2(c)].
    """
    fresh: list[Piece] = []
    chart = referee.chart("nodes")
    for token in concealed_at(referee.position, space):
        identity = await draw_node(referee, space, rule)
        referee.move(token.id, state.OFF, rule, "revealed")
        referee.move(identity, space, rule, "revealed")
        piece = referee.piece(identity)
        fresh.append(piece)
        kind = state.node_of(piece)
        referee.say(f"{referee.title(space)} is revealed: {piece.name}. {chart.text(kind, 'effect')}", chart.cite(kind))
    return fresh


def node_edge(referee: FallujahReferee, space: str) -> int:
    """The bonus of the Nodes of a space to the OPFOR Tactical Edge: at most 1 (ruling C-19)."""
    nodes, chart = nodes_at(referee.position, space), referee.chart("nodes")
    return max((chart.number(state.node_of(piece), "edge") for piece in nodes), default=0)


def extra_picks(referee: FallujahReferee, space: str) -> int:
    """The number of Reaction counters that the Nodes of a space add to the picks."""
    nodes, chart = nodes_at(referee.position, space), referee.chart("nodes")
    return sum(chart.number(state.node_of(piece), "extra_picks") for piece in nodes)


def is_strongpoint(referee: FallujahReferee, space: str) -> bool:
    """True if a revealed Strongpoint lies in the space [16.8]."""
    return any(state.node_of(piece) == "strongpoint" for piece in nodes_at(referee.position, space))


async def revealed_effects(referee: FallujahReferee, fresh: Sequence[Piece], space: str, force: Sequence[Piece]) -> None:
    """[20.1] Carry out the immediate effects of Nodes that units in the space have revealed."""
    for piece in fresh:
        if state.node_of(piece) == "al_qaeda":
            await morale_check(referee, "Al Qaeda")
        if state.node_of(piece) == "ied_factory":
            await ied_factory(referee, space, force)


async def ied_factory(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> None:
    """[20.1] IED Factory: one die for each ground combat unit in the space; an engineer in the force prevents it."""
    if any(state.is_engineer(piece) for piece in force):
        referee.say("IED Factory: the engineer cancels it.", "20.1")
        return
    targets = [piece for piece in referee.units_at(space) if state.is_ground(piece)]
    if not targets:
        referee.say("IED Factory: no ground unit is there.", "20.1")
    prompt = f"IED Factory, one die each, a hit on 6: {referee.piece_names(targets)}"
    chart = referee.chart("ied_factory")
    faces = await referee.roll("ied", prompt, "20.1", len(targets), outcomes=lambda: ied_outcomes(chart, len(targets)))
    for piece, face in zip(targets, faces, strict=True):
        if chart.text(face, "result") == "hit":
            referee.say(f"IED against {piece.name}: {face}, HIT.", "20.1")
            hit_unit(referee, piece, "20.1", "IED")
        else:
            referee.say(f"IED against {piece.name}: {face}, miss.", "20.1")


def ied_outcomes(chart: Chart, units: int) -> tuple[RollOutcome, ...]:
    """[20.1] The rolls of an IED Factory, one die for each unit, merged by which units are hit."""
    hits = [chart.text(face, "result") == "hit" for face in range(1, 7)]
    rows = [tuple(tuple(int(hit and unit == own) for unit in range(units)) for hit in hits) for own in range(units)]
    return pool_outcomes(tuple(rows), 1)


def hit_unit(referee: FallujahReferee, piece: Piece, rule: str, why: str) -> None:
    """[16.3, 21.1] Apply a hit to a Coalition unit: reduce it, or eliminate it with its leader."""
    if state.steps_left(referee.piece(piece.id)) == 2:
        referee.flip(piece.id, state.REDUCED, rule, why)
        referee.kia(-1, "21.1(a)", f"{piece.name} reduced")
        return
    reduced = referee.piece(piece.id).face == state.REDUCED
    lose_leader(referee, piece)
    referee.move(piece.id, state.ELIMINATED, rule, why)
    referee.kia(-1, "21.1(b)" if reduced else "21.1(c)", f"{piece.name} eliminated")


def lose_leader(referee: FallujahReferee, piece: Piece) -> None:
    """[29.1] Remove the leader of a lost or deserted unit (ruling C-62), who may be recruited again."""
    for leader in referee.leaders_with([piece]):
        referee.mark(leader.id, state.WITH, None, "29.1")
        referee.move(leader.id, state.RECRUIT, "29.1", f"lost with {piece.name}; may be recruited again")


def capture_ops(chart: Chart, node: Piece, with_sof: bool) -> tuple[int, int]:
    """[20.3, 27.2] The OPs of a captured Node by the chart, and those for SOF that help to capture a Hostage House."""
    hostages = state.node_of(node) == "hostage_house" and with_sof
    return chart.number(state.node_of(node), "capture_ops"), _HOSTAGE_OPS if hostages else 0


_HOSTAGE_OPS = 2


def battle_loss_ops(chart: Chart, nodes: Iterable[Piece]) -> int:
    """[17.0] The OPs that a lost battle costs by the Nodes of its space, not negative."""
    return -sum(chart.number(state.node_of(node), "loss_ops") for node in nodes)


def capture(referee: FallujahReferee, space: str, force: Sequence[Piece]) -> bool:
    """[17.0, 20.3] Capture the Nodes of a space, with their OPs; True if there was any."""
    nodes = nodes_at(referee.position, space)
    for piece in nodes:
        referee.move(piece.id, state.CAPTURED, "20.3", "captured")
        referee.credit("nodes", 1)
        gain, bonus = capture_ops(referee.chart("nodes"), piece, any(map(state.is_sof, force)))
        referee.shift_track("ops", gain, "20.3", f"{piece.name} captured")
        if state.node_of(piece) == "hostage_house":
            if bonus:
                referee.shift_track("ops", bonus, "27.2", "Hostage House captured with SOF")
            else:
                referee.say("Hostage House captured without SOF: no OPs.", "27.2")
        elif not gain:
            referee.say(f"{piece.name} captured: no OPs.", "20.3")
    return bool(nodes)


def lose_battle(referee: FallujahReferee, space: str) -> None:
    """[17.0] Lose the OPs of the Nodes of a space, which stay face up; every lost battle counts (ruling C-42)."""
    for piece in nodes_at(referee.position, space):
        loss = referee.chart("nodes").number(state.node_of(piece), "loss_ops")
        if loss:
            referee.shift_track("ops", loss, "17.0", f"battle lost at {piece.name}")
        else:
            referee.say(f"{piece.name} stays in place; no OPs lost.", "17.0")


def node_spaces(referee: FallujahReferee) -> list[str]:
    """The spaces of the map that are known to hold a Node."""
    pieces = [*open_nodes(referee.position), *referee.position.of_kind(state.CONCEALED)]
    return sorted({piece.place for piece in pieces if state.on_map(piece.place)})
