"""Exact odds of Iraq War 2003, enumerated from the procedures themselves."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import cached_property, lru_cache
from operator import is_not

from companion.core.errors import Impossible, Unreadable
from companion.core.hints import Any
from companion.core.named_tuple import NamedTuple
from companion.core.notation import Notation
from companion.core.odds import distribution, mean, merge, paths, probability_of, suggested_policy
from companion.core.position import Piece, Position, Value, cached_by_values
from companion.core.requests import AnyRequest, Choice, Odds
from companion.core.text import clean, matching_names, pick_name, plural, split_list
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.notation import AIR_NOTATION as AIR_VALUES
from companion.games.iraqwar2003.referee import IraqWarReferee, boxes, intact
from companion.games.iraqwar2003.rules import r04_sequence, r05_air, r13_results
from companion.games.iraqwar2003.rules.r05_air import AirGroup, Flier, Mission, MissionResult, PlannedMission
from companion.games.iraqwar2003.rules.r13_results import Attack, CombatResult, CombatValues
from companion.games.iraqwar2003.state import Side

_ASSUMED = "Each side fires at the target that the rules suggest: escorts at the interceptor, interceptors at the bomber."


def _keep_unknown(request: AnyRequest) -> Any:
    """Take suggested answers, and leave unknown cells of the chart unknown."""
    return notation.UNKNOWN_RESULT if request.key == "crt" else suggested_policy(request)


def _hypothetical(
    referee: IraqWarReferee, known_columns: Mapping[str, str] | None = None, position: Position | None = None
) -> IraqWarReferee:
    """A hypothetical referee with the known columns of the Combat Results Chart."""
    table = referee.hypothetical(position)
    table.columns = known_columns or {}
    return table


@lru_cache(maxsize=256)
def flown_odds(mission: Mission, at_escort: bool = False) -> Mapping[MissionResult, float]:
    """The distribution of a mission's results. ``at_escort``: the interceptor fires at the escort."""
    escorts = {flier.name for flier in mission.fliers if flier.role == r05_air.ESCORT}

    async def play() -> MissionResult:
        return (await r05_air.fly([mission]))[0]

    def aim(request: AnyRequest) -> Any:
        names = [choice.value for choice in request.legal_choices() if choice.value in escorts]
        return names[0] if at_escort and names else suggested_policy(request)

    return distribution(play, aim)


def success_chance(results: Mapping[MissionResult, float]) -> float:
    """The probability that the target is hit or the support arrives."""
    return probability_of(results, lambda flown: flown.done)


def fate_chance(results: Mapping[MissionResult, float], wanted: r05_air.Fate, index: int = 0) -> float:
    """The probability of a fate of one flier, by default the first."""
    return probability_of(results, lambda flown: flown.fates[index] == wanted)


def mission_odds(mission: Mission, free: Sequence[str] = ()) -> Odds:
    """[5.2] Chances to hit and of each unit's fate. ``free``: units whose loss costs no victory points."""
    results = flown_odds(mission)
    goal = "the target is hit" if mission.fliers[0].role == r05_air.BOMBING else "the support arrives"
    rows = ((goal, success_chance(results)), ("the unit gets through to the target", fate_chance(results, r05_air.FLYING)))
    fates: list[tuple[str, float]] = []
    lost: list[float] = []
    dear = 0.0
    for number, flier in enumerate(mission.fliers):
        removed = fate_chance(results, r05_air.SHOT_DOWN, number)
        lost.append(removed)
        dear += removed if flier.side == state.COALITION and flier.name not in free else 0
        fates.append((f"{flier.name}: removed from the game", removed))
        fates.append((f"{flier.name}: hit and sent to the Used box", fate_chance(results, r05_air.USED, number)))
    sections = [("Mission", rows), ("Losses", tuple(fates))]
    if {r05_air.ESCORT, r05_air.INTERCEPT} <= {flier.role for flier in mission.fliers}:
        instead = flown_odds(mission, True)
        removed = fate_chance(instead, r05_air.SHOT_DOWN)
        spared = ((goal, success_chance(instead)), (f"{mission.fliers[0].name}: removed from the game", removed))
        sections.insert(1, ("If the interceptor fires at the escort", spared))
    counts = any(flier.side == state.COALITION and flier.name not in free for flier in mission.fliers)
    vp = (("VP lost to the Coalition", -2 * dear),) if counts else ()
    means = (("units removed, of both sides", sum(lost)), *vp)
    return Odds(f"Mission against {mission.what}", "5.2", tuple(sections), means, (_ASSUMED,))


