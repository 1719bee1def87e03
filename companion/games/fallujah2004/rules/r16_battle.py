"""[16.1] A battle, part by part in the printed order: each part is a procedure from one state of it to the next."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.core.dice import RollOutcome, grouped_rolls, summed_rolls
from companion.core.requests import Choice, Confirm, Pick, Roll
from companion.games.fallujah2004.rules.r16_fire import coalition_fires, opfor_fires
from companion.games.fallujah2004.rules.r16_stage import Battle, OddsOf, Part, Scene, Side, Stage, Strike, Verdict
from companion.games.fallujah2004.words.counters import MOB

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
        roll = await Roll(
            "mob", "Mob Attack, one die: its strength this round", "14.5", 1, outcomes=lambda: summed_rolls(1, strength)
        )
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
def edge_outcomes(lead: int, tie: Side) -> tuple[RollOutcome, ...]:
    """The two outcomes of a Tactical Edge roll."""
    return grouped_rolls(2, 6, 1, lambda roll: edge_winner(roll, lead, tie))


async def tactical_edge(stage: Stage, battle: Battle) -> Battle:
    """[16.1(2), 16.1(2d)] Both sides roll one die; the higher total has the Edge, ties go by terrain [16.5]."""
    battle = battle._replace(support=stage.support(battle))
    if await ask_netwar(stage, battle):
        battle = battle._replace(netwar=True)
    ours, theirs = edge_bonus(stage.scene, battle), opfor_bonus(stage.scene, battle)
    lead, tie = ours - theirs, stage.scene.tie
    roll = await Roll(
        "edge",
        lambda: f"Tactical Edge: roll yours (+{ours}), then OPFOR's (+{theirs}). High total fires first.",
        "16.1(2)",
        2,
        outcomes=lambda: edge_outcomes(lead, tie),
    )
    winner = edge_winner(roll, lead, tie)
    stage.edge(battle, roll, ours, theirs, winner)
    return battle._replace(firing=winner)


async def ask_netwar(stage: Stage, battle: Battle) -> bool:
    """[12.3] One NetWar marker may be committed, for 1 on the Tactical Edge."""
    if not battle.support.netwar:
        return False
    request = Confirm("netwar", "Commit a NetWar marker, for +1 on the Tactical Edge?", "16.1(2c)", False)
    request.odds = stage.odds(battle, tactical_edge)
    request.has_quick_odds = True
    committed = await request
    if committed:
        await stage.commit_netwar()
    return committed


# -- (3a) Fire Support --------------------------------------------------------------------------------------------------


async def fire_support(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3a), 23.2] Any number of available strikes, at no further OP."""
    strikes = await ask_strikes(battle.support.strikes, stage.odds(battle, fire_support))
    if not strikes:
        return battle
    stage.committed(strikes)
    return battle._replace(strikes=strikes)


async def ask_strikes(strikes: Sequence[Strike], odds: OddsOf = None, least: int = 0) -> tuple[Strike, ...]:
    """[23.2] Which of the available strikes are committed, and ``least`` how many of them."""
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
    """Names made different: the second ``Air Strike (3)`` is ``Air Strike (3) #2``."""
    seen: dict[str, int] = {}
    out = []
    for strike in strikes:
        seen[strike.name] = seen.get(strike.name, 0) + 1
        out.append(strike.name if seen[strike.name] == 1 else f"{strike.name} #{seen[strike.name]}")
    return out


# -- (3b, 3c) Fire ------------------------------------------------------------------------------------------------------


async def fire(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3b), 16.1(3c)] The side with the Tactical Edge fires all of its units, then the other with what is left of it; a
    side that is wiped out does not (ruling C-58).
    """
    if not battle.coalition or not battle.opfor:
        return battle
    if battle.firing == "coalition":
        return (await coalition_fires(stage, battle))._replace(firing="opfor", answering=True)
    return (await opfor_fires(stage, battle))._replace(firing="coalition", answering=True)


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


ROUND: tuple[Part, ...] = (mob_strength, tactical_edge, fire_support, fire, fire, support_return, continuation)
"""[16.1(2), 16.1(3), 16.1(4)] The parts of a round in the printed order."""


async def fight(stage: Stage, battle: Battle) -> Battle:
    """[16.1(3), 16.1(5)] Round after round, until one side is declared the winner."""
    while battle.verdict is None:
        for part in ROUND:
            battle = await part(stage, battle)
    return battle
