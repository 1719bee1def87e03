"""Whole games without people: every seat, by every policy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest

from companion.core.game import Game
from companion.core.history import Reply
from companion.core.match import Match
from companion.core.policies import PLAIN, RANDOM, RandomStream
from companion.core.position import Position
from companion.core.procedures import AnyEffect, Procedure, ProcedureRun
from companion.session.facts import practice_facts


def match(game: Game, policy: str, seed: str) -> Match:
    players = game.players
    options = {key: option.default for key, option in game.options.items()} | {"scenario": next(iter(game.scenarios))}
    options |= {**players.practice_options(), **players.options_for_policies(dict.fromkeys(players.seats, policy))}
    seats = {seat: players.policy(seat, policy) for seat in players.seats}
    made = Match(game, options, seats, RandomStream(seed), practice_facts(game), keep=True)
    made.begin()
    made.play()
    return made


@pytest.mark.parametrize("policy", [PLAIN, RANDOM])
def test_a_game_is_a_function_of_its_seed(game: Game, policy: str) -> None:
    one, same, other = match(game, policy, "x"), match(game, policy, "x"), match(game, policy, "b")
    assert one.position == same.position and one.story == same.story and one.decisions == same.decisions > 0
    assert one.story != other.story


def test_a_game_is_its_story(game: Game) -> None:
    """The replies alone lead to the same end, by the same procedures."""
    played = match(game, RANDOM, "c")
    position = Position()
    runs: dict[str, Callable[[Any], Procedure[None]]] = {action.id: action.run for action in game.actions}
    for deed in played.story or ():
        referee, replies = game.new_referee(position, played.options), list(deed.replies)
        procedure = (game.setup if deed.action == "setup" else runs[deed.action])(referee)
        run = ProcedureRun(referee, procedure, partial(_next, replies))
        while run.request is not None:
            run.send(replies.pop(0).value)
        assert not replies
        position = referee.position
    assert position == played.position


def _next(replies: list[Reply], effect: AnyEffect) -> Any:
    return replies.pop(0).value if effect.stored else effect.default_result()
