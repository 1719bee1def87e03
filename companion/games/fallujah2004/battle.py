"""[16.1, 16.2] One round of battle, on the Battle display: Tactical Edge, fire, losses, continuation.

The same round is fought on the table (combat.py) and on paper for exact odds (chances.py): it works on a small value,
and tells a Display what happened.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import NamedTuple

from companion.core.dice import Outcome, grouped, pool, summed
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, Confirm, Odds, Pick, Roll

MOB = "mob"


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
    """A committed Fire Support strike [23.0], safe from fire [23.3]; ``clean``: SOA [23.4], no Collateral Damage [23.4(b)]."""

    fire: int
    clean: bool = False
    id: str = ""
    name: str = ""


class Battle(NamedTuple):
    """Everything that the rest of a battle depends on.

    Attributes:
        coalition, opfor: who is left.
        terrain: open, urban, objective or mosque.
        tie: who has the Tactical Edge on equal totals.
        factor: what hits by the Coalition are multiplied by [16.5].
        strongpoint: a Strongpoint Node is in the space [16.8].
        fob: a Forward Operations Base is in the space or adjacent [28.2].
        node_edge: 1 where a Node adds to the OPFOR Edge.
        event_edge: 1 where an event does, in the first round only.
        civilians: every Coalition firing die of 6 is Collateral Damage.
        collateral: OPs lost for each Collateral Damage here: 1 or 0.
        round: 1 in the first round, then 2 (later rounds are all alike).
        edge: who has the Tactical Edge of this round, where it has been rolled already; else "".
    """

    coalition: tuple[Fighter, ...]
    opfor: tuple[Fighter, ...]
    terrain: str
    tie: str
    factor: int = 1
    strongpoint: bool = False
    fob: bool = False
    node_edge: int = 0
    event_edge: int = 0
    civilians: bool = False
    collateral: int = 0
    round: int = 1
    edge: str = ""

    def plain(self) -> Battle:
        """The battle without names and in a fixed order, so that like states are the same state."""
        return self._replace(
            coalition=tuple(sorted(fighter._replace(id="", name="") for fighter in self.coalition)),
            opfor=tuple(sorted(fighter._replace(id="", name="") for fighter in self.opfor)),
        )


class Support(NamedTuple):
    """What the Coalition could commit this round: strikes, and whether a NetWar marker is there."""

    strikes: tuple[Strike, ...] = ()
    netwar: bool = False


OddsOf = Callable[[], Odds] | None
"""What works out the odds of a commitment, where somebody may ask for them."""


class Display:
    """The Battle display. This one keeps silent: odds need no words. combat.py has the one on the table."""

    def odds(self, battle: Battle, support: Support) -> OddsOf:
        """What shows the odds of committing support; none on paper."""
        return None

    def edge(self, battle: Battle, roll: Sequence[int], netwar: bool, coalition: int, opfor: int, winner: str) -> None:
        """The Tactical Edge was determined."""

    def mob(self, fighter: Fighter, face: int, strength: int) -> None:
        """A mob's strength for this round was rolled."""

    def committed(self, strikes: Sequence[Strike]) -> None:
        """Strikes were committed."""

    def fired(
        self, side: str, firers: Sequence[Fighter | Strike], faces: Sequence[int], raw: int, hits: int, battle: Battle
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


class Round(NamedTuple):
    """What a round leaves, and the OPs that Collateral Damage cost."""

    battle: Battle
    ops: int


def edge_bonus(battle: Battle, netwar: bool) -> int:
    """What the Coalition adds to its die: contact [16.1(2a)] (the highest: no other lead unit is ever better), one
    leader [16.1(2b), 29.2], NetWar [16.1(2c)], FOB [28.2].
    """
    lead = max(fighter.contact for fighter in battle.coalition)
    leader = any(fighter.leader for fighter in battle.coalition)
    return lead + int(leader) + int(netwar) + int(battle.fob)


def opfor_bonus(battle: Battle) -> int:
    """[16.1(2)] What OPFOR adds: highest contact, Node, and the event in the first round."""
    return max(fighter.contact for fighter in battle.opfor) + battle.node_edge + (battle.event_edge if battle.round == 1 else 0)


def edge_winner(roll: Sequence[int], lead: int, tie: str) -> str:
    """[16.1(2)] ``coalition`` or ``opfor``: the higher total, and ``tie`` on equal ones."""
    margin = roll[0] - roll[1] + lead
    return tie if margin == 0 else "coalition" if margin > 0 else "opfor"


@lru_cache(maxsize=256)
def edge_outcomes(lead: int, tie: str) -> tuple[Outcome, ...]:
    """The two outcomes of a Tactical Edge roll."""
    return grouped(2, 6, 1, lambda roll: edge_winner(roll, lead, tie))


@lru_cache(maxsize=4096)
def fire_outcomes(needs: tuple[int, ...], careless: tuple[bool, ...], most: int) -> tuple[Outcome, ...]:
    """The outcomes of a volley that make a difference: the number of hits up to ``most``, beyond which there is
    nothing left to hit [16.6], and the dice of 6 that do Collateral Damage.
    """
    rows = tuple(
        tuple((int(face <= need), int(wild and face == 6)) for face in range(1, 7))
        for need, wild in zip(needs, careless, strict=True)
    )
    found: dict[tuple[int, int], Outcome] = {}
    for outcome in pool(rows, 1):
        hits = sum(face <= need for face, need in zip(outcome.faces, needs, strict=True))
        sixes = sum(face == 6 and wild for face, wild in zip(outcome.faces, careless, strict=True))
        key = (min(hits, most), sixes)
        known = found.get(key)
        found[key] = known._replace(weight=known.weight + outcome.weight) if known else outcome
    return tuple(found.values())


async def tactical_edge(battle: Battle, netwar: bool, display: Display) -> str:
    """[16.1(2), 16.1(2d)] Both sides roll one die; the higher total has the Edge, ties go by terrain [16.5]."""
    ours, theirs = edge_bonus(battle, netwar), opfor_bonus(battle)
    lead, tie = ours - theirs, battle.tie
    roll = await Roll(
        "edge",
        lambda: f"Tactical Edge: Coalition die (+{ours}), then OPFOR die (+{theirs})",
        "16.1(2)",
        2,
        outcomes=lambda: edge_outcomes(lead, tie),
    )
    winner = edge_winner(roll, lead, tie)
    display.edge(battle, roll, netwar, ours, theirs, winner)
    return winner


def hits_on_opfor(battle: Battle, raw: int, engineer: bool) -> int:
    """[16.5, 16.8] Hits after the Strongpoint and the open: (raw - 1) x 2, in that order (ruling C-2)."""
    kept = raw - 1 if battle.strongpoint and not engineer and raw else raw
    return kept * battle.factor


async def coalition_fires(battle: Battle, strikes: Sequence[Strike], display: Display) -> Round:
    """[16.2] Each unit and each committed strike fires once; then OPFOR takes its losses, weakest first [16.3]."""
    firers: tuple[Fighter | Strike, ...] = (*battle.coalition, *strikes)
    wild = tuple(not firer.clean if isinstance(firer, Strike) else battle.civilians for firer in firers)
    careless = wild if battle.collateral else (False,) * len(firers)
    needs = tuple(firer.fire for firer in firers)
    most = -(-len(battle.opfor) // battle.factor) + int(battle.strongpoint)
    faces = await Roll(
        "fire",
        lambda: f"Coalition fire: {firer_list(firers)}",
        "16.2",
        len(firers),
        outcomes=lambda: fire_outcomes(needs, careless, most),
    )
    raw = sum(face <= firer.fire for face, firer in zip(faces, firers, strict=True))
    engineer = any(fighter.engineer for fighter in battle.coalition)
    hits = hits_on_opfor(battle, raw, engineer)
    display.fired("coalition", firers, faces, raw, hits, battle)
    sixes = sum(face == 6 and six for face, six in zip(faces, wild, strict=True))
    if sixes:
        display.collateral(sixes, sixes * battle.collateral)
    left = await opfor_losses(battle.opfor, hits, display)
    return Round(battle._replace(opfor=left), sixes * battle.collateral)


async def opfor_losses(opfor: tuple[Fighter, ...], hits: int, display: Display) -> tuple[Fighter, ...]:
    """[16.3] One unit a hit, the weakest first; between equals the player chooses (ruling C-26). Overkill is lost [16.6]."""
    left = list(opfor)
    for number in range(min(hits, len(left))):
        weakest = min(fighter.fire for fighter in left)
        equals = [fighter for fighter in left if fighter.fire == weakest]
        if hits - number >= len(equals) or len({(fighter.kind, fighter.contact) for fighter in equals}) == 1:
            target = equals[0]
        else:
            choices = [
                Choice(fighter.id or str(index), fighter.name or f"{fighter.fire}({fighter.contact})")
                for index, fighter in enumerate(equals)
            ]
            suggestion = max(range(len(equals)), key=lambda index: equals[index].contact)
            chosen = await Choose(
                "opfor_loss", "Equally weak: which OPFOR unit is lost", "16.3", choices, choices[suggestion].value
            )
            target = equals[[choice.value for choice in choices].index(chosen)]
        left.remove(target)
        display.opfor_lost(target)
    return tuple(left)


async def opfor_fires(battle: Battle, display: Display) -> Round:
    """[16.2] Each OPFOR unit fires once; then the player places the hits [16.3]."""
    firers = battle.opfor
    needs = tuple(firer.fire for firer in firers)
    most = sum(one.steps for one in battle.coalition)
    faces = await Roll(
        "opfor_fire",
        lambda: f"OPFOR fire: {firer_list(firers)}",
        "16.2",
        len(firers),
        outcomes=lambda: fire_outcomes(needs, (False,) * len(needs), most),
    )
    hits = sum(face <= firer.fire for face, firer in zip(faces, firers, strict=True))
    display.fired("opfor", firers, faces, hits, hits, battle)
    left = await coalition_losses(battle.coalition, hits, display)
    return Round(battle._replace(coalition=left), 0)


async def coalition_losses(coalition: tuple[Fighter, ...], hits: int, display: Display) -> tuple[Fighter, ...]:
    """[16.3] The player places each hit as he likes; where it makes no difference nobody is asked."""
    left = list(coalition)
    for number in range(1, hits + 1):
        if not left:
            break
        everything = hits - number + 1 >= sum(fighter.steps for fighter in left)
        alike = len({fighter._replace(id="", name="") for fighter in left}) == 1 and not left[0].id
        if everything or alike or len(left) == 1:
            target = left[0]
        else:
            target = await hit_whom(left, number, hits)
        rest = target.hit()
        display.coalition_hit(target, rest)
        index = left.index(target)
        left[index : index + 1] = [rest] if rest else []
    return tuple(left)


async def hit_whom(left: Sequence[Fighter], number: int, hits: int) -> Fighter:
    """[16.3] The player's choice of the unit that takes a hit."""
    values = [fighter.name or str(index) for index, fighter in enumerate(left)]
    chosen = await Choose(
        "hit",
        lambda: f"Hit {number} of {hits}: which unit takes it",
        "16.3",
        lambda: [Choice(value, fighter_text(fighter)) for value, fighter in zip(values, left, strict=True)],
        values[cheapest(left)],
    )
    return left[values.index(chosen)]


def cheapest(fighters: Sequence[Fighter]) -> int:
    """The unit whose next strength step is the least loss: of firepower, then of contact; leaders and engineers last."""

    def loss(fighter: Fighter) -> tuple[int, bool, int]:
        rest = fighter.hit()
        kept = rest or Fighter(0, 0)
        dies = rest is None
        return (
            fighter.fire - kept.fire,
            dies and (fighter.leader or fighter.engineer),
            fighter.contact - kept.contact,
        )

    return min(range(len(fighters)), key=lambda index: loss(fighters[index]))


async def rolled_mobs(referee: Referee, battle: Battle, display: Display) -> Battle:
    """Mob Attack: its strength is rolled anew at the start of each round (ruling C-25)."""
    fighters = list(battle.opfor)
    chart = referee.chart("mob_attack")

    def strength(face: int) -> int:
        return chart.number(face, "strength")

    for index, fighter in enumerate(fighters):
        if fighter.kind != MOB:
            continue
        roll = await Roll("mob", "Mob Attack: its strength this round", "14.5", 1, outcomes=lambda: summed(1, strength))
        fighters[index] = fighter._replace(fire=strength(roll[0]))
        display.mob(fighter, roll[0], fighters[index].fire)
    return battle._replace(opfor=tuple(fighters))


async def ask_netwar(support: Support, odds: OddsOf) -> bool:
    """[12.3] One NetWar marker may be committed, for 1 on the Tactical Edge."""
    if not support.netwar:
        return False
    request = Confirm("netwar", "Commit one NetWar marker for +1 on the Tactical Edge", "16.1(2c)", False)
    request.odds = odds
    return await request


async def ask_strikes(support: Support, odds: OddsOf = None) -> tuple[Strike, ...]:
    """[16.1(3a), 23.2] Any number of available strikes, at no further OP."""
    if not support.strikes:
        return ()
    numbered = _numbered([strike.name for strike in support.strikes])
    choices = [Choice(name, strike.name) for name, strike in zip(numbered, support.strikes, strict=True)]
    request = Pick("strikes", "Commit which Fire Support", "16.1(3a)", choices, suggest=())
    request.odds = odds
    chosen = await request
    return tuple(strike for strike, name in zip(support.strikes, numbered, strict=True) if name in chosen)


def _numbered(names: Sequence[str]) -> list[str]:
    """Names made different: the second ``Air Strike (3)`` is ``Air Strike (3) #2``."""
    seen: dict[str, int] = {}
    out = []
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        out.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return out


async def fight_round(referee: Referee, battle: Battle, support: Support, display: Display) -> Round:
    """[16.1(2), 16.1(3)] One round, in the printed order: support, the side with the Edge [16.1(3b)], what is left of the
    other [16.1(3c)], support back [16.1(3d)]. The side that is wiped out does not fire back.
    """
    battle = await rolled_mobs(referee, battle, display)
    netwar = await ask_netwar(support, display.odds(battle, support))
    winner = battle.edge or await tactical_edge(battle, netwar, display)
    strikes = await ask_strikes(support, display.odds(battle._replace(edge=winner), support._replace(netwar=False)))
    display.committed(strikes)
    cost = 0
    for side in (winner, "opfor" if winner == "coalition" else "coalition"):
        if not battle.coalition or not battle.opfor:
            break
        done = await (coalition_fires(battle, strikes, display) if side == "coalition" else opfor_fires(battle, display))
        battle, cost = done.battle, cost + done.ops
    display.spent(strikes, netwar)
    calm = tuple(fighter._replace(fire=0) if fighter.kind == MOB else fighter for fighter in battle.opfor)
    return Round(battle._replace(opfor=calm, round=2, edge=""), cost)


def fighter_text(fighter: Fighter) -> str:
    """A fighter for a list: name, values, and a word where it is reduced or about to go."""
    last = "" if fighter.steps > 1 else ", last strength step"
    return f"{fighter.name} {fighter.fire}({fighter.contact}){last}"


def firer_list(firers: Sequence[Fighter | Strike]) -> str:
    """Who fires, each with the number it needs: ``3/1 <=3, Air Strike (3) <=3``."""
    return ", ".join(f"{firer.name or 'unit'} <={firer.fire}" for firer in firers)
