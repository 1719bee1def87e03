"""What decided a game: the actions with the largest swings, and the rolls furthest from what was to be expected."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from companion.core.game import Game
from companion.views.report.chapters import Chapter, ChapterForm, ReportEntry

_MOST_MOMENTS = 3
"""Swings that are told, and rolls."""
_LEAST_SWING = 0.2
"""Share of all that a figure moved between, from which on a swing is one."""
_RARE_CHANCE = 0.05
"""What happens less often is told."""


class Moment(NamedTuple):
    """A decisive moment. ``entry``: its action; ``chapter``: its number among the chapters, from 0."""

    entry: int
    chapter: int
    text: str


class RollOutcome(Protocol):
    """A roll whose chances are known."""

    @property
    def title(self) -> str:
        """What was rolled for."""

    @property
    def expected(self) -> float:
        """What it brings on average, in ``unit``."""

    @property
    def actual(self) -> float:
        """What it brought."""

    @property
    def unit(self) -> str:
        """In which both are counted."""

    @property
    def percentile(self) -> float:
        """How much of all that could come is no better, from 0 to 1."""

    @property
    def side(self) -> str:
        """Whose gain it is counted as."""


Rolls = Mapping[int, Sequence[RollOutcome]]
"""The rolls whose chances are known, by their entries."""


def swings(game: Game, form: ChapterForm, chapters: Sequence[Chapter]) -> list[Moment]:
    """The largest swings of a track or of the count, at most three, in the order of play."""
    found = [swing for track in _swinging_tracks(game, form) for swing in _track_swings(game, track, chapters)]
    found += _score_swings(chapters)
    best: dict[int, tuple[float, Moment]] = {}
    for share, moment in found:
        if share >= _LEAST_SWING and share > best.get(moment.entry, (0.0, moment))[0]:
            best[moment.entry] = (share, moment)
    largest = sorted(best.values(), key=lambda one: -one[0])[:_MOST_MOMENTS]
    return sorted((moment for _, moment in largest), key=lambda moment: (moment.chapter, moment.entry))


def _swinging_tracks(game: Game, form: ChapterForm) -> list[str]:
    """The tracks that can swing: not those that only count turns up."""
    told = game.tables.report.get("plot", ())
    named = [track for plot in told for track in plot.get("tracks", ())]
    return named or [track for track in game.tracks if track != form.track and game.marker_title(track)]


def _numbered_entries(chapters: Sequence[Chapter]) -> Iterable[tuple[int, ReportEntry]]:
    return ((place, scene) for place, chapter in enumerate(chapters) for scene in chapter.entries)


def _track_swings(game: Game, track: str, chapters: Sequence[Chapter]) -> list[tuple[float, Moment]]:
    values = [chapters[0].before.track(track)] if chapters else []
    steady = [(place, scene, scene.after.track(track)) for place, scene in _numbered_entries(chapters)]
    title = game.track_title(track)
    return _changes_of(values, steady, lambda was, now: f"{title} {game.track(track, was)} to {game.track(track, now)}")


def _score_swings(chapters: Sequence[Chapter]) -> list[tuple[float, Moment]]:
    known = [(place, scene, scene.points) for place, scene in _numbered_entries(chapters) if scene.points is not None]
    first = [known[0][2]] if known else []
    return _changes_of(first, known, lambda was, now: f"the count went from {was} to {now}")


def _changes_of(
    first: list[int], values: Sequence[tuple[int, ReportEntry, int]], told: Callable[[int, int], str]
) -> list[tuple[float, Moment]]:
    """Each change of a figure, with its share of all between which the figure moved."""
    every = [*first, *(value for _, _, value in values)]
    wide = max(every, default=0) - min(every, default=0)
    found = []
    for was, (place, scene, now) in zip(every, values, strict=False):
        if was != now and scene.entry.action not in ("adjust", "audit"):
            found.append((abs(now - was) / wide, Moment(scene.entry.number, place, told(was, now))))
    return found


def unlikely_rolls(chapters: Sequence[Chapter], rolls: Rolls) -> list[Moment]:
    """The rolls furthest from what was to be expected, at most three, in the order of play."""
    found = []
    for place, scene in _numbered_entries(chapters):
        for roll in rolls.get(scene.entry.number, ()):
            tail = min(roll.percentile, 1 - roll.percentile)
            if tail <= _RARE_CHANCE:
                text = f"against the odds: {roll.title}: {roll.actual:g} {roll.unit}, {roll.expected:.1f} to be expected"
                found.append((tail, Moment(scene.entry.number, place, text)))
    rarest = sorted(found, key=lambda one: one[0])[:_MOST_MOMENTS]
    return sorted((moment for _, moment in rarest), key=lambda moment: (moment.chapter, moment.entry))
