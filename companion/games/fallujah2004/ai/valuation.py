"""The value of battles, Nodes, units and positions in VP. The estimates are ours; no rule is stated here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.position import Piece, Position
from companion.games.fallujah2004 import state
from companion.games.fallujah2004.notation import on_map
from companion.games.fallujah2004.odds.battles import BattleSolver, Results, chance_of, commit, strongest_first
from companion.games.fallujah2004.referee import FallujahReferee, deployed
from companion.games.fallujah2004.rules.r16_battle import ROUND, WON, Battle, BattleHost, Conditions, Fighter, Step, Support
from companion.games.fallujah2004.state import fights, node_of, steps_left, type_of

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


OP = 1.6
"""An OP: about what an operation of a sound force brings."""

STEP = 1.3
"""A strength step beside the VP that its loss costs: it fights no more, or a refit takes an operation."""

REFIT = 0.7
"""A reduced unit that is restored."""

STRIKE = {"air": 0.5, "soa": 0.8, "artillery": 0.25, "netwar": 0.4}
"""A strike that is kept for later."""

_MOB = 2.5
"""The average strength of a Mob Attack [14.5]."""

_ROUNDS = 3
"""Rounds after which most battles are over."""

LATE = 12
"""OPs below which a space that is held will be held at the end, likely enough."""


class Cup(NamedTuple):
    """What the Reaction cup holds, as far as battles go.

    Attributes:
        share: the part of its counters that fight.
        typical: an OPFOR unit as they are on average.
        kill: what an OPFOR unit eliminated is worth: its KIA, and the contact of HVTs [6.1].
    """

    share: float
    typical: Fighter
    kill: float

    def met(self, picks: int) -> float:
        """How many OPFOR units so many picks bring on average."""
        return self.share * picks


def cup_of(position: Position) -> Cup:
    """What the Reaction cup holds."""
    cup = position.at(state.REACTION_CUP)
    units = [piece for piece in cup if fights(piece)]
    many = max(1, len(units))
    hvt = sum(piece.number("contact") for piece in units if type_of(piece) == "hvt")
    fire = sum(piece.number("fire") if piece.kind == state.OPFOR else _MOB for piece in units)
    contact = sum(piece.number("contact") for piece in units)
    return Cup(len(units) / max(1, len(cup)), Fighter(round(fire / many), round(contact / many)), 1 + hvt / many)


def guess(scene: Conditions, stand: bool, battle: Battle) -> Ahead:
    """How a battle may end, to choose among many: average hits, round after round, by who fires first."""
    theirs, steps = float(len(battle.opfor)), float(sum(one.steps for one in battle.coalition))
    fire = sum(one.fire for one in battle.coalition) * scene.factor / 6
    back = battle.opfor[0].fire / 6
    lead = max(one.contact for one in battle.coalition) - battle.opfor[0].contact - scene.node_edge
    first = min(0.95, max(0.05, 0.45 + 0.15 * lead))
    left = steps
    for _ in range(_ROUNDS if stand else 1):
        shot = max(0.0, fire * left / steps - scene.strongpoint)
        fallen = min(theirs, shot)
        left -= min(left, back * (theirs - first * fallen))
        theirs -= fallen
    killed, lost = len(battle.opfor) - theirs, steps - left
    return Ahead(min(1.0, left / steps + 0.1) if theirs < 1 or not stand else 0.1, killed, lost, 0.0)


class Prize(NamedTuple):
    """What a Node brings when it is captured, and costs when the battle is lost; both in VP."""

    won: float
    lost: float


NOTHING = Prize(0.0, 0.0)


def prize(chart: Chart, nodes: Sequence[Piece], weights: Sequence[float] = ()) -> Prize:
    """What some Nodes are worth together: their VP [6.1], that they lie on the map no longer, and their OPs."""
    won = lost = 0.0
    for at, piece in enumerate(nodes):
        kind, weight = node_of(piece), weights[at] if weights else 1.0
        won += weight * (chart.number(kind, "vp") + 1 + OP * chart.number(kind, "capture_ops"))
        lost += weight * OP * -chart.number(kind, "loss_ops")
    return Prize(won, lost)


def unseen(chart: Chart, position: Position) -> Prize:
    """What a concealed Node is worth on average: it may be any that nobody has seen [7.1(1)]."""
    left = position.at(state.NODE_CUP)
    return prize(chart, left, [1 / len(left)] * len(left)) if left else NOTHING


def late(position: Position) -> float:
    """How much of a VP it is to stand in a space now that counts at the end [6.1]."""
    return 1.0 if position.track("ops") <= LATE else 0.3


def strength(position: Position) -> float:
    """What the units and strikes in play are worth, as long as there are OPs to use them."""
    troops = sum(steps_left(piece) for piece in deployed(position))
    strikes = sum(STRIKE.get(type_of(piece), 0.4) for piece in position.at(state.AVAILABLE))
    use = min(1.0, max(0, position.track("ops")) / 20)
    return use * (0.8 * troops + strikes)


def standing(position: Position, score: float) -> float:
    """What a position is worth while the game goes on: its VP, what its OPs and its strength will bring."""
    force = sum(piece.number("fire") for piece in deployed(position) if on_map(piece.place) or piece.place.endswith("base"))
    return score + OP * max(0, position.track("ops")) * min(1.0, force / 12) + strength(position)
