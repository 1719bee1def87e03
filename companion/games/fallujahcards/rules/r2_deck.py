"""[The Deck] The set-up."""

from __future__ import annotations

from companion.games.fallujahcards.names import DECK
from companion.games.fallujahcards.referee import Patrol


async def set_up(game: Patrol) -> None:
    """[The Deck] All cards shuffled; the hand is empty (ruling C-4)."""
    for card in game.tables.counters["card"]:
        title = game.chart("types").text(card["type"], "title")
        values = {"type": card["type"], **({"force": card["force"]} if "force" in card else {})}
        for _ in range(card["count"]):
            game.make(title.casefold(), card["name"], DECK, "The Deck", values=values)
    game.set_track("turn", 0, "Turn Sequence", "")
    game.instruct(f"Shuffle the deck of {len(game.position.pieces)} cards. The hand is empty.", "The Deck")
