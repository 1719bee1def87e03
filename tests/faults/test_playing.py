"""A process that continues after a failed call keeps all acknowledged answers and accepts the next ones."""

from __future__ import annotations

import pytest

from tests.faults.conftest import Measure

pytest.importorskip("pexpect")


@pytest.mark.long
@pytest.mark.parametrize(("way", "every"), [("session", 1), ("serve", 10), ("table", 4)])
def test_player_answers_again_after_a_refusal(measure: Measure, way: str, every: int) -> None:
    """Through the controller each call fails, through `serve` every tenth, in a terminal every fourth."""
    summary = measure("playing", way, str(every))

    assert summary["wrong"] == []
    assert summary["points"] > 100
