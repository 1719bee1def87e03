"""[13.4, 13.5] One Assault, on a small value: on the table (assault.py), described, and silently for odds (chances.py)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from companion.core.dice import RollOutcome, grouped_rolls
from companion.core.requests import Draw, Roll
from companion.core.text import die_range
from companion.games.phantomfury.names import INSURGENTS_CUP, SUSPECT
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import added_up, d10, hits, on_chart, reach, shown, total
from companion.games.phantomfury.rules.r05_losses import ask_loss
from companion.games.phantomfury.rules.r05_suspects import AMBUSH, DUMMY, roll_activation
from companion.games.phantomfury.rules.r13_scene import EXPLOSIVES_CF, Cup, Enemy, Scene, Stage, Weights, added, weights
from companion.games.phantomfury.words.counters import GUERILLAS, MARTYRS, sides


class Outcomes(NamedTuple):
    """The result of an Assault: the scene (without the enemy if its Location is empty), and whether it is empty."""

    scene: Scene
    empty: bool


async def assault_one(referee: Fury, scene: Scene, kind: str, stage: Stage) -> Outcomes:
    """[13.4] Assault the first enemy of the scene, from Activation to retreat."""
    return await resolve(referee, await reveal(referee, scene, stage), kind, stage)


# -- Activation --------------------------------------------------------------------------------------------------------


async def reveal(referee: Fury, scene: Scene, stage: Stage) -> Scene:
    """[13.4.1, 5.3.3, 5.3.4] Activate a Suspect in front: it becomes a Dummy, an IED or a unit."""
    if scene.enemies[0].kind != SUSPECT:
        return scene
    rule = "5.3.4" if scene.fortified else "5.3.3"
    face, result = await roll_activation(referee, f"the Suspect{stage.at}", scene.fortified)
    if result in (DUMMY, AMBUSH) or not scene.cup:
        text = "an IED" if result == AMBUSH else "a Dummy"
        stage.say(f"The Suspect: {face}, {text}.", rule)
        await stage.gone(rule, text)
        return scene.first(Enemy(AMBUSH if result == AMBUSH else DUMMY))
    name = await Draw("insurgent", f"Insurgents unit ({result.title()} side)", rule, INSURGENTS_CUP, dict(scene.cup))
    await stage.drawn(name, result, rule, face)
    unit = Enemy(result, sides(name)[result], name, True)
    return scene.first(unit)._replace(cup=added(scene.cup, name, -1))


async def went_off(scene: Scene, stage: Stage) -> Scene | None:
    """[5.3.3, 5.3.4] The scene after a Dummy or an IED in front; None if a unit is in front."""
    kind = scene.enemies[0].kind
    if kind not in (DUMMY, AMBUSH):
        return None
    return await ied(scene.rest(), stage) if kind == AMBUSH else scene.rest()


async def ied(scene: Scene, stage: Stage) -> Scene:
    """[13.5] Resolve an IED: Pinned up to the CF, a Step Loss above."""
    cf = scene.squad.now
    face = await d10(
        "ied",
        f"IED: on {die_range(0, cf)} the squad is Pinned, on {die_range(cf + 1, 9)} it takes a Step Loss",
        "13.5",
        lambda die: die <= cf,
    )
    if face <= cf:
        stage.say(f"IED: {face}, Pinned on {die_range(0, cf)}. PINNED.", "13.5")
        return await pinned(scene, stage, "13.5", "IED")
    stage.say(f"IED: {face}, Pinned on {die_range(0, cf)}. STEP LOSS.", "13.5")
    return await lose_step(scene, stage, "13.5", "IED")


async def pinned(scene: Scene, stage: Stage, rule: str, why: str) -> Scene:
    """[11.5] Pin the squad."""
    await stage.pinned(rule, why)
    return scene.with_squad(scene.squad._replace(pinned=True))


async def lose_step(scene: Scene, stage: Stage, rule: str, why: str) -> Scene:
    """[5.1.1.1, 5.1.1.2] Apply a Step Loss to the squad or its CAAT, as the player chooses."""
    squad = scene.squad
    who = await ask_loss(squad.caat, squad.steps == 1 or squad.spent)
    await stage.hurt(who, rule, why)
    if who == "caat":
        return scene.with_squad(squad._replace(caat=False))
    return scene.with_squad(squad._replace(steps=squad.steps - 1, caat=squad.caat and squad.steps > 1))


# -- the clash ---------------------------------------------------------------------------------------------------------


async def resolve(referee: Fury, scene: Scene, kind: str, stage: Stage) -> Outcomes:
    """[13.4.2, 13.5] Resolve the Activated enemy in front: a Dummy, an IED, or a clash."""
    after = await went_off(scene, stage)
    if after is not None:
        return Outcomes(after, True)
    return await clash(referee, scene, kind, await stage.explosives(scene, kind), stage)


class Aim(NamedTuple):
    """What the dice of a clash are compared with.

    Attributes:
        need: The squad hits on this or less.
        cf: The CF of the Insurgents.
        fallen: Their modifier if their unit is eliminated.
        standing: Their modifier if it is not.
    """

    need: int
    cf: int
    fallen: int
    standing: int


def aim(scene: Scene, lines: Weights, explosives: bool, extra: int = 0) -> Aim:
    """[13.4.2, 13.7.1] What the dice of a clash are compared with.

    Args:
        extra: The bonus of an Event to the squad's CF.
    """
    cf = EXPLOSIVES_CF if explosives else scene.squad.now + extra
    return Aim(cf - total(lines.squad), scene.enemies[0].cf, total(lines.fallen), total(lines.standing))


def struck(goal: Aim, roll: tuple[int, ...], drugged: bool) -> tuple[bool, bool]:
    """[13.4.2, 13.4.3] Whether the squad hits, and whether the Insurgents do. Drugged Fighters are not eliminated."""
    ours, theirs = roll
    kill = hits(ours, 0, goal.need)
    return kill, hits(theirs, goal.fallen if kill and not drugged else goal.standing, goal.cf)


@lru_cache(maxsize=4096)
def _outcomes(goal: Aim) -> tuple[RollOutcome, ...]:
    """Both dice merged by their effect. With one 0, an Event may change both CFs before the other die counts."""

    def read(roll: tuple[int, ...]) -> object:
        ours, theirs = roll
        if ours == 0 < theirs:
            either = (goal.fallen, goal.standing)
            return "ours", [hits(theirs, plus, goal.cf - less) for plus in either for less in (0, 1)].count(True)
        if theirs == 0 < ours:
            return "theirs", [hits(ours, 0, goal.need + more) for more in (0, 1, 2)].count(True)
        return struck(goal, roll, False)

    return grouped_rolls(2, 10, 0, read)


async def clash(referee: Fury, scene: Scene, kind: str, explosives: bool, stage: Stage) -> Outcomes:
    """[13.4.2] Both sides roll; Events come first, then both results apply simultaneously."""
    roll = await throw(aim(scene, weights(referee, scene, kind, explosives), explosives), kind, scene.enemies[0].kind)
    return await results(referee, await events(referee, scene, roll, stage), kind, explosives, roll, stage)


async def throw(goal: Aim, kind: str, enemy: str) -> tuple[int, ...]:
    """[13.4.2] Roll the dice of both sides."""
    return await Roll(
        "assault",
        lambda: f"{kind.title()} Assault: roll the squad (hits on {reach(goal.need)}), then the {enemy.title()} (CF {goal.cf})",
        "13.4.2",
        2,
        10,
        0,
        lambda: _outcomes(goal),
    )


class Swing(NamedTuple):
    """The effect of Events on an Assault.

    Attributes:
        over: The Assault is not resolved.
        empty: The Location is empty.
        extra: CF bonus of the squad.
        drugged: Drugged Fighters are in effect.
    """

    scene: Scene
    over: bool = False
    empty: bool = False
    extra: int = 0
    drugged: bool = False


async def events(referee: Fury, scene: Scene, roll: tuple[int, ...], stage: Stage) -> Swing:
    """[13.4.3] Determine and apply the Event, if any."""
    ours, theirs = roll
    if ours == theirs == 0:
        stage.say("Both sides rolled 0: no Event.", "13.4.3.1")
    if (ours == 0) == (theirs == 0):
        return Swing(scene)
    if theirs == 0 and scene.quiet:
        stage.say("The Insurgents' Event is nullified: No Insurgents Event marker.", "13.4.3.1")
        return Swing(scene)
    if scene.squad.iif and scene.mosque:
        return await _event(referee, scene, "iif_events", "13.4.3.4", stage)
    if ours == 0:
        if scene.squad.iif:
            stage.say("A 0 by an IIF squad outside Zone 26: it has no Events there.", "5.1.6.2")
            return Swing(scene)
        return await _event(referee, scene, "usmc_events", "13.4.3", stage)
    return await _event(referee, scene, "insurgent_events", "13.4.3", stage)


async def _event(referee: Fury, scene: Scene, table: str, rule: str, stage: Stage) -> Swing:
    chart = referee.chart(table)
    face, event = await on_chart(referee, table, "event", "event", chart.title, rule)
    stage.say(lambda: f"Event: {face}, {chart.text(face, 'title')}: {chart.text(face, 'effect')}", rule)
    return await _effect(scene, event, stage)


async def _effect(scene: Scene, event: str, stage: Stage) -> Swing:
    """Apply one Event."""
    enemy = scene.enemies[0]
    if event == "fury":
        await stage.fury()
        return Swing(scene._replace(fury=True))
    if event == "hero":
        if scene.squad.hero == 2:
            stage.say("The squad's Hero has the Medal of Honor already: nothing changes.", "5.1.5.2")
            return Swing(scene)
        level = scene.squad.hero + 1
        await stage.hero(level)
        return Swing(scene.with_squad(scene.squad._replace(hero=level)))
    if event == "sniper" and enemy.cf == 1:
        await stage.eliminated("13.4.3", "USMC sniper")
        return Swing(scene.rest(), True, True)
    if event == "sniper" or (event == "flight" and enemy.kind == GUERILLAS and enemy.cf > 1):
        return Swing(await weaken(scene, stage, "13.4.3", "USMC sniper" if event == "sniper" else "Flight"))
    if event == "fanaticism":
        await stage.fanatic()
        return Swing(scene._replace(fanatic=True))
    if event == "confusion":
        return Swing(scene, True)
    if event == "bomber" and enemy.kind == MARTYRS:
        await stage.eliminated("13.4.3", "Suicide Bomber")
        await stage.destroyed("13.4.3", "Suicide Bomber")
        return Swing(scene.rest().with_squad(scene.squad._replace(steps=0)), True, True)
    if event in ("al_fajr", "fallujah"):
        return Swing(scene, extra=2 if event == "al_fajr" else 1)
    if event == "drugged":
        return Swing(scene, drugged=True)
    stage.say("It has no effect here.", "13.4.3")
    return Swing(scene)


async def results(referee: Fury, swing: Swing, kind: str, explosives: bool, roll: tuple[int, ...], stage: Stage) -> Outcomes:
    """[13.4.2, 13.4.7] Apply both Step Losses simultaneously, then the Insurgents' reaction."""
    scene = swing.scene
    if swing.over:
        return Outcomes(scene, swing.empty)
    enemy = scene.enemies[0]
    lines = weights(referee, scene, kind, explosives)
    goal = aim(scene, lines, explosives, swing.extra)
    kill, loss = struck(goal, roll, swing.drugged)
    survives = not kill or swing.drugged
    answer = lines.standing if survives else lines.fallen
    ours, theirs = roll
    stage.say(
        lambda: (
            f"{'Explosives' if explosives else 'Squad'}: {added_up(ours, lines.squad)},"
            f" needs {die_range(0, goal.need + total(lines.squad))}: {_hit(kill)};"
            f" {enemy.kind.title()}: {added_up(theirs, answer)}, needs {die_range(0, enemy.cf)}: {_hit(loss)}."
        ),
        "13.4.2",
        lambda: f"squad: {shown(lines.squad)}",
        lambda: f"{enemy.kind.title()}: {shown(answer)}",
        *(["an unmodified 9 never hits"] if 9 in roll else []),
    )
    if kill and swing.drugged:
        stage.say("Drugged Fighters: the unit is weakened instead of eliminated.", "13.4.3")
        scene = await weaken(scene, stage, "13.4.3", "Drugged Fighters")
    elif kill:
        await stage.eliminated("13.4.2", "Assault")
        scene = scene.rest()
    if loss:
        scene = await lose_step(scene, stage, "13.4.2", "Assault")
    return await aftermath(scene, stage) if survives else Outcomes(scene, True)


