"""The map of Fallujah: six Routes of Advance crossed by eleven Phase Lines, with a Base on each side [3.1, 13.4]."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from companion.core.errors import Unreadable
from companion.core.map import GRID, LEARNT, PRINTED, TOLD, Column, Facts, GameMap, Link, Map, Space, Stack
from companion.core.position import Piece, Position
from companion.games.fallujah2004 import notation, state
from companion.games.fallujah2004.facts import BRIDGES
from companion.games.fallujah2004.referee import blown_bridges

COALITION, OPFOR, NODES = "coalition", "opfor", "nodes"
SIDES = {COALITION: "Coalition", OPFOR: "OPFOR", NODES: "Nodes"}
GROUNDS = {"open": "op", "urban": "ur", "objective": "ob", "mosque": "mo"}
_UNITS, _OPFOR, _CONCEALED, _REVEALED, _BLOWN = "C", "O", "?", "N", "X"
LETTERS = {
    _UNITS: "Coalition units",
    _OPFOR: "OPFOR units",
    _CONCEALED: "a concealed Node",
    _REVEALED: "a revealed Node, or a Downed Helicopter",
    _BLOWN: "a blown bridge",
}
_EDGES = {
    "north base": (3, 0),
    "south base": (3, len(notation.LINES) + 1),
    "west base": (0, 6),
    "east base": (len(notation.ROUTES) + 1, 6),
}
"""Where the Bases are drawn: column and row, around the spaces."""


class FallujahMap(GameMap):
    """The spaces by route and phase line, what is printed there, and what joins them."""

    columns = (Column("ground", "space"), Column("routes", "route", "/", notation.LAND))
    example = "3-8 mosque msr Jolan; routes 3-9, 2-8 none, north"

    def read_name(self, text: str) -> str:
        return notation.read_place(text)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        return [*(f"{route}-{line}" for line in notation.LINES for route in notation.ROUTES), *notation.BASES]

    def key(self, column: Column, name: str, other: str = "") -> str:
        return f"{column.fact}:{notation.pair_key(name, other)}" if column.separator else super().key(column, name)

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        return super().read_line(_one_word(line), facts)

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        """[13.4] A Base has no terrain. Raises Unreadable."""
        if column.separator:
            return super().read_cell(column, name, ", ".join(map(_one_word, value.split(","))))
        if name in notation.BASES:
            raise Unreadable(
                f"the {name.title()} has no terrain", rule="13.4", cure=f"Its exits: {name.split(maxsplit=1)[0]} routes 3-12"
            )
        return super().read_cell(column, name, value)

    # -- drawn ---------------------------------------------------------------------------------------------------

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        told = {key: value for key, value in facts.items() if self.spaces_of(key)}
        told |= {flag: str(value) for flag, value in position.flags.items() if flag.startswith(state.SPACE)}
        north = notation.north_line({key.removeprefix("route:"): how for key, how in told.items() if key.startswith("route:")})
        lacking = {key.removeprefix(state.SPACE) for key, value in told.items() if value == notation.NO_SPACE}
        spaces = [self._space(name, position, told, facts, learnt) for name in self.form_spaces(facts) if name not in lacking]
        return Map(
            f"{self.game.title}: routes 1 to 6 from west to east, phase lines 2 to 12",
            GRID,
            [space._replace(cell=_at(space.name, north or notation.LINES[0])) for space in spaces],
            self._links(told, learnt),
            SIDES,
            {sign: word for word, sign in GROUNDS.items()} | LETTERS,
            list(_notes(position, north)),
        )

    def _space(
        self, name: str, position: Position, told: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str]
    ) -> Space:
        stacks = tuple(_stacks(position, name))
        if name in notation.BASES:
            return Space(name, name.title(), source=PRINTED, stacks=stacks)
        bridges = [key for key in BRIDGES if facts.get(f"bridge:{key}", notation.BROOKLYN if key == "brooklyn" else "") == name]
        title = BRIDGES[bridges[0]] if bridges else ""
        features = [f"no route {other}" for other in self._apart(name, told)]
        features += ["bridge blown"] if name in blown_bridges(position) else []
        key = state.space_flag(name)
        if key not in told:
            printed = PRINTED if name == notation.BROOKLYN else TOLD if bridges else ""
            return Space(name, title, "", (*(["bridge"] if bridges else []), *features), printed, stacks=stacks)
        ground = notation.read_ground(told[key])
        marks = [word for word in ("msr", "bridge", "water") if word in ground.features]
        source = LEARNT if key in learnt else TOLD
        return Space(
            name, ground.name or title, ground.terrain, (*marks, *features), source, None, GROUNDS[ground.terrain], stacks
        )

    def _apart(self, name: str, told: Mapping[str, str]) -> Iterator[str]:
        """Those beside a space, on its route or its phase line, to which no route leads."""
        route, line = notation.route_and_line(name)
        for other in (f"{route - 1}-{line}", f"{route + 1}-{line}", f"{route}-{line - 1}", f"{route}-{line + 1}"):
            if notation.on_map(other) and told.get(self.key(self.columns[1], name, other)) == notation.NO_ROUTE:
                yield other

    def _links(self, told: Mapping[str, str], learnt: Collection[str]) -> Iterator[Link]:
        for key, how in told.items():
            ends = self.spaces_of(key)
            if len(ends) == 2 and how != notation.NO_ROUTE:
                yield Link(*ends, "" if how == notation.LAND else how, LEARNT if key in learnt else TOLD)


def _one_word(text: str) -> str:
    """``north base 3-12`` as ``north 3-12``: a line and an item of a list begin with the name, which has no blank in it."""
    head, _, rest = text.strip().partition(" ")
    second, _, more = rest.partition(" ")
    return f"{head} {more}".strip() if second.casefold() == "base" and head[:1].isalpha() else text.strip()


def _at(place: str, north: int) -> tuple[int, int]:
    """Column and row: the Bases around the spaces, the routes from west to east, the phase line ``north`` at the top."""
    if notation.on_map(place):
        route, line = notation.route_and_line(place)
        return route, 1 + abs(line - north)
    return _EDGES[place]


def _stacks(position: Position, place: str) -> Iterator[Stack]:
    """What lies in a place, by side; concealed Nodes and those that lie face up are told apart."""
    lying = position.at(place)
    heaps: tuple[tuple[str, str, list[Piece]], ...] = (
        (COALITION, _UNITS, [piece for piece in lying if piece.kind == state.UNIT]),
        (OPFOR, _OPFOR, [piece for piece in lying if state.fights(piece)]),
        (NODES, _CONCEALED, [piece for piece in lying if piece.kind == state.CONCEALED]),
        (NODES, _REVEALED, [piece for piece in lying if state.is_node(piece)]),
        (NODES, _BLOWN, [piece for piece in lying if piece.kind == state.MARKER]),
    )
    for side, letter, found in heaps:
        if found:
            yield Stack(side, letter, tuple(piece.name for piece in found))


def _notes(position: Position, north: int) -> Iterator[str]:
    if not north:
        yield "Which way is north no exit of the North or the South Base has shown yet [13.4]."
    unseen = position.count(state.UNOPENED)
    if unseen:
        yield f"{unseen} concealed Nodes lie in Objective and Mosque spaces that are not entered yet [7.1(1)]."
