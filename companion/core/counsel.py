"""What a policy would do in the player's place: the same decision that it takes in whole games, told with its reasons."""

from __future__ import annotations

from typing import Any

from companion.core.events import Said
from companion.core.match import Plan, Spot, weigh
from companion.core.players import Asked, Luck
from companion.core.request import Request
from companion.core.requests import Printed
from companion.core.thinking import Thought


def counsel(spot: Spot, referee: Any, request: Request[Any] | None, budget: int | None, label: str, watch: Any) -> Said | None:
    """What the game's adviser would do at a spot; None where the game has no adviser for who decides there.

    Args:
        referee: on the position as it is at the spot.
        request: the question that is open; None between two actions.
        budget: playouts a candidate; None: the game's own.
        label: of chance; never that of the session's own dice.
        watch: is shown how far it has come.
    """
    players = spot.game.players
    acting = players.acting(spot.start)
    seat = players.asked(request, acting) if request is not None else acting
    if not (name := players.adviser(seat)):
        return None
    if request is not None and (request.by_chance or isinstance(request, Printed)):
        return Said("Nothing is to be decided: go on.", request.rule, (), "")
    usual = players.think if players.think_for_advice is None else players.think_for_advice
    many = usual if budget is None else budget

    def weighed(candidates: Any, names: Any, times: int) -> Thought:
        return weigh(spot, seat, candidates, names, many * times, label, watch)

    asked = Asked(
        spot.game, spot.options, seat, referee, request, Luck(f"advice/{label}").number, weighed, facts=lambda: spot.facts
    )
    asked.budget, asked.watch, asked.steady = many, watch, True
    policy = players.policy(seat, name)
    if request is None:
        chosen = policy.act(asked)
        plan = chosen if isinstance(chosen, Plan) else Plan(chosen)
        return Said(f"{_typed(plan)}." if plan.action else "Nothing more.", _rule(spot, plan), tuple(asked.reasons), "")
    if not policy.advises(asked):
        return None
    text = _answer(request.told(policy.reply(asked)))
    whose = f" for the {request.whose}" if request.whose else ""
    return Said(f"Advice{whose}: {text}.", request.rule, tuple(asked.reasons), "")


def _typed(plan: Plan) -> str:
    """A plan as it would be typed."""
    return " ".join([plan.action, *(f"{key}={_typed_answer(value)}" for key, value in plan.answers.items())])


def _typed_answer(value: Any) -> str:
    text = _answer(", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value))
    return f"'{text}'" if " " in text else text


def _answer(text: str) -> str:
    """An answer as people say it."""
    return {"True": "yes", "False": "no"}.get(text, text)


def _rule(spot: Spot, plan: Plan) -> str:
    return next((action.rule for action in spot.game.actions if action.id == plan.action), "")
