"""Plots of figures that stay as they are until they change: a drawing as SVG, and the same in characters.

Drawn here, with no library: a line with a title and a grid is little more than a kilobyte of text this way, where the smallest
library that can draw it writes ten and is loaded in a tenth of a second.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from itertools import pairwise
from math import floor, log10
from typing import NamedTuple

from companion.views.lines import Line, printable
from companion.views.theme import PALETTE

Point = tuple[float, float]

BLOCKS = "▁▂▃▄▅▆▇█"
"""Eight heights of a character."""

_SERIES = ("first", "second", "third", "fourth", "fifth")
_MARKS = "*o+x#"
"""What draws each series in characters."""
_RIGHT, _TOP, _BOTTOM = 14, 42, 44
_LETTER = 7
"""Pixels that a letter takes, about."""
_GRIDS = 5
"""Lines of a grid, about."""
_ACROSS = 12
"""Words below the axis, at most."""


class PlotSeries(NamedTuple):
    """One figure: what it is, and each value from where on it stands, in order."""

    name: str
    points: tuple[Point, ...]


class Plot(NamedTuple):
    """Some figures over the same course.

    Attributes:
        title: what they are.
        x: what the course is counted in.
        series: the figures, the first in the colour of the first side.
        low, high: the bounds of the figures; None where there is none worth drawing.
        labels: places of the course with what is written below them.
        names: of the whole values from ``low``, where they have names.
    """

    title: str
    x: str
    series: tuple[PlotSeries, ...]
    low: float | None = None
    high: float | None = None
    labels: tuple[tuple[float, str], ...] = ()
    names: tuple[str, ...] = ()


class Frame(NamedTuple):
    """Between which values a plot is drawn."""

    left: float
    right: float
    low: float
    high: float


def frame(plot: Plot) -> Frame:
    """The least frame with room for every value and both bounds.

    >>> frame(Plot("x", "turn", (Series("a", ((0, 1), (4, 3))),), low=0))
    Frame(left=0, right=4, low=0, high=3)
    """
    xs = [x for series in plot.series for x, _ in series.points] or [0]
    ys = [y for series in plot.series for _, y in series.points] or [0]
    ys += [bound for bound in (plot.low, plot.high) if bound is not None]
    low, high = min(ys), max(ys)
    left, right = min(xs), max(xs)
    return Frame(left, right if right > left else left + 1, low, high if high > low else low + 1)


def ticks(low: float, high: float, most: int = _GRIDS) -> list[float]:
    """Round values from one to another, at most so many and one.

    >>> ticks(0, 65), ticks(-20, 2), ticks(0, 3)
    ([0, 20, 40, 60], [-20, -15, -10, -5, 0], [0, 1, 2, 3])
    """
    rough = max((high - low) / most, 1e-9)
    scale = 10 ** floor(log10(rough))
    apart = next(scale * way for way in (1, 2, 5, 10) if scale * way >= rough * 0.999)
    apart = max(apart, 1) if high - low >= 2 else apart
    first = -floor(-low / apart)
    values = [place * apart for place in range(first, floor(high / apart) + 1)]
    return [int(value) if value == int(value) else round(value, 6) for value in values]


# -- as a drawing --------------------------------------------------------------------------------------------------------


def plot_svg(plot: Plot, *, width: int = 640, height: int = 240) -> str:
    """A document of its own, to be read on a light and on a dark ground; the same plot is the same text.

    Args:
        plot: what is drawn.
        width, height: in pixels.
    """
    inner = frame(plot)
    margin = max(len(_value_name(plot, value)) for value in ticks(inner.low, inner.high))
    drawn = _PlotScale(inner, width, height, 16 + _LETTER * margin)
    title = _svg_text(plot.title)
    left = drawn.left
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"<title>{title}</title>",
        f"<style>{_style()}</style>",
        f'<rect class="pp" width="{width}" height="{height}"/>',
        f'<text class="ph" x="{left}" y="16">{title}</text>',
        *_grid(plot, drawn),
        *_bounds(plot, drawn),
        *(_line(series, number, drawn) for number, series in enumerate(plot.series)),
        *_legend(plot, left),
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


class _PlotScale:
    """Where values lie on a drawing."""

    def __init__(self, inner: Frame, width: int, height: int, left: int) -> None:
        self.inner = inner
        self.left = left
        self.width, self.height = width, height
        self.across = (width - left - _RIGHT) / (inner.right - inner.left)
        self.down = (height - _TOP - _BOTTOM) / (inner.high - inner.low)

    def x(self, value: float) -> str:
        return f"{self.left + (value - self.inner.left) * self.across:.1f}".removesuffix(".0")

    def y(self, value: float) -> str:
        return f"{self.height - _BOTTOM - (value - self.inner.low) * self.down:.1f}".removesuffix(".0")


def _style() -> str:
    """The colours on either ground; classes of its own, so that several drawings can stand in one page."""
    inks, dark = PALETTE["light"], PALETTE["dark"]
    lines = "".join(f".p{number}{{stroke:{inks[name]}}}.q{number}{{fill:{inks[name]}}}" for number, name in enumerate(_SERIES))
    return (
        ".plot{font-family:sans-serif;font-size:12px}"
        f".pp{{fill:{inks['paper']}}}.pt,.ph{{fill:{inks['ink']}}}.ph{{font-weight:bold}}.pn{{text-anchor:end}}.pm{{text-anchor:middle}}"
        f".pg{{stroke:{inks['edge']};stroke-opacity:.35}}.pb{{stroke:{inks['edge']};stroke-dasharray:6 3}}"
        f".pl{{fill:none;stroke-width:2}}{lines}"
        "@media screen and (prefers-color-scheme:dark){"
        f".pp{{fill:{dark['paper']}}}.pt,.ph{{fill:{dark['ink']}}}.p0{{stroke:{dark['line1']}}}.q0{{fill:{dark['line1']}}}"
        f".p1{{stroke:{dark['line2']}}}.q1{{fill:{dark['line2']}}}}}"
    )


def _grid(plot: Plot, drawn: _PlotScale) -> Iterable[str]:
    """Lines across with their values, and what is written below."""
    inner = drawn.inner
    for value in ticks(inner.low, inner.high):
        at, name = drawn.y(value), _value_name(plot, value)
        yield f'<path class="pg" d="M{drawn.left} {at}H{drawn.width - _RIGHT}"/>'
        yield f'<text class="pt pn" x="{drawn.left - 6}" y="{at}" dy="4">{_svg_text(name)}</text>'
    labels = plot.labels or tuple((value, f"{value:g}") for value in ticks(inner.left, inner.right, _ACROSS))
    every = -(-len(labels) // _ACROSS)
    for value, name in labels[::every]:
        yield f'<text class="pt pm" x="{drawn.x(value)}" y="{drawn.height - _BOTTOM + 16}">{_svg_text(name)}</text>'
    yield f'<text class="pt pn" x="{drawn.width - _RIGHT}" y="{drawn.height - 10}">{_svg_text(plot.x)}</text>'


def _value_name(plot: Plot, value: float) -> str:
    place = value - (plot.low or 0)
    known = plot.names and place == int(place) and 0 <= place < len(plot.names)
    return plot.names[int(place)] if known else f"{value:g}"


def _bounds(plot: Plot, drawn: _PlotScale) -> Iterable[str]:
    for value in (plot.low, plot.high):
        if value is not None:
            yield f'<path class="pb" d="M{drawn.left} {drawn.y(value)}H{drawn.width - _RIGHT}"/>'


def _line(series: PlotSeries, number: int, drawn: _PlotScale) -> str:
    """A figure: it stays until it changes."""
    if not series.points:
        return ""
    (x, y), *_ = series.points
    path = f"M{drawn.x(x)} {drawn.y(y)}" + "".join(
        f"H{drawn.x(x)}" + (f"V{drawn.y(y)}" if y != was else "") for (_, was), (x, y) in pairwise(series.points)
    )
    return f'<path class="pl p{number % len(_SERIES)}" d="{path}"/>'


def _legend(plot: Plot, x: int) -> Iterable[str]:
    """Which line is which, where there are several."""
    if len(plot.series) < 2:
        return
    for number, series in enumerate(plot.series):
        yield f'<text class="q{number % len(_SERIES)}" x="{x}" y="32">{_svg_text(series.name)}</text>'
        x += _LETTER * len(series.name) + 24


def _svg_text(text: str) -> str:
    """A text as it may stand in the document: without control characters and without markup."""
    return escape(printable(text).strip())


# -- in characters ---------------------------------------------------------------------------------------------------------


def plot_lines(plot: Plot, width: int = 80, height: int = 8) -> list[Line]:
    """The same in characters: a column for each part of the course, each figure by a sign of its own.

    Args:
        plot: what is drawn.
        width: columns of the screen.
        height: rows of the picture.
    """
    inner = frame(plot)
    names = [_value_name(plot, value) for value in (inner.low, inner.high)]
    margin = max(map(len, names))
    wide = max(width - margin - 2, 10)
    cells = [[" "] * wide for _ in range(height)]
    for number, series in enumerate(plot.series):
        for column, value in enumerate(_columns(series, inner, wide)):
            row = round((value - inner.low) / (inner.high - inner.low) * (height - 1))
            cells[height - 1 - row][column] = _MARKS[number % len(_MARKS)]
    leads = [names[1], *[""] * (height - 2), names[0]]
    rows = [f"{lead.rjust(margin)} |{''.join(row).rstrip()}" for lead, row in zip(leads, cells, strict=True)]
    # before the text, where blanks stay
    drawn = [Line("", "track", "", row) for row in rows]
    return [Line(_title(plot), "title"), *drawn, Line("", "dim", "", " " * (margin + 2) + _axis_labels(plot, inner, wide))]


def _title(plot: Plot) -> str:
    told = [f"{_MARKS[number % len(_MARKS)]} {series.name}" for number, series in enumerate(plot.series)]
    return f"{plot.title}: {', '.join(told)}" if len(told) > 1 else plot.title


def _axis_labels(plot: Plot, inner: Frame, wide: int) -> str:
    """The beginning and the end of the course."""
    names = [name for _, name in plot.labels] or [f"{inner.left:g}", f"{inner.right:g}"]
    first, last = names[0], f"{plot.x} {names[-1]}".strip()
    return first + last.rjust(wide - len(first)) if len(first) + len(last) < wide else last


def _columns(series: PlotSeries, inner: Frame, wide: int) -> list[float]:
    """The value that a figure has in each column."""
    found: list[float] = []
    points = list(series.points)
    if not points:
        return found
    at = 0
    for column in range(wide):
        x = inner.left + (inner.right - inner.left) * column / max(wide - 1, 1)
        while at + 1 < len(points) and points[at + 1][0] <= x + 1e-9:
            at += 1
        found.append(points[at][1])
    return found


def sparkline(values: Sequence[float]) -> str:
    """Some values as one word of blocks.

    >>> sparkline([0, 1, 2, 7]), sparkline([3, 3]), sparkline([])
    ('▁▂▃█', '▁▁', '')
    """
    low, high = min(values, default=0), max(values, default=0)
    wide = (high - low) or 1
    return "".join(BLOCKS[round((value - low) / wide * (len(BLOCKS) - 1))] for value in values)
