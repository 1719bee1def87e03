"""``companion help``: the pages that come with the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from companion.cli.commands.options import Json
from companion.cli.shell.catalog import COMMANDS
from companion.cli.shell.output import colours, show, width
from companion.cli.shell.topic import page_lines
from companion.core.errors import Unreadable
from companion.core.text import clean, matching_names, pick_name
from companion.games import GAMES
from companion.session.files import help_page, help_topics
from companion.views.lines import BLANK, Line, table_lines, verbatim_line

_SEE = "Pages: companion help. What a command takes: companion COMMAND --help"


def help(
    context: typer.Context,
    topic: Annotated[list[str] | None, typer.Argument(metavar="[TOPIC]", help="A page or a command, by unique prefix.")] = None,
    json: Json = False,
) -> None:
    """The pages that come with Companion: a game, the table, correcting, other programs ...; without TOPIC the list of them.

    Example: companion help correcting
    """
    found, words = help_topics(), " ".join(topic or ())
    if not words:
        rows = [{"topic": name, "title": title} for name, title in found.items()]
        show(json, lambda: {"topics": rows}, lambda: topic_lines(found))
        return
    name = meant(words, list(found))
    if name in found:
        show(
            json,
            lambda: {"topic": name, "title": found[name], "text": help_page(name)},
            lambda: page_lines(name, width(), not colours()),
        )
    else:
        usage = _usage(context, name)
        show(json, lambda: {"command": name, "text": usage}, lambda: [verbatim_line(row) for row in usage.split("\n")])


def meant(words: str, pages: list[str]) -> str:
    """The page or the command that words mean; a page goes before a command of the same beginning.

    Raises:
        Unreadable: there is neither.
        Ambiguous: several pages or commands fit.
    """
    if words in COMMANDS and words not in pages:
        return words
    for names in (pages, list(COMMANDS)):
        if matching_names(words, names):
            return pick_name(words, names, "page")
    raise Unreadable(f"no page of help is called '{clean(words)}'", cure=_SEE)


def topic_lines(found: Mapping[str, str]) -> list[Line]:
    """The list of pages: the games, then the others."""
    games = [(name, title) for name, title in found.items() if name in GAMES]
    others = [(name, title) for name, title in found.items() if name not in GAMES]
    head = [Line("The games", "title"), *table_lines(games, indent="  "), BLANK, Line("Pages", "title")]
    return [*head, *table_lines(others, indent="  "), BLANK, Line("companion help TOPIC shows a page; first letters do", "dim")]


def _usage(context: Any, name: str) -> str:
    """What ``companion NAME --help`` prints."""
    command = context.parent.command.get_command(context.parent, name)
    with command.context_class(command, info_name=name, parent=context.parent) as own:
        return str(command.get_help(own))
