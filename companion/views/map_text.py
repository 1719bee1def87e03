"""The map as text: the layout of its spaces, the whole map, the part around a space, and the details of a space."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import groupby
from typing import TYPE_CHECKING

from companion.core.errors import Unreadable
from companion.core.events import PieceMoved
from companion.core.game import Game
from companion.core.map import AREAS, GRID, HEXES, Link, Map, Space, Stack
from companion.core.map_layout import Cell, arrange, cells_between
from companion.core.named_tuple import NamedTuple
from companion.core.position import Position
from companion.core.text import matching_names, pick_name
from companion.views.lines import WIDTH, Line, Span, counted_names, printable, row_count
from companion.views.theme import Tone

if TYPE_CHECKING:
    from companion.session.state import SessionState

UNKNOWN_SIGN = "."
"""Symbol of a space without known features."""
SIDE_TONES: tuple[Tone, ...] = ("first", "second", "third", "fourth", "fifth")
"""Tones of the sides of a map, in order."""
_SIDE_PREFIXES = ("", "*", "'", '"', "^")  # tell sides with the same letters apart without colour
_STROKES = "=~:+%&"


def side_tone(map: Map, side: str) -> Tone:
    """Return the tone of a side."""
    return SIDE_TONES[list(map.sides).index(side) % len(SIDE_TONES)] if side in map.sides else ""


def side_marks(map: Map) -> dict[str, str]:
    """Return the prefix of each side's letters."""
    letters: dict[str, set[str]] = {side: set() for side in map.sides}
    for space in map.spaces.values():
        for stack in space.stacks:
            letters.setdefault(stack.side, set()).add(stack.letter)
    is_ambiguous = len(set().union(*letters.values())) < sum(len(used) for used in letters.values())
    return {side: _SIDE_PREFIXES[index % len(_SIDE_PREFIXES)] if is_ambiguous else "" for index, side in enumerate(letters)}


def link_kinds(map: Map) -> dict[str, str]:
    """Return the kind of each link description: itself, or its first word if there are too many kinds."""
    descriptions = list(dict.fromkeys(link.how for link in map.links))
    is_crowded = len(descriptions) > len(_STROKES)
    return {text: text.partition(" ")[0] if is_crowded else text for text in descriptions}


def link_strokes(map: Map) -> dict[str, str]:
    """Return the character for each kind of link; "" for the most common, which is drawn with `-`, `|`, `/` and `\\`."""
    kind_of = link_kinds(map)
    count = Counter(kind_of[link.how] for link in map.links)
    commonest = "" if "" in count else max(count, key=lambda kind: count[kind], default="")
    signs = {meaning: sign for sign, meaning in map.signs.items() if len(sign) == 1}
    unused = iter(stroke for stroke in _STROKES if stroke not in map.signs)
    return {kind: signs.get(kind) or ("" if kind == commonest else next(unused, "")) for kind in count}


def stack_text(stack: Stack, marks: Mapping[str, str]) -> str:
    """Return a stack as letter and count, in two or three characters."""
    count = len(stack.names)
    times = "x" if stack.letter[-1:].isdecimal() else ""
    return f"{marks.get(stack.side, '')}{stack.letter}{f'{times}{count}' if count > 1 else ''}"


def ground_sign(space: Space) -> str:
    """Return the symbol of a space's terrain: its sign, or the first letter of the terrain."""
    return space.symbol or space.ground[:1] or ("" if space.source else UNKNOWN_SIGN)


def sign_meanings(map: Map, space: Space) -> list[tuple[str, str]]:
    """Return the meaning of a space's sign, or of each of its characters."""
    sign = ground_sign(space)
    if sign not in map.signs and all(char in map.signs for char in sign):
        return [(char, map.signs[char]) for char in sign]
    return [(sign, map.signs.get(sign, space.ground))]


_MIN_WIDTH = 4  # width of the narrowest space, in characters
CONTENT_ROWS = 2
"""Rows of text in a space."""


class Scale(NamedTuple):
    """Size of the spaces.

    Attributes:
        width: Characters from one column to the next.
        height: Rows of text from one space to the one below.
        gap: Characters of `width` left free for links.
    """

    width: int
    height: int
    gap: int


