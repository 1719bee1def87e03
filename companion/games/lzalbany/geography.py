"""[2.2] How the areas are told and drawn."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence

from companion.core.errors import Unreadable
from companion.core.map import AREAS, LEARNT, PRINTED, TOLD, Column, Facts, GameMap, Link, Map, Space, Stack
from companion.core.position import Position
from companion.core.text import natural_key, split_list
from companion.games.lzalbany.names import FLARE, MAP_PRACTICE, OFFICER, PHASE, SIDES, UNIT, US, WOUNDED, start_flag
from companion.games.lzalbany.words import areas
from companion.games.lzalbany.words.areas import ALBANY, COLUMBUS, NAMED, NAMED_BESIDE, TRANSITION, Told, read_area, title
from companion.games.lzalbany.words.counters import side_of
from companion.games.lzalbany.words.telling import areas_in, practice_areas, practice_flags, told_flags

At = tuple[int, int]
_GROUND = {"jungle": "J", "sawgrass": "s", ALBANY: "A", COLUMBUS: "C", TRANSITION: "T"}
_EDGE = {"edge": "|", "east": ">"}
_LETTERS = {(UNIT, US): "U", (UNIT, "NVA"): "N", (OFFICER, US): "u", (OFFICER, "NVA"): "n", (WOUNDED, US): "W"}
SIGNS = {
    **{sign: NAMED.get(ground, ground) for ground, sign in _GROUND.items()},
    "|": "behind a sign: the map ends there",
    ">": "behind a sign: the east edge",
    "U": "US platoons",
    "N": "NVA platoons",
    "u": "US officers",
    "n": "NVA officers",
    "W": "Wounded",
}


class Own(GameMap):
    """The areas: terrain and edge, neighbours, sight, and what else can be told of them."""

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

    # -- told ----------------------------------------------------------------------------------------------------

    def read_name(self, text: str) -> str:
        """An area's name. Raises Unreadable: it can be none."""
        return read_area(text)

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        """Every area that was told or named as a neighbour, in the order of their names, and LZ Albany."""
        told = {name for key, value in facts.items() for name in self._named(key, value)}
        return sorted(told - set(NAMED_BESIDE) | {ALBANY}, key=natural_key)

    def _named(self, key: str, value: str) -> list[str]:
        beside = value.split(", ") if key.startswith("next:") else []
        return [*self.spaces_of(key), *beside]

    def spaces_of(self, key: str) -> tuple[str, ...]:
        return areas_in(key.partition(":")[2]) if super().spaces_of(key) else ()

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        """The facts that one line tells. Raises Unreadable: it tells nothing that can be."""
        return super().read_line(_short(line), facts)

    def _column(self, part: str, first: bool) -> tuple[Column, str]:
        """The column of a part; where terrain is left out, the first part may be another one: ``albany next b2, c4``."""
        heads = [column.name for column in self.columns]
        return super()._column(part, first and part.partition(" ")[0].casefold() not in heads)

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        """The facts that one cell tells of an area. Raises Unreadable."""
        text = _short(value)
        if column.fact == "next" and name in map(read_area, split_list(text)):
            raise Unreadable(f"{title(name)} cannot be its own neighbour", rule="2.2", cure="Leave it out of its own list")
        return super().read_cell(column, name, text)

    def line(self, name: str, facts: Mapping[str, str]) -> str:
        """What is known of an area as the line that tells it; "" where nothing is."""
        return super().line(name, facts).replace(f"{name} ; ", f"{name} ", 1)

    # -- drawn ---------------------------------------------------------------------------------------------------

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        """The areas as far as they are known: those of a session where there is one, of our practice map where that is
        wanted, or what was told.
        """
        flags: Mapping[str, object] = position.flags if position.flag(PHASE) else self._flags(options, facts)
        told = Told(flags)
        known = areas.Map(position.changed(flags=dict(flags)), told)  # type: ignore[arg-type]
        at = _places(known.known(), told)
        return Map(
            self.game.title,
            AREAS,
            (self._space(area, position, known, at.get(area), learnt) for area in sorted(known.known(), key=natural_key)),
            _links(told, known, learnt),
            {side: side for side in SIDES},
            SIGNS,
            ("This is our made-up practice map, not the published one.",) if flags.get(MAP_PRACTICE) else (),
        )

    def _flags(self, options: Mapping[str, str], facts: Mapping[str, str]) -> Mapping[str, object]:
        areas = practice_areas(self.game.tables.counters, options.get("map", ""))
        return practice_flags(areas) if areas else told_flags(facts)

    def _space(self, area: str, position: Position, known: areas.Map, at: At | None, learnt: Collection[str]) -> Space:
        ground, edge = known.terrain(area), known.edge(area)
        told = bool(ground or known.next_to(area))
        return Space(
            area,
            NAMED.get(area, ""),
            "" if area in NAMED else ground,
            _features(area, edge, position, known),
            PRINTED if area in NAMED else TOLD if told else LEARNT if known.beside(area) else "",
            at,
            _GROUND.get(ground, "") + _EDGE.get(edge, ""),
            _stacks(position, area),
        )


