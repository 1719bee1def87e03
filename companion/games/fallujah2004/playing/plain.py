"""The player who presses Enter: what is suggested, else the first answer; forward to the nearest Node until the OPs are spent."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from companion.core.policies import DecisionContext, Players, Policy
from companion.core.position import Piece
from companion.core.requests import Allot, Choose, Pick, Text
from companion.games.fallujah2004.odds.battles import Commitment
from companion.games.fallujah2004.playing.ways import Ways
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, deployed
from companion.games.fallujah2004.rules.r08_forces import LIMITS, stack_group
from companion.games.fallujah2004.rules.r11_recruiting import recruitable
from companion.games.fallujah2004.rules.r16_battle import least_loss
from companion.games.fallujah2004.rules.r20_nodes import node_spaces
from companion.games.fallujah2004.state import is_fob, is_helicopter, side_of

_ORDER = 8
"""Counters of the first order of battle."""


def stacked(units: Iterable[Piece]) -> list[Piece]:
    """[8.2] As many of them, the first ones first, as may stand in one space."""
    found: list[Piece] = []
    for unit in units:
        group = stack_group(unit)
        if sum(stack_group(piece) == group for piece in found) < LIMITS[group]:
            found.append(unit)
    return found


def on_foot(referee: FallujahReferee) -> dict[str, list[Piece]]:
    """The units that move on the ground, by where they are."""
    found: dict[str, list[Piece]] = {}
    for piece in deployed(referee.position):
        if not is_helicopter(piece) and not is_fob(piece):
            found.setdefault(piece.place, []).append(piece)
    return found


def least(request: Allot) -> list[str]:
    """[16.3] Hits where the least firepower is lost: what is suggested, without the look ahead that this takes."""
    decision = request.odds
    assert isinstance(decision, Commitment)
    own = [choice.value for choice in request.choices]
    starts = [sum(one.steps for one in decision.battle.coalition[:at]) for at in range(len(decision.battle.coalition))]
    places = least_loss(decision.battle.coalition, decision.number)
    return [own[starts[at] + places[:before].count(at)] for before, at in enumerate(places)]


class Plain(Policy):
    """See the module; ``ways`` gives the map as it is known."""

    def __init__(self, players: Players, ways: Callable[[DecisionContext], Ways]) -> None:
        super().__init__(players)
        self._ways = ways

    def act(self, context: DecisionContext) -> str:
        """[7.1(2), 8.1, 30.2] The set-up, then offensives; what is left of the OPs goes into recruiting."""
        if usual := context.game.default_action(context.position):
            return usual
        if not context.referee.nodes_left() or context.referee.ops <= 0:
            return "end"
        if any(piece.number("move") > 0 for units in on_foot(context.referee).values() for piece in units):
            return "j3"
        buys = (
            recruitable(context.referee) and context.referee.ops > 1 and "j1" not in context.given_up
        )  # all that is left may cost too much
        return "j1" if buys else self.players.random_action(context)

    def reply(self, context: DecisionContext) -> Any:
        request = context.request
        assert request is not None
        if isinstance(request, Allot):
            return request.check(least(request))
        if request.suggest is not None:
            return request.check(request.suggest)
        if isinstance(request, Pick) and request.key == "force":
            return request.check(self._force(context))
        if isinstance(request, Text) and request.key in ("to", "buy"):
            return request.check(self._way(context) if request.key == "to" else self._order(context))
        return request.choices[0].value if isinstance(request, Choose) else self.players.random_reply(context)

    def _force(self, context: DecisionContext) -> Sequence[str]:
        """[8.3] The largest group on the ground, of those the nearest to a Node."""
        away = self._ways(context).distances(node_spaces(context.referee))
        groups = on_foot(context.referee)
        if not groups:  # helicopters alone are left
            assert isinstance(context.request, Pick)
            return [context.request.choices[0].value]
        start = max(groups, key=lambda place: (len(stacked(groups[place])), -away.get(place, 99)))
        return [piece.name for piece in stacked(groups[start])]

    def _way(self, context: DecisionContext) -> str:
        """[13.0] As near to a Node as the force can get."""
        force = context.referee.moving_force
        start, ways, found = force[0].place, self._ways(context), node_spaces(context.referee)
        away = ways.distances(found)
        points = min(side_of(piece).move for piece in force)
        reached = ways.reached(start, points, found, blown_bridges(context.position))
        near = min(reached, key=lambda space: (away.get(space, 99), len(reached[space])), default="")
        return " ".join(reached[near]) if near else start.replace(" ", "_")

    def _order(self, context: DecisionContext) -> str:
        """[11.1] The first things that are for sale."""
        assert isinstance(context.request, Text)
        return ", ".join(choice.value for choice in context.request.known[:_ORDER])
