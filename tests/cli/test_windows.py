"""What Companion does otherwise on Windows, as far as it can be tried on another system: with its paths, and with stand-ins for
its console.
"""

from __future__ import annotations

import importlib
import ntpath
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path, PureWindowsPath
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from companion.cli.repl import keys
from companion.cli.repl.watch import _unbuffered_keys
from companion.cli.shell import output, windows
from companion.cli.shell.arguments import split
from companion.cli.shell.files import _editor_environment
from companion.core.errors import Unreadable
from companion.games import GAMES
from companion.session import files, tables
from companion.session.plugins import LOADED_PLUGINS, ErrorOrigin, PluginFiles, error_origin, write_game

OFF_WINDOWS = pytest.mark.skipif(os.name == "nt", reason="stand-ins for what is there")


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules that ask for the system find Windows; paths are made before."""
    monkeypatch.setattr(os, "name", "nt")


class Keyboard(ModuleType):
    """A stand-in for `msvcrt`: keys that are typed one after the other, a pause where there is ""."""

    def __init__(self, typed: Sequence[str]) -> None:
        super().__init__("msvcrt")
        self.typed = list(typed)

    def kbhit(self) -> bool:
        if self.typed[:1] == [""]:
            del self.typed[0]
            return False
        return bool(self.typed)

    def getwch(self) -> str:
        return self.typed.pop(0)


def keyboard(monkeypatch: pytest.MonkeyPatch, *typed: str) -> Keyboard:
    typist = Keyboard(typed)
    monkeypatch.setitem(sys.modules, "msvcrt", typist)
    monkeypatch.setattr(windows, "_POLL", 0.0)
    return typist


# -- keys ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "key"),
    [("a", "a"), ("\xe0H", "\x1b[A"), ("\0P", "\x1b[B"), ("\xe0Q", "\x1b[6~"), ("\r", "\r"), ("\b", "\x7f"), ("\0;", "")],
)
def test_keys_are_those_of_another_terminal(monkeypatch: pytest.MonkeyPatch, typed: str, key: str) -> None:
    """A letter, arrows, a page, Enter and Backspace; F1 is none that is used."""
    keyboard(monkeypatch, *typed)

    assert windows.read_key(1) == key


def test_no_key_ends_after_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    keyboard(monkeypatch)

    assert windows.read_key(0.01) == ""


def test_ctrl_c_interrupts(monkeypatch: pytest.MonkeyPatch) -> None:
    """`getwch` gives it as a character."""
    keyboard(monkeypatch, "\x03")

    with pytest.raises(KeyboardInterrupt):
        windows.read_key(1)


@OFF_WINDOWS
def test_held_keys_are_read_until_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was typed while the news were shown answers no question that came meanwhile; arrows are no part of it."""
    importlib.import_module("prompt_toolkit.input.vt100")  # before termios is taken away
    monkeypatch.setitem(sys.modules, "termios", None)
    typist = keyboard(monkeypatch, "f", "o", "\xe0", "H", "r", "", "d")
    with keys.hold_keys() as typed:
        assert typed(0) == "for"
    assert typist.typed == ["d"]


@OFF_WINDOWS
def test_watch_reads_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "termios", None)
    keyboard(monkeypatch, "\xe0", "P", "q")
    with _unbuffered_keys() as key:
        assert [key(1), key(1)] == ["\x1b[B", "q"]


# -- colours and characters --------------------------------------------------------------------------------------------------


class Console:
    """A stand-in for the functions of kernel32."""

    def __init__(self, mode: int | None, can_switch: bool) -> None:
        self.mode, self._can_switch = mode, can_switch

    def GetStdHandle(self, number: int) -> int:
        assert number == -11
        return 7

    def GetConsoleMode(self, console: int, mode: Any) -> int:
        if self.mode is None:
            return 0
        mode.value = self.mode
        return 1

    def SetConsoleMode(self, console: int, mode: int) -> int:
        if self._can_switch:
            self.mode = mode
        return int(self._can_switch)


