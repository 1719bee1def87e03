"""How spaces, what stands in them and what joins them are drawn with characters."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from companion.core.arrangement import Cell, between
from companion.core.map import HEXES, Link, Map, Space, Stack
from companion.views.canvas import Canvas, Part
from companion.views.sheet import Sheet

UNKNOWN = "."
"""For a space of which nothing is known but that it is there."""
SIDES = ("first", "second", "third", "fourth", "fifth")
"""The tones of a map's sides in their order."""
_MARKS = ("", "*", "'", '"', "^")
"""What stands before the letters of each side where two sides have a letter in common, so that nobody needs the colours."""
_STROKES = "=~:+%&"
_ROOMY = 3
"""Rows of text from one space to the next that leave one to links."""
_TITLE = 4
"""Characters of a title that are worth being shown."""


def tone_of(map: Map, side: str) -> str:
    """The tone of a side."""
    return SIDES[list(map.sides).index(side) % len(SIDES)] if side in map.sides else ""


def marks_of(map: Map) -> dict[str, str]:
    """What stands before the letters of each side."""
    letters: dict[str, set[str]] = {side: set() for side in map.sides}
    for space in map.spaces.values():
        for stack in space.stacks:
            letters.setdefault(stack.side, set()).add(stack.letter)
    alike = len(set().union(*letters.values())) < sum(len(some) for some in letters.values())
    return {side: _MARKS[place % len(_MARKS)] if alike else "" for place, side in enumerate(letters)}


def strokes(map: Map) -> dict[str, str]:
    """What each kind of link is drawn with; "" for the usual one, which shows where it runs: ``- | / \\``."""
    hows = Counter(link.how for link in map.links)
    usual = "" if "" in hows else max(hows, key=lambda how: hows[how], default="")
    signs = {meaning: sign for sign, meaning in map.signs.items() if len(sign) == 1}
    free = iter(stroke for stroke in _STROKES if stroke not in map.signs)
    return {how: signs.get(how) or ("" if how == usual else next(free, "")) for how in hows}


def stack_text(stack: Stack, marks: Mapping[str, str]) -> str:
    """A stack in two or three characters: its letter, and how many there are of it."""
    many = len(stack.names)
    times = "x" if stack.letter[-1:].isdecimal() else ""
    return f"{marks.get(stack.side, '')}{stack.letter}{f'{times}{many}' if many > 1 else ''}"


def sign_of(space: Space) -> str:
    """What stands for the ground of a space: its sign, or how the word for its ground begins."""
    return space.sign or space.ground[:1] or ("" if space.source else UNKNOWN)


