"""Where each space of a map is drawn on the screen, and the signs that stand for its contents."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.core.arrangement import Cell, arrange
from companion.core.map import AREAS, GRID, HEXES, Link, Map, Space, Stack

UNKNOWN_SIGN = "."
"""For a space of which nothing is known but that it is there."""
SIDE_TONES = ("first", "second", "third", "fourth", "fifth")
"""The tones of a map's sides in their order."""
_MARKS = ("", "*", "'", '"', "^")
"""What stands before the letters of each side where two sides have a letter in common, so that nobody needs the colours."""
_STROKES = "=~:+%&"


def side_tone(map: Map, side: str) -> str:
    """The tone of a side."""
    return SIDE_TONES[list(map.sides).index(side) % len(SIDE_TONES)] if side in map.sides else ""


def side_marks(map: Map) -> dict[str, str]:
    """What stands before the letters of each side."""
    letters: dict[str, set[str]] = {side: set() for side in map.sides}
    for space in map.spaces.values():
        for stack in space.stacks:
            letters.setdefault(stack.side, set()).add(stack.letter)
    alike = len(set().union(*letters.values())) < sum(len(some) for some in letters.values())
    return {side: _MARKS[place % len(_MARKS)] if alike else "" for place, side in enumerate(letters)}


def link_kinds(map: Map) -> dict[str, str]:
    """The kind of each way in which spaces are joined: that way itself, or its first word where there are too many to be told
    apart.
    """
    hows = list(dict.fromkeys(link.how for link in map.links))
    many = len(hows) > len(_STROKES)
    return {how: how.partition(" ")[0] if many else how for how in hows}


def link_strokes(map: Map) -> dict[str, str]:
    """What each kind of link is drawn with; "" for the usual one, which shows where it runs: ``- | / \\``."""
    kind_of = link_kinds(map)
    count = Counter(kind_of[link.how] for link in map.links)
    usual = "" if "" in count else max(count, key=lambda kind: count[kind], default="")
    signs = {meaning: sign for sign, meaning in map.signs.items() if len(sign) == 1}
    free = iter(stroke for stroke in _STROKES if stroke not in map.signs)
    return {kind: signs.get(kind) or ("" if kind == usual else next(free, "")) for kind in count}


def stack_text(stack: Stack, marks: Mapping[str, str]) -> str:
    """A stack in two or three characters: its letter, and how many there are of it."""
    many = len(stack.names)
    times = "x" if stack.letter[-1:].isdecimal() else ""
    return f"{marks.get(stack.side, '')}{stack.letter}{f'{times}{many}' if many > 1 else ''}"


def ground_sign(space: Space) -> str:
    """What stands for the ground of a space: its sign, or how the word for its ground begins."""
    return space.symbol or space.ground[:1] or ("" if space.source else UNKNOWN_SIGN)


def sign_meanings(map: Map, space: Space) -> list[tuple[str, str]]:
    """What the sign of a space means; each of its characters, where only those mean something."""
    sign = ground_sign(space)
    if sign not in map.signs and all(char in map.signs for char in sign):
        return [(char, map.signs[char]) for char in sign]
    return [(sign, map.signs.get(sign, space.ground))]


_LEAST = 4
"""Characters of the narrowest space."""
CONTENT_ROWS = 2
"""Rows of text of a space: what it is, and what stands there."""


class Scale(NamedTuple):
    """How large spaces are drawn.

    Attributes:
        wide: characters from one column to the next.
        high: rows of text from one space to that below it.
        gap: how many of the characters stay free for links.
    """

    wide: int
    high: int
    gap: int


_WIDE = (Scale(26, 3, 4), Scale(20, 3, 3), Scale(16, 3, 3), Scale(13, 3, 3))
_AREAS = (*_WIDE, Scale(10, 3, 2))
SCALES: Mapping[str, tuple[Scale, ...]] = {
    GRID: (*_AREAS, Scale(13, 2, 2), Scale(10, 2, 2), Scale(8, 2, 2), Scale(13, 1, 1), Scale(10, 1, 1)),
    HEXES: (Scale(13, 2, 2), Scale(10, 2, 2), Scale(8, 2, 2)),
    AREAS: _AREAS,
}
"""Of each shape from the largest to the smallest that can be read."""
PART_SCALES: Mapping[str, Scale] = {GRID: Scale(13, 2, 2), HEXES: Scale(10, 2, 2), AREAS: Scale(13, 3, 3)}
"""How large a part of a map is drawn where the whole does not fit."""


