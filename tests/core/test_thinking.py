"""Candidates that are compared by playing on from each of them."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from companion.core.errors import Unreadable
from companion.core.players import Asked, Luck
from companion.core.position import Position
from companion.core.thinking import Race, Think, Thought, average

NAMES = ("own", "other")


def test_the_priorities_stand_unless_another_leads_by_two_standard_errors() -> None:
    def even(candidate: int, world: int) -> float:
        return random.Random(f"{candidate}/{world}").random()

    chosen = [Race(lambda c, w, s=seed: even(c, w + 1000 * s), NAMES, 64).run().choice for seed in range(200)]
    # growing batches look several times, but decide once: one-sided 2.5 % of candidates that are alike
    assert sum(chosen) <= 15


def test_what_is_better_by_a_little_is_found_in_the_same_worlds() -> None:
    def luck(candidate: int, world: int) -> float:
        return random.Random(world).gauss(0, 100) + 0.5 * candidate

    assert Race(luck, NAMES, 64).run().choice == 1


def test_the_clearly_worse_is_dropped_after_the_first_batch() -> None:
    tried: list[tuple[int, int]] = []

    def play(candidate: int, world: int) -> float:
        tried.append((candidate, world))
        return -candidate

    thought = Race(play, ("own", "bad", "worse"), 1000).run()
    assert thought.choice == 0 and len(tried) == 24
    assert [row.playouts for row in thought.rows] == [8, 8, 8]


def test_no_budget_no_playout() -> None:
    assert Race(lambda candidate, world: 1 / 0, NAMES, 0).run() == Thought(0)


def test_the_mean_and_its_error_are_the_textbooks() -> None:
    values = [3.0, 5.0, 9.0, 7.0, 1.0]
    mean, error = average(values)
    assert mean == 5.0
    assert error == pytest.approx((sum((v - 5) ** 2 for v in values) / 4 / 5) ** 0.5)
    assert average([]) == (0.0, 0.0) and average([2.0]) == (2.0, 0.0)


def test_what_is_passed_over_is_told_against_what_is_taken() -> None:
    """In the worlds of both, with the error of that difference: here the challenger is taken, and the third was dropped early."""
    luck = [3.0, -4.0, 8.0, 1.0, -2.0, 5.0, 0.0, 7.0] * 2

    def play(candidate: int, world: int) -> float:
        return luck[world] + (2.0 + world % 2 if candidate == 1 else -3.0 if candidate == 2 else 0.0)

    thought = Race(play, ("own", "taken", "dropped"), 16).run()
    assert thought.choice == 1 and [row.playouts for row in thought.rows] == [16, 16, 8]
    gaps, errors = zip(*((row.gap, row.gap_error) for row in thought.rows), strict=True)
    assert gaps == (-2.5, 0.0, -5.5)
    assert errors == pytest.approx((0.5 * (16 / 15) ** 0.5 / 4, 0.0, 0.5 * (8 / 7) ** 0.5 / 8**0.5))
    assert thought.lines()[2] == "out: own -2.5 (+-0.1); dropped -5.5 (+-0.2)"


def test_a_thought_of_before_has_no_gaps_and_is_told_by_means() -> None:
    old = Think("fire", "7.3", "us", NAMES).read([1, ["own", 1.0, 0.5, 0.0, 0.0, 8], ["other", 3.0, 0.4, 2.0, 0.3, 8]])
    assert old.lines()[2] == "out: own -2.0 (+-0.5)"


def test_what_is_stored_is_what_was_thought() -> None:
    think = Think("fire", "7.3", "us", NAMES)
    thought = Race(lambda candidate, world: candidate + world % 2, NAMES, 16).run()
    given = think.told(thought)
    stored = think.read(think.check(given.value))
    assert (stored.choice, given.source) == (thought.choice, "playouts")
    for kept, row in zip(stored.rows, thought.rows, strict=True):
        assert kept[0] == row[0] and kept[1:] == pytest.approx(row[1:], abs=0.0005)
    assert thought.choice == 1 and len(thought.lines()) == 3


@pytest.mark.parametrize("value", [[2], [-1], [], "x", [0, [1, 2]], None])
def test_a_thought_of_other_candidates_is_refused(value: object) -> None:
    with pytest.raises(Unreadable, match="think fire"):
        Think("fire", "7.3", "us", NAMES).check(value)


# -- levels ------------------------------------------------------------------------------------------------------------


def asked(level: str, asked_for: list[int], steady: bool = False) -> Asked:
    """Who weighs three candidates, and holds the first best, in a game whose planner slips in 30 of 100 decisions; ``asked_for``:
    is told the budget of each time.
    """

    def weigh(some: object, names: object, times: int) -> Thought:
        asked_for.append(times)
        return Thought(0)

    game = SimpleNamespace(players=SimpleNamespace(slips=30))
    at = Asked(game, {"level": level}, "player", None, None, Luck("level").number, weigh, Position())  # type: ignore[arg-type]
    at.steady = steady
    return at


def test_who_plays_badly_slips_in_some_decisions() -> None:
    """Of 400 decisions 120 are to be expected, with an error of 9.2: within four of them."""
    at = asked("easy", [])
    slips = [at.slips("a") for _ in range(400)]
    assert abs(sum(slips) - 120) < 37
    assert at.reasons == ["it slips: a is what it holds best"] * sum(slips)


def test_who_advises_does_not_slip() -> None:
    at = asked("easy", [], steady=True)
    assert not any(at.slips("a") for _ in range(60)) and not at.reasons


@pytest.mark.parametrize("level", ["normal", "hard", ""])
def test_who_plays_well_does_not_slip(level: str) -> None:
    at = asked(level, [])
    assert not any(at.slips("a") for _ in range(60)) and at.number(1000) == Luck("level").number(1000)


def test_the_level_says_how_far_is_played_on() -> None:
    found: list[int] = []
    for level in ("easy", "normal", "hard", ""):
        asked(level, found).choose("abc", "abc")
    assert found == [0, 1, 4, 1]


def test_who_advises_plays_on_as_usual_at_any_level() -> None:
    """The level is for who plays by itself: advice is neither worse for it, nor does it take four times as long."""
    found: list[int] = []
    for level in ("easy", "normal", "hard", ""):
        asked(level, found, steady=True).choose("abc", "abc")
    assert found == [1, 1, 1, 1]
