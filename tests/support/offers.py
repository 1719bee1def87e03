"""A player of one of our games who tries every answer that is offered, and one whose questions are counted."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from itertools import islice
from typing import Any

from companion.core.requests import Request, Text
from companion.testing.player import RandomPlayer, Trying, offered


def trying(game: str, seed: int) -> Any:
    """A player of that game who tries every offer, with all that is printed told."""
    kind = import_module(f"tests.games.{game}.player")
    return kind.sit(seed, Trying)


def played(game: str, seed: int, turns: int) -> Any:
    """Such a player after so many actions, or at the end of the game."""
    player: RandomPlayer = trying(game, seed)
    for _ in islice(range(turns), turns):
        player.turn()
        if player.game.over(player.position):
            break
    return player


class Asked:
    """Mixed into a player of a game: counts the questions that a player is put, where Companion rolls and draws.

    Attributes:
        put: by key of the question.
        alone: those of them that have a single possible answer.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.put: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self._now: dict[int, tuple[str, bool]] = {}
        super().__init__(*args, **options)

    def play(self: Any, procedure: Any) -> bool:
        """Only what belongs to an action that is kept counts."""
        self._now = {}
        kept: bool = super().play(procedure)  # type: ignore[misc]
        for key, alone in self._now.values() if kept else ():
            self.put[key] += 1
            self.alone[key] += alone
        return kept

    def look(self: Any, procedure: Any, request: Request[Any], replies: list[Any], come: list[Any]) -> None:
        self._now.pop(len(replies), None)
        if not request.chance_setting and self.resolver.automatic_reply(request, 0) is None:
            self._now[len(replies)] = request.key, len(offered(request)) == 1 and not isinstance(request, Text)


def asked(game: str, seed: int) -> Any:
    """A player of that game whose questions are counted."""
    return import_module(f"tests.games.{game}.player").sit(seed, Asked)
