"""The limits of a decision by rollouts in a session: seconds, and Ctrl-C, which takes the best so far."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from companion.core.hints import TYPE_CHECKING, Any
from companion.core.procedures import Enough, Progress

if TYPE_CHECKING:
    from companion.core.procedures import ProgressCallback


@contextmanager
def limited(watch: ProgressCallback, seconds: float | None) -> Iterator[ProgressCallback]:
    """A context with the callback of a decision: it ends the decision after so many seconds, and on the first Ctrl-C.

    None: without a limit in seconds. A second Ctrl-C interrupts as usual. Another handler of Ctrl-C stays in place.
    """
    started, stopped = monotonic(), False

    def stop(number: int, frame: Any) -> None:
        nonlocal stopped
        if stopped:
            raise KeyboardInterrupt
        stopped = True

    def check(progress: Progress) -> None:
        watch(progress)
        if stopped or (seconds is not None and monotonic() - started >= seconds):
            raise Enough

    try:
        takes = signal.getsignal(signal.SIGINT) is signal.default_int_handler
        if takes:
            signal.signal(signal.SIGINT, stop)
    except ValueError:  # not the main thread
        takes = False
    try:
        yield check
    finally:
        if takes:
            signal.signal(signal.SIGINT, signal.default_int_handler)
