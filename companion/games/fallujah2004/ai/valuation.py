"""The value of battles, Nodes, units and positions in VP: our estimates, with their constants in ``ai.toml``."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from math import sqrt
from typing import Any, NamedTuple

from companion.core.candidates import read_constants
from companion.core.charts import Chart
from companion.core.position import Piece, Position
from companion.core.values import JsonObject
from companion.games.fallujah2004 import battles, state
from companion.games.fallujah2004.ai.openings import Opening, read_openings
from companion.games.fallujah2004.referee import FallujahReferee
from companion.games.fallujah2004.rules import r06_scenarios, r09_opfor, r16_battle
from companion.games.fallujah2004.rules.r16_battle import Battle, BattleHost, Conditions, Fighter, Step, Support

_MAX_FORECASTS, _MAX_SOLVED, _MAX_SCENES = 20_000, 500, 5_000
"""Maximum sizes of the caches: forecasts, battles between two clearings of the solvers, and places with forces."""


class Constants(NamedTuple):
    """The content of ``ai.toml``, each key after its table; the file has units and meanings."""

    worth_op: float
    worth_step: float
    worth_refit: float
    worth_refit_ops: int
    worth_late_ops: int
    worth_early: float
    strike_air: float
    strike_soa: float
    strike_artillery: float
    strike_netwar: float
    strike_other: float
    position_troop: float
    position_use_ops: float
    position_force: float
    position_settled: float
    position_early: float
    battle_rounds: int
    battle_even_edge: float
    battle_edge_step: float
    battle_edge_low: float
    battle_edge_high: float
    battle_safety: float
    battle_small_part: float
    battle_most_met: int
    battle_sure_win: float
    battle_sure_lost: float
    battle_marker: float
    battle_weak_strike: float
    battle_strong_strike: float
    battle_strong_fire: int
    battle_strike_ops: float
    battle_strike_counts: tuple[int, ...]
    battle_placements: int
    move_apart: float
    move_far: int
    move_go_on: float
    move_go_on_points: int
    move_idle: float
    move_least: float
    move_goals: int
    move_back_units: int
    move_advised_goals: int
    netwar_kept: float
    buy_part: float
    buy_enough: int
    buy_least_ops: int
    buy_lacking: float
    buy_far: int
    buy_back: float
    buy_contact: float
    buy_move: float
    buy_most_move: int
    buy_price: float
    buy_engineer: float
    buy_balance: int
    engineer_bridge: float


class BattleForecasts:
    """Exact forecasts of battles, cached for all games: a battle depends on nothing else on the table."""

    def __init__(self, referee: FallujahReferee) -> None:
        """Read the charts of a hypothetical referee."""
        self._referee = referee
        self._forecasts: dict[object, battles.Forecast] = {}
        self._solvers: dict[tuple[Conditions, bool, bool], battles.BattleSolver] = {}

    def forecast(
        self,
        conditions: Conditions,
        opfor_stands: bool,
        battle: Battle,
        netwar: bool = False,
        strikes: int = 0,
        step: Step = r16_battle.ROUND[0],
    ) -> battles.Forecast:
        """The expected end of a battle from the next step of a round, with the strikes committed to it, the strongest first."""
        support = Support(battles.strongest_first(battle).support.strikes[:strikes], netwar) if netwar or strikes else Support()
        nameless = tuple(strike._replace(id="", name="") for strike in support.strikes)
        start = battle._replace(support=support._replace(strikes=nameless), ops=0).canonical()
        key = conditions, opfor_stands, start, step
        if key not in self._forecasts:
            if len(self._forecasts) >= _MAX_FORECASTS:
                self._forecasts.clear()
            if len(self._forecasts) % _MAX_SOLVED == 0:
                self._solvers.clear()
            self._forecasts[key] = self._solve(conditions, opfor_stands, start, step)
        return self._forecasts[key]

    def _solve(self, conditions: Conditions, opfor_stands: bool, start: Battle, step: Step) -> battles.Forecast:
        # the start has only the support that is committed: all battles in these conditions share the rounds without support
        key = conditions, opfor_stands, battles.has_mob(start)
        if key not in self._solvers:
            stage = BattleHost(self._referee, conditions, opfor_stands)
            self._solvers[key] = battles.BattleSolver(stage, start, battles.commit_all, strikes=True)
        return self._solvers[key].forecast(step, start)


class ReactionCup(NamedTuple):
    """The content of the Reaction cup: the share that fights, the average OPFOR unit, and VP for each one eliminated [6.1]."""

    share: float
    typical: Fighter
    kill: float

    def met(self, picks: int) -> float:
        """The average number of OPFOR units among some picks."""
        return self.share * picks


def _fighting(pieces: Iterable[Piece]) -> tuple[list[Piece], int]:
    """The pieces that fight, and the number of all."""
    lying = list(pieces)
    return [piece for piece in lying if state.fights(piece)], len(lying)


def cup_of(position: Position, mob_chart: Chart) -> ReactionCup:
    """The content of the Reaction cup."""
    units, lying = position.cached_from_place(state.REACTION_CUP, _fighting)
    count = max(1, len(units))
    hvt = sum(piece.number("contact") for piece in units if state.type_of(piece) == "hvt")
    mob = r16_battle.mean_mob_strength(mob_chart)
    fire = sum(piece.number("fire") if piece.kind == state.OPFOR else mob for piece in units)
    contact = sum(piece.number("contact") for piece in units)
    return ReactionCup(len(units) / max(1, lying), Fighter(round(fire / count), round(contact / count)), 1 + hvt / count)


def _strength(units: Iterable[Piece]) -> tuple[int, int]:
    """The strength steps and the firepower of the units that are deployed."""
    there = [piece for piece in units if piece.place in state.UNIT_PLACES]
    return sum(map(state.steps_left, there)), sum([piece.number("fire") for piece in there])


def _concealed(pieces: Iterable[Piece]) -> int:
    """The number of concealed Nodes on the map."""
    return sum(map(state.lies_concealed, pieces))


class NodeValue(NamedTuple):
    """VP of a Node when it is captured, and VP that it costs when the battle is lost."""

    won: float
    lost: float


NOTHING = NodeValue(0.0, 0.0)


def read_valuation(data: JsonObject) -> Valuation:
    """The values by ``ai.toml``. Raises BadData: a constant or an opening is missing or unknown."""
    constants = {name: items for name, items in data.items() if name != "opening"}
    return Valuation(read_constants(Constants, constants), read_openings(data))


class Valuation:
    """The planner's values in VP, by the constants of ``ai.toml``, and its openings."""

    def __init__(self, constants: Constants, openings: Sequence[Opening]) -> None:
        self.constants = constants
        self.openings = openings
        self._approaches: dict[Hashable, dict[Any, Any]] = {}

    def approaches_to(self, scene: Hashable) -> dict[Any, Any]:
        """A cache, shared by all positions, of what forces can expect where the same waits for them."""
        if len(self._approaches) >= _MAX_SCENES and scene not in self._approaches:
            self._approaches.clear()
        return self._approaches.setdefault(scene, {})

    def estimate(self, conditions: Conditions, opfor_stands: bool, battle: Battle) -> battles.Forecast:
        """A quick estimate of a battle: average hits, round by round, by the chance to fire first."""
        constants = self.constants
        opfor, steps = float(len(battle.opfor)), float(sum(fighter.steps for fighter in battle.coalition))
        fire = sum(fighter.fire for fighter in battle.coalition) * conditions.factor / r16_battle.FACES
        return_fire = battle.opfor[0].fire / r16_battle.FACES
        # Leaders and FOBs [29.2, 28.2] are left out: edge_bonus and opfor_bonus of the rules change which goals are compared.
        lead = max(fighter.contact for fighter in battle.coalition) - battle.opfor[0].contact - conditions.node_edge
        chance = constants.battle_even_edge + constants.battle_edge_step * lead
        first = min(constants.battle_edge_high, max(constants.battle_edge_low, chance))
        left = steps
        for _ in range(constants.battle_rounds if opfor_stands else 1):
            hits = max(0.0, fire * left / steps - conditions.strongpoint)
            eliminated = min(opfor, hits)
            left -= min(left, return_fire * (opfor - first * eliminated))
            opfor -= eliminated
        killed, lost = len(battle.opfor) - opfor, steps - left
        win = constants.battle_safety
        if opfor < 1 or not opfor_stands:
            win = min(1.0, left / steps + win)
        return battles.Forecast(win, killed, lost, 0.0)

    def nodes(self, chart: Chart, nodes: Sequence[Piece], weights: Sequence[float] = ()) -> NodeValue:
        """The VP of Nodes [6.1] and their OPs [20.3, 17.0]; the capturing force is not known, so that SOF bring no OPs [27.2]."""
        op = self.constants.worth_op
        won = lost = 0.0
        for index, piece in enumerate(nodes):
            weight = weights[index] if weights else 1.0
            ops = sum(r09_opfor.capture_ops(chart, piece, with_sof=False))
            won += weight * (r06_scenarios.node_vp(chart, state.node_of(piece)) + r06_scenarios.NODE_LEFT_VP + op * ops)
            lost += weight * op * r09_opfor.battle_loss_ops(chart, [piece])
        return NodeValue(won, lost)

    def unseen_node(self, chart: Chart, position: Position) -> NodeValue:
        """The average value of a concealed Node: it may be any that has not been revealed [7.1(1)]."""
        left = sorted(position.at(state.NODE_CUP), key=state.node_of)  # the hidden order would change the last digit
        return self.nodes(chart, left, [1 / len(left)] * len(left)) if left else NOTHING

    def held_space(self, position: Position) -> float:
        """The share of a VP for a ground unit in a space that counts at the end [6.1]."""
        return 1.0 if position.track("ops") <= self.constants.worth_late_ops else self.constants.worth_early

    def refit(self, ops: int) -> float:
        """VP of a reduced unit restored to full strength with so many OPs left to use it."""
        return self.constants.worth_refit * min(1.0, max(0, ops) / self.constants.worth_refit_ops)

    def strikes(self, kind: str) -> float:
        """VP of a strike or NetWar marker that is kept."""
        constants = self.constants
        kept = {
            "air": constants.strike_air,
            "soa": constants.strike_soa,
            "artillery": constants.strike_artillery,
            "netwar": constants.strike_netwar,
        }
        return kept.get(kind, constants.strike_other)

    def position(self, position: Position, score: float) -> float:
        """The value of a position while the game goes on: its VP, and the prospects of its OPs, units and strikes."""
        constants, ops = self.constants, max(0, position.track("ops"))
        troops, force = position.cached_from_kind(state.UNIT, _strength)
        strikes = sum(self.strikes(state.type_of(piece)) for piece in position.at(state.AVAILABLE))
        strength = min(1.0, ops / constants.position_use_ops) * (constants.position_troop * troops + strikes)
        return score + constants.worth_op * ops * min(1.0, force / constants.position_force) + strength

    def features(self, position: Position, score: float) -> dict[str, float]:
        """Plain features of a position between two operations, for a fitted value: points, OPs, forces, and what is left."""
        troops, force = position.cached_from_kind(state.UNIT, _strength)
        available = [state.type_of(piece) for piece in position.at(state.AVAILABLE)]
        fighting, _ = position.cached_from_place(state.REACTION_CUP, _fighting)
        ops = float(max(0, position.track("ops")))
        certainty = 1 / sqrt(ops + self.constants.position_settled)
        early = max(0.0, self.constants.position_early - position.track("operations"))
        return {
            "score": score,
            "ops": ops,
            "troops": float(troops),
            "force": float(force),
            "ops_with_force": ops * min(1.0, force / self.constants.position_force),
            "strikes": float(len(available)),
            "nodes_left": float(position.cached_from_kind(state.CONCEALED, _concealed)),
            "morale": float(position.track("morale")),
            "opfor_left": float(len(fighting)),
            "uprising": float(state.is_uprising(position)),
            "certainty": certainty,
            "score_by_certainty": score * certainty,
            "ops_by_certainty": ops * certainty,
            "troops_by_certainty": troops * certainty,
            "troops_squared_by_certainty": troops * troops * certainty,
            "strikes_by_certainty": len(available) * certainty,
            "early_by_certainty": early * certainty,
        }
