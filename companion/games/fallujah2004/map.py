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
    "south base": (3, len(state.LINES) + 1),
    "west base": (0, 6),
    "east base": (len(state.ROUTES) + 1, 6),
}
"""Where the Bases are drawn: column and row, around the spaces."""


class FallujahMap(GameMap):
    """The spaces by route and phase line, their ground, and the routes between them."""

    columns = (Column("ground", "space"), Column("routes", "route", "/", state.LAND))
    example = "3-8 mosque msr Jolan; routes 3-9, 2-8 none, north"

    def read_name(self, text: str) -> str:
        return notation.read_place(text)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        return [*(f"{route}-{line}" for line in state.LINES for route in state.ROUTES), *state.BASES]

    def key(self, column: Column, name: str, other: str = "") -> str:
        return f"{column.fact}:{notation.pair_key(name, other)}" if column.separator else super().key(column, name)

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        return super().read_line(_one_word(line), facts)

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        """[13.4] Read a cell. Raises `Unreadable` for the terrain of a Base."""
        if column.separator:
            return super().read_cell(column, name, ", ".join(map(_one_word, value.split(","))))
        if name in state.BASES:
            cure = f"Its exits: {name.split(maxsplit=1)[0]} routes 3-12"
            raise Unreadable(f"the {name.title()} has no terrain", rule="13.4", cure=cure)
        return super().read_cell(column, name, value)

    # -- drawn ---------------------------------------------------------------------------------------------------

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        known = {key: value for key, value in facts.items() if self.spaces_of(key)}
        known |= {flag: str(value) for flag, value in position.flags.items() if flag.startswith(state.SPACE)}
        routes = {key.removeprefix("route:"): route for key, route in known.items() if key.startswith("route:")}
        north = notation.north_line(routes)
        missing = {key.removeprefix(state.SPACE) for key, value in known.items() if value == notation.NO_SPACE}
        names = [name for name in self.form_spaces(facts) if name not in missing]
        spaces = [self._space(name, position, known, facts, learnt) for name in names]
        placed = [space._replace(cell=_cell(space.name, north or state.LINES[0])) for space in spaces]
        title = f"{self.game.title}: routes 1 to 6 from west to east, phase lines 2 to 12"
        signs = {sign: word for word, sign in GROUNDS.items()} | LETTERS
        return Map(title, GRID, placed, self._links(known, learnt), SIDES, signs, list(_notes(position, north)))

    def _space(
        self, name: str, position: Position, known: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str]
    ) -> Space:
        stacks = tuple(_stacks(position, name))
        if name in state.BASES:
            return Space(name, name.title(), source=PRINTED, stacks=stacks)
        bridges = [key for key in BRIDGES if facts.get(f"bridge:{key}", notation.BROOKLYN if key == "brooklyn" else "") == name]
        title = BRIDGES[bridges[0]] if bridges else ""
        features = [f"no route {other}" for other in self._unconnected(name, known)]
        features += ["bridge blown"] if name in blown_bridges(position) else []
        key = state.space_flag(name)
        if key not in known:
            source = PRINTED if name == notation.BROOKLYN else TOLD if bridges else ""
            return Space(name, title, "", (*(["bridge"] if bridges else []), *features), source, stacks=stacks)
        ground = notation.read_ground(known[key])
        marks = (*(word for word in notation.FEATURES if word in ground.features), *features)
        source = LEARNT if key in learnt else TOLD
        return Space(name, ground.name or title, ground.terrain, marks, source, None, GROUNDS[ground.terrain], stacks)

    def _unconnected(self, name: str, known: Mapping[str, str]) -> Iterator[str]:
        """The next spaces on the route and the phase line of a space to which no route leads."""
        route, line = notation.route_and_line(name)
        for other in (f"{route - 1}-{line}", f"{route + 1}-{line}", f"{route}-{line - 1}", f"{route}-{line + 1}"):
            if state.on_map(other) and known.get(self.key(self.columns[1], name, other)) == state.NO_ROUTE:
                yield other

    def _links(self, known: Mapping[str, str], learnt: Collection[str]) -> Iterator[Link]:
        for key, route in known.items():
            ends = self.spaces_of(key)
            if len(ends) == 2 and route != state.NO_ROUTE:
                yield Link(*ends, "" if route == state.LAND else route, LEARNT if key in learnt else TOLD)


def _one_word(text: str) -> str:
    """``north base 3-12`` as ``north 3-12``: a name at the beginning of a line or item must have no blank."""
    head, _, rest = text.strip().partition(" ")
    second, _, more = rest.partition(" ")
    return f"{head} {more}".strip() if second.casefold() == "base" and head[:1].isalpha() else text.strip()


def _cell(place: str, north: int) -> tuple[int, int]:
    """Column and row: the Bases around the spaces, the routes from west to east, the phase line `north` at the top."""
    if state.on_map(place):
        route, line = notation.route_and_line(place)
        return route, 1 + abs(line - north)
    return _EDGES[place]


def _stacks(position: Position, place: str) -> Iterator[Stack]:
    """The pieces in a place, by side and kind."""
    pieces = position.at(place)
    stacks: tuple[tuple[str, str, list[Piece]], ...] = (
        (COALITION, _UNITS, [piece for piece in pieces if piece.kind == state.UNIT]),
        (OPFOR, _OPFOR, [piece for piece in pieces if state.fights(piece)]),
        (NODES, _CONCEALED, [piece for piece in pieces if piece.kind == state.CONCEALED]),
        (NODES, _REVEALED, [piece for piece in pieces if state.is_node(piece)]),
        (NODES, _BLOWN, [piece for piece in pieces if piece.kind == state.MARKER]),
    )
    for side, letter, stack in stacks:
        if stack:
            yield Stack(side, letter, tuple(piece.name for piece in stack))


def _notes(position: Position, north: int) -> Iterator[str]:
    if not north:
        yield "The north is not known yet: enter an exit of the North or the South Base [13.4]."
    unseen = position.count(state.UNOPENED)
    if unseen:
        yield f"{unseen} concealed Nodes lie in Objective and Mosque spaces that are not visited yet [7.1(1)]."
