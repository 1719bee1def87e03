"""The graph of a review for its page: curves with bands of their errors, turns, corrections, mistakes and key moments.

All places are shares of the drawing in percent, so that the page can stretch it without distorting texts and marks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from companion.core.review import Estimate, GraphPoint, ReviewedDecision
from companion.core.text import clean
from companion.views.plot import ticks
from companion.views.review import SessionReview, decision_title, moment_title, step_number

_SCALE = 1000
"""Units across and down a curve."""
_LEAST_GAP = 5.0
"""Percent between two labels below the graph."""
_MOST_TURNS = 80
"""Most lines of turns."""
_STAGGER = 2.5
"""Percent within which two numbers of key moments are put above each other."""


class Curve(NamedTuple):
    """A segment of the graph as two SVG paths: the line, and the band of one standard error around it."""

    line: str
    band: str


class Mark(NamedTuple):
    """A mark with its place in percent, its class, its text, and the point that it leads to (`4.2`)."""

    x: float
    y: float
    kind: str
    text: str
    at: str = ""


class Chart(NamedTuple):
    """A graph of the page.

    Attributes:
        id: ``win`` or ``vp``.
        title: What is drawn.
        low, high: Values at the bottom and the top.
        levels: Labelled values with their places.
        curves: One for each segment.
        mistakes, moments: Marks on the curve, and numbers above it.
    """

    id: str
    title: str
    low: float
    high: float
    levels: tuple[Mark, ...]
    curves: tuple[Curve, ...]
    mistakes: tuple[Mark, ...]
    moments: tuple[Mark, ...]


def charts(about: SessionReview) -> list[Chart]:
    """Return the graph of the chance to win, if it is shown, and that of VP."""
    seat = clean(about.seat(about.review.seats[0]))
    whose = "Your" if seat == "you" else f"{seat}:"
    vp = _chart(about, "vp", f"{whose} expected VP", lambda point: point.vp)
    if not about.shows_win:
        return [vp]
    return [_chart(about, "win", f"{whose} chance to win, %", lambda point: point.win or Estimate(0.5)), vp]


def turn_marks(about: SessionReview) -> list[Mark]:
    """Return where each turn begins; the text is its number where there is room for it."""
    points = about.review.points
    starts = [index for index in range(1, len(points)) if points[index].turn != points[index - 1].turn]
    starts = starts[:: -(-len(starts) // _MOST_TURNS) or 1]
    marks: list[Mark] = []
    labelled = -_LEAST_GAP
    for index in starts:
        x = _x(index, points)
        has_room = x - labelled >= _LEAST_GAP
        labelled = x if has_room else labelled
        marks.append(Mark(x, 0, "turn", str(points[index].turn) if has_room else ""))
    return marks


def corrections(about: SessionReview) -> list[Mark]:
    """Return where the board was corrected by hand."""
    points = about.review.points
    breaks = [index for index in range(1, len(points)) if points[index].segment != points[index - 1].segment]
    return [Mark(_x(index - 0.5, points), 0, "break", f"Corrected by hand: action {points[index].entry}") for index in breaks]


def _x(index: float, points: Sequence[GraphPoint]) -> float:
    return round(100 * index / max(len(points) - 1, 1), 3)


def _chart(about: SessionReview, id: str, title: str, value: Callable[[GraphPoint], Estimate]) -> Chart:
    points = about.review.points
    values = [value(point) for point in points]
    low, high = (0.0, 1.0) if id == "win" else _range(values)

    def y(height: float) -> float:
        return round(100 * (high - min(max(height, low), high)) / (high - low), 2)

    scale = 100 if id == "win" else 1
    levels = tuple(Mark(0, y(level / scale), "level", f"{level:g}") for level in ticks(low * scale, high * scale))
    place = {point.entry: index for index, point in enumerate(points)}
    mistakes = [
        Mark(_x(index, points), y(values[index].mean), _kind(about, one), clean(decision_title(about, one)), _at(one))
        for one in _marked(about)
        if (index := place.get(one.entry)) is not None
    ]
    return Chart(id, title, low, high, levels, tuple(_curves(points, values, y)), tuple(mistakes), tuple(_moments(about, place)))


def _range(values: Sequence[Estimate]) -> tuple[float, float]:
    """Return the lowest and the highest value with their errors, and some room."""
    low, high = min(one.mean - one.error for one in values), max(one.mean + one.error for one in values)
    room = 0.05 * (high - low) or 1.0
    return low - room, high + room


def _curves(points: Sequence[GraphPoint], values: Sequence[Estimate], y: Callable[[float], float]) -> Iterator[Curve]:
    for segment in dict.fromkeys(point.segment for point in points):
        own = [index for index, point in enumerate(points) if point.segment == segment]
        line = "M" + "L".join(_pair(_x(index, points), y(values[index].mean)) for index in own)
        above = [_pair(_x(index, points), y(values[index].mean + values[index].error)) for index in own]
        below = [_pair(_x(index, points), y(values[index].mean - values[index].error)) for index in reversed(own)]
        yield Curve(line if len(own) > 1 else f"{line}h0.1", f"M{'L'.join([*above, *below])}Z")


def _pair(x: float, y: float) -> str:
    across, down = round(x * _SCALE / 100, 1), round(y * _SCALE / 100)
    return f"{across:g} {down}"


def _marked(about: SessionReview) -> list[ReviewedDecision]:
    """Return the mistakes, of each action the worst."""
    worst: dict[int, ReviewedDecision] = {}
    for by_person in (True, False):
        for decision in about.review.mistakes(by_person=by_person):
            worst.setdefault(decision.entry, decision)
    return sorted(worst.values(), key=lambda decision: decision.entry)


def _kind(about: SessionReview, decision: ReviewedDecision) -> str:
    seats = about.review.seats
    return f"{about.review.grade(decision)} {'second' if decision.seat in seats[1:] else 'first'}"


def _at(decision: ReviewedDecision) -> str:
    return step_number(decision.entry, decision.reply)


def _moments(about: SessionReview, place: dict[int, int]) -> Iterator[Mark]:
    """Yield the key moments with their numbers; of neighbours every other one in a second row."""
    points = about.review.points
    ranked = [(number, one) for number, one in enumerate(about.review.moments(), 1) if one.entry in place]
    ends = [-100.0, -100.0, -100.0]
    for number, moment in sorted(ranked, key=lambda item: item[1].entry):
        x = _x(place[moment.entry], points)
        row = next((row for row, end in enumerate(ends) if x - end >= _STAGGER), 0)
        ends[row] = x
        yield Mark(x, float(row), str(number), clean(moment_title(about, moment)), step_number(moment.entry, moment.reply))
