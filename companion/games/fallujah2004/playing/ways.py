"""[3.1, 13.0] The map as a policy looks at it: spaces and what joins them, as far as that has been told."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from functools import lru_cache

from companion.core.position import FlagReader, Position
from companion.games.fallujah2004.notation import (
    BASES,
    BRIDGE,
    IN_PLAY,
    NO_SPACE,
    RIVER,
    SPACES,
    WEST_BASE,
    Ground,
    on_map,
    read_ground,
    route_and_line,
)
from companion.games.fallujah2004.rules.r13_movement import map_of, west_fault
from companion.games.fallujah2004.state import SPACE, space_flag

UNTOLD = Ground("urban", frozenset())
"""What a space is taken for that nobody has told: most of the city is that."""
_ROUTES = ("route:", "bridge:")


class Ways:
    """Spaces, and the neighbours of each by what is known of the routes; who asks says which bridges are blown.

    Args:
        position: its flags tell the spaces.
        facts: what the owner has told, by full key.

    Attributes:
        spaces: all that the map has, as far as is known.
    """

    def __init__(self, position: Position, facts: Mapping[str, str]) -> None:
        told = {key.removeprefix("route:"): how for key, how in facts.items() if key.startswith("route:")}
        self._map = map_of(told, position, [space for key, space in facts.items() if key.startswith("bridge:")])
        self._told: dict[str, set[str]] = {}
        for pair in told:
            one, _, other = pair.partition("/")
            self._told.setdefault(one, set()).add(other)
            self._told.setdefault(other, set()).add(one)
        self._grounds = position.cached_from_flags(_GROUNDS_AT)
        self.spaces = tuple(self._grounds)
        self._near: dict[str, list[tuple[str, bool, bool]]] = {}

    def ground(self, space: str) -> Ground:
        """What is printed there, or what is taken for it."""
        return self._grounds.get(space, UNTOLD)

    def _around(self, place: str) -> Iterator[tuple[str, bool, bool]]:
        able = _around(place) | self._told.get(place, _NOBODY)
        for other in (*self.spaces, *BASES):
            if other not in able or not self._map.may_be_joined(place, other):
                continue
            if WEST_BASE in (place, other) and west_fault(place if other == WEST_BASE else other):
                continue
            how = self._map.route(place, other)
            yield other, how == RIVER, how == BRIDGE

    def near(self, place: str, blown: Collection[str] = ()) -> Iterator[str]:
        """The neighbours of a place for those who cannot cross a river [13.3]; ``blown``: the spaces of blown bridges."""
        if place not in self._near:
            self._near[place] = list(self._around(place))
        for other, river, bridge in self._near[place]:
            if not river and not (bridge and (place in blown or other in blown)):
                yield other

    def distances(self, targets: Collection[str]) -> dict[str, int]:
        """How many spaces each place is from the nearest of some."""
        found = dict.fromkeys(targets, 0)
        front = list(found)
        while front:
            after = []
            for place in front:
                for other in self.near(place):
                    if other not in found:
                        found[other] = found[place] + 1
                        after.append(other)
            front = after
        return found

    def reached(
        self, start: str, points: int, stops: Collection[str], blown: Collection[str], on: bool = False
    ) -> dict[str, tuple[str, ...]]:
        """[13.0, 13.1, 13.2, 13.4] The spaces that a force on the ground can reach, with the way that it takes to each.

        Args:
            points: movement points, without the one that the MSR gives.
            stops: spaces that end a move: those with a Node.
            on: it goes on after a battle, so that its way is no whole MSR move.
        """
        found: dict[str, tuple[str, ...]] = {}
        front: list[tuple[str, ...]] = [()]
        highway = {start, *BASES} if start in BASES or self._is_msr(start) else set()
        for length in range(1, (1 if start in BASES else points + 1) + 1):
            after = []
            for way in front:
                place = way[-1] if way else start
                for other in self.near(place, blown):
                    if other in found or other == start or not on_map(other):
                        continue
                    if length > points and (on or not self._msr_all(start, (*way, other), highway)):
                        continue
                    found[other] = (*way, other)
                    if other not in stops:
                        after.append(found[other])
            front = after
        return found

    def _is_msr(self, space: str) -> bool:
        return "msr" in self.ground(space).features

    def _msr_all(self, start: str, way: tuple[str, ...], highway: Collection[str]) -> bool:
        return start in highway and all(map(self._is_msr, way))


_NOBODY: frozenset[str] = frozenset()


@lru_cache(maxsize=256)
def _around(place: str) -> frozenset[str]:
    """The places that may be beside one."""
    return frozenset([other for other in IN_PLAY if other != place and _beside(place, other)])


def _beside(place: str, other: str) -> bool:
    """Whether a route or a phase line, a diagonal, or the edge of the map may join two places."""
    if not (on_map(place) and on_map(other)):
        return on_map(place) or on_map(other)
    (route, line), (route2, line2) = route_and_line(place), route_and_line(other)
    return route == route2 or line == line2 or max(abs(route - route2), abs(line - line2)) == 1


def _grounds_at(position: Position) -> dict[str, Ground]:
    flags = {space: position.flag(space_flag(space)) for space in sorted(SPACES, key=route_and_line)}
    return {space: read_ground(text) if isinstance(text, str) else UNTOLD for space, text in flags.items() if text != NO_SPACE}


_GROUNDS_AT = FlagReader(_grounds_at, (SPACE,))
"""What is printed on each space that the map has, or what is taken for it."""

_GROUNDS = FlagReader(lambda position: tuple([one for one in position.flags.items() if one[0].startswith(SPACE)]), (SPACE,))
"""What is told of the spaces."""


class Known:
    """The ways that are known, kept from one decision to the next while nobody tells more."""

    def __init__(self) -> None:
        self._kept: dict[object, Ways] = {}
        self._facts: Mapping[str, str] = {}
        self._seen: Mapping[str, str] | None = None
        self._told: tuple[tuple[str, str], ...] = ()
        self._last: tuple[object, object, Ways] | None = None

    def ways(self, position: Position, facts: Mapping[str, str]) -> Ways:
        """The ways as this position and these facts tell them."""
        if facts is not self._seen and facts != self._facts:
            self._facts, self._told = dict(facts), tuple([(key, how) for key, how in facts.items() if key.startswith(_ROUTES)])
        self._seen = facts
        key = self._told, position.cached_from_flags(_GROUNDS)
        if self._last and self._last[0] is key[0] and self._last[1] is key[1]:
            return self._last[2]
        if key not in self._kept:
            if len(self._kept) > 50:
                self._kept.clear()
            self._kept[key] = Ways(position, facts)
        self._last = (*key, self._kept[key])
        return self._kept[key]
