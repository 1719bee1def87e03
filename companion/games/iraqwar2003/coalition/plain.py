"""A simple player of the Coalition: along the roads to the cities, attacks at good odds with support from the air, bombs
on Air Fields and Radio. He weighs nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.match import PlannedAction
from companion.core.policies import DecisionContext, Policy
from companion.core.position import Piece
from companion.games.iraqwar2003.coalition.ground import FAR, LEFT, Blow, Sight, is_kurdish, travel
from companion.games.iraqwar2003.notation import AIRFIELD, LADDER, RADIO, STAY, is_naval
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, units_on_map_of
from companion.games.iraqwar2003.rules.r04_sequence import recovery_obstacle, units_to_act
from companion.games.iraqwar2003.rules.r12_movement import Reach
from companion.games.iraqwar2003.state import COALITION, DISRUPTED, FACILITY, NONE, OPERATIONS

GOOD = LADDER.index("5-1")
"""The column at which he attacks."""
SHIPS = 3
"""Cruise missiles a turn: each ship has one a game [2.5.4(2)]."""


class Advancing(Policy):
    """See above."""

    def act(self, context: DecisionContext) -> Any:
        game: IraqWarReferee = context.referee
        if game.phase != OPERATIONS:
            return context.game.default_action(context.position)
        if any(not recovery_obstacle(context.position, piece) for piece in units_to_act(context.position)):
            return "recover"
        order = next_order(game)
        return PlannedAction("move", {"units": order}) if order else "end"

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        found = _ANSWERS.get(context.request.key)
        told = found(context.referee, context) if found else None
        return super().reply(context) if told is None else context.request.check(told)


# -- on the ground -------------------------------------------------------------------------------------------------------


def next_order(game: IraqWarReferee) -> str:
    """Who moves next, where to, and whom it attacks; "" where everybody has acted."""
    sight = Sight(game, LEFT)
    stacks = sight.stacks()
    if not stacks:
        return ""
    pieces = stacks[0]
    reach = sight.field.reach(pieces)
    planes = max((value.support for piece in game.air_units(COALITION) if (value := game.known_values(piece))), default=0)
    blow = _best_blow(sight, [one for one in sight.blows(pieces, reach) if one.at + planes >= GOOD])
    end = blow.base if blow else _advance(sight, pieces, reach)
    way = " ".join(reach.path(end)) or STAY
    return " > ".join([game.piece_names(pieces), way, *([blow.target] if blow else [])])


def _best_blow(sight: Sight, blows: Sequence[Blow]) -> Blow | None:
    goals = sight.goals()
    return max(blows, key=lambda blow: (goals.get(blow.target, 0), min(blow.at, len(LADDER)), blow.base), default=None)


def _advance(sight: Sight, pieces: Sequence[Piece], reach: Reach) -> str:
    """The hex on the way to the nearest place that counts, for what it counts."""
    start, goals = pieces[0].place, sight.goals()
    if not goals or (is_kurdish(pieces) and start in _HOMES):
        return start
    ways = {goal: travel(sight.front, goal) for goal in goals}
    goal = min(goals, key=lambda one: (ways[one].get(start, FAR) / goals[one] ** 0.5, one))
    return min(reach.spent, key=lambda number: (ways[goal].get(number, FAR), reach.spent[number], number))


_HOMES = ("1107", "1810")
"""Supply sources of the Kurds, which they do not leave [10.0(2)]."""


# -- what he is asked ----------------------------------------------------------------------------------------------------


def _bombs(game: IraqWarReferee, context: DecisionContext) -> str | None:
    """The groups of a whole phase: on Air Fields, then Radio; on units beside his own."""
    if game.side != COALITION:
        return None
    planes = [piece for piece in game.air_units(COALITION) if (values := game.known_values(piece)) and values.bombing]
    idle = [piece for piece in planes if (values := game.known_values(piece)) and not values.support]
    if game.phase == FACILITY:
        ships = [piece for piece in idle if is_naval(piece)][:SHIPS]
        bombers = [*ships, *(piece for piece in idle if not is_naval(piece))]
        targets = [box.name for kind in (AIRFIELD, RADIO) for box in intact(boxes(game.position, kind))]
    else:
        bombers = [piece for piece in idle if not is_naval(piece)]
        targets = [piece.name for piece in _beside(game)]
    pairs = [f"{target} by {piece.name}" for target, piece in zip(targets, bombers, strict=False)]
    return ", ".join([*pairs, "done"]) if pairs else "done"


def _beside(game: IraqWarReferee) -> list[Piece]:
    sight = Sight(game, LEFT)
    near = {there for piece in units_on_map_of(game.position, COALITION) for there in sight.front.land.neighbours(piece.place)}
    return [one for number, foes in sight.field.foes.items() if number in near for one in foes if not one.mark(DISRUPTED)]


def _support(game: IraqWarReferee, context: DecisionContext) -> str | None:
    """The strongest unit that is offered."""
    if context.seat != COALITION:
        return None
    offered = {choice.value for choice in context.request.legal_choices()} if context.request else set()
    ready = [piece for piece in game.air_units(COALITION) if piece.name in offered]
    worth = {piece.name: values.support for piece in ready if (values := game.known_values(piece)) and values.support}
    return max(worth, key=lambda name: worth[name], default=NONE)


def _recovering(game: IraqWarReferee, context: DecisionContext) -> str | None:
    return "all"


def _advancing(game: IraqWarReferee, context: DecisionContext) -> list[str] | None:
    """All who fit; where they stood counts less than what they have taken."""
    if context.request is None or game.side != COALITION:
        return None
    return [choice.value for choice in context.request.legal_choices()][:3]


_ANSWERS: Mapping[str, Callable[[IraqWarReferee, DecisionContext], Any]] = {
    "target": _bombs,
    "support": _support,
    "counter": _support,
    "units": _recovering,
    "advance": _advancing,
}
"""By the keys of questions; the others are answered as is suggested."""
