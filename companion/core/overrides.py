"""Policies on top of another one: some decisions are made otherwise, and the other policy makes the rest."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from copy import copy

from companion.core.candidates import Candidate
from companion.core.errors import Unreadable
from companion.core.hints import Any
from companion.core.match import PlannedAction, compared_plans, planned_action
from companion.core.named_tuple import NamedTuple
from companion.core.policies import DecisionContext, Policy, RandomStream
from companion.core.values import ReplyValue

BASE_DECIDES: Any = object()
"""Returned where the policy below decides."""


class OverridingPolicy(Policy):
    """A policy on top of another one (`base`), which makes every decision that `override` leaves open.

    An answer that the rules refuse is replaced by that of the base.
    """

    revises_plans = True

    def __init__(self, base: Policy) -> None:
        super().__init__(base.players)
        self.base = base
        self.level = base.level
        self.has_decided = False
        """True if the last answer was this policy's own."""

    @property
    def counts_refusals(self) -> bool:  # type: ignore[override]
        return self.has_decided or (self.base.counts_refusals and type(self.base) is not Policy)

    def title_and_place(self, method: str) -> tuple[str, tuple[str, int]]:
        return self.base.title_and_place(method)

    def override(self, context: DecisionContext) -> Any:
        """Return the answer to the question, as its ``check`` accepts it; `BASE_DECIDES` to leave it to the base.

        Raises:
            Unreadable: The answer cannot be read; it counts as refused.
        """
        raise NotImplementedError

    def refused(self, context: DecisionContext) -> None:
        """Called if the rules refuse an answer of this policy."""

    def act(self, context: DecisionContext) -> Any:
        return self.base.act(context)

    def reply(self, context: DecisionContext) -> ReplyValue:
        assert context.request is not None
        self.has_decided = True  # if the answer cannot be read either
        answer = self.override(context)
        if answer is BASE_DECIDES:
            self.has_decided = False
            return self._base_reply(context)
        if context.request.key in context.planned:
            planned = context.planned.pop(context.request.key)
            with suppress(Unreadable):
                planned = context.request.check(planned)
            if planned != answer:
                context.planned.clear()  # the rest of the plan rests on the answer that is replaced
        return answer

    def _base_reply(self, context: DecisionContext) -> ReplyValue:
        assert context.request is not None
        if context.request.key in context.planned and not self.base.revises_plans:
            return context.request.check(context.planned.pop(context.request.key))
        return self.base.reply(context)

    def has_advice(self, context: DecisionContext) -> bool:
        return self.base.has_advice(context)

    def is_visible_on_table(self, context: DecisionContext) -> bool:
        return self.base.is_visible_on_table(context)

    def reply_after_refusal(self, context: DecisionContext, times: int) -> ReplyValue:
        if self.has_decided:
            self.has_decided = False
            self.refused(context)
            return self._base_reply(context)
        return self.base.reply_after_refusal(context, times)


class FixedAnswer(NamedTuple):
    """An answer that is given where its question is asked, once: of the seat, or of any seat ("")."""

    key: str
    text: str
    seat: str = ""

    @property
    def typed(self) -> str:
        """The answer as it is given."""
        return f"{self.seat}.{self.key}={self.text}" if self.seat else f"{self.key}={self.text}"


class FixedAnswers:
    """The fixed answers of one game, used in order, and what became of them."""

    def __init__(self, answers: Iterable[FixedAnswer]) -> None:
        self._left = list(answers)
        self._taken: list[FixedAnswer] = []
        self._faults: list[tuple[FixedAnswer, str]] = []

    def take(self, key: str, seat: str) -> FixedAnswer | None:
        """Take the next answer to a question; None if there is none."""
        for answer in self._left:
            if answer.key == key and answer.seat in ("", seat):
                self._left.remove(answer)
                self._taken.append(answer)
                return answer
        return None

    def refuse(self, why: str) -> None:
        """Note that the answer taken last was refused."""
        self._faults.append((self._taken.pop(), f"refused: {why}"))

    def end_action(self, is_given_up: bool) -> None:
        """Note the end of an action; one that was given up leaves no trace of its answers."""
        if is_given_up:
            self._faults += [(answer, "refused: the action was given up") for answer in self._taken]
        self._taken.clear()

    def unused(self) -> Sequence[str]:
        """The answers that were not used, each with the reason."""
        faults = [*self._faults, *((answer, "not asked") for answer in self._left)]
        return [f"{answer.typed}: {why}" for answer, why in faults]


class FixedAnswersPolicy(OverridingPolicy):
    """Gives fixed answers for a seat where they fit; the base makes all other decisions."""

    def __init__(self, base: Policy, fixed: FixedAnswers) -> None:
        super().__init__(base)
        self._fixed = fixed

    def act(self, context: DecisionContext) -> Any:
        self._fixed.end_action(bool(context.given_up))
        return self.base.act(context)

    def override(self, context: DecisionContext) -> Any:
        assert context.request is not None
        answer = self._fixed.take(context.request.key, context.seat)
        return BASE_DECIDES if answer is None else context.request.read(answer.text)

    def refused(self, context: DecisionContext) -> None:
        self._fixed.refuse(context.refusal)


def candidates_of(policy: Policy, context: DecisionContext) -> tuple[Candidate[PlannedAction], ...]:
    """Return the candidates that a policy compares at a decision, the best first; none if it compares nothing.

    The luck of the decision and its explanation are not touched; the policy should be one that plays no game.
    """
    request = context.request
    aside: DecisionContext[Any] = copy(context)
    aside.reasons, aside.candidates, aside.is_advising, aside.planned = [], (), True, {}
    aside.randbelow = RandomStream(f"candidates/{context.seat}").randbelow
    if request is None:
        return compared_plans(aside, planned_action, planned_action(policy.act(aside)))
    if request.chance_setting or policy.is_visible_on_table(aside) or not policy.has_advice(aside):
        return ()
    key = request.key
    advised = PlannedAction("", {key: policy.reply(aside)})
    return compared_plans(aside, lambda decision: PlannedAction("", {key: request.check(decision)}), advised)
