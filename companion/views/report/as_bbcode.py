"""A report as BBCode for BoardGameGeek, which has no headings, lists or tables: sizes, signs and monospaced rows stand in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.words import clean
from companion.views.lines import columns
from companion.views.report.blocks import Block, Grid, Heading, Items, Para, Picture, Quote, Run

TAGS = ("b", "c", "i", "o", "q", "size", "u")
"""The tags that are written here."""

_OTHERS = (
    *("-", "article", "bgcolor", "blog", "center", "clear", "color", "floatleft", "floatright", "gameid", "geekurl", "guild"),
    *("heading", "hr", "imageid", "img", "listitem", "microbadge", "roll", "thing", "thread", "url", "user", "vimeo", "youtube"),
)
"""What else is a tag there."""

_SIZES = {1: 20, 2: 16, 3: 13}
"""Level of a heading -> its size."""


def bbcode(text: str) -> str:
    """Text that stays text there: no tag, and a blank behind each ``<``, which else swallows the rest of a post.

    >>> bbcode("3<5 [16.7]"), bbcode("[b]loud[/b]"), bbcode("a < b")
    ('3< 5 [16.7]', '[ b]loud[ /b]', 'a < b')
    """
    import re

    plain = re.sub(r"<(?=\S)", "< ", clean(text))
    tags = "|".join(map(re.escape, (*TAGS, *_OTHERS)))
    return re.sub(rf"\[(?=/?(?:{tags})[\]=\s])", "[ ", plain, flags=re.I)


def report_bbcode(blocks: Sequence[Block]) -> str:
    """The document. Pictures are left out: a post shows only what was uploaded there."""
    return "\n\n".join(text for block in blocks if (text := _block(block))) + "\n"


def _block(block: Block) -> str:
    if isinstance(block, Heading):
        return f"[size={_SIZES.get(block.level, 12)}][b]{bbcode(block.text)}[/b][/size]"
    if isinstance(block, Para):
        return _runs(block.runs)
    if isinstance(block, Items):
        return "\n".join(f"- {_runs(runs)}" for runs in block.items)
    if isinstance(block, Quote):
        return f"[q]{bbcode(block.text)}[/q]"
    if isinstance(block, Grid):
        return _grid(block)
    if isinstance(block, Picture):
        return ""
    inner = report_bbcode(block.blocks).rstrip("\n")
    return f"{_block(Heading(block.level, block.title))}\n[o]{inner}[/o]"


def _runs(runs: Iterable[Run]) -> str:
    """Words with their weight."""
    found = ""
    for run in runs:
        told = bbcode(run.text)
        told = f"[b]{told}[/b]" if run.style and told else told
        found += f"{' ' * run.text.startswith(' ')}{told}{' ' * run.text.endswith(' ')}"
    return found.strip()


def _grid(block: Grid) -> str:
    """Aligned rows in letters of one width, a rule below the head and above the total."""
    rows = [[bbcode(cell) for cell in row] for row in (block.head, *block.rows)]
    wide = [max(len(row[at]) for row in rows) for at in range(len(block.head))]
    cells = [[cell.rjust(wide[at]) if at in block.right else cell for at, cell in enumerate(row)] for row in rows]
    told = columns(cells)
    rule = "-" * max(map(len, told))
    told.insert(1, rule)
    if block.total:
        told.insert(-1, rule)
    return "[c]" + "\n".join(told) + "[/c]"
