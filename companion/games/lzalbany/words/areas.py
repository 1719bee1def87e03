"""[2.2] Areas: their names, what is printed on them, and what of the map Companion has been told.

What is told lies on the position as flags (``terrain:b3``, ``edge:b3``, ``next:b3``, ``beside:b3 c4``, ``los:b3 c4``), so that
a look at the map needs no question.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.map import space_distances
from companion.core.notation import Notation, fixed_words
from companion.core.position import FlagReader, Position
from companion.core.text import clean, normalised, pick_name
from companion.core.values import JsonObject
from companion.games.lzalbany.names import (
    BOXES,
    MAP_PRACTICE,
    MAP_WHOLE,
    NAMED_AREA,
    beside_flag,
    edge_flag,
    range_flag,
    sight_flag,
    terrain_flag,
)

ALBANY, COLUMBUS, TRANSITION = "albany", "columbus", "transition"
NAMED = {ALBANY: "LZ Albany", COLUMBUS: "LZ Columbus", TRANSITION: "Transition Area"}
NAMED_BESIDE = (COLUMBUS, TRANSITION)
"""The areas that are next to none: 6.5 gives the ways to and from them (ruling C-69)."""
JUNGLE, SAWGRASS = "jungle", "sawgrass"
TERRAINS = (JUNGLE, SAWGRASS)
EDGES = ("edge", "east")
FAR = 99
SIGHT_AREAS, MORTAR_AREAS = 3, 6
"""[7.8, 7.4] How far one sees, and how far mortars fire, in areas."""
_NEXT, _BESIDE = "next", "beside"
_OF_AREAS = ("terrain", _NEXT, _BESIDE, NAMED_AREA.removesuffix(":"))
_MIRRORED = (*(f"{head}:" for head in (*_OF_AREAS, "edge", "start", "los", "range")), MAP_WHOLE, MAP_PRACTICE)
"""How the flags begin that tell of the map."""
_NOT_AREAS = {
    "pool",
    "to come",
    "flare track",
    "flares used",
    "to place",
    "airlift",
    "eliminated",
    "dead",
    "evacuated",
    "left",
    "out",
    "off",
    "all",
    "rest",
    "none",
    "done",
    "split",
}


@lru_cache(maxsize=1024)
def is_area(place: str) -> bool:
    """Whether a place is an area of the map and no box."""
    return place not in _NOT_AREAS and not place.startswith(BOXES)


def title(area: str) -> str:
    """An area as it is written: ``b3``, ``LZ Albany``."""
    return NAMED.get(area, area)


def read_area(text: str, known: Iterable[str] = (), strict: bool = False) -> str:
    """An area by its name; LZ Albany, LZ Columbus and the Transition Area by any prefix of two letters or more.

    ``strict``: only areas that are known, for a map that has been told whole.

    Raises:
        Unreadable: it cannot be an area's name.
    """
    name = normalised(text).removeprefix("lz ").removesuffix(" area")
    known = list(known)
    if name not in known:
        special = [area for area in NAMED if len(name) >= 2 and area.startswith(name)]
        if special:
            return special[0]
    plain = name.replace(" ", "-")
    if not plain or len(plain) > 16 or any(ch in plain for ch in ">;,:#=") or not is_area(plain):
        raise Unreadable(
            f"'{clean(text)}' names no area", rule="2.2", cure="Type an area's name: albany, columbus, or one of yours such as b3"
        )
    if strict and plain not in known:
        raise Unreadable(f"no area '{clean(text)}' on this map", rule="2.2", cure=f"You can name {', '.join(known)}")
    return plain


def read_ground(text: str) -> str:
    """``jungle``, ``sawgrass edge``, ``jungle east``: terrain, and ``edge`` or ``east`` where the map ends there.

    Raises:
        Unreadable: no terrain.
    """
    words = clean(text).split()
    if not words or len(words) > 2:
        raise Unreadable("an area needs its terrain", rule="2.2", cure="Type it like this: jungle, or sawgrass east")
    terrain = pick_name(words[0], TERRAINS, "terrain")
    return f"{terrain} {pick_name(words[1], EDGES, 'edge')}" if len(words) == 2 else terrain


def read_list(text: str) -> str:
    """``b3, c4, albany``: areas with commas between.

    Raises:
        Unreadable: one of them is none.
    """
    names = [read_area(part) for part in text.replace(";", ",").split(",") if part.strip()]
    if not names:
        raise Unreadable("no areas are named", rule="2.2", cure="Type them like this: b3, c4, albany")
    return ", ".join(dict.fromkeys(names))


def _no_ways(text: str) -> None:
    """[6.5] Refuses LZ Columbus and the Transition Area in a list of neighbours."""
    for name in set(NAMED_BESIDE) & set(read_list(text).split(", ")):
        cure = "Leave it out; enter the area that leads there as: jungle east"
        raise Unreadable(f"{title(name)} is next to no area: 6.5 gives the ways there", rule="6.5", cure=cure)


GROUND = Notation("area", "jungle", read_ground)
LIST = Notation("areas", "b3, c4, albany", read_list, check_doubtful=_no_ways)
SIGHT = fixed_words("line of sight", ("yes", "no"))
IN_RANGE = fixed_words("range", ("yes", "no"))
BESIDE = fixed_words("neighbours", ("yes", "no"))
START = fixed_words("circle", ("us1", "nva1", "nva2", "dot"))


class Told:
    """What the flags of a position tell of the map, read once for all positions that have these flags.

    Attributes:
        next: the areas of which all neighbours were told, with these.
        areas: every area that was named; ``in_order``: the same in alphabetical order.
        links: every area with all its neighbours that are known, from whichever side they were told or learnt.
        practice_sights: the lines of sight on our practice map that were looked at; filled in.
    """

    def __init__(self, flags: JsonObject) -> None:
        self.flags = flags
        self.next: dict[str, tuple[str, ...]] = {COLUMBUS: (), TRANSITION: ()}
        self.areas = set(NAMED)
        for flag, value in flags.items():
            head, colon, area = flag.partition(":")
            if head not in _OF_AREAS or not colon or not value:
                continue
            self.areas.update(area.split(" ") if head == _BESIDE else (area,))
            if head == _NEXT and area not in NAMED_BESIDE:
                self.next[area] = tuple(name for name in str(value).split(", ") if name and name not in NAMED_BESIDE)
                self.areas.update(self.next[area])
        self.in_order = sorted(self.areas)
        self.links = self._links()
        self._distances: dict[str, dict[str, int]] = {}
        self._ranges: dict[str, dict[str, int]] = {}
        self.practice_sights: dict[tuple[str, str], bool] = {}

    def _links(self) -> dict[str, tuple[str, ...]]:
        found = {area: list(others) for area, others in self.next.items()}
        seen = [pair for pair, value in self.pairs(_BESIDE) if value == "yes"]
        for here, there in (*seen, *((here, there) for here, others in self.next.items() for there in others)):
            for one, other in ((here, there), (there, here)):
                if one not in self.next and other not in found.setdefault(one, []):
                    found[one].append(other)
        return {area: tuple(others) for area, others in found.items()}

    def pairs(self, kind: str) -> list[tuple[tuple[str, str], str]]:
        """What is told of two areas each, by the kind of fact: both, and the value."""
        found = [(flag.partition(":")[2].split(" "), value) for flag, value in self.flags.items() if flag.startswith(f"{kind}:")]
        return [((pair[0], pair[1]), str(value)) for pair, value in found if len(pair) == 2 and value]

    def distances(self, origin: str) -> Mapping[str, int]:
        """The areas that can be reached from one over what is known, each with the number of moves that it takes."""
        found = self._distances.get(origin)
        if found is None:
            found = self._distances[origin] = space_distances(self.links, (origin,))
        return found

    def ranges(self, origin: str) -> Mapping[str, int]:
        """[7.4] The same for the range of mortars: LZ Columbus lies behind the Transition Area, and that behind the east edge
        (ruling C-63).
        """
        found = self._ranges.get(origin)
        if found is None:
            east = tuple(flag.removeprefix(edge_flag("")) for flag, value in self.flags.items() if value == "east")
            links = {**self.links, COLUMBUS: (TRANSITION,), TRANSITION: (COLUMBUS, *east)}
            links.update({area: (*links.get(area, ()), TRANSITION) for area in east})
            found = self._ranges[origin] = space_distances(links, (origin,))
        return found


def _stood_in(position: Position) -> set[str]:
    """The areas with counters."""
    return {place for place in position.occupied_places() if is_area(place)}


_TOLD = FlagReader(lambda position: Told(position.flags), _MIRRORED)


class Map:
    """The map as far as it is told on a position."""

    def __init__(self, position: Position, told: Told | None = None) -> None:
        self.flags: Mapping[str, object] = position.flags
        self.told = told or position.cached_from_flags(_TOLD)
        self.position = position
        self._known: list[str] | None = None

    def terrain(self, area: str) -> str:
        """``jungle``, ``sawgrass``, ``albany``, ``columbus``, ``transition``; "" where it has not been told."""
        return area if area in NAMED else str(self.flags.get(terrain_flag(area)) or "")

    def edge(self, area: str) -> str:
        """``edge``, ``east`` or ""."""
        return str(self.flags.get(edge_flag(area)) or "")

    def next_to(self, area: str) -> tuple[str, ...] | None:
        """All adjacent areas; None where they have not been told."""
        return self.told.next.get(area)

    def beside(self, area: str) -> tuple[str, ...]:
        """The adjacent areas that are known, be they all or some."""
        return self.told.links.get(area, ())

    def adjacent(self, one: str, other: str) -> bool | None:
        """Whether two areas are next to each other; None where nobody has told."""
        for here, there in ((one, other), (other, one)):
            told = self.next_to(here)
            if told is not None:
                return there in told
        told_pair = self.flags.get(beside_flag(one, other))
        return None if told_pair is None else told_pair == "yes"

    def known(self) -> list[str]:
        """Every area that was ever named, in alphabetical order."""
        if self._known is None:
            more = self.position.cached_from_pieces(_stood_in) - self.told.areas
            self._known = sorted(self.told.areas | more) if more else self.told.in_order
        return self._known

    def whole(self) -> bool:
        """Whether the areas were told as one whole map."""
        return bool(self.flags.get(MAP_WHOLE))

    def distance(self, origin: str, goal: str) -> int:
        """Moves between two areas; FAR where nobody knows."""
        return self.told.distances(origin).get(goal, FAR)

    def within(self, one: str, other: str, most: int) -> bool | None:
        """[7.4] Whether one area is at most so many areas from another; None where somebody must be asked."""
        reach, told = self.told.ranges(one), self.flags.get(range_flag(one, other))
        if reach.get(other, FAR) <= most or self.adjacent(one, other):
            return True
        return told == "yes" if told is not None else False if self._beyond(reach, one, other, most) else None

    def _beyond(self, reach: Mapping[str, int], one: str, other: str, most: int) -> bool:
        """Whether it is certain that an area, which is further than this by what is known, is so."""
        inside = (one, *(area for area, far in reach.items() if far < most))
        certain = other not in NAMED_BESIDE and all(area in self.told.next and area not in NAMED_BESIDE for area in inside)
        return certain or self.whole()

    def sight(self, one: str, other: str) -> bool | None:
        """[7.8] What is told of the line of sight between two areas, either way round; None where nothing is."""
        told = self.flags.get(sight_flag(one, other))
        if told is not None:
            return told == "yes"
        if one == other or self.adjacent(one, other):
            return True
        if self.flags.get(MAP_PRACTICE):
            known = self.told.practice_sights.get((one, other))
            if known is None:
                known = self.told.practice_sights[one, other] = self._practice(one, other)
            return known
        reach = self.told.distances(one)
        return False if reach.get(other, FAR) > SIGHT_AREAS and self._beyond(reach, one, other, SIGHT_AREAS) else None

    def _practice(self, one: str, other: str) -> bool:
        """Sight on our practice map: a shortest way of at most three areas whose middle is free of jungle."""
        reach, back = self.told.distances(one), self.told.distances(other)
        total = reach.get(other, FAR)
        if total > SIGHT_AREAS:
            return False
        front = {one}
        for far in range(1, total):
            front = {
                there
                for here in front
                for there in self.next_to(here) or ()
                if reach.get(there) == far and back.get(there) == total - far and self.terrain(there) != JUNGLE
            }
        return bool(front)
