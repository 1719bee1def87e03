"""The play by turns or operations: what each brought, what was noted, and what decided it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.events import KINDS, Board
from companion.core.game import Game
from companion.core.history import Entry, History
from companion.core.position import Position
from companion.views.report.story import Sentence, Templates, as_sentence, entry_sentences, sentence_templates
from companion.views.say import adjustment_text

_TURN = "turn"
_MOST_SENTENCES = 14
"""Sentences of a chapter, unless all are wanted."""
_CORRECTION = 9
"""The weight of a sentence that is never left out."""


_NO_TEMPLATES: Templates = dict.fromkeys(KINDS.values(), ())
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
    board = Board(Position())
    for event in entry.events or ():
        event.on(board)
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
    told = [(adjustment_text(reply).partition(" ")[2], reply.value["why"]) for reply in entry.replies if reply.adjusted]
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
