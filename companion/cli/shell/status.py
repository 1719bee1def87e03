"""``companion status``, without Typer, for the fast lane and for the command."""

from __future__ import annotations

from typing import Any

from companion.cli.shell.opening import open_standing
from companion.cli.shell.output import show
from companion.session.standing import Standing
from companion.views.banner import heading, sample_keys, where_lines
from companion.views.lines import Line


def status(db: str, session: str, as_json: bool) -> int:
    """Print where play is and what is pending; always 0, since nothing was asked of the player."""
    desk = open_standing(db, session)
    show(as_json, lambda: status_data(desk), lambda: status_lines(desk))
    return 0


def status_lines(desk: Standing) -> list[Line]:
    """The banner with the session's name, reminders, and the question."""
    samples = bool(desk.samples())
    lines = [heading(desk.info.name, desk.game, desk.options.get("scenario", ""))]
    if desk.broken:
        return [*lines, Line(desk.broken, "error", "", "! ")]
    return lines + where_lines(desk.game, desk.position, desk.options, desk.pending, samples)


def status_data(desk: Standing) -> dict[str, Any]:
    """The same as plain data, with the whole position."""
    from companion.views.data import banner_data, position_data

    pending = desk.pending
    return {
        "session": desk.info.name,
        "game": desk.game.id,
        "options": dict(desk.options),
        "entry": desk.history.force[-1] if desk.history.force else 0,
        **banner_data(desk.game, desk.position, desk.options),
        "position": position_data(desk.position),
        "pending": pending.describe() if pending else None,
        "over": desk.game.over(desk.position),
        "samples": sample_keys(desk.history.in_force),
        "broken": desk.broken,
    }
