"""A report as a document of blocks: headings, paragraphs, lists, tables, pictures and folded sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from companion.core.game import Game
from companion.core.history import EFFECT_KINDS, Entry
from companion.core.map import Map
from companion.core.position import Piece, Position
from companion.core.words import clean, plural
from companion.views.events import apply_events, event_lines
from companion.views.log import action_title
from companion.views.map_svg import map_svg
from companion.views.phrases import adjustment_text, named_value_text, source_text
from companion.views.plot import Plot, PlotSeries, plot_svg
from companion.views.report.chapters import Chapter, ReportEntry, paragraphs, track_changes, track_changes_text
from companion.views.report.report import Report
from companion.views.report.sentences import name_list


class TextRun(NamedTuple):
    """Some words of a paragraph. ``style``: "" or ``strong``."""

    text: str
    style: str = ""


class Heading(NamedTuple):
    """A heading. ``level``: from 1, the title. ``anchor``: what the contents link to; "" for none."""

    level: int
    text: str
    anchor: str = ""


class Paragraph(NamedTuple):
    """A paragraph."""

    runs: tuple[TextRun, ...]


class BulletList(NamedTuple):
    """A list without an order."""

    items: tuple[tuple[TextRun, ...], ...]


class Table(NamedTuple):
    """A table. ``right``: the columns of figures; ``total``: whether its last row adds the others up."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    total: bool = False


class Quote(NamedTuple):
    """What somebody wrote down."""

    text: str


class Collapsible(NamedTuple):
    """What only some readers want to see, under a title."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 3


class Picture(NamedTuple):
    """A drawing as SVG. ``name``: of a file of its own, without its ending; ``alt``: what it shows; ``caption``: what it does not
    say of itself.
    """

    name: str
    svg: str
    alt: str
    caption: str = ""


Block = Heading | Paragraph | BulletList | Table | Quote | Collapsible | Picture


def paragraph(*parts: str | TextRun) -> Paragraph:
    """A paragraph of plain texts and runs.

    >>> paragraph("a ", Run("b", "strong")).runs
    (Run(text='a ', style=''), Run(text='b', style='strong'))
    """
    return Paragraph(tuple(part if isinstance(part, TextRun) else TextRun(part) for part in parts))


def strong(text: str) -> TextRun:
    """Words with weight."""
    return TextRun(text, "strong")


def bullet_list(texts: Iterable[str]) -> BulletList:
    """A list of plain texts."""
    return BulletList(tuple((TextRun(text),) for text in texts))


def plain_texts(blocks: Sequence[Block]) -> list[str]:
    """Every text that a reader must find, in order and without control characters; what pictures show is not text."""
    found: list[str] = []
    for block in blocks:
        if isinstance(block, Heading | Quote):
            found.append(block.text)
        elif isinstance(block, Paragraph):
            found.append("".join(run.text for run in block.runs))
        elif isinstance(block, BulletList):
            found += ["".join(run.text for run in runs) for runs in block.items]
        elif isinstance(block, Table):
            found += [*block.head, *(cell for row in block.rows for cell in row)]
        elif isinstance(block, Collapsible):
            found += [block.title, *plain_texts(block.blocks)]
    return [clean(text) for text in found if text]


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


_LUCK_HEAD = ("Action", "Rolls", "Expected", "Brought", "Difference")


def luck_tables(report: Report) -> list[Block]:
    """A table with a row an action whose rolls were weighed, and all of them together; a table for each unit."""
    rolls = [roll for own in report.rolls.values() for roll in own]
    return [block for unit in dict.fromkeys(roll.unit for roll in rolls) for block in _luck_table(report, unit)]


def _luck_table(report: Report, unit: str) -> list[Block]:
    rows: list[tuple[str, ...]] = []
    total, expected, actual = 0, 0.0, 0.0
    for number, entry in enumerate(report.history.in_force):
        own = [roll for roll in report.rolls.get(entry.number, ()) if roll.unit == unit]
        if own and entry.number in _reported_entries(report):
            hoped, came = sum(roll.expected for roll in own), sum(roll.actual for roll in own)
            rows.append(
                (f"{number}. {action_title(report.game, entry.action).partition(' - ')[0]}", *_luck_cells(len(own), hoped, came))
            )
            total, expected, actual = total + len(own), expected + hoped, actual + came
    if not rows:
        return []
    said = f"What the rolls of each action brought in {unit}, and what they bring on average."
    return [
        paragraph(said),
        Table(_LUCK_HEAD, (*rows, ("All", *_luck_cells(total, expected, actual))), frozenset(range(1, 5)), True),
    ]


def _reported_entries(report: Report) -> frozenset[int]:
    return frozenset(scene.entry.number for chapter in report.chapters for scene in chapter.entries)


def _luck_cells(rolls: int, expected: float, actual: float) -> tuple[str, ...]:
    return (str(rolls), *(f"{round(value, 1) + 0.0:+.1f}" for value in (expected, actual, actual - expected)))


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
        if reply.is_adjustment
        else f"{reply.key} {named_value_text(reply.value, pieces)} ({source_text(reply.source)})"
        for reply in entry.replies
        if reply.kind not in EFFECT_KINDS and (reply.is_from_player or reply.kind != "printed")
    ]
    printed = sum(reply.kind == "printed" and not reply.is_from_player for reply in entry.replies)
    return "; ".join([*told, *([plural(printed, "printed value")] if printed else [])])


def linked_headings(blocks: Sequence[Block]) -> list[Heading]:
    """The headings that can be jumped to."""
    return [block for block in blocks if isinstance(block, Heading) and block.anchor]
