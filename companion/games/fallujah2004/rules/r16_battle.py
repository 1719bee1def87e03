"""[16.1 - 16.3] A battle, part by part in the printed order: each part is a procedure from one state of it to the next.

One text for three uses: fought on the table and described in words (combat.py, quick.py), and on paper for exact odds
(chances.py). What differs between them is the Stage, which is told what happened and asked what it alone can say.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Literal, NamedTuple

from companion.core.dice import Outcome, grouped, pool, summed
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, Confirm, Odds, Pick, Roll
from companion.games.fallujah2004.words.counters import MOB

Side = Literal["coalition", "opfor"]
Verdict = Literal["won", "broke off", "lost", "withdrew"]


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
        edge: who has the Tactical Edge in this round, once that is known.
        netwar: a NetWar marker is committed to this round.
        strikes: those committed to this round.
        ops: OPs lost to Collateral Damage so far.
        verdict: how it ended; None while it goes on.
    """

    coalition: tuple[Fighter, ...]
    opfor: tuple[Fighter, ...]
    support: Support = Support()
    opening: bool = True
    edge: Side | None = None
    netwar: bool = False
    strikes: tuple[Strike, ...] = ()
    ops: int = 0
    verdict: Verdict | None = None

    @property
    def won(self) -> bool:
        """[16.1(4a), 16.1(4b)] One side alone is left, or OPFOR has broken off."""
        return self.verdict in ("won", "broke off")

    def plain(self) -> Battle:
        """The battle without names and in a fixed order, so that like states are the same state."""
        return self._replace(coalition=_nameless(self.coalition), opfor=_nameless(self.opfor))


def _nameless(fighters: Sequence[Fighter]) -> tuple[Fighter, ...]:
    return tuple(sorted([fighter._replace(id="", name="") for fighter in fighters]))


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

    async def stands(self, battle: Battle) -> bool:
        """[9.3(2)] Whether OPFOR stands; or breaks off."""
        return self.stand

    async def stay(self, battle: Battle) -> Battle:
        """[16.1(4c)] The battle after the Coalition has decided to continue or to withdraw."""
        return battle

    def odds(self, battle: Battle, part: Part) -> OddsOf:
        """What shows the odds of a commitment that a part asks for; none on paper."""
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


# -- (2) the Tactical Edge ----------------------------------------------------------------------------------------------


async def mob_strength(stage: Stage, battle: Battle) -> Battle:
    """Mob Attack: its strength is rolled anew at the start of each round [14.5] (ruling C-25)."""
    if not any(fighter.kind == MOB for fighter in battle.opfor):
        return battle
    fighters = list(battle.opfor)
    chart = stage.referee.chart("mob_attack")

    def strength(face: int) -> int:
        return chart.number(face, "strength")

    for index, fighter in enumerate(fighters):
        if fighter.kind != MOB:
            continue
        roll = await Roll("mob", "Mob Attack: its strength this round", "14.5", 1, outcomes=lambda: summed(1, strength))
        fighters[index] = fighter._replace(fire=strength(roll[0]))
        stage.mob(fighter, roll[0], fighters[index].fire)
    return battle._replace(opfor=tuple(fighters))


def edge_bonus(scene: Scene, battle: Battle) -> int:
    """What the Coalition adds to its die: contact [16.1(2a)] (the highest: no other lead unit is ever better), one
    leader [16.1(2b), 29.2], NetWar [16.1(2c)], FOB [28.2].
    """
    lead = max([fighter.contact for fighter in battle.coalition])
    leader = any(fighter.leader for fighter in battle.coalition)
    return lead + int(leader) + int(battle.netwar) + int(scene.fob)


def opfor_bonus(scene: Scene, battle: Battle) -> int:
    """[16.1(2)] What OPFOR adds: highest contact, Node, and the event in the first round."""
    return max([fighter.contact for fighter in battle.opfor]) + scene.node_edge + (scene.event_edge if battle.opening else 0)


