"""The luck of the rolls of an operation: what its outcomes have in common is played once."""

from __future__ import annotations

from collections import Counter
from itertools import product
from typing import Any

import pytest

from companion.core.luck import RecordedRun
from companion.core.match import DecisionPoint, Match
from companion.core.policies import PLANNER, RandomStream
from companion.core.position import Position
from companion.games.fallujah2004 import battles
from companion.games.fallujah2004.ai.valuation import BattleForecasts
from companion.games.fallujah2004.rules import r13_movement, r16_battle, r16_combat
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Fighter, Strike, Support
from companion.session.state import load_game


def _first_battle() -> DecisionPoint:
    """The first offensive of a game that has a second round of battle, with its replies."""
    game = load_game("fallujah2004")
    options = game.default_options("vigilant_resolve")
    seats = {seat: game.players.policy(seat, PLANNER) for seat in game.players.seats}
    match = Match(game, options, seats, RandomStream("luck"), {}, keep=True)
    match.begin()
    runs = {action.id: action.run for action in game.actions}
    while True:
        before = match.position
        assert match.act()
        assert match.story
        action, replies = match.story[-1]
        if action == "j3" and [reply.key for reply in replies].count("edge") > 1:
            return DecisionPoint(game, options, match.facts(), before, runs[action], replies)


@pytest.mark.slow
def test_outcomes_share_the_move_and_the_rounds_before_a_roll(monkeypatch: pytest.MonkeyPatch) -> None:
    """[10.1, 16.1] No outcome repeats the move of the force and the steps of the battle that came before its roll."""
    point = _first_battle()
    played: Counter[str] = Counter()

    def counted(module: Any, name: str) -> None:
        function = getattr(module, name)

        def call(*arguments: Any) -> Any:
            played[name] += 1
            return function(*arguments)

        monkeypatch.setattr(module, name, call)

    counted(r13_movement, "move_force")
    counted(r16_battle, "edge_winner")
    run = RecordedRun(point)
    last = max(index for index, reply in enumerate(point.replies) if reply.key in ("fire", "opfor_fire"))
    before = played.copy()
    run.roll_luck(last, [lambda position: position.track("kia")], runs=1)
    assert played == before


@pytest.mark.parametrize("netwar", [False, True])
@pytest.mark.parametrize("strikes", [0, 1, 2])
def test_forecasts_with_different_support_share_a_solver(netwar: bool, strikes: int) -> None:
    """[16.1(2c), 16.1(3a)] They equal the means of the results that a solver for that support alone finds."""
    referee = load_game("fallujah2004").new_referee(Position(), {})
    offered = Support((Strike(4, True, name="SOA"), Strike(3, name="Air Strike"), Strike(1, name="Air Strike")), True)
    opfor = tuple(Fighter(fire, 1, name=f"OPFOR {fire}") for fire in (1, 2, 3))
    battle = Battle((Fighter(3, 2, 2, 2, 1, name="1/5"), Fighter(2, 3, 1, name="2/1")), opfor, offered)
    conditions = r16_combat.conditions(referee, "urban", civilians=True)
    forecasts = BattleForecasts(referee.hypothetical())
    forecasts.forecast(conditions, True, battle)
    forecasts.forecast(conditions, True, battle, True, 3)

    forecast = forecasts.forecast(conditions, True, battle, netwar, strikes)

    start = battle._replace(support=Support(offered.strikes[:strikes], netwar))
    alone = battles.BattleSolver(BattleHost(referee.hypothetical(), conditions), start, battles.commit(netwar, strikes))
    assert forecast == pytest.approx(alone.forecast(), abs=1e-12)


def test_a_forecast_does_not_depend_on_those_before() -> None:
    """To the last digit: a policy that weighs near-equal answers would else play another game from the same seed."""
    referee = load_game("fallujah2004").new_referee(Position(), {})
    conditions = r16_combat.conditions(referee, "urban", civilians=True)
    force = Fighter(4, 2, 2, 3, 1), Fighter(3, 3, 2, 1, 1), Fighter(2, 3)
    opfor = tuple(Fighter(fire, 1) for fire in (1, 2, 3, 3, 4))
    used = BattleForecasts(referee.hypothetical())
    for ours, theirs in product(range(3, 0, -1), range(5, 0, -1)):  # large battles first
        battle = Battle(force[:ours], opfor[:theirs])

        fresh = BattleForecasts(referee.hypothetical()).forecast(conditions, False, battle)

        assert used.forecast(conditions, False, battle) == fresh


def test_a_volley_is_worked_out_once_for_all_battles() -> None:
    """[16.2] Another terrain [16.5] or an FOB [28.2] changes the Edge, but not the fire of the same units."""
    referee = load_game("fallujah2004").new_referee(Position(), {})
    battle = Battle((Fighter(3, 2, 2, 2, 1), Fighter(1, 3)), (Fighter(2, 1), Fighter(3, 4)))
    conditions = r16_combat.conditions(referee, "urban", civilians=True)
    battles.BattleSolver(BattleHost(referee.hypothetical(), conditions), battle).forecast()
    known = dict(battles._VOLLEYS)

    battles.BattleSolver(BattleHost(referee.hypothetical(), conditions._replace(fob=True, terrain="mosque")), battle).forecast()
    assert known == battles._VOLLEYS
    battles.BattleSolver(BattleHost(referee.hypothetical(), conditions._replace(factor=2)), battle).forecast()
    assert len(battles._VOLLEYS) > len(known)


def test_support_that_is_spent_adds_no_battle_to_solve(monkeypatch: pytest.MonkeyPatch) -> None:
    """[16.1(2c), 16.1(3a)] A marker counts for the Edge, strikes until the Coalition has fired: what follows is solved once."""
    referee = load_game("fallujah2004").new_referee(Position(), {})
    offered = Support((Strike(4, True, name="SOA"), Strike(3, name="Air Strike")), True)
    battle = Battle((Fighter(3, 2, 2, 2, 1), Fighter(2, 3, 1)), (Fighter(1, 1), Fighter(2, 1)), offered)
    conditions = r16_combat.conditions(referee, "urban")
    forecasts = BattleForecasts(referee.hypothetical())
    solved: list[Battle] = []
    outcomes = battles.Fire.outcomes
    monkeypatch.setattr(battles.Fire, "outcomes", lambda part, state: (solved.append(state), outcomes(part, state))[1])

    forecasts.forecast(conditions, True, battle)
    assert solved
    solved.clear()
    forecasts.forecast(conditions, True, battle, netwar=True)
    assert solved == []
    forecasts.forecast(conditions, True, battle, strikes=2)
    assert {(state.firing, state.second_fire) for state in solved} == {
        ("coalition", False),
        ("opfor", False),
        ("coalition", True),
    }
    assert all(len(state.strikes) == 2 for state in solved)
