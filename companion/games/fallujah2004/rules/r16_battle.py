"""[16.1] The battle round, step by step, for battles on the table, described battles and exact odds, which differ by host."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Literal

from companion.core.charts import Chart
from companion.core.dice import RollOutcome, grouped_rolls, pool_outcomes, summed_rolls
from companion.core.named_tuple import NamedTuple
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Allot, Choice, Choose, Confirm, Odds, Pick, Roll
from companion.core.text import die_range, plural
from companion.games.fallujah2004.notation import MOB

Side = Literal["coalition", "opfor"]
Verdict = Literal["won", "broke off", "lost", "withdrew", "standoff"]
WON: tuple[Verdict, ...] = ("won", "broke off")
"""The verdicts for the Coalition [16.1(4a), 16.1(4b)]."""


class Fighter(NamedTuple):
    """A unit in a battle. OPFOR units have one strength step; a mob's firepower is rolled each round."""

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

    def after_hit(self) -> Fighter | None:
        """The unit after one hit; None if that eliminates it [16.3]."""
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
    """What the Coalition may commit: strikes, and whether a NetWar marker is available."""

    strikes: tuple[Strike, ...] = ()
    netwar: bool = False


class Conditions(NamedTuple):
    """The conditions that do not change during a battle.

    Attributes:
        terrain: open, urban, objective or mosque.
        tie: the side with the Tactical Edge on equal totals.
        factor: the multiplier of hits by the Coalition [16.5].
        strongpoint: a Strongpoint Node is in the space [16.8].
        fob: a Forward Operations Base is in the space or adjacent [28.2].
        node_edge: the bonus of a Node to the OPFOR Edge.
        event_edge: the bonus of an event to it in the first round.
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
    """The state of a battle.

    Attributes:
        coalition, opfor: the units left.
        support: what may be committed in this round.
        first_round: this is the first round.
        firing: the side that fires next in this round; None until the Tactical Edge is known.
        netwar: a NetWar marker is committed to this round.
        strikes: the strikes committed to this round.
        ops: OPs lost to Collateral Damage so far.
        verdict: the result of the battle; None until it ends.
        second_fire: the side with the Edge has fired in this round.
    """

    coalition: tuple[Fighter, ...]
    opfor: tuple[Fighter, ...]
    support: Support = Support()
    first_round: bool = True
    firing: Side | None = None
    netwar: bool = False
    strikes: tuple[Strike, ...] = ()
    ops: int = 0
    verdict: Verdict | None = None
    second_fire: bool = False

    @property
    def won(self) -> bool:
        """[16.1(4a), 16.1(4b)] True if the Coalition has won: no OPFOR unit is left, or OPFOR has broken off."""
        return self.verdict in WON

    def canonical(self) -> Battle:
        """The battle without names and in a fixed order, so that equivalent states compare equal."""
        return self._replace(coalition=nameless(self.coalition), opfor=nameless(self.opfor))


def nameless(fighters: Sequence[Fighter]) -> tuple[Fighter, ...]:
    """Fighters without names and in a fixed order."""
    return tuple(sorted([fighter._replace(id="", name="") if fighter.id or fighter.name else fighter for fighter in fighters]))


def least_loss(fighters: Sequence[Fighter], hits: int) -> tuple[int, ...]:
    """[18.3] Indexes of the steps of least loss: firepower, leader or engineer, contact, then a unit that cannot be refitted."""
    left: list[Fighter | None] = list(fighters)
    chosen = []
    for _ in range(hits):
        index = min(
            (index for index, fighter in enumerate(left) if fighter), key=lambda index: _loss(left[index] or fighters[index])
        )
        chosen.append(index)
        target = left[index]
        left[index] = target.after_hit() if target else None
    return tuple(chosen)


@lru_cache(maxsize=1024)
def _loss(fighter: Fighter) -> tuple[int, bool, int, bool]:
    reduced = fighter.after_hit()
    after = reduced or Fighter(0, 0)
    loses_specialist = reduced is None and (fighter.leader or fighter.engineer)
    return fighter.fire - after.fire, loses_specialist, fighter.contact - after.contact, reduced is None


def after_hits(fighters: Sequence[Fighter], places: Sequence[int]) -> tuple[Fighter, ...]:
    """The force after hits on the units at these indexes."""
    left: list[Fighter | None] = list(fighters)
    for index in places:
        target = left[index]
        left[index] = target.after_hit() if target else None
    return tuple([fighter for fighter in left if fighter])


OddsOf = Callable[[], Odds] | None
"""Computes the odds of a commitment when the player asks for them; None where there are none."""


class BattleHost:
    """The decisions and reports of a battle; this class is silent, never withdraws, and OPFOR always stands or breaks off.

    `compares_hits`: `suggested_hits` depends on more than the force that is hit.
    """

    compares_hits = False

    def __init__(self, referee: Referee, scene: Conditions, stand: bool = True) -> None:
        self.referee = referee
        self.conditions = scene
        self.opfor_standing = stand

    async def play(self, step: Step, battle: Battle) -> Battle:
        """Play a round, or a step of it."""
        return await step(self, battle)

    # -- decisions

    def support(self, battle: Battle) -> Support:
        """What may be committed in this round."""
        return battle.support

    async def commit_netwar(self) -> None:
        """[12.3] Choose the NetWar marker to commit, where that matters."""

    async def opfor_stands(self, battle: Battle) -> bool:
        """[9.3(2)] True if OPFOR stands, False if it breaks off."""
        return self.opfor_standing

    async def cannot_withdraw(self, battle: Battle) -> bool:
        """[16.7] True if no unit can withdraw."""
        return True

    async def continue_or_withdraw(self, battle: Battle) -> Battle:
        """[16.1(4c)] The battle after the Coalition has decided to continue or to withdraw."""
        return battle

    def support_odds(self, battle: Battle, part: Step) -> OddsOf:
        """The odds of a commitment that a step of the round asks for; None in the base class."""
        return None

    def suggested_hits(self, battle: Battle, hits: int) -> tuple[int, ...]:
        """[16.3] The indexes of the units suggested for a number of hits."""
        return least_loss(battle.coalition, hits)

    def hit_odds(self, battle: Battle, hits: int) -> OddsOf:
        """The odds of each way to place a number of hits; None in the base class."""
        return None

    # -- reports

    def on_edge(self, battle: Battle, roll: Sequence[int], coalition: int, opfor: int, winner: Side) -> None:
        """The Tactical Edge was determined."""

    def on_mob(self, fighter: Fighter, face: int, strength: int) -> None:
        """A mob's strength for this round was rolled."""

    def on_strikes(self, strikes: Sequence[Strike]) -> None:
        """Strikes were committed."""

    def on_fire(
        self, side: Side, firers: Sequence[Fighter | Strike], faces: Sequence[int], raw: int, hits: int, battle: Battle
    ) -> None:
        """One side fired."""

    def on_opfor_loss(self, fighter: Fighter) -> None:
        """An OPFOR unit is eliminated."""

    def on_coalition_hit(self, fighter: Fighter, left: Fighter | None) -> None:
        """A Coalition unit is reduced or eliminated."""

    def on_collateral(self, count: int, ops: int) -> None:
        """Dice of 6 did Collateral Damage."""

    def on_support_spent(self, strikes: Sequence[Strike], netwar: bool) -> None:
        """The support of this round goes back."""

    def on_end(self, battle: Battle) -> None:
        """The battle is over."""


