"""Prompts and keystrokes of measured turns, played through the loop of ``companion play``."""

from __future__ import annotations

import pytest

from companion.core.game import Game
from companion.session.store import Archive
from tests.support.turns import turns_of, typed


@pytest.mark.slow
def test_turns_need_no_more_keystrokes_than_before(game: Game, archive: Archive) -> None:
    """Every measured turn ends as typed, within its limits."""
    for turn in turns_of(game.id):
        count = typed(turn, archive)
        assert count.prompts and count.keys >= count.prompts
        if any(turn.at_most):
            assert count.prompts <= turn.at_most[0] and count.keys <= turn.at_most[1], turn.title
