"""Who leads the rearguard without a person, and what is advised."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from companion.core.candidates import Candidate, rank
from companion.core.match import PlannedAction
from companion.core.policies import BOT, DecisionContext, GameResult, Players, Policy
from companion.core.position import Position
from companion.core.referee import Referee

from . import rules
from .areas import AREAS, FAR, title

RING = ("mill", "market", "church")  # The areas beside the Landing


class Major(Policy):
    """Holds the ring around the Landing, dug in; strikes where it pays."""

    def act(self, context: DecisionContext[Referee]) -> Any:
        found = [*self.strikes(context.referee), *self.moves(context.position), *self.holes(context.position)]
        found.append(Candidate(PlannedAction("end"), "end the turn"))
        ranking = context.choose(rank(found))
        context.explain(*ranking.brief())
        return ranking.best.decision

    def strikes(self, referee: Referee) -> list[Candidate[PlannedAction]]:
        """Strikes of all that can; the value is the step to be gained."""
        found = []
        for area in rules.targets(referee.position):
            able = rules.strikers(referee.position, area)
            results = rules.chances(referee, rules.difference(referee, able, area, "enemy"))
            gain = results.get("shaken", 0) + 2 * results.get("driven", 0) - 1.5 * results.get("repelled", 0)
            plan = PlannedAction("strike", {"target": area, "units": [unit.id for unit in able]})
            found.append(Candidate(plan, f"strike at {title(area)}", gain - 0.4, reasons=(f"{gain:+.2f} steps",)))
        return found

    def moves(self, position: Position) -> list[Candidate[PlannedAction]]:
        """Into the ring, where it is thinnest."""
        found = []
        for company in rules.movers(position):
            if company.place in RING and self.held(position, company.place) <= 3:
                continue
            for area in rules.ways(position, company):
                if (area in RING and company.place not in RING) or 2 < FAR[company.place] > FAR[area]:
                    value = 0.5 - 0.05 * self.held(position, area)
                    plan = PlannedAction("move", {"unit": company.id, "to": area})
                    found.append(Candidate(plan, f"{company.name} to {title(area)}", value, reasons=("to the ring",)))
        return found

    def held(self, position: Position, area: str) -> int:
        """The strength in an area."""
        return sum(map(rules.strength, rules.units(position, area, "company")))

    def holes(self, position: Position) -> list[Candidate[PlannedAction]]:
        """Dig in where one stays."""
        return [
            Candidate(PlannedAction("dig", {"unit": company.id}), f"{company.name} digs in", 0.2, reasons=("it stays",))
            for company in rules.diggers(position)
        ]

    def reply(self, context: DecisionContext[Referee]) -> Any:
        request, position = context.request, context.position
        if request is None:
            return super().reply(context)
        if request.key == "load":
            return request.check(self.load(context))
        if request.key == "stance":
            return request.check(self.stance(context))
        if request.key == "loss":
            pieces = [position.piece(choice.value) for choice in request.choices]
            best = max(pieces, key=lambda piece: (piece.face != "reduced", -piece.number("strength")))
            context.explain("the least strength is lost")
            return request.check(best.id)
        return super().reply(context)

    def load(self, context: DecisionContext[Referee]) -> str:
        """The load with the most points to be expected."""
        waiting = context.position.track("waiting")
        gains = {}
        for name in rules.loads(context.position):
            load = min(rules.LOADS[name], waiting)
            gains[name] = rules.worth(rules.ferry_chances(context.referee, load), load)
        best = max(gains, key=gains.__getitem__)
        context.explain(", ".join(f"{name} {gain:+.2f}" for name, gain in gains.items()))
        return best

    def stance(self, context: DecisionContext[Referee]) -> str:
        """Fall back outside the ring if being driven out is likely."""
        position = context.position
        area = str(position.flag("target"))
        attackers = [piece for piece in position.of_kind("enemy") if piece.mark("assaults")]
        results = rules.chances(context.referee, rules.difference(context.referee, attackers, area, "company"))
        driven, hurt = results.get("driven", 0), results.get("shaken", 0)
        context.explain(f"{driven:.0%} to be driven out, {hurt:.0%} to lose a step")
        limit = 0.99 if area == "landing" else 0.6 if area in RING else 0.3
        return "back" if driven > limit and area in AREAS else "stand"


class FerryPlayers(Players):
    """The only seat."""

    horizon = 3
    winning_results = ("won",)

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        return {BOT: lambda: Major(self), **super().policies(seat)}

    def adviser(self, seat: str) -> str:
        return BOT

    def rollout_policy(self, seat: str) -> Policy:
        return Major(self)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        score = self.game.score(position, options)
        return GameResult(score.verdict, score.total)
