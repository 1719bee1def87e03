"""Archives and sessions that a server keeps open between commands, so that the open entry need not be replayed each time.

Every access first checks whether the file has changed, so that the result is that of a new process.
"""

from __future__ import annotations

from contextlib import suppress

from companion.core.errors import CompanionError
from companion.session import database
from companion.session.controller import Result, SessionController
from companion.session.inquiry import SeenState, changes_since
from companion.session.store import Archive

MAX_ARCHIVES = 8
"""Open archives; beyond that the least recently used one is closed."""
MAX_SESSIONS = 64
"""Open sessions of all archives; beyond that the least recently used one is dropped and no longer followed."""


class CachedSession:
    """An open session, and how much of it the client has seen.

    Attributes:
        controller: The session.
        is_followed: The client is notified of what others do in it.
    """

    __slots__ = ("_fact_revision", "_seen", "_stamp", "controller", "is_followed")

    def __init__(self, controller: SessionController, is_followed: bool = True) -> None:
        self.controller = controller
        self.is_followed = is_followed
        self._stamp = controller.archive.change_stamp()
        self._fact_revision = controller.archive.fact_revision(controller.info.game)
        self._seen: SeenState | None = None

    def refresh(self) -> Result | None:
        """Read what others have written; return it if the client is to be notified."""
        controller = self.controller
        stamp = controller.archive.change_stamp()
        if stamp == self._stamp:
            return None
        if controller.archive.has_moved(controller.info.id, controller.history.seq):
            controller.refresh()
        revision = controller.archive.fact_revision(controller.info.game)
        if revision != self._fact_revision:  # the open entry depends on the facts and is replayed
            controller.invalidate()
        self._stamp, self._fact_revision = stamp, revision
        return self.mark_seen()

    def mark_seen(self) -> Result | None:
        """Mark everything as seen; return what others have done since the last time, if the client is to be notified."""
        before, self._seen = self._seen, SeenState.of(self.controller)
        is_news = self.is_followed and before and before.others != self._seen.others
        return changes_since(self.controller, before) if is_news and before else None


class SessionCache:
    """Keeps archives and sessions open.

    Args:
        kind: The class of the sessions.

    Attributes:
        news: What others have done in followed sessions, until it is taken out.
        shown: The number of the question shown last, by archive and session.
    """

    def __init__(self, kind: type[SessionController] = SessionController) -> None:
        self._kind = kind
        self._archives: dict[str, Archive] = {}
        self._sessions: dict[tuple[str, int], CachedSession] = {}
        self.news: list[tuple[SessionController, Result]] = []
        self.shown: dict[tuple[str, int], str] = {}
        self._used: list[CachedSession] = []

    def archive(self, file: str) -> Archive | None:
        """The archive of a file, if it is open and the file was not replaced."""
        archive = self._archives.pop(file, None)
        if archive is None:
            return None
        if not archive.is_in_place():
            self._drop(archive)
            return None
        self._archives[file] = archive
        return archive

    def keep(self, archive: Archive) -> bool:
        """Keep an archive open; False if it cannot detect changes and must be closed."""
        if archive.path == database.IN_MEMORY or not archive.is_live:
            return False
        self._archives[archive.path] = archive
        while len(self._archives) > MAX_ARCHIVES:
            self._drop(self._archives.pop(next(iter(self._archives))))
        return True

    def _drop(self, archive: Archive) -> None:
        for key in [key for key in self._sessions if key[0] == archive.path]:
            del self._sessions[key]
        archive.close()

    def close(self) -> None:
        """Close everything."""
        while self._archives:
            self._drop(self._archives.popitem()[1])

    def session(self, archive: Archive, name: str) -> SessionController:
        """Open a session, or refresh the open one. Raises as `SessionController.open`."""
        info = archive.session(name)
        cached = self._sessions.get((archive.path, info.id))
        if cached is None or cached.controller.archive is not archive or cached.controller.info != info:
            controller = self._kind.open(archive, info)
            self.adopt(controller)
            return controller
        self._notify(cached, cached.refresh())
        self._store(cached)
        return cached.controller

    def adopt(self, controller: SessionController) -> None:
        """Keep a session open, if its archive is kept."""
        if self._archives.get(controller.archive.path) is controller.archive:
            self._store(CachedSession(controller))

    def _store(self, cached: CachedSession) -> None:
        """Store a session as the most recently used one."""
        key = cached.controller.archive.path, cached.controller.info.id
        self._sessions.pop(key, None)
        self._sessions[key] = cached
        self._used.append(cached)
        while len(self._sessions) > MAX_SESSIONS:
            del self._sessions[next(iter(self._sessions))]

    def follow(self, controller: SessionController, is_followed: bool) -> None:
        """Switch notifications of a session on or off."""
        self._sessions[controller.archive.path, controller.info.id].is_followed = is_followed

    def reopen_all(self) -> None:
        """Open every session again, after a fault that may have left any of them in a wrong state."""
        before = list(self._sessions.values())
        self._sessions.clear()
        for cached in before:
            controller = cached.controller
            with suppress(CompanionError):
                self._store(CachedSession(type(controller).open(controller.archive, controller.info), cached.is_followed))

    def poll(self) -> None:
        """Read what others have done in all sessions into `news`."""
        for file in list(self._archives):
            self.archive(file)
        for cached in list(self._sessions.values()):
            self._notify(cached, cached.refresh())

    def end_command(self) -> None:
        """Mark what the last command did as seen, so that it is not news."""
        for cached in self._used:
            self._notify(cached, cached.mark_seen())
        self._used.clear()

    def _notify(self, cached: CachedSession, result: Result | None) -> None:
        if result is not None:
            self.news.append((cached.controller, result))
