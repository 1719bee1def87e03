"""The review of a session: its actions in force, by playouts (`core.review_playouts`)."""

from __future__ import annotations

from collections.abc import Iterator

from companion.core.errors import Impossible, Unreadable
from companion.core.events import fold
from companion.core.history import ADJUST_ACTIONS
from companion.core.procedures import Progress
from companion.core.review import LEVELS, NORMAL, GameReview
from companion.core.review_playouts import PlayedEntry, ReviewedEntry, Reviewer, review_game
from companion.core.text import clean, pick_name
from companion.session.state import SessionState
from companion.session.thinking import on_cores

KEEP_SECONDS = 5.0
"""Seconds after which what was found is written to the archive."""


def session_review(
    session: SessionState, level: str = NORMAL, *, first: int = 0, last: int = 0, seat: str = "", jobs: int = 1
) -> GameReview:
    """Return the review of a session.

    What is found is kept in the archive, so that an interrupted review goes on where it ended. ``session.watch`` is called with
    the progress.

    Args:
        level: Of `LEVELS`.
        first, last: Turns, the first and last that are reviewed; 0: without a limit.
        seat: Only the alternatives of its decisions are compared; "" for those of every seat.

    Raises:
        Impossible: Nothing was played, or nothing in those turns.
        Unreadable: There is no such level or seat.
    """
    name = pick_name(level, list(LEVELS), "level")
    seats = session.game.players.seats
    if seat and seat not in seats:
        raise Unreadable(f"{session.game.title} has no seat '{clean(seat)}'", cure=f"Seats: {', '.join(seats)}")
    entries = [entry for entry in played_entries(session) if _is_between(session, entry, first, last)]
    if not entries:
        what = "nothing was played yet" if not (first or last) else "nothing was played in these turns"
        raise Impossible(f"{what} in session {session.info.name}", cure="Begin: companion do ACTION")
    done = 0

    def tick() -> None:
        session.watch(Progress(done, len(entries), ""))

    reviewer = Reviewer(
        session.game,
        session.options,
        session.log.facts(),
        LEVELS[name],
        f"review/{session.info.seed}",
        on_cores(jobs),
        tick,
        lambda decides: seat in ("", decides),
    )

    def keep(entry: PlayedEntry, reviewed: ReviewedEntry) -> None:
        nonlocal done
        done += 1

    return review_game(reviewer, name, entries, keep=keep)


def played_entries(session: SessionState) -> Iterator[PlayedEntry]:
    """Yield the actions in force after the set-up."""
    position = session.history.position(session.history.force[1]) if len(session.history.force) > 1 else session.position
    runs = {action.id: action.run for action in session.game.actions}
    turn, begun = -1, dict[str, int]()
    for entry in session.history.in_force[1:]:
        if session.game.players.turn(position) != turn:
            turn, begun = session.game.players.turn(position), {}
        after = session.position if entry.is_open else fold(entry.events or (), position)
        procedure = None if entry.action in ADJUST_ACTIONS else runs.get(entry.action)
        yield PlayedEntry(
            entry.number, dict(begun), entry.action, position, after, entry.replies, procedure, entry.anyway, entry.is_open
        )
        begun[entry.action] = begun.get(entry.action, 0) + 1
        position = after


def _is_between(session: SessionState, entry: PlayedEntry, first: int, last: int) -> bool:
    turn = session.game.players.turn(entry.before)
    return turn >= first and (not last or turn <= last)
