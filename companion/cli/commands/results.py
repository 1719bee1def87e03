"""Show the result of a command that plays or corrects, and on a terminal ask the questions that it leaves open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from companion.cli.shell.archives import mark_shown, seen_by
from companion.cli.shell.output import PENDING, on_terminal, show
from companion.core.errors import CompanionError, Illegal, Impossible
from companion.session.controller import Result, SessionController
from companion.views.data import pending_data
from companion.views.result import result_data, result_lines

_ANYWAY = "if it lies so on the table: --anyway"


@contextmanager
def anyway_hint(controller: SessionController | None = None, seat: str = "") -> Iterator[None]:
    """Add to every refusal by the rules how to record the action all the same.

    Args:
        controller: For a program: the session whose open question is attached to every error.
        seat: The seat that is asked.
    """
    try:
        yield
    except CompanionError as error:
        if isinstance(error, Illegal) and not isinstance(error, Impossible):
            error.cure = f"{error.cure.rstrip('.')}; or, {_ANYWAY}" if error.cure else _ANYWAY.capitalize()
        error.question = pending_data(seen_by(controller, seat), brief=True) if controller else None
        raise


def finish(
    controller: SessionController,
    result: Result,
    json: bool,
    *,
    is_named: bool = False,
    asks: bool = True,
    brief: bool = False,
    seat: str = "",
) -> int:
    """Show a result; on a terminal, ask until the action is complete.

    Args:
        controller: The session.
        result: What was done.
        json: Print one JSON document, and ask nothing.
        is_named: The session may not be the one in use, so that the hint must name it.
        asks: Ask what is left open; corrections only show it.
        brief: Leave the position out of the document.
        seat: Show only what this seat sees, and ask nothing.

    Returns:
        0, or 3 if a question is left open.
    """
    if asks and result.pending and not seat and not json and on_terminal():
        from companion.cli.repl.terminal import finish_entry

        code = finish_entry(controller, result)
        mark_shown(controller)
        return code
    show(
        json,
        lambda: result_data(controller, result, brief, seat),
        lambda: result_lines(controller, result, is_named, seat),
        whole=not result.fix,
    )
    mark_shown(controller)
    return PENDING if result.pending else 0
