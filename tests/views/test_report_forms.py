"""Markdown and BBCode reports, parsed again: the text is unchanged."""

from __future__ import annotations

import re

import pytest
from markdown_it import MarkdownIt

from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from companion.views.report.document import (
    Block,
    Collapsible,
    Heading,
    Quote,
    Table,
    bullet_list,
    document,
    paragraph,
    plain_texts,
    strong,
)
from companion.views.report.render import TAGS, escape_bbcode, report_bbcode, report_md
from companion.views.report.report import build_report

HOSTILE = [
    "*so* _what_ `code` **x** 3*5*2 snake_case __init__ ~~gone~~",
    "<b>loud</b> <!-- x --> <https://a.b> 3<5 3 < 5 &amp; &#35; C&C",
    "[link](x) [a][b] ![picture](x) [ref]: http://x",
    "[b]loud[/b] [url=http://x]y[/url] [-]gone[/-] [SIZE=40]big[/SIZE] [q=\"me\"]no[/q] [roll] [16.7] [Turn Sequence]",
    "\\* \\\\ \\x C:\\new\\folder",
    "# no heading", "> no quotation", "- no item", "+ none", "12. no number", "===", "| a | b |", "1) x",
    "\x1b[31mred\ttab",
]  # fmt: skip


def shown(text: str) -> str:
    """Return a text without blanks, for comparison."""
    return re.sub(r"\s", "", text)


def words_of_md(text: str) -> str:
    """Return the text of rendered Markdown."""
    result = []
    for token in MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(text):
        for inner in token.children or ():
            assert inner.type in ("text", "softbreak", "strong_open", "strong_close", "text_special"), (inner.type, token.content)
            result.append(inner.content)
        assert token.type not in ("html_block", "code_block", "fence", "hr"), token.content
    return shown("".join(result))


def words_of_bbcode(text: str) -> str:
    """Return the text of rendered BBCode; fail on unknown or unbalanced tags."""
    assert not re.search(r"<\S", text)
    opened: list[str] = []
    result, index = "", 0
    for tag in re.finditer(r"\[(/?)([a-zA-Z-]+)(?:=[^\]]*)?\]", text):
        if tag[2].casefold() not in TAGS:
            continue
        result += text[index : tag.start()]
        index = tag.end()
        if tag[1]:
            assert opened.pop() == tag[2]
        else:
            assert tag[2] != "c" or "c" not in opened
            opened.append(tag[2])
    assert opened == []
    return shown(re.sub(r"^-{3,}$", "", result + text[index:], flags=re.M))


def without_list_markers(text: str) -> str:
    """Return a text without the list markers that BBCode reports contain."""
    return re.sub(r"^- ", "", text, flags=re.M)


@pytest.fixture
def blocks(archive: Archive, tiny_game: str) -> list[Block]:
    """The report of a session whose texts all contain markup characters."""
    session = SessionController.create(archive, "tiny", seed="7")
    for text in HOSTILE:
        session.note(text)
        session.adjust([("supply", str(3 + session.position.track("supply") % 2))], text)
    session.do("march", Answers(plain=["red", "ford"], dice=[2]))
    session.do("fight", Answers(plain=["blue"], dice=[5, 1], accept=True))
    return document(build_report("x", session.game, session.history, session.options))


@pytest.mark.parametrize("text", HOSTILE)
def test_text_never_becomes_markup(text: str) -> None:
    own: list[Block] = [
        Heading(2, text), paragraph(text), paragraph(strong(text), " and ", text), bullet_list([text, text]), Quote(text),
        Table(("a", "b"), ((text, "1"), (text, text)), frozenset({1})), Collapsible(text, (paragraph(text),)),
    ]  # fmt: skip
    expected = shown("".join(plain_texts(own)))

    assert words_of_md(report_md(own)) == expected
    assert words_of_bbcode(without_list_markers(report_bbcode([item for item in own if text != "- no item"]))) == shown(
        "".join(plain_texts([item for item in own if text != "- no item"]))
    )


def test_report_has_the_same_words_in_every_format(blocks: list[Block]) -> None:
    expected = shown("".join(plain_texts(blocks)))

    assert words_of_md(report_md(blocks)) == expected
    assert words_of_bbcode(without_list_markers(report_bbcode(blocks))) == shown(re.sub(r"^- ", "", "".join(plain_texts(blocks))))


def test_tables_are_aligned_and_the_log_is_folded(blocks: list[Block]) -> None:
    text = report_bbcode(blocks)
    table = text.partition("[c]")[2].partition("[/c]")[0].splitlines()

    assert table[0].split() == ["Item", "Points", "Rule"] and set(table[1]) == {"-"} == set(table[-2])
    assert len({row.index(row.split()[-1]) for row in (table[0], table[-1])}) == 1
    assert text.count("[o]") == 1 + sum(isinstance(block, Collapsible) for block in blocks) - 1
    assert "|" not in text.partition("The story")[0] and "#" not in text.partition("The story")[0]


def test_no_needless_backslash() -> None:
    plain = "Edge: Coalition 5+1* = 6, 3*, ford_cost -> lost [16.1(2)]; C&C"

    assert escape_bbcode(plain) == plain
    assert "\\" not in report_md([paragraph(plain), Quote(plain), Table(("a",), ((plain,),))])