@pytest.fixture
def fresh_console() -> Iterator[None]:
    windows.enable_escapes.cache_clear()
    yield
    windows.enable_escapes.cache_clear()


@pytest.mark.parametrize(
    ("mode", "can_switch", "has_colours"), [(3, True, True), (7, False, True), (3, False, False), (None, True, False)]
)
def test_colours_need_a_console_that_carries_out_escape_sequences(
    monkeypatch: pytest.MonkeyPatch, fresh_console: None, mode: int | None, can_switch: bool, has_colours: bool
) -> None:
    """Of Windows 10 and later, where they have to be switched on; an older one, or none, shows plain text."""
    console = Console(mode, can_switch)
    library = SimpleNamespace(
        windll=SimpleNamespace(kernel32=console), c_ulong=lambda: SimpleNamespace(value=0), byref=lambda value: value
    )
    monkeypatch.setitem(sys.modules, "ctypes", library)  # type: ignore[arg-type]
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os, "name", "nt")

    assert output.colours() == has_colours
    assert not has_colours or console.mode == 7


@pytest.mark.parametrize("encoding", ["cp1252", "cp437", "cp932", "ascii"])
def test_output_in_an_old_code_page_loses_no_more_than_characters(encoding: str, tmp_path: Path) -> None:
    """Pages with arrows, dashes and bars go into a pipe in the code page of the system."""
    environment = {**os.environ, "PYTHONIOENCODING": encoding, "COMPANION_DB": str(tmp_path / "a.sqlite3")}
    for words in ("help looks", "help a-game-of-your-own", "games lzalbany", "rule lzalbany 5.1"):
        command = [sys.executable, "-m", "companion", *words.split()]
        done = subprocess.run(command, capture_output=True, env=environment, check=False, timeout=60)
        assert (done.returncode, done.stderr) == (0, b""), words
        assert len(done.stdout.decode(encoding)) > 100


# -- paths and names -----------------------------------------------------------------------------------------------------------


@OFF_WINDOWS
def test_folders_of_the_user_are_those_of_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the name of an author in between, and with another drive and blanks in the path."""
    import platformdirs
    from platformdirs import windows as folders

    home = r"D:\Users\Jo Doe\AppData\Local"
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setattr(folders, "get_win_folder", lambda name: home)
    for kind in ("data", "cache", "config"):

        def of_windows(name: str, appauthor: bool, kind: str = kind) -> str:
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(os, "path", ntpath)
                return str(getattr(folders.Windows(name, appauthor), f"user_{kind}_dir"))

        monkeypatch.setattr(platformdirs, f"user_{kind}_dir", of_windows)

    assert PureWindowsPath(files.user_folder("data")) == PureWindowsPath(home, "companion")
    assert PureWindowsPath(files.user_folder("config")).is_relative_to(PureWindowsPath(home, "companion"))
    assert len({files.user_folder("data"), files.user_folder("cache")}) == 2


def test_words_typed_at_the_prompt_keep_backslashes(on_windows: None) -> None:
    """A path is written as Windows writes it, in quotes if it has blanks."""
    assert split(r'C:\games\set.toml "D:\my games\a.json"') == [r"C:\games\set.toml", r"D:\my games\a.json"]
    assert split(r"'north base' 3/1") == ["north base", "3/1"]


@OFF_WINDOWS
def test_words_of_other_systems_keep_their_escapes() -> None:
    assert split(r"north\ base 'a b' c") == ["north base", "a b", "c"]


@pytest.mark.parametrize("name", ["con", "nul", "aux", "com1", "lpt9"])
def test_no_game_is_named_like_a_device(name: str, tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="Windows reserves"):
        write_game(name, where=str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def is_reserved(path: str) -> bool:
    """Whether Windows reserves a part of a path; Python 3.13 moved the test to ntpath."""
    return ntpath.isreserved(path) if sys.version_info >= (3, 13) else PureWindowsPath(path).is_reserved()


def test_names_of_cache_files_hold_no_drive_or_device(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are made from the path of a folder."""
    monkeypatch.setattr(tables, "lasting_path", lambda folder: r"C:\Users\Jo Doe\con\lzalbany.")
    name = os.path.basename(tables._cache_path("lzalbany"))

    assert name == "tables-C--Users-Jo-Doe-con-lzalbany.json"
    assert not is_reserved(name) and not set(name) & set(r'\/:*?"<>|')


