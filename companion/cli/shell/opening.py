"""Which archive and which session a command means."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cli.shell.closing import AT_END
from companion.core.errors import BadData
from companion.core.game import Game
from companion.games import GAMES
from companion.session import standing
from companion.session.standing import Standing
from companion.session.store import Archive

if TYPE_CHECKING:
    from companion.session.desk import Desk


def open_archive(db: str) -> Archive:
    """The archive at a path; "" for COMPANION_DB or the usual place. It is closed when the command ends."""
    archive = Archive.open(db or None)
    AT_END.append(archive.close)
    return archive


def look_archive(db: str) -> Archive:
    """The same, to look at what is there: nothing is made. Raises Unreadable: there is no archive."""
    archive = Archive.look(db or None)
    AT_END.append(archive.close)
    return archive


def facts_archive(db: str) -> Archive:
    """The same, for a look that needs no session: where there is no archive, one of nothing that is gone with the command."""
    archive = Archive.look_or_nothing(db or None)
    AT_END.append(archive.close)
    return archive


def open_desk(db: str, session: str) -> Desk:
    """The desk of a session by unique prefix; "" for the one in use.

    Raises:
        Unreadable: there is no such session, or none at all.
        BadData: the archive cannot be used.
    """
    from companion.cli.shell.bar import Bar
    from companion.session.desk import Desk

    desk = Desk.open(look_archive(db), session)
    desk.watch = Bar().show
    return desk


def open_standing(db: str, session: str) -> Standing:
    """The same, to be looked at only: a quick command need not load what plays.

    Raises:
        Unreadable: there is no such session, or none at all.
        BadData: the archive cannot be used.
    """
    return Standing.open(look_archive(db), session)


def load_game(name: str) -> Game:
    """A game by unique prefix of its id, over its tables.

    Raises:
        Unreadable: there is no such game.
        BadData: its tables are at fault.
    """
    from companion.session.outside import game_id

    return standing.load_game(name if name in GAMES else game_id(name))


def load_games(outside: bool = True) -> tuple[list[Game], dict[str, BadData]]:
    """Every game that can be loaded; and of each other one what is wrong, so that one bad file spoils no other game.

    Args:
        outside: whether those that are not built in are looked for.
    """
    from companion.session.outside import found

    games: list[Game] = []
    there, faults = found() if outside else ((), {})
    for name in [*GAMES, *there]:
        try:
            games.append(standing.load_game(name))
        except BadData as fault:
            faults[name] = fault
    return games, faults
