"""The commands as text, for the man page and the site: usage line, description and example of each."""

from __future__ import annotations

import inspect
from typing import NamedTuple

from companion.cli.shell.catalog import COMMON, Command
from companion.cli.shell.loading import load_function


class CommandText(NamedTuple):
    """What the docstring of a command says.

    Attributes:
        paragraphs: The description, one line each.
        example: A command line that can be typed.
    """

    paragraphs: list[str]
    example: str


def command_text(command: Command) -> CommandText:
    """The description of a command and its example."""
    documentation = inspect.getdoc(load_function(command)) or ""
    paragraphs = [" ".join(paragraph.split()) for paragraph in documentation.split("\n\n")]
    examples = [paragraph.removeprefix("Example: ") for paragraph in paragraphs if paragraph.startswith("Example: ")]
    assert len(examples) == 1, command.name
    return CommandText([paragraph for paragraph in paragraphs if not paragraph.startswith("Example: ")], examples[0])


def words_of(command: Command) -> str:
    """The words of a command as its usage line shows them: ``GAME [CHART]``."""
    return " ".join(word.metavar for word in command.words)


def own_options(command: Command) -> list[str]:
    """The options of a command without those that most commands take."""
    return [option for option in command.options if option not in COMMON]
