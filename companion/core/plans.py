"""Plans of a turn: ways to play the rest of it, compared by rollouts as a whole.

Single actions of a turn hardly differ by more than the luck of a few rollouts; whole turns do. A game offers its plans by
`Players.plans`, and its planner is wrapped in a `PlanningPolicy`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.core.candidates import Candidate, Recommendation
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.policies import DecisionContext, Players, Policy
from companion.core.values import ReplyValue


class TurnPlan(NamedTuple):
    """A way to play the rest of a turn.

    ``id`` is stable, ``title`` says what is done, ``make_policy`` makes the policy that plays so, and ``prior`` is how many VP
    better than the first plan it is believed to be.
    """

    id: str
    title: str
    make_policy: Callable[[], Policy]
    prior: float = 0.0


class PlanningPolicy(Policy):
    """Chooses a plan by rollouts at the first action of a turn (see `Players.plan_period`), and follows it to the turn's end.

    Without rollouts it follows the first plan, as it does where there is no other.
    """

    def __init__(self, players: Players, plans: Callable[[DecisionContext], Sequence[TurnPlan]]) -> None:
        super().__init__(players)
        self._plans = plans
        self._period: object = None
        self._followed: Policy | None = None

    def act(self, context: DecisionContext) -> Any:
        period = self.players.plan_period(context.position)
        if self._followed is None or period != self._period:
            self._period, self._followed = period, None
            return self._choose(context)
        return self._followed.act(context)

    def reply(self, context: DecisionContext) -> ReplyValue:
        return self._policy(context).reply(context)

    def has_advice(self, context: DecisionContext) -> bool:
        return self._policy(context).has_advice(context)

    def is_visible_on_table(self, context: DecisionContext) -> bool:
        return self._policy(context).is_visible_on_table(context)

    def reply_after_refusal(self, context: DecisionContext, times: int) -> ReplyValue:
        return self._policy(context).reply_after_refusal(context, times)

    def _policy(self, context: DecisionContext) -> Policy:
        """The policy that is followed; at a question before any action the one of the first plan."""
        return self._followed or self._plans(context)[0].make_policy()

    def _choose(self, context: DecisionContext) -> Any:
        plans = self._plans(context)
        if len(plans) < 2 or not context.playouts:
            self._followed = plans[0].make_policy()
            return self._followed.act(context)
        policies = {plan.id: plan.make_policy() for plan in plans}
        asides = {plan.id: context.aside() for plan in plans}
        firsts = {plan.id: policies[plan.id].act(asides[plan.id]) for plan in plans}
        candidates = [
            Candidate(plan, plan.title, plan.prior, reasons=tuple(asides[plan.id].reasons[:1]), plan=plan.title) for plan in plans
        ]
        ranking = Recommendation(candidates[0], tuple(candidates[1:]), rivals=len(candidates) - 1)
        chosen = context.compare(ranking)
        if chosen.stats is None:  # the time was too short for a single world
            self._followed = plans[0].make_policy()
            return self._followed.act(context)
        context.explain(*chosen.lines())
        context.consider(chosen, lambda plan: firsts[plan.id])
        self._followed = policies[chosen.best.decision.id]
        return firsts[chosen.best.decision.id]
