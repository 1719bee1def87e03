"""The map as text: all spaces, the part around one, and what is known of a space."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from companion.core.arrangement import Cell, cells_between
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.map import AREAS, HEXES, Link, Map, Space, Stack
from companion.core.position import Position
from companion.core.words import matching_names, pick_name
from companion.views.lines import WIDTH, Line, Span, printable
from companion.views.lines import row_count as rows_of
from companion.views.map_layout import (
    UNKNOWN_SIGN,
    MapLayout,
    adjacent_spaces,
    ground_sign,
    lay_out,
    link_kinds,
    link_strokes,
    linked_spaces,
    side_marks,
    side_tone,
    sign_meanings,
    space_cells,
    stack_text,
)
from companion.views.phrases import counted_names

ToneText = tuple[str, str]
"""A text and its tone."""

_EMPTY: ToneText = (" ", "")


class Canvas:
    """An area of ``wide`` by ``high`` characters; what is written beside it is cut off."""

    def __init__(self, wide: int, high: int) -> None:
        self.wide = wide
        self.high = high
        self._cells = [[_EMPTY] * wide for _ in range(high)]

    def put(self, x: int, y: int, text: str, tone: str = "") -> None:
        """Write a text from a column of a row on."""
        if 0 <= y < self.high:
            for place, char in enumerate(printable(text), x):
                if 0 <= place < self.wide:
                    self._cells[y][place] = (char, tone)

    def get(self, x: int, y: int) -> str:
        """What stands there; a blank beside the canvas."""
        return self._cells[y][x][0] if 0 <= y < self.high and 0 <= x < self.wide else " "

    def lines(self) -> list[Line]:
        """Everything, without the empty rows at the end."""
        lines = [toned_line(row) for row in self._cells]
        while lines and not lines[-1].lead.strip():
            lines.pop()
        return lines


def toned_line(parts: Iterable[ToneText]) -> Line:
    """Texts one behind the other as a line that is shown as it is, blanks and all."""
    text, spans = "", []
    for tone, group in groupby(parts, key=lambda part: part[1]):
        more = "".join(part[0] for part in group)
        if tone and more.strip():
            spans.append(Span(len(text), len(text) + len(more), tone))
        text += more
    return Line("", "", "", printable(text).rstrip(), tuple(spans))


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
        if (columns and down) or any(cell in self.taken for cell in cells_between(sheet.cells[one], sheet.cells[other])):
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


_BOX_WIDEST = 26
"""Columns of a box at most."""
_BOX_NARROWEST = 12


def inset_lines(map: Map, place: str, width: int) -> list[Line]:
    """The boxes of a space and of its neighbours, as many beside each other as the width takes, that of the space first; none
    where nothing is known of what lies within it.
    """
    if not map.spaces[place].inset:
        return []
    links = {link.other if link.one == place else link.one: link for link in map.links if place in (link.one, link.other)}
    boxes = [
        _inset_box(map, place, None),
        *(_inset_box(map, name, link) for name, link in links.items() if map.spaces[name].inset),
    ]
    unknown = [name for name in links if not map.spaces[name].inset]
    lines = [Line(row) for row in _box_rows(boxes, width)]
    return [*lines, *([Line(", ".join(unknown), "dim", "", "Not known from near: ")] if unknown else [])]


def _inset_box(map: Map, name: str, link: Link | None) -> list[str]:
    """One box: the name of the space, how it is joined to the one in the midst, and its rows."""
    space = map.spaces[name]
    head = f"{name} {space.ground}".rstrip()
    joined = [link.how or "beside it"] if link else ["(here)"]
    wide = min(max(_BOX_NARROWEST, len(head) + 2, *(len(row) for row in (*joined, *space.inset))), _BOX_WIDEST)
    return [
        f"+-{head[: wide - 2]}-".ljust(wide + 2, "-") + "+",
        *(f"| {row[:wide].ljust(wide)}|" for row in (*joined, *space.inset)),
        _box_bottom(wide),
    ]


def _box_bottom(wide: int) -> str:
    return f"+{'-' * (wide + 1)}+"


def _box_rows(boxes: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Rows of boxes, each row as many as there is room for."""
    left = list(boxes)
    while left:
        row = [left.pop(0)]
        while left and sum(len(box[0]) + 1 for box in (*row, left[0])) <= width + 1:
            row.append(left.pop(0))
        for at in range(max(map(len, row))):
            yield " ".join(box[at] if at < len(box) else " " * len(box[0]) for box in row).rstrip()


