"""Commands that look at a session: status, show, why."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Brief, Db, Json, Session
from companion.cli.shell.archives import open_desk
from companion.cli.shell.output import show as write_out


def status(brief: Brief = False, session: Session = "", db: Db = "", json: Json = False) -> None:
    """Where play is: stage, tracks, cups, reminders, and the pending question.

    Example: companion status --json
    """
    from companion.cli.shell.status import status as run

    raise typer.Exit(run(db, session, json, brief))


def show(
    what: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[WHAT]...",
            help="tracks, places, pieces, cups, flags, setup, score, facts, options, rulings, or one track, place or piece.",
        ),
    ] = None,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """What Companion believes is on the table. Several things may be named at once.

    Example: companion show score
    """
    from companion.views.board import show

    desk = open_desk(db, session)
    parts = [show(desk, word) for word in what or ["overview"]]
    lines = [line for part in parts for line in part.lines()]
    write_out(
        json,
        lambda: {"session": desk.info.name, **{key: value for part in parts for key, value in part.data().items()}},
        lambda: lines,
    )


def why(
    entry: Annotated[
        int, typer.Argument(metavar="[ACTION]", min=0, help="The number of an action; the last in force otherwise.")
    ] = 0,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """An entry with the layers below it: each condition, each candidate, each source.

    Example: companion why 12
    """
    from companion.views.data import entry_data, piece_names
    from companion.views.log import why_lines

    desk = open_desk(db, session)
    found = desk.history.find(entry or desk.history.force[-1])
    found = found._replace(events=desk.events_of(found.number))
    write_out(
        json,
        lambda: {"session": desk.info.name, **entry_data(found, desk.history, piece_names(desk.history))},
        lambda: why_lines(desk.game, desk.history, found),
    )
