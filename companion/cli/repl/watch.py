"""The screen of whoever looks on: painted when the session or the size has changed, and left as it was found."""

from __future__ import annotations

import os
import select
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from companion.cli.shell.output import colours, fault_lines, flush, put
from companion.cli.shell.preferences import column
from companion.core.errors import CompanionError
from companion.session.viewer import SessionViewer
from companion.views.dashboard import ScreenRow, Snapshot, dashboard, screen_rows, snapshot, with_odds
from companion.views.lines import BLANK, Line

_EACH = 0.2
"""Seconds between two looks."""

_ENTER, _LEAVE = "\x1b[?1049h\x1b[?25l\x1b[?7l", "\x1b[?7h\x1b[?25h\x1b[?1049l"
"""The other screen of a terminal, without a cursor and without a row that goes on below; and back."""

_HOME, _REST_OF_ROW, _REST = "\x1b[H", "\x1b[K", "\x1b[J"

Key = Callable[[float], str]
"""Waits so many seconds for a key; "" for none."""


class Watcher:
    """Looks on until ``q``, Ctrl-C or the end of the terminal.

    Args:
        onlooker: follows the session.
        big: figures that are read from across the table.
    """

    def __init__(self, onlooker: SessionViewer, big: bool) -> None:
        self._onlooker = onlooker
        self._big = big
        self._scene: Snapshot | None = None
        self._fault: list[Line] = []
        self._painted: tuple[os.terminal_size, bool, int, tuple[str, ...]] | None = None

    def run(self) -> None:
        """Follow the session. Raises CompanionError: there is nothing to follow from the start."""
        self._look_at_first()
        with _screen() as key:
            while True:
                self._paint()
                if self._work_out_odds():
                    continue
                pressed = key(_EACH)
                if pressed in ("q", "Q", "\x04"):
                    return
                self._big ^= pressed in ("b", "B")
                self._look()

    def _look_at_first(self) -> None:
        desk = self._onlooker.poll()
        assert desk is not None  # nothing has been looked at before
        self._scene = snapshot(desk)

    def _look(self) -> None:
        """See what has changed; what stands against it is shown until it is gone."""
        try:
            desk = self._onlooker.poll()
            if desk is not None:
                self._scene = snapshot(desk)
            self._fault = []
        except CompanionError as fault:
            self._fault = [*fault_lines(fault), BLANK, Line("q leaves", "dim")]

    def _work_out_odds(self) -> bool:
        """The odds of a question, once it has been shown; whether there is something new to paint."""
        before = self._scene
        if before is None or before.odds is not None:
            return False
        self._scene = with_odds(before)
        return self._scene is not before

    def _paint(self) -> None:
        """Paint the screen, if it would be another one."""
        size = os.get_terminal_size(sys.stdout.fileno())
        state = (size, self._big, id(self._scene), tuple(line.text for line in self._fault))
        if state == self._painted:
            return
        found = picture(self._scene, size.columns, size.lines, self._big, self._fault)
        resized = self._painted is None or self._painted[0] != size  # what a terminal makes of the old rows is its own affair
        put(
            (_HOME + _REST if resized else _HOME)
            + "\r\n".join(_written(row, size.columns) for row in found)
            + (_REST if len(found) < size.lines else "")
        )
        flush()
        self._painted = state


def picture(found: Snapshot | None, width: int, height: int, big: bool, fault: list[Line]) -> list[ScreenRow]:
    """The rows of a screen."""
    tones = column() if colours() else ""
    if fault or found is None:
        return screen_rows(fault, max(width, 20), tones)[:height]
    return dashboard(found, width, height, tones, big)[:height]


def _written(row: ScreenRow, width: int) -> str:
    """A row as it is written: behind a full one there is nothing to be erased, and its last character would be."""
    return row.shown if len(row.text) >= width else f"{row.shown}{_REST_OF_ROW}"


@contextmanager
def _screen() -> Iterator[Key]:
    """The other screen of the terminal with keys that need no Enter; given back whatever happens."""
    before = {one: signal.signal(one, _ended) for one in (signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM))}
    put(_ENTER)
    try:
        with _keys() as key:
            yield key
    finally:
        with suppress(CompanionError):  # the terminal may be gone
            put(_LEAVE)
            flush()
        for one, handler in before.items():
            signal.signal(one, handler)


def _ended(number: int, frame: Any) -> None:
    """Whoever ends the program finds the terminal as it was."""
    raise KeyboardInterrupt


@contextmanager
def _keys() -> Iterator[Key]:
    """Keys as they are pressed; where a terminal cannot tell them, only time passes, and Ctrl-C ends it."""
    try:
        import termios
        import tty
    except ImportError:  # no terminal of this kind
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
    mode[6][termios.VSUSP] = b"\0"  # stopped, it would leave the other screen behind
    termios.tcsetattr(file, termios.TCSANOW, mode)
    try:
        yield lambda seconds: _pressed(file, seconds)
    finally:
        with suppress(termios.error):
            termios.tcsetattr(file, termios.TCSADRAIN, before)


def _pressed(file: int, seconds: float) -> str:
    """A key, or "" where none is pressed in time; the end of the input counts as its key."""
    if not select.select([file], [], [], seconds)[0]:
        return ""
    try:
        found = os.read(file, 64)
    except OSError:
        return "\x04"
    return found.decode("utf-8", "replace") if found else "\x04"
