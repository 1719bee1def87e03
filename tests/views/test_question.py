"""The layout of a question: choices, default, odds."""

from __future__ import annotations

from companion.core.notation import free_text
from companion.core.requests import Choice, Choose, Odds, Pick, Text
from companion.views.lines import layout, line_texts
from companion.views.question import legal_answer_lines, question_lines


def rows(request: Choose | Pick, columns: int = 80, prompted: bool = False) -> list[str]:
    return [row for line in question_lines(request, columns, prompted) for row in layout(line, columns)]


def units(count: int, suggest: list[str] | None = None) -> Pick:
    return Pick(
        "hit", "Who takes it?", "7.3", [Choice(f"{n}/A", f"{n}/A", "unhit") for n in range(1, count + 1)], suggest=suggest
    )


def test_many_choices_are_in_columns_read_downwards() -> None:
    assert rows(units(7))[1:4] == [
        "    1  1/A  (unhit)    4  4/A  (unhit)    7  7/A  (unhit)",
        "    2  2/A  (unhit)    5  5/A  (unhit)",
        "    3  3/A  (unhit)    6  6/A  (unhit)",
    ]
    assert rows(units(7), 40)[1:3] == ["    1  1/A  (unhit)    5  5/A  (unhit)", "    2  2/A  (unhit)    6  6/A  (unhit)"]
    assert rows(units(3))[1:3] == ["    1  1/A  (unhit)", "    2  2/A  (unhit)"]


def test_columns_hold_more_choices_than_a_list() -> None:
    assert rows(units(30), 80)[-2] == "    10  10/A  (unhit)    20  20/A  (unhit)    30  30/A  (unhit)"
    assert "    ... and 6 more" in rows(units(30), 60)


def test_default_answer_is_shown_once() -> None:
    assert "Suggested: 1/A" in rows(units(3, ["1/A"]))[-1]
    assert "Suggested" not in "\n".join(rows(units(3, ["1/A"]), prompted=True))
    long = [f"{n}/A" for n in range(1, 13)]
    assert f"Suggested: {', '.join(long)}" in " ".join(" ".join(rows(units(12, long), prompted=True)).split())


def test_quick_odds_are_beside_the_choices_at_a_prompt() -> None:
    """Shown at a prompt and by ``?``; not in printed questions, and not if they are slow."""
    request = Choose("stay", "Stay?", "16.7", [Choice("stay", "stay", "costs 1"), Choice("go", "go")])
    request.odds = lambda: Odds("Stay", "16.7", (), (), (), (("stay", "97.2% won"),))
    assert "97.2%" not in " ".join(rows(request, prompted=True))
    request.has_quick_odds = True

    assert rows(request, prompted=True)[1:3] == ["    1  stay  (costs 1, 97.2% won)", "    2  go"]
    assert legal_answer_lines(request)[0].text == "(costs 1, 97.2% won)"
    assert "97.2%" not in " ".join(rows(request))


def names_question(count: int) -> str:
    choices = [Choice(f"name {number}", f"name {number}") for number in range(count)]
    return "\n".join(line_texts(question_lines(Text("where", "Where", "1.0", free_text("place", "the ford"), choices))))


def test_long_list_of_names_is_only_counted() -> None:
    assert "30 names; ? lists them" in names_question(30)
    assert names_question(30).count("name ") == 1
    assert names_question(30).count("Type it like this: name 0") == 1


def test_short_list_of_names_is_shown() -> None:
    assert "name 11" in names_question(12)
