"""Iraq War 2003 (Simulation Journal, version 1.2 of the English rules)."""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.iraqwar2003.game import IraqWarGame


def make(tables: Tables) -> Game:
    """Build the game from its tables."""
    return IraqWarGame(tables)
