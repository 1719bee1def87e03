"""A report as one page of HTML that needs nothing else: no script, no network, its pictures inside."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import Any

from companion.core.words import clean
from companion.views.report.blocks import Block, BulletList, Collapsible, Heading, Paragraph, Picture, Quote, Table, TextRun
from companion.views.report.document import linked_headings
from companion.views.theme import PALETTE


def report_html(blocks: Sequence[Block]) -> str:
    """The page. What it shows is escaped by the template, whatever anybody wrote; only the pictures are taken as they are."""
    from jinja2 import Environment, StrictUndefined

    with open(os.path.join(os.path.dirname(__file__), "page.html"), encoding="utf-8") as file:
        text = file.read()
    engine = Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    head, *rest = _template_blocks(blocks)
    found = linked_headings(blocks)
    shown = [head, *rest[: _blocks_before_heading(blocks)], ("Contents", found), *rest[_blocks_before_heading(blocks) :]]
    return engine.from_string(text).render(title=head[1].text, blocks=shown, light=PALETTE["light"], dark=PALETTE["dark"])


def _blocks_before_heading(blocks: Sequence[Block]) -> int:
    """How many blocks stand between the title and the next heading."""
    return next((at for at, block in enumerate(blocks[1:]) if isinstance(block, Heading)), len(blocks) - 1)


def _template_blocks(blocks: Iterable[Block]) -> list[tuple[str, Any]]:
    """Each block with its kind, its texts without control characters, its drawing as markup."""
    return [(type(block).__name__, _clean_block(block)) for block in blocks]


def _clean_block(block: Block) -> Any:
    if isinstance(block, Heading | Quote):
        return block._replace(text=clean(block.text))
    if isinstance(block, Paragraph):
        return Paragraph(_clean_runs(block.runs))
    if isinstance(block, BulletList):
        return BulletList(tuple(_clean_runs(runs) for runs in block.items))
    if isinstance(block, Table):
        rows = tuple(tuple(map(clean, row)) for row in block.rows)
        return block._replace(head=tuple(map(clean, block.head)), rows=rows)
    if isinstance(block, Picture):
        return {"svg": block.svg, "caption": clean(block.caption)}
    assert isinstance(block, Collapsible)
    return {"title": clean(block.title), "blocks": _template_blocks(block.blocks)}


def _clean_runs(runs: Iterable[TextRun]) -> tuple[TextRun, ...]:
    """The runs with the blanks between them."""
    return tuple(
        run._replace(text=" " * run.text.startswith(" ") + clean(run.text) + " " * run.text.endswith(" ")) for run in runs
    )
