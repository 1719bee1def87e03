"""The bar that shows that a command works.

Every command and every line typed at the prompt runs within `BAR`. On a terminal a bar appears a second after the work began, or
after the last line or answer; it is erased before anything else is written or asked. Ctrl-C ends the work.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress

from companion.cli.shell.process import CLEANUP, colour_column, is_plain, release_import_lock
from companion.core.hints import TYPE_CHECKING, Any, Self

if TYPE_CHECKING:
    from rich.console import Console

    from companion.core.procedures import Progress

DELAY = 1.0
"""Seconds of silence before the bar is drawn."""
OTHER_COLUMNS = 14
"""The widths of the percentage and the time that remains, with the blanks between the columns."""
MIN_WIDTH = 8
"""The width of the bar beside a long label."""
CTRL_C_WIDTH = 2
"""The width of the ^C that the terminal shows."""


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
    """A bar on stderr, if that is a terminal; as a context manager, for the time of the work.

    Work that reports its progress calls `show`; all other work moves the bar to and fro.
    """

    def __init__(self) -> None:
        self._lock: AbstractContextManager[Any] = nullcontext()
        self.is_running = False
        self._is_paused = False
        self._has_timer = False
        self._has_said = False
        self._since = 0.0
        self._progress: tuple[int, int | None, str] = (0, None, "")
        self._drawn: Any = None

    def __enter__(self) -> Self:
        self.begin()
        return self

    def __exit__(self, kind: type[BaseException] | None, *error: object) -> None:
        if kind is KeyboardInterrupt:
            release_import_lock()
        self.end()

    def begin(self) -> None:
        """Draw the bar in a second, unless everything is done by then."""
        if sys.stderr.isatty():
            from threading import RLock

            self._lock = RLock()
            self.is_running, self._has_said = True, False
            CLEANUP.append(self.end)  # the cursor is hidden while the bar is shown
            self._resume()

    def end(self) -> None:
        """Erase the bar; the work is done."""
        with self._lock:
            self.is_running = False
            self._erase()

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Erase the bar while something is written or asked; a second afterwards it may be drawn again."""
        self._pause()
        try:
            yield
        finally:
            self._resume()

    def _pause(self) -> None:
        if self.is_running:
            with self._lock:
                self._is_paused = True
                self._erase()

    def _resume(self) -> None:
        if self.is_running:
            with self._lock:
                self._is_paused = False
                self._since = time.monotonic()
                self._start_timer(DELAY)

    def show(self, progress: Progress, label: str = "") -> None:
        """Record the progress of the work, and move the bar if it is drawn.

        Args:
            progress: How much is done; when all is, the bar is erased.
            label: What takes so long, if it is not what the player asked for.
        """
        if not self.is_running:
            return
        with self._lock:
            if progress.done >= progress.total:
                self._erase()
                self._resume()
                return
            label = label or progress.label
            if label != self._progress[2]:
                self._erase()
            self._progress = progress.done, progress.total, label
            if self._drawn is not None:
                self._drawn.update(self._drawn.task_ids[0], completed=progress.done, total=progress.total)
            elif not (self._is_paused or self._has_said):
                self._start_timer(max(0.0, self._since + DELAY - time.monotonic()))

    def _start_timer(self, seconds: float) -> None:
        if not self._has_timer:
            from threading import Timer

            timer = Timer(seconds, self._on_time)
            timer.daemon = self._has_timer = True
            timer.start()

    def _on_time(self) -> None:
        """Draw the bar if nothing was written since the timer was started; else wait for the rest of the second."""
        with self._lock:
            self._has_timer = False
            if not self.is_running or self._is_paused or self._drawn is not None:
                return
            left = self._since + DELAY - time.monotonic()
            if left > 0:
                self._start_timer(left)
            else:
                with suppress(OSError):  # the terminal is gone
                    self._draw()

    def _draw(self) -> None:
        # Runs in the timer's thread only: Ctrl-C interrupts the main thread, and a bar interrupted at its start cannot be erased.
        if is_plain():
            if not self._has_said:
                sys.stderr.write(f"{self._progress[2] or 'Still working; Ctrl-C stops it'}\n")
            self._has_said = True
            return
        from rich import progress as rich

        done, total, label = self._progress
        described = [rich.TextColumn("{task.description}", style="", markup=False)] if label else []
        # On Ctrl-C the terminal discards pending output, so a redrawn bar may follow the old one and the ^C in the same row.
        # All three must fit in that row, because only one row is erased.
        terminal = console()
        width = max(MIN_WIDTH, (terminal.width - CTRL_C_WIDTH) // 2 - OTHER_COLUMNS - len(label))
        columns = [*described, rich.BarColumn(width), rich.TaskProgressColumn(), rich.TimeRemainingColumn()]
        # not redirected: the standard streams belong to the thread that works, which erases the bar before it writes
        drawn = rich.Progress(*columns, console=terminal, transient=True, redirect_stdout=False, redirect_stderr=False)
        drawn.add_task(label, total=total, completed=done)
        self._drawn = drawn
        drawn.start()

    def _erase(self) -> None:
        self._progress = (0, None, "")
        if self._drawn is not None:
            self._drawn.stop()
            self._drawn = None


BAR = Bar()
"""The bar of this process."""
