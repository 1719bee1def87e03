"""The command that tells other programs the shape of every document."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Json
from companion.cli.shell.output import write_json
from companion.cli.shell.schema import page, read
from companion.cli.shell.schema import schema as schema_of
from companion.core.text import pick_name


def schema(
    document: Annotated[str, typer.Argument(metavar="[DOCUMENT]", help="One of them, such as step; all of them otherwise.")] = "",
    json: Json = False,
) -> None:
    """The JSON Schema of every JSON document, by the command that prints it.

    Example: companion schema step
    """
    shapes = read(page())
    write_json(schema_of(shapes, pick_name(document, list(shapes.schemas), "document") if document else ""))
