"""How Iraq spends its command points: attacks, moves, recovery and roads; without a map, what the player says is possible."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import combinations
from typing import NamedTuple

from companion.core.candidates import Candidate, rank, read_priorities
from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Choice
from companion.core.text import clean, pick_name, split_list
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.ai.features import FAR, Features
from companion.games.iraqwar2003.ai.kept import CANDIDATES
from companion.games.iraqwar2003.ai.valuation import (
    DONE,
    NOTHING,
    announce,
    candidate,
    choose,
    combat_value,
    slips,
    stakes_of,
    terrain_columns,
    with_slips,
)
from companion.games.iraqwar2003.facts import LARGE, MINOR
from companion.games.iraqwar2003.odds import CombatForecast
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.rules import (
    r04_sequence,
    r08_map,
    r12_movement,
    r13_combat,
    r13_results,
    r15_control,
    r15_victory,
    r16_options,
)


class IraqiFeatures(Features):
    """Features for Iraq, with the known columns of the Combat Results Chart."""

    def __init__(self, referee: IraqWarReferee, known_columns: Mapping[str, str], terrain: Mapping[str, str]) -> None:
        super().__init__(referee, state.IRAQ, terrain_columns(referee.priorities, terrain))
        self.known_columns = known_columns
        self.points = referee.position.track("cp")
        self.goal_hexes = () if slips(referee, state.IRAQ) else self.kuwait  # the easy level ignores Kuwait
        self.critical = frozenset((*self.vp_hexes, *self.goal_hexes))

    @cached_property
    def critical_costs(self) -> Mapping[str, float]:
        """The movement cost from each hex to the nearest hex in which a unit's arrival counts at once."""
        return self.travel_to_any((*self.vp_hexes, *self.goal_hexes))

    def left(self, pieces: Sequence[Piece]) -> float:
        return self.leaving_cost(pieces, self.goal_hexes)

    def arrived(self, pieces: Sequence[Piece], number: str) -> float:
        return self.arriving_gain(pieces, number, self.goal_hexes) if number in self.critical else 0.0


async def order_candidates(referee: IraqWarReferee) -> list[Candidate[str]]:
    """[11.2] Every use of a command point, and to spend none; empty without a map or a unit in a known hex."""
    columns, terrain = await referee.known_facts("crt", "13.4"), await referee.known_facts("terrain", "13.3(5)")
    return CANDIDATES.of(
        referee, state.IRAQ, terrain, columns, lambda facts: _order_candidates(IraqiFeatures(referee, facts, terrain))
    )


def _order_candidates(features: IraqiFeatures) -> list[Candidate[str]]:
    if not features.land.orientation or not r08_map.units_in_hexes(features.position, state.IRAQ):
        return []
    orders = [*attacks(features), *moves(features), *recoveries(features), *road_works(features)] if features.points else []
    paid = [order for order in orders if order.measures["cost"] <= features.points and order.value > 0]
    return [*paid, candidate(NOTHING, DONE, does=False)]


async def propose_order(referee: IraqWarReferee) -> str:
    """[11.2] The next order: ``51M > 3136 3137 > 3138``, ``recover Med``, ``road SF1``, ``done``; "" without a map."""
    candidates = await order_candidates(referee)
    if not candidates:
        return ""
    ranked = choose(referee, "deed", candidates, "our estimate and exact odds")
    best, lines = await with_slips(referee, "deed", "11.2", state.IRAQ, ranked, candidates, most=3)
    text = f"decides to {best.name}" if best.measures["does"] else "does nothing more"
    announce(referee, f"Iraq {text} (next of {referee.position.track('cp')} CP).", "11.2", *lines)
    return best.decision


# -- attacks --------------------------------------------------------------------------------------------------------------


