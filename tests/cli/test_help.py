"""``companion help``: the pages that come with the program, on a screen, in a pipe and as JSON."""

from __future__ import annotations

import re

import pytest

from companion.session.files import help_page, help_topics
from companion.views.lines import layout, plain_text
from companion.views.markdown import markdown_lines
from tests.support.commands import companion


def test_the_list_has_every_page_with_its_heading() -> None:
    told = companion("help")

    assert told.code == 0
    for topic, title in help_topics().items():
        assert f"  {topic} " in told.out
        assert title[:30] in told.out


@pytest.mark.parametrize("words", ["correcting", "corr", "CORRECTING"])
def test_a_page_by_its_first_letters(words: str) -> None:
    told = companion("help", words).out

    assert told.startswith("Correcting anything")
    assert "`companion redo`" in told
    assert max(map(len, told.splitlines())) <= 80


def test_a_command_that_has_no_page_tells_what_it_takes() -> None:
    assert companion("help", "do").out.startswith("Usage: companion do ")
    assert "\n  --undone " in companion("help", "log").out


def test_where_a_page_and_a_command_have_one_name_the_page_names_the_other() -> None:
    assert companion("help", "luck").out.rstrip().endswith("companion luck --help")


def test_an_unknown_topic_is_a_message_and_its_cure() -> None:
    told = companion("help", "\x1b[31mnonsense")

    assert (told.code, told.out) == (2, "")
    assert "no page of help is called '[31mnonsense'" in told.err
    assert "companion help" in told.err
    assert companion("help", "l").err.startswith("'l' ")


def test_as_json() -> None:
    listed = companion("help", "--json").json["topics"]
    one = companion("help", "luck", "--json").json

    assert {"topic": "luck", "title": help_topics()["luck"]} in listed
    assert (one["topic"], one["text"]) == ("luck", help_page("luck"))
    assert companion("help", "do", "--json").json["command"] == "do"


def test_tab_offers_the_pages() -> None:
    assert companion("--complete", "fish", "help", "corr").out.startswith("correcting\tCorrecting anything")


def test_files_are_named_above_their_code() -> None:
    text = "```python games/coin.py\nx = 1\n```\n\n```diff games/coin.py\n-x = 1\n+x = 2\n```\n\n```text\nplain\n```\n"
    lines = markdown_lines(text, 40)

    assert [line.lead + line.text for line in lines] == [
        *("games/coin.py:", "x = 1", "", "Changes of games/coin.py:", "-x = 1", "+x = 2", "", "plain")
    ]
    assert [[span.tone for span in line.spans] for line in lines] == [["key"], [], [], ["key"], [], [], [], []]


def test_every_named_file_of_a_page_is_named_at_the_terminal() -> None:
    shown = companion("help", "a-game-of-your-own").out
    names = re.findall(r"^```(?:python|toml|diff) (\S+)$", help_page("a-game-of-your-own"), re.M)

    assert len(names) > 6
    assert [name for name in names if f"{name}:" not in shown] == []


def test_markdown_is_laid_out_in_our_own_tones() -> None:
    text = (
        "# Head\n\nType `a  b` or **go**. ![A map](m.svg)\n\n<!-- x -->\n\n"
        "| a | b |\n|---|---|\n| 1 | `2` |\n\n```sh\n$ run\n  -> it\n```\n"
    )
    lines = markdown_lines(text, 40)

    assert [line.lead + line.text for line in lines] == [
        *("Head", "", "Type a  b or go. (Picture: A map)", "", "a  b", "────", "1  2", "", "$ run", "  -> it")
    ]
    assert [lines[2].text[span.start : span.end] for span in lines[2].spans] == ["a  b", "go"]
    assert {span.tone for line in lines for span in line.spans} == {"key"}
    assert "`a  b` or go" in plain_text(markdown_lines(text, 40, quoted=True), 40)
    assert all(len(row) <= 40 for line in markdown_lines("x " * 90, 40) for row in layout(line, 40))