_WIDE_SCALES = (Scale(26, 3, 4), Scale(20, 3, 3), Scale(16, 3, 3), Scale(13, 3, 3))
_AREA_SCALES = (*_WIDE_SCALES, Scale(10, 3, 2))
SCALES: Mapping[str, tuple[Scale, ...]] = {
    GRID: (*_AREA_SCALES, Scale(13, 2, 2), Scale(10, 2, 2), Scale(8, 2, 2), Scale(13, 1, 1), Scale(10, 1, 1)),
    HEXES: (Scale(13, 2, 2), Scale(10, 2, 2), Scale(8, 2, 2)),
    AREAS: _AREA_SCALES,
}
"""Shape -> scales, largest first."""
PART_SCALES: Mapping[str, Scale] = {GRID: Scale(13, 2, 2), HEXES: Scale(10, 2, 2), AREAS: Scale(13, 3, 3)}
"""Shape -> scale for a part of a map that does not fit as a whole."""


class MapLayout(NamedTuple):
    """A map, or a part of it, laid out on a screen.

    Attributes:
        scale: Size of the spaces.
        cells: Space -> column and row of the map.
        columns: Column of the map -> first column on the screen and width of its spaces.
        rows: Row of the map -> first row on the screen.
        is_whole: True if all spaces are drawn.
    """

    scale: Scale
    cells: Mapping[str, Cell]
    columns: Mapping[int, tuple[int, int]]
    rows: Mapping[int, int]
    is_whole: bool

    def origin(self, name: str) -> Cell:
        """Return column and row on the screen of a space's top left character."""
        column, row = self.cells[name]
        return self.columns[column][0], self.rows[row]


def space_cells(map: Map) -> dict[str, Cell]:
    """Return column and row of each space: as the game places it, or arranged by neighbours for areas.

    Spaces without a place on a grid, and areas of which nothing is known, are left out.
    """
    fixed = {name: space.cell for name, space in map.spaces.items() if space.cell is not None}
    if map.shape != AREAS:
        return fixed
    names = [name for name, space in map.spaces.items() if space.cell or space.source or space.stacks or map.neighbours[name]]
    return dict(_arranged(tuple(names), tuple(map.neighbours.items()), tuple(fixed.items())))


@lru_cache(maxsize=4)
def _arranged(
    names: tuple[str, ...], links: tuple[tuple[str, tuple[str, ...]], ...], fixed: tuple[tuple[str, Cell], ...]
) -> Mapping[str, Cell]:
    """Arrange areas. Cached, because a large map takes a second."""
    return arrange(names, dict(links), dict(fixed))


def rows_per_space(map: Map) -> int:
    """Return the height of a space in map rows; hexes are counted in halves."""
    return 2 if map.shape == HEXES else 1


