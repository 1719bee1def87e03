"""How answers are read."""

from __future__ import annotations

import pytest

from companion.core.requests import Choice, Choose


@pytest.mark.parametrize(("text", "read"), [("1", "1"), ("12", "12"), ("2", "4"), ("Squad 4", "4"), ("4", "4"), ("3", "3")])
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
