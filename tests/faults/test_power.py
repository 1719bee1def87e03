"""The power fails at any moment: nothing that was acknowledged is lost, and nothing is damaged."""

from __future__ import annotations

import pytest

from tests.faults.cases import NAMES
from tests.faults.conftest import Measure

PARTS = 8
ENTRIES, IMAGES = 200, 1200


@pytest.mark.long
@pytest.mark.parametrize("part", range(PARTS), ids=lambda part: ", ".join(NAMES[part::PARTS]))
def test_a_command(measure: Measure, part: int) -> None:
    told = measure("power", "1", *NAMES[part::PARTS])

    assert told["wrong"] == []
    assert told["points"] > 50


@pytest.mark.long
def test_a_long_game(measure: Measure) -> None:
    told = measure("power", "1", "game", str(ENTRIES), str(IMAGES))

    assert told["wrong"] == []
    assert told["points"] > IMAGES / 2
