"""[12.7] Defensive Fire: on the table and, on a small value, for odds."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.dice import grouped
from companion.core.referee import Referee
from companion.core.requests import Roll
from companion.games.phantomfury.counters import SUSPECT
from companion.games.phantomfury.melee import lose_step, pinned, unmask
from companion.games.phantomfury.scene import Field, Lines, Scene, shown, total


class Entry(NamedTuple):
    """Where the squad is: Open Ground or Courtyard, and what covers it [12.7.2]."""

    location: str
    tank: bool = False
    element: bool = False
    ruins: bool = False


def defence_modifiers(scene: Scene, entry: Entry) -> Lines:
    """[12.7.2] What is added to the die of an Insurgents unit, one by one; cumulative (ruling C-43)."""
    open_ground = entry.location == "OG"
    found = [("alone in Open Ground", -1)] if open_ground and not entry.tank else []
    found += [("Fanaticism", -1)] if scene.fanatic else []
    found += [("with an M1A1 in Open Ground", 1)] if open_ground and entry.tank else []
    found += [("Security Element in the Courtyard", 1)] if not open_ground and entry.element else []
    found += [("Courtyard of a Ruins Zone", 1)] if not open_ground and entry.ruins else []
    return tuple(found)


def defence_result(final: int, cf: int) -> str:
    """[12.7.2] Below the CF a Step Loss, on it Pinned, above it nothing."""
    return "loss" if final < cf else "pinned" if final == cf else ""


async def meet(game: Referee, scene: Scene, entry: Entry, field: Field) -> tuple[Scene, bool]:
    """[12.7.2, 12.7.3] The first enemy of the scene has its turn: a unit fires, a Suspect may wake and then fire.

    Returns the scene, still with that enemy first where it is there, and whether it is.
    """
    if scene.enemies[0].kind != SUSPECT:
        return await unit_fires(scene, entry, field), True
    cf = scene.squad.now
    roll = await Roll(
        "wakes",
        f"Suspect: Activated above CF {cf}",
        "12.7.3",
        sides=10,
        lowest=0,
        outcomes=lambda: grouped(1, 10, 0, lambda faces: faces[0] > cf),
    )
    if roll[0] <= cf:
        field.say(f"Suspect: {roll[0]} <= CF {cf}, it keeps quiet.", "12.7.3")
        return scene, True
    field.say(f"Suspect: {roll[0]} > CF {cf}, it is Activated.", "12.7.3")
    met = await unmask(game, scene, field)
    if met.empty:
        return met.scene, False
    return await unit_fires(met.scene, entry, field), True


async def unit_fires(scene: Scene, entry: Entry, field: Field) -> Scene:
    """[12.7.2] One Insurgents unit fires."""
    enemy = scene.enemies[0]
    lines = defence_modifiers(scene, entry)
    extra = total(lines)
    roll = await Roll(
        "defence",
        f"Defensive Fire of {enemy.kind.title()} CF {enemy.cf} ({extra:+d}): a loss below {enemy.cf}, Pinned on it",
        "12.7.2",
        sides=10,
        lowest=0,
        outcomes=lambda: grouped(1, 10, 0, lambda faces: defence_result(faces[0] + extra, enemy.cf)),
    )
    final = roll[0] + extra
    result = defence_result(final, enemy.cf)
    word = {"loss": "a Step Loss", "pinned": "Pinned", "": "no effect"}[result]
    text = "".join(f"{value:+d}" for _, value in lines)
    field.say(
        f"Defensive Fire of {enemy.kind.title()} CF {enemy.cf}: {roll[0]}{text}{f' = {final}' if lines else ''}: {word}.",
        "12.7.2",
        shown(lines),
    )
    if result == "loss":
        return await lose_step(scene, field, "12.7.2", "Defensive Fire")
    return await pinned(scene, field, "12.7.2", "Defensive Fire") if result else scene
