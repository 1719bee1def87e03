"""A page of the documents as lines, for the shell and for the table."""

from __future__ import annotations

from companion.cli.shell.catalog import COMMANDS
from companion.session.files import help_page
from companion.views.lines import BLANK, Line


def page_lines(name: str, columns: int, quoted: bool) -> list[Line]:
    """A page; where a command is called so too, what it takes is a word away. ``quoted``: for who sees no bold letters."""
    from companion.views.markdown import markdown_lines

    also = [BLANK, Line(f"Its options: companion {name} --help", "dim")] if name in COMMANDS else []
    return [*markdown_lines(help_page(name), columns, quoted), *also]
