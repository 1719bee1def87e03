"""[12.7] Defensive Fire: its scene, modifiers and resolution."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.position import Piece
from companion.core.text import die_range
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules.r03_die import Lines, d10, die_text, modifiers, modifiers_text, total
from companion.games.phantomfury.rules.r13_combat import Scene, Stage, lose_step, pinned, reveal, without_unit
from companion.games.phantomfury.state import RUBBLE, SUSPECT, is_controlled, location_of, place, zone_marker, zone_of


class EntryPlace(NamedTuple):
    """The Location that a squad enters, Open Ground or Courtyard, and what covers it there [12.7.2]."""

    location: str
    tank: bool = False
    element: bool = False
    ruins: bool = False


def draws_fire(referee: FuryReferee, where: str) -> bool:
    """[12.7.1] True if a squad that enters a place draws Defensive Fire: C or OG of a Zone of the insurgents."""
    return location_of(where) in ("C", "OG") and not is_controlled(referee.position, zone_of(where))


def defence_modifiers(referee: FuryReferee, scene: Scene, entry: EntryPlace) -> Lines:
    """[12.7.2] The modifiers of an Insurgents unit's die; cumulative (ruling C-43)."""
    open_ground = entry.location == "OG"
    applies = (
        "fanaticism" if scene.fanatic else "",
        "tank" if open_ground and entry.tank else "",
        "alone" if open_ground and not entry.tank else "",
        "element" if entry.element and not open_ground else "",
        "ruins" if entry.ruins and not open_ground else "",
    )
    return modifiers(referee, "defence_modifiers", "modifier", *applies)


def defence_result(final: int, cf: int) -> str:
    """[12.7.2] Below the CF a Step Loss, equal to it Pinned, above it nothing."""
    return "loss" if final < cf else "pinned" if final == cf else ""


async def resolve_defender(referee: FuryReferee, scene: Scene, entry: EntryPlace, stage: Stage) -> tuple[Scene, bool]:
    """[12.7.2, 12.7.3] Resolve the first enemy of the scene: a unit fires, a Suspect may be Activated and then fire.

    Returns:
        The scene, with that enemy still first if it remains, and whether it remains.
    """
    if scene.enemies[0].kind == SUSPECT:
        cf = scene.squad.now
        who = f"Suspect{stage.at}"
        face = await d10(
            "wakes", f"{who}: quiet on {die_range(0, cf)}, Activated on {die_range(cf + 1, 9)}", "12.7.3", lambda die: die > cf
        )
        if face <= cf:
            stage.say(f"{who}: {face}, quiet on {die_range(0, cf)}. It keeps quiet.", "12.7.3")
            return scene, True
        stage.say(f"{who}: {face}, quiet on {die_range(0, cf)}. It is ACTIVATED.", "12.7.3")
        scene = await reveal(referee, scene, stage)
        after = await without_unit(scene, stage)
        if after is not None:
            return after, False
    return await unit_fires(referee, scene, entry, stage), True


async def unit_fires(referee: FuryReferee, scene: Scene, entry: EntryPlace, stage: Stage) -> Scene:
    """[12.7.2] One Insurgents unit fires."""
    enemy = scene.enemies[0]
    lines = defence_modifiers(referee, scene, entry)
    extra = total(lines)
    face = await d10(
        "defence",
        lambda: (
            f"{enemy.kind.title()} CF {enemy.cf} fire as you enter{f' (die {extra:+d})' if extra else ''}:"
            f" under {enemy.cf} a Step Loss, {enemy.cf} exactly Pinned"
        ),
        "12.7.2",
        lambda die: defence_result(die + extra, enemy.cf),
    )
    result = defence_result(face + extra, enemy.cf)
    word = {"loss": "STEP LOSS", "pinned": "PINNED", "": "No effect"}[result]
    stage.say(
        lambda: f"Defensive Fire of {enemy.kind.title()} CF {enemy.cf}: {die_text(face, lines)}. {word}.",
        "12.7.2",
        lambda: modifiers_text(lines),
    )
    if result == "loss":
        return await lose_step(scene, stage, "12.7.2", "Defensive Fire")
    return await pinned(scene, stage, "12.7.2", "Defensive Fire") if result else scene


def entry_at(referee: FuryReferee, squad: Piece, where: str) -> EntryPlace:
    """[12.7.2] What covers a squad that enters a Courtyard or Open Ground."""
    zone = zone_of(where)
    at_home = any(element.place == where and element.values.get("squad") == squad.id for element in referee.elements_in(zone))
    tank = referee.tank_in(place(zone, "OG")) is not None
    return EntryPlace(location_of(where), tank, at_home, zone_marker(referee.position, zone, RUBBLE) is not None)


def defenders(referee: FuryReferee, zone: str) -> list[Piece]:
    """[12.7.1] The enemies that defend a Zone, in order: units, then Suspects (ruling C-11)."""
    return sorted(referee.enemies_in(zone), key=lambda piece: piece.kind == SUSPECT)
