"""A report as JSON data, Markdown, BBCode or HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from companion.core.errors import Unreadable
from companion.core.text import clean
from companion.core.values import JsonDict
from companion.session.shipped import read_text, shipped_path
from companion.session.state import SessionState
from companion.views.banner import sample_keys
from companion.views.data import position_data, score_data
from companion.views.lines import aligned_columns
from companion.views.log import log_data
from companion.views.map_text import session_map
from companion.views.report import document as doc
from companion.views.report.report import Extent, Report, build_report
from companion.views.report.story import Chapter, entry_losses, paragraphs, track_changes
from companion.views.theme import PALETTE

if TYPE_CHECKING:
    from companion.session.luck import WeighedRoll


def report_data(report: Report) -> JsonDict:
    """Return the report as JSON data, with the whole log."""
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
            "differs": [item._asdict() for item in head.changed_options],
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
        "moments": [{"entry": item.entry, "chapter": item.chapter + 1, "text": item.text} for item in report.moments],
        "rolls": [_roll_data(entry, roll) for entry, rolls in report.rolls.items() for roll in rolls],
        **log_data(history, undone=True),
        "position": position_data(history.position()),
        "over": head.over,
        "score": score_data(head.score) if head.score else None,
        **_review_part(report),
    }


def _review_part(report: Report) -> JsonDict:
    if report.review is None:
        return {}
    from companion.views.review import review_data

    return {"review": review_data(report.review)}


def _chapter_data(report: Report, chapter: Chapter) -> JsonDict:
    texts = paragraphs(chapter, 0 if report.extent.full else report.form.most)
    changes = track_changes(report.game, report.form, chapter.before, chapter.after)
    return {
        "first": chapter.number,
        "last": chapter.last,
        "title": chapter.title,
        "scenes": [
            {"entry": item.entry.number, "story": text, "notes": list(item.notes), "count": item.points} for item, text in texts
        ],
        "tracks": [{"track": track, "was": was, "now": now} for track, was, now in changes],
        "losses": dict(sum(map(entry_losses, chapter.entries), Counter[str]())),
    }


def _roll_data(entry: int, roll: WeighedRoll) -> JsonDict:
    title = {"title": roll.title, "side": roll.side, "unit": roll.unit}
    return {"entry": entry, **title, "expected": roll.expected, "actual": roll.actual, "percentile": roll.percentile}


_MD_MARKUP = (
    r"\*(?=\w)|(?<!\w)\*(?=\S)|`|(?<![^\W_])_(?=\S)|~(?=~)"
    r"|<(?=[A-Za-z/!?])|\](?=[(\[])|\\(?=[!-/:-@\[-`{-~])|&(?=#?\w+;)"
)
"""Markup inside a line."""
_MD_LINE_START = r"[#>|]|\+(?=\s)|-(?=\s|-)|\d+[.)](?=\s)|=+$|\[(?=[^\]]*\]:)"  # markup at the start of a line


def escape_markdown(text: str) -> str:
    """Escape Markdown markup, only where it would have an effect, since many readers see the source.

    >>> escape_markdown("Tie [16.1(2)]: 3* -> won"), escape_markdown("*so* <b>"), escape_markdown("# no heading")
    ('Tie [16.1(2)]: 3* -> won', '\\\\*so* \\\\<b>', '\\\\# no heading')
    """
    import re

    plain = _escape_inside(text)
    first = re.match(_MD_LINE_START, plain)
    return plain if first is None else f"{plain[: first.end() - 1]}\\{plain[first.end() - 1 :]}"


def _escape_inside(text: str, strong: bool = False) -> str:
    """Escape a text inside a line; in `strong` text every star."""
    import re

    plain = clean(text)
    if "](" not in plain and "][" not in plain and not any(char in plain for char in "*`_~<\\&"):
        return plain
    return re.sub(rf"\*|{_MD_MARKUP}" if strong else _MD_MARKUP, lambda match: f"\\{match[0]}", plain)


def report_md(blocks: Sequence[doc.Block], pictures: bool = False) -> str:
    """Return the document as Markdown.

    Args:
        blocks: The document.
        pictures: Link to pictures in files next to the report.
    """
    return "\n\n".join(text for block in blocks if (text := _md_block(block, pictures))) + "\n"


def _md_block(block: doc.Block, pictures: bool) -> str:
    if isinstance(block, doc.Heading):
        return f"{'#' * block.level} {escape_markdown(block.text)}"
    if isinstance(block, doc.Paragraph):
        return _md_runs(block.runs)
    if isinstance(block, doc.BulletList):
        return "\n".join(f"- {_md_runs(runs)}" for runs in block.items)
    if isinstance(block, doc.Quote):
        return f"> {escape_markdown(block.text)}"
    if isinstance(block, doc.Table):
        return _md_table(block)
    if isinstance(block, doc.Picture):
        return f"![{escape_markdown(block.alt)}]({block.name}.svg)" if pictures else ""
    return report_md([doc.Heading(block.level, block.title), *block.blocks], pictures).rstrip("\n")


def _md_runs(runs: Iterable[doc.TextRun]) -> str:
    """Return runs as Markdown. Blanks go outside of the stars, where Markdown needs them."""
    result = ""
    for run in runs:
        text = _escape_inside(run.text, bool(run.style)) if result or run.style else escape_markdown(run.text)
        text = f"**{text}**" if run.style and text else text
        result += f"{' ' * run.text.startswith(' ')}{text}{' ' * run.text.endswith(' ')}"
    return result.strip()


def _md_table(block: doc.Table) -> str:
    cells = [[_md_cell(cell) for cell in row] for row in block.rows]
    if block.total and cells:
        cells[-1] = [f"**{cell}**" if cell and column < 2 else cell for column, cell in enumerate(cells[-1])]
    rule = ["---:" if column in block.right else "---" for column in range(len(block.head))]
    rows = [[_md_cell(cell) for cell in block.head], [], *cells]
    return "\n".join("|" + "|".join(rule) + "|" if not row else f"| {' | '.join(row)} |" for row in rows)


def _md_cell(text: str) -> str:
    return _escape_inside(text).replace("|", "\\|")


TAGS = ("b", "c", "i", "o", "q", "size", "u")
"""BBCode tags that are used."""

_OTHER_TAGS = (
    *("-", "article", "bgcolor", "blog", "center", "clear", "color", "floatleft", "floatright", "gameid", "geekurl", "guild"),
    *("heading", "hr", "imageid", "img", "listitem", "microbadge", "roll", "thing", "thread", "url", "user", "vimeo", "youtube"),
)
"""Other BBCode tags that must be escaped."""

_SIZES = {1: 20, 2: 16, 3: 13}  # heading level -> font size


def escape_bbcode(text: str) -> str:
    """Escape BBCode tags, and `<`, which would swallow the rest of a post.

    >>> escape_bbcode("3<5 [16.7]"), escape_bbcode("[b]loud[/b]"), escape_bbcode("a < b")
    ('3< 5 [16.7]', '[ b]loud[ /b]', 'a < b')
    """
    import re

    plain = re.sub(r"<(?=\S)", "< ", clean(text))
    tags = "|".join(map(re.escape, (*TAGS, *_OTHER_TAGS)))
    return re.sub(rf"\[(?=/?(?:{tags})[\]=\s])", "[ ", plain, flags=re.I)


def report_bbcode(blocks: Sequence[doc.Block]) -> str:
    """Return the document as BBCode for BoardGameGeek, which has no headings, lists or tables. Pictures are left out."""
    return "\n\n".join(text for block in blocks if (text := _bbcode_block(block))) + "\n"


def _bbcode_block(block: doc.Block) -> str:
    if isinstance(block, doc.Heading):
        return f"[size={_SIZES.get(block.level, 12)}][b]{escape_bbcode(block.text)}[/b][/size]"
    if isinstance(block, doc.Paragraph):
        return _bbcode_runs(block.runs)
    if isinstance(block, doc.BulletList):
        return "\n".join(f"- {_bbcode_runs(runs)}" for runs in block.items)
    if isinstance(block, doc.Quote):
        return f"[q]{escape_bbcode(block.text)}[/q]"
    if isinstance(block, doc.Table):
        return _bbcode_table(block)
    if isinstance(block, doc.Picture):
        return ""
    inner = report_bbcode(block.blocks).rstrip("\n")
    return f"{_bbcode_block(doc.Heading(block.level, block.title))}\n[o]{inner}[/o]"


def _bbcode_runs(runs: Iterable[doc.TextRun]) -> str:
    result = ""
    for run in runs:
        text = escape_bbcode(run.text)
        text = f"[b]{text}[/b]" if run.style and text else text
        result += f"{' ' * run.text.startswith(' ')}{text}{' ' * run.text.endswith(' ')}"
    return result.strip()


def _bbcode_table(block: doc.Table) -> str:
    """Return a table as monospaced rows, with rules below the heading and above the total."""
    rows = [[escape_bbcode(cell) for cell in row] for row in (block.head, *block.rows)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(block.head))]
    cells = [[cell.rjust(widths[column]) if column in block.right else cell for column, cell in enumerate(row)] for row in rows]
    lines = aligned_columns(cells)
    rule = "-" * max(map(len, lines))
    lines.insert(1, rule)
    if block.total:
        lines.insert(-1, rule)
    return "[c]" + "\n".join(lines) + "[/c]"


def report_html(blocks: Sequence[doc.Block]) -> str:
    """Return the document as one HTML page without scripts or external files. The template escapes all texts."""
    from jinja2 import Environment, StrictUndefined

    text = read_text(shipped_path("views", "report", "page.html"))
    engine = Environment(autoescape=True, trim_blocks=True, undefined=StrictUndefined)
    head, *rest = _template_blocks(blocks)
    headings = doc.linked_headings(blocks)
    shown = [head, *rest[: _blocks_before_heading(blocks)], ("Contents", headings), *rest[_blocks_before_heading(blocks) :]]
    return engine.from_string(text).render(title=head[1].text, blocks=shown, light=PALETTE["light"], dark=PALETTE["dark"])


def _blocks_before_heading(blocks: Sequence[doc.Block]) -> int:
    return next((index for index, block in enumerate(blocks[1:]) if isinstance(block, doc.Heading)), len(blocks) - 1)


def _template_blocks(blocks: Iterable[doc.Block]) -> list[tuple[str, Any]]:
    """Return each block with its type name, texts cleaned of control characters."""
    return [(type(block).__name__, _clean_block(block)) for block in blocks]


def _clean_block(block: doc.Block) -> Any:
    if isinstance(block, doc.Heading | doc.Quote):
        return block._replace(text=clean(block.text))
    if isinstance(block, doc.Paragraph):
        return doc.Paragraph(_clean_runs(block.runs))
    if isinstance(block, doc.BulletList):
        return doc.BulletList(tuple(_clean_runs(runs) for runs in block.items))
    if isinstance(block, doc.Table):
        rows = tuple(tuple(map(clean, row)) for row in block.rows)
        return block._replace(head=tuple(map(clean, block.head)), rows=rows)
    if isinstance(block, doc.Picture):
        return {"svg": block.svg, "caption": clean(block.caption)}
    assert isinstance(block, doc.Collapsible)
    return {"title": clean(block.title), "blocks": _template_blocks(block.blocks)}


def _clean_runs(runs: Iterable[doc.TextRun]) -> tuple[doc.TextRun, ...]:
    """Return runs without control characters, keeping the blanks between them."""
    return tuple(
        run._replace(text=" " * run.text.startswith(" ") + clean(run.text) + " " * run.text.endswith(" ")) for run in runs
    )


TEXTS = ("md", "html", "bbcode")
FORMS = (*TEXTS, "json")


def session_report(session: SessionState, extent: Extent, luck: bool = False) -> Report:
    """Return the report of a session. `luck`: include expected and actual results of the rolls."""
    if not luck:
        return build_report(session.info.name, session.game, session.history, session.options, extent)
    from companion.session.luck import luck_by_entry as weighed

    return build_report(session.info.name, session.game, session.history, session.options, extent, weighed(session))


def report_text(session: SessionState, report: Report, form: str) -> str:
    """Return a report as Markdown, HTML or BBCode. Raises Unreadable if nothing has been played."""
    if form == "html":
        return report_html(report_blocks(session, report, True))
    if form == "bbcode":
        return report_bbcode(report_blocks(session, report, False))
    return report_md(report_blocks(session, report, False))


def report_blocks(session: SessionState, report: Report, drawn: bool) -> list[doc.Block]:
    """Return a report as a document, with pictures if `drawn`. Raises Unreadable if nothing has been played."""
    if not report.chapters:
        raise Unreadable(f"nothing has been played in session {report.head.session} yet", cure="Begin: companion do ACTION")
    review: list[doc.Block] = []
    if report.review is not None:
        from companion.views.review import renumbered, review_blocks

        numbers = {entry.number: number for number, entry in enumerate(report.history.in_force)}
        review = review_blocks(renumbered(report.review, numbers), level=2, drawn=drawn)
    map_at = partial(session_map, session) if drawn else lambda position: None
    return doc.document(report, drawn, map_at, review)
