"""Maps: spaces, links, printed features and stacks, as far as recorded or inferred; and how the map facts of a game are typed.

Map facts are typed one line a space, or as rows of a spreadsheet. A line is the space (or several, separated by commas),
its main column, and further columns after semicolons::

    3-8 urban, msr; routes 3-9 land, 2-8 river
    3-7,3-6 open

Several lines in one text are separated by newlines or ``|``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from companion.core.errors import Unreadable
from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.text import clean, pick_name, split_list

if TYPE_CHECKING:
    from companion.core.game import Fact, Game
    from companion.core.position import Position

TOLD, LEARNT, PRINTED = SOURCES = ("told", "learnt", "printed")
"""Where a fact of the map comes from: the player entered it, play showed it, the rulebook states it."""

GRID, HEXES, AREAS = SHAPES = ("grid", "hexes", "areas")
"""The layout of spaces: in columns and rows; as hexes, every other column half a space lower; or near their neighbours."""


class Stack(NamedTuple):
    """The pieces of one side in a space; ``letter`` is one or two characters that stand for it on a small map."""

    side: str
    letter: str
    names: tuple[str, ...]


class Space(NamedTuple):
    """A space of the map: a further title, its terrain (``ground``), and other printed features, each in a word.

    ``source`` is one of SOURCES, or "" if nothing but the space itself is known. ``cell`` is column and row from 0 at the top
    left, or None if only its neighbours are known. ``symbol`` stands for its terrain on a small map. ``inset`` is what lies
    within it, one row each.
    """

    name: str
    title: str = ""
    ground: str = ""
    features: tuple[str, ...] = ()
    source: str = ""
    cell: tuple[int, int] | None = None
    symbol: str = ""
    stacks: tuple[Stack, ...] = ()
    inset: tuple[str, ...] = ()

    @property
    def further_title(self) -> str:
        """The title, unless it is the name again."""
        return "" if self.title.casefold() == self.name.casefold() else self.title


class Link(NamedTuple):
    """Two neighbouring spaces: what joins or separates them ("" for nothing special), and where that is known from."""

    one: str
    other: str
    how: str = ""
    source: str = TOLD


class Map:
    """A map as far as it is known, with every space that is known or listed by the game.

    The links are the neighbours to show; in grids and hex maps only those with something special. The titles of the sides are in
    the order of their colours. ``signs`` explain each symbol and letter for the legend; ``notes`` are remarks, such as that the
    map is made up.
    """

    def __init__(
        self,
        title: str,
        shape: str,
        spaces: Iterable[Space],
        links: Iterable[Link] = (),
        sides: Mapping[str, str] | None = None,
        signs: Mapping[str, str] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self.title = title
        self.shape = shape
        self.spaces: dict[str, Space] = {space.name: space for space in spaces}
        self.links = tuple(links)
        self.sides = dict(sides or {})
        self.signs = dict(signs or {})
        self.notes = tuple(notes)

    @cached_property
    def neighbours(self) -> dict[str, tuple[str, ...]]:
        """The linked spaces of each space."""
        neighbours: dict[str, list[str]] = {name: [] for name in self.spaces}
        for link in self.links:
            for start, end in ((link.one, link.other), (link.other, link.one)):
                if start in neighbours and end not in neighbours[start]:
                    neighbours[start].append(end)
        return {name: tuple(others) for name, others in neighbours.items()}


def one_way_links(neighbours: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """Pairs (space, other) where the other lists the space as a neighbour, and the space lists its neighbours without it."""
    pairs = [(space, other) for other, spaces in neighbours.items() for space in spaces if space in neighbours]
    return [(space, other) for space, other in pairs if other not in neighbours[space]]


class Column(NamedTuple):
    """A column of map facts. Its name is its heading and, except for the first column, the word before it in a line.

    If facts are about two spaces, ``separator`` is that in their key, and the column lists the other spaces with values: ``3-9
    land, 2-8 river``. ``default_value`` is the value of a space listed without one.
    """

    name: str
    fact: str
    separator: str = ""
    default_value: str = ""


Facts = dict[str, str]
"""Printed facts: full key -> value in its notation."""


class GameMap:
    """The map of a game; each game with a map derives its own."""

    space: str = "space"
    """The noun for a space, and the heading of the first column of a spreadsheet."""

    columns: tuple[Column, ...] = ()
    example: str = ""
    """An example line."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def read_name(self, text: str) -> str:
        """The normal form of the name of a space. Raises Unreadable: the map cannot have it."""
        return clean(text)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        """The spaces in a form for the whole map: those that the game lists, and those with recorded facts."""
        return list(dict.fromkeys(name for key in facts for name in self.spaces_of(key)))

    def spaces_of(self, key: str) -> tuple[str, ...]:
        """The spaces of a fact (full key); empty if it is no map fact."""
        head, _, tail = key.partition(":")
        column = next((item for item in self.columns if item.fact == head), None)
        if column is None or not tail:
            return ()
        spaces = tuple(tail.split(column.separator)) if column.separator else (tail,)
        return spaces if len(spaces) == 1 + bool(column.separator) and all(spaces) else ()

    def normalise_key(self, key: str) -> str:
        """The full key of a map fact with normal names; other keys unchanged. Raises Unreadable: the map has no such spaces."""
        head, _, tail = key.partition(":")
        column = next((item for item in self.columns if item.fact == head), None)
        if column is None or not tail:
            return key
        spaces = self.spaces_of(key)
        if not spaces:
            cure = f"Like this: {self.key(column, 'ONE', 'OTHER')}"
            raise Unreadable(f"'{clean(key)}' must name two spaces of the map", rule=self.fact_kind(column).rule, cure=cure)
        return self.key(column, *map(self.read_name, spaces))

    def fact_kind(self, column: Column) -> Fact:
        """The kind of printed fact of a column."""
        return next(kind for kind in self.game.facts if kind.id == column.fact)

    def key(self, column: Column, name: str, other: str = "") -> str:
        """The full key of a fact about one space or two."""
        return f"{column.fact}:{column.separator.join(sorted((name, other))) if column.separator else name}"

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        """The facts in a line, in their notation. Raises Unreadable: it holds no possible facts."""
        head, _, rest = clean(line).partition(" ")
        while head.endswith(",") and rest.strip():
            more, _, rest = rest.strip().partition(" ")
            head += more
        names = [self.read_name(part) for part in head.split(",") if part]
        if not names or not rest.strip():
            raise Unreadable(f"'{clean(line)}' has no values of a {self.space}", cure=f"Like this: {self.example}")
        line_facts: Facts = {}
        for name in names:
            for number, part in enumerate(rest.split(";")):
                if part.strip():
                    column, value = self._column(part.strip(), first=number == 0)
                    self._add(line_facts, self.read_cell(column, name, value))
        return line_facts

    def _column(self, part: str, first: bool) -> tuple[Column, str]:
        """The column of a part of a line, and its text."""
        word, _, value = part.partition(" ")
        heads = [column.name for column in self.columns]
        if first and word not in heads[1:]:
            return self.columns[0], part
        return self.columns[heads.index(pick_name(word, heads, "column", cure=f"Like this: {self.example}"))], value.strip()

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        """The facts in a cell. Raises Unreadable."""
        fact = self.fact_kind(column)
        if not column.separator:
            return {self.key(column, name): fact.notation(value)}
        facts: Facts = {}
        for item in split_list(value):
            head, _, text = item.partition(" ")
            other = self.read_name(head)
            if other == name:
                raise Unreadable(f"{name} cannot be its own neighbour", rule=fact.rule, cure=f"Like this: {self.example}")
            self._add(facts, {self.key(column, name, other): fact.notation(text or column.default_value)})
        return facts

    def read_row(self, name: str, cells: Mapping[str, str], facts: Mapping[str, str]) -> Facts:
        """The facts in a row of a spreadsheet: column -> text. Raises Unreadable: it holds no possible facts."""
        row_facts: Facts = {}
        for column in self.columns:
            if column.name in cells:
                self._add(row_facts, self.read_cell(column, name, cells[column.name]))
        return row_facts

    @staticmethod
    def _add(facts: Facts, more: Mapping[str, str]) -> None:
        """Add facts. Raises Unreadable: one of them has another value in the same text."""
        for key, value in more.items():
            if facts.setdefault(key, value) != value:
                raise Unreadable(f"{key} is entered twice: {facts[key]} and {value}", cure="Enter it once")

    def cells(self, name: str, facts: Mapping[str, str]) -> list[str]:
        """The known facts of a space by column; "" where nothing is known."""
        return [self._cell(column, name, facts) for column in self.columns]

    def _cell(self, column: Column, name: str, facts: Mapping[str, str]) -> str:
        if not column.separator:
            return facts.get(self.key(column, name), "")
        prefix, items = f"{column.fact}:", []
        for key, value in facts.items():
            spaces = self.spaces_of(key) if key.startswith(prefix) else ()
            if name in spaces:
                other = spaces[1] if spaces[0] == name else spaces[0]
                items.append(other if value == column.default_value else f"{other} {value}")
        return ", ".join(items)

    def line(self, name: str, facts: Mapping[str, str]) -> str:
        """The known facts of a space as a line; "" if there are none."""
        first, *more = self.cells(name, facts)
        parts = [first] if first else []
        parts += [f"{column.name} {cell}" for column, cell in zip(self.columns[1:], more, strict=True) if cell]
        return f"{name} {'; '.join(parts)}" if parts else ""

    def sight(self, position: Position, space: str, other: str) -> bool | None:
        """True if there is a line of sight between two spaces; None if that is not known, or the game has no such rule."""
        return None

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        """The map as far as it is known, with the pieces on it. ``learnt``: the keys of facts that were inferred from play."""
        raise NotImplementedError


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """The non-empty lines of a text with their line numbers; ``#`` starts a comment."""
    for number, row in enumerate(text.splitlines(), 1):
        for part in f"{row.partition('#')[0]} ".split(" | "):
            if part.strip():
                yield number, part.strip()
