"""[14.0] OPFOR reaction: whether there is one, the picks, and carrying them out in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.words import plural
from companion.games.fallujah2004.names import DISPLAY, EVENT, OPFOR, REACTION_CUP
from companion.games.fallujah2004.pieces import event_of, is_ground
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.rules import r20_nodes as nodes
from companion.games.fallujah2004.rules.r09_morale import picks
from companion.games.fallujah2004.rules.r14_events import Effects, carry_out
from companion.games.fallujah2004.rules.r16_combat import Circumstances, opfor_at
from companion.games.fallujah2004.words.facts import EVENT_KINDS


class Reaction(NamedTuple):
    """What a reaction leads to.

    Attributes:
        happened: False where 14.1 calls for none.
        circumstances: what the events brought on the battle.
        negotiations: the OPs that Negotiations takes at the end of the J-3.
        survivors: the force was not wiped out by the Node itself.
    """

    happened: bool
    circumstances: Circumstances = Circumstances()
    negotiations: int = 0
    survivors: bool = True


async def react(game: Fallujah, space: str, force: Sequence[Piece]) -> Reaction:
    """[14.1] Boots on the ground, a Node, or neither; then the picks."""
    await game.ground(space, "14.1")
    nodes.open_space(game, space)
    ids = {piece.id for piece in force}
    others = [piece for piece in game.units_at(space) if piece.id not in ids]
    boots = [piece for piece in others if is_ground(piece)]
    node = nodes.has_node(game, space)
    if boots and not node:
        game.say(f"{game.names(boots)} already there: no OPFOR reaction.", "14.1(1)")
        return Reaction(False)
    if boots:
        game.say("A Node lies under Coalition units: entering it brings a reaction all the same.", "14.1(2)", "ruling C-15")
    if others and not boots:
        game.say(f"{game.names(others)} alone does not prevent the reaction.", "24.7", "ruling C-8")
    await nodes.revealed_effects(game, await nodes.reveal(game, space, "20.2(a)"), space, force)
    if not any(game.piece(piece.id).place == space for piece in force):
        game.say("Nothing is left of the force: no reaction, no battle; the Node stays, face up.", "14.1(2)", "ruling C-59")
        return Reaction(True, survivors=False)
    return await picked(game, space, node)


async def picked(game: Fallujah, space: str, node: bool) -> Reaction:
    """[14.1(2), 14.1(3), 14.3] Pick by morale, then Deceptions, events in the order picked, combat units."""
    rule = "14.1(2)" if node else "14.1(3)"
    count = picks(game)
    extra = nodes.extra_picks(game, space)
    game.say(
        f"OPFOR reaction: morale {game.morale} picks {count}" + (f", Arms Cache {extra} more" if extra else "") + ".",
        rule,
        f"OPFOR Morale Chart: {game.morale} = {plural(count, 'pick')} [9.3(1)]",
    )
    drawn: list[Piece] = []
    for number in range(1, count + extra + 1):
        piece = await pick(game, f"Reaction pick {number} of {count + extra}", "14.1")
        if piece is None:
            break
        drawn.append(piece)
    return await execute(game, space, drawn)


async def pick(game: Fallujah, prompt: str, rule: str) -> Piece | None:
    """One counter out of the Reaction cup, onto the battle display; None where the cup is empty."""
    if not game.position.at(REACTION_CUP):
        game.say("The Reaction cup is empty: no further pick.", rule)
        return None
    others = [str(row[0]) for row in game.chart("events").rows.values()]
    others += sorted({piece.name for piece in game.position.of_kind(OPFOR)})
    name = await game.draw("pick", prompt, rule, REACTION_CUP, others)
    found = next((piece for piece in game.position.at(REACTION_CUP) if piece.name == name), None)
    if found is None:
        found = _unknown_counter(game, name)
    game.move(found.id, DISPLAY, rule, "picked")
    return game.piece(found.id)


def _unknown_counter(game: Fallujah, name: str) -> Piece:
    """A counter that the player drew though the cup should not hold it: the board is the truth."""
    titles = {str(cells[0]): kind for kind, cells in game.chart("events").rows.items()}
    if name in titles:
        return game.piece(
            game.make(EVENT, name, REACTION_CUP, "4.7", "drawn, though our count had none", {"event": titles[name]})
        )
    like = next(piece for piece in game.position.of_kind(OPFOR) if piece.name == name)
    return game.piece(game.make(OPFOR, name, REACTION_CUP, "4.6", "drawn, though our count had none", like.values))


async def extra_picks(game: Fallujah, event: Piece, count: int) -> list[Piece]:
    """[14.3] The further counters that an event calls for, fewer where the cup runs out."""
    found = [await pick(game, f"{event.name}: one more pick", "14.3") for _ in range(count)]
    return [piece for piece in found if piece is not None]


async def execute(game: Fallujah, space: str, drawn: Sequence[Piece]) -> Reaction:
    """[14.3] Carry out the picks. An extra pick belongs to the event that calls for it (ruling C-18)."""
    waiting: list[Piece] = []
    deceptions = [piece for piece in drawn if event_of(piece) == "deception"]
    effects = Effects(space=space)
    queue = [piece for piece in drawn if piece not in deceptions]
    units = [piece for piece in queue if piece.kind == OPFOR]
    events = [piece for piece in queue if piece.kind == EVENT]
    assert all(event_of(piece) in EVENT_KINDS for piece in events)
    while events:
        event = events.pop(0)
        effects = await carry_out(game, event, effects)
        for more in await extra_picks(game, event, effects.extra):
            pile = units if more.kind == OPFOR else deceptions if event_of(more) == "deception" else events
            pile.append(more)
        effects = effects._replace(extra=0)
        if effects.back:
            if game.option("returns") == "after_picks":
                waiting.append(event)
            else:
                game.move(event.id, REACTION_CUP, "14.5", "done")
    for piece in deceptions:
        game.say("Deception: no effect.", "14.3(1)")
        game.move(piece.id, REACTION_CUP, "14.3(1)", "after all picks")
    for piece in waiting:
        game.move(piece.id, REACTION_CUP, "14.5", "after all picks")
    for unit in units:
        game.move(unit.id, space, "14.3(3)", "deployed")
    if not opfor_at(game, space):
        game.say("No OPFOR combat unit appears.", "14.3(3)")
    circumstances = Circumstances(effects.ambush, effects.civilians, effects.martyrs)
    return Reaction(True, circumstances, effects.negotiations)
