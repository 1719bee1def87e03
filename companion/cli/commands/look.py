"""Commands that look at a session: status, show, log, why."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Db, Json, Session
from companion.cli.shell.opening import open_desk
from companion.cli.shell.output import show as write_out


def status(session: Session = "", db: Db = "", json: Json = False) -> None:
    """Where play is: stage, tracks, cups, reminders, and the pending question.

    Example: companion status --json
    """
    from companion.cli.shell.status import status as run

    raise typer.Exit(run(db, session, json))


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
    from companion.views.parts import shown

    desk = open_desk(db, session)
    parts = [shown(desk, word) for word in what or ["overview"]]
    lines = [line for part in parts for line in part.lines()]
    write_out(
        json,
        lambda: {"session": desk.info.name, **{key: value for part in parts for key, value in part.data().items()}},
        lambda: lines,
    )


def log(
    count: Annotated[int, typer.Argument(metavar="[N]", min=0, help="Only the last N entries.")] = 0,
    undone: Annotated[bool, typer.Option("--undone", help="Also what was taken back, marked with x.")] = False,
    last: Annotated[int, typer.Option("--last", min=0, metavar="N", help="The same.")] = 0,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """What was done, entry by entry, with every reply and its source.

    Example: companion log 3
    """
    from companion.views.log import log_data, log_lines

    desk = open_desk(db, session)
    last = count or last
    write_out(
        json,
        lambda: {"session": desk.info.name, **log_data(desk.history, undone, last)},
        lambda: log_lines(desk.game, desk.history, undone, last, desk.events_of(desk.pending_entry) if desk.pending else ()),
    )


def why(
    entry: Annotated[
        int, typer.Argument(metavar="[ENTRY]", min=0, help="The number of an entry; the last in force otherwise.")
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
