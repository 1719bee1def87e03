"""Folders and files of Companion: where they are, how they are written durably and read within bounds; help pages; settings.

The folders are those of platformdirs. On Linux its two-line rule is repeated here, because the import alone takes a third of the
time of a quick command; a test compares the two.
"""

# Annotations are evaluated: a NamedTuple compiles those that are text, which takes time at every start.

import os
import stat
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from errno import ENOTDIR

from companion.core import limits
from companion.core.errors import BadData, CompanionError, Unreadable
from companion.core.hints import Literal
from companion.core.named_tuple import NamedTuple
from companion.core.text import clean, pick_name
from companion.core.values import JsonDict
from companion.session.shipped import PACKAGE, is_folder, is_zipped, names_in, read_bytes, read_text, shipped_path

PARTS = ("game", "rulings", "charts", "rules", "counters", "bot", "report", "messages")
"""The parts of a game's tables: one file each, and a folder of charts."""

PRACTICE = "practice.toml"
"""The made-up set beside a game's tables, read for practice and simulation only."""

_END = b"end"
"""The last line of a complete cache file."""

FolderKind = Literal["data", "cache", "config"]

_XDG = {
    "data": ("XDG_DATA_HOME", os.path.join(".local", "share")),
    "cache": ("XDG_CACHE_HOME", ".cache"),
    "config": ("XDG_CONFIG_HOME", ".config"),
}


def user_folder(kind: FolderKind) -> str:
    """Return a folder of Companion; it may not exist."""
    if sys.platform == "linux":
        variable, below_home = _XDG[kind]
        base = os.environ.get(variable, "").strip()
        return os.path.join(base if os.path.isabs(base) else os.path.join(os.path.expanduser("~"), below_home), "companion")
    from platformdirs import user_cache_dir, user_config_dir, user_data_dir

    return {"data": user_data_dir, "cache": user_cache_dir, "config": user_config_dir}[kind]("companion", appauthor=False)


def cache_folder() -> str:
    """Return the cache folder. ``COMPANION_CACHE`` overrides it."""
    return os.environ.get("COMPANION_CACHE", "") or user_folder("cache")


def config_file() -> str:
    """Return the path of the settings; it may not exist. ``COMPANION_CONFIG`` overrides it."""
    return os.environ.get("COMPANION_CONFIG", "") or os.path.join(user_folder("config"), "config.toml")


def games_folder() -> str:
    """Return the folder of the user's own games; it may not exist. ``COMPANION_GAMES`` overrides it; "" if that is ``none``."""
    override = os.environ.get("COMPANION_GAMES", "")
    if override:
        return "" if override == "none" else os.path.abspath(override)
    return os.path.join(user_folder("config"), "games")


def tables_dir() -> str:
    """Return the folder of all tables: ``COMPANION_TABLES``, the package's own, or the checkout's."""
    override = os.environ.get("COMPANION_TABLES", "")
    if override:
        return override
    return shipped_folder("tables")


def shipped_folder(name: str) -> str:
    """Return a folder that the wheel carries inside the package as ``_name``: there, or in the checkout beside the package."""
    installed = shipped_path(f"_{name}")
    return installed if is_folder(installed) else os.path.join(os.path.dirname(PACKAGE), name)


def game_folder(game_id: str) -> str:
    """Return the folder of one game's tables.

    Raises:
        BadData: There is none.
    """
    folder = os.path.join(tables_dir(), game_id)
    if not game_id.isidentifier() or not is_folder(folder):
        raise BadData(f"there are no tables for the game '{clean(game_id)}' in {tables_dir()}", cure="Install Companion again")
    return folder


def sync_file(path: str) -> None:
    """Sync a file to the disk."""
    handle = os.open(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)  # Windows syncs no file that is open for reading
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def sync_folder_of(path: str) -> None:
    """Sync the folder of a new file, so that its name survives a power failure. Not every system supports that."""
    with suppress(OSError):
        sync_file(os.path.dirname(os.path.abspath(path)))


def publish(temporary: str, path: str) -> None:
    """Give a complete file its name atomically. Raises FileExistsError: the name was taken meanwhile."""
    try:
        os.link(temporary, path)
    except FileExistsError:
        raise
    except OSError:  # the file system has no links
        os.rename(temporary, path)


@contextmanager
def replacing(path: str, force: bool = True) -> Iterator[str]:
    """Yield the name of a file to write; it replaces the one at `path`, durably, unless there is an error.

    Raises:
        FileExistsError: Without `force`, a file is there, even one that has been made meanwhile.
    """
    beside = f"{path}.part{os.getpid()}"
    try:
        yield beside
        sync_file(beside)
        if force:
            os.replace(beside, path)
        else:
            publish(beside, path)
        sync_folder_of(path)
    finally:
        with suppress(OSError):
            os.unlink(beside)


