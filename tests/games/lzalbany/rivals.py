"""Simple opponents of LZ Albany. What they do not decide themselves they decide by the planner's advice."""

from __future__ import annotations

from typing import Any

from companion.core.policies import AdvisedPolicy, DecisionContext
from companion.core.requests import Choose, Text
from companion.games.lzalbany import notation, state
from companion.games.lzalbany.ai.features import Features
from companion.games.lzalbany.ai.policies import able_to_go
from companion.games.lzalbany.referee import AlbanyReferee

_DECISIONS = ("group", "action", "second")


def _side(context: DecisionContext[AlbanyReferee]) -> state.Side:
    return state.US if context.seat == "us" else state.NVA


class MostDicePolicy(AdvisedPolicy):
    """Fires with the group that has most dice, less those of the return fire; moves as advised if none has more."""

    def reply(self, context: DecisionContext[AlbanyReferee]) -> Any:
        request = context.request
        if isinstance(request, Choose) and request.key in _DECISIONS:
            fires = [choice.value for choice in request.legal_choices() if choice.value.endswith(state.FIRE)]
            best = max(fires, key=lambda value: self._net_dice(context, value), default="")
            if best and self._net_dice(context, best) > 0:
                return request.check(best)
        return super().reply(context)

    @staticmethod
    def _net_dice(context: DecisionContext[AlbanyReferee], value: str) -> int:
        group, side, total = value.rpartition(" ")[0], _side(context), 0
        planner = context.referee.data.planner(context.referee, side)
        for area in dict.fromkeys(piece.place for piece in context.referee.group(group) if piece.kind == state.UNIT):
            total += max([0, *(shot.dice - shot.answer for shot in planner.shots(group, area))])
        return total


class RushPolicy(AdvisedPolicy):
    """Moves every stack to the neighbouring area nearest to the enemy, into him where he is; fires only if it cannot move."""

    def reply(self, context: DecisionContext[AlbanyReferee]) -> Any:
        request = context.request
        if isinstance(request, Choose) and request.key in _DECISIONS:
            moves = [choice.value for choice in request.legal_choices() if choice.value.endswith(state.MOVE)]
            if moves:
                return request.check(max(moves, key=lambda value: self._movers(context, value)))
        orders = notation.orders_of(request.notation) if isinstance(request, Text) and request.key == "moves" else None
        if orders is None or not orders.pieces:
            return super().reply(context)
        assert request is not None
        features, foe, chosen = Features(context.referee), state.enemy(_side(context)), []
        for place in dict.fromkeys(piece.place for piece in orders.pieces):
            going = able_to_go([piece for piece in orders.pieces if piece.place == place])
            goal = min(features.map.neighbours(place), key=lambda area: features.distance(foe, area), default="")
            chosen += [notation.Order(piece, goal) for piece in going] if goal else []
        return request.check(orders.text(chosen))

    @staticmethod
    def _movers(context: DecisionContext[AlbanyReferee], value: str) -> int:
        return sum(piece.kind == state.UNIT for piece in context.referee.group(value.rpartition(" ")[0]))
