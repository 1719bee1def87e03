"""A report as a document of blocks: headings, paragraphs, lists, tables, pictures and collapsible sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from companion.core.game import Game
from companion.core.history import EFFECT_KINDS, Entry
from companion.core.map import Map
from companion.core.position import Piece, Position
from companion.core.text import clean, plural
from companion.views.lines import adjustment_text, named_value_text, source_text
from companion.views.log import action_title, apply_events, event_lines
from companion.views.map_svg import map_svg
from companion.views.plot import Plot, PlotSeries, plot_svg
from companion.views.report import story
from companion.views.report.report import Report, setting_text

if TYPE_CHECKING:
    from companion.session.luck import WeighedRoll


class TextRun(NamedTuple):
    """A part of a paragraph."""

    text: str
    style: Literal["", "strong"] = ""


class Heading(NamedTuple):
    """A heading. `level`: 1 for the title. `anchor`: link target, or ""."""

    level: int
    text: str
    anchor: str = ""


class Paragraph(NamedTuple):
    """A paragraph."""

    runs: tuple[TextRun, ...]


class BulletList(NamedTuple):
    """A bullet list."""

    items: tuple[tuple[TextRun, ...], ...]


class Table(NamedTuple):
    """A table. `right`: right-aligned columns. `total`: the last row is the sum."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    right: frozenset[int] = frozenset()
    total: bool = False


class Quote(NamedTuple):
    """A note of the player."""

    text: str


class Collapsible(NamedTuple):
    """A section that readers can fold."""

    title: str
    blocks: tuple[Block, ...]
    level: int = 3


class Picture(NamedTuple):
    """An SVG picture. `name`: file name without suffix. `alt`: description. `caption`: text below it."""

    name: str
    svg: str
    alt: str
    caption: str = ""


Block = Heading | Paragraph | BulletList | Table | Quote | Collapsible | Picture


def paragraph(*parts: str | TextRun) -> Paragraph:
    """Return a paragraph of texts and runs.

    >>> paragraph("a ", TextRun("b", "strong")).runs
    (TextRun(text='a ', style=''), TextRun(text='b', style='strong'))
    """
    return Paragraph(tuple(part if isinstance(part, TextRun) else TextRun(part) for part in parts))


def strong(text: str) -> TextRun:
    """Return a bold run."""
    return TextRun(text, "strong")


def bullet_list(texts: Iterable[str]) -> BulletList:
    """Return a list of plain texts."""
    return BulletList(tuple((TextRun(text),) for text in texts))


def plain_texts(blocks: Sequence[Block]) -> list[str]:
    """Return all texts of a document in order, except those in pictures."""
    texts: list[str] = []
    for block in blocks:
        if isinstance(block, Heading | Quote):
            texts.append(block.text)
        elif isinstance(block, Paragraph):
            texts.append("".join(run.text for run in block.runs))
        elif isinstance(block, BulletList):
            texts += ["".join(run.text for run in runs) for runs in block.items]
        elif isinstance(block, Table):
            texts += [*block.head, *(cell for row in block.rows for cell in row)]
        elif isinstance(block, Collapsible):
            texts += [block.title, *plain_texts(block.blocks)]
    return [clean(text) for text in texts if text]


_MAX_BOUND = 99  # bounds of a track beyond this value are not drawn


class NamedPlot(NamedTuple):
    """A plot with a file name."""

    name: str
    plot: Plot


def report_plots(report: Report) -> list[NamedPlot]:
    """Return the plots in which something changes."""
    if not report.chapters:
        return []
    settings = report.game.tables.report.get("plot", ()) or _default_plots(report)
    plots = [_table_plot(report, str(body.get("title", "")), body) for body in settings]
    plots += [_loss_plot(report), _roll_plot(report)]
    moving = [plot for plot in plots if any(_is_moving(series) for series in plot.series)]
    return [NamedPlot(f"plot-{number}", plot) for number, plot in enumerate(moving, 1)]


def _is_moving(series: PlotSeries) -> bool:
    return len({value for _, value in series.points}) > 1


