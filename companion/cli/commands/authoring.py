"""The command for authors: a game of one's own to begin with."""

from __future__ import annotations

import os
from typing import Annotated

import typer

from companion.cli.commands.options import Json
from companion.cli.shell.catalog import VALUES
from companion.cli.shell.output import show
from companion.core.errors import Unreadable
from companion.core.text import clean, pick_name, plural
from companion.views.lines import Line


def game(
    what: Annotated[str, typer.Argument(metavar="new", help="What to do: new")],
    id: Annotated[str, typer.Argument(metavar="ID", help="What the game is called: one lower-case word.")] = "",
    folder: Annotated[
        bool, typer.Option("--folder", help="Into the folder of your own games (companion games --path), to be played at once.")
    ] = False,
    json: Json = False,
) -> None:
    """Write a small game of dice that keeps every law, to be made into one of your own; without --folder as a distribution, to be
    installed with pip.

    Example: companion game new harbour --folder
    """
    from companion.session.plugins import write_game

    pick_name(what, VALUES["authoring"], "thing to do with a game")
    if not id:
        raise Unreadable("what is the game called?", cure="companion game new ID")
    path, files = write_game(id, folder)
    name = os.path.basename(path)
    then = [] if folder else [f"pip install -e {name}"]
    after = [*then, f"companion games {name} --check", f"companion new {name}", "companion help a-game-of-your-own"]
    show(
        json,
        lambda: {"game": name, "folder": path, "files": files},
        lambda: [
            Line(f"Written: {clean(path)} ({plural(len(files), 'file')})"),
            *(Line(file, "dim", "", "  ") for file in files),
            *(Line(command, "key", "", "  $ ") for command in after),
        ],
    )
