"""Prompts and keystrokes of typed turns (``tests/games/GAME/turns.toml``), and the questions of random play.

    python -m tests.measures.prompts [GAME] [--pad] [--seeds N] [--turns N] [--terminal | --transcripts | --write]

A line for each turn: prompts and keystrokes; with ``--pad`` those of the same turn on the number pad, with each action by its
number and each answer at its question. A line for each game: the questions of random play per completed action, with all printed
facts known and dice by Companion, and how many of them have a single possible answer.

``--terminal`` holds the conversations of ``tests/games/GAME/conversations.toml`` at a pseudo-terminal of 24 by 80, from an empty
machine: prompts, keys and the longest screen of each. With ``--write`` they are put into ``companion/docs/table.md``, with one
turn of each game in the version of commit 266895b, typed by words and on the number pad.
``--transcripts`` prints the conversations as they were on the screen.
"""

from __future__ import annotations

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

if TYPE_CHECKING:
    from companion.session.store import Archive

write = sys.stdout.write


PAGE = Path(__file__).parents[2] / "companion" / "docs" / "table.md"
HEAD = """| one turn of | which | before | typed by words | on the number pad |
|---|---|---:|---:|---:|"""
MARKS = "<!-- keys -->", "<!-- /keys -->"
TALK_HEAD = """| conversation | game | before | prompts / keys now | aim | longest screen |
|---|---|---:|---:|---:|---:|"""


@contextmanager
def in_an_archive() -> Iterator[Archive]:
    """A temporary archive."""
    from companion.session.store import Archive

    with tempfile.TemporaryDirectory() as folder:
        own = {"COMPANION_DB": str(Path(folder) / "archive.sqlite3")}
        with patch.dict(os.environ, own), Archive.open() as archive:
            yield archive


def counts() -> list[str]:
    """The current row of each turn in the table of the page."""
    from companion.games import GAMES
    from companion.session.state import load_game
    from tests.support.turns import padded, turns_of, typed

    found: list[str] = []
    for game in sorted(GAMES):
        for turn in [turn for turn in turns_of(game) if any(turn.before)]:
            with in_an_archive() as archive:
                count = typed(turn, archive)
            with in_an_archive() as archive:
                hand = padded(turn, archive, count)
                assert not hand.letters and hand.session.position == count.session.position, turn.title
            three = [f"{prompts} / {keys}" for prompts, keys in (turn.before, count[:2], hand[:2])]
            found.append(f"| {load_game(game).title} | {turn.title} | {' | '.join(three)} |")
    return found


def conversation_rows() -> list[str]:
    """The current row of each conversation in the table of the page."""
    from companion.games import GAMES
    from companion.session.state import load_game
    from tests.support.conversations import conversations, hold

    rows = []
    for game in sorted(GAMES):
        for conversation in conversations(game):
            count = hold(conversation)
            aim = " / ".join(str(number) for number in conversation.target if number)
            before = " / ".join(str(number) for number in conversation.before if number)
            title = load_game(game).title.partition(":")[0]
            figures = f"{before or '-'} | {count.prompts} / {count.keys} | {aim or '-'} | {count.rows}"
            rows.append(f"| {conversation.title} | {title} | {figures} |")
    return rows


def page(rows: Iterable[str], talks: Iterable[str]) -> str:
    """What stands between the marks of the page."""
    begin, end = MARKS
    told = (
        "The next table counts sessions at a terminal of 24 rows, from `companion practice GAME` on an empty machine: prompts,\n"
        'keys with Enter, and the most rows between two prompts. "By hand": you roll and draw on the table. Before: counted in\n'
        "the logs of the version that was first tried at the table."
    )
    return "\n".join([begin, HEAD, *rows, "", told, "", TALK_HEAD, *talks, end])


def written() -> str:
    """The same as it stands in the page now."""
    begin, end = MARKS
    text = PAGE.read_text(encoding="utf-8")
    return begin + text.partition(begin)[2].partition(end)[0] + end


def turns(game: str, pad: bool = False) -> None:
    """A line for each turn of a game; with ``pad`` also what it takes on the number pad alone, and where that needs letters."""
    from tests.support.turns import padded, turns_of, typed

    for turn in turns_of(game):
        with in_an_archive() as archive:
            count = typed(turn, archive)
        asked = ", ".join(f"{key} {many}" if many > 1 else key for key, many in count.asked.items())
        write(f"{game:15} {turn.title:44} {count.prompts:5} prompts {count.keys:6} keys   {asked[:200]}\n")
        if pad:
            with in_an_archive() as archive:
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
    """Run from the command line."""
    words = ArgumentParser(prog="python -m tests.measures.prompts")
    words.add_argument("game", nargs="?")
    words.add_argument("--pad", action="store_true")
    words.add_argument("--seeds", type=int, default=6)
    words.add_argument("--turns", type=int, default=60)
    words.add_argument("--terminal", action="store_true")
    words.add_argument("--transcripts", action="store_true")
    words.add_argument("--write", action="store_true")
    said: Any = words.parse_args()
    if said.write:
        PAGE.write_text(
            PAGE.read_text(encoding="utf-8").replace(written(), page(counts(), conversation_rows())), encoding="utf-8"
        )
        return
    if said.terminal:
        write("\n".join([TALK_HEAD, *conversation_rows(), ""]))
        return
    from companion.games import GAMES
    from tests.support.conversations import conversations, hold

    for game in [said.game] if said.game else GAMES:
        if said.transcripts:
            for conversation in conversations(game):
                write(f"== {conversation.title}\n{hold(conversation).transcript}\n")
            continue
        turns(game, said.pad)
        questions(game, said.seeds, said.turns)


if __name__ == "__main__":
    main()
