"""[35.0] The policies of Fallujah 2004: random, plain and the planner; and the seat of the game."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from typing import Any

from companion.core.candidates import Recommendation, rank
from companion.core.game import Game
from companion.core.match import PlannedAction
from companion.core.policies import (
    PLAIN,
    PLANNER,
    RANDOM,
    DecisionContext,
    GameResult,
    Players,
    Policy,
    RandBelow,
    RandomPolicy,
    random_reply,
)
from companion.core.position import Piece, Position
from companion.core.requests import Allot, AnyRequest, Choose, Pick, Printed, Text
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.ai import operations
from companion.games.fallujah2004.ai.features import Features, KnownMap, MapCache
from companion.games.fallujah2004.ai.planner import ADVICE, ANSWERS, BECAUSE, ON_THE_TABLE, Answer, decision_of, explain
from companion.games.fallujah2004.ai.valuation import BattleForecasts, Valuation, read_valuation
from companion.games.fallujah2004.battles import Commitment
from companion.games.fallujah2004.referee import FallujahReferee, blown_bridges, deployed
from companion.games.fallujah2004.rules import r08_forces, r09_opfor, r11_recruiting, r13_movement, r16_battle

_MOST_UNITS = 4
"""The maximum of units in a random force."""
_LENGTHS = (1, 1, 1, 2, 2, 3)
_GROUNDS = ("none", "urban", "open", "mosque", "objective msr")


def _any_of(items: Sequence[Any], randbelow: RandBelow) -> Any:
    return items[randbelow(len(items))]


def _some_of(items: Sequence[str], most: int, randbelow: RandBelow) -> list[str]:
    left = list(items)
    return [left.pop(randbelow(len(left))) for _ in range(1 + randbelow(min(most, len(left))))]


def random_force(request: Pick, position: Position, randbelow: RandBelow) -> Any:
    """[8.3] Some units of one place."""
    offered = {choice.value for choice in request.choices}
    places: dict[str, list[str]] = {}
    for piece in position.of_kind(state.UNIT):
        if piece.name in offered:
            places.setdefault(piece.place, []).append(piece.name)
    return request.check(_some_of(places[_any_of(list(places), randbelow)], _MOST_UNITS, randbelow))


def random_path(start: str, known_map: KnownMap, randbelow: RandBelow) -> str:
    """[13.0] A path from a place: mostly over neighbours, sometimes to a base, by water or without a route."""
    if not randbelow(10):
        return str(_any_of(state.BASES, randbelow))
    path: list[str] = []
    for _ in range(_any_of(_LENGTHS, randbelow)):
        near = [space for space in known_map.neighbours(path[-1] if path else start) if space not in state.BASES]
        path.append(_any_of(near if near and randbelow(10) else known_map.spaces, randbelow))
    return ("" if randbelow(10) else "water ") + " ".join(path)


def random_spaces(known_map: KnownMap, offered: Collection[str], randbelow: RandBelow) -> str:
    """[12.1] Spaces for NetWar markers, mostly those that are known to hold a Node."""
    return ", ".join(_some_of([*(offered if offered and randbelow(4) else known_map.spaces)], 3, randbelow))


def random_refuge(known_map: KnownMap, offered: Sequence[str], randbelow: RandBelow) -> str:
    """[16.7] A place to withdraw to, mostly one of those offered."""
    return str(_any_of(offered if offered and randbelow(4) else [*state.BASES, *known_map.spaces, "none"], randbelow))


def random_order(offered: Sequence[str], randbelow: RandBelow) -> str:
    """[11.1] Some counters for sale, one of each."""
    return ", ".join(_some_of(offered, 5, randbelow))


MakeMap = Callable[[], KnownMap]


def random_answer(request: AnyRequest, position: Position, start: str, make_map: MakeMap, randbelow: RandBelow) -> Any:
    """A random answer that the rules may accept; `start`: the space of the force."""
    if request.key == "force" and isinstance(request, Pick):
        return random_force(request, position, randbelow)
    if not isinstance(request, Text) or request.key not in _TEXTS:
        return random_reply(request, randbelow)
    offered = [choice.value for choice in request.known]
    return request.check(_TEXTS[request.key](start, offered, make_map, randbelow))


_TEXTS: Mapping[str, Callable[[str, Sequence[str], MakeMap, RandBelow], str]] = {
    "to": lambda start, offered, make_map, randbelow: random_path(start, make_map(), randbelow),
    "nodes": lambda start, offered, make_map, randbelow: random_spaces(make_map(), offered, randbelow),
    "refuge": lambda start, offered, make_map, randbelow: random_refuge(make_map(), offered, randbelow),
    "buy": lambda start, offered, make_map, randbelow: random_order(offered, randbelow),
}


def random_printed_value(request: Printed, randbelow: RandBelow) -> str:
    """[3.1] A possible value of a printed fact that is not known."""
    is_space = request.fact.startswith(state.SPACE)
    return str(_any_of(_GROUNDS, randbelow)) if is_space else str(random_reply(request, randbelow))


_ORDER = 8
"""The number of counters in the first order of battle."""


def ground_movers(referee: FallujahReferee) -> dict[str, list[Piece]]:
    """The units that move on the ground, by their places."""
    movers: dict[str, list[Piece]] = {}
    for piece in deployed(referee.position):
        if not state.is_helicopter(piece) and not state.is_fob(piece):
            movers.setdefault(piece.place, []).append(piece)
    return movers


def least_loss(request: Allot) -> list[str]:
    """[16.3] The hits that lose the least firepower, without looking ahead as the suggestion does."""
    decision = request.odds
    assert isinstance(decision, Commitment)
    names, coalition = [choice.value for choice in request.choices], decision.battle.coalition
    starts = [sum(min(fighter.steps, decision.number) for fighter in coalition[:index]) for index in range(len(coalition))]
    places = r16_battle.least_loss(coalition, decision.number)
    return [names[starts[index] + places[:before].count(index)] for before, index in enumerate(places)]


class Plain(Policy):
    """Accepts suggestions, and moves the largest force towards the nearest Node."""

    def __init__(self, players: Players, known_map: Callable[[DecisionContext], KnownMap]) -> None:
        super().__init__(players)
        self._map = known_map

    def act(self, context: DecisionContext) -> str:
        """[7.1(2), 8.1, 30.2] The set-up, then offensives, then recruiting with the OPs that are left."""
        if usual := context.game.default_action(context.position):
            return usual
        if not context.referee.nodes_left() or context.referee.ops <= 0:
            return "end"
        if any(piece.number("move") > 0 for units in ground_movers(context.referee).values() for piece in units):
            return "j3"
        for_sale = r11_recruiting.recruitable(context.referee) and "j1" not in context.given_up
        return "j1" if for_sale and context.referee.ops > 1 else self.players.random_action(context)

    def reply(self, context: DecisionContext) -> Any:
        request = context.request
        assert request is not None
        if isinstance(request, Allot):
            return request.check(least_loss(request))
        if request.suggest is not None:
            return request.check(request.suggest)
        if isinstance(request, Pick) and request.key == "force":
            return request.check(self._force(context))
        if isinstance(request, Text) and request.key in ("to", "buy"):
            return request.check(self._path(context) if request.key == "to" else self._order(context))
        return request.choices[0].value if isinstance(request, Choose) else self.players.random_reply(context)

    def _force(self, context: DecisionContext) -> Sequence[str]:
        """[8.3] The largest force on the ground, and of equal ones the nearest to a Node."""
        away = self._map(context).distances(r09_opfor.node_spaces(context.referee))
        groups = ground_movers(context.referee)
        if not groups:  # only helicopters are left
            assert isinstance(context.request, Pick)
            return [context.request.choices[0].value]
        start = max(groups, key=lambda place: (len(r08_forces.largest_stack(groups[place])), -away.get(place, 99)))
        return [piece.name for piece in r08_forces.largest_stack(groups[start])]

    def _path(self, context: DecisionContext) -> str:
        """[13.0] As near to a Node as the force can get."""
        force = context.referee.moving_force
        start, known_map, nodes = force[0].place, self._map(context), r09_opfor.node_spaces(context.referee)
        away = known_map.distances(nodes)
        points = r13_movement.movement_value(context.referee, force)
        paths = known_map.reach(start, points, nodes, blown_bridges(context.position))
        near = min(paths, key=lambda space: (away.get(space, 99), len(paths[space])), default="")
        return " ".join(paths[near]) if near else start.replace(" ", "_")

    def _order(self, context: DecisionContext) -> str:
        """[11.1] The first counters that are for sale."""
        assert isinstance(context.request, Text)
        return ", ".join(choice.value for choice in context.request.known[:_ORDER])


_COMPARED = 3
"""Operations that are compared by rollouts if there is time."""


class Planner(Plain):
    """Weighs each operation by its estimated value in VP, and each battle by its exact odds."""

    def __init__(
        self, players: Players, known_map: Callable[[DecisionContext], KnownMap], forecasts: BattleForecasts, valuation: Valuation
    ) -> None:
        super().__init__(players, known_map)
        self._forecasts = forecasts
        self._valuation = valuation

    def _features(self, context: DecisionContext) -> Features:
        return Features(context.referee, self._map(context), self._forecasts, self._valuation, context.facts)

    def act(self, context: DecisionContext) -> Any:
        """The operation with the highest value, or the one that rollouts of the best prefer."""
        if context.game.default_action(context.position) == "second":
            return "second"
        if context.referee.ops <= 0:
            context.explain("no OPs are left [8.1(a)]")
            return "end"
        features = self._features(context)
        if state.is_set_up(context.position) and (orders := operations.first_orders(features)):
            return self._choose(context, Recommendation(orders[0], tuple(orders[1:])))
        attacks = list(operations.offensives(features))
        offers = [*attacks, *operations.others(features), *operations.returns(features), *operations.works(features, attacks)]
        offers += operations.restock(features)
        ranked = rank(offers) if offers else None
        if not context.referee.nodes_left() and (ranked is None or ranked.best.value <= 0):
            context.explain("no Node is left on the map, and no operation brings anything more [8.1(b)]")
            return "end"
        if ranked is None:
            return super().act(context)
        if context.slips(ranked.best.name):
            return (operations.rash(features, context.randbelow) or (ranked.best, *ranked.others)[-1]).decision.plan
        return self._choose(context, ranked.with_rivals(_COMPARED - 1))

    def _choose(self, context: DecisionContext, ranking: Recommendation[operations.Operation]) -> PlannedAction:
        """Take an operation, and explain it: its value, the expected course, what was passed over."""
        chosen = context.choose(ranking, lambda operation: operation.plan)
        best, rule = chosen.best, chosen.best.decision.rule
        # a single operation has no value to compare
        context.explain(*(chosen.lines(rule=rule) if chosen.others else (f"{best.name} [{rule}]", *best.reasons[:1])))
        return best.decision.plan

    def is_visible_on_table(self, context: DecisionContext) -> bool:
        return context.request is not None and context.request.key in ON_THE_TABLE

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        answer = self._answer(context)
        if answer is None:
            if context.request.key in BECAUSE:
                context.explain(BECAUSE[context.request.key])
            return super().reply(context)
        context.explain(*explain(answer, context.request.rule))
        if isinstance(answer, Recommendation):
            context.consider(answer)
        return context.request.check(decision_of(answer))

    def _answer(self, context: DecisionContext) -> Answer | None:
        """The answer that the planner has reasons for; None if it has none."""
        assert context.request is not None
        key, is_further = context.request.key, context.request.rule == "14.1"
        if context.is_advising and key in ADVICE and not is_further:
            return ADVICE[key](context, self._features(context))
        question = ANSWERS.get(key)
        return question(context, self._features(context)) if question else None


_SECOND = "second"

_BATTLES_APART = 1_000
"""[30.2] The turn number from which the second battle counts; a battle has fewer turns."""

_OFTEN = {"j3": 5, "networked": 2, "buy": 2, "end": 1}


class FallujahPlayers(Players):
    """[8.1] The players: a turn is an operation, and nothing is hidden; concealed Nodes are drawn late [7.1(1)]."""

    playouts = 0  # a playout of one operation does not see what a refit or a purchase brings later, and loses VP
    prior_worlds = 100.0
    slip_percent = 18
    winning_results = ("Tactical Victory", "Operational Victory", "Decisive Victory")

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self._maps = MapCache()
        self._valuation = read_valuation(game.tables.bot)
        self.forecasts = BattleForecasts(FallujahReferee(Position(), {}, game.tables.charts).hypothetical())

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        def planner() -> Policy:
            return Planner(self, self.known_map, self.forecasts, self._valuation)

        plain, random = partial(Plain, self, self.known_map), partial(RandomPolicy, self)
        return {PLANNER: planner, PLAIN: plain, RANDOM: random, **self.levels(planner)}

    def rollout_policy(self, seat: str) -> Policy:
        return self.policy(seat, PLANNER)

    def practice_options(self) -> Mapping[str, str]:
        """[7.0] The first scenario; the rest is made up."""
        return {"scenario": next(iter(self.game.scenarios))}

    def known_map(self, context: DecisionContext) -> KnownMap:
        """The known map at a decision."""
        return self._maps.get(context.position, context.facts)

    def turn(self, position: Position) -> int:
        """[8.1, 10.0] The number of operations so far; the second battle of a campaign counts from a higher number."""
        second = position.flag(state.CAMPAIGN) is not None and position.flag(state.BATTLE) == 2
        return position.track("operations") + (_BATTLES_APART if second else 0)

    def over(self, position: Position) -> str:
        """[30.2] A campaign goes on after a first battle that is not won."""
        over = self.game.over(position)
        return "" if over and self.game.default_action(position) == _SECOND else over

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        """[6.3] The degree of victory, and the VP."""
        score = self.game.score(position, options)
        return GameResult(score.verdict, score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        score = self.outcome(position, options).score
        return score if self.over(position) else self._valuation.position(position, score)

    def features(self, position: Position, options: Mapping[str, str], seat: str) -> Mapping[str, float]:
        """Plain features of a position between two operations, for fitted values."""
        return self._valuation.features(position, self.outcome(position, options).score)

    def rollout_baseline(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        """The value without a rollout, so that values are what an operation brings."""
        return self.value(position, options, seat)

    # -- any answer --------------------------------------------------------------------------------------------

    def action_weight(self, action: str) -> int:
        return _OFTEN.get(action, 1)

    def random_action(self, context: DecisionContext) -> str:
        """[30.2] Any operation; between the battles of a campaign the second one."""
        between = context.game.over(context.position) and context.game.default_action(context.position) == _SECOND
        return _SECOND if between else super().random_action(context)

    def random_reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        moving = context.referee.moving_force
        start = moving[0].place if moving else ""
        return random_answer(context.request, context.position, start, lambda: self.known_map(context), context.randbelow)

    def made_up_fact(self, request: Printed, number: RandBelow) -> str:
        return random_printed_value(request, number)
