"""The planner: a player who weighs each operation by what it is likely to bring in VP, and each battle by its exact odds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from companion.core.match import PlannedAction
from companion.core.policies import DecisionContext, Players
from companion.core.requests import Choose, Text
from companion.core.rollouts import in_three
from companion.core.text import plural, signed
from companion.games.fallujah2004.notation import BASES
from companion.games.fallujah2004.playing.battle import fight_on, netwar, strikes
from companion.games.fallujah2004.playing.begun import ADVICE, BECAUSE, GOALS, ON_THE_TABLE, going
from companion.games.fallujah2004.playing.offers import Goal, Offer, marched, offensives, others, rash
from companion.games.fallujah2004.playing.paper import Paper
from companion.games.fallujah2004.playing.plain import Plain
from companion.games.fallujah2004.playing.purse import first_order, restock
from companion.games.fallujah2004.playing.scout import Scout
from companion.games.fallujah2004.playing.verdict import Verdict, best_of
from companion.games.fallujah2004.playing.ways import Ways
from companion.games.fallujah2004.playing.works import works
from companion.games.fallujah2004.playing.worth import REFIT
from companion.games.fallujah2004.state import REDUCED, side_of

_WEIGHED = 3
"""Operations that are played on where there is time for it."""
_USE = 0.3
"""VP for which a force goes on after a battle."""


class Planner(Plain):
    """See the module; ``paper`` keeps the battles that were worked out."""

    def __init__(self, players: Players, ways: Callable[[DecisionContext], Ways], paper: Paper) -> None:
        super().__init__(players, ways)
        self._paper = paper

    def _scout(self, context: DecisionContext) -> Scout:
        return Scout(context.referee, self._ways(context), self._paper, context.facts)

    def act(self, context: DecisionContext) -> Any:
        """The operation that is worth most, or what playing on from the best of them shows to be better."""
        if context.game.default_action(context.position) == "second":
            return "second"
        if context.referee.ops <= 0:
            context.explain("no OPs are left [8.1(a)]")
            return "end"
        scout = self._scout(context)
        if context.position.flag("stage") == "set-up" and (bought := first_order(scout)):
            return self._taken(context, [bought])
        attacks = list(offensives(scout))
        found = sorted([*attacks, *others(scout), *works(scout, attacks), *restock(scout)], key=lambda offer: -offer.value)
        if not context.referee.nodes_left() and (not found or found[0].value <= 0):
            context.explain("no Node is left on the map, and no operation brings anything more [8.1(b)]")
            return "end"
        if not found:
            return super().act(context)
        if context.slips(found[0].words):
            return (rash(scout, context.randbelow) or found[-1]).plan
        return self._taken(context, found[:_WEIGHED])

    def _taken(self, context: DecisionContext, offers: Sequence[Offer]) -> PlannedAction:
        """The offer that is taken, with its reasons: what it is worth, how it is likely to go, what was passed over."""
        before = len(context.reasons)
        chosen = offers[context.choose_by_rollouts([offer.plan for offer in offers], [offer.words for offer in offers])]
        worth = f": {signed(chosen.value, 1)} VP by our estimate" if len(offers) > 1 else ""  # of one alone nothing is reckoned
        passed = [(one.words, one.value - chosen.value) for one in offers if one is not chosen]
        told = f"{chosen.words}{worth} [{chosen.rule}]"
        context.reasons[before:] = in_three(context.reasons[before:], told, chosen.why, passed, against_now=True)
        return chosen.plan

    def is_visible_on_table(self, context: DecisionContext) -> bool:
        return context.request is not None and context.request.key in ON_THE_TABLE

    def reply(self, context: DecisionContext) -> Any:
        assert context.request is not None
        verdict = self._verdict(context)
        if verdict is None:
            if context.request.key in BECAUSE:
                context.explain(BECAUSE[context.request.key])
            return super().reply(context)
        context.explain(*verdict.lines(context.request.rule))
        return context.request.check(verdict.answer)

    def _verdict(self, context: DecisionContext) -> Verdict | None:
        """What is answered by reckoning; None where it is not."""
        assert context.request is not None
        key, onward = context.request.key, context.request.rule == "14.1"
        if context.is_advising and key in ADVICE and not onward:
            return ADVICE[key](context, self._scout(context))
        answer = _ANSWERS.get(key)
        return answer(context, self._scout(context)) if answer else None


# -- on the move -----------------------------------------------------------------------------------------------------------


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
