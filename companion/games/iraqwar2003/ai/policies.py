"""The seats of Iraq War 2003 and their policies: the planner, simple play, random play."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.candidates import Recommendation
from companion.core.fit import SCORE
from companion.core.match import PlannedAction
from companion.core.policies import (
    BOT,
    PLAIN,
    RANDOM,
    AdvisedPolicy,
    DecisionContext,
    GameResult,
    Players,
    Policy,
    RandBelow,
    RandomPolicy,
    random_reply,
)
from companion.core.position import Piece, Position
from companion.core.procedures import ProcedureRun
from companion.core.requests import AnyRequest, Choose, Text
from companion.core.rollouts import LEVELS, NORMAL
from companion.core.vocabulary import PLAYER
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.ai import planner_coalition
from companion.games.iraqwar2003.ai.features import FAR, Features, PossibleAttack, is_kurdish
from companion.games.iraqwar2003.ai.fit import position_features
from companion.games.iraqwar2003.ai.valuation import DONE, Valuation, terrain_columns
from companion.games.iraqwar2003.facts import land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact, natural_order, units_on_map_of
from companion.games.iraqwar2003.rules import r04_sequence, r08_map, r12_movement, r15_victory

_UNIT_ACTIONS = ("move", "road", "drop", "rail")
_WEIGHTS = {"move": 12, "recover": 3, "facility": 4, "bomb": 4, "supply": 2, "end": 1, "control": 0, "units": 0, "loss": 0}
"""How often a random player takes an action; corrections are never taken."""
_ORDER_QUESTION = ("units", "12.1(1)")
"""Key and rule of the question for the next order."""


class PassivePolicy(Policy):
    """Goes through the phases, accepts suggestions and moves no unit."""

    def act(self, context: DecisionContext) -> str:
        usual = context.game.default_action(context.position)
        return "end" if usual in ("move", "") else usual


class PlannerPolicy(AdvisedPolicy):
    """Follows the planner: its proposals are suggestions; the Coalition's player is also advised on orders."""

    def has_advice(self, context: DecisionContext) -> bool:
        return context.request is not None and (context.request.advice is not None or _recommended(context) is not None)

    def act(self, context: DecisionContext) -> Any:
        usual = context.game.default_action(context.position) or "end"
        ranking = _recommended(context) if usual == "move" else None
        if ranking is None:
            return usual
        order = _best(context, ranking, _plan)
        return _plan(order)

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        ranking = _recommended(context) if context.request.advice is None else None
        if ranking is None:
            return super().reply(context)
        return context.request.check(_best(context, ranking, context.request.check))


def _plan(order: str) -> PlannedAction:
    return PlannedAction("end") if order == DONE else PlannedAction("move", {"units": order})


def _best(context: DecisionContext, ranking: Recommendation[str], action: Callable[[str], Any]) -> str:
    """The best order by rollouts, explained. ``action``: converts an order into the action or answer."""
    chosen = context.choose(ranking, action)
    context.explain(*planner_coalition.order_reasons(chosen))
    return chosen.best.decision


def _recommended(context: DecisionContext) -> Recommendation[str] | None:
    """[4.1(4)] The orders for a Coalition player, ranked; None at other questions and where Companion plays the side."""
    request = context.request
    if context.seat != state.COALITION or context.options.get(state.COALITION, PLAYER) != PLAYER:
        return None
    if request and (request.key, request.rule) != _ORDER_QUESTION:
        return None
    table = context.game.new_referee(context.position, context.options)
    assert isinstance(table, IraqWarReferee)
    run = ProcedureRun(table, planner_coalition.order_candidates(table), lambda effect: effect.resolve(context.facts).value)
    if run.request is not None:
        run.close()
    return planner_coalition.recommend_order(run.result) if run.result else None


# -- the simple Coalition -------------------------------------------------------------------------------------------------


class AdvancingPolicy(Policy):
    """A simple Coalition: advances along roads, attacks at good odds, bombs Air Fields and Radio."""

    def act(self, context: DecisionContext) -> Any:
        referee: IraqWarReferee = context.referee
        if referee.phase != state.OPERATIONS:
            return context.game.default_action(context.position)
        if r04_sequence.recoverable_units(context.position):
            return "recover"
        order = _simple_order(referee)
        return PlannedAction("move", {"units": order}) if order else "end"

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        answer = _SIMPLE_ANSWERS.get(context.request.key)
        reply = answer(context.referee, context) if answer else None
        return super().reply(context) if reply is None else context.request.check(reply)


