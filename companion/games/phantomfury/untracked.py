"""Zones that the owner does not want to be tracked: what Companion would look up there, the player says instead."""

from __future__ import annotations

from collections.abc import Callable

from companion.core.errors import Unreadable
from companion.core.notation import Notation
from companion.core.position import Piece
from companion.core.requests import Confirm, Number, Text
from companion.core.words import clean
from companion.games.phantomfury.counters import GUERILLAS, MARTYRS, SUSPECT, sides
from companion.games.phantomfury.defence import Entry, meet
from companion.games.phantomfury.melee import assault_one, may_flood
from companion.games.phantomfury.ontable import Table, fighter
from companion.games.phantomfury.referee import INSURGENTS_CUP, Fury, fortified
from companion.games.phantomfury.scene import TOP_DOWN, Enemy, Scene
from companion.games.phantomfury.sniper import Street, in_street
from companion.games.phantomfury.town import location_of, place, zone_of
from companion.games.phantomfury.zones import MOSQUE, family, read_location

NONE = "none"


def read_enemy(text: str) -> Enemy:
    """``s``, ``g2``, ``m3``: a Suspect, Guerillas CF 2, Martyrs CF 3.

    Raises:
        Unreadable: it is none of these.
    """
    plain = clean(text).casefold()
    if plain in ("s", SUSPECT):
        return Enemy(SUSPECT)
    if len(plain) == 2 and plain[0] in "gm" and plain[1] in "1234":
        return Enemy(GUERILLAS if plain[0] == "g" else MARTYRS, int(plain[1]))
    raise Unreadable(f"'{clean(text)}' is no enemy", rule="5.2.1", cure="Type s, or g2, or m3")


def short_enemy(enemy: Enemy) -> str:
    """An enemy as it is typed."""
    return "s" if enemy.kind == SUSPECT else f"{enemy.kind[0]}{enemy.cf}"


def _read_list(text: str) -> str:
    plain = clean(text).casefold()
    if plain in ("", NONE, "-"):
        return NONE
    return ",".join(short_enemy(read_enemy(part)) for part in plain.replace(" ", ",").split(",") if part)


def _read_at(text: str) -> str:
    plain = clean(text)
    if plain.casefold() in ("", NONE, "-"):
        return NONE
    location, _, enemy = plain.rpartition(":")
    return f"{read_location(location)}:{short_enemy(read_enemy(enemy))}"


LIST = Notation("enemies", "g2,s,s", _read_list)
AT = Notation("Location and enemy", "2:g2", _read_at)


class Elsewhere(Table):
    """The Field of an untracked Zone: the squad is on the table, its enemies are the player's to move."""

    def __init__(self, game: Fury, squad: Piece, zone: str, where: str, explosives: bool) -> None:
        self.game, self.squad, self.zone, self.where = game, squad, zone, where
        self.offered, self.used = explosives, False

    async def drawn(self, name: str, kind: str, rule: str, face: int) -> None:
        self.game.say(f"The Suspect: {face}, {kind.title()} CF {sides(name)[kind]} ({name}).", rule)
        self.game.board(f"Put {name} in its place, {kind.title()} side up; out of the cup.", rule)

    async def gone(self, rule: str, why: str) -> None:
        self.game.board(f"Take the Suspect off: {why}.", "5.3.5")

    async def weakened(self, cf: int, rule: str, why: str) -> None:
        self.game.board(f"Swap the unit for one of CF {cf}.", rule)

    async def eliminated(self, rule: str, why: str) -> None:
        self.game.board("The unit goes back to its cup.", "5.2.1")

    async def retreat(self, scene: Scene) -> bool:
        return await Confirm("retreats", f"Zone {self.zone} is not tracked: does the unit find a way out", "13.6.2", True)


def there(game: Fury, squad: Piece, zone: str, enemies: tuple[Enemy, ...]) -> Scene:
    """The scene in an untracked Zone, with the enemies that the player named."""
    strong = fortified(game.position, zone)
    return Scene(fighter(game, squad), enemies, strong, zone == MOSQUE, cup=tuple(game.cup(INSURGENTS_CUP).items()))


async def defend_there(game: Fury, squad: Piece) -> None:
    """[12.7] Defensive Fire of the enemies that the player names."""
    zone = zone_of(squad.place)
    text = await Text("defenders", f"Zone {zone} is not tracked: who is in it (g2,s,s or none)", "12.7.1", LIST, suggest=NONE)
    for part in [] if text == NONE else sorted(text.split(","), key=lambda one: one == "s"):
        now = there(game, squad, zone, (read_enemy(part),))
        if now.squad.steps:
            await meet(game, now, Entry(location_of(squad.place)), Elsewhere(game, squad, zone, "", False))


async def assault_there(game: Fury, squad: Piece, type_of: Callable[[str, str], str]) -> None:
    """[13.4] Assaults in an untracked Zone, one after the other where it floods."""
    zone, start = zone_of(squad.place), squad.place
    text = await Text("against", f"Zone {zone} is not tracked: {squad.name} Assaults (Location:enemy, 2:g2)", "13.0", AT)
    if text == NONE:
        return
    floods = False
    while text != NONE:
        location, _, enemy = text.rpartition(":")
        where = place(zone, location)
        kind = TOP_DOWN if floods else type_of(start, where)
        now = there(game, squad, zone, (read_enemy(enemy),))
        game.say(f"{squad.name} Assaults {enemy} at {where}: {kind.title()}.", "13.4")
        field = Elsewhere(game, squad, zone, where, not floods)
        out = await assault_one(game, now, kind, field)
        field.clear_explosives()
        squad = game.piece(squad.id)
        if not zone_of(squad.place) or not out.empty or squad.mark("pinned"):
            return
        game.move(squad.id, where, "13.4.7.2", "the Location is empty")
        floods = floods or (kind == TOP_DOWN and family(location_of(start)) == "R")
        if not floods or not may_flood(now._replace(squad=fighter(game, squad))):
            return
        text = await Text("against", "Flooding: next Location:enemy, or none", "13.4.8.1", AT, suggest=NONE)


async def cross_untold(game: Fury, squad: Piece, where: str) -> tuple[bool, bool]:
    """[12.5.2] A way through an untracked Zone: whether a street is crossed, and what is beside it: (Step Loss, Pinned)."""
    if not await Confirm("crosses", f"Does the way to {where} cross a street", "12.5.1", zone_of(squad.place) != zone_of(where)):
        return False, False
    units = await Number("units", "Insurgents units beside the street", "11.4.2.1", 0, 12, 0)
    suspects = await Number("suspects", "Suspects beside the street", "11.4.2.1", 0, 12, 0)
    loss, pinned, faces = await in_street(Street(units, suspects))
    word = " and ".join(text for text, hit in (("a Step Loss", loss), ("Pinned", pinned)) if hit) or "unharmed"
    game.say(f"{squad.name} in the street: {', '.join(map(str, faces)) or 'no dice'}: {word}.", "11.4.2.1")
    return loss, pinned
