"""A battle of each game on the page by taps only, to the same position as at the terminal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.measures.taps import BATTLES, battle, play_by_taps

MARKS = {"iraqwar2003": pytest.mark.slow}


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=MARKS.get(game, pytest.mark.long)) for game in BATTLES if game != "lzalbany"]
)
def test_battle_by_taps(game: str, browser: Any) -> None:
    row = play_by_taps(browser, battle(game))
    assert (row.same, row.messages, row.typed) == (True, [], [])


@pytest.mark.long
def test_whole_turn_of_two_seats_by_taps(browser: Any) -> None:
    row = play_by_taps(browser, battle("lzalbany"))
    assert (row.same, row.messages, row.typed) == (True, [], [])
    assert row.taps <= 70
