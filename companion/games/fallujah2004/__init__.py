"""Fallujah 2004: City Fighting in Iraq (Modern War 23, Decision Games 2016)."""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.fallujah2004.game import FallujahGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return FallujahGame(tables)
