"""Commands that ask what would be and record nothing: odds, bot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer

from companion.cli.commands.options import PLAIN, Db, Json, Session, Think, Words
from companion.cli.repl.inquiry import Ask, bot_lines, inquiry
from companion.cli.shell.archives import load_game, open_archive, open_desk
from companion.cli.shell.arguments import plain_words
from companion.cli.shell.output import PENDING, on_terminal, show
from companion.core.errors import Unreadable
from companion.core.events import Event
from companion.core.game import Game
from companion.core.resolver import MissingAnswer
from companion.core.values import JsonDict
from companion.session.controller import SessionController
from companion.session.inquiry import advice, situation_odds
from companion.session.store import Archive
from companion.views.data import event_data, odds_data
from companion.views.events import event_lines
from companion.views.lines import Line, lines_data
from companion.views.odds import odds_lines
from companion.views.question import question_lines

SETTINGS = {"odds": PLAIN, "bot": PLAIN}


def odds(
    game: Annotated[str, typer.Argument(metavar="[GAME]", help="A game by unique prefix; the open question otherwise.")] = "",
    situation: Annotated[str, typer.Argument(metavar="[SITUATION]", help="Of what; see: companion games GAME")] = "",
    words: Words = None,
    session: Session = "",
    db: Db = "",
    json: Json = False,
) -> None:
    """Exact chances, worked out by the rules themselves. What is suggested is taken where nothing is given.

    Without a game, those of the question that is open. Where it matters what lies on the table (a cup, a deck), the
    session in use is looked at.

    Example: companion odds GAME SITUATION KEY=VALUE
    """
    if not game:
        found = open_desk(db, session).odds()
        show(json, lambda: odds_data(found), lambda: odds_lines(found))
        return
    if not situation:
        names = ", ".join(item.id for item in load_game(game).situations)
        raise Unreadable("odds of what?", cure=f"You can name: {names}")
    raise typer.Exit(show_odds(db, session, load_game(game), situation, plain_words(words), json))


def bot(words: Words = None, think: Think = "", session: Session = "", db: Db = "", json: Json = False) -> None:
    """What the opponent would do now, with its reasons and what it passed over. Nothing is recorded.

    Example: companion bot
    """

    raise typer.Exit(bot_advice(open_desk(db, session), plain_words(words), json, think))


def show_odds(db: str, session: str, game: Game, name: str, words: Sequence[str], as_json: bool) -> int:
    """Print the exact odds of a situation. Returns 0, or 3 where something is missing that nobody could be asked for."""
    archive = open_archive(db)
    try:
        with inquiry(game, archive, words, _asker(as_json), _named(archive, game, session)) as asked:
            odds = situation_odds(asked, name)
    except MissingAnswer as missing:
        return _missing(missing, as_json)
    show(as_json, lambda: odds_data(odds), lambda: odds_lines(odds))
    return 0


def bot_advice(desk: SessionController, words: Sequence[str], as_json: bool, think: str = "") -> int:
    """Print what the opponent would do in a position. Returns 0 or 3 in the same way."""
    try:
        with inquiry(desk.game, desk.archive, words, _asker(as_json), think=think) as asked:
            events = advice(desk, asked)
    except MissingAnswer as missing:
        return _missing(missing, as_json)
    show(as_json, lambda: bot_data(desk, events), lambda: bot_lines(desk, events))
    return 0


def bot_data(desk: SessionController, events: Sequence[Event]) -> JsonDict:
    """The advice as plain data."""
    names = {piece.id: piece.name for piece in desk.position.pieces.values()}
    lines = event_lines(desk.game, events, dict(desk.position.pieces))
    return {"session": desk.info.name, "advice": [event_data(event, names) for event in events], "lines": lines_data(lines)}


def _missing(missing: MissingAnswer, as_json: bool) -> int:
    request = missing.request
    hint = Line(f"Add: {request.key}=VALUE", "dim")
    show(as_json, lambda: {"pending": request.describe()}, lambda: [*question_lines(request), hint])
    return PENDING


def _asker(as_json: bool) -> Ask | None:
    if as_json or not on_terminal():
        return None
    from companion.cli.repl.terminal import ask_once

    return ask_once


def _named(archive: Archive, game: Game, session: str) -> SessionController | None:
    """The session that was named, which must be of the game.

    Raises:
        Unreadable: there is no such session, or it is of another game.
    """
    if not session:
        return None
    info = archive.session(session)
    if info.game != game.id:
        raise Unreadable(f"the session {info.name} is not of {game.title}", cure="See: companion sessions")
    return SessionController.open(archive, info)
