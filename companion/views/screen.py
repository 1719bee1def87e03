"""Never more than one screen of text for one answer: what may be left out, and what must be paged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.views.lines import Line, layout

_KEEP = frozenset({"board", "warning", "reminder", "question", "error"})
"""Tones of lines that the player must act on: these are never left out."""


def height(lines: Sequence[Line], width: int) -> int:
    """How many rows the lines take."""
    return sum(len(layout(line, width)) for line in lines)


def trimmed(lines: Sequence[Line], room: int, width: int) -> list[Line]:
    """The lines on at most ``room`` rows where that can be: explanations go first, the oldest of them first.

    What is to be done on the board, warnings and reminders always stay, so that the result may still be too long.
    """
    if room <= 0 or height(lines, width) <= room:
        return list(lines)
    left = room - 1 - height([line for line in lines if line.tone in _KEEP], width)
    kept: list[Line] = []
    dropped = 0
    full = False
    for line in reversed(lines):
        need = height([line], width)
        if line.tone not in _KEEP:
            if full or need > left:
                full = True
                dropped += 1
                continue
            left -= need
        kept.append(line)
    note = Line(f"... {dropped} more line{'s' if dropped > 1 else ''}: /why shows all", "dim")
    return [note, *reversed(kept)]


def pages(lines: Sequence[Line], room: int, width: int) -> Iterator[list[Line]]:
    """The lines in pages of at most ``room`` rows; one page where ``room`` is 0."""
    page: list[Line] = []
    used = 0
    for line in lines:
        need = height([line], width)
        if room > 0 and page and used + need > room:
            yield page
            page, used = [], 0
        page.append(line)
        used += need
    yield page
