"""[Recon] A look at the next cards."""

from __future__ import annotations

from companion.core.requests import Choice, Choose
from companion.core.text import plural
from companion.games.fallujahcards.names import DECK, DISCARD, NO, TOP
from companion.games.fallujahcards.odds import decision_odds
from companion.games.fallujahcards.referee import Patrol
from companion.games.fallujahcards.words.cards import code, titled


async def recon(game: Patrol) -> None:
    """[Recon] Any number of Recon cards, each to see the next five cards (rulings C-15, C-16)."""
    while _has_scout(game):
        game.phase("Recon")
        scouts = [card for card in game.hand if game.kind(card).looks]
        many = min(game.limits.seen, game.left)
        request = Choose(
            "recon",
            f"Play a Recon card to see the next {plural(many, 'card')}",
            "Recon",
            [*game.choices(scouts, code), Choice(NO, NO)],
            lambda: game.suggested(NO),
            game.choices([card for card in game.hand if card not in scouts], code),
            "card in the hand",
        )
        request.odds = lambda: decision_odds(game)
        request.implied_reply = NO if len(game.seen) >= many else None
        name = await request
        if name == NO:
            return
        card = game.held(name)
        if card not in scouts:
            game.forbid(f"{titled(card)} is no Recon card", "Recon", f"Play {scouts[0].name}, or say no")
        game.move(card.id, DISCARD, "Recon", "played")
        await _look(game, many)


def _has_scout(game: Patrol) -> bool:
    """Whether a Recon card can be played; if not, why not. One that shows nothing new can, and nobody is asked for it."""
    if not any(game.kind(card).looks for card in game.hand):
        game.skip_question("recon", "no Recon card is in the hand", "Recon")
    elif not game.left:
        game.skip_question("recon", "the deck is empty: there is nothing to look at", "Recon")
    else:
        return True
    return False


async def _look(game: Patrol, many: int) -> None:
    for number in range(len(game.seen) + 1, many + 1):
        card = await game.drawn("seen", f"Card {number} of {many}, from the top of the deck", "Recon", DECK)
        game.move(card.id, TOP, "Recon", f"number {number}")
    game.say(f"Next come, in this order: {game.listed(game.seen)}.", "Recon")
