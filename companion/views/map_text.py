"""The map as text: the whole map, the part around a space, and the details of a space."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.map import AREAS, HEXES, Link, Map, Space, Stack
from companion.core.map_layout import Cell, cells_between
from companion.core.position import Position
from companion.core.text import matching_names, pick_name
from companion.views.lines import WIDTH, Line, Span, printable, row_count
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
from companion.views.theme import Tone

ToneText = tuple[str, Tone]
"""A text and its tone."""

_EMPTY: ToneText = (" ", "")


class Canvas:
    """A character grid; text outside it is cut off."""

    def __init__(self, wide: int, high: int) -> None:
        self.width = wide
        self.height = high
        self._cells = [[_EMPTY] * wide for _ in range(high)]

    def put(self, x: int, y: int, text: str, tone: Tone = "") -> None:
        """Write a text to the right of a position."""
        if 0 <= y < self.height:
            for place, char in enumerate(printable(text), x):
                if 0 <= place < self.width:
                    self._cells[y][place] = (char, tone)

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
        more = "".join(part[0] for part in group)
        if tone and more.strip():
            spans.append(Span(len(text), len(text) + len(more), tone))
        text += more
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
        self.canvas = canvas
        self.map = map
        self.layout = layout
        self.place = place
        self.marks = side_marks(map)
        self.taken = set(layout.cells.values())

    def draw(self) -> list[Link]:
        """Draw all spaces and links; return the links that are hidden by other spaces."""
        cells, drawn, kind_of = self.layout.cells, link_strokes(self.map), link_kinds(self.map)
        if self.map.shape == HEXES:
            self._unknown_hexes()
        for name in cells:
            self._space(self.map.spaces[name])
        links = [link for link in self.map.links if link.one in cells and link.other in cells]
        return [link for link in links if not self._link(link, drawn[kind_of[link.how]])]

    def _space(self, space: Space) -> None:
        x, y = self.layout.origin(space.name)
        inner = self.layout.columns[self.layout.cells[space.name][0]][1]
        used = self._parts(x, y, self._head(space, inner), inner)
        if self.layout.scale.height > 1:
            self._parts(x + 1, y + 1, self._stacks(space.stacks, inner - 1), inner - 1)
        else:
            self._parts(x + used + 1, y, self._stacks(space.stacks, inner - used - 1), inner - used - 1)

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

    def _head(self, space: Space, inner: int) -> list[ToneText]:
        """Return the first row of a space: name, terrain symbol and title as far as they fit."""
        chosen, is_known = space.name == self.place, bool(space.source)
        name = f"[{space.name}]" if chosen else space.name
        tone: Tone = "title" if chosen else "" if is_known else "dim"
        sign = ground_sign(space) if len(name + ground_sign(space)) <= inner else ""
        gap = " " if len(name + sign) < inner else ""
        parts: list[ToneText] = [(name, tone), (gap, ""), (sign, "track" if is_known else "dim")]
        room = inner - sum(len(text) for text, _ in parts) - 1
        if self.layout.scale.height > 1 and space.title != space.name and room >= min(_MIN_TITLE, len(space.title)) > 0:
            parts.append((f" {space.title[:room]}", "dim"))
        return parts

    def _stacks(self, stacks: Sequence[Stack], room: int) -> list[ToneText]:
        """Return the stacks in the tones of their sides, ending in `+` if there is no room for all."""
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
    boxes = [
        _inset_box(map, place, None),
        *(_inset_box(map, name, link) for name, link in links.items() if map.spaces[name].inset),
    ]
    unknown = [name for name in links if not map.spaces[name].inset]
    lines = [Line(row) for row in _box_rows(boxes, width)]
    return [*lines, *([Line(", ".join(unknown), "dim", "", "Not known from near: ")] if unknown else [])]


def _inset_box(map: Map, name: str, link: Link | None) -> list[str]:
    """Return the box of a space: its name, how it is linked to the central one, and its rows."""
    space = map.spaces[name]
    head = f"{name} {space.ground}".rstrip()
    joined = [link.how or "beside it"] if link else ["(here)"]
    width = min(max(_MIN_BOX_WIDTH, len(head) + 2, *(len(row) for row in (*joined, *space.inset))), _MAX_BOX_WIDTH)
    return [
        f"+-{head[: width - 2]}-".ljust(width + 2, "-") + "+",
        *(f"| {row[:width].ljust(width)}|" for row in (*joined, *space.inset)),
        _box_bottom(width),
    ]


def _box_bottom(width: int) -> str:
    return f"+{'-' * (width + 1)}+"


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
_CURE = "Enter it: companion map {game} tell {example}"
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


def find_space(map: Map, text: str, game: Game | None = None) -> str:
    """Return the space with a name, title or piece, or as the game's notation reads it.

    Raises:
        Unreadable: There is no such space, or nothing is known of it.
        Ambiguous: Several match.
    """
    names = {called: space.name for space in map.spaces.values() for called in (space.title, space.name) if called}
    matches = matching_names(text, names)
    standing = {who: space.name for space in map.spaces.values() for stack in space.stacks for who in stack.names}
    if not matches and (whose := matching_names(text, standing)):
        return standing[pick_name(text, list(standing), "piece on the map") if len(whose) > 1 else whose[0]]
    if not matches and game and game.map:
        name = game.map.read_name(text)
        if name not in map.spaces:
            raise Unreadable(f"nothing is known of {name}", cure=_CURE.format(game=game.id, example=game.map.example))
        return name
    return names[pick_name(text, list(names), "space on the map")]


def map_lines(map: Map, place: str = "", width: int = WIDTH, height: int = SCREEN_ROWS) -> list[Line]:
    """Return the map on one screen; of a larger map the part around `place`, or the busiest part.

    Args:
        map: The map.
        place: Space to describe in full, or "".
        width, height: Size of the screen.
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
        lines = _map_drawing(map, place, width, max(room, _MIN_ROWS))
    return [*lines, *notes]


