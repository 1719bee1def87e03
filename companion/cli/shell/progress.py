"""A progress bar for long computations."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

from companion.cli.shell.process import CLEANUP

if TYPE_CHECKING:
    from rich.console import Console

    from companion.core.procedures import Progress

_DELAY = 1.0


def console() -> Console:
    """The console for progress bars: stderr, in the colours of the theme."""
    from rich.console import Console
    from rich.theme import Theme

    from companion.cli.shell.preferences import colour_column
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
    """Shows progress on stderr after a second, on a terminal only; erased at the end.

    Args:
        label: What takes so long, if it is not what the player asked for.
    """

    def __init__(self, label: str = "") -> None:
        self._label = label
        self._since: float | None = None
        self._bar: Any = None

    def show(self, progress: Progress) -> None:
        """Draw the bar, or erase it if everything is done."""
        if progress.done >= progress.total:
            self.clear()
            return
        self._since = time.monotonic() if self._since is None else self._since
        if not sys.stderr.isatty() or time.monotonic() - self._since < _DELAY:
            return
        if self._bar is None:
            from rich import progress as rich

            label = [rich.TextColumn("{task.description}", style="", markup=False)] if self._label else []
            columns = [*label, rich.BarColumn(), rich.TaskProgressColumn(), rich.TimeRemainingColumn()]
            self._bar = rich.Progress(*columns, console=console(), transient=True)
            self._bar.add_task(self._label)
            self._bar.start()
            CLEANUP.append(self.clear)  # the cursor is hidden while the bar is shown
        self._bar.update(self._bar.task_ids[0], completed=progress.done, total=progress.total)

    def clear(self) -> None:
        """Erase the bar."""
        self._since = None
        if self._bar is not None:
            self._bar.stop()
            self._bar = None
