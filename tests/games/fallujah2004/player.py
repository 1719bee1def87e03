"""A player of Fallujah 2004 who does anything that is allowed, with all that is printed told."""

from __future__ import annotations

from typing import Any

from companion.core.requests import Request
from companion.games.fallujah2004.ai import policies
from companion.games.fallujah2004.ai.features import KnownMap, MapCache
from companion.games.fallujah2004.referee import FallujahReferee
from companion.testing.player import RandomPlayer
from tests.games.fallujah2004.field import FACTS


class Wild(RandomPlayer):
    """Answers at random, but with forces of one space and moves over spaces that there are."""

    def __init__(self, seed: int, scenario: str, **options: str) -> None:
        self.known = MapCache()
        super().__init__("fallujah2004", scenario, seed, **options)
        self.rich = bool(seed % 2)
        self.start = ""

    def play(self, procedure: Any) -> bool:
        self.facts = self.facts or dict(FACTS)
        return super().play(procedure)

    def step(self, number: int) -> None:
        """One action: in every other game first OPs in plenty; then an army, then mostly offensives."""
        action = {one.id: one for one in self.game.actions}
        if number == 0 and self.rich:
            self.play(rich)
        elif number < 7:
            self.play(action["buy"].run)
        elif self.random.random() < 0.5 and not self.game.over(self.position):
            self.play(action[self.random.choice(["j3", "j3", "j3", "networked"])].run)
        else:
            RandomPlayer.turn(self)

    def answer(self, request: Request[Any]) -> Any:
        if request.key in ("force", "to", "nodes", "refuge", "buy"):
            return self.wildly(request)
        return super().answer(request)

    def wildly(self, request: Request[Any]) -> Any:
        """As the package's player does who answers anything."""
        answer = policies.random_answer(request, self.position, self.start, self.ways, self.number)
        if request.key == "force":
            self.start = next(piece.place for piece in self.position.of_kind("unit") if piece.name == answer[0])
        return answer

    def ways(self) -> KnownMap:
        return self.known.get(self.position, self.facts)

    def made_up(self, fact: str, example: str) -> str:
        if fact.startswith("space:"):
            return self.random.choice(["none", "urban", "open", "mosque", "objective msr"])
        return super().made_up(fact, example)


async def rich(game: FallujahReferee) -> None:
    """So many OPs that a game goes on for long."""
    game.shift_track("ops", 60, "10.4", "test")


def sit(seed: int, *ways: type, **chosen: str) -> Wild:
    """A player for that seed: the scenarios and the optional rules in turn, or what is chosen."""
    usual = {"networked": "on", "interdiction": "on"} if seed % 2 else {}
    options = {"scenario": ("vigilant_resolve", "phantom_fury", "campaign")[seed % 3], **(chosen or usual)}
    player: Wild = type("Player", (*ways, Wild), {"turn": _turn})(seed, options.pop("scenario"), **options)
    player.number_of = 0
    return player


def _turn(self: Any) -> None:
    self.number_of += 1
    self.step(self.number_of - 1)
