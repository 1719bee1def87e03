"""Commands that play: do, answer, bot."""

from __future__ import annotations

from typing import Annotated

import typer

from companion.cli.options import PLAIN, Accept, Anyway, Db, Dice, Draw, Json, Session, Words
from companion.cli.place import open_archive, open_desk
from companion.cli.quick import alone_game, no_game_and_session
from companion.cli.steps import finish, insistable
from companion.cli.words import answers, plain_words
from companion.session.desk import Desk, quick

SETTINGS = {"do": PLAIN, "answer": PLAIN, "bot": PLAIN}


def do(
    action: Annotated[str, typer.Argument(metavar="ACTION", help="What to do, by unique prefix; see: companion games GAME")],
    words: Words = None,
    dice: Dice = "",
    draw: Draw = None,
    anyway: Anyway = False,
    accept: Accept = False,
    game: Annotated[str, typer.Option("--game", metavar="GAME", help="Without a session: an action that stands alone.")] = "",
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
    with insistable():
        if alone:
            desk, step = quick(archive, alone, action, given, anyway=anyway)
        else:
            desk = Desk.open(archive, session)
            step = desk.do(action, given, anyway)
    raise typer.Exit(finish(desk, step, json, elsewhere=bool(alone or session)))


def answer(
    words: Words = None,
    dice: Dice = "",
    draw: Draw = None,
    anyway: Anyway = False,
    accept: Accept = False,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Go on with the pending question.

    Example: companion answer yes
    """
    desk = open_desk(db, session)
    with insistable():
        step = desk.answer(answers(words, dice, draw, accept), anyway)
    raise typer.Exit(finish(desk, step, json, elsewhere=bool(session)))


def bot(words: Words = None, session: Session = "", db: Db = "", json: Json = False) -> None:
    """What the opponent would do now, with its reasons and what it passed over. Nothing is recorded.

    Example: companion bot
    """
    from companion.cli.inquiry import bot_advice

    raise typer.Exit(bot_advice(open_desk(db, session), plain_words(words), json))
