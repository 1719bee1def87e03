"""An answer of the planner, told in three lines: its value in VP, what decided, and what was passed over and by how much."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from companion.core.rollouts import in_three
from companion.core.text import format_probability, signed
from companion.games.fallujah2004.playing.paper import Ahead
from companion.games.fallujah2004.playing.scout import Going


class Verdict(NamedTuple):
    """What is answered, and why.

    Attributes:
        answer: as the question accepts it.
        words: it, for the player.
        value: in VP; None where nothing is reckoned.
        why: what decided, with the rule.
        passed: what else could be answered, each with its value.
    """

    answer: Any
    words: str
    value: float | None
    why: str
    passed: Sequence[tuple[str, float]] = ()

    def lines(self, rule: str) -> tuple[str, ...]:
        """In three lines at most; ``rule``: of the question."""
        if self.value is None:
            return (self.why,)
        told = f"{self.words}: {signed(self.value, 1)} VP by our estimate [{rule}]"
        return in_three((), told, self.why, [(words, value - self.value) for words, value in self.passed])


def best_of(offers: Sequence[Verdict]) -> Verdict:
    """The one that is worth most, the first of equals; the next two are passed over."""
    first, *rest = sorted(offers, key=lambda one: -(one.value or 0.0))
    return first._replace(passed=[(one.words, one.value or 0.0) for one in rest[:2]])


def fought(ahead: Ahead) -> str:
    """How a battle is likely to go, in numbers."""
    win, kills = format_probability(ahead.win), signed(ahead.killed - ahead.lost, 1)
    text = f"{win} to win, KIA {kills}, {ahead.lost:.1f} strength steps lost"
    return text + (f", OPs -{ahead.ops:.1f} by Collateral Damage" if ahead.ops > 0.05 else "")


def told(going: Going | None) -> str:
    """How it is likely to go where a force goes, in numbers."""
    if going is None:
        return "units are there already: no reaction [14.1(1)]"
    text = f"{going.met:.1f} OPFOR units to expect; {fought(going.ahead)} [14.1, 16.1]"
    return text + (f"; the Node: {signed(going.prize.won, 1)} VP with its OPs [20.3]" if going.prize.won else "")
