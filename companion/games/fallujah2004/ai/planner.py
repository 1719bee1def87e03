"""The planner's answer to each question of an operation: battles by their exact odds, all others by estimate."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from companion.core.policies import DecisionContext
from companion.core.position import Piece
from companion.core.request import AnyRequest
from companion.core.requests import Allot, Choose, Number, Pick, Text
from companion.core.rollouts import in_three
from companion.core.text import format_probability, join_counted, plural, signed
from companion.games.fallujah2004.ai.features import Scout
from companion.games.fallujah2004.ai.operations import (
    APART,
    ENOUGH,
    Goal,
    Offer,
    bases,
    charged,
    first_order,
    fought,
    marched,
    offensives,
    order_of,
    others,
    points_of,
    reinforcements,
    support,
    told,
    works,
)
from companion.games.fallujah2004.ai.valuation import OP, REFIT, Ahead, averaged
from companion.games.fallujah2004.notation import BASES
from companion.games.fallujah2004.odds.battles import (
    MOST_STEPS,
    Commitment,
    HitLookahead,
    allocations,
    steps_left,
    strongest_first,
)
from companion.games.fallujah2004.referee import deployed
from companion.games.fallujah2004.rules.r16_battle import ROUND, Strike
from companion.games.fallujah2004.state import REDUCED, side_of


class Verdict(NamedTuple):
    """What is answered, and why.

    Attributes:
        answer: as the question accepts it.
        words: it, for the player.
        value: in VP; None where nothing is reckoned.
        why: what decided, with the rule.
        passed: what else could be answered, each with its value.
    """

    answer: Any
    words: str
    value: float | None
    why: str
    passed: Sequence[tuple[str, float]] = ()

    def lines(self, rule: str) -> tuple[str, ...]:
        """In three lines at most; ``rule``: of the question."""
        if self.value is None:
            return (self.why,)
        told = f"{self.words}: {signed(self.value, 1)} VP by our estimate [{rule}]"
        return in_three((), told, self.why, [(words, value - self.value) for words, value in self.passed])


def best_of(offers: Sequence[Verdict]) -> Verdict:
    """The one that is worth most, the first of equals; the next two are passed over."""
    first, *rest = sorted(offers, key=lambda one: -(one.value or 0.0))
    return first._replace(passed=[(one.words, one.value or 0.0) for one in rest[:2]])


_EDGE, _SUPPORT = ROUND[1], ROUND[2]

_SURE = Ahead(0.97, 0.0, 0.2, 0.0)
"""A battle that needs no more support: won so surely, for so few strength steps."""

_MARKER = 0.6
"""What a NetWar marker that is kept is worth, in VP."""

_WAYS = 12
"""Ways to place hits that an adviser weighs."""


def commitment(context: DecisionContext) -> Commitment | None:
    """The decision within a battle that is asked for; None where there is no battle, as with Interdiction [33.0]."""
    assert context.request is not None
    return context.request.odds if isinstance(context.request.odds, Commitment) else None


def netwar(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[16.1(2c)] A NetWar marker where it is worth more than kept."""
    decision = commitment(context)
    if decision is None:
        return None
    won = scout.prize(scout.field())
    without = scout.committed(decision, part=_EDGE)
    sure = without.win >= _SURE.win
    why = f"without it {fought(without)}"
    if sure and not context.is_advising:
        return Verdict(False, "no", scout.worth(without, won), why)
    using = scout.committed(decision, netwar=True, part=_EDGE)
    value, other = scout.worth(without, won), scout.worth(using, won)
    why += f"; with it {format_probability(using.win)} to win, and a marker kept is worth {_MARKER} VP"
    if other - value > _MARKER and not sure:
        return Verdict(True, "yes", other - _MARKER, why, [("no", value)])
    return Verdict(False, "no", value, why, [("yes", other - _MARKER)])


