"""The one pager, at the table and in the shell: nothing that fits is paged, and what is typed at it is not lost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from companion.cli.shell.preferences import plain, preferred
from companion.views.lines import Line, pages

MORE = "-- more: Space or Enter, q stops -- "
"""What stands below a full screen, at the table and in the shell."""

_ON = (" ", "+", "enter")
_STOP = ("q", "Q", "-", "c-c", "c-d")


def paged(
    lines: Sequence[Line], room: int, columns: int, tell: Callable[[Sequence[Line]], None], ask: Callable[[str], str]
) -> str:
    """Show lines a screen at a time.

    Args:
        lines: to be shown.
        room: rows that one page may take; 0 for no limit.
        columns: of the screen.
        tell: shows lines.
        ask: shows a prompt and returns "" to go on, ``q`` to stop, or the line that was typed instead.

    Returns:
        What was typed instead of going on; "" for nothing.
    """
    parts = list(pages(lines, room, columns))
    for number, part in enumerate(parts, 1):
        tell(part)
        if number < len(parts) and (typed := ask(MORE).strip()):
            return "" if typed.casefold() == "q" else typed
    return ""


def line_of(text: str, ended: str | None = None) -> str:
    """A line that is read without drawing anything anew. ``ended``: what stands for the end of the input; None: it is raised."""
    try:
        return input(text)
    except EOFError:
        sys.stdout.write("\n")
        if ended is None:
            raise
        return ended


def at_a_key(text: str) -> str:
    """Wait below a full screen: Space or Enter is "", q (Ctrl-C, Ctrl-D) is ``q``; any other key begins a line, which Enter ends.

    Nothing of it stays on the screen, so that what was shown reads without a break. A player who wants no pause gets none; on a
    plain terminal a whole line is read.
    """
    if preferred("pause") == "off":
        return ""
    if plain():
        return line_of(text, "q")
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()
    begun = Condition(lambda: bool(get_app().current_buffer.text))

    def goes_on(event: KeyPressEvent) -> None:
        event.app.exit(result="")

    def stops(event: KeyPressEvent) -> None:
        event.app.exit(result="q")

    for key in _ON:
        keys.add(key, filter=~begun)(goes_on)
    for key in _STOP:
        keys.add(key, filter=True if key.startswith("c-") else ~begun)(stops)
    session: PromptSession[str] = PromptSession(key_bindings=keys, erase_when_done=True)
    return session.prompt(text)
