"""What the page on the archive says of its tables and views is so, and its examples can be run."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from companion.session.controller import Answers, SessionController
from companion.session.store import Archive
from tests.support.kept_review import decision, keep_review

PAGE = (Path(__file__).parents[2] / "companion" / "docs" / "archive.md").read_text()
EXAMPLES = [text for block in re.findall(r"```sql\n(.*?)```", PAGE, re.S) for text in re.split(r";\n", block) if text.strip()]


def told(name: str) -> list[str]:
    """The columns that the page tells of a table or view, in its order."""
    section = PAGE.partition(f"\n### `{name}`\n")[2].partition("\n#")[0]
    return [column for row in re.findall(r"^\| (`[^|]*) \|", section, re.M) for column in re.findall(r"`(\w+)`", row)]


@pytest.fixture
def played(archive: Archive, tiny_game: str) -> sqlite3.Connection:
    session = SessionController.create(archive, "tiny", seed="7", name="april")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.do("search", Answers(draws=["Gold"], dice=[6]))
    session.undo()
    session.do("stop")
    keep_review(session, "normal", {2: [decision(0, 3.0), decision(1, 1.0)]})
    return sqlite3.connect(archive.path)


def test_every_column_is_documented(played: sqlite3.Connection) -> None:
    names = [name for (name,) in played.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")]
    ours = [name for name in names if not name.startswith(("_", "sqlite_"))]
    have = {name: {row[1] for row in played.execute(f"PRAGMA table_info({name})")} for name in ours}
    played.close()

    assert {name: set(told(name)) for name in ours} == have
    assert set(re.findall(r"^### `(\w+)`", PAGE, re.M)) == set(ours)


@pytest.mark.parametrize("example", EXAMPLES)
def test_examples_run(played: sqlite3.Connection, example: str) -> None:
    """They name tracks and pieces of a real game; all but those two find something in any."""
    rows = played.execute(example).fetchall()
    played.close()

    assert rows or "'ops'" in example or "'USMC 3/1'" in example


@pytest.mark.parametrize("view", ["v_sessions", "v_entries", "v_replies", "v_rolls", "v_dice", "v_events", "v_moves", "v_tracks"])
def test_no_view_is_empty_after_play(played: sqlite3.Connection, view: str) -> None:
    count = played.execute(f"SELECT count(*) FROM {view}").fetchone()[0]
    played.close()

    assert count
