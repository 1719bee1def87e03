"""Candidates that are compared by playing on from each of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from companion.core import match
from companion.core.candidates import Candidate, rank
from companion.core.errors import Unreadable
from companion.core.match import DecisionPoint, Match, PlannedAction, compare_by_rollouts
from companion.core.policies import DecisionContext, Policy, RandomStream
from companion.core.position import Position
from companion.core.rollouts import DecisionStats, RolloutComparison, RolloutDecision, mean_with_error
from companion.games import GAMES, make_game
from companion.session.tables import load

NAMES = ("own", "other")


def test_priority_is_kept_unless_another_leads_by_two_standard_errors() -> None:
    def even(candidate: int, world: int) -> float:
        return random.Random(f"{candidate}/{world}").random()

    chosen = [RolloutComparison(lambda c, w, s=seed: even(c, w + 1000 * s), NAMES, 64).run().choice for seed in range(200)]
    # growing batches look several times, but decide once: one-sided 2.5 % of candidates that are alike
    assert sum(chosen) <= 15


def test_small_advantage_is_found_with_common_random_numbers() -> None:
    def luck(candidate: int, world: int) -> float:
        return random.Random(world).gauss(0, 100) + 0.5 * candidate

    assert RolloutComparison(luck, NAMES, 64).run().choice == 1


def test_clearly_worse_candidate_is_dropped_after_the_first_batch() -> None:
    tried: list[tuple[int, int]] = []

    def play(candidate: int, world: int) -> float:
        tried.append((candidate, world))
        return -candidate

    thought = RolloutComparison(play, ("own", "bad", "worse"), 1000).run()
    assert thought.choice == 0 and len(tried) == 24
    assert [row.playouts for row in thought.rows] == [8, 8, 8]


def test_no_budget_no_playout() -> None:
    assert RolloutComparison(lambda candidate, world: 1 / 0, NAMES, 0).run() == DecisionStats(0)


def test_mean_and_error_match_the_textbook() -> None:
    values = [3.0, 5.0, 9.0, 7.0, 1.0]
    mean, error = mean_with_error(values)
    assert mean == 5.0
    assert error == pytest.approx((sum((v - 5) ** 2 for v in values) / 4 / 5) ** 0.5)
    assert mean_with_error([]) == (0.0, 0.0) and mean_with_error([2.0]) == (2.0, 0.0)


def test_rejected_candidates_are_compared_with_the_chosen_one() -> None:
    """In the worlds of both, with the error of that difference: here the challenger is taken, and the third was dropped early."""
    luck = [3.0, -4.0, 8.0, 1.0, -2.0, 5.0, 0.0, 7.0] * 2

    def play(candidate: int, world: int) -> float:
        return luck[world] + (2.0 + world % 2 if candidate == 1 else -3.0 if candidate == 2 else 0.0)

    thought = RolloutComparison(play, ("own", "taken", "dropped"), 16).run()
    assert thought.choice == 1 and [row.playouts for row in thought.rows] == [16, 16, 8]
    gaps, errors = zip(*((row.gap, row.gap_error) for row in thought.rows), strict=True)
    assert gaps == (-2.5, 0.0, -5.5)
    assert errors == pytest.approx((0.5 * (16 / 15) ** 0.5 / 4, 0.0, 0.5 * (8 / 7) ** 0.5 / 8**0.5))
    assert thought.explain()[2] == "out: own -2.5 (+-0.1); dropped -5.5 (+-0.2)"


def test_old_stored_comparison_is_explained_by_means() -> None:
    old = RolloutDecision("fire", "7.3", "us", NAMES).from_reply(
        [1, ["own", 1.0, 0.5, 0.0, 0.0, 8], ["other", 3.0, 0.4, 2.0, 0.3, 8]]
    )
    assert old.explain()[2] == "out: own -2.0 (+-0.5)"


def test_stored_comparison_is_read_back() -> None:
    think = RolloutDecision("fire", "7.3", "us", NAMES)
    thought = RolloutComparison(lambda candidate, world: candidate + world % 2, NAMES, 16).run()
    given = think.to_reply(thought)
    stored = think.from_reply(think.check(given.value))
    assert (stored.choice, given.source) == (thought.choice, "playouts")
    for kept, row in zip(stored.rows, thought.rows, strict=True):
        assert kept[0] == row[0] and kept[1:] == pytest.approx(row[1:], abs=0.0005)
    assert thought.choice == 1 and len(thought.explain()) == 3


@pytest.mark.parametrize("value", [[2], [-1], [], "x", [0, [1, 2]], None])
def test_stored_comparison_of_other_candidates_is_refused(value: object) -> None:
    with pytest.raises(Unreadable, match="think fire"):
        RolloutDecision("fire", "7.3", "us", NAMES).check(value)


def lead(mean: float, errors: float) -> list[float]:
    """Eight differences with that mean, which is so many of their standard errors."""
    away = mean / errors * 7**0.5  # half of them above the mean and half below: the standard error is that by the root of 7
    return [mean + away, mean - away] * 4


@pytest.mark.parametrize(("errors", "choice"), [(1.5, 0), (1.95, 0), (2.05, 1), (2.5, 1), (-1.95, 0), (-2.5, 0)])
def test_challenger_needs_two_standard_errors_of_the_paired_difference(errors: float, choice: int) -> None:
    """However widely the worlds themselves differ."""
    ahead = lead(1.0 if errors > 0 else -1.0, errors)
    thought = RolloutComparison(lambda candidate, world: 1000.0 * world + candidate * ahead[world], NAMES, 8).run()

    assert thought.choice == choice
    assert thought.rows[1].lead / thought.rows[1].lead_error == pytest.approx(errors)


def test_largest_clear_lead_is_chosen() -> None:
    """Not the last of them, and not one that leads by more but less surely."""
    unsure = lead(9.0, 1.5)
    thought = RolloutComparison(lambda candidate, world: (0.0, 2.0, 3.0, 1.0, unsure[world])[candidate], tuple("abcde"), 8).run()

    assert thought.choice == 2


def test_batches_double_the_number_of_rollouts() -> None:
    """Who is found to be behind is dropped at the end of a batch: after 8 worlds, 16, 32, and the rest of the budget."""

    def play(candidate: int, world: int) -> float:
        tried[candidate] += 1
        even = 10.0 if world % 2 else -10.0
        return 0.0 if not candidate else even if world < (0, 0, 8, 16, 32)[candidate] else -100.0

    tried = [0] * 5
    thought = RolloutComparison(play, ("own", "at once", "later", "later still", "last"), 50).run()

    assert tried == [50, 8, 16, 32, 50] == [row.playouts for row in thought.rows]
    assert thought.choice == 0


@pytest.mark.parametrize("budget", [1, 5, 8, 9, 20, 64, 100])
def test_budget_limits_the_number_of_rollouts(budget: int) -> None:
    worlds: list[tuple[int, int]] = []

    def play(candidate: int, world: int) -> float:
        worlds.append((world, candidate))
        return candidate * (1.0 if world % 2 else -1.0)

    RolloutComparison(play, NAMES, budget).run()
    assert worlds == [(world, candidate) for world in range(budget) for candidate in (0, 1)]


def test_close_candidate_is_not_dropped() -> None:
    """At 1.95 standard errors it plays on; at 2.05 it does not."""
    behind = [lead(-1.0, 1.95), lead(-1.0, 2.05)]
    tried = [0, 0, 0]

    def play(candidate: int, world: int) -> float:
        tried[candidate] += 1
        return behind[candidate - 1][world % 8] if candidate else 0.0

    RolloutComparison(play, ("own", "nearly", "clearly"), 9).run()
    assert tried == [9, 9, 8]


# -- playing on ------------------------------------------------------------------------------------------------------


class Rests(Policy):
    """Does nothing but rest."""

    def act(self, context: DecisionContext) -> str:
        return "rest"


class Watched(NamedTuple):
    """What playing on came across: the luck of each playout, in order, and the positions that were valued."""

    lucks: list[str]
    valued: list[Mapping[str, int]]
    thought: DecisionStats


@pytest.fixture
def watched(tiny_game: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[str, int], Watched]:
    """Weighs two actions of a game whose turns have four actions each, from after the first of them."""
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")
    game = make_game(tiny_game, load(tiny_game))
    lucks: list[str] = []
    valued: list[Mapping[str, int]] = []

    def imagined(position: Position, seat: str, number: Any) -> Position:
        lucks.append(number.__self__.seed)
        return Position({**position.tracks, "supply": 3})

    def value(position: Position, options: object, seat: str) -> float:
        valued.append(dict(position.tracks))
        return float(position.track("supply"))

    for name, own in {
        "rollout_policy": lambda seat: Rests(game.players),
        "turn": lambda position: position.track("turn") // 4,
        "sample_hidden": imagined,
        "value": value,
    }.items():
        monkeypatch.setattr(game.players, name, own)

    def weighed(label: str, budget: int) -> Watched:
        lucks.clear()
        valued.clear()
        point = DecisionPoint(game, {"scenario": "day", "length": "short"}, {}, Position({"supply": 8, "turn": 5}))
        thought = compare_by_rollouts(point, "player", ["rest", "wager"], ("rest", "wager"), budget, label)
        return Watched([*lucks], [*valued], thought)

    return weighed


Weighed = Callable[[str, int], Watched]


def test_candidates_share_random_numbers(watched: Weighed) -> None:
    """[C1] One world after the other, each with its own luck, which is no other decision's and none of the session's."""
    one, other = watched("s/1/0", 8).lucks, watched("s/2/0", 8).lucks

    assert one[::2] == one[1::2] and len(set(one)) == 8
    assert not set(one) & set(other)
    assert all(luck.startswith("think/s/1/0/") for luck in one)


def test_rollout_ends_at_the_end_of_a_turn(watched: Weighed) -> None:
    """Four actions make a turn: the one that is weighed is the second, and two more end it."""
    found = watched("s", 4)

    assert {tracks["turn"] for tracks in found.valued} == {8} and len(found.valued) == 8


def test_hidden_information_is_redealt_before_a_rollout(watched: Weighed) -> None:
    """In the world that is imagined there are three supplies and not the eight of the table; each of three rests brings one."""
    found = watched("s", 4)

    assert {tracks["supply"] for tracks in found.valued[::2]} == {6}


class Chooses(Policy):
    """Weighs between two actions, by the level of play."""

    def act(self, context: DecisionContext) -> Any:
        plans = [PlannedAction("rest"), PlannedAction("stop")]
        return context.choose(rank([Candidate(plan, plan.action) for plan in plans]).with_rivals(1), by_level=True).best.decision


@pytest.mark.parametrize(("level", "budget"), [("easy", 0), ("normal", 3), ("hard", 12)])
def test_rollout_length_follows_the_level_of_the_policy(
    tiny_game: str, monkeypatch: pytest.MonkeyPatch, level: str, budget: int
) -> None:
    """Three playouts a candidate were asked for."""
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")
    game = make_game(tiny_game, load(tiny_game))
    asked_for: list[int] = []

    def weighed(*told: Any) -> DecisionStats:
        asked_for.append(told[4])
        return DecisionStats(0)

    monkeypatch.setattr(match, "compare_by_rollouts", weighed)
    options = {"scenario": "day", "length": "short", "level": level}
    seats = {"player": Chooses(game.players)}
    Match(game, options, seats, RandomStream("x"), {}, Position({"supply": 8, "turn": 1}), think={"player": 3}).act()

    assert asked_for == [budget]


def test_number_of_playouts_is_as_requested(watched: Weighed) -> None:
    assert [len(watched("s", budget).valued) for budget in (0, 1, 5, 8)] == [0, 2, 10, 16]
    assert watched("s", 0).thought == DecisionStats(0) and watched("s", 5).thought == watched("s", 5).thought


# -- levels ------------------------------------------------------------------------------------------------------------


ALIKE = rank([Candidate(name, name) for name in "abc"]).with_rivals(2)


def asked(level: str, asked_for: list[int], steady: bool = False) -> DecisionContext:
    """Who weighs three candidates, and holds the first best, in a game whose planner slips in 30 of 100 decisions; ``asked_for``:
    is told the budget of each time.
    """

    def weigh(some: object, names: object, times: int) -> DecisionStats:
        asked_for.append(times)
        return DecisionStats(0)

    game = SimpleNamespace(players=SimpleNamespace(slip_percent=30))
    at = DecisionContext(game, {"level": level}, "player", None, None, RandomStream("level").randbelow, weigh, Position())  # type: ignore[arg-type]
    at.is_advising = steady
    return at


def test_easy_level_makes_errors() -> None:
    """Of 400 decisions 120 are to be expected, with an error of 9.2: within four of them."""
    at = asked("easy", [])
    slips = [at.slips("a") for _ in range(400)]
    assert abs(sum(slips) - 120) < 37
    assert at.reasons == ["it slips: a is what it values most"] * sum(slips)


def test_adviser_makes_no_errors() -> None:
    at = asked("easy", [], steady=True)
    assert not any(at.slips("a") for _ in range(60)) and not at.reasons


@pytest.mark.parametrize("level", ["normal", "hard", ""])
def test_hard_level_makes_no_errors(level: str) -> None:
    at = asked(level, [])
    assert not any(at.slips("a") for _ in range(60)) and at.randbelow(1000) == RandomStream("level").randbelow(1000)


def test_level_sets_the_rollout_length() -> None:
    found: list[int] = []
    for level in ("easy", "normal", "hard", ""):
        asked(level, found).choose(ALIKE, by_level=True)
    assert found == [0, 1, 4, 1]


def test_adviser_uses_the_usual_rollout_length() -> None:
    """The level is for who plays by itself: advice is neither worse for it, nor does it take four times as long."""
    found: list[int] = []
    for level in ("easy", "normal", "hard", ""):
        asked(level, found, steady=True).choose(ALIKE, by_level=True)
    assert found == [1, 1, 1, 1]
