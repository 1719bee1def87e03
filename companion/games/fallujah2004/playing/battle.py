"""What the planner answers in a battle: each commitment by its exact odds, against what support is worth that is kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.core.policies import DecisionContext
from companion.core.requests import Allot, Pick
from companion.core.text import format_probability, join_counted, signed
from companion.games.fallujah2004.odds.battles import (
    MOST_STEPS,
    Commitment,
    HitLookahead,
    allocations,
    steps_left,
    strongest_first,
)
from companion.games.fallujah2004.playing.paper import Ahead, averaged
from companion.games.fallujah2004.playing.scout import Scout
from companion.games.fallujah2004.playing.verdict import Verdict, fought
from companion.games.fallujah2004.playing.worth import OP
from companion.games.fallujah2004.rules.r16_battle import ROUND, Strike

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
