"""What ends a command that plays or mends: it is shown, and on a terminal what is left open is asked for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.cli.shell.archives import shown
from companion.cli.shell.output import PENDING, on_terminal, show
from companion.core.errors import CompanionError, Illegal, Impossible
from companion.session.controller import Result, SessionController
from companion.views.data import pending_data
from companion.views.result import result_data, result_lines

_ANYWAY = "if it lies so on the table: --anyway"


@contextmanager
def insistable(desk: SessionController | None = None) -> Iterator[None]:
    """Where the rules refuse what a command line says, tell how to record it all the same.

    Args:
        desk: where another program is told, the session, whose question as it is now goes with every fault.
    """
    try:
        yield
    except CompanionError as fault:
        if isinstance(fault, Illegal) and not isinstance(fault, Impossible):
            fault.cure = f"{fault.cure.rstrip('.')}; or, {_ANYWAY}" if fault.cure else _ANYWAY.capitalize()
        fault.question = pending_data(desk, brief=True) if desk else None
        raise


def finish(
    desk: SessionController, result: Result, as_json: bool, elsewhere: bool = False, asks: bool = True, brief: bool = False
) -> int:
    """Show what a call did; on a terminal, go on asking until its entry is complete.

    Args:
        desk: the session.
        result: what was done.
        as_json: one JSON document, and nobody is asked.
        elsewhere: the session is not the one in use, so that the hint must name it.
        asks: whether to go on asking at all; what mends only shows where play is.
        brief: the document goes without the position.

    Returns:
        0, or 3 where a question is left pending.
    """
    if asks and result.pending and not as_json and on_terminal():
        from companion.cli.repl.terminal import finish_entry

        code = finish_entry(desk, result)
        shown(desk)
        return code
    show(as_json, lambda: result_data(desk, result, brief), lambda: result_lines(desk, result, elsewhere), whole=not result.fix)
    shown(desk)
    return PENDING if result.pending else 0