class Strike(NamedTuple):
    """A possible attack from a base.
    | Attributes:
        values: Combat values with enemy artillery and the expected shift by air support.
        column_index: Index of its column on the chart, -1 without an attack value.
        moved: The value of the move to the base.
    """

    pieces: tuple[Piece, ...]
    base: str
    attack: r13_results.Attack
    values: r13_results.CombatValues
    column_index: int
    moved: float = 0.0


def expected_air_shift(referee: IraqWarReferee, attack: r13_results.Attack) -> float:
    """[13.3(2), 16.5] The expected shift of an Iraqi attack by the best support units of both sides."""
    best = {}
    for side in (state.IRAQ, state.COALITION):
        can_fly = side == state.COALITION or referee.airfields_left()
        ready = r13_combat.supporting_units(referee, attack, side) if can_fly else []
        best[side] = max((values.support for piece in ready if (values := referee.known_values(piece))), default=0)
    constants = referee.priorities["attack"]
    return float(constants["own_air"] * best[state.IRAQ] - constants["enemy_air"] * best[state.COALITION])


def _groups(features: IraqiFeatures) -> Iterator[tuple[Piece, ...]]:
    """[12.1(1), 13.2(2)] Units of one hex that could attack together, at most one per command point."""
    stacks: dict[str, list[Piece]] = {}
    for piece in features.iraqi_units:
        stacks.setdefault(piece.place, []).append(piece)
    for place, pieces in stacks.items():
        if features.enemy_distance(place) <= 2 + max(notation.printed_side(piece).move for piece in pieces):
            for count in range(1, min(len(pieces), features.points, r08_map.LIMIT) + 1):
                yield from (group for group in combinations(pieces, count) if r08_map.can_stack(group))


def _strikes(features: IraqiFeatures, lowest: int) -> Iterator[Strike]:
    """The attacks in a column of at least an index."""
    referee, shifts = features.referee, dict[str, float]()
    for pieces in _groups(features):
        left = features.left(pieces)
        valued: dict[tuple[str, tuple[str, ...]], tuple[r13_results.CombatValues, int]] = {}
        for possible in features.attacks(pieces, lambda base: bool(features.land.is_city(base))):
            attack, target = possible.attack, possible.target
            key = target, attack.river
            if key not in valued:
                if target not in shifts:
                    shifts[target] = expected_air_shift(referee, attack)
                left_columns = attack.left - round(shifts[target])
                values = possible.values._replace(added=(0, _enemy_artillery(features, pieces, target)), left=left_columns)
                valued[key] = values, notation.LADDER.index(values.column(0)) if values.attack else -1
            values, index = valued[key]
            if index >= lowest:
                moved = features.arrived(pieces, possible.base) - left if possible.base != pieces[0].place else 0.0
                yield Strike(pieces, possible.base, attack, values, index, moved)


def _enemy_artillery(features: IraqiFeatures, pieces: Sequence[Piece], target: str) -> int:
    """[16.3(2)] The artillery support of the defenders of a hex."""
    referee, foes = features.referee, features.field.foes[target]
    if not referee.has_rule(state.ARTILLERY):
        return 0
    guns = r16_options.available_artillery(referee, foes, [*pieces, *foes], target)
    return sum(r16_options.support_value(referee, gun, False, True) for gun in guns)


def _promise(features: IraqiFeatures, strike: Strike) -> float:
    """The rough value of an attack per command point, to select those whose exact odds are computed."""
    constants = features.referee.priorities["attack"]
    west = constants["western"] if notation.is_western(features.referee.piece(strike.attack.defenders[0])) else constants["other"]
    place = features.lost_vp_hexes.get(strike.attack.hex, 0) * constants["place"]
    promise = (west + place) * max(strike.column_index + 1, 0) * constants["column"] + strike.moved
    return float(promise / len(strike.pieces))


