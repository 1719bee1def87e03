"""One process that goes on playing: what was acknowledged is there, and the player who answers again after a refusal goes on."""

from __future__ import annotations

import pytest

from tests.faults.conftest import Measure

pytest.importorskip("pexpect")


@pytest.mark.long
@pytest.mark.parametrize(("way", "every"), [("session", 1), ("serve", 10), ("table", 4)])
def test_who_is_refused_answers_again(measure: Measure, way: str, every: int) -> None:
    """Through the controller each call fails, through `serve` every tenth, in a terminal every fourth."""
    told = measure("playing", way, str(every))

    assert told["wrong"] == []
    assert told["points"] > 100
