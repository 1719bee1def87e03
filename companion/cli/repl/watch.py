"""The full-screen view of `companion watch`: redrawn when the session or the size changes, and left as it was found."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from companion.cli.shell.output import colours, error_lines, flush, put
from companion.cli.shell.process import colour_column
from companion.core.errors import CompanionError
from companion.session.inquiry import SessionViewer
from companion.views.dashboard import ScreenRow, Snapshot, dashboard, screen_rows, snapshot, with_odds
from companion.views.lines import BLANK, Line

_POLL_SECONDS = 0.2

_ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Switch to the alternate screen, without cursor and line wrapping."""
_LEAVE_SCREEN = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_END = "\x04"

Key = Callable[[float], str]
"""Waits so many seconds for a key; "" for none."""


class WatchScreen:
    """Shows a session until `q`, Ctrl-C or the end of the terminal.

    Args:
        viewer: Polls the session.
        big: Large figures.
    """

    def __init__(self, viewer: SessionViewer, big: bool) -> None:
        self._viewer = viewer
        self._big = big
        self._snapshot: Snapshot | None = None
        self._error: list[Line] = []
        self._painted: tuple[os.terminal_size, bool, int, tuple[str, ...]] | None = None

    def run(self) -> None:
        """Follow the session. Raises CompanionError: it cannot be read at the start."""
        state = self._viewer.poll()
        assert state is not None  # the first poll always returns the session
        self._snapshot = snapshot(state)
        with _alternate_screen() as key:
            while True:
                self._paint()
                if self._add_odds():
                    continue
                pressed = key(_POLL_SECONDS)
                if pressed in ("q", "Q", _END):
                    return
                self._big ^= pressed in ("b", "B")
                self._poll()

    def _poll(self) -> None:
        """Read changes; an error is shown until it is gone."""
        try:
            state = self._viewer.poll()
            if state is not None:
                self._snapshot = snapshot(state)
            self._error = []
        except CompanionError as error:
            self._error = [*error_lines(error), BLANK, Line("q leaves", "dim")]

    def _add_odds(self) -> bool:
        """Calculate the odds of the question after it was painted; return True if they must be painted."""
        before = self._snapshot
        if before is None or before.odds is not None:
            return False
        self._snapshot = with_odds(before)
        return self._snapshot is not before

    def _paint(self) -> None:
        """Paint the screen if it has changed."""
        size = os.get_terminal_size(sys.stdout.fileno())
        state = (size, self._big, id(self._snapshot), tuple(line.text for line in self._error))
        if state == self._painted:
            return
        rows = picture(self._snapshot, size.columns, size.lines, self._big, self._error)
        is_resized = self._painted is None or self._painted[0] != size  # terminals reflow old rows differently
        put(
            (_HOME + _CLEAR_BELOW if is_resized else _HOME)
            + "\r\n".join(_row_text(row, size.columns) for row in rows)
            + (_CLEAR_BELOW if len(rows) < size.lines else "")
        )
        flush()
        self._painted = state


def picture(shown: Snapshot | None, width: int, height: int, big: bool, error: list[Line]) -> list[ScreenRow]:
    """The rows of a screen."""
    tones = colour_column() if colours() else ""
    if error or shown is None:
        return screen_rows(error, max(width, 20), tones)[:height]
    return dashboard(shown, width, height, tones, big)[:height]


def _row_text(row: ScreenRow, width: int) -> str:
    """A row with its rest cleared; after a full row, clearing would erase its last character."""
    return row.shown if len(row.text) >= width else f"{row.shown}{_CLEAR_LINE}"


@contextmanager
def _alternate_screen() -> Iterator[Key]:
    """Switch to the alternate screen and unbuffered keys, and back whatever happens."""
    before = {number: signal.signal(number, _interrupt) for number in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))}
    put(_ENTER_SCREEN)
    try:
        with _unbuffered_keys() as key:
            yield key
    finally:
        with suppress(CompanionError):  # the terminal may have gone
            put(_LEAVE_SCREEN)
            flush()
        for number, handler in before.items():
            signal.signal(number, handler)


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Handle SIGTERM and SIGHUP like Ctrl-C, so that the terminal is restored."""
    raise KeyboardInterrupt


@contextmanager
def _unbuffered_keys() -> Iterator[Key]:
    """Read single keys; where a terminal cannot, only wait, and Ctrl-C leaves."""
    try:
        import termios
        import tty
    except ImportError:
        import time

        def wait(seconds: float) -> str:
            time.sleep(seconds)
            return ""

        yield wait
        return
    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    tty.setcbreak(file)
    mode = termios.tcgetattr(file)
    mode[6][termios.VSUSP] = b"\0"  # Ctrl-Z would leave the alternate screen behind
    termios.tcsetattr(file, termios.TCSANOW, mode)
    try:
        yield lambda seconds: _read_key(file, seconds)
    finally:
        with suppress(termios.error):
            termios.tcsetattr(file, termios.TCSADRAIN, before)


def _read_key(file: int, seconds: float) -> str:
    """Return a key, "" after the timeout, or Ctrl-D at the end of the input."""
    if not select.select([file], [], [], seconds)[0]:
        return ""
    try:
        data = os.read(file, 64)
    except OSError:
        return _END
    return data.decode("utf-8", "replace") if data else _END
