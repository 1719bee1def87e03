"""The status bar of the interactive session and the second screen (`watch`)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from typing import NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Banner, Field, Game, Track, TrackEnds
from companion.core.map import Map
from companion.core.position import Position
from companion.core.request import AnyRequest, Odds
from companion.session.state import SessionState
from companion.views.banner import game_over_lines
from companion.views.board import place_lines
from companion.views.lines import Line, Span, coloured_rows, percent, terminal_rows, truncate, with_tone
from companion.views.log import log_lines
from companion.views.map_text import last_moved_space, map_lines, session_map
from companion.views.question import prompt_line, question_lines
from companion.views.theme import Tone

_SEPARATOR = " | "
_NARROW_WIDTH = 60  # width below which the figures may take one more row
_TWO_ROW_LIMIT = 3  # rows from which a narrow status bar shows stage and question on separate rows


def status_bar_height(rows: int, columns: int) -> int:
    """Return the number of rows available to the status bar."""
    return max(min(4 if columns < _NARROW_WIDTH else 3, rows // 6), 1)


def status_bar_lines(
    banner: Banner, before: Mapping[str, str], question: AnyRequest | None, rows: int, columns: int
) -> list[Line]:
    """Return the status bar, no row wider than the screen.

    Args:
        banner: Of the current position.
        before: Field values before the open action or, without one, before the last action, by key.
        question: The open question.
        rows, columns: Size of the screen.
    """
    max_rows = status_bar_height(rows, columns)
    room = columns - 1  # some terminals wrap after the last column
    head = _stage_lines(banner.stage, question, max_rows, room)
    return [*head, *_field_lines(banner.fields, before, max_rows - len(head), room)][:max_rows]


def _stage_lines(stage: str, request: AnyRequest | None, max_rows: int, room: int) -> list[Line]:
    """Return the stage and the question, on one row if there is room."""
    question = prompt_line(request) if request else None
    if question is None:
        return [Line(truncate(stage, room), "title")] if stage else []
    text = f"{question.lead}{question.text}"
    if not stage or (room < _NARROW_WIDTH and len(f"{stage}{_SEPARATOR}{text}") > room):
        first = [Line(truncate(stage, room), "title")] if stage and max_rows > _TWO_ROW_LIMIT else []
        return [*first, Line(truncate(text, room), "question")]
    whole = truncate(f"{stage}{_SEPARATOR}{text}", room)
    return [Line(whole, "question", spans=(Span(0, len(stage), "title"),))]


def _field_lines(fields: Sequence[Field], before: Mapping[str, str], max_rows: int, room: int) -> list[Line]:
    """Return the figures on at most `max_rows` rows. Unchanged figures are left out first."""
    shown = list(fields)
    while len(lines := _field_rows(shown, before, room)) > max_rows and shown:
        same = [field for field in shown if not _is_changed(field, before)]
        shown.remove((same or shown)[-1])
    return lines[: max(max_rows, 0)]


def _field_rows(fields: Sequence[Field], before: Mapping[str, str], room: int) -> list[Line]:
    """Return the figures side by side, changed ones with their old value."""
    rows: list[tuple[str, tuple[Span, ...]]] = []
    for field in fields:
        text = truncate(field_text(field, before, room), room)
        last, spans = rows[-1] if rows else ("", ())
        together = f"{last}{_SEPARATOR}{text}" if last else text
        if not rows or len(together) > room:
            rows.append((text, ()))
            together, spans = text, ()
        if _is_changed(field, before):
            spans = (*spans, Span(len(together) - len(text), len(together), "changed"))
        rows[-1] = (together, spans)
    return [Line(text, "track", spans=spans) for text, spans in rows]


def _is_changed(field: Field, before: Mapping[str, str]) -> bool:
    return field.key in before and before[field.key] != field.value


def field_text(field: Field, before: Mapping[str, str], room: int) -> str:
    """Return a figure; a changed one that does not fit shows its changed words first."""
    if not _is_changed(field, before):
        return f"{field.label} {field.value}".strip()
    was = before[field.key]
    whole = f"{field.label} {change_text(was, field.value)}".strip()
    return whole if len(whole) <= room else f"{field.label} {_changed_words_first(was, field.value)}".strip()


def _paired_words(was: str, now: str) -> list[tuple[str, str]]:
    """Pair two values word by word; empty if they differ in length or share no word."""
    pairs = list(zip(was.split(), now.split(), strict=False))
    alike = len(was.split()) == len(now.split()) and any(old == new for old, new in pairs)
    return pairs if alike else []


def change_text(was: str, now: str) -> str:
    """Return a change of value, word by word where the two values are similar.

    >>> change_text("20 concealed, 0 captured", "19 concealed, 0 captured")
    '20 -> 19 concealed, 0 captured'
    >>> change_text("Medium", "Low")
    'Medium -> Low'
    """
    return " ".join(_changed_word(old, new) for old, new in _paired_words(was, now)) or f"{was} -> {now}"


def _changed_word(old: str, new: str) -> str:
    return new if old == new else f"{old.rstrip(',')} -> {new}"


def _changed_words_first(was: str, now: str) -> str:
    """Return the changed words, each after the word that names it, then the new value."""
    pairs = _paired_words(was, now)
    texts = [
        " ".join(
            [*(pairs[index - 1][1:] if index and len(set(pairs[index - 1])) == 1 else ()), _changed_word(old, new).rstrip(",")]
        )
        for index, (old, new) in enumerate(pairs)
        if old != new
    ]
    return f"{', '.join(texts)}; {now}" if texts else f"{was} -> {now}"


def field_values(banner: Banner) -> dict[str, str]:
    """Return the field values of a banner by key."""
    return {field.key: field.value for field in banner.fields}


_LETTER_ROWS = 5
_GLYPH_TEXTS = (
    "075557 126227 271747 371717 455711 574717 674757 771122 875757 975717 A25755 B65656 C34443 D65556 E74647",
    "F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755 N65555 O25552 P65644 Q25563 R65655 S34216 T72222",
    "U55557 V55552 W55775 X55255 Y55222 Z71247 +02720 -00700 /11244 .00002 :02020 >42124 ,00024 (12221 )42224",
)
_GLYPHS = {" ": "00000"} | {glyph[0]: glyph[1:] for row in _GLYPH_TEXTS for glyph in row.split()}
"""Letter -> its five rows, each an octal digit whose bits are three columns."""


def large_letters(text: str, ink: str = "#") -> list[str]:
    """Return a text in letters five rows high; unknown characters become blanks."""
    shapes = [_GLYPHS.get(char, _GLYPHS[" "]) for char in text.upper()]
    return ["  ".join(_row(shape[row], ink) for shape in shapes).rstrip() for row in range(_LETTER_ROWS)]


def _row(digit: str, ink: str) -> str:
    """Return one row of a glyph, two characters per column because characters are twice as high as wide."""
    return "".join(ink * 2 if int(digit) & bit else "  " for bit in (4, 2, 1))


def large_width(text: str) -> int:
    """Return the width of a text in large letters."""
    return max(8 * len(text) - 2, 0)


def large_bands(parts: Sequence[tuple[str, str]], width: int, gap: int = 4) -> list[list[tuple[str, str]]]:
    """Distribute labelled texts over as few bands as fit the width."""
    bands: list[list[tuple[str, str]]] = []
    used = 0
    for label, text in parts:
        need = max(large_width(text), len(label))
        if bands and used + gap + need <= width:
            bands[-1].append((label, text))
            used += gap + need
        else:
            bands.append([(label, text)])
            used = need
    return bands


_ELLIPSIS = "..."


class ScreenRow(NamedTuple):
    """A row as plain text and with colour codes."""

    text: str = ""
    shown: str = ""


def screen_rows(lines: Iterable[Line], width: int, column: str) -> list[ScreenRow]:
    """Lay lines out as rows of at most `width` characters; without colours if `column` is ""."""
    screen: list[ScreenRow] = []
    for line in lines:
        texts = terminal_rows(line, width)
        painted = coloured_rows(line, width, column) if column else texts
        screen += [_fitted_row(text, coloured, line.tone, width, column) for text, coloured in zip(texts, painted, strict=True)]
    return screen


def _fitted_row(text: str, coloured: str, tone: Tone, width: int, column: str) -> ScreenRow:
    """Return a row, truncated and in a single tone if it is too long."""
    if len(text) <= width:
        return ScreenRow(text, coloured)
    text = truncate(text, width)
    return ScreenRow(text, with_tone(text, tone, column) if column else text)


def clip(rows: Sequence[ScreenRow], max_rows: int, width: int) -> list[ScreenRow]:
    """Return at most `max_rows` rows; the last one ends in dots if rows were dropped."""
    if len(rows) <= max_rows:
        return list(rows)
    if max_rows <= 0:
        return []
    last = truncate(f"{rows[max_rows - 1].text} {_ELLIPSIS}", width)
    return [*rows[: max_rows - 1], ScreenRow(last, last)]


def side_by_side(left: Sequence[ScreenRow], right: Sequence[ScreenRow], width: int, gap: str = "  ") -> list[ScreenRow]:
    """Join two columns of rows; the left one is `width` characters wide."""
    rows = []
    for first, second in zip_longest(left, right, fillvalue=ScreenRow()):
        blank = " " * (width - len(first.text)) + gap
        rows.append(ScreenRow(f"{first.text}{blank}{second.text}".rstrip(), f"{first.shown}{blank}{second.shown}"))
    return rows


_LAST_ENTRIES = 3


class Snapshot(NamedTuple):
    """The state of a session as the dashboard shows it.

    Attributes:
        name: Of the session.
        position: Current position, including the open entry.
        previous_values: Field values of the banner before the last entry, by key.
        banner: Of the position.
        pending: The open question.
        broken: Why the open entry cannot continue, or "".
        result_lines: Reason and verdict once the game is over.
        default_action: Id of the usual next action, or "".
        recent_lines: Lines of the last entries, newest last.
        map: The map as far as known; None if the game has none.
        around: The space that the last piece moved to, or "".
        ends: The ends of each track in this game.
        odds: Of the open question; None if it has none or they are not computed yet.
    """

    name: str
    game: Game
    position: Position
    previous_values: Mapping[str, str]
    banner: Banner
    pending: AnyRequest | None
    broken: str
    result_lines: list[Line]
    default_action: str
    recent_lines: list[Line]
    map: Map | None
    around: str
    ends: Mapping[str, TrackEnds]
    odds: Odds | None = None


def snapshot(session: SessionState) -> Snapshot:
    """Return a snapshot without odds, which `with_odds` adds."""
    game, position, history = session.game, session.position, session.history
    pending = session.pending
    last = history.force[-1]
    under_way = session.events_of(last) if pending else ()
    map = session_map(session, position)
    return Snapshot(
        session.info.name,
        game,
        position,
        field_values(game.banner(history.position(before=last), session.options)) if last > 1 else {},
        game.banner(position, session.options),
        pending,
        session.broken,
        game_over_lines(game, position, session.options),
        "" if game.over(position) else game.table_action(position),
        log_lines(game, history, last=_LAST_ENTRIES, under_way=under_way),
        map if map and map.spaces else None,
        last_moved_space(session, map) if map else "",
        {track: game.track_ends(track, position, session.log.facts()) for track in game.tracks},
    )


def with_odds(view: Snapshot) -> Snapshot:
    """Return the snapshot with the odds of its question, if there are any."""
    if view.pending is None or view.pending.odds is None:
        return view
    try:
        return view._replace(odds=view.pending.odds())
    except CompanionError:  # a value they need is still unknown
        return view


MIN_HEIGHT, MIN_WIDTH = 6, 24
"""Smallest screen that is laid out."""

_TWO_COLUMN_WIDTH = 100
_MAX_BAR_WIDTH = 40
_MAX_BAR_RANGE = 100  # widest range of a track that is drawn as a bar
_MIN_MAP_ROWS, _MAX_MAP_ROWS = 13, 60
_TALL_ROWS, _LAST_ROWS = 30, 8  # on a taller screen the map leaves room for the last entries
_ODDS_ROWS = 4
_MIN_QUESTION_ROWS = 2


class Dashboard(NamedTuple):
    """The rows of the screen: those that always stay, and those below that can be scrolled."""

    pinned: list[ScreenRow]
    body: list[ScreenRow]

    def rows(self, height: int, top: int = 0) -> list[ScreenRow]:
        """Return at most `height` rows; the body begins with its row `top`."""
        return [*self.pinned, *self.body[top:]][: max(height, MIN_HEIGHT)]


def dashboard(view: Snapshot, width: int, height: int, column: str = "", big: bool = False) -> Dashboard:
    """Lay out the screen. The map is as high as leaves room for the rest, but not lower than it can be read.

    Args:
        view: The snapshot to show.
        width, height: Size of the screen.
        column: Theme column, or "" for no colours.
        big: Show the figures in large letters.
    """
    width, height = max(width, MIN_WIDTH), max(height, MIN_HEIGHT)
    head = screen_rows([_head(view, width)], width, column)[:1]
    room = height - len(head)
    figures = _large_figures(view, width, column) if big else []
    if not figures or len(figures) > room - _MIN_QUESTION_ROWS:
        figures = _figures(view, view.banner.fields, width, column)
    question = _question(view, width, column, max(room // 3, min(room // 2, 4), _MIN_QUESTION_ROWS))
    pinned = [*head, *question, *clip(figures, max(room - len(question), 1), width)]
    return Dashboard(pinned, _body(view, width, height - len(pinned), column))


def _head(view: Snapshot, width: int) -> Line:
    """Return the stage and, if there is room, the game and session."""
    stage = view.banner.stage or view.game.title
    session = f"{view.game.title}, {view.name}"
    blank = width - len(stage) - len(session)
    if blank < 2:
        return Line(truncate(stage, width), "title")
    text = f"{stage}{' ' * blank}{session}"
    return Line(text, "title", spans=(Span(len(stage) + blank, len(text), "dim"),))


def _question(view: Snapshot, width: int, column: str, max_rows: int) -> list[ScreenRow]:
    lines = view.result_lines or _question_or_prompt(view)
    rows = screen_rows(lines, width, column)
    odds = screen_rows(_odds(view), width, column)[:_ODDS_ROWS]
    if len(rows) + len(odds) <= max_rows:
        return [*rows, *odds]
    if odds and max_rows > 3:
        return [*clip(rows, max_rows - 1, width), odds[0]]
    return clip(rows, max_rows, width)


def _question_or_prompt(view: Snapshot) -> list[Line]:
    if view.broken:
        return [Line(view.broken, "error", "", "! ")]
    if view.pending is not None:
        return question_lines(view.pending)
    usual = f" (Enter: {view.default_action})" if view.default_action else ""
    return [Line(f"Your action{usual}", "question", "", "? ")]


def _odds(view: Snapshot) -> list[Line]:
    if view.odds is None:
        return []
    lines = []
    for title, chances in view.odds.sections[:1]:
        text = ", ".join(f"{label} {percent(chance)}" for label, chance in chances if chance >= 0.001)
        lines.append(Line(text, "track", "", f"    {title or view.odds.title}: "))
    if view.odds.means:
        means = ", ".join(f"{label} {mean:.2f}" for label, mean in view.odds.means)
        lines.append(Line(means, "track", "", "    On average: "))
    return lines


def _figures(view: Snapshot, fields: Sequence[Field], width: int, column: str) -> list[ScreenRow]:
    return screen_rows(_field_rows(fields, view.previous_values, width), width, column)


def _large_figures(view: Snapshot, width: int, column: str) -> list[ScreenRow]:
    """Return the figures in large letters below their labels. Figures wider than the screen stay small."""
    large = [field for field in view.banner.fields if field.value and large_width(field.value) <= width]
    small = [field for field in view.banner.fields if field not in large]
    lines: list[Line] = []
    for band in large_bands([(field.label, field.value) for field in large], width):
        cells = [max(large_width(value), len(label)) for label, value in band]
        labels = [truncate(label, cell).ljust(cell) for (label, _), cell in zip(band, cells, strict=True)]
        lines.append(Line("    ".join(labels).rstrip()))
        words = [[row.ljust(cell) for row in large_letters(value)] for (_, value), cell in zip(band, cells, strict=True)]
        lines += [Line("", "changed", "", "    ".join(rows).rstrip()) for rows in zip(*words, strict=True)]
        lines.append(Line(""))
    return [*screen_rows(lines, width, column), *_figures(view, small, width, column)]


def _body(view: Snapshot, width: int, room: int, column: str) -> list[ScreenRow]:
    """Return tracks, map, last entries, cups, boxes and reminders; on a wide screen in two columns."""
    is_wide = width >= _TWO_COLUMN_WIDTH
    left_width = min((width - 2) // 2, 60) if is_wide else width
    right_width = width - left_width - 2 if is_wide else width
    tracks = _panel("Tracks", _bars(view, left_width), left_width, column)
    last = _panel("Last", view.recent_lines, right_width, column)
    reminders = [Line(text, "reminder", "", "* ") for text in view.banner.reminders]
    parts = (("Cups", _cups(view)), ("Boxes", _boxes(view)), ("To remember", reminders))
    rest = [row for title, lines in parts for row in _panel(title, lines, left_width, column)]
    others = len(last) if is_wide else len(tracks) + len(last) + len(rest)
    first_screen = room - (0 if is_wide else len(tracks)) - (_LAST_ROWS if room > _TALL_ROWS else 0)
    map_rows = min(max(room - others, first_screen, _MIN_MAP_ROWS), _MAX_MAP_ROWS)
    lines = map_lines(view.map, "", right_width, map_rows, view.around) if view.map else []
    map = screen_rows(lines, right_width, column)[:map_rows]
    if not is_wide or not (tracks or rest):
        return [*tracks, *map, *last, *rest]
    return side_by_side([*tracks, *rest], [*map, *last], left_width)


def _panel(title: str, lines: Sequence[Line], width: int, column: str) -> list[ScreenRow]:
    """Return lines below their heading; nothing without lines."""
    heading = Line(f"-- {title} ".ljust(width, "-"), "dim")
    return screen_rows([heading, *lines], width, column) if lines else []


def _bars(view: Snapshot, width: int) -> list[Line]:
    """Return each track as a bar between its ends or as its names; without both ends, if no figure shows it, as a number."""
    shown = {field.key for field in view.banner.fields}
    tracks = [
        track for track in view.game.tracks.values() if track.title and (_has_bar(view.ends[track.id]) or track.id not in shown)
    ]
    label = max((len(track.title) for track in tracks if len(track.title) <= width // 2), default=0)
    return [line for track in tracks for line in _bar(track, view.ends[track.id], view.position.track(track.id), label, width)]


def _has_bar(ends: TrackEnds) -> bool:
    """True if the ends of a track are close enough for a bar."""
    return ends.low is not None and ends.high is not None and ends.high - ends.low <= _MAX_BAR_RANGE


def _bar(track: Track, ends: TrackEnds, value: int, label: int, width: int) -> list[Line]:
    """Return a track on one row, below its title if that is too long."""
    lead = f"{track.title.ljust(label)}  "
    if len(track.title) > label:
        return [Line(track.title), *_bar(track._replace(title=""), ends, value, label, width)]
    if track.names:
        return [_named_values(track, track.display(value), lead, width)]
    if not _has_bar(ends):
        return [Line(f"{value}", "title", "", lead)]
    low, high = ends.low or 0, ends.high or 0
    figure = f"{value}".rjust(len(str(high)))
    ends_text = f" {low}..{high}"
    room = max(min(width - len(lead) - len(figure) - len(ends_text) - 1, _MAX_BAR_WIDTH), 0)
    full = round(room * (min(max(value, low), high) - low) / max(high - low, 1))
    begin = len(lead) + len(figure) + 1
    spans = (
        Span(len(lead), len(lead) + len(figure), "title"),
        Span(begin, begin + full, "track"),
        Span(begin + full, begin + room + len(ends_text), "dim"),
    )
    return [Line(f"{figure} {'#' * full}{'.' * (room - full)}{ends_text}", "", "", lead, spans)]


def _named_values(track: Track, now: str, lead: str, width: int) -> Line:
    """Return the names of a track's values; only the current one if there is no room for all."""
    text = " ".join(f"[{name}]" if name == now else f" {name} " for name in track.names)
    if len(lead) + len(text) > width or now not in track.names:
        place = f" {track.names.index(now) + 1} of {len(track.names)}" if now in track.names else ""
        text = f"[{now}]{place}"
    begin = len(lead) + text.find("[")
    return Line(text, "dim", "", lead, (Span(begin, begin + len(now) + 2, "changed"),))


def _cups(view: Snapshot) -> list[Line]:
    return place_lines(view.game, view.position, [cup for cup in view.game.cups if view.position.count(cup)])


def _boxes(view: Snapshot) -> list[Line]:
    """Return the occupied boxes beside the map, except cups and places that need no check."""
    occupied, game = view.position.places(), view.game
    left_out = {*game.cups, *game.unchecked_places}
    return place_lines(game, view.position, [place for place in game.places if place in occupied and place not in left_out])
