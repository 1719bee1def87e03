"""Advice by priorities."""

from __future__ import annotations

import pytest

from companion.core.advice import Advice, Priority, advise, read_priorities
from companion.core.errors import BadData

WORDS = ["Alpha", "Bravo", "Co"]
MEASURES = {"length": len, "vowel first": lambda word: word[0] in "AEIOU", "never": lambda word: False}


def chosen(*priorities: Priority) -> Advice[str]:
    return advise(WORDS, priorities, MEASURES, str)


def test_each_priority_narrows_down() -> None:
    """The longest words stay, and of these the one that begins with a vowel."""
    advice = chosen(Priority("length", "highest", "longest"), Priority("vowel first", "true", "vowel"))

    assert advice.choice == "Alpha"
    assert [(one.name, one.why) for one in advice.passed] == [
        ("Co", "behind Alpha and 1 more: longest"),
        ("Bravo", "behind Alpha: vowel"),
    ]


def test_a_priority_that_fits_nobody_is_skipped_and_says_so() -> None:
    """Nothing is lost to a priority that no candidate meets."""
    advice = chosen(Priority("never", "true", "miracle"), Priority("length", "lowest", "shortest"))

    assert advice.choice == "Co"
    assert advice.because[0] == "miracle: none fits, skipped"


def test_equals_go_by_order_and_say_so() -> None:
    """Where the list decides nothing, the first is taken."""
    advice = advise(["Bravo", "Delta"], [Priority("length", "highest", "longest")], MEASURES, str)

    assert advice.choice == "Bravo"
    assert advice.passed[0].why == "equal; the first is taken"


def test_faults_of_the_list_come_all_at_once() -> None:
    """An unknown measure, an unknown way to keep and a missing key are told together."""
    data = {"target": [{"measure": "x", "keep": "best", "text": "t"}, {"measure": "length"}]}
    with pytest.raises(BadData) as caught:
        read_priorities(data, "target", MEASURES)

    assert len(caught.value.faults) == 3
