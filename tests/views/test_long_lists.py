"""A question with more names than a hurried eye reads says how many there are, and does not list the first few."""

from __future__ import annotations

from companion.core.notation import free_text
from companion.core.requests import Choice, Text
from companion.views.lines import line_texts
from companion.views.question import question_lines


def question(count: int) -> str:
    known = [Choice(f"name {number}", f"name {number}") for number in range(count)]
    return "\n".join(line_texts(question_lines(Text("where", "Where", "1.0", free_text("place", "the ford"), known))))


def test_a_long_list_of_names_is_only_counted() -> None:
    assert "30 names; ? lists them" in question(30)
    assert "name 0" not in question(30)
    assert question(30).count("the ford") == 1


def test_a_short_list_of_names_is_shown() -> None:
    assert "name 11" in question(12)
