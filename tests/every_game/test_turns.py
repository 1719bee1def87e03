"""How much a player types: the measured turns of each game, played through the loop of ``companion play``."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from companion.session.store import Archive
from tests.support.turns import turns_of, typed


@pytest.mark.slow
def test_a_turn_takes_no_more_typing_than_it_did(game: Game, archive: Archive) -> None:
    """Every measured turn comes to its end as it is typed, within the prompts and keystrokes that it may take."""
    for turn in turns_of(game.id):
        count = typed(turn, archive)
        assert count.prompts and count.keys >= count.prompts
        if any(turn.at_most):
            assert count.prompts <= turn.at_most[0] and count.keys <= turn.at_most[1], turn.title
