"""What one call of the desk did, as lines and as data; and asking on a terminal for what is left open."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from companion.cli.output import on_terminal, show
from companion.core.errors import Illegal, Impossible
from companion.core.events import encode
from companion.core.requests import Draw, Request, Roll
from companion.session.desk import Desk, Step
from companion.views.banner import over_lines
from companion.views.data import position_data
from companion.views.events import event_lines
from companion.views.lines import Line, texts
from companion.views.question import question_lines

PENDING = 3


def play_lines(desk: Desk, step: Step) -> list[Line]:
    """What happened, what to know, and what to do on the board."""
    lines = event_lines(desk.game, step.events, dict(step.before.pieces))
    lines += [Line(note, "reminder", "", "* ") for note in step.notes]
    lines += fix_lines(step)
    return lines or ([] if step.pending else [Line("Nothing changes on the board", "dim")])


def fix_lines(step: Step) -> list[Line]:
    """The board-fix list."""
    if not step.fix:
        return []
    return [Line("On the board:", "title"), *(Line(text, "board", "", "  -> ") for text in step.fix)]


def step_lines(desk: Desk, step: Step, elsewhere: bool = False) -> list[Line]:
    """All of it, with the question that it ends at."""
    lines = play_lines(desk, step)
    if step.pending:
        lines += question_lines(step.pending)
        name = f" --session {desk.info.name}" if elsewhere else ""
        lines.append(Line(f"Go on with: companion answer{name} {how_to_answer(step.pending)}", "dim"))
    elif step.done:
        lines += over_lines(desk.game, step.after, desk.options)
    return lines


def how_to_answer(request: Request[Any]) -> str:
    """What a command line gives to a question."""
    if isinstance(request, Roll):
        return f"--dice {','.join(['N'] * request.count)} or --accept"
    if isinstance(request, Draw):
        return "--draw NAME or --accept"
    return f"{request.key}=... or --accept" if request.suggest is not None else f"{request.key}=..."


@contextmanager
def insistable() -> Iterator[None]:
    """Where the rules refuse what a command line says, tell how to record it all the same."""
    try:
        yield
    except Impossible:
        raise
    except Illegal as fault:
        fault.cure = (
            f"{fault.cure.rstrip('.')}; or, if it lies so on the table: --anyway"
            if fault.cure
            else "If it lies so on the table: --anyway"
        )
        raise


def step_data(desk: Desk, step: Step) -> dict[str, Any]:
    """The same as plain data: the shape of every command that plays or mends."""
    return {
        "session": desk.info.name,
        "entry": step.entry,
        "done": step.done,
        "events": [encode(event) for event in step.events],
        "lines": texts(event_lines(desk.game, step.events, dict(step.before.pieces))),
        "position": position_data(step.after),
        "pending": step.pending.describe() if step.pending else None,
        "fix": list(step.fix),
        "notes": list(step.notes),
        "over": desk.game.over(step.after),
    }


def finish(desk: Desk, step: Step, as_json: bool, elsewhere: bool = False, asks: bool = True) -> int:
    """Show a step; on a terminal, go on asking until its entry is complete.

    Args:
        desk: the session.
        step: what was done.
        as_json: one JSON document, and nobody is asked.
        elsewhere: the session is not the one in use, so that the hint must name it.
        asks: whether to go on asking at all; what mends only shows where play is.

    Returns:
        0, or 3 where a question is left pending.
    """
    if asks and step.pending and not as_json and on_terminal():
        from companion.cli.terminal import finish_entry

        return finish_entry(desk, step)
    show(as_json, lambda: step_data(desk, step), lambda: step_lines(desk, step, elsewhere))
    return PENDING if step.pending else 0
