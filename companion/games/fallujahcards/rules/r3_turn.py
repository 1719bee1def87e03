"""[Turn Sequence] A turn, phase by phase, in the rulebook's order."""

from __future__ import annotations

from companion.core.errors import Impossible
from companion.core.position import Piece
from companion.games.fallujahcards.bot.ranks import ranked
from companion.games.fallujahcards.names import TARGET, TOP
from companion.games.fallujahcards.referee import Patrol
from companion.games.fallujahcards.rules.r4_tactics import asset, tactics
from companion.games.fallujahcards.rules.r5_destroy import stop
from companion.games.fallujahcards.rules.r6_recon import recon
from companion.games.fallujahcards.rules.r7_regroup import regroup
from companion.games.fallujahcards.words.cards import type_of


async def turn(game: Patrol) -> None:
    """[Turn Sequence] Search to Regroup; after the last card of the deck the game is over [Scoring]."""
    game.shift_track("turn", 1, "Turn Sequence", "")
    target = await search(game)
    await tactics(game, target)
    asset(game, target)
    await stop(game, target, "Destroy")
    await stop(game, target, "Disarm")
    await recon(game)
    await regroup(game)
    game.phase(None)
    if not game.left:
        game.say(f"The deck is used up: the game ends with a score of {game.score}.", "Scoring")
        rank = ranked(game.score, game.tables.bot["scores"], game.options)
        game.say(f"{rank} The bot with the same cards, and what cost most: companion bot".strip(), "Scoring", tone="reminder")


async def search(game: Patrol) -> Piece:
    """[Search] The top card of the deck is the Target."""
    if not game.left:
        raise Impossible("the deck is used up", rule="Search", cure="If yours is not: companion adjust CARD deck")
    game.phase("Search")
    card = await game.next_card("card", "Turn up the top card of the deck", "Search")
    title = game.chart("types").text(type_of(card), "title") if type_of(card) else "no card of the list"
    force = f", force {card.number('force')}" if card.number("force") else ""
    game.move(card.id, TARGET, "Search", f"{title}{force}" + (", as Recon has seen" if card.place == TOP else ""))
    return game.piece(card.id)
