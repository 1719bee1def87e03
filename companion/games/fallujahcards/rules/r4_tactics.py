"""[Tactics, Asset] What happens at once, and what joins the hand."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.text import plural
from companion.games.fallujahcards.names import AMERICAN, DISCARD, HAND
from companion.games.fallujahcards.referee import Patrol
from companion.games.fallujahcards.words.cards import type_of


async def tactics(game: Patrol, target: Piece) -> None:
    """[Tactics] Insurgent Tactics cost a card at random; American Tactics bring the top two cards."""
    kind = game.kind(target)
    if not type_of(target):
        game.say(f"{target.name} is not a card of the list: settle it as you see fit.", "Tactics", tone="warning")
        game.move(target.id, DISCARD, "Tactics")
    if kind.settled != "Tactics":
        return
    game.phase("Tactics")
    if kind.american:
        await _reinforced(game)
    else:
        game.move(target.id, DISCARD, "Tactics")
        await _set_back(game)


async def _set_back(game: Patrol) -> None:
    """[Tactics] A random card of the whole hand, however large it is (rulings C-9, C-10)."""
    if not game.hand:
        game.say("The hand is empty: no card is lost with it.", "Tactics")
        return
    lost = game.hand[0]
    if len(game.hand) > 1:
        lost = await game.drawn("lost", "A card at random from the hand is lost", "Tactics", HAND)
    game.move(lost.id, DISCARD, "Tactics", "lost at random")


async def _reinforced(game: Patrol) -> None:
    """[Tactics] Drawn cards only change places (ruling C-8); fewer where the deck ends (ruling C-6)."""
    many = game.limits.drawn
    if game.left < many:
        game.say(f"The deck holds {plural(game.left, 'card')} for the {many} to be drawn.", "Tactics")
    for number in range(1, min(many, game.left) + 1):
        card = await game.next_card("drawn", f"Card {number} of {many} that American Tactics draws", "Tactics")
        american = game.kind(card).american
        game.move(card.id, HAND if american else DISCARD, "Tactics", f"drawn, {AMERICAN if american else 'Insurgency'}")


def asset(game: Patrol, target: Piece) -> None:
    """[Asset] An American Target joins the hand; American Tactics too, unless ruling C-7 is switched."""
    kind = game.kind(target)
    if not kind.american:
        return
    if kind.settled == "Tactics" and game.option("american_tactics") == "discard":
        game.move(target.id, DISCARD, "Tactics", "American Tactics are discarded (ruling C-7)")
    else:
        game.move(target.id, HAND, "Asset")