class _LoneBomber(NamedTuple):
    """A bomber without escort or interceptor: the probabilities that it hits and that it is removed."""

    name: str
    hit: float
    lost: float


def _lone_bombers(referee: IraqWarReferee, plan: PlannedMission, ready: Sequence[Piece]) -> list[_LoneBomber]:
    """[5.7] The ready bombers with known values at a target, best first."""
    bombers = []
    for piece in ready:
        values = referee.known_values(piece)
        if not values or not values.bombing:
            continue
        value = r05_air.bombing_value(values.bombing, plan.city)
        mission = r05_air.mission_of(referee, plan._replace(group=AirGroup(piece), value=value))
        assert mission
        results = flown_odds(mission)
        bombers.append(_LoneBomber(piece.name, success_chance(results), fate_chance(results, r05_air.SHOT_DOWN)))
    return sorted(bombers, key=lambda bomber: -bomber.hit)


def _unknown_values(referee: IraqWarReferee, ready: Sequence[Piece]) -> tuple[str, ...]:
    names = ", ".join(piece.name for piece in ready if not referee.known_values(piece))
    return (f"Unknown values: {names}.",) if names else ()


def group_odds(referee: IraqWarReferee, plan: PlannedMission, ready: Sequence[Piece]) -> Odds:
    """[5.7] The chances of each ready bomber, alone and not intercepted, best first."""
    rows = _lone_bombers(referee, plan, ready)
    fire = f"Anti-air fire: {', '.join(map(str, plan.shots)) or 'none'}; alone, not intercepted."
    sections = (
        ("Hits the target", tuple((bomber.name, bomber.hit) for bomber in rows)),
        ("Is removed", tuple((bomber.name, bomber.lost) for bomber in rows)),
    )
    hints = tuple((bomber.name, f"hits {bomber.hit:.0%}") for bomber in rows)
    return Odds(f"Bombing {plan.target}", "5.7(1)", sections, (), (fire, *_unknown_values(referee, ready)), hints)


def target_odds(referee: IraqWarReferee, kinds: Sequence[PlannedMission], ready: Sequence[Piece]) -> Odds:
    """[5.7] The same for each kind of target (a mission without a group); units with equal chances share a line."""
    sections, losses = [], []
    for plan in kinds:
        alike: dict[float, list[str]] = {}
        rows = _lone_bombers(referee, plan, ready)
        for bomber in rows:
            alike.setdefault(bomber.hit, []).append(bomber.name)
        fire = f"anti-air fire {' '.join(map(str, plan.shots))}" if plan.shots else "no anti-air fire"
        sections.append((f"Hits {plan.target} ({fire})", tuple((", ".join(units), hit) for hit, units in alike.items())))
        losses.append((plan.target, max((bomber.lost for bomber in rows), default=0.0)))
    down = ("Is removed on the way, unless it is a white silhouette", tuple(row for row in losses if row[1]))
    note = "Alone, not intercepted: an interceptor, or an anti-air unit near the target, lowers the chances."
    filled = tuple(section for section in (*sections, down) if section[1])
    return Odds("Bombing, by target and unit", "5.7(1)", filled, (), (note, *_unknown_values(referee, ready)))


class InterceptionGain(NamedTuple):
    """An interception: decrease of the hit chance, increased chance of removal, interceptor's own risk, remaining hit chance."""

    stopped: float = 0.0
    kills: float = 0.0
    risk: float = 0.0
    hit: float = 0.0


def interception_gain(referee: IraqWarReferee, plan: PlannedMission, interceptor: Piece) -> InterceptionGain | None:
    """The effect of one interceptor on one group; None if values are unknown."""
    bare, met = r05_air.mission_of(referee, plan), r05_air.mission_of(referee, plan, interceptor)
    if bare is None or met is None:
        return None
    before, after = flown_odds(bare), flown_odds(met)
    hit = success_chance(after)
    kills = fate_chance(after, r05_air.SHOT_DOWN) - fate_chance(before, r05_air.SHOT_DOWN)
    return InterceptionGain(success_chance(before) - hit, kills, fate_chance(after, r05_air.SHOT_DOWN, -1), hit)


