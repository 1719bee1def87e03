"""Writes the help text that the program prints without importing Typer."""

from __future__ import annotations

import os

from typer.testing import CliRunner

from companion.cli.shell import main
from companion.cli.shell.app import app

HELP = os.path.join(os.path.dirname(os.path.abspath(main.__file__)), "help.txt")


def help_text() -> str:
    """What `companion --help` prints by Typer."""
    return str(CliRunner().invoke(app, ["--help"]).stdout)


if __name__ == "__main__":
    with open(HELP, "w", encoding="utf-8") as file:
        file.write(help_text())