def _map_drawing(map: Map, place: str, width: int, room: int) -> list[Line]:
    """Return title, legend and drawing on at most `room` rows, and what could not be drawn."""
    cells = space_cells(map)
    key = row_count(_legend(map, list(map.spaces), False, width), width)
    layout = lay_out(map, cells, place, width, max(room - key, 1))
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
    lacking = map.shape == HEXES or any(not space.source for space in spaces)
    grounds: list[list[ToneText]] = [[(sign, "track"), (f" {meaning}", "")] for sign, meaning in used.items() if meaning]
    return [*grounds, [(f"{UNKNOWN_SIGN} unknown", "dim")]] if lacking else grounds


def _links(map: Map, shown: set[str]) -> list[list[ToneText]]:
    """Return each kind of link that is not a plain line."""
    drawn, kind_of = link_strokes(map), link_kinds(map)
    used = dict.fromkeys(kind_of[link.how] for link in map.links if {link.one, link.other} <= shown)
    kinds = [kind for kind in used if kind or len(used) > 1]
    return [[(drawn[kind] or "-", "board" if drawn[kind] else "dim"), (f" {kind or 'way'}", "")] for kind in kinds]


def space_lines(map: Map, name: str) -> list[Line]:
    """Return all that is known of a space: terrain, neighbours, links and pieces."""
    space = map.spaces[name]
    title = f"{name} {space.title}" if space.title and space.title != name else name
    ground = "; ".join(filter(None, [space.ground, ", ".join(space.features)]))
    description = ground or ("" if space.source else "nothing is known of it")
    source = f" ({space.source})" if space.source else ""
    lines = [Line((f"{title}: {description}" if description else title) + source, "title")]
    joined = linked_spaces(map)[name]
    if joined:
        lines.append(Line(", ".join(_link_text(other, link) for other, link in joined.items()), "", "", "  joined to  "))
    adjacent = [other for other in adjacent_spaces(map, name) if other not in joined]
    if adjacent:
        lines.append(Line(", ".join(adjacent), "", "", "  beside it  "))
    for side in dict.fromkeys(stack.side for stack in space.stacks):
        standing = counted_names(name for stack in space.stacks if stack.side == side for name in stack.names)
        lines.append(Line(standing, side_tone(map, side), "", f"  {map.sides.get(side, side)}  "))
    return lines


def _link_text(other: str, link: Link) -> str:
    return " ".join(filter(None, [other, link.how, f"({link.source})" if link.source and link.source != "told" else ""]))


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


def _first_names(names: Sequence[str], most: int = _MAX_NAMES) -> str:
    """Return the first names and the number of the others."""
    return ", ".join([*names[:most], *([f"and {len(names) - most} more"] if len(names) > most else [])])


def _undrawn_spaces(map: Map, names: Sequence[str]) -> list[Line]:
    """Return the occupied or titled spaces outside the drawn part."""
    spaces = sorted((map.spaces[name] for name in names), key=lambda space: not space.stacks)
    texts = [f"{space.name} {space.title}".rstrip() for space in spaces if space.stacks or space.title]
    return [Line(_first_names(texts, _MAX_LINKS), "dim", "", "Name another to see it: ")] if texts else []


def _undrawn_links(links: Sequence[Link]) -> list[Line]:
    """Return the links between areas that could not be drawn."""
    texts = [f"{link.one} - {link.other}{f' ({link.how})' if link.how else ''}" for link in links]
    return [Line(_first_names(texts, _MAX_LINKS), "dim", "", "Also joined: ")] if texts else []


def _notes(map: Map) -> list[Line]:
    return [Line(note, "dim") for note in map.notes]
