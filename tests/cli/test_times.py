"""Every time that is kept or shown is that of the moment, in UTC; what takes long says so, and what does not keeps still."""

from __future__ import annotations

import json
import sys
import time

import pytest
from freezegun import freeze_time

from companion.cli.table import inquiry
from companion.core.effects import Progress
from companion.session.store import now
from tests.cli.conftest import Run

BEGUN, LATER = "2004-11-08T20:00:00Z", "2004-11-09T00:30:05Z"


@pytest.fixture
def evening(run: Run) -> Run:
    """A session that is begun in the evening and played on after midnight."""
    with freeze_time(BEGUN):
        run("new", "tiny", "--name", "jolan")
    with freeze_time(LATER):
        run("do", "rest")
        run("note", "late")
        run("printed", "tiny", "set", "weather", "foul")
    return run


def test_now_is_utc_wherever_the_player_sits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/Denver")
    time.tzset()
    try:
        with freeze_time(BEGUN):
            assert now() == BEGUN
    finally:
        monkeypatch.undo()
        time.tzset()


def test_the_list_of_sessions_says_when_each_was_begun(evening: Run) -> None:
    with freeze_time("2026-01-01"):
        assert "jolan  tiny  day  2004-11-08 20:00" in evening("sessions").stdout
        assert json.loads(evening("sessions", "--json").stdout)["sessions"][0]["created"] == BEGUN


def test_the_log_and_the_report_keep_the_time_of_each_entry(evening: Run) -> None:
    for command in ("log", "report"):
        body = json.loads(evening(command, "--json").stdout)
        assert [entry["at"] for entry in body["entries"]] == [BEGUN, LATER]
        assert [note["at"] for note in body["notes"]] == [LATER]


def test_a_bundle_keeps_the_times_and_a_restored_session_has_its_own(evening: Run, tmp_path) -> None:
    file = tmp_path / "b.json"
    evening("bundle", str(file))
    with freeze_time("2026-01-01"):
        evening("bundle", str(file), "--restore")

    assert json.loads(file.read_text())["session"]["created"] == BEGUN
    assert {row[4] for row in json.loads(file.read_text())["rows"]} == {BEGUN, LATER}
    created = {item["name"]: item["created"] for item in json.loads(evening("sessions", "--json").stdout)["sessions"]}
    assert created == {"jolan": BEGUN, "jolan-2": "2026-01-01T00:00:00Z"}


def test_a_bar_is_drawn_after_a_second_and_not_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with freeze_time(BEGUN) as clock:
        bar = inquiry.Bar()
        clock.tick(0.9)
        bar.show(Progress(1, 10, "2.2"))
        assert bar._bar is None
        clock.tick(0.2)
        bar.show(Progress(2, 10, "2.2"))
        assert bar._bar is not None
        bar.clear()
    assert bar._bar is None