def interception_odds(referee: IraqWarReferee, plans: Sequence[PlannedMission], able: Sequence[Piece]) -> Odds:
    """[5.4] Each group without interception and with each interceptor whose values are known."""
    sections = []
    for number, plan in enumerate(plans, 1):
        bare = r05_air.mission_of(referee, plan)
        if bare is None:
            continue
        goal = "the target is hit" if plan.group.role == r05_air.BOMBING else "the unit gets through"
        rows = [(f"not intercepted: {goal}", success_chance(flown_odds(bare)))]
        for piece in () if r05_air.stealth_obstacle(referee, plan.lead) else able:
            gain = interception_gain(referee, plan, piece)
            if gain:
                rows += [(f"{piece.name}: {goal} all the same", gain.hit), (f"{piece.name} is removed", gain.risk)]
        sections.append((f"{number} {plan.group.title} on {plan.target}", tuple(rows)))
    return Odds("Interception", "5.4", tuple(sections), (), (_ASSUMED,))


# -- [11.1] Command points ---------------------------------------------------------------------------------------------


def command_point_chances(referee: IraqWarReferee, source: str) -> dict[int, float]:
    """[11.1] The distribution of command points by a method; 0 for a method that is not available."""

    async def play() -> int:
        table = _hypothetical(referee)
        await r04_sequence.receive_command_points(table, source)
        return table.position.track("cp")

    return distribution(play) if source in r04_sequence.sources(referee) else {0: 1.0}


def cp_odds(referee: IraqWarReferee) -> Odds:
    """[11.1] The die compared with the undestroyed Radio boxes."""
    faces, radio = command_point_chances(referee, r04_sequence.DIE), command_point_chances(referee, notation.RADIO)
    radios = int(mean(radio))
    rows = (
        ("the die brings more than Radio", probability_of(faces, lambda face: face > radios)),
        ("the same", faces.get(radios, 0.0)),
        ("less", probability_of(faces, lambda face: face < radios)),
    )
    means = (("by Radio", mean(radio)), ("by the die", mean(faces)))
    return Odds("Command points", "11.1", (("Die against Radio", rows),), means)


# -- [13.3, 13.4] Ground combat ----------------------------------------------------------------------------------------


def shift_chances(mission: Mission | None) -> dict[int, float]:
    """[13.3(2)] The distribution of the columns shifted by air support."""
    return merge((flown.shift, chance) for flown, chance in flown_odds(mission).items()) if mission else {0: 1.0}


@lru_cache(maxsize=64)
def _cell_chances(cells: tuple[str, ...]) -> Mapping[str, float]:
    """[13.4] The distribution of the cell in a column."""

    async def play() -> str:
        (face,) = await r13_results.combat_roll("", cells)
        return r13_results.read_cell(cells[face - 1])

    return distribution(play)


_STAYS, _GOES, _UNCLEAR = "stays", "goes", "unclear"
_MOST_RESULTS = 20_000
_RESULTS: dict[Hashable, CombatResult] = {}
"""Cache: results of cells by what they depend on; retreated defenders by their index."""
_RESULTS_FOR: list[object] = []
"""The chart of results and the constants of losses that the cache is for."""


def _shared_results(referee: IraqWarReferee) -> dict[Hashable, CombatResult]:
    """The cached results for the chart and the constants of a referee."""
    source = [referee.chart("results"), referee.priorities.get("stand")]
    if len(_RESULTS) >= _MOST_RESULTS or len(_RESULTS_FOR) != 2 or any(map(is_not, source, _RESULTS_FOR)):
        _RESULTS.clear()
        _RESULTS_FOR[:] = source
    return _RESULTS


@cached_by_values
def _losses(piece: Piece) -> Hashable:
    """[13.4.1] What losses of a unit depend on besides the side that is face up."""
    return tuple([piece.values.get(name) for name in ("nation", "attack", "defence", "move", "steps", *_BACK)])


_BACK = ("back attack", "back defence", "back move")


