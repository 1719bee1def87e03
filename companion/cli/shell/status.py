"""``companion status``, without Typer, for the fast lane and for the command."""

from __future__ import annotations

from companion.cli.shell.archives import open_standing
from companion.cli.shell.output import show
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.banner import session_heading, session_status_lines
from companion.views.lines import Line


def status(db: str, session: str, as_json: bool, brief: bool = False) -> int:
    """Print where play is and what is pending; always 0, since nothing was asked of the player."""
    desk = open_standing(db, session)
    show(as_json, lambda: status_data(desk, brief), lambda: [*status_lines(desk), *_way_on(desk, bool(session))])
    if desk.pending is not None:
        from companion.cli.shell.archives import shown

        shown(desk)
    return 0


def status_data(desk: SessionState, brief: bool = False) -> JsonDict:
    """The same as plain data, with the whole position unless it is to be ``brief``."""
    from companion.views.data import session_data

    return session_data(desk, brief)


def _way_on(desk: SessionState, elsewhere: bool) -> list[Line]:
    if desk.pending is None:
        return []
    from companion.views.question import continue_line

    return [continue_line(desk.pending, desk.question_number, desk.info.name if elsewhere else "")]


def status_lines(desk: SessionState) -> list[Line]:
    """The banner with the session's name, reminders, and the question."""
    samples = bool(desk.samples())
    lines = [session_heading(desk.info.name, desk.game, desk.options.get("scenario", ""))]
    if desk.broken:
        return [*lines, Line(desk.broken, "error", "", "! ")]
    return lines + session_status_lines(desk.game, desk.position, desk.options, desk.pending, samples)
