"""Plans of a turn: how Companion's side plays its Operation Phase, chosen by rollouts at the hard level."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.rollouts import RolloutDecision, level_of
from companion.core.values import JsonObject
from companion.games.iraqwar2003 import state
from companion.games.iraqwar2003.ai.valuation import announce
from companion.games.iraqwar2003.referee import IraqWarReferee


class SidePlan(NamedTuple):
    """A way to play a turn.

    Attributes:
        title: What the side does.
        factors: What constants of ``ai.toml`` are multiplied by: ``coalition.hurt`` and its factor.
        prior: Victory points that it is believed to be better than the first plan.
    """

    id: str
    title: str
    factors: Mapping[str, float] = {}
    prior: float = 0.0


def plans_of(priorities: JsonObject, side: state.Side) -> list[SidePlan]:
    """The plans of a side, the usual one first."""
    return [SidePlan(name, **body) for name, body in priorities["plans"][side].items()]


async def choose_plan(referee: IraqWarReferee, side: state.Side) -> None:
    """[4.1(4)] At the first order of a turn, choose a plan by rollouts; other levels than the hard one play as usual."""
    if not referee.computer_plays(side) or level_of(referee.options, side).times < 2 or _chosen(referee, side):
        return
    plans = plans_of(referee.priorities, side)
    titles, priors = [plan.title for plan in plans], [plan.prior for plan in plans]
    stats = await RolloutDecision("plan", "4.1(4)", side, titles, priors)
    plan = plans[stats.choice]
    referee.set_flag(state.PLAN, f"{_prefix(referee, side)}{plan.id}", "4.1(4)", plan.title)
    if stats.rows:
        announce(referee, f"{state.WHO[side]} {plan.title}.", "4.1(4)", *stats.explain())


def _prefix(referee: IraqWarReferee, side: state.Side) -> str:
    return f"{side} {referee.turn} "


def _chosen(referee: IraqWarReferee, side: state.Side) -> str:
    """The id of the plan chosen this turn, or ""."""
    flag, prefix = str(referee.position.flag(state.PLAN) or ""), _prefix(referee, side)
    return flag.removeprefix(prefix) if flag.startswith(prefix) else ""


def planned_priorities(referee: IraqWarReferee, side: state.Side) -> JsonObject:
    """The content of ``ai.toml`` with the factors of the plan chosen this turn."""
    source, chosen = referee.priorities, _chosen(referee, side)
    plan = next((plan for plan in plans_of(source, side) if plan.id == chosen), None) if chosen else None
    if plan is None or not plan.factors:
        return source
    cached = _PLANNED.get((side, chosen))
    if cached is None or cached[0] is not source:
        cached = _PLANNED[side, chosen] = source, _multiplied(source, plan.factors)
    return cached[1]


_PLANNED: dict[tuple[state.Side, str], tuple[JsonObject, JsonObject]] = {}
"""Cache by side and plan: the content of ``ai.toml``, and the same with the plan's factors."""


def _multiplied(source: JsonObject, factors: Mapping[str, float]) -> JsonObject:
    changed = dict(source)
    for name, factor in factors.items():
        section, _, constant = name.partition(".")
        changed[section] = {**changed[section], constant: changed[section][constant] * factor}
    return changed