def _hit(hit: bool) -> str:
    return "HIT" if hit else "miss"


async def aftermath(scene: Scene, stage: Stage) -> Outcomes:
    """[13.4.7.1] A surviving unit: Martyrs stay, Guerillas retreat if they may and can."""
    if scene.enemies[0].kind != GUERILLAS:
        stage.say("Martyrs stay where they are.", "13.4.7.1")
        return Outcomes(scene, False)
    if scene.mosque or scene.fanatic:
        stage.say(f"The Guerillas stay: {'they are in Zone 26' if scene.mosque else 'Fanaticism'}.", "13.6.1")
        return Outcomes(scene, False)
    if scene.kept:
        stage.say("A Security Element keeps the Guerillas from retreating.", "13.6.4")
        scene = await weaken(scene, stage, "13.6.4", "retreat refused")
        await stage.kept()
        return Outcomes(scene._replace(quiet=True), False)
    if await stage.retreat(scene):
        return Outcomes(scene.fled(), True)
    return Outcomes(scene, False)


async def weaken(scene: Scene, stage: Stage, rule: str, why: str) -> Scene:
    """Swap the first enemy for one of its type with CF 1 lower, unless its CF is 1 or the cup has none."""
    enemy = scene.enemies[0]
    if enemy.cf == 1:
        stage.say("Its CF is 1: it stays unchanged.", rule, why)
        return scene
    await stage.weakened(enemy.cf - 1, rule, why)
    name = spare(scene.cup, enemy)
    if scene.cup is not None and not name:
        return scene
    cup = added(added(scene.cup, name, -1), enemy.name, 1)
    return scene.first(enemy._replace(cf=enemy.cf - 1, name=name))._replace(cup=cup)


