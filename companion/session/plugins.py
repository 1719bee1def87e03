"""Plug-ins: games of installed distributions (entry points ``companion.games``) or the user's own folder; project template.

A plug-in is a module with ``make(tables)``, like a built-in game, with its tables beside it: in the folder ``tables`` of a
package, or in ``tables/ID`` for a single file ``ID.py``. A fault in its code is reported in one line with origin and cure, and
stops nothing else. Nothing searches for plug-ins while only built-in games are used.
"""

# Annotations are evaluated: a NamedTuple compiles those that are text, which takes time at every start.

import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from companion.core.errors import BadData, RuleFault, Unreadable, context_of
from companion.core.text import clean, pick_name
from companion.games import GAMES
from companion.session import files
from companion.session.shipped import PACKAGE, is_folder, is_frozen, is_packed, names_in, read_text, shipped_path, size_and_time

if TYPE_CHECKING:
    from companion.core.game import Game

T = TypeVar("T")

ENTRY_POINT_GROUP = "companion.games"
"""The group of entry points: the name is the game's id, the value its module."""
PLUGIN_PACKAGE = "companion_games"
"""The package that games of the user's folder belong to."""


class PluginSource(NamedTuple):
    """Where a plug-in comes from.

    Attributes:
        module: The module with ``make``.
        origin: The distribution with its version, or the path in the user's folder.
        cure: What helps if the game cannot be used.
        folder: The user's folder, or "".
    """

    id: str
    module: str
    origin: str
    cure: str
    folder: str = ""


class Plugins(NamedTuple):
    """The plug-ins by id, and the faults of those that cannot be used."""

    games: dict[str, PluginSource]
    faults: dict[str, BadData]


# -- find --------------------------------------------------------------------------------------------------------------


def resolve_game_id(text: str) -> str:
    """Return the id of a game given by unique prefix; raise Unreadable if there is no such game."""
    try:  # built-in games first, so that no plug-in changes the meaning of a word
        return pick_name(text, list(GAMES), "game")
    except Unreadable:
        return pick_name(text, [*GAMES, *find_plugins().games], "game")


def find_plugins() -> Plugins:
    """Find all plug-ins without loading them; those of the user's folder first."""
    games: dict[str, PluginSource] = {}
    faults: dict[str, BadData] = {}
    folder = files.games_folder()
    for source in [*_in_folder(folder), *_in_distributions()] if folder else ():
        fault = _obstacle(source, games)
        if fault:
            faults[f"{source.id} ({source.origin})"] = BadData(f"{source.origin}: {fault}", cure=source.cure)
        else:
            games[source.id] = source
    return Plugins(games, faults)


def _obstacle(source: PluginSource, games: dict[str, PluginSource]) -> str:
    """Return why a plug-in cannot be a game, or ""."""
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


def _in_folder(folder: str) -> list[PluginSource]:
    """Return the packages and modules of the user's folder, which may be missing."""
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
            cure = "Correct it, or move it out of that folder"
            sources.append(PluginSource(stem, f"{PLUGIN_PACKAGE}.{stem}", path, cure, folder))
    return sources


def _in_distributions() -> list[PluginSource]:
    """Return the games declared by installed distributions; cached until something is installed or removed."""
    stamp = _cache_key()
    path = os.path.join(files.cache_folder(), "games.txt")
    lines = files.read_cache(path, stamp)
    if lines is not None:
        rows = [line.decode(errors="replace").split("\t") for line in lines]
    else:
        rows = _read_entry_points()
        files.write_cache(path, stamp, ["\t".join(row).encode() for row in rows])
    return [
        PluginSource(name, module, f"{project} {version}", f"Update it, or: pip uninstall {project}")
        for name, module, project, version in rows
    ]


def _read_entry_points() -> list[list[str]]:
    """Return each declared game: id, module, distribution and version."""
    from importlib.metadata import distributions

    rows = []
    for distribution in distributions():
        with suppress(Exception):  # one whose files are damaged declares no game that could be played
            for point in distribution.entry_points.select(group=ENTRY_POINT_GROUP):
                rows.append([clean(part) for part in (point.name, point.value, distribution.name or "?", distribution.version)])
    return [row for index, row in enumerate(sorted(rows)) if row not in sorted(rows)[:index]]


