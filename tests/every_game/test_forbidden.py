"""What a rulebook forbids never stands on the table at the end of an action: random games over all options, two and two."""

from __future__ import annotations

from itertools import combinations as pairs

import pytest

from companion.core.game import Game
from companion.games import GAMES, make_game
from companion.session.tables import load
from tests.support.forbidden import combinations, forbidden_of, looked_at, put_wrong, seated

LISTED = ("fallujah2004", "fallujahcards", "iraqwar2003", "lzalbany", "phantomfury")
"""The games whose list is written."""
LEAST = 25
"""Things forbidden that a list has at least."""
TURNS, LONG_TURNS, LONG_SEEDS = 25, 200, 5


@pytest.fixture(params=LISTED)
def listed(request: pytest.FixtureRequest) -> Game:
    return make_game(request.param, load(request.param))


def choices(game: Game) -> dict[str, tuple[str, ...]]:
    return {"scenario": tuple(game.scenarios)} | {one.id: tuple(one.choices) for one in game.options.values() if one.choices}


def test_every_game_has_a_list() -> None:
    assert set(LISTED) <= set(GAMES)


def test_every_two_choices_come_together(listed: Game) -> None:
    """Each choice of each option and scenario is played with each of every other."""
    rows = combinations(listed)
    offered = choices(listed)

    missing = [
        (one, first, other, second)
        for one, other in pairs(offered, 2)
        for first in offered[one]
        for second in offered[other]
        if not any(row[one] == first and row[other] == second for row in rows)
    ]
    assert missing == []
    assert all(set(row) == set(offered) for row in rows)


def test_a_list_is_long_enough_and_cites_the_register(listed: Game) -> None:
    them = forbidden_of(listed.id)
    assert len(them) >= LEAST
    assert [one.rule for one in them if one.rule not in listed.tables.rules] == []
    assert len({one.says for one in them}) == len(them)


def test_each_thing_forbidden_is_found_where_it_stands(listed: Game) -> None:
    """An example of each, put there by hand, is seen; the set-up without it is clean."""
    them = forbidden_of(listed.id)
    for one in them:
        player = seated(listed.id, 1, one.options)
        assert one.found(player.game, player.position) == [], one.says
        assert one.found(player.game, put_wrong(player, one)), one.says


def test_nothing_forbidden_stands_on_the_table(listed: Game) -> None:
    """A short game for each row of choices."""
    them = forbidden_of(listed.id)
    for seed, row in enumerate(combinations(listed)):
        assert list(looked_at(seated(listed.id, seed, row), them, TURNS)) == [], (seed, row)


@pytest.mark.long
def test_nothing_forbidden_stands_on_the_table_at_length(listed: Game) -> None:
    """The same over many long games."""
    them = forbidden_of(listed.id)
    for seed in range(LONG_SEEDS):
        for at, row in enumerate(combinations(listed)):
            assert list(looked_at(seated(listed.id, 100 * seed + at, row), them, LONG_TURNS)) == [], (seed, at, row)
