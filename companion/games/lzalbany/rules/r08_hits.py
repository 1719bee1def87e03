"""[8.0] Hits: who takes them, and what they do, on small values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from companion.core.charts import Chart
from companion.games.lzalbany.names import OFFICER, UNIT, US, WOUNDED

REDUCED, REMOVED = 3, 4


class Target(NamedTuple):
    """A counter as hits see it.

    Attributes:
        side: ``US`` or ``NVA``.
        kind: ``unit``, ``officer`` or ``wounded`` (a marker; a US unit becomes one with its fourth hit).
        hits: of a unit 0 to 3 (3: reduced), of a wounded marker 4, of an officer 0 or 1.
        fire, melee: at full strength; back_fire, back_melee: reduced.
        id, name: of the piece; empty on paper.
    """

    side: str
    kind: str = UNIT
    hits: int = 0
    fire: int = 2
    melee: int = 3
    back_fire: int = 1
    back_melee: int = 2
    id: str = ""
    name: str = ""

    @property
    def strength(self) -> int:
        """Fire and melee strength together, as the unit stands."""
        if self.kind != UNIT:
            return 0
        return self.back_fire + self.back_melee if self.hits >= REDUCED else self.fire + self.melee

    @property
    def loss(self) -> int:
        """The strength that one more hit takes from it."""
        after = self.struck()
        return self.strength - (after.strength if after else 0)

    def struck(self) -> Target | None:
        """[8.2, 10.4] What one more hit leaves of it; None when it is gone."""
        if self.kind == OFFICER:
            return self._replace(hits=1) if self.hits == 0 else None
        if self.kind == WOUNDED:
            return None
        if self.hits + 1 < REMOVED:
            return self._replace(hits=self.hits + 1)
        return self._replace(kind=WOUNDED, hits=REMOVED) if self.side == US else None

    def room(self, cap: int) -> int:
        """How many more hits it can take when nobody may get more than ``cap`` of them (0: no limit)."""
        most = {OFFICER: 2, WOUNDED: 5}.get(self.kind, 5 if self.side == US else 4)
        return max(0, (min(most, cap) if cap and self.kind == UNIT else 0 if cap else most) - self.hits)


def award_of(target: Target) -> str:
    """[4.1] The item of the victory point schedules that one more hit on a counter scores; "" for none."""
    side = target.side.casefold()
    if target.kind == OFFICER:
        return "us officer" if target.side == US and target.hits == 1 else ""
    if target.kind == WOUNDED:
        return "wounded destroyed"
    return {REDUCED - 1: f"{side} reduced", REDUCED: f"{side} eliminated"}.get(target.hits, "")


class Wishes:
    """Where a hit hurts most, and where least, by the points of the schedules."""

    def __init__(self, victory: Chart) -> None:
        self._points = {item: victory.number(item, "points") for item in victory.rows}

    def points(self, target: Target) -> int:
        """[4.1] Victory points that the next hit on it gives the enemy, with those of a wounded marker that it leaves on the
        map, or takes from there.
        """
        item = award_of(target)
        left = {"us eliminated": 1, "wounded destroyed": -1}.get(item, 0) * self._points.get("wounded left", 0)
        return self._points.get(item, 0) + left

    def shooter(self, targets: Sequence[Target]) -> int:
        """A shooter's own hit: points, strength lost, hits that are there, strength."""
        return max(range(len(targets)), key=lambda at: (*self._harm(targets[at]), targets[at].hits, targets[at].strength))

    def owner(self, targets: Sequence[Target]) -> int:
        """An owner's hit: points, strength lost, a unit that is hit already, the weakest."""
        return min(range(len(targets)), key=lambda at: (*self._harm(targets[at]), -targets[at].hits, targets[at].strength))

    def owners(self, targets: Sequence[Target], many: int, cap: int) -> list[str]:
        """The names of those who take an owner's next hits, one a hit; ``cap`` as in ``place_hits``."""
        left, names = list(targets), []
        for _ in range(many):
            at = self.owner(left)
            names.append(left[at].name)
            rest = left[at].struck()
            left[at : at + 1] = [rest] if rest and rest.room(cap) else []
        return names

    def _harm(self, target: Target) -> tuple[int, int]:
        return self.points(target), target.loss


