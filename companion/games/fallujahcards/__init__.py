"""FALLUJAH: the solo card game (Warp Spawn Games, print and play)."""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujahcards.game import CardGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return CardGame(tables)
