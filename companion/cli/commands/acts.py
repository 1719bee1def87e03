"""Commands that play: do, answer."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.commands.finishing import finish, insistable
from companion.cli.commands.options import PLAIN, Accept, Anyway, Brief, Db, Dice, Draw, Json, Session, Words
from companion.cli.shell.archives import desk_of, load_game, load_games, open_archive, open_desk, still_asked
from companion.cli.shell.arguments import answers
from companion.core.errors import Unreadable
from companion.core.text import matching_names
from companion.session.controller import play_single_action
from companion.session.store import Archive

SETTINGS = {"do": PLAIN, "answer": PLAIN}


def do(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="What to do, by unique prefix; see: companion games GAME")],
    words: Words = None,
    dice: Dice = None,
    draw: Draw = None,
    anyway: Anyway = False,
    accept: Accept = False,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Without a session: an action that stands alone.")] = "",
    brief: Brief = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Carry out an action.

    Answers are given by key, in order where a key comes twice; dice and draws in order. A question that is left over
    is asked on a terminal; otherwise it is left pending and the exit code is 3.

    Example: companion do ACTION KEY=VALUE --dice 3,5,2
    """
    no_game_and_session(game, session)
    given = answers(words, dice, draw, accept)
    archive = open_archive(db)
    alone = alone_game(archive, action, game, session)
    if alone:
        with insistable():
            desk, result = play_single_action(archive, alone, action, given, anyway=anyway)
    else:
        desk = desk_of(archive, session)
        with insistable(desk if json else None):
            result = desk.do(action, given, anyway)
    raise typer.Exit(finish(desk, result, json, elsewhere=bool(alone or session), brief=brief))


def answer(
    words: Words = None,
    dice: Dice = None,
    draw: Draw = None,
    anyway: Anyway = False,
    accept: Accept = False,
    at: Annotated[str, typer.Option("--at", metavar="12.3", help="Only to the question of that number.")] = "",
    brief: Brief = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Go on with the pending question.

    What names no question, by its number or its key, is refused where another one is open than this terminal was last shown.
    An answer to the question of a number is taken once: given again, it does nothing more.

    Example: companion answer yes
    """
    desk = open_desk(db, session)
    given = answers(words, dice, draw, accept)
    with insistable(desk if json else None):
        if not at:
            still_asked(desk, given)
        result = desk.answer(given, anyway, at)
    raise typer.Exit(finish(desk, result, json, elsewhere=bool(session), brief=brief))


def alone_game(archive: Archive, action: str, game: str, session: str) -> str:
    """The game of which an action is meant to stand alone, or "" where the session in use is meant.

    With a game named, that game is meant; with no session at all, the first game that has such an action.

    Raises:
        Unreadable: there is no such game.
    """
    if game:
        return load_game(game).id
    if session or archive.last() is not None:
        return ""
    for outside in (False, True):
        for one in load_games(outside)[0]:
            if matching_names(action, [item.id for item in one.actions if item.alone]):
                return one.id
    return ""


def no_game_and_session(game: str, session: str) -> None:
    """Refuse two answers to one question. Raises Unreadable: both were given."""
    if game and session:
        raise Unreadable("--game and --session do not go together", cure="--game is for an action without a session")
