"""The planner's answer to each question of an operation: battles by their exact odds, all others by estimate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.candidates import Candidate, Recommendation, rank
from companion.core.policies import DecisionContext
from companion.core.position import Piece
from companion.core.requests import Allot, AnyRequest, Choose, Number, Pick, Text
from companion.core.text import format_probability, join_counted, plural, signed
from companion.games.fallujah2004 import battles
from companion.games.fallujah2004.ai import operations
from companion.games.fallujah2004.ai.features import Features
from companion.games.fallujah2004.notation import side_of
from companion.games.fallujah2004.referee import deployed
from companion.games.fallujah2004.rules import r10_operations, r13_movement, r16_battle
from companion.games.fallujah2004.rules.r16_battle import Strike
from companion.games.fallujah2004.state import BASES, REDUCED, is_set_up

_EDGE, _SUPPORT = r16_battle.ROUND[1], r16_battle.ROUND[2]


class Unvalued(NamedTuple):
    """An answer without a value in VP, and the reason for it."""

    decision: Any
    reason: str


Answer = Recommendation[Any] | Unvalued
Question = Callable[[DecisionContext, Features], Answer | None]


def decision_of(answer: Answer) -> Any:
    """The answer as the question accepts it."""
    return answer.best.decision if isinstance(answer, Recommendation) else answer.decision


def explain(answer: Answer, rule: str) -> tuple[str, ...]:
    """The reasons for an answer, in at most three lines."""
    return answer.lines(rule=rule) if isinstance(answer, Recommendation) else (answer.reason,)


def _best(candidates: Sequence[Candidate[Any]]) -> Recommendation[Any] | None:
    """The best candidate, with the next two."""
    if not candidates:
        return None
    ranked = rank(candidates)
    return ranked._replace(others=ranked.others[:2])


def _by_value(candidates: Iterable[Candidate[Any]]) -> tuple[Candidate[Any], ...]:
    """The candidates, the best first."""
    return tuple(sorted(candidates, key=lambda candidate: -candidate.value))


# -- battles -----------------------------------------------------------------------------------------------------------


def commitment(context: DecisionContext) -> battles.Commitment | None:
    """The decision within a battle that is asked for; None outside a battle, as with Interdiction [33.0]."""
    assert context.request is not None
    return context.request.odds if isinstance(context.request.odds, battles.Commitment) else None


def netwar(context: DecisionContext, features: Features) -> Answer | None:
    """[16.1(2c)] Commit a NetWar marker if it is worth more than kept."""
    decision = commitment(context)
    if decision is None:
        return None
    constants, nodes = features.constants, features.nodes(features.battle_space())
    without = features.committed(decision, step=_EDGE)
    is_sure = without.win >= constants.battle_sure_win
    reason = f"without it {operations.battle_text(without)}"
    value = features.battle_value(without, nodes)
    if is_sure and not context.is_advising:
        return Recommendation(Candidate(False, "no", value, reasons=(reason,)))
    using = features.committed(decision, netwar=True, step=_EDGE)
    value_with, marker = features.battle_value(using, nodes), constants.battle_marker
    reason += f"; with it {format_probability(using.win)} to win, and a marker kept is worth {marker} VP"
    no = Candidate(False, "no", value, reasons=(reason,))
    yes = Candidate(True, "yes", value_with - marker, reasons=(reason,))
    return Recommendation(yes, (no,)) if value_with - value > marker and not is_sure else Recommendation(no, (yes,))


def strikes(context: DecisionContext, features: Features) -> Answer | None:
    """[16.1(3a)] Commit as many strikes as are worth more than kept, the strongest first."""
    decision = commitment(context)
    if decision is None:
        return None
    constants, nodes = features.constants, features.nodes(features.battle_space())
    alone = features.committed(decision, step=_SUPPORT)
    is_sure = alone.win >= constants.battle_sure_win and alone.lost <= constants.battle_sure_lost
    if is_sure and not context.is_advising:
        reasons = (operations.battle_text(alone),)
        return Recommendation(Candidate([], "none", features.battle_value(alone, nodes), reasons=reasons))
    best = battles.strongest_first(decision.battle).support.strikes
    forecasts = {0: (features.battle_value(alone, nodes), alone)}
    most = features.most_battle_value(decision.battle, nodes)
    for count in sorted({*constants.battle_strike_counts, len(best)}):
        kept = _kept_value(features, best[:count])
        can_gain = context.is_advising or most - kept >= max(value for value, _ in forecasts.values())
        if count <= len(best) and can_gain:
            forecast = features.committed(decision, strikes=count, step=_SUPPORT)
            forecasts[count] = features.battle_value(forecast, nodes) - kept, forecast
    chosen = 0 if is_sure else max(forecasts, key=lambda count: forecasts[count][0])
    forecast = forecasts[chosen][1]
    without = f"without any {format_probability(alone.win)} to win" if chosen else "strikes are kept for later"
    reasons = (f"{operations.battle_text(forecast)}; {without}",)
    candidates = {
        count: Candidate(_named(context, best[:count], decision), _strike_names(best[:count]), value, reasons=reasons)
        for count, (value, _) in forecasts.items()
    }
    recommended = candidates.pop(chosen)
    return Recommendation(recommended, _by_value(candidates.values()))


def _strike_names(strikes: Sequence[Strike]) -> str:
    return join_counted([strike.name for strike in strikes]) or "none"


def _kept_value(features: Features, strikes: Sequence[Strike]) -> float:
    """VP of strikes that are kept, as long as there are OPs to use them."""
    constants = features.constants
    later = min(1.0, max(0, features.referee.ops) / constants.battle_strike_ops) * constants.worth_op
    weak, strong = constants.battle_weak_strike, constants.battle_strong_strike
    return sum(weak if strike.fire < constants.battle_strong_fire else strong for strike in strikes) * later


def _named(context: DecisionContext, strikes: Sequence[Strike], decision: battles.Commitment) -> list[str]:
    assert isinstance(context.request, Pick)
    ids = {strike.id for strike in strikes}
    offered = zip(context.request.choices, decision.battle.support.strikes, strict=True)
    return [choice.value for choice, strike in offered if strike.id in ids]


def fight_on(context: DecisionContext, features: Features) -> Answer | None:
    """[16.1(4c)] Continue while that is worth more than withdrawing."""
    decision = commitment(context)
    if decision is None:
        return None
    forecast = features.committed(decision)
    nodes = features.nodes(features.battle_space())
    reason = f"going on: {operations.battle_text(forecast)}; "
    reason += f"withdrawing loses the battle, {signed(-nodes.lost, 1)} VP by its Nodes [16.7]"
    values = {"continue": features.battle_value(forecast, nodes), "withdraw": -nodes.lost}
    return rank([Candidate(answer, answer, value, reasons=(reason,)) for answer, value in values.items()])


def hits(context: DecisionContext, features: Features) -> Answer | None:
    """[16.3] Place hits as suggested, for the adviser only: the least firepower lost, or the battle won more often."""
    decision = commitment(context)
    if decision is None or not isinstance(context.request, Allot):
        return None
    answer = context.request.check(context.request.suggest)
    name = context.request.to_input(answer)
    placements = {names: (value, forecast) for names, value, forecast in _placements(decision, features)}
    if name not in placements:
        return Unvalued(answer, "where the least firepower is lost [16.3]")
    value, forecast = placements.pop(name)
    reason = f"where the least firepower is lost, unless others win more often; {operations.battle_text(forecast)} from here on"
    others = _by_value(Candidate(None, names, value) for names, (value, _) in placements.items())
    return Recommendation(Candidate(answer, name, value, reasons=(reason,)), others[:2])


def _placements(decision: battles.Commitment, features: Features) -> Iterator[tuple[str, float, battles.Forecast]]:
    """The hit placements that win most often: names, values, forecasts; none if the battle has too many steps."""
    battle, lookahead = decision.battle, battles.HitLookahead(decision.stage, decision.battle)
    if battles.steps_left(battle) > battles.MOST_STEPS:
        return
    nodes = features.nodes(features.battle_space())
    ways = sorted(battles.allocations(battle.coalition, decision.number), key=lambda way: -lookahead.win(battle, way))
    for way in ways[: features.constants.battle_placements]:
        forecast = lookahead.forecast(battle, way)
        names = join_counted([battle.coalition[index].name for index in way])
        yield names, features.battle_value(forecast, nodes), forecast


# -- movement ----------------------------------------------------------------------------------------------------------


def _destination(features: Features, goal: operations.Destination) -> Candidate[Any]:
    """A destination as the answer to where a force goes: its path."""
    name = f"to {features.referee.title(goal.path[-1])}"
    return Candidate(" ".join(goal.path), name, goal.value, reasons=(operations.approach_text(goal.approach),))


def _further(context: DecisionContext, features: Features) -> list[operations.Destination]:
    """[14.1] The destinations of a force after a battle, the best first; the adviser compares more."""
    count = features.constants.move_advised_goals if context.is_advising else 1
    referee = context.referee
    return operations.destinations(features, referee.moving_force, referee.points_left, count, after_battle=True)


def _move_on(context: DecisionContext, features: Features) -> Answer:
    """[14.1] Move on if another battle is worth it."""
    goals = _further(context, features)
    if not goals:
        return Recommendation(Candidate(False, "no", reasons=("no space in reach brings a reaction [14.1]",)))
    best, least = _destination(features, goals[0]), features.constants.move_least
    yes = Candidate(True, f"yes, {best.name}", best.value, reasons=best.reasons)
    if best.value > least:
        return Recommendation(yes, (Candidate(False, "no", least),))
    reason = f"{best.name}: {best.reasons[0]}; less than {least} VP is not worth it"
    return Recommendation(Candidate(False, "no", least, reasons=(reason,)), (yes,))


def _further_goal(context: DecisionContext, features: Features) -> Answer | None:
    """[14.1] The next destination after a battle."""
    goals = _further(context, features) if context.referee.points_left or context.referee.has_msr_point else []
    return _best([_destination(features, goal) for goal in goals])


def _refuge(context: DecisionContext, features: Features) -> Answer:
    """[16.7] A Base if there is one, for refit."""
    assert isinstance(context.request, Text)
    referee = features.referee
    places = [choice.value for choice in context.request.known if choice.value != "none"]
    best = next((place for place in places if place in BASES), places[0] if places else "none")
    reduced = sum(piece.face == REDUCED for piece in referee.units_at(features.battle_space()))
    refit = features.valuation.refit(features.referee.ops)
    reasons = (f"in a Base a J-4 refits {plural(reduced, 'reduced unit')}, {refit:.1f} VP each [18.3]",)

    def candidate(place: str) -> Candidate[str]:
        value = refit * reduced * r10_operations.is_refit_place(referee, place) if place != "none" else 0.0
        return Candidate(place, referee.title(place), value, reasons=reasons)

    return Recommendation(candidate(best), tuple(candidate(place) for place in dict.fromkeys(places) if place != best))


def _leader(context: DecisionContext, features: Features) -> Answer | None:
    """[29.1] The leader joins the unit that lasts longest."""
    assert isinstance(context.request, Choose)
    pieces = {piece.name: piece for piece in context.position.of_kind("unit")}
    offered = [choice.value for choice in context.request.choices if choice.value in pieces]
    if not offered:
        return None
    longest = max(offered, key=lambda name: (pieces[name].number("steps"), side_of(pieces[name]).fire))
    return Unvalued(longest, BECAUSE["leader"])


ANSWERS: Mapping[str, Question] = {
    "netwar": netwar,
    "strikes": strikes,
    "continue": fight_on,
    "move_on": _move_on,
    "to": _further_goal,
    "refuge": _refuge,
    "leader": _leader,
}
"""The questions of the planner's own operations, by key."""


