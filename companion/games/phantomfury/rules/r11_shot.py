"""[11.2] One shot, on a small value: its modifiers, its die, its effect."""

from __future__ import annotations

from typing import NamedTuple

from companion.core.requests import LazyText
from companion.games.phantomfury.names import SUSPECT
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r03_die import Lines, d10, hits, modifiers, total
from companion.games.phantomfury.words.counters import GUERILLAS, MARTYRS

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


def fire_modifiers(referee: Fury, shot: Shot) -> Lines:
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


async def shoot(referee: Fury, shot: Shot, prompt: LazyText) -> tuple[int, bool]:
    """[11.2.2 - 11.2.4] Roll the shot: (face, effect). An unmodified 9 never has an effect."""
    plus = total(fire_modifiers(referee, shot))
    face = await d10("fire", prompt, "11.2.1", lambda die: hits(die, plus, shot.cf))
    return face, hits(face, plus, shot.cf)
