"""Random games over all pairs of options never reach a position that the rulebook forbids between two actions."""

from __future__ import annotations

from itertools import combinations as pairs

import pytest

from companion.core.game import Game
from companion.games import GAMES, make_game
from companion.session.tables import load
from tests.support.forbidden import combinations, faults_in_game, forbidden_of, with_example
from tests.support.players import seat

LEAST = 25  # rows of a list
PARTS = 4  # of the combinations of options, the first of which is played by default
TURNS, LONG_TURNS, LONG_SEEDS = 25, 200, 5


@pytest.fixture(params=GAMES)
def listed(request: pytest.FixtureRequest) -> Game:
    return make_game(request.param, load(request.param))


def choices(game: Game) -> dict[str, tuple[str, ...]]:
    return {"scenario": tuple(game.scenarios)} | {
        option.id: tuple(option.choices) for option in game.options.values() if option.choices
    }


def test_every_pair_of_choices_occurs(listed: Game) -> None:
    """Each choice of each option and scenario is played with each of every other."""
    rows = combinations(listed)
    offered = choices(listed)

    missing = [
        (first, choice, second, other)
        for first, second in pairs(offered, 2)
        for choice in offered[first]
        for other in offered[second]
        if not any(row[first] == choice and row[second] == other for row in rows)
    ]
    assert missing == []
    assert all(set(row) == set(offered) for row in rows)


def test_lists_are_long_enough_and_cite_the_register(listed: Game) -> None:
    items = forbidden_of(listed.id)
    assert len(items) >= LEAST
    assert [item.rule for item in items if item.rule not in listed.tables.rules] == []
    assert len({item.title for item in items}) == len(items)


def test_each_forbidden_state_is_found(listed: Game) -> None:
    """The set-up has no fault; with the example there is one."""
    for item in forbidden_of(listed.id):
        player = seat(listed.id, 1, **item.options)
        assert item.faults(player.game, player.position) == [], item.title
        assert item.faults(player.game, with_example(player, item)), item.title


@pytest.mark.parametrize("part", [0, *(pytest.param(part, marks=pytest.mark.slow) for part in range(1, PARTS))])
def test_random_games_have_no_faults(listed: Game, part: int) -> None:
    """A short game for each row of choices."""
    items = forbidden_of(listed.id)
    for seed, row in list(enumerate(combinations(listed)))[part::PARTS]:
        assert list(faults_in_game(seat(listed.id, seed, **row), items, TURNS)) == [], (seed, row)


@pytest.mark.long
def test_long_random_games_have_no_faults(listed: Game) -> None:
    """Many long games for each row of choices."""
    items = forbidden_of(listed.id)
    for seed in range(LONG_SEEDS):
        for index, row in enumerate(combinations(listed)):
            player = seat(listed.id, 100 * seed + index, **row)
            assert list(faults_in_game(player, items, LONG_TURNS)) == [], (seed, index, row)