class Struck(NamedTuple):
    """What an attack that nobody answers did: its dice, the hits that found a target, and whether it went astray or was met
    by fire before.
    """

    dice: int
    hits: int
    marred: bool = False


ELSEWHERE = -1
"""What a placing answers when a hit was recorded on a counter that is not among the targets."""
ANYBODY, NO_OFFICER = (UNIT, WOUNDED, OFFICER), (UNIT, WOUNDED)
"""The kinds of counters on which a shooter may place his first hit."""
OWNERS = "owner's officer"
"""Among these kinds: officers can be hit, and the owner places every hit."""


class Ways(NamedTuple):
    """What the rulings on hits leave open.

    Attributes:
        wounded_last: whether a wounded marker takes a hit only where no unit can (ruling D-9).
        officers_too: whether an owner may place later hits on officers who can be aimed at (ruling C-58).
    """

    wounded_last: bool = False
    officers_too: bool = False


NO_WAYS = Ways()


class Placing:
    """Says who places a hit where. This one follows the wishes and asks nobody: odds need no questions.

    Both answer with an index into ``targets`` and, behind them, ``barred``: counters that this hit may not be placed on,
    which only a player who insists can choose.

    Attributes:
        ways: what the rulings leave open.
        told: who takes the owner's next hits, where they were named together.
    """

    def __init__(self, wishes: Wishes, ways: Ways = NO_WAYS) -> None:
        self.wishes = wishes
        self.ways = ways
        self.told: list[str] = []

    async def shooter(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        """The target of a hit that the firing side places."""
        return self.wishes.shooter(targets)

    async def owner(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        """The target of a hit that the owner places."""
        return self.wishes.owner(targets)

    def given(self, targets: Sequence[Target], barred: Sequence[Target], mine: bool) -> None:
        """A hit is placed without a question, because there is no choice."""


async def place_hits(
    targets: Sequence[Target], hits: int, placing: Placing, first: Sequence[str] = (), cap: int = 0
) -> tuple[Target | None, ...]:
    """[8.1] The targets after so many hits, in their order; None where one is gone.

    Args:
        first: the kinds that the firing side may choose for its first hit; none where the owner places all. Officers who
            are not among them take no hit at all.
        cap: the most hits that a unit may have in the end, 0 for no limit; hits too many are lost.
    """
    now: list[Target | None] = list(targets)
    kinds = _open_kinds(targets, first)
    for number in range(1, hits + 1):
        open_to = [at for at, one in enumerate(now) if one and one.room(cap) and one.kind in kinds]
        units = [at for at in open_to if (one := now[at]) and one.kind == UNIT]
        if placing.ways.wounded_last and units:
            open_to = [at for at in open_to if (one := now[at]) and one.kind != WOUNDED]
        mine = [at for at in open_to if number == 1 and (one := now[at]) and one.kind in first]
        able = mine or (open_to if placing.ways.officers_too else _bearers(now, open_to))
        if not able:
            break
        offered = [one for at in able if (one := now[at])]
        closed = [at for at, one in enumerate(now) if one and at not in able]
        barred = [one for at in closed if (one := now[at])]
        if not placing.told and (len(able) == 1 or hits - number + 1 >= room_of([one for one in now if one], cap)):
            index = 0
            placing.given(offered, barred, bool(mine))
        else:
            index = await (placing.shooter if mine else placing.owner)(offered, number, hits, barred)
        if index != ELSEWHERE:
            now[(able + closed)[index]] = (offered + barred)[index].struck()
    return tuple(now)


def _open_kinds(targets: Sequence[Target], first: Sequence[str]) -> tuple[str, ...]:
    """The kinds that hits can be placed on: officers where they can be aimed at, wounded markers with units (ruling D-9)."""
    guarded = any(one.kind == UNIT for one in targets)
    return UNIT, *((OFFICER,) if {OFFICER, OWNERS} & set(first) else ()), *((WOUNDED,) if guarded else ())


def _bearers(now: Sequence[Target | None], open_to: Sequence[int]) -> list[int]:
    """Units and wounded markers take an owner's hits; officers only where nobody else is left."""
    plain = [at for at in open_to if (one := now[at]) and one.kind != OFFICER]
    return plain or list(open_to)


def room_of(targets: Iterable[Target], cap: int = 0) -> int:
    """How many hits a group of targets can take at all."""
    return sum(target.room(cap) for target in targets)
