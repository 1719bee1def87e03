"""Lines with a tone and a rule number: the form of all output.

A line is laid out to a width and written as plain text or with terminal colours. Spans give parts of a line a tone of their own.
Markup is never parsed, so `[16.7]` is shown unchanged.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from companion.core.hints import TYPE_CHECKING, Any
from companion.core.named_tuple import NamedTuple
from companion.core.text import clean, contains_words, join_counted
from companion.core.values import JsonDict
from companion.views.theme import EITHER, Tone, ansi_code

if TYPE_CHECKING:
    from companion.core.history import Reply
    from companion.core.position import Piece

_LIST_SLACK = 16  # characters of a row that may stay empty to break a list between its items
_LIST_COMMAS = 5  # number of commas from which a text is treated as a list
_MIN_TEXT_WIDTH = 20  # minimum width of a text, in columns

WIDTH = 80
"""Default width, in columns."""

SEPARATORS = (" | ", "   ")
"""Separators at which a line is broken first."""

_RULE_GAP = 2  # minimum gap between a text and the rule at the right edge

LEADS: dict[str, str] = {"board": "-> ", "reminder": "* ", "warning": "! "}
"""Marker before the lines of a tone, so that plain text does not depend on colour."""


class Span(NamedTuple):
    """A part of a line with its own tone, as offsets that include the lead."""

    start: int
    end: int
    tone: Tone


def cited(text: str, rule: str) -> str:
    """Return the text with its rule in brackets, if it has one."""
    return f"{text} [{rule}]" if rule else text


class Line(NamedTuple):
    """One line before layout.

    Attributes:
        text: The text.
        tone: A key of `theme.MEANINGS`.
        rule: Rule number; in brackets after the text, or dim at the right edge of a colour terminal.
        lead: Number or marker before the text. Continuation rows are indented by its length.
        spans: Parts with another tone, ordered and not overlapping.
        whole: Keep it on one row, whatever the width.
    """

    text: str
    tone: Tone = ""
    rule: str = ""
    lead: str = ""
    spans: tuple[Span, ...] = ()
    whole: bool = False

    @property
    def cited(self) -> str:
        """The text with its rule, without control characters."""
        return clean(cited(self.text, self.rule))

    def with_lead(self, lead: str) -> "Line":
        """Return a copy with another lead."""
        more = len(lead) - len(self.lead)
        return self._replace(lead=lead, spans=tuple(Span(span.start + more, span.end + more, span.tone) for span in self.spans))

    def with_reason(self, why: str) -> "Line":
        """Return a copy with a dim reason after the text, unless the text says it already."""
        if not why or contains_words(self.text, why):
            return self
        begin, text = len(self.lead) + len(self.text), f"{self.text}: {why}"
        return self._replace(text=text, spans=(*self.spans, Span(begin, len(self.lead) + len(text), "dim")))


_ELLIPSIS = "..."
BLANK = Line("")


def verbatim_line(row: str, spans: tuple[Span, ...] = ()) -> Line:
    """Return a line that keeps the leading blanks of a finished row."""
    text = row.lstrip(" ")
    return Line(text, lead=row[: len(row) - len(text)], spans=spans)


def wrap(text: str, width: int) -> list[str]:
    """Break a text at blanks into rows of at most `width` characters; longer words stay whole."""
    for between in SEPARATORS:
        if between in text and len(text) > width:
            return [row for part in packed_rows(text.split(between), width, between) for row in wrap(part, width)]
    rows: list[str] = []
    listing = text.count(", ") >= _LIST_COMMAS
    while len(text) > width:
        cut = text.rfind(" ", 1, width + 1)
        comma = text.rfind(", ", 1, width) + 1 if listing else 0
        cut = comma if comma > width - _LIST_SLACK else cut
        if cut < 0 or not text[:cut].strip():
            cut = text.find(" ", width)
        if cut < 0:
            break
        rows.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*rows, text]


def printable(text: str) -> str:
    """Replace each control character with a blank."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)


def _hanging_rows(line: Line, width: int) -> tuple[str, list[str]]:
    """Return the lead and the wrapped rows. A lead too long to hang text behind becomes part of the text."""
    lead, text = printable(line.lead), line.cited
    if line.whole:
        return lead, [text]
    if len(lead) > width // 2 and len(lead) + len(text) > width:
        bare = lead.lstrip()
        lead, text = lead[: len(lead) - len(bare)], bare + text
    return lead, wrap(text, max(width - len(lead), _MIN_TEXT_WIDTH))


def layout(line: Line, width: int = WIDTH) -> list[str]:
    """Return the rows of a line as plain text."""
    lead, rows = _hanging_rows(line, width)
    hang = " " * len(lead)
    return [(lead + rows[0]).rstrip(), *(hang + row for row in rows[1:])]