class CombatForecast:
    """The results to expect of a combat; each column is enumerated once. ``values`` replace those of the units."""

    def __init__(
        self, referee: IraqWarReferee, attack: Attack, known_columns: Mapping[str, str], values: CombatValues | None = None
    ) -> None:
        self.attack = attack
        self.table = _hypothetical(referee, known_columns)
        self.known_columns = known_columns
        self.values = values or r13_results.combat_values(referee, attack)
        self._ends: dict[str, dict[CombatResult, float]] = {}
        self._results: dict[str, CombatResult] = {}
        self._clear: dict[Sequence[str], bool] = {}

    def columns(self, mission: Mission | None) -> dict[str, float]:
        """[13.3] The distribution of the final column with an air mission."""
        return merge((self.values.column(shift), share) for shift, share in shift_chances(mission).items())

    def ends(self, mission: Mission | None) -> dict[CombatResult, float]:
        """[13.4] The distribution of the combat's results with an air mission."""
        columns = self.columns(mission).items()
        return merge((end, share * end_share) for column, share in columns for end, end_share in self._in(column).items())

    def _in(self, column: str) -> dict[CombatResult, float]:
        """The results in a column; each cell is applied once for all columns, since no other die follows."""
        if column not in self._ends:
            cells = _cell_chances(r13_results.column_cells(self.known_columns, column))
            self._ends[column] = {self._result(cell): share for cell, share in cells.items()}
        return self._ends[column]

    def _result(self, cell: str) -> CombatResult:
        if cell not in self._results:
            key = self._case(cell)
            result = None if key is None else _shared_results(self.table).get(key)
            if result is None:
                result = self.enumerate_result(cell)
                if key is not None:
                    gone = [str(self.attack.defenders.index(piece)) for piece in result.gone]
                    _shared_results(self.table)[key] = result._replace(gone=tuple(gone))
            elif result.gone:
                result = result._replace(gone=tuple([self.attack.defenders[int(index)] for index in result.gone]))
            self._results[cell] = result
        return self._results[cell]

    def enumerate_result(self, cell: str) -> CombatResult:
        """[13.4] The result of a cell, by the procedure itself."""
        table = self.table.hypothetical()
        outcomes = paths(lambda: r13_results.apply_result(table, self.attack, cell), _keep_unknown)
        (((result, _), _),) = outcomes
        return result

    def _case(self, cell: str) -> Hashable:
        """Everything that the result of a cell depends on; None if that is more than the units and clear retreats."""
        if cell == notation.UNKNOWN_RESULT:
            return None
        result = notation.read_result(cell)
        defenders = self._retreat(result.defender, self.attack.defenders, self.attack.terrain in r13_results.CITY_TERRAINS)
        attackers = self._retreat(result.attacker, self.attack.attackers, bool(self.attack.home))
        disturbed = attackers == _GOES and result.defender != notation.NOTHING  # the zones of the defenders may have changed
        if disturbed or _UNCLEAR in (defenders, attackers) or self._sides is None:
            return None
        return cell, defenders, attackers, self._sides

    def _retreat(self, effect: str, ids: Sequence[str], in_city: bool) -> str:
        """[13.5] What becomes of a retreat: none, _STAYS in a city, _GOES one hex, or _UNCLEAR."""
        if effect == notation.NOTHING or not self.table.chart("results").cell(effect, "retreat"):
            return ""
        if in_city:
            return _STAYS
        if ids not in self._clear:
            self._clear[ids] = r13_results.can_surely_retreat(self.table, ids)
        return _GOES if self._clear[ids] else _UNCLEAR

    @cached_property
    def _sides(self) -> Hashable:
        """What losses of both sides depend on; None if a unit is not on the map."""
        table, attack = self.table, self.attack
        pieces = [table.position.pieces.get(piece) for piece in attack.units]
        if any(piece is None or not state.is_on_map(piece) for piece in pieces):
            return None
        played = [table.computer_plays(side) for side in state.SIDE_TITLES]
        units = tuple([(_losses(piece), piece.face) for piece in pieces if piece])
        return len(attack.attackers), units, *played, bool(table.option("opponent"))

    def mean_column(self, mission: Mission | None) -> float:
        """The mean index of the final column."""
        return sum(share * notation.LADDER.index(name) for name, share in self.columns(mission).items())


def expected(results: Mapping[CombatResult, float], holds: Callable[[CombatResult], float]) -> float:
    """The mean of a number over results, or the probability of a condition."""
    return sum((share * holds(end) for end, share in results.items()), 0.0)


def mean_losses(referee: IraqWarReferee, cells: tuple[str, ...]) -> float | None:
    """[13.4.1] The strength steps that a defender loses in a column on average; None while the chart is unknown."""
    chances, results = _cell_chances(cells), referee.chart("results")
    if notation.UNKNOWN_RESULT in chances:
        return None
    effects = {cell: notation.read_result(cell).defender for cell in chances}
    harmed = {cell: effect for cell, effect in effects.items() if effect != notation.NOTHING}
    return sum(chances[cell] * results.number(effect, "steps") for cell, effect in harmed.items())


WITHOUT = "without support"
"""Title of a combat to which the asking side sends no air unit."""

_POLICY = (
    "Both sides follow the suggestions: a loss reduces a unit before it removes one, the weakest first; units that must "
    "retreat can do so, and units in a city stay."
)


