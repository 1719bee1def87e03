"""Games from outside: of installed distributions (entry points of the group ``companion.games``), and of the user's own folder.

Such a game is a module with ``make(tables)``, as a built-in one is, and its tables beside it: a package keeps them in its
folder ``tables``, a single file ``ID.py`` in ``tables/ID``. It is somebody else's code: what goes wrong with one is told in a
line, names whose it is and the cure, and ends nothing else. As long as only built-in games are asked for, nothing of this is
looked at.

Annotations are evaluated here: a NamedTuple compiles each that is text, and the quickest commands would pay for that.
"""

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.core.errors import BadData, Unreadable
from companion.core.text import clean, pick_name
from companion.games import GAMES
from companion.session.files import cache_folder, create_folder, games_folder, sync_file, sync_folder_of

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
        return pick_name(text, list(GAMES), "game")
    except Unreadable:
        return pick_name(text, [*GAMES, *find_plugins().games], "game")


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
    source = plugin_source(name)
    LOADED_PLUGINS[name] = PluginFiles(source.origin, _files(source))
    return _told(source, lambda: _made(source))


def check_plugin(name: str) -> list[str]:
    """Every fault in the tables of a game from outside; then, if there is none, why the game cannot be loaded."""
    from companion.session import table_checks

    source = plugin_source(name)
    faults = _told(source, lambda: table_checks.examine_tables(_tables_folder(source), outside=True)[1])
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


class PluginFiles(NamedTuple):
    """Where the files of a game from outside are: whose it is, and what stands in the path of each."""

    origin: str
    path: str


LOADED_PLUGINS: dict[str, PluginFiles] = {}
"""The games from outside that this process has loaded."""


class ErrorOrigin(NamedTuple):
    """Where a fault lies.

    Attributes:
        game: of which game the rules are at fault; "": Companion itself is.
        origin: of a game from outside, whom to tell; "" otherwise.
        file, line: the innermost of that game, or of all.
    """

    game: str
    origin: str
    file: str
    line: int


def error_origin(fault: BaseException) -> ErrorOrigin:
    """Where it lies: with the game whose file is the innermost of all games' files, if there is one."""
    from traceback import walk_tb

    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(fault.__traceback__)]
    if isinstance(fault, SyntaxError) and fault.filename:
        lines.append((fault.filename, fault.lineno or 0))
    built_in = {game: PluginFiles("", os.path.join(os.sep, *module.split("."), "")) for game, module in GAMES.items()}
    homes, whose = built_in | LOADED_PLUGINS, ""
    found = lines[-1] if lines else ("", 0)
    for file, line in lines:
        stem = os.path.splitext(file)[0] + os.sep
        if game := next((game for game, home in homes.items() if home.path in stem), ""):
            found, whose = (file, line), game
    return ErrorOrigin(whose, homes[whose].origin if whose else "", *found)


def describe_with_origin(fault: BaseException) -> str:
    """What is wrong in one line, with the place in the game's own files, if it has come that far."""
    at = error_origin(fault)
    return f"{describe_error(fault)} ({at.file} line {at.line})" if at.game else describe_error(fault)


def describe_error(fault: BaseException) -> str:
    """The kind of a fault and its words.

    >>> describe_error(KeyError(5)), describe_error(SystemExit())
    ('KeyError: 5', 'SystemExit')
    """
    words = fault.msg if isinstance(fault, SyntaxError) else str(fault)
    return f"{type(fault).__name__}: {clean(words)}" if words else type(fault).__name__


TEMPLATE = "skeleton"
_PROJECT = "project"
_HERE = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), TEMPLATE)
_SETTINGS = "[pytest]\ncompanion_game = {}\n"
_SKIPPED = ("__pycache__",)


def write_game(game_id: str, own: bool = False, where: str = "") -> tuple[str, list[str]]:
    """Writes a game, all of it or nothing: the folder, and the files in it.

    Args:
        resolve_game_id: what it is to be called.
        own: into the user's folder of games, to be played at once; else a distribution, to be installed.
        where: the folder that the distribution's own comes to lie in; "" for the current one.

    Raises:
        Unreadable: that can be no id, or there is something of that name.
        BadData: it cannot be written.
    """
    name = clean(game_id)
    if not (name.isidentifier() and name.isascii() and name == name.lower()) or name.startswith("_") or name == TEMPLATE:
        raise Unreadable(
            f"'{name}' cannot be the id of a game", cure="One lower-case word: letters, digits and _, no digit first"
        )
    if name in GAMES:
        raise Unreadable(f"the id '{name}' is taken by a game of Companion", cure="Take another one")
    if own and not games_folder():
        raise Unreadable("there is no folder of your own games", cure="COMPANION_GAMES says none: let it name a folder")
    above = games_folder() if own else _whole(where or os.curdir)
    folder = os.path.join(above, name)
    if os.path.lexists(folder):
        raise Unreadable(f"{folder} exists already", cure="Take another id, or move it away")
    files = dict(game_files(name, own))
    try:
        create_folder(above)
        with tempfile.TemporaryDirectory(prefix=".", dir=above, ignore_cleanup_errors=True) as aside:
            for path, text in files.items():
                _write(os.path.join(aside, name, path), text)
            os.rename(os.path.join(aside, name), folder)
            with suppress(OSError):
                os.rmdir(aside)  # one call, where clearing away makes five that can fail
        sync_folder_of(folder)
    except OSError as fault:
        raise BadData(
            f"{folder} cannot be written: {fault.strerror}", cure="Go to another folder, or make room; nothing is kept"
        ) from None
    return folder, sorted(files)


def _whole(folder: str) -> str:
    """The whole path of a folder. Raises BadData: the current one is gone."""
    try:
        return os.path.abspath(folder)
    except OSError:
        raise BadData("the folder you are in has been removed", cure="Change to another one") from None


def _write(path: str, text: str) -> None:
    create_folder(os.path.dirname(path))
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    sync_file(path)
    sync_folder_of(path)


def game_files(name: str, own: bool) -> Iterator[tuple[str, str]]:
    """Each file with its path below the game's folder."""
    for path, text in _template():
        inside = path.removeprefix(f"{_PROJECT}/")
        if inside == path:
            yield (path if own else f"companion_{name}/{path}"), _renamed(text, name)
        elif inside.startswith("tests/") or not own:
            yield inside, _renamed(text, name)
    if own:
        yield "pytest.ini", _SETTINGS.format(name)


def _template() -> Iterator[tuple[str, str]]:
    for folder, below, names in os.walk(_HERE):
        below[:] = sorted(one for one in below if one not in _SKIPPED)
        for name in sorted(names):
            path = os.path.join(folder, name)
            with open(path, encoding="utf-8") as file:
                yield os.path.relpath(path, _HERE).replace(os.sep, "/"), file.read()


def _renamed(text: str, name: str) -> str:
    """A file of the template for a game of that id. Its modules name each other relatively, so that they work wherever the
    game lies.
    """
    beside = "."
    text = text.replace(f"\nfrom companion.{TEMPLATE}.", f"\n\nfrom {beside}").replace(
        f"companion-{TEMPLATE}", f"companion-{name.replace('_', '-')}"
    )
    return text.replace(TEMPLATE, name)
