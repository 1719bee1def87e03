"""The map: spaces, what joins them, what is printed on them and what stands there, as far as it has been told or learnt from
play. A plain value; a game makes it from its position and the printed facts (``geography``), views draw it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

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
