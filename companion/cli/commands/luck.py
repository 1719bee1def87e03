"""The command that says how the dice fell."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Db, Json, Session
from companion.cli.shell.opening import open_standing
from companion.cli.shell.output import show
from companion.core.errors import Impossible, Unreadable
from companion.session.standing import Standing
from companion.views.banner import heading
from companion.views.fairness import dice_data, dice_lines, groups, throws
from companion.views.lines import BLANK, Line


def luck(
    name: Annotated[str, typer.Argument(metavar="[SESSION]", help="By unique prefix; the last used otherwise.")] = "",
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """How the dice fell: by who rolled them, by their place in the roll and by purpose, with what so few dice can tell.

    Example: companion luck april
    """
    if name and session:
        raise Unreadable("the session is named twice", cure="Once will do: companion luck SESSION")
    desk = open_standing(db, name or session)
    if not desk.game.rolls:
        raise Impossible(f"{desk.game.title} has no dice", cure="What its cards did: companion report")
    found = groups(throws(desk.history.in_force), desk.game.die)
    goes_on = not desk.game.over(desk.base)
    show(
        json,
        lambda: {"session": desk.info.name, "game": desk.game.id, "open": goes_on, "dice": dice_data(found)},
        lambda: [*_head(desk, goes_on), BLANK, *dice_lines(found)],
    )


def _head(desk: Standing, goes_on: bool) -> list[Line]:
    lines = [heading(desk.info.name, desk.game, desk.options.get("scenario", ""))]
    return [*lines, Line("The game still goes on: this is how it stands now", "dim")] if goes_on else lines
