"""What Datasette is told of an archive, made of the page on the archive and of the queries that come with it.

    python -m tests.support.metadata

writes ``companion/docs/metadata.json`` anew.
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from companion.session.stats import DATASETTE_QUERIES

DOCS = Path(__file__).parents[2] / "companion" / "docs"
PAGE = DOCS / "archive.md"
FILE = DOCS / "metadata.json"
UNITS = {"seconds": "s", "at_table": "s"}
"""Column -> its unit."""
_ABOVE = "as above"


def sections() -> dict[str, tuple[str, dict[str, str]]]:
    """Each table and view of the page: what it is, and its columns with what they are."""
    found = {}
    for name, text in re.findall(r"^### `(\w+)`\n(.*?)(?=^##|\Z)", PAGE.read_text(), re.M | re.S):
        rows = re.findall(r"^\| (`[^|]*) \| ([^|]*) \|$", text, re.M)
        columns = {column: told for names, told in rows for column in re.findall(r"`(\w+)`", names)}
        found[name] = (next(iter(text.strip().splitlines()), "") if not text.strip().startswith("|") else "", columns)
    return found


def wanted() -> dict[str, Any]:
    """The metadata of an archive of the usual name."""
    tables = {}
    for name, (about, columns) in sections().items():
        table: dict[str, Any] = {"description": about} if about else {}
        table["columns"] = {column: told for column, told in columns.items() if not told.startswith(_ABOVE)}
        if units := {column: UNITS[column] for column in columns if column in UNITS}:
            table["units"] = units
        tables[name] = table
    queries = {name: {"title": query.title, "sql": query.sql} for name, query in DATASETTE_QUERIES.items()}
    about = "Every entry, answer, die, draw and move of every session. companion/docs/archive.md tells all of it."
    return {"title": "Companion", "description": about, "databases": {"companion": {"tables": tables, "queries": queries}}}


def text() -> str:
    return json.dumps(wanted(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(text(), encoding="utf-8")