def _default_plots(report: Report) -> list[dict[str, object]]:
    """Return a plot for each track, one for the score and one for all cups."""
    game = report.game
    tracks = [track for track in game.tracks if track != report.form.track and game.marker_title(track)]
    plots: list[dict[str, object]] = [{"title": game.track_title(track), "tracks": [track]} for track in tracks]
    return [*plots, {"title": "Score", "count": True}, {"title": "In the cups", "cups": list(game.cups)}]


def _table_plot(report: Report, title: str, body: dict[str, object]) -> Plot:
    """Return a plot from its description in the game's tables."""
    game, tracks, cups = report.game, _listed_names(body, "tracks"), _listed_names(body, "cups")
    series = [_position_series(report, game.track_title(track), partial(_track_value, track)) for track in tracks]
    series += [_position_series(report, game.place_title(cup), partial(_piece_count, cup)) for cup in cups]
    series += [_score_series(report)] if body.get("count") else []
    low, high = _track_bounds(game, tracks) if not cups else (0, None)
    names = game.tracks[tracks[0]].names if len(tracks) == 1 else ()
    return Plot(title, _x_title(report), tuple(series), low, high, _chapter_labels(report), names)


def _track_value(track: str, position: Position) -> float:
    return float(position.track(track))


def _piece_count(place: str, position: Position) -> float:
    return float(len(position.at(place)))


def _listed_names(body: dict[str, object], key: str) -> Sequence[str]:
    names = body.get(key, ())
    return [str(name) for name in names] if isinstance(names, list) else []


def _track_bounds(game: Game, tracks: Sequence[str]) -> tuple[int | None, int | None]:
    """Return the bounds of tracks that are close enough to draw."""
    lows = [game.tracks[track].low for track in tracks]
    highs = [game.tracks[track].high for track in tracks]
    near_lows, near_highs = (
        [bound for bound in bounds if bound is not None and abs(bound) < _MAX_BOUND] for bounds in (lows, highs)
    )
    return min(near_lows, default=None), max(near_highs, default=None)


def _x_title(report: Report) -> str:
    return report.game.track_title(report.form.track).casefold() if report.form.track else ""


def _chapter_labels(report: Report) -> tuple[tuple[float, str], ...]:
    return tuple((float(place), str(chapter.last)) for place, chapter in enumerate(report.chapters, 1))


def _placed_entries(report: Report) -> Iterable[tuple[float, story.ReportEntry]]:
    """Yield each entry with its position on the axis, on which a chapter is 1 wide."""
    for x, chapter in enumerate(report.chapters):
        for number, item in enumerate(chapter.entries, 1):
            yield x + number / len(chapter.entries), item


def _position_series(report: Report, name: str, value: Callable[[Position], float]) -> PlotSeries:
    points = [(0.0, float(value(report.chapters[0].before)))]
    points += [(x, float(value(item.after))) for x, item in _placed_entries(report)]
    return PlotSeries(name, _thinned(points))


def _score_series(report: Report) -> PlotSeries:
    points = [(x, float(item.points)) for x, item in _placed_entries(report) if item.points is not None]
    return PlotSeries("Score", _thinned(points))


def _thinned(points: Sequence[tuple[float, float]]) -> tuple[tuple[float, float], ...]:
    """Drop points without a change, except both ends."""
    last = len(points) - 1
    return tuple(point for index, point in enumerate(points) if index in (0, last) or point[1] != points[index - 1][1])


def _loss_plot(report: Report) -> Plot:
    losses = [(x, story.entry_losses(item)) for x, item in _placed_entries(report)]
    series = []
    for side in dict.fromkeys(side for _, lost_by_side in losses for side in lost_by_side):
        points = [(0.0, 0.0)]
        for x, lost_by_side in losses:
            points.append((x, points[-1][1] + lost_by_side[side]))
        series.append(PlotSeries(side, _thinned(points)))
    return Plot("Units lost or reduced", _x_title(report), tuple(series), 0, None, _chapter_labels(report))


