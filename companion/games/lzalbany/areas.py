"""[2.2] The areas of the map: their names, what is known of them, contradictions, and how they are entered and drawn.

What is known is stored as flags of the position (``terrain:b3``, ``edge:b3``, ``next:b3``, ``beside:b3 c4``, ``los:b3 c4``), so
that looking at the map needs no question.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.graph import distances
from companion.core.hints import Any, cast
from companion.core.map import AREAS, LEARNT, PRINTED, TOLD, Column, Facts, GameMap, Link, Map, Space, Stack, one_way_links
from companion.core.notation import Notation, fixed_words
from companion.core.position import FlagReader, Position, Value
from companion.core.text import clean, natural_key, normalised, pick_name, split_list
from companion.games.lzalbany import state

ALBANY, COLUMBUS, TRANSITION = "albany", "columbus", "transition"
NAMED = {ALBANY: "LZ Albany", COLUMBUS: "LZ Columbus", TRANSITION: "Transition Area"}
OFF_GRID = (COLUMBUS, TRANSITION)
"""Areas adjacent to none; 6.5 says how to get there (ruling C-69)."""
JUNGLE, SAWGRASS = "jungle", "sawgrass"
TERRAINS = (JUNGLE, SAWGRASS)
EDGES = ("edge", "east")
FAR = 99
"""The distance to an area that cannot be reached over what is known."""
SIGHT_AREAS, MORTAR_AREAS = 3, 6
"""[7.8, 7.4] The range of sight and of mortars, in areas."""

FACT_RULES = {"area": "2.2", "next": "2.2", "los": "7.8", "range": "7.4", "beside": "6.2", "start": "3.2"}
"""The kinds of map facts with the rules that need them."""
Flags = dict[str, str | bool | None]

_NEXT, _BESIDE = "next", "beside"
_AREA_FLAGS = ("terrain", _NEXT, _BESIDE, state.NAMED_AREA.removesuffix(":"))
_MAP_FLAGS = (*(f"{head}:" for head in (*_AREA_FLAGS, "edge", "start", "los", "range")), state.MAP_WHOLE, state.MAP_PRACTICE)
"""Prefixes of the flags that describe the map."""
_PAIR_KINDS: Mapping[str, state.PairKind] = {"beside": "beside", "los": "los", "range": "range"}
_NOT_AREAS = {
    *("pool", "to come", "flare track", "flares used", "to place", "airlift", "eliminated", "dead", "evacuated", "left", "out"),
    *("off", "all", "rest", "none", "done", "split"),
}


@lru_cache(maxsize=1024)
def is_area(place: str) -> bool:
    """True if a place is an area of the map and not a box."""
    return place not in _NOT_AREAS and not place.startswith(state.BOXES)


def title(area: str) -> str:
    """An area as printed: ``b3``, ``LZ Albany``."""
    return NAMED.get(area, area)


def read_area(text: str, known: Iterable[str] = (), strict: bool = False) -> str:
    """Read an area; LZ Albany, LZ Columbus and the Transition Area by any prefix of two letters. Raises Unreadable.

    `known` areas take precedence over those prefixes; `strict` accepts them only, for a map that is complete.
    """
    name = normalised(text).removeprefix("lz ").removesuffix(" area")
    known = list(known)
    if name not in known:
        special = [area for area in NAMED if len(name) >= 2 and area.startswith(name)]
        if special:
            return special[0]
    plain = name.replace(" ", "-")
    if not plain or len(plain) > 16 or any(ch in plain for ch in ">;,:#=") or not is_area(plain):
        cure = "Type an area's name: albany, columbus, or one of yours such as b3"
        raise Unreadable(f"'{clean(text)}' names no area", rule="2.2", cure=cure)
    if strict and plain not in known:
        raise Unreadable(f"no area '{clean(text)}' on this map", rule="2.2", cure=f"You can name {', '.join(known)}")
    return plain


def read_ground(text: str) -> str:
    """Read ``jungle``, ``sawgrass edge`` or ``jungle east``: terrain, and the map edge. Raises Unreadable."""
    words = clean(text).split()
    if not words or len(words) > 2:
        raise Unreadable("an area needs its terrain", rule="2.2", cure="Type it like this: jungle, or sawgrass east")
    terrain = pick_name(words[0], TERRAINS, "terrain")
    return f"{terrain} {pick_name(words[1], EDGES, 'edge')}" if len(words) == 2 else terrain


def read_list(text: str) -> str:
    """Read areas separated by commas: ``b3, c4, albany``. Raises Unreadable."""
    names = [read_area(part) for part in text.replace(";", ",").split(",") if part.strip()]
    if not names:
        raise Unreadable("no areas are named", rule="2.2", cure="Type them like this: b3, c4, albany")
    return ", ".join(dict.fromkeys(names))


def _reject_off_grid(text: str) -> None:
    """[6.5] Reject LZ Columbus and the Transition Area in a list of neighbours."""
    for name in set(OFF_GRID) & set(read_list(text).split(", ")):
        cure = "Leave it out; enter the area that leads there as: jungle east"
        raise Unreadable(f"{title(name)} is adjacent to no area: 6.5 says how to get there", rule="6.5", cure=cure)


GROUND = Notation("area", "jungle", read_ground, words=(*TERRAINS, *EDGES), between=" ")
LIST = Notation("areas", "b3, c4, albany", read_list, check_doubtful=_reject_off_grid)
SIGHT = fixed_words("line of sight", ("yes", "no"))
IN_RANGE = fixed_words("range", ("yes", "no"))
BESIDE = fixed_words("neighbours", ("yes", "no"))
START = fixed_words("circle", ("us1", "nva1", "nva2", "dot"))


class MapGraph:
    """The areas and their connections, read from the flags once for all positions that share them.

    `listed` are the complete neighbours of each area whose list was entered, `links` the known ones from either side.
    """

    def __init__(self, flags: Mapping[str, Any]) -> None:
        self.flags = flags
        self.listed: dict[str, tuple[str, ...]] = {COLUMBUS: (), TRANSITION: ()}
        self.areas = set(NAMED)
        for flag, value in flags.items():
            head, colon, area = flag.partition(":")
            if head not in _AREA_FLAGS or not colon or not value:
                continue
            self.areas.update(area.split(" ") if head == _BESIDE else (area,))
            if head == _NEXT and area not in OFF_GRID:
                names = str(value).split(", ")
                self.listed[area] = tuple(name for name in names if name and name not in (area, *OFF_GRID))
                self.areas.update(self.listed[area])
        self.in_order = sorted(self.areas)
        self.links = self._links()
        self.jungle = frozenset(area for area in self.areas.difference(NAMED) if flags.get(state.terrain_flag(area)) == JUNGLE)
        self._distances: dict[frozenset[str], dict[str, int]] = {}
        self._surroundings: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._within: dict[tuple[str, int], tuple[str, ...]] = {}
        self._ranges: dict[str, dict[str, int]] = {}
        self.practice_sights: dict[tuple[str, str], bool] = {}

    def _links(self) -> dict[str, tuple[str, ...]]:
        links = {area: list(others) for area, others in self.listed.items()}
        pairs = [pair for pair, value in self.pairs(_BESIDE) if value == "yes"]
        pairs += [(area, other) for area, others in self.listed.items() for other in others]
        for first, second in pairs:
            for area, other in ((first, second), (second, first)):
                if area not in self.listed and other not in links.setdefault(area, []):
                    links[area].append(other)
        return {area: tuple(others) for area, others in links.items()}

    def neighbours(self, area: str) -> tuple[str, ...]:
        """The known neighbours of an area."""
        return self.links.get(area, ())

    def pairs(self, kind: str) -> list[tuple[tuple[str, str], str]]:
        """The facts of a kind that concern two areas: both areas, and the value."""
        split = [(flag.partition(":")[2].split(" "), value) for flag, value in self.flags.items() if flag.startswith(f"{kind}:")]
        return [((pair[0], pair[1]), str(value)) for pair, value in split if len(pair) == 2 and value]

    def distances(self, origin: str) -> Mapping[str, int]:
        """The areas that can be reached over known connections, with the number of moves."""
        return self.distances_from(frozenset((origin,)))

    def distances_from(self, origins: frozenset[str]) -> Mapping[str, int]:
        """Like `distances`, from the nearest of some areas."""
        known = self._distances.get(origins)
        if known is None:
            known = self._distances[origins] = distances(origins, self.neighbours)
        return known

    def surroundings(self, areas: tuple[str, ...]) -> tuple[str, ...]:
        """Some areas and their neighbours, each once."""
        known = self._surroundings.get(areas)
        if known is None:
            near = (*areas, *(neighbour for area in areas for neighbour in self.neighbours(area)))
            known = self._surroundings[areas] = tuple(dict.fromkeys(near))
        return known

    def within(self, origin: str, limit: int) -> tuple[str, ...]:
        """The areas that can be reached from an area with so many moves, itself included."""
        known = self._within.get((origin, limit))
        if known is None:
            reach = self.distances(origin)
            known = self._within[origin, limit] = tuple([area for area, distance in reach.items() if distance <= limit])
        return known

    def ranges(self, origin: str) -> Mapping[str, int]:
        """[7.4] Like `distances`, through the Transition Area to LZ Columbus as well (ruling C-63)."""
        if origin not in self._ranges:
            east = tuple(flag.removeprefix(state.edge_flag("")) for flag, value in self.flags.items() if value == "east")
            links = {**self.links, COLUMBUS: (TRANSITION,), TRANSITION: (COLUMBUS, *east)}
            links.update({area: (*links.get(area, ()), TRANSITION) for area in east})
            self._ranges[origin] = distances((origin,), lambda area: links.get(area, ()))
        return self._ranges[origin]


def _occupied_areas(position: Position) -> set[str]:
    return {place for place in position.occupied_places() if is_area(place)}


_GRAPH = FlagReader(lambda position: MapGraph(position.flags), _MAP_FLAGS)


class AreaMap:
    """The map of a position, as far as it is known."""

    def __init__(self, position: Position, graph: MapGraph | None = None) -> None:
        self.flags: Mapping[str, object] = position.flags
        self.graph = graph or position.cached_from_flags(_GRAPH)
        self.position = position
        self._areas: list[str] | None = None

    def terrain(self, area: str) -> str:
        """``jungle``, ``sawgrass``, ``albany``, ``columbus`` or ``transition``; "" if unknown."""
        return area if area in NAMED else str(self.flags.get(state.terrain_flag(area)) or "")

    def edge(self, area: str) -> str:
        """``edge``, ``east`` or ""."""
        return str(self.flags.get(state.edge_flag(area)) or "")

    def listed_neighbours(self, area: str) -> tuple[str, ...] | None:
        """All neighbours of an area; None if its list was not entered."""
        return self.graph.listed.get(area)

    def neighbours(self, area: str) -> tuple[str, ...]:
        """The known neighbours of an area, all or some."""
        return self.graph.links.get(area, ())

    def adjacent(self, first: str, second: str) -> bool | None:
        """True if two areas are adjacent; None if unknown."""
        for area, other in ((first, second), (second, first)):
            listed = self.listed_neighbours(area)
            if listed is not None:
                return other in listed
        beside = self.flags.get(state.pair_flag("beside", first, second))
        return None if beside is None else beside == "yes"

    def areas(self) -> list[str]:
        """Every area that was ever named or is occupied, in alphabetical order."""
        if self._areas is None:
            more = self.position.cached_from_pieces(_occupied_areas) - self.graph.areas
            self._areas = sorted(self.graph.areas | more) if more else self.graph.in_order
        return self._areas

    def east_edge(self) -> list[str]:
        """[6.5] The areas on the east edge."""
        return [area for area in self.areas() if self.edge(area) == "east"]

    def is_complete(self) -> bool:
        """True if all areas of the map are known."""
        return bool(self.flags.get(state.MAP_WHOLE))

    def distance(self, origin: str, goal: str) -> int:
        """Moves between two areas; FAR if there is no known way."""
        return self.graph.distances(origin).get(goal, FAR)

    def within(self, first: str, second: str, limit: int) -> bool | None:
        """[7.4] True if two areas are at most so many areas apart; None if unknown."""
        reach, known = self.graph.ranges(first), self.flags.get(state.pair_flag("range", first, second))
        if reach.get(second, FAR) <= limit or self.adjacent(first, second):
            return True
        return known == "yes" if known is not None else False if self._is_beyond(reach, first, second, limit) else None

    def _is_beyond(self, reach: Mapping[str, int], first: str, second: str, limit: int) -> bool:
        inside = (first, *(area for area, distance in reach.items() if distance < limit))
        certain = second not in OFF_GRID and all(area in self.graph.listed and area not in OFF_GRID for area in inside)
        return certain or self.is_complete()

    def sight(self, first: str, second: str) -> bool | None:
        """[7.8] True if there is a line of sight between two areas; None if unknown."""
        entered = self.flags.get(state.pair_flag("los", first, second))
        if entered is not None:
            return entered == "yes"
        if first == second or self.adjacent(first, second):
            return True
        if self.flags.get(state.MAP_PRACTICE):
            known = self.graph.practice_sights.get((first, second))
            if known is None:
                known = self.graph.practice_sights[first, second] = self._practice_sight(first, second)
            return known
        reach = self.graph.distances(first)
        return False if reach.get(second, FAR) > SIGHT_AREAS and self._is_beyond(reach, first, second, SIGHT_AREAS) else None

    def _practice_sight(self, first: str, second: str) -> bool:
        reach, back = self.graph.distances(first), self.graph.distances(second)
        total = reach.get(second, FAR)
        if total > SIGHT_AREAS:
            return False
        front = {first}
        for distance in range(1, total):
            near = {area for previous in front for area in self.listed_neighbours(previous) or ()}
            on_way = (area for area in near if reach.get(area) == distance and back.get(area) == total - distance)
            front = {area for area in on_way if self.terrain(area) != JUNGLE}
        return bool(front)


def areas_in(name: str) -> tuple[str, ...]:
    """The areas that the key of a fact names after its colon."""
    return tuple(map(_area_or_word, name.casefold().replace("lz ", "").split()))


def _area_or_word(word: str) -> str:
    try:
        return read_area(word)
    except Unreadable:
        return word


def flags_of(kind: str, name: str, value: str) -> Flags:
    """The flags that store a map fact; none if it names the wrong number of areas."""
    areas = areas_in(name)
    if kind in _PAIR_KINDS:
        return {state.pair_flag(_PAIR_KINDS[kind], *areas): value} if len(areas) == 2 else {}
    if len(areas) != 1:
        return {}
    if kind == "area":
        terrain, _, edge = value.partition(" ")
        return {state.terrain_flag(areas[0]): terrain, state.edge_flag(areas[0]): edge or None}
    return {state.next_flag(areas[0]) if kind == "next" else state.start_flag(areas[0]): value}


def fact_flags(facts: Mapping[str, str], kinds: Iterable[str] = tuple(FACT_RULES)) -> Flags:
    """The flags that store the facts of some kinds, by full key."""
    split = [(*key.partition(":")[::2], value) for key, value in facts.items()]
    return {flag: stored for kind, name, value in split if kind in kinds for flag, stored in flags_of(kind, name, value).items()}


def practice_areas(counters: Mapping[str, Any], which: str) -> Sequence[Mapping[str, Any]]:
    """The areas of a practice map from the tables; none for the owner's map."""
    areas: Sequence[Mapping[str, Any]] = counters[{"practice": "area"}.get(which, which)] if which not in ("", "own") else ()
    return areas


