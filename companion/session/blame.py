"""Whose a fault in a program is: Companion's own, or that of the rules of a game, with the file and the line.

Annotations are evaluated here, as in ``outside``.
"""

import os
from typing import NamedTuple

from companion.core.words import clean
from companion.games import GAMES


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
