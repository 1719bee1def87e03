"""Contract tests of whole games: each is a function of its seed, by every policy and in any process."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
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
from companion.session import game_rows, simulation
from companion.session.facts import practice_facts
from companion.session.store import Archive
from companion.session.worker_pool import in_order, in_process, processes


def played_match(game: Game, policy: str, seed: str) -> Match:
    players = game.players
    own = players.options_for_policies(dict.fromkeys(players.seats, policy))
    options = {**game.default_options(), **players.practice_options(), **own}
    seats = {seat: players.policy(seat, policy) for seat in players.seats}
    match = Match(game, options, seats, RandomStream(seed), practice_facts(game), keep=True)
    match.begin()
    match.play()
    return match


@pytest.mark.parametrize("policy", [PLAIN, RANDOM])
def test_a_game_is_a_function_of_its_seed(game: Game, policy: str) -> None:
    first, again, other = (played_match(game, policy, seed) for seed in ("x", "x", "b"))
    assert first.position == again.position and first.story == again.story and first.decisions == again.decisions > 0
    assert first.story != other.story


def test_a_game_is_its_story(game: Game) -> None:
    """Replaying the replies leads to the same result."""
    played = played_match(game, RANDOM, "c")
    position = Position()
    runs: dict[str, Callable[[Any], Procedure[None]]] = {action.id: action.run for action in game.actions}
    for item in played.story or ():
        referee, replies = game.new_referee(position, played.options), list(item.replies)
        procedure = (game.setup if item.action == "setup" else runs[item.action])(referee)
        run = ProcedureRun(referee, procedure, partial(_next, replies))
        while run.request is not None:
            run.send(replies.pop(0).value)
        assert not replies
        position = referee.position
    assert position == played.position


def _next(replies: list[Reply], effect: AnyEffect) -> Any:
    return replies.pop(0).value if effect.stored else effect.default_result()


ONE = """
import sys
from companion.session.simulation import make_series, play_game
from companion.session.state import load_game
print(play_game(make_series(load_game(sys.argv[1]), "", {}, {"": "random"}, "x/y"), 3)._replace(seconds=0, times=()))
"""


def plain(rows: list[list[simulation.SimulatedGame]]) -> list[simulation.SimulatedGame]:
    return [row._replace(seconds=0, times=()) for chunk in rows for row in chunk]


def test_a_game_is_the_same_in_another_process(game: Game) -> None:
    """The result does not depend on the order of sets."""
    played = simulation.play_game(simulation.make_series(game, "", {}, {"": RANDOM}, "x/y"), 3)
    environment = {**os.environ, "PYTHONHASHSEED": "5"}
    command = [sys.executable, "-c", ONE, game.id]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)

    assert not played.error
    assert done.stdout.strip() == str(played._replace(seconds=0, times=()))


def test_two_processes_play_what_one_plays(game: Game) -> None:
    series, numbers = simulation.make_series(game, "", {}, {"": RANDOM}, "jobs"), range(2, 12, 3)
    assert plain(list(in_order(processes(series, numbers, 2), numbers))) == plain(list(in_process(series, numbers)))


@pytest.mark.slow
def test_a_game_leaves_no_reference_cycles(game: Game) -> None:
    """Reference cycles would pile up over thousands of simulated games."""
    players = game.players
    for policy in sorted({policy for seat in players.seats for policy in players.policies(seat)}):
        given = {seat: policy for seat in players.seats if policy in players.policies(seat)}
        series = simulation.make_series(game, "", {}, given, "left", 0)
        simulation.play_game(series, 1)
        gc.collect()
        gc.disable()
        try:
            simulation.play_game(series, 2)
            assert gc.collect() == 0, policy
        finally:
            gc.enable()


def test_a_row_has_a_cell_for_each_column(game: Game) -> None:
    series = simulation.make_series(game, "", {}, {"": RANDOM}, "cells")
    columns = game_rows.row_columns(game)
    cells = dict(zip(columns, game_rows.row_cells(series, simulation.play_game(series, 1), len(columns)), strict=True))
    assert len(set(columns)) == len(columns)
    assert cells["index"] == 1 and cells["seed"] == "cells" and None not in cells.values()
    failed = simulation.SimulatedGame(2, "error", None, 0, 0, 0.0, (), "x")
    assert len(game_rows.row_cells(series, failed, len(columns))) == len(columns)


@pytest.mark.slow
@pytest.mark.parametrize(("number", "policy"), [(1, RANDOM), (3, RANDOM), (1, "")])
def test_a_simulated_game_becomes_a_session(game: Game, archive: Archive, number: int, policy: str) -> None:
    """The session has every action with its replies and supports undo and redo."""
    series = simulation.make_series(game, "", {}, {"": policy} if policy else {}, "again")
    match = simulation.make_match(series, number, keep=True)
    assert simulation.play_out(match) == "" and match.story
    session = simulation.replay_as_session(archive, series, number).session

    assert session.position == match.position
    in_force = [(entry.action, _values(entry.replies)) for entry in session.history.in_force]
    assert in_force == [(item.action, _values(item.replies)) for item in match.story]
    assert archive.last() == session.info and archive.printed(game.id) == {}
    session.undo(2)
    assert session.position != match.position
    session.redo()
    assert session.position == match.position == type(session).open(archive).position


def _values(replies: tuple[Reply, ...]) -> list[tuple[str, object]]:
    return [(reply.key, reply.value) for reply in replies]