def _simple_features(referee: IraqWarReferee) -> Features:
    return Features(referee, state.COALITION, terrain_columns(referee.priorities))


def _simple_order(referee: IraqWarReferee) -> str:
    """The next order; "" when all units have acted."""
    features = _simple_features(referee)
    stacks = features.stacks()
    if not stacks:
        return ""
    pieces = stacks[0]
    reach = features.reach(pieces)
    air_values = map(referee.known_values, referee.air_units(state.COALITION))
    support = max((values.support for values in air_values if values), default=0)
    lowest = notation.LADDER.index(referee.priorities["plain"]["lowest"])
    attacks = [attack for attack in features.attacks(pieces) if attack.column_index + support >= lowest]
    attack = _best_attack(features, attacks)
    end = attack.base if attack else _advance(features, pieces, reach)
    path = " ".join(reach.path(end)) or notation.STAY
    return " > ".join([referee.piece_names(pieces), path, *([attack.target] if attack else [])])


def _best_attack(features: Features, attacks: Sequence[PossibleAttack]) -> PossibleAttack | None:
    goals, widest = features.iraqi_vp_hexes, len(notation.LADDER)

    def rank(attack: PossibleAttack) -> tuple[int, int, str]:
        return goals.get(attack.target, 0), min(attack.column_index, widest), attack.base

    return max(attacks, key=rank, default=None)


def _advance(features: Features, pieces: Sequence[Piece], reach: r12_movement.Reach) -> str:
    """The reachable hex nearest to the nearest VP place, weighted by its points; Kurdish units stay at their sources."""
    start, goals = pieces[0].place, features.iraqi_vp_hexes
    if not goals or (is_kurdish(pieces) and start in [r08_map.SOURCES[army] for army in notation.KURDISH]):
        return start
    power = features.referee.priorities["plain"]["power"]
    goal = min(goals, key=lambda number: (features.travel(number).get(start, FAR) / goals[number] ** power, number))
    costs = features.travel(goal)
    return min(reach.spent, key=lambda number: (costs.get(number, FAR), reach.spent[number], number))


def _simple_bombing(referee: IraqWarReferee, context: DecisionContext) -> str | None:
    """All groups of a phase: Air Fields, then Radio; or units adjacent to own units."""
    if referee.side != state.COALITION:
        return None
    values = {piece.id: referee.known_values(piece) for piece in referee.air_units(state.COALITION)}
    units = referee.air_units(state.COALITION)
    able = [piece for piece in units if (value := values[piece.id]) and value.bombing and not value.support]
    if referee.phase == state.FACILITY:
        ships = [piece for piece in able if notation.is_naval(piece)][: int(referee.priorities["plain"]["ships"])]
        bombers = [*ships, *(piece for piece in able if not notation.is_naval(piece))]
        targets = [box.name for kind in (notation.AIRFIELD, notation.RADIO) for box in intact(boxes(referee.position, kind))]
    else:
        bombers = [piece for piece in able if not notation.is_naval(piece)]
        targets = [piece.name for piece in _adjacent_enemies(referee)]
    pairs = [f"{target} by {piece.name}" for target, piece in zip(targets, bombers, strict=False)]
    return ", ".join([*pairs, DONE]) if pairs else DONE


def _adjacent_enemies(referee: IraqWarReferee) -> list[Piece]:
    features = _simple_features(referee)
    own = units_on_map_of(referee.position, state.COALITION)
    near = {neighbour for piece in own for neighbour in features.land.neighbours(piece.place)}
    foes = [piece for number, pieces in features.field.foes.items() if number in near for piece in pieces]
    return [piece for piece in foes if not piece.mark(state.DISRUPTED)]


def _simple_support(referee: IraqWarReferee, context: DecisionContext) -> str | None:
    """The strongest unit offered."""
    if context.seat != state.COALITION:
        return None
    offered = {choice.value for choice in context.request.legal_choices()} if context.request else set()
    ready = [piece for piece in referee.air_units(state.COALITION) if piece.name in offered]
    support = {piece.name: values.support for piece in ready if (values := referee.known_values(piece)) and values.support}
    return max(support, key=lambda name: support[name], default=state.NONE)


def _simple_advance(referee: IraqWarReferee, context: DecisionContext) -> list[str] | None:
    """As many units as fit."""
    if context.request is None or referee.side != state.COALITION:
        return None
    return [choice.value for choice in context.request.legal_choices()][: int(referee.priorities["plain"]["advancing"])]


