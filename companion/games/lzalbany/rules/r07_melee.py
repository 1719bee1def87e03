"""[6.1, 7.1, 7.2] The dice of an attack, as pure functions of small values, and melee."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache, partial

from companion.core.charts import Chart
from companion.core.dice import RollOutcome, pool_outcomes
from companion.core.hints import TYPE_CHECKING
from companion.core.named_tuple import NamedTuple
from companion.core.position import Piece
from companion.core.requests import Choice, Choose, Odds
from companion.core.text import plural
from companion.games.lzalbany import notation, odds, state
from companion.games.lzalbany.areas import COLUMBUS, TRANSITION, title
from companion.games.lzalbany.rules import r02_map, r04_victory, r08_hits

if TYPE_CHECKING:
    from companion.games.lzalbany.referee import AlbanyReferee


def answers_in_melee(area: str, defenders: Sequence[Piece]) -> bool:
    """[7.2B] False for artillery alone in LZ Columbus."""
    return not (area == COLUMBUS and all(map(state.is_artillery, defenders)))


def _defence(referee: AlbanyReferee, side: state.Side, area: str) -> Force:
    """[7.2(2), 7.2B] All defenders."""
    units = referee.units(area, side)
    if not answers_in_melee(area, units):
        return Force((), 0, len(units))
    return Force(tuple(state.strength(piece, "melee") for piece in units), len(referee.officers(area, side)), len(units))


def melee_pools(referee: AlbanyReferee, side: state.Side, area: str, units: Sequence[Piece], officers: int) -> tuple[Pool, Pool]:
    """[7.2(1), 7.2(2)] The dice of both sides if these units of a side attack in an area, from there or from elsewhere."""
    foe, dark = state.enemy(side), referee.is_dark(area)
    stack = len({piece.id for piece in (*referee.units(area, side), *units)})
    force = Force(tuple(state.strength(piece, "melee") for piece in units), officers, stack)
    attack = melee_pool(referee.dice_rules, force, referee.unit_count(area, foe), dark)
    return attack, melee_pool(referee.dice_rules, _defence(referee, foe, area), stack, dark)


def group_dice(referee: AlbanyReferee, side: state.Side, group: str, area: str) -> int:
    """[7.2(1)] The dice of the melee that a group begins in an area, with all officers of the group there."""
    units = [piece for piece in referee.group(group) if piece.kind == state.UNIT and piece.place == area]
    officers = [piece for piece in referee.officers(area, side) if state.group_of(piece) == group]
    return melee_pools(referee, side, area, units, len(officers))[0].dice if units and referee.is_disputed(area) else 0


async def melees(referee: AlbanyReferee, side: state.Side, activated: Sequence[Piece], fought: Sequence[str] = ()) -> None:
    """[7.2] A melee in every disputed area with activated platoons, except where it was fought already."""
    left = sorted({p.place for p in activated if p.kind == state.UNIT and p.place not in fought and referee.is_disputed(p.place)})
    while left:
        area = left[0]
        if len(left) > 1 and referee.interactive and not referee.is_computer(side):
            request = Choose("next_melee", f"{side}: which melee is fought first?", "7.2", referee.area_choices(left, side), area)
            request.why_not = partial(_why_no_melee, referee, fought)
            area = await referee.for_side(side, request)
        left.remove(area)
        if referee.is_disputed(area):
            await melee(referee, side, area, activated)


def _why_no_melee(referee: AlbanyReferee, fought: Sequence[str], name: str) -> tuple[str, str] | None:
    """[7.2, 7.2(6)] Why no melee is fought in an area that is named, with the rule."""
    area = referee.area_called(name)
    if not area:
        return None
    if not referee.is_disputed(area):
        return f"{title(area)} is not disputed: no melee is fought there", "7.2"
    if area in fought:
        return f"the melee in {title(area)} has been fought with this chit", "7.2"
    return f"no platoon that this chit activates is in the melee in {title(area)}", "7.2(6)"


async def melee(referee: AlbanyReferee, side: state.Side, area: str, activated: Sequence[Piece]) -> None:
    """[7.2] A melee in a disputed area, begun by a side; activated counters that are not in the area do not count."""
    if await clash(referee, side, area, activated) is not NO_MELEE:
        await _retreats(referee, side, area)


class Round(NamedTuple):
    """A round of melee: the dice of attacker and defender, and the hits that each scored."""

    dice: int = 0
    against: int = 0
    hits: int = 0
    losses: int = 0


NO_MELEE = Round()


async def clash(referee: AlbanyReferee, side: state.Side, area: str, activated: Sequence[Piece]) -> Round:
    """[7.2(1), 7.2(2), 7.2(3), 7.2(3b)] Both sides roll at once and place hits; NO_MELEE if no enemy is spotted [11.1D]."""
    present = {piece.id for piece in referee.pieces(area, side)}
    units = [referee.piece(p.id) for p in activated if p.id in present and p.kind == state.UNIT]
    if not await _spotted(referee, side, area):
        return NO_MELEE
    if side == state.NVA and area == COLUMBUS and r04_victory.columbus_points(referee):
        referee.award("columbus", "the NVA begins a melee in LZ Columbus")
    officers = [p for p in activated if p.id in present and p.kind == state.OFFICER and not state.is_senior(p)]
    helpers = [p for p in officers if state.is_unwounded(referee.piece(p.id))]
    able = min(len(units), referee.dice_rules.may_fire(referee.unit_count(area, side)))
    helpers += await r08_hits.joining(referee, side, area, able - len(helpers))
    attack, defence = melee_pools(referee, side, area, units, len(helpers))
    foe = state.enemy(side)
    attack_dice, defence_dice = (plural(force.dice, "die", "dice") for force in (attack, defence))
    because = [f"{who}: {line}" for who, pool in ((side, attack), (foe, defence)) for line in pool.because]
    referee.say(f"Melee in {title(area)}: {side} {attack_dice}, {foe} {defence_dice}.", "7.2", *because)
    attackers, defenders = referee.pieces(area, side), referee.pieces(area, foe)
    attack_hits = await _strike(referee, "melee", "7.2(1)", side, area, attack.dice, defenders)
    defence_hits = await _strike(referee, "defence", "7.2(2)", foe, area, defence.dice, attackers)
    hits = await _place(referee, side, defenders, attack_hits)
    losses = await _place(referee, foe, attackers, defence_hits)
    return Round(attack.dice, defence.dice, hits, losses)


async def _spotted(referee: AlbanyReferee, side: state.Side, area: str) -> bool:
    """[11.1D] At night a US attack must spot the NVA first."""
    if side != state.US or not referee.is_dark(area):
        return True
    prompt = f"Spotting in {title(area)}: the NVA is found on 1-3"
    faces = await referee.volley("spotting", prompt, "11.1D", 1, 1, "spotting")
    if referee.count(faces, "spotting"):
        referee.say(f"Spotting: {faces[0]}, found on 1-3. The US finds the NVA.", "11.1D")
        return True
    referee.say(f"Spotting: {faces[0]}, found on 1-3. The US finds nobody: no melee.", "11.1D")
    referee.instruct(f"Put the Melee marker in {title(area)}.", "11.1D")
    return False


async def _strike(
    referee: AlbanyReferee, key: str, rule: str, side: state.Side, area: str, dice: int, targets: Sequence[Piece]
) -> int:
    prompt = f"The {side} in the melee in {title(area)}: hits on 6"
    faces = await referee.volley(key, prompt, rule, dice, r08_hits.room(targets), side=side)
    hits = referee.count(faces)
    if dice:
        referee.say(notation.volley_text(f"The {side}", faces, hits), "7.2(3)")
    return hits


async def _place(referee: AlbanyReferee, shooter: state.Side, targets: Sequence[Piece], hits: int) -> int:
    """[7.2(3b)] The shooter places the first hit, officers included; the owner places the rest."""
    return await r08_hits.take_hits(referee, shooter, targets, hits, "7.2(3b)", "melee", r08_hits.ANYBODY) if hits else 0


async def _retreats(referee: AlbanyReferee, side: state.Side, area: str) -> None:
    """[7.2(4), 7.2(5), 7.2(6)] The defender may retreat, then the attacker; otherwise the area stays disputed."""
    for who, rule in ((state.enemy(side), "7.2(4)"), (side, "7.2(5)")):
        await retreat(referee, who, area, rule)
    if referee.is_disputed(area):
        referee.say(f"{title(area)} stays disputed: the melee goes on when units there are next activated.", "7.2(6)")
    else:
        referee.say(f"The melee in {title(area)} is over.", "7.2")
        if referee.night:
            referee.instruct(f"If the Melee marker is in {title(area)}, take it off.", "11.1D")


async def retreat(referee: AlbanyReferee, side: state.Side, area: str, rule: str) -> None:
    """[7.2(4), 7.2(5)] Survivors, hit or not, may go to adjacent areas without enemies (rulings C-33, C-66)."""
    movable = [piece for piece in referee.pieces(area, side) if not state.is_artillery(piece)]
    if not any(map(state.holds_area, movable)):
        text = f"the {side} has nobody in {title(area)} who could leave"
        referee.skip_question("retreat", text, rule, "They stay", equivalent=(notation.NONE,))
        return
    refuges = _refuges(referee, side, area)
    if refuges is not None and not refuges:
        text, why = f"the {side} in {title(area)} can go nowhere", rule
        if area == COLUMBUS:
            text, why = "US units do not leave LZ Columbus while NVA are there", "6.5"
        referee.skip_question("retreat", text, why, "They stay", equivalent=(notation.NONE,))
        referee.say(f"{text}.", why)
        return
    reader, suggest = r02_map.orders_for(referee, movable), partial(suggested_retreat, referee, side, area)

    def prompt() -> str:
        return f"{side}: who retreats from {title(area)}, and where? ({referee.piece_names(movable)})"

    def choices() -> list[Choice]:
        goals = _known_refuges(referee, side, area)
        return r02_map.order_choices(reader, lambda place: goals, _who_can_leave)

    request = notation.OrderRequest("retreat", prompt, rule, reader.notation, choices, suggest)
    request.why_not = partial(_why_no_retreat, referee, side, area)
    head = f"The next melee in {title(area)}, begun by the {side}"
    request.odds = lambda: melee_odds(referee, side, area, movable, head)
    if referee.is_computer(side):
        await r02_map.neighbours(referee, area, rule)
    text = await referee.decide(request, side, "retreat", lambda planner: planner.retreat(area), auto=True)
    orders = reader.read(text)
    goals = dict.fromkeys(order.to for order in orders)
    for to in goals:
        _check_refuge(referee, side, area, to, rule)
        if area == COLUMBUS:
            await r02_map.check_exit(referee, side, to)
    r08_hits.check_carried(referee, orders)
    await r02_map.infer_adjacency(referee, [(area, order.to) for order in orders], rule)
    for to in goals:
        r02_map.announce_new_area(referee, to)
    for order in orders:
        referee.move(order.piece.id, order.to, rule, "retreat")


def _why_no_retreat(referee: AlbanyReferee, side: state.Side, area: str, name: str) -> tuple[str, str] | None:
    """[6.2C, 7.2(4)] Why a counter cannot retreat from a melee, with the rule."""
    piece = referee.counter_called(name, side)
    if piece is None or piece.place in (state.ELIMINATED, state.DEAD):
        return None
    if state.side_of(piece) == side and piece.place == area and state.is_artillery(piece):
        return f"{piece.name} is artillery, which does not leave LZ Columbus", "6.2C"
    return f"{piece.name} is no {side} counter in {title(area)}, where this melee is", "7.2(4)"


def suggested_retreat(referee: AlbanyReferee, side: state.Side, area: str) -> str:
    """The retreat that is suggested to a player: stay unless outnumbered more than two to one in dice, else the safest refuge."""
    units = referee.units(area, side)
    attack, defence = melee_pools(referee, side, area, units, len(referee.officers(area, side)))
    foe, area_map = state.enemy(side), referee.map
    refuges = [] if area == COLUMBUS else [p for p in area_map.neighbours(area) if not referee.unit_count(p, foe)]
    if not refuges or (units and 2 * attack.dice >= defence.dice):
        return notation.NONE

    def danger(place: str) -> tuple[bool, int, int]:
        crowded = len(units) > max(0, referee.data.stacking.limit - referee.unit_count(place, side))
        threats = sum(bool(referee.units(other, foe)) for other in area_map.neighbours(place))
        return crowded, threats, -referee.unit_count(place, side)

    leaving = [p for p in referee.pieces(area, side) if (units or state.holds_area(p)) and not state.is_artillery(p)]
    return f"{' '.join(p.name for p in leaving)} > {min(refuges, key=danger)}"


def _refuges(referee: AlbanyReferee, side: state.Side, area: str) -> list[str] | None:
    """[7.2(4), 6.5] The areas to which a side can retreat; None if unknown."""
    if area == COLUMBUS:
        return [] if r02_map.cannot_leave(referee, side, area) else None
    around = referee.map.listed_neighbours(area)
    return None if around is None else [place for place in around if not referee.unit_count(place, state.enemy(side))]


def _known_refuges(referee: AlbanyReferee, side: state.Side, area: str) -> list[str]:
    """[7.2(4), 6.5] The known areas to which a side can retreat."""
    around = referee.map.east_edge() if area == COLUMBUS else referee.map.neighbours(area)
    places = [place for place in around if place not in (COLUMBUS, TRANSITION)]
    return [place for place in places if not referee.unit_count(place, state.enemy(side))]


def _who_can_leave(stack: Sequence[Piece]) -> list[Piece]:
    """[7.2(4), 8.4A] All of a stack; without a platoon only unwounded officers."""
    has_units = any(piece.kind == state.UNIT for piece in stack)
    return [p for p in stack if has_units or not state.needs_carrying(p)]


def _check_refuge(referee: AlbanyReferee, side: state.Side, area: str, to: str, rule: str) -> None:
    if referee.unit_count(to, state.enemy(side)):
        referee.forbid(f"enemies are in {title(to)}", rule, "Retreat to an adjacent area without any")
    if area != COLUMBUS and referee.map.adjacent(area, to) is False:
        referee.forbid(f"{title(to)} is not next to {title(area)}", rule, "Retreat to an adjacent area")


def melee_odds(referee: AlbanyReferee, side: state.Side, area: str, attackers: Sequence[Piece], head: str) -> Odds:
    """The odds of one round of melee begun by these counters of a side, wherever they are now."""
    table = referee.limited_to({area, *(piece.place for piece in attackers)})
    for piece in attackers:
        table.move(piece.id, area, "7.2")
    outcomes = odds.enumerate_outcomes(table, lambda copy, _: clash(copy, side, area, attackers))
    attack_dice, defence_dice = (plural(outcomes.most(field), "die", "dice") for field in ("dice", "against"))
    foe = state.enemy(side)
    sections: tuple[odds.Section, ...] = (
        (f"Hits of the attacker ({attack_dice})", outcomes.numbers("hits")),
        (f"Hits of the defender ({defence_dice})", outcomes.numbers("losses")),
        ("Defender", (*outcomes.fates(table.pieces(area, foe)), ("no defending platoon left", outcomes.cleared(foe)))),
        ("Attacker", (*outcomes.fates(table.pieces(area, side)), ("no attacking platoon left", outcomes.cleared(side)))),
    )
    if side == state.US and table.is_dark(area):
        sections = (("Spotting", (("the US finds the NVA", table.die.chance("spotting")),)), *sections)
    means = (("hits on the defender", outcomes.mean("hits")), ("hits on the attacker", outcomes.mean("losses")))
    return Odds(head, "7.2", sections, means, (f"{odds.PLACED} Before any retreat.",))


class Die:
    """[7.1] The chart of die results, each column read once.

    Of the two results of a column the second one counts: a hit, a casualty, on target.
    """

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._columns: dict[str, tuple[int, ...]] = {}
        self._chances: dict[tuple[str, int], float] = {}

    def column(self, column: str) -> tuple[int, ...]:
        """For each face 1 if it shows the result that counts, else 0."""
        if column not in self._columns:
            results = list(self._chart.columns[column])
            self._columns[column] = tuple(results.index(self._chart.text(face, column)) for face in range(1, 7))
        return self._columns[column]

    def count(self, faces: Sequence[int], column: str) -> int:
        """How many dice show the result that counts."""
        counts = self.column(column)
        return sum(counts[face - 1] for face in faces)

    def chance(self, column: str, result: int = 1) -> float:
        """The probability that a die shows the result that counts, or with 0 the other one."""
        known = self._chances.get((column, result))
        if known is None:
            counts = self.column(column)
            known = self._chances[column, result] = counts.count(result) / len(counts)
        return known

    def any_chance(self, dice: float, column: str) -> float:
        """The probability that at least one of some dice shows the result that counts."""
        return float(1 - (1 - self.chance(column)) ** dice)

    def count_chances(self, dice: int, column: str) -> list[float]:
        """The probabilities that 0, 1, ... all of some dice show the result that counts."""
        die = self.chance(column)
        chances = [(1 - die) ** dice]
        for count in range(dice):
            chances.append(chances[-1] * ((dice - count) / (count + 1) * die / (1 - die)))
        return chances

    def outcomes(self, dice: int, limit: int, *columns: str) -> tuple[RollOutcome, ...]:
        """The rolls that differ in the counts of these columns, each count up to a limit."""
        return _outcomes(dice, limit, tuple(zip(*map(self.column, columns), strict=True)))


@lru_cache(maxsize=4096)
def _outcomes(dice: int, limit: int, faces: tuple[tuple[int, ...], ...]) -> tuple[RollOutcome, ...]:
    merged: dict[tuple[int, ...], RollOutcome] = {}
    for outcome in pool_outcomes((faces,) * dice, 1):
        counts = tuple(min(sum(column), limit) for column in zip(*(faces[face - 1] for face in outcome.faces), strict=True))
        known = merged.get(counts)
        merged[counts] = known._replace(weight=known.weight + outcome.weight) if known else outcome
    return tuple(merged.values())


class Force(NamedTuple):
    """The units that attack from an area: each unwounded officer adds a die to one unit; `stack` counts all units there."""

    strengths: tuple[int, ...]
    officers: int = 0
    stack: int = 0


class Aim(NamedTuple):
    """The conditions of fire at an area: enemy units there, jungle, and whether night costs a die."""

    enemies: int
    jungle: bool = False
    night: bool = False


class Pool(NamedTuple):
    """The dice of an attack and how they are counted."""

    dice: int
    because: tuple[str, ...]


NO_POOL = Pool(0, ())
_UNLIMITED = 99


class Stacking:
    """[6.1] The chart of over-stacking, each row read once."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._rows: dict[int, int] = {}

    @cached_property
    def limit(self) -> int:
        """The units that an area holds without effect."""
        return next(stack for stack in range(_UNLIMITED) if self.firing(stack + 1) <= stack)

    def firing(self, stack: int) -> int:
        """How many units of a stack may fire."""
        if stack not in self._rows:
            self._rows[stack] = self._chart.number(stack, "firing")
        return self._rows[stack]

    def excess(self, stack: int) -> int:
        """How many units of a stack exceed the limit."""
        return max(0, stack - self.limit)


