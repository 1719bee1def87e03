"""The end of a command: what it must close whatever comes, and output that nobody takes. Completion loads nothing else."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from companion.cli.serve.cache import Keeper

UNWRITABLE = 74
"""What a command leaves with whose output could not be written; what it did is done."""

AT_END: list[Callable[[], None]] = []
"""What closes it, the last to be opened first."""


def close_all() -> None:
    """Close what the command has opened."""
    while AT_END:
        AT_END.pop()()


def unwritten(fault: OSError) -> int:
    """Tell that stdout takes nothing more, unless it is only that nobody reads on; the exit code of that."""
    if not isinstance(fault, BrokenPipeError):
        sys.stderr.write(f"the output could not be written: {fault.strerror}\n")
    return UNWRITABLE


class _Slot:
    keeper: Keeper | None = None


SLOT = _Slot()
