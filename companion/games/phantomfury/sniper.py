"""[11.4] Sniper Attacks: after Fire, as a Reaction, and in the street."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from companion.core.dice import grouped
from companion.core.position import Piece
from companion.core.requests import Roll
from companion.games.phantomfury.losses import pin, step_loss
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.town import zone_of


def after_fire(face: int, count: int) -> tuple[bool, bool]:
    """[11.4.1.1, 11.4.1.2] (Pinned, Step Loss) for a die against a number of enemies."""
    return face <= count, face == 0


async def attack(game: Fury, squad: Piece, extra: Iterable[str], rule: str) -> None:
    """[11.4.1] One die against the enemies in the Zones around the squad; ``extra``: Zones counted besides."""
    zone = zone_of(squad.place)
    around = list(dict.fromkeys([*await game.around(zone, rule), *extra]))
    if game.tracked(zone):
        units, suspects = await game.count([one for one in around if one != zone], rule)
    else:
        units, suspects = await game.count([zone], rule, f"in the Zones around Zone {zone}")
    count = units + suspects
    if not count:
        game.say(f"No enemy around {squad.name}: no Sniper Attack.", "11.4.1.1")
        return
    roll = await Roll(
        "sniper",
        f"Sniper Attack on {squad.name}: Pinned on {count} or less, and a Step Loss on 0",
        "11.4.1.1",
        sides=10,
        lowest=0,
        outcomes=lambda: grouped(1, 10, 0, lambda faces: after_fire(faces[0], count)),
    )
    pinned, loss = after_fire(roll[0], count)
    because = (f"{units} Insurgents units and {suspects} Suspects in Zones {', '.join(around)}", game.counted(around))
    if not pinned:
        game.say(f"Sniper Attack on {squad.name}: {roll[0]} > {count}, no effect.", "11.4.1.1", *because)
        return
    game.say(f"Sniper Attack on {squad.name}: {roll[0]} <= {count}.", "11.4.1.1", *because)
    pin(game, squad, "11.4.1.1", "Sniper")
    if loss:
        await step_loss(game, squad, "11.4.1.2", "Sniper, a 0")


class Street(NamedTuple):
    """What a squad meets in a Street Section: units and Suspects beside it, and whether an M1A1 is there."""

    units: int
    suspects: int
    tank: bool = False


async def in_street(street: Street) -> tuple[bool, bool, tuple[int, ...]]:
    """[11.4.2.1, 11.4.2.2, 11.4.2.3] The dice of a crossing: (Step Loss, Pinned, dice rolled)."""
    loss = pinned = False
    faces: tuple[int, ...] = ()
    if street.units:
        need = street.units
        word = "Pinned" if street.tank else "a Step Loss"
        roll = await Roll(
            "units",
            f"Crossing, {need} Insurgents units: {word} on {need} or less",
            "11.4.2.1",
            sides=10,
            lowest=0,
            outcomes=lambda: grouped(1, 10, 0, lambda faces: faces[0] <= need),
        )
        hit = roll[0] <= need
        loss, pinned, faces = hit and not street.tank, hit and street.tank, roll
    if street.suspects and not street.tank:
        many = street.suspects
        roll = await Roll(
            "suspects",
            f"Crossing, {many} Suspects: Pinned on {many} or less",
            "11.4.2.1",
            sides=10,
            lowest=0,
            outcomes=lambda: grouped(1, 10, 0, lambda faces: faces[0] <= many),
        )
        pinned, faces = pinned or roll[0] <= many, (*faces, *roll)
    return loss, pinned, faces
