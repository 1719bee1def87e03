"""How spaces, what stands in them and what joins them are drawn with characters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from companion.core.arrangement import Cell, between
from companion.core.map import HEXES, Link, Map, Space, Stack
from companion.views.canvas import Canvas, ToneText
from companion.views.sheet import MapLayout
from companion.views.signs import UNKNOWN_SIGN, ground_sign, link_kinds, link_strokes, side_marks, side_tone, stack_text

_ROOMY = 3
"""Rows of text from one space to the next that leave one to links."""
_TITLE = 4
"""Characters of a title that are worth being shown."""


class MapDrawing:
    """A map that is drawn on a canvas.

    Args:
        canvas: what is drawn on.
        map: what is drawn.
        sheet: where each space is drawn.
        place: the space that is marked, or "".
    """

    def __init__(self, canvas: Canvas, map: Map, sheet: MapLayout, place: str) -> None:
        self.canvas = canvas
        self.map = map
        self.sheet = sheet
        self.place = place
        self.marks = side_marks(map)
        self.taken = set(sheet.cells.values())

    def draw(self) -> list[Link]:
        """Draw every space, then what joins them; the links that could not be drawn, since something lies between."""
        cells, drawn, kind_of = self.sheet.cells, link_strokes(self.map), link_kinds(self.map)
        if self.map.shape == HEXES:
            self._blanks()
        for name in cells:
            self._space(self.map.spaces[name])
        shown = [link for link in self.map.links if link.one in cells and link.other in cells]
        return [link for link in shown if not self._link(link, drawn[kind_of[link.how]])]

    # -- spaces --------------------------------------------------------------------------------------------------

    def _space(self, space: Space) -> None:
        x, y = self.sheet.origin(space.name)
        inner = self.sheet.columns[self.sheet.cells[space.name][0]][1]
        used = self._parts(x, y, self._head(space, inner), inner)
        if self.sheet.scale.high > 1:
            self._parts(x + 1, y + 1, self._stacks(space.stacks, inner - 1), inner - 1)
        else:
            self._parts(x + used + 1, y, self._stacks(space.stacks, inner - used - 1), inner - used - 1)

    def _blanks(self) -> None:
        """A sign for each hex of which nobody has told anything, so that it can be seen where the others lie."""
        column, row = next(iter(self.taken), (0, 0))
        for x, (left, _) in self.sheet.columns.items():
            for y, top in self.sheet.rows.items():
                if (x - column + y - row) % 2 == 0 and (x, y) not in self.taken:
                    self.canvas.put(left, top, UNKNOWN_SIGN, "dim")

    def _parts(self, x: int, y: int, parts: Iterable[ToneText], room: int) -> int:
        """Write texts one behind the other as far as there is room; how many characters they took."""
        used = 0
        for text, tone in parts:
            shown = text[: max(room - used, 0)]
            self.canvas.put(x + used, y, shown, tone)
            used += len(shown)
        return used

    def _head(self, space: Space, inner: int) -> list[ToneText]:
        """The first row of a space: its name, the sign of its ground, and as much of its title as there is room for."""
        chosen, known = space.name == self.place, bool(space.source)
        name = f"[{space.name}]" if chosen else space.name
        tone = "title" if chosen else "" if known else "dim"
        sign = ground_sign(space) if len(name + ground_sign(space)) <= inner else ""
        gap = " " if len(name + sign) < inner else ""
        parts = [(name, tone), (gap, ""), (sign, "track" if known else "dim")]
        room = inner - sum(len(text) for text, _ in parts) - 1
        if self.sheet.scale.high > 1 and space.title != space.name and room >= min(_TITLE, len(space.title)) > 0:
            parts.append((f" {space.title[:room]}", "dim"))
        return parts

    def _stacks(self, stacks: Sequence[Stack], room: int) -> list[ToneText]:
        """What stands there, each stack in its side's tone; ``+`` where there is no room for all."""
        parts: list[ToneText] = []
        used = 0
        for place, stack in enumerate(stacks):
            text = stack_text(stack, self.marks)
            last = place == len(stacks) - 1
            if used + len(text) > room - (0 if last else 2):
                return [*parts, ("+", "")]
            parts += [(text, side_tone(self.map, stack.side)), (" ", "")]
            used += len(text) + 1
        return parts

    # -- links ---------------------------------------------------------------------------------------------------

    def _link(self, link: Link, stroke: str) -> bool:
        """Draw what joins two spaces; whether the way between was free."""
        scale, sheet = self.sheet.scale, self.sheet
        one, other = sorted((link.one, link.other), key=lambda name: sheet.cells[name])
        (x1, y1), (x2, y2) = sheet.origin(one), sheet.origin(other)
        columns, down = sheet.cells[other][0] - sheet.cells[one][0], y2 - y1
        if columns == 1 and down and self._beside(down):
            y = y1 + (down > 0) if self.map.shape == HEXES else min(y1, y2) + scale.high - 1
            x = x2 - (scale.gap + 1) // 2 if scale.high < _ROOMY else (x1 + x2) // 2
            self._stroke(x, y, stroke or ("\\" if down > 0 else "/"))
            return True
        if (columns and down) or any(cell in self.taken for cell in between(sheet.cells[one], sheet.cells[other])):
            return False
        (self._level if columns else self._upright)((x1, y1), (x2, y2), stroke or ("-" if columns else "|"))
        return True

    def _beside(self, down: int) -> bool:
        """Whether two spots of neighbouring columns are neighbours, the second so many rows below the first."""
        return abs(down) == (self.sheet.scale.high // 2 if self.map.shape == HEXES else self.sheet.scale.high)

    def _upright(self, one: Cell, other: Cell, stroke: str) -> None:
        for y in range(one[1] + min(self.sheet.scale.high - 1, 2), other[1]):
            self._stroke(one[0], y, stroke)

    def _level(self, one: Cell, other: Cell, stroke: str) -> None:
        x = other[0] - min(self.sheet.scale.gap, 2)
        self._stroke(x, one[1], stroke)
        while x - 2 > one[0] and self.canvas.get(x - 2, one[1]) == self.canvas.get(x - 1, one[1]) == " ":
            x -= 1
            self._stroke(x, one[1], stroke)

    def _stroke(self, x: int, y: int, stroke: str) -> None:
        """Write a character of a link where nothing stands; two that cross become one."""
        there = self.canvas.get(x, y)
        if there == " ":
            self.canvas.put(x, y, stroke, "dim" if stroke in "-|/\\" else "board")
        elif {there, stroke} == {"/", "\\"}:
            self.canvas.put(x, y, "X", "dim")
