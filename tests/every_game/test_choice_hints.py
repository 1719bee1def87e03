"""What stands beside a choice: a word on what it brings, from the odds of the question, where they take no time."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.core.requests import Request
from tests.support.offers import asked

TURNS, ENOUGH = 80, 3
GAMES = {"fallujah2004": "won", "iraqwar2003": "hits|driven out", "lzalbany": "hits", "phantomfury": "clear|%"}
"""Game -> what is said of a choice."""


@pytest.mark.parametrize("game", GAMES)
def test_hints_belong_to_choices(game: str) -> None:
    """In random play each word belongs to an answer that can be chosen, and has its number."""
    met = 0

    def on_question(procedure: Any, request: Request[Any], replies: list[Any], results: list[Any]) -> None:
        nonlocal met
        if not request.has_quick_odds or met >= ENOUGH or request.odds is None:
            return
        brings = dict(request.odds().beside)
        if brings:
            met += 1
        assert brings.keys() <= {choice.value for choice in request.legal_choices()}
        said = [words for words in brings.values() if words != "lost"]
        assert all(re.search(GAMES[game], words) and re.search(r"\d", words) for words in said)

    for seed in range(1, 6):
        player = asked(game, seed)
        player.on_question = on_question  # type: ignore[method-assign]
        for _ in range(TURNS):
            player.turn()
            if met >= ENOUGH or player.game.over(player.position):
                break
    assert met >= ENOUGH


def test_mission_succeeds_on_faces_up_to_its_number() -> None:
    """[9.1] A ten-sided die from 0: a Mission that succeeds on 0 to N does so N+1 times in ten."""
    seen: dict[str, tuple[str, str]] = {}

    def on_question(procedure: Any, request: Request[Any], replies: list[Any], results: list[Any]) -> None:
        if request.key == "mission" and request.odds:
            brings = dict(request.odds().beside)
            seen.update({choice.value: (choice.hint_text, brings[choice.value]) for choice in request.legal_choices()})

    for seed in range(6):
        player = asked("phantomfury", seed)
        player.on_question = on_question  # type: ignore[method-assign]
        for _ in range(40):
            player.turn()
    assert seen
    for hint, brings in seen.values():
        to = int(hint.partition(",")[0].removeprefix("comes on 0-"))
        assert brings == f"{to + 1}0% chance"
