"""The planner of both sides: orders, bombing, interception, ground support, losses, retreats and advances."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import NamedTuple

from companion.core.candidates import Candidate
from companion.core.odds import mean
from companion.core.position import Piece
from companion.core.text import plural
from companion.games.iraqwar2003 import notation, odds, state
from companion.games.iraqwar2003.ai import planner_coalition, planner_iraq, plans
from companion.games.iraqwar2003.ai.features import strength
from companion.games.iraqwar2003.ai.valuation import (
    DONE,
    NOTHING,
    Constants,
    Stakes,
    Valuation,
    announce,
    candidate,
    choose,
    coalition_air_value,
    combat_value,
    iraqi_air_value,
    mission_loss,
    stakes_of,
    target_value,
    turns_left,
    with_slips,
)
from companion.games.iraqwar2003.facts import KUWAIT, land_of
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact
from companion.games.iraqwar2003.rules import r04_sequence, r05_air, r08_map, r13_combat, r13_results, r15_victory

NO_UNIT = "no unit"
Interception = tuple[int, Piece]
"""The number of a group and its interceptor."""


class WithoutSupport(NamedTuple):
    """A combat without a group on support: the mission of others, the value of the combat, the enemy's loss of air units."""

    mission: r05_air.Mission | None
    value: float | None
    lost: float


