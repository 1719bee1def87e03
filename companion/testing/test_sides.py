"""Each game says whose a piece is, so that a loss of one's own is never shown as a gain."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from companion.session.store import Archive
from companion.testing.fixtures import Start


def test_the_pieces_of_each_seat_are_known_as_its_own(game: Game, starts: list[Start], archive: Archive) -> None:
    desks = [start(archive) for start in starts]
    pieces = [piece for desk in desks for piece in desk.position.pieces.values()]
    if not pieces or len(game.players.seats) < 2:
        pytest.skip("nobody's pieces can be another's")

    assert set(game.players.seats) <= {game.side(piece) for piece in pieces}
