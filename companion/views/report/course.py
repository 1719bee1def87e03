"""What a report draws: each track, the count, the losses and the cups over the play, and the rolls whose chances are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from companion.core.game import Game
from companion.core.position import Position
from companion.views.plot import Plot, Series
from companion.views.report.chapters import Scene
from companion.views.report.telling import Report

_FAR = 99
"""A bound that is further from nothing is none that a game comes near to."""


class Drawing(NamedTuple):
    """A plot with the name of the file that it may go into."""

    name: str
    plot: Plot


def drawings(report: Report) -> list[Drawing]:
    """Every plot of which a line moves."""
    if not report.chapters:
        return []
    told = report.game.tables.report.get("plot", ()) or _usual(report)
    found = [_drawn(report, str(body.get("title", "")), body) for body in told]
    moving = [plot for plot in (*found, _lost(report), *_rolled(report)) if any(_moves(series) for series in plot.series)]
    return [Drawing(f"plot-{number}", plot) for number, plot in enumerate(moving, 1)]


def _moves(series: Series) -> bool:
    return len({value for _, value in series.points}) > 1


def _usual(report: Report) -> list[dict[str, object]]:
    """A plot for each track, one for the count and one for all cups."""
    game = report.game
    tracks = [track for track in game.tracks if track != report.form.track and game.marker_title(track)]
    plots: list[dict[str, object]] = [{"title": game.track_title(track), "tracks": [track]} for track in tracks]
    return [*plots, {"title": "The count", "count": True}, {"title": "In the cups", "cups": list(game.cups)}]


def _drawn(report: Report, title: str, body: dict[str, object]) -> Plot:
    """A plot as the tables name it."""
    game, tracks, cups = report.game, _names(body, "tracks"), _names(body, "cups")
    series = [_series(report, game.track_title(track), lambda at, track=track: at.track(track)) for track in tracks]  # type: ignore[misc]
    series += [_series(report, game.place_title(cup), lambda at, cup=cup: len(at.at(cup))) for cup in cups]  # type: ignore[misc]
    series += [_counted(report)] if body.get("count") else []
    low, high = _bounds(game, tracks) if not cups else (0, None)
    names = game.tracks[tracks[0]].names if len(tracks) == 1 else ()
    return Plot(title, _counted_in(report), tuple(series), low, high, _labels(report), names)


def _names(body: dict[str, object], key: str) -> Sequence[str]:
    found = body.get(key, ())
    return [str(name) for name in found] if isinstance(found, list) else []


def _bounds(game: Game, tracks: Sequence[str]) -> tuple[int | None, int | None]:
    """The bounds of tracks on which they can be expected to stop; None where there is none such."""
    lows = [game.tracks[track].low for track in tracks]
    highs = [game.tracks[track].high for track in tracks]
    near = [[bound for bound in bounds if bound is not None and abs(bound) < _FAR] for bounds in (lows, highs)]
    return (min(near[0]) if near[0] else None), (max(near[1]) if near[1] else None)


def _counted_in(report: Report) -> str:
    return report.game.track_title(report.form.track).casefold() if report.form.track else ""


def _labels(report: Report) -> tuple[tuple[float, str], ...]:
    """Below the end of each chapter its number."""
    return tuple((float(place), str(chapter.last)) for place, chapter in enumerate(report.chapters, 1))


def _places(report: Report) -> Iterable[tuple[float, Scene]]:
    """Each action with its place in the course, where a chapter is one."""
    for place, chapter in enumerate(report.chapters):
        for number, scene in enumerate(chapter.scenes, 1):
            yield place + number / len(chapter.scenes), scene


def _series(report: Report, name: str, value: Callable[[Position], int]) -> Series:
    points = [(0.0, float(value(report.chapters[0].before)))]
    points += [(place, float(value(scene.after))) for place, scene in _places(report)]
    return Series(name, _thin(points))


def _counted(report: Report) -> Series:
    points = [(place, float(scene.points)) for place, scene in _places(report) if scene.points is not None]
    return Series("Count", _thin(points))


def _thin(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """The points at which something changes, and both ends."""
    last = len(points) - 1
    return tuple(point for at, point in enumerate(points) if at in (0, last) or point[1] != points[at - 1][1])


def _lost(report: Report) -> Plot:
    """What each side has lost so far."""
    sides = dict.fromkeys(side for _, scene in _places(report) for clause in scene.clauses for side, _ in clause.losses)
    series = []
    for side in sides:
        total, points = 0, [(0.0, 0.0)]
        for place, scene in _places(report):
            total += sum(lost for clause in scene.clauses for one, lost in clause.losses if one == side)
            points.append((place, float(total)))
        series.append(Series(side, _thin(points)))
    return Plot("Units lost or reduced", _counted_in(report), tuple(series), 0, None, _labels(report))


def _rolled(report: Report) -> list[Plot]:
    """What the rolls brought so far, and what was to be expected of them; a plot for each unit in which they are counted."""
    units = dict.fromkeys(roll.unit for rolls in report.rolls.values() for roll in rolls)
    found = []
    for unit in units:
        expected, actual = [(0.0, 0.0)], [(0.0, 0.0)]
        for place, scene in _places(report):
            own = [roll for roll in report.rolls.get(scene.entry.number, ()) if roll.unit == unit]
            expected.append((place, expected[-1][1] + sum(roll.expected for roll in own)))
            actual.append((place, actual[-1][1] + sum(roll.actual for roll in own)))
        lines = (Series("rolled", _thin(actual)), Series("to be expected", _thin(expected)))
        found.append(Plot(f"The rolls against the odds, {unit}", _counted_in(report), lines, None, None, _labels(report)))
    return found
