"""A random player of Fallujah 2004 with all printed facts entered."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.requests import Request
from companion.games.fallujah2004.ai import policies
from companion.games.fallujah2004.ai.features import KnownMap, MapCache
from companion.games.fallujah2004.referee import FallujahReferee
from companion.testing.player import RandomPlayer
from tests.games.fallujah2004.field import FACTS


class FallujahPlayer(RandomPlayer):
    """Forms forces of one space and moves over spaces that exist; in every other game it starts with 60 more OPs."""

    def __init__(self, game_id: str, scenario: str, seed: int, **options: str) -> None:
        self.map = MapCache()
        super().__init__(game_id, scenario, seed, **options)
        self.is_rich = bool(seed % 2)
        self.start = ""
        self.turns = 0

    def play(self, procedure: Any) -> bool:
        self.facts = self.facts or dict(FACTS)
        return super().play(procedure)

    def turn(self) -> str:
        """First the extra OPs, then purchases, then mostly offensives."""
        actions = {action.id: action for action in self.game.actions}
        number, self.turns = self.turns, self.turns + 1
        if number == 0 and self.is_rich:
            self.play(add_ops)
        elif number < 7:
            self.play(actions["buy"].run)
        elif self.random.random() < 0.5 and not self.game.over(self.position):
            self.play(actions[self.random.choice(["j3", "j3", "j3", "networked"])].run)
        else:
            super().turn()
        return ""

    def answer(self, request: Request[Any]) -> Any:
        if request.key not in ("force", "to", "nodes", "refuge", "buy"):
            return super().answer(request)
        answer = policies.random_answer(request, self.position, self.start, self.known_map, self.number)
        if request.key == "force":
            self.start = next(piece.place for piece in self.position.of_kind("unit") if piece.name == answer[0])
        return answer

    def known_map(self) -> KnownMap:
        return self.map.get(self.position, self.facts)

    def made_up(self, fact: str, example: str) -> str:
        if fact.startswith("space:"):
            return self.random.choice(["none", "urban", "open", "mosque", "objective msr"])
        return super().made_up(fact, example)


async def add_ops(referee: FallujahReferee) -> None:
    referee.shift_track("ops", 60, "10.4", "test")


def player_for(seed: int, chosen: Mapping[str, str]) -> tuple[type[FallujahPlayer], dict[str, str]]:
    optional = {"networked": "on", "interdiction": "on"} if seed % 2 else {}
    scenario = ("vigilant_resolve", "phantom_fury", "campaign")[seed % 3]
    return FallujahPlayer, {"scenario": scenario, **(chosen or optional)}
