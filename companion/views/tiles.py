"""Rows of a screen that is painted whole: each as wide as its place, cut where it is longer, and set side by side."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.views.foot import truncate
from companion.views.lines import Line, coloured_rows, terminal_rows, with_tone

_DOTS = "..."


class ScreenRow(NamedTuple):
    """A row as it reads, and with its colours."""

    text: str = ""
    shown: str = ""


def screen_rows(lines: Iterable[Line], width: int, column: str) -> list[ScreenRow]:
    """Lines as rows of at most so many characters. ``column``: of the theme; "" for no colours."""
    found: list[ScreenRow] = []
    for line in lines:
        texts = terminal_rows(line, width)
        painted = coloured_rows(line, width, column) if column else texts
        found += [_fitted_row(text, shown, line.tone, width, column) for text, shown in zip(texts, painted, strict=True)]
    return found


def _fitted_row(text: str, shown: str, tone: str, width: int, column: str) -> ScreenRow:
    """A row; one that is too long, since it is a single word, is cut and has the tone of its line."""
    if len(text) <= width:
        return ScreenRow(text, shown)
    text = truncate(text, width)
    return ScreenRow(text, with_tone(text, tone, column) if column else text)


def clip(found: Sequence[ScreenRow], most: int, width: int) -> list[ScreenRow]:
    """At most so many rows; where some are left out, the last of the others says so."""
    if len(found) <= most:
        return list(found)
    if most <= 0:
        return []
    last = truncate(f"{found[most - 1].text} {_DOTS}", width)
    return [*found[: most - 1], ScreenRow(last, last)]


def side_by_side(left: Sequence[ScreenRow], right: Sequence[ScreenRow], wide: int, gap: str = "  ") -> list[ScreenRow]:
    """Two columns of rows; the left one is ``wide`` characters wide."""
    found = []
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else ScreenRow()
        other = right[number] if number < len(right) else ScreenRow()
        blank = " " * (wide - len(one.text)) + gap
        found.append(ScreenRow(f"{one.text}{blank}{other.text}".rstrip(), f"{one.shown}{blank}{other.shown}"))
    return found
