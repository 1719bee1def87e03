"""The dice and draws of a seed: fixed for ever, since a session of any version must see its own again."""

from __future__ import annotations

from itertools import product

import pytest

from companion.core.dice import Dice, branch_seed, parse_dice, seeded_draw, seeded_number, total_odds

GOLDEN = {
    "1": ([6, 4, 6, 4, 2, 1, 4, 1, 1, 6, 5, 2, 2, 1, 1, 6, 1, 5, 6, 3], "cbcbaabaacbaaaacabca", "66963889087609307834"),
    "fallujah": ([5, 3, 6, 2, 5, 3, 3, 3, 4, 1, 1, 5, 6, 3, 2, 2, 2, 6, 2, 2], "bacabaaabaabcaaaacaa", "27943970770255316173"),
    "0f3a9c17d2b4": (
        *([6, 5, 5, 1, 2, 2, 2, 2, 6, 3, 3, 1, 6, 6, 5, 5, 6, 2, 5, 2], "cbbaaaaacaaaccbbcaba", "06605838758762461259"),
    ),
}


@pytest.mark.parametrize("seed", GOLDEN)
def test_seed_gives_the_same_rolls(seed: str) -> None:
    """The first die of twenty rolls, twenty draws out of a cup of 3 a, 2 b and 1 c, and twenty dice of ten of one roll."""
    faces, draws, tens = GOLDEN[seed]

    assert [seeded_number(seed, index, 0, 6) + 1 for index in range(20)] == faces
    assert "".join(seeded_draw({"a": 3, "b": 2, "c": 1}, seed, index) for index in range(20)) == draws
    assert "".join(str(seeded_number(seed, 3, part, 10)) for part in range(20)) == tens


def test_dice_of_successive_rolls_differ() -> None:
    """Rolls and the dice of a roll are counted apart."""
    second = [seeded_number("fallujah", index, 1, 100) for index in range(40)]
    following = [seeded_number("fallujah", index + 1, 0, 100) for index in range(40)]

    assert sum(one == other for one, other in zip(second, following, strict=True)) < 5


def test_seed_of_a_branch_is_fixed() -> None:
    """Who makes the same branch again sees the same dice."""
    assert branch_seed("fallujah", "what if") == "542611e2bfb4"
    assert branch_seed("fallujah", "what if") != branch_seed("fallujah", "what then")


@pytest.mark.parametrize("text", ["2d6+1", "d4-2", "3d3"])
def test_totals_match_enumeration(text: str) -> None:
    """Each total as often as rolls of that many dice add up to it."""
    dice = parse_dice(text)
    rolls = [sum(faces) + dice.plus for faces in product(range(1, dice.sides + 1), repeat=dice.number)]

    assert total_odds(dice) == {total: rolls.count(total) for total in sorted(set(rolls))}
    assert parse_dice(str(dice)) == dice
    assert Dice(2, 6, -1).__str__() == "2d6-1"
