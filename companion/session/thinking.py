"""Decisions by rollouts in a session: their limits (seconds, and Ctrl-C, which takes the best so far), and several cores."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from time import monotonic

from companion.core.hints import TYPE_CHECKING, Any
from companion.core.procedures import Enough, Progress
from companion.core.rollouts import Outcome, Play, Spread, in_turn

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


def on_cores(jobs: int) -> Spread:
    """A way to run playouts on several cores, by copies of this process; on one where the system cannot copy a process."""
    return in_turn if jobs < 2 or not hasattr(os, "fork") else lambda play, tasks: _forked(play, tasks, jobs)


def _forked(play: Play, tasks: Sequence[tuple[int, int]], jobs: int) -> Generator[Outcome]:
    """The outcomes of playouts, in order; each copy of the process plays every so many of them.

    A playout that fails in a copy is played again here, so that its error is raised here.
    """
    copies = [_start_copy(play, tasks[number::jobs]) for number in range(min(jobs, len(tasks)))]
    try:
        for index, task in enumerate(tasks):
            _, results = copies[index % len(copies)]
            try:
                outcome = Outcome(*pickle.load(results))
            except EOFError:
                outcome = play(*task)
            yield outcome
    finally:
        for process, results in copies:
            results.close()
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _start_copy(play: Play, tasks: Sequence[tuple[int, int]]) -> tuple[int, Any]:
    """Start a copy of this process that plays; return its number, and the file that it writes outcomes to."""
    read, write = os.pipe()
    process = os.fork()
    if process:
        os.close(write)
        return process, os.fdopen(read, "rb")
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        os.close(read)
        with os.fdopen(write, "wb", buffering=0) as results:
            for task in tasks:
                results.write(pickle.dumps(tuple(play(*task))))
    finally:
        os._exit(0)  # nothing else of this process happens twice: no files are flushed or closed
