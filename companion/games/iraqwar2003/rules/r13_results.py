"""[13.3 - 13.6] Resolve one combat: values, ratio, die, losses, retreats, advance.

Odds run the same procedures on a hypothetical position.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import lru_cache, partial

from companion.core.dice import grouped_rolls
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Confirm, Odds, Pick, Roll, Text
from companion.core.text import plural
from companion.games.iraqwar2003 import notation, state
from companion.games.iraqwar2003.facts import LARGE, MINOR, Land, land_of, read_ground
from companion.games.iraqwar2003.referee import IraqWarReferee, units_on_map_of
from companion.games.iraqwar2003.rules import r05_air, r08_map, r15_control, r15_victory, r16_options

INFINITE = 10**6


class CombatValue(NamedTuple):
    """The combat value of one unit: as printed, as counted, and the reason of each halving."""

    name: str
    printed: int
    counts: int
    reasons: tuple[str, ...] = ()

    @property
    def exact(self) -> float:
        """The value with its halvings, not rounded."""
        return self.printed / (1 << len(self.reasons))

    @property
    def line(self) -> str:
        """The value with its halvings."""
        why = f", halved for {' and '.join(self.reasons)}: {self.counts}" if self.reasons else ""
        return f"{self.name}: {self.printed}{why}"


@lru_cache(maxsize=2048)
def attack_value(name: str, printed: int, river: bool, oos: bool) -> CombatValue:
    """[13.3(4), 13.3(6), 13.3(8)] The attack value, halved across a river and out of supply; rounded down (ruling C-8)."""
    reasons = tuple(word for word, holds in (("a river [13.3(4)]", river), ("no supply [13.3(6)]", oos)) if holds)
    return CombatValue(name, printed, printed >> len(reasons), reasons)


@lru_cache(maxsize=2048)
def defence_value(name: str, printed: int, disrupted: bool) -> CombatValue:
    """[7.3.1(3), 13.3(7), 13.3(8)] The defence value, halved if disrupted, rounded up."""
    if not disrupted:
        return CombatValue(name, printed, printed)
    return CombatValue(name, printed, -(-printed // 2), ("disruption [13.3(7)]",))


def unit_attack_value(piece: Piece, river: bool = False) -> CombatValue:
    """[13.3(4), 13.3(6)] The attack value of a unit as it is now."""
    return attack_value(piece.name, notation.printed_side(piece).attack, river, bool(piece.mark(state.OUT_OF_SUPPLY)))


def unit_defence_value(piece: Piece) -> CombatValue:
    """[7.3.1(3), 13.3(7)] The defence value of a unit as it is now."""
    return defence_value(piece.name, notation.printed_side(piece).defence, bool(piece.mark(state.DISRUPTED)))


class CombatValues(NamedTuple):
    """The values of both sides before air support, artillery [16.3(2)] and columns left for terrain [13.3(5)]."""

    ours: tuple[CombatValue, ...]
    theirs: tuple[CombatValue, ...]
    added: tuple[int, int] = (0, 0)
    left: int = 0

    @property
    def attack(self) -> int:
        return sum(value.counts for value in self.ours) + self.added[0]

    @property
    def defence(self) -> int:
        return sum(value.counts for value in self.theirs) + self.added[1]

    def column(self, support: int) -> str:
        """The final column with a number of columns of air support, positive for the attacker."""
        return column(self.attack, self.defence, support - self.left)


def ladder_index(attack: int, defence: int) -> int:
    """[13.3(1)] The index on an endless ladder: 1-2 is 0, 1-1 is 1; fractions favour the defender (rulings C-9, C-10, C-36)."""
    if attack <= 0:
        return -INFINITE
    if defence <= 0:
        return INFINITE
    return attack // defence if attack >= defence else 2 - -(-defence // attack)


def ladder_position(attack: float, defence: float) -> float:
    """[13.3(1)] The position of a ratio between the columns, as in `ladder_index`, for values above 0.

    >>> ladder_position(9, 2), ladder_index(9, 2), ladder_position(2, 3), ladder_index(2, 3)
    (4.5, 4, 0.5, 0)
    """
    ratio = attack / defence
    return ratio if ratio >= 1 else 2 - 1 / ratio


def column(attack: int, defence: int, shift: int = 0) -> str:
    """[13.3(9)] The column for combat values and a shift (positive for the attacker), limited after the shift."""
    return notation.LADDER[min(max(ladder_index(attack, defence) + shift, 0), len(notation.LADDER) - 1)]


def ratio_text(attack: int, defence: int) -> str:
    """The ratio before any shift, in words."""
    index = ladder_index(attack, defence)
    if index == -INFINITE:
        return "nothing"
    if index == INFINITE:
        return "everything"
    return f"{index}-1" if index > 0 else f"1-{2 - index}"


def total_text(values: Sequence[CombatValue], added: int = 0) -> str:
    """``5 + 3 (of 6) + 2 artillery = 10``, or just the number."""
    parts = [str(value.counts) + (f" (of {value.printed})" if value.reasons else "") for value in values]
    parts += [f"{added} artillery"] if added else []
    total = sum(value.counts for value in values) + added
    return f"{' + '.join(parts)} = {total}" if len(parts) > 1 or any(value.reasons for value in values) else str(total)


# -- [13.3 - 13.6] Attacks and their resolution ------------------------------------------------------------------------


class Attack(NamedTuple):
    """[13.1(1)] A declared attack by ids.
    | Attributes:
        river: The attackers across a river.
        left: Columns to the left for the defender's terrain [13.3(5)].
        home: Whether the attackers are in a city; None if unknown.
        base, hex: Hexes of attackers and defenders, "" if unknown.
    """

    attackers: tuple[str, ...]
    defenders: tuple[str, ...]
    river: tuple[str, ...] = ()
    terrain: str = "plain"
    left: int = 0
    home: bool | None = None
    base: str = ""
    hex: str = ""

    @property
    def units(self) -> tuple[str, ...]:
        """The ids of the units of both sides."""
        return (*self.attackers, *self.defenders)


def terrain_rows(terrain: str, options: Mapping[str, str]) -> tuple[str, ...]:
    """[13.3(5), 16.9] The rows of the Terrain Effect Chart that apply: mountains shift as swamp too (ruling C-51)."""
    return ("mountain", "swamp") if terrain == "mountain" and options.get("mountain_columns") != "one" else (terrain,)


def terrain_shift(terrain: str, columns: Mapping[str, int], options: Mapping[str, str]) -> int:
    """[13.3(5), 16.9] The columns to the left for the defender's terrain. ``columns``: row of the chart to its columns."""
    return sum(columns.get(row, 0) for row in terrain_rows(terrain, options))


