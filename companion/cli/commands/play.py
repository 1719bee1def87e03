"""The commands that play at the table: with the set that lies there, or without one."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.options import Brief, Db, Json, Scenario, Session
from companion.cli.shell.archives import open_archive
from companion.cli.shell.output import on_terminal
from companion.core.errors import Unreadable


def play(session: Session = "", db: Db = "") -> None:
    """Play at the table: a prompt for actions and answers, with prefixes, TAB, ? and /help.

    Example: companion play
    """
    if not on_terminal():
        raise Unreadable("play needs a terminal", cure="In a script: companion do ACTION, companion answer, companion status")
    from companion.cli.commands.playing import play_on

    archive = open_archive(db)
    raise typer.Exit(_begin(db) if not session and archive.last() is None else play_on(archive, session))


def practice(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game by unique prefix; asked for on a terminal.")] = "",
    scenario: Scenario = "",
    option: Annotated[list[str] | None, typer.Option("--option", metavar="K=V", help="May be repeated.")] = None,
    seed: Annotated[str, typer.Option("--seed", metavar="N", help="The same seed, the same dice.")] = "",
    brief: Brief = False,
    db: Db = "",
    json: Json = False,
) -> None:
    """Play a game without its set: ours comes along, is made up, and asks nothing. Without GAME, go on where you left it.

    It has an archive of its own, beside the usual one: nothing of it comes among what you have copied from your set.

    Example: companion practice GAME
    """
    from companion.cli.commands.practising import practise

    raise typer.Exit(practise(db, game, scenario, option or [], seed, json, brief))


def _begin(db: str) -> int:
    """The first minutes: try a game without its set, or begin one with it, and play on.

    Returns:
        0, or 3 where the set-up of a new session was left pending.
    """
    from companion.cli.commands.playing import play_on
    from companion.cli.commands.practising import practise
    from companion.cli.commands.start import start
    from companion.cli.repl.menus import OWN, PRACTICE, choose_way
    from companion.cli.shell.archives import facts_archive
    from companion.core.resolver import Answers
    from companion.session.facts import practice_path

    practised = facts_archive(practice_path(db)).last()
    way = choose_way(practised.name if practised else "")
    if way != OWN:
        return practise(db, "", "", (), "", False, another=way != PRACTICE)
    code = start(db, "", "", (), "", "", "", "", Answers(), False, False, at_table=True)
    return code or play_on(open_archive(db), "", greet=False)
