"""Where each space of a map is drawn on a screen, and the symbols that stand for its contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.core.map import AREAS, GRID, HEXES, Link, Map, Space, Stack
from companion.core.map_layout import Cell, arrange
from companion.views.theme import Tone

UNKNOWN_SIGN = "."
"""Symbol of a space without known features."""
SIDE_TONES: tuple[Tone, ...] = ("first", "second", "third", "fourth", "fifth")
"""Tones of the sides of a map, in order."""
_SIDE_PREFIXES = (
    "",
    "*",
    "'",
    '"',
    "^",
)  # prefixes that tell sides apart where their letters are the same, so that colour is not needed
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
    alike = len(set().union(*letters.values())) < sum(len(used) for used in letters.values())
    return {side: _SIDE_PREFIXES[place % len(_SIDE_PREFIXES)] if alike else "" for place, side in enumerate(letters)}


def link_kinds(map: Map) -> dict[str, str]:
    """Return the kind of each link description: itself, or its first word if there are too many kinds."""
    hows = list(dict.fromkeys(link.how for link in map.links))
    is_crowded = len(hows) > len(_STROKES)
    return {how: how.partition(" ")[0] if is_crowded else how for how in hows}


def link_strokes(map: Map) -> dict[str, str]:
    """Return the character for each kind of link; "" for the most common, which is drawn with `-`, `|`, `/` and `\\`."""
    kind_of = link_kinds(map)
    count = Counter(kind_of[link.how] for link in map.links)
    usual = "" if "" in count else max(count, key=lambda kind: count[kind], default="")
    signs = {meaning: sign for sign, meaning in map.signs.items() if len(sign) == 1}
    free = iter(stroke for stroke in _STROKES if stroke not in map.signs)
    return {kind: signs.get(kind) or ("" if kind == usual else next(free, "")) for kind in count}


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


def lay_out(map: Map, cells: Mapping[str, Cell], around: str, width: int, height: int) -> MapLayout:
    """Lay out the whole map at the largest scale that fits, or a part of it if none does.

    Args:
        map: The map.
        cells: Column and row of each of its spaces.
        around: Space in the middle of a part; "" for the busiest part.
        width, height: Size of the screen in characters.
    """
    unit = rows_per_space(map)
    for scale in SCALES[map.shape]:
        if _extent(cells, 1) <= _rows_that_fit(height, scale, unit):
            for needed in ({}, _needed_widths(map, cells, around, scale.height)):
                columns = _columns(list(cells.values()), scale, needed)
                if sum(columns[max(columns)]) <= width if columns else True:
                    return MapLayout(scale, cells, columns, _tops(list(cells.values()), scale, unit), True)
    scale = PART_SCALES[map.shape]
    across, down = max((width + scale.gap) // scale.width, 1), max(_rows_that_fit(height, scale, unit), unit)
    middle = cells[around] if around in cells else _busiest_cell(map, cells, across, down)
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
    places = [cell[axis] for cell in cells.values()]
    return max(places) - min(places) + 1 if places else 0


def _rows_that_fit(height: int, scale: Scale, unit: int) -> int:
    return 1 + max(height - min(CONTENT_ROWS, scale.height), -1) * unit // scale.height


def _needed_widths(map: Map, cells: Mapping[str, Cell], around: str, height: int) -> dict[int, int]:
    """Return the width that each column needs for names, signs and stacks. `around`: the highlighted space."""
    marks, needed = side_marks(map), {column: _MIN_WIDTH for column, _ in cells.values()}
    for name, (column, _) in cells.items():
        space = map.spaces[name]
        head = len(f"{name} {ground_sign(space)}") + 2 * (name == around)
        standing = sum(len(stack_text(stack, marks)) + 1 for stack in space.stacks)
        needed[column] = max(needed[column], *((head, standing) if height > 1 else (head + standing,)))
    return needed


def _columns(cells: Sequence[Cell], scale: Scale, needed: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Return start and width of each column, as the scale says or no wider than `needed`."""
    inner, begins, x = scale.width - scale.gap, {}, 0
    places = [column for column, _ in cells]
    for column in range(min(places), max(places) + 1) if places else ():
        room = needed.get(column, 0) if needed else inner
        begins[column] = (x, room)
        x += room + scale.gap
    return begins


def _tops(cells: Sequence[Cell], scale: Scale, unit: int) -> dict[int, int]:
    rows = [row for _, row in cells]
    return {row: (row - min(rows)) * scale.height // unit for row in range(min(rows), max(rows) + 1)} if rows else {}


def _part_start(cells: Mapping[str, Cell], axis: int, middle: int, fit: int) -> int:
    """Return the first column or row of a part with `middle` near its centre, kept within the map."""
    places = [cell[axis] for cell in cells.values()]
    return max(min(middle - fit // 2, max(places) - fit + 1), min(places))


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


def linked_spaces(map: Map) -> dict[str, dict[str, Link]]:
    """Return for each space its linked spaces with their links."""
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
    cell = map.spaces[name].cell
    names = {space.cell: space.name for space in map.spaces.values() if space.cell is not None}
    around = _AROUND.get(map.shape, ()) if cell else ()
    return [names[cell[0] + x, cell[1] + y] for x, y in around if cell and (cell[0] + x, cell[1] + y) in names]