def practice_flags(areas: Iterable[Mapping[str, Any]]) -> Flags:
    """The flags that store a practice map."""
    flags: Flags = {}
    for area in areas:
        name = area["name"]
        if name not in NAMED:
            flags |= flags_of("area", name, f"{area['terrain']} {area['edge']}".strip())
        flags |= {state.next_flag(name): area["next"], state.start_flag(name): area["start"] or None}
    return {**flags, state.MAP_WHOLE: True, state.MAP_PRACTICE: True}


def contradictions(facts: Mapping[str, str]) -> list[str]:
    """The map facts (by full key) that cannot be true together, each with its cure."""
    graph = MapGraph(fact_flags(facts, ("next",)))
    return [*_against_rules(facts), *_double_names(facts), *_one_sided_lists(graph), *_against_neighbours(facts)]


def _against_rules(facts: Mapping[str, str]) -> list[str]:
    """[6.3, 6.5] Facts that contradict the rules, or name the wrong number of areas."""
    faults = []
    for key, value in facts.items():
        kind, _, name = key.partition(":")
        areas = areas_in(name) if kind in FACT_RULES else ()
        if kind in ("area", "start") and set(areas) & set(NAMED):
            faults.append(f"the rules give the ground of {title(areas[0])} [6.3, 6.5]: leave {key} out")
        elif kind in _PAIR_KINDS and len(set(areas)) != 2:
            faults.append(f"{key} must name two areas [{FACT_RULES[kind]}]: like {kind}:b3 c4")
        elif kind == "next" and set(areas) & set(OFF_GRID):
            faults.append(f"{title(areas[0])} has no neighbours, only the ways of 6.5 [6.5]: leave {key} out")
        elif kind == "next":
            faults += _list_faults(areas, value.split(", "))
    return faults


