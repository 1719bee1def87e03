"""A player of Iraq War 2003 who answers anything at random, with the made-up set told."""

from __future__ import annotations

from companion.core.requests import Request, Text
from companion.games.iraqwar2003.ai.policies import random_answer
from companion.games.iraqwar2003.state import OPTIONAL
from companion.testing.player import RandomPlayer
from tests.games.iraqwar2003.field import FACTS


class General(RandomPlayer):
    """Knows the made-up set, and answers a little less wildly than chance: short ways, real groups."""

    def __init__(self, seed: int, **options: str) -> None:
        self.told = dict(FACTS)
        super().__init__("iraqwar2003", "war", seed, **options)

    def answer(self, request: Request[object]) -> object:
        self.facts.update({key: value for key, value in self.told.items() if key not in self.facts})
        if isinstance(request, Text):
            return random_answer(self.position, request, self.number)
        return super().answer(request)


def sit(seed: int, *ways: type, **chosen: str) -> General:
    """A player for that seed: the options in turn, or what is chosen."""
    on = dict.fromkeys(OPTIONAL, "on") if seed % 3 == 0 else {OPTIONAL[seed % len(OPTIONAL)]: "on"}
    options = chosen or {"iraq": "bot" if seed % 2 else "player", **on}
    options.pop("scenario", "")
    player: General = type("Player", (*ways, General), {"TOLD": FACTS})(seed, **options)
    return player
