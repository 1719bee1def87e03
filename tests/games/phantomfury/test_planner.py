"""Whole simulated games: they end; the planner beats chance, explains itself, and uses no hidden information."""

from __future__ import annotations

from functools import cache, partial
from typing import Any

import pytest

from companion.core.game import Game
from companion.core.match import DecisionPoint, Match, PlannedAction, compare_by_rollouts
from companion.core.policies import PLAIN, PLANNER, RANDOM, DecisionContext, Players, Policy, RandomStream
from companion.core.position import Position
from companion.core.rollouts import DecisionStats
from companion.games import make_game
from companion.games.phantomfury.ai import planner, valuation
from companion.games.phantomfury.ai.features import Features
from companion.games.phantomfury.ai.planner import best, move_candidates, random_candidate
from companion.games.phantomfury.ai.policies import PhantomFuryPlayers, PlannerPolicy
from companion.games.phantomfury.ai.valuation import Valuation, read_valuation_constants
from companion.games.phantomfury.referee import ASSAULT
from companion.games.phantomfury.rules.r11_shots import Shot, Street
from companion.games.phantomfury.rules.r12_paths import reachable, shortest, ways
from companion.games.phantomfury.state import INSURGENTS_CUP, SQUADS_CUP, SUSPECTS_CUP, ZONES_CUP, Fighter
from companion.session.facts import practice_facts
from companion.session.tables import load
from tests.games.phantomfury.board import Board


@cache
def fury() -> Game:
    return make_game("phantomfury", load("phantomfury"))


def new_valuation() -> Valuation:
    """A valuation with empty caches."""
    return Valuation(read_valuation_constants(fury().tables.bot))


def match(scenario: str, policy: str | Policy, seed: str, think: int = 0, level: str = "normal") -> Match:
    game = fury()
    options = {key: option.default for key, option in game.options.items()} | {"scenario": scenario, "level": level}
    player = game.players.policy("player", policy) if isinstance(policy, str) else policy
    made = Match(game, options, {"player": player}, RandomStream(seed), practice_facts(game), think={"player": think})
    made.begin()
    return made


def won(made: Match) -> bool:
    return made.position.flag("winner") == "usmc"


@pytest.mark.slow
@pytest.mark.parametrize("policy", [PLANNER, PLAIN, RANDOM])
@pytest.mark.parametrize("scenario", ["practice_small", "practice", "jolan"])
def test_a_whole_game_ends(scenario: str, policy: str) -> None:
    """[7.0] Every scenario, by every policy; the full map is our made-up set."""
    made = match(scenario, policy, "whole")
    assert made.play() and made.over
    outcome = made.players.outcome(made.position, made.options)
    assert outcome.score == made.position.track("vp") and len(outcome.result.split()) == 2


def test_the_planner_beats_chance() -> None:
    """[7.2] On the small practice map chance takes all Zones in next to no game, the planner in most."""
    games = {policy: [match("practice_small", policy, f"beat/{number}") for number in range(12)] for policy in (PLANNER, RANDOM)}
    for played in (game for series in games.values() for game in series):
        assert played.play()
    assert sum(map(won, games[PLANNER])) >= 8
    assert sum(map(won, games[RANDOM])) <= 1


@pytest.mark.long
def test_an_easy_planner_wins_less_often() -> None:
    """[7.2] On the small practice map, with the same luck: at least one game of ten less, where the page has a quarter less."""
    games = {level: [match("practice_small", PLANNER, f"easy/{n}", 0, level) for n in range(60)] for level in ("easy", "normal")}
    for played in (game for series in games.values() for game in series):
        assert played.play()
    assert sum(map(won, games["easy"])) <= sum(map(won, games["normal"])) - 6


def test_a_slip_is_anything_that_the_phases_to_come_allow() -> None:
    """[8.0] Of each phase that has something to do, and the end, as often as of another; in the Assault Phase nothing earlier."""
    made = match("practice_small", PLANNER, "slip")
    every = {"fire", "move", "assault", "end"}
    while not made.over and set(slipped(made, made.position, 25)) != every:
        made.act()
    actions = slipped(made, made.position, 300)
    assert set(actions) == every
    for action in every:  # 75, with an error of 7.5
        assert abs(actions.count(action) - 75) < 30
    assert set(slipped(made, made.position.changed(tracks={"phase": ASSAULT}), 25)) == {"assault", "end"}


def slipped(made: Match, position: Position, times: int) -> list[str]:
    """The actions that so many slips take."""
    number = RandomStream("slipped").randbelow
    context = DecisionContext(
        made.game,
        made.options,
        "player",
        made.game.new_referee(position, made.options),
        None,
        number,
        lambda *_: DecisionStats(0),
    )
    features = Features(context.referee, new_valuation())
    return [random_candidate(features, [], context.randbelow).decision.action for _ in range(times)]


