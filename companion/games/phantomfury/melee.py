"""[13.4, 13.5, 13.4.8] One Assault, on a small value: fought on the table (assault.py) and on paper for odds (chances.py)."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from companion.core.dice import Outcome, grouped
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, Draw, Roll
from companion.games.phantomfury.counters import GUERILLAS, MARTYRS, SUSPECT, sides
from companion.games.phantomfury.scene import (
    BOTTOM_UP,
    EXPLOSIVES_CF,
    NORMAL,
    TOP_DOWN,
    TYPES,
    Enemy,
    Field,
    Fighter,
    Lines,
    Scene,
    added,
    enemy_modifiers,
    hits,
    shown,
    squad_modifiers,
    total,
)

__all__ = ["BOTTOM_UP", "NORMAL", "TOP_DOWN", "TYPES", "Enemy", "Field", "Fighter", "Scene", "assault_one", "may_flood"]


@lru_cache(maxsize=4096)
def _outcomes(need: int, cf: int, eliminated: int, survived: int) -> tuple[Outcome, ...]:
    """Both dice: a roll with one 0 is an Event and counts for itself, the others by what they do."""

    def read(roll: tuple[int, ...]) -> object:
        ours, theirs = roll
        if (ours == 0) != (theirs == 0):
            return roll
        kill = ours != 9 and ours <= need
        loss = hits(theirs, eliminated if kill else survived, cf)
        return "plain", kill, loss  # not (kill, loss): True is 1, and it would be taken for a roll with a 0

    return grouped(2, 10, 0, read)


class Outcomes(NamedTuple):
    """What an Assault leaves: the scene (without the enemy where its Location is empty), and whether it is empty."""

    scene: Scene
    empty: bool


async def assault_one(game: Referee, scene: Scene, kind: str, field: Field) -> Outcomes:
    """[13.4] Assault the first enemy of the scene, from Activation to retreat."""
    fresh = scene.enemies[0].kind == SUSPECT
    if fresh:
        met = await unmask(game, scene, field)
        if met.empty or not met.scene.squad.steps or met.scene.squad.pinned:
            return met
        scene = met.scene
    explosives = await field.explosives(scene, kind, fresh)
    return await clash(game, scene, kind, fresh, explosives, field)


async def unmask(game: Referee, scene: Scene, field: Field) -> Outcomes:
    """[13.4.1, 5.3.3, 5.3.4] Activate the Suspect in front: it goes, or becomes a unit, or goes off."""
    column = "fortified" if scene.fortified else "normal"
    chart = game.chart("activation")
    rule = "5.3.4" if scene.fortified else "5.3.3"
    roll = await Roll(
        "activate",
        "Activate the Suspect",
        rule,
        sides=10,
        lowest=0,
        outcomes=lambda: grouped(1, 10, 0, lambda faces: chart.text(faces[0], column)),
    )
    result = chart.text(roll[0], column)
    if result == "dummy" or (result != "ied" and not scene.cup):
        field.say(f"The Suspect: {roll[0]}, a Dummy.", rule)
        await field.gone(rule, "a Dummy")
        return Outcomes(scene.rest(), True)
    if result == "ied":
        field.say(f"The Suspect: {roll[0]}, an IED.", rule)
        await field.gone(rule, "an IED")
        return Outcomes(await ied(scene.rest(), field), True)
    name = await Draw("insurgent", f"Insurgents unit ({result.title()} side)", rule, "insurgents cup", dict(scene.cup))
    await field.drawn(name, result, rule, roll[0])
    drawn = Enemy(result, sides(name)[result], name)
    return Outcomes(scene.first(drawn)._replace(cup=added(scene.cup, name, -1)), False)


async def ied(scene: Scene, field: Field) -> Scene:
    """[13.5] Pinned up to the CF, a Step Loss above."""
    cf = scene.squad.now
    roll = await Roll(
        "ied",
        f"IED: {cf} or less Pins",
        "13.5",
        sides=10,
        lowest=0,
        outcomes=lambda: grouped(1, 10, 0, lambda faces: faces[0] <= cf),
    )
    if roll[0] <= cf:
        field.say(f"IED: {roll[0]} <= CF {cf}: Pinned.", "13.5")
        return await pinned(scene, field, "13.5", "IED")
    field.say(f"IED: {roll[0]} > CF {cf}: a Step Loss.", "13.5")
    return await lose_step(scene, field, "13.5", "IED")


async def pinned(scene: Scene, field: Field, rule: str, why: str) -> Scene:
    """[11.5] The squad is Pinned."""
    await field.pinned(rule, why)
    return scene.with_squad(scene.squad._replace(pinned=True))


async def lose_step(scene: Scene, field: Field, rule: str, why: str) -> Scene:
    """[5.1.1.1, 5.1.1.2] A Step Loss on the squad or its CAAT, as the player likes."""
    squad, who = scene.squad, "squad"
    if squad.caat:
        choices = [Choice("squad", "the squad"), Choice("caat", "its CAAT")]
        reduced = squad.steps == 1
        who = await Choose("loss", "A Step Loss: who takes it", "5.1.1.2", choices, "caat" if reduced else "squad")
    await field.hurt(who, rule, why)
    return (
        scene.with_squad(squad._replace(caat=False))
        if who == "caat"
        else scene.with_squad(squad._replace(steps=squad.steps - 1, caat=squad.caat and squad.steps > 1))
    )


async def clash(game: Referee, scene: Scene, kind: str, fresh: bool, explosives: bool, field: Field) -> Outcomes:
    """[13.4.2] Both sides roll; Events come first, then both results count at once."""
    lines = () if explosives else squad_modifiers(scene, kind, fresh)
    cf = EXPLOSIVES_CF if explosives else scene.squad.now
    silent = explosives and scene.both
    low = 0 if silent else total(enemy_modifiers(scene, kind, False))
    high = 0 if silent else total(enemy_modifiers(scene, kind, True))
    need = cf - total(lines)
    enemy = scene.enemies[0]
    roll = await Roll(
        "assault",
        lambda: f"{kind.title()} Assault: squad die (hits on {need} or less), then {enemy.kind.title()} die (CF {enemy.cf})",
        "13.4.2",
        2,
        10,
        0,
        lambda: _outcomes(need, enemy.cf, low, high),
    )
    known = await events(game, scene, roll, field)
    if known.over:
        return Outcomes(known.scene, known.empty)
    scene = known.scene
    return await results(scene, kind, fresh, explosives, roll, known, field)


class Known(NamedTuple):
    """What Events changed before the Assault is resolved."""

    scene: Scene
    over: bool = False
    empty: bool = False
    extra: int = 0
    drugged: bool = False


async def events(game: Referee, scene: Scene, roll: tuple[int, ...], field: Field) -> Known:
    """[13.4.3] Whose Event it is, if any, and its effect."""
    ours, theirs = roll
    if ours == theirs == 0:
        field.say("Both sides rolled 0: no Event.", "13.4.3.1")
    if (ours == 0) == (theirs == 0):
        return Known(scene)
    if scene.squad.iif and scene.mosque:
        return await _event(game, scene, "iif_events", "13.4.3.4", field)
    if ours == 0:
        if scene.squad.iif:
            field.say("A 0 by an IIF squad outside Zone 26: it has no Events there.", "5.1.6.2")
            return Known(scene)
        return await _event(game, scene, "usmc_events", "13.4.3", field)
    if scene.quiet:
        field.say("The Insurgents' Event is nullified: No Insurgents Event marker.", "13.4.3.1")
        return Known(scene)
    return await _event(game, scene, "insurgent_events", "13.4.3", field)


async def _event(game: Referee, scene: Scene, table: str, rule: str, field: Field) -> Known:
    chart = game.chart(table)
    roll = await Roll(
        "event",
        f"{chart.title}",
        rule,
        sides=10,
        lowest=0,
        outcomes=lambda: grouped(1, 10, 0, lambda faces: chart.text(faces[0], "event")),
    )
    event = chart.text(roll[0], "event")
    field.say(f"Event: {roll[0]}, {chart.text(roll[0], 'title')}: {chart.text(roll[0], 'effect')}", rule)
    return await _effect(scene, event, field)


async def _effect(scene: Scene, event: str, field: Field) -> Known:
    """What one Event does."""
    enemy = scene.enemies[0]
    if event == "fury":
        await field.fury()
        return Known(scene._replace(fury=True))
    if event == "hero":
        level = min(scene.squad.hero + 1, 2)
        await field.hero(level)
        return Known(scene.with_squad(scene.squad._replace(hero=level)))
    if event == "sniper" and enemy.cf == 1:
        await field.eliminated("13.4.3", "USMC sniper")
        return Known(scene.rest(), True, True)
    if event == "sniper" or (event == "flight" and enemy.kind == GUERILLAS and enemy.cf > 1):
        return Known(await weaken(scene, field, "13.4.3", "USMC sniper" if event == "sniper" else "Flight"))
    if event == "fanaticism":
        await field.fanatic()
        return Known(scene._replace(fanatic=True))
    if event == "confusion":
        return Known(scene, True)
    if event == "bomber" and enemy.kind == MARTYRS:
        await field.eliminated("13.4.3", "Suicide Bomber")
        await field.destroyed("13.4.3", "Suicide Bomber")
        return Known(scene.rest().with_squad(scene.squad._replace(steps=0)), True, True)
    if event in ("al_fajr", "fallujah"):
        return Known(scene, extra=2 if event == "al_fajr" else 1)
    if event == "drugged":
        return Known(scene, drugged=True)
    field.say("It has no effect here.", "13.4.3")
    return Known(scene)


async def results(
    scene: Scene, kind: str, fresh: bool, explosives: bool, roll: tuple[int, ...], known: Known, field: Field
) -> Outcomes:
    """[13.4.2, 13.4.7] Both Step Losses at once, then what the Insurgents do."""
    ours, theirs = roll
    enemy = scene.enemies[0]
    lines = () if explosives else squad_modifiers(scene, kind, fresh)
    cf = EXPLOSIVES_CF if explosives else scene.squad.now + known.extra
    kill = hits(ours, total(lines), cf)
    survives = not kill or known.drugged
    answer = () if explosives and scene.both else enemy_modifiers(scene, kind, survives)
    loss = hits(theirs, total(answer), enemy.cf)
    field.say(
        f"{'Explosives' if explosives else 'Squad'}: {ours}{_sum(ours, lines)} against CF {cf}: {'hit' if kill else 'no hit'}; "
        f"{enemy.kind.title()}: {theirs}{_sum(theirs, answer)} against CF {enemy.cf}: {'hit' if loss else 'no hit'}.",
        "13.4.2",
        f"squad: {shown(lines)}",
        f"{enemy.kind.title()}: {shown(answer)}",
        *(["an unmodified 9 never hits"] if 9 in roll else []),
    )
    if kill and known.drugged:
        field.say("Drugged Fighters: the unit is weakened instead of eliminated.", "13.4.3")
        scene = await weaken(scene, field, "13.4.3", "Drugged Fighters")
    elif kill:
        await field.eliminated("13.4.2", "Assault")
        scene = scene.rest()
    if loss:
        scene = await lose_step(scene, field, "13.4.2", "Assault")
    if not survives:
        return Outcomes(scene, True)
    return await aftermath(scene, field)


def _sum(face: int, lines: Lines) -> str:
    return f"{''.join(f'{value:+d}' for _, value in lines)} = {face + total(lines)}" if lines else ""


async def aftermath(scene: Scene, field: Field) -> Outcomes:
    """[13.4.7.1] A unit that survived: Martyrs stay, Guerillas retreat if they may and can."""
    enemy = scene.enemies[0]
    if enemy.kind != GUERILLAS:
        field.say("Martyrs stay where they are.", "13.4.7.1")
        return Outcomes(scene, False)
    if scene.mosque or scene.fanatic:
        field.say(f"The Guerillas stay: {'they are in Zone 26' if scene.mosque else 'Fanaticism'}.", "13.6.1")
        return Outcomes(scene, False)
    if scene.kept:
        field.say("A Security Element keeps the Guerillas from retreating.", "13.6.4")
        scene = await weaken(scene, field, "13.6.4", "retreat refused")
        await field.kept()
        return Outcomes(scene._replace(quiet=True), False)
    if await field.retreat(scene):
        return Outcomes(scene.fled(), True)
    return Outcomes(scene, False)


async def weaken(scene: Scene, field: Field, rule: str, why: str) -> Scene:
    """The first enemy is swapped for one of its type with a CF lower by 1, if it is not 1 and the cup holds one."""
    enemy = scene.enemies[0]
    if enemy.cf == 1:
        field.say("Its CF is 1: it stays unchanged.", rule, why)
        return scene
    names = [name for name, _ in scene.cup if sides(name)[enemy.kind] == enemy.cf - 1]
    await field.weakened(enemy.cf - 1, rule, why)
    if scene.cup and not names:  # the same cup as on the table, where the swap then fails (ruling C-57)
        return scene
    name = names[0] if names else ""
    cup = added(added(scene.cup, name, -1), enemy.name, 1)
    return scene.first(Enemy(enemy.kind, enemy.cf - 1, name))._replace(cup=cup)


def may_flood(scene: Scene) -> bool:
    """[13.4.7.2, 13.4.8.2] Whether the squad can start or go on Flooding."""
    squad = scene.squad
    return bool(scene.enemies) and squad.steps > 0 and not squad.pinned and squad.now > 4 and not scene.fortified


def flood_order(locations: Iterable[str]) -> list[str]:
    """[13.4.8] The order in which Locations are flooded: 2', 1, 1'; the others by ruling C-19."""
    order = ("2'", "2", "1", "1'", "1''", "C", "OG", "R")
    return sorted(locations, key=order.index)