def _roll_plot(report: Report) -> Plot:
    """Return expected and actual results of the rolls."""
    expected, actual = [(0.0, 0.0)], [(0.0, 0.0)]
    for x, item in _placed_entries(report):
        rolls = report.rolls.get(item.entry.number, ())
        expected.append((x, expected[-1][1] + sum(roll.expected for roll in rolls)))
        actual.append((x, actual[-1][1] + sum(roll.actual for roll in rolls)))
    series = (PlotSeries("rolled", _thinned(actual)), PlotSeries("expected", _thinned(expected)))
    return Plot("The rolls against the odds, VP", _x_title(report), series, None, None, _chapter_labels(report))


_LUCK_HEAD = ("Action", "Rolls", "Expected", "Actual", "Difference")


def luck_table(report: Report) -> list[Block]:
    """Return expected and actual results of the rolls by action; empty without rolls."""
    numbers = {entry.number: number for number, entry in enumerate(report.history.in_force)}
    rows: list[tuple[str, ...]] = []
    all_rolls: list[WeighedRoll] = []
    for _, item in _placed_entries(report):
        if rolls := report.rolls.get(item.entry.number):
            action = action_title(report.game, item.entry.action).partition(" - ")[0]
            rows.append((f"{numbers[item.entry.number]}. {action}", *_luck_cells(rolls)))
            all_rolls += rolls
    if not rows:
        return []
    table = Table(_LUCK_HEAD, (*rows, ("All", *_luck_cells(all_rolls))), frozenset(range(1, 5)), True)
    return [paragraph("Expected and actual result of the rolls of each action, in VP."), table]


def _luck_cells(rolls: Sequence[WeighedRoll]) -> tuple[str, ...]:
    expected, actual = sum(roll.expected for roll in rolls), sum(roll.actual for roll in rolls)
    return (str(len(rolls)), *(f"{round(value, 1) + 0.0:+.1f}" for value in (expected, actual, actual - expected)))


_SHORT = 80  # length of a text up to which the texts of neighbouring actions share a paragraph
_MAX_MAPS = 40  # most maps of a document; longer games have a map every few chapters

MapAt = Callable[[Position], Map | None]
"""Returns the map at a position, or None."""


def document(
    report: Report, drawn: bool = False, map_at: MapAt = lambda position: None, review: Sequence[Block] = ()
) -> list[Block]:
    """Return the whole document.

    Args:
        report: The report.
        drawn: Include pictures.
        map_at: Gives the map at the end of each chapter.
        review: The section on the review of the session.
    """
    plots = plot_blocks(report) if drawn else []
    chapters = story_blocks(report, map_at if drawn else lambda position: None)
    return [
        *head_blocks(report),
        *score_blocks(report),
        *progress_blocks(report, plots),
        *review,
        *chapters,
        *setup_blocks(report),
        *log_blocks(report),
    ]


def head_blocks(report: Report) -> list[Block]:
    """Return title, session details and warnings."""
    head = report.head
    about = [f"Session {head.session}.", f"{head.edition}.", head.play_time.text if head.play_time else ""]
    about += [f"Players: {story.name_list(head.players)}."] if head.players else []
    blocks: list[Block] = [Heading(1, f"{head.title}: {head.scenario}"), paragraph(" ".join(filter(None, about)))]
    blocks += [paragraph(head.dice)] if head.dice else []
    if head.samples:
        blocks.append(
            paragraph(
                strong("Played with Companion's sample values instead of the published ones:"), f" {'; '.join(head.samples)}."
            )
        )
    blocks += [paragraph(strong(story.as_sentence(text))) for text in head.warnings]
    if head.changed_options:
        blocks.append(bullet_list(option.text for option in head.changed_options))
    if not head.over:
        blocks.append(paragraph(strong("The game is still under way."), f" {story.as_sentence(head.stage)}".rstrip()))
    if head.pending:
        blocks.append(paragraph(f"The action {head.pending} waits for an answer and is not included."))
    return [*blocks, *_omissions(report)]


