"""The full-screen view of `companion watch`: redrawn when the session or the size changes, and left as it was found."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from companion.cli.shell.bar import BAR
from companion.cli.shell.output import colours, error_lines, flush, put
from companion.cli.shell.process import colour_column
from companion.core.errors import CompanionError
from companion.session.inquiry import SessionViewer
from companion.views.dashboard import ScreenRow, Snapshot, dashboard, screen_rows, snapshot, with_odds
from companion.views.lines import BLANK, Line, table_lines, truncate

_POLL_SECONDS = 0.2

_ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Switch to the alternate screen, without cursor and line wrapping."""
_LEAVE_SCREEN = "\x1b[?7h\x1b[?25h\x1b[?1049l"
_HOME, _CLEAR_LINE, _CLEAR_BELOW = "\x1b[H", "\x1b[K", "\x1b[J"
_END = "\x04"

_KEY = r"\x1b(?:\[[\d;]*[A-Za-z~]|O[A-Z])|[^\x1b]"
_ROWS_DOWN = {"j": 1, "\r": 1, "\n": 1, "\x1b[B": 1, "\x1bOB": 1, "k": -1, "\x1b[A": -1, "\x1bOA": -1}
_PAGES_DOWN = {" ": 1, "\x1b[6~": 1, "\x7f": -1, "\x1b[5~": -1}
_ENDS = {"g": 0, "\x1b[H": 0, "\x1b[1~": 0, "G": sys.maxsize, "\x1b[F": sys.maxsize, "\x1b[4~": sys.maxsize}
_HELP = (
    ("Space, Page Down", "the next rows"),
    ("Backspace, Page Up", "the rows before"),
    ("Down or j, Up or k", "one row"),
    ("g, G", "to the first row, to the last"),
    ("b", "large figures, and back"),
    ("q, Ctrl-C", "leave; the session goes on"),
)
_MIN_KEY_ROWS = 10  # rows of a screen from which the last one names the keys

Key = Callable[[float], str]
"""Waits so many seconds for keys; "" for none."""


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
        self._top = 0  # the first row shown of those that scroll
        self._page = 1  # rows that scroll on the screen
        self._has_help = False
        self._painted: tuple[os.terminal_size, tuple[object, ...]] | None = None

    def run(self) -> None:
        """Follow the session. Raises CompanionError: it cannot be read at the start."""
        import re

        state = self._viewer.poll()
        assert state is not None  # the first poll always returns the session
        self._snapshot = snapshot(state)
        BAR.end()  # from here on the screen is painted whole
        with _alternate_screen() as key:
            while True:
                self._paint()
                if self._add_odds():
                    continue
                pressed = re.findall(_KEY, key(_POLL_SECONDS))
                if not {"q", "Q", _END}.isdisjoint(pressed):
                    return
                for one in pressed:
                    self._press(one)
                self._poll()

    def _press(self, key: str) -> None:
        """Carry out a key that does not leave; any key closes the help."""
        is_help = key in ("?", "h", "H") and not self._has_help
        if not self._has_help:
            self._big ^= key in ("b", "B")
            down = _ROWS_DOWN.get(key, 0) + _PAGES_DOWN.get(key, 0) * max(self._page - 1, 1)
            self._top = max(_ENDS.get(key, self._top + down), 0)
        self._has_help = is_help

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
        state = (self._big, self._top, self._has_help, id(self._snapshot), tuple(line.text for line in self._error))
        if (size, state) == self._painted:
            return
        is_resized = self._painted is None or self._painted[0] != size  # terminals reflow old rows differently
        rows = self._rows(size.columns, size.lines)
        put(
            (_HOME + _CLEAR_BELOW if is_resized else _HOME)
            + "\r\n".join(_row_text(row, size.columns) for row in rows)
            + (_CLEAR_BELOW if len(rows) < size.lines else "")
        )
        flush()
        self._painted = (size, state)

    def _rows(self, width: int, height: int) -> list[ScreenRow]:
        """Return the rows of the screen, and keep what scrolls within its ends."""
        tones = colour_column() if colours() else ""
        if self._error or self._snapshot is None:
            return screen_rows(self._error, max(width, 20), tones)[:height]
        if self._has_help:
            lines = [Line("Keys", "title"), *table_lines(_HELP, indent="  "), BLANK, Line("Any key goes back", "dim")]
            return screen_rows(lines, max(width, 20), tones)[:height]
        has_key_row = height >= _MIN_KEY_ROWS
        board = dashboard(self._snapshot, width, height - has_key_row, tones, self._big)
        count, self._page = len(board.body), max(height - has_key_row - len(board.pinned), 0)
        self._top = min(self._top, max(count - self._page, 0))
        rows = board.rows(height - has_key_row, self._top)[: height - has_key_row]
        if not has_key_row:
            return rows
        shown = f"rows {self._top + 1} to {min(self._top + self._page, count)} of {count}: Space, arrows"
        text = "q leaves   ? keys" + (f"   {shown}" if count > self._page else "")
        blank = [ScreenRow()] * (height - 1 - len(rows))
        return [*rows, *blank, *screen_rows([Line(truncate(text, width), "dim")], width, tones)[:1]]


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
    """Read single keys."""
    try:
        import termios
        import tty
    except ImportError:
        from companion.cli.shell.windows import read_key

        yield read_key
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
