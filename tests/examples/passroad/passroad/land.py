"""The twelve areas, the ways between them, and which of them lies on the way to the Fort."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any

from companion.core.graph import distances

DEPOT, FORT = "depot", "fort"

Ways = dict[str, tuple[str, ...]]
"""Each area with those that it is joined to, in the order of the list of [1.1]."""


class Land:
    """[1.1] The map, as the table of the rules has it."""

    def __init__(self, setup: Mapping[str, Any]) -> None:
        self._areas: Mapping[str, Mapping[str, Any]] = setup["areas"]
        self.road = self._joined(setup["ways"]["road"])
        self.track = self._joined(setup["ways"]["track"])

    @property
    def areas(self) -> tuple[str, ...]:
        """Every area, in the order of the list of [1.1]."""
        return tuple(self._areas)

    def _joined(self, pairs: Sequence[str]) -> Ways:
        found: dict[str, set[str]] = {area: set() for area in self._areas}
        for one, other in map(str.split, pairs):
            found[one].add(other)
            found[other].add(one)
        return {area: tuple(name for name in self._areas if name in others) for area, others in found.items()}

    @cached_property
    def next(self) -> Ways:
        """[1.1] The adjacent areas, by road or by track."""
        return {
            area: tuple(name for name in self._areas if name in (*self.road[area], *self.track[area])) for area in self._areas
        }

    def ground(self, area: str) -> str:
        """[1.1] Open, wood, gully or height."""
        return str(self._areas[area]["ground"])

    def at(self, area: str) -> tuple[int, int]:
        """Where it is drawn: column and row."""
        column, row = self._areas[area]["at"]
        return column, row

    def far(self, area: str) -> Mapping[str, int]:
        """How far every area is from one, in areas."""
        return distances((area,), self.next.__getitem__)

    def onward(self, area: str) -> str:
        """[5.6] The next area of the way from there to the Fort; "" at the Fort itself."""
        if area == FORT:
            return ""
        ways, goals = (self.road, (FORT,)) if self.road[area] else (self.next, self._on_a_road())
        far = distances(goals, ways.__getitem__)
        return min(ways[area], key=lambda name: (far[name], self.areas.index(name)))

    def _on_a_road(self) -> Iterable[str]:
        return (area for area in self._areas if self.road[area])
