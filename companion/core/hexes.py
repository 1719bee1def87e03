"""Hexes by their printed numbers: two digits of column and two of row. Neighbours and distance by arithmetic.

In every second column the hexes lie half a hex lower; which columns these are is printed on the map, and rows may be counted
from its top or from its bottom: that is the ``Orientation``.
"""

from functools import lru_cache

from companion.core.errors import Unreadable
from companion.core.hints import Literal
from companion.core.named_tuple import NamedTuple
from companion.core.text import clean

DIGITS = 4

_OFFSETS = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))  # Column and slant of the neighbours, from the north clockwise


class Orientation(NamedTuple):
    """How hexes are numbered: columns of ``low`` numbers lie half a hex lower; rows count from the ``top`` or the ``bottom``."""

    low: Literal["even", "odd"] = "even"
    rows: Literal["top", "bottom"] = "top"

    def lowering(self, column: int) -> int:
        """Half hexes by which a column lies lower: 0 or 1."""
        return column % 2 if self.low == "odd" else 1 - column % 2


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


def _axial(number: str, orientation: Orientation) -> tuple[int, int]:
    """Column, and a row that slants so that the six directions are six fixed differences."""
    column, row = column_row(number)
    down = row if orientation.rows == "top" else -row
    return column, (2 * down + orientation.lowering(column) - column) // 2


def distance(first: str, second: str, orientation: Orientation) -> int:
    """Hexes from one to another; 0 for the same."""
    (column, slant), (column2, slant2) = _axial(first, orientation), _axial(second, orientation)
    x, y = column2 - column, slant2 - slant
    return max(abs(x), abs(y), abs(x + y))


@lru_cache(maxsize=4096)
def neighbours(number: str, orientation: Orientation) -> tuple[str, ...]:
    """The six hexes around one, from the north clockwise; fewer where numbers end."""
    column, slant = _axial(number, orientation)
    hexes = [_number(column + x, slant + y, orientation) for x, y in _OFFSETS]
    return tuple([neighbour for neighbour in hexes if neighbour])


def _number(column: int, slant: int, orientation: Orientation) -> str:
    """The hex at a column and slanting row; "" where no number can stand."""
    down = (2 * slant + column - orientation.lowering(column) + 1) // 2
    row = down if orientation.rows == "top" else -down
    return f"{column:02}{row:02}" if 0 <= column <= 99 and 0 <= row <= 99 else ""


def sheet_position(number: str, orientation: Orientation) -> tuple[int, int]:
    """Column, and row in half hexes from the top, for drawing."""
    column, row = column_row(number)
    down = row if orientation.rows == "top" else 99 - row
    return column, 2 * down + orientation.lowering(column)
