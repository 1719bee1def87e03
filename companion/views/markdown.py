"""Markdown pages as lines, laid out by rich with the project's own tones."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from io import StringIO
from itertools import groupby
from typing import TYPE_CHECKING, ClassVar

from rich import box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.markdown import CodeBlock, Heading, Markdown, MarkdownElement, TableElement
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from companion.views.lines import Line, Span, verbatim_line

if TYPE_CHECKING:
    from markdown_it.token import Token

FENCE = "```"

_PICTURE = re.compile(r"!\[([^\]]*)\]\([^)]*\)")
_FENCED = re.compile(r"(^```.*?^```)", re.M | re.S)
_QUOTED = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_PLAIN = {
    f"markdown.{name}": Style(bold=True) if name in ("h1", "h2", "h3", "strong", "code", "table.header") else Style()
    for name in ("h1", "h2", "h3", "strong", "code", "table.header", "table.border", "link", "item.bullet", "block_quote")
}


class _Heading(Heading):
    """A left-aligned heading without a frame."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        self.text.justify = "left"
        yield self.text


class _Code(CodeBlock):
    """Verbatim code with commands in bold, below the name of its file if it has one: `python games/coin.py`."""

    heading = ""
    whole = False  # True: long rows are not folded, and a file stands between the lines that fence it in the page

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> _Code:
        language, _, file = token.info.partition(" ")
        block = cls(language or "text", markdown.code_theme)
        if file:
            block.heading = f"Changes of {file}:" if language == "diff" else f"{file}:"
        return block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        rows = str(self.text).rstrip().split("\n")
        if self.heading:
            yield Text(self.heading, "bold")
            rows = [f"{FENCE}{self.lexer_name}", *rows, FENCE] if self.whole else rows
        for row in rows:
            bold = "bold" if row.startswith("$ ") else ""
            yield Text(row, bold, overflow="ignore" if self.whole else "fold", no_wrap=self.whole)


class _WholeCode(_Code):
    whole = True


class _Table(TableElement):
    """A table with a rule below its heading only."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        for table in super().__rich_console__(console, options):
            if isinstance(table, Table):
                table.box, table.pad_edge, table.show_edge = box.SIMPLE_HEAD, False, False
                table.show_header = any(str(column.header).strip() for column in table.columns)
            yield table


class _Page(Markdown):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {
        **Markdown.elements,
        "heading_open": _Heading,
        "fence": _Code,
        "code_block": _Code,
        "table_open": _Table,
    }


class _WholePage(_Page):
    elements: ClassVar[dict[str, type[MarkdownElement]]] = {**_Page.elements, "fence": _WholeCode, "code_block": _WholeCode}


def markdown_lines(text: str, width: int, quoted: bool = False, whole_code: bool = False) -> list[Line]:
    """Lay out a Markdown page. Pictures become their title, and comments are dropped.

    Args:
        text: The page.
        width: Columns.
        quoted: Keep backquotes around code, for output without bold letters.
        whole_code: Do not fold rows of code, and fence files, for output that a program reads or that is saved.
    """
    console = Console(width=width, file=StringIO(), color_system=None, theme=Theme(_PLAIN), legacy_windows=False)
    page = _PICTURE.sub(r"(Picture: \1)", text)
    if quoted:
        parts = _FENCED.split(page)
        page = "".join(part if part.startswith("```") else _QUOTED.sub(r"`` `\1` ``", part) for part in parts)
    layout = (_WholePage if whole_code else _Page)(page, hyperlinks=False)
    rows = Segment.split_lines(console.render(layout, console.options.update(width=width)))
    return list(_without_double_blanks(_line(row, width) for row in rows))


def _without_double_blanks(lines: Iterable[Line]) -> Iterator[Line]:
    """Drop the second of two blank lines, except in a fenced file."""
    was_blank, fenced = True, False
    for line in lines:
        fenced ^= line.text.startswith(FENCE)
        if line.text or fenced or not was_blank:
            yield line
        was_blank = not line.text


def _line(row: list[Segment], width: int) -> Line:
    """Return a row of segments as a line; bold text gets the tone of a key. Only code that is not folded is longer than a row."""
    text = "".join(segment.text for segment in row).rstrip()
    return verbatim_line(text, tuple(_bold(row, len(text))))._replace(whole=len(text) > width)


def _bold(row: list[Segment], end: int) -> Iterator[Span]:
    end_of_part = 0
    for bold, parts in groupby(row, key=lambda segment: bool(segment.style and segment.style.bold)):
        start, end_of_part = end_of_part, end_of_part + sum(len(segment.text) for segment in parts)
        if bold and start < end:
            yield Span(start, min(end_of_part, end), "key")
