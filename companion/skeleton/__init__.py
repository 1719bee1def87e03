"""The Supply Boat: a small dice game for one, to begin a game of your own with."""

from __future__ import annotations

from companion.core.game import Tables
from companion.skeleton.voyage import Voyage


def make(tables: Tables) -> Voyage:
    """The game over its tables."""
    return Voyage(tables)
