"""`companion status`, without Typer: used by the fast path, the command and the prompt."""

from __future__ import annotations

from companion.cli.shell.archives import view_session
from companion.cli.shell.output import show
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.banner import session_heading, session_status_lines
from companion.views.lines import Line


def status(brief: bool, session: str, db: str, json: bool) -> int:
    """Print where play is and the open question; return 0."""
    state = view_session(db, session)
    show(json, lambda: _data(state, brief), lambda: [*status_lines(state), *_continue_lines(state, bool(session))])
    if state.pending is not None:
        from companion.cli.shell.archives import mark_shown

        mark_shown(state)
    return 0


def _data(state: SessionState, brief: bool) -> JsonDict:
    from companion.views.data import session_data

    return session_data(state, brief)


def _continue_lines(state: SessionState, is_named: bool) -> list[Line]:
    """The command that answers the open question; it names the session unless that is the one in use."""
    if state.pending is None:
        return []
    from companion.views.question import continue_line

    return [continue_line(state.pending, state.question_number, state.info.name if is_named else "")]


def status_lines(state: SessionState) -> list[Line]:
    """The banner with the session's name, reminders, and the open question."""
    has_samples = bool(state.samples())
    lines = [session_heading(state.info.name, state.game, state.options.get("scenario", ""))]
    if state.broken:
        return [*lines, Line(state.broken, "error", "", "! ")]
    return lines + session_status_lines(state.game, state.position, state.options, state.pending, has_samples)
