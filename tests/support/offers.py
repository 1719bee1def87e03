"""Random players that try every offered answer, and players whose questions are counted."""

from __future__ import annotations

from collections import Counter
from typing import Any

from companion.core.requests import Request, Text
from companion.testing.player import Trying, offered
from tests.support.players import seat


def played(game: str, seed: int, turns: int) -> Any:
    """A player that tries every offer, after so many actions or at the end of the game."""
    player = seat(game, seed, Trying)
    for _ in range(turns):
        player.turn()
        if player.game.over(player.position):
            break
    return player


class Asked:
    """Mixin for a random player that counts its questions, with dice and draws by Companion.

    Attributes:
        put: Questions by key.
        alone: Those with a single possible answer.
    """

    def __init__(self, *args: Any, **options: Any) -> None:
        self.put: Counter[str] = Counter()
        self.alone: Counter[str] = Counter()
        self._now: dict[int, tuple[str, bool]] = {}
        super().__init__(*args, **options)

    def play(self: Any, procedure: Any) -> bool:
        """Questions of an action that is given up do not count."""
        self._now = {}
        kept: bool = super().play(procedure)  # type: ignore[misc]
        for key, alone in self._now.values() if kept else ():
            self.put[key] += 1
            self.alone[key] += alone
        return kept

    def on_question(self: Any, procedure: Any, request: Request[Any], replies: list[Any], results: list[Any]) -> None:
        self._now.pop(len(replies), None)
        if not request.chance_setting and self.resolver.automatic_reply(request, 0) is None:
            self._now[len(replies)] = request.key, len(offered(request)) == 1 and not isinstance(request, Text)


def asked(game: str, seed: int) -> Any:
    """A player of a game whose questions are counted."""
    return seat(game, seed, Asked)