def combat_odds(forecast: CombatForecast, missions: Mapping[str, Mission | None], notes: tuple[str, ...] = ()) -> Odds:
    """[13.4] Every outcome of both sides and every result of the chart in words, per air mission."""
    sections, means, hints = [], [], []
    for title, mission in missions.items():
        ends = forecast.ends(mission)
        rows = _outcomes(forecast, ends)
        chances = merge((_result_text(end.result, forecast.attack), share) for end, share in ends.items())
        sections += [(f"{title}: outcome", rows), (f"{title}: results", tuple(sorted(chances.items())))]
        if all(end.result != notation.UNKNOWN_RESULT for end in ends):
            hints.append((state.NONE if title == WITHOUT else title.removeprefix("with "), f"{rows[2][1]:.0%} driven out"))
        means.append((f"strength steps lost by the defender ({title})", expected(ends, lambda end: end.lost)))
        means.append((f"strength steps lost by the attacker ({title})", expected(ends, lambda end: end.paid)))
    columns = dict.fromkeys(name for mission in missions.values() for name in forecast.columns(mission))
    notes = (f"Columns that may come up: {', '.join(columns)}.", *notes, _POLICY)
    return Odds("Ground combat", "13.4", tuple(sections), tuple(means), notes, tuple(hints))


def _outcomes(forecast: CombatForecast, ends: Mapping[CombatResult, float]) -> tuple[tuple[str, float], ...]:
    """[13.4, 13.4.1] The chance of each outcome; a side can both lose steps and retreat."""
    attackers = r13_results.units_left(forecast.table, forecast.attack.attackers)
    steps = sum(map(notation.steps_left, attackers))
    return (
        ("defender destroyed", expected(ends, lambda end: end.destroyed)),
        ("defender retreats", expected(ends, lambda end: end.emptied and not end.destroyed)),
        ("defender destroyed or retreats", expected(ends, lambda end: end.emptied)),
        ("defender reduced, and stays", expected(ends, lambda end: end.lost > 0 and not end.emptied)),
        ("attacker destroyed", expected(ends, lambda end: end.paid >= steps)),
        *([("an attacking unit destroyed", expected(ends, lambda end: end.fallen > 0))] if len(attackers) > 1 else []),
        ("attacker reduced", expected(ends, lambda end: 0 < end.paid < steps)),
        ("attacker retreats", expected(ends, lambda end: end.withdrew)),
        ("nothing happens", expected(ends, lambda end: not (end.lost or end.emptied or end.paid or end.withdrew))),
    )


def _result_text(cell: str, attack: Attack) -> str:
    """A result of the chart in words, with the retreat that a city spares [13.5(8)]."""
    if cell == notation.UNKNOWN_RESULT:
        return "not entered yet"
    result = notation.read_result(cell)
    cities = (
        ("attacker", result.attacker, attack.home),
        ("defender", result.defender, attack.terrain in r13_results.CITY_TERRAINS),
    )
    stays = [f"the {side} can stay in its city" for side, effect, city in cities if city and effect.endswith("R")]
    return "; ".join([notation.cell_text(cell), *stays])


def die_odds(referee: IraqWarReferee, attack: Attack, known_columns: Mapping[str, str]) -> r13_results.OddsAtDie:
    """[13.4] The odds of a combat whose column is settled, for the question of its die."""

    def odds(values: CombatValues, shift: int) -> Odds:
        settled = values._replace(left=values.left - shift)
        return combat_odds(CombatForecast(referee, attack, known_columns, settled), {"as it stands": None})

    return odds


# -- [13.0] Described combats ------------------------------------------------------------------------------------------

_ATTACK = {"r": "river", "river": "river", "oos": "oos"}
_DEFENCE = {"d": "disrupted", "disrupted": "disrupted"}


class DescribedUnit(NamedTuple):
    """A described unit: its value and its halvings."""

    printed: int
    words: tuple[str, ...]

    def __str__(self) -> str:
        return "/".join([str(self.printed), *self.words])


def read_values(text: str, halvings: Mapping[str, str], rule: str) -> list[DescribedUnit]:
    """Read ``6, 5/river/oos, 4``: one to nine unit values and their halvings. Raises Unreadable."""
    units = []
    for part in clean(text).replace(",", " ").casefold().split():
        number, *words = part.split("/")
        if not number.isdecimal() or int(number) > 30 or any(word not in halvings for word in words):
            examples = ", ".join(f"6/{word}" for word in dict.fromkeys(halvings.values()))
            raise Unreadable(f"'{part}' is not the value of a unit", rule=rule, cure=f"Type 6 or {examples}, with commas between")
        units.append(DescribedUnit(int(number), tuple(dict.fromkeys(halvings[word] for word in words))))
    if not 1 <= len(units) <= 9:
        raise Unreadable(f"{plural(len(units), 'unit')} described, 1 to 9 needed", rule=rule)
    return units


