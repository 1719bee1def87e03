"""Every system call of a command fails in every way: once, from then on, with the process killed, half written."""

from __future__ import annotations

import pytest

from tests.faults.cases import NAMES
from tests.faults.conftest import Measure

PARTS = 8
"""The number of processes; each takes every eighth point of every command, so that all take the same time."""
QUICK = ("answer", "do, after a crash")


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_failed_calls_lose_nothing(measure: Measure, part: int) -> None:
    summary = measure("points", str(PARTS), str(part), *NAMES)

    assert summary["wrong"] == []
    assert {row[0] for row in summary["rows"]} == set(NAMES)
    assert summary["points"] > 1000


@pytest.mark.long
def test_fork_and_new_process_agree(measure: Measure) -> None:
    """One point a command, twice."""
    summary = measure("points", "fresh", *NAMES)

    assert summary["wrong"] == []
    assert summary["points"] == len(NAMES)


@pytest.mark.slow
def test_some_failed_calls(measure: Measure) -> None:
    """A quick run of the long test."""
    summary = measure("points", "10", "5", *QUICK)

    assert summary["wrong"] == []
    assert summary["points"] > 30
    assert {"acknowledged", "refused", "killed, and not kept", "killed, and kept"} <= {row[2] for row in summary["rows"]}


@pytest.mark.slow
def test_interrupted_series_is_continued(measure: Measure) -> None:
    """Also after half a row, which is all that the full disk accepted."""
    summary = measure("points", "1", "0", "simulate, to a csv")

    assert summary["wrong"] == []
    assert any(way == "torn and failed" for _, way, _, _ in summary["rows"])
