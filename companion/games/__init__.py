"""The games that ship with Companion: each is a folder here, a folder in ``tables/`` and a line in this list.

Games of plug-ins are not listed; ``companion.session.plugins`` finds them.
"""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.game import Game, Tables
from companion.core.hints import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

GAMES: dict[str, str] = {
    "fallujah2004": "companion.games.fallujah2004",
    "lzalbany": "companion.games.lzalbany",
    "fallujahcards": "companion.games.fallujahcards",
    "iraqwar2003": "companion.games.iraqwar2003",
    "phantomfury": "companion.games.phantomfury",
}
"""Game id -> the module whose ``make(tables)`` makes its Game."""


def make_game(name: str, tables: Tables) -> Game:
    """Return the game of that id. Raises Unreadable: there is none."""
    from importlib import import_module

    if name not in GAMES:
        raise Unreadable(f"no game '{name}'", cure=f"There is: {', '.join(GAMES)}")
    game: Game = import_module(GAMES[name]).make(tables)
    game.package = GAMES[name]
    return game


def carried_out_by(game: Game) -> dict[str, list[str]]:
    """Return the functions that cite each rule, as ``package.module:function``, found in the source of the game's package."""
    from importlib import import_module
    from importlib.resources import files
    from inspect import getsource

    from companion.core.rule_map import rule_map

    module = import_module(game.package)
    sources = _sources(files(game.package), ".") if hasattr(module, "__path__") else [("", getsource(module))]
    carried_out = rule_map(sources, list(game.tables.rules))
    return {rule: [f"{game.package}{name}" for name in names] for rule, names in carried_out.items()}


def _sources(folder: Traversable, prefix: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each module of a package, relative to it, with its source."""
    for item in sorted(folder.iterdir(), key=lambda item: item.name):
        if item.is_dir():
            yield from _sources(item, f"{prefix}{item.name}.")
        elif item.name.endswith(".py"):
            yield f"{prefix}{item.name.removesuffix('.py')}", item.read_text(encoding="utf-8")
