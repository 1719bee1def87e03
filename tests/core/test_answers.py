"""What can be an answer: by hand, and out of a log, a script or another program."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Unreadable
from companion.core.requests import Choice, Number, Pick, Roll
from companion.core.text import matching_names

BOTH = Pick("units", "Which", "1.0", [Choice("a", "Alpha"), Choice("b", "Bravo")], low=1)


def test_pick_refuses_repeated_items() -> None:
    """Neither typed nor as plain data, which is how a script or an amended log says it."""
    with pytest.raises(Unreadable, match="named twice"):
        BOTH.check(["a", "a"])
    with pytest.raises(Unreadable):
        BOTH.read("a, a")


@pytest.mark.parametrize("value", [["c"], [], ["a", "b", "a"], "a", None, [1]])
def test_pick_refuses_wrong_plain_data(value: Any) -> None:
    """What was not offered, too few, and what is no list."""
    with pytest.raises(Unreadable):
        BOTH.check(value)


def test_pick_keeps_the_order() -> None:
    assert BOTH.check(["b", "a"]) == BOTH.read("b, a") == ["b", "a"]


@pytest.mark.parametrize("value", [0, 5, True, "2", None, 2.0])
def test_number_is_an_integer_within_bounds(value: Any) -> None:
    number = Number("lamps", "How many", "1.0", 1, 4)

    assert [number.check(good) for good in (1, 4)] == [1, 4]
    with pytest.raises(Unreadable):
        number.check(value)


@pytest.mark.parametrize("value", [[3, 7], [0, 3], [3], [3, 3, 3], "33", [3, None], 3])
def test_dice_have_only_their_faces(value: Any) -> None:
    """As many as are rolled, each from its lowest to its highest face; ten sides begin with 0."""
    assert Roll("fire", "Fire", "1.0", 2).check([1, 6]) == [1, 6]
    assert Roll("fire", "Fire", "1.0", 2, sides=10, lowest=0).read("0 9") == [0, 9]
    with pytest.raises(Unreadable):
        Roll("fire", "Fire", "1.0", 2).check(value)


def test_exact_name_beats_prefix() -> None:
    assert matching_names("unit 1", ["Unit 10", "Unit 1", "A Unit 1"]) == ["Unit 1"]