class DiceRules(NamedTuple):
    """The charts and switches that dice depend on.

    `by_units`: over-stacking costs firing units; otherwise it costs dice (ruling C-1). `jungle`: dice lost by each unit.
    """

    stacking: Stacking
    by_units: bool
    jungle: int

    def may_fire(self, stack: int, used: int = 0) -> int:
        """How many units of a stack may fire, less those that have."""
        if not self.by_units:
            return _UNLIMITED
        return max(0, self.stacking.firing(stack) - used)

    def massed_dice(self, stack: int) -> int:
        """Dice gained by fire at a massed stack."""
        return self.stacking.excess(stack)


def unit_dice(rules: DiceRules, force: Force, used: int = 0) -> tuple[list[int], list[str]]:
    """The dice of each unit that may fire, officers' dice included, strongest unit first; and the reasons."""
    ranked = sorted(force.strengths, reverse=True)
    stack = max(force.stack, len(ranked))
    firing = ranked[: rules.may_fire(stack, used)]
    because = [f"strengths {' + '.join(map(str, firing)) or 'none'} [2.4]"]
    if len(firing) < len(ranked):
        because.append(f"only {len(firing)} of {len(ranked)} may fire from a stack of {stack} [6.1]")
    helped = min(force.officers, len(firing))
    if helped:
        because.append(f"+{helped} for officers [10.3]")
    return [dice + (1 if index < helped else 0) for index, dice in enumerate(firing)], because


