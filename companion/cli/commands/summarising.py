"""The command that says what a turn brought."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Db, Json, Session
from companion.cli.shell.opening import open_standing
from companion.cli.shell.output import show
from companion.core.errors import Impossible
from companion.session.standing import Standing
from companion.views.lines import texts
from companion.views.map import map_of
from companion.views.summary import Spell, spells, summary_of


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
    spell = _spell(desk, turn)
    game = desk.game
    map = map_of(game, desk.position, desk.options, desk.ledger.facts(), desk.archive.learnt(game.id)) if game.map_in else None
    lines = list(summary_of(game, desk.history, desk.options, spell, desk.position, map))
    data = {"session": desk.info.name, "turn": spell.turn, "entries": list(spell.numbers)}
    show(json, lambda: {**data, "lines": texts(lines)}, lambda: lines)


def _spell(desk: Standing, turn: int | None) -> Spell:
    """The turn that is meant. Raises Impossible: there is none, or not that one."""
    played = spells(desk.game, desk.history)
    found = [one for one in played if turn is None or one.turn == turn]
    if not found:
        known = ", ".join(str(one.turn) for one in played if one.turn is not None)
        what = f"turn {turn} was not played" if played else "nothing was played yet"
        raise Impossible(what, cure=f"There is: {known}" if known else "See what can be done: companion status")
    return found[-1]
