"""Lay out a map whose spaces are known only by their neighbours: one cell for each space, neighbours close together.

The result depends only on the arguments and their order, so that a map is always drawn in the same way.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, cos, pi, sin, sqrt

from companion.core.graph import distances

Cell = tuple[int, int]
"""Column and row."""

Spot = tuple[float, float]
"""A point in units of cells."""

Links = Mapping[str, Sequence[str]]
"""The neighbours of each space, in both directions."""

_NEAR = 3  # Links up to which spaces keep their distance to each other
_CLOSE = 0.9  # Cells between neighbours before rounding; small, since spaces that are pushed aside need room
_ROUNDS = 40
_SWAPS = 8
_ACROSS = 8  # Columns over which unconnected parts are spread
_AROUND = tuple((x, y) for y in (-1, 0, 1) for x in (-1, 0, 1) if x or y)


def arrange(names: Sequence[str], neighbours: Links, fixed: Mapping[str, Cell] | None = None) -> dict[str, Cell]:
    """Return a cell for each space, no two alike. Without fixed cells the leftmost column and the top row are 0.

    Each part of the map has its first space at the top left where nothing else decides. Neighbours are given in both directions.
    """
    cells = _kept(names, fixed or {})
    links = {name: [other for other in neighbours.get(name, ()) if other in neighbours and other != name] for name in names}
    for part in _parts(names, links):
        free = [name for name in part if name not in cells]
        if free and len(free) < len(part):
            _settle(cells, _stretched(_grown(part, links, cells), part, links, free), free, links)
    for part in _parts(names, links):
        if part[0] not in cells:
            _add_part(cells, _alone(part, links))
    return cells if fixed else _from_zero(cells)


def _distances(links: Links, *starts: str, limit: int | None = None) -> dict[str, int]:
    """The number of links from the nearest start to each space."""
    return distances(starts, lambda name: links.get(name, ()), limit)


def _kept(names: Sequence[str], fixed: Mapping[str, Cell]) -> dict[str, Cell]:
    """The fixed cells; of two spaces in one cell the first keeps it."""
    kept: dict[Cell, str] = {}
    for name in names:
        if name in fixed:
            kept.setdefault(fixed[name], name)
    return {name: cell for cell, name in kept.items()}


def _parts(names: Sequence[str], links: Links) -> list[list[str]]:
    """The connected parts, in the order of the names."""
    seen: set[str] = set()
    parts = []
    for name in names:
        if name not in seen:
            reached = _distances(links, name)
            seen.update(reached)
            parts.append([member for member in names if member in reached])
    return parts


def _alone(part: Sequence[str], links: Links) -> dict[str, Cell]:
    """The cells of a part without fixed cells."""
    spots = _stretched(_surveyed(part, links), part, links, part)
    angle = _straight(spots, links)
    tried: list[tuple[float, int, dict[str, Cell]]] = []
    for turn in (angle, angle + pi / 4):
        cells: dict[str, Cell] = {}
        _settle(cells, _turned(spots, turn), part, links)
        taken = {cell: name for name, cell in cells.items()}
        tried.append((sum(_cost(name, cells, taken, links) for name in part), len(tried), cells))
    return _closed(_as_read(min(tried)[2]))


def _surveyed(part: Sequence[str], links: Links) -> dict[str, Spot]:
    """Initial points from the distances of each space to four corners."""
    left = _farthest(part, [_distances(links, part[0])])
    from_left = _distances(links, left)
    right = _farthest(part, [from_left])
    from_right = _distances(links, right)
    top = _farthest(part, [from_left, from_right])
    from_top = _distances(links, top)
    bottom = _farthest(part, [from_top])
    x = _axis(from_left, from_right, from_left[right])
    y = _axis(from_top, _distances(links, bottom), from_top[bottom])
    return {name: (x[name], y[name] + index * 1e-3) for index, name in enumerate(part)}


def _farthest(part: Sequence[str], corners: Sequence[Mapping[str, int]]) -> str:
    """The first of the spaces farthest from several corners, given by the distances from them."""
    return max(part, key=lambda name: (min(steps[name] for steps in corners), sum(steps[name] for steps in corners)))


def _axis(from_start: Mapping[str, int], from_end: Mapping[str, int], length: int) -> dict[str, float]:
    """The position of each space between two corners."""
    return {name: (from_start[name] ** 2 - from_end[name] ** 2) / (2 * max(length, 1)) for name in from_start}


def _grown(part: Sequence[str], links: Links, cells: Mapping[str, Cell]) -> dict[str, Spot]:
    """Initial points of a part with fixed cells, from those outwards."""
    spots: dict[str, Spot] = {name: (float(cells[name][0]), float(cells[name][1])) for name in part if name in cells}
    middle = _mean(list(spots.values()))
    for index, name in enumerate(_distances(links, *spots)):
        if name not in spots:
            x, y = _mean([spots[other] for other in links[name] if other in spots])
            out = _unit(x - middle[0] + 1e-3 * index, y - middle[1] + 1e-3)
            spots[name] = (x + out[0], y + out[1])
    return spots


def _mean(spots: Sequence[Spot]) -> Spot:
    return sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots)


def _unit(x: float, y: float) -> Spot:
    length = sqrt(x * x + y * y) or 1.0
    return x / length, y / length


def _stretched(spots: dict[str, Spot], part: Sequence[str], links: Links, free: Iterable[str]) -> dict[str, Spot]:
    """Move each free space repeatedly to the point that fits its distances best."""
    near = {name: list(_distances(links, name, limit=_NEAR).items())[1:] for name in part}
    free = list(free)
    for _ in range(_ROUNDS):
        for name in free:
            spots[name] = _pulled(spots[name], [(spots[other], steps * _CLOSE) for other, steps in near[name]])
    return spots


def _pulled(spot: Spot, near: Sequence[tuple[Spot, float]]) -> Spot:
    """The point at the given distances from others; near ones weigh more."""
    total = x = y = 0.0
    for other, length in near:
        direction = _unit(spot[0] - other[0], spot[1] - other[1])
        weight = 1 / (length * length)
        total += weight
        x += weight * (other[0] + length * direction[0])
        y += weight * (other[1] + length * direction[1])
    return (x / total, y / total) if total else spot


def _straight(spots: Mapping[str, Spot], links: Links) -> float:
    """The angle by which to turn the points so that most links run along rows and columns."""
    total = 0j
    for name, (x, y) in spots.items():
        for other in links[name]:
            total += complex(*_unit(spots[other][0] - x, spots[other][1] - y)) ** 4
    return -atan2(total.imag, total.real) / 4


def _turned(spots: Mapping[str, Spot], angle: float) -> dict[str, Spot]:
    return {name: (x * cos(angle) - y * sin(angle), x * sin(angle) + y * cos(angle)) for name, (x, y) in spots.items()}


def _as_read(cells: dict[str, Cell]) -> dict[str, Cell]:
    """Turn or mirror the cells so that the map is wider than high and the first names are at the top left."""
    middle = (len(cells) - 1) / 2
    swapped = {name: (y, x) for name, (x, y) in cells.items()}
    signs = [(a, b) for a in (1, -1) for b in (1, -1)]
    turned = [{name: (a * x, b * y) for name, (x, y) in start.items()} for start in (cells, swapped) for a, b in signs]

    def quality(layout: Mapping[str, Cell]) -> tuple[bool, float]:
        columns, rows = ({cell[axis] for cell in layout.values()} for axis in (0, 1))
        order = sum((index - middle) * (x + 2 * y) for index, (x, y) in enumerate(layout.values()))
        return len(columns) >= len(rows), order

    return max(turned, key=quality)


def _settle(cells: dict[str, Cell], spots: Mapping[str, Spot], free: Sequence[str], links: Links) -> None:
    """Give each free space the nearest free cell, then swap cells as long as links get shorter."""
    taken = {cell: name for name, cell in cells.items()}
    for name in free:
        cell = _nearest_free(spots[name], taken)
        taken[cell] = name
        cells[name] = cell
    movable = set(free)
    for _ in range(_SWAPS):
        if not sum(_better(name, cells, taken, movable, links) for name in free):
            return


def _nearest_free(spot: Spot, taken: Mapping[Cell, str]) -> Cell:
    column, row = round(spot[0]), round(spot[1])
    reach = 0
    while True:
        ring = [
            (column + x, row + y)
            for y in range(-reach, reach + 1)
            for x in range(-reach, reach + 1)
            if max(abs(x), abs(y)) == reach and (column + x, row + y) not in taken
        ]
        if ring:
            return min(ring, key=lambda cell: ((cell[0] - spot[0]) ** 2 + (cell[1] - spot[1]) ** 2, cell))
        reach += 1


def _better(name: str, cells: dict[str, Cell], taken: dict[Cell, str], movable: set[str], links: Links) -> bool:
    """Move a space to a better cell, or swap it with the space there; return whether it moved."""
    old_cell = cells[name]
    for new_cell in _candidate_cells(name, cells, links):
        occupant = taken.get(new_cell)
        if new_cell == old_cell or (occupant is not None and occupant not in movable):
            continue
        before = _cost(name, cells, taken, links) + (_cost(occupant, cells, taken, links) if occupant else 0)
        _put(name, occupant, old_cell, new_cell, cells, taken)
        after = _cost(name, cells, taken, links) + (_cost(occupant, cells, taken, links) if occupant else 0)
        if after < before - 1e-9:
            return True
        _put(name, occupant, new_cell, old_cell, cells, taken)
    return False


def _candidate_cells(name: str, cells: Mapping[str, Cell], links: Links) -> list[Cell]:
    """The cells around a space and around the middle of its neighbours."""
    spots = [cells[other] for other in links[name] if other in cells]
    x, y = _mean([(float(a), float(b)) for a, b in spots]) if spots else cells[name]
    middle = (round(x), round(y))
    around = [(column + dx, row + dy) for column, row in (middle, cells[name]) for dx, dy in _AROUND]
    return list(dict.fromkeys([middle, *around]))


def _put(name: str, occupant: str | None, old: Cell, new: Cell, cells: dict[str, Cell], taken: dict[Cell, str]) -> None:
    """Move a space to a new cell; its occupant takes the old one."""
    cells[name], taken[new] = new, name
    if occupant is None:
        del taken[old]
    else:
        cells[occupant], taken[old] = old, occupant


def _cost(name: str, cells: Mapping[str, Cell], taken: Mapping[Cell, str], links: Links) -> float:
    """The length of the links of a space; a link across another space counts more."""
    return sum(_length(cells[name], cells[other], taken) for other in links[name] if other in cells)


def _length(start: Cell, end: Cell, taken: Mapping[Cell, str]) -> float:
    x, y = abs(start[0] - end[0]), abs(start[1] - end[1])
    if max(x, y) <= 1:
        return 1.0 if x + y == 1 else 1.3
    return x * x + y * y + 3.0 * any(cell in taken for cell in cells_between(start, end))


def cells_between(start: Cell, end: Cell) -> list[Cell]:
    """The cells on a straight line between two cells in one row, column or diagonal; empty for other pairs."""
    x, y = end[0] - start[0], end[1] - start[1]
    if x and y and abs(x) != abs(y):
        return []
    right, down = (x > 0) - (x < 0), (y > 0) - (y < 0)
    return [(start[0] + right * step, start[1] + down * step) for step in range(1, max(abs(x), abs(y)))]


def _closed(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """Remove empty rows and columns; start at 0."""
    columns = {column: index for index, column in enumerate(sorted({column for column, _ in cells.values()}))}
    rows = {row: index for index, row in enumerate(sorted({row for _, row in cells.values()}))}
    return {name: (columns[column], rows[row]) for name, (column, row) in cells.items()}


def _from_zero(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    left, top = (min((cell[axis] for cell in cells.values()), default=0) for axis in (0, 1))
    return {name: (column - left, row - top) for name, (column, row) in cells.items()}


def _add_part(cells: dict[str, Cell], part: Mapping[str, Cell]) -> None:
    """Place a part beside the last one, or below everything if there is no room."""
    left, bottom = min((x for x, _ in cells.values()), default=0), max((y for _, y in cells.values()), default=-1)
    wide, high = (max(cell[axis] for cell in part.values()) + 1 for axis in (0, 1))
    for row in range(bottom - high + 1, bottom + 1):
        right = max((x for x, y in cells.values() if row <= y < row + high), default=left - 2)
        clear = all(y < row + high for _, y in cells.values())
        if clear and right + 2 + wide - left <= _ACROSS:
            cells.update({name: (right + 2 + x, row + y) for name, (x, y) in part.items()})
            return
    cells.update({name: (left + x, bottom + 2 + y if cells else y) for name, (x, y) in part.items()})
