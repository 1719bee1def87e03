"""[13.3] Combat values with every halving shown: factors are combined a unit, then rounded, then added (ruling C-8)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


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


def total_text(values: Sequence[Value], added: int = 0) -> str:
    """``5 + 3 (of 6) + 2 artillery = 10``, or only the number where there is nothing to add."""
    parts = [str(value.counts) + (f" (of {value.printed})" if value.reasons else "") for value in values]
    parts += [f"{added} artillery"] if added else []
    total = sum(value.counts for value in values) + added
    return f"{' + '.join(parts)} = {total}" if len(parts) > 1 or any(value.reasons for value in values) else str(total)
