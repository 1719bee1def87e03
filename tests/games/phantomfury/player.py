"""A player of Phantom Fury who goes on with the game more often than ending a turn, and one who tells the map as it comes up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.games import make_game
from companion.session.tables import load
from companion.testing.player import RandomPlayer


class Marine(RandomPlayer):
    """A player who goes on with the game more often than he ends a turn."""

    def turn(self) -> str:
        weight = self.game.players.action_weight
        open_to = [one for one in self.game.actions if one.obstacle(self.position) is None and weight(one.id)]
        if self.game.over(self.position) or not open_to:
            return ""
        action = self.random.choices(open_to, [weight(one.id) for one in open_to])[0]
        return action.id if self.play(action.run) else ""


class Owner(Marine):
    """An owner who enters the map as it comes up, from the practice map where that has the Zone."""

    def made_up(self, fact: str, example: str) -> str:
        kind, _, key = fact.partition(":")
        like: Mapping[str, Any] = self.game.tables.game["scenario_data"]["practice"]
        if kind == "start":
            return "2 3 4 12 17 18 19 20 21"
        if kind == "zone":
            return str(like["zones"].get(key, "C-1-2-R; door C; egress exit"))
        return str(like["sections"][key]) if kind == "section" else example


def sit(seed: int, *ways: type, **choices: str) -> Marine:
    """A player for a seed, with the given options or every choice in turn, on the practice maps or an own map."""
    game = make_game("phantomfury", load("phantomfury"))
    options = [one for one in game.options.values() if one.choices]
    chosen = {one.id: one.choices[seed // (2 + place) % len(one.choices)] for place, one in enumerate(options)}
    chosen |= {"scenario": ["practice", "practice_small", "jolan"][seed % 3], **choices}
    scenario = chosen.pop("scenario")
    kind = type("Player", (*ways, Owner if scenario == "jolan" else Marine), {})
    player: Marine = kind("phantomfury", scenario, seed, **chosen)
    return player
