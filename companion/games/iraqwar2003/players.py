"""The two seats of Iraq War 2003, and who may sit there when nobody does."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from companion.core.match import PlannedAction
from companion.core.policies import BOT, PLAIN, RANDOM, AdvisedPolicy, DecisionContext, GameResult, Players, Policy, RandomPolicy
from companion.core.position import Position
from companion.core.procedures import ProcedureRun
from companion.core.rollouts import HARD, LEVEL, LEVELS
from companion.games.iraqwar2003.coalition import campaign
from companion.games.iraqwar2003.coalition.plain import Advancing
from companion.games.iraqwar2003.land import land_of
from companion.games.iraqwar2003.rules.r04_sequence import undisrupted_units
from companion.games.iraqwar2003.rules.r15_victory import count_points
from companion.games.iraqwar2003.state import COALITION, IRAQ, OPERATIONS, PHASE, SIDE
from companion.games.iraqwar2003.wild import wild
from companion.games.iraqwar2003.worth import coalition_worth

T = TypeVar("T")
_DEEDS = ("move", "road", "drop", "rail")
_WEIGHTS = {"move": 12, "recover": 3, "facility": 4, "bomb": 4, "supply": 2, "end": 1, "control": 0, "units": 0, "loss": 0}
"""How often a random player takes an action; what only tells of the table is none."""


class Passive(Policy):
    """Goes through the phases, takes what is suggested, and moves nobody."""

    def act(self, context: DecisionContext) -> str:
        usual = context.game.default_action(context.position)
        return "end" if usual in ("move", "") else usual


class Proposed(AdvisedPolicy):
    """Companion's own player of a side: its proposals are what is suggested; to the player of a side it says what it would do."""

    def has_advice(self, context: DecisionContext) -> bool:
        return context.request is not None and (context.request.advice is not None or bool(_orders(context)))

    def act(self, context: DecisionContext) -> Any:
        usual = context.game.default_action(context.position) or "end"
        found = _orders(context) if usual == "move" else []
        if not found:
            return usual
        best = _weighed(context, found, [PlannedAction("move", {"units": one.text}) for one in found[: campaign.TRIED]])
        return "end" if best.answers["units"] == campaign.DONE else best

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        found = _orders(context) if context.request.advice is None else []
        if not found:
            return super().reply(context)
        return context.request.check(_weighed(context, found, [one.text for one in found[: campaign.TRIED]]))


def _weighed(context: DecisionContext, found: Sequence[campaign.Course], tried: Sequence[T]) -> T:
    """The best of some orders, with its reasons."""
    told = len(context.reasons)
    best = tried[context.compare_by_rollouts(tried, [one.text for one in found[: len(tried)]])]
    if len(context.reasons) == told:
        context.explain(*campaign.reasons(found))
    return best


def _orders(context: DecisionContext) -> list[campaign.Course]:
    """[4.1(4)] What we would order for the player of the Coalition, the best first, worked out on a table of its own; nothing
    where something else is asked, or our opponent plays that side itself.
    """
    request = context.request
    if (
        context.seat != COALITION
        or context.options.get(COALITION) == BOT
        or (request and (request.key, request.rule) != _WHO_ACTS)
    ):
        return []
    table: Any = context.game.new_referee(context.position, context.options)
    run = ProcedureRun(table, campaign.orders(table), lambda effect: effect.resolve(context.facts).value)
    if run.request is not None:
        run.close()
    return run.result or []


_WHO_ACTS = ("units", "12.1(1)")
"""The question who acts next: its key, and its rule."""


class Own(Players):
    """How Iraq War 2003 is played without people."""

    seats = (COALITION, IRAQ)
    seats_alternate = True
    max_actions = 4_000
    horizon = 2
    advice_playouts = 8

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        plain = {COALITION: Advancing, IRAQ: Passive}[seat]
        return {PLAIN: lambda: plain(self), RANDOM: lambda: RandomPolicy(self), BOT: lambda: Proposed(self)}

    def options_for_policies(self, policies: Mapping[str, str]) -> Mapping[str, str]:
        ours = {seat: "bot" for seat, policy in policies.items() if policy == BOT}
        return {**ours, "opponent": "acts"} if ours else {}

    def rollout_policy(self, seat: str) -> Policy:
        return self.policies(seat)[PLAIN]()

    def rollout_options(self, options: Mapping[str, str]) -> Mapping[str, str]:
        return {**options, COALITION: "player", IRAQ: "player"}

    def practice_options(self) -> Mapping[str, str]:
        return {"scenario": "war"}

    def acting_seat(self, position: Position) -> str:
        return str(position.flag(SIDE, COALITION))

    def adviser(self, seat: str) -> str:
        return BOT

    def default_playouts(self, options: Mapping[str, str]) -> int:
        """By its priorities alone; at the hard level it plays on as often as for advice."""
        hard = options.get(LEVEL) == HARD
        return self.advice_playouts // LEVELS[HARD].times if hard else self.playouts

    def advises_between(self, position: Position, options: Mapping[str, str]) -> bool:
        ours = self.acting_seat(position) == COALITION and options.get(COALITION) != BOT
        return ours and position.flag(PHASE) == OPERATIONS and bool(land_of(position).how)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        score = count_points(position, self.game.tables.charts)
        needed = self.game.tables.charts["victory"].number("needed", "vp")
        return GameResult(COALITION if score.total >= needed else IRAQ, score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        expected = coalition_worth(position, self.game.tables.charts)
        return expected if seat == COALITION else -expected

    def action_weight(self, action: str) -> int:
        return _WEIGHTS.get(action, 1)

    def random_action(self, context: DecisionContext) -> str:
        """Nothing is tried of which nobody is left to do it."""
        found = super().random_action(context)
        return "end" if found in _DEEDS and not undisrupted_units(context.position) else found

    def random_reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        return wild(context.position, context.request, context.randbelow)
