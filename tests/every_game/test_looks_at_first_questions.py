"""Every look at a session works at the first question of every action."""

from __future__ import annotations

import pytest

from companion.games import GAMES
from companion.session.state import load_game
from tests.support.commands import companion

LOOKS = ("status", "bot", "odds", "why", "show", "log", "report", "summary")
NUMBER = "9" * 5_000


@pytest.mark.parametrize("game", sorted(GAMES))
def test_no_look_fails_at_the_first_question_of_an_action(game: str) -> None:
    companion("printed", game, "import", "practice")
    assert companion("new", game, "--seed", "g", "--accept", "--name", "base").code == 0
    looked = 0
    for action in load_game(game).actions:
        companion("branch", f"at-{action.id}", "--session", "base")
        if companion("do", action.id, "--session", f"at-{action.id}").code != 3:
            continue
        looked += 1
        for look in LOOKS:
            result = companion(look, "--session", f"at-{action.id}")
            assert result.code in (0, 1, 2, 3), (action.id, look, result.err)
    assert looked


@pytest.mark.parametrize("game", sorted(GAMES))
@pytest.mark.parametrize("words", ["map {} tell {}", "printed {} set {} 1", "rule {} {}", "new {} --seed {}", "chart {} {}"])
def test_number_of_many_digits_is_refused_in_a_line(game: str, words: str) -> None:
    result = companion(*words.format(game, NUMBER).split())
    assert result.code == 2 and len(result.err.splitlines()) < 20, result.err[:500]
