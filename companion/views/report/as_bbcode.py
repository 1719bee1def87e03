"""A report as BBCode for BoardGameGeek, which has no headings, lists or tables: sizes, signs and monospaced rows stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.words import clean
from companion.views.lines import aligned_columns
from companion.views.report.blocks import Block, BulletList, Heading, Paragraph, Picture, Quote, Table, TextRun

TAGS = ("b", "c", "i", "o", "q", "size", "u")
"""The tags that are written here."""

_OTHER_TAGS = (
    *("-", "article", "bgcolor", "blog", "center", "clear", "color", "floatleft", "floatright", "gameid", "geekurl", "guild"),
    *("heading", "hr", "imageid", "img", "listitem", "microbadge", "roll", "thing", "thread", "url", "user", "vimeo", "youtube"),
)
"""What else is a tag there."""

_SIZES = {1: 20, 2: 16, 3: 13}
"""Level of a heading -> its size."""


def escape_bbcode(text: str) -> str:
    """Text that stays text there: no tag, and a blank behind each ``<``, which else swallows the rest of a post.

    >>> escape_bbcode("3<5 [16.7]"), escape_bbcode("[b]loud[/b]"), escape_bbcode("a < b")
    ('3< 5 [16.7]', '[ b]loud[ /b]', 'a < b')
    """
    import re

    plain = re.sub(r"<(?=\S)", "< ", clean(text))
    tags = "|".join(map(re.escape, (*TAGS, *_OTHER_TAGS)))
    return re.sub(rf"\[(?=/?(?:{tags})[\]=\s])", "[ ", plain, flags=re.I)


def report_bbcode(blocks: Sequence[Block]) -> str:
    """The document. Pictures are left out: a post shows only what was uploaded there."""
    return "\n\n".join(text for block in blocks if (text := _bbcode_block(block))) + "\n"


def _bbcode_block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"[size={_SIZES.get(block.level, 12)}][b]{escape_bbcode(block.text)}[/b][/size]"
    if isinstance(block, Paragraph):
        return _bbcode_runs(block.runs)
    if isinstance(block, BulletList):
        return "\n".join(f"- {_bbcode_runs(runs)}" for runs in block.items)
    if isinstance(block, Quote):
        return f"[q]{escape_bbcode(block.text)}[/q]"
    if isinstance(block, Table):
        return _bbcode_table(block)
    if isinstance(block, Picture):
        return ""
    inner = report_bbcode(block.blocks).rstrip("\n")
    return f"{_bbcode_block(Heading(block.level, block.title))}\n[o]{inner}[/o]"


def _bbcode_runs(runs: Iterable[TextRun]) -> str:
    """Words with their weight."""
    found = ""
    for run in runs:
        told = escape_bbcode(run.text)
        told = f"[b]{told}[/b]" if run.style and told else told
        found += f"{' ' * run.text.startswith(' ')}{told}{' ' * run.text.endswith(' ')}"
    return found.strip()


def _bbcode_table(block: Table) -> str:
    """Aligned rows in letters of one width, a rule below the head and above the total."""
    rows = [[escape_bbcode(cell) for cell in row] for row in (block.head, *block.rows)]
    wide = [max(len(row[at]) for row in rows) for at in range(len(block.head))]
    cells = [[cell.rjust(wide[at]) if at in block.right else cell for at, cell in enumerate(row)] for row in rows]
    told = aligned_columns(cells)
    rule = "-" * max(map(len, told))
    told.insert(1, rule)
    if block.total:
        told.insert(-1, rule)
    return "[c]" + "\n".join(told) + "[/c]"