def halved_by_river(pieces: Iterable[Piece], water: str) -> list[Piece]:
    """[13.3(4)] The attackers that are halved across a hexside: not those with a white attack value."""
    return [piece for piece in pieces if not piece.values.get("white")] if water in (MINOR, LARGE) else []


def possible_attack(
    land: Land,
    attackers: Sequence[Piece],
    defenders: Sequence[Piece],
    hexes: tuple[str, str],
    columns: Mapping[str, int],
    options: Mapping[str, str],
    in_city: bool | None = None,
) -> Attack:
    """[13.2, 13.3] The attack between two hexes on the known map. ``in_city``: of the attackers, None if unknown."""
    base, target = hexes
    terrain = land.terrain(target) or "plain"
    slow = halved_by_river(attackers, land.water(base, target))
    ours, theirs, across = (tuple(piece.id for piece in pieces) for pieces in (attackers, defenders, slow))
    return Attack(ours, theirs, across, terrain, terrain_shift(terrain, columns, options), in_city, base, target)


class CombatResult(NamedTuple):
    """The result of a combat.
    | Attributes:
        result: The cell of the chart, UNKNOWN_RESULT if unknown.
        fallen: Attackers removed.
        destroyed: No defender is left. emptied: Their hex is empty, so that attackers may advance [13.6].
        lost, paid: Strength steps lost by defender and attacker.
        gone: Ids of defenders that have retreated.
    """

    result: str
    destroyed: bool = False
    emptied: bool = False
    withdrew: bool = False
    lost: int = 0
    paid: int = 0
    gone: tuple[str, ...] = ()
    fallen: int = 0


