"""The review of a finished game for its pages: what is kept in the archive, or a quick one if that takes a moment only."""

from __future__ import annotations

import time
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.procedures import Progress
from companion.core.review import GameReview
from companion.session.state import SessionState

_LEVELS = {"deep": 0.0, "normal": 0.0, "quick": 2.0}
"""The levels, closest first, with the seconds that may be computed: none but for a quick review."""
_RETRY_SECONDS = 10.0
"""Before it is looked again for a review that was not there: each look holds all who wait for the thread."""


class NotReviewed(CompanionError):
    """There is no review to show."""

    kind = "impossible"


class _Made(NamedTuple):
    version: tuple[int, int]
    review: GameReview | None
    at: float


class KeptReview:
    """The review of a session as long as nothing changes in it."""

    def __init__(self) -> None:
        self._made: _Made | None = None
        self._page: tuple[tuple[int, int], str] | None = None

    def review(self, session: SessionState, version: tuple[int, int]) -> GameReview:
        """Return the review of a session. Raises NotReviewed: the game goes on, or there is no review yet."""
        if session.history.open_entry is not None or not session.game.over(session.position):
            raise NotReviewed("the game is not over", cure="Its review is shown here after the game")
        made = self._made
        if made is None or made.version != version or (made.review is None and time.monotonic() > made.at + _RETRY_SECONDS):
            review = find_review(session)
            made = self._made = _Made(version, review, time.monotonic())
        if made.review is None:
            cure = f"On the machine of the host: companion review {session.info.name}. Then look here again"
            raise NotReviewed("this game has not been reviewed yet", cure=cure)
        return made.review

    def page(self, session: SessionState, version: tuple[int, int]) -> str:
        """Return the page of the review. Raises as `review`."""
        from companion.views.review_page import review_page

        review = self.review(session, version)
        if self._page is None or self._page[0] != version:
            self._page = version, review_page(session, review)
        return self._page[1]


def find_review(session: SessionState) -> GameReview | None:
    """Return the closest review of a session that the archive has; else a quick one, if it can be made in a moment."""
    from companion.session.review import session_review

    watch = session.watch
    for level, seconds in _LEVELS.items():
        end = time.monotonic() + seconds

        def stop(progress: Progress, end: float = end) -> None:
            watch(progress)
            if time.monotonic() > end:
                raise _TooLong

        session.watch = stop
        try:
            return session_review(session, level)
        except _TooLong:
            continue
        except CompanionError:  # nothing was played
            return None
        finally:
            session.watch = watch
    return None


class _TooLong(KeyboardInterrupt):
    """Breaks off a computation, which keeps what it has found."""
