"""The command that plays at the table."""

from __future__ import annotations

import typer

from companion.cli.commands.options import Db, Session
from companion.cli.shell.asked import shown
from companion.cli.shell.opening import open_archive
from companion.cli.shell.output import on_terminal
from companion.core.errors import Unreadable
from companion.session.desk import Answers, Desk


def play(session: Session = "", db: Db = "") -> None:
    """Play at the table: a prompt for actions and answers, with prefixes, TAB, ? and /help.

    Example: companion play
    """
    if not on_terminal():
        raise Unreadable("play needs a terminal", cure="In a script: companion do ACTION, companion answer, companion status")
    raise typer.Exit(play_session(db, session))


def play_session(db: str, session: str) -> int:
    """Play the session of that name, or the last; without any, start one by menus first.

    Returns:
        0, or 3 where the set-up of a new session was left pending.
    """
    from companion.cli.table.terminal import at_terminal

    archive = open_archive(db)
    first = not session and archive.last() is None
    if first:
        from companion.cli.commands.start import start

        code = start(db, "", "", (), "", "", "", "", Answers(), False, False)
        if code:
            return code
    info = archive.session(session)
    archive.use(info)
    desk = Desk.open(archive, info)
    try:
        at_terminal(desk).play(greet=not first)
    finally:
        shown(desk)
    return 0
