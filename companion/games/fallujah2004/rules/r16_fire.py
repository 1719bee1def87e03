"""[16.2, 16.3] The fire procedure, with what changes hits [16.5, 16.6, 16.8], Collateral Damage [23.5] and the losses."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from companion.core.dice import RollOutcome, pool_outcomes
from companion.core.requests import Allot, Choice, Choose, Roll
from companion.core.text import die_range, plural
from companion.games.fallujah2004.rules.r16_stage import Battle, Fighter, Scene, Stage, Strike


@lru_cache(maxsize=4096)
def fire_outcomes(needs: tuple[int, ...], careless: tuple[bool, ...], most: int) -> tuple[RollOutcome, ...]:
    """The outcomes of a volley that make a difference: the number of hits up to ``most``, beyond which there is
    nothing left to hit [16.6], and the dice of 6 that do Collateral Damage.
    """
    rows = tuple(
        tuple((int(face <= need), int(wild and face == 6)) for face in range(1, 7))
        for need, wild in zip(needs, careless, strict=True)
    )
    found: dict[tuple[int, int], RollOutcome] = {}
    for outcome in pool_outcomes(rows, 1):
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

    def outcomes() -> tuple[RollOutcome, ...]:
        most = -(-len(battle.opfor) // scene.factor) + int(scene.strongpoint)
        careless = tuple(bool(scene.collateral) and wild(scene, firer) for firer in firers)
        return fire_outcomes(tuple(firer.fire for firer in firers), careless, most)

    faces = await Roll(
        "fire", lambda: f"The Coalition fires. In this order: {firer_list(firers)}", "16.2", len(firers), outcomes=outcomes
    )
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
    suggestion = max(range(len(equals)), key=lambda index: (equals[index].kind == "hvt", equals[index].contact))
    chosen = await Choose("opfor_loss", "Equally weak: which OPFOR unit is lost?", "16.3", choices, choices[suggestion].value)
    return equals[[choice.value for choice in choices].index(chosen)]


async def opfor_fires(stage: Stage, battle: Battle) -> Battle:
    """[16.2] Each OPFOR unit fires once; then the player places the hits [16.3]."""
    firers = battle.opfor

    def outcomes() -> tuple[RollOutcome, ...]:
        most = sum([one.steps for one in battle.coalition])
        return fire_outcomes(tuple([firer.fire for firer in firers]), (False,) * len(firers), most)

    faces = await Roll(
        "opfor_fire", lambda: f"OPFOR fires. In this order: {firer_list(firers)}", "16.2", len(firers), outcomes=outcomes
    )
    hits = raw_hits(firers, faces)
    stage.fired("opfor", firers, faces, hits, hits, battle)
    return battle._replace(coalition=await coalition_losses(stage, battle, hits))


async def coalition_losses(stage: Stage, battle: Battle, hits: int) -> tuple[Fighter, ...]:
    """[16.3] The player places each hit as he likes; where it makes no difference nobody is asked."""
    left = list(battle.coalition)
    names = [fighter.name or str(index) for index, fighter in enumerate(left)]
    told: list[str] = []
    for more in range(hits, 0, -1):
        if not left:
            break
        everything = more >= sum([fighter.steps for fighter in left])
        if not told and not everything and not _alike(left):
            told = list(await _hit_whom(stage, battle._replace(coalition=tuple(left)), names, more))
        at = names.index(told.pop(0)) if told else 0
        target = left[at]
        rest = target.hit()
        stage.coalition_hit(target, rest)
        left[at : at + 1] = [rest] if rest else []
        names[at : at + 1] = names[at : at + 1] if rest else []
    return tuple(left)


def _alike(fighters: Sequence[Fighter]) -> bool:
    """Whether it is all the same which of them is hit: one alone, or units that are only described and have equal values."""
    return len(fighters) == 1 or (not fighters[0].id and len({fighter[:-2] for fighter in fighters}) == 1)


def _hit_whom(stage: Stage, battle: Battle, names: Sequence[str], hits: int) -> Allot:
    """[16.3] The units that take the hits, each as often as it has strength steps; fewer may be named, and the rest is asked."""
    own = tuple(names)

    def rows() -> list[tuple[Choice, int]]:
        return [(Choice(name, fighter_text(one)), one.steps) for name, one in zip(own, battle.coalition, strict=True)]

    text = "Which unit takes the hit?" if hits == 1 else f"Which units take the {plural(hits, 'hit')}? (two on one: 2 x NAME)"
    request = Allot("hit", text, "16.3", rows, hits, lambda: [own[at] for at in stage.spared(battle, hits)])
    request.odds = stage.hit_odds(battle, hits)
    request.has_quick_odds = hits == 1
    return request


def fighter_text(fighter: Fighter) -> str:
    """A fighter for a list: name, values, and what a hit leaves of it."""
    rest = fighter.hit()
    then = f", then {rest.fire}({rest.contact})" if rest else ", last strength step"
    return f"{fighter.name} {fighter.fire}({fighter.contact}){then}"


def firer_list(firers: Sequence[Fighter | Strike]) -> str:
    """Who fires, each with the number it needs: ``3/1 hits on 1-3, Air Strike (3) on 1-3``."""
    return ", ".join(
        f"{firer.name or 'unit'} {'' if at else 'hits '}on {die_range(1, firer.fire, 6)}" for at, firer in enumerate(firers)
    )
