"""What an adviser answers where the player has begun an operation without it: which force, where to, what is bought. The planner
itself answers these with the operation, and is never asked.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

from companion.core.policies import DecisionContext
from companion.core.position import Piece
from companion.core.request import AnyRequest
from companion.core.requests import Choose, Number, Pick
from companion.core.text import plural
from companion.games.fallujah2004.notation import BASES
from companion.games.fallujah2004.playing.battle import hits
from companion.games.fallujah2004.playing.offers import APART, Goal, Offer, marched, offensives, others, points_of
from companion.games.fallujah2004.playing.purse import ENOUGH, bases, charged, first_order, order_of, reinforcements, support
from companion.games.fallujah2004.playing.scout import Scout
from companion.games.fallujah2004.playing.verdict import Verdict, best_of, told
from companion.games.fallujah2004.playing.works import works
from companion.games.fallujah2004.referee import deployed
from companion.games.fallujah2004.state import side_of

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
