"""A time limit for rules where games are played without a person, who would press Ctrl-C.

A procedure that computes on and on asks nothing and changes nothing, so that no limit of an action ends it.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from companion.core.errors import RuleFault
from companion.core.limits import RULE_SECONDS
from companion.core.odds import paths
from companion.core.procedures import ProcedureRun

_ADVANCE = ProcedureRun._advance.__code__
_PATHS = paths.__code__
_COROUTINE = 128  # inspect.CO_COROUTINE; the module is slow to import


@contextmanager
def limited_rules(seconds: float = RULE_SECONDS) -> Iterator[None]:
    """Raise RuleFault in a rule that neither ends nor asks for at least so many seconds of processor time, at most twice as many.

    This works in the main thread of systems with interval timers, which Windows lacks, unless the timer is used already.
    """
    is_main = threading.current_thread() is threading.main_thread()
    if not (is_main and hasattr(signal, "setitimer")) or signal.getsignal(signal.SIGVTALRM) is not signal.SIG_DFL:
        yield
        return
    earlier: FrameType | None = None

    def tick(number: int, frame: FrameType | None) -> None:
        nonlocal earlier
        running = _running_rule(frame)
        if running is not None and running is earlier:
            raise RuleFault(f"the rule computes for over {seconds:g} s without asking or ending")
        earlier = running

    signal.signal(signal.SIGVTALRM, tick)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, signal.SIG_DFL)


def _running_rule(frame: FrameType | None) -> FrameType | None:
    """The frame that stays the same until the innermost running procedure asks or ends; None outside of procedures.

    An effect runs below a procedure too: a decision by rollouts takes long, and runs procedures of its own.
    """
    inner: FrameType | None = None
    while frame is not None and frame.f_code is not _ADVANCE and frame.f_code is not _PATHS:
        inner, frame = frame, frame.f_back
    if frame is None or inner is None or not inner.f_code.co_flags & _COROUTINE:
        return None
    return frame if frame.f_code is _ADVANCE else inner