def _omissions(report: Report) -> list[Block]:
    texts = []
    if report.head.undone:
        texts.append(f"{plural(report.head.undone, 'action')} undone and left out here.")
    if report.head.corrected:
        count = report.head.corrected
        texts.append(f"{plural(count, 'correction')}, shown where {'it was' if count == 1 else 'they were'} made.")
    return [paragraph(" ".join(texts))] if texts else []


def score_blocks(report: Report) -> list[Block]:
    """Return the itemised score and the verdict."""
    score = report.head.score
    if score is None:
        return []
    title = "Score" if report.head.over else "Score if the game ended now"
    rows = [*((label, str(points), rule) for label, points, rule in score.items), ("Total", str(score.total), score.rule)]
    verdict: list[Block] = [Heading(2, title, "score"), Paragraph((strong(score.verdict),))]
    verdict += [paragraph(f"The game is over: {report.head.over}.".replace("..", "."))] if report.head.over else []
    return [
        *verdict,
        Table(("Item", "Points", "Rule"), tuple(rows), frozenset({1}), True),
        *(paragraph(note) for note in score.notes if note.rstrip(".") not in score.verdict),
    ]


def plot_blocks(report: Report) -> list[Block]:
    """Return the plots as pictures."""
    return [Picture(name, plot_svg(plot), plot.title) for name, plot in report_plots(report)]


def progress_blocks(report: Report, plots: Sequence[Block] = ()) -> list[Block]:
    """Return the tracks by chapter, the plots, and the luck table."""
    blocks = [*_track_table(report), *plots, *luck_table(report)]
    return [Heading(2, "How it went", "course"), *blocks] if blocks else []


def _track_table(report: Report) -> list[Block]:
    """Return the tracks at the end of each chapter, if there are several."""
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
    head = ("After", *(game.track_title(track) for track in tracks), *(["Score"] if counted else []))
    return [Table(head, tuple(rows), frozenset(range(1, len(head))))]


def moved_tracks(report: Report) -> list[str]:
    """Return the tracks that changed, except the one that numbers the chapters."""
    places = [chapter.after for chapter in report.chapters]
    before = report.chapters[0].before if report.chapters else report.start
    tracks = [track for track in report.game.tracks if track != report.form.track and report.game.marker_title(track)]
    return [track for track in tracks if len({place.track(track) for place in [before, *places]}) > 1]


