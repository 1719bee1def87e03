"""The report of a session as one value, from which every form of it is written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.history import History
from companion.core.position import Position
from companion.views.report.chapters import Chapter, ChapterForm, chapter_form, chapters, setup_position
from companion.views.report.head import ReportHead, report_head
from companion.views.report.moments import Moment, Rolls, swings, unlikely_rolls


class Extent(NamedTuple):
    """How much is told.

    Attributes:
        first, last: the chapters by their turns or operations; 0: from the beginning, to the end.
        brief: the story alone.
        full: every sentence, and in the log each condition, candidate and source.
    """

    first: int = 0
    last: int = 0
    brief: bool = False
    full: bool = False


ALL = Extent()
"""As much as is told unless something else is wanted."""


class Report(NamedTuple):
    """All that a report tells.

    Attributes:
        game: for its words; ``history``: what the log of the report is made from.
        head: of the session as a whole.
        form: how the play falls into chapters.
        start: the position with which play began; ``plans``: what was noted before.
        chapters: those that are told; ``moments``: what decided the game in them.
        rolls: the rolls whose chances are known.
    """

    game: Game
    history: History
    options: Mapping[str, str]
    head: ReportHead
    form: ChapterForm
    start: Position
    plans: tuple[str, ...]
    chapters: tuple[Chapter, ...]
    moments: tuple[Moment, ...]
    rolls: Rolls
    extent: Extent


def build_report(
    name: str, game: Game, history: History, options: Mapping[str, str], extent: Extent = ALL, rolls: Rolls | None = None
) -> Report:
    """The report of a session.

    Args:
        name: of the session.
        options: as chosen, the scenario among them.
        extent: how much of it.
        rolls: the rolls whose chances are known.

    Raises:
        Unreadable: it has no such turns or operations.
    """
    every = chapters(game, history, options)
    shown = _chapters_between(every, chapter_form(game), game, extent)
    form, rolls = chapter_form(game), rolls or {}
    first = every.index(shown[0]) if shown else 0
    decisive = [*swings(game, form, every), *unlikely_rolls(every, rolls)]
    moments = [one._replace(chapter=one.chapter - first) for one in decisive if 0 <= one.chapter - first < len(shown)]
    plans = tuple(note.text for note in history.notes if note.entry == history.force[0])
    head = report_head(name, game, history, options)
    return Report(game, history, options, head, form, setup_position(history), plans, tuple(shown), tuple(moments), rolls, extent)


def _chapters_between(every: list[Chapter], form: ChapterForm, game: Game, extent: Extent) -> list[Chapter]:
    """The chapters that are wanted. Raises Unreadable: there are none."""
    if not (extent.first or extent.last):
        return every
    title = (game.track_title(form.track) or "chapter").casefold()
    last = extent.last or max((chapter.last for chapter in every), default=0)
    found = [chapter for chapter in every if chapter.last >= extent.first and chapter.number <= last]
    if not found:
        there = f"It has {every[0].number} to {every[-1].last}" if every else "Nothing has been played yet"
        asked = f"{extent.first or 1} to {last}" if last != extent.first else f"{last}"
        raise Unreadable(f"the session has no {title} {asked}", cure=there)
    return found
