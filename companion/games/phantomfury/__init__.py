"""Phantom Fury (Nuts! Publishing 2011): a Marine company in the Jolan district of Fallujah, November 2004."""

from __future__ import annotations

from companion.core.game import Game, Tables
from companion.games.phantomfury.game import PhantomFuryGame


def make(tables: Tables) -> Game:
    """The game over its tables."""
    return PhantomFuryGame(tables)
