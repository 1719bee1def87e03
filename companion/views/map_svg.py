"""The map as an SVG picture without scripts, for light and dark backgrounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from companion.core.map import AREAS, GRID, HEXES, Link, Map, Space, Stack
from companion.core.map_layout import Cell
from companion.views import map_text
from companion.views.lines import packed_rows, plain_text
from companion.views.plot import style_sheet, svg_text

_HEX_WIDE, _HEX_HIGH = 104, 90
_MARGIN, _TOP, _ROW_HEIGHT = 16, 44, 24
_LINK_STYLES = 4


class ShapeForm(NamedTuple):
    """Geometry of a shape: distances between spaces, their size, and corner radius."""

    across: float
    down: float
    width: int
    height: int
    radius: int


_SHAPE_FORMS: Mapping[str, ShapeForm] = {
    GRID: ShapeForm(132, 92, 108, 70, 2),
    HEXES: ShapeForm(_HEX_WIDE * 0.75, _HEX_HIGH / 2, _HEX_WIDE, _HEX_HIGH, 0),
    AREAS: ShapeForm(156, 104, 118, 70, 16),
}
_COUNTER_WIDTH, _COUNTER_GAP = 27, 3


def map_svg(map: Map, place: str = "") -> str:
    """Return the map as an SVG document.

    Args:
        map: The map.
        place: Space to highlight; only the part around it is drawn. "" for the whole map.
    """
    cells = map_text.part_around(map, map_text.space_cells(map), place)
    left, top = (min((cell[axis] for cell in cells.values()), default=0) for axis in (0, 1))
    return MapPicture(map, {name: (x - left, y - top) for name, (x, y) in cells.items()}, place).document()


def _text(x: float, y: float, text: str, kind: str = "") -> str:
    style = f' class="{kind}"' if kind else ""
    return f'<text x="{x:g}" y="{y:g}"{style}>{svg_text(text)}</text>'


class MapPicture:
    """A drawing of the spaces at some cells."""

    def __init__(self, map: Map, cells: Mapping[str, Cell], place: str, forms: Mapping[str, ShapeForm] = _SHAPE_FORMS) -> None:
        self.map = map
        self.cells = cells
        self.place = place
        self.form = forms[map.shape]
        self.marks = map_text.side_marks(map)
        self.kind_of = map_text.link_kinds(map)
        strokes = map_text.link_strokes(map)
        self.numbers = {kind: number for number, kind in enumerate(sorted(strokes, key=lambda kind: bool(strokes[kind])))}
        columns, rows = (max((cell[axis] for cell in cells.values()), default=0) for axis in (0, 1))
        self.width = max(2 * _MARGIN + columns * self.form.across + self.form.width, 480)
        self.bottom = _TOP + rows * self.form.down + self.form.height + _ROW_HEIGHT

    def document(self) -> str:
        """Return the document, with the legend at the bottom."""
        key = self._legend()
        height = self.bottom + _ROW_HEIGHT * len(key) + _MARGIN
        drawn, links = sorted(self.cells, key=lambda name: name == self.place), self._links()
        rows = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width:g} {height:g}" width="{self.width:g}" role="img">',
            f"<title>{svg_text(self.map.title)}</title>",
            f"<style>{style_sheet('map')}</style>",
            f'<rect class="paper" width="{self.width:g}" height="{height:g}"/>',
            _text(_MARGIN, 28, self.map.title, "head"),
            *(self._link(link) for link in links if self.map.shape != HEXES),
            *(self._outline(self.map.spaces[name]) for name in drawn),
            *(self._link(link) for link in links if self.map.shape == HEXES),
            *(self._content(self.map.spaces[name]) for name in drawn),
            *key,
            "</svg>",
        ]
        return "\n".join(rows) + "\n"

    def _corner(self, name: str) -> tuple[float, float]:
        """Return the top left corner of a space."""
        column, row = self.cells[name]
        return _MARGIN + column * self.form.across, _TOP + row * self.form.down

    @property
    def _inset(self) -> float:
        """The free margin of a space, in which no text is drawn."""
        return self.form.width / 4 - 6 if self.map.shape == HEXES else 8

    def _content(self, space: Space) -> str:
        """Return the text, the counters and the tooltip of a space."""
        x, y = self._corner(space.name)
        inset = self._inset
        room = int((self.form.width - 2 * inset) / 7)
        title = space.further_title
        name = f"{space.name} {map_text.ground_sign(space)}"
        parts = [
            f"<g><title>{svg_text(plain_text(map_text.space_lines(self.map, space.name), 999))}</title>",
            _text(x + inset, y + 20, name[: room + 2], "name" if space.source else "faint"),
            _text(x + inset, y + 34, title[:room], "faint") if title else "",
            *self._counters(space),
            "</g>",
        ]
        return "".join(parts)

    def _outline(self, space: Space) -> str:
        (x, y), width, height = self._corner(space.name), self.form.width, self.form.height
        kind = " ".join(["space" if space.source else "unknown", *(["chosen"] if space.name == self.place else [])])
        if self.map.shape != HEXES:
            return f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="{self.form.radius}"/>'
        corners = ((0.25, 0), (0.75, 0), (1, 0.5), (0.75, 1), (0.25, 1), (0, 0.5))
        points = " ".join(f"{x + a * width:g},{y + b * height:g}" for a, b in corners)
        return f'<polygon class="{kind}" points="{points}"/>'

    def _counters(self, space: Space) -> Iterable[str]:
        """Yield a counter for each stack; `+` if there is no room for all."""
        for x, y, stack in self.placed_stacks(space):
            if stack is None:
                yield _text(x, y + 16, "+", "name")
            else:
                yield self._counter(x, y, stack.side, map_text.stack_text(stack, self.marks))

    def placed_stacks(self, space: Space) -> Iterator[tuple[float, float, Stack | None]]:
        """Yield the stacks of a space with the corners of their counters; None if there is no room for all that are left."""
        (x, y), inset = self._corner(space.name), self._inset
        max_counters = int((self.form.width - 2 * inset + _COUNTER_GAP) // (_COUNTER_WIDTH + _COUNTER_GAP))
        for index, stack in enumerate(space.stacks):
            is_last = index == max_counters - 1 and len(space.stacks) > max_counters
            yield x + inset + index * (_COUNTER_WIDTH + _COUNTER_GAP), y + 40, None if is_last else stack
            if is_last:
                return

    def _counter(self, x: float, y: float, side: str, text: str) -> str:
        box = f'<rect class="{self.counter_kind(side)}" x="{x:g}" y="{y:g}" width="{_COUNTER_WIDTH}" height="20" rx="3"/>'
        return box + _text(x + _COUNTER_WIDTH / 2, y + 14, text[:4], "letter")

    def counter_kind(self, side: str) -> str:
        """Return the class of the counters of a side."""
        sides = list(self.map.sides)
        return map_text.SIDE_TONES[sides.index(side) % len(map_text.SIDE_TONES)] if side in sides else "none"

    def _links(self) -> list[Link]:
        """Return the links with both ends drawn."""
        return [link for link in self.map.links if link.one in self.cells and link.other in self.cells]

    def _link(self, link: Link) -> str:
        (x1, y1), (x2, y2) = self._corner(link.one), self._corner(link.other)
        x1, x2 = x1 + self.form.width / 2, x2 + self.form.width / 2
        y1, y2 = y1 + self.form.height / 2, y2 + self.form.height / 2
        if self.map.shape != HEXES:
            return self._line(x1, y1, x2, y2, self.kind_of[link.how])
        x, y = (x2 - x1) / 3, (y2 - y1) / 3  # across the shared side, clear of the texts
        return self._line(x1 + x, y1 + y, x2 - x, y2 - y, self.kind_of[link.how])

    def _line(self, x1: float, y1: float, x2: float, y2: float, kind: str) -> str:
        number = min(self.numbers[kind], _LINK_STYLES)
        return f'<line class="link kind{number}" x1="{x1:g}" y1="{y1:g}" x2="{x2:g}" y2="{y2:g}"/>'

    def _legend(self) -> list[str]:
        """Return the rows of the legend and the notes."""
        spaces = [self.map.spaces[name] for name in self.cells]
        rows: list[tuple[str, str]] = []
        letters: dict[str, dict[str, None]] = {}
        for stack in (stack for space in spaces for stack in space.stacks):
            letters.setdefault(stack.side, {})[stack.letter] = None
        for side in sorted(letters, key=[*self.map.sides, *letters].index):
            rows.append((self._counter(_MARGIN, self._row(len(rows)) - 14, side, ""), self._side_text(side, letters[side])))
        for kind in dict.fromkeys(self.kind_of[link.how] for link in self._links()):
            if kind:
                y = self._row(len(rows)) - 4
                rows.append((self._line(_MARGIN, y, _MARGIN + _COUNTER_WIDTH, y, kind), kind))
        grounds = dict(pair for space in spaces if space.source for pair in map_text.sign_meanings(self.map, space))
        grounds_text = [f"{sign} {means}" for sign, means in grounds.items() if means]
        words = [*packed_rows(grounds_text, int(self.width / 7), ", "), *self.map.notes]
        texts = [mark + _text(_MARGIN + _COUNTER_WIDTH + 8, self._row(number), text) for number, (mark, text) in enumerate(rows)]
        return texts + [_text(_MARGIN, self._row(number), text, "faint") for number, text in enumerate(words, len(rows))]

    def _row(self, number: int) -> float:
        return self.bottom + _ROW_HEIGHT * (number + 0.5)

    def _side_text(self, side: str, letters: Iterable[str]) -> str:
        texts = [f"{self.marks.get(side, '')}{letter} {self.map.signs.get(letter, '')}".strip() for letter in letters]
        return f"{self.map.sides.get(side, side)}: {', '.join(texts)}"
