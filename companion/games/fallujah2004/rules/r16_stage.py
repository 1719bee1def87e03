"""[16.1(1)] The Battle display: who fights where, and the Stage on which it happens.

One text of a battle serves three uses: on the table, described in words, and on paper for exact odds. What differs between
them is the Stage, which is told what happens and asked what it alone can say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Odds

Side = Literal["coalition", "opfor"]
Verdict = Literal["won", "broke off", "lost", "withdrew"]
WON: tuple[Verdict, ...] = ("won", "broke off")
"""The verdicts for the Coalition [16.1(4a), 16.1(4b)]."""


class Fighter(NamedTuple):
    """A unit as the battle sees it. OPFOR units have one strength step; a mob's firepower is rolled each round."""

    fire: int
    contact: int
    steps: int = 1
    back_fire: int = 0
    back_contact: int = 0
    engineer: bool = False
    leader: bool = False
    kind: str = ""
    id: str = ""
    name: str = ""

    def hit(self) -> Fighter | None:
        """What one hit leaves of it [16.3]."""
        if self.steps > 1:
            return self._replace(fire=self.back_fire, contact=self.back_contact, steps=1)
        return None


class Strike(NamedTuple):
    """A Fire Support strike [23.0], safe from fire [23.3]; ``clean``: SOA [23.4], no Collateral Damage [23.4(b)]."""

    fire: int
    clean: bool = False
    id: str = ""
    name: str = ""


class Support(NamedTuple):
    """What the Coalition could commit: strikes, and whether a NetWar marker is there."""

    strikes: tuple[Strike, ...] = ()
    netwar: bool = False


class Scene(NamedTuple):
    """What stays as it is while a battle lasts.

    Attributes:
        terrain: open, urban, objective or mosque.
        tie: who has the Tactical Edge on equal totals.
        factor: what hits by the Coalition are multiplied by [16.5].
        strongpoint: a Strongpoint Node is in the space [16.8].
        fob: a Forward Operations Base is in the space or adjacent [28.2].
        node_edge: what a Node adds to the OPFOR Edge.
        event_edge: what an event adds to it in the first round.
        civilians: every Coalition firing die of 6 is Collateral Damage.
        collateral: OPs lost for each Collateral Damage here: 1 or 0.
    """

    terrain: str
    tie: Side
    factor: int = 1
    strongpoint: bool = False
    fob: bool = False
    node_edge: int = 0
    event_edge: int = 0
    civilians: bool = False
    collateral: int = 0


class Battle(NamedTuple):
    """A state of a battle: everything that the rest of it depends on.

    Attributes:
        coalition, opfor: who is left.
        support: what may be committed in this round.
        opening: it is the first round.
        firing: who fires next in this round; None until the Tactical Edge is known.
        answering: the side with the Edge has fired in this round.
        netwar: a NetWar marker is committed to this round.
        strikes: those committed to this round.
        ops: OPs lost to Collateral Damage so far.
        verdict: how it ended; None while it goes on.
    """

    coalition: tuple[Fighter, ...]
    opfor: tuple[Fighter, ...]
    support: Support = Support()
    opening: bool = True
    firing: Side | None = None
    netwar: bool = False
    strikes: tuple[Strike, ...] = ()
    ops: int = 0
    verdict: Verdict | None = None
    answering: bool = False

    @property
    def won(self) -> bool:
        """[16.1(4a), 16.1(4b)] One side alone is left, or OPFOR has broken off."""
        return self.verdict in WON

    def plain(self) -> Battle:
        """The battle without names and in a fixed order, so that like states are the same state."""
        return self._replace(coalition=_nameless(self.coalition), opfor=_nameless(self.opfor))


def _nameless(fighters: Sequence[Fighter]) -> tuple[Fighter, ...]:
    return tuple(sorted([fighter._replace(id="", name="") for fighter in fighters]))


