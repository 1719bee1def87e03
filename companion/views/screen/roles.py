"""What a link to the page may do: whose decision is open, and whether the role can give it."""

from __future__ import annotations

from collections.abc import Collection

from companion.core.request import OtherSeat
from companion.session.seats import acting_seats, answering_seats, asked_seat, seats_of
from companion.session.state import SessionState

WATCH = "watch"
"""The role that sees and does nothing."""

ALL = "all"
"""The role that answers for every seat: one player, or one screen for all."""

Role = str | Collection[str]
"""A seat, several seats (none: to watch), `ALL` or `WATCH`."""


def seats_of_role(session: SessionState, role: Role) -> tuple[str, ...]:
    """Return the seats that a role answers for; none if it only watches."""
    if isinstance(role, str):
        return tuple(session.game.seats) if role == ALL else () if role in (WATCH, "") else (role,)
    return tuple(role)


def deciding_seats(session: SessionState) -> tuple[str, ...]:
    """Return the seats from which the open question or the next action can be answered."""
    if session.pending is None:
        return acting_seats(session)
    return answering_seats(session, session.pending)


def is_mine(session: SessionState, role: Role) -> bool:
    """Return True if a role can answer the open question or begin the next action."""
    if isinstance(session.pending, OtherSeat):
        return False
    return not {*seats_of_role(session, role)}.isdisjoint(deciding_seats(session))


def decider_title(session: SessionState) -> str:
    """Return who decides now, with the player's name if it is known; "" in a game for one, or if all may act."""
    seats = seats_of(session.game, session.options)
    deciding = (asked_seat(session, session.pending),) if session.pending else session.game.acting_seats(session.position)
    if len(seats) < 2 or len(deciding) == len(seats):
        return ""
    titles = [f"{seat.title} ({seat.player})" if seat.player else seat.title for seat in seats if seat.id in deciding]
    return ", ".join(titles)
