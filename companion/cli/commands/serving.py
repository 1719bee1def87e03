"""The command that carries out many commands, for another program."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.core.errors import Unreadable


def serve(stdio: Annotated[bool, typer.Option("--stdio", help="By the standard input and output.")] = False) -> None:
    """Many commands in one process, for another program: a line of JSON in, a line of JSON out.

    Example: companion serve --stdio
    """
    if not stdio:
        raise Unreadable("serve whom?", cure="companion serve --stdio; see: companion help protocol")
    from companion.cli.serve.server import serve_stdio

    raise typer.Exit(serve_stdio())