_SIMPLE_ANSWERS: Mapping[str, Callable[[IraqWarReferee, DecisionContext], Any]] = {
    "target": _simple_bombing,
    "support": _simple_support,
    "counter": _simple_support,
    "units": lambda referee, context: "all",
    "advance": _simple_advance,
}
"""Answers by the keys of questions; suggestions are accepted elsewhere."""


# -- random play ----------------------------------------------------------------------------------------------------------

PATHS = (notation.STAY, "plain", "road, road", "from zoc, plain", "river", "city", "plain, zoc", "swamp")
"""Paths by features, for an unknown map."""
MAX_PATH = 3
"""Maximum number of hexes in a random path."""


def random_answer(position: Position, request: AnyRequest, number: RandBelow) -> Any:
    """A random answer that a question accepts: real units and groups, short paths. ``number``: the random generator."""
    if isinstance(request, Text):
        if request.rule == _ORDER_QUESTION[1]:
            return _random_order(request, number, position)
        kind = _RANDOM_TEXTS.get(request.key)
        if kind is None:
            return random_reply(request, number)
        return request.check(kind([choice.value for choice in request.legal_choices()], number, position))
    if isinstance(request, Choose) and number(4) and request.suggest is not None:
        return request.check(request.suggest)
    return random_reply(request, number)


def _one_of(names: Sequence[str], number: RandBelow) -> str:
    return names[number(len(names))]


def _random_units(names: Sequence[str], number: RandBelow, position: Position) -> str:
    """One unit, or two of one hex."""
    units = [name for name in names if name != state.NONE]
    if not units or (len(units) < len(names) and number(2)):
        return state.NONE
    first = _one_of(units, number)
    lead = state.unit_named(position, first)
    place = lead.place if lead else ""
    stack = ({piece.name for piece in state.units_in(position, place)} if state.is_hex(place) else {*units}) - {first}
    others = [name for name in units if name in stack] if stack else []
    return f"{first}, {_one_of(others, number)}" if others and not number(3) else first


def _random_movers(number: RandBelow, position: Position) -> list[Piece]:
    """One unit that can act, or two of one hex; empty if none can."""
    units = natural_order(r04_sequence.undisrupted_units(position))
    if not units:
        return []
    first = units[number(len(units))]
    place = first.place
    stack = [piece.name for piece in (state.units_in(position, place) if state.is_hex(place) else units)]
    others = [piece for piece in units if piece is not first and piece.name in stack] if len(stack) > 1 else []
    return [first, others[number(len(others))]] if others and not number(3) else [first]


def _random_unit(names: Sequence[str], number: RandBelow, position: Position) -> str:
    return _one_of([name for name in names if name != state.NONE] or [state.NONE], number)


def _random_target(names: Sequence[str], number: RandBelow, position: Position) -> str:
    """A box or a unit; roads need a hex."""
    return _one_of([name for name in names if not name.startswith("road ")], number) if number(3) else DONE


def _random_group(names: Sequence[str], number: RandBelow, position: Position) -> str:
    """One unit, or with an escort."""
    air_units = [name for name in names if name != state.NONE and " " not in name]
    if len(air_units) < 2 or not number(3):
        return _one_of(names, number)
    first = _one_of(air_units, number)
    others = [name for name in air_units if name != first]
    return f"{first}+{_one_of(others, number)}" if not number(3) else first


def _random_order(request: Text, number: RandBelow, position: Position) -> str:
    """A unit and a few hexes without enemies, in normal form so that it need not be parsed."""
    pieces = _random_movers(number, position)
    if not pieces or not state.is_hex(pieces[0].place):
        return request.check(", ".join([piece.name for piece in pieces]) or state.NONE)
    pieces = pieces if r08_map.can_stack(pieces) else pieces[:1]
    path = _random_hexes(pieces[0], number, position)
    while path and not r08_map.fits(position, pieces, path[-1]):
        path.pop()
    return f"{', '.join([piece.name for piece in pieces])} > {', '.join(path) or notation.STAY}"