OddsAtDie = Callable[[CombatValues, int], Odds]
"""Computes the odds of a combat from its values and its air support shift."""


# -- [13.3] values and ratio -------------------------------------------------------------------------------------------


def combat_values(referee: IraqWarReferee, attack: Attack, added: tuple[int, int] = (0, 0)) -> CombatValues:
    """[13.2(1), 13.2(2), 13.3] The values of both sides with their halvings. ``added``: artillery."""
    attackers, defenders = units_left(referee, attack.attackers), units_left(referee, attack.defenders)
    ours = tuple(unit_attack_value(piece, piece.id in attack.river) for piece in attackers)
    return CombatValues(ours, tuple(map(unit_defence_value, defenders)), added, attack.left)


# -- [13.4] the die and the chart --------------------------------------------------------------------------------------


async def resolve_attack(
    referee: IraqWarReferee, attack: Attack, shift: int, foretell: OddsAtDie | None = None
) -> CombatResult | None:
    """[13.1(5)] Resolve an attack. ``shift``: columns of air support, positive for the attacker."""
    attackers, defenders = units_left(referee, attack.attackers), units_left(referee, attack.defenders)
    if not attackers or not defenders:
        referee.say("No combat: one side of it is gone.", "13.1(5)")
        return None
    added = await r16_options.artillery_support(referee, attackers, defenders, attack.river, attack.hex)
    return await roll_combat(referee, attack, combat_values(referee, attack, added), shift, foretell)


async def roll_combat(
    referee: IraqWarReferee, attack: Attack, clash: CombatValues, shift: int, foretell: OddsAtDie | None = None
) -> CombatResult:
    """[13.1(5-3), 13.1(5-4)] Roll for a combat with settled values and apply the result."""
    cell = await roll_on_chart(referee, clash, shift, foretell)
    result, withdrawn = await apply_result(referee, attack, cell)
    if result.emptied:
        await advance(referee, [piece for piece in attack.attackers if piece not in withdrawn], attack.terrain, attack.hex)
    return result


async def roll_on_chart(referee: IraqWarReferee, clash: CombatValues, shift: int, foretell: OddsAtDie | None = None) -> str:
    """[13.3, 13.4] Announce the column and roll; returns the cell."""
    name = clash.column(shift)
    totals = f"{total_text(clash.ours, clash.added[0])} against {total_text(clash.theirs, clash.added[1])}"
    ratio = f"{ratio_text(clash.attack, clash.defence)}; {_shift_text(shift - clash.left)}"
    lines = [value.line for value in [*clash.ours, *clash.theirs]]
    lines += [f"air support {shift:+d}, terrain {-clash.left:+d}; ratios outside 1-2 to 10-1 count as those [13.3(9)]"]
    referee.say(f"Attack {totals} is {ratio}: column {name}.", "13.3", *lines)
    request = combat_roll(name, await known_column(referee, name))
    request.odds = partial(foretell, clash, shift) if foretell else None
    face = (await request)[0]
    cell = await chart_cell(referee, name, face)
    referee.say(f"Combat: {face} in column {name} is {notation.cell_text(cell)}.", "13.4")
    return cell


def combat_roll(name: str, cells: Sequence[str]) -> Roll:
    """[13.4] The roll in a column of the chart; faces with the same cell are not distinguished."""
    outcomes = partial(grouped_rolls, 1, notation.FACES, 1, lambda faces: cells[faces[0] - 1])
    return Roll("combat", f"Combat: roll on column {name}", "13.4", outcomes=outcomes)


def _shift_text(shift: int) -> str:
    """The shift in words."""
    return f"{plural(abs(shift), 'column')} {'right' if shift > 0 else 'left'}" if shift else "no shift"


async def known_column(referee: IraqWarReferee, name: str) -> list[str]:
    """[13.4, 2.1.5(4)] A column of the Combat Results Chart, UNKNOWN_RESULT for unknown cells."""
    return list(column_cells(await referee.known_facts("crt", "13.4"), name))


