"""The command that says how the dice fell, and what that was worth."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Db, Json, Session
from companion.cli.shell.archives import open_desk
from companion.cli.shell.arguments import between
from companion.cli.shell.output import put, show
from companion.core.errors import Impossible, Unreadable
from companion.session.luck import decision_losses, session_luck
from companion.session.state import SessionState
from companion.views.banner import session_heading
from companion.views.lines import BLANK, Line
from companion.views.luck import (
    ROLL_COLUMNS,
    decision_lines,
    dice_data,
    dice_groups,
    dice_lines,
    dice_rolls,
    luck_data,
    luck_lines,
    roll_cells,
)

_LONGEST = 86_400


def luck(
    name: Annotated[str, typer.Argument(metavar="[SESSION]", help="By unique prefix; the last used otherwise.")] = "",
    seconds: Annotated[
        str, typer.Option("--seconds", metavar="N", help="How long to go on at most; what is not weighed by then is left out.")
    ] = "60",
    decisions: Annotated[
        bool, typer.Option("--decisions", help="Also what was given away where odds stood beside a question.")
    ] = False,
    csv: Annotated[bool, typer.Option("--csv", help="A row a roll, for a spreadsheet.")] = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """How the dice fell, and what that was worth: what each roll brought beside what it brings on average, in VP.

    Example: companion luck april
    """
    if name and session:
        raise Unreadable("the session is named twice", cure="Once will do: companion luck SESSION")
    limit = between(seconds, "number of seconds", 0, _LONGEST)
    desk = open_desk(db, name or session)
    if not desk.game.has_dice:
        raise Impossible(f"{desk.game.title} has no dice", cure="What its cards did: companion report")
    if csv:
        put(_csv(desk, limit))
        return
    found = dice_groups(dice_rolls(desk.history.in_force), desk.game.die)
    fortune = session_luck(desk, limit)
    goes_on = not desk.game.over(desk.committed_position)
    given = decision_losses(desk, limit) if decisions else None
    more = {} if given is None else {"decisions": [one._asdict() for one in given]}
    told = [] if given is None else [BLANK, *decision_lines(given)]
    about = {"session": desk.info.name, "game": desk.game.id, "open": goes_on}
    show(
        json,
        lambda: {**about, "dice": dice_data(found), **luck_data(fortune), **more},
        lambda: [*_head(desk, goes_on), BLANK, *luck_lines(desk.game, fortune), *told, BLANK, *dice_lines(found)],
    )


def _head(desk: SessionState, goes_on: bool) -> list[Line]:
    lines = [session_heading(desk.info.name, desk.game, desk.options.get("scenario", ""))]
    return [*lines, Line("The game still goes on: this is how it stands now", "dim")] if goes_on else lines


def _csv(desk: SessionState, limit: int) -> str:
    """Every roll that could be weighed, beneath the names of the columns."""
    from companion.views.data import csv_text

    return csv_text(("session", *ROLL_COLUMNS), ([desk.info.name, *roll_cells(roll)] for roll in session_luck(desk, limit).rolls))
