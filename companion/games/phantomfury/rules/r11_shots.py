"""[11.2, 11.4] Shots and Sniper Attacks: modifiers, dice, effects."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from companion.core.odds import distribution
from companion.core.position import Piece
from companion.core.requests import LazyText
from companion.core.text import die_range, plural
from companion.games.phantomfury.notation.counters import GUERILLAS, MARTYRS
from companion.games.phantomfury.referee import FuryReferee
from companion.games.phantomfury.rules.r03_die import Lines, d10, hits, modifiers, total
from companion.games.phantomfury.rules.r05_counters import pin, step_loss
from companion.games.phantomfury.state import SUSPECT, street, zone_of

AMMO_BONUS = 2
"""[11.1.2.1] The CF bonus of CAAT Ammo."""


class Shot(NamedTuple):
    """A shot as a value.

    Attributes:
        cf: CF of the firer.
        target: Kind of the target.
        roof: The target is on a Rooftop.
        strong: The target is in a Fortified Zone.
        fury: Phantom Fury is in effect.
    """

    cf: int
    target: str
    roof: bool
    strong: bool
    fury: bool = False


def fire_modifiers(referee: FuryReferee, shot: Shot) -> Lines:
    """[11.2.1] The modifiers of a shot."""
    unit = shot.target in (GUERILLAS, MARTYRS)
    applies = (
        "not_roof" if unit and not shot.roof else "",
        "fortified" if unit and shot.strong else "",
        "martyrs" if shot.target == MARTYRS and not shot.strong else "",
        "suspect" if shot.target == SUSPECT else "",
        "fury" if shot.fury else "",
    )
    return modifiers(referee, "fire_modifiers", "modifier", *applies)


async def shoot(referee: FuryReferee, shot: Shot, prompt: LazyText) -> tuple[int, bool]:
    """[11.2.2 - 11.2.4] Roll the shot: (face, effect). An unmodified 9 never has an effect."""
    plus = total(fire_modifiers(referee, shot))
    face = await d10("fire", prompt, "11.2.1", lambda die: hits(die, plus, shot.cf))
    return face, hits(face, plus, shot.cf)


# -- Sniper Attacks ----------------------------------------------------------------------------------------------------


def after_fire(face: int, count: int) -> tuple[bool, bool]:
    """[11.4.1.1, 11.4.1.2] (Pinned, Step Loss) for a die against a number of enemies."""
    return face <= count, face == 0


async def roll_sniper(name: str, count: int) -> tuple[int, bool, bool]:
    """[11.4.1.1, 11.4.1.2] Roll for a Sniper: (face, Pinned, Step Loss)."""
    prompt = f"Sniper Attack on {name}: Pinned on {die_range(0, count, 9)}, and on 0 a Step Loss too"
    face = await d10("sniper", prompt, "11.4.1.1", lambda die: after_fire(die, count))
    return face, *after_fire(face, count)


async def attack(referee: FuryReferee, squad: Piece, extra: Iterable[str], rule: str) -> None:
    """[11.4.1] Roll against the number of enemies in the Zones around the squad.

    Args:
        extra: Zones that count in addition.
    """
    zone = zone_of(squad.place)
    around = list(dict.fromkeys([*await referee.around(zone, rule), *extra]))
    units, suspects = referee.enemy_counts(other for other in around if other != zone)
    count = units + suspects
    if not count:
        referee.say(f"No enemy around {squad.name}: no Sniper Attack.", "11.4.1.1")
        return
    face, pinned, loss = await roll_sniper(squad.name, count)
    because = (
        f"{plural(units, 'Insurgents unit')} and {plural(suspects, 'Suspect')} in Zones {', '.join(around)}",
        referee.enemies_text(around),
    )
    if not pinned:
        referee.say(f"Sniper Attack on {squad.name}: {face}, needs {die_range(0, count, 9)}: miss.", "11.4.1.1", *because)
        return
    referee.say(f"Sniper Attack on {squad.name}: {face}, needs {die_range(0, count, 9)}: HIT.", "11.4.1.1", *because)
    pin(referee, squad, "11.4.1.1", "Sniper")
    if loss:
        await step_loss(referee, squad, "11.4.1.2", "Sniper, a 0")


class Street(NamedTuple):
    """What a squad meets in a Street Section: units and Suspects beside it, and whether an M1A1 is there."""

    units: int
    suspects: int
    tank: bool = False


async def in_street(street: Street) -> tuple[bool, bool, tuple[int, ...]]:
    """[11.4.2.1, 11.4.2.2, 11.4.2.3] Roll for a crossing: (Step Loss, Pinned, dice rolled)."""
    loss = pinned = False
    faces: tuple[int, ...] = ()
    for key, enemies in (("units", street.units), ("suspects", 0 if street.tank else street.suspects)):
        if not enemies:
            continue
        word = "a Step Loss" if key == "units" and not street.tank else "Pinned"
        who = plural(enemies, "Insurgents unit" if key == "units" else "Suspect")
        prompt = f"Crossing under {who}: {word} on {die_range(0, enemies, 9)}"
        face = await d10(key, prompt, "11.4.2.1", lambda die, most=enemies: die <= most)  # type: ignore[misc]
        faces = (*faces, face)
        loss, pinned = loss or (face <= enemies and word != "Pinned"), pinned or (face <= enemies and word == "Pinned")
    return loss, pinned, faces


@lru_cache(maxsize=1024)
def crossing_results(street: Street) -> dict[tuple[bool, bool], float]:
    """[11.4.2] The distribution of (Step Loss, Pinned) in a street."""

    async def play() -> tuple[bool, bool]:
        loss, pinned, _ = await in_street(street)
        return loss, pinned

    return distribution(play)


def crossing_text(loss: bool, pinned: bool) -> str:
    """The result of a crossing in words: ``a Step Loss and Pinned``."""
    return " and ".join(word for word, hit in (("a Step Loss", loss), ("Pinned", pinned)) if hit) or "unharmed"


def street_at(referee: FuryReferee, section: str) -> Street:
    """[11.4.2, 4.3.1.2] The enemies beside a Street Section and in its lines of fire, and whether an M1A1 is in it."""
    return Street(*referee.enemy_counts(referee.town.sections[section].beside), referee.tank_in(street(section)) is not None)
