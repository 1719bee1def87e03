"""A report as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.words import clean
from companion.views.report.blocks import Block, BulletList, Heading, Paragraph, Picture, Quote, Table, TextRun

_MD_MARKUP = (
    r"\*(?=\w)|(?<!\w)\*(?=\S)|`|(?<![^\W_])_(?=\S)|~(?=~)"
    r"|<(?=[A-Za-z/!?])|\](?=[(\[])|\\(?=[!-/:-@\[-`{-~])|&(?=#?\w+;)"
)
"""What begins markup where it stands."""
_MD_LINE_START = r"[#>|]|\+(?=\s)|-(?=\s|-)|\d+[.)](?=\s)|=+$|\[(?=[^\]]*\]:)"
"""What begins markup at the beginning of a line."""


def escape_markdown(text: str) -> str:
    """Text that stays text in Markdown, whatever the player wrote; what Markdown takes for text anyway is left as it is, since a
    backslash shows wherever Markdown is not read.

    >>> escape_markdown("Tie [16.1(2)]: 3* -> won"), escape_markdown("*so* <b>"), escape_markdown("# no heading")
    ('Tie [16.1(2)]: 3* -> won', '\\\\*so* \\\\<b>', '\\\\# no heading')
    """
    import re

    plain = _escape_inside(text)
    first = re.match(_MD_LINE_START, plain)
    return plain if first is None else f"{plain[: first.end() - 1]}\\{plain[first.end() - 1 :]}"


def _escape_inside(text: str, strong: bool = False) -> str:
    """The same of a text that does not begin a line; in ``strong`` words any star would end them."""
    import re

    plain = clean(text)
    if "](" not in plain and "][" not in plain and not any(char in plain for char in "*`_~<\\&"):
        return plain
    return re.sub(rf"\*|{_MD_MARKUP}" if strong else _MD_MARKUP, lambda found: f"\\{found[0]}", plain)


def report_md(blocks: Sequence[Block], pictures: bool = False) -> str:
    """The document.

    Args:
        blocks: of which it is made.
        pictures: whether they stand as files beside it.
    """
    return "\n\n".join(text for block in blocks if (text := _md_block(block, pictures))) + "\n"


def _md_block(block: Block, pictures: bool) -> str:
    if isinstance(block, Heading):
        return f"{'#' * block.level} {escape_markdown(block.text)}"
    if isinstance(block, Paragraph):
        return _md_runs(block.runs)
    if isinstance(block, BulletList):
        return "\n".join(f"- {_md_runs(runs)}" for runs in block.items)
    if isinstance(block, Quote):
        return f"> {escape_markdown(block.text)}"
    if isinstance(block, Table):
        return _md_table(block)
    if isinstance(block, Picture):
        return f"![{escape_markdown(block.alt)}]({block.name}.svg)" if pictures else ""
    return report_md([Heading(block.level, block.title), *block.blocks], pictures).rstrip("\n")


def _md_runs(runs: Iterable[TextRun]) -> str:
    """Words with their weight; blanks stand outside of it, or Markdown would not see it."""
    found = ""
    for run in runs:
        told = _escape_inside(run.text, bool(run.style)) if found or run.style else escape_markdown(run.text)
        told = f"**{told}**" if run.style and told else told
        found += f"{' ' * run.text.startswith(' ')}{told}{' ' * run.text.endswith(' ')}"
    return found.strip()


def _md_table(block: Table) -> str:
    cells = [[_md_cell(cell) for cell in row] for row in block.rows]
    if block.total and cells:
        cells[-1] = [f"**{cell}**" if cell and column < 2 else cell for column, cell in enumerate(cells[-1])]
    rule = ["---:" if column in block.right else "---" for column in range(len(block.head))]
    rows = [[_md_cell(cell) for cell in block.head], [], *cells]
    return "\n".join("|" + "|".join(rule) + "|" if not row else f"| {' | '.join(row)} |" for row in rows)


def _md_cell(text: str) -> str:
    """The same in a table."""
    return _escape_inside(text).replace("|", "\\|")
