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


def asked_seat(session: SessionState, request: AnyRequest) -> str:
    """Return the id of the seat that decides a question of the session; of a roll or draw, the seat that makes it."""
    game = session.game
    if request.seat in game.seats:
        return request.seat
    if len(game.seats) == 1:
        return next(iter(game.seats))
    # not the session's position, which is not at hand while the entry advances
    position = request.referee.position if request.referee else session.position
    return game.players.asked_seat(request, game.acting_seats(position)[0])


def acting_seats(session: SessionState) -> tuple[str, ...]:
    """Return the seats that can begin the next action now, the one that it is up to first."""
    return open_to(session.game, session.options, session.game.acting_seats(session.position))
