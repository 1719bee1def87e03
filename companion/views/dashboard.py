"""The second screen of a session (`watch`): a snapshot of the session, and its layout on a screen of any size."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.errors import CompanionError
from companion.core.game import Banner, Field, Game, Track
from companion.core.map import Map
from companion.core.position import Position
from companion.core.request import Odds, Request
from companion.session.state import SessionState
from companion.views.banner import game_over_lines
from companion.views.board import place_lines
from companion.views.lines import Line, Span, coloured_rows, terminal_rows, with_tone
from companion.views.log import log_lines
from companion.views.map_text import known_map, map_lines
from companion.views.odds import percent
from companion.views.question import question_lines
from companion.views.status_bar import field_values, truncate

_HIGH = 5
_WRITTEN = (
    "075557 126227 271747 371717 455711 574717 674757 771122 875757 975717 A25755 B65656 C34443 D65556 E74647",
    "F74644 G34553 H55755 I72227 J11152 K55655 L44447 M57755 N65555 O25552 P65644 Q25563 R65655 S34216 T72222",
    "U55557 V55552 W55775 X55255 Y55222 Z71247 +02720 -00700 /11244 .00002 :02020 >42124 ,00024 (12221 )42224",
)
_GLYPHS = {" ": "00000"} | {one[0]: one[1:] for row in _WRITTEN for one in row.split()}
"""Letter -> its rows, each an octal digit whose three bits are its three columns."""


def large_letters(text: str, ink: str = "#") -> list[str]:
    """A text in five rows; what there is no letter for becomes a blank."""
    shapes = [_GLYPHS.get(char, _GLYPHS[" "]) for char in text.upper()]
    return ["  ".join(_row(shape[row], ink) for shape in shapes).rstrip() for row in range(_HIGH)]


def _row(digit: str, ink: str) -> str:
    """Three columns, each two characters wide, as a character is twice as high as it is wide."""
    return "".join(ink * 2 if int(digit) & bit else "  " for bit in (4, 2, 1))


def large_width(text: str) -> int:
    """Characters that a text takes."""
    return max(8 * len(text) - 2, 0)


def large_bands(parts: Sequence[tuple[str, str]], width: int, gap: int = 4) -> list[list[tuple[str, str]]]:
    """Labelled texts on as few bands as they fit on, none broken: each band its labels with their texts."""
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


_DOTS = "..."


class ScreenRow(NamedTuple):
    """A row as it reads, and with its colours."""

    text: str = ""
    shown: str = ""


def screen_rows(lines: Iterable[Line], width: int, column: str) -> list[ScreenRow]:
    """Lines as rows of at most so many characters. ``column``: of the theme; "" for no colours."""
    found: list[ScreenRow] = []
    for line in lines:
        texts = terminal_rows(line, width)
        painted = coloured_rows(line, width, column) if column else texts
        found += [_fitted_row(text, shown, line.tone, width, column) for text, shown in zip(texts, painted, strict=True)]
    return found


def _fitted_row(text: str, shown: str, tone: str, width: int, column: str) -> ScreenRow:
    """A row; one that is too long, since it is a single word, is cut and has the tone of its line."""
    if len(text) <= width:
        return ScreenRow(text, shown)
    text = truncate(text, width)
    return ScreenRow(text, with_tone(text, tone, column) if column else text)


def clip(found: Sequence[ScreenRow], most: int, width: int) -> list[ScreenRow]:
    """At most so many rows; where some are left out, the last of the others says so."""
    if len(found) <= most:
        return list(found)
    if most <= 0:
        return []
    last = truncate(f"{found[most - 1].text} {_DOTS}", width)
    return [*found[: most - 1], ScreenRow(last, last)]


def side_by_side(left: Sequence[ScreenRow], right: Sequence[ScreenRow], wide: int, gap: str = "  ") -> list[ScreenRow]:
    """Two columns of rows; the left one is ``wide`` characters wide."""
    found = []
    for number in range(max(len(left), len(right))):
        one = left[number] if number < len(left) else ScreenRow()
        other = right[number] if number < len(right) else ScreenRow()
        blank = " " * (wide - len(one.text)) + gap
        found.append(ScreenRow(f"{one.text}{blank}{other.text}".rstrip(), f"{one.shown}{blank}{other.shown}"))
    return found


_LAST_ENTRIES = 3


class Snapshot(NamedTuple):
    """A session as it stands, for whoever looks on.

    Attributes:
        name: of the session.
        position: as it stands, with the open entry as far as it is.
        before: the figures of the banner before the last entry, by key.
        banner: of the position.
        pending: the question that is open.
        broken: why the open entry cannot go on, or "".
        over: that the game is over, and the verdict; nothing while it goes on.
        usual: the action that is the usual one now, or "".
        last: the lines of the last entries, the newest at the end.
        map: as far as it is known; None where the game has none.
        odds: of the open question; None where it offers none, or they are not worked out yet.
    """

    name: str
    game: Game
    position: Position
    before: Mapping[str, str]
    banner: Banner
    pending: Request[Any] | None
    broken: str
    over: list[Line]
    usual: str
    last: list[Line]
    map: Map | None
    odds: Odds | None = None


def snapshot(desk: SessionState) -> Snapshot:
    """The session as it stands; the odds of its question are left to be worked out by ``with_odds``."""
    game, position, history = desk.game, desk.position, desk.history
    pending = desk.pending
    last = history.force[-1]
    under_way = desk.events_of(last) if pending else ()
    map = known_map(game, position, desk.options, desk.log.facts(), desk.archive.inferred_facts(game.id)) if game.map_in else None
    return Snapshot(
        desk.info.name,
        game,
        position,
        field_values(game.banner(history.position(before=last), desk.options)) if last > 1 else {},
        game.banner(position, desk.options),
        pending,
        desk.broken,
        game_over_lines(game, position, desk.options),
        "" if game.over(position) else game.default_action(position),
        log_lines(game, history, last=_LAST_ENTRIES, under_way=under_way),
        map if map and map.spaces else None,
    )


def with_odds(found: Snapshot) -> Snapshot:
    """The same with the odds of its question, where it offers any."""
    if found.pending is None or found.pending.odds is None:
        return found
    try:
        return found._replace(odds=found.pending.odds())
    except CompanionError:  # they need something that nobody has told yet
        return found


LEAST_HIGH, LEAST_WIDE = 6, 24
"""A screen of fewer rows or columns is painted as if it had these."""

_TWO_COLUMNS = 100
_LONGEST_BAR = 40
_SCALE = 100
"""A track with more values than this has bounds that only a count needs, and no bar."""
_MAP_LEAST = 13
_ODDS_ROWS = 4
_QUESTION_LEAST = 2


class _Panel(NamedTuple):
    """A part of the screen.

    Attributes:
        title: stands over it; "" for none.
        made: its rows, for so many at most and a width.
        least: rows without which it is left out, the title not counted in.
        good: rows that are of more use here than in the panels behind it.
    """

    title: str
    made: Callable[[int, int], list[ScreenRow]]
    least: int = 1
    good: int = 4


def dashboard(found: Snapshot, width: int, height: int, column: str = "", big: bool = False) -> list[ScreenRow]:
    """The rows of the screen, never more than ``height`` and none longer than ``width``.

    Args:
        found: what is shown.
        width, height: of the screen.
        column: of the theme; "" for no colours.
        big: figures that are read from across the table.
    """
    width, height = max(width, LEAST_WIDE), max(height, LEAST_HIGH)
    head = screen_rows([_head(found, width)], width, column)[:1]
    room = height - len(head)
    figures = _large(found, width, column) if big else []
    if not figures or len(figures) > room - _QUESTION_LEAST:
        figures = _figures(found, width, column)
    question = _question(found, width, column, max(room - len(figures), room // 2, _QUESTION_LEAST))
    pinned = [*head, *question, *clip(figures, max(room - len(question), 1), width)]
    rest = height - len(pinned)
    panels = _panels(found, column)
    if width >= _TWO_COLUMNS:
        return [*pinned, *_side_by_side(panels, width, rest, column)]
    return [*pinned, *_stacked(panels, width, rest, column)]


def _head(found: Snapshot, width: int) -> Line:
    """Where play is, and whose game it is where there is room for that."""
    stage = found.banner.stage or found.game.title
    whose = f"{found.game.title}, {found.name}"
    blank = width - len(stage) - len(whose)
    if blank < 2:
        return Line(truncate(stage, width), "title")
    text = f"{stage}{' ' * blank}{whose}"
    return Line(text, "title", spans=(Span(len(stage) + blank, len(text), "dim"),))


# -- what is pinned -----------------------------------------------------------------------------------------------------


def _question(found: Snapshot, width: int, column: str, most: int) -> list[ScreenRow]:
    """What is waited for, with its odds where they fit."""
    lines = found.over or _asked(found)
    shown = screen_rows(lines, width, column)
    odds = screen_rows(_odds(found), width, column)[:_ODDS_ROWS]
    if len(shown) + len(odds) <= most:
        return [*shown, *odds]
    if odds and most > 3:
        return [*clip(shown, most - 1, width), odds[0]]
    return clip(shown, most, width)


def _asked(found: Snapshot) -> list[Line]:
    if found.broken:
        return [Line(found.broken, "error", "", "! ")]
    if found.pending is not None:
        return question_lines(found.pending)
    usual = f" (Enter: {found.usual})" if found.usual else ""
    return [Line(f"An action is waited for{usual}", "question", "", "? ")]


def _odds(found: Snapshot) -> list[Line]:
    """The first section of the odds on a line, and what is to be expected on another."""
    if found.odds is None:
        return []
    lines = []
    for title, chances in found.odds.sections[:1]:
        told = ", ".join(f"{label} {percent(chance)}" for label, chance in chances if chance >= 0.001)
        lines.append(Line(told, "track", "", f"    {title or found.odds.title}: "))
    if found.odds.means:
        means = ", ".join(f"{label} {mean:.2f}" for label, mean in found.odds.means)
        lines.append(Line(means, "track", "", "    On average: "))
    return lines


def _figures(found: Snapshot, width: int, column: str) -> list[ScreenRow]:
    """The figures side by side; those that the last action has changed stand out, with what they were."""
    lines: list[Line] = []
    for field in found.banner.fields:
        text, changed = truncate(_figure(found, field), width), _changed(found, field)
        last = lines[-1] if lines else None
        if last is None or len(last.text) + 3 + len(text) > width:
            lines.append(Line(text, "track"))
        else:
            lines[-1] = last._replace(text=f"{last.text} | {text}")
        if changed:
            end = len(lines[-1].text)
            lines[-1] = lines[-1]._replace(spans=(*lines[-1].spans, Span(end - len(text), end, "changed")))
    return screen_rows(lines, width, column)


def _changed(found: Snapshot, field: Field) -> bool:
    return field.key in found.before and found.before[field.key] != field.value


def _figure(found: Snapshot, field: Field) -> str:
    value = field.value
    if _changed(found, field):
        was = found.before[field.key]
        value = f"{value} (was {was})" if " " in value else f"{was} > {value}"
    return f"{field.label} {value}".strip()


def _large(found: Snapshot, width: int, column: str) -> list[ScreenRow]:
    """The figures in large letters, each below its label; those that are too long even for a row of their own stay small."""
    fits = [field for field in found.banner.fields if field.value and large_width(field.value) <= width]
    small = found._replace(
        banner=found.banner._replace(fields=tuple(field for field in found.banner.fields if field not in fits))
    )
    lines: list[Line] = []
    for band in large_bands([(field.label, field.value) for field in fits], width):
        cells = [max(large_width(value), len(label)) for label, value in band]
        lines.append(
            Line("    ".join(truncate(label, wide_).ljust(wide_) for (label, _), wide_ in zip(band, cells, strict=True)).rstrip())
        )
        shapes = [large_letters(value) for _, value in band]
        lines += [
            Line(
                "",
                "changed",
                "",
                "    ".join(shape[row].ljust(wide_) for shape, wide_ in zip(shapes, cells, strict=True)).rstrip(),
            )
            for row in range(5)
        ]
        lines.append(Line(""))
    return [*screen_rows(lines, width, column), *_figures(small, width, column)]


# -- the rest -----------------------------------------------------------------------------------------------------------


def _panels(found: Snapshot, column: str) -> list[_Panel]:
    """What is shown besides, by need."""

    def of(lines: Sequence[Line]) -> Callable[[int, int], list[ScreenRow]]:
        return lambda most, width: clip(screen_rows(lines, width, column), most, width)

    def tail(most: int, width: int) -> list[ScreenRow]:
        return screen_rows(found.last, width, column)[-most:]

    def drawn(most: int, width: int) -> list[ScreenRow]:
        return screen_rows(map_lines(found.map, "", width, most), width, column)[:most] if found.map else []

    bounded = [one for one in found.game.tracks.values() if _bounded(one)]
    panels = [
        _Panel(
            "Tracks", lambda most, width: screen_rows(_bars(found, bounded, width), width, column)[:most], min(len(bounded), 2), 8
        ),
        _Panel("Cups", of(_cups(found))),
        _Panel("Last", tail, 2, 6),
        _Panel("Boxes", of(_boxes(found))),
        _Panel("", drawn, _MAP_LEAST, 60),
        _Panel("To remember", of([Line(text, "reminder", "", "* ") for text in found.banner.reminders])),
    ]
    there = [bounded, _cups(found), found.last, _boxes(found), found.map, found.banner.reminders]
    return [panel for panel, any_ in zip(panels, there, strict=True) if any_]


def _bounded(track: Track) -> bool:
    """Whether a track has bounds that mean something to a player."""
    return bool(track.title) and track.low is not None and track.high is not None and track.high - track.low <= _SCALE


def _bars(found: Snapshot, bounded: Sequence[Track], width: int) -> list[Line]:
    """Each track as a bar between its bounds, or its names with the one that holds standing out."""
    label = max(len(track.title) for track in bounded)
    return [_bar(track, found.position.track(track.id), min(label, width // 3), width) for track in bounded]


def _bar(track: Track, value: int, label: int, width: int) -> Line:
    assert track.low is not None and track.high is not None
    lead = f"{truncate(track.title, label).ljust(label)}  "
    if track.names:
        return _names(track, track.display(value), lead, width)
    said = f"{value}".rjust(len(str(track.high)))
    ends = f" {track.low}..{track.high}"
    room = max(min(width - len(lead) - len(said) - len(ends) - 1, _LONGEST_BAR), 0)
    full = round(room * (min(max(value, track.low), track.high) - track.low) / max(track.high - track.low, 1))
    begin = len(lead) + len(said) + 1
    spans = (
        Span(len(lead), len(lead) + len(said), "title"),
        Span(begin, begin + full, "track"),
        Span(begin + full, begin + room + len(ends), "dim"),
    )
    return Line(f"{said} {'#' * full}{'.' * (room - full)}{ends}", "", "", lead, spans)


def _names(track: Track, now: str, lead: str, width: int) -> Line:
    """The names of a track's values; only the one that holds, with its place among them, where there is no room for all."""
    text = " ".join(f"[{name}]" if name == now else f" {name} " for name in track.names)
    if len(lead) + len(text) > width or now not in track.names:
        place = f" {track.names.index(now) + 1} of {len(track.names)}" if now in track.names else ""
        text = f"[{now}]{place}"
    begin = len(lead) + text.find("[")
    return Line(text, "dim", "", lead, (Span(begin, begin + len(now) + 2, "changed"),))