Step = Callable[[BattleHost, Battle], Procedure[Battle]]


@lru_cache(maxsize=4096)
def fire_outcomes(needs: tuple[int, ...], careless: tuple[bool, ...], most: int) -> tuple[RollOutcome, ...]:
    """[16.6] The distinct outcomes of a volley: hits up to `most`, and dice of 6 that do Collateral Damage."""
    rows = tuple(
        tuple((int(face <= need), int(wild and face == 6)) for face in range(1, 7))
        for need, wild in zip(needs, careless, strict=True)
    )
    merged: dict[tuple[int, int], RollOutcome] = {}
    for outcome in pool_outcomes(rows, 1):
        hits = sum(face <= need for face, need in zip(outcome.faces, needs, strict=True))
        sixes = sum(face == 6 and wild for face, wild in zip(outcome.faces, careless, strict=True))
        key = (min(hits, most), sixes)
        previous = merged.get(key)
        merged[key] = previous._replace(weight=previous.weight + outcome.weight) if previous else outcome
    return tuple(merged.values())


def hits_on_opfor(scene: Conditions, raw: int, engineer: bool) -> int:
    """[16.5, 16.8] Hits after the Strongpoint and the open: (raw - 1) x 2, in that order (ruling C-2)."""
    kept = raw - 1 if scene.strongpoint and not engineer and raw else raw
    return kept * scene.factor


