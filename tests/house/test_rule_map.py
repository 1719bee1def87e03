"""The map of rules to code in each game's package: as the source has it, and every name in it is there."""

from __future__ import annotations

from functools import reduce
from importlib import import_module
from itertools import groupby

import pytest

from companion.core.rulemap import read_map
from companion.games import GAMES
from tests.support.rule_map import folder_of, map_of, rules_of, with_map


@pytest.fixture(params=list(GAMES))
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_map_is_up_to_date(game: str) -> None:
    """What the docstring says is what the source says now; python -m tests.support.rule_map --write brings it up to date."""
    said = read_map(import_module(GAMES[game]).__doc__ or "")

    assert said == map_of(game)
    source = (folder_of(game) / "__init__.py").read_text(encoding="utf-8")
    assert with_map(source, map_of(game)) == source


def test_every_function_of_the_map_is_there(game: str) -> None:
    """Rules of the register, in its order within a module, and functions that can be looked up where the map says."""
    found = read_map(import_module(GAMES[game]).__doc__ or "")

    assert found
    for _, rules in groupby(found, key=lambda rule: found[rule][0].partition(":")[0]):
        here = set(rules)
        assert [rule for rule in found if rule in here] == [rule for rule in rules_of(game) if rule in here]
    for names in found.values():
        for name in names:
            module, _, function = name.partition(":")
            assert reduce(getattr, function.split("."), import_module(f"{GAMES[game]}.{module}")), name
