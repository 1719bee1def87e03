"""Several things picked at once: by hand, and out of a log, a script or another program."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import Unreadable
from companion.core.requests import Choice, Pick

BOTH = Pick("units", "Which", "1.0", [Choice("a", "Alpha"), Choice("b", "Bravo")], low=1)


def test_nothing_is_picked_twice() -> None:
    """Neither typed nor as plain data, which is how a script or an amended log says it."""
    with pytest.raises(Unreadable, match="named twice"):
        BOTH.check(["a", "a"])
    with pytest.raises(Unreadable):
        BOTH.read("a, a")


@pytest.mark.parametrize("value", [["c"], [], ["a", "b", "a"], "a", None, [1]])
def test_plain_data_that_cannot_be_an_answer_is_refused(value: Any) -> None:
    """What was not offered, too few, and what is no list."""
    with pytest.raises(Unreadable):
        BOTH.check(value)


def test_what_was_picked_keeps_its_order() -> None:
    assert BOTH.check(["b", "a"]) == BOTH.read("b, a") == ["b", "a"]
