"""What one call of the desk did, as lines and as data."""

from __future__ import annotations

from typing import Any

from companion.core.request import Request
from companion.core.requests import Roll
from companion.session.standing import Result, Standing
from companion.views.banner import over_lines
from companion.views.data import event_data, standing_data
from companion.views.events import event_lines
from companion.views.lines import Line, texts
from companion.views.question import question_lines


def play_lines(desk: Standing, result: Result) -> list[Line]:
    """What happened, what to know, and what to do on the board."""
    lines = [Line("; ".join(f"{key}: {value}" for key, value in result.settled), "dim", "", "Only ")] if result.settled else []
    lines += event_lines(desk.game, result.events, dict(result.before.pieces))
    lines += [Line(note, "reminder", "", "* ") for note in result.notes]
    lines += fix_lines(result)
    return lines or ([] if result.pending else [Line("Nothing changes on the board", "dim")])


def fix_lines(result: Result) -> list[Line]:
    """The board-fix list."""
    if not result.fix:
        return []
    return [Line("On the board:", "title"), *(Line(text, "board", "", "  -> ") for text in result.fix)]


def result_lines(desk: Standing, result: Result, elsewhere: bool = False) -> list[Line]:
    """All of it, with the question that it ends at."""
    lines = play_lines(desk, result)
    if result.pending:
        lines += question_lines(result.pending)
        lines.append(answer_line(desk, result.pending, elsewhere))
    elif result.done:
        lines += over_lines(desk.game, result.after, desk.options)
    return lines


def answer_line(desk: Standing, request: Request[Any], elsewhere: bool = False) -> Line:
    """How a command line goes on with the open question, and its number. ``elsewhere``: its session is not the one in use."""
    name = f" --session {desk.info.name}" if elsewhere else ""
    return Line(f"Go on with: companion answer{name} {how_to_answer(request)} (question {desk.history.moved})", "dim")


def how_to_answer(request: Request[Any]) -> str:
    """What a command line gives to a question: by its key, so that no other question takes it."""
    value = ",".join("N" * request.count) if isinstance(request, Roll) else "NAME" if request.by_chance else "..."
    way = f"{request.key}={value}"
    way = f'"{way}"' if " " in way else way
    return f"{way} or --accept" if request.by_chance or request.suggest is not None else way


def result_data(desk: Standing, result: Result) -> dict[str, Any]:
    """The same as plain data, with where the session stands: the shape of every command that plays or mends."""
    names = {piece.id: piece.name for piece in (*result.before.pieces.values(), *result.after.pieces.values())}
    return {
        **standing_data(desk),
        "entry": result.entry,
        "done": result.done,
        "events": [event_data(event, names) for event in result.events],
        "lines": texts(event_lines(desk.game, result.events, dict(result.before.pieces))),
        "fix": list(result.fix),
        "notes": list(result.notes),
        "settled": [{"key": key, "answer": answer} for key, answer in result.settled],
    }
