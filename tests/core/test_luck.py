"""The luck of rolls against every way that a small procedure can go: nought on average, and with the rest it is the result."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.core.history import Reply
from companion.core.luck import RecordedRun, ReplayMismatch, follow_branches, run_to_next_roll
from companion.core.match import DecisionPoint
from companion.core.position import Position
from companion.core.procedures import AnyProcedure, ProcedureRun
from companion.core.requests import Choice
from companion.session.state import load_game
from tests.support.tiny import Ford

Decide = Callable[[list[Reply]], str]


async def foray(ford: Ford) -> None:
    """[2.1] A die of supply; then a bold way with another two, or a safe one with none."""
    (outcomes,) = await ford.roll("found", "What is found", "2.1")
    ford.shift_track("supply", outcomes - 3, "2.1", "found")
    way = await ford.choose("way", "Which way", "2.1", (Choice("bold", "bold"), Choice("safe", "safe")), suggest="safe")
    if way == "bold":
        first, second = await ford.roll("bold", "How it goes", "2.1", 2)
        ford.shift_track("supply", 4 if first + second >= 8 else -2, "2.1", "boldness")


async def trek(ford: Ford) -> None:
    """[2.1] Two dice one after the other, of which the second counts where the first was low, and nothing to decide."""
    (first,) = await ford.roll("first", "The first", "2.1")
    ford.shift_track("supply", first, "2.1", "found")
    if first <= 2:
        (second,) = await ford.roll("second", "The second", "2.1")
        ford.shift_track("supply", -second, "2.1", "lost")


@pytest.fixture
def new_point(tiny_game: str) -> Callable[..., DecisionPoint]:
    def made(procedure: Any, *told: Reply) -> DecisionPoint:
        start = Position(tracks={"supply": 9})
        return DecisionPoint(load_game("tiny"), {"scenario": "day"}, {}, start, procedure, told)

    return made


def supply(position: Position) -> float:
    return position.track("supply")


def games(
    new_point: DecisionPoint, decide: Decide, told: tuple[Reply, ...] = (), chance: float = 1.0
) -> Iterator[tuple[float, tuple[Reply, ...]]]:
    """Every way that the procedure can go, by a player who may go by what has fallen: its chance and its replies."""
    referee = new_point.game.new_referee(new_point.start, new_point.options)
    assert new_point.procedure is not None
    run = ProcedureRun(referee, new_point.procedure(referee))
    for reply in told:
        run.send(reply.value)
    request = run.request
    if request is None:
        yield chance, told
        return
    replies = request.weighted_replies() if request.chance_setting else [(decide(list(told)), 1.0)]
    for value, share in replies:
        yield from games(new_point, decide, (*told, Reply(request.key, request.kind, value, "typed")), chance * share)


def luck_of(new_point: DecisionPoint, told: tuple[Reply, ...], runs: int) -> float:
    played = new_point._replace(replies=told)
    return sum(RecordedRun(played).roll_luck(at, [supply], runs)[0].luck for at, reply in enumerate(told) if reply.is_random)


@pytest.mark.parametrize("runs", [0, 16, 10_000])
@pytest.mark.parametrize(
    "decide",
    [lambda told: "bold", lambda told: "safe", lambda told: "bold" if told[0].value[0] < 3 else "safe"],
    ids=["bold", "safe", "as it fell"],
)
def test_luck_averages_zero_for_any_decisions(new_point: Callable[..., DecisionPoint], decide: Decide, runs: int) -> None:
    """A martingale: its expectation by every way there is."""
    played = new_point(foray)
    outcomes = [(chance, luck_of(played, told, runs)) for chance, told in games(played, decide)]

    assert sum(chance for chance, _ in outcomes) == pytest.approx(1)
    assert sum(chance * luck for chance, luck in outcomes) == pytest.approx(0)
    assert any(abs(luck) > 0.5 for _, luck in outcomes)


def test_luck_without_decisions_is_result_minus_mean(new_point: Callable[..., DecisionPoint]) -> None:
    played = new_point(trek)
    outcomes = [
        (chance, luck_of(played, told, 10_000), supply(run_to_next_roll(played, told).position))
        for chance, told in games(played, lambda told: "")
    ]
    mean = sum(chance * result for chance, _, result in outcomes)

    assert mean == pytest.approx(9 + 3.5 - 3.5 / 3)
    assert [luck for _, luck, _ in outcomes] == pytest.approx([result - mean for _, _, result in outcomes])


def test_outcomes_of_an_action_sum_to_one(new_point: Callable[..., DecisionPoint]) -> None:
    outcomes = follow_branches(new_point(trek), (), 10_000)

    assert len(outcomes) == 2 * 6 + 4
    assert sum(way.probability for way in outcomes) == pytest.approx(1)
    assert all(way.stop.request is None for way in outcomes)


def test_rolls_are_followed_up_to_the_limit(new_point: Callable[..., DecisionPoint]) -> None:
    assert len(follow_branches(new_point(trek), (), 5)) == 1
    assert len(follow_branches(new_point(trek), (), 6)) == 6
    assert len(follow_branches(new_point(trek), (), 18)) == 16


def test_outcomes_that_an_earlier_roll_has_followed_are_not_run_again(new_point: Callable[..., DecisionPoint]) -> None:
    begun = []

    def counted(referee: Ford) -> AnyProcedure:
        begun.append(referee)
        return trek(referee)

    told = max((told for _, told in games(new_point(trek), lambda told: "")), key=len)
    run = RecordedRun(new_point(counted)._replace(replies=told))
    run.roll_luck(0, [supply], 10_000)
    before = len(begun)

    run.roll_luck(1, [supply], 10_000)
    assert len(begun) == before > 1


def test_the_outcome_that_fell_is_not_run_again(new_point: Callable[..., DecisionPoint]) -> None:
    """The recorded run has gone on from it; with 1 branch in all, no outcome is followed further."""
    begun = []

    def counted(referee: Ford) -> AnyProcedure:
        begun.append(referee)
        return trek(referee)

    told = max((told for _, told in games(new_point(trek), lambda told: "")), key=len)
    run = RecordedRun(new_point(counted)._replace(replies=told))
    before, last = len(begun), max(index for index, reply in enumerate(told) if reply.is_random)

    outcomes = len(run.roll_luck(last, [supply], 1)[0].chances)
    assert len(begun) - before == outcomes - 1


def test_a_roll_has_its_average_spread_and_rank(new_point: Callable[..., DecisionPoint]) -> None:
    """Against the closed form: a die less three."""
    (outcomes,) = RecordedRun(new_point(foray, Reply("found", "roll", [5], "typed"))).roll_luck(0, [supply])

    assert (outcomes.before, outcomes.expected, outcomes.luck) == (9, pytest.approx(9.5), pytest.approx(1.5))
    assert outcomes.variance == pytest.approx(35 / 12)
    assert (outcomes.percentile, outcomes.at_most) == (pytest.approx(4.5 / 6), pytest.approx(5 / 6))
    assert outcomes.matters


def test_roll_no_longer_asked_raises(new_point: Callable[..., DecisionPoint]) -> None:
    with pytest.raises(ReplayMismatch):
        RecordedRun(new_point(foray, Reply("other", "roll", [5], "typed"))).roll_luck(0, [supply])
    with pytest.raises(ReplayMismatch):
        run_to_next_roll(new_point(foray), (Reply("found", "roll", [5, 5], "typed"),))


def test_a_closed_run_leaves_nothing_to_the_garbage_collector(new_point: Callable[..., DecisionPoint]) -> None:
    begun: list[weakref.ref[Ford]] = []

    def watched(referee: Ford) -> AnyProcedure:
        begun.append(weakref.ref(referee))
        return trek(referee)

    told = max((told for _, told in games(new_point(trek), lambda told: "")), key=len)
    gc.disable()
    try:
        run = RecordedRun(new_point(watched)._replace(replies=told))
        run.roll_luck(0, [supply], 10_000)
        assert any(referee() is not None for referee in begun)
        run.close()
        del run
        assert [referee() for referee in begun] == [None] * len(begun)
    finally:
        gc.enable()
