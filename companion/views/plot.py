"""Step plots as SVG and as text.

No plotting library is used: a plot takes about 1 kB of SVG, and the smallest suitable library takes 0.1 s to import.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from html import escape
from itertools import pairwise
from math import floor, log10
from typing import NamedTuple

from companion.session.shipped import read_text, shipped_path
from companion.views.lines import Line, printable
from companion.views.theme import PALETTE

Point = tuple[float, float]

BLOCKS = "▁▂▃▄▅▆▇█"
"""Characters of eight heights."""

_SERIES_COLOURS = 5  # colours of the style sheet
_SERIES_MARKS = "*o+x#"  # characters of the series
_RIGHT, _TOP, _BOTTOM = 14, 42, 44
_LETTER_WIDTH = 7  # approximate width of a letter in pixels
_GRID_LINES = 5  # approximate number of grid lines
_MAX_LABELS = 12  # most labels below the axis


class PlotSeries(NamedTuple):
    """A named figure with the points from which each value holds."""

    name: str
    points: tuple[Point, ...]


class Plot(NamedTuple):
    """Figures over the same axis.

    Attributes:
        title: Heading.
        x: Unit of the axis.
        series: The figures, the first in the colour of the first side.
        low, high: Bounds of the figures, or None.
        labels: Points of the axis with their labels.
        names: Names of the integer values from `low` on.
    """

    title: str
    x: str
    series: tuple[PlotSeries, ...]
    low: float | None = None
    high: float | None = None
    labels: tuple[tuple[float, str], ...] = ()
    names: tuple[str, ...] = ()


class Frame(NamedTuple):
    """Range of the axes."""

    left: float
    right: float
    low: float
    high: float


def frame(plot: Plot) -> Frame:
    """Return the smallest range with all values and both bounds.

    >>> frame(Plot("x", "turn", (PlotSeries("a", ((0, 1), (4, 3))),), low=0))
    Frame(left=0, right=4, low=0, high=3)
    """
    xs = [x for series in plot.series for x, _ in series.points] or [0]
    ys = [y for series in plot.series for _, y in series.points] or [0]
    ys += [bound for bound in (plot.low, plot.high) if bound is not None]
    low, high = min(ys), max(ys)
    left, right = min(xs), max(xs)
    return Frame(left, right if right > left else left + 1, low, high if high > low else low + 1)


def ticks(low: float, high: float, most: int = _GRID_LINES) -> list[float]:
    """Return about `most` round values between two bounds.

    >>> ticks(0, 65), ticks(-20, 2), ticks(0, 3)
    ([0, 20, 40, 60], [-20, -15, -10, -5, 0], [0, 1, 2, 3])
    """
    rough = max((high - low) / most, 1e-9)
    scale = 10 ** floor(log10(rough))
    apart = next(scale * factor for factor in (1, 2, 5, 10) if scale * factor >= rough * 0.999)
    apart = max(apart, 1) if high - low >= 2 else apart
    first = -floor(-low / apart)
    values = [index * apart for index in range(first, floor(high / apart) + 1)]
    return [int(value) if value == int(value) else round(value, 6) for value in values]


def plot_svg(plot: Plot, *, width: int = 640, height: int = 240) -> str:
    """Return a plot as an SVG document of a size in pixels, for light and dark backgrounds. The output is deterministic."""
    axes = frame(plot)
    margin = max(len(_value_name(plot, value)) for value in ticks(axes.low, axes.high))
    scale = _PlotScale(axes, width, height, 16 + _LETTER_WIDTH * margin)
    title = svg_text(plot.title)
    left = scale.left
    rows = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width} {height}" width="{width}" role="img">',
        f"<title>{title}</title>",
        f"<style>{style_sheet('plot')}</style>",
        f'<rect class="pp" width="{width}" height="{height}"/>',
        f'<text class="ph" x="{left}" y="16">{title}</text>',
        *_grid(plot, scale),
        *_bounds(plot, scale),
        *(_line(series, number, scale) for number, series in enumerate(plot.series)),
        *_legend(plot, left),
        "</svg>",
    ]
    return "\n".join(rows) + "\n"


class _PlotScale:
    """Converts values to pixels."""

    def __init__(self, axes: Frame, width: int, height: int, left: int) -> None:
        self.axes = axes
        self.left = left
        self.width, self.height = width, height
        self.x_scale = (width - left - _RIGHT) / (axes.right - axes.left)
        self.y_scale = (height - _TOP - _BOTTOM) / (axes.high - axes.low)

    def x(self, value: float) -> str:
        return f"{self.left + (value - self.axes.left) * self.x_scale:.1f}".removesuffix(".0")

    def y(self, value: float) -> str:
        return f"{self.height - _BOTTOM - (value - self.axes.low) * self.y_scale:.1f}".removesuffix(".0")


@cache
def style_sheet(name: str) -> str:
    """Return a style sheet of this folder with the colours for light and dark backgrounds filled in."""
    from string import Template

    light, media, dark = read_text(shipped_path("views", f"{name}.css")).partition("@media")
    return Template(light).substitute(PALETTE["light"]) + Template(media + dark).substitute(PALETTE["dark"])


def _grid(plot: Plot, scale: _PlotScale) -> Iterable[str]:
    axes = scale.axes
    for value in ticks(axes.low, axes.high):
        y, name = scale.y(value), _value_name(plot, value)
        yield f'<path class="pg" d="M{scale.left} {y}H{scale.width - _RIGHT}"/>'
        yield f'<text class="pt pn" x="{scale.left - 6}" y="{y}" dy="4">{svg_text(name)}</text>'
    labels = plot.labels or tuple((value, f"{value:g}") for value in ticks(axes.left, axes.right, _MAX_LABELS))
    interval = -(-len(labels) // _MAX_LABELS)
    for value, name in labels[::interval]:
        yield f'<text class="pt pm" x="{scale.x(value)}" y="{scale.height - _BOTTOM + 16}">{svg_text(name)}</text>'
    yield f'<text class="pt pn" x="{scale.width - _RIGHT}" y="{scale.height - 10}">{svg_text(plot.x)}</text>'


def _value_name(plot: Plot, value: float) -> str:
    index = value - (plot.low or 0)
    is_named = plot.names and index == int(index) and 0 <= index < len(plot.names)
    return plot.names[int(index)] if is_named else f"{value:g}"


def _bounds(plot: Plot, scale: _PlotScale) -> Iterable[str]:
    for value in (plot.low, plot.high):
        if value is not None:
            yield f'<path class="pb" d="M{scale.left} {scale.y(value)}H{scale.width - _RIGHT}"/>'


def _line(series: PlotSeries, number: int, scale: _PlotScale) -> str:
    if not series.points:
        return ""
    (x, y), *_ = series.points
    path = f"M{scale.x(x)} {scale.y(y)}" + "".join(
        f"H{scale.x(x)}" + (f"V{scale.y(y)}" if y != was else "") for (_, was), (x, y) in pairwise(series.points)
    )
    return f'<path class="pl p{number % _SERIES_COLOURS}" d="{path}"/>'


def _legend(plot: Plot, x: int) -> Iterable[str]:
    if len(plot.series) < 2:
        return
    for number, series in enumerate(plot.series):
        yield f'<text class="q{number % _SERIES_COLOURS}" x="{x}" y="32">{svg_text(series.name)}</text>'
        x += _LETTER_WIDTH * len(series.name) + 24


def svg_text(text: str) -> str:
    """Escape a text for SVG, without control characters."""
    return escape(printable(text).strip())


def plot_lines(plot: Plot, width: int = 80, height: int = 8) -> list[Line]:
    """Return a plot as text: `width` columns of the screen, and `height` rows besides title and axis."""
    axes = frame(plot)
    names = [_value_name(plot, value) for value in (axes.low, axes.high)]
    margin = max(map(len, names))
    columns = max(width - margin - 2, 10)
    cells = [[" "] * columns for _ in range(height)]
    for number, series in enumerate(plot.series):
        for column, value in enumerate(_columns(series, axes, columns)):
            row = round((value - axes.low) / (axes.high - axes.low) * (height - 1))
            cells[height - 1 - row][column] = _SERIES_MARKS[number % len(_SERIES_MARKS)]
    leads = [names[1], *[""] * (height - 2), names[0]]
    rows = [f"{lead.rjust(margin)} |{''.join(row).rstrip()}" for lead, row in zip(leads, cells, strict=True)]
    drawn = [Line("", "track", "", row) for row in rows]  # as leads, which keep their blanks
    return [Line(_title(plot), "title"), *drawn, Line("", "dim", "", " " * (margin + 2) + _axis_labels(plot, axes, columns))]


def _title(plot: Plot) -> str:
    names = [f"{_SERIES_MARKS[number % len(_SERIES_MARKS)]} {series.name}" for number, series in enumerate(plot.series)]
    return f"{plot.title}: {', '.join(names)}" if len(names) > 1 else plot.title


def _axis_labels(plot: Plot, axes: Frame, columns: int) -> str:
    names = [name for _, name in plot.labels] or [f"{axes.left:g}", f"{axes.right:g}"]
    first, last = names[0], f"{plot.x} {names[-1]}".strip()
    return first + last.rjust(columns - len(first)) if len(first) + len(last) < columns else last


def _columns(series: PlotSeries, axes: Frame, columns: int) -> list[float]:
    values: list[float] = []
    points = list(series.points)
    if not points:
        return values
    index = 0
    for column in range(columns):
        x = axes.left + (axes.right - axes.left) * column / max(columns - 1, 1)
        while index + 1 < len(points) and points[index + 1][0] <= x + 1e-9:
            index += 1
        values.append(points[index][1])
    return values


def sparkline(values: Sequence[float]) -> str:
    """Return values as block characters.

    >>> sparkline([0, 1, 2, 7]), sparkline([3, 3]), sparkline([])
    ('▁▂▃█', '▁▁', '')
    """
    low, high = min(values, default=0), max(values, default=0)
    extent = (high - low) or 1
    return "".join(BLOCKS[round((value - low) / extent * (len(BLOCKS) - 1))] for value in values)
