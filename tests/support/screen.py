"""A program in a terminal whose screen can be read, as the player sees it: by pexpect, with pyte for the screen."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from typing import Any

import pexpect
import pyte

ROOT = Path(__file__).parents[2]
_PATIENCE = 60.0


class _Glass(pyte.HistoryScreen):  # type: ignore[misc]
    """A screen that answers where its cursor is, and counts the rows that were longer than it is wide."""

    def __init__(self, columns: int, rows: int, answer: Any) -> None:
        self.answer = answer
        self.broken: list[str] = []
        super().__init__(columns, rows, history=4000)

    def write_process_input(self, data: str) -> None:
        self.answer(data)

    def draw(self, data: str) -> None:
        if self.cursor.x + len(data) > self.columns:
            self.broken.append(data)
        super().draw(data)


class Screen:
    """The program at a terminal of some size.

    Args:
        words: of the command line.
        rows, columns: of the terminal.
        tiny: with the small game of the tests alone.
        env: besides what the tests have; with STUCK the program hangs there, see `stuck`.
    """

    def __init__(self, *words: str, rows: int = 24, columns: int = 80, tiny: bool = True, **env: str) -> None:
        mine = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "COLUMNS", "LINES")}
        module = "tests.support.stuck" if "STUCK" in env else "tests.support.with_tiny" if tiny else "companion"
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", module, *words],
            cwd=str(ROOT),
            env={**mine, "TERM": "xterm-256color", **env},
            encoding="utf-8",
            dimensions=(rows, columns),
            timeout=_PATIENCE,
        )
        self.child.delaybeforesend = None
        self.glass = _Glass(columns, rows, self.child.send)
        self.stream = pyte.Stream(self.glass)

    @property
    def rows(self) -> list[str]:
        """What the screen shows, without trailing blanks."""
        return [row.rstrip() for row in self.glass.display]

    @property
    def text(self) -> str:
        return "\n".join(self.rows).rstrip()

    @property
    def whole(self) -> str:
        """What has gone off the screen at the top, and the screen."""
        gone = ["".join(row[at].data for at in range(self.glass.columns)).rstrip() for row in self.glass.history.top]
        return "\n".join([*gone, self.text])

    def wait(self, *texts: str, gone: str = "") -> Screen:
        """Read on until all the texts are on the screen, and another is not. Raises AssertionError: they do not come."""
        end = time.monotonic() + _PATIENCE
        while not all(text in self.text for text in texts) or (gone and gone in self.text):
            assert time.monotonic() < end and self._read(), f"{texts} not in:\n{self.text}"
        return self.settle()

    def see(self, text: str) -> Screen:
        """Read on until a text is on the screen, whatever moves there."""
        end = time.monotonic() + _PATIENCE
        while text not in self.text:
            assert time.monotonic() < end and self._read(), f"no {text!r} in:\n{self.text}"
        return self

    def at(self, text: str) -> Screen:
        """Read on until the cursor stands in a row that begins so."""
        end = time.monotonic() + _PATIENCE
        while not self.rows[self.glass.cursor.y].startswith(text):
            assert time.monotonic() < end and self._read(), f"not at {text!r}:\n{self.text}"
        return self.settle()

    def settle(self) -> Screen:
        """Read what still comes at once."""
        while self.child.isalive() and self._read(0.15, quiet=True):
            pass
        return self

    def _read(self, patience: float = 1.0, quiet: bool = False) -> bool:
        """Feed what comes to the screen; False at the end, or where nothing comes and that is no matter."""
        try:
            self.stream.feed(self.child.read_nonblocking(65536, patience))
        except pexpect.TIMEOUT:
            return not quiet
        except pexpect.EOF:
            return False
        return True

    def type(self, text: str, end: str = "\r") -> Screen:
        self.child.send(text + end)
        return self

    def resize(self, rows: int, columns: int) -> Screen:
        self.glass.resize(rows, columns)
        self.child.setwinsize(rows, columns)
        return self

    def end(self) -> str:
        """Wait for its end; all that it has shown."""
        end = time.monotonic() + _PATIENCE
        while self._read() and time.monotonic() < end:
            pass
        self.child.close()
        return self.whole

    def foot(self, many: int = 3) -> list[str]:
        """The last rows of the screen that show anything."""
        return [row for row in self.rows if row][-many:]
