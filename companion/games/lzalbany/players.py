"""Who plays LZ Albany without people: the two seats, and the policies that decide for them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.anything import some
from companion.core.players import BOT, Advised, Asked, Outcome, Players, Policy
from companion.core.position import Position
from companion.core.request import Request
from companion.core.requests import Text
from companion.core.words import split_list
from companion.games.lzalbany.names import COMPANION, NVA, SIDES, US
from companion.games.lzalbany.wild import any_orders
from companion.games.lzalbany.words.orders import orders_of

EASY, HARD = "easy", "hard"
_OPPONENTS = {BOT: COMPANION, EASY: EASY, HARD: HARD}
"""The policies of opponents of ours, with the option by which the rules let them decide."""


class Own(Players):
    """The US and the NVA."""

    seats = (US.casefold(), NVA.casefold())
    think = 8

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        """Enter, any answer, and the opponents: the rules put no question to those but what they propose."""
        return {**super().policies(seat), **dict.fromkeys((BOT, EASY, HARD), lambda: Advised(self))}

    def adviser(self, seat: str) -> str:
        return BOT

    def chosen(self, policies: Mapping[str, str]) -> Mapping[str, str]:
        return {seat: _OPPONENTS.get(name, "player") for seat, name in policies.items()}

    def rollout(self, seat: str) -> Policy:
        return Advised(self)

    def rollout_options(self, options: Mapping[str, str]) -> Mapping[str, str]:
        """Both sides by the priorities."""
        return {**options, **dict.fromkeys(self.seats, _OPPONENTS[BOT])}

    def player(self, options: Mapping[str, str], position: Position, request: Request[Any] | None) -> str:
        """[3.3] Phases and chits are both players' business: between two actions both are named, each with his side."""
        names = split_list(options.get("players", ""))
        if request is not None or len(names) != len(SIDES):
            return super().player(options, position, request)
        return ", ".join(f"{side} {name}" for side, name in zip(SIDES, names, strict=True))

    # -- where play is -----------------------------------------------------------------------------------------

    def outcome(self, position: Position, options: Mapping[str, str]) -> Outcome:
        """[4.1, 4.2, 4.3] Who wins, and the US's points less those of the NVA."""
        score = self.game.score(position, options)
        side = score.verdict.partition(" ")[0]
        return Outcome(side.casefold() if side in SIDES else "draw", score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The points so far, with what stands on the board: hits that do not score yet, LZ Albany, who threatens whom."""
        from companion.games.lzalbany.bot.value import standing

        if self.game.over(position):
            score = self.outcome(position, options).score
        else:
            score = standing(self.game.opened(position, options))
        return score if seat == self.seats[0] else -score

    # -- any answer --------------------------------------------------------------------------------------------

    def anything(self, at: Asked) -> Any:
        """Orders to areas that can be reached; else any answer."""
        request = at.request
        assert request is not None
        orders = orders_of(request.notation) if isinstance(request, Text) else None
        if orders is None or not orders.pieces:
            return some(request, at.number)
        assert isinstance(request, Text)
        return request.check(any_orders(request.suggest, orders, at.referee.map, at.number))

    def plain(self, at: Asked) -> Any:
        return self.anything(at)