@lru_cache(maxsize=4096)
def melee_pool(rules: DiceRules, force: Force, enemies: int, night: bool) -> Pool:
    """[7.2(1), 7.2(2)] The dice of one side of a melee."""
    dice, because = unit_dice(rules, force)
    return _Losses(rules, force).apply(dice, because, enemies, night)


def fire_pools(rules: DiceRules, force: Force, targets: Sequence[Aim], shares: Sequence[int], used: int = 0) -> list[Pool]:
    """[7.3(2), 7.3(3)] The dice at each target area, the primary one first.

    `shares` are the dice of each area but the last, which gets the rest; units fire in order (ruling D-7).
    """
    left, because = unit_dice(rules, force, used)
    losses = _Losses(rules, force)
    pools: list[Pool] = []
    for number, (enemies, jungle, night) in enumerate(targets):
        is_last = number == len(targets) - 1
        wanted = sum(left) if is_last else min(shares[number], sum(left))
        taken, left = _take(left, wanted)
        lines = list(because)
        if len(targets) > 1:
            lines.append(f"{sum(taken)} of them at this area [7.3(2)]")
        if jungle and taken:
            lines.append(f"-{rules.jungle} for each of {plural(len(taken), 'unit')} firing into jungle, none below 0 [7.3(3)]")
            taken = [max(0, dice - rules.jungle) for dice in taken]
        pools.append(losses.apply(taken, lines, enemies, night))
    return pools


