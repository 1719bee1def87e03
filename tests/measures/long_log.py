"""Measure ``log`` over 2,000 and 10,000 actions in instructions; valgrind must be on the path.

python -m tests.measures.long_log [GAME]
"""

from __future__ import annotations

import os
import sys
import tempfile

from companion.games import GAMES
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.measures.startup import fill, instructions

SIZES = (2_000, 10_000)
LIMIT = 6.0
"""How many times as long the longer log may take."""
COMMANDS = (["log"], ["log", "--json"], ["log", "--grep", "track"])


def main() -> None:
    game = sys.argv[1] if len(sys.argv) > 1 else next(iter(GAMES))
    counts: dict[tuple[str, int], int] = {}
    with tempfile.TemporaryDirectory() as folder:
        for size in SIZES:
            os.environ["COMPANION_DB"] = os.path.join(folder, f"{size}.sqlite3")
            with Archive.open() as archive:
                session = SessionController.create(archive, game, seed="1")
                while session.pending is not None:
                    session.reply("")
                fill(session, archive, size)
            for words in COMMANDS:
                run = [sys.executable, "-c", "from companion.cli.shell.main import main; main()", *words]
                counts[" ".join(words), size] = instructions(run, dict(os.environ))
    for words in map(" ".join, COMMANDS):
        small, large = (counts[words, size] for size in SIZES)
        sys.stdout.write(f"{words}: {small / 1e6:.0f} and {large / 1e6:.0f} million, {large / small:.2f} times (limit {LIMIT})\n")


if __name__ == "__main__":
    main()