SCREEN_ROWS = 23
"""Rows of a screen, without that of the next prompt."""
_TELL = "Enter it: companion map {game} tell {example}"
_LEAST_ROWS = 8
"""Rows of text that are left to the map whatever else is said."""
_LEGEND_GAP = "   "
_MOST_LINKS = 6
"""Links that are told in words."""
_MOST_NAMES = 20
"""Names that are told one by one."""


def known_map(
    game: Game, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
) -> Map:
    """The map of a game as far as it is known, with what stands on it. Raises Unreadable: the game has none."""
    if game.map is None:
        raise Unreadable(f"{game.title} has no map", cure="See what lies where: companion show places")
    return game.map.build(position, options, facts, learnt)


def find_space(map: Map, text: str, game: Game | None = None) -> str:
    """The space that is meant, by its name, by what else it is called, by who stands there, or as its game reads it.

    Raises:
        Unreadable: the map can have none that is called so, or shows none.
        Ambiguous: it shows several.
    """
    names = {called: space.name for space in map.spaces.values() for called in (space.title, space.name) if called}
    found = matching_names(text, names)
    standing = {who: space.name for space in map.spaces.values() for stack in space.stacks for who in stack.names}
    if not found and (whose := matching_names(text, standing)):
        return standing[pick_name(text, list(standing), "piece on the map") if len(whose) > 1 else whose[0]]
    if not found and game and game.map:
        name = game.map.read_name(text)
        if name not in map.spaces:
            raise Unreadable(f"nothing is known of {name}", cure=_TELL.format(game=game.id, example=game.map.example))
        return name
    return names[pick_name(text, list(names), "space on the map")]


def map_lines(map: Map, place: str = "", width: int = WIDTH, height: int = SCREEN_ROWS) -> list[Line]:
    """The map on one screen; of a larger one the part around a place, or else where most stands.

    Args:
        map: what is drawn.
        place: a space of which all is told that is known; "" for none.
        width: columns of the screen.
        height: its rows.
    """
    if not map.spaces:
        return [Line(map.title, "title"), Line("Nothing is known of it yet", "dim"), *_notes(map)]
    if place and (near := inset_lines(map, place, width)):
        return [Line(f"{map.title}: around {place}", "title"), *near, *_notes(map)]
    said = [*(space_lines(map, place) if place else ()), *_unplaced_spaces(map, space_cells(map)), *_notes(map)]
    lines: list[Line] = []
    room = height
    for _ in range(3):  # how much is to be said beside it depends on how much of it can be seen
        room -= max(rows_of([*lines, *said], width) - height, 0) if lines else rows_of(said, width)
        lines = _drawn(map, place, width, max(room, _LEAST_ROWS))
    return [*lines, *said]


def _drawn(map: Map, place: str, width: int, room: int) -> list[Line]:
    """The title and what the signs mean, the map on at most so many rows, and what could not be drawn."""
    cells = space_cells(map)
    key = rows_of(_legend(map, list(map.spaces), False, width), width)
    found = lay_out(map, cells, place, width, max(room - key, 1))
    canvas = Canvas(width, max(found.rows.values(), default=-1) + found.scale.high)
    left = MapDrawing(canvas, map, found, place).draw()
    apart = _undrawn_links(left) if map.shape == AREAS else []
    hidden = [] if found.whole else _undrawn_spaces(map, [name for name in cells if name not in found.cells])
    return [*_legend(map, list(found.cells), found.whole, width), *canvas.lines(), *apart, *hidden]


# -- what the signs mean -----------------------------------------------------------------------------------------------


def _legend(map: Map, shown: Sequence[str], whole: bool, width: int) -> list[Line]:
    """The title, and what each sign means that is used in the spaces which are shown."""
    spaces = [map.spaces[name] for name in shown]
    head = [(map.title if whole else f"{map.title}, a part of it", "title")]
    items = [head, *_sides(map, spaces), *_grounds(map, spaces), *_links(map, {*shown})]
    rows: list[list[ToneText]] = []
    for item in items:
        if rows and _length(rows[-1]) + len(_LEGEND_GAP) + _length(item) <= width:
            rows[-1] += [(_LEGEND_GAP, ""), *item]
        else:
            rows.append(item)
    return [toned_line(row) for row in rows]


def _length(parts: Iterable[ToneText]) -> int:
    return sum(len(text) for text, _ in parts)


def _sides(map: Map, spaces: Iterable[Space]) -> list[list[ToneText]]:
    """Each side that stands anywhere, with its letters."""
    letters: dict[str, dict[str, str]] = {side: {} for side in map.sides}
    marks = side_marks(map)
    for space in spaces:
        for stack in space.stacks:
            means = map.signs.get(stack.letter, "")
            known = means == map.sides.get(stack.side)
            letters.setdefault(stack.side, {})[marks[stack.side] + stack.letter] = "" if known else means
    each = {side: ", ".join(f"{letter} {means}".rstrip() for letter, means in used.items()) for side, used in letters.items()}
    return [[(f"{map.sides.get(side, side)}: {used}", side_tone(map, side))] for side, used in each.items() if used]


