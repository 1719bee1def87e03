"""Measure which texts of whole games have a message, and how long it takes to find one.

    python -m tests.measures.messages [GAME]... [--games N] [--show N]

A line for each game and use: the texts, how many have no message, the share of all that were written, and the time of a search.
Each game is played by the policies ``random`` and ``plain``. Of the lines of a game: how many messages come from a function that
was running when the line was written; the others come from one that had returned. ``--show`` lists texts without a message.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.core.policies import PLAIN, RANDOM
from companion.core.referee import Referee
from companion.core.request import LazyText, evaluate_text
from companion.games import GAMES
from companion.session.messages import catalogue_of
from companion.session.state import load_game
from tests.support.spoken import Texts, texts_of

_FRAMES = 8  # calls above a line, of which one is in the function that has its words


@contextmanager
def writers() -> Iterator[dict[str, set[str]]]:
    """Each line that is said, with the functions that were running."""
    running: dict[str, set[str]] = {}
    say = Referee.say

    def watched(self: Referee, text: LazyText, rule: str, *because: LazyText, **tone: Any) -> None:
        if not self.quiet:
            frame, names = sys._getframe(1), set[str]()
            for _ in range(_FRAMES):
                names.add(frame.f_code.co_name)
                if frame.f_back is None:
                    break
                frame = frame.f_back
            running.setdefault(evaluate_text(text), set()).update(names)
        say(self, text, rule, *because, **tone)

    Referee.say = watched  # type: ignore[method-assign]
    try:
        yield running
    finally:
        Referee.say = say  # type: ignore[method-assign]


def measured(name: str, games: int, show: int) -> None:
    game = load_game(name)
    catalogue, texts = catalogue_of(game), Texts()
    with writers() as running:
        for seed in range(games):
            for policy in (RANDOM, PLAIN):
                for use, counts in texts_of(game, policy, seed, refused=True).items():
                    texts.setdefault(use, Counter()).update(counts)
    for use, counts in sorted(texts.items()):
        begun = time.perf_counter()
        missing = [text for text in counts if catalogue.find(text, use) is None]
        each = (time.perf_counter() - begun) / len(counts)
        share = 1 - sum(counts[text] for text in missing) / counts.total()
        print(f"{name} {use}: {len(counts)} texts, {len(missing)} without, {share:.2%} of {counts.total()}; {each * 1e6:.0f} us")
        for text in sorted(missing, key=counts.__getitem__, reverse=True)[:show]:
            print(f"    {counts[text]:5} {text[:140]}")
    entries = game.tables.messages
    places = {text: entries[found.id.partition(".")[2]]["at"] for text in running if (found := catalogue.find(text, "line"))
              if found.id.startswith(f"{name}.")}  # fmt: skip
    here = sum(any(place.rpartition(".")[2] in running[text] for place in listed) for text, listed in places.items())
    print(f"{name}: of {len(places)} lines {here} by a message of a running function")


def main(words: list[str]) -> None:
    numbers = {word: int(words[words.index(word) + 1]) for word in ("--games", "--show") if word in words}
    names = [word for word in words if word in GAMES]
    for name in names or GAMES:
        measured(name, numbers.get("--games", 2), numbers.get("--show", 0))


if __name__ == "__main__":
    main(sys.argv[1:])
