"""Every system call of a command fails in every way: once, from then on, with the process killed, half written."""

from __future__ import annotations

import pytest

from tests.faults.cases import NAMES
from tests.faults.conftest import Measure

QUICK = ("answer", "do, after a crash")


@pytest.mark.long
@pytest.mark.parametrize("name", NAMES)
def test_failed_calls_lose_nothing(measure: Measure, name: str) -> None:
    """About 20,000 points in all, 350 a command, at 0.07 s of processor each: the largest command takes two minutes."""
    summary = measure("points", "1", "0", name)

    assert summary["wrong"] == []
    assert summary["points"] > 50


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