def _cache_key() -> bytes:
    """Return the cache key: Python's version and path, and the times of its folders."""
    parts = [str(size_and_time(PACKAGE))] if is_packed(PACKAGE) else []
    for folder in sys.path if not is_frozen() else ():  # nothing is installed into an executable
        with suppress(OSError):
            parts.append(f"{folder}:{os.stat(folder or os.curdir).st_mtime_ns}")
    return clean(" ".join([sys.version, *parts])).encode("utf-8", "replace")


# -- load --------------------------------------------------------------------------------------------------------------


def plugin_source(name: str) -> PluginSource:
    """Return where a plug-in comes from; raise Unreadable if there is none of that id, or it cannot be used."""
    plugins = find_plugins()
    if name in plugins.games:
        return plugins.games[name]
    ids = ", ".join([*GAMES, *plugins.games])
    raise Unreadable(f"the game '{clean(name)}' is not installed", cure=f"Install it, or play one of: {ids}")


def load_plugin(name: str) -> "Game":
    """Return the game of a plug-in.

    Raises:
        Unreadable: There is none of that id.
        BadData: It cannot be used.
    """
    source = plugin_source(name)
    path = os.path.join(source.folder or os.sep, *source.module.split(".")[bool(source.folder) :], "")
    LOADED_PLUGINS[name] = PluginFiles(source.origin, path)
    return _guarded(source, lambda: _make_game(source))


def check_plugin(name: str) -> list[str]:
    """Return every fault in a plug-in's tables; without any, those of its code. Its rules are left to `rule_checks`."""
    from companion.session import table_checks

    source = plugin_source(name)
    faults = _guarded(source, lambda: table_checks.examine_tables(_tables_folder(source), outside=True)[1])
    if faults:
        return faults
    try:
        game = load_plugin(name)
    except BadData as fault:
        return _without_origin(fault, source)

    def policies() -> None:
        for seat in game.players.seats:
            for policy in game.players.policies(seat):
                game.players.policy(seat, policy)

    for part in (lambda: game.map, lambda: game.corrections, policies):
        try:
            _guarded(source, part)
        except BadData as fault:
            faults += _without_origin(fault, source)
    return faults


def _without_origin(fault: BadData, source: PluginSource) -> list[str]:
    """Return the faults that an error lists, or its message; the game is named before them."""
    return list(fault.faults) or [fault.message.removeprefix(f"{source.origin}: ")]


def tables_folder(name: str) -> str:
    """Return the folder of a plug-in's tables; raise BadData if it has none."""
    source = plugin_source(name)
    return _guarded(source, lambda: _tables_folder(source))


def _guarded(source: PluginSource, run: Callable[[], T]) -> T:
    """Run a function of a plug-in; report any error as one fault with its origin. What it prints goes to stderr."""
    try:
        with redirect_stdout(sys.stderr):
            return run()
    except BadData as fault:
        raise BadData(f"{source.origin}: {fault.message}", faults=fault.faults, cure=fault.cure or source.cure) from None
    except (Exception, SystemExit) as fault:
        what = f"{source.origin}: the game '{source.id}' cannot be loaded: {describe_with_origin(fault)}"
        raise BadData(what, cure=source.cure) from fault


def _make_game(source: PluginSource) -> "Game":
    from importlib import import_module

    from companion.core.game import Game
    from companion.session import tables
    from companion.session.author_faults import ReadTable, check_results, missing_methods

    loaded = tables.load(source.id, _tables_folder(source))
    loaded = loaded._replace(bot=ReadTable(loaded.bot))
    make = getattr(import_module(source.module), "make", None)
    if make is None:
        raise BadData(f"the module {source.module} has no make(tables)")
    game = make(loaded)
    if not isinstance(game, Game):
        raise BadData(f"make(tables) of {source.module} returns {type(game).__name__}, not a Game of companion.core.game")
    if game.id != source.id:
        raise BadData(f"the game calls itself '{clean(str(game.id))}', and is declared as '{source.id}'")
    if missing := missing_methods(game):
        raise BadData("the game is not complete", faults=missing)
    check_results(game)
    game.package, game.is_from_outside = source.module, True
    return game


