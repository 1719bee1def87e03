"""Which archive and which session a command means."""

from __future__ import annotations

from companion.cli.output import AT_END
from companion.core.game import Game
from companion.games import game_id, make_game
from companion.session.desk import Desk
from companion.session.store import Archive


def open_archive(db: str) -> Archive:
    """The archive at a path; "" for COMPANION_DB or the usual place. It is closed when the command ends."""
    archive = Archive.open(db or None)
    AT_END.append(archive.close)
    return archive


def open_desk(db: str, session: str) -> Desk:
    """The desk of a session by unique prefix; "" for the one in use.

    Raises:
        Unreadable: there is no such session, or none at all.
        BadData: the archive cannot be used.
    """
    archive = open_archive(db)
    return Desk.open(archive, archive.session(session))


def load_game(name: str) -> Game:
    """A game by unique prefix of its id, over its tables.

    Raises:
        Unreadable: there is no such game.
        BadData: its tables are at fault.
    """
    from companion.session.tables import load

    known = game_id(name)
    return make_game(known, load(known))
