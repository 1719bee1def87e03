"""Prompts and keystrokes of typed turns (``tests/games/GAME/turns.toml``), and the questions of random play.

    python -m tests.measures.prompts [GAME] [--pad] [--seeds N] [--turns N] [--write]

A line for each turn: prompts and keystrokes; with ``--pad`` those of the same turn on the number pad, with each action by its
number and each answer at its question. A line for each game: the questions of random play per completed action, with all printed
facts known and dice by Companion, and how many of them have a single possible answer.

``--write`` puts one turn of each game into ``companion/docs/table.md``, in the version of commit 266895b, typed by words
and on the number pad, and the first minutes after installation, played at a terminal.
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
from typing import TYPE_CHECKING, Any, NamedTuple
from unittest.mock import patch

if TYPE_CHECKING:
    from companion.session.store import Archive

write = sys.stdout.write


PAGE = Path(__file__).parents[2] / "companion" / "docs" / "table.md"
HEAD = """| one turn of | which | before | typed by words | on the number pad |
|---|---|---:|---:|---:|"""
MARKS = "<!-- keys -->", "<!-- /keys -->"
ROWS, COLUMNS = 24, 80


class Way(NamedTuple):
    """The first minutes in figures: lines typed, keystrokes with Enter, and screens filled."""

    prompts: int
    keys: int
    screens: int


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


def newcomers_way() -> Way:
    """The first minutes, at a terminal of 80 by 24, in an archive of their own."""
    from companion.games import GAMES
    from tests.support.screen import Screen
    from tests.support.turns import first_minutes

    typed = next(filter(None, map(first_minutes, sorted(GAMES))))
    with tempfile.TemporaryDirectory() as folder:
        own = {
            name: str(Path(folder) / name) for name in ("COMPANION_DB", "COMPANION_CONFIG", "XDG_DATA_HOME", "COMPANION_CACHE")
        }
        screen = Screen(rows=ROWS, columns=COLUMNS, tiny=False, **own).wait(typed[0][1])
        for line, wanted in typed[1:]:
            screen.type(line).wait(wanted)
        rows = len(screen.whole.splitlines())
        screen.child.close()
    lines = [line for line, _ in typed[1:]]
    return Way(len(lines), sum(len(line) + 1 for line in lines), -(-rows // ROWS))


def page(rows: Iterable[str], way: Way) -> str:
    """What stands between the marks of the page."""
    begin, end = MARKS
    told = (
        "From the README's command to the first battle that is won, as the README plays it with dice and counters of one's own:\n"
        f"{way.prompts} prompts, {way.keys} keys, {way.screens} screens of {ROWS} rows. "
        "The older version was not counted."
    )
    return "\n".join([begin, HEAD, *rows, "", told, end])


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
    words.add_argument("--write", action="store_true")
    said: Any = words.parse_args()
    if said.write:
        PAGE.write_text(PAGE.read_text(encoding="utf-8").replace(written(), page(counts(), newcomers_way())), encoding="utf-8")
        return
    from companion.games import GAMES

    for game in [said.game] if said.game else GAMES:
        turns(game, said.pad)
        questions(game, said.seeds, said.turns)


if __name__ == "__main__":
    main()
