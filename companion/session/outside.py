"""Games from outside: of installed distributions (entry points of the group ``companion.games``), and of the user's own folder.

Such a game is a module with ``make(tables)``, as a built-in one is, and its tables beside it: a package keeps them in its
folder ``tables``, a single file ``ID.py`` in ``tables/ID``. It is somebody else's code: what goes wrong with one is told in a
line, names whose it is and the cure, and ends nothing else. As long as only built-in games are asked for, nothing of this is
looked at.

Annotations are evaluated here: a NamedTuple compiles each that is text, and the quickest commands would pay for that.
"""

import os
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.core.errors import BadData, Unreadable
from companion.core.words import clean, one_of
from companion.games import GAMES
from companion.session.folders import cache_folder, games_folder

if TYPE_CHECKING:
    from companion.core.game import Game, Tables

T = TypeVar("T")

ENTRY_POINT_GROUP = "companion.games"
"""The group of entry points: the name is the game's id, the value its module."""
PLUGIN_PACKAGE = "companion_games"
"""The package that the games of the user's folder are modules of."""


class PluginSource(NamedTuple):
    """Where a game comes from.

    Attributes:
        id: of the game.
        module: whose ``make`` makes it.
        origin: the distribution with its version, or the path in the user's folder.
        cure: what helps where the game cannot be used.
        folder: of the user, if it lies there; "" of a distribution.
    """

    id: str
    module: str
    origin: str
    cure: str
    folder: str = ""


class Plugins(NamedTuple):
    """The games from outside by their ids, and what is wrong with what is none."""

    games: dict[str, PluginSource]
    faults: dict[str, BadData]


# -- which there are ---------------------------------------------------------------------------------------------------


def resolve_game_id(text: str) -> str:
    """The id of the game that was typed, by unique prefix: of a built-in one, else of any.

    So no game that somebody installs changes what a word means already. Raises Unreadable: there is no such game.
    """
    try:
        return one_of(text, list(GAMES), "game")
    except Unreadable:
        return one_of(text, [*GAMES, *find_plugins().games], "game")


def find_plugins() -> Plugins:
    """All of them, not loaded: those of the user's folder first."""
    games: dict[str, PluginSource] = {}
    faults: dict[str, BadData] = {}
    folder = games_folder()
    for source in [*_of_folder(folder), *_of_distributions()] if folder else ():
        fault = _unfit(source, games)
        if fault:
            faults[f"{source.id} ({source.origin})"] = BadData(f"{source.origin}: {fault}", cure=source.cure)
        else:
            games[source.id] = source
    return Plugins(games, faults)


def _unfit(source: PluginSource, games: dict[str, PluginSource]) -> str:
    """Why what calls itself a game cannot be one; "" if it can."""
    name = clean(source.id)
    if not name.isidentifier() or name != name.lower():
        return f"the id '{name}' must be one lower-case word"
    if name in GAMES:
        return f"the id '{name}' is taken by a game of Companion"
    if name in games:
        return f"the id '{name}' is taken by {games[name].origin}"
    if not source.module.replace(".", "").isidentifier():
        return f"the entry point '{name}' must name a module, not '{clean(source.module)}'"
    return ""


def _of_folder(folder: str) -> list[PluginSource]:
    """Packages and single files, by name; the folder need not be there."""
    try:
        names = sorted(os.listdir(folder))
    except OSError:
        return []
    sources = []
    for name in names:
        path = os.path.join(folder, name)
        stem, end = os.path.splitext(name)
        package = os.path.isfile(os.path.join(path, "__init__.py"))
        if (package or end == ".py") and not name.startswith((".", "_")):
            stem = name if package else stem
            sources.append(PluginSource(stem, f"{PLUGIN_PACKAGE}.{stem}", path, "Mend it, or move it out of that folder", folder))
    return sources


def _of_distributions() -> list[PluginSource]:
    """What installed distributions declare; kept from one command to the next, for as long as nothing is installed or removed."""
    stamp = _stamp()
    path = os.path.join(cache_folder(), "games.txt")
    try:
        with open(path, encoding="utf-8") as file:
            lines = file.read().split("\n")
    except (OSError, ValueError):
        lines = []
    if lines[:1] == [stamp] and lines[-1] == "end":
        rows = [line.split("\t") for line in lines[1:-1]]
    else:
        rows = _declared()
        _keep(path, "\n".join([stamp, *map("\t".join, rows), "end"]))
    return [
        PluginSource(name, module, f"{project} {version}", f"Update it, or: pip uninstall {project}")
        for name, module, project, version in rows
    ]


def _declared() -> list[list[str]]:
    """Each game of a distribution: its id, its module, and the distribution with its version."""
    from importlib.metadata import entry_points

    rows = []
    for point in entry_points(group=ENTRY_POINT_GROUP):
        project = point.dist.name if point.dist else "?"
        version = point.dist.version if point.dist else ""
        rows.append([clean(part) for part in (point.name, point.value, project, version)])
    return sorted(rows)


