"""Plans of a turn: the planner with other appetites, compared by rollouts as a whole."""

from __future__ import annotations

from typing import Any

import pytest

from companion.core.errors import BadData
from companion.core.match import Match
from companion.core.plans import PlanningPolicy
from companion.core.policies import PLANNER, RandomStream
from companion.core.rollouts import LEVELS
from companion.games import make_game
from companion.games.phantomfury.ai.planner import move_tanks_first
from companion.games.phantomfury.ai.plans import read_appetites, useful
from companion.games.phantomfury.ai.policies import PlannerPolicy
from companion.games.phantomfury.ai.valuation import read_valuation_constants
from companion.session.facts import practice_facts
from companion.session.tables import load
from tests.games.phantomfury.board import Board


def new_game() -> Any:
    return make_game("phantomfury", load("phantomfury"))


def match(game: Any, scenario: str, policy: str, seed: str, think: int = 0) -> Match:
    options = {key: option.default for key, option in game.options.items()} | {"scenario": scenario}
    made = Match(
        game,
        options,
        {"player": game.players.policy("player", policy)},
        RandomStream(seed),
        practice_facts(game),
        think={"player": think},
        keep=True,
    )
    made.begin()
    return made


def bot(*plans: dict[str, Any]) -> dict[str, Any]:
    """The content of ``ai.toml`` with other plans."""
    return {**load("phantomfury").bot, "plan": list(plans)}


def test_an_appetite_replaces_what_it_names() -> None:
    constants = read_valuation_constants(load("phantomfury").bot)
    usual, bold = read_appetites(
        bot({"id": "usual", "title": "as usual"}, {"id": "bold", "title": "bold", "squad": {"pin": 0.5}}), constants
    )
    assert usual.constants == constants
    assert bold.constants == constants._replace(squad_pin=0.5)


def test_every_fault_of_the_plans_is_named() -> None:
    constants = read_valuation_constants(load("phantomfury").bot)
    with pytest.raises(BadData) as fault:
        read_appetites(
            bot({"id": "a", "title": "a", "squad": {"courage": 2}}, {"id": "b", "needs": "luck", "title": "b"}), constants
        )
    assert [text.partition("ai.toml: ")[2].partition(":")[0] for text in fault.value.faults] == ["plan 1", "plan 2"]


def test_no_plan_is_offered_that_changes_nothing() -> None:
    """[9.0, 10.2, 10.3] Without an M1A1 on the map, Missions left, or squads of the Battalion that can come."""
    game = new_game()
    appetites = read_appetites(load("phantomfury").bot, game.players.valuation.constants)
    board = Board(turn=2)
    board.set(uav=4, ah1w=2, fa18=1)
    offered = {appetite.id for appetite in useful(board.referee, appetites)}
    assert {appetite.needs for appetite in appetites} == {"", "tank", "mission", "battalion"}
    assert offered == {appetite.id for appetite in appetites if not appetite.needs}
    board.set(uav=3)
    assert {"air", "no-air"} <= {appetite.id for appetite in useful(board.referee, appetites)}


def test_without_playouts_the_planner_plays_as_usual() -> None:
    """Game by game the same actions as by the planner without plans."""
    game = new_game()
    planned = match(game, "practice_small", PLANNER, "same")
    planned.play()
    plain = match(game, "practice_small", PLANNER, "same")
    plain.seats = {"player": PlannerPolicy(game.players, game.players.valuation)}
    plain.play()
    assert planned.story == plain.story


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_plans_whole_turns(level: str) -> None:
    policy = new_game().players.policy("player", level)
    assert isinstance(policy, PlanningPolicy) and policy.level == level


@pytest.mark.slow
def test_a_plan_is_chosen_once_a_turn() -> None:
    """[8.0] At the first action of each turn some ten plans are compared, one world each at least; the game stays legal."""
    game = new_game()
    made = match(game, "practice_small", "normal", "planned", think=1)
    asked: list[int] = []
    plans = type(game.players).plans

    def counted(context: Any) -> Any:
        offered = plans(game.players, context)
        asked.append(len(offered))
        return offered

    made.seats["player"]._plans = counted  # type: ignore[attr-defined]
    assert made.play() and made.over
    assert len(asked) == made.position.track("turn") and min(asked) >= 10


def test_an_m1a1_that_had_better_stay_keeps_no_squad_from_moving() -> None:
    """[12.0] M1A1s move first; one whose movement is worth too little is passed over."""
    from tests.games.phantomfury.test_planner_values import seen_on

    board = Board(turn=4)
    board.set(phase=3)
    board.ours("2", "3")
    board.zone("14")
    board.enemy("14-2")
    board.squad(8, "2-C")
    board.change("m1a1", place="street n")
    features = seen_on(board)
    assert [move.decision.answers["unit"] for move in move_tanks_first(features)] == ["m1"]
    features.valuation.constants = features.constants._replace(move_least=9.0)
    assert {move.decision.answers["unit"] for move in move_tanks_first(features)} == {"8"}


def test_playouts_are_valued_by_what_was_fitted_on_whole_games() -> None:
    """On the maps that it was fitted on; the points of a finished game stay what they are."""
    game = new_game()
    players = game.players
    for scenario, is_fitted in (("practice", True), ("practice_small", True), ("jolan", False)):
        played = match(game, scenario, PLANNER, "a")
        position, options = played.position, played.options
        fitted = players.fitted("score")
        assert fitted is not None and fitted.is_for(options) == is_fitted
        by_hand = players.valuation.position(position)
        expected = fitted.intercept + sum(
            weight * players.features(position, options, "player")[name] for name, weight in fitted.weights.items()
        )
        assert players.value(position, options, "player") == pytest.approx(expected if is_fitted else by_hand)
    played = match(game, "practice_small", PLANNER, "a")
    played.play()
    assert played.over and players.value(played.position, played.options, "player") == players.valuation.position(played.position)