def _list_faults(areas: tuple[str, ...], others: list[str]) -> list[str]:
    faults = []
    for area in areas:
        if area in others:
            rest = ", ".join(other for other in others if other != area)
            faults.append(f"{title(area)} cannot be its own neighbour [2.2]: {area} next {rest}")
        for other in sorted(set(others) & set(OFF_GRID)):
            cure = f"leave it out, and enter the map edge instead, such as {area} jungle east"
            faults.append(f"{title(other)} has no neighbours, and {title(area)} names it [6.5]: {cure}")
    return faults


def _double_names(facts: Mapping[str, str]) -> list[str]:
    """[2.2] Names that differ only in a hyphen or a leading zero."""
    names = {area for key in facts if key.partition(":")[0] in FACT_RULES for area in areas_in(key.partition(":")[2])}
    names |= {other for key, value in facts.items() if key.startswith("next:") for other in value.split(", ")}
    alike: dict[tuple[tuple[int, str], ...], list[str]] = {}
    for name in sorted(names):
        alike.setdefault(natural_key(name), []).append(name)
    doubled = (group for group in alike.values() if len(group) > 1)
    cure = "look like one area under two names [2.2]: enter everything for"
    return [f"{' and '.join(group)} {cure} {group[0]}" for group in doubled]


def _one_sided_lists(graph: MapGraph) -> list[str]:
    """[6.2] Areas that are listed as neighbours and do not list the other area."""
    faults = []
    for area, other in one_way_links(graph.listed):
        both = ", ".join((*graph.listed[area], other))
        less = ", ".join(name for name in graph.listed[other] if name != area)
        cure = f"{area} next {both}" + (f", or {other} next {less}" if less else "")
        faults.append(f"{title(other)} has {title(area)} next to it, and {title(area)} not {title(other)} [6.2]: {cure}")
    return faults


