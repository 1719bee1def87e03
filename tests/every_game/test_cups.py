"""A cup holds what can be drawn out of it: a correction puts nothing else there."""

from __future__ import annotations

import pytest

from companion.core.errors import Illegal
from companion.core.game import Game
from companion.core.position import Piece
from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive


def test_corrections_put_only_drawable_pieces_into_cups(game: Game, archive: Archive) -> None:
    """Drawn one day, it would stop the action that drew it. What lies there at the set-up can be put back."""
    if not game.corrections.cups:
        pytest.skip("the game says nothing of its cups")
    usual = dict(game.players.practice_options())
    session = SessionController.create(archive, game.id, usual.pop("scenario", ""), usual, seed="1", answers=Answers(accept=True))
    places = session.position.places()
    for cup, (kinds, rule) in game.corrections.cups.items():
        assert cup in game.cups and rule in game.tables.rules
        assert {piece.kind for piece in places.get(cup, ())} <= set(kinds)
        if session.pending is None:
            barred(session, cup, [piece for piece in session.position.pieces.values() if piece.kind not in kinds])


def barred(session: SessionController, cup: str, others: list[Piece]) -> None:
    for piece in {piece.kind: piece for piece in others}.values():
        with pytest.raises(Illegal, match="holds only"):
            session.adjust([(piece.id, cup)], "x")


def test_every_game_declares_the_contents_of_its_cups(game: Game) -> None:
    """But for the game in which every piece is a card."""
    assert game.id in ("tiny", "harbour", "fallujahcards") or set(game.cups) == set(game.corrections.cups)
