"""[6.1, 7.3(2), 7.2(1)] How many dice an attack has, from small values, so that odds and the table count alike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import NamedTuple

from companion.core.charts import Chart
from companion.core.text import plural


class Force(NamedTuple):
    """Who fires from one area.

    Attributes:
        strengths: of the units that would fire.
        officers: unwounded officers who add a die each, to one unit each.
        stack: units of the side in the area, firing or not.
    """

    strengths: tuple[int, ...]
    officers: int = 0
    stack: int = 0


class Aim(NamedTuple):
    """What fire at an area depends on there: the enemy units, whether it is jungle, whether night costs a die."""

    enemies: int
    jungle: bool = False
    night: bool = False


class Pool(NamedTuple):
    """The dice of one attack and how they came about."""

    dice: int
    because: tuple[str, ...]


NO_POOL = Pool(0, ())
_MANY = 99


class Stacking:
    """[6.1] The chart of over-stacking, each row read once."""

    def __init__(self, chart: Chart) -> None:
        self._chart = chart
        self._rows: dict[int, int] = {}

    @cached_property
    def limit(self) -> int:
        """The units that an area takes without effect."""
        return next(stack for stack in range(_MANY) if self.firing(stack + 1) <= stack)

    def firing(self, stack: int) -> int:
        """How many units of a stack may fire."""
        if stack not in self._rows:
            self._rows[stack] = self._chart.number(stack, "firing")
        return self._rows[stack]

    def over(self, stack: int) -> int:
        """How many units of a stack are too many."""
        return max(0, stack - self.limit)


class Rules(NamedTuple):
    """The charts and switches that the count of dice depends on.

    Attributes:
        stacking: the chart.
        by_units: whether over-stacking costs firing units; else it costs dice (ruling C-1).
        jungle: what each unit that fires into jungle loses.
    """

    stacking: Stacking
    by_units: bool
    jungle: int

    def may_fire(self, stack: int, used: int = 0) -> int:
        """How many units of a stack may fire, less those that have."""
        if not self.by_units:
            return _MANY
        return max(0, self.stacking.firing(stack) - used)

    def fewer(self, stack: int) -> int:
        """Dice taken off a stack's fire, where over-stacking costs dice."""
        return 0 if self.by_units else self.stacking.over(stack)

    def massed(self, stack: int) -> int:
        """Dice that fire at a stack gains."""
        return self.stacking.over(stack)


def unit_dice(rules: Rules, force: Force, used: int = 0) -> tuple[list[int], list[str]]:
    """The dice of each unit that may fire, strongest first, officers' dice included; and why so many."""
    ranked = sorted(force.strengths, reverse=True)
    stack = max(force.stack, len(ranked))
    able = ranked[: rules.may_fire(stack, used)]
    because = [f"strengths {' + '.join(map(str, able)) or 'none'} [2.4]"]
    if len(able) < len(ranked):
        because.append(f"only {len(able)} of {len(ranked)} may fire from a stack of {stack} [6.1]")
    helped = min(force.officers, len(able))
    if helped:
        because.append(f"+{helped} for officers [10.3]")
    return [one + (1 if at < helped else 0) for at, one in enumerate(able)], because


def melee_pool(rules: Rules, force: Force, enemies: int, night: bool) -> Pool:
    """[7.2(1), 7.2(2)] The dice of one side of a melee."""
    dice, because = unit_dice(rules, force)
    return Losses(rules, force).off(dice, because, enemies, night)


def fire_pools(rules: Rules, force: Force, targets: Sequence[Aim], shares: Sequence[int], used: int = 0) -> list[Pool]:
    """[7.3(2), 7.3(3)] The dice of each target area.

    Args:
        targets: the areas.
        shares: dice of strength assigned to each but the last, which gets the rest; units are taken in order (D-7).
    """
    left, because = unit_dice(rules, force, used)
    losses = Losses(rules, force)
    pools: list[Pool] = []
    for number, (enemies, jungle, night) in enumerate(targets):
        last = number == len(targets) - 1
        wanted = sum(left) if last else min(shares[number], sum(left))
        taken, left = _take(left, wanted)
        lines = list(because)
        if len(targets) > 1:
            lines.append(f"{sum(taken)} of them at this area [7.3(2)]")
        if jungle and taken:
            lines.append(f"-{rules.jungle} for each of {plural(len(taken), 'unit')} firing into jungle, none below 0 [7.3(3)]")
            taken = [max(0, one - rules.jungle) for one in taken]
        pools.append(losses.off(taken, lines, enemies, night))
    return pools


@lru_cache(maxsize=2048)
def pool_at(rules: Rules, force: Force, aim: Aim, used: int = 0) -> Pool:
    """[7.3(2), 7.3(3)] The dice of a force at one area, each case counted once."""
    (pool,) = fire_pools(rules, force, [aim], (), used)
    return pool


def _take(units: Sequence[int], wanted: int) -> tuple[list[int], list[int]]:
    """Dice of units in order until there are as many as wanted; and what is left of each."""
    taken: list[int] = []
    rest: list[int] = []
    for dice in units:
        mine = min(dice, wanted - sum(taken))
        if mine > 0 or (wanted >= sum(units) and dice == 0):
            taken.append(mine)
        if dice - mine > 0:
            rest.append(dice - mine)
    return taken, rest


class Losses:
    """[6.1, 11.1B] What a combat loses as a whole, over-stacked or at night: of several target areas the primary one bears it,
    and the next ones what is more than its dice (ruling C-61).
    """

    def __init__(self, rules: Rules, force: Force) -> None:
        self.rules = rules
        self.fewer = rules.fewer(max(force.stack, len(force.strengths)))
        self.night = 1

    def off(self, dice: Sequence[int], because: list[str], enemies: int, night: bool) -> Pool:
        """The dice at one area, of units with these there, with the bonus for a massed target and without what is lost."""
        total, more = sum(dice), self.rules.massed(enemies) if dice else 0
        lost = min(self.fewer, total)
        self.fewer -= lost
        dark = min(self.night, total - lost + more) if night else 0
        self.night -= dark
        lines = (
            (-lost, "for over-stacking [6.1]"),
            (more, f"for a massed target of {plural(enemies, 'unit')} [6.1]"),
            (-dark, "at night [11.1B]"),
        )
        total += sum(many for many, _ in lines)
        made = f"so {plural(total, 'die', 'dice')} in all"
        return Pool(total, (*because, *(f"{many:+} {why}" for many, why in lines if many), made))
