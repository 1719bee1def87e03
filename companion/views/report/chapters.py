"""The play by turns or operations: what each brought, and the moments that decided the game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

from companion.core.errors import CompanionError
from companion.core.events import EVENT_TYPES, PositionBuilder
from companion.core.game import Game
from companion.core.history import Entry, History
from companion.core.position import Position
from companion.views.phrases import adjustment_text
from companion.views.report.sentences import Sentence, Templates, as_sentence, entry_sentences, sentence_templates

_TURN = "turn"
_MOST_SENTENCES = 14
"""Sentences of a chapter, unless all are wanted."""
_CORRECTION = 9
"""The weight of a sentence that is never left out."""


_NO_TEMPLATES: Templates = dict.fromkeys(EVENT_TYPES.values(), ())
"""Tell nothing."""


class ChapterForm(NamedTuple):
    """How a game's play falls into chapters.

    Attributes:
        track: whose value numbers them; "" where there is only one.
        first: the action that moves the track belongs to what follows.
        each: so many values a chapter.
        title: with ``{value}``; ``opening``: of what comes before the first value.
        most: sentences that a chapter has.
    """

    track: str = ""
    first: bool = False
    each: int = 1
    title: str = ""
    opening: str = ""
    most: int = _MOST_SENTENCES


class ReportEntry(NamedTuple):
    """An entry with what it did.

    Attributes:
        entry: as it stands in the log.
        clauses: its sentences.
        after: the position that it left.
        points: what the count would be then; None where it cannot be counted.
        notes: what the player wrote down beside it.
    """

    entry: Entry
    sentences: tuple[Sentence, ...]
    after: Position
    points: int | None
    notes: tuple[str, ...]


class Chapter(NamedTuple):
    """Some scenes under a heading. ``number``: of its first turn or operation; ``last``: of its last one."""

    number: int
    last: int
    title: str
    before: Position
    entries: tuple[ReportEntry, ...]

    @property
    def after(self) -> Position:
        """The position at its end."""
        return self.entries[-1].after


def chapter_form(game: Game) -> ChapterForm:
    """How a game's play falls into chapters: as its tables say, else by turns."""
    told: Mapping[str, Any] = game.tables.report.get("chapters", {})
    return ChapterForm(**told) if told else ChapterForm(_TURN if _TURN in game.tracks else "")


def chapter_title(game: Game, form: ChapterForm, number: int, last: int) -> str:
    """The heading of a chapter."""
    if not form.track:
        return "The play"
    if number < (game.tracks[form.track].low or 0) + (1 if form.first else 0) and form.opening:
        return form.opening
    value = str(number) if number == last else f"{number} to {last}"
    title = form.title or f"{game.track_title(form.track)} {{value}}"
    return title.replace("{value}", value)


def setup_position(history: History) -> Position:
    """The position with which play began."""
    entry = history.in_force[0]
    board = PositionBuilder(Position())
    for event in entry.events or ():
        event.apply_to(board)
    return board.position


def chapters(game: Game, history: History, options: Mapping[str, str]) -> list[Chapter]:
    """The complete entries in force by chapters, without the set-up."""
    form, known = chapter_form(game), sentence_templates(game)
    before = setup_position(history)
    found: list[Chapter] = []
    notes = _notes(history)
    for entry in history.in_force[1:]:
        if entry.events is None:
            continue
        scene = _report_entry(game, known, entry, before, options, notes)
        at = scene.after if form.first else before
        value = at.track(form.track) if form.track else 0
        number = value if form.each == 1 or value < 1 else (value - 1) // form.each * form.each + 1
        if found and found[-1].number == number:
            found[-1] = found[-1]._replace(last=max(value, found[-1].last), entries=(*found[-1].entries, scene))
        else:
            found.append(Chapter(number, value, "", before, (scene,)))
        before = scene.after
    return [chapter._replace(title=chapter_title(game, form, chapter.number, chapter.last)) for chapter in found]


def _notes(history: History) -> dict[int, tuple[str, ...]]:
    found: dict[int, tuple[str, ...]] = {}
    for note in history.notes:
        found[note.entry] = (*found.get(note.entry, ()), note.text)
    return found


def _report_entry(
    game: Game, known: Templates, entry: Entry, before: Position, options: Mapping[str, str], notes: Mapping[int, tuple[str, ...]]
) -> ReportEntry:
    own = _NO_TEMPLATES if entry.action in ("adjust", "audit") else known
    told, after = entry_sentences(game, own, entry.events or (), before)
    told = [*_correction_sentences(entry), *told]
    return ReportEntry(entry, tuple(told), after, _points(game, after, options), notes.get(entry.number, ()))


def _correction_sentences(entry: Entry) -> list[Sentence]:
    """What was put right by hand, with the reason."""
    told = [(adjustment_text(reply).partition(" ")[2], reply.value["why"]) for reply in entry.replies if reply.is_adjustment]
    if entry.action in ("adjust", "audit"):
        changes = entry.args.get("changes", ())
        told.append((", ".join(f"{what} = {value}" for what, value in changes), str(entry.args.get("why", ""))))
    return [Sentence(as_sentence(f"Put right by hand: {what}{f' ({why})' if why else ''}"), _CORRECTION) for what, why in told]


def _points(game: Game, position: Position, options: Mapping[str, str]) -> int | None:
    try:
        return game.score(position, options).total
    except CompanionError:  # no chart has a row for what was put on the table
        return None


def paragraphs(chapter: Chapter, most: int) -> list[tuple[ReportEntry, str]]:
    """The sentences of each entry that has any; of too many the lightest are left out, each entry's first ones last.

    Args:
        chapter: whose.
        most: sentences; 0 for all.
    """
    every = [(scene, place, clause) for scene in chapter.entries for place, clause in enumerate(scene.sentences) if clause.text]
    order = sorted(range(len(every)), key=lambda at: (-every[at][2].weight, every[at][1], at))
    kept = set(order[:most] if most else order)
    told: dict[int, list[str]] = {}
    for at, (scene, _, clause) in enumerate(every):
        if at in kept:
            told.setdefault(scene.entry.number, []).append(clause.text)
    return [(scene, " ".join(told.get(scene.entry.number, ()))) for scene in chapter.entries]


def track_changes(game: Game, form: ChapterForm, before: Position, after: Position) -> list[tuple[str, int, int]]:
    """Each track that stands otherwise than before, with what it was and is; not the one that counts the chapters."""
    shown = [track for track in game.tracks if track != form.track and game.marker_title(track)]
    return [(track, before.track(track), after.track(track)) for track in shown if before.track(track) != after.track(track)]


def track_changes_text(game: Game, changes: Sequence[tuple[str, int, int]]) -> str:
    """``OPs 30 to 27, KIA 0 to 2``; "" where nothing has changed."""
    return ", ".join(
        f"{game.track_title(track)} {game.track(track, was)} to {game.track(track, now)}" for track, was, now in changes
    )


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