def lay_out(map: Map, cells: Mapping[str, Cell], place: str, width: int, height: int, around: str = "") -> MapLayout:
    """Lay out the whole map at the largest scale that fits, or a part of it if none does.

    Args:
        map: The map.
        cells: Column and row of each of its spaces.
        place: Space that is highlighted, in the middle of a part; "" for none.
        width, height: Size of the screen in characters.
        around: Space in the middle of a part if there is no `place`; "" for the busiest part.
    """
    unit = rows_per_space(map)
    for scale in SCALES[map.shape]:
        if _extent(cells, 1) <= _rows_that_fit(height, scale, unit):
            for widths in ({}, _needed_widths(map, cells, place, scale.height)):
                columns = _columns(list(cells.values()), scale, widths)
                if not columns or sum(columns[max(columns)]) <= width:
                    return MapLayout(scale, cells, columns, _tops(list(cells.values()), scale, unit), True)
    scale = PART_SCALES[map.shape]
    across, down = max((width + scale.gap) // scale.width, 1), max(_rows_that_fit(height, scale, unit), unit)
    middle = cells.get(place) or cells.get(around) or _busiest_cell(map, cells, across, down)
    left, top = _part_start(cells, 0, middle[0], across), _part_start(cells, 1, middle[1], down)
    shown = {name: cell for name, cell in cells.items() if left <= cell[0] < left + across and top <= cell[1] < top + down}
    corners = [*shown.values(), *(((left, top), (left + across - 1, top + down - 1)) if map.shape == HEXES else ())]
    return MapLayout(scale, shown, _columns(corners, scale, {}), _tops(corners, scale, unit), False)


def part_around(map: Map, cells: Mapping[str, Cell], place: str, reach: int = 4) -> dict[str, Cell]:
    """Return the cells within `reach` columns and rows of a space; all cells if `place` is ""."""
    if place not in cells:
        return dict(cells)
    column, row = cells[place]
    down = reach * rows_per_space(map)
    return {name: (x, y) for name, (x, y) in cells.items() if abs(x - column) <= reach and abs(y - row) <= down}


def _extent(cells: Mapping[str, Cell], axis: int) -> int:
    """Return the number of columns (axis 0) or rows (axis 1) of the cells."""
    used = [cell[axis] for cell in cells.values()]
    return max(used) - min(used) + 1 if used else 0


def _rows_that_fit(height: int, scale: Scale, unit: int) -> int:
    return 1 + max(height - min(CONTENT_ROWS, scale.height), -1) * unit // scale.height


def _needed_widths(map: Map, cells: Mapping[str, Cell], place: str, height: int) -> dict[int, int]:
    """Return the width that each column needs for names, signs and stacks. `place`: the highlighted space."""
    marks, widths = side_marks(map), {column: _MIN_WIDTH for column, _ in cells.values()}
    for name, (column, _) in cells.items():
        space = map.spaces[name]
        head = len(f"{name} {ground_sign(space)}") + 2 * (name == place)
        stacks = sum(len(stack_text(stack, marks)) + 1 for stack in space.stacks)
        widths[column] = max(widths[column], *((head, stacks) if height > 1 else (head + stacks,)))
    return widths


def _columns(cells: Sequence[Cell], scale: Scale, widths: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Return start and width of each column: of `widths`, or of the scale if that is empty."""
    columns, x = {}, 0
    used = [column for column, _ in cells]
    for column in range(min(used), max(used) + 1) if used else ():
        width = widths.get(column, 0) if widths else scale.width - scale.gap
        columns[column] = (x, width)
        x += width + scale.gap
    return columns


def _tops(cells: Sequence[Cell], scale: Scale, unit: int) -> dict[int, int]:
    rows = [row for _, row in cells]
    return {row: (row - min(rows)) * scale.height // unit for row in range(min(rows), max(rows) + 1)} if rows else {}


def _part_start(cells: Mapping[str, Cell], axis: int, middle: int, fit: int) -> int:
    """Return the first column or row of a part with `middle` near its centre, kept within the map."""
    used = [cell[axis] for cell in cells.values()]
    return max(min(middle - fit // 2, max(used) - fit + 1), min(used))


def _busiest_cell(map: Map, cells: Mapping[str, Cell], across: int, down: int) -> Cell:
    """Return the cell with most stacks, or most known spaces, around it."""
    weight = {cell: 99 * len(map.spaces[name].stacks) + bool(map.spaces[name].source) for name, cell in cells.items()}

    def near(middle: Cell) -> tuple[int, int]:
        inside = [cell for cell in weight if _is_within(cell[0] - middle[0], across) and _is_within(cell[1] - middle[1], down)]
        return sum(weight[cell] for cell in inside), weight[middle]

    return max(weight, key=near)


def _is_within(off: int, fit: int) -> bool:
    """True if an offset from the centre is inside a part of that size."""
    return -(fit // 2) <= off < fit - fit // 2


@lru_cache(maxsize=2)
def linked_spaces(map: Map) -> Mapping[str, Mapping[str, Link]]:
    """Return for each space its linked spaces with their links. Cached, because every space of a large map asks for it."""
    links: dict[str, dict[str, Link]] = {name: {} for name in map.spaces}
    for link in map.links:
        for name, neighbour in ((link.one, link.other), (link.other, link.one)):
            if name in links:
                links[name][neighbour] = link
    return links


_AROUND: Mapping[str, tuple[Cell, ...]] = {
    GRID: ((0, -1), (1, 0), (0, 1), (-1, 0)),
    HEXES: ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)),
}


def adjacent_spaces(map: Map, name: str) -> list[str]:
    """Return the adjacent spaces on a grid or hex map, clockwise from the north."""
    cell, names = map.spaces[name].cell, _names_by_cell(map)
    around = _AROUND.get(map.shape, ()) if cell else ()
    return [names[cell[0] + x, cell[1] + y] for x, y in around if cell and (cell[0] + x, cell[1] + y) in names]


@lru_cache(maxsize=2)
def _names_by_cell(map: Map) -> Mapping[Cell, str]:
    return {space.cell: space.name for space in map.spaces.values() if space.cell is not None}


ToneText = tuple[str, Tone]
"""A text and its tone."""

_EMPTY: ToneText = (" ", "")


class Canvas:
    """A character grid; text outside it is cut off."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells = [[_EMPTY] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str, tone: Tone = "") -> None:
        """Write a text to the right of a position."""
        if 0 <= y < self.height:
            for column, char in enumerate(printable(text), x):
                if 0 <= column < self.width:
                    self._cells[y][column] = (char, tone)

    def get(self, x: int, y: int) -> str:
        """Return the character at a position; a blank outside the canvas."""
        return self._cells[y][x][0] if 0 <= y < self.height and 0 <= x < self.width else " "

    def lines(self) -> list[Line]:
        """Return all rows up to the last that is not empty."""
        lines = [toned_line(row) for row in self._cells]
        while lines and not lines[-1].lead.strip():
            lines.pop()
        return lines


def toned_line(parts: Iterable[ToneText]) -> Line:
    """Join texts into a line that keeps its blanks."""
    text, spans = "", []
    for tone, group in groupby(parts, key=lambda part: part[1]):
        added = "".join(part[0] for part in group)
        if tone and added.strip():
            spans.append(Span(len(text), len(text) + len(added), tone))
        text += added
    return Line("", "", "", printable(text).rstrip(), tuple(spans))


_LINK_ROW_HEIGHT = 3  # height of a space from which there is a free row for links
_MIN_TITLE = 4  # least number of characters of a title to show


class MapDrawing:
    """Draws a map on a canvas.

    Args:
        canvas: Where to draw.
        map: The map.
        layout: Where each space is.
        place: Space to highlight, or "".
    """

    def __init__(self, canvas: Canvas, map: Map, layout: MapLayout, place: str) -> None:
        self.canvas, self.map, self.layout, self.place = canvas, map, layout, place
        self.marks = side_marks(map)
        self.taken = set(layout.cells.values())

    def draw(self) -> list[Link]:
        """Draw all spaces and links; return the links that are hidden by other spaces."""
        cells, strokes, kind_of = self.layout.cells, link_strokes(self.map), link_kinds(self.map)
        if self.map.shape == HEXES:
            self._unknown_hexes()
        for name in cells:
            self._space(self.map.spaces[name])
        links = [link for link in self.map.links if link.one in cells and link.other in cells]
        return [link for link in links if not self._link(link, strokes[kind_of[link.how]])]

    def _space(self, space: Space) -> None:
        x, y = self.layout.origin(space.name)
        width = self.layout.columns[self.layout.cells[space.name][0]][1]
        used = self._parts(x, y, self._head(space, width), width)
        if self.layout.scale.height > 1:
            self._parts(x + 1, y + 1, self._stacks(space.stacks, width - 1), width - 1)
        else:
            self._parts(x + used + 1, y, self._stacks(space.stacks, width - used - 1), width - used - 1)

    def _unknown_hexes(self) -> None:
        """Draw a symbol for each hex without known features, so that distances are visible."""
        column, row = next(iter(self.taken), (0, 0))
        for x, (left, _) in self.layout.columns.items():
            for y, top in self.layout.rows.items():
                if (x - column + y - row) % 2 == 0 and (x, y) not in self.taken:
                    self.canvas.put(left, top, UNKNOWN_SIGN, "dim")

    def _parts(self, x: int, y: int, parts: Iterable[ToneText], room: int) -> int:
        """Write texts as far as there is room; return the characters used."""
        used = 0
        for text, tone in parts:
            visible = text[: max(room - used, 0)]
            self.canvas.put(x + used, y, visible, tone)
            used += len(visible)
        return used

    def _head(self, space: Space, width: int) -> list[ToneText]:
        """Return the first row of a space: name, terrain symbol and title as far as they fit."""
        is_chosen, is_known = space.name == self.place, bool(space.source)
        name = f"[{space.name}]" if is_chosen else space.name
        tone: Tone = "title" if is_chosen else "" if is_known else "dim"
        sign = ground_sign(space) if len(name + ground_sign(space)) <= width else ""
        gap = " " if len(name + sign) < width else ""
        parts: list[ToneText] = [(name, tone), (gap, ""), (sign, "track" if is_known else "dim")]
        room = width - sum(len(text) for text, _ in parts) - 1
        title = space.further_title
        if self.layout.scale.height > 1 and room >= min(_MIN_TITLE, len(title)) > 0:
            parts.append((f" {title[:room]}", "dim"))
        return parts

    def _stacks(self, stacks: Sequence[Stack], room: int) -> list[ToneText]:
        """Return the stacks in the tones of their sides, ending in `+` if there is no room for all."""
        parts: list[ToneText] = []
        used = 0
        for index, stack in enumerate(stacks):
            text = stack_text(stack, self.marks)
            is_last = index == len(stacks) - 1
            if used + len(text) > room - (0 if is_last else 2):
                return [*parts, ("+", "")]
            parts += [(text, side_tone(self.map, stack.side)), (" ", "")]
            used += len(text) + 1
        return parts

    def _link(self, link: Link, stroke: str) -> bool:
        """Draw a link; return False if other spaces are in the way."""
        scale, layout = self.layout.scale, self.layout
        first, second = sorted((link.one, link.other), key=lambda name: layout.cells[name])
        (x1, y1), (x2, y2) = layout.origin(first), layout.origin(second)
        columns, down = layout.cells[second][0] - layout.cells[first][0], y2 - y1
        if columns == 1 and down and self._is_adjacent(down):
            y = y1 + (down > 0) if self.map.shape == HEXES else min(y1, y2) + scale.height - 1
            x = x2 - (scale.gap + 1) // 2 if scale.height < _LINK_ROW_HEIGHT else (x1 + x2) // 2
            self._stroke(x, y, stroke or ("\\" if down > 0 else "/"))
            return True
        if (columns and down) or any(cell in self.taken for cell in cells_between(layout.cells[first], layout.cells[second])):
            return False
        (self._horizontal if columns else self._vertical)((x1, y1), (x2, y2), stroke or ("-" if columns else "|"))
        return True

    def _is_adjacent(self, down: int) -> bool:
        """True if two spaces in neighbouring columns, `down` rows apart, are adjacent."""
        return abs(down) == (self.layout.scale.height // 2 if self.map.shape == HEXES else self.layout.scale.height)

    def _vertical(self, start: Cell, end: Cell, stroke: str) -> None:
        for y in range(start[1] + min(self.layout.scale.height - 1, 2), end[1]):
            self._stroke(start[0], y, stroke)

    def _horizontal(self, start: Cell, end: Cell, stroke: str) -> None:
        x = end[0] - min(self.layout.scale.gap, 2)
        self._stroke(x, start[1], stroke)
        while x - 2 > start[0] and self.canvas.get(x - 2, start[1]) == self.canvas.get(x - 1, start[1]) == " ":
            x -= 1
            self._stroke(x, start[1], stroke)

    def _stroke(self, x: int, y: int, stroke: str) -> None:
        """Write a character of a link on a blank; crossing diagonals become `X`."""
        current = self.canvas.get(x, y)
        if current == " ":
            self.canvas.put(x, y, stroke, "dim" if stroke in "-|/\\" else "board")
        elif {current, stroke} == {"/", "\\"}:
            self.canvas.put(x, y, "X", "dim")


_MAX_BOX_WIDTH = 26  # maximum width of a box
_MIN_BOX_WIDTH = 12


def inset_lines(map: Map, place: str, width: int) -> list[Line]:
    """Return close-up boxes of a space and its neighbours; empty if its interior is unknown."""
    if not map.spaces[place].inset:
        return []
    links = {link.other if link.one == place else link.one: link for link in map.links if place in (link.one, link.other)}
    boxes = [_inset_box(map, place, None)]
    boxes += [_inset_box(map, name, link) for name, link in links.items() if map.spaces[name].inset]
    unknown = [name for name in links if not map.spaces[name].inset]
    lines = [Line(row) for row in _box_rows(boxes, width)]
    return [*lines, *([Line(", ".join(unknown), "dim", "", "Interior unknown: ")] if unknown else [])]


def _inset_box(map: Map, name: str, link: Link | None) -> list[str]:
    """Return the box of a space: its name, how it is linked to the central one, and its rows."""
    space = map.spaces[name]
    head = f"{name} {space.ground}".rstrip()
    joined = [link.how or "beside it"] if link else ["(here)"]
    width = min(max(_MIN_BOX_WIDTH, len(head) + 2, *(len(row) for row in (*joined, *space.inset))), _MAX_BOX_WIDTH)
    return [
        f"+-{head[: width - 2]}-".ljust(width + 2, "-") + "+",
        *(f"| {row[:width].ljust(width)}|" for row in (*joined, *space.inset)),
        f"+{'-' * (width + 1)}+",
    ]


def _box_rows(boxes: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Yield rows of boxes, as many boxes a row as fit."""
    remaining = list(boxes)
    while remaining:
        row = [remaining.pop(0)]
        while remaining and sum(len(box[0]) + 1 for box in (*row, remaining[0])) <= width + 1:
            row.append(remaining.pop(0))
        for index in range(max(map(len, row))):
            yield " ".join(box[index] if index < len(box) else " " * len(box[0]) for box in row).rstrip()


SCREEN_ROWS = 23
"""Default height of a map, which leaves a row for the prompt."""
_MIN_ROWS = 8  # minimum rows of the drawing
_LEGEND_GAP = "   "
_MAX_LINKS = 6  # most links or spaces listed in words
_MAX_NAMES = 20  # most names listed


def known_map(
    game: Game, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
) -> Map:
    """Return the map of a game as far as it is known, with its pieces. Raises Unreadable if the game has none."""
    if game.map is None:
        raise Unreadable(f"{game.title} has no map", cure="See what lies where: companion show places")
    return game.map.build(position, options, facts, learnt)


def session_map(session: SessionState, position: Position) -> Map | None:
    """Return the map of a session as far as it is known, at a position; None if the game has none."""
    game = session.game
    if not game.has_map:
        return None
    return known_map(game, position, session.options, session.log.facts(), session.archive.inferred_facts(game.id))


def find_space(map: Map, text: str, game: Game | None = None, facts: Mapping[str, str] | None = None) -> str:
    """Return the space with a name, title or piece, or as the game's notation reads it.

    Args:
        facts: What is known of the map, of which an example is shown.

    Raises:
        Unreadable: There is no such space, or nothing is known of it.
        Ambiguous: Several match.
    """
    names = {title: space.name for space in map.spaces.values() for title in (space.title, space.name) if title}
    matches = matching_names(text, names)
    space_of = {piece: space.name for space in map.spaces.values() for stack in space.stacks for piece in stack.names}
    if not matches and (pieces := matching_names(text, space_of)):
        return space_of[pick_name(text, list(space_of), "piece on the map") if len(pieces) > 1 else pieces[0]]
    if not matches and game and game.map:
        name = game.map.read_name(text)
        if name not in map.spaces:
            from companion.session.facts import example_line

            cure = f'Enter it like this: companion map {game.id} tell "{example_line(game.map, facts or {})}"'
            raise Unreadable(f"nothing is known of {name}", cure=cure)
        return name
    return names[pick_name(text, list(names), "space on the map")]


def last_moved_space(session: SessionState, map: Map) -> str:
    """Return the space with the piece that was moved last and is still on the map; "" if none was since the set-up."""
    space_of = {piece: space.name for space in map.spaces.values() for stack in space.stacks for piece in stack.names}
    for number in reversed(session.history.force[1:]):
        for event in reversed(session.events_of(number)):
            piece = session.position.pieces.get(event.id) if isinstance(event, PieceMoved) else None
            if piece and piece.name in space_of:
                return space_of[piece.name]
    return ""


def map_lines(map: Map, place: str = "", width: int = WIDTH, height: int = SCREEN_ROWS, around: str = "") -> list[Line]:
    """Return the map on one screen; of a larger map the part around a space, or the busiest part.

    Args:
        map: The map.
        place: Space to describe in full, or "".
        width, height: Size of the screen.
        around: Space in the middle of a part if there is no `place`, or "".
    """
    if not map.spaces:
        return [Line(map.title, "title"), Line("Nothing is known of it yet", "dim"), *_notes(map)]
    if place and (boxes := inset_lines(map, place, width)):
        return [Line(f"{map.title}: around {place}", "title"), *boxes, *_notes(map)]
    notes = [*(space_lines(map, place) if place else ()), *_unplaced_spaces(map, space_cells(map)), *_notes(map)]
    lines: list[Line] = []
    room = height
    for _ in range(3):  # the notes depend on the part that fits
        room -= max(row_count([*lines, *notes], width) - height, 0) if lines else row_count(notes, width)
        lines = _map_drawing(map, place, around, width, max(room, _MIN_ROWS))
    return [*lines, *notes]


def _map_drawing(map: Map, place: str, around: str, width: int, room: int) -> list[Line]:
    """Return title, legend and drawing on at most `room` rows, and what could not be drawn."""
    cells = space_cells(map)
    key = row_count(_legend(map, list(map.spaces), False, width), width)
    layout = lay_out(map, cells, place, width, max(room - key, 1), around)
    canvas = Canvas(width, max(layout.rows.values(), default=-1) + layout.scale.height)
    undrawn = MapDrawing(canvas, map, layout, place).draw()
    apart = _undrawn_links(undrawn) if map.shape == AREAS else []
    hidden = [] if layout.is_whole else _undrawn_spaces(map, [name for name in cells if name not in layout.cells])
    return [*_legend(map, list(layout.cells), layout.is_whole, width), *canvas.lines(), *apart, *hidden]


def _legend(map: Map, names: Sequence[str], whole: bool, width: int) -> list[Line]:
    spaces = [map.spaces[name] for name in names]
    head: list[ToneText] = [(map.title if whole else f"{map.title}, a part of it", "title")]
    items = [head, *_sides(map, spaces), *_grounds(map, spaces), *_links(map, {*names})]
    rows: list[list[ToneText]] = []
    for item in items:
        if rows and _text_length(rows[-1]) + len(_LEGEND_GAP) + _text_length(item) <= width:
            rows[-1] += [(_LEGEND_GAP, ""), *item]
        else:
            rows.append(item)
    return [toned_line(row) for row in rows]


def _text_length(parts: Iterable[ToneText]) -> int:
    return sum(len(text) for text, _ in parts)


def _sides(map: Map, spaces: Iterable[Space]) -> list[list[ToneText]]:
    letters: dict[str, dict[str, str]] = {side: {} for side in map.sides}
    marks = side_marks(map)
    for space in spaces:
        for stack in space.stacks:
            means = map.signs.get(stack.letter, "")
            is_side = means == map.sides.get(stack.side)
            letters.setdefault(stack.side, {})[marks[stack.side] + stack.letter] = "" if is_side else means
    texts = {side: ", ".join(f"{letter} {means}".rstrip() for letter, means in used.items()) for side, used in letters.items()}
    return [[(f"{map.sides.get(side, side)}: {used}", side_tone(map, side))] for side, used in texts.items() if used]


def _grounds(map: Map, spaces: Iterable[Space]) -> list[list[ToneText]]:
    used = {sign: means for space in spaces if space.source for sign, means in sign_meanings(map, space)}
    has_unknown = map.shape == HEXES or any(not space.source for space in spaces)
    grounds: list[list[ToneText]] = [[(sign, "track"), (f" {meaning}", "")] for sign, meaning in used.items() if meaning]
    return [*grounds, [(f"{UNKNOWN_SIGN} unknown", "dim")]] if has_unknown else grounds


def _links(map: Map, shown: set[str]) -> list[list[ToneText]]:
    """Return each kind of link that is not a plain line."""
    strokes, kind_of = link_strokes(map), link_kinds(map)
    used = dict.fromkeys(kind_of[link.how] for link in map.links if {link.one, link.other} <= shown)
    kinds = [kind for kind in used if kind or len(used) > 1]
    return [[(strokes[kind] or "-", "board" if strokes[kind] else "dim"), (f" {kind or 'way'}", "")] for kind in kinds]


def space_lines(map: Map, name: str) -> list[Line]:
    """Return all that is known of a space: terrain, neighbours, links and pieces."""
    lines = [space_heading(map.spaces[name])]
    joined = linked_spaces(map)[name]
    if joined:
        lines.append(Line(", ".join(_link_text(neighbour, link) for neighbour, link in joined.items()), "", "", "  joined to  "))
    adjacent = [neighbour for neighbour in adjacent_spaces(map, name) if neighbour not in joined]
    if adjacent:
        lines.append(Line(", ".join(adjacent), "", "", "  beside it  "))
    return [*lines, *stack_lines(map, map.spaces[name])]


def space_heading(space: Space) -> Line:
    """Return a space with its title and its terrain."""
    title = f"{space.name} {space.further_title}".rstrip()
    ground = "; ".join(filter(None, [space.ground, ", ".join(space.features)]))
    description = ground or ("" if space.source else "nothing is known of it")
    source = f" ({space.source})" if space.source else ""
    return Line((f"{title}: {description}" if description else title) + source, "title")


def stack_lines(map: Map, space: Space) -> list[Line]:
    """Return the pieces in a space by side."""
    lines = []
    for side in dict.fromkeys(stack.side for stack in space.stacks):
        pieces = counted_names(name for stack in space.stacks if stack.side == side for name in stack.names)
        lines.append(Line(pieces, side_tone(map, side), "", f"  {map.sides.get(side, side)}  "))
    return lines


def _link_text(neighbour: str, link: Link) -> str:
    return " ".join(filter(None, [neighbour, link.how, f"({link.source})" if link.source and link.source != "told" else ""]))


def _unplaced_spaces(map: Map, cells: Mapping[str, Cell]) -> list[Line]:
    """Return occupied spaces without a place on the map, and spaces of which nothing is known."""
    marks = side_marks(map)
    lines = []
    for space in map.spaces.values():
        if space.name not in cells and space.stacks:
            parts = [(f"{stack_text(stack, marks)} ", side_tone(map, stack.side)) for stack in space.stacks]
            lines.append(toned_line([(f"{space.title or space.name}: ", ""), *parts]))
    unknown = [name for name, space in map.spaces.items() if name not in cells and not space.source and not space.stacks]
    return [*lines, *([Line(_first_names(unknown), "dim", "", "Nothing known of: ")] if unknown else [])]


def _first_names(names: Sequence[str], count: int = _MAX_NAMES) -> str:
    """Return the first names and the number of the others."""
    return ", ".join([*names[:count], *([f"and {len(names) - count} more"] if len(names) > count else [])])


def _undrawn_spaces(map: Map, names: Sequence[str]) -> list[Line]:
    """Return the occupied or titled spaces outside the drawn part."""
    spaces = sorted((map.spaces[name] for name in names), key=lambda space: not space.stacks)
    texts = [f"{space.name} {space.further_title}".rstrip() for space in spaces if space.stacks or space.title]
    return [Line(_first_names(texts, _MAX_LINKS), "dim", "", "Name another to see it: ")] if texts else []


def _undrawn_links(links: Sequence[Link]) -> list[Line]:
    """Return the links between areas that could not be drawn."""
    texts = [f"{link.one} - {link.other}{f' ({link.how})' if link.how else ''}" for link in links]
    return [Line(_first_names(texts, _MAX_LINKS), "dim", "", "Also joined: ")] if texts else []


def _notes(map: Map) -> list[Line]:
    return [Line(note, "dim") for note in map.notes]
