"""A stationary player of LZ Albany, as a baseline for measurements: it fires, never moves, and takes what is suggested."""

from __future__ import annotations

from typing import Any

from companion.core.policies import DecisionContext, Policy
from companion.core.requests import Choose

STATIONARY = "stationary"


class StationaryPolicy(Policy):
    """Always fires with the group whose fire is worth most; it moves only where the retreat requires it [5.2E]."""

    def reply(self, context: DecisionContext) -> Any:
        request = context.request
        if isinstance(request, Choose) and request.key in ("group", "action", "second"):
            fires = [choice.value for choice in request.legal_choices() if choice.value.endswith("fire")]
            if fires:
                return request.check(max(fires, key=lambda value: self._fire_value(context, value)))
        return super().reply(context)

    @staticmethod
    def _fire_value(context: DecisionContext, value: str) -> float:
        referee = context.referee
        group, _, _ = value.rpartition(" ")
        return float(referee.data.planner(referee, context.seat.upper()).fire_plan(group).value) if group else 0.0
