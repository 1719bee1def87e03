"""``companion odds GAME SITUATION`` without values names all that are needed, and a whole line that can be typed (F48)."""

from __future__ import annotations

import shlex

import pytest

from companion.cli.shell.archives import load_game
from companion.games import GAMES
from tests.support.commands import companion

SITUATIONS = [(game, situation.id) for game in GAMES for situation in load_game(game).situations]


# what is played before, where the odds are those of the table as it stands
BEFORE = {
    ("fallujah2004", "j3"): [["do", "buy", "3/1, CEB", "at=north"]],
    ("fallujah2004", "draw"): [],
    ("fallujahcards", "next"): [],
    ("fallujahcards", "decision"): [["do", "turn"]],
}


@pytest.mark.parametrize(("game", "situation"), SITUATIONS)
def test_one_call_names_every_value_and_a_line_that_can_be_typed(game: str, situation: str) -> None:
    """F48: the example of each situation of every game gives its odds as it is shown."""
    if (game, situation) in BEFORE:
        assert companion("practice", game, "--seed", "5").code == 0
        for words in BEFORE[game, situation]:
            companion(*words)
    first = companion("odds", game, situation)
    example = f"companion odds {game} {situation}"
    if first.code == 3:
        example = first.out.splitlines()[-1]
        assert example.startswith(f"companion odds {game} {situation} ")
        for word in shlex.split(example)[4:]:
            assert f"  {word.partition('=')[0]}: " in first.out

    odds = companion(*shlex.split(example)[1:])

    assert odds.code == 0, f"{example}\n{odds.out}{odds.err}"
    assert "%" in odds.out or "On average" in odds.out


def test_a_value_that_is_given_stays_in_the_example_and_is_not_asked() -> None:
    """F48: what is typed already is kept, and only the rest is named."""
    shown = companion("odds", "fallujah2004", "battle", "firepower=4", "terrain=open").out

    assert "2 values are needed" in shown
    assert "firepower:" not in shown and "terrain=" not in shown.partition("Like this:")[0]
    assert shown.splitlines()[-1].startswith("companion odds fallujah2004 battle firepower=4 terrain=open ")
