"""What a player has to type: the turns of ``tests/games/<game>/turns.py``, and the questions of random play.

    python -m tests.measures.prompts [GAME] [--on CHECKOUT] [--pad] [--seeds N] [--turns N]

A line for each turn: prompts and keystrokes, those of an older checkout where one is measured (``--on``: its ``companion`` is
played by the tests of this one). ``TURNS`` of a game is a tuple of ``tests.support.turns.Turn``: how the session begins, the
lines typed at ``action >``, and the answers by the key of their question, dice and draws too; see there. ``--pad``: the same turn
again with digits, point, signs and Enter alone, each action by its number and each answer at its question.

A line for each game: the questions that are put to a player in random play, by action that was kept, all printed facts told,
Companion rolling and drawing, and how many of them have a single possible answer.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

write = sys.stdout.write


def turns(game: str, pad: bool = False) -> None:
    """A line for each turn of a game; with ``pad`` also what it takes on the number pad alone, and where that needs letters."""
    from companion.session.store import Archive
    from tests.support.turns import padded, turns_of, typed

    for turn in turns_of(game):
        with tempfile.TemporaryDirectory() as folder:
            os.environ["COMPANION_DB"] = str(Path(folder) / "archive.sqlite3")
            with Archive.open() as archive:
                count = typed(turn, archive)
        asked = ", ".join(f"{key} {many}" if many > 1 else key for key, many in count.asked.items())
        write(f"{game:15} {turn.title:44} {count.prompts:5} prompts {count.keys:6} keys   {asked[:200]}\n")
        if pad:
            with tempfile.TemporaryDirectory() as folder:
                os.environ["COMPANION_DB"] = str(Path(folder) / "archive.sqlite3")
                with Archive.open() as archive:
                    hand = padded(turn, archive, count)
            letters = f"; letters at {', '.join(hand.letters)}" if hand.letters else ""
            write(f"{'':15} {'the same on the number pad':44} {hand.prompts:5} prompts {hand.keys:6} keys{letters}\n")


def questions(game: str, seeds: int, most: int) -> None:
    """A line on the random play of a game."""
    from tests.support.offers import asked

    put: Counter[str] = Counter()
    singles: Counter[str] = Counter()
    kept = 0
    for seed in range(seeds):
        player = asked(game, seed)
        for _ in islice(range(most), most):
            player.turn()
            if player.game.over(player.position):
                break
        put, singles, kept = put + player.put, singles + player.alone, kept + len(player.transcripts) - 1
    commonest = ", ".join(f"{key} {many}" for key, many in singles.most_common(6))
    write(f"{game:15} {put.total():6} questions, {kept} actions: {put.total() / max(kept, 1):.2f} an action; ")
    write(f"{singles.total()} with one answer{': ' if commonest else ''}{commonest}\n")


def main() -> None:
    """As the command line says."""
    words = ArgumentParser(prog="python -m tests.measures.prompts")
    words.add_argument("game", nargs="?")
    words.add_argument("--on", metavar="CHECKOUT")
    words.add_argument("--pad", action="store_true")
    words.add_argument("--seeds", type=int, default=6)
    words.add_argument("--turns", type=int, default=60)
    said: Any = words.parse_args()
    if said.on:
        sys.path.insert(0, said.on)
    from companion.games import GAMES

    for game in [said.game] if said.game else GAMES:
        turns(game, said.pad)
        questions(game, said.seeds, said.turns)


if __name__ == "__main__":
    main()
