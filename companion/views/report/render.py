"""A report as JSON data, Markdown, BBCode or HTML."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from companion.core.errors import Unreadable
from companion.core.words import clean
from companion.session.state import SessionState
from companion.views.banner import sample_keys
from companion.views.data import position_data, score_data
from companion.views.lines import aligned_columns
from companion.views.log import log_data
from companion.views.report.chapters import Chapter, RollOutcome, paragraphs, track_changes
from companion.views.report.document import (
    Block,
    BulletList,
    Collapsible,
    Heading,
    Paragraph,
    Picture,
    Quote,
    Table,
    TextRun,
    linked_headings,
)
from companion.views.report.report import Report
from companion.views.theme import PALETTE

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.core.map import Map
    from companion.core.position import Position
    from companion.views.report.document import Block
    from companion.views.report.report import Extent, Report


def report_data(report: Report) -> dict[str, Any]:
    """The whole of it, with the log and the entries that were taken back."""
    head, history = report.head, report.history
    return {
        "session": head.session,
        "game": report.game.id,
        "head": {
            "title": head.title,
            "scenario": head.scenario,
            "edition": head.edition,
            "played": head.play_time._asdict() if head.play_time else None,
            "players": list(head.players),
            "differs": [one._asdict() for one in head.changed_options],
            "dice": head.dice,
            "stage": head.stage,
            "pending": head.pending,
            "undone": head.undone,
            "corrected": head.corrected,
        },
        "options": dict(report.options),
        "samples": sample_keys(history.in_force),
        "plans": list(report.plans),
        "chapters": [_chapter_data(report, chapter) for chapter in report.chapters],
        "moments": [{"entry": one.entry, "chapter": one.chapter + 1, "text": one.text} for one in report.moments],
        "rolls": [_roll_data(entry, roll) for entry, rolls in report.rolls.items() for roll in rolls],
        **log_data(history, undone=True),
        "position": position_data(history.position()),
        "over": head.over,
        "score": score_data(head.score) if head.score else None,
    }


def _chapter_data(report: Report, chapter: Chapter) -> dict[str, Any]:
    told = paragraphs(chapter, 0 if report.extent.full else report.form.most)
    changes = track_changes(report.game, report.form, chapter.before, chapter.after)
    return {
        "first": chapter.number,
        "last": chapter.last,
        "title": chapter.title,
        "scenes": [
            {"entry": scene.entry.number, "story": text, "notes": list(scene.notes), "count": scene.points}
            for scene, text in told
        ],
        "tracks": [{"track": track, "was": was, "now": now} for track, was, now in changes],
        "losses": _chapter_losses(chapter),
    }


def _roll_data(entry: int, roll: RollOutcome) -> dict[str, Any]:
    told = {"title": roll.title, "side": roll.side, "unit": roll.unit}
    return {"entry": entry, **told, "expected": roll.expected, "actual": roll.actual, "percentile": roll.percentile}


def _chapter_losses(chapter: Chapter) -> dict[str, int]:
    found: dict[str, int] = {}
    for scene in chapter.entries:
        for clause in scene.sentences:
            for side, lost in clause.losses:
                found[side] = found.get(side, 0) + lost
    return found


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


TEXTS = ("md", "html", "bbcode")
FORMS = (*TEXTS, "json")


def session_report(desk: SessionState, extent: Extent, luck: bool = False) -> Report:
    """The report of a session. ``luck``: with what the rolls brought beside what they bring on average."""
    from companion.views.report.report import build_report

    if not luck:
        return build_report(desk.info.name, desk.game, desk.history, desk.options, extent)
    from companion.session.luck import luck_by_entry as weighed

    return build_report(desk.info.name, desk.game, desk.history, desk.options, extent, weighed(desk))


def report_text(desk: SessionState, report: Report, form: str) -> str:
    """A report as a text of some form but ``json``. Raises Unreadable: nothing has been played yet."""
    if form == "html":
        return report_html(report_blocks(desk, report, True))
    if form == "bbcode":
        return report_bbcode(report_blocks(desk, report, False))
    return report_md(report_blocks(desk, report, False))


def report_blocks(desk: SessionState, report: Report, drawn: bool) -> list[Block]:
    """A report as a document, with its pictures where they are ``drawn``. Raises Unreadable: nothing has been played yet."""
    from companion.views.report.document import document

    if not report.chapters:
        raise Unreadable(f"nothing has been played in session {report.head.session} yet", cure="Begin: companion play")
    return document(report, True, _map_function(desk)) if drawn else document(report)


def _map_function(desk: SessionState) -> Callable[[Position], Map | None]:
    """The map of a session, as far as it is known."""
    from companion.views.map_text import known_map

    facts, learnt = desk.log.facts(), desk.archive.inferred_facts(desk.game.id)
    return lambda position: known_map(desk.game, position, desk.options, facts, learnt) if desk.game.map_in else None
