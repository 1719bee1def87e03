"""How far a long computation has come, where somebody waits for it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from companion.cli.shell.process import AT_END

if TYPE_CHECKING:
    from rich.console import Console

    from companion.core.procedures import Progress

_PATIENCE = 1.0


def console() -> Console:
    """Where a bar is drawn: on stderr, in the colours of the theme."""
    from rich.console import Console
    from rich.theme import Theme

    from companion.cli.shell.preferences import column
    from companion.views.theme import for_rich

    tones = {
        "bar.back": "dim",
        "bar.complete": "track",
        "bar.finished": "gain",
        "bar.pulse": "track",
        "progress.remaining": "dim",
    }
    tones |= {"progress.percentage": "track", "progress.download": "track"}
    return Console(stderr=True, theme=Theme({name: for_rich(tone, column()) for name, tone in tones.items()}))


class Bar:
    """Shows how far a computation has come, once it has taken a second; on a terminal, on stderr, gone when it is done.

    Args:
        what: in words, what it is that takes so long, where the player has not asked for it.
    """

    def __init__(self, what: str = "") -> None:
        self._what = what
        self._since: float | None = None
        self._bar: Any = None

    def show(self, progress: Progress) -> None:
        """Draw the bar anew, or take it off where all is done; nothing without a terminal."""
        if progress.done >= progress.total:
            self.clear()
            return
        self._since = time.monotonic() if self._since is None else self._since
        if not sys.stderr.isatty() or time.monotonic() - self._since < _PATIENCE:
            return
        if self._bar is None:
            from rich import progress as rich

            told = [rich.TextColumn("{task.description}", style="", markup=False)] if self._what else []
            columns = [*told, rich.BarColumn(), rich.TaskProgressColumn(), rich.TimeRemainingColumn()]
            self._bar = rich.Progress(*columns, console=console(), transient=True)
            self._bar.add_task(self._what)
            self._bar.start()
            AT_END.append(self.clear)  # whatever comes: the terminal shows no cursor meanwhile
        self._bar.update(self._bar.task_ids[0], completed=progress.done, total=progress.total)

    def clear(self) -> None:
        """Take the bar off the screen."""
        self._since = None
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