class Planner:
    """Decides for the sides that Companion plays, and advises players."""

    def __init__(self, referee: IraqWarReferee) -> None:
        self.referee = referee

    async def order(self, side: state.Side) -> str:
        """[4.1(4), 11.2] The next order of a side as it is typed; "" without a map."""
        referee = self.referee
        await plans.choose_plan(referee, side)
        referee.priorities = plans.planned_priorities(referee, side)
        if side == state.IRAQ:
            return await planner_iraq.propose_order(referee)
        return await referee.reuse_procedure(partial(planner_coalition.propose_order, referee))

    async def say_proposal(self) -> None:
        """Say what Companion would do for Iraq now: command points by Radio or die, or how to spend them."""
        referee = self.referee
        referee.say("The rulebook has no solitaire opponent: these priorities are ours.", "4.2", tone="reminder")
        if referee.side == state.IRAQ and referee.phase == state.OPERATIONS:
            if not await planner_iraq.propose_order(referee):
                await planner_iraq.propose_spending(referee)
            return
        if referee.side == state.IRAQ and referee.phase == state.BOMBING:
            referee.say("Iraq proposes its bombing target by target: bomb.", "7.1")
        if referee.side == state.IRAQ and boxes(referee.position, notation.RADIO):
            self.source()
            return
        fields = plural(len(intact(boxes(referee.position, notation.AIRFIELD))), "Air Field")
        ready = referee.piece_names(referee.air_units(state.IRAQ))
        referee.say(f"Iraq has no decision now; it decides when groups are placed. Ready: {ready}; {fields}.", "5.2(2)")

    # -- command points and air units ------------------------------------------------------------------------------

    def source(self) -> str:
        """[11.1] ``radio`` or ``die``: the higher mean; if equal the certain one."""
        referee = self.referee
        points = {source: mean(odds.command_point_chances(referee, source)) for source in r04_sequence.sources(referee)}
        value = referee.priorities["vp"]["command_point"]
        candidates = []
        for source, average in sorted(points.items()):
            risk = float(source != notation.RADIO)
            candidates.append(candidate(source, source, average * value, f"{average:g} CP on average", risk))
        best, lines = choose(referee, "source", candidates)
        method = "its Radio boxes" if best.name == notation.RADIO else f"the {best.name}"
        announce(referee, f"Iraq takes its command points by {method}.", "11.1", *lines)
        return best.decision

    async def interceptions(self, plans: Sequence[r05_air.PlannedMission]) -> str:
        """[5.2(2)] Which groups Iraq intercepts with which units, as typed; ``none``."""
        referee = self.referee
        ready = referee.air_units(state.IRAQ) if referee.airfields_left() else []
        for piece in [*ready, *(piece for plan in plans for piece in plan.group.pieces)]:
            await referee.air_values(piece)
        chosen: list[Interception] = []
        lines: list[str] = []
        while True:
            pairs = self._possible_interceptions(plans, chosen)
            options = [option for option, _ in pairs]
            best = await with_slips(referee, "intercept", "5.2(2)", state.IRAQ, choose(referee, "intercept", options), options)
            lines += [f"{'then ' if lines else ''}{best.lines[0]}", *best.lines[1:]]
            pair = next(pair for option, pair in pairs if option is best.best)
            if pair is None:
                break
            chosen.append(pair)
        chosen.sort(key=lambda pair: pair[0])
        text = ", ".join(f"{number} {piece.name}" for number, piece in chosen) or state.NONE
        intercepted = ", ".join(f"group {number} with {piece.name}" for number, piece in chosen)
        announce(referee, f"Iraq intercepts {intercepted or 'no group'}.", "5.2(2)", *lines)
        return text

    def _possible_interceptions(
        self, plans: Sequence[r05_air.PlannedMission], chosen: Sequence[Interception]
    ) -> list[tuple[Candidate[str], Interception | None]]:
        """The interceptions that are possible beside those chosen, and none."""
        referee = self.referee
        options: list[tuple[Candidate[str], Interception | None]] = [(candidate(NO_UNIT, state.NONE, does=False), None)]
        if r05_air.airfield_obstacle(referee, len(chosen) + 1):
            return options
        taken, intercepted = {piece.id for _, piece in chosen}, {number for number, _ in chosen}
        units = [piece for piece in referee.air_units(state.IRAQ) if piece.id not in taken]
        able = [piece for piece in units if (values := referee.known_values(piece)) and values.air]
        for number, plan in enumerate(plans, 1):
            if number not in intercepted and not r05_air.interception_obstacle(referee, plan, state.IRAQ):
                pairs = [(self._interception(number, plan, piece), (number, piece)) for piece in able]
                options += [(option, pair) for option, pair in pairs if option]
        return options

    def _interception(self, number: int, plan: r05_air.PlannedMission, piece: Piece) -> Candidate[str] | None:
        referee = self.referee
        gain = odds.interception_gain(referee, plan, piece)
        if gain is None:
            return None
        value = gain.stopped * target_value(referee, plan) + gain.kills * coalition_air_value(referee, plan.lead)
        value -= gain.risk * iraqi_air_value(referee, piece)
        saved, killed, lost = (round(100 * share) for share in (gain.stopped, gain.kills, gain.risk))
        detail = f"target safe {saved} %, {plan.lead.name} lost {killed} %, {piece.name} lost {lost} %"
        name = f"{piece.name} meets group {number} ({plan.group.title})"
        return candidate(name, f"{number} {piece.name}", value, detail, gain.risk)

    async def coalition_bombing(self, plans: Sequence[r05_air.PlannedMission], ready: Sequence[Piece]) -> str:
        """[5.2(1), 6.2, 7.1] All groups of a Coalition bombing phase."""
        return await self.referee.reuse_procedure(partial(planner_coalition.propose_bombing, self.referee, plans, ready))

    async def iraqi_bombing(self, plans: Sequence[r05_air.PlannedMission], ready: Sequence[Piece]) -> str:
        """[5.1(2), 7.0] The next unit that Iraq bombs, and with what; ``done``. ``plans``: a target without a group each."""
        referee = self.referee
        candidates = [candidate(NOTHING, DONE, does=False)]
        valuation = Valuation(referee.position, referee.charts, referee.priorities, referee.options)
        stakes = {plan.id: self._disruption_value(valuation, referee.piece(plan.id)) for plan in plans} if ready else {}
        for piece in ready:
            bombing = (await referee.air_values(piece)).bombing
            candidates += [self._bombing(plan, piece, bombing, stakes[plan.id]) for plan in plans if bombing]
        best, lines = choose(referee, "raid", candidates)
        announce(referee, f"Iraq bombs {best.name}.", "5.1(2)", *lines)
        return best.decision

    def _bombing(self, plan: r05_air.PlannedMission, piece: Piece, bombing: int, stake: float) -> Candidate[str]:
        mission = r05_air.mission_of(self.referee, plan._replace(group=r05_air.AirGroup(piece), value=bombing))
        assert mission
        results = odds.flown_odds(mission)
        hit, risk = odds.success_chance(results), odds.fate_chance(results, r05_air.SHOT_DOWN)
        order = f"{plan.target} by {piece.name}"
        value = hit * stake - risk * iraqi_air_value(self.referee, piece)
        return candidate(order, order, value, f"hits in {hit:.0%}, is lost in {risk:.0%}", risk)

    def _disruption_value(self, valuation: Valuation, piece: Piece) -> float:
        """[7.3.1] The value of a unit that neither moves nor attacks next turn and defends with half."""
        referee, vp = self.referee, self.referee.priorities["vp"]
        left = turns_left(referee.position, state.IRAQ, referee.priorities["outlook"])
        stopped = vp["disruption"] * self.threat_of(valuation, piece) if left > 1 else 0.0
        return float(stopped + vp["half_defence"] * self._adjacent_attack(piece) * notation.is_western(piece))

    def threat_of(self, valuation: Valuation, piece: Piece) -> float:
        """[13.3(6)] The attack of a unit, weighted by the VP places near it that Iraq controls."""
        constants: Constants = self.referee.priorities["air"]
        attack = r13_results.unit_attack_value(piece).exact
        if not state.is_hex(piece.place) or not valuation.land.orientation:
            return attack
        most = int(constants["spearhead_hexes"])
        near = []
        for place, number, vp in valuation.places():
            distance = valuation.land.distance(piece.place, number)
            if r15_victory.is_iraqi(valuation.position, place):
                near.append(vp * max(most - (most if distance is None else distance), 0) / most)
        return attack * (constants["far_threat"] + min(sum(near), constants["most_points"]) / constants["points_divisor"])

    def _adjacent_attack(self, piece: Piece) -> int:
        """[7.3.1(3)] The attack values of Iraqi units adjacent to a unit."""
        land = land_of(self.referee.position)
        hexes = {piece.place, *(land.neighbours(piece.place) if state.is_hex(piece.place) else ())}
        units = [unit for unit in r08_map.units_in_hexes(self.referee.position, state.IRAQ) if unit.place in hexes]
        return strength([unit for unit in units if notation.is_iraqi(unit)])

    # -- ground combat ---------------------------------------------------------------------------------------------

    async def support(
        self, decision: r13_combat.SupportDecision, forecast: odds.CombatForecast, options: Mapping[str, r05_air.Mission | None]
    ) -> str:
        """[5.1, 5.3.1(2)] The group to send to a combat as typed; ``none``. ``options``: the mission with each group."""
        referee, side, attack = self.referee, decision.side, decision.supported.attack
        stakes = stakes_of(referee, attack, side)
        before = options[state.NONE]
        bare = combat_value(forecast, before, stakes)
        lost = mission_loss(referee, before, state.other(side))
        without = WithoutSupport(before, bare, lost)
        candidates = [self._support(forecast, stakes, without, *option, side) for option in options.items()]
        choice = choose(referee, "support", candidates)
        if side == state.IRAQ:
            choice = await with_slips(referee, "support", "5.1", side, choice, candidates)
        against = f" against {decision.enemy_group.title}" if decision.enemy_group else ""
        sent = choice.best.name.replace("intercept ", "interceptor ")
        title = r13_combat.attack_title(referee, attack)
        announce(referee, f"{state.WHO[side]} sends {sent} to {title}{against}.", "5.1", *choice.lines)
        return choice.best.decision

    def _support(
        self,
        forecast: odds.CombatForecast,
        stakes: Stakes,
        without: WithoutSupport,
        group: str,
        mission: r05_air.Mission | None,
        side: state.Side,
    ) -> Candidate[str]:
        """The value of a group on support."""
        referee, bare = self.referee, without.value
        if group == state.NONE or mission is None:
            return candidate(NO_UNIT, state.NONE, does=False)
        now = combat_value(forecast, mission, stakes)
        if now is None or bare is None:
            columns = abs(forecast.mean_column(mission) - forecast.mean_column(without.mission))
            change = referee.priorities["vp"]["column"] * columns
            detail = f"shift {columns:.1f} on a chart that is not entered yet"
        else:
            change, detail = now - bare, f"the combat {now - bare:+.2f}"
        foe = state.other(side)
        killed = mission_loss(referee, mission, foe) - without.lost
        risk = mission_loss(referee, mission, side)
        sent = sum(abs(flier.worth) for flier in mission.fliers if flier.side == side)
        detail += f", enemy planes {killed:+.2f}, own {-risk:+.2f}"
        return candidate(group, group, change + killed - risk, detail, risk, cost=sent)

    def loss(self, pieces: Sequence[Piece]) -> Piece:
        """[13.4.1] The Iraqi unit that takes a loss: the least combat value lost, defence first; it costs no points."""
        weight = self.referee.priorities["stand"]["defence"]

        def lost(piece: Piece) -> tuple[float, int]:
            now = notation.printed_side(piece)
            after = now._replace(attack=0, defence=0)
            if notation.steps_left(piece) > 1:
                after = notation.printed_side(piece._replace(face="reduced"))
            return weight * (now.defence - after.defence) + now.attack - after.attack, now.attack

        return min(pieces, key=lost)

    def retreat_hex(self, pieces: Sequence[Piece], hexes: Sequence[str]) -> str:
        """[13.5(2)] Of equal hexes the one to retreat to: a VP place, a city, away from the enemy."""
        if len(hexes) == 1:
            return hexes[0]
        referee = self.referee
        land = land_of(referee.position)
        enemies = [piece.place for piece in r08_map.units_in_hexes(referee.position, state.other(notation.side_of(pieces[0])))]
        most = referee.priorities["stand"]["enemy_hexes"]

        def preference(number: str) -> tuple[int, bool, int]:
            distances = land.distances(number)
            near = len([enemy for enemy in enemies if (distances[enemy] or 9) <= most])
            return r15_victory.hex_points(referee.position, referee.charts, number), bool(land.is_city(number)), -near

        return max(hexes, key=preference)

    def advancing(self, able: Sequence[Piece], number: str) -> list[Piece]:
        """[13.6(1)] Units that advance: all into VP places and Kuwait, but one stays in a VP place; others towards a goal."""
        if not able or not number:
            return []
        referee = self.referee
        side, base = notation.side_of(able[0]), state.hex_of(able)
        points, base_points = (r15_victory.hex_points(referee.position, referee.charts, place) for place in (number, base))
        counts = points or (side == state.IRAQ and land_of(referee.position).in_area(number, KUWAIT))
        if not counts and not (side == state.COALITION and self._is_nearer(base, number)):
            return []
        return list(able[1:] if base_points and len(able) > 1 else [] if base_points and not counts else able)

    def _is_nearer(self, base: str, number: str) -> bool:
        """Return True if a hex is nearer than another to a place that Iraq controls."""
        position = self.referee.position
        land = land_of(position)
        places = r15_victory.located_points(position, self.referee.charts)
        aims = [number for place, number, _ in places if r15_victory.is_iraqi(position, place)]
        distances = [(land.distance(number, aim), land.distance(base, aim)) for aim in aims if base]
        return any(after is not None and before is not None and after < before for after, before in distances)
