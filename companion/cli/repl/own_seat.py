"""The seat that a prompt plays: whose decision is open, and what is typed for another seat."""

from __future__ import annotations

from companion.core.errors import Unreadable
from companion.core.text import clean, pick_name
from companion.session.controller import SessionController
from companion.session.seats import acting_seats, asked_seat, open_to, seats_of


def pick_seat(session: SessionController, text: str) -> str:
    """Return the seat of a session that a prompt is to play, by unique prefix; "" for every seat if the text is empty.

    Raises:
        Unreadable: There is no such seat, Companion plays it, or it is the only one.
    """
    if not text:
        return ""
    people = [seat.id for seat in seats_of(session.game, session.options) if seat.is_person]
    if len(people) < 2:
        what = (
            f"{session.game.title} has one seat" if len(session.game.seats) == 1 else "people play only one seat of this session"
        )
        raise Unreadable(f"--seat is for a session of two players: {what}", cure="Without it: companion play")
    return pick_name(text, people, "seat that a person plays")


class OwnSeat:
    """The seat that a prompt plays.

    Args:
        session: The session; what it asks for from now on is asked for that seat.
        seat: Its id; "" for every seat.
    """

    def __init__(self, session: SessionController, seat: str) -> None:
        session.seat = seat
        self._session = session
        self._seat = seat

    def _deciding(self) -> tuple[str, ...]:
        """The seats that can answer the open question or begin the next action."""
        session = self._session
        if session.pending is None:
            return acting_seats(session)
        return open_to(session.game, session.options, (asked_seat(session, session.pending),))

    def waits_for(self) -> str:
        """The id of the seat that is waited for; "" if this prompt decides."""
        if not self._seat or self._session.game.over(self._session.position):
            return ""
        if missing := self._session.waits_for:  # a roll needs a share of that seat, even where this one decides
            return missing[0]
        deciding = self._deciding()
        return "" if self._seat in deciding else deciding[0]

    def prompt_name(self) -> str:
        """The player who decides, if the players have names; else this prompt's seat, if it plays one only."""
        session = self._session
        seats = {seat.id: seat for seat in seats_of(session.game, session.options)}
        deciding = self._deciding()
        if self._seat:
            return seats[self._seat].player or seats[self._seat].title
        has_names = len(seats) > 1 and session.options.get("players")
        players = session.game.players
        return players.player_name(session.options, session.position, session.pending) if has_names and deciding else ""

    def title(self, seat: str) -> str:
        """The title of a seat."""
        return self._session.game.seats[seat]

    def check(self, text: str) -> str:
        """Return an answer or action without the seat that insists on it, as in ``nva: ford``.

        Raises:
            Unreadable: Another seat decides, and the text does not name it; or a roll waits for the share of a seat.
        """
        other = self.waits_for()
        if not other:
            return text
        what = f"'{clean(text)}' is not sent" if text else "Enter does nothing here"
        if self._session.waits_for:
            cure = f"It goes on by itself when the page of {self.title(other)} has sent its share"
            raise Unreadable(f"{what}: the dice come from both sides", cure=cure)
        head, colon, rest = text.partition(":")
        if colon and head.strip().casefold() in (other, self.title(other).casefold()):
            return rest.strip()
        why = f"{self.title(other)} decides, and this prompt plays {self.title(self._seat)}"
        raise Unreadable(
            f"{what}: {why}", cure=f"It goes on by itself when {self.title(other)} has. To do it for them: {other}: ANSWER"
        )