def attacks(features: IraqiFeatures) -> list[Candidate[str]]:
    """[13.0] The most promising attacks, valued by exact odds."""
    constants = features.referee.priorities["attack"]
    lowest = notation.LADDER.index(constants["lowest"])
    best: dict[tuple[tuple[str, ...], str], Strike] = {}
    for strike in sorted(_strikes(features, lowest), key=lambda strike: -_promise(features, strike)):
        best.setdefault((strike.attack.attackers, strike.attack.hex), strike)
    tried = [_attack_candidate(features, strike) for strike in list(best.values())[: int(constants["exact"])]]
    return [order for order in tried if order]


def _attack_candidate(features: IraqiFeatures, strike: Strike) -> Candidate[str] | None:
    referee = features.referee
    forecast = CombatForecast(referee, strike.attack, features.known_columns, strike.values)
    value = combat_value(forecast, None, stakes_of(referee, strike.attack, state.IRAQ))
    if value is None:
        return None
    path = " ".join(features.reach(strike.pieces).path(strike.base)) or notation.STAY
    names = referee.piece_names(strike.pieces)
    column = strike.values.column(0)
    detail = f"column {column} with the expected air support: combat {value:+.2f}, position {strike.moved:+.2f}"
    order = f"{names} > {path} > {strike.attack.hex}"
    return candidate(f"attack {strike.attack.hex} with {names}", order, value + strike.moved, detail, cost=len(strike.pieces))


# -- moves ----------------------------------------------------------------------------------------------------------------


class Goal(NamedTuple):
    """A goal of a march: its cost from each hex in half points, and the units that it is for (empty: all)."""

    name: str
    costs: Mapping[str, float]
    value: float
    units: frozenset[str] = frozenset()


def goals(features: IraqiFeatures) -> list[Goal]:
    """[15.2] Goals several turns away: Kuwait, lost places, places held too weakly."""
    march, valuation = features.referee.priorities["march"], features.valuation
    aims = [*_kuwait_goals(features)]
    for number, vp in features.lost_vp_hexes.items():
        share = march["held_place" if state.units_in(features.position, number) else "open_place"]
        aims.append(Goal(f"retakes {number}", features.travel(number), vp * share))
    for number, vp in features.iraqi_vp_hexes.items():
        risk = valuation.present_risk(number)
        if risk > march["least_risk"]:
            aims.append(Goal(f"defends {number}", features.travel(number), march["defend"] * vp * risk))
    return aims


def _kuwait_goals(features: IraqiFeatures) -> Iterator[Goal]:
    """[15.2] A unit in Kuwait at the end of a turn, for the nearest few units."""
    march, valuation = features.referee.priorities["march"], features.valuation
    left = valuation.iraqi_turns
    if not features.goal_hexes or valuation.in_kuwait() or left < 1:
        return
    costs = features.travel_to_any(features.goal_hexes)
    nearest = sorted(valuation.iraqis, key=lambda piece: _march_turns(costs, piece))[: int(march["raiders"])]
    turns = min(max(left - 1, 1), int(march["kuwait_turns"]))
    value = -r15_victory.row_points(features.referee.charts, "kuwait") * turns * march["kuwait"]
    yield Goal("goes for Kuwait", costs, value, frozenset(piece.id for piece in nearest))


def _march_turns(costs: Mapping[str, float], piece: Piece) -> float:
    """The turns that a unit needs to a goal, regardless of units."""
    return costs.get(piece.place, FAR) / r12_movement.in_halves(max(notation.printed_side(piece).move, 1))


