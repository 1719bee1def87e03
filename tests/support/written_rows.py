"""The rows that a series has written into a file."""

from __future__ import annotations

import csv
import sqlite3
from pathlib import Path
from typing import Any

from tests.support.connections import connected


def rows(path: Path) -> list[dict[str, str]]:
    """The rows of a CSV, without the one column that differs from run to run; none where there is no file yet."""
    if not path.exists():
        return []
    with path.open(newline="") as file:
        return [{key: value for key, value in row.items() if key != "seconds"} for row in csv.DictReader(file)]


def table(path: Path) -> list[dict[str, Any]]:
    """The rows of the table ``games``, likewise."""
    with connected(path) as db:
        db.row_factory = sqlite3.Row
        found = [dict(row) for row in db.execute("SELECT * FROM games")]
    db.close()
    return [{key: value for key, value in row.items() if key != "seconds"} for row in found]
