"""Whoever looks on while others play: told when something has changed, never in their way."""

from __future__ import annotations

import sqlite3

from companion.core.errors import BadData
from companion.session import database
from companion.session.standing import SessionState
from companion.session.store import Archive


class SessionViewer:
    """Follows a session that others play.

    Args:
        path: of the archive; "" for the usual one.
        session: by unique prefix; "" for the one in use, also when that becomes another.
    """

    def __init__(self, path: str, session: str) -> None:
        self._path = database.archive_path(path or None)
        self._session = session
        self._open: tuple[sqlite3.Connection, Archive] | None = None
        self._file: database.FileIdentity | None = None
        self._version = -1
        self._desk: SessionState | None = None

    def poll(self) -> SessionState | None:
        """The session, where anything has changed since the last look; None where nothing has.

        Raises:
            BadData: the archive is away, or cannot be read; the next look tries again.
            Unreadable: there is no such session.
        """
        connection, archive = self._archive()
        version = database.data_version(self._path, connection)
        if version == self._version:
            return None
        info = archive.session(self._session)
        if self._desk is None or self._desk.info != info:
            self._desk = SessionState.open(archive, info)
        else:
            self._desk.refresh()
        self._version = version
        return self._desk

    def _archive(self) -> tuple[sqlite3.Connection, Archive]:
        """The archive, opened anew where another file stands in its place."""
        file = database.file_identity(self._path)
        if file is None or file != self._file:
            self.close()
        if file is None:
            raise BadData(f"the archive {self._path} is away", cure="It is shown again as soon as it is back")
        if self._open is None:
            connection = database.connect_read_only(self._path)
            self._open, self._file = (connection, Archive(self._path, connection)), file
        return self._open

    def close(self) -> None:
        """Let go of the archive."""
        if self._open is not None:
            self._open[1].close()
        self._open, self._desk, self._version = None, None, -1
