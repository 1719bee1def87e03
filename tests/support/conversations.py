"""Conversations at a real terminal, with their prompts, keys and longest screen counted.

``tests/games/GAME/conversations.toml`` holds a table for each, under its title. What is typed is found by what the screen shows,
so that the same data play a program that asks more or fewer questions: the first line of ``say`` whose pattern is found in what
came since the last Enter, and a bare Enter at every other prompt. A pattern that begins with ``*`` is used each time, any other
once. Only the rows of the open question are searched, or else the prompt.
"""

from __future__ import annotations

import os
import re
import shlex
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple
from unittest.mock import patch

if TYPE_CHECKING:
    from tests.support.screen import Screen

ROWS, COLUMNS = 24, 80
MOST = 60  # Prompts after which a conversation has gone astray
_PROMPT = re.compile(r"(> ?|stops -- ?|\(y/N\) ?)$")


class Conversation(NamedTuple):
    """A conversation.

    Attributes:
        title: Its title in the table of the page.
        start: The command that opens the terminal.
        until: The pattern that ends it.
        at_most: Prompts, keys (Enter included) and rows between two prompts that it may take.
        say: Patterns with what is typed where they are found.
        before: Prompts and keys in the version before one grammar held at every prompt, counted by hand from its logs.
        target: What the prompts and keys should be; 0: none.
        prepare: Commands before it.
        begin: What is typed, like ``say``, before the prompts are counted.
        since: The pattern at which counting begins.
    """

    title: str
    start: str
    until: str
    at_most: tuple[int, int, int]
    say: Sequence[tuple[str, str]] = ()
    before: tuple[int, int] = (0, 0)
    target: tuple[int, int] = (0, 0)
    prepare: Sequence[str] = ()
    begin: Sequence[tuple[str, str]] = ()
    since: str = ""


class Counted(NamedTuple):
    """What a conversation took, and all of it as it was on the screen."""

    prompts: int
    keys: int
    rows: int
    typed: Sequence[str]
    transcript: str


def conversations(game: str) -> Sequence[Conversation]:
    """The conversations of a game; none for a game without a list."""
    path = Path(__file__).parents[1] / "games" / game / "conversations.toml"
    rows = tomllib.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return [Conversation(title, **row) for title, row in rows.items()]


def hold(conversation: Conversation) -> Counted:
    """Hold a conversation in an archive of its own. Raises AssertionError: it does not come to its end."""
    with tempfile.TemporaryDirectory() as folder:
        names = ("COMPANION_DB", "COMPANION_CONFIG", "XDG_DATA_HOME", "COMPANION_CACHE", "HOME")
        own = {name: str(Path(folder) / name) for name in names}
        with patch.dict(os.environ, own):
            _prepare(conversation.prepare)
        return _typed(conversation, own)


def _prepare(commands: Sequence[str]) -> None:
    from tests.support.commands import companion

    for command in commands:
        done = companion(*shlex.split(command))
        assert done.code in (0, 10), f"{command}: {done.err or done.out}"


def _typed(conversation: Conversation, own: Mapping[str, str]) -> Counted:
    from tests.support.screen import Screen  # needs pexpect and pyte

    screen = Screen(*shlex.split(conversation.start)[1:], rows=ROWS, columns=COLUMNS, tiny=False, **own)
    begin, waiting = list(conversation.begin), list(conversation.say)
    typed: list[tuple[str, bool]] = []  # with whether it was a page's key
    is_counted, page = False, ""
    longest = row = total = 0
    try:
        while True:
            shown = _at_prompt(screen, row, page)
            text, page = "\n".join(shown), screen.text if shown[-1].startswith("-- ") else ""
            rows = len(shown) - bool(page)
            is_counted = is_counted or bool(re.search(conversation.since, text))
            if is_counted and re.search(conversation.until, text):
                break
            total += 1
            assert total < MOST, f"{typed}\n{screen.whole[-4000:]}"
            row += rows
            reply = "" if page else _reply(waiting if is_counted else begin, text)
            if is_counted:
                typed.append((reply, bool(page)))
                longest = max(longest, rows)
            screen.type(reply)
        longest = max(longest, rows)
        transcript = screen.whole
    finally:
        screen.child.close()
    lines = [line for line, page in typed if not page]
    return Counted(len(lines), sum(len(line) + 1 for line, _ in typed), longest, lines, transcript)


def _at_prompt(screen: Screen, row: int, page: str) -> list[str]:
    """Wait for a prompt after a page; the rows from some row of the whole conversation to that of the cursor."""
    end = time.monotonic() + 120
    while True:
        screen.settle()
        height, cursor = len(screen.glass.history.top), screen.glass.cursor
        at = height + cursor.y
        if at >= row and screen.text != page and _PROMPT.search(screen.glass.display[cursor.y][: cursor.x]):
            return screen.whole.splitlines()[row : at + 1]
        assert time.monotonic() < end and screen.child.isalive(), f"no prompt:\n{screen.text}"


def _reply(waiting: list[tuple[str, str]], shown: str) -> str:
    """What is typed at the open question, or else at the prompt for an action."""
    _, question, asked = shown.rpartition("\n? ")
    shown = asked if question else shown if shown.startswith("? ") else shown.splitlines()[-1]
    for at, (pattern, text) in enumerate(waiting):
        if re.search(pattern.removeprefix("*"), shown):
            if not pattern.startswith("*"):
                del waiting[at]
            return text
    return ""
