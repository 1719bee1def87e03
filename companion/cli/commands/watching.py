"""The command that looks on while others play."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Brief, Db, Json, Session
from companion.cli.shell.output import on_terminal, show
from companion.cli.shell.preferences import plain
from companion.cli.shell.process import AT_END
from companion.session.facts import last_played_archive
from companion.session.viewer import SessionViewer
from companion.views.lines import WIDTH, Line

_HIGH = 40
"""Rows of a picture that nobody scrolls."""


def watch(
    big: Annotated[bool, typer.Option("--big", help="Figures that are read from across the table; b changes it.")] = False,
    brief: Brief = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Follow a session on a second terminal, without ever writing to it: q leaves. Without a terminal, one picture. A game of
    practice is followed where it was played last.

    Example: companion watch --big
    """
    onlooker = SessionViewer(db or ("" if session else last_played_archive()), session)
    AT_END.append(onlooker.close)
    if on_terminal() and not json and not plain():
        from companion.cli.repl.watch import Watcher

        Watcher(onlooker, big).run()
        return
    from companion.views.dashboard import snapshot, with_odds
    from companion.views.data import session_data

    desk = onlooker.poll()
    assert desk is not None  # nothing has been looked at before

    def once() -> list[Line]:
        from companion.views.dashboard import dashboard

        return [Line("", "", "", row.text) for row in dashboard(with_odds(snapshot(desk)), WIDTH, _HIGH, "", big)]

    show(json, lambda: session_data(desk, brief), once)
