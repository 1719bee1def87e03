"""[14.0] OPFOR reaction: whether there is one, the picks, and carrying them out in order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.position import Piece
from companion.core.text import plural
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
    node = await entered(game, space, force)
    if node is None:
        return Reaction(False)
    if not any(game.piece(piece.id).place == space for piece in force):
        game.say("Nothing is left of the force: no reaction and no battle; the Node stays, face up.", "14.1(2)", "ruling C-59")
        return Reaction(True, survivors=False)
    return await picked(game, space, node)


async def entered(game: Fallujah, space: str, force: Sequence[Piece]) -> bool | None:
    """[14.1(1), 14.1(2)] Whether the picks are those of a Node, which is turned up; None where there is no reaction."""
    await game.ground(space, "14.1")
    nodes.open_space(game, space)
    ids = {piece.id for piece in force}
    others = [piece for piece in game.units_at(space) if piece.id not in ids]
    boots = [piece for piece in others if is_ground(piece)]
    node = nodes.has_node(game, space)
    if boots and not node:
        game.say(f"OPFOR does not react: {game.piece_names(boots)} held the space already.", "14.1(1)")
        return None
    if boots:
        game.say("A Node lies under your units: entering its space brings a reaction all the same.", "14.1(2)", "ruling C-15")
    if others and not boots:
        game.say(f"{game.piece_names(others)} alone does not prevent the reaction.", "24.7", "ruling C-8")
    await nodes.revealed_effects(game, await nodes.reveal(game, space, "20.2(a)"), space, force)
    return node


class Hand(NamedTuple):
    """[14.3] The picks of a reaction while they are made and carried out, each by its id.

    Attributes:
        due: how many of the picks by morale and Node are still to be made, of ``total``.
        events: those not carried out yet, in the order picked.
        units: OPFOR combat units that were picked.
        deceptions: Deceptions that were picked.
        waiting: events that go back after the last pick, by a switch (ruling C-18).
        effects: what the events add up to.
    """

    due: int
    total: int
    effects: Effects
    events: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    deceptions: tuple[str, ...] = ()
    waiting: tuple[str, ...] = ()

    def dealt(self, piece: Piece) -> Hand:
        """With one more counter."""
        if piece.kind == OPFOR:
            return self._replace(units=(*self.units, piece.id))
        assert event_of(piece) in EVENT_KINDS
        if event_of(piece) == "deception":
            return self._replace(deceptions=(*self.deceptions, piece.id))
        return self._replace(events=(*self.events, piece.id))


async def picked(game: Fallujah, space: str, node: bool) -> Reaction:
    """[14.1(2), 14.1(3), 14.3] Pick by morale, then Deceptions, events in the order picked, combat units."""
    count = picks(game)
    extra = nodes.extra_picks(game, space)
    game.say(
        f"OPFOR reacts: {game.morale} morale, {plural(count, 'counter')}{f', Arms Cache {extra} more' if extra else ''}.",
        "14.1(2)" if node else "14.1(3)",
        f"OPFOR Morale Chart: {game.morale} morale draws {count} [9.3(1)]",
    )
    hand = opened(game, space)
    while hand.due or hand.events:
        hand = await onward(game, hand)
    return closed(game, hand)


def opened(game: Fallujah, space: str) -> Hand:
    """[9.3(1), 14.1] The picks that a reaction in a space brings, none of them made."""
    count = picks(game) + nodes.extra_picks(game, space)
    return Hand(count, count, Effects(space=space))


async def onward(game: Fallujah, hand: Hand) -> Hand:
    """[14.3] The next pick; when all are made, the next event with its extra picks (ruling C-18)."""
    if not hand.due:
        return await _carried_out(game, hand)
    piece = await pick(game, f"Draw {hand.total - hand.due + 1} of {hand.total} from the Reaction cup", "14.1")
    return hand._replace(due=hand.due - 1).dealt(piece) if piece else hand._replace(due=0)


async def pick(game: Fallujah, prompt: str, rule: str) -> Piece | None:
    """One counter out of the Reaction cup, onto the battle display; None where the cup is empty."""
    if not game.position.at(REACTION_CUP):
        game.say("The Reaction cup is empty: nothing more is drawn.", rule)
        return None
    name = await game.draw("pick", prompt, rule, REACTION_CUP, lambda: _counters(game))
    found = next((piece for piece in game.position.at(REACTION_CUP) if piece.name == name), None)
    if found is None:
        found = _unknown_counter(game, name)
    game.move(found.id, DISPLAY, rule, "drawn")
    return game.piece(found.id)


def _counters(game: Fallujah) -> list[str]:
    """The names of all that may be in the Reaction cup."""
    events = [str(row[0]) for row in game.chart("events").rows.values()]
    return events + sorted({piece.name for piece in game.position.of_kind(OPFOR)})


def _unknown_counter(game: Fallujah, name: str) -> Piece:
    """A counter that the player drew though the cup should not hold it: the board is the truth."""
    titles = {str(cells[0]): kind for kind, cells in game.chart("events").rows.items()}
    if name in titles:
        return game.piece(
            game.make(EVENT, name, REACTION_CUP, "4.7", "drawn; Companion thought there were none left", {"event": titles[name]})
        )
    like = next(piece for piece in game.position.of_kind(OPFOR) if piece.name == name)
    return game.piece(game.make(OPFOR, name, REACTION_CUP, "4.6", "drawn; Companion thought there were none left", like.values))


async def extra_picks(game: Fallujah, event: Piece, count: int) -> list[Piece]:
    """[14.3] The further counters that an event calls for, fewer where the cup runs out."""
    found = [await pick(game, f"{event.name}: draw one more counter", "14.3") for _ in range(count)]
    return [piece for piece in found if piece is not None]


async def _carried_out(game: Fallujah, hand: Hand) -> Hand:
    """[14.3(2)] One event, with the picks that it calls for, before it goes back (ruling C-18)."""
    event = game.piece(hand.events[0])
    effects = await carry_out(game, event, hand.effects)
    hand = hand._replace(events=hand.events[1:])
    for more in await extra_picks(game, event, effects.extra):
        hand = hand.dealt(more)
    if effects.back and game.option("returns") == "after_picks":
        hand = hand._replace(waiting=(*hand.waiting, event.id))
    elif effects.back:
        game.move(event.id, REACTION_CUP, "14.5", "done")
    return hand._replace(effects=effects._replace(extra=0))


def closed(game: Fallujah, hand: Hand) -> Reaction:
    """[14.3(1), 14.3(3)] Deceptions and what waited go back, and the combat units are deployed."""
    for one in hand.deceptions:
        game.say("Deception: no effect.", "14.3(1)")
        game.move(one, REACTION_CUP, "14.3(1)", "after all draws")
    for one in hand.waiting:
        game.move(one, REACTION_CUP, "14.5", "after all draws")
    for one in hand.units:
        game.move(one, hand.effects.space, "14.3(3)", "deployed")
    if not opfor_at(game, hand.effects.space):
        game.say("No OPFOR combat unit appears.", "14.3(3)")
    effects = hand.effects
    circumstances = Circumstances(effects.ambush, effects.civilians, effects.martyrs)
    return Reaction(True, circumstances, effects.negotiations)
