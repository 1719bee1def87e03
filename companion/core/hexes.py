"""Hexes by their printed numbers: two digits of column and two of row. Neighbours, distance and direction by arithmetic.

In every second column the hexes lie half a hex lower; which columns these are is printed on the map, and rows may be counted
from its top or from its bottom: that is the ``Orientation``.
"""

from functools import lru_cache
from typing import NamedTuple

from companion.core.errors import Unreadable
from companion.core.text import clean

DIGITS = 4
DIRECTIONS = ("north", "north-east", "south-east", "south", "south-west", "north-west")


class Orientation(NamedTuple):
    """How hexes are numbered: columns of ``low`` numbers lie half a hex lower; rows count from the ``top`` or the ``bottom``."""

    low: str = "even"
    rows: str = "top"


def read_hex(text: str, rule: str = "") -> str:
    """``1321``: four digits. Raises Unreadable: anything else."""
    number = clean(text).strip()
    if len(number) != DIGITS or not (number.isascii() and number.isdecimal()):
        cure = "Type its four digits, column and row, as printed: 0807"
        raise Unreadable(f"'{clean(text)}' is not the number of a hex", rule=rule, cure=cure)
    return number


def column_row(number: str) -> tuple[int, int]:
    """Column and row of a hex."""
    return int(number[:2]), int(number[2:])


def _cube(number: str, how: Orientation) -> tuple[int, int]:
    """Axial coordinates: column, and a row that slants so that the six directions are six fixed differences."""
    column, row = column_row(number)
    down = row if how.rows == "top" else -row
    lower = column % 2 == 0 if how.low == "even" else column % 2 == 1
    # from half hexes of height to the slant
    return column, (2 * down + (1 if lower else 0) - column) // 2


def _number(column: int, slant: int, how: Orientation) -> str:
    lower = column % 2 == 0 if how.low == "even" else column % 2 == 1
    down = (2 * slant + column - (1 if lower else 0) + 1) // 2
    row = down if how.rows == "top" else -down
    return f"{column:02}{row:02}" if 0 <= column <= 99 and 0 <= row <= 99 else ""


_OFFSETS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # In the order of DIRECTIONS


@lru_cache(maxsize=4096)
def neighbours(number: str, how: Orientation) -> tuple[str, ...]:
    """The six hexes around one, from the north clockwise; fewer where numbers end."""
    return tuple(neighbour for neighbour in around(number, how).values() if neighbour)


def around(number: str, how: Orientation) -> dict[str, str]:
    """Direction -> the hex there; "" where no number can stand."""
    column, slant = _cube(number, how)
    return {name: _number(column + x, slant + y, how) for name, (x, y) in zip(DIRECTIONS, _OFFSETS, strict=True)}


def distance(one: str, other: str, how: Orientation) -> int:
    """Hexes from one to another; 0 for the same."""
    (column, slant), (column2, slant2) = _cube(one, how), _cube(other, how)
    x, y = column2 - column, slant2 - slant
    return max(abs(x), abs(y), abs(x + y))


def adjacent(one: str, other: str, how: Orientation) -> bool:
    """Whether two hexes have a side in common."""
    return distance(one, other, how) == 1


def sheet_position(number: str, how: Orientation) -> tuple[int, int]:
    """Column, and row in half hexes from the top, for drawing."""
    column, row = column_row(number)
    down = row if how.rows == "top" else 99 - row
    lower = column % 2 == 0 if how.low == "even" else column % 2 == 1
    return column, 2 * down + (1 if lower else 0)