def _tables_folder(source: PluginSource) -> str:
    """Return the folder beside the module, which is located but not executed."""
    from importlib.util import find_spec

    if source.folder:
        _make_package(source.folder)
    spec = find_spec(source.module)
    if spec is None or spec.origin is None:
        raise BadData(f"there is no module {source.module}")
    here = os.path.join(os.path.dirname(spec.origin), "tables")
    folder = here if spec.submodule_search_locations else os.path.join(here, source.id)
    if not os.path.isdir(folder):
        raise BadData(f"there are no tables: {folder} is missing")
    return folder


def _make_package(folder: str) -> None:
    """Make the user's folder a package whose name shadows nothing installed."""
    from types import ModuleType

    loaded = sys.modules.get(PLUGIN_PACKAGE)
    if loaded is None or list(loaded.__path__) != [folder]:
        for name in [name for name in sys.modules if name.startswith(f"{PLUGIN_PACKAGE}.")]:
            del sys.modules[name]
        package = ModuleType(PLUGIN_PACKAGE)
        package.__path__ = [folder]
        sys.modules[PLUGIN_PACKAGE] = package


class PluginFiles(NamedTuple):
    """Origin of a plug-in, and the part that the paths of its files share."""

    origin: str
    path: str


LOADED_PLUGINS: dict[str, PluginFiles] = {}
"""The plug-ins loaded by this process."""


class ErrorOrigin(NamedTuple):
    """Where an error comes from.

    Attributes:
        game: The game whose rules failed; "" for Companion itself.
        origin: Of a plug-in, its origin; else "".
        file, line: The innermost frame of that game, or of all.
    """

    game: str
    origin: str
    file: str
    line: int


def error_origin(fault: BaseException) -> ErrorOrigin:
    """Return the origin of an error: the game of the innermost frame that belongs to one."""
    from traceback import walk_tb

    lines = [(frame.f_code.co_filename, line) for frame, line in walk_tb(fault.__traceback__)]
    if isinstance(fault, RuleFault) and fault.place:
        lines.append(fault.place)
    if isinstance(fault, SyntaxError) and fault.filename:
        lines.append((fault.filename, fault.lineno or 0))
    built_in = {game: PluginFiles("", os.path.join(os.sep, *module.split("."), "")) for game, module in GAMES.items()}
    games, failed_game = built_in | LOADED_PLUGINS, ""
    innermost = lines[-1] if lines else ("", 0)
    for file, line in lines:
        stem = os.sep + os.path.splitext(file)[0] + os.sep  # in an executable a path begins at the package
        if game := next((game for game, files_of in games.items() if files_of.path in stem), ""):
            innermost, failed_game = (file, line), game
    return ErrorOrigin(failed_game, games[failed_game].origin if failed_game else "", *innermost)


def describe_with_origin(fault: BaseException) -> str:
    """Return an error in one line, with file, line, action and question if it got that far."""
    origin = error_origin(fault)
    place = f" ({origin.file} line {origin.line})" if origin.game else ""
    return f"{describe_error(fault)}{place}{describe_context(fault)}"


def describe_context(fault: BaseException) -> str:
    """Return where in the game an error occurred, to follow its place; "" if that is not known."""
    return "".join(f", {note}" for note in context_of(fault))


def describe_error(fault: BaseException) -> str:
    """Return type and text of an error.

    >>> describe_error(KeyError(5)), describe_error(SystemExit())
    ('KeyError: 5', 'SystemExit')
    """
    if fault.__traceback__ is not None:
        from companion.session.author_faults import unawaited_in

        if unawaited := unawaited_in(fault):
            return unawaited
    text = fault.msg if isinstance(fault, SyntaxError) else str(fault)
    if isinstance(fault, RuleFault):
        return clean(text)
    return f"{type(fault).__name__}: {clean(text)}" if text else type(fault).__name__


