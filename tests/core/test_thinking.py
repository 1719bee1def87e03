"""Candidates that are compared by playing on from each of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from functools import partial
from statistics import NormalDist
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from companion.core import match
from companion.core.candidates import Candidate, describe_gap, describe_second, rank
from companion.core.errors import Unreadable
from companion.core.match import DecisionPoint, Match, PlannedAction, compare_by_rollouts
from companion.core.plans import PlanningPolicy, TurnPlan
from companion.core.policies import DecisionContext, Policy, RandomStream
from companion.core.position import Position
from companion.core.procedures import Enough, Progress
from companion.core.rollouts import (
    LEVELS,
    CandidateStats,
    DecisionStats,
    Outcome,
    Prior,
    RolloutComparison,
    RolloutDecision,
    mean_with_error,
)
from companion.games import GAMES, make_game
from companion.session.tables import load

NAMES = ("own", "other")


def gaussian(difference: float, seed: int) -> Callable[[int, int], Outcome]:
    """The second candidate is better by a difference on average, with a standard deviation of 1 in each world."""

    def play(candidate: int, world: int) -> Outcome:
        luck = random.Random(f"{seed}/{world}")
        return Outcome(100 * luck.random() + candidate * luck.gauss(difference, 1.0))

    return play


@pytest.mark.parametrize(
    ("difference", "prior", "weight"), [(0.0, 0.0, 0.0), (0.3, 0.0, 4.0), (0.3, 0.5, 4.0), (0.0, 0.25, 16.0)]
)
def test_prior_counts_like_so_many_worlds(difference: float, prior: float, weight: float) -> None:
    """In closed form: n worlds prefer the second if n * mean > weight * prior, and their mean is normal with variance 1 / n."""
    worlds, games = 16, 800
    believed = Prior((prior, 0.0), weight)
    found = sum(
        RolloutComparison(gaussian(difference, seed), NAMES, worlds, prior=believed).run().choice for seed in range(games)
    )
    chance = NormalDist().cdf((worlds * difference - weight * prior) / worlds**0.5)
    assert found / games == pytest.approx(chance, abs=4 * (chance * (1 - chance) / games) ** 0.5)


def test_small_advantage_is_found_with_common_random_numbers() -> None:
    def luck(candidate: int, world: int) -> Outcome:
        return Outcome(random.Random(world).gauss(0, 100) + 0.5 * candidate)

    assert RolloutComparison(luck, NAMES, 64).run().choice == 1


@pytest.mark.parametrize(
    ("candidates", "worlds", "played"),
    [(2, 8, [8, 8]), (3, 8, [10, 10, 4]), (8, 8, [20, 20, 8, 8, 2, 2, 2, 2]), (5, 1, [1, 1, 1, 1, 1]), (2, 1, [1, 1])],
)
def test_better_half_goes_on_each_round(candidates: int, worlds: int, played: list[int]) -> None:
    """Each round spends an equal part of all playouts: 64 of 8 candidates are 8 * 2, 4 * 6 and 2 * 12."""
    tried: list[tuple[int, int]] = []

    def play(candidate: int, world: int) -> Outcome:
        tried.append((candidate, world))
        return Outcome(-candidate)

    thought = RolloutComparison(play, tuple("abcdefgh"[:candidates]), worlds).run()
    assert [row.playouts for row in thought.rows] == played and thought.choice == 0
    assert len(tried) == sum(played) <= candidates * worlds
    assert set(tried) == {(candidate, world) for candidate, number in enumerate(played) for world in range(number)}


def test_equal_candidates_leave_the_first() -> None:
    assert RolloutComparison(lambda candidate, world: Outcome(0.1 * world), tuple("abcde"), 8).run().choice == 0


def test_candidates_that_went_alike_in_every_world_are_played_once() -> None:
    """Of the two best of four candidates, which go alike, the first goes on, and the third."""
    values = (1.0, 1.0, 0.0, -1.0)
    thought = RolloutComparison(lambda candidate, world: Outcome(values[candidate] + world), tuple("abcd"), 4).run()
    assert [row.playouts for row in thought.rows] == [6, 2, 6, 2] and thought.choice == 0
    plans = RolloutComparison(lambda candidate, world: Outcome(values[candidate] + world), tuple("abcd"), 2, alike=1).run()
    assert [row.playouts for row in plans.rows] == [3, 1, 3, 1]
    alike = RolloutComparison(lambda candidate, world: Outcome(world), tuple("abcd"), 4).run()
    assert [row.playouts for row in alike.rows] == [2, 2, 2, 2] and alike.choice == 0


@pytest.mark.parametrize("playouts", [0, 1, 2, 3, 7, 8])
def test_interrupted_comparison_takes_the_best_so_far(playouts: int) -> None:
    """A world that one of two candidates was played in is dropped; before the first whole world the priorities decide."""
    count = 0

    def watch(progress: Progress) -> None:
        nonlocal count
        if count == playouts:
            raise Enough
        count += 1

    thought = RolloutComparison(lambda candidate, world: Outcome(candidate), NAMES, 100, watch).run()
    assert count == playouts and thought.choice == (1 if playouts >= 2 else 0)
    assert [row.playouts for row in thought.rows] == ([playouts // 2] * 2 if playouts >= 2 else [])


def test_win_chance_is_the_share_of_worlds_won() -> None:
    thought = RolloutComparison(lambda candidate, world: Outcome(world, float(world < 6 + candidate)), NAMES, 8).run()
    wins = [(row.win, row.win_error) for row in thought.rows]
    assert wins == [(p, pytest.approx((p * (1 - p) / 7) ** 0.5)) for p in (6 / 8, 7 / 8)]
    assert "wins 75% (+-16)" in thought.explain()[0]


def test_win_chance_is_unknown_if_it_is_in_one_world() -> None:
    """Games that ended within the horizon are no sample of all games."""
    thought = RolloutComparison(lambda candidate, world: Outcome(world, 1.0 if world else None), NAMES, 8).run()
    assert {row.win for row in thought.rows} == {None} and "wins" not in thought.explain()[0]


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
    luck = [3.0, -4.0, 8.0, 1.0, -2.0, 5.0, 0.0, 7.0] * 3

    def play(candidate: int, world: int) -> Outcome:
        return Outcome(luck[world] + (2.0 + world % 2 if candidate == 1 else -3.0 if candidate == 2 else 0.0))

    thought = RolloutComparison(play, ("own", "taken", "dropped"), 16).run()
    assert thought.choice == 1 and [row.playouts for row in thought.rows] == [20, 20, 8]
    gaps, errors = zip(*((row.gap, row.gap_error) for row in thought.rows), strict=True)
    assert gaps == (-2.5, 0.0, -5.5)
    assert errors == pytest.approx((0.5 / 19**0.5, 0.0, 0.5 / 7**0.5))
    assert thought.explain()[2] == "out: own -2.5 (+-0.1); dropped -5.5 (+-0.2)"


def test_old_stored_comparison_is_explained_by_means() -> None:
    old = RolloutDecision("fire", "7.3", "us", NAMES).from_reply(
        [1, ["own", 1.0, 0.5, 0.0, 0.0, 8], ["other", 3.0, 0.4, 2.0, 0.3, 8]]
    )
    assert old.explain()[2] == "out: own -2.0 (+-0.5)"


def test_second_best_is_passed_over_for_a_reason_in_figures() -> None:
    """VP and chance to win behind the chosen candidate, in the worlds of both, with the errors of the differences."""
    rows = (
        CandidateStats("hold", 4.0, 0.5, 0.0, 0.0, 64, 0.0, 0.0, 0.6, 0.05, 0.0, 0.0),
        CandidateStats("raid", 2.8, 0.6, -1.2, 0.5, 64, -1.2, 0.5, 0.56, 0.06, -0.04, 0.02),
        CandidateStats("rest", 3.5, 0.6, -0.5, 0.9, 32, -0.5, 0.9, 0.7, 0.06, 0.1, 0.02),
    )
    thought = DecisionStats(0, rows)
    reason = "raid is passed over: behind by 1.2 VP (+-0.5) and 4 % (+-2) to win in 64 worlds"

    assert thought.explain()[0].endswith("by 64 playouts, points and prospects; wins 60% (+-5)")
    assert thought.explain()[1] == f"what the priorities say: no other is ahead of it, all considered; {reason}"
    assert thought.explain()[2] == "out: raid -1.2 (+-0.5), wins 56% (+-6); rest -0.5 (+-0.9), wins 70% (+-6)"
    ranked = rank([Candidate(name, name, value) for name, value in (("hold", 3.0), ("raid", 2.0), ("rest", 1.0), ("flee", 0.0))])
    assert describe_second(ranked.with_rivals(2).after(thought).valued()) == reason


@pytest.mark.parametrize(
    ("figures", "said"),
    [
        ((-0.3, 0.5, 8), "behind by 0.3 VP (+-0.5) in 8 worlds, within the error"),
        ((0.3, 0.5, 8), "ahead by 0.3 VP (+-0.5) in 8 worlds: the planner's own values decided"),
        ((-1.0, 0.4, 8, 0.03, 0.02), "behind by 1.0 VP (+-0.4), ahead by 3 % (+-2) to win in 8 worlds"),
        ((0.0, 0.4, 8, -0.03, 0.02), "as good in VP, behind by 3 % (+-2) to win in 8 worlds: the planner's own values decided"),
        ((0.0, 0.0, 8), "the same came of both in 8 worlds"),
        ((-2.0, 0.0, 1), "behind by 2.0 VP in 1 world"),
    ],
)
def test_what_decided_is_said(figures: tuple[float, ...], said: str) -> None:
    assert describe_gap(*figures) == said  # type: ignore[arg-type]


def test_chance_to_win_is_compared_in_the_same_worlds() -> None:
    """Won in every second world, and one world more: the difference of 1/8 with the error of eight differences."""

    def play(candidate: int, world: int) -> Outcome:
        return Outcome(2.0 * candidate, float(world % 2 or (candidate == 1 and world == 0)))

    first, second = RolloutComparison(play, NAMES[:2], 8).run().rows
    assert (second.win, second.win_gap, second.win_gap_error) == (0.625, 0.0, 0.0)
    assert first.win_gap == -0.125 and first.win_gap_error == pytest.approx(0.125)


def test_stored_comparison_is_read_back() -> None:
    think = RolloutDecision("fire", "7.3", "us", NAMES)
    thought = RolloutComparison(lambda candidate, world: Outcome(candidate + world % 2, world % 2), NAMES, 16).run()
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
        return context.choose(rank([Candidate(plan, plan.action) for plan in plans]).with_rivals(1)).best.decision


@pytest.mark.parametrize(("level", "budget"), [("easy", 0), ("normal", 3), ("hard", 15)])
def test_rollout_length_follows_the_level_of_the_policy(
    tiny_game: str, monkeypatch: pytest.MonkeyPatch, level: str, budget: int
) -> None:
    """Three playouts a candidate were asked for."""
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")
    game = make_game(tiny_game, load(tiny_game))
    asked_for: list[int] = []

    def weighed(*told: Any, **more: Any) -> DecisionStats:
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


def asked(level: str, steady: bool = False) -> DecisionContext:
    """Who decides in a game whose planner slips in 30 of 100 decisions."""

    def weigh(some: object, names: object, values: object) -> DecisionStats:
        return DecisionStats(0)

    game = SimpleNamespace(players=SimpleNamespace(slip_percent=30))
    at = DecisionContext(game, {"level": level}, "player", None, None, RandomStream("level").randbelow, weigh, Position())  # type: ignore[arg-type]
    at.is_advising = steady
    return at


def test_easy_level_makes_errors() -> None:
    """Of 400 decisions 120 are to be expected, with an error of 9.2: within four of them."""
    at = asked("easy")
    slips = [at.slips("a") for _ in range(400)]
    assert abs(sum(slips) - 120) < 37
    assert at.reasons == ["it slips: a is what it values most"] * sum(slips)


def test_adviser_makes_no_errors() -> None:
    at = asked("easy", steady=True)
    assert not any(at.slips("a") for _ in range(60)) and not at.reasons


@pytest.mark.parametrize("level", ["normal", "hard", ""])
def test_hard_level_makes_no_errors(level: str) -> None:
    at = asked(level)
    assert not any(at.slips("a") for _ in range(60)) and at.randbelow(1000) == RandomStream("level").randbelow(1000)


@pytest.mark.parametrize(("level", "times"), [("easy", 0), ("normal", 1), ("hard", 5), ("", 1)])
@pytest.mark.parametrize("of_policy", [True, False])
def test_level_of_a_policy_or_of_the_session_sets_its_playouts(
    tiny_game: str, monkeypatch: pytest.MonkeyPatch, level: str, times: int, of_policy: bool
) -> None:
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")
    game = make_game(tiny_game, load(tiny_game))
    policy = game.players.levels(lambda: Policy(game.players))[level]() if of_policy and level else Policy(game.players)
    options = {"scenario": "day", "length": "short", **({} if of_policy else {"level": level})}
    played = Match(game, options, {"player": policy}, RandomStream("x"), {}, Position({"supply": 8}), think={"player": 3})
    context = played.context("player", None, None, lambda: DecisionPoint(game, options, {}, played.position), played.position)
    assert context.playouts == 3 * times and context.level == LEVELS[level or "normal"]


# -- plans of a turn ---------------------------------------------------------------------------------------------------


class Wagers(Policy):
    """Does nothing but wager."""

    def act(self, context: DecisionContext) -> str:
        return "wager"


@pytest.fixture
def planning(tiny_game: str, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], Match]:
    """A match between two actions of a turn of four, with two plans: to rest or to wager; and a policy that chooses."""
    monkeypatch.setitem(GAMES, "tiny", "tests.support.tiny_rival")
    game = make_game(tiny_game, load(tiny_game))
    for name, own in {
        "rollout_policy": lambda seat: Rests(game.players),
        "turn": lambda position: position.track("turn") // 4,
        "value": lambda position, options, seat: float(position.track("supply")),
    }.items():
        monkeypatch.setattr(game.players, name, own)
    plans = [TurnPlan(policy.__name__, policy.__name__, partial(policy, game.players)) for policy in (Wagers, Rests)]

    def made(think: int) -> Match:
        policy = PlanningPolicy(game.players, lambda context: plans)
        start = Position({"supply": 8, "turn": 5})
        options = {"scenario": "day", "length": "short"}
        return Match(game, options, {"player": policy}, RandomStream("a"), {}, start, {"player": think}, keep=True)

    return made


Planning = Callable[[int], Match]


def test_chosen_plan_is_followed_to_the_end_of_the_turn(planning: Planning) -> None:
    """A wager loses on average, so resting is the better plan; it is chosen once, and kept for three actions."""
    match = planning(32)
    match.play(lambda position: position.track("turn") >= 8)
    assert [action.action for action in match.story or ()] == ["rest"] * 3


def test_without_playouts_the_first_plan_is_followed(planning: Planning) -> None:
    match = planning(0)
    match.play(lambda position: position.track("turn") >= 8)
    assert [action.action for action in match.story or ()] == ["wager"] * 3


def test_plan_is_played_in_its_rollouts_until_the_turn_ends(planning: Planning, monkeypatch: pytest.MonkeyPatch) -> None:
    match = planning(4)
    monkeypatch.setattr(type(match.players), "horizon", 2)
    played: list[tuple[str, int]] = []
    usual = Match.run_action

    def watched(self: Match, procedure: Any, action: str, *more: Any, **named: Any) -> Any:
        played.append((action, self.position.track("turn")))
        return usual(self, procedure, action, *more, **named)

    monkeypatch.setattr(Match, "run_action", watched)
    match.act()
    rollouts = played[:-1]  # the last is the action taken
    for turn in (5, 6, 7):
        assert [action for action, now in rollouts if now == turn] == ["wager", "rest"] * 4
    assert {action for action, now in rollouts if now >= 8} == {"rest"} and max(now for _, now in rollouts) == 11


def test_without_time_for_a_world_the_first_plan_explains_itself(planning: Planning) -> None:
    """No plan was compared, so that none is named."""
    match = planning(8)
    point = DecisionPoint(match.game, match.options, {}, match.position)
    context = match.context("player", None, None, lambda: point, match.position)
    context._weigh = lambda candidates, names, values: DecisionStats(0)
    assert match.seats["player"].act(context) == "wager" and context.reasons == []


def test_candidates_that_went_as_the_best_did_are_counted_only() -> None:
    """Three go alike in each of two worlds and one is worse."""
    values = (1.0, 1.0, 0.0, 1.0)
    thought = RolloutComparison(lambda candidate, world: Outcome(values[candidate] + world), tuple("abcd"), 4).run()
    assert thought.explain()[-1] == "out: c -1.0 (+-0.0); 2 more lead to the same"


def test_advice_gives_each_plan_with_its_first_action(planning: Planning) -> None:
    match = planning(8)
    point = DecisionPoint(match.game, match.options, {}, match.position)
    context = match.context("player", None, None, lambda: point, match.position)
    context.is_advising = True
    action = match.seats["player"].act(context)
    assert [candidate.decision for candidate in context.candidates] == ["rest", "wager"] and action == "rest"
    assert context.candidates[0].name == "Rests" and context.candidates[0].measures["playouts"] == 8
    assert context.reasons[0].startswith("Rests: ")
