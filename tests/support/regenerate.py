"""Writes the files that are generated from the program: its help text and its completion scripts."""

from __future__ import annotations

import os

from typer.testing import CliRunner

from companion.cli.shell import main
from companion.cli.shell.app import app
from companion.cli.shell.catalog import SHELLS
from companion.cli.shell.scripts import script

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HELP = os.path.join(os.path.dirname(os.path.abspath(main.__file__)), "help.txt")


def wanted() -> dict[str, str]:
    """Path -> what it should hold."""
    files = {os.path.join(ROOT, "completions", f"companion.{shell}"): script(shell) for shell in SHELLS}
    return {HELP: CliRunner().invoke(app, ["--help"]).stdout, **files}


if __name__ == "__main__":
    for path, text in wanted().items():
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
