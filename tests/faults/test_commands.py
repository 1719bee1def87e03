"""Every call of the system that a command makes fails in every way: once, from then on, with the process killed, half written."""

from __future__ import annotations

import pytest

from tests.faults.cases import NAMES
from tests.faults.conftest import Measure

PARTS = 15
"""So many processes in turn; a case or four in each, that their import be paid once."""
QUICK = ("answer", "do, after a crash")


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS), ids=lambda part: ", ".join(NAMES[part::PARTS]))
def test_whatever_fails_nothing_is_lost_and_nothing_half_done(measure: Measure, part: int) -> None:
    told = measure("points", "1", *NAMES[part::PARTS])

    assert told["wrong"] == []
    assert told["points"] > 100


def test_a_few_of_them(measure: Measure) -> None:
    """So that what the long test stands on does not rot."""
    told = measure("points", "10", *QUICK)

    assert told["wrong"] == []
    assert told["points"] > 30
    assert {"acknowledged", "refused", "killed, and not kept", "killed, and kept"} <= {
        outcome for counted in told["outcomes"].values() for outcome in counted
    }