@lru_cache(maxsize=4096)
def pool_at(rules: DiceRules, force: Force, aim: Aim, used: int = 0) -> Pool:
    """[7.3(2), 7.3(3)] The dice of a force at one area."""
    (single,) = fire_pools(rules, force, [aim], (), used)
    return single


def _take(units: Sequence[int], wanted: int) -> tuple[list[int], list[int]]:
    taken: list[int] = []
    rest: list[int] = []
    for dice in units:
        share = min(dice, wanted - sum(taken))
        if share > 0 or (wanted >= sum(units) and dice == 0):
            taken.append(share)
        if dice - share > 0:
            rest.append(dice - share)
    return taken, rest


class _Losses:
    """[6.1, 11.1B] Dice that a combat loses once for over-stacking and night."""

    def __init__(self, rules: DiceRules, force: Force) -> None:
        self.rules = rules
        self.over_stacking = 0 if rules.by_units else rules.stacking.excess(max(force.stack, len(force.strengths)))
        self.night = 1

    def apply(self, dice: Sequence[int], because: list[str], enemies: int, night: bool) -> Pool:
        total, massed = sum(dice), self.rules.massed_dice(enemies) if dice else 0
        lost = min(self.over_stacking, total)
        self.over_stacking -= lost
        dark = min(self.night, total - lost + massed) if night else 0
        self.night -= dark
        changes = (
            (-lost, "for over-stacking [6.1]"),
            (massed, f"for a massed target of {plural(enemies, 'unit')} [6.1]"),
            (-dark, "at night [11.1B]"),
        )
        total += sum(change for change, _ in changes)
        summary = f"so {plural(total, 'die', 'dice')} in all"
        return Pool(total, (*because, *(f"{change:+} {reason}" for change, reason in changes if change), summary))
