"""`rule --code` finds the functions that carry out a rule in the source of each game."""

from __future__ import annotations

from functools import reduce
from importlib import import_module

import pytest

from companion.games import GAMES, carried_out_by, make_game
from companion.session.tables import load


@pytest.mark.parametrize("game_id", GAMES)
def test_every_function_of_the_map_exists(game_id: str) -> None:
    game = make_game(game_id, load(game_id))
    carried_out = carried_out_by(game)

    assert list(carried_out) == [rule for rule in game.tables.rules if rule in carried_out]
    for names in carried_out.values():
        for name in names:
            module, _, function = name.partition(":")
            assert reduce(getattr, function.split("."), import_module(module)), name


def test_rules_are_found_in_their_functions() -> None:
    """[16.7] of Fallujah 2004 is carried out by its rules, not by what lists or values it."""
    game = make_game("fallujah2004", load("fallujah2004"))

    assert carried_out_by(game)["16.7"][0].startswith("companion.games.fallujah2004.rules.")
