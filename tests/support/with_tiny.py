"""The program with the made-up game as its only one, for tests that need a process of their own."""

from __future__ import annotations

import os

from companion.games import GAMES
from tests.support import tiny


def main() -> None:
    GAMES.clear()
    GAMES["tiny"] = "tests.support.tiny"
    os.environ["COMPANION_TABLES"] = tiny.TABLES
    from companion.cli.main import main as companion

    companion()


if __name__ == "__main__":
    main()
