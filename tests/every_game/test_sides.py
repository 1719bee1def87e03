"""Each game says whose a piece is, so that a loss of one's own is never shown as a gain."""

from __future__ import annotations

import pytest

from companion.games import GAMES, make_game
from companion.session.store import Archive
from companion.session.tables import load
from tests.support.turns import turns_of


@pytest.mark.parametrize("name", GAMES)
def test_the_pieces_of_each_seat_are_known_as_its_own(name: str, archive: Archive) -> None:
    game = make_game(name, load(name))
    desks = [turn.start(archive) for turn in turns_of(name)]
    sides = {game.side(piece) for desk in desks for piece in desk.position.pieces.values()}

    assert set(game.players.seats) <= sides
