"""The number pad alone plays the turns that are typed with letters, to the same position."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from companion.session.store import Archive
from tests.support.turns import padded, turns_of, typed


@pytest.mark.slow
def test_number_pad_plays_the_same_turn(game: Game, archive: Archive) -> None:
    """Digits, point, signs and Enter suffice at every prompt."""
    turns = [turn for turn in turns_of(game.id) if turn.pad]
    if not turns:
        pytest.skip("no turn of the game is played on the number pad")
    for turn in turns:
        count = typed(turn, archive)
        hand = padded(turn, archive, count)

        assert hand.letters == {}
        assert hand.session.position == count.session.position
        assert [entry.action for entry in hand.session.history.in_force] == [
            entry.action for entry in count.session.history.in_force
        ]