class MapLayout(NamedTuple):
    """A map, or a part of it, as it is set out on a screen.

    Attributes:
        scale: how large.
        cells: column and row of each space that is drawn.
        columns: of each column where on the screen it begins, and how many characters its spaces have.
        tops: of each row where on the screen it begins.
        whole: whether the spaces are all there are.
    """

    scale: Scale
    cells: Mapping[str, Cell]
    columns: Mapping[int, tuple[int, int]]
    rows: Mapping[int, int]
    whole: bool

    def origin(self, name: str) -> Cell:
        """Column and row on the screen of the left upper character of a space."""
        column, row = self.cells[name]
        return self.columns[column][0], self.rows[row]


def space_cells(map: Map) -> dict[str, Cell]:
    """Column and row of each space: as the game says, or among areas as their neighbours leave it. Left out are those that lie
    nowhere in a grid or among hexes, and areas of which nothing at all is known.
    """
    known = {name: space.cell for name, space in map.spaces.items() if space.cell is not None}
    if map.shape != AREAS:
        return known
    told = [name for name, space in map.spaces.items() if space.cell or space.source or space.stacks or map.neighbours[name]]
    return dict(_arranged(tuple(told), tuple(map.neighbours.items()), tuple(known.items())))


@lru_cache(maxsize=4)
def _arranged(
    names: tuple[str, ...], links: tuple[tuple[str, tuple[str, ...]], ...], known: tuple[tuple[str, Cell], ...]
) -> Mapping[str, Cell]:
    """The same, once for a map that is drawn again and again while pieces move on it: of a large one it takes a second."""
    return arrange(names, dict(links), dict(known))


def rows_per_space(map: Map) -> int:
    """How many rows a space is high: hexes are counted in halves."""
    return 2 if map.shape == HEXES else 1


