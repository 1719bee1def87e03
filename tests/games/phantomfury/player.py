"""A player of Phantom Fury who goes on with the game more often than ending a turn."""

from __future__ import annotations

from tests.support.random_player import RandomPlayer

WEIGHTS = {"mission": 1, "reinforce": 3, "fire": 5, "move": 8, "assault": 8, "end": 2}


class Marine(RandomPlayer):
    """A player who goes on with the game more often than he ends a turn."""

    def turn(self) -> str:
        open_to = [one for one in self.game.actions if one.obstacle(self.position) is None and one.id in WEIGHTS]
        if self.game.over(self.position) or not open_to:
            return ""
        action = self.random.choices(open_to, [WEIGHTS[one.id] for one in open_to])[0]
        return action.id if self.play(action.run) else ""


def sit(seed: int, *ways: type) -> Marine:
    """A player for that seed, on the practice maps."""
    options = {"variant": ["off", "on"][seed // 2 % 2], "hbied": ["one", "each"][seed // 4 % 2]}
    player: Marine = type("Player", (*ways, Marine), {})("phantomfury", ["practice", "practice_small"][seed % 2], seed, **options)
    return player