def _notation(name: str, example: str, halvings: Mapping[str, str], rule: str) -> Notation:
    return Notation(name, example, lambda text: ", ".join(map(str, read_values(text, halvings, rule))))


ATTACK = _notation("attack values", "6, 5/river", _ATTACK, "2.2.6")
DEFENCE = _notation("defence values", "4, 3/disrupted", _DEFENCE, "2.2.7")


async def ask_described_values(referee: IraqWarReferee) -> CombatValues:
    """Ask for the combat values of both sides."""
    ours = read_values(await referee.text("attack", "Which values attack? (6, 5/river/oos)", "2.2.6", ATTACK), _ATTACK, "2.2.6")
    text = await referee.text("defence", "Which values defend? (4, 3/disrupted)", "2.2.7", DEFENCE)
    theirs = read_values(text, _DEFENCE, "2.2.7")
    prompt = "Columns left by the defender's terrain (the number before L)"
    columns_left = await referee.number("left", prompt, "13.3(5)", 0, 9, 0)
    attackers = [
        r13_results.attack_value(f"attacker {index}", unit.printed, "river" in unit.words, "oos" in unit.words)
        for index, unit in enumerate(ours, 1)
    ]
    defenders = [
        r13_results.defence_value(f"defender {index}", unit.printed, "disrupted" in unit.words)
        for index, unit in enumerate(theirs, 1)
    ]
    return CombatValues(tuple(attackers), tuple(defenders), left=columns_left)


def described_attack(referee: IraqWarReferee, values: CombatValues, steps: int, city: bool) -> tuple[IraqWarReferee, Attack]:
    """The described forces on a hypothetical position; the defender's steps are units of one, spread freely [13.4.1]."""
    table = _hypothetical(referee, position=Position())

    def units(nation: str, step_count: int, count: int) -> tuple[str, ...]:
        printed: dict[str, Value] = {"nation": nation, "steps": step_count}
        names = [f"{nation} {number}" for number in range(1, count + 1)]
        return tuple(table.make(state.UNIT, name, state.MAP, "13.4.1", values=printed) for name in names)

    attackers, defenders = units(notation.KDP, 2, len(values.ours)), units(notation.IRAQI, 1, steps)
    return table, Attack(attackers, defenders, terrain="major_city" if city else "plain", left=values.left)


async def described_forecast(referee: IraqWarReferee, values: CombatValues, steps: int = 1, city: bool = False) -> CombatForecast:
    """The forecast of the described combat with the known columns of the chart."""
    table, attack = described_attack(referee, values, steps, city)
    return CombatForecast(table, attack, await referee.known_facts("crt", "13.4"), values)


async def described_combat(referee: IraqWarReferee) -> None:
    """[13.1(5)] Resolve one described combat."""
    values = await ask_described_values(referee)
    shift = await referee.number("shift", "Columns by air support (negative: for the defender)", "13.3(2)", -9, 9, 0)
    forecast = await described_forecast(referee, values)
    await r13_results.roll_on_chart(referee, values, shift, die_odds(forecast.table, forecast.attack, forecast.known_columns))


# -- Situations --------------------------------------------------------------------------------------------------------

_CURE = "Type values like 5-2-4 or 0-0-5 stealth, or the name of a unit"


def _read_flier(text: str, names: Sequence[str]) -> str:
    plain = clean(text)
    if state.is_none(plain):
        return state.NONE
    try:
        return str(notation.read_air(plain))
    except Unreadable:
        matches = matching_names(plain, names)
        return pick_name(plain, names, "air unit", cure=_CURE) if matches else plain[:40]


async def ask_flier(
    referee: IraqWarReferee, key: str, prompt: str, rule: str, optional: bool = True
) -> tuple[str, notation.AirValues] | None:
    """Ask for an air unit by name or values; None for none."""
    names = [piece.name for piece in referee.position.of_kind(state.AIR)]
    fliers = Notation("air unit", "5-2-4", lambda text: _read_flier(text, names))
    text = await referee.text(key, prompt, rule, fliers, [Choice(name, name) for name in names], state.NONE if optional else None)
    if text == state.NONE:
        if not optional:
            raise Impossible("there is no mission without a unit", rule=rule, cure=_CURE)
        return None
    try:
        return key, notation.read_air(text)
    except Unreadable:
        piece = next((unit for unit in referee.position.of_kind(state.AIR) if unit.name == text), None)
        if piece is not None:
            return text, await referee.air_values(piece)
        printed = await referee.printed(f"air:{text}", f"{text}: air combat-ground support-bombing", "2.3", AIR_VALUES)
        return text, notation.read_air(printed)


