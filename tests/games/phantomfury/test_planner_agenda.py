"""The planner of rollouts values each unit again only when it is next; the relaxed problem of the full map."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.match import Match
from companion.core.policies import PLANNER, RandomStream
from companion.games import make_game
from companion.games.phantomfury.ai import planner
from companion.games.phantomfury.ai.agenda import Agenda, LazyQueue
from companion.games.phantomfury.ai.features import Features
from companion.games.phantomfury.ai.planner import END, Move
from companion.games.phantomfury.referee import ASSAULT
from companion.session.facts import practice_facts
from companion.session.tables import load
from tests.measures.jolan_relaxed import lower_bound, make_match, relaxed_game, relaxed_rules


def a_move(unit: str, value: float) -> Move:
    return END._replace(decision=END.decision._replace(answers={"unit": unit}), value=value)


def test_a_unit_whose_value_fell_waits_for_better_ones() -> None:
    """The queue holds 3, 2 and 1; the first is worth 1.5 by now, so the second comes first; the last is worth too little."""
    now = {"a": a_move("a", 1.5), "b": a_move("b", 2.0), "c": a_move("c", 1.0)}
    queue = LazyQueue([a_move("a", 3.0), a_move("b", 2.0), a_move("c", 1.0)])
    taken = [queue.take(1.2, now.get) for _ in range(3)]
    assert taken == [now["b"], now["a"], None]


def test_a_unit_without_a_candidate_is_left_out() -> None:
    queue = LazyQueue([a_move("a", 3.0), a_move("b", 2.0)])
    assert queue.take(0.0, {"b": a_move("b", 2.0)}.get) == a_move("b", 2.0)


@pytest.mark.slow
def test_each_phase_begins_and_the_turn_ends_as_a_full_ranking_says() -> None:
    """[8.0] At the first action of a turn, and from the Assault Phase on, the agenda takes what ranks first."""
    game: Any = make_game("phantomfury", load("phantomfury"))
    options = {key: option.default for key, option in game.options.items()} | {"scenario": "practice"}
    player = game.players.policy("player", PLANNER)
    match = Match(game, options, {"player": player}, RandomStream("agenda"), practice_facts(game))
    match.begin()
    compared = 0
    turn = 0
    while not match.over:
        features = Features(game.new_referee(match.position, options), game.players.valuation)
        if features.referee.turn != turn or features.phase >= ASSAULT:
            assert Agenda().next(features, ()).name == planner.recommend(features, ()).best.name
            compared += 1
        turn = features.referee.turn
        assert match.act()
    assert compared > 6


def test_what_the_full_map_needs_at_least() -> None:
    """[14.2, 14.1.1] Fewer turns than the scenario has: the map does not rule victory out."""
    assert 6 <= lower_bound(relaxed_game()) <= 16


@pytest.mark.long
def test_the_full_map_is_won_in_time_if_the_insurgents_do_nothing() -> None:
    """[7.2] With Dummies only, harmless streets and no Infiltration, sixteen turns are enough."""
    game = relaxed_game()
    with relaxed_rules():
        match = make_match(game, 0)
        match.begin()
        match.play()
    assert match.position.flag("winner") == "usmc" and game.players.turn(match.position) < 16
