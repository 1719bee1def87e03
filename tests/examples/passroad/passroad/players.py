"""Who plays the column without people, and what is won."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.match import Plan
from companion.core.players import BOT, PLAIN, PLANNER, RANDOM, AnyAnswer, Asked, Outcome, Players, Policy
from companion.core.position import Position

from . import attacks, ending, orders
from .land import FORT
from .referee import REDUCED, Pass

DARES = 0
"""Modifiers from which the captain attacks."""


class Captain(Policy):
    """Follows the road: clears it where the odds allow, scouts what is held, rests when worn."""

    def act(self, at: Asked) -> Any:
        if not at.position.flag("order"):
            return "dawn"
        chosen = self.plans(at.referee)[0]
        at.explain(f"first of its priorities: {told(chosen)}")
        return chosen

    def plans(self, game: Pass) -> list[Plan]:
        """What can be done, the best by the priorities first."""
        onward, fatigue, late = game.land.onward(game.here), game.track("fatigue"), game.track("turn") >= 7
        ways, found = orders.ways(game), []
        free = onward in ways
        able = len(game.companies) > 1 and bool(game.track("stores"))
        if fatigue >= 3 and not (late and free):
            found.append(Plan("rest"))
        if onward in attacks.targets(game) and able:
            drm = attacks.modifiers(game, onward, game.companies[:-1]).total
            strike = Plan("attack", {"area": onward, "companies": [one.id for one in game.companies[:-1]]})
            scouted = game.scouted(onward)
            found += [strike] if drm > DARES or scouted or late else [Plan("scout", {"area": onward}), strike]
        forced = [area for area, how in ways.items() if how == orders.FORCED and area in self._ahead(game)]
        if forced and not fatigue and not game.around:
            found.append(Plan("march", {"to": forced[0]}))
        if free:
            found.append(Plan("march", {"to": onward}))
        found += [Plan("march", {"to": area}) for area, how in ways.items() if how == orders.TRACK and area in self._ahead(game)]
        return list({told(plan): plan for plan in [*found, Plan("rest")]}.values())

    def _ahead(self, game: Pass) -> list[str]:
        """The areas from which it is not as far to the Fort."""
        far = game.land.far(FORT)
        return [area for area in game.land.areas if far[area] < far[game.here]]

    def reply(self, at: Asked) -> Any:
        assert at.request is not None
        answer = getattr(self, f"_{at.request.key}", None)
        return answer(at) if answer else super().reply(at)

    def _loss(self, at: Asked) -> str:
        """Who is at full strength first, since a company that is lost costs more; the weakest of them."""
        game: Pass = at.referee
        able = [game.piece(choice.value) for choice in at.request.legal()] if at.request else []
        return min(able, key=lambda piece: (piece.face == REDUCED, game.strength(piece))).id

    def _price(self, at: Asked) -> str:
        game: Pass = at.referee
        offers = [choice.value for choice in at.request.legal()] if at.request else []
        full = [piece for piece in game.companies if piece.face != REDUCED]
        if "stores" in offers:
            return "stores" if game.track("stores") >= 5 or "company" not in offers else "company"
        wanted = "companies" if len(full) > 1 else "wagon"
        return wanted if wanted in offers else offers[0]

    def _refit(self, at: Asked) -> str:
        game: Pass = at.referee
        reduced = [piece for piece in game.companies if piece.face == REDUCED]
        return max(reduced, key=game.strength).id if game.track("stores") > 3 and reduced else orders.NONE

    def _follow(self, at: Asked) -> bool:
        return bool(at.referee.track("fatigue") <= 3)


def told(plan: Plan) -> str:
    """A plan in words."""
    where = plan.answers.get("to") or plan.answers.get("area") or ""
    return f"{plan.action} {where}".strip()


class Planner(Captain):
    """Weighs what the captain would do by playing on from each."""

    def act(self, at: Asked) -> Any:
        if not at.position.flag("order"):
            return "dawn"
        plans = self.plans(at.referee)
        return plans[at.weigh(plans, [told(plan) for plan in plans])]


class Own(Players):
    """One seat."""

    horizon = 10
    think = 40

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {
            BOT: lambda: Captain(self),
            PLANNER: lambda: Planner(self),
            PLAIN: lambda: Policy(self),
            RANDOM: lambda: AnyAnswer(self),
        }

    def rollout(self, seat: str) -> Policy:
        return Captain(self)

    def outcome(self, position: Position, options: Mapping[str, str]) -> Outcome:
        """[8.3]"""
        total = ending.counted(position).total
        return Outcome("won" if total >= ending.WON else "lost", total)
