"""Random players of Phantom Fury, on the practice maps or on a map that is entered during the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games import make_game
from companion.session.tables import load
from companion.testing.player import RandomPlayer


class FuryPlayer(RandomPlayer):
    """Carries on with the turn more often than it ends it."""

    def turn(self) -> str:
        weight = self.game.players.action_weight
        possible = [action for action in self.game.actions if action.obstacle(self.position) is None and weight(action.id)]
        if self.game.over(self.position) or not possible:
            return ""
        action = self.random.choices(possible, [weight(action.id) for action in possible])[0]
        return action.id if self.play(action.run) else ""


class MapPlayer(FuryPlayer):
    """Enters the map when asked: Zones of the practice map as they are there."""

    def made_up(self, fact: str, example: str) -> str:
        kind, _, key = fact.partition(":")
        practice: Mapping[str, Any] = self.game.tables.game["scenario_data"]["practice"]
        if kind == "start":
            return "2 3 4 12 17 18 19 20 21"
        if kind == "zone":
            return str(practice["zones"].get(key, "C-1-2-R; door C; egress exit"))
        return str(practice["sections"][key]) if kind == "section" else example


def player_for(seed: int, chosen: Mapping[str, str]) -> tuple[type[FuryPlayer], dict[str, str]]:
    game = make_game("phantomfury", load("phantomfury"))
    optional = [option for option in game.options.values() if option.choices]
    options = {option.id: option.choices[seed // (2 + index) % len(option.choices)] for index, option in enumerate(optional)}
    options |= {"scenario": ["practice", "practice_small", "jolan"][seed % 3], **chosen}
    return MapPlayer if options["scenario"] == "jolan" else FuryPlayer, options
