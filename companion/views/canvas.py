"""Rows of characters that can be written anywhere, each with a tone: for what is drawn."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby

from companion.views.lines import Line, Span, printable

ToneText = tuple[str, str]
"""A text and its tone."""

_EMPTY: ToneText = (" ", "")


class Canvas:
    """An area of ``wide`` by ``high`` characters; what is written beside it is cut off."""

    def __init__(self, wide: int, high: int) -> None:
        self.wide = wide
        self.high = high
        self._cells = [[_EMPTY] * wide for _ in range(high)]

    def put(self, x: int, y: int, text: str, tone: str = "") -> None:
        """Write a text from a column of a row on."""
        if 0 <= y < self.high:
            for place, char in enumerate(printable(text), x):
                if 0 <= place < self.wide:
                    self._cells[y][place] = (char, tone)

    def get(self, x: int, y: int) -> str:
        """What stands there; a blank beside the canvas."""
        return self._cells[y][x][0] if 0 <= y < self.high and 0 <= x < self.wide else " "

    def lines(self) -> list[Line]:
        """Everything, without the empty rows at the end."""
        lines = [toned_line(row) for row in self._cells]
        while lines and not lines[-1].lead.strip():
            lines.pop()
        return lines


def toned_line(parts: Iterable[ToneText]) -> Line:
    """Texts one behind the other as a line that is shown as it is, blanks and all."""
    text, spans = "", []
    for tone, group in groupby(parts, key=lambda part: part[1]):
        more = "".join(part[0] for part in group)
        if tone and more.strip():
            spans.append(Span(len(text), len(text) + len(more), tone))
        text += more
    return Line("", "", "", printable(text).rstrip(), tuple(spans))