def _short(text: str) -> str:
    """A text with the areas that the rules name in one word each."""
    return " ".join(word for word in text.split() if word.casefold() != "lz")


def _features(area: str, edge: str, position: Position, known: areas.Map) -> tuple[str, ...]:
    """[3.2, 7.8, 11.2] The map edge, the circle, what is told to be in sight or not, a flare."""
    found = [f"{edge} edge" if edge == "east" else "map edge"] if edge else []
    start = str(known.flags.get(start_flag(area)) or "")
    found += ["green dot" if start == "dot" else f"circle {start}"] if start else []
    seen = {
        value: [title(b if a == area else a) for (a, b), told in known.told.pairs("los") if told == value and area in (a, b)]
        for value in ("yes", "no")
    }
    found += [f"sees {', '.join(seen['yes'])}"] if seen["yes"] else []
    found += [f"does not see {', '.join(seen['no'])}"] if seen["no"] else []
    return (*found, *(["flare"] if any(piece.kind == FLARE for piece in position.at(area)) else []))


def _stacks(position: Position, area: str) -> tuple[Stack, ...]:
    """Platoons, officers and wounded of each side."""
    there = position.at(area)
    found = {key: tuple(p.name for p in there if (p.kind, side_of(p)) == key) for key in _LETTERS}
    return tuple(Stack(key[1], _LETTERS[key], names) for key, names in found.items() if names)


def _links(told: Told, known: areas.Map, learnt: Collection[str]) -> Iterable[Link]:
    """[6.2, 6.5] Neighbours once each, and the ways of 6.5 by the Transition Area."""
    pairs = dict.fromkeys(tuple(sorted((one, other))) for one, others in told.links.items() for other in others)
    for one, other in pairs:
        listed = other in told.next.get(one, ()) or one in told.next.get(other, ())
        yield Link(one, other, "", TOLD if listed or f"beside:{one} {other}" not in learnt else LEARNT)
    yield Link(TRANSITION, COLUMBUS, "way of 6.5", PRINTED)
    for area in known.known():
        if known.edge(area) == "east":
            yield Link(area, TRANSITION, "way of 6.5", PRINTED)


def _places(names: Iterable[str], told: Told) -> dict[str, At]:
    """Where areas lie whose names are all like b3, letters from west to east; those that the rules name lie among their
    neighbours, or east of all.
    """
    own = [name for name in names if name not in NAMED]
    if not own or not all("a" <= name[0] <= "z" and name[1:].isdecimal() for name in own):
        return {}
    raw = {name: (ord(name[0]), int(name[1:])) for name in own}
    left, top = min(column for column, _ in raw.values()), min(row for _, row in raw.values())
    at = {name: (column - left, row - top) for name, (column, row) in raw.items()}
    right, low = max(column for column, _ in at.values()), max(row for _, row in at.values())
    beside = [at[area] for area in told.links.get(ALBANY, ()) if area in at]
    middle = _mean(beside) if beside else None
    if middle and middle not in at.values():
        at[ALBANY] = middle
    return {**at, TRANSITION: (right + 1, low // 2), COLUMBUS: (right + 2, low // 2)}


def _mean(places: Sequence[At]) -> At:
    return round(sum(column for column, _ in places) / len(places)), round(sum(row for _, row in places) / len(places))