# -- questions of an operation that the player began: the planner answers these with the operation ------------------------


def _as_answers(offers: Iterable[operations.Offer], answer: Callable[[Mapping[str, Any]], Any]) -> list[Candidate[Any]]:
    """Operations as answers to one of their questions, without those that have none."""
    answers = [(offer, answer(offer.decision.plan.answers)) for offer in offers]
    return [offer._replace(decision=value) for offer, value in answers if value is not None]


def _offered(request: AnyRequest) -> set[str]:
    return {choice.value for choice in request.legal_choices()}


def force(context: DecisionContext, features: Features) -> Answer | None:
    """[8.3] The force with the best offensive; or a unit that stays where it is [14.2]."""
    assert isinstance(context.request, Pick)
    offered = {choice.value for choice in context.request.choices}
    stays = (offer for offer in operations.others(features) if offer.decision.plan.action == "j3")
    offers = [*operations.offensives(features), *stays]
    return _best(_as_answers(offers, lambda answers: answers["force"] if offered.issuperset(answers["force"]) else None))


def goal(context: DecisionContext, features: Features) -> Answer | None:
    """[13.0] The best space for the force that was named; or where it is [14.2]."""
    assert context.request is not None
    units, referee = context.referee.moving_force, features.referee
    start, points = units[0].place, r13_movement.movement_points(referee, units)
    if context.request.rule == "32.0(3)" and not set(BASES) & (offered := _offered(context.request)):
        return _joining(features, units, points, offered)
    name, reason = f"stay at {referee.title(start)}", "a force that does not move meets no reaction [14.2]"
    stay = Candidate(start.replace(" ", "_"), name, reasons=(reason,))
    goals = operations.destinations(features, units, points, features.constants.move_advised_goals)
    return _best([*(_destination(features, goal) for goal in goals), stay])


