"""Whole games that are typed and counted: with cards on the table, and dealt by Companion."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.support.turns import Turn

SCRIPT = Path(__file__).parent / "scripts" / "patrol.txt"


def dealt(draws: str) -> Callable[[Archive], SessionController]:
    """A new game."""
    return lambda archive: SessionController.create(archive, "fallujahcards", draws=draws, seed="keys")


def by_hand() -> Turn:
    """The scripted whole game: the Target is named with the turn, everything else where it is asked."""
    lines: list[str] = []
    answers: dict[str, list[str]] = {"draw": []}
    for words in map(shlex.split, SCRIPT.read_text().splitlines()):
        if words[:3] != ["companion", "do", "turn"]:
            continue
        drawn = [words[at + 1].casefold() for at, word in enumerate(words) if word == "--draw"]
        target = drawn[:1] if words[3:4] == ["--draw"] else []
        lines.append(shlex.join(["t", *target]))
        answers["draw"] += drawn[len(target) :]
        for word in words[3:]:
            key, told, text = word.partition("=")
            if told:
                answers.setdefault(key, []).append(text.casefold())
    return Turn("whole game by hand", dealt("physical"), lines, answers, (178, 1123), True, (178, 1123))


TURNS = (
    by_hand(),
    Turn("whole game, Companion deals", dealt("computer"), ("t",) * 92, {}, (130, 208)),
    Turn("six turns, Companion deals", dealt("computer"), ("t",) * 6, {}, (0, 0), True),
)
