"""Commands for authors and programs: game, serve, mcp, schema, tables."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

from companion.cli.shell import catalog
from companion.cli.shell.bar import BAR
from companion.cli.shell.output import on_terminal, show, write_json
from companion.cli.shell.process import close_all
from companion.core.errors import BadData, Unreadable
from companion.core.text import clean, matching_names, pick_name, plural
from companion.core.values import JsonDict
from companion.views.lines import Line

if TYPE_CHECKING:
    from companion.cli.shell.arguments import Runner


@catalog.GAME
def game(what: str, id: str, folder: bool, json: bool) -> int:
    """Write a small dice game that passes all checks, to start your own from; without --folder as a package for pip.

    Example: companion game new harbour --folder
    """
    from companion.session.plugins import write_game

    pick_name(what, ("new",), "thing to do with a game")
    if not id:
        raise Unreadable("what is the game called?", cure="companion game new ID")
    path, files = write_game(id, folder)
    name = os.path.basename(path)
    install = [] if folder else [f"pip install -e {name}"]
    next_commands = [*install, f"companion games {name} --check", f"companion new {name}", "companion help a-game-of-your-own"]
    show(
        json,
        lambda: {"game": name, "folder": path, "files": files},
        lambda: [
            Line(f"Written: {clean(path)} ({plural(len(files), 'file')})"),
            *(Line(file, "dim", "", "  ") for file in files),
            *(Line(command, "key", "", "  $ ") for command in next_commands),
        ],
    )
    return 0


@catalog.SERVE
def serve(stdio: bool, runner: Runner) -> int:
    """Serve another program from one process: a line of JSON in, a line of JSON out.

    Example: companion serve --stdio
    """
    if not stdio:
        raise Unreadable("serve over what?", cure="companion serve --stdio; see: companion help protocol")
    from companion.cli.serve.server import serve_stdio

    BAR.end()
    return serve_stdio(runner)


@catalog.MCP
def mcp(read_only: bool, practice: bool, seat: str, session: str, db: str, runner: Runner) -> int:
    """Serve a language model over standard input and output, by the Model Context Protocol.

    The client of the model starts this command. It reaches one archive, the one that is in use when it starts, and no other
    file. It ends with its input, or on Ctrl-C.

    Example: companion mcp --read-only
    """
    from companion.cli.shell.archives import open_session, seat_of, session_archive
    from companion.session.database import archive_exists, archive_path, practice_path

    try:
        from companion.cli.mcp.server import serve_stdio
    except ModuleNotFoundError as error:
        if (error.name or "").split(".")[0] == "companion":
            raise
        raise Unreadable("the package mcp is not installed", cure="pip install 'tabletop-companion[mcp]'") from None
    from companion.cli.mcp.calls import SessionTools

    path = practice_path(db) if practice else db
    found = any(map(archive_exists, (archive_path(path or None), *(() if path else (practice_path(""),)))))
    path = session_archive(path, session).path if found else archive_path(path or None)
    if session or seat:
        controller = open_session(path, session)
        session, seat = controller.info.name, seat_of(controller, seat)
    if on_terminal():
        sys.stderr.write("Waiting for a client on standard input; Ctrl-C ends. See: companion help mcp\n")
    BAR.end()
    close_all()  # the tools open the archive again, and keep it
    return serve_stdio(SessionTools(runner, path, session, seat, read_only=read_only, practice=path == practice_path(path)))


@catalog.SCHEMA
def schema(document: str, json: bool) -> int:
    """Print the JSON Schema of all JSON documents, and which command prints which.

    Example: companion schema step
    """
    from companion.cli.shell.schema import json_schema, protocol_page, read_shapes

    shapes = read_shapes(protocol_page())
    write_json(json_schema(shapes, pick_name(document, list(shapes.schemas), "document") if document else ""))
    return 0


@catalog.TABLES
def tables(what: str, game: str, json: bool) -> int:
    """Check the data files of the games, and list all faults with file and key.

    Example: companion tables check
    """
    if not "check".startswith(what):
        raise Unreadable(f"tables cannot '{what}'", cure="Like this: companion tables check")
    result = checked_tables(game)
    show(json, lambda: result, lambda: [Line(f"{name}: no fault") for name in result["games"]])
    return 0


def checked_tables(game: str) -> JsonDict:
    """Check the tables of a game, by unique prefix, or of all; return the ids of the games. Raises BadData: there are faults."""
    from companion.games import GAMES
    from companion.session import plugins, tables
    from companion.session.facts import practice_faults
    from companion.session.files import games_with_tables
    from companion.session.state import load_game

    own = list(dict.fromkeys([*GAMES, *games_with_tables()]))
    others = () if game and matching_names(game, own) else plugins.find_plugins().games
    chosen = [pick_name(game, [*own, *others], "game")] if game else [*GAMES, *others]
    check = {name: tables.check if name in own else plugins.check_plugin for name in chosen}
    found = {name: check[name](name) for name in chosen}
    for name in chosen:  # tables may be checked before their game is written
        if not found[name] and (name in GAMES or name in others):
            found[name] = practice_faults(load_game(name))
        if not found[name] and name in others:
            from companion.session.rule_checks import rule_faults

            found[name] = rule_faults(load_game(name))
    faults = [f"{name}/{fault}" for name, items in found.items() for fault in items]
    if faults:
        where = " and ".join(name for name in chosen if found[name])
        raise BadData(f"{where}: {plural(len(faults), 'fault')}", faults=faults)
    return {"games": list(found), "faults": []}