def strikes(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[16.1(3a)] As many strikes as are worth more than kept, the strongest first."""
    decision = commitment(context)
    if decision is None:
        return None
    won = scout.prize(scout.field())
    alone = scout.committed(decision, part=_SUPPORT)
    sure = alone.win >= _SURE.win and alone.lost <= _SURE.lost
    if sure and not context.is_advising:
        return Verdict([], "none", scout.worth(alone, won), fought(alone))
    best = strongest_first(decision.battle).support.strikes
    found = {0: (scout.worth(alone, won), alone)}
    for many in sorted({1, 3, len(best)}):
        if many <= len(best):
            ahead = scout.committed(decision, strikes=many, part=_SUPPORT)
            found[many] = scout.worth(ahead, won) - _kept(scout, best[:many]), ahead
    taken = 0 if sure else max(found, key=lambda one: found[one][0])
    value, ahead = found[taken]
    why = f"{fought(ahead)}; " + (
        f"without any {format_probability(alone.win)} to win" if taken else "strikes are kept for later"
    )
    passed = sorted(((_words(best[:many]), one) for many, (one, _) in found.items() if many != taken), key=lambda one: -one[1])
    ids = [strike.id for strike in best[:taken]]
    return Verdict(_named(context, ids, decision), _words(best[:taken]), value, why, passed)


def _words(some: Sequence[Strike]) -> str:
    return join_counted([strike.name for strike in some]) or "none"


def _kept(scout: Scout, some: Sequence[Strike]) -> float:
    """What strikes are worth that are kept, as long as there are OPs to use them."""
    later = min(1.0, max(0, scout.referee.ops) / 10) * OP
    return sum(0.25 if strike.fire < 3 else 0.5 for strike in some) * later


def _named(context: DecisionContext, ids: Sequence[str], decision: Commitment) -> list[str]:
    assert isinstance(context.request, Pick)
    offered = zip(context.request.choices, decision.battle.support.strikes, strict=True)
    return [choice.value for choice, strike in offered if strike.id in ids]


def fight_on(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[16.1(4c)] Go on while that is worth more than what withdrawing costs."""
    decision = commitment(context)
    if decision is None:
        return None
    ahead = scout.committed(decision)
    won = scout.prize(scout.field())
    on, off = scout.worth(ahead, won), -won.lost
    why = f"going on: {fought(ahead)}; withdrawing loses the battle, {signed(off, 1)} VP by its Nodes [16.7]"
    if on >= off:
        return Verdict("continue", "continue", on, why, [("withdraw", off)])
    return Verdict("withdraw", "withdraw", off, why, [("continue", on)])


def hits(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[16.3] Hits as they are suggested, for an adviser alone: where the least firepower is lost, or the battle is won more
    often.
    """
    decision = commitment(context)
    if decision is None or not isinstance(context.request, Allot):
        return None
    answer = context.request.check(context.request.suggest)
    own = context.request.to_input(answer)
    ways = {words: (value, ahead) for words, value, ahead in _placed(decision, scout)}
    if own not in ways:
        return Verdict(answer, own, None, "where the least firepower is lost [16.3]")
    value, ahead = ways.pop(own)
    passed = sorted(((words, other) for words, (other, _) in ways.items()), key=lambda one: -one[1])
    why = f"where the least firepower is lost, unless others win more often; {fought(ahead)} from here on"
    return Verdict(answer, own, value, why, passed[:2])


def _placed(decision: Commitment, scout: Scout) -> Iterator[tuple[str, float, Ahead]]:
    """Ways to place the hits, those that win most often: what is named, what that is worth, how the battle goes on. None where
    there are so many that looking ahead takes too long.
    """
    battle, look = decision.battle, HitLookahead(decision.stage, decision.battle)
    if steps_left(battle) > MOST_STEPS:
        return
    won = scout.prize(scout.field())
    ways = sorted(allocations(battle.coalition, decision.number), key=lambda way: -look.win(battle, way))
    for way in ways[:_WAYS]:
        ahead = averaged(look.results(battle, way))
        yield join_counted([battle.coalition[at].name for at in way]), scout.worth(ahead, won), ahead


GOALS = 3
"""Spaces that an adviser weighs for a force."""


def _offers(offers: Iterable[Offer], answer: Callable[[Offer], Any]) -> list[Verdict]:
    """Offers as answers to one question of theirs, those that have none left out."""
    found = [(one, answer(one)) for one in offers]
    return [Verdict(value, one.words, one.value, one.why) for one, value in found if value is not None]


def _best(found: Sequence[Verdict]) -> Verdict | None:
    return best_of(found) if found else None


def _offered(request: AnyRequest) -> set[str]:
    return {choice.value for choice in request.legal_choices()}


def force(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[8.3] The force with the best offensive; or a unit that stays where it is [14.2]."""
    assert isinstance(context.request, Pick)
    able = {choice.value for choice in context.request.choices}
    offers = [*offensives(scout), *(one for one in others(scout) if one.plan.action == "j3")]
    return _best(_offers(offers, lambda one: own if able.issuperset(own := one.plan.answers["force"]) else None))


def goal(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[13.0] The best space for the force that was named; or where it is [14.2]."""
    assert context.request is not None
    units = context.referee.moving_force
    start = units[0].place
    if context.request.rule == "32.0(3)" and not set(BASES) & (known := _offered(context.request)):
        return _joining(scout, units, known)
    stay = Verdict(start.replace(" ", "_"), f"stay at {scout.referee.title(start)}", 0.0, "who does not move meets nobody [14.2]")
    return best_of([*(going(scout, one) for one in marched(scout, units, points_of(scout, units), GOALS)), stay])


def _joining(scout: Scout, units: Sequence[Piece], where: Collection[str]) -> Verdict | None:
    """[32.0(3)] To where the first force of a networked operation has gone, as far as that is offered."""
    goals = marched(scout, units, points_of(scout, units), len(scout.ways.spaces))
    return _best([going(scout, one) for one in goals if one.way[-1] in where])


def going(scout: Scout, one: Goal) -> Verdict:
    """A goal as an answer: the way to it."""
    space = scout.referee.title(one.way[-1])
    return Verdict(" ".join(one.way), f"to {space}", one.value, told(one.going))


def buy(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[7.1(2), 11.1] The first order of battle; in play reinforcements, or support where there are units enough."""
    assert context.request is not None
    if context.position.flag("stage") == "set-up" and (first := first_order(scout)):
        return Verdict(first.plan.answers["buy"], first.words, None, f"{first.words}: {first.why}")
    bought = reinforcements(scout) or support(scout)
    fire = sum(side_of(piece).fire for piece in deployed(context.position))
    price = f"{charged(scout, bought)} of {plural(context.referee.ops, 'OP')}"
    why = f"for {price} [11.1]; firepower in play {fire}, and {ENOUGH} is enough"
    return Verdict(order_of(bought), "", None, why) if bought else None


def base(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[11.1] The Base from which the Nodes are the nearest."""
    assert isinstance(context.request, Choose)
    able = _offered(context.request)
    far = {one: away for one, away in bases(scout).items() if one in able}
    found = [
        Verdict(
            one, scout.referee.title(one), -APART * away, f"the Nodes are {away:.1f} away on average, each space at {APART} VP"
        )
        for one, away in far.items()
    ]
    return _best(found)


def logistics(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[18.0] The J-4 that is worth most, or the place of it."""
    assert context.request is not None
    key, able = context.request.key, _offered(context.request)
    offers = [one for one in (*others(scout), *works(scout, ())) if one.plan.action == "j4"]
    return _best(_offers(offers, lambda one: one.plan.answers[key] if one.plan.answers[key] in able else None))


def place(context: DecisionContext, scout: Scout) -> Verdict | None:
    """Where recruits arrive [11.1], or where a J-4 takes place [18.0]."""
    assert context.request is not None
    if context.request.rule == "33.0":
        why = "any: each Node on the map costs 1 VP at the end [6.1], and none brings more by Interdiction [33.0]"
        return Verdict(context.request.legal_choices()[0].value, "", None, why)
    return base(context, scout) if context.request.rule == "11.1" else logistics(context, scout)


def isr(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[12.1] The Node to look at."""
    offers = [one for one in works(scout, list(offensives(scout))) if one.plan.action == "j2"]
    return _best(_offers(offers, lambda one: one.plan.answers["nodes"]))


def infowar(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[19.0] As many markers as bring more than they are worth kept."""
    assert isinstance(context.request, Number)
    (offer,) = [one for one in others(scout) if one.plan.action == "j5"] or (None,)
    if offer is None:
        return None
    most = context.request.high
    each = offer.value / most
    many = most if each > 0 else context.request.low
    passed = [(f"{one}", each * one) for one in {most, most - 1, context.request.low} - {many, 0}]
    return Verdict(many, plural(many, "NetWar marker"), each * many, offer.why, sorted(passed, key=lambda one: -one[1]))


ADVICE: Mapping[str, Callable[[DecisionContext, Scout], Verdict | None]] = {
    "force": force,
    "to": goal,
    "buy": buy,
    "at": place,
    "kind": logistics,
    "nodes": isr,
    "markers": infowar,
    "hit": hits,
}
"""By the key of the question."""

BECAUSE = {
    "withdraw": "who stays behind fights on alone [16.7]",
    "evacuate": "who withdraws with the force is as safe [16.9]",
    "opfor_loss": "an HVT that is eliminated brings its contact in VP [6.1]; else the one with the better contact [16.1(2)]",
    "intel": "Intel costs nothing; a printed marker is spent in its place [22.0]",
    "leader": "the unit that lasts longest: most strength steps, then firepower; a leader falls with his unit [29.1]",
    "which_leader": "all leaders are alike [29.2]",
    "more": "a force that stays behind holds its space and can be moved by an OP of its own [32.0(3)]",
}
"""Why what is suggested is advised, where nothing is reckoned."""

ON_THE_TABLE = ("joined", "river", "fob", "holy_spaces", "msr", "held")
"""Questions of what lies on the table: nobody decides them."""

_USE = 0.3
"""VP for which a force goes on after a battle."""


def _onward(context: DecisionContext, scout: Scout) -> list[Goal]:
    """[14.1] Where a force may go on to after a battle, the best first; who advises looks at more."""
    return marched(scout, context.referee.moving_force, context.referee.points_left, GOALS if context.is_advising else 1, on=True)


def _move_on(context: DecisionContext, scout: Scout) -> Verdict:
    """[14.1] On, while another battle is worth it."""
    found = _onward(context, scout)
    if not found:
        return Verdict(False, "no", 0.0, "nobody is met in any space that it can reach [14.1]")
    best = going(scout, found[0])
    on = f"yes, {best.words}"
    if found[0].value > _USE:
        return Verdict(True, on, found[0].value, best.why, [("no", 0.0)])
    return Verdict(False, "no", 0.0, f"{best.words}: {best.why}; less than {_USE} VP is not worth it", [(on, found[0].value)])


def _goal(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[14.1] Where it goes on to."""
    found = _onward(context, scout) if context.referee.points_left else []
    return best_of([going(scout, one) for one in found]) if found else None


def _refuge(context: DecisionContext, scout: Scout) -> Verdict:
    """[16.7] A Base if there is one, for refit."""
    assert isinstance(context.request, Text)
    known = [choice.value for choice in context.request.known if choice.value != "none"]
    place = next((place for place in known if place in BASES), known[0] if known else "none")
    reduced = sum(piece.face == REDUCED for piece in scout.referee.units_at(scout.field()))
    why = f"in a Base a J-4 refits {plural(reduced, 'reduced unit')}, {REFIT} VP each [18.3]"
    worth = {one: REFIT * reduced * (one in BASES) for one in known}
    passed = [(scout.referee.title(one), value) for one, value in worth.items() if one != place]
    return Verdict(place, scout.referee.title(place), worth.get(place, 0.0), why, passed)


def _leader(context: DecisionContext, scout: Scout) -> Verdict | None:
    """[29.1] With the unit that lasts longest."""
    assert isinstance(context.request, Choose)
    pieces = {piece.name: piece for piece in context.position.of_kind("unit")}
    able = [choice.value for choice in context.request.choices if choice.value in pieces]
    if not able:
        return None
    longest = max(able, key=lambda name: (pieces[name].number("steps"), side_of(pieces[name]).fire))
    return Verdict(longest, longest, None, BECAUSE["leader"])


_ANSWERS: Mapping[str, Callable[[DecisionContext, Scout], Verdict | None]] = {
    "netwar": netwar,
    "strikes": strikes,
    "continue": fight_on,
    "move_on": _move_on,
    "to": _goal,
    "refuge": _refuge,
    "leader": _leader,
}
"""By the key of the question."""
