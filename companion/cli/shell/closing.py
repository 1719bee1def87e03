"""What a command has opened and must close, whatever becomes of it. Kept apart so that completion loads nothing else."""

from __future__ import annotations

from collections.abc import Callable

AT_END: list[Callable[[], None]] = []
"""What closes it, the last to be opened first."""


def close_all() -> None:
    """Close what the command has opened."""
    while AT_END:
        AT_END.pop()()
