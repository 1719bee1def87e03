"""The Supply Boat: a small solitaire dice game, the template for new games."""

from __future__ import annotations

from companion.core.game import Tables
from companion.skeleton.game import SupplyBoat


def make(tables: Tables) -> SupplyBoat:
    """Return the game with its tables."""
    return SupplyBoat(tables)
