"""What a policy would do in the player's place: the same decision that it takes in whole games, told with its reasons."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.core.events import Said
from companion.core.match import DecisionPoint, PlannedAction, compare_by_rollouts
from companion.core.players import DecisionContext, RandomStream
from companion.core.request import Request
from companion.core.requests import Printed
from companion.core.thinking import DecisionStats


class AdvisedMove(NamedTuple):
    """What is advised, with its reasons; and what has to be typed to do it, "" where there is nothing to do."""

    said: Said
    input_text: str = ""


_SEEN = "Nothing is to be decided: it is to be seen on the table"


def recommend_for(
    spot: DecisionPoint, referee: Any, request: Request[Any] | None, budget: int | None, label: str, watch: Any
) -> AdvisedMove | None:
    """What the game's adviser would do at a spot; None where the game has no adviser for who decides there.

    Args:
        referee: on the position as it is at the spot.
        request: the question that is open; None between two actions.
        budget: playouts a candidate; None: the game's own.
        label: of chance; never that of the session's own dice.
        watch: is shown how far it has come.
    """
    players = spot.game.players
    acting = players.acting_seat(spot.start)
    seat = players.asked_seat(request, acting) if request is not None else acting
    if not (name := players.adviser(seat)):
        return None
    if request is None and (over := players.over(spot.start)):
        return AdvisedMove(Said(f"Nothing more is to be done: {over}", "", (), ""))
    if request is not None and request.chance_setting:
        return AdvisedMove(Said("Nothing is to be decided: go on", request.rule, (), ""))
    if isinstance(request, Printed):
        return AdvisedMove(Said(_SEEN, request.rule, (), ""))
    usual = players.playouts if players.advice_playouts is None else players.advice_playouts
    many = usual if budget is None else budget

    def weighed(candidates: Any, names: Any, times: int) -> DecisionStats:
        return compare_by_rollouts(spot, seat, candidates, names, many * times, label, watch)

    asked = DecisionContext(
        spot.game,
        spot.options,
        seat,
        referee,
        request,
        RandomStream(f"advice/{label}").randbelow,
        weighed,
        facts=lambda: spot.facts,
    )
    asked.playouts, asked.on_progress, asked.is_advising = many, watch, True
    policy = players.policy(seat, name)
    if request is None:
        chosen = policy.act(asked)
        plan = chosen if isinstance(chosen, PlannedAction) else PlannedAction(chosen)
        return AdvisedMove(
            Said(plan_to_input(plan) or "Nothing more", _rule(spot, plan), tuple(asked.reasons), ""), plan_to_input(plan)
        )
    if policy.is_visible_on_table(asked):
        return AdvisedMove(Said(_SEEN, request.rule, (), ""))
    if not policy.has_advice(asked):
        return None
    whose = f" for the {request.asked_side}" if request.asked_side else ""
    reply = policy.reply(asked)
    text = request.to_input(reply)
    told = request.display(reply).removeprefix(text).strip()  # a title begins with the name that is typed
    also = f" ({told})" if told else ""
    return AdvisedMove(Said(f"Advice{whose}: {text}{also}", request.rule, tuple(asked.reasons), ""), text)


def plan_to_input(plan: PlannedAction) -> str:
    """A plan as it is typed: no full stop behind it, which would be taken for a part of the last answer."""
    return " ".join([plan.action, *(f"{key}={_answer(value)}" for key, value in plan.answers.items())])


def _answer(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    mark = '"' if "'" in text else "'"  # a Section may bear a prime: 14-2'
    return f"{mark}{text}{mark}" if " " in text or "'" in text else text


def _rule(spot: DecisionPoint, plan: PlannedAction) -> str:
    return next((action.rule for action in spot.game.actions if action.id == plan.action), "")
