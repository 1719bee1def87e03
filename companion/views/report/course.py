"""What a report draws: each track, the count, the losses and the cups over the play, and the rolls whose chances are known."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from companion.core.game import Game
from companion.core.position import Position
from companion.views.plot import Plot, PlotSeries
from companion.views.report.chapters import ReportEntry
from companion.views.report.telling import Report

_FAR = 99
"""A bound that is further from nothing is none that a game comes near to."""


class NamedPlot(NamedTuple):
    """A plot with the name of the file that it may go into."""

    name: str
    plot: Plot


def report_plots(report: Report) -> list[NamedPlot]:
    """Every plot of which a line moves."""
    if not report.chapters:
        return []
    told = report.game.tables.report.get("plot", ()) or _default_plots(report)
    found = [_table_plot(report, str(body.get("title", "")), body) for body in told]
    moving = [
        plot for plot in (*found, _loss_plot(report), *_roll_plots(report)) if any(_is_moving(series) for series in plot.series)
    ]
    return [NamedPlot(f"plot-{number}", plot) for number, plot in enumerate(moving, 1)]


def _is_moving(series: PlotSeries) -> bool:
    return len({value for _, value in series.points}) > 1


def _default_plots(report: Report) -> list[dict[str, object]]:
    """A plot for each track, one for the count and one for all cups."""
    game = report.game
    tracks = [track for track in game.tracks if track != report.form.track and game.marker_title(track)]
    plots: list[dict[str, object]] = [{"title": game.track_title(track), "tracks": [track]} for track in tracks]
    return [*plots, {"title": "The count", "count": True}, {"title": "In the cups", "cups": list(game.cups)}]


def _table_plot(report: Report, title: str, body: dict[str, object]) -> Plot:
    """A plot as the tables name it."""
    game, tracks, cups = report.game, _listed_names(body, "tracks"), _listed_names(body, "cups")
    series = [_position_series(report, game.track_title(track), lambda at, track=track: at.track(track)) for track in tracks]  # type: ignore[misc]
    series += [_position_series(report, game.place_title(cup), lambda at, cup=cup: len(at.at(cup))) for cup in cups]  # type: ignore[misc]
    series += [_score_series(report)] if body.get("count") else []
    low, high = _track_bounds(game, tracks) if not cups else (0, None)
    names = game.tracks[tracks[0]].names if len(tracks) == 1 else ()
    return Plot(title, _x_title(report), tuple(series), low, high, _chapter_labels(report), names)


def _listed_names(body: dict[str, object], key: str) -> Sequence[str]:
    found = body.get(key, ())
    return [str(name) for name in found] if isinstance(found, list) else []


def _track_bounds(game: Game, tracks: Sequence[str]) -> tuple[int | None, int | None]:
    """The bounds of tracks on which they can be expected to stop; None where there is none such."""
    lows = [game.tracks[track].low for track in tracks]
    highs = [game.tracks[track].high for track in tracks]
    near = [[bound for bound in bounds if bound is not None and abs(bound) < _FAR] for bounds in (lows, highs)]
    return (min(near[0]) if near[0] else None), (max(near[1]) if near[1] else None)


def _x_title(report: Report) -> str:
    return report.game.track_title(report.form.track).casefold() if report.form.track else ""


def _chapter_labels(report: Report) -> tuple[tuple[float, str], ...]:
    """Below the end of each chapter its number."""
    return tuple((float(place), str(chapter.last)) for place, chapter in enumerate(report.chapters, 1))


def _placed_entries(report: Report) -> Iterable[tuple[float, ReportEntry]]:
    """Each action with its place in the course, where a chapter is one."""
    for place, chapter in enumerate(report.chapters):
        for number, scene in enumerate(chapter.entries, 1):
            yield place + number / len(chapter.entries), scene


def _position_series(report: Report, name: str, value: Callable[[Position], int]) -> PlotSeries:
    points = [(0.0, float(value(report.chapters[0].before)))]
    points += [(place, float(value(scene.after))) for place, scene in _placed_entries(report)]
    return PlotSeries(name, _thinned(points))


def _score_series(report: Report) -> PlotSeries:
    points = [(place, float(scene.points)) for place, scene in _placed_entries(report) if scene.points is not None]
    return PlotSeries("Count", _thinned(points))


def _thinned(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """The points at which something changes, and both ends."""
    last = len(points) - 1
    return tuple(point for at, point in enumerate(points) if at in (0, last) or point[1] != points[at - 1][1])


def _loss_plot(report: Report) -> Plot:
    """What each side has lost so far."""
    sides = dict.fromkeys(side for _, scene in _placed_entries(report) for clause in scene.sentences for side, _ in clause.losses)
    series = []
    for side in sides:
        total, points = 0, [(0.0, 0.0)]
        for place, scene in _placed_entries(report):
            total += sum(lost for clause in scene.sentences for one, lost in clause.losses if one == side)
            points.append((place, float(total)))
        series.append(PlotSeries(side, _thinned(points)))
    return Plot("Units lost or reduced", _x_title(report), tuple(series), 0, None, _chapter_labels(report))


def _roll_plots(report: Report) -> list[Plot]:
    """What the rolls brought so far, and what was to be expected of them; a plot for each unit in which they are counted."""
    units = dict.fromkeys(roll.unit for rolls in report.rolls.values() for roll in rolls)
    found = []
    for unit in units:
        expected, actual = [(0.0, 0.0)], [(0.0, 0.0)]
        for place, scene in _placed_entries(report):
            own = [roll for roll in report.rolls.get(scene.entry.number, ()) if roll.unit == unit]
            expected.append((place, expected[-1][1] + sum(roll.expected for roll in own)))
            actual.append((place, actual[-1][1] + sum(roll.actual for roll in own)))
        lines = (PlotSeries("rolled", _thinned(actual)), PlotSeries("to be expected", _thinned(expected)))
        found.append(Plot(f"The rolls against the odds, {unit}", _x_title(report), lines, None, None, _chapter_labels(report)))
    return found
