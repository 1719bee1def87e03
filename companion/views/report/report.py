"""The report of a session as one value, from which all formats are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import CompanionError, Unreadable
from companion.core.events import Said
from companion.core.game import Game, Score
from companion.core.history import History
from companion.core.position import Position
from companion.core.text import plural, split_list
from companion.views.banner import sample_keys
from companion.views.report.story import (
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

if TYPE_CHECKING:
    from companion.views.review import SessionReview

_BREAK_SECONDS = 3600.0  # longest pause that counts as playing time


class ChangedOption(NamedTuple):
    """An option or ruling with a value other than the published one. `ruling`: its number, or ""."""

    id: str
    title: str
    value: str
    ruling: str

    @property
    def text(self) -> str:
        """The setting as a line."""
        return f"{self.title} {self.value} (ruling {self.ruling})" if self.ruling else setting_text(self.title, self.value)


def setting_text(title: str, value: str) -> str:
    """Return an option with its value, without the explanation of its choices that may follow the title."""
    return f"{title.partition(':')[0].partition(' (')[0]}: {value}"


class PlayTime(NamedTuple):
    """First and last day as ISO dates, and the minutes played."""

    first: str
    last: str
    minutes: int

    @property
    def text(self) -> str:
        """The playing time as a sentence."""
        days = self.first if self.first == self.last else f"{self.first} to {self.last}"
        return f"Played {days}, {self.minutes // 60} h {self.minutes % 60:02} min at the table."


class ReportHead(NamedTuple):
    """The session as a whole.

    Attributes:
        title, scenario, edition: Of the game.
        play_time: None for a log without times.
        players: Their names.
        changed_options: Options and rulings with another value than published.
        dice: Number and average of the dice.
        samples: Kinds of printed values for which sample values were used.
        warnings: From the set-up.
        over: Why the game is over, or "".
        stage: Current stage, or "".
        pending: Action that waits for an answer, or "".
        score: Score as if the game ended now; None if it cannot be counted.
        undone, corrected: Numbers of undone actions and of corrections.
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
    """Return the head of a session's report. `options`: as chosen, with the scenario."""
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
        len(undone_entries(history)),
        sum(_corrections(history)),
    )


def _score(game: Game, history: History, options: Mapping[str, str]) -> Score | None:
    try:
        return game.score(history.position(), options)
    except CompanionError:
        return None


def undone_entries(history: History) -> list[int]:
    """Return the undone entries, without replaced ones and those that only looked at the table."""
    replaced = {entry.copy_of for entry in history.entries.values()}
    looks = {number for change in history.changes if change.how == "look" for number in change.take}
    hidden = replaced | looks
    return [number for number in history.entries if number not in hidden and not history.is_in_force(number)]


def _corrections(history: History) -> list[int]:
    actions = [entry.action in ("adjust", "audit") for entry in history.in_force]
    return [*actions, *(reply.is_adjustment for entry in history.in_force for reply in entry.replies)]


def changed_options(game: Game, options: Mapping[str, str]) -> list[ChangedOption]:
    """Return options and rulings with a value other than the published one."""
    changed = []
    for key, option in game.options.items():
        value = options.get(key, option.default)
        if value != option.default and key != "players":
            ruling = game.tables.rulings.get(option.ruling)
            meaning = ruling.meaning.get(value, value) if ruling else value
            changed.append(ChangedOption(key, option.title, meaning, option.ruling))
    return changed


def sample_titles(game: Game, keys: Sequence[str]) -> list[str]:
    """Return the kinds of printed values of some keys with their counts, such as `Weather`, `Squads (4)`."""
    counts: dict[str, int] = {}
    for key in keys:
        fact = game.fact(key)
        title = fact.title if fact else key
        counts[title] = counts.get(title, 0) + 1
    return [title if count == 1 else f"{title} ({count})" for title, count in counts.items()]


