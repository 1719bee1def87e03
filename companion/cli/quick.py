"""Actions that make sense without a session of one's own."""

from __future__ import annotations

from companion.cli.place import load_game
from companion.core.errors import Unreadable
from companion.core.words import fitting
from companion.games import GAMES
from companion.session.store import Archive


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
    for name in GAMES:
        if fitting(action, [item.id for item in load_game(name).actions if item.alone]):
            return name
    return ""


def no_game_and_session(game: str, session: str) -> None:
    """Refuse two answers to one question.

    Raises:
        Unreadable: both were given.
    """
    if game and session:
        raise Unreadable("--game and --session do not go together", cure="--game is for an action without a session")