def _joining(features: Features, units: Sequence[Piece], points: int, offered: Collection[str]) -> Answer | None:
    """[32.0(3)] The space to which the first force of a networked operation has gone, if it is offered."""
    goals = operations.destinations(features, units, points, len(features.map.spaces))
    return _best([_destination(features, goal) for goal in goals if goal.path[-1] in offered])


def buy(context: DecisionContext, features: Features) -> Answer | None:
    """[7.1(2), 11.1] The first order of battle; in play reinforcements, or support where there are units enough."""
    assert context.request is not None
    if is_set_up(context.position) and (orders := operations.first_orders(features)):
        return _best(_as_answers(orders, lambda answers: answers["buy"]))
    bought = operations.reinforcements(features) or operations.support(features, features.valuation.openings[0].support)
    fire, enough = sum(side_of(piece).fire for piece in deployed(context.position)), features.constants.buy_enough
    reason = f"for {operations.order_cost(features, bought)} of {plural(context.referee.ops, 'OP')} [11.1]; "
    reason += f"firepower in play {fire}, and {enough} is enough"
    return Unvalued(operations.order_of(bought), reason) if bought else None


def base(context: DecisionContext, features: Features) -> Answer | None:
    """[11.1] The Base nearest to the Nodes."""
    assert isinstance(context.request, Choose)
    offered, apart = _offered(context.request), features.constants.move_apart
    candidates = []
    for base, distance in operations.base_distances(features).items():
        if base in offered:
            reasons = (f"the Nodes are {distance:.1f} away on average, each space at {apart} VP",)
            candidates.append(Candidate(base, features.referee.title(base), -apart * distance, reasons=reasons))
    return _best(candidates)


