"""Which archive and which session a command means."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.cli.shell.process import AT_END, SLOT
from companion.core.errors import BadData
from companion.core.game import Game
from companion.games import GAMES
from companion.session import state
from companion.session.database import archive_path
from companion.session.state import SessionState
from companion.session.store import Archive

if TYPE_CHECKING:
    from companion.cli.shell.progress import Bar
    from companion.core.procedures import Progress, ProgressCallback
    from companion.session.controller import SessionController
import os
from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError

if TYPE_CHECKING:
    from companion.core.resolver import Answers


class _Renewal:
    """How far an old archive is brought up to date. The bar is loaded where there is something to show."""

    bar: Bar | None = None

    def show(self, progress: Progress) -> None:
        from companion.cli.shell.progress import Bar

        self.bar = self.bar or Bar("Bringing the archive up to date")
        self.bar.show(progress)

    def clear(self) -> None:
        if self.bar:
            self.bar.clear()


def open_archive(db: str) -> Archive:
    """The archive at a path; "" for COMPANION_DB or the usual place. It is closed when the command ends, unless it is kept."""
    return _opened(db, Archive.open)


def look_archive(db: str) -> Archive:
    """The same, to look at what is there: nothing is made. Raises Unreadable: there is no archive."""
    return _opened(db, Archive.open_existing)


def facts_archive(db: str) -> Archive:
    """The same, for a look that needs no session: where there is no archive, one of nothing that is gone with the command."""
    return _opened(db, Archive.open_existing_or_empty)


def _opened(db: str, opens: Callable[[str | None, ProgressCallback], Archive]) -> Archive:
    keeper = SLOT.keeper
    if keeper and (found := keeper.archive(archive_path(db or None))):
        return found
    renewal = _Renewal()
    try:
        archive = opens(db or None, renewal.show)
    finally:
        renewal.clear()
    if not (keeper and keeper.keep(archive)):
        AT_END.append(archive.close)
    return archive


def open_desk(db: str, session: str) -> SessionController:
    """The desk of a session by unique prefix; "" for the one in use.

    Raises:
        Unreadable: there is no such session, or none at all.
        BadData: the archive cannot be used.
    """
    return desk_of(look_archive(db), session)


def desk_of(archive: Archive, session: str) -> SessionController:
    """The same in an archive that is open already."""
    from companion.cli.shell.progress import Bar
    from companion.session.controller import SessionController

    desk = SLOT.keeper.desk(archive, session) if SLOT.keeper else SessionController.open(archive, session)
    desk.watch = Bar().show
    return desk


def kept(desk: SessionController) -> None:
    """A desk that was just made: whoever keeps desks keeps it."""
    if SLOT.keeper:
        SLOT.keeper.adopt(desk)


def open_standing(db: str, session: str) -> SessionState:
    """The same, to be looked at only: a quick command need not load what plays.

    Raises:
        Unreadable: there is no such session, or none at all.
        BadData: the archive cannot be used.
    """
    archive = look_archive(db)
    return SLOT.keeper.desk(archive, session) if SLOT.keeper else SessionState.open(archive, session)


def load_game(name: str) -> Game:
    """A game by unique prefix of its id, over its tables.

    Raises:
        Unreadable: there is no such game.
        BadData: its tables are at fault.
    """
    from companion.session.plugins import resolve_game_id

    return state.load_game(name if name in GAMES else resolve_game_id(name))


def load_games(outside: bool = True) -> tuple[list[Game], dict[str, BadData]]:
    """Every game that can be loaded; and of each other one what is wrong, so that one bad file spoils no other game.

    Args:
        outside: whether those that are not built in are looked for.
    """
    from companion.session.plugins import find_plugins

    games: list[Game] = []
    there, faults = find_plugins() if outside else ((), {})
    for name in [*GAMES, *there]:
        try:
            games.append(state.load_game(name))
        except BadData as fault:
            faults[name] = fault
    return games, faults


def terminal() -> str:
    """What the terminal goes by; where there is none, the process that runs the commands, such as a script."""
    for stream in (0, 1, 2):
        with suppress(OSError, AttributeError):
            return os.ttyname(stream)
    return f"process {os.getppid()}"


def shown(desk: SessionState) -> None:
    """Remember that this terminal has been shown the open question. Where that cannot be kept, nothing else is lost."""
    if SLOT.keeper:
        SLOT.keeper.shown[desk.archive.path, desk.info.id] = desk.question_number
        return
    with suppress(CompanionError):
        if desk.pending is not None:
            desk.archive.show(desk.info.id, terminal(), desk.question_number)


def _last_shown(desk: SessionState) -> str:
    """The number of the question of a session that this terminal, or the client of this process, was last shown; "" for none."""
    if SLOT.keeper:
        return SLOT.keeper.shown.get((desk.archive.path, desk.info.id), "")
    return desk.archive.shown(desk.info.id, terminal())


def still_asked(desk: SessionState, given: Answers) -> None:
    """See to it that answers which name no question by its number are meant for the one that is open.

    Args:
        desk: the session.
        given: what names the open question by its key is meant for it.

    Raises:
        SessionMoved: another one is open than this terminal was last shown; whoever is told so has been shown it.
    """
    request = desk.pending
    if request is None or not (given.accept or given.unused()) or any(key == request.key for key, _ in given.keyed):
        return
    if _last_shown(desk) not in ("", desk.question_number):
        from companion.session.advance import stale_question

        shown(desk)
        raise stale_question(desk)
