"""Follow a session that other processes play."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
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
    """A read-only view of a session.

    Args:
        path: The archive; "" for the default one.
        session: Its name, by unique prefix; "" for the last used one, even when that changes.
    """

    def __init__(self, path: str, session: str) -> None:
        self._path = database.archive_path(path or None)
        self._session = session
        self._open: tuple[sqlite3.Connection, Archive] | None = None
        self._file: database.FileIdentity | None = None
        self._version = -1
        self._state: SessionState | None = None

    def poll(self) -> SessionState | None:
        """Return the session if anything has changed since the last call, else None.

        Raises:
            BadData: The archive is missing or cannot be read; the next call tries again.
            Unreadable: There is no such session.
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
        """Return the archive, reopened if its file has been replaced."""
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
        """Close the archive."""
        if self._open is not None:
            self._open[1].close()
        self._open, self._state, self._version = None, None, -1


class SeenState(NamedTuple):
    """How much of a session has been shown.

    Attributes:
        position: The working position.
        next: The number of the next entry.
        open: The number of the open entry, or 0.
        events: The number of its events.
        changes, notes: The numbers of corrections and notes.
        others: The number of rows read that other processes wrote.
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
        """Return what is known of the session now."""
        history, number = session.history, session.pending_entry
        events = len(session.events_of(number)) if number else 0
        counts = len(history.changes), len(history.notes), session.log.foreign_rows
        return cls(session.position, history.next_number, number, events, *counts)


def changes_since(session: SessionState, seen: SeenState) -> Result:
    """Return what has happened in a session since, as the result of one call.

    The events are those of new play. If entries left or entered force, `fix` leads from the old table to the new one.
    """
    changes = [change for change in session.history.changes[seen.changes :] if change.how != LOOK]
    events, notes = _events(session, seen, changes), [note.text for note in session.history.notes[seen.notes :]]
    after, pending = session.position, session.pending
    lost, gained = (
        _events_of(session, (change.take for change in changes)),
        _events_of(session, (change.give for change in changes)),
    )
    fix = board_fix(seen.position, after, session.game, lost, gained) if changes else ()
    notes += [session.broken] if session.broken else []
    entry = session.pending_entry or (session.history.force[-1] if session.history.force else 0)
    done = session.history.open_entry is None
    return Result(seen.position, after, tuple(events), pending, entry, done, tuple(fix), tuple(notes))


def _events(session: SessionState, seen: SeenState, changes: Sequence[Change]) -> list[Event]:
    """Return the events of the entries that were played on, in order."""
    restored = {number for change in changes for number in change.give}
    events: list[Event] = []
    for number in session.history.force:
        if number == seen.open and number not in restored:
            events += session.events_of(number)[seen.events :]
        elif number >= seen.next and number not in restored:
            events += session.events_of(number)
    return events


def _events_of(session: SessionState, entries: Iterable[Sequence[int]]) -> list[Event]:
    """Return the events of some entries, in the order of the log."""
    numbers = sorted({number for numbers in entries for number in numbers})
    return [event for number in numbers for event in session.events_of(number)]
