"""A random player of Iraq War 2003 who knows the made-up set."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.requests import Request, Text
from companion.games.iraqwar2003.ai.policies import random_answer
from companion.games.iraqwar2003.state import OPTIONAL
from companion.testing.player import RandomPlayer
from tests.games.iraqwar2003.field import FACTS


class IraqPlayer(RandomPlayer):
    """Orders existing groups along short paths."""

    TOLD = FACTS

    def answer(self, request: Request[object]) -> object:
        self.facts = {**FACTS, **self.facts}
        if isinstance(request, Text):
            return random_answer(self.position, request, self.number)
        return super().answer(request)


def player_for(seed: int, chosen: Mapping[str, str]) -> tuple[type[IraqPlayer], dict[str, str]]:
    optional = dict.fromkeys(OPTIONAL, "on") if seed % 3 == 0 else {OPTIONAL[seed % len(OPTIONAL)]: "on"}
    options = chosen or {"iraq": "bot" if seed % 2 else "player", **optional}
    return IraqPlayer, {**options, "scenario": "war"}
