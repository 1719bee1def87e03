"""The games that Companion brings along: each a folder here, a folder in ``tables/`` and a line in this list.

Games from outside, which nobody need put here, are found by ``companion.session.outside``.
"""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.game import Game, Tables

GAMES: dict[str, str] = {
    "fallujah2004": "companion.games.fallujah2004",
    "lzalbany": "companion.games.lzalbany",
    "fallujahcards": "companion.games.fallujahcards",
    "iraqwar2003": "companion.games.iraqwar2003",
    "phantomfury": "companion.games.phantomfury",
}
"""Game id -> the module whose ``make(tables)`` makes its Game."""


def make_game(name: str, tables: Tables) -> Game:
    """The game of that id, over its tables."""
    from importlib import import_module

    if name not in GAMES:
        raise Unreadable(f"no game '{name}'", cure=f"There is: {', '.join(GAMES)}")
    game: Game = import_module(GAMES[name]).make(tables)
    game.package = GAMES[name]
    return game


def carried_out_by(game: Game) -> dict[str, list[str]]:
    """Rule number -> the functions that carry it out, ``module:function``: the map in the docstring of the game's package."""
    from importlib import import_module

    from companion.core.rulemap import read_map

    found = read_map(import_module(game.package).__doc__ or "")
    return {rule: [f"{game.package}.{one}" for one in names] for rule, names in found.items()}