def _room_beside_rule(line: Line, width: int) -> tuple[Line, int, str]:
    """Return the line without its rule, the width left for it, and the right-aligned rule."""
    bare, rule = line._replace(rule=""), printable(line.rule)
    room = width
    if rule and len(layout(bare, width)[-1]) + _RULE_GAP + len(rule) > width:
        room = max(width - _RULE_GAP - len(rule), _MIN_TEXT_WIDTH)
    return bare, room, rule and rule.rjust(width - len(layout(bare, room)[-1]))


def terminal_rows(line: Line, width: int) -> list[str]:
    """Return the rows of a line without colours, with the rule at the right edge."""
    bare, room, behind = _room_beside_rule(line, width)
    return _append_rule(layout(bare, room), behind, width)


def _append_rule(rows: list[str], behind: str, width: int, column: str = "") -> list[str]:
    """Append the rule to the last row, or add a row if it does not fit."""
    rule = behind.lstrip()
    fits = len(behind) >= len(rule) + _RULE_GAP
    ending = behind if fits else rule.rjust(width)
    ending = with_tone(ending, "rule", column) if column else ending
    return rows if not rule else [*rows[:-1], rows[-1] + ending] if fits else [*rows, ending]


def line_texts(lines: Iterable[Line]) -> list[str]:
    """Return each line as one unwrapped text."""
    return [f"{printable(line.lead)}{line.cited}".rstrip() for line in lines]


def line_data(line: Line) -> JsonDict:
    """Return the text, tone and rule of a line as JSON data."""
    return {"text": clean(line.text), "tone": line.tone, "rule": line.rule}


def lines_data(lines: Iterable[Line]) -> list[JsonDict]:
    """Return lines as JSON data."""
    return [line_data(line) for line in lines]


def plain_text(lines: Iterable[Line], width: int = WIDTH) -> str:
    """Lay lines out as plain text, without a final line break."""
    return "\n".join(row for line in lines for row in layout(line, width))


def ansi_text(lines: Iterable[Line], width: int = WIDTH, column: str = EITHER) -> str:
    """Lay lines out with ANSI colours of a theme column; needs no third-party library."""
    return "\n".join(row for line in lines for row in coloured_rows(line, width, column))


def coloured_rows(line: Line, width: int, column: str) -> list[str]:
    """Return the rows of a line with ANSI colours and the rule at the right edge."""
    bare, room, behind = _room_beside_rule(line, width)
    return _append_rule(_toned_rows(bare, room, column), behind, width, column)


def _toned_rows(line: Line, width: int, column: str) -> list[str]:
    """Return the rows of a line without a rule, with the colours of its tone and spans."""
    if not line.spans:
        return [with_tone(row, line.tone, column) for row in layout(line, width)]
    lead, rows = _hanging_rows(line, width)
    whole, end = printable(line.lead) + line.cited, len(lead + rows[0])
    toned = [_toned_row((lead + rows[0]).rstrip(), 0, line, column)]
    for row in rows[1:]:
        begin = whole.find(row, end)
        end = begin + len(row)
        toned.append(" " * len(lead) + _toned_row(row, begin, line, column))
    return toned


def _toned_row(row: str, begin: int, line: Line, column: str) -> str:
    """Colour one row that starts at offset `begin` of its line."""
    text, position = "", 0
    for span in line.spans:
        start, end = (min(max(offset - begin, position), len(row)) for offset in span[:2])
        text += with_tone(row[position:start], line.tone, column) + with_tone(row[start:end], span.tone, column)
        position = end
    return text + with_tone(row[position:], line.tone, column)


def with_tone(text: str, tone: Tone, column: str = EITHER) -> str:
    """Wrap a text in the ANSI codes of a tone."""
    codes = ansi_code(tone, column) if text else ""
    return f"\x1b[{codes}m{text}\x1b[0m" if codes else text


def aligned_columns(rows: Sequence[Sequence[str]], gap: int = 2) -> list[str]:
    """Return rows of cells with aligned columns; the last column is not padded."""
    widths = [max(map(len, column)) + gap for column in zip_longest(*rows, fillvalue="")]
    return ["".join([*map(str.ljust, row[:-1], widths), *row[-1:]]).rstrip() for row in rows]


def table_lines(rows: Sequence[Sequence[str]], tone: Tone = "", indent: str = "") -> list[Line]:
    """Return rows of cells as aligned lines. Text that does not fit in the last column hangs below it."""
    leads = aligned_columns([[*row[:-1], ""] for row in rows])
    lead_width = max(map(len, leads), default=0)
    lead_width = lead_width + 2 if lead_width else 0
    return [Line(row[-1], tone, "", indent + lead.ljust(lead_width)) for lead, row in zip(leads, rows, strict=True)]


