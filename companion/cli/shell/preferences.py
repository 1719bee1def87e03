"""The player's settings; options of the command line take precedence."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from companion.session.files import config_file

if TYPE_CHECKING:
    from companion.session.files import Config

_OPTIONS: dict[str, str] = {}
"""Settings given on the command line."""


def take_options(argv: list[str]) -> list[str]:
    """Apply `--theme` and `--plain`, and return the other words; what follows `--` is text.

    Raises Unreadable: there is no such theme.
    """
    from companion.session.files import check_setting

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
    from companion.session.files import read_config

    config = read_config(path)
    if config.fault:
        with suppress(OSError):
            sys.stderr.write(f"! {config.fault}\n")
    return config


def reload() -> None:
    """Read the settings again when they are next needed."""
    _config.cache_clear()


def preferred(key: str) -> str:
    """The value of a setting, or its default."""
    return _OPTIONS.get(key) or _config(config_file()).value(key)


def chosen(key: str) -> str:
    """The value of a setting, or ""."""
    return _OPTIONS.get(key) or _config(config_file()).chosen.get(key, "")


def is_plain() -> bool:
    """True if nothing may be redrawn: `--plain`, or a dumb terminal such as one that is read aloud."""
    return "plain" in _OPTIONS or os.environ.get("TERM") == "dumb"


def colour_column() -> str:
    """The column of the theme's table to use."""
    from companion.views import theme

    return theme.theme_column(preferred("theme"), os.environ.get("COLORFGBG", ""))
