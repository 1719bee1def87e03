"""The planners play the same games, with the same values, as when their games were last written down."""

from __future__ import annotations

import json

import pytest

from tests.support.planner_games import FILE, SERIES, Games, played


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game_id", "games"), [(game_id, games) for game_id, series in SERIES.items() for games in series], ids=str
)
def test_planners_play_the_same_games(game_id: str, games: Games) -> None:
    """If a change was meant: python -m tests.support.planner_games --write"""
    written = json.loads(FILE.read_text(encoding="utf-8"))[f"{game_id} {games}"]

    for _ in range(2):  # the second time with what the first left in the caches of the process
        assert json.loads(json.dumps(played(game_id, games))) == written
