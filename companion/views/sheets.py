"""Tables for a spreadsheet."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

_FORMULA = ("=", "+", "-", "@")
"""What a spreadsheet takes for the beginning of a formula."""


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows beneath the names of their columns, as comma-separated values; text that a spreadsheet would carry out stays text.

    >>> csv_text(("name", "vp"), [("april", -3), ("=1+1", None)])
    "name,vp\\r\\napril,-3\\r\\n'=1+1,\\r\\n"
    """
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_cell(cell) for cell in row] for row in rows)
    return out.getvalue()


def _cell(cell: Any) -> Any:
    if isinstance(cell, list | tuple):
        return " ".join(map(str, cell))
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULA) else cell
