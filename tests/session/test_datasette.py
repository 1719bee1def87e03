"""What Datasette is told of the archive is so: every table, view and column; and its pages open, where it is installed."""

from __future__ import annotations

import json
import shutil
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path
from socket import socket
from urllib.parse import urlencode

import pytest

from companion.session.controller import Answers, SessionController
from companion.session.stats import DATASETTE_QUERIES
from companion.session.store import Archive
from tests.support import metadata
from tests.support.connections import connected
from tests.support.kept_review import decision, keep_review

PARAMETERS = {"session": "april", "piece": "Red"}
PATIENCE = 60.0
PROGRAM = shutil.which("datasette")


@pytest.fixture
def played(archive: Archive, tiny_game: str) -> str:
    session = SessionController.create(archive, "tiny", seed="7", name="april")
    session.do("march", Answers([("unit", "Red"), ("to", "ford")], dice=[6]))
    session.do("search", Answers(draws=["Gold"], dice=[6]))
    session.do("stop")
    keep_review(session, "normal", {2: [decision(0, 3.0), decision(1, 1.0)]})
    return archive.path


def test_metadata_comes_from_page_and_queries() -> None:
    assert metadata.FILE.read_text() == metadata.text(), "write it anew: python -m tests.support.metadata"


def test_every_column_is_described_and_exists(played: str) -> None:
    tables = json.loads(metadata.FILE.read_text())["databases"]["companion"]["tables"]
    with connected(played) as db:
        have = {name: {row[1] for row in db.execute(f"PRAGMA table_info({name})")} for name in tables}

    assert all(set(table["columns"]) <= have[name] for name, table in tables.items())
    assert {name for name in have if not have[name]} == set()
    assert tables["v_results"]["units"] == {"seconds": "s", "at_table": "s"}


@pytest.mark.parametrize("name", DATASETTE_QUERIES)
def test_every_query_returns_rows(played: str, name: str) -> None:
    with connected(played) as db:
        assert db.execute(DATASETTE_QUERIES[name].sql, PARAMETERS).fetchall()


def test_a_decision_a_draw_and_a_result_have_a_row_each(played: str) -> None:
    with connected(played) as db:
        decided = db.execute("SELECT key, value, kind FROM v_decisions WHERE in_force AND reply").fetchall()
        drawn = db.execute("SELECT counter, who FROM v_draws").fetchall()
        ended = db.execute("SELECT session, verdict, score, turns, seconds FROM v_results").fetchall()

    assert decided == [("unit", "Red", "pick"), ("to", "ford", "text")]
    assert drawn == [("Gold", "player")]
    assert [row[:1] + row[3:4] for row in ended] == [("april", 30)]


@pytest.mark.long
@pytest.mark.skipif(PROGRAM is None, reason="Datasette is not installed: pip install datasette")
def test_datasette_shows_all_of_it(played: str, tmp_path: Path) -> None:
    """Started on a port of this machine; each table, view and query is opened."""
    file = tmp_path / "companion.sqlite3"
    with connected(played) as db, connected(file) as copy:
        db.backup(copy)
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    told = ["-m", str(metadata.FILE), "--setting", "sql_time_limit_ms", "20000"]
    command = [str(PROGRAM), str(file), *told, "-p", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        front = _page(port, "", PATIENCE)
        tables = json.loads(metadata.FILE.read_text())["databases"]["companion"]["tables"]

        assert "Companion" in front
        for name, table in tables.items():
            assert table.get("description", name) in _page(port, f"/companion/{name}")
        for name, query in DATASETTE_QUERIES.items():
            assert query.title in _page(port, f"/companion/{name}?{urlencode(PARAMETERS)}")
    finally:
        server.terminate()
        server.wait(10)


def _page(port: int, path: str, patience: float = 0.0) -> str:
    """A page of the server; as long as it has not started, again."""
    until = time.monotonic() + patience
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as found:
                return str(found.read().decode())
        except urllib.error.HTTPError:
            raise
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.2)