def read_shots(text: str) -> str:
    """Read ``3 2``, the firepower of each anti-air shot, or ``none``. Raises Unreadable."""
    plain = clean(text).replace(",", " ")
    if state.is_none(plain) or plain == "0":
        return state.NONE
    if not all(part.isdecimal() and 1 <= int(part) <= 6 for part in plain.split()):
        raise Unreadable(f"'{plain}' are not anti-air firepowers", rule="6.3(4)", cure="Type one number a shot: 3 2, or none")
    return " ".join(plain.split())


SHOTS = Notation("anti-air firepowers", "3 2", read_shots)


def shots_of(text: str) -> tuple[int, ...]:
    """The numbers that `read_shots` returned."""
    return () if text == state.NONE else tuple(map(int, text.split()))


async def mission_odds_of(referee: IraqWarReferee) -> Odds:
    """[5.2] Ask for a mission and return its odds: interception, anti-air fire, bombing."""
    group = await _ask_fliers(referee, "Interceptor (Enter: none)")
    shots = shots_of(await referee.text("aa", "Anti-air firepower of each shot (Enter: none)", "5.6", SHOTS, (), state.NONE))
    city = await referee.confirm("city", "A hex of Baghdad, Basra or Mosul (bombing halved)", "5.7(3)", suggest=False)
    return mission_odds(group.mission("the target", shots, city), group.free)


class _DescribedGroup(NamedTuple):
    """A described bomber's values, its group with the interceptor, and the ships, whose loss costs no victory points."""

    values: notation.AirValues
    fliers: tuple[Flier, ...]
    free: tuple[str, ...]

    def mission(self, target: str, shots: tuple[int, ...], city: bool) -> Mission:
        lead = self.fliers[0]._replace(worth=r05_air.bombing_value(self.values.bombing, city), shots=shots)
        return Mission((lead, *self.fliers[1:]), target)


async def _ask_fliers(referee: IraqWarReferee, foe_prompt: str) -> _DescribedGroup:
    """Ask for bomber, escort and interceptor; a white silhouette is not intercepted [5.4.1(1)]."""
    lead = await ask_flier(referee, "bomber", "Bombing unit: values, or its name", "5.3(4)", optional=False)
    escort = await ask_flier(referee, "escort", "Escort (Enter: none)", "5.3(1)")
    foe = await ask_flier(referee, "interceptor", foe_prompt, "5.3(2)")
    assert lead
    pieces = {piece.name: piece for piece in referee.position.of_kind(state.AIR)}
    side = notation.side_of(pieces[lead[0]]) if lead[0] in pieces else state.COALITION

    def flier(unit: tuple[str, notation.AirValues], side: Side, role: r05_air.Role) -> Flier:
        return Flier(unit[0], side, role, unit[1].air, unit[1].stealth)

    fliers = [flier(lead, side, r05_air.BOMBING)]
    fliers += [flier(escort, side, r05_air.ESCORT)] if escort else []
    fliers += [flier(foe, state.other(side), r05_air.INTERCEPT)] if foe and not lead[1].stealth else []
    free = tuple(name for name, piece in pieces.items() if not notation.counts_for_victory(piece))
    return _DescribedGroup(lead[1], tuple(fliers), free)


class _DescribedTarget(NamedTuple):
    """A described target: its name, the anti-air fire at it, and whether bombing is halved there."""

    name: str
    shots: tuple[int, ...]
    city: bool

    def __str__(self) -> str:
        return f"{self.name}: {' '.join(map(str, self.shots)) or state.NONE}{' halved' if self.city else ''}"


def _read_targets(text: str) -> list[_DescribedTarget]:
    """Read ``radio: 3 2, SRG 1: halved``: one to twelve targets. Raises Unreadable."""
    targets = []
    for part in split_list(clean(text)):
        name, _, rest = part.partition(":")
        words = rest.split()
        shots = read_shots(" ".join(word for word in words if word != "halved"))
        if not name.strip():
            raise Unreadable(f"'{part}' has no name", rule="5.7", cure="Type: radio: 3 2, SRG 1: halved")
        targets.append(_DescribedTarget(name.strip(), shots_of(shots), "halved" in words))
    if not 1 <= len(targets) <= 12:
        raise Unreadable(f"{len(targets)} targets named, 1 to 12 needed", rule="5.7")
    return targets