def logistics(context: DecisionContext, features: Features) -> Answer | None:
    """[18.0] The J-4 with the highest value, or its place."""
    assert context.request is not None
    key, offered = context.request.key, _offered(context.request)
    every_offer = (*operations.others(features), *operations.works(features, ()))
    offers = [offer for offer in every_offer if offer.decision.plan.action == "j4"]
    return _best(_as_answers(offers, lambda answers: answers[key] if answers[key] in offered else None))


def place(context: DecisionContext, features: Features) -> Answer | None:
    """Where recruits arrive [11.1], or where a J-4 takes place [18.0]."""
    assert context.request is not None
    if context.request.rule == "33.0":
        reason = "any: each Node on the map costs 1 VP at the end [6.1], and none brings more by Interdiction [33.0]"
        return Unvalued(context.request.legal_choices()[0].value, reason)
    return base(context, features) if context.request.rule == "11.1" else logistics(context, features)


def isr(context: DecisionContext, features: Features) -> Answer | None:
    """[12.1] The Node to look at."""
    attacks = list(operations.offensives(features))
    offers = [offer for offer in operations.works(features, attacks) if offer.decision.plan.action == "j2"]
    return _best(_as_answers(offers, lambda answers: answers["nodes"]))


def infowar(context: DecisionContext, features: Features) -> Answer | None:
    """[19.0] As many markers as bring more than they are worth kept."""
    assert isinstance(context.request, Number)
    offer = next((offer for offer in operations.others(features) if offer.decision.plan.action == "j5"), None)
    if offer is None:
        return None
    low, high = context.request.low, context.request.high
    each = offer.value / high
    count = high if each > 0 else low
    best = Candidate(count, plural(count, "NetWar marker"), each * count, reasons=offer.reasons)
    others = {high, high - 1, low} - {count, 0}
    return Recommendation(best, _by_value(Candidate(number, str(number), each * number) for number in others))


ADVICE: Mapping[str, Question] = {
    "force": force,
    "to": goal,
    "buy": buy,
    "at": place,
    "kind": logistics,
    "nodes": isr,
    "markers": infowar,
    "hit": hits,
}
"""The questions that only the adviser is asked, by key."""

BECAUSE = {
    "withdraw": "a unit that stays behind fights on alone [16.7]",
    "evacuate": "a unit that withdraws with the force is as safe [16.9]",
    "opfor_loss": "an eliminated HVT brings its contact in VP [6.1]; otherwise the unit with the better contact [16.1(2)]",
    "intel": "Intel costs nothing; a printed marker would be spent in its place [22.0]",
    "leader": "the unit that lasts longest: most strength steps, then firepower; a leader is lost with the unit [29.1]",
    "which_leader": "all leaders are alike [29.2]",
    "more": "a force that stays behind holds its space and can be moved for another OP [32.0(3)]",
}
"""Reasons for suggested answers without a value."""

ON_THE_TABLE = ("joined", "river", "fob", "holy_spaces", "msr", "held")
"""Questions about facts on the table, which are not decisions."""