def _cups(found: Snapshot) -> list[Line]:
    """Each cup with what is left in it."""
    return place_lines(found.game, found.position, [cup for cup in found.game.cups if found.position.count(cup)])


def _boxes(found: Snapshot) -> list[Line]:
    """The boxes beside the map that hold something, without those of which nobody checks what lies there."""
    held, game = found.position.places(), found.game
    return place_lines(
        game, found.position, [one for one in game.places if one in held and one not in (*game.cups, *game.unchecked_places)]
    )


# -- placing ------------------------------------------------------------------------------------------------------------


def _stacked(panels: Sequence[_Panel], width: int, room: int, column: str) -> list[ScreenRow]:
    """Panels below each other, as many from the first on as there is room for."""
    kept = list(panels)
    while kept and sum(panel.least + bool(panel.title) for panel in kept) > room:
        kept.pop()
    shares = _shares(kept, width, room - sum(bool(panel.title) for panel in kept))
    found = [
        row
        for panel, most in zip(kept, shares, strict=True)
        for row in (*_heading(panel.title, width, column), *panel.made(most, width))
    ]
    return found[:room]


def _shares(kept: Sequence[_Panel], width: int, room: int) -> list[int]:
    """Rows for each panel: what it must have, then what does it good, then what it can show, in the order of need."""
    shares = [panel.least for panel in kept]
    wanted = [len(panel.made(room, width)) for panel in kept]
    for limits in ([panel.good for panel in kept], wanted):
        for number, limit in enumerate(limits):
            shares[number] += max(min(limit, wanted[number]) - shares[number], 0) if room - sum(shares) > 0 else 0
            shares[number] -= max(sum(shares) - room, 0)
    return shares


def _heading(title: str, width: int, column: str) -> list[ScreenRow]:
    return screen_rows([Line(f"-- {title} ".ljust(width, "-"), "dim")], width, column) if title else []


def _side_by_side(panels: Sequence[_Panel], width: int, room: int, column: str) -> list[ScreenRow]:
    """Two columns: the map and what has just been done to the right, the rest to the left."""
    wide_ = min((width - 2) // 2, 60)
    right = [panel for panel in panels if panel.title in ("", "Last")]
    left = [panel for panel in panels if panel not in right]
    right.sort(key=lambda panel: panel.title != "")
    if not left or not right:
        return _stacked(panels, width, room, column)
    return side_by_side(_stacked(left, wide_, room, column), _stacked(right, width - wide_ - 2, room, column), wide_)