def edge_winner(roll: Sequence[int], lead: int, tie: Side) -> Side:
    """[16.1(2)] The side with the higher total, and ``tie`` on equal ones."""
    margin = roll[0] - roll[1] + lead
    return tie if margin == 0 else "coalition" if margin > 0 else "opfor"


@lru_cache(maxsize=256)
def edge_outcomes(lead: int, tie: Side) -> tuple[Outcome, ...]:
    """The two outcomes of a Tactical Edge roll."""
    return grouped(2, 6, 1, lambda roll: edge_winner(roll, lead, tie))


async def tactical_edge(stage: Stage, battle: Battle) -> Battle:
    """[16.1(2), 16.1(2d)] Both sides roll one die; the higher total has the Edge, ties go by terrain [16.5]."""
    battle = battle._replace(support=stage.support(battle))
    if await ask_netwar(stage, battle):
        battle = battle._replace(netwar=True)
    ours, theirs = edge_bonus(stage.scene, battle), opfor_bonus(stage.scene, battle)
    lead, tie = ours - theirs, stage.scene.tie
    roll = await Roll(
        "edge",
        lambda: f"Tactical Edge: Coalition die (+{ours}), then OPFOR die (+{theirs})",
        "16.1(2)",
        2,
        outcomes=lambda: edge_outcomes(lead, tie),
    )
    winner = edge_winner(roll, lead, tie)
    stage.edge(battle, roll, ours, theirs, winner)
    return battle._replace(edge=winner)


async def ask_netwar(stage: Stage, battle: Battle) -> bool:
    """[12.3] One NetWar marker may be committed, for 1 on the Tactical Edge."""
    if not battle.support.netwar:
        return False
    request = Confirm("netwar", "Commit one NetWar marker for +1 on the Tactical Edge", "16.1(2c)", False)
    request.odds = stage.odds(battle, tactical_edge)
    return await request


# -- (3a) Fire Support --------------------------------------------------------------------------------------------------


async def fire_support(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3a), 23.2] Any number of available strikes, at no further OP."""
    strikes = await ask_strikes(battle.support.strikes, stage.odds(battle, fire_support))
    if not strikes:
        return battle
    stage.committed(strikes)
    return battle._replace(strikes=strikes)


async def ask_strikes(strikes: Sequence[Strike], odds: OddsOf = None) -> tuple[Strike, ...]:
    """[23.2] Which of the available strikes are committed."""
    if not strikes:
        return ()
    numbered = _numbered(strikes)
    request = Pick(
        "strikes",
        "Commit which Fire Support",
        "16.1(3a)",
        [Choice(name, strike.name) for name, strike in zip(numbered, strikes, strict=True)],
        suggest=(),
    )
    request.odds = odds
    chosen = await request
    return tuple(strike for strike, name in zip(strikes, numbered, strict=True) if name in chosen)


def _numbered(strikes: Sequence[Strike]) -> list[str]:
    """Names made different: the second ``Air Strike (3)`` is ``Air Strike (3) #2``."""
    seen: dict[str, int] = {}
    out = []
    for strike in strikes:
        seen[strike.name] = seen.get(strike.name, 0) + 1
        out.append(strike.name if seen[strike.name] == 1 else f"{strike.name} #{seen[strike.name]}")
    return out


# -- (3b, 3c) Fire ------------------------------------------------------------------------------------------------------


async def edge_fire(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3b)] The side with the Tactical Edge fires all of its units."""
    return await (coalition_fires if battle.edge == "coalition" else opfor_fires)(stage, battle)


async def other_fire(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3c)] The other side fires with what is left of it; a side that is wiped out does not (ruling C-58)."""
    if not battle.coalition or not battle.opfor:
        return battle
    return await (opfor_fires if battle.edge == "coalition" else coalition_fires)(stage, battle)


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