def packed_rows(parts: Iterable[str], width: int = WIDTH, between: str = " | ") -> list[str]:
    """Join parts into as few rows as possible without breaking a part."""
    rows: list[str] = []
    for part in parts:
        if rows and len(rows[-1]) + len(between) + len(part) <= width:
            rows[-1] += between + part
        else:
            rows.append(part)
    return rows


def row_count(lines: Sequence[Line], width: int) -> int:
    """Return the maximum number of rows that lines take, with or without colours."""
    return sum(max(len(layout(line, width)), len(terminal_rows(line, width))) for line in lines)


def pages(lines: Sequence[Line], room: int, width: int) -> Iterator[list[Line]]:
    """Split lines into pages of at most `room` rows; 0 means one page."""
    page: list[Line] = []
    used = 0
    for line in lines:
        need = row_count([line], width)
        if room > 0 and page and used + need > room:
            yield page
            page, used = [], 0
        page.append(line)
        used += need
    yield page


def truncate(text: str, room: int) -> str:
    """Return a text of at most `room` characters, ending in dots if it was cut."""
    return text if len(text) <= room else text[: max(room - len(_ELLIPSIS), 0)].rstrip() + _ELLIPSIS


def aligned_cells(rows: Sequence[Sequence[str]], left: int = 1) -> list[str]:
    """Return rows of cells with aligned columns: the first `left` left-aligned, the others right-aligned."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    texts = []
    for row in rows:
        cells = [*map(str.ljust, row[:left], widths), *map(str.rjust, row[left:], widths[left:])]
        texts.append("  ".join(cells).rstrip())
    return texts


def figure_lines(rows: Sequence[Sequence[str]], columns: int = WIDTH, indent: str = "  ") -> Iterator[list[Line]]:
    """Yield the lines of each row of cells; the first row is the head.

    A first cell that leaves no room for the others has a line of its own above them. On a screen that is too narrow even for
    the others each row is a text that names them, and the head has no lines.

    Args:
        rows: The head and the rows.
        columns: Of the screen; 0: the usual width.
        indent: Before each line.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    room = (columns or WIDTH) - len(indent) - sum(width + 2 for width in widths[1:])
    if room < 0:
        yield []
        for first, *others in rows[1:]:
            named = [f"{head} {cell}".strip() for head, cell in zip(rows[0][1:], others, strict=True) if cell]
            yield [Line(f"{first}: {', '.join(named).replace(', +- ', ' +-')}", lead=indent)]
        return
    figures = aligned_cells([("" if len(first) > room else first, *others) for first, *others in rows])
    for (first, *_), row in zip(rows, figures, strict=True):
        above = [verbatim_line(indent + first)] if len(first) > room else []
        yield [*above, verbatim_line(indent + row)]


SOURCES: dict[str, str] = {
    "typed": "you",
    "scripted": "you",
    "computer": "computer",
    "remembered": "remembered",
    "rulebook": "rulebook",
    "sample": "SAMPLE",
    "learnt": "learnt",
    "suggested": "suggested",
    "only": "the only answer",
}
"""Reply source -> its name for the player."""


def value_text(value: Any) -> str:
    """Return the display text of a reply, mark or flag."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return f"{len(value)} known"
    if isinstance(value, Sequence) and not isinstance(value, str):
        between = " " if all(isinstance(item, int) for item in value) else ", "
        return between.join(value_text(item) for item in value) or "none"
    return str(value)


def named_value_text(value: Any, pieces: "Mapping[str, Piece]") -> str:
    """Return the display text of a value with the names of pieces in place of their ids."""
    if isinstance(value, str) and value in pieces:
        return pieces[value].name
    if isinstance(value, list | tuple) and value and all(isinstance(item, str) for item in value):
        return counted_names(named_value_text(item, pieces) for item in value)
    return value_text(value)


def adjustment_text(reply: "Reply") -> str:
    """Return a correction made at a question, such as `adjust supply = 3, Red = ford`."""
    return f"{reply.key} " + ", ".join(f"{what} = {value}" for what, value in reply.value["changes"])


def source_text(source: str) -> str:
    """Return the display name of a reply source."""
    return SOURCES.get(source, source)


def counted_names(names: Iterable[str]) -> str:
    """Join names, each once with its count, in order of first appearance: `2 x A, B`."""
    return join_counted(list(names))


def percent(chance: float) -> str:
    """Format a chance, such as `12.3 %`; only impossible and certain results read as 0 % and 100 %."""
    if 0 < chance < 0.0005:
        return "<0.1 %"
    if 0.9995 <= chance < 1 - 1e-12:
        return ">99.9 %"
    return f"{100 * chance:.1f} %"
