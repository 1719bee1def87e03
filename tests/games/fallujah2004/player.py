"""A player of Fallujah 2004 who does anything that is allowed, with all that is printed told."""

from __future__ import annotations

from typing import Any

from companion.core.requests import Pick, Request, Text
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.words.spaces import BASES
from tests.games.fallujah2004.field import FACTS, SPACES
from tests.support.random_player import RandomPlayer

MAP = [space for space, text in SPACES.items() if text != "none"]


class Wild(RandomPlayer):
    """Answers at random, but with forces of one space and moves over spaces that there are."""

    def __init__(self, seed: int, scenario: str, **options: str) -> None:
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
        if isinstance(request, Pick) and request.key == "force":
            return self.force(request)
        return super().answer(request)

    def force(self, request: Pick) -> Any:
        """Some units of one place."""
        offered = {choice.value for choice in request.choices}
        places: dict[str, list[str]] = {}
        for piece in self.position.of_kind("unit"):
            if piece.name in offered:
                places.setdefault(piece.place, []).append(piece.name)
        start = self.random.choice(list(places))
        here, self.start = places[start], start
        return request.check(self.random.sample(here, self.random.randint(1, min(4, len(here)))))

    def text(self, request: Text) -> str:
        if request.key == "to":
            return request.notation.read(self.path())
        if request.key == "nodes":
            return request.notation.read(", ".join(self.random.choices(MAP, k=self.random.randint(1, 3))))
        if request.key == "refuge":
            return request.notation.read(self.random.choice([*BASES, *MAP, "none"]))
        if request.key == "buy":
            names = [choice.value for choice in request.known]
            return request.notation.read(", ".join(self.random.sample(names, min(len(names), self.random.randint(1, 5)))))
        return super().text(request)

    def path(self) -> str:
        if self.random.random() < 0.1:
            return self.random.choice(BASES)
        way: list[str] = []
        for _ in range(self.random.choice([1, 1, 1, 2, 2, 3])):
            near = [space for space in MAP if _near((way or [self.start])[-1], space)]
            way.append(self.random.choice(near if near and self.random.random() < 0.9 else MAP))
        return ("water " if self.random.random() < 0.1 else "") + " ".join(way)

    def made_up(self, fact: str, example: str) -> str:
        if fact.startswith("space:"):
            return self.random.choice(["none", "urban", "open", "mosque", "objective msr"])
        return super().made_up(fact, example)


def _near(one: str, other: str) -> bool:
    """Whether two spaces lie side by side."""
    if one == other or one not in MAP:
        return False
    (route, line), (route2, line2) = (map(int, space.split("-")) for space in (one, other))
    return abs(route - route2) <= 1 and abs(line - line2) <= 1


async def rich(game: Fallujah) -> None:
    """So many OPs that a game goes on for long."""
    game.shift("ops", 60, "10.4", "test")


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
