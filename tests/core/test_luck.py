"""The luck of rolls against every way that a small procedure can go: nought on average, and with the rest it is the result."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from companion.core.history import Reply
from companion.core.luck import ReplayMismatch, follow_branches, roll_luck, run_to_next_roll
from companion.core.match import DecisionPoint
from companion.core.position import Position
from companion.core.procedures import ProcedureRun
from companion.core.requests import Choice
from companion.session.state import load_game
from tests.support.tiny import Ford

Decide = Callable[[list[Reply]], str]


async def foray(ford: Ford) -> None:
    """[2.1] A die of supply; then a bold way with another two, or a safe one with none."""
    (found,) = await ford.roll("found", "What is found", "2.1")
    ford.shift_track("supply", found - 3, "2.1", "found")
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
def spot(tiny_game: str) -> Callable[..., DecisionPoint]:
    def made(procedure: Any, *told: Reply) -> DecisionPoint:
        start = Position(tracks={"supply": 9})
        return DecisionPoint(load_game("tiny"), {"scenario": "day"}, {}, start, procedure, told)

    return made


def supply(position: Position) -> float:
    return position.track("supply")


def games(
    spot: DecisionPoint, decide: Decide, told: tuple[Reply, ...] = (), chance: float = 1.0
) -> Iterator[tuple[float, tuple[Reply, ...]]]:
    """Every way that the procedure can go, by a player who may go by what has fallen: its chance and its replies."""
    referee = spot.game.new_referee(spot.start, spot.options)
    assert spot.procedure is not None
    run = ProcedureRun(referee, spot.procedure(referee))
    for reply in told:
        run.send(reply.value)
    request = run.request
    if request is None:
        yield chance, told
        return
    replies = request.weighted_replies() if request.chance_setting else [(decide(list(told)), 1.0)]
    for value, share in replies:
        yield from games(spot, decide, (*told, Reply(request.key, request.kind, value, "typed")), chance * share)


def luck_of(spot: DecisionPoint, told: tuple[Reply, ...], runs: int) -> float:
    played = spot._replace(replies=told)
    return sum(roll_luck(played, at, [supply], runs)[0].luck for at, reply in enumerate(told) if reply.is_random)


@pytest.mark.parametrize("runs", [0, 16, 10_000])
@pytest.mark.parametrize(
    "decide",
    [lambda told: "bold", lambda told: "safe", lambda told: "bold" if told[0].value[0] < 3 else "safe"],
    ids=["bold", "safe", "as it fell"],
)
def test_luck_is_nought_on_average_whatever_is_decided(spot: Callable[..., DecisionPoint], decide: Decide, runs: int) -> None:
    """A martingale: its expectation by every way there is."""
    played = spot(foray)
    found = [(chance, luck_of(played, told, runs)) for chance, told in games(played, decide)]

    assert sum(chance for chance, _ in found) == pytest.approx(1)
    assert sum(chance * luck for chance, luck in found) == pytest.approx(0)
    assert any(abs(luck) > 0.5 for _, luck in found)


def test_where_nobody_decides_luck_is_the_result_less_its_average(spot: Callable[..., DecisionPoint]) -> None:
    played = spot(trek)
    found = [
        (chance, luck_of(played, told, 10_000), supply(run_to_next_roll(played, told).position))
        for chance, told in games(played, lambda told: "")
    ]
    mean = sum(chance * result for chance, _, result in found)

    assert mean == pytest.approx(9 + 3.5 - 3.5 / 3)
    assert [luck for _, luck, _ in found] == pytest.approx([result - mean for _, _, result in found])


def test_the_ways_of_an_action_are_all_of_it(spot: Callable[..., DecisionPoint]) -> None:
    found = follow_branches(spot(trek), (), 10_000)

    assert len(found) == 2 * 6 + 4
    assert sum(way.probability for way in found) == pytest.approx(1)
    assert all(way.stop.request is None for way in found)


def test_a_roll_is_followed_no_further_than_it_may(spot: Callable[..., DecisionPoint]) -> None:
    assert len(follow_branches(spot(trek), (), 5)) == 1
    assert len(follow_branches(spot(trek), (), 6)) == 6
    assert len(follow_branches(spot(trek), (), 18)) == 16


def test_a_roll_has_its_average_spread_and_rank(spot: Callable[..., DecisionPoint]) -> None:
    """Against the closed form: a die less three."""
    (found,) = roll_luck(spot(foray, Reply("found", "roll", [5], "typed")), 0, [supply])

    assert (found.before, found.expected, found.luck) == (9, pytest.approx(9.5), pytest.approx(1.5))
    assert found.variance == pytest.approx(35 / 12)
    assert (found.percentile, found.at_most) == (pytest.approx(4.5 / 6), pytest.approx(5 / 6))
    assert found.matters


def test_a_roll_that_is_not_asked_there_any_more_goes_astray(spot: Callable[..., DecisionPoint]) -> None:
    with pytest.raises(ReplayMismatch):
        roll_luck(spot(foray, Reply("other", "roll", [5], "typed")), 0, [supply])
    with pytest.raises(ReplayMismatch):
        run_to_next_roll(spot(foray), (Reply("found", "roll", [5, 5], "typed"),))
