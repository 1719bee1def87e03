"""Battles that the planner fights on paper before it risks them: exact, by the parts of the round that the table plays too."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.position import Position
from companion.games.fallujah2004.odds.battles import BattleSolver, Results, chance_of, commit, strongest_first
from companion.games.fallujah2004.referee import FallujahReferee
from companion.games.fallujah2004.rules.r16_battle import ROUND, WON, Battle, BattleHost, Conditions, Step, Support

_KEPT, _OPEN = 20_000, 500
"""Results that are kept, and battles whose every round is; then they are forgotten, which changes no result."""


class Ahead(NamedTuple):
    """How a battle ends: the chance to win it; on average OPFOR units lost, strength steps lost, OPs of Collateral Damage."""

    win: float
    killed: float
    lost: float
    ops: float


def averaged(results: Results) -> Ahead:
    """What results come to on average."""
    killed = sum(toll.killed * chance for (toll, _), chance in results.items())
    lost = sum(toll.lost * chance for (toll, _), chance in results.items())
    ops = sum(cost * chance for (_, cost), chance in results.items())
    return Ahead(chance_of(results, *WON), killed, lost, ops)


class Paper:
    """What has been worked out once serves all games; a battle on paper depends on nothing else."""

    def __init__(self, charts: Mapping[str, Chart]) -> None:
        self._referee = FallujahReferee(Position(), {}, charts)
        self._known: dict[object, Ahead] = {}
        self._papers: dict[tuple[Conditions, bool, bool, int], BattleSolver] = {}

    def ahead(
        self, scene: Conditions, stand: bool, battle: Battle, netwar: bool = False, strikes: int = 0, part: Step = ROUND[0]
    ) -> Ahead:
        """How a battle ends.

        Args:
            stand: whether OPFOR stands after each round.
            netwar, strikes: support that is committed in this round, the strongest strikes first.
            part: what comes next in this round.
        """
        support = Support(strongest_first(battle).support.strikes[:strikes], netwar) if netwar or strikes else Support()
        nameless = tuple(strike._replace(id="", name="") for strike in support.strikes)
        start = battle._replace(support=support._replace(strikes=nameless), ops=0).canonical()
        key = scene, stand, start, part
        if key not in self._known:
            if len(self._known) >= _KEPT:
                self._known.clear()
            if len(self._known) % _OPEN == 0:
                self._papers.clear()
            self._known[key] = self._worked_out(scene, stand, start, part)
        return self._known[key]

    def _worked_out(self, scene: Conditions, stand: bool, start: Battle, part: Step) -> Ahead:
        support = start.support
        like = scene, stand, support.netwar, len(support.strikes)
        if like not in self._papers:
            policy = commit(support.netwar, len(support.strikes))
            self._papers[like] = BattleSolver(BattleHost(self._referee, scene, stand), start, policy)
        return averaged(self._papers[like].results(part, start))
