"""Rows of a screen that is painted whole: each as wide as its place, cut where it is longer, and set side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.views.foot import cut
from companion.views.lines import Line, coloured, edged, toned

_DOTS = "..."


class Row(NamedTuple):
    """A row as it reads, and with its colours."""

    text: str = ""
    shown: str = ""


def rows(lines: Iterable[Line], width: int, column: str) -> list[Row]:
    """Lines as rows of at most so many characters. ``column``: of the theme; "" for no colours."""
    found: list[Row] = []
    for line in lines:
        texts = edged(line, width)
        painted = coloured(line, width, column) if column else texts
        found += [_fitted(text, shown, line.tone, width, column) for text, shown in zip(texts, painted, strict=True)]
    return found


def _fitted(text: str, shown: str, tone: str, width: int, column: str) -> Row:
    """A row; one that is too long, since it is a single word, is cut and has the tone of its line."""
    if len(text) <= width:
        return Row(text, shown)
    text = cut(text, width)
    return Row(text, toned(text, tone, column) if column else text)


def clipped(found: Sequence[Row], most: int, width: int) -> list[Row]:
    """At most so many rows; where some are left out, the last of the others says so."""
    if len(found) <= most:
        return list(found)
    if most <= 0:
        return []
    last = cut(f"{found[most - 1].text} {_DOTS}", width)
    return [*found[: most - 1], Row(last, last)]


def beside(left: Sequence[Row], right: Sequence[Row], wide: int, gap: str = "  ") -> list[Row]:
    """Two columns of rows; the left one is ``wide`` characters wide."""
    found = []
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else Row()
        other = right[number] if number < len(right) else Row()
        blank = " " * (wide - len(one.text)) + gap
        found.append(Row(f"{one.text}{blank}{other.text}".rstrip(), f"{one.shown}{blank}{other.shown}"))
    return found