TARGETS = Notation("targets", "radio: 3 2, SRG 1: halved, 6A: none", lambda text: ", ".join(map(str, _read_targets(text))))


async def best_target(referee: IraqWarReferee) -> Odds:
    """[5.7] The chances of one air group at each named target, best first."""
    described = await _ask_fliers(referee, "Interceptor that may come (Enter: none)")
    rows = []
    for target in await _ask_targets(referee):
        results = flown_odds(described.mission(*target))
        rows.append((target.name, success_chance(results), fate_chance(results, r05_air.SHOT_DOWN)))
    rows.sort(key=lambda row: (-row[1], row[2]))
    sections = (
        ("Hits the target, the best first", tuple((title, hit) for title, hit, _ in rows)),
        ("Is removed on the way", tuple((title, lost) for title, _, lost in rows)),
    )
    note = f"Best: {rows[0][0]}. The value of a hit is not counted."
    interceptors = [flier.name for flier in described.fliers if flier.role == r05_air.INTERCEPT]
    group = "+".join(flier.name for flier in described.fliers if flier.role != r05_air.INTERCEPT)
    interception = f"Intercepted by {interceptors[0]}." if interceptors else "Not intercepted."
    return Odds(f"Targets for {group} ({described.values})", "5.7", sections, (), (note, interception))


async def _ask_targets(referee: IraqWarReferee) -> list[_DescribedTarget]:
    """Ask for targets; the intact boxes of a known display are suggested."""
    sites = dict.fromkeys(str(box.values.get("site")) for box in intact(boxes(referee.position)))
    suggested = ", ".join(str(_DescribedTarget(site, tuple(referee.aa_shots(site)), city=False)) for site in sites)
    prompt = "Targets as NAME: AA firepowers, halved in the three cities"
    return _read_targets(await referee.text("targets", prompt, "5.7", TARGETS, (), suggested or None))


async def combat_odds_of(referee: IraqWarReferee) -> Odds:
    """[13.4] Ask for a described combat and return its odds without and with air support."""
    values = await ask_described_values(referee)
    steps = await referee.number("steps", "Strength steps of the defender", "13.4.1", 1, 18, len(values.theirs))
    city = await referee.confirm("city", "Defender in a city (a retreat may be ignored)", "13.5(8)", False)
    support = await referee.number("support", "Ground support value of your air unit (0: none)", "13.3(2)", 0, 9, 0)
    shots = shots_of(await referee.text("aa", "Anti-air fire at it", "13.3(2-2)", SHOTS, (), state.NONE)) if support else ()
    missions: dict[str, Mission | None] = {"without support": None}
    if support:
        missions["with support"] = Mission((Flier("support", state.COALITION, r05_air.SUPPORT, 0, worth=support, shots=shots),))
    forecast = await described_forecast(referee, values, steps, city)
    known_columns = dict(forecast.known_columns)
    for name in dict.fromkeys(name for mission in missions.values() for name in forecast.columns(mission)):
        if notation.UNKNOWN_RESULT in known_columns.get(name, notation.UNKNOWN_RESULT):
            prompt = f"Combat Results Chart, column {name}: six results"
            known_columns[name] = await referee.printed(f"crt:{name}", prompt, "13.4", notation.COLUMN_NOTATION)
    return combat_odds(CombatForecast(forecast.table, forecast.attack, known_columns, values), missions)


async def cp_odds_of(referee: IraqWarReferee) -> Odds:
    """[11.1] Ask for the number of Radio boxes and compare it with the die."""
    radio_boxes = boxes(referee.position, notation.RADIO)
    suggest = r04_sequence.radio_points(referee) if radio_boxes else None
    radios = await referee.number("radio", "Undestroyed Radio boxes", "11.1(1)", 0, 30, suggest)
    pieces = {piece.id: piece for piece in referee.position.pieces.values() if piece not in radio_boxes}
    table = _hypothetical(referee, position=Position(referee.position.tracks, pieces, referee.position.flags))
    for number in range(1, radios + 1):
        table.make(state.BOX, f"radio {number}", state.site_place(notation.COMM), "11.1(1)", values={"box": notation.RADIO})
    return cp_odds(table)