def column_cells(columns: Mapping[str, str], name: str) -> tuple[str, ...]:
    """[13.4] The cells of a column as they were entered, UNKNOWN_RESULT for unknown ones."""
    return tuple(columns[name].split(", ")) if name in columns else (notation.UNKNOWN_RESULT,) * notation.FACES


def read_cell(text: str) -> str:
    """A cell in its normal form."""
    return text if text == notation.UNKNOWN_RESULT else str(notation.read_result(text))


async def chart_cell(referee: IraqWarReferee, name: str, face: int) -> str:
    """[13.4] A cell of the chart, asked for once, alone or with its column."""
    column = await known_column(referee, name)
    if column[face - 1] == notation.UNKNOWN_RESULT:
        prompt = f"What does the Combat Results Chart say in column {name} for {face}? (or all six of the column, with commas)"
        answer = await Text("crt", prompt, "13.4", notation.cell_notation(face))
        if answer == notation.UNKNOWN_RESULT:
            return notation.UNKNOWN_RESULT
        column[face - 1 : face] = [answer]
        column = answer.split(", ") if "," in answer else column
        await referee.record_fact(f"crt:{name}", ", ".join(column), "13.4")
    return read_cell(column[face - 1])


async def apply_result(referee: IraqWarReferee, attack: Attack, cell: str) -> tuple[CombatResult, Collection[str]]:
    """[13.4(1), 13.4(2), 13.4(3), 13.4(4), 13.4(5), 13.4(6), 13.4(7), 13.4(8), 13.4(9)] Apply losses and retreats (ruling C-41).

    Returns the result and the attackers that retreated. An unknown cell changes nothing.
    """
    if cell == notation.UNKNOWN_RESULT:
        return CombatResult(cell), ()
    result: notation.ChartResult = notation.read_result(cell)
    start, defenders, attackers = referee.position, units_left(referee, attack.defenders), units_left(referee, attack.attackers)
    before = _steps(defenders), _steps(attackers)
    retreated = await apply_effect(referee, attack.defenders, result.defender, attack.terrain in CITY_TERRAINS)
    withdrawn = await apply_effect(referee, attack.attackers, result.attacker, attack.home)
    lost = paid = 0
    if referee.position is not start:
        defenders, attackers = units_left(referee, attack.defenders), units_left(referee, attack.attackers)
        lost, paid = before[0] - _steps(defenders), before[1] - _steps(attackers)
    emptied, fallen = all(piece.id in retreated for piece in defenders), len(attack.attackers) - len(attackers)
    return CombatResult(cell, not defenders, emptied, bool(withdrawn), lost, paid, tuple(retreated), fallen), withdrawn


def _steps(units: Sequence[Piece]) -> int:
    """[13.4.1] The strength steps that units have left."""
    return sum(map(notation.steps_left, units))


async def apply_effect(referee: IraqWarReferee, ids: Sequence[str], effect: str, in_city: bool | None) -> list[str]:
    """[13.4] Apply one side's losses and retreat; returns the ids of the units that left their hex."""
    if effect == notation.NOTHING:
        return []
    chart, side = referee.chart("results"), notation.side_of(referee.piece(ids[0]))
    await lose_steps(referee, ids, chart.number(effect, "steps"), side)
    if not chart.cell(effect, "retreat") or not units_left(referee, ids):
        return []
    if in_city is None:
        in_city = await referee.confirm("attacker_city", "Do the attackers stand in a city?", "13.5(8)", suggest=False)
    return await retreat(referee, ids, side, in_city)


# -- [13.4.1] Losses ---------------------------------------------------------------------------------------------------


def units_left(referee: IraqWarReferee, ids: Sequence[str]) -> list[Piece]:
    """The units that are still on the map, as they are now."""
    pieces = referee.position.pieces
    return [now for piece in ids if state.is_on_map(now := pieces[piece])]


