"""The hex map: how lines and chains are entered, and how it is drawn [2.1]."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise

from companion.core.errors import Unreadable
from companion.core.game import Fact
from companion.core.hexes import Orientation, read_hex, sheet_position
from companion.core.map import HEXES, LEARNT, PRINTED, TOLD, Column, Facts, GameMap, Link, Map, Space, Stack
from companion.core.position import Piece, Position
from companion.core.text import clean, matching_names
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import (
    AREAS,
    BORDERS,
    GIVEN,
    MAP_FACTS,
    NO,
    NOTHING,
    ORIENTATION,
    WATERS,
    YES,
    Land,
    may_be_adjacent,
    pair,
    read_hexes,
)
from companion.games.iraqwar2003.rules import r08_map

LOWER = "lower"
"""The name of the line for the orientation."""
WHOLE: Mapping[str, str] = {
    LOWER: ORIENTATION,
    **{area: f"area:{area}" for area in AREAS},
    **{border: f"border:{border}" for border in BORDERS},
}
"""Map-wide facts: the first word of a line to the key of the fact."""
_WHOLE_TITLES = (
    f"{LOWER}: which hex of Baghdad lies half a hex lower; {', '.join(AREAS)}: all hexes of Kuwait and of the Kurdish areas; "
    f"{', '.join(BORDERS)}: hexes along a border of air sectors"
)
CHAINS: Mapping[str, tuple[str, str]] = {
    "road": ("road", YES),
    "rail": ("rail", YES),
    **{water: ("side", water) for water in WATERS if water != NOTHING},
}
"""Facts entered as chains: the first word of a line to kind and value."""
COALITION, KURDS, IRAQ, TURKEY = "coalition", "kurds", "iraq", "turkey"
SIDES = {COALITION: "Americans and British", KURDS: "Kurds", IRAQ: "Iraq", TURKEY: "Turkey"}
_LETTERS = {COALITION: "C", KURDS: "K", IRAQ: "I", TURKEY: "T"}
_SIGNS = {
    "plain": "..",
    "swamp": "sw",
    "mountain": "^^",
    "city": "ci",
    "minor city": "mi",
    "major city": "ma",
    "mega city": "ME",
    "sea": "~~",
    "other": "ot",
}
_AREA_TITLES = {"kuwait": "Kuwait", "kdp": "Kurdish area (KDP)", "puk": "Kurdish area (PUK)"}


class IraqWarMap(GameMap):
    """Hexes, hexsides and map-wide facts."""

    space = "hex"
    columns = (
        Column("ground", "hex"),
        Column("water", "side", "-", "minor"),
        Column("roads", "road", "-", YES),
        Column("rails", "rail", "-", YES),
    )
    example = "2231 swamp; water 2232 large, 2331; roads 2332"

    def read_name(self, text: str) -> str:
        """Read a hex, the name of a city with a known number, or a key of WHOLE."""
        word = clean(text)
        if word[:1].isdecimal() or not word:
            return read_hex(word, "2.1")
        places = {Land({}).place(number): number for number in GIVEN}
        matches = matching_names(word, (*WHOLE, *places))
        return places.get(matches[0], matches[0]) if len(matches) == 1 else read_hex(word, "2.1")

    def form_spaces(self, facts: Mapping[str, str]) -> Sequence[str]:
        entered = filter(state.is_hex, super().form_spaces(facts))
        return list(dict.fromkeys([*WHOLE, *sorted({*GIVEN, *entered})]))

    def spaces_of(self, key: str) -> tuple[str, ...]:
        whole = next((name for name, fact in WHOLE.items() if fact == key), "")
        return (whole,) if whole else super().spaces_of(key)

    def fact_kind(self, column: Column) -> Fact:
        """The fact of a column; the first column also describes the map-wide facts."""
        fact = super().fact_kind(column)
        return fact._replace(title=f"{fact.title}; {_WHOLE_TITLES}") if column == self.columns[0] else fact

    def key(self, column: Column, name: str, other: str = "") -> str:
        if name in WHOLE:
            return WHOLE[name] if column == self.columns[0] else ""
        return super().key(column, name, other)

    def read_line(self, line: str, facts: Mapping[str, str]) -> Facts:
        """Read a line for a hex, a chain, or the whole map. Raises Unreadable."""
        head, _, rest = clean(line).strip().partition(" ")
        word = head.casefold().rstrip("s")
        if word in CHAINS:
            return read_chain(word, rest)
        return super().read_line(line, facts)

    def read_cell(self, column: Column, name: str, value: str) -> Facts:
        if name not in WHOLE:
            facts_read = super().read_cell(column, name, value)
            for key in facts_read if column.separator else ():
                first, second = self.spaces_of(key)
                check_adjacent(first, second, f"Like this: {self.example}")
            return facts_read
        fact = self.game.fact(WHOLE[name])
        if fact is None or column != self.columns[0]:
            raise Unreadable(f"{name} has no {column.name}", rule="2.1", cure=f"Like this: {name} 3241 3140-3143")
        return {WHOLE[name]: fact.notation(value)}

    # -- drawing -------------------------------------------------------------------------------------------------------

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        known = {key: value for key, value in facts.items() if key.partition(":")[0] in MAP_FACTS}
        known |= {key: str(value) for key, value in position.flags.items() if value and key.partition(":")[0] in MAP_FACTS}
        land = Land(known, position.flag(state.option_flag(state.MOUNTAINS)) == state.ON)
        units: dict[str, list[Piece]] = {}
        for piece in state.units_on_map(position):
            units.setdefault(piece.place, []).append(piece)
        hexes_named = [name for key in known for name in self.spaces_of(key) if state.is_hex(name)]
        listed = sorted({*GIVEN, *hexes_named, *filter(state.is_hex, units)})
        spaces = [_space(number, land, position, units.get(number, []), known, learnt) for number in listed]
        legend = {sign: word for word, sign in _SIGNS.items()} | dict.fromkeys(_LETTERS.values(), "ground units")
        notes = list(_notes(land, units.get(state.MAP, [])))
        return Map(self.game.title, HEXES, spaces, _links(land, known, learnt), SIDES, legend, notes)


def read_chain(word: str, rest: str) -> Facts:
    """Read ``road 2231 2331 2432`` or ``minor 2231 2332``: a feature between each hex and the next. Raises Unreadable."""
    kind, value = CHAINS[word]
    numbers = read_hexes(rest.replace("-", " ")) if rest.strip() else ()
    cure = f"Like this: {word} 2231 2331 2432"
    if len(numbers) < 2:
        raise Unreadable(f"a chain of {len(numbers)} hexes", rule="2.1", cure=cure)
    for first, second in pairwise(numbers):
        check_adjacent(first, second, cure)
    again = next((number for index, number in enumerate(numbers) if number in numbers[:index]), "")
    if again and kind != "side":
        cure = "Where it closes, or crosses itself, end the line and begin another"
        raise Unreadable(f"the {word} comes back to {again}: a cycle", rule="12.4", cure=cure)
    return {f"{kind}:{pair(first, second)}": value for first, second in pairwise(numbers)}


def check_adjacent(first: str, second: str, cure: str) -> None:
    """[2.1] Raise Unreadable if two hexes are adjacent in neither orientation."""
    if first == second:
        raise Unreadable(f"{first} cannot be its own neighbour", rule="2.1", cure=cure)
    if not may_be_adjacent(first, second):
        raise Unreadable(f"{first} and {second} are not neighbours", rule="2.1", cure=cure)


def _space(
    number: str, land: Land, position: Position, units: Sequence[Piece], known: Mapping[str, str], learnt: Collection[str]
) -> Space:
    """A hex with its terrain, other known features and units."""
    ground, key = land.ground(number), f"hex:{number}"
    features = ["port"] if ground.port else []
    features += [_AREA_TITLES[area] for area in AREAS if land.in_area(number, area)]
    features += ["roads destroyed"] if r08_map.has_broken_roads(position, number) else []
    source = LEARNT if key in learnt else TOLD if key in known else PRINTED if number in GIVEN else ""
    sheet_point = sheet_position(number, land.orientation or Orientation())
    sign = _SIGNS.get(ground.ground, "")
    return Space(number, ground.name, ground.ground, tuple(features), source, sheet_point, sign, tuple(_stacks(units)))


def _stacks(units: Sequence[Piece]) -> Iterator[Stack]:
    """The units of a hex by side, with disrupted and reduced units marked."""
    for side, letter in _LETTERS.items():
        own = [piece for piece in units if _map_side(piece) == side]
        if own:
            yield Stack(side, letter, tuple(map(_unit_label, own)))


def _map_side(piece: Piece) -> str:
    if notation.is_kurdish(piece):
        return KURDS
    return TURKEY if notation.is_turkish(piece) else notation.side_of(piece)


def _unit_label(piece: Piece) -> str:
    marks = ["reduced"] if piece.face == "reduced" else []
    marks += ["disrupted"] if piece.mark(state.DISRUPTED) else []
    return f"{piece.name} ({', '.join(marks)})" if marks else piece.name


def _links(land: Land, known: Mapping[str, str], learnt: Collection[str]) -> Iterator[Link]:
    """Pairs of hexes with a road, the railroad or water between them."""
    between: dict[str, list[str]] = {}
    for key, value in known.items():
        kind, _, tail = key.partition(":")
        if kind in ("side", "road", "rail") and value not in (NO, NOTHING):
            between.setdefault(tail, []).append(key)
    words = {"minor": "minor river", "large": "large river", "sea": "sea or lake"}
    for tail, keys in between.items():
        first, _, second = tail.partition("-")
        features = ", ".join(words.get(known[key], key.partition(":")[0]) for key in sorted(keys))
        yield Link(first, second, features, LEARNT if all(key in learnt for key in keys) else TOLD)


def _notes(land: Land, unlocated: Sequence[Piece]) -> Iterator[str]:
    if not land.orientation:
        yield "How the hexes lie has not been entered: drawn as if even columns lay half a hex lower."
    if unlocated:
        yield f"Somewhere on the map: {', '.join(piece.name for piece in unlocated)}."
