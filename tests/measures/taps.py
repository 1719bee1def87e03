"""Taps of a turn of each game on the page of ``companion host``, beside the keys of the same turn at the terminal.

    python -m tests.measures.taps [GAME] [--title TEXT] [--size small|phone|tablet]

Plays turns of ``tests/games/GAME/turns.toml`` at the terminal's loop, then tap by tap in a browser, and compares the positions at
the end. A tap is a button, a toggle, a key of the dice tray; a character that is typed counts as one, Enter as a key. Both
players of a game for two have a phone. Needs Chromium.
"""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from contextlib import ExitStack
from typing import Any, NamedTuple

from tests.measures.prompts import in_an_archive
from tests.support.phones import Phone, chromium, hosting, replay
from tests.support.turns import Turn, turns_of, typed

write = sys.stdout.write

BATTLES = {
    "fallujah2004": ("J-3 by hand: Node, 2+1 picks, two hits", 9),
    "fallujahcards": ("whole game by hand", 12),
    "iraqwar2003": ("Attack: a stack into a city, retreat and advance", 9),
    "lzalbany": ("Turn 2, 12 chits, two players", 12),
    "phantomfury": ("practice: turns 1 and 2 by hand", 99),
}
"""A turn of each game with whole battles, and how many of its lines are played."""


class Taps(NamedTuple):
    """What a turn took.

    Attributes:
        prompts, keys: At the terminal.
        taps: On the page.
        same: The positions at the end are equal.
        messages: Errors of the pages, and requests to other addresses.
        typed: Texts that could not be tapped together.
    """

    prompts: int
    keys: int
    taps: int
    same: bool
    messages: list[str]
    typed: list[str]


def battle(game: str) -> Turn:
    """The turn of a game in `BATTLES`."""
    title, lines = BATTLES[game]
    turn = next(turn for turn in turns_of(game) if turn.title == title)
    # the names of spaces are an open set, and a space may be entered without its name
    answers = {key: _NAMELESS.get(value, value) if isinstance(value, str) else value for key, value in turn.answers.items()}
    return turn._replace(lines=turn.lines[:lines], answers=answers)


_NAMELESS = {"mosque Jolan": "mosque"}


def play_by_taps(browser: Any, turn: Turn, size: str = "phone") -> Taps:
    """Play a turn at the terminal's loop and on phones."""
    from companion.session.controller import SessionController

    with ExitStack() as stack:
        archive = stack.enter_context(in_an_archive())
        count = typed(turn, archive)
        entries = count.session.history.in_force
        tapped = stack.enter_context(in_an_archive())
        session = turn.start(tapped)
        session.setting(think="0")
        first = session.history.next_number - (session.pending is not None)
        host = stack.enter_context(hosting(tapped.path, session.info.name))
        phones = [Phone(browser, link, size) for role, link in host.links.items() if role != "watch"]
        try:
            replay(phones, [entry for entry in entries if entry.number >= first])
        finally:
            for phone in phones:
                phone.close()
        after = SessionController.open(tapped, session.info.name)
        messages = [text for phone in phones for text in phone.messages + phone.elsewhere]
        same = after.position == count.session.position
        texts = [text for phone in phones for text in phone.typed]
        return Taps(count.prompts, count.keys, sum(phone.taps for phone in phones), same, messages, texts)


def main() -> None:
    """Run from the command line."""
    words = ArgumentParser(prog="python -m tests.measures.taps")
    words.add_argument("game", nargs="?")
    words.add_argument("--title", default="")
    words.add_argument("--size", default="phone")
    said = words.parse_args()
    write(f"{'game':15}{'turn':52}{'prompts':>8}{'keys':>6}{'taps':>6}  same end  seconds\n")
    with chromium() as browser:
        for game in [said.game] if said.game else BATTLES:
            for turn in [turn for turn in turns_of(game) if said.title in turn.title] if said.title else [battle(game)]:
                began = time.perf_counter()
                row = play_by_taps(browser, turn, said.size)
                took = time.perf_counter() - began
                figures = f"{row.prompts:8}{row.keys:6}{row.taps:6}  {'yes' if row.same else 'NO':8}  {took:.0f}"
                write(f"{game:15}{turn.title:52}{figures}\n")
                for text in [*row.messages, *(f"typed: {text}" for text in row.typed)][:6]:
                    write(f"{'':15}{text}\n")


if __name__ == "__main__":
    main()