class Attraction:
    """How strongly the goals attract a unit in each hex; the same for units of one hex and movement value with the same goals."""

    def __init__(self, features: IraqiFeatures, aims: Sequence[Goal], piece: Piece) -> None:
        march = features.referee.priorities["march"]
        pace = r12_movement.in_halves(max(notation.printed_side(piece).move, 1))
        self._most = pace * min(march["turns"], features.valuation.iraqi_turns - 1)
        later = march["later"]
        self._fade = later ** (1 / pace)
        most, place = self._most + pace, piece.place
        near = [goal for goal in aims if goal.costs.get(place, FAR) <= most and (not goal.units or piece.id in goal.units)]
        self._goals = [(goal.value * later, goal.name, goal.costs) for goal in near]
        # kept for units with the same goals, and for the following orders
        key = ("attraction", features.front, pace, self._most, *[goal[:2] for goal in self._goals])
        self.known: dict[str, tuple[float, str]] = features.field.derived.setdefault(key, {})

    def at(self, number: str) -> tuple[float, str]:
        """The value of later turns, and the goal; ``known`` holds those that were asked for."""
        if (known := self.known.get(number)) is not None:
            return known
        best, most, fade = (0.0, ""), self._most, self._fade
        for value, name, costs in self._goals:
            if value >= best[0] and (cost := costs.get(number, FAR)) <= most and (goal := (value * fade**cost, name)) > best:
                best = goal
        self.known[number] = best
        return best


def moves(features: IraqiFeatures) -> list[Candidate[str]]:
    """[12.0] The best destination of each unit."""
    aims = goals(features)
    special = [goal for goal in aims if goal.units]
    attractions: dict[Hashable, Attraction] = {}
    orders = []
    for piece in features.iraqi_units:
        key = piece.place, notation.printed_side(piece).move, *(piece.id in goal.units for goal in special)
        if key not in attractions:
            attractions[key] = Attraction(features, aims, piece)
        orders.append(_best_move(features, attractions[key], piece))
    return [order for order in orders if order]


def _best_move(features: IraqiFeatures, attraction: Attraction, piece: Piece) -> Candidate[str] | None:
    march = features.referee.priorities["march"]
    pull = attraction.at(piece.place)[0]
    pace = r12_movement.in_halves(notation.printed_side(piece).move)
    critical = features.critical_costs.get(piece.place, FAR) <= pace
    if not pull and not critical and features.enemy_distance(piece.place) > march["near"]:
        return None
    reach, cost = features.reach([piece]), features.left([piece])
    factor = features.referee.priorities["vp"]["march"]
    best: tuple[float, str, float, float, str] = (0.0, "", 0.0, 0.0, "")
    critical_hexes, cut_hexes, known = features.critical, features.cut_hexes, attraction.known
    for number in reach.spent:
        later, goal = known.get(number) or attraction.at(number)
        now = features.arrived([piece], number) if number in critical_hexes else 0.0
        cut = features.cut_value(piece, number) if number in cut_hexes else 0.0
        value = now + cut + factor * (later - pull) - cost
        if value > best[0] and number != piece.place:
            best = value, number, now, cut, goal if later - pull > now else ""
    value, number, now, cut, goal = best
    if not number:
        return None
    purpose = _purpose(features, number, now, cut, goal)
    order = f"{piece.name} > {' '.join(reach.path(number))} > {state.NONE}"
    return candidate(f"move {piece.name} to {number}", order, value, purpose, cost=1)


def _purpose(features: IraqiFeatures, number: str, now: float, cut: float, goal: str) -> str:
    """The purpose of a move in words."""
    if goal:
        return goal
    if cut > now:
        return "cuts the supply of spearheads"
    if number not in features.vp_hexes:
        return "into Kuwait"
    return f"{'retakes' if number in features.lost_vp_hexes else 'holds'} {number}"


# -- recovery and roads ---------------------------------------------------------------------------------------------------


def recoveries(features: IraqiFeatures) -> list[Candidate[str]]:
    """[7.3.3, 11.2(2)] Units that could recover, valued by their combat values and the place they hold."""
    able = filter(notation.is_iraqi, r04_sequence.recoverable_units(features.position))
    values = {f"recover {piece.name}": _recovery_value(features, piece) for piece in able if state.is_hex(piece.place)}
    return [candidate(order, order, value, cost=1) for order, value in values.items()]