def test_shipped_files_have_names_that_windows_takes() -> None:
    """No reserved name, no character of a drive or wildcard, no trailing dot, and no two that differ in case only."""
    root = Path(__file__).parents[2]
    names = [path.relative_to(root) for part in ("companion", "tables", "completions") for path in (root / part).rglob("*")]

    assert not [name for name in names if is_reserved(str(name)) or set(str(name)) & set('\\:*?"<>|')]
    assert not [name for name in names if name.name.endswith((".", " "))]
    assert len({str(name).casefold() for name in names}) == len(names)


def test_files_are_synced_as_windows_allows(on_windows: None, tmp_path_factory: pytest.TempPathFactory) -> None:
    """It refuses to sync a file that is open for reading only."""
    flags: list[int] = []
    real = os.open

    def spy(path: str, mode: int) -> int:
        flags.append(mode)
        return real(path, mode)

    path = os.path.join(os.environ["COMPANION_CACHE"], "file")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write("x")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "open", spy)
        files.sync_file(path)

    assert flags == [os.O_RDWR]


# -- executables -----------------------------------------------------------------------------------------------------------------


def _raise_in(file: str, text: str = "def rule():\n    raise KeyError('x')\nrule()\n") -> ErrorOrigin:
    try:
        exec(compile(text, file, "exec"), {})
    except KeyError as error:
        return error_origin(error)
    raise AssertionError


def test_place_of_an_error_in_an_executable() -> None:
    """Its paths begin at the package; those of a checkout are absolute."""
    game, module = next(iter(GAMES.items()))
    inside = os.path.join(*module.split("."), "rules", "r01.py")

    assert _raise_in(inside) == ErrorOrigin(game, "", inside, 2)
    assert _raise_in(os.path.join(os.sep, "opt", inside)).game == game
    assert _raise_in(os.path.join("companion", "session", "store.py")).game == ""


def test_place_of_an_error_in_a_game_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    path = os.path.join(os.sep, "home", "jo", "games", "coin", "")
    monkeypatch.setitem(LOADED_PLUGINS, "coin", PluginFiles("the folder", path))

    assert _raise_in(os.path.join(os.sep, "home", "jo", "games", "coin.py")).origin == "the folder"


def test_editor_gets_the_libraries_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """An executable puts its own first, which another program may not be able to use."""
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setenv("LD_LIBRARY_PATH", "/tmp/inside")
    assert "LD_LIBRARY_PATH" not in _editor_environment()
    monkeypatch.setenv("LD_LIBRARY_PATH_ORIG", "/opt/lib")
    assert _editor_environment()["LD_LIBRARY_PATH"] == "/opt/lib"
    monkeypatch.delattr(sys, "frozen")
    assert _editor_environment()["LD_LIBRARY_PATH"] == "/tmp/inside"


def test_tables_of_an_executable_are_cached_by_the_executable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """One in one file unpacks itself into another folder at every start; a cache file each would fill the disk."""
    from companion.session import shipped

    program = tmp_path / "companion.exe"
    program.write_bytes(b"one")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(program))
    names, stamps = set(), set()
    for unpacked in ("_MEI1", "_MEI2"):
        package = tmp_path / unpacked / "companion"
        shutil.copytree(files.game_folder("lzalbany"), package / "_tables" / "lzalbany")
        monkeypatch.setattr(shipped, "PACKAGE", str(package))
        names.add(tables._cache_path(str(package / "_tables" / "lzalbany")))
        stamps.add(tables._cache_key(str(package / "_tables" / "lzalbany")))
    assert len(names) == len(stamps) == 1

    program.write_bytes(b"another")
    assert tables._cache_key(str(package / "_tables" / "lzalbany")) not in stamps