async def lose_steps(referee: IraqWarReferee, ids: Sequence[str], steps: int, side: state.Side) -> None:
    """[13.4.1] Lose strength steps, spread by the owner."""
    for number in range(1, steps + 1):
        remaining = units_left(referee, ids)
        if not remaining:
            referee.say(f"No unit is left to lose {plural(steps - number + 1, 'more strength step')}.", "13.4.1")
            return
        piece = remaining[0]
        choice = len(remaining) > 1 and _steps(remaining) > steps - number + 1
        if choice and referee.computer_plays(side):
            plans = side == state.IRAQ and referee.option("opponent")
            piece = referee.planner.loss(remaining) if plans else suggested_loss(remaining)
        elif choice:
            prompt = f"Which {state.SIDE_TITLES[side]} unit loses strength step {number} of {steps}?"
            request = Choose("loss", prompt, "13.4.1", referee.unit_choices(remaining), suggested_loss(remaining).name)
            request.why_not = referee.excluded_unit(lambda unit: ("{} is not in this combat on that side", "13.4.1"))
            name = await referee.ask_side(side, request)
            piece = next(unit for unit in remaining if unit.name == name)
        lose_step(referee, piece, "13.4.1", "combat result")


def suggested_loss(pieces: Sequence[Piece]) -> Piece:
    """[13.4.1, 15.2] The suggested loss: reduce first, then remove the partly lost, then the weakest by attack plus defence."""

    def worth(piece: Piece) -> tuple[bool, bool, int]:
        side, last = notation.printed_side(piece), notation.steps_left(piece) == 1
        return last, last and notation.is_western(piece) and piece.face != "reduced", side.attack + side.defence

    return min(pieces, key=worth)


def lose_step(referee: IraqWarReferee, piece: Piece, rule: str, why: str) -> None:
    """[13.4.1] Flip a unit to its reduced side, or remove it."""
    now = referee.piece(piece.id)
    if notation.steps_left(now) > 1:
        referee.flip(piece.id, "reduced", rule, why)
        if notation.is_western(now):
            referee.say(f"{piece.name} is REDUCED: {referee.points('reduced')}.", "15.2")
        return
    remove(referee, now, rule, why)


def remove(referee: IraqWarReferee, piece: Piece, rule: str, why: str) -> None:
    """[10.0(3)] Remove a ground unit from the game; it keeps control of its hex until another unit enters."""
    r15_control.enter_hexes(referee, piece, [piece.place])
    referee.move(piece.id, state.REMOVED, rule, why)
    if notation.is_western(piece):
        referee.say(f"{piece.name} is ELIMINATED: {referee.points('removed')} in all.", "15.2")


async def record_loss(referee: IraqWarReferee) -> None:
    """[13.4.1, 15.2] Record a loss that happened outside the program."""
    units = units_on_map_of(referee.position)
    planes = [piece for side in state.SIDE_TITLES for piece in referee.air_units(side, "any") if piece.place != state.REMOVED]
    choices = [*referee.unit_choices(units), *referee.air_choices(planes)]
    if not choices:
        referee.forbid("Companion knows of no unit that could be lost", "13.4.1", "Enter units first: units")
        return
    name = await referee.choose("unit", "Which unit is hit?", "13.4.1", choices)
    piece = next(candidate for candidate in [*units, *planes] if candidate.name == name)
    if piece in planes:
        r05_air.shot_down(referee, piece, "15.2", "recorded by the player")
        return
    losses = [Choice("step", "a strength step"), Choice("unit", "the unit")]
    loss = await referee.choose("what", "What does it lose?", "13.4.1", losses, "step")
    (lose_step if loss == "step" else remove)(referee, piece, "13.4.1", "recorded by the player")


# -- [13.5] Retreats ---------------------------------------------------------------------------------------------------

_ALL = Choice("all", "all of them retreat")
_NOWHERE = Choice("none", "no hex to go to: each loses a strength step where it stands")
_OFF = Choice("off", "forced off the board: removed")
_STAYS = Choice("stays", "it ignores the retreat in the city")
_EACH = Choice("each", "not all alike")
_RETREAT_ORDER = (
    "first: a hex without water, enemy or enemy zone of control [13.5(3)]; friends in it cancel the zone [13.5(4)]",
    "then: nearer to the own supply source",
    "then: below the stacking limit; else a hex further, until it fits [13.5(5)]",
    "flying units retreat like all others [12.5(4)]; no movement points are spent [13.5(1)]",
)