def hits_on_opfor(scene: Scene, raw: int, engineer: bool) -> int:
    """[16.5, 16.8] Hits after the Strongpoint and the open: (raw - 1) x 2, in that order (ruling C-2)."""
    kept = raw - 1 if scene.strongpoint and not engineer and raw else raw
    return kept * scene.factor


def raw_hits(firers: Sequence[Fighter | Strike], faces: Sequence[int]) -> int:
    """[16.2] Dice that show the firepower of who rolled them, or less."""
    return sum([face <= firer.fire for firer, face in zip(firers, faces, strict=True)])


async def coalition_fires(stage: Stage, battle: Battle) -> Battle:
    """[16.2] Each unit and each committed strike fires once; then OPFOR takes its losses, weakest first [16.3]."""
    scene = stage.scene
    firers: tuple[Fighter | Strike, ...] = (*battle.coalition, *battle.strikes)

    def outcomes() -> tuple[Outcome, ...]:
        most = -(-len(battle.opfor) // scene.factor) + int(scene.strongpoint)
        careless = tuple(bool(scene.collateral) and wild(scene, firer) for firer in firers)
        return fire_outcomes(tuple(firer.fire for firer in firers), careless, most)

    faces = await Roll("fire", lambda: f"Coalition fire: {firer_list(firers)}", "16.2", len(firers), outcomes=outcomes)
    raw = raw_hits(firers, faces)
    hits = hits_on_opfor(scene, raw, any(fighter.engineer for fighter in battle.coalition))
    stage.fired("coalition", firers, faces, raw, hits, battle)
    ops = collateral_damage(stage, firers, faces) if 6 in faces else 0
    left = await opfor_losses(stage, battle.opfor, hits)
    return battle._replace(opfor=left, ops=battle.ops + ops)


def wild(scene: Scene, firer: Fighter | Strike) -> bool:
    """[23.5, 14.5] Whether a die of 6 is Collateral Damage: for strikes but SOA [23.4(b)], with Civilians for units too."""
    return not firer.clean if isinstance(firer, Strike) else scene.civilians


def collateral_damage(stage: Stage, firers: Sequence[Fighter | Strike], faces: Sequence[int]) -> int:
    """[23.5] The OPs that dice of 6 cost."""
    sixes = sum([face == 6 and wild(stage.scene, firer) for firer, face in zip(firers, faces, strict=True)])
    ops = sixes * stage.scene.collateral
    if sixes:
        stage.collateral(sixes, ops)
    return ops


async def opfor_losses(stage: Stage, opfor: tuple[Fighter, ...], hits: int) -> tuple[Fighter, ...]:
    """[16.3] One unit a hit, the weakest first; between equals the player chooses (ruling C-26). Overkill is lost [16.6]."""
    left = list(opfor)
    while hits and left:
        weakest = min([fighter.fire for fighter in left])
        equals = [fighter for fighter in left if fighter.fire == weakest]
        if hits < len(equals) and len({(fighter.kind, fighter.contact) for fighter in equals}) > 1:
            equals = [await _which_lost(equals)]
        for target in equals[:hits]:
            left.remove(target)
            stage.opfor_lost(target)
        hits -= min(hits, len(equals))
    return tuple(left)


async def _which_lost(equals: Sequence[Fighter]) -> Fighter:
    choices = [
        Choice(fighter.id or str(index), fighter.name or f"{fighter.fire}({fighter.contact})")
        for index, fighter in enumerate(equals)
    ]
    suggestion = max(range(len(equals)), key=lambda index: equals[index].contact)
    chosen = await Choose("opfor_loss", "Equally weak: which OPFOR unit is lost", "16.3", choices, choices[suggestion].value)
    return equals[[choice.value for choice in choices].index(chosen)]


async def opfor_fires(stage: Stage, battle: Battle) -> Battle:
    """[16.2] Each OPFOR unit fires once; then the player places the hits [16.3]."""
    firers = battle.opfor

    def outcomes() -> tuple[Outcome, ...]:
        most = sum([one.steps for one in battle.coalition])
        return fire_outcomes(tuple([firer.fire for firer in firers]), (False,) * len(firers), most)

    faces = await Roll("opfor_fire", lambda: f"OPFOR fire: {firer_list(firers)}", "16.2", len(firers), outcomes=outcomes)
    hits = raw_hits(firers, faces)
    stage.fired("opfor", firers, faces, hits, hits, battle)
    return battle._replace(coalition=await coalition_losses(stage, battle.coalition, hits))


async def coalition_losses(stage: Stage, coalition: tuple[Fighter, ...], hits: int) -> tuple[Fighter, ...]:
    """[16.3] The player places each hit as he likes; where it makes no difference nobody is asked."""
    left = list(coalition)
    for number in range(1, hits + 1):
        if not left:
            break
        everything = hits - number + 1 >= sum([fighter.steps for fighter in left])
        target = left[0] if everything or _alike(left) else await hit_whom(left, number, hits)
        rest = target.hit()
        stage.coalition_hit(target, rest)
        index = left.index(target)
        left[index : index + 1] = [rest] if rest else []
    return tuple(left)


def _alike(fighters: Sequence[Fighter]) -> bool:
    """Whether it is all the same which of them is hit: one alone, or units that are only described and have equal values."""
    return len(fighters) == 1 or (not fighters[0].id and len({fighter[:-2] for fighter in fighters}) == 1)


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
    """The unit whose next strength step is the least loss."""
    losses = [_loss(fighter) for fighter in fighters]
    return losses.index(min(losses))


@lru_cache(maxsize=1024)
def _loss(fighter: Fighter) -> tuple[int, bool, int]:
    """What a hit costs: firepower, then a leader or an engineer, then contact."""
    rest = fighter.hit()
    kept = rest or Fighter(0, 0)
    return fighter.fire - kept.fire, rest is None and (fighter.leader or fighter.engineer), fighter.contact - kept.contact


# -- (3d, 4) the end of a round -----------------------------------------------------------------------------------------


async def support_return(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3d)] The support of this round goes back; the next round begins without it."""
    stage.spent(battle.strikes, battle.netwar)
    calm = tuple([fighter._replace(fire=0) if fighter.kind == MOB else fighter for fighter in battle.opfor])
    return Battle(battle.coalition, calm, opening=False, ops=battle.ops)


async def continuation(stage: Stage, battle: Battle) -> Battle:
    """[16.1(4), 16.1(6)] One side is gone (a), or OPFOR breaks off (b), or the Coalition goes on or withdraws (c)."""
    verdict: Verdict = "withdrew"
    if not battle.opfor:
        verdict = "won"
    elif not battle.coalition:
        verdict = "lost"
    elif not await stage.stands(battle):
        verdict = "broke off"
    else:
        battle = await stage.stay(battle)
        if battle.coalition:
            return battle
    battle = battle._replace(verdict=verdict)
    stage.ended(battle)
    return battle


ROUND: tuple[Part, ...] = (
    mob_strength,
    tactical_edge,
    fire_support,
    edge_fire,
    other_fire,
    support_return,
    continuation,
)
"""[16.1(2), 16.1(3), 16.1(4)] The parts of a round in the printed order."""


async def fight(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3), 16.1(5)] Round after round, until one side is declared the winner."""
    while battle.verdict is None:
        for part in ROUND:
            battle = await part(stage, battle)
    return battle


def fighter_text(fighter: Fighter) -> str:
    """A fighter for a list: name, values, and a word where it is reduced or about to go."""
    last = "" if fighter.steps > 1 else ", last strength step"
    return f"{fighter.name} {fighter.fire}({fighter.contact}){last}"


def firer_list(firers: Sequence[Fighter | Strike]) -> str:
    """Who fires, each with the number it needs: ``3/1 <=3, Air Strike (3) <=3``."""
    return ", ".join(f"{firer.name or 'unit'} <={firer.fire}" for firer in firers)
