"""The command that plays at the table."""

from __future__ import annotations

import typer

from companion.cli.options import Db, Session
from companion.cli.output import on_terminal
from companion.core.errors import Unreadable


def play(session: Session = "", db: Db = "") -> None:
    """Play at the table: a prompt for actions and answers, with prefixes, TAB, ? and /help.

    Example: companion play
    """
    if not on_terminal():
        raise Unreadable("play needs a terminal", cure="In a script: companion do ACTION, companion answer, companion status")
    from companion.cli.terminal import play_session

    raise typer.Exit(play_session(db, session))
