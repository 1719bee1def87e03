"""State of the running process: what must be closed at the end of a command, and the cache of a server."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.cli.shell.cache import SessionCache

UNWRITABLE = 74
"""Exit code: the output could not be written. What the command did is done."""

CLEANUP: list[Callable[[], None]] = []
"""Called at the end of a command, the last one first."""


class _Process:
    cache: SessionCache | None = None
    """Keeps archives and sessions open between commands; None unless the process is a server."""
    is_bare = False
    """True if `companion` was typed alone."""


PROCESS = _Process()


def close_all() -> None:
    """Close what the command has opened."""
    while CLEANUP:
        CLEANUP.pop()()


def report_unwritable(error: OSError) -> int:
    """Report that standard output accepts nothing more, unless its reader has just gone; return the exit code."""
    if not isinstance(error, BrokenPipeError):
        sys.stderr.write(f"the output could not be written: {error.strerror}\n")
    return UNWRITABLE
