"""The value of positions, units and decisions in victory points, from ``ai.toml``, and the choice among candidates."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from functools import lru_cache
from math import exp
from typing import NamedTuple

from companion.core.candidates import Candidate, rank, read_priorities
from companion.core.charts import Chart
from companion.core.odds import mean
from companion.core.position import Piece, Position
from companion.core.rollouts import RolloutDecision, level_of
from companion.core.values import JsonObject
from companion.games.iraqwar2003 import notation, odds, state
from companion.games.iraqwar2003.facts import KUWAIT, Land, land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, derived_from_side, intact
from companion.games.iraqwar2003.rules import r04_sequence, r05_air, r08_map, r13_results, r15_victory
from companion.games.iraqwar2003.state import Side

Constants = Mapping[str, float]
"""One section of ``ai.toml``."""


def terrain_columns(data: JsonObject, known: Mapping[str, str] | None = None) -> dict[str, int]:
    """The Terrain Effect Chart as far as it is known, estimates elsewhere: row to columns."""
    return {**data["columns"], **{row: int(text) for row, text in (known or {}).items()}}


class Threat(NamedTuple):
    """The Coalition's threat to a hex: attack value of its strongest stack, expected numbers of attacks and of entries."""

    attack: float = 0.0
    attacks: float = 0.0
    visits: float = 0.0


def turns_left(position: Position, side: Side, outlook: Constants) -> int:
    """The remaining turns of a side, the current one included. ``outlook``: that section of ``ai.toml``."""
    turn = position.track("turn")
    last = max(int(str(position.flag(state.TURNS) or int(outlook["usual_turns"]))), turn)
    done = side == state.COALITION and position.flag(state.SIDE) == state.IRAQ
    return max(0 if position.flag(state.OVER) else last - turn + 1 - done, 0)


def current_attack(piece: Piece) -> int:
    """[13.3(6)] The attack value of a unit, not across a river."""
    return r13_results.unit_attack_value(piece).counts


class LossModel(NamedTuple):
    """Constants of `loss_chance`; see ``[outlook]`` in ``ai.toml``."""

    air_columns: float
    enter: float
    step: float
    low_step: float
    most_steps: float
    steepness: float
    margin: float


@lru_cache(maxsize=4096)
def loss_chance(model: LossModel, threat: Threat, defence: int, steps: int, columns_left: int) -> float:
    """The estimated probability that a place with these defenders is lost by the end of the game.

    >>> model = LossModel(2, 0.5, 0.28, 0.3, 3.0, 1.6, 0.5)
    >>> weak, strong = loss_chance(model, Threat(12, 2, 6), 4, 2, 1), loss_chance(model, Threat(12, 2, 6), 8, 4, 1)
    >>> weak > strong > loss_chance(model, Threat(), 8, 4, 1)
    True
    """
    if not steps:
        return 1 - exp(-model.enter * threat.visits)
    if threat.attack < 1 or not threat.attacks:
        return 0.0
    index = r13_results.ladder_position(threat.attack, max(defence, 1)) - columns_left + model.air_columns
    each = min(max(model.step * (index + 1), model.low_step / (2 - min(index, 0))), model.most_steps)
    return 1 / (1 + exp(-model.steepness * (each * threat.attacks - steps + model.margin))) * (1 - exp(-threat.attacks))


def _defence(pieces: Iterable[Piece]) -> tuple[int, int]:
    """[13.3(7), 13.4.1] Defence value and strength steps of some units."""
    defence = steps = 0
    for piece in pieces:
        defence += r13_results.unit_defence_value(piece).counts
        steps += notation.steps_left(piece)
    return defence, steps


def _no_threats(pieces: Iterable[Piece]) -> dict[Hashable, dict[str, Threat]]:
    """A cache of threats by hex, for each map, number of turns and set of constants; kept until a unit that threatens changes."""
    return {}


