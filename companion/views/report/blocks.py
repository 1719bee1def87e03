"""What a document is made of, whatever it is written as: headings, paragraphs, lists, tables, quotations, folds and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.core.words import clean


class TextRun(NamedTuple):
    """Some words of a paragraph. ``style``: "" or ``strong``."""

    text: str
    style: str = ""


class Heading(NamedTuple):
    """A heading. ``level``: from 1, the title. ``anchor``: what the contents link to; "" for none."""

    level: int
    text: str
    anchor: str = ""


class Paragraph(NamedTuple):
    """A paragraph."""

    runs: tuple[TextRun, ...]


class BulletList(NamedTuple):
    """A list without an order."""

    items: tuple[tuple[TextRun, ...], ...]


class Table(NamedTuple):
    """A table. ``right``: the columns of figures; ``total``: whether its last row adds the others up."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    total: bool = False


class Quote(NamedTuple):
    """What somebody wrote down."""

    text: str


class Collapsible(NamedTuple):
    """What only some readers want to see, under a title."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 3


class Picture(NamedTuple):
    """A drawing as SVG. ``name``: of a file of its own, without its ending; ``alt``: what it shows; ``caption``: what it does not
    say of itself.
    """

    name: str
    svg: str
    alt: str
    caption: str = ""


Block = Heading | Paragraph | BulletList | Table | Quote | Collapsible | Picture


def paragraph(*parts: str | TextRun) -> Paragraph:
    """A paragraph of plain texts and runs.

    >>> paragraph("a ", Run("b", "strong")).runs
    (Run(text='a ', style=''), Run(text='b', style='strong'))
    """
    return Paragraph(tuple(part if isinstance(part, TextRun) else TextRun(part) for part in parts))


def strong(text: str) -> TextRun:
    """Words with weight."""
    return TextRun(text, "strong")


def bullet_list(texts: Iterable[str]) -> BulletList:
    """A list of plain texts."""
    return BulletList(tuple((TextRun(text),) for text in texts))


def plain_texts(blocks: Sequence[Block]) -> list[str]:
    """Every text that a reader must find, in order and without control characters; what pictures show is not text."""
    found: list[str] = []
    for block in blocks:
        if isinstance(block, Heading | Quote):
            found.append(block.text)
        elif isinstance(block, Paragraph):
            found.append("".join(run.text for run in block.runs))
        elif isinstance(block, BulletList):
            found += ["".join(run.text for run in runs) for runs in block.items]
        elif isinstance(block, Table):
            found += [*block.head, *(cell for row in block.rows for cell in row)]
        elif isinstance(block, Collapsible):
            found += [block.title, *plain_texts(block.blocks)]
    return [clean(text) for text in found if text]
