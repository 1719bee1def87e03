"""A bar for what takes longer than a second, on a terminal, on stderr, gone when it is done."""

from __future__ import annotations

import sys
import time

from companion.core.effects import Progress

_PATIENCE = 1.0
_WIDE = 40


class Bar:
    """Shows how far a computation has come, once it has taken a second."""

    def __init__(self) -> None:
        self._since = time.monotonic()
        self._shown = False

    def show(self, progress: Progress) -> None:
        """Draw the bar anew; nothing without a terminal."""
        if not sys.stderr.isatty() or time.monotonic() - self._since < _PATIENCE:
            return
        self._shown = True
        share = min(progress.done / progress.total, 1.0) if progress.total else 1.0
        filled = round(_WIDE * share)
        sys.stderr.write(f"\r[{'#' * filled}{'.' * (_WIDE - filled)}] {share:4.0%}")
        sys.stderr.flush()

    def clear(self) -> None:
        """Take the bar off the screen."""
        if self._shown:
            sys.stderr.write("\r" + " " * (_WIDE + 8) + "\r")
            sys.stderr.flush()
        self._shown = False
