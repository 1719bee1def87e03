"""What a number of dice at a stack is likely to cost its side, and stacks as dice and hits see them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from companion.core.position import Piece
from companion.games.lzalbany.bot.worth import Worth
from companion.games.lzalbany.names import OFFICER, UNIT
from companion.games.lzalbany.referee import LzAlbany
from companion.games.lzalbany.rules.r06_stacking import Aim, Force, fire_pools, melee_pool
from companion.games.lzalbany.rules.r08_hits import Target
from companion.games.lzalbany.words.counters import healthy, is_infantry, is_senior, may_fire, strength, target_of

HIT = 1 / 6
"""The chance of one die [7.1]."""


class Man(NamedTuple):
    """A platoon or an officer: its piece, what hits see of it, its fire (0 where it does not fire at areas next door), its melee
    strength, and the group that it acts with, "" of a senior officer.
    """

    piece: Piece
    target: Target
    fire: int
    melee: int
    group: str


def man_of(piece: Piece) -> Man:
    """A piece as our opponent counts it."""
    fire = strength(piece, "fire") if is_infantry(piece) and may_fire(piece) else 0
    group = "" if is_senior(piece) else str(piece.values.get("group"))
    return Man(piece, target_of(piece), fire, strength(piece, "melee"), group)


class Stack:
    """Those of a side in an area, as they are or as they might be.

    Attributes:
        units, officers, wounded: platoons, unwounded officers, and those who must be carried.
    """

    def __init__(self, worth: Worth, units: Sequence[Man], officers: Sequence[Man], wounded: Sequence[Man] = ()) -> None:
        self.worth = worth
        self.units = tuple(units)
        self.officers = tuple(officers)
        self.wounded = tuple(wounded)
        self._fire: dict[str, Force] = {}
        self._close: dict[str, Force] = {}

    def joined(self, men: Sequence[Man]) -> Stack:
        """With these among them."""
        units = [m for m in men if m.piece.kind == UNIT]
        officers = [m for m in men if m.piece.kind == OFFICER and healthy(m.piece)]
        others = [m for m in men if m not in units and m not in officers]
        return Stack(self.worth, (*self.units, *units), (*self.officers, *officers), (*self.wounded, *others))

    def without(self, gone: Sequence[Man]) -> Stack:
        """Those who stay."""
        ids = {man.piece.id for man in gone}
        return Stack(
            self.worth, *([m for m in lot if m.piece.id not in ids] for lot in (self.units, self.officers, self.wounded))
        )

    @cached_property
    def hurts(self) -> tuple[float, float, float]:
        """What a hit costs that the enemy places, and one that the owner places; and an officer's wound, on average."""
        costs = [self.worth.hit(man.target) for man in self.units]
        wounded = [self.worth.hit(man.target) for man in self.wounded if man.piece.kind != UNIT]
        first = max([*costs, *(wounded if costs else ())], default=0.0)
        chiefs = [self.worth.hit(man.target) for man in self.officers]
        return first, min(costs, default=0.0) * 1.1, sum(chiefs) / len(chiefs) if chiefs else 0.0

    @cached_property
    def groups(self) -> tuple[str, ...]:
        """The groups of its platoons."""
        return tuple(dict.fromkeys(man.group for man in self.units))

    def fire(self, group: str = "") -> Force:
        """Its infantry, of one group or, in an answer, all of it."""
        if group not in self._fire:
            acting = tuple([man.fire for man in self.units if man.fire and (not group or man.group == group)])
            self._fire[group] = Force(acting, self._helpers(group), len(self.units))
        return self._fire[group]

    def close(self, group: str = "") -> Force:
        """Its platoons in a melee."""
        if group not in self._close:
            acting = tuple([man.melee for man in self.units if not group or man.group == group])
            self._close[group] = Force(acting, self._helpers(group), len(self.units))
        return self._close[group]

    def _helpers(self, group: str) -> int:
        return sum(not group or man.group in (group, "") for man in self.officers)

    def blow(self, dice: int, placed: bool = True) -> float:
        """What so many dice cost it: the first hit placed by the enemy (``placed``), the others by its owner, an officer in
        danger with any.
        """
        if dice <= 0 or not self.units:
            return 0.0
        first, later, officer = self.hurts
        any_hit = 1 - (1 - HIT) ** dice
        return any_hit * (first if placed else later) + (dice * HIT - any_hit) * later + any_hit * HIT * officer


_KEPT = 4096
"""Counts of dice that are remembered at a time."""


class Dice:
    """The dice of stacks against each other, by the rules; the last few thousand counts are kept, from game to game."""

    def __init__(self, game: LzAlbany) -> None:
        self.rules = game.rules
        self._fire: dict[tuple[Force, Aim], int] = {}
        self._melee: dict[tuple[Force, int, bool], int] = {}

    def fire(self, force: Force, aim: Aim) -> int:
        """[7.3(2), 7.3(3)]"""
        key = force, aim
        if key not in self._fire:
            if len(self._fire) >= _KEPT:
                self._fire.clear()
            self._fire[key] = fire_pools(self.rules, force, [aim], ())[0].dice
        return self._fire[key]

    def melee(self, force: Force, enemies: int, dark: bool) -> int:
        """[7.2(1), 7.2(2)]"""
        key = force, enemies, dark
        if key not in self._melee:
            if len(self._melee) >= _KEPT:
                self._melee.clear()
            self._melee[key] = melee_pool(self.rules, force, enemies, dark).dice
        return self._melee[key]
