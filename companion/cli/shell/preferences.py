"""How the player wants it to look: what the command line says goes before the player's settings."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING

from companion.session.files import config_file

if TYPE_CHECKING:
    from companion.session.config import Config

_GIVEN: dict[str, str] = {}
"""What the command line says, by setting."""


def taken(argv: list[str]) -> list[str]:
    """The words of a command line without those that say how it should look, which any command understands; what stands behind
    ``--`` is text. Raises Unreadable: there is no such theme.
    """
    from companion.session.config import checked

    _GIVEN.clear()
    rest: list[str] = []
    words = iter(argv)
    for word in words:
        name, equals, value = word.partition("=")
        if word == "--":
            return [*rest, word, *words]
        if word == "--plain":
            _GIVEN["plain"] = "on"
        elif name == "--theme":
            _GIVEN["theme"] = checked("theme", value if equals else next(words, ""))[1]
        else:
            rest.append(word)
    return rest


@cache
def _config(path: str) -> Config:
    """The player's settings, read once; what is wrong with them is told once, on stderr."""
    from companion.session.config import read_config

    found = read_config(path)
    if found.fault:
        with suppress(OSError):
            sys.stderr.write(f"! {found.fault}\n")
    return found


def forget() -> None:
    """Read the player's settings anew when they are next needed, since they have been changed."""
    _config.cache_clear()


def preferred(key: str) -> str:
    """What the player wants of a setting; the usual where nothing is said."""
    return _GIVEN.get(key) or _config(config_file()).value(key)


def chosen(key: str) -> str:
    """The same, but "" where nothing is said."""
    return _GIVEN.get(key) or _config(config_file()).chosen.get(key, "")


def plain() -> bool:
    """Whether nothing is to be drawn anew: the player says so, or the terminal cannot, as one that is read aloud."""
    return "plain" in _GIVEN or os.environ.get("TERM") == "dumb"


def column() -> str:
    """The column of the theme's table in which everything is shown."""
    from companion.views import theme

    return theme.theme_column(preferred("theme"), os.environ.get("COLORFGBG", ""))
