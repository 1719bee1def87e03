"""The map as text: the spaces where they lie, what stands there, and of one place all that is known of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.core.arrangement import Cell
from companion.core.errors import Unreadable
from companion.core.game import Game
from companion.core.map import AREAS, HEXES, Link, Map, Space
from companion.core.position import Position
from companion.core.words import fitting, one_of
from companion.views.canvas import Canvas, ToneText, toned_line
from companion.views.drawing import MapDrawing
from companion.views.insets import inset_lines
from companion.views.lines import WIDTH, Line
from companion.views.say import counted_names
from companion.views.screen import row_count as rows_of
from companion.views.sheet import adjacent_spaces, lay_out, linked_spaces, space_cells
from companion.views.signs import UNKNOWN_SIGN, link_kinds, link_strokes, side_marks, side_tone, sign_meanings, stack_text

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
    if game.geography is None:
        raise Unreadable(f"{game.title} has no map", cure="See what lies where: companion show places")
    return game.geography.map(position, options, facts, learnt)


def find_space(map: Map, text: str, game: Game | None = None) -> str:
    """The space that is meant, by its name, by what else it is called, by who stands there, or as its game reads it.

    Raises:
        Unreadable: the map can have none that is called so, or shows none.
        Ambiguous: it shows several.
    """
    names = {called: space.name for space in map.spaces.values() for called in (space.title, space.name) if called}
    found = fitting(text, names)
    standing = {who: space.name for space in map.spaces.values() for stack in space.stacks for who in stack.names}
    if not found and (whose := fitting(text, standing)):
        return standing[one_of(text, list(standing), "piece on the map") if len(whose) > 1 else whose[0]]
    if not found and game and game.geography:
        name = game.geography.name(text)
        if name not in map.spaces:
            raise Unreadable(f"nothing is known of {name}", cure=_TELL.format(game=game.id, example=game.geography.example))
        return name
    return names[one_of(text, list(names), "space on the map")]


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