def _grounds(map: Map, spaces: Iterable[Space]) -> list[list[ToneText]]:
    """Each sign of the ground, and what is unknown."""
    used = {sign: means for space in spaces if space.source for sign, means in sign_meanings(map, space)}
    lacking = map.shape == HEXES or any(not space.source for space in spaces)
    unknown = [[(f"{UNKNOWN_SIGN} unknown", "dim")]] if lacking else []
    return [*([(sign, "track"), (f" {meaning}", "")] for sign, meaning in used.items() if meaning), *unknown]


def _links(map: Map, shown: set[str]) -> list[list[ToneText]]:
    """Each kind of link that is not drawn as a mere line; the others where there are both."""
    drawn, kind_of = link_strokes(map), link_kinds(map)
    used = dict.fromkeys(kind_of[link.how] for link in map.links if {link.one, link.other} <= shown)
    told = [kind for kind in used if kind or len(used) > 1]
    return [[(drawn[kind] or "-", "board" if drawn[kind] else "dim"), (f" {kind or 'way'}", "")] for kind in told]


# -- what is said besides ----------------------------------------------------------------------------------------------


def space_lines(map: Map, name: str) -> list[Line]:
    """All that is known of a space: its ground and features, its neighbours and how they are joined, and what stands there."""
    space = map.spaces[name]
    title = f"{name} {space.title}" if space.title and space.title != name else name
    ground = "; ".join(filter(None, [space.ground, ", ".join(space.features)]))
    told = ground or ("" if space.source else "nothing is known of it")
    source = f" ({space.source})" if space.source else ""
    lines = [Line((f"{title}: {told}" if told else title) + source, "title")]
    joined = linked_spaces(map)[name]
    if joined:
        lines.append(Line(", ".join(_link_text(other, link) for other, link in joined.items()), "", "", "  joined to  "))
    near = [other for other in adjacent_spaces(map, name) if other not in joined]
    if near:
        lines.append(Line(", ".join(near), "", "", "  beside it  "))
    for side in dict.fromkeys(stack.side for stack in space.stacks):
        here = counted_names(name for stack in space.stacks if stack.side == side for name in stack.names)
        lines.append(Line(here, side_tone(map, side), "", f"  {map.sides.get(side, side)}  "))
    return lines


def _link_text(other: str, link: Link) -> str:
    return " ".join(filter(None, [other, link.how, f"({link.source})" if link.source and link.source != "told" else ""]))


def _unplaced_spaces(map: Map, cells: Mapping[str, Cell]) -> list[Line]:
    """What stands in spaces that lie nowhere among the others, and of which nothing is known."""
    marks = side_marks(map)
    lines = []
    for space in map.spaces.values():
        if space.name not in cells and space.stacks:
            parts = [(f"{stack_text(stack, marks)} ", side_tone(map, stack.side)) for stack in space.stacks]
            lines.append(toned_line([(f"{space.title or space.name}: ", ""), *parts]))
    unknown = [name for name, space in map.spaces.items() if name not in cells and not space.source and not space.stacks]
    return [*lines, *([Line(_first_names(unknown), "dim", "", "Nothing known of: ")] if unknown else [])]


def _first_names(names: Sequence[str], most: int = _MOST_NAMES) -> str:
    """The first of some names, and how many more there are."""
    return ", ".join([*names[:most], *([f"and {len(names) - most} more"] if len(names) > most else [])])


def _undrawn_spaces(map: Map, names: Sequence[str]) -> list[Line]:
    """Where else something stands, or what else has a title, where only a part of the map is drawn."""
    spaces = sorted((map.spaces[name] for name in names), key=lambda space: not space.stacks)
    told = [f"{space.name} {space.title}".rstrip() for space in spaces if space.stacks or space.title]
    return [Line(_first_names(told, _MOST_LINKS), "dim", "", "Name another to see it: ")] if told else []


def _undrawn_links(links: Sequence[Link]) -> list[Line]:
    """The links among areas that could not be drawn, since something lies between."""
    told = [f"{link.one} - {link.other}{f' ({link.how})' if link.how else ''}" for link in links]
    return [Line(_first_names(told, _MOST_LINKS), "dim", "", "Also joined: ")] if told else []


def _notes(map: Map) -> list[Line]:
    return [Line(note, "dim") for note in map.notes]