def read_cache(path: str, stamp: bytes) -> list[bytes] | None:
    """Return the lines of a cache file; None if it is missing, damaged or of another stamp."""
    try:
        with open(path, "rb") as file:
            first, *lines = file.read().split(b"\n")
    except OSError:
        return None
    return lines[:-1] if first == stamp and lines[-1:] == [_END] else None


def write_cache(path: str, stamp: bytes, lines: Iterable[bytes]) -> None:
    """Write a cache file, completely or not at all. If there is no room or no right to write, nothing is cached."""
    aside = f"{path}.{os.getpid()}"
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(aside, "wb") as file:
            file.write(b"\n".join([stamp, *lines, _END]))
        os.replace(aside, path)
    except OSError:
        return


def create_folder(folder: str, rights: int = 0o777) -> None:
    """Create a folder and its parents, durably."""
    if os.path.isdir(folder):
        return
    above = os.path.dirname(os.path.abspath(folder))
    if above != os.path.abspath(folder):
        create_folder(above, rights)
    with suppress(FileExistsError):
        os.mkdir(folder, rights)
    if not os.path.isdir(folder):
        raise NotADirectoryError(ENOTDIR, os.strerror(ENOTDIR), folder)
    sync_folder_of(folder)


def games_with_tables() -> list[str]:
    """Return the ids of all games that have tables, listed or not."""
    try:
        names = names_in(tables_dir())
    except OSError:
        return []
    return [name for name in names if name.isidentifier() and is_folder(os.path.join(tables_dir(), name))]


def table_files(folder: str) -> list[str]:
    """Return the TOML files of a game as paths below its folder, sorted."""
    files = [name for name in names_in(folder) if name.endswith(".toml")]
    charts = os.path.join(folder, "charts")
    if is_folder(charts):
        files += [f"charts/{name}" for name in names_in(charts) if name.endswith(".toml")]
    return sorted(name for name in files if name != PRACTICE)


class FileTooLarge(ValueError):
    """A file is larger than the limit in the message."""


def read_bounded(path: str, most: int) -> bytes:
    """Return the content of a file.

    Raises:
        OSError: It cannot be read, or is not a regular file (a named pipe would block).
        FileTooLarge: It is larger than `most` bytes.
    """
    if is_zipped(path):
        content = read_bytes(path)
    elif not stat.S_ISREG(os.stat(path).st_mode):
        raise OSError(0, "not a regular file")
    else:
        with open(path, "rb") as file:
            content = file.read(most + 1)
    if len(content) > most:
        raise FileTooLarge(f"larger than {most} bytes")
    return content


_STRINGS = r'"""[\s\S]*?"""|\'{3}[\s\S]*?\'{3}|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\'|#[^\n]*'
_MAX_KEY_PARTS = 100


def read_toml(text: str) -> JsonDict:
    """Parse TOML.

    Raises:
        ValueError: It is no TOML, or has a dotted key of more than 100 parts, which the parser reads in quadratic time.
        RecursionError: It is nested too deeply.
    """
    import re
    import tomllib

    for key in re.split(r"[^\w.\- \t]+", re.sub(_STRINGS, "s", text)):
        if key.count(".") > _MAX_KEY_PARTS:
            raise ValueError(f"a key with more than {_MAX_KEY_PARTS} parts")
    return tomllib.loads(text)


def read_sql(name: str) -> str:
    """Return the text of a file of SQL."""
    return read_text(shipped_path("session", "sql", f"{name}.sql"))


def read_queries(name: str) -> dict[str, tuple[str, str]]:
    """Return the queries of a file of SQL by name, each as title and one line; before each stands ``-- NAME: TITLE``."""
    queries = {}
    for block in read_sql(name).split(";\n")[:-1]:
        lines = block.splitlines()
        heading = next(line for line in lines if line.startswith("-- ") and ": " in line)
        key, _, title = heading.removeprefix("-- ").partition(": ")
        queries[key] = title, " ".join(line.strip() for line in lines if not line.startswith("--")).strip()
    return queries


_SUFFIX = ".md"


def help_topics() -> Mapping[str, str]:
    """Return every help page by topic, with its heading."""
    names = [name.removesuffix(_SUFFIX) for name in names_in(shipped_path("docs")) if name.endswith(_SUFFIX)]
    return {name: help_page(name).partition("\n")[0].lstrip("# ").strip() for name in names}


def help_page(topic: str) -> str:
    """Return the text of a help page, as Markdown."""
    return read_text(shipped_path("docs", topic + _SUFFIX))