class Valuation:
    """The prospects of a position, place by place. Units in unknown hexes do not count.
    | Args:
        data: The content of ``ai.toml``.
        columns: Known columns of the Terrain Effect Chart; by default the estimates.
    """

    def __init__(
        self,
        position: Position,
        charts: Mapping[str, Chart],
        data: JsonObject,
        options: Mapping[str, str],
        columns: Mapping[str, int] | None = None,
    ) -> None:
        self.position = position
        self.charts = charts
        self.options = options
        self.vp: Constants = data["vp"]
        self.outlook: Constants = data["outlook"]
        self.columns = data["columns"] if columns is None else columns
        self.model = LossModel(*[self.outlook[name] for name in LossModel._fields])
        self.land: Land = land_of(position)
        self.iraqis = r08_map.units_in_hexes(position, state.IRAQ)
        self.coalition = r08_map.units_in_hexes(position, state.COALITION)
        self.western = [piece for piece in self.coalition if notation.is_western(piece)]
        self.coalition_turns = turns_left(position, state.COALITION, self.outlook)
        self.iraqi_turns = turns_left(position, state.IRAQ, self.outlook)
        threats = derived_from_side(position, state.COALITION, _no_threats)
        self._threats = threats.setdefault((self.land, self.coalition_turns, *self.outlook.values()), {})
        self._shifts: dict[str, int] = {}
        self._risks: dict[tuple[str, int, int], float] = {}
        self._present_risks: dict[str, float] = {}

    def threat(self, number: str) -> Threat:
        """What threatens a hex in the remaining turns."""
        if number not in self._threats:
            self._threats[number] = self._threat(number)
        return self._threats[number]

    def _threat(self, number: str) -> Threat:
        outlook, weights = self.outlook, []
        distances = self.land.distances(number)
        for piece in self.coalition:
            distance = distances[piece.place]
            tries = self.coalition_turns + 1 - self._arrival(piece, distance) if distance is not None else 0
            if tries > 0:
                weights.append((1 - outlook["miss"] ** tries, current_attack(piece), tries))
        units, most_tries = int(outlook["units"]), int(outlook["tries"])
        strongest = sorted((share * attack for share, attack, _ in weights), reverse=True)[:units]
        attacks = outlook["focus"] * sum(share * min(tries, most_tries) for share, attack, tries in weights if attack > 1) / units
        return Threat(sum(strongest), attacks, sum(share for share, _, _ in weights))

    def _arrival(self, piece: Piece, distance: int) -> int:
        """The turn, from 1, in which a unit could attack or enter a hex."""
        pace = int(self.outlook["pace"])
        slow = bool(piece.mark(state.OUT_OF_SUPPLY)) or notation.printed_side(piece).move < pace
        late = 1 if piece.mark(state.DISRUPTED) else 0
        return late + max(1, -(-(distance - 1) // (int(self.outlook["slow_pace"]) if slow else pace)))

    def places(self) -> list[tuple[str, str, int]]:
        """[15.2] The VP places whose hex is known: name, hex, victory points."""
        return r15_victory.located_points(self.position, self.charts)

    def risk(self, number: str, pieces: Sequence[Piece]) -> float:
        """The probability that a hex defended by these Iraqi units alone is lost."""
        shift = self._shifts.get(number)
        if shift is None:
            shift = self._shifts[number] = r13_results.terrain_shift(self.land.terrain(number), self.columns, self.options)
        key = number, *_defence(pieces)
        if (risk := self._risks.get(key)) is None:  # quicker than the cache of `loss_chance`, whose arguments are many
            risk = self._risks[key] = loss_chance(self.model, self.threat(number), key[1], key[2], shift)
        return risk

    def present_risk(self, number: str) -> float:
        """The probability that a hex is lost which the units in it alone defend, as if they were Iraqi."""
        if (risk := self._present_risks.get(number)) is None:
            risk = self._present_risks[number] = self.risk(number, state.units_in(self.position, number))
        return risk

    def regained(self, number: str) -> float:
        """The probability that Iraq regains a lost place."""
        if not self.iraqi_turns or any(not notation.is_iraqi(piece) for piece in state.units_in(self.position, number)):
            return 0.0
        distances = self.land.distances(number)
        near = sum((distances[piece.place] or 99) <= notation.printed_side(piece).move for piece in self.iraqis)
        return min(self.outlook["regain"] * near, self.outlook["most_regain"])

    def coming(self) -> float:
        """The expected change of the score by VP places, for the Coalition."""
        total = 0.0
        for place, number, vp in self.places():
            garrison = [piece for piece in state.units_in(self.position, number) if notation.is_iraqi(piece)]
            is_held = r15_victory.is_iraqi(self.position, place)
            total += vp * (self.risk(number, garrison) if is_held else -self.regained(number))
        return total

    def in_kuwait(self) -> list[Piece]:
        """[15.2] Iraqi units in known hexes of Kuwait."""
        return [piece for piece in self.iraqis if notation.is_iraqi(piece) and self.land.in_area(piece.place, KUWAIT)]

    def raid(self, pieces: Sequence[Piece]) -> float:
        """[15.2] The value of Iraqi units in Kuwait to Iraq: at the end of this turn and of those they may survive."""
        if not pieces or not self.iraqi_turns:
            return 0.0
        again = self.outlook["raid_again"]
        certain = 1.0 if self.position.flag(state.SIDE) == state.IRAQ else again
        turns = certain + again * min(self.iraqi_turns - 1, int(self.outlook["raid_turns"]))
        return -r15_victory.row_points(self.charts, "kuwait") * turns

    def coalition_value(self) -> float:
        """[15.2] The expected final score; the score itself once the game is over."""
        score = float(r15_victory.count_points(self.position, self.charts).total)
        if self.position.flag(state.OVER):
            return score
        turns = int(self.outlook["field_turns"])
        ahead = min(self.coalition_turns, turns)
        field = self.vp["iraqi_strength"] * sum(map(notation.steps_left, self.iraqis)) * ahead / turns
        attack = sum(map(current_attack, self.western))
        force = attack * self.vp["coalition_attack"] * ahead
        return score + self.coming() - self.raid(self.in_kuwait()) - field + force


# -- Air units and their targets ---------------------------------------------------------------------------------------


def iraqi_air_value(referee: IraqWarReferee, piece: Piece) -> float:
    """The value of an Iraqi air unit in the following turns; nothing on the last."""
    air: Constants = referee.priorities["air"]
    values = referee.known_values(piece)
    strength = (values.air + 2 * values.support) / air["air_unit_values"] if values else 1.0
    turns = min(turns_left(referee.position, state.IRAQ, referee.priorities["outlook"]) - 1, int(air["air_unit_turns"]))
    return float(referee.priorities["vp"]["air_unit"]) * strength * turns


def coalition_air_value(referee: IraqWarReferee, piece: Piece) -> float:
    """[15.2] The value of removing a Coalition air unit."""
    points = r15_victory.air_unit_points(referee.charts, piece)
    later_turns = turns_left(referee.position, state.IRAQ, referee.priorities["outlook"]) - 1
    return float(referee.priorities["vp"]["enemy_air_unit"]) * later_turns - points if points else 0.0


def target_value(referee: IraqWarReferee, plan: r05_air.PlannedMission) -> float:
    """What a hit on a target costs Iraq in the following turns."""
    vp: Constants = referee.priorities["vp"]
    air: Constants = referee.priorities["air"]
    left = turns_left(referee.position, state.IRAQ, referee.priorities["outlook"])
    if plan.kind == state.PALACE:
        return float(r15_victory.row_points(referee.charts, "saddam")) / max(len(referee.position.at(state.PALACE)), 1)
    if plan.kind != state.BOX:
        unit = notation.printed_side(referee.piece(plan.id)) if plan.kind == state.UNIT else None
        return vp[plan.kind] * (unit.defence if unit else 1)
    box = referee.piece(plan.id)
    kind = notation.kind_of(box)
    if kind == notation.RADIO:
        return _radio_value(referee) * max(left - 1, 0)
    if kind == notation.AIRFIELD:
        fields, air_units = len(intact(boxes(referee.position, notation.AIRFIELD))), len(referee.air_units(state.IRAQ))
        return vp["airfield"] * left * (1.0 if fields <= air_units else air["spare_airfield"])
    if kind == notation.RADAR:
        radars = intact(boxes(referee.position, notation.RADAR))
        in_sector = sum(notation.sector_of(radar) == notation.sector_of(box) for radar in radars)
        return vp["radar"] * left * (1.0 if in_sector == 1 else air["spare_radar"])
    return vp["aa"] * left


def _radio_value(referee: IraqWarReferee) -> float:
    """[11.1] The value of a Radio box per turn; little while the die brings more anyway."""
    die, radios = mean(odds.command_point_chances(referee, r04_sequence.DIE)), r04_sequence.radio_points(referee)
    gain = max(radios, die) - max(radios - 1, die)
    return float(referee.priorities["vp"]["command_point"]) * max(gain, float(referee.priorities["air"]["least_radio"]))


def mission_loss(referee: IraqWarReferee, mission: r05_air.Mission | None, side: Side) -> float:
    """The expected loss of one side's air units over a combat."""
    if mission is None:
        return 0.0
    results, value = odds.flown_odds(mission), iraqi_air_value if side == state.IRAQ else coalition_air_value
    loss = 0.0
    for index, flier in enumerate(mission.fliers):
        if flier.side == side:
            loss += odds.fate_chance(results, r05_air.SHOT_DOWN, index) * value(referee, referee.piece(flier.id))
    return loss


# -- Ground combat -----------------------------------------------------------------------------------------------------


class Stakes(NamedTuple):
    """What a combat is about for one side in victory points: a step of the enemy, one of its own, the defenders' hex."""

    attacks: bool
    enemy_step: float
    own_step: float
    hex: float

    def value(self, end: r13_results.CombatResult) -> float:
        """The value of a combat's result."""
        enemy, own = (end.lost, end.paid) if self.attacks else (end.paid, end.lost)
        return self.enemy_step * enemy - self.own_step * own + (self.hex if self.attacks else -self.hex) * end.emptied


def stakes_of(referee: IraqWarReferee, attack: r13_results.Attack, side: Side) -> Stakes:
    """[15.2] What a combat is about for a side: the enemy's losses, its own, and the hex."""
    attackers = [referee.piece(name) for name in attack.attackers]
    defenders = [referee.piece(name) for name in attack.defenders]
    attacks = notation.side_of(attackers[0]) == side
    enemies, own = (defenders, attackers) if attacks else (attackers, defenders)
    enemy_step, own_step = (step_value(referee, pieces) for pieces in (enemies, own))
    points = r15_victory.hex_points(referee.position, referee.charts, attack.hex) if attack.hex else 0
    vp: Constants = referee.priorities["vp"]
    return Stakes(attacks, enemy_step, own_step, vp["hex"] + vp["place"] * points)


def step_value(referee: IraqWarReferee, pieces: Sequence[Piece]) -> float:
    """[15.2] The mean value of a strength step of some units; western units cost the points not yet lost."""
    if not notation.is_western(pieces[0]):
        return float(referee.priorities["vp"]["strength_step" if notation.side_of(pieces[0]) == state.IRAQ else "kurdish_step"])
    charts = referee.charts
    points = sum(
        r15_victory.unit_points(charts, piece.face, piece.place) - r15_victory.unit_points(charts, piece.face, state.REMOVED)
        for piece in pieces
    )
    return points / sum(map(notation.steps_left, pieces))


def combat_value(forecast: odds.CombatForecast, mission: r05_air.Mission | None, stakes: Stakes) -> float | None:
    """[13.4] The expected value of a combat with air support; None while the chart is unknown."""
    ends = forecast.ends(mission)
    if any(end.result == notation.UNKNOWN_RESULT for end in ends):
        return None
    return odds.expected(ends, stakes.value)


# -- The choice among candidates ---------------------------------------------------------------------------------------

MEASURES = ("vp", "rate", "does", "risk", "cost")
"""Measures that priorities may name: value, value per cost, whether anything is done, chance of a loss, cost."""
NOTHING = "nothing more"
DONE = "done"


class Choice(NamedTuple):
    """A chosen candidate and the reasons, a line each."""

    best: Candidate[str]
    lines: tuple[str, ...]


def candidate(
    name: str, answer: str, value: float = 0.0, detail: str = "", risk: float = 0.0, does: bool = True, cost: int = 0
) -> Candidate[str]:
    """A candidate with its measures.
    | Args:
        value: In victory points for the side that decides.
        risk: The expected or probable loss of what is sent.
        does: Whether anything is done.
        cost: Command points, or values that could serve elsewhere.
    """
    rate = round(100 * value / max(cost, 1))
    measures = {"vp": round(100 * value), "rate": rate, "does": does, "risk": round(100 * risk), "cost": cost}
    return Candidate(answer, name, value, 0.0, (detail,) if detail else (), measures)


def choose(referee: IraqWarReferee, decision: str, candidates: Sequence[Candidate[str]], source: str = "exact odds") -> Choice:
    """Choose by the priorities of a decision. ``source``: where the values come from."""
    ranking = rank(candidates, read_priorities(referee.priorities, decision, MEASURES))
    return Choice(ranking.best, ranking.lines(source=source, digits=2))


def announce(referee: IraqWarReferee, text: str, rule: str, *reasons: str) -> None:
    """Say what is proposed or done, with the reasons."""
    referee.because = reasons
    referee.say(text, rule, *reasons)


def slips(referee: IraqWarReferee, side: Side) -> bool:
    """Return True if Companion plays a side at a level that makes mistakes."""
    return referee.computer_plays(side) and level_of(referee.options, side).slips > 0


async def with_slips(
    referee: IraqWarReferee, key: str, rule: str, side: Side, choice: Choice, candidates: Sequence[Candidate[str]], most: int = 2
) -> Choice:
    """The choice, or one of the worst candidates if the level slips. ``most``: candidates among which it slips."""
    if not slips(referee, side) or len(candidates) < 2 or not referee.option("opponent"):
        return choice
    worst = sorted((other for other in candidates if other is not choice.best), key=lambda other: other.value)[: most - 1]
    tried = [choice.best, *worst]
    stats = await RolloutDecision(key, rule, side, [option.name for option in tried], [option.value for option in tried])
    if not stats.choice:
        return choice
    return Choice(tried[stats.choice], (f"a mistake of the easy level; better is {choice.best.name}", *choice.lines))
