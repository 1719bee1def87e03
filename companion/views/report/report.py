"""The report of a session as one value, from which every form of it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from companion.core.errors import CompanionError, Unreadable
from companion.core.events import Said
from companion.core.game import Game, Score
from companion.core.history import History
from companion.core.position import Position
from companion.core.words import plural, split_list
from companion.views.banner import sample_keys
from companion.views.report.chapters import (
    Chapter,
    ChapterForm,
    Moment,
    Rolls,
    chapter_form,
    chapters,
    setup_position,
    swings,
    unlikely_rolls,
)

_BREAK_SECONDS = 3600.0
"""Seconds between two rows of the log from which on the table stood empty."""


class ChangedOption(NamedTuple):
    """An option or a ruling that is not as published. ``ruling``: its number, "" for an option."""

    id: str
    title: str
    value: str
    ruling: str


class PlayTime(NamedTuple):
    """First and last day as ISO dates, and the minutes that the players sat at the table."""

    first: str
    last: str
    minutes: int

    @property
    def text(self) -> str:
        """In a sentence."""
        days = self.first if self.first == self.last else f"{self.first} to {self.last}"
        return f"Played {days}, {self.minutes // 60} h {self.minutes % 60:02} min at the table."


class ReportHead(NamedTuple):
    """All of it.

    Attributes:
        title: the game; ``scenario``: its title; ``edition``: what was published.
        when: None for a log without times.
        players: as they were named.
        dice: how many there were, and what they showed.
        samples: the kinds of printed facts for which samples of ours were used, in words.
        warnings: what the set-up warned of.
        over: why the game is over; "" while it goes on.
        stage: where play is, while it goes on; ``pending``: the action that waits for an answer, "" for none.
        score: the count, as if the game ended now; None where it cannot be counted.
        undone: how many actions were taken back; ``corrected``: how often something was put right by hand.
    """

    session: str
    title: str
    scenario: str
    edition: str
    play_time: PlayTime | None
    players: tuple[str, ...]
    changed_options: tuple[ChangedOption, ...]
    dice: str
    samples: tuple[str, ...]
    warnings: tuple[str, ...]
    over: str
    stage: str
    pending: str
    score: Score | None
    undone: int
    corrected: int


def report_head(name: str, game: Game, history: History, options: Mapping[str, str]) -> ReportHead:
    """The head of a session. ``options``: as chosen, the scenario among them."""
    position = history.position()
    scenario = options.get("scenario", "")
    over = game.over(position)
    opened = history.open_entry
    return ReportHead(
        name,
        game.title,
        game.scenarios[scenario].title if scenario in game.scenarios else scenario,
        game.edition,
        play_time(history),
        tuple(split_list(options.get("players", ""))),
        tuple(changed_options(game, options)),
        dice_summary(history),
        tuple(sample_titles(game, sample_keys(history.in_force))),
        tuple(event.text for event in history.in_force[0].events or () if isinstance(event, Said) and event.tone == "warning"),
        over,
        "" if over else game.banner(position, options).stage,
        opened.action if opened else "",
        _score(game, history, options),
        len(_undone_entries(history)),
        sum(_corrections(history)),
    )


def _score(game: Game, history: History, options: Mapping[str, str]) -> Score | None:
    try:
        return game.score(history.position(), options)
    except CompanionError:
        return None


def _undone_entries(history: History) -> list[int]:
    """The entries that are out of force; not those that another replaces, nor what only looked at the table."""
    replaced = {entry.copy_of for entry in history.entries.values()}
    looks = {number for change in history.changes if change.how == "look" for number in change.take}
    return [number for number in history.entries if number not in history.force and number not in replaced | looks]


def _corrections(history: History) -> list[int]:
    own = [entry.action in ("adjust", "audit") for entry in history.in_force]
    return [*own, *(reply.is_adjustment for entry in history.in_force for reply in entry.replies)]


def changed_options(game: Game, options: Mapping[str, str]) -> list[ChangedOption]:
    """The options and rulings that are not as published; who plays is told otherwise."""
    found = []
    for key, option in game.options.items():
        value = options.get(key, option.default)
        if value != option.default and key != "players":
            ruling = game.tables.rulings.get(option.ruling)
            meaning = ruling.meaning.get(value, value) if ruling else value
            found.append(ChangedOption(key, option.title, meaning, option.ruling))
    return found


def sample_titles(game: Game, keys: Sequence[str]) -> list[str]:
    """The kinds of printed facts of some keys, each with how many of them: ``Weather``, ``Squads (4)``."""
    counts: dict[str, int] = {}
    for key in keys:
        fact = game.fact(key)
        title = fact.title if fact else key
        counts[title] = counts.get(title, 0) + 1
    return [title if count == 1 else f"{title} ({count})" for title, count in counts.items()]


def play_time(history: History) -> PlayTime | None:
    """When it was played, and how long the players sat at it; None for a log without times."""
    from datetime import datetime

    times = [datetime.fromisoformat(at) for at in history.times if at]
    if not times:
        return None
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    minutes = round(sum(gap for gap in gaps if 0 < gap < _BREAK_SECONDS) / 60)
    return PlayTime(times[0].date().isoformat(), times[-1].date().isoformat(), minutes)


def dice_summary(history: History) -> str:
    """How many dice and draws there were, by whom, and what the dice showed on average."""
    replies = [reply for entry in history.in_force for reply in entry.replies if reply.is_random]
    told = []
    for who, own in (("Companion", False), ("the players", True)):
        faces = [face for reply in replies if reply.kind == "roll" and reply.is_from_player == own for face in reply.value]
        draws = sum(reply.kind == "draw" and reply.is_from_player == own for reply in replies)
        if faces:
            told.append(f"{plural(len(faces), 'die', 'dice')} by {who}, {sum(faces) / len(faces):.2f} on average")
        if draws:
            told.append(f"{plural(draws, 'draw')} by {who}")
    return f"{'; '.join(told)}." if told else ""


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
