"""What a policy would do in the player's place: the same decision that it takes in whole games, told with its reasons."""

from __future__ import annotations

from typing import Any, NamedTuple

from companion.core.events import Said
from companion.core.match import Plan, Spot, weigh
from companion.core.players import Asked, Luck
from companion.core.request import Request
from companion.core.requests import Printed
from companion.core.thinking import Thought


class Counsel(NamedTuple):
    """What is advised, with its reasons; and what has to be typed to do it, "" where there is nothing to do."""

    said: Said
    typed: str = ""


_SEEN = "Nothing is to be decided: it is to be seen on the table"


def counsel(spot: Spot, referee: Any, request: Request[Any] | None, budget: int | None, label: str, watch: Any) -> Counsel | None:
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
    if request is None and (over := players.over(spot.start)):
        return Counsel(Said(f"Nothing more is to be done: {over}", "", (), ""))
    if request is not None and request.by_chance:
        return Counsel(Said("Nothing is to be decided: go on", request.rule, (), ""))
    if isinstance(request, Printed):
        return Counsel(Said(_SEEN, request.rule, (), ""))
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
        return Counsel(Said(typed(plan) or "Nothing more", _rule(spot, plan), tuple(asked.reasons), ""), typed(plan))
    if policy.sees(asked):
        return Counsel(Said(_SEEN, request.rule, (), ""))
    if not policy.advises(asked):
        return None
    whose = f" for the {request.whose}" if request.whose else ""
    reply = policy.reply(asked)
    text = request.typed(reply)
    told = request.told(reply).removeprefix(text).strip()  # a title begins with the name that is typed
    also = f" ({told})" if told else ""
    return Counsel(Said(f"Advice{whose}: {text}{also}", request.rule, tuple(asked.reasons), ""), text)


def typed(plan: Plan) -> str:
    """A plan as it is typed: no full stop behind it, which would be taken for a part of the last answer."""
    return " ".join([plan.action, *(f"{key}={_answer(value)}" for key, value in plan.answers.items())])


def _answer(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    text = ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
    mark = '"' if "'" in text else "'"  # a Section may bear a prime: 14-2'
    return f"{mark}{text}{mark}" if " " in text or "'" in text else text


def _rule(spot: Spot, plan: Plan) -> str:
    return next((action.rule for action in spot.game.actions if action.id == plan.action), "")
