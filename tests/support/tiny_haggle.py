"""The tiny game for two seats that answer in turn."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.game import Action, Option, Tables
from companion.core.policies import Players
from companion.core.requests import Number
from tests.support.tiny import Ford, Tiny

RED, BLUE = "red", "blue"
ROUNDS = 50
"""Of one haggle."""


class HagglePlayers(Players):
    """Red and Blue; either begins an action."""

    seats = (RED, BLUE)


async def banter(game: Ford) -> None:
    """[2.2] Red and Blue answer in turn, whatever they say."""
    for _ in range(ROUNDS):
        for seat, key in ((RED, "offer"), (BLUE, "mine")):
            question = Number(key, f"What does {seat.title()} say", "2.2", 1, 6, 2)
            question.seat = seat
            await question
    game.say("It is over", "2.2")


class TinyHaggle(Tiny):
    """The tiny game with an action for two."""

    def __init__(self, tables: Tables) -> None:
        super().__init__(tables)
        self.options[BLUE] = Option(BLUE, "Who plays Blue", "2.2", ("player", "bot"), "player")

    def make_players(self) -> Players:
        return HagglePlayers(self)

    @property
    def actions(self) -> Sequence[Action]:
        return (Action("banter", "Banter", "2.2", banter), *super().actions)


def make(tables: Tables) -> TinyHaggle:
    """Make the game from its tables."""
    return TinyHaggle(tables)