def cheapest(fighters: Sequence[Fighter], hits: int) -> tuple[int, ...]:
    """The units, by their places, whose strength steps are the least loss: firepower, then a leader or an engineer, then
    contact, then a unit that no refit brings back [18.3].
    """
    left: list[Fighter | None] = list(fighters)
    found = []
    for _ in range(hits):
        at = min((at for at, one in enumerate(left) if one), key=lambda at: _loss(left[at] or fighters[at]))
        found.append(at)
        target = left[at]
        left[at] = target.hit() if target else None
    return tuple(found)


@lru_cache(maxsize=1024)
def _loss(fighter: Fighter) -> tuple[int, bool, int, bool]:
    rest = fighter.hit()
    kept = rest or Fighter(0, 0)
    dear = rest is None and (fighter.leader or fighter.engineer)
    return fighter.fire - kept.fire, dear, fighter.contact - kept.contact, rest is None


def hurt(fighters: Sequence[Fighter], places: Sequence[int]) -> tuple[Fighter, ...]:
    """What hits on these units, by their places, leave of a force."""
    left: list[Fighter | None] = list(fighters)
    for at in places:
        target = left[at]
        left[at] = target.hit() if target else None
    return tuple([one for one in left if one])


OddsOf = Callable[[], Odds] | None
"""What works out the odds of a commitment, where somebody may ask for them."""


class Stage:
    """Where a battle is fought. This one is paper: it keeps silent, nobody withdraws, and OPFOR does as is assumed.

    Args:
        referee: has the charts.
        scene: where the battle is.
        stand: whether OPFOR stands after each round, or breaks off [9.3(2)].
    """

    def __init__(self, referee: Referee, scene: Scene, stand: bool = True) -> None:
        self.referee = referee
        self.scene = scene
        self.stand = stand

    # -- asked

    def support(self, battle: Battle) -> Support:
        """What may be committed in this round."""
        return battle.support

    async def commit_netwar(self) -> None:
        """[12.3] A NetWar marker is committed; which one, where that matters."""

    async def stands(self, battle: Battle) -> bool:
        """[9.3(2)] Whether OPFOR stands; or breaks off."""
        return self.stand

    async def stay(self, battle: Battle) -> Battle:
        """[16.1(4c)] The battle after the Coalition has decided to continue or to withdraw."""
        return battle

    def odds(self, battle: Battle, part: Part) -> OddsOf:
        """What shows the odds of a commitment that a part asks for; none on paper."""
        return None

    def spared(self, battle: Battle, hits: int) -> tuple[int, ...]:
        """[16.3] The units, by their place in the force, that are suggested for so many hits."""
        return cheapest(battle.coalition, hits)

    def hit_odds(self, battle: Battle, hits: int) -> OddsOf:
        """What shows the odds of each way to place so many hits; none on paper."""
        return None

    # -- told

    def edge(self, battle: Battle, roll: Sequence[int], coalition: int, opfor: int, winner: Side) -> None:
        """The Tactical Edge was determined."""

    def mob(self, fighter: Fighter, face: int, strength: int) -> None:
        """A mob's strength for this round was rolled."""

    def committed(self, strikes: Sequence[Strike]) -> None:
        """Strikes were committed."""

    def fired(
        self, side: Side, firers: Sequence[Fighter | Strike], faces: Sequence[int], raw: int, hits: int, battle: Battle
    ) -> None:
        """One side fired."""

    def opfor_lost(self, fighter: Fighter) -> None:
        """An OPFOR unit is eliminated."""

    def coalition_hit(self, fighter: Fighter, left: Fighter | None) -> None:
        """A Coalition unit is reduced or eliminated."""

    def collateral(self, count: int, ops: int) -> None:
        """Dice of 6 that hit what they should not have."""

    def spent(self, strikes: Sequence[Strike], netwar: bool) -> None:
        """The support of this round goes back."""

    def ended(self, battle: Battle) -> None:
        """The battle is over."""


Part = Callable[[Stage, Battle], Procedure[Battle]]
