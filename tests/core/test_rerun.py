"""Results that are reused where an action runs again: only after the very same replies, and with all that came of them."""

from __future__ import annotations

import pytest

from companion.core.history import Reply
from companion.core.luck import run_to_next_roll
from companion.core.match import DecisionPoint
from companion.core.position import Piece, Position
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


async def _parity_bout(ford: Ford) -> bool:
    """A roll of which only the parity counts; a face of 5 also turns the order of two pieces."""
    (face,) = await ford.roll("bout", "A bout", "2.1")
    ford.shift_track("supply", face % 2, "2.1", f"a {face}")
    if face == 5:
        ford.move("boat", "shore", "2.1")
        ford.move("boat", "ford", "2.1")
    return face % 2 == 1


async def _parity_campaign(ford: Ford) -> None:
    """Three bouts of which only the parity counts, with more to compute after each."""
    for _ in range(3):
        await ford.reuse_procedure(lambda: _parity_bout(ford))
        COMPUTED.append("after")
        ford.shift_track("supply", 2 * ford.position.track("supply"), "2.1", "after")


@pytest.fixture
def parity_point(point: DecisionPoint) -> DecisionPoint:
    pieces = {name: Piece(name, "boat", name, "ford") for name in ("boat", "raft")}
    return point._replace(procedure=_parity_campaign, start=Position({"supply": 1}, pieces))


def test_a_run_that_reaches_the_state_of_an_earlier_one_stops_where_that_did(parity_point: DecisionPoint) -> None:
    first, same, other = _rolled(1, 3, 2)
    rerun = RerunCache()
    stop = run_to_next_roll(parity_point, [first], rerun)
    COMPUTED.clear()

    assert run_to_next_roll(parity_point, [same], rerun) is stop
    assert COMPUTED == []
    different = run_to_next_roll(parity_point, [other], rerun)
    assert different.position == run_to_next_roll(parity_point, [other]).position != stop.position


def test_pieces_in_another_order_are_another_state(parity_point: DecisionPoint) -> None:
    """The order of arrival is that of a pile."""
    one, five = _rolled(1, 5)
    rerun = RerunCache()
    first, second = (run_to_next_roll(parity_point, [reply], rerun) for reply in (one, five))

    assert first.position == second.position
    assert list(first.position.pieces) == ["boat", "raft"]
    assert list(second.position.pieces) == ["raft", "boat"]


def test_a_run_with_more_replies_goes_on_from_the_state_of_an_earlier_one(parity_point: DecisionPoint) -> None:
    first, same, more = _rolled(1, 3, 2)
    rerun = RerunCache()
    stop = run_to_next_roll(parity_point, [first], rerun)
    longer = run_to_next_roll(parity_point, [same, more], rerun)

    assert longer is not stop
    assert longer.position == run_to_next_roll(parity_point, [same, more]).position
