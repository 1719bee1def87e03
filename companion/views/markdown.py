"""Markdown pages as lines, laid out by rich with the project's own tones."""

from __future__ import annotations

import re
from collections.abc import Iterator
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

    @classmethod
    def create(cls, markdown: Markdown, token: Token) -> _Code:
        language, _, file = token.info.partition(" ")
        block = cls(language or "text", markdown.code_theme)
        if file:
            block.heading = f"Changes of {file}:" if language == "diff" else f"{file}:"
        return block

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        if self.heading:
            yield Text(self.heading, "bold")
        for row in str(self.text).rstrip().split("\n"):
            yield Text(row, "bold" if row.startswith("$ ") else "", overflow="fold")


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


def markdown_lines(text: str, width: int, quoted: bool = False) -> list[Line]:
    """Lay out a Markdown page. Pictures become their title, and comments are dropped.

    Args:
        text: The page.
        width: Columns.
        quoted: Keep backquotes around code, for output without bold letters.
    """
    console = Console(width=width, file=StringIO(), color_system=None, theme=Theme(_PLAIN), legacy_windows=False)
    page = _PICTURE.sub(r"(Picture: \1)", text)
    if quoted:
        parts = _FENCED.split(page)
        page = "".join(part if part.startswith("```") else _QUOTED.sub(r"`` `\1` ``", part) for part in parts)
    rows = console.render_lines(_Page(page, hyperlinks=False), console.options.update(width=width), pad=False)
    lines = [_line(row) for row in rows]
    return [line for line, last in zip(lines, ["", *(line.text for line in lines)], strict=False) if line.text or last]


def _line(row: list[Segment]) -> Line:
    """Return a row of segments as a line; bold text gets the tone of a key."""
    text = "".join(segment.text for segment in row).rstrip()
    return verbatim_line(text, tuple(_bold(row, len(text))))


def _bold(row: list[Segment], end: int) -> Iterator[Span]:
    end_of_part = 0
    for bold, parts in groupby(row, key=lambda segment: bool(segment.style and segment.style.bold)):
        start, end_of_part = end_of_part, end_of_part + sum(len(segment.text) for segment in parts)
        if bold and start < end:
            yield Span(start, min(end_of_part, end), "key")