# -- the player's settings ---------------------------------------------------------------------------------------------


_HANDS = ("computer", "physical")


class Setting(NamedTuple):
    """A setting: key, description, and values with the default first."""

    key: str
    title: str
    values: tuple[str, ...]


SETTINGS: Mapping[str, Setting] = {
    setting.key: setting
    for setting in (
        Setting("theme", "The colours of everything", ("auto", "dark", "light", "mono", "colour-blind")),
        Setting("dice", "Who rolls in a new session", _HANDS),
        Setting("draws", "Who draws in a new session", _HANDS),
        Setting("opponent", "Whether Companion's opponent proposes its moves or acts at once", ("proposes", "acts")),
        Setting("pause", "Whether long output stops at each screen", ("on", "off")),
        Setting("actions", "Whether the open actions are listed above the prompt for one", ("on", "off")),
        Setting("pace", "Where the opponent's part of a turn stops: each action, each line, never", ("action", "line", "never")),
        Setting("cores", "The cores that an opponent and the adviser think on", ("one", "all")),
        Setting("menus", "How to choose from a menu: by a number and Enter, or with the arrows", ("numbers", "arrows")),
    )
}


class Config(NamedTuple):
    """The player's settings.

    Attributes:
        chosen: The values in the file, by key; invalid ones are left out.
        fault: The first fault of the file with its cure, in one line; "" for none.
    """

    chosen: Mapping[str, str] = {}
    fault: str = ""

    def value(self, key: str) -> str:
        """Return the chosen value, or the default."""
        return self.chosen.get(key) or SETTINGS[key].values[0]


def read_config(path: str) -> Config:
    """Return the settings. A missing or faulty file gives defaults; nothing in it stops the program."""
    try:
        text = _read_text(path)
    except FileNotFoundError:
        return Config()
    except (OSError, UnicodeDecodeError, FileTooLarge) as fault:
        why = fault if isinstance(fault, FileTooLarge) else getattr(fault, "strerror", None) or "not UTF-8 text"
        return Config({}, f"{path} cannot be read: {why}. The default settings are used")
    chosen: dict[str, str] = {}
    first_fault = ""
    for number, line in enumerate(text.splitlines(), 1):
        try:
            chosen.update(_parse_line(line))
        except CompanionError as fault:
            first_fault = first_fault or f"{path} line {number}: {fault.message}. {fault.cure}"
    return Config(chosen, first_fault)


def _read_text(path: str) -> str:
    return read_bounded(path, limits.CONFIG).decode("utf-8-sig")


def _parse_line(line: str) -> dict[str, str]:
    """Return the setting on a line; nothing for a blank line or a comment."""
    text = line.strip()
    if not text or text.startswith("#"):
        return {}
    key, equals, value = text.partition("=")
    if not equals:
        raise Unreadable(f"'{clean(text)[:40]}' is not a setting", cure='Each line is like this: theme = "light"')
    value = value.strip()
    quote = value[:1] if value[:1] in ("'", '"') else ""
    value = value[1:].partition(quote)[0] if quote else value.partition("#")[0].strip()
    return dict([check_setting(key.strip().strip("\"'"), value)])


def check_setting(key: str, value: str) -> tuple[str, str]:
    """Return a setting and its value, each given by unique prefix.

    Raises:
        Unreadable: There is no such setting or value.
        Ambiguous: Several match.
    """
    setting = SETTINGS[pick_name(key, tuple(SETTINGS), "setting")]
    return setting.key, pick_name(value, setting.values, setting.key)


def write_config(path: str, key: str, value: str) -> None:
    """Set or, with "", remove one setting in the file; comments and other lines stay.

    Raises:
        BadData: The file cannot be written.
    """
    try:
        lines = _read_text(path).splitlines() if os.path.exists(path) else []
        kept = [line for line in lines if not _is_setting(line, key)]
        place = next((number for number, line in enumerate(lines) if _is_setting(line, key)), len(kept))
        kept[place:place] = [f'{key} = "{value}"'] if value else []
        create_folder(os.path.dirname(path) or ".")
        with replacing(path) as beside, open(beside, "w", encoding="utf-8") as file:
            file.write("".join(f"{line}\n" for line in kept))
    except UnicodeDecodeError:
        raise BadData(f"{path} is not UTF-8 text", cure="Move it away; a new one is written") from None
    except OSError as fault:
        raise BadData(f"{path} cannot be written: {fault.strerror}", cure="COMPANION_CONFIG names another file") from None


def _is_setting(line: str, key: str) -> bool:
    """True if a line sets a key, validly or not."""
    name, equals, _ = line.partition("=")
    return bool(equals) and name.strip().strip("\"'").casefold() == key