def _recovery_value(features: IraqiFeatures, piece: Piece) -> float:
    priorities, side = features.referee.priorities, notation.printed_side(piece)
    march = priorities["march"]
    near = max(1.0 - features.enemy_distance(piece.place) / march["recovery_hexes"], march["least_recovery"])
    value = priorities["vp"]["recovery"] * near * (side.attack + side.defence)
    if piece.place in features.iraqi_vp_hexes:
        stack = state.units_in(features.position, piece.place)
        fresh = piece._replace(marks={mark: value for mark, value in piece.marks.items() if mark != state.DISRUPTED})
        whole = [fresh if unit == piece else unit for unit in stack]
        risk = features.valuation.risk
        value += features.vp_hexes[piece.place] * (risk(piece.place, stack) - risk(piece.place, whole))
    return float(value)


def road_works(features: IraqiFeatures) -> list[Candidate[str]]:
    """[14.1, 11.2(3)] Roads that a unit could destroy in its hex, bridges first."""
    priorities, works = features.referee.priorities, {}
    most = int(priorities["march"]["road_hexes"])
    for piece in features.iraqi_units:
        number = piece.place
        distance = features.enemy_distance(number)
        if number in works or r08_map.has_broken_roads(features.position, number) or not 1 <= distance <= most:
            continue
        roads = [neighbour for neighbour, words in features.front.legs[number] if "road" in words]
        bridge = any(features.land.water(number, neighbour) in (MINOR, LARGE) for neighbour in roads)
        if len(roads) > 1 or bridge:
            value = priorities["vp"]["bridge" if bridge else "own_road"] * (1 - distance / (most + 1))
            works[number] = candidate(f"destroy the roads of {number}", f"road {piece.name}", value, cost=1)
    return list(works.values())


# -- without a map --------------------------------------------------------------------------------------------------------

_VERBS = {
    "attack": "attacks",
    "retake": "retakes",
    "recover": "recovers",
    "block": "blocks the way",
    "kuwait": "goes into Kuwait",
    "road": "destroys roads",
    "repair": "repairs roads",
    "move": "moves",
}
KINDS = tuple(_VERBS)
"""What an Iraqi unit may be able to do, as the player types it."""
DEED_MEASURES = ("able", "points", "hopeless", "urgency", "column")


class Deed(NamedTuple):
    """A possible deed of an Iraqi unit, as typed. ``free``: needs no command point [16.10(1)]. ``against``: an obstacle or ""."""

    kind: str
    unit: str
    column: str
    place: str
    points: int
    urgency: int
    free: bool = False
    against: str = ""

    @property
    def title(self) -> str:
        return " ".join(filter(None, [self.kind, self.unit, self.column, self.place]))

    @property
    def sentence(self) -> str:
        """The deed as a sentence: ``51M attacks at 3-1``."""
        odds = f"at {self.column}" if self.column else ""
        return " ".join(filter(None, [self.unit, _VERBS[self.kind], odds, self.place]))

    def candidate(self) -> Candidate[Deed]:
        lowest, index = notation.LADDER.index("1-1"), notation.LADDER.index(self.column or notation.LADDER[0])
        measures = {
            "able": not self.against,
            "points": self.points,
            "hopeless": self.kind == "attack" and index < lowest,
            "urgency": self.urgency,
            "column": index,
        }
        return Candidate(self, self.title, self.points, measures=measures)


def _read_deed(text: str, units: Sequence[str], places: Sequence[str]) -> str:
    words = clean(text).split()
    kind = pick_name(words[0], KINDS, "deed", cure=f"Each begins with one of {', '.join(KINDS)}") if words else ""
    if len(words) < 2:
        raise Unreadable(f"'{clean(text)}' names no unit", rule="11.2", cure="Type: attack 6A 3-1, retake SF1 Najaf")
    end = next((end for end in range(len(words), 1, -1) if " ".join(words[1:end]) in units), 2)
    unit = pick_name(" ".join(words[1:end]), units, "Iraqi unit")
    odds = next((word for word in words[end:] if word in notation.LADDER), "")
    rest = " ".join(word for word in words[end:] if word not in notation.LADDER)
    place = pick_name(rest, places, "column or VP place") if rest else ""
    return " ".join(filter(None, [kind, unit, odds, place]))