class Drawing:
    """A map that is drawn on a canvas.

    Args:
        canvas: what is drawn on.
        map: what is drawn.
        sheet: where each space is drawn.
        place: the space that is marked, or "".
    """

    def __init__(self, canvas: Canvas, map: Map, sheet: Sheet, place: str) -> None:
        self.canvas = canvas
        self.map = map
        self.sheet = sheet
        self.place = place
        self.marks = marks_of(map)
        self.taken = {spot: name for name, spot in sheet.spots.items()}
        self.inner = sheet.scale.wide - sheet.scale.gap

    def draw(self) -> list[Link]:
        """Draw every space, then what joins them; the links that could not be drawn, since something lies between."""
        spots, drawn = self.sheet.spots, strokes(self.map)
        for name in spots:
            self._space(self.map.spaces[name])
        shown = [link for link in self.map.links if link.one in spots and link.other in spots]
        return [link for link in shown if not self._link(spots[link.one], spots[link.other], drawn[link.how])]

    # -- spaces --------------------------------------------------------------------------------------------------

    def _space(self, space: Space) -> None:
        x, y = self.sheet.spots[space.name]
        used = self._parts(x, y, self._head(space), self.inner)
        if self.sheet.scale.high > 1:
            self._parts(x + 1, y + 1, self._stacks(space.stacks, self.inner - 1), self.inner - 1)
        else:
            self._parts(x + used + 1, y, self._stacks(space.stacks, self.inner - used - 1), self.inner - used - 1)

    def _parts(self, x: int, y: int, parts: Iterable[Part], room: int) -> int:
        """Write texts one behind the other as far as there is room; how many characters they took."""
        used = 0
        for text, tone in parts:
            shown = text[: max(room - used, 0)]
            self.canvas.put(x + used, y, shown, tone)
            used += len(shown)
        return used

    def _head(self, space: Space) -> list[Part]:
        """The first row of a space: its name, the sign of its ground, and as much of its title as there is room for."""
        chosen, known = space.name == self.place, bool(space.source)
        name = f"[{space.name}]" if chosen else space.name
        tone = "title" if chosen else "" if known else "dim"
        sign = sign_of(space)
        gap = " " if len(name) + len(sign) < self.inner else ""
        if len(name) + len(gap + sign) > self.inner:
            name = name[: self.inner - len(gap + sign)]
        parts = [(name, tone), (gap, ""), (sign, "track" if known else "dim")]
        room = self.inner - sum(len(text) for text, _ in parts) - 1
        if self.sheet.scale.high > 1 and space.title != space.name and room >= min(_TITLE, len(space.title)) > 0:
            parts.append((f" {space.title[:room]}", "dim"))
        return parts

    def _stacks(self, stacks: Sequence[Stack], room: int) -> list[Part]:
        """What stands there, each stack in its side's tone; ``+`` where there is no room for all."""
        parts: list[Part] = []
        used = 0
        for place, stack in enumerate(stacks):
            text = stack_text(stack, self.marks)
            last = place == len(stacks) - 1
            if used + len(text) > room - (0 if last else 2):
                return [*parts, ("+", "")]
            parts += [(text, tone_of(self.map, stack.side)), (" ", "")]
            used += len(text) + 1
        return parts

    # -- links ---------------------------------------------------------------------------------------------------

    def _link(self, one: Cell, other: Cell, stroke: str) -> bool:
        """Draw what joins two spots; whether the way between was free."""
        scale, (one, other) = self.sheet.scale, sorted((one, other))
        columns, down = (other[0] - one[0]) // scale.wide, other[1] - one[1]
        if columns == 1 and down and self._beside(down):
            y = one[1] + (down > 0) if self.map.shape == HEXES else min(one[1], other[1]) + scale.high - 1
            x = other[0] - (scale.gap + 1) // 2 if scale.high < _ROOMY else one[0] + scale.wide // 2
            self._stroke(x, y, stroke or ("\\" if down > 0 else "/"))
            return True
        if (columns and down) or not self._free(one, other):
            return False
        (self._level if columns else self._upright)(one, other, stroke or ("-" if columns else "|"))
        return True

    def _beside(self, down: int) -> bool:
        """Whether two spots of neighbouring columns are neighbours, the second so many rows below the first."""
        return abs(down) == (self.sheet.scale.high // 2 if self.map.shape == HEXES else self.sheet.scale.high)

    def _free(self, one: Cell, other: Cell) -> bool:
        wide, high = self.sheet.scale.wide, self.sheet.scale.high
        cells = between((one[0] // wide, one[1] // high), (other[0] // wide, other[1] // high))
        return not any((x * wide, y * high) in self.taken for x, y in cells)

    def _upright(self, one: Cell, other: Cell, stroke: str) -> None:
        for y in range(one[1] + min(self.sheet.scale.high - 1, 2), other[1]):
            self._stroke(one[0], y, stroke)

    def _level(self, one: Cell, other: Cell, stroke: str) -> None:
        x = other[0] - 2 if self.sheet.scale.gap > 1 else other[0] - 1
        while x > one[0] and self.canvas.get(x - 1, one[1]) == self.canvas.get(x, one[1]) == " ":
            self._stroke(x, one[1], stroke)
            x -= 1

    def _stroke(self, x: int, y: int, stroke: str) -> None:
        """Write a character of a link where nothing stands; two that cross become one."""
        there = self.canvas.get(x, y)
        if there == " ":
            self.canvas.put(x, y, stroke, "dim" if stroke in "-|/\\" else "board")
        elif {there, stroke} == {"/", "\\"}:
            self.canvas.put(x, y, "X", "dim")
