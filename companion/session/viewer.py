"""Whoever looks on while others play: told when something has changed, never in their way."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import NamedTuple

from companion.core.board_fix import board_fix
from companion.core.errors import BadData
from companion.core.events import Event
from companion.core.history import LOOK, Change
from companion.core.position import Position
from companion.session import database
from companion.session.advance import Result
from companion.session.state import SessionState
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
        self._state: SessionState | None = None

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
        if self._state is None or self._state.info != info:
            self._state = SessionState.open(archive, info)
        else:
            self._state.refresh()
        self._version = version
        return self._state

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
        self._open, self._state, self._version = None, None, -1


class SeenState(NamedTuple):
    """How far a session has been seen.

    Attributes:
        position: the working position.
        next: the number of the next entry.
        open: the number of the open entry, or 0.
        events: how many events of that there were.
        changes, notes: how many corrections and notes there were.
        others: how many rows had been read that others wrote.
    """

    position: Position
    next: int
    open: int
    events: int
    changes: int
    notes: int
    others: int

    @classmethod
    def of(cls, session: SessionState) -> SeenState:
        """As far as it is known here now."""
        history, number = session.history, session.pending_entry
        events = len(session.events_of(number)) if number else 0
        counts = len(history.changes), len(history.notes), session.log.foreign_rows
        return cls(session.position, history.next_number, number, events, *counts)


def changes_since(session: SessionState, seen: SeenState) -> Result:
    """What has come about in a session since, as one call.

    Its events are those of what was played on; where something was taken back, brought back or amended, ``fix`` leads from the
    table as it was to the table as it is. What was noted stands in its notes.
    """
    changes = [change for change in session.history.changes[seen.changes :] if change.how != LOOK]
    events, notes = _events(session, seen, changes), [note.text for note in session.history.notes[seen.notes :]]
    after, pending = session.position, session.pending
    lost, gained = _of_entries(session, changes, "take"), _of_entries(session, changes, "give")
    fix = board_fix(seen.position, after, session.game, lost, gained) if changes else ()
    notes += [session.broken] if session.broken else []
    entry = session.pending_entry or (session.history.force[-1] if session.history.force else 0)
    done = session.history.open_entry is None
    return Result(seen.position, after, tuple(events), pending, entry, done, tuple(fix), tuple(notes))


def _events(session: SessionState, seen: SeenState, changes: Sequence[Change]) -> list[Event]:
    """What came about in the entries that were played on, in their order."""
    given = {number for change in changes for number in change.give}
    events: list[Event] = []
    for number in session.history.force:
        if number == seen.open and number not in given:
            events += session.events_of(number)[seen.events :]
        elif number >= seen.next and number not in given:
            events += session.events_of(number)
    return events


def _of_entries(session: SessionState, changes: Sequence[Change], way: str) -> list[Event]:
    """The events of what went out of force (``take``) or came in (``give``)."""
    numbers = sorted({number for change in changes for number in getattr(change, way)})
    return [event for number in numbers for event in session.events_of(number)]
