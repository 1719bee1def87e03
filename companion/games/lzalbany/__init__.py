"""LZ Albany: Ia Drang Valley, 17-18 November 1965 (Modern War 24, Decision Games 2016)."""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.lzalbany.game import AlbanyGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return AlbanyGame(tables)
