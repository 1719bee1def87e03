"""The command that says how all sessions went."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Db, Json
from companion.cli.shell.archives import load_games, look_archive
from companion.cli.shell.output import put, show
from companion.cli.shell.progress import Bar
from companion.core.errors import Impossible, Unreadable
from companion.games import GAMES
from companion.session.plugins import resolve_game_id
from companion.session.stats import played_tables, read_simulated, sql_script
from companion.views.data import csv_text
from companion.views.statistics import statistics_data, statistics_lines


def stats(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="Of one game alone, by unique prefix of its id.")] = "",
    against: Annotated[
        str, typer.Option("--against", metavar="FILE", help="Games of the same kind that were simulated: simulate --out FILE.db.")
    ] = "",
    plot: Annotated[bool, typer.Option("--plot", help="The scores as a plot too.")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="A row a session, for a spreadsheet.")] = False,
    sql: Annotated[bool, typer.Option("--sql", help="The queries behind the tables, for sqlite3.")] = False,
    db: Db = "",
    json: Json = False,
) -> None:
    """How all sessions went: results, scores and their trend, by scenario, option and opponent, and the dice of all of them.

    Example: companion stats GAME --against games.db
    """
    wanted = resolve_game_id(game) if game else ""
    if sql:
        put(sql_script(wanted))
        return
    if against and not wanted:
        raise Unreadable("--against needs a game", cure="companion stats GAME --against FILE")
    found = played_tables(look_archive(db).path, wanted, Bar().show)
    if not found["sessions"].rows:
        raise Impossible(
            f"no session of {wanted} was played yet" if wanted else "no session was played yet", cure="companion new GAME"
        )
    if csv:
        put(csv_text(found["sessions"].columns, found["sessions"].rows))
        return
    series = read_simulated(against, wanted) if against else None
    rolled = {row[0] for row in found["dice"].rows}
    dice = {one.id: one.die for one in load_games(not rolled <= {*GAMES})[0]} if rolled else {}
    show(
        json,
        lambda: {"game": wanted, **statistics_data(found, dice, series)},
        lambda: statistics_lines(found, dice, series, plot),
    )