async def retreat(referee: IraqWarReferee, ids: Sequence[str], side: state.Side, in_city: bool) -> list[str]:
    """[13.5] Retreat units by one hex; returns the ids of those that left. The map decides where it is known."""
    remaining = units_left(referee, ids)
    if in_city and await _ignores_retreat(referee, remaining, side):
        referee.say(f"{referee.names_with_verb(remaining, 'ignores', 'ignore')} the retreat in the city.", "13.5(8)")
        return []

    def text() -> str:
        return f"{referee.names_with_verb(remaining, 'retreats', 'retreat')} 1 hex."

    referee.say(text, "13.5(2)", *_RETREAT_ORDER, tone="board")
    together = await _ask_retreat(referee, remaining, side, len(remaining) > 1)
    moved: list[str] = []
    for piece in remaining:
        choice = await _ask_one_retreat(referee, piece, in_city) if together == _EACH.value else together
        moved += [piece.id] if await _retreat_one(referee, piece, choice) else []
    return moved


async def _ignores_retreat(referee: IraqWarReferee, units: Sequence[Piece], side: state.Side) -> bool:
    """[13.5(8)] Whether units in a city ignore the retreat; Companion's side always does."""
    if referee.computer_plays(side):
        return True
    request = Confirm("ignore", f"{referee.piece_names(units)} in a city: ignore the retreat?", "13.5(8)", suggest=True)
    return await referee.ask_side(side, request)


async def _ask_retreat(referee: IraqWarReferee, units: Sequence[Piece], side: state.Side, several: bool) -> str:
    """[13.5(2)] Where units retreat: a hex, ``all`` (unknown), ``none``, ``off``, ``each``; the owner chooses (ruling C-54)."""
    start = state.hex_of(units)
    options = _retreat_options(referee, units, start)
    if options and _is_certain(referee, options, side):
        if not options.hexes:
            text = f"every hex around {start} is closed to them"
            referee.skip_question("retreat", text, "13.5(6)", equivalent=(_NOWHERE.value,))
            return _NOWHERE.value
        only = _computer_choice(referee, units, options.first, side)
        why = "it comes first" if len(options.first) == 1 else f"one of {', '.join(options.first)}"
        referee.skip_question("retreat", f"the way is to {only}, {why}", "13.5(2)", equivalent=(only, _ALL.value))
        return only
    prompt = f"Where do the {state.SIDE_TITLES[side]} units retreat?"
    choices = [*_retreat_choices(referee, options), *([_EACH] if several else [])]
    shut = [] if _OFF in choices else [_OFF]
    request = Choose("retreat", prompt, "13.5(2)", choices, choices[0].value, shut)
    request.why_not = partial(_no_retreat_to, referee, units, start, options)
    choice = await referee.ask_side(side, request)
    _check_off(referee, choice, choices)
    return choice


def _check_off(referee: IraqWarReferee, choice: str, choices: Sequence[Choice]) -> None:
    """[13.5(7)] Refuse that units leave the board although they can retreat into a hex of it."""
    if choice == _OFF.value and _OFF not in choices:
        text = f"a unit leaves the board only if it has no other way, and it can go to {choices[0].value}"
        referee.forbid(text, "13.5(7)", f"Retreat to {choices[0].value}")


def _retreat_options(referee: IraqWarReferee, units: Sequence[Piece], start: str) -> r08_map.RetreatOptions | None:
    """The adjacent hexes in the rule's order; None without a map."""
    return r08_map.retreat_hexes(referee.position, units, start) if start and land_of(referee.position).orientation else None


def _is_certain(referee: IraqWarReferee, options: r08_map.RetreatOptions, side: state.Side) -> bool:
    """Whether no question is needed: all that matters is known, and one hex is first, none is left, or Companion chooses."""
    return _is_known(referee, options) and (len(options.first) < 2 or referee.computer_plays(side))


def _is_known(referee: IraqWarReferee, options: r08_map.RetreatOptions) -> bool:
    """Whether all that matters for a retreat is known."""
    land = land_of(referee.position)  # hexes with known terrain are on the map
    return options.sure and all(land.ground(number).ground for number in options.first)