def _random_hexes(piece: Piece, number: RandBelow, position: Position) -> list[str]:
    """A few consecutive hexes; a swamp off the road ends them [12.2(1)]."""
    front, hex_number = r12_movement.movement_map(position), piece.place
    closed = {hex_number, *r08_map.occupied_hexes(position, state.other(notation.side_of(piece)))}
    path: list[str] = []
    for _ in range(number(MAX_PATH + 1)):
        legs = [leg for leg in front.legs[hex_number] if leg.there not in closed]
        if not legs:
            break
        leg = legs[number(len(legs))]
        hex_number = leg.there
        path.append(hex_number)
        closed.add(hex_number)
        if "swamp" in leg.words:
            break
    return path


_RANDOM_TEXTS: Mapping[str, Callable[[Sequence[str], RandBelow, Position], str]] = {
    "units": _random_units,
    "unit": _random_unit,
    "with": _random_units,
    "attack": lambda names, number, position: _one_of(names, number) if number(3) else state.NONE,
    "target": _random_target,
    "group": _random_group,
    "support": _random_group,
    "counter": _random_group,
    "escort": _random_unit,
    "way": lambda names, number, position: _one_of(PATHS, number),
    **dict.fromkeys(("oos", "stacked", "control"), lambda names, number, position: state.NONE),
}


class IraqWarPlayers(Players):
    """The seats and policies of Iraq War 2003."""

    seats_alternate = True
    max_actions = 4_000
    horizon = 2
    playouts = 1  # of plans of a turn, at the hard level five times as many
    advice_playouts = 8
    review_horizon = 1  # a second turn doubles the time of a long review, and hardly changes it

    def policies(self, seat: str) -> Mapping[str, Callable[[], Policy]]:
        plain = {state.COALITION: AdvancingPolicy, state.IRAQ: PassivePolicy}[seat]
        usual = {PLAIN: lambda: plain(self), RANDOM: lambda: RandomPolicy(self), BOT: lambda: PlannerPolicy(self)}
        return {**usual, **self.levels(lambda: PlannerPolicy(self))}

    def options_for_policies(self, policies: Mapping[str, str]) -> Mapping[str, str]:
        computer = {seat: policy for seat, policy in policies.items() if policy == BOT or policy in LEVELS}
        return {**computer, "opponent": "acts"} if computer else {}

    def rollout_policy(self, seat: str) -> Policy:
        return PlannerPolicy(self)

    def rollout_options(self, options: Mapping[str, str]) -> Mapping[str, str]:
        # the planner decides within the rules for both sides
        return {**options, state.COALITION: NORMAL, state.IRAQ: NORMAL, "opponent": state.ACTS}

    def practice_options(self) -> Mapping[str, str]:
        return {"scenario": "war"}

    def adviser(self, seat: str) -> str:
        return BOT

    def advises_between(self, position: Position, options: Mapping[str, str]) -> bool:
        advised = self.acting_seat(position) == state.COALITION and options.get(state.COALITION, PLAYER) == PLAYER
        return advised and position.flag(state.PHASE) == state.OPERATIONS and bool(land_of(position).orientation)

    def outcome(self, position: Position, options: Mapping[str, str]) -> GameResult:
        charts = self.game.tables.charts
        score = r15_victory.count_points(position, charts)
        return GameResult(state.COALITION if score.total >= r15_victory.row_points(charts, "needed") else state.IRAQ, score.total)

    def value(self, position: Position, options: Mapping[str, str], seat: str) -> float:
        tables, fitted = self.game.tables, self.fitted(SCORE)
        if fitted is None or self.over(position):
            expected = Valuation(position, tables.charts, tables.bot, options).coalition_value()
        else:
            expected = fitted.value(self.features(position, options, state.COALITION))
        return expected if seat == state.COALITION else -expected

    def features(self, position: Position, options: Mapping[str, str], seat: str) -> Mapping[str, float]:
        """Plain features for fitted values, for either seat from the Coalition's view."""
        tables = self.game.tables
        return position_features(position, tables.charts, tables.bot)

    def action_weight(self, action: str) -> int:
        return _WEIGHTS.get(action, 1)

    def random_action(self, context: DecisionContext) -> str:
        """A random action; none with units that cannot act."""
        action = super().random_action(context)
        return "end" if action in _UNIT_ACTIONS and not r04_sequence.undisrupted_units(context.position) else action

    def random_reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        return random_answer(context.position, context.request, context.randbelow)

    def plain_reply(self, context: DecisionContext) -> Any:
        """Units stay and do not attack; otherwise any answer."""
        request = context.request
        passive = {"way": notation.STAY, "attack": state.NONE}.get(request.key) if request else None
        return request.check(passive) if request and passive else self.random_reply(context)
