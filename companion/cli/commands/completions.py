"""The command that prints completion scripts."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.catalog import VALUES
from companion.core.words import one_of


def completions(shell: Annotated[str, typer.Argument(metavar="bash|zsh|fish", help="The shell.")]) -> None:
    """The completion script of a shell, to be sourced or saved where the shell looks for it.

    Example: companion completions bash > ~/.local/share/bash-completion/completions/companion
    """
    from companion.cli.scripts import script

    typer.echo(script(one_of(shell, VALUES["shell"], "shell")), nl=False)
