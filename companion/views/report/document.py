"""A report as a document: the result first, then the story, and how it was set up and the log last."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from companion.core.history import EFFECTS, Entry
from companion.core.map import Map
from companion.core.position import Piece, Position
from companion.core.words import plural
from companion.views.events import apply_events, event_lines
from companion.views.log import action_title
from companion.views.plot import plot_svg
from companion.views.report.blocks import (
    Block,
    BulletList,
    Collapsible,
    Heading,
    Paragraph,
    Picture,
    Quote,
    Table,
    TextRun,
    bullet_list,
    paragraph,
    strong,
)
from companion.views.report.chapters import Chapter, paragraphs, track_changes, track_changes_text
from companion.views.report.course import report_plots
from companion.views.report.story import name_list
from companion.views.report.telling import Report
from companion.views.report.weighed import luck_tables
from companion.views.say import adjustment_text, named_value_text, source_text
from companion.views.svg import map_svg

_MOST_MAPS = 40
"""Maps of a document; of a longer game not every chapter has one."""

MapAt = Callable[[Position], Map | None]
"""The map with what stands on it in a position; None where nothing is known of it."""


def document(report: Report, drawn: bool = False, map_at: MapAt = lambda position: None) -> list[Block]:
    """All of it.

    Args:
        report: what is told.
        drawn: with pictures.
        map_at: for the map at the end of each chapter.
    """
    plots = plot_blocks(report) if drawn else []
    told = story_blocks(report, map_at if drawn else lambda position: None)
    return [
        *head_blocks(report),
        *score_blocks(report),
        *progress_blocks(report, plots),
        *told,
        *setup_blocks(report),
        *log_blocks(report),
    ]


# -- the head ------------------------------------------------------------------------------------------------------------


def head_blocks(report: Report) -> list[Block]:
    """Title, and what is to be known of the session."""
    own = report.head
    about = [f"Session {own.session}.", f"{own.edition}.", own.play_time.text if own.play_time else ""]
    about += [f"Players: {name_list(own.players)}."] if own.players else []
    found: list[Block] = [Heading(1, f"{own.title}: {own.scenario}"), paragraph(" ".join(filter(None, about)))]
    found += [paragraph(own.dice)] if own.dice else []
    if own.samples:
        found.append(
            paragraph(strong("Played with sample values of ours, not the published ones:"), f" {', '.join(own.samples)}.")
        )
    found += [paragraph(strong(text)) for text in own.warnings]
    if own.changed_options:
        rulings = {one.id: f" (ruling {one.ruling})" if one.ruling else "" for one in own.changed_options}
        found.append(bullet_list(f"{one.title}: {one.value}{rulings[one.id]}" for one in own.changed_options))
    if not own.over:
        found.append(paragraph(strong("The game is still under way."), f" {own.stage}.".replace("..", ".") if own.stage else ""))
    if own.pending:
        found.append(paragraph(f"The action {own.pending} waits for an answer and is not told yet."))
    return [*found, *_omissions(report)]


def _omissions(report: Report) -> list[Block]:
    """What a reader cannot see of the session."""
    told = []
    if report.head.undone:
        told.append(f"{plural(report.head.undone, 'action')} taken back and left out here.")
    if report.head.corrected:
        told.append(f"{plural(report.head.corrected, 'correction')} by hand, told where it was made.")
    return [paragraph(" ".join(told))] if told else []


def score_blocks(report: Report) -> list[Block]:
    """The result with its items."""
    score = report.head.score
    if score is None:
        return []
    title = "The count" if report.head.over else "The count if it ended now"
    rows = [*((label, str(points), rule) for label, points, rule in score.items), ("Total", str(score.total), score.rule)]
    verdict: list[Block] = [Heading(2, title, "count"), Paragraph((strong(score.verdict),))]
    verdict += [paragraph(f"The game is over: {report.head.over}.".replace("..", "."))] if report.head.over else []
    return [
        *verdict,
        Table(("Item", "Points", "Rule"), tuple(rows), frozenset({1}), True),
        *(paragraph(note) for note in score.notes),
    ]


# -- how it went ----------------------------------------------------------------------------------------------------------


def plot_blocks(report: Report) -> list[Block]:
    """Every plot."""
    return [Picture(name, plot_svg(plot), plot.title) for name, plot in report_plots(report)]


def progress_blocks(report: Report, plots: Sequence[Block] = ()) -> list[Block]:
    """The tracks at the end of each chapter, the plots, and the rolls against the odds."""
    told = [*_track_table(report), *plots, *luck_tables(report)]
    return [Heading(2, "How it went", "course"), *told] if told else []


def _track_table(report: Report) -> list[Block]:
    """The tracks at the end of each chapter, where several stand otherwise than at the start."""
    game, tracks = report.game, moved_tracks(report)
    if len(report.chapters) < 2 or not tracks:
        return []
    counted = any(chapter.entries[-1].points is not None for chapter in report.chapters)
    begun = report.chapters[0].before
    rows = [("Start", *(game.track(track, begun.track(track)) for track in tracks), *([""] if counted else []))]
    for chapter in report.chapters:
        points = chapter.entries[-1].points
        values = [game.track(track, chapter.after.track(track)) for track in tracks]
        rows.append((chapter.title, *values, *(["" if points is None else str(points)] if counted else [])))
    head = ("After", *(game.track_title(track) for track in tracks), *(["Count"] if counted else []))
    return [Table(head, tuple(rows), frozenset(range(1, len(head))))]


def moved_tracks(report: Report) -> list[str]:
    """The tracks that have moved at all, but for the one that numbers the chapters."""
    places = [chapter.after for chapter in report.chapters]
    before = report.chapters[0].before if report.chapters else report.start
    tracks = [track for track in report.game.tracks if track != report.form.track and report.game.marker_title(track)]
    return [track for track in tracks if len({place.track(track) for place in [before, *places]}) > 1]


# -- the story --------------------------------------------------------------------------------------------------------------


def story_blocks(report: Report, map_at: MapAt) -> list[Block]:
    """The chapters, each under its heading."""
    found: list[Block] = [Heading(2, "The story", "story"), *(Quote(note) for note in report.plans)]
    every = -(-len(report.chapters) // _MOST_MAPS)
    for place, chapter in enumerate(report.chapters):
        found += chapter_blocks(report, place, chapter)
        map = map_at(chapter.after) if (place + 1) % every == 0 else None
        if map is not None and map.spaces:
            found.append(
                Picture(f"map-{place + 1}", map_svg(map), f"{map.title}, {chapter.title}", f"The map after {chapter.title}")
            )
    return found


def chapter_blocks(report: Report, place: int, chapter: Chapter) -> list[Block]:
    """What a chapter brought, its notes where they were written, what decided the game, and the tracks that moved."""
    found: list[Block] = [Heading(3, chapter.title, chapter_anchor(place))]
    moments: dict[int, list[str]] = {}
    for moment in report.moments:
        moments.setdefault(moment.entry, []).append(moment.text)
    for scene, text in paragraphs(chapter, 0 if report.extent.full else report.form.most):
        decisive = [TextRun(f" Decisive: {one}.", "strong") for one in moments.get(scene.entry.number, ())]
        if text or decisive:
            bare = text or f"{action_title(report.game, scene.entry.action).partition(' - ')[2].capitalize()}."
            found.append(Paragraph((TextRun(bare), *decisive)))
        found += [Quote(note) for note in scene.notes]
    changes = track_changes_text(report.game, track_changes(report.game, report.form, chapter.before, chapter.after))
    return [*found, Paragraph((strong(f"{changes}."),))] if changes else found


def chapter_anchor(place: int) -> str:
    """What the contents link to: the chapter of that place."""
    return f"chapter-{place + 1}"


# -- the set-up and the log ---------------------------------------------------------------------------------------------------


def setup_blocks(report: Report) -> list[Block]:
    """How the session was set up: what a reader needs last."""
    if report.extent.brief:
        return []
    entry = report.history.in_force[0]
    chosen = ", ".join(f"{key} = {value or 'none'}" for key, value in report.options.items() if key != "scenario")
    inner: list[Block] = [paragraph(f"Options: {chosen}.")] if chosen else []
    return [Heading(2, "The set-up", "set-up"), Collapsible("How it was set up", (*inner, *entry_blocks(report, entry, {})))]


def log_blocks(report: Report) -> list[Block]:
    """Every action with its answers and what came of it, by chapters."""
    if report.extent.brief or not report.chapters:
        return []
    pieces: dict[str, Piece] = {}
    found: list[Block] = [Heading(2, "The log", "log")]
    begins = {chapter.entries[0].entry.number for chapter in report.chapters}
    ends = {chapter.entries[-1].entry.number: chapter for chapter in report.chapters}
    inner: list[Block] = []
    wanted = {scene.entry.number for chapter in report.chapters for scene in chapter.entries}
    for number, entry in enumerate(report.history.in_force):
        if entry.number in begins:
            inner = []
        if entry.number not in wanted:
            apply_events(entry.events or (), pieces)
            continue
        inner += [
            Paragraph((strong(f"{number}. {action_title(report.game, entry.action)}"),)),
            *entry_blocks(report, entry, pieces),
        ]
        chapter = ends.get(entry.number)
        found += [Collapsible(chapter.title, tuple(inner))] if chapter else []
    return found


def entry_blocks(report: Report, entry: Entry, pieces: dict[str, Piece]) -> list[Block]:
    """What was answered, and what came of it, with the rules."""
    answers = _answers_text(entry, pieces)
    lines = event_lines(report.game, entry.events or (), pieces, report.extent.full)
    told = tuple((TextRun(" ".join(filter(None, (line.lead.strip(), line.cited)))),) for line in lines)
    return [*([paragraph(f"Answers: {answers}")] if answers else []), *([BulletList(told)] if told else [])]


def _answers_text(entry: Entry, pieces: Mapping[str, Piece]) -> str:
    """What was answered, rolled and drawn; of printed values that nobody was asked for, only how many."""
    told = [
        f"{adjustment_text(reply)} (you: {reply.value['why']})"
        if reply.adjusted
        else f"{reply.key} {named_value_text(reply.value, pieces)} ({source_text(reply.source)})"
        for reply in entry.replies
        if reply.kind not in EFFECTS and (reply.by_hand or reply.kind != "printed")
    ]
    printed = sum(reply.kind == "printed" and not reply.by_hand for reply in entry.replies)
    return "; ".join([*told, *([plural(printed, "printed value")] if printed else [])])


def linked_headings(blocks: Sequence[Block]) -> list[Heading]:
    """The headings that can be jumped to."""
    return [block for block in blocks if isinstance(block, Heading) and block.anchor]