def _against_neighbours(facts: Mapping[str, str]) -> list[str]:
    """[6.2, 7.4, 7.8] Facts on two areas that contradict what follows from the neighbours."""
    lists = _map_of(facts, "next")
    known = _map_of(facts, "area", "next", "beside")
    faults = []
    for kind in _PAIR_KINDS:
        for (first, second), entered in MapGraph(fact_flags(facts, (kind,))).pairs(kind):
            if kind == "beside":
                follows, reason = lists.adjacent(first, second), "the neighbours that were entered"
            elif kind == "los":
                follows, reason = known.sight(first, second), _distance_text(known, first, second, SIGHT_AREAS)
            else:
                follows = known.within(first, second, MORTAR_AREAS)
                reason = _distance_text(known, first, second, MORTAR_AREAS)
            if follows is not None and follows != (entered == "yes"):
                text = f"{kind}:{first} {second} was entered as {entered}, against {reason} [{FACT_RULES[kind]}]"
                faults.append(f"{text}: leave it out, or enter the neighbours again")
    return faults


def _map_of(facts: Mapping[str, str], *kinds: str) -> AreaMap:
    return AreaMap(Position(flags=fact_flags(facts, kinds)))


def _distance_text(known: AreaMap, first: str, second: str, limit: int) -> str:
    distance = known.graph.ranges(first).get(second)
    return f"the way of {distance} from neighbour to neighbour" if distance else f"neighbours by which it is more than {limit}"