def story_blocks(report: Report, map_at: MapAt) -> list[Block]:
    """Return the chapters, each under its heading."""
    blocks: list[Block] = [Heading(2, "The story", "story"), *(Quote(note) for note in report.plans)]
    interval = -(-len(report.chapters) // _MAX_MAPS)
    for index, chapter in enumerate(report.chapters):
        blocks += chapter_blocks(report, index, chapter)
        map = map_at(chapter.after) if (index + 1) % interval == 0 else None
        if map is not None and map.spaces:
            blocks.append(
                Picture(f"map-{index + 1}", map_svg(map), f"{map.title}, {chapter.title}", f"The map after {chapter.title}")
            )
    return blocks


def chapter_blocks(report: Report, index: int, chapter: story.Chapter) -> list[Block]:
    """Return the text of a chapter, with notes, decisive moments and changed tracks."""
    blocks: list[Block] = [Heading(3, chapter.title, chapter_anchor(index))]
    game, moments = report.game, dict[int, list[str]]()
    for moment in report.moments:
        moments.setdefault(moment.entry, []).append(moment.text)
    short = False  # the last paragraph is of actions with one sentence each, to which another can be added
    for item, text in story.paragraphs(chapter, 0 if report.extent.full else report.form.most):
        decisive = [TextRun(f" Decisive: {text_of_moment}.", "strong") for text_of_moment in moments.get(item.entry.number, ())]
        if not (text or decisive or item.notes):
            continue
        was_short, short = short, bool(text) and not decisive and not item.notes and len(text) < _SHORT
        if short and was_short and isinstance(last := blocks[-1], Paragraph):
            blocks[-1] = paragraph(f"{last.runs[0].text} {text}")
        elif text or decisive:
            bare = text or story.as_sentence(action_title(report.game, item.entry.action).partition(" - ")[2])
            blocks.append(Paragraph((TextRun(bare), *decisive)))
        blocks += [Quote(note) for note in item.notes]
    called = {text for item in chapter.entries for text in moments.get(item.entry.number, ())}
    changes = [
        text
        for change in story.track_changes(game, report.form, chapter.before, chapter.after)
        if (text := story.track_changes_text(game, [change])) not in called  # it is not said twice
    ]
    return [*blocks, Paragraph((strong(f"{', '.join(changes)}."),))] if changes else blocks


def chapter_anchor(index: int) -> str:
    """Return the link target of a chapter."""
    return f"chapter-{index + 1}"


def setup_blocks(report: Report) -> list[Block]:
    """Return how the session was set up."""
    if report.extent.brief:
        return []
    entry = report.history.in_force[0]
    options = [(option, report.options.get(key, option.default)) for key, option in report.game.options.items()]
    chosen = [setting_text(option.title, value) for option, value in options if value and not option.ruling]
    inner: list[Block] = [paragraph("Options:"), bullet_list(chosen)] if chosen else []
    if any(option.ruling for option, _ in options):
        changed = any(option.ruling for option in report.head.changed_options)
        inner.append(paragraph(f"Rulings: as Companion usually plays{', except those named at the top' if changed else ''}."))
    return [Heading(2, "The set-up", "set-up"), Collapsible("How it was set up", (*inner, *entry_blocks(report, entry, {})))]


def log_blocks(report: Report) -> list[Block]:
    """Return the log by chapters."""
    if report.extent.brief or not report.chapters:
        return []
    pieces: dict[str, Piece] = {}
    blocks: list[Block] = [Heading(2, "The log", "log")]
    begins = {chapter.entries[0].entry.number for chapter in report.chapters}
    ends = {chapter.entries[-1].entry.number: chapter for chapter in report.chapters}
    inner: list[Block] = []
    listed = {item.entry.number for chapter in report.chapters for item in chapter.entries}
    for number, entry in enumerate(report.history.in_force):
        if entry.number in begins:
            inner = []
        if entry.number not in listed:
            apply_events(entry.events or (), pieces)
            continue
        inner += [
            Paragraph((strong(f"{number}. {action_title(report.game, entry.action)}"),)),
            *entry_blocks(report, entry, pieces),
        ]
        chapter = ends.get(entry.number)
        blocks += [Collapsible(chapter.title, tuple(inner))] if chapter else []
    return blocks


def entry_blocks(report: Report, entry: Entry, pieces: dict[str, Piece]) -> list[Block]:
    """Return the answers and events of an entry."""
    answers = _answers_text(entry, pieces)
    lines = event_lines(report.game, entry.events or (), pieces, report.extent.full)
    bullets = tuple((TextRun(" ".join(filter(None, (line.lead.strip(), line.cited)))),) for line in lines)
    return [*([paragraph(f"Answers: {answers}")] if answers else []), *([BulletList(bullets)] if bullets else [])]


def _answers_text(entry: Entry, pieces: Mapping[str, Piece]) -> str:
    """Return the answers, rolls and draws of an entry; of known printed values only the number."""
    answers = [
        f"{adjustment_text(reply)} (you: {reply.value['why']})"
        if reply.is_adjustment
        else f"{reply.key} {named_value_text(reply.value, pieces)} ({source_text(reply.source)})"
        for reply in entry.replies
        if reply.kind not in EFFECT_KINDS and (reply.is_from_player or reply.kind != "printed")
    ]
    printed = sum(reply.kind == "printed" and not reply.is_from_player for reply in entry.replies)
    return "; ".join([*answers, *([plural(printed, "printed value")] if printed else [])])


def linked_headings(blocks: Sequence[Block]) -> list[Heading]:
    """Return the headings with a link target."""
    return [block for block in blocks if isinstance(block, Heading) and block.anchor]