@lru_cache(maxsize=4096)
def spare(cup: Cup | None, unit: Enemy) -> str:
    """The counter in the cup for a weakened unit; "" if there is none."""
    return next((name for name, _ in cup or () if sides(name).get(unit.kind) == unit.cf - 1), "")


# -- Flooding ----------------------------------------------------------------------------------------------------------


def no_flooding(scene: Scene) -> tuple[str, str] | None:
    """[4.1.5, 11.5, 13.4.8.2] Why a squad can neither start nor continue Flooding: (why, rule)."""
    squad = scene.squad
    if scene.fortified:
        return "the Zone is Fortified", "4.1.5"
    if squad.pinned:
        return "the squad is Pinned", "11.5"
    return (f"the squad's CF is {squad.now}, 4 or less", "13.4.8.2") if squad.now <= 4 else None


def flooding_over(out: Outcomes) -> tuple[str, str] | None:
    """[13.4.8.1] Why Flooding ends after an Assault: (why, rule); None while it continues."""
    if not out.scene.squad.steps:
        return "the squad is eliminated", "13.4.8.1"
    if not out.empty:
        return "the Location is still held", "13.4.8.1"
    if not out.scene.enemies:
        return "the squad gets next to no other enemy" if out.scene.apart else "the Zone is clear", "13.4.8.1"
    return no_flooding(out.scene)


def may_flood(scene: Scene) -> bool:
    """[13.4.7.2] True if a squad that has come down from the roof can flood."""
    return flooding_over(Outcomes(scene, True)) is None


def must_flood(scene: Scene) -> bool:
    """[13.4.7.2] True if Flooding is compulsory: the squad is at full strength."""
    return scene.squad.steps == 2


def flood_order(locations: Iterable[str]) -> list[str]:
    """[13.4.8] Sort Locations into the order of Flooding: 2', 1, 1'; the others by ruling C-19."""
    order = ("2'", "2", "1", "1'", "1''", "C", "OG", "R")
    return sorted(locations, key=order.index)