def raw_hits(firers: Sequence[Fighter | Strike], faces: Sequence[int]) -> int:
    """[16.2] The number of dice that show the firepower of their firer, or less."""
    return sum([face <= firer.fire for firer, face in zip(firers, faces, strict=True)])


FACES = 6
"""Faces of a die."""


class Volley(NamedTuple):
    """The hits of a side's fire, and the OPs lost to Collateral Damage."""

    hits: int
    ops: int = 0


async def coalition_volley(stage: BattleHost, battle: Battle) -> Volley:
    """[16.2] Each unit and each committed strike fires once."""
    scene = stage.conditions
    firers: tuple[Fighter | Strike, ...] = (*battle.coalition, *battle.strikes)

    def outcomes() -> tuple[RollOutcome, ...]:
        most = -(-len(battle.opfor) // scene.factor) + int(scene.strongpoint)
        careless = tuple(bool(scene.collateral) and risks_collateral(scene, firer) for firer in firers)
        return fire_outcomes(tuple(firer.fire for firer in firers), careless, most)

    def prompt() -> str:
        return f"The Coalition fires. In this order: {firer_list(firers)}"

    faces = await Roll("fire", prompt, "16.2", len(firers), outcomes=outcomes)
    raw = raw_hits(firers, faces)
    hits = hits_on_opfor(scene, raw, any(fighter.engineer for fighter in battle.coalition))
    stage.on_fire("coalition", firers, faces, raw, hits, battle)
    return Volley(hits, collateral_damage(stage, firers, faces) if 6 in faces else 0)


def coalition_fire_factors(scene: Conditions, battle: Battle) -> tuple[object, ...]:
    """[16.2, 16.5, 16.8, 23.5] What a volley of the Coalition depends on."""
    needs, engineer = tuple([fighter.fire for fighter in battle.coalition]), any(fighter.engineer for fighter in battle.coalition)
    strikes = tuple([(strike.fire, strike.clean) for strike in battle.strikes])
    return scene.factor, scene.strongpoint, scene.civilians, scene.collateral, engineer, needs, strikes


def opfor_fire_factors(scene: Conditions, battle: Battle) -> tuple[object, ...]:
    """[16.2] What a volley of OPFOR depends on."""
    return tuple([fighter.fire for fighter in battle.opfor])


async def coalition_fires(stage: BattleHost, battle: Battle) -> Battle:
    """[16.2] The Coalition fires; then OPFOR takes its losses [16.3]."""
    hits, ops = await coalition_volley(stage, battle)
    return after_coalition_fire(battle, await opfor_losses(stage, battle.opfor, hits), ops)


def after_coalition_fire(battle: Battle, left: tuple[Fighter, ...], ops: int) -> Battle:
    """The battle when OPFOR has taken its losses; next OPFOR fires."""
    coalition, _, support, first_round, _, netwar, strikes, before, verdict, _ = battle
    return Battle(coalition, left, support, first_round, "opfor", netwar, strikes, before + ops, verdict, True)


def risks_collateral(scene: Conditions, firer: Fighter | Strike) -> bool:
    """[23.5, 14.5] True if a die of 6 is Collateral Damage: for strikes but SOA [23.4(b)], with Civilians for units too."""
    return not firer.clean if isinstance(firer, Strike) else scene.civilians


def collateral_damage(stage: BattleHost, firers: Sequence[Fighter | Strike], faces: Sequence[int]) -> int:
    """[23.5] The OPs that dice of 6 cost."""
    sixes = sum([face == 6 and risks_collateral(stage.conditions, firer) for firer, face in zip(firers, faces, strict=True)])
    ops = sixes * stage.conditions.collateral
    if sixes:
        stage.on_collateral(sixes, ops)
    return ops


async def opfor_losses(stage: BattleHost, opfor: tuple[Fighter, ...], hits: int) -> tuple[Fighter, ...]:
    """[16.3] One unit a hit, the weakest first; between equals the player chooses (ruling C-26). Overkill is lost [16.6]."""
    left, number = list(opfor), 0
    while hits and left:
        weakest = min([fighter.fire for fighter in left])
        equals = [fighter for fighter in left if fighter.fire == weakest]
        if hits < len(equals) and len({(fighter.kind, fighter.contact) for fighter in equals}) > 1:
            number += 1
            equals = [await _which_lost(equals, f" {number} of {number + hits - 1}" if number + hits > 2 else "")]
        for target in equals[:hits]:
            left.remove(target)
            stage.on_opfor_loss(target)
        hits -= min(hits, len(equals))
    return tuple(left)


async def _which_lost(equals: Sequence[Fighter], which: str) -> Fighter:
    """Ask for the unit lost; `which`: `` 1 of 2`` if several are."""
    fighters = {fighter.id or str(index): fighter for index, fighter in enumerate(equals)}
    choices = [
        Choice(key, fighter.name or f"fire {fighter.fire}, contact {fighter.contact}") for key, fighter in fighters.items()
    ]
    suggestion = max(fighters, key=lambda key: (fighters[key].kind == "hvt", fighters[key].contact))
    return fighters[await Choose("opfor_loss", f"Equally weak: which OPFOR unit is lost{which}?", "16.3", choices, suggestion)]


async def opfor_volley(stage: BattleHost, battle: Battle) -> Volley:
    """[16.2] Each OPFOR unit fires once."""
    firers = battle.opfor

    def outcomes() -> tuple[RollOutcome, ...]:
        most = sum([fighter.steps for fighter in battle.coalition])
        return fire_outcomes(tuple([firer.fire for firer in firers]), (False,) * len(firers), most)

    def prompt() -> str:
        return f"OPFOR fires. In this order: {firer_list(firers)}"

    faces = await Roll("opfor_fire", prompt, "16.2", len(firers), outcomes=outcomes)
    hits = raw_hits(firers, faces)
    stage.on_fire("opfor", firers, faces, hits, hits, battle)
    return Volley(hits)


async def opfor_fires(stage: BattleHost, battle: Battle) -> Battle:
    """[16.2] OPFOR fires; then the player places the hits [16.3]."""
    volley = await opfor_volley(stage, battle)
    return after_opfor_fire(battle, await coalition_losses(stage, battle, volley.hits))


def after_opfor_fire(battle: Battle, left: tuple[Fighter, ...]) -> Battle:
    """The battle when the Coalition has taken its losses; next the Coalition fires."""
    _, opfor, support, first_round, _, netwar, strikes, ops, verdict, _ = battle
    return Battle(left, opfor, support, first_round, "coalition", netwar, strikes, ops, verdict, True)


async def coalition_losses(stage: BattleHost, battle: Battle, hits: int) -> tuple[Fighter, ...]:
    """[16.3] Ask the player to place the hits, unless it makes no difference."""
    left = list(battle.coalition)
    names = [fighter.name or str(index) for index, fighter in enumerate(left)]
    targets: list[str] = []
    for remaining in range(hits, 0, -1):
        if not left:
            break
        wiped_out = remaining >= sum([fighter.steps for fighter in left])
        if not targets and not wiped_out and not _alike(left):
            targets = list(await _hit_targets(stage, battle._replace(coalition=tuple(left)), names, remaining))
        index = names.index(targets.pop(0)) if targets else 0
        target = left[index]
        reduced = target.after_hit()
        stage.on_coalition_hit(target, reduced)
        left[index : index + 1] = [reduced] if reduced else []
        names[index : index + 1] = names[index : index + 1] if reduced else []
    return tuple(left)


def _alike(fighters: Sequence[Fighter]) -> bool:
    """True if it makes no difference which unit is hit: there is one, or all are only described and have equal values."""
    return len(fighters) == 1 or (not fighters[0].id and len({fighter[:-2] for fighter in fighters}) == 1)


def _hit_targets(stage: BattleHost, battle: Battle, names: Sequence[str], hits: int) -> Allot:
    """[16.3] Ask for the units that take the hits, each up to its strength steps; a partial answer is asked to be completed."""
    own = tuple(names)  # the caller changes its list

    def rows() -> list[tuple[Choice, int]]:
        pairs = zip(own, battle.coalition, strict=True)
        return [(Choice(name, name, partial(fighter_text, fighter)), fighter.steps) for name, fighter in pairs]

    text = "Which unit takes the hit?" if hits == 1 else f"Which units take the {plural(hits, 'hit')}?"
    request = Allot("hit", text, "16.3", rows, hits, lambda: [own[index] for index in stage.suggested_hits(battle, hits)])
    request.typing_hint = "" if hits == 1 else "two on one: 2 x NAME"
    request.odds = stage.hit_odds(battle, hits)
    request.has_quick_odds = hits == 1
    return request


def fighter_text(fighter: Fighter) -> str:
    """The values of a fighter, and those after a hit."""
    reduced = fighter.after_hit()
    then = f"reduced to fire {reduced.fire}, contact {reduced.contact}" if reduced else "last strength step"
    return f"fire {fighter.fire}, contact {fighter.contact}; {then}"


def firer_list(firers: Sequence[Fighter | Strike]) -> str:
    """The firers, each with the number it needs: ``3/1 hits on 1-3, Air Strike (3) on 1-3``."""
    return ", ".join(
        f"{firer.name or 'unit'} {'' if index else 'hits '}on {die_range(1, firer.fire, 6)}" for index, firer in enumerate(firers)
    )


# -- (2) the Tactical Edge ----------------------------------------------------------------------------------------------


async def roll_mob(chart: Chart) -> tuple[int, int]:
    """[14.5] One die for the strength of a Mob Attack in a round: the face and the strength (ruling C-25)."""

    def strength(face: int) -> int:
        return chart.number(face, "strength")

    prompt = "Mob Attack, one die: its strength this round"
    roll = await Roll("mob", prompt, "14.5", 1, outcomes=lambda: summed_rolls(1, strength))
    return roll[0], strength(roll[0])


def mean_mob_strength(chart: Chart) -> float:
    """[14.5] The average strength of a Mob Attack."""
    from companion.core.odds import distribution, distribution_of, mean

    known = _MEANS.get(id(chart))
    if known is None:
        rolled = distribution(lambda: roll_mob(chart))
        known = _MEANS[id(chart)] = chart, mean(distribution_of(rolled, lambda outcome: outcome[1]))
    return known[1]


_MEANS: dict[int, tuple[Chart, float]] = {}
"""The average strength by each chart, by its identity."""


async def mob_strength(stage: BattleHost, battle: Battle) -> Battle:
    """Mob Attack: its strength is rolled anew at the start of each round [14.5] (ruling C-25)."""
    if not any(fighter.kind == MOB for fighter in battle.opfor):
        return battle
    fighters = list(battle.opfor)
    chart = stage.referee.chart("mob_attack")

    for index, fighter in enumerate(fighters):
        if fighter.kind != MOB:
            continue
        face, strength = await roll_mob(chart)
        fighters[index] = fighter._replace(fire=strength)
        stage.on_mob(fighter, face, strength)
    return battle._replace(opfor=tuple(fighters))


def edge_bonus(scene: Conditions, battle: Battle) -> int:
    """The Coalition's bonus: best contact [16.1(2a)], one leader [16.1(2b), 29.2], NetWar [16.1(2c)] and FOB [28.2]."""
    lead = max([fighter.contact for fighter in battle.coalition])
    leader = any(fighter.leader for fighter in battle.coalition)
    return lead + int(leader) + int(battle.netwar) + int(scene.fob)


def opfor_bonus(scene: Conditions, battle: Battle) -> int:
    """[16.1(2)] The OPFOR bonus to its die: highest contact, Node, and the event in the first round."""
    return max([fighter.contact for fighter in battle.opfor]) + scene.node_edge + (scene.event_edge if battle.first_round else 0)


def edge_winner(roll: Sequence[int], lead: int, tie: Side) -> Side:
    """[16.1(2)] The side with the higher total, and ``tie`` on equal ones."""
    margin = roll[0] - roll[1] + lead
    return tie if margin == 0 else "coalition" if margin > 0 else "opfor"


@lru_cache(maxsize=256)
def edge_outcomes(lead: int, tie: Side) -> tuple[RollOutcome, ...]:
    """The two outcomes of a Tactical Edge roll."""
    return grouped_rolls(2, 6, 1, lambda roll: edge_winner(roll, lead, tie))


async def tactical_edge(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(2), 16.1(2d)] Both sides roll one die; the higher total has the Edge, ties go by terrain [16.5]."""
    support = stage.support(battle)
    if support is not battle.support:
        battle = battle._replace(support=support)
    if await ask_netwar(stage, battle):
        battle = battle._replace(netwar=True)
    ours, theirs = edge_bonus(stage.conditions, battle), opfor_bonus(stage.conditions, battle)
    lead, tie = ours - theirs, stage.conditions.tie
    roll = await Roll(
        "edge",
        lambda: f"Tactical Edge: roll yours (+{ours}), then OPFOR's (+{theirs}). High total fires first.",
        "16.1(2)",
        2,
        outcomes=lambda: edge_outcomes(lead, tie),
    )
    winner = edge_winner(roll, lead, tie)
    stage.on_edge(battle, roll, ours, theirs, winner)
    return battle._replace(firing=winner)


async def ask_netwar(stage: BattleHost, battle: Battle) -> bool:
    """[12.3] One NetWar marker may be committed, for 1 on the Tactical Edge."""
    if not battle.support.netwar:
        return False
    request = Confirm("netwar", "Commit a NetWar marker, for +1 on the Tactical Edge?", "16.1(2c)", False)
    request.odds = stage.support_odds(battle, tactical_edge)
    request.has_quick_odds = True
    committed = await request
    if committed:
        await stage.commit_netwar()
    return committed


# -- (3a) Fire Support --------------------------------------------------------------------------------------------------


async def fire_support(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(3a), 23.2] Any number of available strikes, at no further OP."""
    strikes = await ask_strikes(battle.support.strikes, stage.support_odds(battle, fire_support))
    if not strikes:
        return battle
    stage.on_strikes(strikes)
    return battle._replace(strikes=strikes)


async def ask_strikes(strikes: Sequence[Strike], odds: OddsOf = None, least: int = 0) -> tuple[Strike, ...]:
    """[23.2] Ask which of the available strikes are committed, at least ``least`` of them."""
    if not strikes:
        return ()
    numbered = _numbered(strikes)
    request = Pick(
        "strikes",
        "Which Fire Support do you commit?",
        "16.1(3a)",
        [Choice(name, strike.name) for name, strike in zip(numbered, strikes, strict=True)],
        least,
        suggest=None if least else (),
    )
    request.odds = odds
    chosen = await request
    return tuple(strike for strike, name in zip(strikes, numbered, strict=True) if name in chosen)


def _numbered(strikes: Sequence[Strike]) -> list[str]:
    """The names of strikes made unique: the second ``Air Strike (3)`` is ``Air Strike (3) #2``."""
    seen: dict[str, int] = {}
    names = []
    for strike in strikes:
        seen[strike.name] = seen.get(strike.name, 0) + 1
        names.append(strike.name if seen[strike.name] == 1 else f"{strike.name} #{seen[strike.name]}")
    return names


# -- (3b, 3c) Fire ------------------------------------------------------------------------------------------------------


async def fire(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(3b), 16.1(3c)] The side with the Tactical Edge fires all of its units, then the other with its surviving units; a
    side that is wiped out does not fire (ruling C-58).
    """
    if not battle.coalition or not battle.opfor:
        return battle
    if battle.firing == "coalition":
        return await coalition_fires(stage, battle)
    return await opfor_fires(stage, battle)


# -- (3d, 4) the end of a round -----------------------------------------------------------------------------------------


async def support_return(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(3d)] The support of this round goes back; the next round begins without it."""
    stage.on_support_spent(battle.strikes, battle.netwar)
    opfor = battle.opfor
    if any(fighter.kind == MOB for fighter in opfor):
        opfor = tuple([fighter._replace(fire=0) if fighter.kind == MOB else fighter for fighter in opfor])
    return Battle(battle.coalition, opfor, first_round=False, ops=battle.ops)


def can_hit(stage: BattleHost, battle: Battle) -> bool:
    """[16.2, 16.8] True if any side can ever hit in the next rounds, with the support that may be committed."""
    if any(fighter.fire or fighter.kind == MOB for fighter in battle.opfor):
        return True
    firers: tuple[Fighter | Strike, ...] = (*battle.coalition, *stage.support(battle).strikes)
    most = sum([firer.fire > 0 for firer in firers])
    return hits_on_opfor(stage.conditions, most, any(fighter.engineer for fighter in battle.coalition)) > 0


async def continuation(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(4), 16.1(6)] One side is eliminated (a), OPFOR breaks off (b), or the Coalition continues or withdraws (c).

    If nobody can hit and no unit can withdraw, the battle ends (ruling C-77).
    """
    verdict: Verdict = "withdrew"
    if not battle.opfor:
        verdict = "won"
    elif not battle.coalition:
        verdict = "lost"
    elif not await stage.opfor_stands(battle):
        verdict = "broke off"
    elif not can_hit(stage, battle) and await stage.cannot_withdraw(battle):
        verdict = "standoff"
    else:
        battle = await stage.continue_or_withdraw(battle)
        if battle.coalition:
            return battle
    battle = battle._replace(verdict=verdict)
    stage.on_end(battle)
    return battle


ROUND: tuple[Step, ...] = (mob_strength, tactical_edge, fire_support, fire, fire, support_return, continuation)
"""[16.1(2), 16.1(3), 16.1(4)] The steps of a round in the printed order."""


async def play_rounds(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(3), 16.1(5)] Round after round, until one side is declared the winner."""
    while battle.verdict is None:
        battle = await stage.play(play_round, battle)
    return battle


async def play_round(stage: BattleHost, battle: Battle) -> Battle:
    """[16.1(2), 16.1(3), 16.1(4)] The steps of a round."""
    for step in ROUND:
        battle = await stage.play(step, battle)
    return battle
