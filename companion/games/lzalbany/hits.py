"""[8.0] Hits: who takes them, and what they do. Played on a small value, on the table and on paper for exact odds."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.core.dice import Outcome, summed
from companion.core.requests import Roll

REDUCED, REMOVED = 3, 4
UNIT, OFFICER, WOUNDED = "unit", "officer", "wounded"


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

    def struck(self) -> Target | None:
        """[8.2, 10.4] What one more hit leaves of it; None when it is gone."""
        if self.kind == OFFICER:
            return self._replace(hits=1) if self.hits == 0 else None
        if self.kind == WOUNDED:
            return None
        if self.hits + 1 < REMOVED:
            return self._replace(hits=self.hits + 1)
        return self._replace(kind=WOUNDED, hits=REMOVED) if self.side == "US" else None

    def room(self, cap: int) -> int:
        """How many more hits it can take when nobody may get more than ``cap`` of them (0: no limit)."""
        most = {OFFICER: 2, WOUNDED: 5}.get(self.kind, 5 if self.side == "US" else 4)
        return max(0, (min(most, cap) if cap and self.kind == UNIT else 0 if cap else most) - self.hits)


def points(target: Target) -> int:
    """[4.1] Victory points that the next hit on it gives the enemy."""
    if target.kind == OFFICER:
        return int(target.side == "US" and target.hits == 1)
    if target.kind == WOUNDED:
        return 2
    if target.hits == REDUCED:
        return 2
    return (2 if target.side == "US" else 1) if target.hits == REDUCED - 1 else 0


def _lost(target: Target) -> int:
    after = target.struck()
    return target.strength - (after.strength if after else 0)


def shooter_wish(targets: Sequence[Target]) -> int:
    """Where a shooter's own hit hurts most: points, strength lost, hits that are there, strength."""
    return max(
        range(len(targets)), key=lambda at: (points(targets[at]), _lost(targets[at]), targets[at].hits, targets[at].strength)
    )


def owner_wish(targets: Sequence[Target]) -> int:
    """Where an owner's hit hurts least: points, strength lost, a unit that is hit already, the weakest."""
    return min(
        range(len(targets)), key=lambda at: (points(targets[at]), _lost(targets[at]), -targets[at].hits, targets[at].strength)
    )


ELSEWHERE = -1
"""What a placing answers when a hit was recorded on a counter that is not among the targets."""


class Placing:
    """Says who places a hit where. This one follows the wishes above and asks nobody: odds need no questions.

    Both answer with an index into ``targets`` and, behind them, ``barred``: counters that this hit may not be placed on,
    which only a player who insists can choose.
    """

    async def shooter(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        """The target of a hit that the firing side places."""
        return shooter_wish(targets)

    async def owner(self, targets: Sequence[Target], number: int, hits: int, barred: Sequence[Target]) -> int:
        """The target of a hit that the owner places."""
        return owner_wish(targets)

    def given(self, targets: Sequence[Target], barred: Sequence[Target], mine: bool) -> None:
        """A hit is placed without a question, because there is no choice."""


_PAPER = Placing()


async def place_hits(
    targets: Sequence[Target],
    hits: int,
    placing: Placing = _PAPER,
    first: Callable[[Target], bool] | None = None,
    cap: int = 0,
) -> tuple[Target | None, ...]:
    """[8.1] The targets after so many hits, in their order; None where one is gone.

    Args:
        first: which targets the firing side may choose for its first hit; None where the owner places all. Officers whom
            it does not let be chosen take no hit at all.
        cap: the most hits that a unit may have in the end, 0 for no limit; hits too many are lost.
    """
    now: list[Target | None] = list(targets)
    for number in range(1, hits + 1):
        open_to = [at for at, one in enumerate(now) if one and one.room(cap) and (one.kind != OFFICER or (first and first(one)))]
        mine = [at for at in open_to if first and number == 1 and _fits(first, now[at])]
        able = mine or _bearers(now, open_to)
        if not able:
            break
        offered = [one for at in able if (one := now[at]) is not None]
        closed = [at for at, one in enumerate(now) if one and at not in able]
        barred = [one for at in closed if (one := now[at]) is not None]
        alike = len({one._replace(id="", name="") for one in offered}) == 1 and not offered[0].id
        if alike or len(able) == 1 or hits - number + 1 >= room_of([one for one in now if one], cap):
            index = 0
            placing.given(offered, barred, bool(mine))
        else:
            index = await (placing.shooter if mine else placing.owner)(offered, number, hits, barred)
        if index != ELSEWHERE:
            now[(able + closed)[index]] = (offered + barred)[index].struck()
    return tuple(now)


def _fits(first: Callable[[Target], bool], target: Target | None) -> bool:
    return target is not None and first(target)


def _bearers(now: Sequence[Target | None], open_to: Sequence[int]) -> list[int]:
    """Units and wounded markers take an owner's hits; officers only where nobody else is left."""
    plain = [at for at in open_to if (one := now[at]) is not None and one.kind != OFFICER]
    return plain or list(open_to)


def room_of(targets: Sequence[Target], cap: int = 0) -> int:
    """How many hits a group of targets can take at all."""
    return sum(target.room(cap) for target in targets)


@lru_cache(maxsize=1024)
def sixes(dice: int, most: int) -> tuple[Outcome, ...]:
    """The outcomes of a volley that differ: how many 6s, up to ``most``, beyond which there is nothing to hit."""
    found: dict[int, Outcome] = {}
    for outcome in summed(dice, lambda face: int(face == 6)):
        hits = min(sum(face == 6 for face in outcome.faces), most)
        known = found.get(hits)
        found[hits] = known._replace(weight=known.weight + outcome.weight) if known else outcome
    return tuple(found.values())


def count_sixes(faces: Sequence[int]) -> int:
    """[7.1] Each 6 is a hit."""
    return sum(face == 6 for face in faces)


async def volley(key: str, prompt: Callable[[], str] | str, rule: str, dice: int, most: int) -> tuple[int, ...]:
    """Roll the dice of one attack; none where there are none."""
    if dice <= 0:
        return ()
    return await Roll(key, prompt, rule, dice, outcomes=lambda: sixes(dice, most))
