"""[6.1, 7.1, 7.2(1), 7.3(2)] The dice of an attack, as pure functions of small values, and what the faces of a die mean."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.dice import RollOutcome, pool_outcomes
from companion.core.text import plural


class Die:
    """[7.1] The chart of die results, each column read once.

    Of the two results of a column the second one counts: a hit, a casualty, on target.
    """

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._columns: dict[str, tuple[int, ...]] = {}

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
        counts = self.column(column)
        return counts.count(result) / len(counts)

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
    """The units that attack from an area.

    Attributes:
        strengths: Of the units that would fire.
        officers: Unwounded officers who add a die each, to one unit each.
        stack: Units of the side in the area, firing or not.
    """

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

    Attributes:
        stacking: The chart of over-stacking.
        by_units: Over-stacking costs firing units; otherwise it costs dice (ruling C-1).
        jungle: The dice that each unit firing into jungle loses.
    """

    stacking: Stacking
    by_units: bool
    jungle: int

    def may_fire(self, stack: int, used: int = 0) -> int:
        """How many units of a stack may fire, less those that have."""
        if not self.by_units:
            return _UNLIMITED
        return max(0, self.stacking.firing(stack) - used)

    def dice_lost(self, stack: int) -> int:
        """Dice that a stack loses if over-stacking costs dice."""
        return 0 if self.by_units else self.stacking.excess(stack)

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


def melee_pool(rules: DiceRules, force: Force, enemies: int, night: bool) -> Pool:
    """[7.2(1), 7.2(2)] The dice of one side of a melee."""
    dice, because = unit_dice(rules, force)
    return _Losses(rules, force).apply(dice, because, enemies, night)


def fire_pools(rules: DiceRules, force: Force, targets: Sequence[Aim], shares: Sequence[int], used: int = 0) -> list[Pool]:
    """[7.3(2), 7.3(3)] The dice at each target area.

    Args:
        targets: The areas, the primary one first.
        shares: Dice assigned to each area but the last, which gets the rest; units fire in order (ruling D-7).
        used: Units of the stack that have fired before.
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


@lru_cache(maxsize=2048)
def pool_at(rules: DiceRules, force: Force, aim: Aim, used: int = 0) -> Pool:
    """[7.3(2), 7.3(3)] The dice of a force at one area."""
    (single,) = fire_pools(rules, force, [aim], (), used)
    return single


def _take(units: Sequence[int], wanted: int) -> tuple[list[int], list[int]]:
    """Take dice from units in order up to a number; returns the dice taken and the dice left, by unit."""
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
    """[6.1, 11.1B] Dice that a combat loses once for over-stacking and night.

    Of several target areas the primary one loses them, and the next ones what exceeds its dice (ruling C-61).
    """

    def __init__(self, rules: DiceRules, force: Force) -> None:
        self.rules = rules
        self.over_stacking = rules.dice_lost(max(force.stack, len(force.strengths)))
        self.night = 1

    def apply(self, dice: Sequence[int], because: list[str], enemies: int, night: bool) -> Pool:
        """The dice at one area after losses and the bonus for a massed target."""
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
