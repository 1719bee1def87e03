"""The map: spaces, what joins them, what is printed on them and what stands there, as far as it has been told or learnt from
play. A plain value; a game makes it from its position and the printed facts (``geography``), views draw it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from companion.core.errors import Unreadable
from companion.core.text import clean, pick_name, split_list

if TYPE_CHECKING:
    from companion.core.game import Fact, Game
    from companion.core.position import Position

TOLD, LEARNT, PRINTED = SOURCES = ("told", "learnt", "printed")
"""Where a fact of the map comes from: the player told it, play showed it, the rulebook states it."""

GRID, HEXES, AREAS = SHAPES = ("grid", "hexes", "areas")
"""How spaces lie: in columns and rows; as hexes, every other column half a space lower; or each where its neighbours leave it."""


class Stack(NamedTuple):
    """What of one side stands in a space.

    Attributes:
        side: one of the map's ``sides``.
        letter: one or two characters that stand for it on a small map.
        names: what stands there, each as it is called.
    """

    side: str
    letter: str
    names: tuple[str, ...]


class Space(NamedTuple):
    """A space of the map.

    Attributes:
        name: what is typed for it.
        title: what else it is called, such as the name of its city.
        ground: its terrain in a word; "" where nobody knows.
        features: what else is printed there, each in a word.
        source: where this comes from, one of SOURCES; "": nothing is known of the space but that it is there.
        at: its column and its row, both from 0, the top left; None where only its neighbours say where it lies.
        sign: one or two characters for its ground on a small map.
        stacks: what stands there.
        inset: a space seen from near: what lies within it, a row each; () where a space is all there is.
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


class Link(NamedTuple):
    """Two spaces that are neighbours: what joins or parts them ("" nothing of note), and where that comes from."""

    one: str
    other: str
    how: str = ""
    source: str = TOLD


