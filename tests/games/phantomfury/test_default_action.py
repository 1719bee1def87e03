"""[8.0] The action that Enter alone starts."""

from __future__ import annotations

from collections import Counter

import pytest

from companion.core.errors import CompanionError
from tests.games.phantomfury.board import Practice
from tests.support.offers import asked


def _begins(player: object, procedure: object) -> bool:
    """True if an action asks a question."""
    try:
        return player._start(procedure, [], []).request is not None  # type: ignore[attr-defined]
    except CompanionError:
        return False


@pytest.mark.parametrize("seed", range(30))
def test_the_usual_action_can_be_taken_and_ends_the_turn_only_where_nothing_else_can(seed: int) -> None:
    """[8.0, 12.1.1, 13.0] At every position of random games; after the end there is none."""
    player, met = asked("phantomfury", seed), Counter[str]()
    for _ in range(25):
        game, position = player.game, player.position
        usual = game.default_action(position)
        met[usual] += 1
        assert bool(usual) is not bool(game.over(position))
        if not usual:
            break
        actions = {action.id: action for action in game.actions}
        assert game.obstacle_to(usual, position) is None
        assert usual == "end" or _begins(player, actions[usual].run)
        for other in ("move", "assault") if usual == "end" else ():
            assert actions[other].obstacle(position) or not _begins(player, actions[other].run)
        player.turn()
    assert met["move"]


def test_after_the_only_possible_assault_the_turn_ends() -> None:
    """[13.0] A squad that no enemy is Adjacent to, and one that has made its Assault, can do nothing more."""
    table = Practice()
    table.ours("2")
    table.zone("3", "14")
    table.squad(3, "2-C")
    table.squad(5, "14-C")
    table.enemy("14-1")
    table.do("assault", "squad=5", accept=True, dice=[9, 9, 9], draws=["G1/M1"])
    assert table.game.default_action(table.position) == "end"
