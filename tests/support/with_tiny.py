"""The program with the made-up game as its only one, for tests that need a process of their own."""

from __future__ import annotations

import os


def register() -> None:
    """Make the made-up game the only one; with TINY_GAME another module has it."""
    from companion.games import GAMES

    GAMES.clear()
    GAMES["tiny"] = os.environ.get("TINY_GAME", "tests.support.tiny")
    tables = os.path.join(os.path.dirname(os.path.abspath(__file__)), "tables")
    os.environ["COMPANION_TABLES"] = tables


def main() -> None:
    register()
    from companion.cli.shell.main import main as companion

    companion()


if __name__ == "__main__":
    main()
