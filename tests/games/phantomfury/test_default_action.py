"""[8.0] The action that Enter alone starts."""

from __future__ import annotations

from collections import Counter

from companion.core.errors import CompanionError
from tests.support.offers import asked


def test_the_usual_action_moves_then_assaults_and_ends_only_where_no_unit_is_left() -> None:
    """[8.0, 12.1.1, 13.0] Nothing before Movement has begun; what it offers is open; it ends nothing while a unit could act."""
    met: Counter[str] = Counter()
    for seed in range(8):
        player = asked("phantomfury", seed)
        for _ in range(50):
            player.turn()
            position, game = player.position, player.game
            usual = "" if game.over(position) else game.default_action(position)
            met[usual] += 1
            if position.track("phase") < 3:
                assert usual == ""
            if usual:
                assert game.obstacle_to(usual, position) is None
            if usual == "end":
                for action in game.actions:
                    if action.id in ("move", "assault"):
                        assert action.obstacle(position) or not _begins(player, action.run)
            if game.over(position):
                break
    assert met["move"] and met["assault"]


def _begins(player: object, procedure: object) -> bool:
    """True if an action asks a question."""
    try:
        return player._start(procedure, [], []).request is not None  # type: ignore[attr-defined]
    except CompanionError:
        return False
