"""[13.3] Combat values, ratio and column: factors are combined a unit, then rounded, then added (ruling C-8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from companion.games.iraqwar2003.words.results import LADDER

FAR = 10**6


class Value(NamedTuple):
    """The combat value of one unit.

    Attributes:
        printed: as on the counter. counts: as it goes into the total. reasons: each halving.
    """

    name: str
    printed: int
    counts: int
    reasons: tuple[str, ...] = ()

    @property
    def line(self) -> str:
        """How it came about."""
        why = f", halved for {' and '.join(self.reasons)}: {self.counts}" if self.reasons else ""
        return f"{self.name}: {self.printed}{why}"


def attack_value(name: str, printed: int, river: bool, oos: bool) -> Value:
    """[13.3(4), 13.3(6), 13.3(8)] Across a river and out of supply halve each; fractions are dropped at the end."""
    reasons = tuple(word for word, holds in (("a river [13.3(4)]", river), ("no supply [13.3(6)]", oos)) if holds)
    return Value(name, printed, printed >> len(reasons), reasons)


def defence_value(name: str, printed: int, disrupted: bool) -> Value:
    """[7.3.1(3), 13.3(7), 13.3(8)] Disruption halves, fractions rounded up."""
    if not disrupted:
        return Value(name, printed, printed)
    return Value(name, printed, -(-printed // 2), ("disruption [13.3(7)]",))


class Clash(NamedTuple):
    """Both sides of a combat, before air support.

    Attributes:
        ours, theirs: the values of the attacking and of the defending units, which are added [13.2(1), 13.2(2)].
        added: artillery of the attacker and of the defender [16.3(2)].
        left: columns to the left for the defender's terrain [13.3(5)].
    """

    ours: tuple[Value, ...]
    theirs: tuple[Value, ...]
    added: tuple[int, int] = (0, 0)
    left: int = 0

    @property
    def attack(self) -> int:
        return sum(value.counts for value in self.ours) + self.added[0]

    @property
    def defence(self) -> int:
        return sum(value.counts for value in self.theirs) + self.added[1]

    def column(self, support: int) -> str:
        """The column with so many columns of air support, positive for the attacker."""
        return column(self.attack, self.defence, support - self.left)


def ladder_index(attack: int, defence: int) -> int:
    """Where a ratio stands on the endless ladder ..., 1-3, 1-2, 1-1, 2-1, ...: 0 is 1-2 [13.3(1)] (rulings C-9, C-10, C-36).

    Fractions are dropped in the defender's favour. An attack of nothing is below everything, a defence of nothing above.
    """
    if attack <= 0:
        return -FAR
    if defence <= 0:
        return FAR
    return attack // defence if attack >= defence else 2 - -(-defence // attack)


def column(attack: int, defence: int, shift: int = 0) -> str:
    """The column for combat values and a shift (positive: for the attacker): shifted first, then clamped [13.3(9)]."""
    return LADDER[min(max(ladder_index(attack, defence) + shift, 0), len(LADDER) - 1)]


def ratio_text(attack: int, defence: int) -> str:
    """The ratio before any shift, as it is read aloud."""
    index = ladder_index(attack, defence)
    if index == -FAR:
        return "nothing"
    if index == FAR:
        return "everything"
    return f"{index}-1" if index > 0 else f"1-{2 - index}"


def total_text(values: Sequence[Value], added: int = 0) -> str:
    """``5 + 3 (of 6) + 2 artillery = 10``, or only the number where there is nothing to add."""
    parts = [str(value.counts) + (f" (of {value.printed})" if value.reasons else "") for value in values]
    parts += [f"{added} artillery"] if added else []
    total = sum(value.counts for value in values) + added
    return f"{' + '.join(parts)} = {total}" if len(parts) > 1 or any(value.reasons for value in values) else str(total)
