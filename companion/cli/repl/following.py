"""Follows what other processes do in the session that is played at a prompt."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.history import ADJUSTED, LogRow
from companion.core.requests import AnyRequest
from companion.session.controller import Result, SessionController
from companion.session.inquiry import SeenState, changes_since


class News(NamedTuple):
    """What other processes have done since the last look.

    Attributes:
        result: All of it, as the result of one call.
        rows: Its rows of the log.
        question: The question that was open before, or None.
        is_same_place: The same question is open under the same number, or the same action can be begun.
        is_same_question: The same question is open, though the table was corrected meanwhile.
        in_use: The name of another session that became the one in use, or "".
    """

    result: Result
    rows: Sequence[LogRow]
    question: AnyRequest | None
    is_same_place: bool
    is_same_question: bool
    in_use: str


class Follower:
    """What of a session the player at a prompt has seen.

    Args:
        session: The session, as the player knows it.
    """

    def __init__(self, session: SessionController) -> None:
        self._session = session
        self._stamp = session.archive.change_stamp()
        self._fact_revision = session.archive.fact_revision(session.info.game)
        self._used = self._used_seen = session.archive.last_id()
        self.mark_seen()

    def mark_seen(self) -> None:
        """Mark everything that was read as seen."""
        session = self._session
        self._seen, self._seq, self._used_seen = SeenState.of(session), session.history.seq, self._used
        self._place, self._question, self._identity = _place(session), session.pending, _identity(session)

    def mark_own(self) -> None:
        """Mark as seen what the player has written, unless other processes have written too."""
        if not self.has_news and self._session.history.seq != self._seq:
            self.mark_seen()

    def poll(self) -> bool:
        """Read what other processes have written; return True if the player has not seen all of it.

        Raises:
            BadData: What they wrote cannot be read.
        """
        session, archive = self._session, self._session.archive
        try:
            stamp = archive.change_stamp()
            if stamp == self._stamp:
                return self.has_news
            is_new = archive.has_moved(session.info.id, session.history.seq)
            revision = archive.fact_revision(session.info.game)
            self._used = archive.last_id()
        except CompanionError:  # the next command reports what is wrong with the archive
            return False
        self._stamp = stamp
        if is_new:
            session.refresh()
        if revision != self._fact_revision:  # the open entry depends on the printed facts
            self._fact_revision = revision
            session.invalidate()
        return self.has_news

    @property
    def has_news(self) -> bool:
        """True if rows of other processes were read that the player has not seen, or another session is in use."""
        return self._session.log.foreign_rows != self._seen.others or self._used != self._used_seen

    def news(self) -> News | None:
        """Return what was read and not seen yet; None if other processes have done nothing."""
        if not self.has_news:
            return None
        session = self._session
        result, rows = changes_since(session, self._seen), session.archive.rows(session.info.id, self._seq)
        corrected = any(row.kind == "change" for row in rows)
        # the lines name the notes; and of a correction that moved nothing, no action is said to be done
        result = result._replace(notes=tuple(filter(None, [session.broken])), entry=0 if corrected else result.entry)
        is_other = self._used not in (self._used_seen, session.info.id)
        in_use = next((item.name for item in session.archive.sessions() if is_other and item.id == self._used), "")
        is_same_place = _place(session) == self._place
        is_adjusted = {row.kind for row in rows} <= {ADJUSTED, "note", "setting"}
        is_same_question = is_adjusted and self._identity is not None and _identity(session) == self._identity
        return News(result, rows, self._question, is_same_place, is_same_question, in_use)


def _place(session: SessionController) -> object:
    """The number of the open question, and the entries that led to it."""
    return session.question_number, tuple(session.history.force)


def _identity(session: SessionController) -> object:
    """What is asked, whatever its number; None if nothing is."""
    request = session.pending
    if request is None:
        return None
    return session.pending_entry, request.key, request.prompt, tuple(choice.value for choice in request.legal_choices())
