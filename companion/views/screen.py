"""Never more than one screen of text for one answer: what is longer is paged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.views.lines import Line, layout, terminal_rows


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