def play_time(history: History) -> PlayTime | None:
    """Return days and minutes of play; None for a log without times."""
    from datetime import datetime

    times = [datetime.fromisoformat(time) for time in history.times if time]
    if not times:
        return None
    gaps = [(later - earlier).total_seconds() for earlier, later in pairwise(times)]
    minutes = round(sum(gap for gap in gaps if 0 < gap < _BREAK_SECONDS) / 60)
    return PlayTime(min(times).date().isoformat(), max(times).date().isoformat(), minutes)


def dice_summary(history: History) -> str:
    """Return number and average of dice and draws, by who made them."""
    replies = [reply for entry in history.in_force for reply in entry.replies if reply.is_random]
    texts = []
    for who, by_players in (("Companion", False), ("the players", True)):
        faces = [face for reply in replies if reply.kind == "roll" and reply.is_from_player == by_players for face in reply.value]
        draws = sum(reply.kind == "draw" and reply.is_from_player == by_players for reply in replies)
        if faces:
            texts.append(f"{plural(len(faces), 'die', 'dice')} by {who}, {sum(faces) / len(faces):.2f} on average")
        if draws:
            texts.append(f"{plural(draws, 'draw')} by {who}")
    return f"{'; '.join(texts)}." if texts else ""


class Extent(NamedTuple):
    """How much of a session is reported.

    Attributes:
        first, last: First and last turn or operation; 0 for no limit.
        brief: The story only.
        full: All sentences, and the log with all reasons.
    """

    first: int = 0
    last: int = 0
    brief: bool = False
    full: bool = False


ALL = Extent()
"""The default extent."""


class Report(NamedTuple):
    """A report.

    Attributes:
        game, history, options: Of the session.
        head: The session as a whole.
        form: How the play is divided into chapters.
        start: The position after the set-up.
        plans: Notes made before play began.
        chapters: The chapters in the extent.
        moments: Decisive moments in these chapters.
        rolls: Rolls with known chances.
        extent: How much is reported.
        review: The review of the session, if it is wanted.
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
    review: SessionReview | None = None


def build_report(
    name: str, game: Game, history: History, options: Mapping[str, str], extent: Extent = ALL, rolls: Rolls | None = None
) -> Report:
    """Return the report of a session.

    Args:
        name: Of the session.
        game, history, options: Of the session; the options include the scenario.
        extent: How much to report.
        rolls: Rolls with known chances.

    Raises:
        Unreadable: The session has no turns or operations in the extent.
    """
    all_chapters = chapters(game, history, options)
    shown = _chapters_between(all_chapters, chapter_form(game), game, extent)
    form, rolls = chapter_form(game), rolls or {}
    first = all_chapters.index(shown[0]) if shown else 0
    decisive = [*swings(game, all_chapters), *unlikely_rolls(all_chapters, rolls)]
    moments = [moment._replace(chapter=moment.chapter - first) for moment in decisive if 0 <= moment.chapter - first < len(shown)]
    plans = tuple(note.text for note in history.notes if note.entry == history.force[0])
    head = report_head(name, game, history, options)
    return Report(game, history, options, head, form, setup_position(history), plans, tuple(shown), tuple(moments), rolls, extent)


def _chapters_between(all_chapters: list[Chapter], form: ChapterForm, game: Game, extent: Extent) -> list[Chapter]:
    """Return the chapters in the extent. Raises Unreadable if there are none."""
    if not (extent.first or extent.last):
        return all_chapters
    title = (game.track_title(form.track) or "chapter").casefold()
    last = extent.last or max((chapter.last for chapter in all_chapters), default=0)
    matches = [chapter for chapter in all_chapters if chapter.last >= extent.first and chapter.number <= last]
    if not matches:
        cure = f"It has {all_chapters[0].number} to {all_chapters[-1].last}" if all_chapters else "Nothing has been played yet"
        numbers = f"{extent.first or 1} to {last}" if last != extent.first else f"{last}"
        raise Unreadable(f"the session has no {title} {numbers}", cure=cure)
    return matches
