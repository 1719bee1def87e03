"""Commands that keep Companion in order: the check of its data files, the completion scripts."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Json
from companion.cli.shell.catalog import VALUES
from companion.cli.shell.output import put, show
from companion.core.errors import BadData, Unreadable
from companion.core.text import matching_names, pick_name
from companion.core.values import JsonDict
from companion.games import GAMES
from companion.views.lines import Line


def tables(
    what: Annotated[str, typer.Argument(metavar="check", help="What to do: check")] = "check",
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game by unique prefix; all of them otherwise.")] = "",
    json: Json = False,
) -> None:
    """Check the data files of a game: all faults at once, each with its file and key.

    Example: companion tables check
    """
    if not "check".startswith(what):
        raise Unreadable(f"tables cannot '{what}'", cure="It can: check")
    found = checked(game)
    show(json, lambda: found, lambda: [Line(f"{name}: no fault") for name in found["games"]])


def checked(game: str) -> JsonDict:
    """The ids of the games that are without fault: of the one that was named by unique prefix, or of all.

    Raises:
        BadData: there are faults.
    """
    from companion.session import plugins, tables
    from companion.session.files import games_with_tables

    own = list(dict.fromkeys([*GAMES, *games_with_tables()]))
    others = () if game and matching_names(game, own) else plugins.find_plugins().games
    chosen = [pick_name(game, [*own, *others], "game")] if game else [*GAMES, *others]
    found = {name: tables.check(name) if name in own else plugins.check_plugin(name) for name in chosen}
    faults = [f"{name}/{fault}" for name, items in found.items() for fault in items]
    if faults:
        raise BadData(f"the tables hold {len(faults)} fault{'s' if len(faults) > 1 else ''}", faults=faults)
    return {"games": list(found), "faults": []}


def completions(
    shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="The shell.")],
    install: Annotated[bool, typer.Option("--install", help="Put it where the shell looks for it.")] = False,
    json: Json = False,
) -> None:
    """The completion script of a shell; with --install it is put where the shell looks for it.

    Example: companion completions bash --install
    """
    from companion.cli.shell.scripts import afterwards, script
    from companion.cli.shell.scripts import install as put_in_place

    name = pick_name(shell, VALUES["shell"], "shell")
    if install:
        path = put_in_place(name)
        lines = [Line(f"TAB in {name}: {path}"), Line(afterwards(name, path), "reminder")]
        show(json, lambda: {"shell": name, "script": script(name), "path": path}, lambda: lines)
    elif json:
        show(True, lambda: {"shell": name, "script": script(name)}, list)
    else:
        put(script(name))
