"""A strategy from outside as a policy of the game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.api.values import Strategy, View, question_of, text_of
from companion.core.game import Game
from companion.core.players import Asked, Policy
from companion.core.words import one_of


class Own(Policy):
    """Asked as any policy is; what the strategy leaves open is as usual."""

    def __init__(self, game: Game, strategy: Strategy) -> None:
        super().__init__(game.players)
        self.strategy = strategy

    def _view(self, at: Asked) -> View:
        free = () if at.request else tuple(one.id for one in at.game.actions if at.game.in_the_way(one.id, at.position) is None)
        asked = question_of(at.request, "", words=False) if at.request else None
        return View(at.seat, at.position, asked, free, at.number)

    def act(self, at: Asked) -> str:
        said = self.strategy(self._view(at))
        return super().act(at) if said is None else one_of(text_of(said), [one.id for one in at.game.actions], "action")

    def reply(self, at: Asked) -> Any:
        assert at.request is not None
        said = self.strategy(self._view(at))
        return super().reply(at) if said is None else at.request.read(text_of(said))


def policies_of(game: Game, strategies: Mapping[str, Strategy]) -> dict[str, Policy]:
    """The strategies by their seat, each by unique prefix; one under "" for every seat that is not named. Raises Unreadable."""
    seats = {one_of(seat, game.players.seats, "seat"): who for seat, who in strategies.items() if seat}
    everywhere = strategies.get("")
    return {seat: Own(game, who) for seat in game.players.seats if (who := seats.get(seat, everywhere)) is not None}