Cell = tuple[int, int]
_TERRAIN_SIGNS = {"jungle": "J", "sawgrass": "s", ALBANY: "A", COLUMBUS: "C", TRANSITION: "T"}
_EDGE_SIGNS = {"edge": "|", "east": ">"}
_STACKS = {
    (state.UNIT, state.US): ("U", "US platoons"),
    (state.UNIT, state.NVA): ("N", "NVA platoons"),
    (state.OFFICER, state.US): ("u", "US officers"),
    (state.OFFICER, state.NVA): ("n", "NVA officers"),
    (state.WOUNDED, state.US): ("W", "Wounded"),
}
LEGEND = {
    **{sign: NAMED.get(ground, ground) for ground, sign in _TERRAIN_SIGNS.items()},
    "|": "behind a sign: the map ends there",
    ">": "behind a sign: the east edge",
    **dict(_STACKS.values()),
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

    def read_name(self, text: str) -> str:
        """Read the name of an area. Raises Unreadable."""
        return read_area(text)

    def sight(self, position: Position, space: str, other: str) -> bool | None:
        """[7.8] True if there is a line of sight between two areas by day; None if it is not known."""
        return AreaMap(position).sight(space, other)

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

    def build(
        self, position: Position, options: Mapping[str, str], facts: Mapping[str, str], learnt: Collection[str] = ()
    ) -> Map:
        """The known areas: of the session, of a practice map, or as entered."""
        flags: Mapping[str, object] = position.flags if position.flag(state.PHASE) else self._flags(options, facts)
        graph = MapGraph(flags)
        known = AreaMap(position.changed(flags=cast("dict[str, Value]", dict(flags))), graph)
        cells = _cells(known.areas(), graph)
        return Map(
            self.game.title,
            AREAS,
            (self._space(area, position, known, cells.get(area), learnt) for area in sorted(known.areas(), key=natural_key)),
            _links(graph, known, learnt),
            {side: side for side in state.SIDES},
            LEGEND,
            ("This is an invented practice map, not the published one.",) if flags.get(state.MAP_PRACTICE) else (),
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
    return " ".join(word for word in text.split() if word.casefold() != "lz")


def _features(area: str, edge: str, position: Position, known: AreaMap) -> tuple[str, ...]:
    """[3.2, 7.8, 11.2] The map edge, the start circle, known lines of sight, a flare."""
    features = [f"{edge} edge" if edge == "east" else "map edge"] if edge else []
    start = str(known.flags.get(state.start_flag(area)) or "")
    features += ["green dot" if start == "dot" else f"circle {start}"] if start else []
    for verb, value in (("sees", "yes"), ("does not see", "no")):
        pairs = [pair for pair, entered in known.graph.pairs("los") if entered == value and area in pair]
        others = [title(second if first == area else first) for first, second in pairs]
        features += [f"{verb} {', '.join(others)}"] if others else []
    return (*features, *(["flare"] if any(piece.kind == state.FLARE for piece in position.at(area)) else []))


def _stacks(position: Position, area: str) -> tuple[Stack, ...]:
    pieces = position.at(area)
    names = {key: tuple(p.name for p in pieces if (p.kind, state.side_of(p)) == key) for key in _STACKS}
    return tuple(Stack(key[1], _STACKS[key][0], stack) for key, stack in names.items() if stack)


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
