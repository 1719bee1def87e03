"""The command that says what a turn brought."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Db, Json, Session
from companion.cli.shell.archives import open_standing
from companion.cli.shell.output import show
from companion.views.lines import lines_data
from companion.views.summary import find_turn, session_summary


def summary(
    turn: Annotated[
        int | None, typer.Argument(metavar="[TURN]", min=0, help="Its number; the last that was played otherwise.")
    ] = None,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """What a turn brought, on one screen; after the last one how the game ended, with the count by item.

    Example: companion summary 3
    """
    desk = open_standing(db, session)
    spell = find_turn(desk, turn)
    lines = session_summary(desk, spell)
    data = {"session": desk.info.name, "turn": spell.turn, "entries": list(spell.numbers)}
    show(json, lambda: {**data, "lines": lines_data(lines)}, lambda: lines)
