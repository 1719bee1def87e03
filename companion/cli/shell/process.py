"""The running process: the player's settings, what must be closed at the end of a command, and the cache of a server."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache

from companion.core.hints import TYPE_CHECKING
from companion.session.files import Config, check_setting, config_file, read_config

if TYPE_CHECKING:
    from companion.cli.shell.cache import SessionCache

UNWRITABLE = 74
"""Exit code: the output could not be written. What the command did is done."""

CLEANUP: list[Callable[[], None]] = []
"""Called at the end of a command, the last one first."""


class _Process:
    cache: SessionCache | None = None
    """Keeps archives and sessions open between commands; None unless the process is a server."""
    is_bare = False
    """True if `companion` was typed alone."""


PROCESS = _Process()


def close_all() -> None:
    """Close what the command has opened."""
    while CLEANUP:
        CLEANUP.pop()()


@contextmanager
def no_garbage_collection() -> Iterator[None]:
    """Switch the garbage collector off: a long log allocates much, and the process ends soon."""
    import gc

    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def report_unwritable(error: OSError) -> int:
    """Report that standard output accepts nothing more, unless its reader has just gone; return the exit code."""
    if not isinstance(error, BrokenPipeError):
        sys.stderr.write(f"the output could not be written: {error.strerror}\n")
    return UNWRITABLE


# -- the player's settings ------------------------------------------------------------------------------------------------

_OPTIONS: dict[str, str] = {}
"""Settings given on the command line."""


def take_options(argv: list[str]) -> list[str]:
    """Apply `--theme` and `--plain`, and return the other words; what follows `--` is text.

    Raises Unreadable: there is no such theme.
    """
    _OPTIONS.clear()
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            return [*rest, word, *words]
        if word == "--plain":
            _OPTIONS["plain"] = "on"
        elif name == "--theme":
            _OPTIONS["theme"] = check_setting("theme", value if equals else next(words, ""))[1]
        else:
            rest.append(word)
    return rest


@cache
def _config(path: str) -> Config:
    """Read the settings once; report faults in them once, on stderr."""
    config = read_config(path)
    if config.fault:
        with suppress(OSError):
            sys.stderr.write(f"! {config.fault}\n")
    return config


def reload_settings() -> None:
    """Read the settings again when they are next needed."""
    _config.cache_clear()


def setting(key: str) -> str:
    """The value of a setting, or its default."""
    return _OPTIONS.get(key) or _config(config_file()).value(key)


def chosen_setting(key: str) -> str:
    """The value of a setting, or ""."""
    return _OPTIONS.get(key) or _config(config_file()).chosen.get(key, "")


def is_plain() -> bool:
    """True if nothing may be redrawn: `--plain`, or a dumb terminal such as one that is read aloud."""
    return "plain" in _OPTIONS or os.environ.get("TERM") == "dumb"


def colour_column() -> str:
    """The column of the theme's table to use."""
    from companion.views import theme

    return theme.theme_column(setting("theme"), os.environ.get("COLORFGBG", ""))


def release_import_lock() -> None:
    """Release Python's global import lock if the main thread still holds it: Ctrl-C within an import can leave it locked.

    The thread that draws the bar would wait for the lock forever. Call this only where no import is in progress.
    """
    import _imp

    with suppress(RuntimeError):  # it is not held
        while True:
            _imp.release_lock()
