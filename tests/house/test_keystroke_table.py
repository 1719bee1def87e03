"""The table of keys in the page of the loop: what is counted today, by the loop itself and at a terminal."""

from __future__ import annotations

import pytest

from tests.measures.prompts import MARKS, counts, newcomers_way, page, written


@pytest.mark.slow
def test_the_page_shows_the_keys_that_are_counted_today() -> None:
    """Whoever changes a prompt counts again: ``python -m tests.measures.prompts --write``."""
    told = written().partition("\n\n")[0]

    assert told.splitlines()[0] == MARKS[0]
    assert told.splitlines()[3:] == counts()


@pytest.mark.slow
def test_the_newcomers_way_is_as_long_as_the_page_says() -> None:
    """Played at a terminal to the end of the first battle."""
    pytest.importorskip("pexpect")
    rows = written().partition("\n\n")[0].splitlines()[3:]

    assert written() == page(rows, newcomers_way())