class Map:
    """A map as far as it is known.

    Args:
        title: what it is a map of.
        shape: one of SHAPES.
        spaces: every space of which anything is known, or that the game lists.
        links: the neighbours that are worth showing: in a grid or of hexes only what is known beyond their being neighbours.
        sides: side -> what it is called, in the order of their colours.
        signs: sign or letter -> what it means, for the legend.
        notes: what is to be said with it, such as that it is made up.
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
        """Each space with those that a link joins it to."""
        found: dict[str, list[str]] = {name: [] for name in self.spaces}
        for link in self.links:
            for here, there in ((link.one, link.other), (link.other, link.one)):
                if here in found and there not in found[here]:
                    found[here].append(there)
        return {name: tuple(others) for name, others in found.items()}


def space_distances(neighbours: Mapping[str, Sequence[str]], sources: Iterable[str], most: int | None = None) -> dict[str, int]:
    """How far each space is from the nearest of several, in spaces; those that cannot be reached, or are further than ``most``,
    are left out.
    """
    far = dict.fromkeys(sources, 0)
    front = list(far)
    for here in front:
        if most is not None and far[here] >= most:
            continue
        for there in neighbours.get(here, ()):
            if there not in far:
                far[there] = far[here] + 1
                front.append(there)
    return far


def one_way_links(neighbours: Mapping[str, Sequence[str]]) -> list[tuple[str, str]]:
    """(one, other): one was told as a neighbour of the other, of which all neighbours were told too, and not that one."""
    return [
        (there, here)
        for here, others in neighbours.items()
        for there in others
        if there in neighbours and here not in neighbours[there]
    ]


class Column(NamedTuple):
    """What can be told of a space in one column of a spreadsheet.

    Attributes:
        name: the heading of the column, and the word before it in a line; the first column of a game goes without in a line.
        fact: the kind of printed fact.
        between: where the fact is of two spaces, what stands between them in its key; the column then lists the others, each
            with its value: ``3-9 land, 2-8 river``. "": the fact is of the space alone.
        usual: the value of another space in such a list that is named alone; "": none can be.
    """

    name: str
    fact: str
    separator: str = ""
    default_value: str = ""


Facts = dict[str, str]
"""Printed facts: full key -> value in its notation."""


class GameMap:
    """That of a game; each game that has a map derives its own class.

    Args:
        game: whose it is.
    """

    space: str = "space"
    """What a space of the map is called, and the heading of the first column of a spreadsheet."""

    columns: tuple[Column, ...] = ()
    example: str = ""
    """A line that can be told."""

    def __init__(self, game: Game) -> None:
        self.game = game

    # -- told ----------------------------------------------------------------------------------------------------

    def read_name(self, text: str) -> str:
        """The name of a space in its normal form. Raises Unreadable: the map can have no such space."""
        return clean(text)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        """The spaces that a form for the whole map lists, in its order: those that the game lists, and those of which anything
        was told.
        """
        return list(dict.fromkeys(name for key in facts for name in self.spaces_of(key)))

    def spaces_of(self, key: str) -> tuple[str, ...]:
        """The spaces that a fact (full key) is of; () where it is none of the map."""
        head, _, tail = key.partition(":")
        column = next((one for one in self.columns if one.fact == head), None)
        if column is None or not tail:
            return ()
        spaces = tuple(tail.split(column.separator)) if column.separator else (tail,)
        return spaces if len(spaces) == 1 + bool(column.separator) and all(spaces) else ()

    def normalise_key(self, key: str) -> str:
        """A full key as the map has it, each space by its name; one that is none of the map as it stands.

        Raises:
            Unreadable: the map can have no such spaces.
        """
        head, _, tail = key.partition(":")
        column = next((one for one in self.columns if one.fact == head), None)
        if column is None or not tail:
            return key
        spaces = self.spaces_of(key)
        if not spaces:
            cure = f"Like this: {self.key(column, 'ONE', 'OTHER')}"
            raise Unreadable(f"'{clean(key)}' must name two spaces of the map", rule=self.fact_kind(column).rule, cure=cure)
        return self.key(column, *map(self.read_name, spaces))

    def fact_kind(self, column: Column) -> Fact:
        """The kind of printed fact that a column holds."""
        return next(one for one in self.game.facts if one.id == column.fact)

    def key(self, column: Column, name: str, other: str = "") -> str:
        """The full key of a fact, of one space or of two."""
        return f"{column.fact}:{column.separator.join(sorted((name, other))) if column.separator else name}"

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        """The facts that one line tells, each in its notation.

        Args:
            line: a space or several, and what is told of them.
            facts: what is known already.

        Raises:
            Unreadable: it tells nothing that can be.
        """
        head, _, rest = clean(line).partition(" ")
        while head.endswith(",") and rest.strip():
            more, _, rest = rest.strip().partition(" ")
            head += more
        names = [self.read_name(part) for part in head.split(",") if part]
        if not names or not rest.strip():
            raise Unreadable(f"'{clean(line)}' says nothing of a {self.space}", cure=f"Like this: {self.example}")
        found: Facts = {}
        for name in names:
            for number, part in enumerate(rest.split(";")):
                if part.strip():
                    column, value = self._column(part.strip(), first=number == 0)
                    self._take(found, self.read_cell(column, name, value))
        return found

    def _column(self, part: str, first: bool) -> tuple[Column, str]:
        """The column that a part of a line is of, and what stands in it."""
        word, _, value = part.partition(" ")
        heads = [column.name for column in self.columns]
        if first and word not in heads[1:]:
            return self.columns[0], part
        return self.columns[heads.index(pick_name(word, heads, "column", cure=f"Like this: {self.example}"))], value.strip()

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        """The facts that one cell tells of a space. Raises Unreadable."""
        fact = self.fact_kind(column)
        if not column.separator:
            return {self.key(column, name): fact.notation(value)}
        found: Facts = {}
        for item in split_list(value):
            head, _, told = item.partition(" ")
            other = self.read_name(head)
            if other == name:
                raise Unreadable(f"{name} cannot be its own neighbour", rule=fact.rule, cure=f"Like this: {self.example}")
            self._take(found, {self.key(column, name, other): fact.notation(told or column.default_value)})
        return found

    def read_row(self, name: str, cells: Mapping[str, str], facts: Mapping[str, str]) -> Facts:
        """The facts that one row of a spreadsheet tells of a space: column -> what stands in it, where anything does.

        Raises:
            Unreadable: it tells nothing that can be.
        """
        found: Facts = {}
        for column in self.columns:
            if column.name in cells:
                self._take(found, self.read_cell(column, name, cells[column.name]))
        return found

    @staticmethod
    def _take(found: Facts, more: Mapping[str, str]) -> None:
        """Adds facts. Raises Unreadable: one of them was told otherwise in the same breath."""
        for key, value in more.items():
            if found.setdefault(key, value) != value:
                raise Unreadable(f"{key} is entered twice: {found[key]} and {value}", cure="Say it once")

    def cells(self, name: str, facts: Mapping[str, str]) -> list[str]:
        """What is known of a space, as it stands in the columns; "" in a column of which nothing is."""
        return [self._told(column, name, facts) for column in self.columns]

    def _told(self, column: Column, name: str, facts: Mapping[str, str]) -> str:
        if not column.separator:
            return facts.get(self.key(column, name), "")
        lead, items = f"{column.fact}:", []
        for key, value in facts.items():
            spaces = self.spaces_of(key) if key.startswith(lead) else ()
            if name in spaces:
                other = spaces[1] if spaces[0] == name else spaces[0]
                items.append(other if value == column.default_value else f"{other} {value}")
        return ", ".join(items)

    def line(self, name: str, facts: Mapping[str, str]) -> str:
        """What is known of a space as the line that tells it; "" where nothing is."""
        first, *more = self.cells(name, facts)
        told = [first] if first else []
        told += [f"{column.name} {cell}" for column, cell in zip(self.columns[1:], more, strict=True) if cell]
        return f"{name} {'; '.join(told)}" if told else ""

    # -- drawn ---------------------------------------------------------------------------------------------------

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        """The map as far as it is known, with what stands on it.

        Args:
            position: of a session; empty where there is none.
            options: of the session.
            facts: the printed facts that are known.
            learnt: the keys of those that nobody told: play has shown them.
        """
        raise NotImplementedError


def split_lines(text: str) -> Iterator[tuple[int, str]]:
    """The lines of a text that tell something, each with the number of its line; ``#`` begins a remark."""
    for number, row in enumerate(text.splitlines(), 1):
        for part in f"{row.partition('#')[0]} ".split(" | "):
            if part.strip():
                yield number, part.strip()
