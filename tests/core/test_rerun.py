"""Results that are reused where an action runs again: only after the very same replies, and with all that came of them."""

from __future__ import annotations

import pytest

from companion.core.history import Reply
from companion.core.luck import run_to_next_roll
from companion.core.match import DecisionPoint
from companion.core.position import Position
from companion.core.rerun import RerunCache
from companion.session.state import load_game
from tests.support.tiny import Ford

COMPUTED: list[str] = []
"""What was computed, in order."""


def _twice(ford: Ford) -> int:
    COMPUTED.append("twice")
    return 2 * ford.position.track("supply")


async def _bout(ford: Ford) -> int:
    """A roll that moves the supply."""
    COMPUTED.append("bout")
    (face,) = await ford.roll("bout", "A bout", "2.1")
    ford.shift_track("supply", face, "2.1", "bout")
    ford.pinned.add(f"face {face}")
    return face


async def _campaign(ford: Ford) -> None:
    """Three bouts; the supply then depends on all that was computed."""
    for number in range(3):
        face = await ford.reuse_procedure(lambda: _bout(ford))
        ford.shift_track("supply", ford.reuse(lambda: _twice(ford)) % (face + 2), "2.1", f"bout {number}")
    ford.shift_track("supply", len(ford.pinned), "2.1", "pinned")


@pytest.fixture
def point(tiny_game: str) -> DecisionPoint:
    COMPUTED.clear()
    return DecisionPoint(load_game("tiny"), {"scenario": "day"}, {}, Position(tracks={"supply": 1}), _campaign)


def _rolled(*faces: int) -> list[Reply]:
    return [Reply("bout", "roll", [face], "typed") for face in faces]


def test_runs_that_share_replies_compute_them_once(point: DecisionPoint) -> None:
    """After two shared bouts only the third is run, and every run ends where it ends without sharing."""
    first, second, *thirds = _rolled(3, 4, 1, 2, 5)
    rerun = RerunCache()
    run_to_next_roll(point, [first, second], rerun)
    assert COMPUTED == ["bout", "twice", "bout", "twice", "bout"]
    for third in thirds:
        COMPUTED.clear()
        shared = run_to_next_roll(point, [first, second, third], rerun)
        assert COMPUTED == ["bout", "twice"]
        assert shared.position == run_to_next_roll(point, [first, second, third]).position


def test_other_replies_of_the_same_value_are_computed_again(point: DecisionPoint) -> None:
    rerun = RerunCache()
    run_to_next_roll(point, _rolled(3, 4), rerun)
    COMPUTED.clear()
    run_to_next_roll(point, _rolled(3, 4), rerun)

    assert COMPUTED == ["bout", "twice", "bout", "twice", "bout"]
