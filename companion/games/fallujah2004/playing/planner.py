"""The planner: a player who weighs each operation by what it is likely to bring in VP, and each battle by its exact odds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from companion.core.match import Plan
from companion.core.players import Asked, Players
from companion.core.requests import Choose, Pick, Text
from companion.core.thinking import in_three
from companion.games.fallujah2004.odds.battles import Commitment, ready
from companion.games.fallujah2004.pieces import side_of
from companion.games.fallujah2004.playing.offers import Offer, offensives, onward, others, rash, told
from companion.games.fallujah2004.playing.paper import Ahead, Paper
from companion.games.fallujah2004.playing.plain import Plain
from companion.games.fallujah2004.playing.purse import first_order, restock
from companion.games.fallujah2004.playing.scout import Scout
from companion.games.fallujah2004.playing.ways import Ways
from companion.games.fallujah2004.playing.works import works
from companion.games.fallujah2004.playing.worth import OP
from companion.games.fallujah2004.rules.r16_battle import ROUND
from companion.games.fallujah2004.words.spaces import BASES

_WEIGHED = 3
"""Operations that are played on where there is time for it."""
_EDGE, _SUPPORT = ROUND[1], ROUND[2]
_SURE = Ahead(0.97, 0.0, 0.2, 0.0)
"""A battle that needs no more support: won so surely, for so few strength steps."""
_MARKER = 0.6
"""What a NetWar marker that is kept is worth, in VP."""
_USE = 0.3
"""VP for which a force goes on after a battle."""


class Planner(Plain):
    """See the module; ``paper`` keeps the battles that were worked out."""

    def __init__(self, players: Players, ways: Callable[[Asked], Ways], paper: Paper) -> None:
        super().__init__(players, ways)
        self._paper = paper
        self._answers: dict[str, Callable[[Asked, Scout], Any]] = {
            "netwar": self._netwar,
            "strikes": self._strikes,
            "continue": self._continue,
            "move_on": self._move_on,
            "to": self._goal,
            "refuge": self._refuge,
            "leader": self._leader,
        }

    def _scout(self, at: Asked) -> Scout:
        return Scout(at.referee, self._ways(at), self._paper, at.facts)

    def act(self, at: Asked) -> Any:
        """The operation that is worth most, or what playing on from the best of them shows to be better."""
        if at.game.usual(at.position) == "second":
            return "second"
        if at.referee.ops <= 0:
            return "end"
        scout = self._scout(at)
        if at.position.flag("stage") == "set-up" and (bought := first_order(scout)):
            return self._taken(at, [bought])
        attacks = list(offensives(scout))
        found = sorted([*attacks, *others(scout), *works(scout, attacks), *restock(scout)], key=lambda offer: -offer.value)
        if not at.referee.nodes_left() and (not found or found[0].value <= 0):
            return "end"
        if not found:
            return super().act(at)
        if at.slips(found[0].words):
            return (rash(scout, at.number) or found[-1]).plan
        return self._taken(at, found[:_WEIGHED])

    def _taken(self, at: Asked, offers: Sequence[Offer]) -> Plan:
        """The offer that is taken, with its reasons: what it is worth, how it is likely to go, what was passed over."""
        before = len(at.reasons)
        chosen = offers[at.choose([offer.plan for offer in offers], [offer.words for offer in offers])]
        told = f"{chosen.words}: {chosen.value:+.1f} VP by our estimate [{chosen.rule}]"
        passed = [(one.words, one.value - chosen.value) for one in offers if one is not chosen]
        at.reasons[before:] = in_three(at.reasons[before:], told, chosen.why, passed)
        return chosen.plan

    def reply(self, at: Asked) -> Any:
        assert at.request is not None
        answer = self._answers.get(at.request.key)
        found = answer(at, self._scout(at)) if answer else None
        return super().reply(at) if found is None else at.request.check(found)

    # -- battles -----------------------------------------------------------------------------------------------

    def _netwar(self, at: Asked, scout: Scout) -> bool | None:
        """[16.1(2c)] A NetWar marker where it is worth more than kept."""
        decision = self._decision(at)
        won = scout.prize(scout.field())
        without = scout.committed(decision, part=_EDGE)
        if without.win >= _SURE.win:
            at.explain(f"{without.win:.1%} to win without it [16.1]")
            return False
        using = scout.committed(decision, netwar=True, part=_EDGE)
        gain = scout.worth(using, won) - scout.worth(without, won)
        at.explain(
            f"{without.win:.1%} to win without it, {using.win:.1%} with it: {gain:+.2f} VP, and kept it is worth {_MARKER}"
        )
        return gain > _MARKER

    def _strikes(self, at: Asked, scout: Scout) -> list[str] | None:
        """[16.1(3a)] As many strikes as are worth more than kept, the strongest first."""
        decision = self._decision(at)
        won = scout.prize(scout.field())
        alone = scout.committed(decision, part=_SUPPORT)
        if alone.win >= _SURE.win and alone.lost <= _SURE.lost:
            at.explain(f"{alone.win:.1%} to win without any [16.1]")
            return []
        best = ready(decision.battle).support.strikes
        kept = min(1.0, max(0, scout.referee.ops) / 10) * OP
        values: dict[int, tuple[float, Ahead]] = {0: (scout.worth(alone, won), alone)}
        for many in sorted({1, 3, len(best)}):
            if many <= len(best):
                ahead = scout.committed(decision, strikes=many, part=_SUPPORT)
                spent = sum(0.25 if strike.fire < 3 else 0.5 for strike in best[:many]) * kept
                values[many] = scout.worth(ahead, won) - spent, ahead
        many = max(values, key=lambda one: values[one][0])
        gain = values[many][0] - values[0][0]
        at.explain(f"{alone.win:.1%} to win with none, {values[many][1].win:.1%} with {many}: {gain:+.2f} VP [16.1]")
        return self._named(at, [strike.id for strike in best[:many]], decision)

    def _named(self, at: Asked, ids: Sequence[str], decision: Commitment) -> list[str]:
        assert isinstance(at.request, Pick)
        offered = zip(at.request.choices, decision.battle.support.strikes, strict=True)
        return [choice.value for choice, strike in offered if strike.id in ids]

    def _continue(self, at: Asked, scout: Scout) -> str | None:
        """[16.1(4c)] Go on while that is worth more than what withdrawing costs."""
        ahead = scout.committed(self._decision(at))
        won = scout.prize(scout.field())
        value = scout.worth(ahead, won)
        on = f"{ahead.win:.1%} to win, KIA {ahead.killed - ahead.lost:+.1f}: {value:+.1f} VP"
        at.explain(f"going on: {on}; withdrawing: {-won.lost:+.1f} VP [16.7]")
        return "continue" if value >= -won.lost else "withdraw"

    @staticmethod
    def _decision(at: Asked) -> Commitment:
        assert at.request is not None and isinstance(at.request.odds, Commitment)
        return at.request.odds

    def _refuge(self, at: Asked, scout: Scout) -> str | None:
        """[16.7] A Base if there is one, for refit."""
        assert isinstance(at.request, Text)
        known = [choice.value for choice in at.request.known if choice.value != "none"]
        return next((place for place in known if place in BASES), known[0] if known else "none")

    # -- on the move -------------------------------------------------------------------------------------------

    def _move_on(self, at: Asked, scout: Scout) -> bool | None:
        """[14.1] On, while another battle is worth it."""
        goal = onward(scout, at.referee.moving, at.referee.points)
        if goal.way:
            at.explain(f"on to {at.referee.title(goal.way[-1])}: {goal.value:+.1f} VP; {told(goal.going)}")
        return goal.value > _USE

    def _goal(self, at: Asked, scout: Scout) -> str | None:
        """[14.1] Where it goes on to."""
        way = onward(scout, at.referee.moving, at.referee.points).way
        return " ".join(way) if way and at.referee.points else None

    def _leader(self, at: Asked, scout: Scout) -> str | None:
        """[29.1] With the unit that lasts longest."""
        assert isinstance(at.request, Choose)
        pieces = {piece.name: piece for piece in at.position.of_kind("unit")}
        able = [choice.value for choice in at.request.choices if choice.value in pieces]
        return max(able, key=lambda name: (pieces[name].number("steps"), side_of(pieces[name]).fire), default=None)