def can_surely_retreat(referee: IraqWarReferee, ids: Sequence[str]) -> bool:
    """[13.5(2), 13.5(5)] Return True if all of some units on the map, or those that losses leave, surely retreat by one hex."""
    units = units_left(referee, ids)
    options = _retreat_options(referee, units, state.hex_of(units)) if units else None
    if not options or not options.first or r08_map.has_turkish_unit(referee.position):
        return False
    return _is_known(referee, options) and r08_map.fits(referee.position, units, options.first[0])


def _computer_choice(referee: IraqWarReferee, units: Sequence[Piece], first: Sequence[str], side: state.Side) -> str:
    """The hex that Companion chooses for its side among equal hexes."""
    return referee.planner.retreat_hex(units, first) if referee.computer_plays(side) and referee.option("opponent") else first[0]


def _retreat_choices(referee: IraqWarReferee, options: r08_map.RetreatOptions | None) -> list[Choice]:
    """The choices of a retreat: the first hexes, or all open hexes if facts are missing; off the board [13.5(7)] if need be."""
    if not options:
        return [_ALL, _NOWHERE, _OFF]
    numbers = options.first if options.sure else options.hexes
    hexes = [Choice(number, number, "comes first" if number in options.first else "") for number in numbers]
    land = land_of(referee.position)
    if options.sure and any(land.ground(number).ground for number in options.hexes):  # a hex with known terrain is on the map
        return hexes
    return [*hexes, *([] if options.sure and numbers else [_ALL, _NOWHERE]), _OFF]


async def _ask_one_retreat(referee: IraqWarReferee, piece: Piece, in_city: bool) -> str:
    """[13.5] Ask how one of several units retreats."""
    units, start = [referee.piece(piece.id)], piece.place if state.is_hex(piece.place) else ""
    options = _retreat_options(referee, units, start)
    choices = _retreat_choices(referee, options)
    choices += [_NOWHERE] if options and options.sure and options.hexes else []
    choices += [_STAYS] if in_city else []
    rule = "13.5(8)" if in_city else "13.5(6)"
    shut = [] if _OFF in choices else [_OFF]
    request = Choose("one", f"Where does {piece.name} retreat?", rule, choices, choices[0].value, shut)
    request.why_not = partial(_no_retreat_to, referee, units, start, options)
    choice = await referee.ask_side(notation.side_of(piece), request)
    _check_off(referee, choice, choices)
    return choice


async def _retreat_one(referee: IraqWarReferee, piece: Piece, choice: str) -> bool:
    """Retreat one unit; returns whether it left its hex."""
    if choice == _NOWHERE.value:
        lose_step(referee, piece, "13.5(6)", "no hex to retreat to")
        return False
    if choice == _OFF.value:
        remove(referee, piece, "13.5(7)", "retreats off the board")
    elif state.is_hex(choice):
        return await _retreat_until_fits(referee, piece, choice)
    elif choice == _ALL.value:
        r15_control.enter_hexes(referee, piece, [piece.place])
        referee.move(piece.id, state.MAP, "13.5", "retreats")
    return choice != _STAYS.value


async def _retreat_until_fits(referee: IraqWarReferee, piece: Piece, number: str) -> bool:
    """[13.5(5)] Retreat into a hex, and further while it is full; else a step is lost at the start (ruling C-22)."""
    start, path = piece.place, [number]
    while not r08_map.fits(referee.position, [piece], path[-1]):
        options = r08_map.retreat_hexes(referee.position, [piece], path[-1])
        open_to = [candidate for candidate in options.hexes if candidate not in (start, *path)]
        if not open_to:
            lose_step(referee, piece, "13.5(6)", f"no room from {start} on")
            return False
        first = [candidate for candidate in options.first if candidate in open_to] or open_to[:1]
        bot = referee.computer_plays(notation.side_of(piece))
        path.append(first[0] if bot else await _ask_next_hex(referee, piece, path[-1], first))
    referee.move(piece.id, path[-1], "13.5(5)" if len(path) > 1 else "13.5(2)", "retreats")
    r15_control.enter_hexes(referee, piece, [start, *path[r15_control.first_controlled(referee, len(path), False) :]])
    return True


