"""The seats of a session: who plays each, whose decision is open, and who can give it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.game import Game
from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.text import split_list
from companion.core.vocabulary import PLAYER

if TYPE_CHECKING:
    from companion.core.request import AnyRequest
    from companion.session.state import SessionState


class Seat(NamedTuple):
    """A side that decides.

    Attributes:
        id: Its id.
        title: What it is called.
        player: The names of its players, as far as the session's option `players` names them; else "".
        controller: ``player`` for a person, else the choice of the option that has Companion play it, such as ``bot``.
    """

    id: str
    title: str
    player: str
    controller: str

    @property
    def is_person(self) -> bool:
        """True if a person plays it."""
        return self.controller == PLAYER


def seats_of(game: Game, options: Mapping[str, str]) -> tuple[Seat, ...]:
    """Return the seats of a game, in the order of its rulebook, with who plays them by the options of a session."""
    names = split_list(options.get("players", ""))
    if len(game.seats) == 1:
        names = [", ".join(names)]
    players = names if len(names) == len(game.seats) else [""] * len(game.seats)
    return tuple(
        Seat(seat, title, player, options.get(seat, PLAYER))
        for (seat, title), player in zip(game.seats.items(), players, strict=True)
    )


def open_to(game: Game, options: Mapping[str, str], deciding: Sequence[str]) -> tuple[str, ...]:
    """Return the seats from which a decision of some seats can be given: those of them that people play.

    If Companion plays them all, the decision needs a person's Enter, or is one for the table: every seat that a person plays.
    """
    people = [seat.id for seat in seats_of(game, options) if seat.is_person]
    return tuple(seat for seat in people if seat in deciding) or tuple(people or game.seats)


def _deciding_seats(session: SessionState, request: AnyRequest) -> Sequence[str]:
    """The seat that a question names, else those that act now; several in a phase of all players."""
    named = (request.seat or request.asked_side).casefold()
    if named in session.game.seats:
        return (named,)
    # not the session's position, which is not at hand while the entry advances
    return session.game.acting_seats(request.referee.position if request.referee else session.position)


def answering_seats(session: SessionState, request: AnyRequest) -> tuple[str, ...]:
    """Return the seats from which a question of the session can be answered."""
    return open_to(session.game, session.options, _deciding_seats(session, request))


def asked_seat(session: SessionState, request: AnyRequest) -> str:
    """Return the seat that decides a question, or that rolls or draws; of several the first that a person plays."""
    deciding = _deciding_seats(session, request)
    return deciding[0] if len(deciding) == 1 else open_to(session.game, session.options, deciding)[0]


def acting_seats(session: SessionState) -> tuple[str, ...]:
    """Return the seats that can begin the next action now."""
    return open_to(session.game, session.options, session.game.acting_seats(session.position))


def acting_seat(session: SessionState) -> str:
    """Return the seat whose action is next; of several the first that a person plays."""
    deciding = session.game.acting_seats(session.position)
    return deciding[0] if len(deciding) == 1 else acting_seats(session)[0]
