"""A space seen from near, with those around it: a box each, and in it what lies within the space."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.map import Link, Map
from companion.views.lines import Line

_BOX_WIDEST = 26
"""Columns of a box at most."""
_BOX_NARROWEST = 12


def inset_lines(map: Map, place: str, width: int) -> list[Line]:
    """The boxes of a space and of its neighbours, as many beside each other as the width takes, that of the space first; none
    where nothing is known of what lies within it.
    """
    if not map.spaces[place].inset:
        return []
    links = {link.other if link.one == place else link.one: link for link in map.links if place in (link.one, link.other)}
    boxes = [
        _inset_box(map, place, None),
        *(_inset_box(map, name, link) for name, link in links.items() if map.spaces[name].inset),
    ]
    unknown = [name for name in links if not map.spaces[name].inset]
    lines = [Line(row) for row in _box_rows(boxes, width)]
    return [*lines, *([Line(", ".join(unknown), "dim", "", "Not known from near: ")] if unknown else [])]


def _inset_box(map: Map, name: str, link: Link | None) -> list[str]:
    """One box: the name of the space, how it is joined to the one in the midst, and its rows."""
    space = map.spaces[name]
    head = f"{name} {space.ground}".rstrip()
    joined = [link.how or "beside it"] if link else ["(here)"]
    wide = min(max(_BOX_NARROWEST, len(head) + 2, *(len(row) for row in (*joined, *space.inset))), _BOX_WIDEST)
    return [
        f"+-{head[: wide - 2]}-".ljust(wide + 2, "-") + "+",
        *(f"| {row[:wide].ljust(wide)}|" for row in (*joined, *space.inset)),
        _box_bottom(wide),
    ]


def _box_bottom(wide: int) -> str:
    return f"+{'-' * (wide + 1)}+"


def _box_rows(boxes: Sequence[Sequence[str]], width: int) -> Iterator[str]:
    """Rows of boxes, each row as many as there is room for."""
    left = list(boxes)
    while left:
        row = [left.pop(0)]
        while left and sum(len(box[0]) + 1 for box in (*row, left[0])) <= width + 1:
            row.append(left.pop(0))
        for at in range(max(map(len, row))):
            yield " ".join(box[at] if at < len(box) else " " * len(box[0]) for box in row).rstrip()