async def _ask_next_hex(referee: IraqWarReferee, piece: Piece, full: str, hexes: Sequence[str]) -> str:
    """[13.5(5)] Ask for the next hex after a full one."""
    prompt = f"{full} is full. Where does {piece.name} go on to?"
    choices = [Choice(number, number) for number in hexes]
    request = Choose("further", prompt, "13.5(5)", choices, hexes[0])
    request.why_not = partial(_no_retreat_to, referee, [piece], full, r08_map.retreat_hexes(referee.position, [piece], full))
    return await referee.ask_side(notation.side_of(piece), request)


def _no_retreat_to(
    referee: IraqWarReferee, units: Sequence[Piece], start: str, options: r08_map.RetreatOptions | None, name: str
) -> tuple[str, str] | None:
    """[13.5] Why units cannot retreat from a hex into a named one, and the rule."""
    if not state.is_hex(name):
        return None
    if not options:
        return f"the map around {referee.piece_names(units)} is not known: say that they retreat", "13.5"
    if excluded := r08_map.retreat_excluded(referee.position, units, start, name):
        return excluded[0].format(name), excluded[1]
    if name in options.hexes:
        return f"{' and '.join(options.first)} comes before {name}", "13.5(2)"
    return f"{referee.piece_names(units)} cannot go back into {name}", "13.5(5)"


# -- [13.6] Advance ----------------------------------------------------------------------------------------------------

CITY_TERRAINS = ("minor_city", "major_city", "mega_city")
"""[13.5(8)] Terrain in which a retreat may be ignored."""


async def advance(referee: IraqWarReferee, ids: Sequence[str], terrain: str, number: str = "") -> None:
    """[13.6] Advance any of the attackers into the empty hex. ``number``: the hex, if known."""
    advancing = await _ask_advancing(referee, units_left(referee, ids), number)
    if not advancing:
        return
    text = f"{referee.names_with_verb(advancing, 'advances', 'advance')} into {number or 'the hex'}."
    limits = "zones of control do not matter [13.6(2)], no movement points are spent [13.6(3)], and the map is not left [13.6(4)]"
    referee.say(text, "13.6", limits, tone="board")
    for piece in advancing:
        r15_control.enter_hexes(referee, piece, [piece.place])
        referee.move(piece.id, number or state.MAP, "13.6", "advances")
    await r08_map.check_stack(referee, advancing)
    await _take_place(referee, advancing, terrain, number)


async def _ask_advancing(referee: IraqWarReferee, able: Sequence[Piece], number: str) -> list[Piece]:
    """[13.6(1)] Ask who advances: any, all or none."""
    if not able:
        return []
    request = Pick("advance", "The hex is empty. Which units advance?", "13.6(1)", referee.unit_choices(able), suggest=[])
    request.why_not = referee.excluded_unit(lambda unit: ("{} did not attack, or has retreated", "13.6"))
    side = notation.side_of(able[0])
    if referee.computer_plays(side):
        referee.decide(request, side, [piece.name for piece in referee.planner.advancing(able, number)])
    chosen = await request
    return [piece for piece in able if piece.name in chosen]


async def _take_place(referee: IraqWarReferee, advancing: Sequence[Piece], terrain: str, number: str) -> None:
    """[15.2] Take the VP place in the hex, if it is known; for an unidentified city, ask."""
    r15_control.enter_hexes(referee, advancing[0], [number])
    if number and r15_victory.skip_identified(referee, number):
        return
    if terrain in CITY_TERRAINS:
        kinds = (r15_victory.MEGA_CITY,) if terrain == "mega_city" else r15_victory.OTHER_PLACES
        elsewhere = r15_victory.located_places(referee) if number else ()
        taken = await r15_victory.ask_taken(referee, advancing, kinds=kinds, but=elsewhere)
        if taken and number:
            await r08_map.learn_map_facts(referee, {f"hex:{number}": str(read_ground(taken[0]))}, "15.2")
    else:
        referee.skip_question("taken", f"the hex is not a city: its terrain is {terrain}", "15.2", equivalent=(state.NONE,))
        referee.say("If the hex is a port that counts, say so: control.", "15.2", tone="reminder")
