"""The table of keys in the page of the loop: what is counted today, by the loop itself and at a terminal."""

from __future__ import annotations

import pytest

from tests.measures.prompts import MARKS, counts, newcomers_way, page, written


@pytest.mark.slow
def test_page_shows_current_keystroke_counts() -> None:
    """Whoever changes a prompt counts again: ``python -m tests.measures.prompts --write``."""
    told = written().partition("\n\n")[0]

    assert told.splitlines()[0] == MARKS[0]
    assert told.splitlines()[3:] == counts()


@pytest.mark.slow
def test_first_minutes_take_the_stated_keystrokes() -> None:
    """Played at a terminal to the end of the first battle."""
    pytest.importorskip("pexpect")
    rows = written().partition("\n\n")[0].splitlines()[3:]

    assert written() == page(rows, newcomers_way())
