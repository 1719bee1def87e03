"""What one call of the desk did, as lines and as data."""

from __future__ import annotations

from typing import Any

from companion.core.events import encode
from companion.core.requests import Draw, Request, Roll
from companion.session.standing import Result, Standing
from companion.views.banner import over_lines
from companion.views.data import position_data
from companion.views.events import event_lines
from companion.views.lines import Line, texts
from companion.views.question import question_lines


def play_lines(desk: Standing, turned: Result) -> list[Line]:
    """What happened, what to know, and what to do on the board."""
    lines = event_lines(desk.game, turned.events, dict(turned.before.pieces))
    lines += [Line(note, "reminder", "", "* ") for note in turned.notes]
    lines += fix_lines(turned)
    return lines or ([] if turned.pending else [Line("Nothing changes on the board", "dim")])


def fix_lines(turned: Result) -> list[Line]:
    """The board-fix list."""
    if not turned.fix:
        return []
    return [Line("On the board:", "title"), *(Line(text, "board", "", "  -> ") for text in turned.fix)]


def turned_lines(desk: Standing, turned: Result, elsewhere: bool = False) -> list[Line]:
    """All of it, with the question that it ends at."""
    lines = play_lines(desk, turned)
    if turned.pending:
        lines += question_lines(turned.pending)
        name = f" --session {desk.info.name}" if elsewhere else ""
        lines.append(Line(f"Go on with: companion answer{name} {how_to_answer(turned.pending)}", "dim"))
    elif turned.done:
        lines += over_lines(desk.game, turned.after, desk.options)
    return lines


def how_to_answer(request: Request[Any]) -> str:
    """What a command line gives to a question."""
    if isinstance(request, Roll):
        return f"--dice {','.join(['N'] * request.count)} or --accept"
    if isinstance(request, Draw):
        return "--draw NAME or --accept"
    return f"{request.key}=... or --accept" if request.suggest is not None else f"{request.key}=..."


def turned_data(desk: Standing, turned: Result) -> dict[str, Any]:
    """The same as plain data: the shape of every command that plays or mends."""
    return {
        "session": desk.info.name,
        "entry": turned.entry,
        "done": turned.done,
        "events": [encode(event) for event in turned.events],
        "lines": texts(event_lines(desk.game, turned.events, dict(turned.before.pieces))),
        "position": position_data(turned.after),
        "pending": turned.pending.describe() if turned.pending else None,
        "fix": list(turned.fix),
        "notes": list(turned.notes),
        "over": desk.game.over(turned.after),
    }