TEMPLATE = "skeleton"
_PROJECT = "project"
_RESERVED = {"aux", "con", "nul", "prn", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
"""Names of devices, which no file or folder can have on Windows."""
_SETTINGS = "[pytest]\ncompanion_game = {}\n"


def write_game(game_id: str, own: bool = False, where: str = "") -> tuple[str, list[str]]:
    """Write a new game from the template, completely or not at all; return its folder and files.

    Args:
        own: Write it to the user's folder of games, ready to play; else as a distribution to install.
        where: The folder for the distribution; "" for the current one.

    Raises:
        Unreadable: The id is invalid, or exists.
        BadData: It cannot be written.
    """
    name = clean(game_id)
    if not (name.isidentifier() and name.isascii() and name == name.lower()) or name.startswith("_") or name == TEMPLATE:
        cure = "One lower-case word: letters, digits and _, no digit first"
        raise Unreadable(f"'{name}' cannot be the id of a game", cure=cure)
    if name in GAMES:
        raise Unreadable(f"the id '{name}' is taken by a game of Companion", cure="Take another one")
    if name in _RESERVED:
        raise Unreadable(f"Windows reserves the name '{name}'", cure="Take another one, so that the game can be played there")
    if own and not files.games_folder():
        raise Unreadable("there is no folder of your own games", cure="COMPANION_GAMES says none: let it name a folder")
    try:
        parent = files.games_folder() if own else os.path.abspath(where or os.curdir)
    except OSError:
        raise BadData("the folder you are in has been removed", cure="Change to another one") from None
    folder = os.path.join(parent, name)
    if os.path.lexists(folder):
        raise Unreadable(f"{folder} exists already", cure="Take another id, or move it away")
    contents = dict(game_files(name, own))
    try:
        files.create_folder(parent)
        with tempfile.TemporaryDirectory(prefix=".", dir=parent, ignore_cleanup_errors=True) as aside:
            for path, text in contents.items():
                _write(os.path.join(aside, name, path), text)
            os.rename(os.path.join(aside, name), folder)
            with suppress(OSError):
                os.rmdir(aside)  # one call that can fail, where the clean-up makes five
        files.sync_folder_of(folder)
    except OSError as fault:
        what = f"{folder} cannot be written: {fault.strerror}"
        raise BadData(what, cure="Go to another folder, or free some room; nothing is kept") from None
    return folder, sorted(contents)


def _write(path: str, text: str) -> None:
    files.create_folder(os.path.dirname(path))
    with open(path, "x", encoding="utf-8", newline="\n") as file:
        file.write(text)
    files.sync_file(path)
    files.sync_folder_of(path)


def game_files(name: str, own: bool) -> Iterator[tuple[str, str]]:
    """Yield path and content of each file."""
    for path, text in _template_files():
        inside = path.removeprefix(f"{_PROJECT}/")
        if inside == path:
            yield (path if own else f"companion_{name}/{path}"), _adapt(text, name)
        elif inside.startswith("tests/") or not own:
            yield inside, _adapt(text, name)
    if own:
        yield "pytest.ini", _SETTINGS.format(name)


def _template_files(*below: str) -> Iterator[tuple[str, str]]:
    """Yield path and text of each file of the template, or of a folder in it; those of a folder before its folders."""
    folder = shipped_path(TEMPLATE, *below)
    names = [name for name in names_in(folder) if not name.startswith("__pycache__") and not name.endswith(".pyc")]
    folders = [name for name in names if is_folder(os.path.join(folder, name))]
    for name in names:
        if name not in folders:
            yield "/".join((*below, name)), read_text(os.path.join(folder, name))
    for name in folders:
        yield from _template_files(*below, name)


def _adapt(text: str, name: str) -> str:
    """Adapt a template file to the id. Modules import each other relatively, so that they work wherever the game is."""
    text = text.replace(f"\nfrom companion.{TEMPLATE}", "\n\nfrom ")
    return text.replace(f"companion-{TEMPLATE}", f"companion-{name.replace('_', '-')}").replace(TEMPLATE, name)
