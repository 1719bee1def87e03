"""The audit: what should lie on the table, and one line of what lies there otherwise."""

from __future__ import annotations

from companion.cli.repl.prompt import Ask, Prompt
from companion.core.errors import Unreadable
from companion.core.text import clean, split_list
from companion.session.adjust import apply_changes
from companion.session.state import SessionState
from companion.views.board import setup_lines
from companion.views.lines import Line

AUDITED = "audit: as it lies on the table"
"""The reason of an adjustment to what a player names as different."""

_HOW = "Enter: all right. What differs, in one line: WHAT VALUE, WHAT VALUE"


def audit_lines(desk: SessionState) -> list[Line]:
    """What to look at, and how to say what differs."""
    return [*setup_lines(desk.game, desk.position, full=False), Line(_HOW, "dim")]


def ask_differences(ask: Ask) -> str:
    """What differs, as typed; "" where all is right."""
    return ask(Prompt("[all right] audit > ")).strip()


def differences(desk: SessionState, text: str) -> list[tuple[str, str]]:
    """What a line such as ``kia 2, 3/1 2-10`` sets to what.

    Raises:
        Unreadable: a part of it means nothing, or cannot be.
    """
    return [_pair(desk, part) for part in split_list(text)]


def _pair(desk: SessionState, part: str) -> tuple[str, str]:
    """A thing and its value: of the words as many are its name as name something."""
    what, equals, value = part.partition("=")
    if equals:
        return what.strip(), value.strip()
    words = part.split()
    fault = Unreadable(f"'{clean(part)}' says nothing of what lies there", cure=_HOW)
    for many in range(len(words) - 1, 0, -1):
        pair = " ".join(words[:many]), " ".join(words[many:])
        try:
            apply_changes(desk.game, desk.options, desk.position, [pair], AUDITED)
        except Unreadable as complaint:
            fault = complaint
        else:
            return pair
    raise fault
