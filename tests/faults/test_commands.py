"""Every call of the system that a command makes fails in every way: once, from then on, with the process killed, half written."""

from __future__ import annotations

import pytest

from tests.faults.cases import NAMES
from tests.faults.conftest import Measure

PARTS = 8
"""So many processes; each takes every eighth point of every command, so that none has more to do than another."""
QUICK = ("answer", "do, after a crash")


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS))
def test_whatever_fails_nothing_is_lost_and_nothing_half_done(measure: Measure, part: int) -> None:
    told = measure("points", str(PARTS), str(part), *NAMES)

    assert told["wrong"] == []
    assert {row[0] for row in told["rows"]} == set(NAMES)
    assert told["points"] > 1000


@pytest.mark.long
def test_a_fork_is_like_a_process_that_has_just_begun(measure: Measure) -> None:
    """One point a command, twice."""
    told = measure("points", "fresh", *NAMES)

    assert told["wrong"] == []
    assert told["points"] == len(NAMES)


@pytest.mark.slow
def test_a_few_of_them(measure: Measure) -> None:
    """So that what the long test stands on does not rot."""
    told = measure("points", "10", "5", *QUICK)

    assert told["wrong"] == []
    assert told["points"] > 30
    assert {"acknowledged", "refused", "killed, and not kept", "killed, and kept"} <= {row[2] for row in told["rows"]}


@pytest.mark.slow
def test_a_series_that_stopped_anywhere_is_gone_on_with(measure: Measure) -> None:
    """Also behind half a row, of which the disk took no more."""
    told = measure("points", "1", "0", "simulate, to a csv")

    assert told["wrong"] == []
    assert any(way == "torn and failed" for _, way, _, _ in told["rows"])
