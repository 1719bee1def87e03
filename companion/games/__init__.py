"""The games. A sixth one is a folder here, a folder in ``tables/`` and a line in this list."""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.game import Game, Tables
from companion.core.words import one_of

GAMES: dict[str, str] = {
    "fallujah2004": "companion.games.fallujah2004",
    "lzalbany": "companion.games.lzalbany",
    "fallujahcards": "companion.games.fallujahcards",
    "iraqwar2003": "companion.games.iraqwar2003",
    "phantomfury": "companion.games.phantomfury",
}
"""Game id -> the module whose ``make(tables)`` makes its Game."""


def game_id(text: str) -> str:
    """The id of the game that was typed, by unique prefix. Raises Unreadable: there is no such game."""
    return one_of(text, list(GAMES), "game")


def make_game(name: str, tables: Tables) -> Game:
    """The game of that id, over its tables."""
    from importlib import import_module

    if name not in GAMES:
        raise Unreadable(f"no game '{name}'", cure=f"There is: {', '.join(GAMES)}")
    game: Game = import_module(GAMES[name]).make(tables)
    return game


def carried_out_by(name: str) -> dict[str, list[str]]:
    """Rule number -> the functions that carry it out, ``module:function``: the map in the docstring of the game's package."""
    from importlib import import_module

    from companion.core.rulemap import read_map

    package = GAMES[name]
    found = read_map(import_module(package).__doc__ or "")
    return {rule: [f"{package}.{one}" for one in names] for rule, names in found.items()}
