"""Lines with a tone and a citation: the one form in which everything is shown, and its layout as text.

A line is laid out to a width and then written as plain text or with terminal colours; parts of it may have tones of their own.
No markup is ever parsed, so that a citation such as ``[16.7]`` is shown as it is.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from companion.core.words import clean, contains_words
from companion.views.theme import EITHER, ansi_code

_AFTER_COMMA = 16
"""Characters that may stay empty so that a list breaks between its items."""

_COMMAS = 5
"""A text with as many is taken for a list."""

_NARROWEST = 20
"""Columns that a text has in any case."""

WIDTH = 80
"""Columns that suffice for everything."""

SEPARATORS = (" | ", "   ")
"""What stands between parts of a line that should stay whole."""

_APART = 2
"""Blanks that part a text from the rule at the edge of its row."""

LEADS: dict[str, str] = {"board": "-> ", "reminder": "* ", "warning": "! "}
"""What stands before a line of a tone, so that plain text says it as well as colour does."""


class Span(NamedTuple):
    """A part of a line with a tone of its own: from one character to before another, the lead counted in."""

    start: int
    end: int
    tone: str


def cited(text: str, rule: str) -> str:
    """A text with its rule in brackets, where it has one."""
    return f"{text} [{rule}]" if rule else text


class Line(NamedTuple):
    """One line before it is laid out.

    Attributes:
        text: what it says.
        tone: one of the theme's MEANINGS.
        rule: the rule that says so; in brackets behind the text, or in colours dim at the edge of the screen.
        lead: a number or a marker before the text; what does not fit on the line hangs below the text.
        spans: the parts with another tone, from the left, none over another.
    """

    text: str
    tone: str = ""
    rule: str = ""
    lead: str = ""
    spans: tuple[Span, ...] = ()

    @property
    def cited(self) -> str:
        """The text with its rule, without control characters."""
        return clean(cited(self.text, self.rule))

    def with_lead(self, lead: str) -> "Line":
        """The same behind another lead."""
        more = len(lead) - len(self.lead)
        return self._replace(lead=lead, spans=tuple(Span(span.start + more, span.end + more, span.tone) for span in self.spans))

    def with_reason(self, why: str) -> "Line":
        """The same with its reason, which is dim behind it; as it is where there is none, or where it says that already."""
        if not why or contains_words(self.text, why):
            return self
        begin, text = len(self.lead) + len(self.text), f"{self.text}: {why}"
        return self._replace(text=text, spans=(*self.spans, Span(begin, len(self.lead) + len(text), "dim")))


BLANK = Line("")


def verbatim_line(row: str, spans: tuple[Span, ...] = ()) -> Line:
    """A row that is laid out already, with the blanks that it begins with."""
    text = row.lstrip(" ")
    return Line(text, lead=row[: len(row) - len(text)], spans=spans)


def wrap(text: str, width: int) -> list[str]:
    """The text in rows of at most ``width`` characters, broken at blanks only: a longer word stays whole. What stands in parts
    is broken between them.
    """
    for between in SEPARATORS:
        if between in text and len(text) > width:
            return [row for part in packed_rows(text.split(between), width, between) for row in wrap(part, width)]
    rows: list[str] = []
    listing = text.count(", ") >= _COMMAS
    while len(text) > width:
        cut = text.rfind(" ", 1, width + 1)
        comma = text.rfind(", ", 1, width) + 1 if listing else 0
        cut = comma if comma > width - _AFTER_COMMA else cut
        if cut < 0 or not text[:cut].strip():
            cut = text.find(" ", width)
        if cut < 0:
            break
        rows.append(text[:cut].rstrip())
        text = text[cut:].lstrip()
    return [*rows, text]


def printable(text: str) -> str:
    """The text with a blank for each control character, as long as it was."""
    return text if text.isprintable() else "".join(char if char.isprintable() else " " for char in text)


def _hanging_rows(line: Line, width: int) -> tuple[str, list[str]]:
    """The lead of a line and the rows behind and below it. A lead that leaves no room to hang anything behind it is part of the
    text.
    """
    lead, text = printable(line.lead), line.cited
    if len(lead) > width // 2 and len(lead) + len(text) > width:
        bare = lead.lstrip()
        lead, text = lead[: len(lead) - len(bare)], bare + text
    return lead, wrap(text, max(width - len(lead), _NARROWEST))


def layout(line: Line, width: int = WIDTH) -> list[str]:
    """The rows of a line."""
    lead, rows = _hanging_rows(line, width)
    hang = " " * len(lead)
    return [(lead + rows[0]).rstrip(), *(hang + row for row in rows[1:])]


def _room_beside_rule(line: Line, width: int) -> tuple[Line, int, str]:
    """A line without its rule, the columns that it may take, and what stands behind its last row: blanks, and the rule at the
    edge. A text that leaves the rule no room is broken earlier.
    """
    bare, rule = line._replace(rule=""), printable(line.rule)
    room = width
    if rule and len(layout(bare, width)[-1]) + _APART + len(rule) > width:
        room = max(width - _APART - len(rule), _NARROWEST)
    return bare, room, rule and rule.rjust(width - len(layout(bare, room)[-1]))


def terminal_rows(line: Line, width: int) -> list[str]:
    """The rows of a line as a terminal in colours shows them: its rule stands at the edge."""
    bare, room, behind = _room_beside_rule(line, width)
    return _append_rule(layout(bare, room), behind, width)


def _append_rule(rows: list[str], behind: str, width: int, column: str = "") -> list[str]:
    """Rows with the rule behind the last, or below it where that is too long."""
    rule = behind.lstrip()
    fits = len(behind) >= len(rule) + _APART
    shown = behind if fits else rule.rjust(width)
    shown = with_tone(shown, "rule", column) if column else shown
    return rows if not rule else [*rows[:-1], rows[-1] + shown] if fits else [*rows, shown]


def line_texts(lines: Iterable[Line]) -> list[str]:
    """Each line unbroken."""
    return [f"{printable(line.lead)}{line.cited}".rstrip() for line in lines]


def line_data(line: Line) -> dict[str, str]:
    """A line as plain data: what it says, with which tone and by which rule."""
    return {"text": clean(line.text), "tone": line.tone, "rule": line.rule}


def lines_data(lines: Iterable[Line]) -> list[dict[str, str]]:
    """Each line as plain data, for other programs."""
    return [line_data(line) for line in lines]


def plain_text(lines: Iterable[Line], width: int = WIDTH) -> str:
    """Text for a pipe or a file; ends without a line break."""
    return "\n".join(row for line in lines for row in layout(line, width))


def ansi_text(lines: Iterable[Line], width: int = WIDTH, column: str = EITHER) -> str:
    """Text for a terminal, written without any library: for what must be on the screen at once. ``column``: of the theme."""
    return "\n".join(row for line in lines for row in coloured_rows(line, width, column))


def coloured_rows(line: Line, width: int, column: str) -> list[str]:
    """The rows of a line with its tone, those of its parts, and its rule at the edge."""
    bare, room, behind = _room_beside_rule(line, width)
    return _append_rule(_toned_rows(bare, room, column), behind, width, column)


def _toned_rows(line: Line, width: int, column: str) -> list[str]:
    """The rows of a line without a rule with its tone, and with those of its parts."""
    if not line.spans:
        return [with_tone(row, line.tone, column) for row in layout(line, width)]
    lead, rows = _hanging_rows(line, width)
    whole, end = printable(line.lead) + line.cited, len(lead + rows[0])
    found = [_toned_row((lead + rows[0]).rstrip(), 0, line, column)]
    for row in rows[1:]:
        begin = whole.find(row, end)
        end = begin + len(row)
        found.append(" " * len(lead) + _toned_row(row, begin, line, column))
    return found


def _toned_row(row: str, begin: int, line: Line, column: str) -> str:
    """A row that begins so many characters into its line."""
    text, at = "", 0
    for span in line.spans:
        start, end = (min(max(place - begin, at), len(row)) for place in span[:2])
        text += with_tone(row[at:start], line.tone, column) + with_tone(row[start:end], span.tone, column)
        at = end
    return text + with_tone(row[at:], line.tone, column)


def with_tone(text: str, tone: str, column: str = EITHER) -> str:
    """A text with the colours of a tone around it."""
    told = ansi_code(tone, column) if text else ""
    return f"\x1b[{told}m{text}\x1b[0m" if told else text


def aligned_columns(rows: Sequence[Sequence[str]], gap: int = 2) -> list[str]:
    """Rows of cells as lines with aligned columns; the last column is left as long as it is."""
    if not rows:
        return []
    wide = [max(len(row[place]) if place < len(row) else 0 for row in rows) for place in range(max(map(len, rows)))]
    out: list[str] = []
    for row in rows:
        cells = [cell.ljust(wide[place] + gap) for place, cell in enumerate(row[:-1])]
        out.append(("".join(cells) + row[-1]).rstrip() if row else "")
    return out


def table_lines(rows: Sequence[Sequence[str]], tone: str = "", indent: str = "") -> list[Line]:
    """Rows of cells as lines: what does not fit of the last cell hangs below it, where enough room is left for that."""
    leads = aligned_columns([[*row[:-1], ""] for row in rows])
    wide = max(map(len, leads), default=0)
    wide = wide + 2 if wide else 0
    return [Line(row[-1], tone, "", indent + lead.ljust(wide)) for lead, row in zip(leads, rows, strict=True)]


def packed_rows(parts: Iterable[str], width: int = WIDTH, between: str = " | ") -> list[str]:
    """Parts on as few rows as they fit on, never broken inside a part."""
    rows: list[str] = []
    for part in parts:
        if rows and len(rows[-1]) + len(between) + len(part) <= width:
            rows[-1] += between + part
        else:
            rows.append(part)
    return rows


def row_count(lines: Sequence[Line], width: int) -> int:
    """How many rows the lines take at most, in colours or without."""
    return sum(max(len(layout(line, width)), len(terminal_rows(line, width))) for line in lines)


def pages(lines: Sequence[Line], room: int, width: int) -> Iterator[list[Line]]:
    """The lines in pages of at most ``room`` rows; one page where ``room`` is 0."""
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
