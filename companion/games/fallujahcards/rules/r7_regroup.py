"""[Regroup] The hand down to its limit."""

from __future__ import annotations

from companion.core.requests import Choose
from companion.core.text import plural
from companion.games.fallujahcards.names import DISCARD
from companion.games.fallujahcards.odds import decision_odds
from companion.games.fallujahcards.referee import Patrol
from companion.games.fallujahcards.words.cards import code


async def regroup(game: Patrol) -> None:
    """[Regroup] The player chooses what goes (ruling C-17)."""
    most = game.limits.hand
    many = len(game.hand)
    if many <= most:
        game.skip_question("discard", lambda: f"the hand holds {plural(many, 'card')}, and {most} may stay", "Regroup")
    while len(game.hand) > most:
        game.phase("Regroup")
        over = len(game.hand) - most
        request = Choose(
            "discard",
            f"{plural(len(game.hand), 'card')} in the hand, {most} may stay: discard "
            + ("one" if over == 1 else f"the first of {over}"),
            "Regroup",
            game.choices(game.hand, code),
            lambda: game.suggested(game.hand[0].name),
            (),
            "card in the hand",
        )
        request.odds = lambda: decision_odds(game)
        request.is_repeatable = over > 1
        game.move(game.held(await request).id, DISCARD, "Regroup")