def _stamp() -> str:
    """What must be unchanged for that to hold: where modules are found, and when something was last put there."""
    told = []
    for place in sys.path:
        try:
            told.append(f"{place}:{os.stat(place or os.curdir).st_mtime_ns}")
        except OSError:
            continue
    return clean(" ".join([sys.version, *told]))


def _keep(path: str, text: str) -> None:
    aside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(aside, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(aside, path)
    except OSError:  # no room or no right to write: it is looked for anew
        return


# -- one of them -------------------------------------------------------------------------------------------------------


def plugin_source(name: str) -> PluginSource:
    """Where a game that is not built in comes from. Raises Unreadable: there is none of that id, or it cannot be one."""
    there = find_plugins()
    if name in there.games:
        return there.games[name]
    known = ", ".join([*GAMES, *there.games])
    raise Unreadable(f"there is no game '{clean(name)}' here", cure=f"Install it, or play one of: {known}")


def load_plugin(name: str) -> "Game":
    """A game from outside.

    Raises:
        Unreadable: there is none of that id.
        BadData: it cannot be used, for whatever reason.
    """
    from companion.session.blame import LOADED_PLUGINS, PluginFiles

    source = plugin_source(name)
    LOADED_PLUGINS[name] = PluginFiles(source.origin, _files(source))
    return _told(source, lambda: _made(source))


def check_plugin(name: str) -> list[str]:
    """Every fault in the tables of a game from outside; then, if there is none, why the game cannot be loaded."""
    from companion.session import checking

    source = plugin_source(name)
    faults = _told(source, lambda: checking.examine_tables(_tables_folder(source), outside=True)[1])
    if faults:
        return faults
    try:
        load_plugin(name)
    except BadData as fault:
        return [fault.message]
    return []


def tables_folder(name: str) -> str:
    """Where the tables of a game from outside lie. Raises BadData: it has none."""
    source = plugin_source(name)
    return _told(source, lambda: _tables_folder(source))


def _told(source: PluginSource, run: Callable[[], T]) -> T:
    """Does something with a game; whatever goes wrong is told as one fault with whose it is. What the game writes meanwhile does
    not get among what a command writes.
    """
    from contextlib import redirect_stdout

    try:
        with redirect_stdout(sys.stderr):
            return run()
    except BadData as fault:
        raise BadData(f"{source.origin}: {fault.message}", faults=fault.faults, cure=fault.cure or source.cure) from None
    except (Exception, SystemExit) as fault:
        from companion.session.blame import describe_with_origin

        raise BadData(
            f"{source.origin}: the game '{source.id}' cannot be loaded: {describe_with_origin(fault)}", cure=source.cure
        ) from fault


def _files(source: PluginSource) -> str:
    """What stands in the path of each of its files."""
    return os.path.join(source.folder or os.sep, *source.module.split(".")[bool(source.folder) :], "")


def _made(source: PluginSource) -> "Game":
    from importlib import import_module

    from companion.core.game import Game

    tables = _tables(source)
    module = import_module(source.module)
    make = getattr(module, "make", None)
    if make is None:
        raise BadData(f"the module {source.module} has no make(tables)")
    game = make(tables)
    if not isinstance(game, Game):
        raise BadData(f"make(tables) of {source.module} returns {type(game).__name__}, not a Game of companion.core.game")
    if game.id != source.id:
        raise BadData(f"the game calls itself '{clean(str(game.id))}', and is declared as '{source.id}'")
    game.package = source.module
    return game


def _tables(source: PluginSource) -> "Tables":
    from companion.session import tables

    return tables.load(source.id, _tables_folder(source))


def _tables_folder(source: PluginSource) -> str:
    """Beside the module, which is looked for but not carried out yet."""
    from importlib.util import find_spec

    if source.folder:
        _home(source.folder)
    spec = find_spec(source.module)
    if spec is None or spec.origin is None:
        raise BadData(f"there is no module {source.module}")
    here = os.path.join(os.path.dirname(spec.origin), "tables")
    folder = here if spec.submodule_search_locations else os.path.join(here, source.id)
    if not os.path.isdir(folder):
        raise BadData(f"there are no tables: {folder} is missing")
    return folder


def _home(folder: str) -> None:
    """Makes the user's folder a package, under a name that takes none away from what is installed."""
    from types import ModuleType

    there = sys.modules.get(PLUGIN_PACKAGE)
    if there is None or list(there.__path__) != [folder]:
        for name in [name for name in sys.modules if name.startswith(f"{PLUGIN_PACKAGE}.")]:
            del sys.modules[name]
        made = ModuleType(PLUGIN_PACKAGE)
        made.__path__ = [folder]
        sys.modules[PLUGIN_PACKAGE] = made
