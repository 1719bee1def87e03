"""The command that lists what was done: log, a part of it, as plots, or as it goes on."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from companion.cli.commands.options import Db, Json, Session
from companion.cli.shell.archives import open_desk
from companion.cli.shell.output import flush, show, width, write
from companion.core.errors import Unreadable
from companion.core.values import JsonDict
from companion.session.state import SessionState
from companion.views.lines import BLANK, Line

if TYPE_CHECKING:
    from companion.session.viewer import SessionViewer
    from companion.views.plot import Plot

_EACH = 0.5
"""Seconds between two looks."""


def log(
    count: Annotated[int, typer.Argument(metavar="[N]", min=0, help="Only the last N actions.")] = 0,
    undone: Annotated[bool, typer.Option("--undone", help="Also what was taken back, marked with x.")] = False,
    last: Annotated[int, typer.Option("--last", min=0, metavar="N", help="The same.")] = 0,
    since: Annotated[
        str, typer.Option("--since", metavar="WHEN", help="From an action (12), a time (2026-03-01, 20:30) or long ago (2h) on.")
    ] = "",
    grep: Annotated[
        str, typer.Option("--grep", metavar="TEXT", help="Only actions that have the text, in a line or a note.")
    ] = "",
    plot: Annotated[bool, typer.Option("--plot", help="The tracks, the count and the cups as plots.")] = False,
    follow: Annotated[bool, typer.Option("--follow", help="Go on with what others do, until Ctrl-C.")] = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """What was done, entry by entry, with every reply and its source.

    Example: companion log --since 2h --grep bridge
    """
    from companion.views.log import log_data, log_lines

    if follow and (json or plot):
        raise Unreadable("--follow tells lines", cure="A program asks again: companion log --since ACTION --json")
    desk = open_desk(db, session)
    if plot:
        plots = list(_plots(desk))
        show(json, lambda: {"session": desk.info.name, "plots": [_plot_data(one) for one in plots]}, lambda: _plotted(plots))
        return
    under_way = desk.events_of(desk.pending_entry) if desk.pending else ()
    only = _wanted(desk, since, grep)

    def lines() -> list[Line]:
        return log_lines(desk.game, desk.history, undone, count or last, under_way, only)

    if follow:
        write(lines())
        _follow(db, desk, grep)
        return
    show(json, lambda: {"session": desk.info.name, **log_data(desk.history, undone, count or last, only)}, lines)


def _wanted(desk: SessionState, since: str, grep: str) -> Container[int] | None:
    """The entries that are meant; None for all."""
    from companion.session.store import utc_now
    from companion.views.log import entries_containing, entries_since

    if not since and not grep:
        return None
    found = set(desk.history.entries)
    found &= entries_since(desk.history, since, utc_now()) if since else found
    return found & entries_containing(desk.game, desk.history, grep) if grep else found


# -- as plots ------------------------------------------------------------------------------------------------------------


def _plots(desk: SessionState) -> Iterator[Plot]:
    """The plots of a report."""
    from companion.views.report.document import report_plots
    from companion.views.report.report import build_report

    return (one.plot for one in report_plots(build_report(desk.info.name, desk.game, desk.history, desk.options)))


def _plotted(plots: list[Plot]) -> list[Line]:
    from companion.views.plot import plot_lines

    lines = [line for plot in plots for line in (BLANK, *plot_lines(plot, width()))]
    return lines[1:] or [Line("Nothing has moved yet", "dim")]


def _plot_data(plot: Plot) -> JsonDict:
    return {
        "title": plot.title,
        "x": plot.x,
        "low": plot.low,
        "high": plot.high,
        "series": [{"name": series.name, "points": [list(point) for point in series.points]} for series in plot.series],
    }


# -- as it goes on ---------------------------------------------------------------------------------------------------------


def _follow(db: str, desk: SessionState, grep: str) -> None:
    """Write what is done from now on, until Ctrl-C."""
    from time import sleep

    from companion.cli.shell.process import AT_END
    from companion.session.viewer import SessionViewer

    onlooker = SessionViewer(db, desk.info.name)
    AT_END.append(onlooker.close)
    follow_on(onlooker, desk, grep, lambda: sleep(_EACH))


def follow_on(onlooker: SessionViewer, desk: SessionState, grep: str, pause: Callable[[], None]) -> None:
    """Write the entries, the notes and the corrections that come, after each pause.

    Args:
        onlooker: sees what has changed.
        desk: the session as it has been told already.
        grep: only entries that have the text; "" for all.
        pause: waits; Ctrl-C in it is the end.
    """
    from companion.views.log import ShownLog, new_log_lines

    told = ShownLog.of(desk.history)
    try:
        flush()
        while True:
            found = onlooker.poll()
            if found is not None:
                lines, told = new_log_lines(found.game, found.history, told, grep)
                write(lines)
                flush()
            pause()
    except KeyboardInterrupt:
        return