@pytest.mark.parametrize(("level", "expected"), [("easy", 0.14), ("normal", 0.0)])
def test_how_often_the_planner_slips(level: str, expected: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of its actions the share that the page on opponents names, within four errors; at the usual level none."""
    seen: list[bool] = []
    slips = DecisionContext.slips
    monkeypatch.setattr(DecisionContext, "slips", lambda at, best: seen.append(slips(at, best)) or seen[-1])
    for seed in "abcdef":
        match("practice_small", PLANNER, seed, 0, level).play()
    assert len(seen) > 120
    assert abs(sum(seen) / len(seen) - expected) <= 4 * (expected * (1 - expected) / len(seen)) ** 0.5


def test_a_squad_in_the_rear_comes_down_to_the_street() -> None:
    """[12.3.1, 12.5.1] On a roof from where no Zone of the insurgents is within a turn, the planner leaves it for the door."""
    board = Board()
    board.set(phase=3)
    board.ours("12")
    board.zone("22")
    board.enemy("22-1")
    board.squad(7, "12-R")
    features = Features(fury().new_referee(board.position, board.options), new_valuation())

    ranked = best(candidate for candidate in move_candidates(features) if candidate.value > features.constants.move_least)
    assert ranked is not None
    first = ranked.best

    assert features.march("12-R") - features.march("12-C") == 3
    assert first.decision.answers == {"unit": "7", "to": "12-C"}


def test_cached_features_change_no_estimate() -> None:
    """[11.3] The cached gain of movement equals a fresh calculation."""
    made, kept, compared = match("practice", PLANNER, "kept"), new_valuation(), 0
    while compared < 4 and not made.over:
        if made.position.track("phase") == 2:
            shared = Features(fury().new_referee(made.position, made.options), kept)
            fresh = Features(fury().new_referee(made.position, made.options), new_valuation())
            for squad in shared.squads:
                assert planner._advances(shared, squad) == pytest.approx(planner._advances(fresh, squad))
            compared += 1
        made.act()
    assert compared == 4


def test_random_play_does_not_repeat_a_refused_action_forever() -> None:
    """[8.0] Where nothing but the end of the turn is left, it comes soon: each action that leads to nothing is tried once."""
    made = match("practice_small", RANDOM, "persistent")
    made.play(lambda position: position.track("phase") == 4)
    policy, tried = fury().players.policy("player", RANDOM), []
    asked = DecisionContext(
        made.game, made.options, "player", None, None, RandomStream("tries").randbelow, lambda *_: DecisionStats(0), made.position
    )
    while "end" not in tried:
        tried.append(policy.act(asked))
    assert sorted(set(tried)) == sorted(tried) and set(tried) <= {"assault", "end"}


def test_the_made_up_map_is_whole() -> None:
    """[4.1, 6.2] 61 Zones, nine with a black circle, nothing that cannot be; what the rulebook's examples state holds."""
    game, facts = fury(), practice_facts(fury())
    assert {key for key in facts if key.startswith("zone:")} == {f"zone:{number}" for number in range(1, 62)}
    assert sum(text.endswith("black") for text in facts.values()) == 9
    assert game.contradictions(facts) == []


def test_cached_odds_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """[13.4] A repeated request is served from the cache until the cache is full."""
    monkeypatch.setattr(valuation, "KNOWN", 3)
    values, worked = new_valuation(), []

    def work(key: int) -> int:
        worked.append(key)
        return key

    for key in (1, 1, 2, 3, 1, 4, 5, 1):
        assert values._once(key, partial(work, key)) == key
    assert worked == [1, 2, 3, 4, 5, 1] and len(values._known) <= 3


# -- what it sees ------------------------------------------------------------------------------------------------------


def planted(position: Position) -> Position:
    """The same, but for what lies where in the cups: counters of a cup have changed their names, and their order."""
    pieces = dict(position.pieces)
    for cup in (INSURGENTS_CUP, SUSPECTS_CUP, ZONES_CUP, SQUADS_CUP):
        inside = [piece for piece in pieces.values() if piece.place == cup]
        for one, other in zip(inside, reversed(inside), strict=True):
            del pieces[one.id]
            pieces[one.id] = one._replace(name=other.name, values=other.values)
    return position.changed(pieces=pieces)


class Watched(PlannerPolicy):
    """Whose every decision is asked for again, of a newcomer who finds other counters on top in the cups."""

    lines: list[list[str]]
    seen = 0

    def _again_with(self, context: DecisionContext) -> tuple[PlannerPolicy, DecisionContext]:
        game = context.game
        referee = game.new_referee(planted(context.position), context.options)
        other = DecisionContext(
            game, context.options, context.seat, referee, context.request, lambda below: 0, lambda *_: DecisionStats(0)
        )
        return PlannerPolicy(self.players, new_valuation()), other

    def act(self, context: DecisionContext) -> Any:
        chosen = super().act(context)
        self.lines.append(list(context.reasons))
        if len(self.lines) % 3 == 0:
            newcomer, other = self._again_with(context)
            assert newcomer.act(other) == chosen
            self.seen += 1
        return chosen

    def reply(self, context: DecisionContext) -> Any:
        chosen = super().reply(context)
        newcomer, other = self._again_with(context)
        assert newcomer.reply(other) == chosen
        return chosen


def test_the_planner_sees_no_more_than_a_player() -> None:
    """[6.1] What lies on top in a cup changes nothing; and somebody who is asked in the middle of it says the same."""
    player = Watched(fury().players, new_valuation())
    player.lines = []
    made = match("practice_small", player, "seen")
    assert made.play() and player.seen > 3
    assert all(" VP by our valuation" in lines[0] and len(lines) <= 3 for lines in player.lines)
    assert sum("[" in line for lines in player.lines for line in lines[:2]) > len(player.lines) / 2


class Terse(PlannerPolicy):
    """A player who names an action and answers its questions."""

    def act(self, context: DecisionContext) -> Any:
        plan = super().act(context)
        return plan.action


def test_the_planner_answers_whichever_side_begins_an_action() -> None:
    """[8.0] In the middle of an action without a plan, the advice is the plan that it would make."""
    games = [match("practice_small", Terse(fury().players, new_valuation()), f"terse/{number}") for number in range(3)]
    assert all(made.play() for made in games) and any(map(won, games))


class Told(Terse):
    """A player that records the explanation of each answer."""

    notes: dict[str, list[list[str]]]

    def reply(self, context: DecisionContext) -> Any:
        chosen = super().reply(context)
        assert context.request is not None
        self.notes.setdefault(context.request.key, []).append(list(context.reasons))
        return chosen


@pytest.mark.slow
def test_questions_are_advised_with_numbers() -> None:
    """[5.1.1.2, 10.2, 12.0] Where to, where an M1A1 enters, who takes a Step Loss: value, reasons, and what was passed over."""
    player = Told(fury().players, new_valuation())
    player.notes = {}
    for seed in range(3):
        match("practice", player, f"adv{seed}").play()
    for key in ("to", "section", "loss"):
        explained = [lines for lines in player.notes[key] if lines]
        assert len(explained) > len(player.notes[key]) / 2
        assert all(" VP" in lines[0] and "[" in lines[1] and len(lines) <= 3 for lines in explained)
    assert any(lines[2].startswith("out: Squad ") for lines in player.notes["loss"] if lines)


def test_rollouts_are_measured_against_the_current_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """[7.2.1] The value of the current position, including Zones still to be taken, is subtracted from every value."""
    made = match("practice", PLANNER, "beside")
    made.play(lambda position: position.track("turn") > 1)
    point = DecisionPoint(made.game, made.options, made.facts, made.position)
    plans = [PlannedAction("mission", {"mission": "uav", "zones": "13"}), PlannedAction("end")]
    beside = compare_by_rollouts(point, "player", plans, ["UAV", "end"], 4, "beside")
    monkeypatch.setattr(PhantomFuryPlayers, "rollout_baseline", Players.rollout_baseline)
    whole = compare_by_rollouts(point, "player", plans, ["UAV", "end"], 4, "beside")
    baseline = made.players.value(made.position, made.options, "player")
    assert abs(baseline) > 5 and beside.choice == whole.choice
    for row, other in zip(beside.rows, whole.rows, strict=True):
        assert row.mean == pytest.approx(other.mean - baseline) and row[2:] == other[2:]


def test_rollouts_decide_with_a_budget() -> None:
    """With a budget the candidates are compared by rollouts, and the game stays legal."""
    made = match("practice_small", PLANNER, "think", think=8)
    assert made.play(lambda position: position.track("turn") > 2)
    assert made.position.track("turn") == 3


# -- what it reckons with ----------------------------------------------------------------------------------------------


def test_chances_are_those_of_the_rules() -> None:
    """[9.3, 11.2, 11.4.2] Computed from the faces of a ten-sided die."""
    game = fury()
    referee = game.new_referee(Position(), {})
    values = new_valuation()
    assert [round(values.mission(referee, which), 9) for which in ("uav", "ah1w", "fa18")] == [0.9, 0.7, 0.5]
    assert values.shot(referee, Shot(6, "suspect", False, False)) == pytest.approx(0.6)  # d10 + 1 <= 6
    assert values.shot(referee, Shot(8, "guerillas", True, False)) == pytest.approx(0.9)  # a 9 never hits
    crossed = values.crossing(referee, Fighter(6), Street(1, 2))  # a loss on 0-1, Pinned on 0-2
    assert crossed.good == pytest.approx(0.8 * 0.7) and crossed.loss == pytest.approx(0.2)


def test_ways_are_the_shortest() -> None:
    """[12.3 - 12.5] Every place within reach, with the path of an order that names only its goal."""
    made = match("practice", PLANNER, "ways")
    made.play(lambda position: position.track("turn") > 3)
    referee = made.game.new_referee(made.position, made.options)
    for squad in referee.squads():
        paths = ways(referee, squad)
        assert paths.keys() == reachable(referee, squad).keys()
        assert all(path == shortest(referee, squad, squad.place, goal) for goal, path in paths.items())
