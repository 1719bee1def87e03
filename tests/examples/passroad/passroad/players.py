"""Who plays the column without people, and what is won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.match import PlannedAction
from companion.core.policies import BOT, PLAIN, PLANNER, RANDOM, DecisionContext, GameResult, Players, Policy, RandomPolicy
from companion.core.position import Position

from . import attacks, ending, orders
from .land import FORT
from .referee import REDUCED, Pass

DARES = 0
"""Modifiers from which the captain attacks."""


class Captain(Policy):
    """Follows the road: clears it where the odds allow, scouts what is held, rests when worn."""

    def act(self, context: DecisionContext) -> Any:
        if not context.position.flag("order"):
            return "dawn"
        chosen = self.plans(context.referee)[0]
        context.explain(f"first of its priorities: {told(chosen)}")
        return chosen

    def plans(self, game: Pass) -> list[PlannedAction]:
        """What can be done, the best by the priorities first."""
        onward, fatigue, late = game.land.onward(game.here), game.track("fatigue"), game.track("turn") >= 7
        ways, found = orders.ways(game), []
        free = onward in ways
        able = len(game.companies) > 1 and bool(game.track("stores"))
        if fatigue >= 3 and not (late and free):
            found.append(PlannedAction("rest"))
        if onward in attacks.targets(game) and able:
            drm = attacks.modifiers(game, onward, game.companies[:-1]).total
            strike = PlannedAction("attack", {"area": onward, "companies": [one.id for one in game.companies[:-1]]})
            scouted = game.scouted(onward)
            found += [strike] if drm > DARES or scouted or late else [PlannedAction("scout", {"area": onward}), strike]
        forced = [area for area, how in ways.items() if how == orders.FORCED and area in self._ahead(game)]
        if forced and not fatigue and not game.around:
            found.append(PlannedAction("march", {"to": forced[0]}))
        if free:
            found.append(PlannedAction("march", {"to": onward}))
        found += [
            PlannedAction("march", {"to": area})
            for area, how in ways.items()
            if how == orders.TRACK and area in self._ahead(game)
        ]
        return list({told(plan): plan for plan in [*found, PlannedAction("rest")]}.values())

    def _ahead(self, game: Pass) -> list[str]:
        """The areas from which it is not as far to the Fort."""
        far = game.land.far(FORT)
        return [area for area in game.land.areas if far[area] < far[game.here]]

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        answer = getattr(self, f"_{context.request.key}", None)
        return answer(context) if answer else super().reply(context)

    def _loss(self, context: DecisionContext) -> str:
        """Who is at full strength first, since a company that is lost costs more; the weakest of them."""
        game: Pass = context.referee
        able = [game.piece(choice.value) for choice in context.request.legal_choices()] if context.request else []
        return min(able, key=lambda piece: (piece.face == REDUCED, game.strength(piece))).id

    def _price(self, context: DecisionContext) -> str:
        game: Pass = context.referee
        offers = [choice.value for choice in context.request.legal_choices()] if context.request else []
        full = [piece for piece in game.companies if piece.face != REDUCED]
        if "stores" in offers:
            return "stores" if game.track("stores") >= 5 or "company" not in offers else "company"
        wanted = "companies" if len(full) > 1 else "wagon"
        return wanted if wanted in offers else offers[0]

    def _refit(self, context: DecisionContext) -> str:
        game: Pass = context.referee
        reduced = [piece for piece in game.companies if piece.face == REDUCED]
        return max(reduced, key=game.strength).id if game.track("stores") > 3 and reduced else orders.NONE

    def _follow(self, context: DecisionContext) -> bool:
        return bool(context.referee.track("fatigue") <= 3)


def told(plan: PlannedAction) -> str:
    """A plan in words."""
    where = plan.answers.get("to") or plan.answers.get("area") or ""
    return f"{plan.action} {where}".strip()


class Planner(Captain):
    """Weighs what the captain would do by playing on from each."""

    def act(self, context: DecisionContext) -> Any:
        if not context.position.flag("order"):
            return "dawn"
        plans = self.plans(context.referee)
        return plans[context.compare_by_rollouts(plans, [told(plan) for plan in plans])]


class PassRoadPlayers(Players):
    """One seat."""

    horizon = 10
    playouts = 40

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {
            BOT: lambda: Captain(self),
            PLANNER: lambda: Planner(self),
            PLAIN: lambda: Policy(self),
            RANDOM: lambda: RandomPolicy(self),
        }

    def rollout_policy(self, seat: str) -> Policy:
        return Captain(self)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[8.3]"""
        total = ending.counted(position).total
        return GameResult("won" if total >= ending.WON else "lost", total)
