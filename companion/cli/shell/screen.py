"""What a terminal shows besides plain lines: pages, and progress bars. A line typed at the pager is returned, not lost."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any, Self

from companion.cli.shell.process import CLEANUP, colour_column, is_plain, setting
from companion.views.lines import BLANK, Line, pages

if TYPE_CHECKING:
    from threading import Timer

    from rich.console import Console

    from companion.core.procedures import Progress

MORE = "-- more: Space or Enter, q stops -- "

_NEXT_KEYS = (" ", "enter")
# `-` and `+` wait for Enter as at a prompt: taken as keys, the Enter behind them would answer the next question
_STOP_KEYS = ("q", "Q", "c-c", "c-d")
_BAR_DELAY = 1.0
"""Seconds before a progress bar is shown."""


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
        return input(text)
    except EOFError:
        sys.stdout.write("\n")
        if at_end is None:
            raise
        return at_end


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
    return session.prompt(text)


def help_page_lines(name: str, columns: int, *, quoted: bool) -> list[Line]:
    """A page of help as lines, with a hint if a command has the same name. `quoted`: mark code by backticks instead of colour."""
    from companion.cli.shell.catalog import COMMANDS
    from companion.session.files import help_page
    from companion.views.markdown import markdown_lines

    hint = [BLANK, Line(f"Its options: companion {name} --help", "dim")] if name in COMMANDS else []
    return [*markdown_lines(help_page(name), columns, quoted), *hint]


def console() -> Console:
    """The console for progress bars: stderr, in the colours of the theme."""
    from rich.console import Console
    from rich.theme import Theme

    from companion.views.theme import for_rich

    tones = {
        "bar.back": "dim",
        "bar.complete": "track",
        "bar.finished": "gain",
        "bar.pulse": "track",
        "progress.remaining": "dim",
        "progress.percentage": "track",
        "progress.download": "track",
    }
    return Console(stderr=True, theme=Theme({name: for_rich(tone, colour_column()) for name, tone in tones.items()}))


class Bar:
    """Shows on stderr that work goes on, after a second and on a terminal only; erased at the end.

    As a context manager it also shows work that does not report its progress.

    Args:
        label: What takes so long, if it is not what the player asked for.
    """

    def __init__(self, label: str = "") -> None:
        self._label = label
        self._since: float | None = None
        self._bar: Any = None
        self._timer: Timer | None = None
        self._lock: AbstractContextManager[Any] = nullcontext()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        self.clear()

    def start(self) -> None:
        """Show a bar in a second, unless everything is done by then."""
        if sys.stderr.isatty():
            from threading import RLock, Timer

            self._lock = RLock()
            self._since = time.monotonic()
            self._timer = Timer(_BAR_DELAY, self._show_pulse)
            self._timer.daemon = True
            self._timer.start()

    def _show_pulse(self) -> None:
        with self._lock:
            if self._timer is not None and self._bar is None:
                self._draw(None)

    def show(self, progress: Progress) -> None:
        """Draw the bar, or erase it if everything is done."""
        with self._lock:
            if progress.done >= progress.total:
                if self._timer is None:
                    self.clear()
                return
            self._since = time.monotonic() if self._since is None else self._since
            if not sys.stderr.isatty() or time.monotonic() - self._since < _BAR_DELAY:
                return
            if self._bar is None:
                self._draw(progress.total)
            self._bar.update(self._bar.task_ids[0], completed=progress.done, total=progress.total)

    def _draw(self, total: int | None) -> None:
        from rich import progress as rich

        label = [rich.TextColumn("{task.description}", style="", markup=False)] if self._label else []
        columns = [*label, rich.BarColumn(), rich.TaskProgressColumn(), rich.TimeRemainingColumn()]
        self._bar = rich.Progress(*columns, console=console(), transient=True)
        self._bar.add_task(self._label, total=total)
        self._bar.start()
        CLEANUP.append(self.clear)  # the cursor is hidden while the bar is shown

    def clear(self) -> None:
        """Erase the bar."""
        with self._lock:
            self._since = None
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
            if self._bar is not None:
                self._bar.stop()
                self._bar = None
