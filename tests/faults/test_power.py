"""After a power failure at any moment nothing acknowledged is lost and nothing is damaged."""

from __future__ import annotations

import pytest

from tests.faults.cases import NAMES
from tests.faults.conftest import Measure

PARTS = 8
ENTRIES, IMAGES = 200, 1200


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS), ids=lambda part: ", ".join(NAMES[part::PARTS]))
def test_a_command(measure: Measure, part: int) -> None:
    summary = measure("power", "1", *NAMES[part::PARTS])

    assert summary["wrong"] == []
    assert summary["points"] > 50


@pytest.mark.long
def test_a_long_game(measure: Measure) -> None:
    summary = measure("power", "1", "game", str(ENTRIES), str(IMAGES))

    assert summary["wrong"] == []
    assert summary["points"] > IMAGES / 2
