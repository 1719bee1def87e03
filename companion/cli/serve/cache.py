"""What one process keeps open between many commands: archives, and desks whose open entry need not be run again each time.

Whoever asks gets what a new process would get: before each use it is seen whether anything in the file has changed since.
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from companion.core.errors import CompanionError
from companion.session import database
from companion.session.store import Archive

if TYPE_CHECKING:
    from companion.session.advance import Result
    from companion.session.controller import SessionController
    from companion.session.viewer import SeenState

MOST_ARCHIVES = 8
"""Archives that are kept open; of more the one that was used longest ago is closed."""
MOST_DESKS = 64
"""Sessions that are kept open, of all archives; of more the one that was used longest ago is let go, and followed no more."""


class Kept:
    """A session that is kept open.

    Attributes:
        desk: it.
        followed: whether it is told what others do there.
    """

    __slots__ = ("_seen", "_stamp", "_told", "desk", "followed")

    def __init__(self, desk: SessionController, followed: bool = True) -> None:
        self.desk = desk
        self.followed = followed
        self._stamp = desk.archive.change_stamp()
        self._told = desk.archive.fact_revision(desk.info.game)
        self._seen: SeenState | None = None

    def look(self) -> Result | None:
        """Take in what others have written to it since the last look; None where there is nothing to tell."""
        stamp = self.desk.archive.change_stamp()
        if stamp == self._stamp:
            return None
        if self.desk.archive.has_moved(self.desk.info.id, self.desk.history.seq):
            self.desk.refresh()
        told = self.desk.archive.fact_revision(self.desk.info.game)
        if told != self._told:  # an open entry goes by what is told, and is run again from its replies
            self.desk.invalidate()
        self._stamp, self._told = stamp, told
        return self.settle()

    def settle(self) -> Result | None:
        """Remember how far it has been seen; what others have done up to there, or None for nothing."""
        from companion.session.viewer import SeenState, changes_since

        seen, self._seen = self._seen, SeenState.of(self.desk)
        return changes_since(self.desk, seen) if self.followed and seen and seen.others != self._seen.others else None


class Keeper:
    """Keeps archives and desks.

    Attributes:
        news: what others have done in sessions that are followed, until somebody takes it out.
        shown: the number of the question that was last shown, by archive and session.
    """

    def __init__(self) -> None:
        self._archives: dict[str, Archive] = {}
        self._desks: dict[tuple[str, int], Kept] = {}
        self.news: list[tuple[SessionController, Result]] = []
        self.shown: dict[tuple[str, int], str] = {}
        self._used: list[Kept] = []

    # -- archives ------------------------------------------------------------------------------------------------------

    def archive(self, file: str) -> Archive | None:
        """The archive of that file, if it is open and still the one that stands there."""
        found = self._archives.pop(file, None)
        if found is None:
            return None
        if not found.is_in_place():
            self._let_go(found)
            return None
        self._archives[file] = found
        return found

    def keep(self, archive: Archive) -> bool:
        """Keep an archive open; False where it cannot tell when something changes, so that it is to be closed."""
        if archive.path == database.IN_MEMORY or not archive.is_live:
            return False
        self._archives[archive.path] = archive
        while len(self._archives) > MOST_ARCHIVES:
            self._let_go(self._archives.pop(next(iter(self._archives))))
        return True

    def _let_go(self, archive: Archive) -> None:
        for key in [key for key in self._desks if key[0] == archive.path]:
            del self._desks[key]
        archive.close()

    def close(self) -> None:
        """Close everything."""
        while self._archives:
            self._let_go(self._archives.popitem()[1])

    # -- desks ---------------------------------------------------------------------------------------------------------

    def desk(self, archive: Archive, session: str) -> SessionController:
        """The desk of a session, as its log stands now. Raises as ``SessionController.open``."""
        from companion.session.controller import SessionController

        info = archive.session(session)
        kept = self._desks.get((archive.path, info.id))
        if kept is None or kept.desk.archive is not archive or kept.desk.info != info:
            desk = SessionController.open(archive, info)
            self.adopt(desk)
            return desk
        self._tell(kept, kept.look())
        self._put(kept)
        return kept.desk

    def adopt(self, desk: SessionController) -> None:
        """Keep a desk, if its archive is kept."""
        if self._archives.get(desk.archive.path) is desk.archive:
            self._put(Kept(desk))

    def _put(self, kept: Kept) -> None:
        """The one that was used last stands last."""
        key = kept.desk.archive.path, kept.desk.info.id
        self._desks.pop(key, None)
        self._desks[key] = kept
        self._used.append(kept)
        while len(self._desks) > MOST_DESKS:
            del self._desks[next(iter(self._desks))]

    def follow(self, desk: SessionController, followed: bool) -> None:
        """Whether what others do in a session is to be told."""
        self._desks[desk.archive.path, desk.info.id].followed = followed

    def renew(self) -> None:
        """After a fault that may have left any desk in any state: each is opened anew."""
        before = list(self._desks.values())
        self._desks.clear()
        for kept in before:
            with suppress(CompanionError):
                self._put(Kept(type(kept.desk).open(kept.desk.archive, kept.desk.info), kept.followed))

    # -- what others do ------------------------------------------------------------------------------------------------

    def look(self) -> None:
        """See what others have done in any session; it is taken in, and told in ``news``."""
        for file in list(self._archives):
            self.archive(file)
        for kept in list(self._desks.values()):
            self._tell(kept, kept.look())

    def settle(self) -> None:
        """A command is over: what it did itself is no news."""
        for kept in self._used:
            self._tell(kept, kept.settle())
        self._used.clear()

    def _tell(self, kept: Kept, result: Result | None) -> None:
        if result is not None:
            self.news.append((kept.desk, result))