def deeds_notation(units: Sequence[str], places: Sequence[str]) -> Notation:
    """Notation of possible deeds: ``attack 6A 3-1 Najaf, recover RG1, block SF2``."""

    def read(text: str) -> str:
        if state.is_none(clean(text)):
            return state.NONE
        return ", ".join(_read_deed(part, units, places) for part in split_list(text))

    example = f"attack {units[0]} 3-1, retake {units[-1]} {places[-1]}" if units else state.NONE
    return Notation("what Iraqi units could do", example, read)


def _deed(referee: IraqWarReferee, text: str, pieces: Sequence[Piece]) -> Deed:
    kind, _, rest = text.partition(" ")
    piece = next(unit for unit in sorted(pieces, key=lambda unit: -len(unit.name)) if rest.startswith(unit.name))
    words = rest[len(piece.name) :].split()
    odds = next((word for word in words if word in notation.LADDER), "")
    place = " ".join(word for word in words if word not in notation.LADDER)
    against = r04_sequence.disruption_obstacle(piece)
    if kind == "recover":
        against = r04_sequence.recovery_obstacle(referee.position, piece)
    late = "the unit has acted this turn" if piece.mark(state.MOVED) else ""
    idle = f"{place} is not lost" if kind == "retake" and place and r15_victory.is_iraqi(referee.position, place) else ""
    why = late or (against.text if against else idle)
    turkish = notation.is_turkish(piece)
    points = 0 if turkish else _points_at_stake(referee, kind, place)
    return Deed(kind, piece.name, odds, place, points, int(referee.priorities["urgency"][kind]), turkish, why)


def _points_at_stake(referee: IraqWarReferee, kind: str, place: str) -> int:
    """[15.2] Victory points that a deed takes from the Coalition, or keeps from it."""
    if not place:
        return -r15_victory.row_points(referee.charts, "kuwait") if kind == "kuwait" else 0
    lost = not r15_victory.is_iraqi(referee.position, place)
    return r15_control.place_points(referee.charts, place) if lost == (kind in ("retake", "attack")) else 0


def _after(deed: Deed, done: Deed) -> Deed:
    """[15.2] A deed after another one: the same place, and Kuwait, count once."""
    same = (deed.place == done.place) if deed.place or done.place else deed.kind == done.kind == "kuwait"
    return deed._replace(points=0) if same and done.points else deed


async def propose_spending(referee: IraqWarReferee) -> None:
    """[11.2] How to spend the command points on what the player says is possible."""
    pieces = units_on_map_of(referee.position, state.IRAQ)
    points = referee.position.track("cp")
    prompt = f"What could Iraqi units do? ({', '.join(KINDS)}, each with its unit, then odds column or VP place)"
    notation = deeds_notation([piece.name for piece in pieces], list(referee.chart("places").rows))
    text = await referee.text("deeds", prompt, "11.2", notation, [Choice(state.NONE, "nothing of that kind")])
    left = [_deed(referee, part, pieces) for part in split_list(text)] if text != state.NONE else []
    priorities = read_priorities(referee.priorities, "spend", DEED_MEASURES)
    if not left:
        referee.say(f"Iraq has nothing to do that is worth a command point; {points} CP stay unspent.", "11.2")
    while paid := [deed for deed in left if not deed.against and (points or deed.free)]:
        ranking = rank([deed.candidate() for deed in paid], priorities)
        done = ranking.best.decision
        what, rule = ("free of CP", "16.10(1)") if done.free else (f"next of {points} CP", "11.2")
        announce(referee, f"{done.sentence} ({what}).", rule, *ranking.lines(source="points at stake", digits=0))
        points -= not done.free
        left = [_after(deed, done) for deed in left if deed.unit != done.unit]
    for deed in left:
        referee.say(f"Iraq does not spend on it: {deed.sentence}; {deed.against or 'no command point is left'}.", "11.3")