def lay_out(map: Map, cells: Mapping[str, Cell], around: str, wide: int, high: int) -> MapLayout:
    """The largest scale at which all of a map fits on so many columns and rows; a part of it where none does.

    Args:
        map: what is drawn.
        cells: column and row of each of its spaces.
        around: the space in the middle of a part; "": the part where most stands.
        wide: columns of text.
        high: rows of text.
    """
    unit = rows_per_space(map)
    for scale in SCALES[map.shape]:
        if _across(cells, 1) <= _rows(high, scale, unit):
            for needed in ({}, _needed_widths(map, cells, around, scale.high)):
                columns = _columns(list(cells.values()), scale, needed)
                if sum(columns[max(columns)]) <= wide if columns else True:
                    return MapLayout(scale, cells, columns, _tops(list(cells.values()), scale, unit), True)
    scale = PART_SCALES[map.shape]
    across, down = max((wide + scale.gap) // scale.wide, 1), max(_rows(high, scale, unit), unit)
    middle = cells[around] if around in cells else _busiest_cell(map, cells, across, down)
    left, top = _part_start(cells, 0, middle[0], across), _part_start(cells, 1, middle[1], down)
    shown = {name: cell for name, cell in cells.items() if left <= cell[0] < left + across and top <= cell[1] < top + down}
    corners = [*shown.values(), *(((left, top), (left + across - 1, top + down - 1)) if map.shape == HEXES else ())]
    return MapLayout(scale, shown, _columns(corners, scale, {}), _tops(corners, scale, unit), False)


def part_around(map: Map, cells: Mapping[str, Cell], place: str, reach: int = 4) -> dict[str, Cell]:
    """The spaces at most so many columns and rows from one of them; all of them for none."""
    if place not in cells:
        return dict(cells)
    column, row = cells[place]
    down = reach * rows_per_space(map)
    return {name: (x, y) for name, (x, y) in cells.items() if abs(x - column) <= reach and abs(y - row) <= down}


def _across(cells: Mapping[str, Cell], way: int) -> int:
    """How many columns (0) or rows (1) the cells take."""
    places = [cell[way] for cell in cells.values()]
    return max(places) - min(places) + 1 if places else 0


def _rows(high: int, scale: Scale, unit: int) -> int:
    """How many rows of spaces, or of half hexes, fit on so many of text."""
    return 1 + max(high - min(CONTENT_ROWS, scale.high), -1) * unit // scale.high


def _needed_widths(map: Map, cells: Mapping[str, Cell], around: str, high: int) -> dict[int, int]:
    """How many characters the spaces of each column need for their names and signs, and below or behind them for what stands
    there. ``around``: the space that is marked.
    """
    marks, needed = side_marks(map), {column: _LEAST for column, _ in cells.values()}
    for name, (column, _) in cells.items():
        space = map.spaces[name]
        head = len(f"{name} {ground_sign(space)}") + 2 * (name == around)
        standing = sum(len(stack_text(stack, marks)) + 1 for stack in space.stacks)
        needed[column] = max(needed[column], *((head, standing) if high > 1 else (head + standing,)))
    return needed


def _columns(cells: Sequence[Cell], scale: Scale, needed: Mapping[int, int]) -> dict[int, tuple[int, int]]:
    """Where each column begins and how wide its spaces are: as the scale says, or where more is known no wider than needed."""
    inner, begins, at = scale.wide - scale.gap, {}, 0
    places = [column for column, _ in cells]
    for column in range(min(places), max(places) + 1) if places else ():
        room = needed.get(column, 0) if needed else inner
        begins[column] = (at, room)
        at += room + scale.gap
    return begins


def _tops(cells: Sequence[Cell], scale: Scale, unit: int) -> dict[int, int]:
    rows = [row for _, row in cells]
    return {row: (row - min(rows)) * scale.high // unit for row in range(min(rows), max(rows) + 1)} if rows else {}


def _part_start(cells: Mapping[str, Cell], way: int, middle: int, fit: int) -> int:
    """The first column or row of a part around one of them, which does not leave the map."""
    places = [cell[way] for cell in cells.values()]
    return max(min(middle - fit // 2, max(places) - fit + 1), min(places))


def _busiest_cell(map: Map, cells: Mapping[str, Cell], across: int, down: int) -> Cell:
    """The cell around which most stands, or else most is known."""
    weight = {cell: 99 * len(map.spaces[name].stacks) + bool(map.spaces[name].source) for name, cell in cells.items()}

    def near(middle: Cell) -> tuple[int, int]:
        inside = [cell for cell in weight if _is_within(cell[0] - middle[0], across) and _is_within(cell[1] - middle[1], down)]
        return sum(weight[cell] for cell in inside), weight[middle]

    return max(weight, key=near)


def _is_within(off: int, fit: int) -> bool:
    """Whether so far off the middle is still in a part of so many columns or rows."""
    return -(fit // 2) <= off < fit - fit // 2


def linked_spaces(map: Map) -> dict[str, dict[str, Link]]:
    """Each space with those that a link joins to it, each with its link; of several the last."""
    found: dict[str, dict[str, Link]] = {name: {} for name in map.spaces}
    for link in map.links:
        for here, there in ((link.one, link.other), (link.other, link.one)):
            if here in found:
                found[here][there] = link
    return found


_AROUND: Mapping[str, tuple[Cell, ...]] = {
    GRID: ((0, -1), (1, 0), (0, 1), (-1, 0)),
    HEXES: ((0, -2), (1, -1), (1, 1), (0, 2), (-1, 1), (-1, -1)),
}


def adjacent_spaces(map: Map, name: str) -> list[str]:
    """The spaces that lie beside one in a grid, or around it among hexes, from the north clockwise."""
    at = map.spaces[name].cell
    names = {space.cell: space.name for space in map.spaces.values() if space.cell is not None}
    around = _AROUND.get(map.shape, ()) if at else ()
    return [names[at[0] + x, at[1] + y] for x, y in around if at and (at[0] + x, at[1] + y) in names]
