"""[2.2] How areas are entered and drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import cast

from companion.core.errors import Unreadable
from companion.core.map import AREAS, LEARNT, PRINTED, TOLD, Column, Facts, GameMap, Link, Map, Space, Stack
from companion.core.position import Position, Value
from companion.core.text import natural_key, split_list
from companion.games.lzalbany.areas import (
    ALBANY,
    COLUMBUS,
    NAMED,
    OFF_GRID,
    TRANSITION,
    AreaMap,
    MapGraph,
    areas_in,
    fact_flags,
    practice_areas,
    practice_flags,
    read_area,
    title,
)
from companion.games.lzalbany.state import FLARE, MAP_PRACTICE, OFFICER, PHASE, SIDES, UNIT, US, WOUNDED, side_of, start_flag

Cell = tuple[int, int]
_TERRAIN_SIGNS = {"jungle": "J", "sawgrass": "s", ALBANY: "A", COLUMBUS: "C", TRANSITION: "T"}
_EDGE_SIGNS = {"edge": "|", "east": ">"}
_STACK_SIGNS = {(UNIT, US): "U", (UNIT, "NVA"): "N", (OFFICER, US): "u", (OFFICER, "NVA"): "n", (WOUNDED, US): "W"}
LEGEND = {
    **{sign: NAMED.get(ground, ground) for ground, sign in _TERRAIN_SIGNS.items()},
    "|": "behind a sign: the map ends there",
    ">": "behind a sign: the east edge",
    "U": "US platoons",
    "N": "NVA platoons",
    "u": "US officers",
    "n": "NVA officers",
    "W": "Wounded",
}


class AlbanyMap(GameMap):
    """The areas: terrain and edge, neighbours, line of sight, range and start circles."""

    space = "area"
    columns = (
        Column("terrain", "area"),
        Column("next", "next"),
        Column("sight", "los", " ", "yes"),
        Column("range", "range", " ", "yes"),
        Column("beside", "beside", " ", "yes"),
        Column("start", "start"),
    )
    example = "b3 jungle edge; next b2, c4, albany; sight d4, e3 no"

    # -- entering ------------------------------------------------------------------------------------------------

    def read_name(self, text: str) -> str:
        """Read the name of an area. Raises Unreadable."""
        return read_area(text)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        """Every area that facts describe or name as a neighbour, and LZ Albany, in natural order."""
        named = {name for key, value in facts.items() for name in self._named(key, value)}
        return sorted(named - set(OFF_GRID) | {ALBANY}, key=natural_key)

    def _named(self, key: str, value: str) -> list[str]:
        neighbours = value.split(", ") if key.startswith("next:") else []
        return [*self.spaces_of(key), *neighbours]

    def spaces_of(self, key: str) -> tuple[str, ...]:
        return areas_in(key.partition(":")[2]) if super().spaces_of(key) else ()

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        """The facts that a line enters. Raises Unreadable."""
        return super().read_line(_without_lz(line), facts)

    def _column(self, part: str, first: bool) -> tuple[Column, str]:
        """The column of a part; without terrain the first part may be another column: ``albany next b2, c4``."""
        heads = [column.name for column in self.columns]
        return super()._column(part, first and part.partition(" ")[0].casefold() not in heads)

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        """The facts that a cell enters for an area. Raises Unreadable."""
        text = _without_lz(value)
        if column.fact == "next" and name in map(read_area, split_list(text)):
            raise Unreadable(f"{title(name)} cannot be its own neighbour", rule="2.2", cure="Leave it out of its own list")
        return super().read_cell(column, name, text)

    def line(self, name: str, facts: Mapping[str, str]) -> str:
        """What is known of an area, as a line that enters it; "" if nothing is."""
        return super().line(name, facts).replace(f"{name} ; ", f"{name} ", 1)

    # -- drawing -------------------------------------------------------------------------------------------------

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        """The known areas: of the session, of a practice map, or as entered."""
        flags: Mapping[str, object] = position.flags if position.flag(PHASE) else self._flags(options, facts)
        graph = MapGraph(flags)
        known = AreaMap(position.changed(flags=cast("dict[str, Value]", dict(flags))), graph)
        cells = _cells(known.areas(), graph)
        return Map(
            self.game.title,
            AREAS,
            (self._space(area, position, known, cells.get(area), learnt) for area in sorted(known.areas(), key=natural_key)),
            _links(graph, known, learnt),
            {side: side for side in SIDES},
            LEGEND,
            ("This is an invented practice map, not the published one.",) if flags.get(MAP_PRACTICE) else (),
        )

    def _flags(self, options: Mapping[str, str], facts: Mapping[str, str]) -> Mapping[str, object]:
        areas = practice_areas(self.game.tables.counters, options.get("map", ""))
        return practice_flags(areas) if areas else fact_flags(facts)

    def _space(self, area: str, position: Position, known: AreaMap, cell: Cell | None, learnt: Collection[str]) -> Space:
        ground, edge = known.terrain(area), known.edge(area)
        entered = bool(ground or known.listed_neighbours(area))
        return Space(
            area,
            NAMED.get(area, ""),
            "" if area in NAMED else ground,
            _features(area, edge, position, known),
            PRINTED if area in NAMED else TOLD if entered else LEARNT if known.neighbours(area) else "",
            cell,
            _TERRAIN_SIGNS.get(ground, "") + _EDGE_SIGNS.get(edge, ""),
            _stacks(position, area),
        )


def _without_lz(text: str) -> str:
    """A text in which the areas that the rules name are one word each."""
    return " ".join(word for word in text.split() if word.casefold() != "lz")


def _features(area: str, edge: str, position: Position, known: AreaMap) -> tuple[str, ...]:
    """[3.2, 7.8, 11.2] The map edge, the start circle, known lines of sight, a flare."""
    features = [f"{edge} edge" if edge == "east" else "map edge"] if edge else []
    start = str(known.flags.get(start_flag(area)) or "")
    features += ["green dot" if start == "dot" else f"circle {start}"] if start else []
    sight = {
        value: [
            title(b if a == area else a) for (a, b), entered in known.graph.pairs("los") if entered == value and area in (a, b)
        ]
        for value in ("yes", "no")
    }
    features += [f"sees {', '.join(sight['yes'])}"] if sight["yes"] else []
    features += [f"does not see {', '.join(sight['no'])}"] if sight["no"] else []
    return (*features, *(["flare"] if any(piece.kind == FLARE for piece in position.at(area)) else []))


def _stacks(position: Position, area: str) -> tuple[Stack, ...]:
    """Platoons, officers and wounded of each side."""
    pieces = position.at(area)
    names = {key: tuple(p.name for p in pieces if (p.kind, side_of(p)) == key) for key in _STACK_SIGNS}
    return tuple(Stack(key[1], _STACK_SIGNS[key], stack) for key, stack in names.items() if stack)


def _links(graph: MapGraph, known: AreaMap, learnt: Collection[str]) -> Iterable[Link]:
    """[6.2, 6.5] Each pair of neighbours once, and the ways of 6.5 through the Transition Area."""
    pairs = dict.fromkeys(tuple(sorted((area, other))) for area, others in graph.links.items() for other in others)
    for area, other in pairs:
        listed = other in graph.listed.get(area, ()) or area in graph.listed.get(other, ())
        yield Link(area, other, "", TOLD if listed or f"beside:{area} {other}" not in learnt else LEARNT)
    yield Link(TRANSITION, COLUMBUS, "way of 6.5", PRINTED)
    for area in known.east_edge():
        yield Link(area, TRANSITION, "way of 6.5", PRINTED)


def _cells(names: Iterable[str], graph: MapGraph) -> dict[str, Cell]:
    """The grid cells of areas, if all names are like b3 (letters from west to east).

    LZ Albany lies amid its neighbours; the Transition Area and LZ Columbus lie east of all.
    """
    own = [name for name in names if name not in NAMED]
    if not own or not all("a" <= name[0] <= "z" and name[1:].isdecimal() for name in own):
        return {}
    raw = {name: (ord(name[0]), int(name[1:])) for name in own}
    left, top = min(column for column, _ in raw.values()), min(row for _, row in raw.values())
    cells = {name: (column - left, row - top) for name, (column, row) in raw.items()}
    right, low = max(column for column, _ in cells.values()), max(row for _, row in cells.values())
    around = [cells[area] for area in graph.neighbours(ALBANY) if area in cells]
    middle = _mean(around) if around else None
    if middle and middle not in cells.values():
        cells[ALBANY] = middle
    return {**cells, TRANSITION: (right + 1, low // 2), COLUMBUS: (right + 2, low // 2)}


def _mean(cells: Sequence[Cell]) -> Cell:
    return round(sum(column for column, _ in cells) / len(cells)), round(sum(row for _, row in cells) / len(cells))
