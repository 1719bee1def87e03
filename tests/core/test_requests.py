"""How answers are read."""

from __future__ import annotations

import pytest

from companion.core.errors import Unreadable
from companion.core.requests import Choice, Choose, Pick
from tests.support.some import some


@pytest.mark.parametrize(("text", "read"), [("1", "1"), ("12", "12"), ("Squad 4", "4"), ("4", "4"), ("3", "3")])
def test_what_is_refused_is_not_taken_for_a_number_in_the_list(text: str, read: str) -> None:
    """Units 12 and 4 can act, 1 and 3 cannot: 1 is neither the beginning of 12 nor the first of the list."""
    request = Choose(
        "unit",
        "Who",
        "1.0",
        [Choice("12", "Squad 12"), Choice("4", "Squad 4")],
        None,
        [Choice("1", "Squad 1"), Choice("3", "Squad 3")],
    )

    assert request.read(text) == read
    with pytest.raises(Unreadable, match="no answer '2'"):
        request.read("2")


def test_what_would_be_refused_is_worked_out_only_when_it_is_named() -> None:
    looked: list[str] = []

    def others() -> list[Choice]:
        looked.append("others")
        return [Choice("12", "Squad 12")]

    request = Choose("unit", "Which unit", "12.1", [Choice("1", "Squad 1")], "1", others)
    assert request.describe()["choices"] == ["1"] and some(request, lambda below: 0) == request.check("1") == "1"
    assert not looked
    assert request.read("12") == request.check("12") == "12" and looked


def test_where_things_are_named_by_numbers_a_number_is_a_name() -> None:
    """Of units 12 and 4, 2 is neither; things with names can be picked by their place in the list."""
    numbered = Pick("units", "Which", "1.0", [Choice("12", "Squad 12"), Choice("4", "Squad 4"), Choice("m1", "Tank")])

    assert numbered.read("4, m1, 12") == ["4", "m1", "12"]
    for wrong in ("2", "1"):
        with pytest.raises(Unreadable, match=f"no such thing '{wrong}'"):
            numbered.read(wrong)
    assert Pick("things", "Which", "1.0", [Choice("red", "red"), Choice("blue", "blue")]).read("2") == ["blue"]
