"""Lines laid out as plain text and in colours."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.core.request import Draw
from companion.games import GAMES
from companion.session.tables import load
from companion.views.lines import (
    Line,
    Span,
    aligned_columns,
    ansi_text,
    layout,
    line_texts,
    packed_rows,
    plain_text,
    row_count,
    table_lines,
    terminal_rows,
    wrap,
)
from companion.views.question import question_lines
from companion.views.theme import MEANINGS

_CODES = re.compile(r"\x1b\[[0-9;]*m")


@pytest.mark.parametrize("game", GAMES)
def test_citations_of_every_game_are_shown_unchanged(game: str) -> None:
    lines = [Line("so it is", tone, rule.number) for rule in load(game).rules.values() for tone in ("", "board")]
    shown = [f"so it is [{line.rule}]" for line in lines]

    assert shown
    assert plain_text(lines).splitlines() == shown
    edge = [row.split() for row in _CODES.sub("", ansi_text(lines)).splitlines()]
    assert edge == [["so", "it", "is", *line.rule.split()] for line in lines]


@pytest.mark.parametrize(
    ("text", "why", "said"),
    [
        ("Red: Camp -> Forest", "rest", "Red: Camp -> Forest: rest"),
        ("Guerillas eliminated", "eliminated", "Guerillas eliminated"),
        ("Turn 2", "", "Turn 2"),
    ],
)
def test_reason_is_appended_unless_already_in_the_text(text: str, why: str, said: str) -> None:
    assert Line(text).with_reason(why).text == said


def test_span_keeps_its_tone_across_a_line_break() -> None:
    line = [Line("one [red]two three four", "dim", "", "> ", (Span(6, 14, "first"), Span(15, 20, "second")))]

    assert ansi_text(line).splitlines() == [
        "\x1b[2m> one \x1b[0m\x1b[1;94m[red]two\x1b[0m\x1b[2m \x1b[0m\x1b[1;91mthree\x1b[0m\x1b[2m four\x1b[0m"
    ]
    assert ansi_text(line, 22).splitlines() == [
        "\x1b[2m> one \x1b[0m\x1b[1;94m[red]two\x1b[0m\x1b[2m \x1b[0m\x1b[1;91mthree\x1b[0m",
        "  \x1b[2mfour\x1b[0m",
    ]
    assert ansi_text([line[0]._replace(text="one [red]two thirty-three four")], 22).splitlines() == [
        "\x1b[2m> one \x1b[0m\x1b[1;94m[red]two\x1b[0m",
        "  \x1b[1;91mthirt\x1b[0m\x1b[2my-three four\x1b[0m",
    ]


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=10), st.lists(st.integers(0, 70), max_size=6), st.integers(20, 60))
def test_spans_change_no_character(text: str, lead: str, places: list[int], width: int) -> None:
    ends = sorted(places)
    spans = tuple(Span(start, end, "first") for start, end in zip(ends[::2], ends[1::2], strict=False))
    line = [Line(text, "", "", lead, spans)]

    assert _CODES.sub("", ansi_text(line, width)) == plain_text(line, width)


@pytest.mark.parametrize("tone", MEANINGS)
def test_every_tone_has_colours(tone: str) -> None:
    line = [Line("[bold]not markup[/bold] \\[x]", tone, "1.1", "-> ")]

    assert plain_text(line) == "-> [bold]not markup[/bold] \\[x] [1.1]"
    assert _CODES.sub("", ansi_text(line)) == "-> [bold]not markup[/bold] \\[x]".ljust(77) + "1.1"


@settings(deadline=None)
@given(st.text(alphabet="ab ,", max_size=200), st.sampled_from(["1", "16.1(2)", "12.2.1.2, 13.4"]), st.integers(30, 100))
def test_rule_is_dim_at_the_right_edge(text: str, rule: str, width: int) -> None:
    line = Line(text, "board", rule, "-> ")
    rows = ansi_text([line], width).split("\n")

    assert [_CODES.sub("", row) for row in rows] == terminal_rows(line, width)
    assert rows[-1].endswith(f"{rule}\x1b[0m")
    assert len(terminal_rows(line, width)[-1]) == width or max(map(len, text.split())) > width - 12
    assert " ".join(terminal_rows(line, width)).split() == ["->", *text.split(), *rule.split()]
    assert row_count([line], width) >= len(rows)


def test_continuation_rows_are_indented() -> None:
    assert layout(Line("one two three four five six", "", "", " 12  "), 25) == [" 12  one two three four", "     five six"]


def test_lists_break_between_items() -> None:
    assert wrap("10 x A, 11 x B, 12 x C, 13 x D, 14 x E, 15 x F, 16 x G", 40) == [
        "10 x A, 11 x B, 12 x C, 13 x D, 14 x E,",
        "15 x F, 16 x G",
    ]


@settings(deadline=None)
@given(st.text(alphabet="ab ,[]", max_size=200), st.integers(20, 60))
def test_wrapping_loses_nothing_and_breaks_no_word(text: str, width: int) -> None:
    rows = wrap(text, width)

    assert " ".join(rows).split() == text.split()
    assert all(len(row) <= width or " " not in row.strip() for row in rows)


@settings(deadline=None)
@given(st.text(max_size=60), st.text(max_size=10))
def test_control_characters_are_never_written(text: str, lead: str) -> None:
    for shown in (plain_text([Line(text, "", "", lead)]), "\n".join(line_texts([Line(text, "", "", lead)]))):
        assert all(char.isprintable() for char in shown.replace("\n", ""))


def test_columns_are_aligned_except_the_last() -> None:
    assert aligned_columns([("a", "bb", "c"), ("aaa", "b", "")]) == ["a    bb  c", "aaa  b"]


def test_last_cell_of_a_table_is_indented() -> None:
    assert layout(table_lines([("name", "word " * 20)])[0])[1].startswith("      word")
    assert table_lines([]) == []


def test_parts_are_packed_into_few_rows() -> None:
    assert packed_rows(["aaa 1", "bbb 2", "ccc 3"], 15) == ["aaa 1 | bbb 2", "ccc 3"]


def test_number_stays_beside_its_name_on_a_narrow_terminal() -> None:
    """A lead of 30 columns leaves ten of 40: enough for a number; a phrase takes the whole width."""
    number, phrase = table_lines([("Nodes that nobody has seen", "24"), ("Recruit", "thirty-one counters of both sides")])

    assert layout(number, 40) == ["Nodes that nobody has seen  24"]
    assert all(len(row) <= 40 for row in layout(phrase, 40))
    assert layout(phrase, 40)[0].startswith("Recruit")


def test_lines_break_between_parts_at_any_width() -> None:
    line = Line("OPs 65 | Morale Medium | Operations 0", "track")

    assert layout(line, 80) == ["OPs 65 | Morale Medium | Operations 0"]
    assert layout(line, 24) == ["OPs 65 | Morale Medium", "Operations 0"]


def test_choices_of_a_draw_run_across_the_screen() -> None:
    """Eight names in a cup take two rows; single counters have no number."""
    cup = {f"Marker {letter}": number for number, letter in enumerate("abcdefgh", 1)}
    rows = [row for line in question_lines(Draw("d", "Draw", "1", "cup", cup)) for row in layout(line)]

    assert rows[1].startswith("    1 Marker a   2 Marker b (2)   3 Marker c (3)")
    assert len(rows) == 4
