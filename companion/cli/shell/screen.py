"""Pages of lines on a terminal. A line typed at the pager is returned, not lost."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence

from companion.cli.shell.bar import BAR
from companion.cli.shell.process import is_plain, setting
from companion.views.lines import BLANK, Line, pages

MORE = "-- more: Space or Enter, q stops -- "

_NEXT_KEYS = (" ", "enter")
# `-` and `+` wait for Enter as at a prompt: taken as keys, the Enter behind them would answer the next question
_STOP_KEYS = ("q", "Q", "c-c", "c-d")


def show_pages(
    lines: Sequence[Line],
    room: int,
    columns: int,
    tell: Callable[[Sequence[Line]], None],
    ask: Callable[[str], str],
    later: Callable[[], Sequence[Line]] | None = None,
) -> str:
    """Show lines one screen at a time.

    Args:
        lines: What to show.
        room: Rows of a page; 0 for no limit.
        columns: Columns of the screen.
        tell: Shows lines.
        ask: Shows a prompt; returns "" to go on, `q` to stop, or a line that was typed instead.
        later: Makes lines that take long; called when all others are on the screen.

    Returns:
        The line that was typed instead of going on, or "".
    """
    parts = list(pages(lines, room, columns))
    for number, part in enumerate(parts, 1):
        tell(part)
        if number < len(parts) and (typed := ask(MORE).strip()):
            return "" if typed.casefold() == "q" else typed
    return show_pages(later(), room, columns, tell, ask) if later else ""


def read_line(text: str, at_end: str | None = None) -> str:
    """Read a line without redrawing anything. `at_end`: returned at the end of input; None: EOFError is raised."""
    try:
        with BAR.paused():
            return input(text)
    except EOFError:
        sys.stdout.write("\n")
        if at_end is None:
            raise
        return at_end


def read_secret(text: str) -> str:
    """Read a line of which nothing stays on the screen, nor in a history; a plain terminal shows nothing at all."""
    with BAR.paused():
        if is_plain():
            from getpass import getpass

            return getpass(text)
        from prompt_toolkit import PromptSession

        session: PromptSession[str] = PromptSession(erase_when_done=True)
        return session.prompt(text, is_password=True)


def read_pager_key(text: str) -> str:
    """Wait for a key: "" for Space or Enter, `q` for q, Ctrl-C and Ctrl-D; any other key begins a line that Enter ends.

    The prompt is erased, so that the pages read without a break. A plain terminal reads a whole line. With the setting
    `pause off` it returns at once.
    """
    if setting("pause") == "off":
        return ""
    if is_plain():
        return read_line(text, "q")
    from prompt_toolkit import PromptSession
    from prompt_toolkit.application import get_app
    from prompt_toolkit.filters import Condition
    from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent

    keys = KeyBindings()
    has_text = Condition(lambda: bool(get_app().current_buffer.text))

    def go_on(event: KeyPressEvent) -> None:
        event.app.exit(result="")

    def stop(event: KeyPressEvent) -> None:
        event.app.exit(result="q")

    for key in _NEXT_KEYS:
        keys.add(key, filter=~has_text)(go_on)
    for key in _STOP_KEYS:
        keys.add(key, filter=True if key.startswith("c-") else ~has_text)(stop)
    session: PromptSession[str] = PromptSession(key_bindings=keys, erase_when_done=True)
    with BAR.paused():
        return session.prompt(text)


def help_page_lines(name: str, columns: int, *, quoted: bool, whole_code: bool = False) -> list[Line]:
    """A page of help as lines, with a hint if a command has the same name.

    `quoted`: mark code by backticks instead of colour. `whole_code`: do not fold rows of code, and fence files.
    """
    from companion.cli.shell.catalog import COMMANDS
    from companion.session.files import help_page
    from companion.views.markdown import markdown_lines

    hint = [BLANK, Line(f"Its options: companion {name} --help", "dim")] if name in COMMANDS else []
    return [*markdown_lines(help_page(name), columns, quoted, whole_code), *hint]
