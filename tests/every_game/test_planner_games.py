"""The planners play the same games from the same seeds as when their games were last written down."""

from __future__ import annotations

import json

import pytest

from tests.support.planner_games import FILE, SERIES, flat, played


@pytest.mark.slow
@pytest.mark.parametrize("game_id", SERIES)
def test_a_planner_plays_the_same_games(game_id: str) -> None:
    """If a change was meant: python -m tests.support.planner_games --write"""
    written = json.loads(FILE.read_text(encoding="utf-8"))

    for name, ends in flat({game_id: played(game_id)}).items():
        assert json.loads(json.dumps(ends)) == written[name], name
