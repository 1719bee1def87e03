"""The Pass Road: a relief column over the mountains, and the bands that bar its way. RULES.md is the rulebook."""

from __future__ import annotations

from companion.core.game import Tables

from .game import PassRoad


def make(tables: Tables) -> PassRoad:
    """The game over its tables."""
    return PassRoad(tables)
