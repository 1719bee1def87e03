"""Zones that the owner does not want to be tracked: what Companion would look up there, the player says instead."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Confirm, Number, Text
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r11_sniper import Street, crossing_text, in_street
from companion.games.phantomfury.rules.r12_defence import meet
from companion.games.phantomfury.rules.r13_advance import Foe, advance, open_assault
from companion.games.phantomfury.rules.r13_melee import may_flood
from companion.games.phantomfury.rules.r13_muster import entry_at, scene_in
from companion.games.phantomfury.rules.r13_ontable import OnTable
from companion.games.phantomfury.rules.r13_scene import TOP_DOWN, Scene
from companion.games.phantomfury.words.counters import sides
from companion.games.phantomfury.words.enemies import AT, LIST, NONE, read_enemy
from companion.games.phantomfury.words.town import place, zone_of


class Elsewhere(OnTable):
    """The Stage of an untracked Zone: the squad is on the table, its enemies are the player's to move."""

    def __init__(self, game: Fury, squad: Piece, zone: str, where: str, explosives: bool) -> None:
        super().__init__(game, squad, squad, explosives)
        self.zone, self.where = zone, where

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


async def defend_there(game: Fury, squad: Piece) -> None:
    """[12.7] Defensive Fire of the enemies that the player names."""
    zone = zone_of(squad.place)
    text = await Text("defenders", f"Zone {zone} is not tracked: who is in it (g2,s,s or none)", "12.7.1", LIST, suggest=NONE)
    for part in [] if text == NONE else sorted(text.split(","), key=lambda one: one == "s"):
        now = scene_in(game, squad, zone, (read_enemy(part),))
        if now.squad.steps:
            await meet(game, now, entry_at(game, squad, squad.place), Elsewhere(game, squad, zone, "", False))


async def assault_there(game: Fury, squad: Piece) -> None:
    """[13.4, 13.4.8] The Assault in an untracked Zone, and Flooding as long as the player names the next enemy."""
    zone = zone_of(squad.place)
    foe = await _named(game, squad, f"Zone {zone} is not tracked: {squad.name} Assaults (Location:enemy, 2:g2)", True)
    floods = foe is not None and await open_assault(game, squad, foe)
    while foe and floods and may_flood(foe.scene._replace(squad=game.fighter(squad))):
        foe = await _named(game, squad, "Flooding: next Location:enemy, or none", False)
        if foe:
            game.say(f"Flooding: {foe.text} at {foe.where}.", "13.4.8.1")
            floods = await advance(game, squad, foe, TOP_DOWN)


async def _named(game: Fury, squad: Piece, prompt: str, first: bool) -> Foe | None:
    """The enemy that the player names; explosives back up the first Assault alone [13.7.2]."""
    text = await Text("against", prompt, "13.0" if first else "13.4.8.1", AT, suggest=None if first else NONE)
    if text == NONE:
        return None
    zone = zone_of(squad.place)
    location, _, enemy = text.rpartition(":")
    where = place(zone, location)
    now = scene_in(game, squad, zone, (read_enemy(enemy),))
    return Foe(where, enemy, now, Elsewhere(game, squad, zone, where, first))


async def cross_untold(game: Fury, squad: Piece, where: str) -> tuple[bool, bool]:
    """[12.5.2] A way through an untracked Zone: whether a street is crossed, and what is beside it: (Step Loss, Pinned)."""
    if not await Confirm("crosses", f"Does the way to {where} cross a street", "12.5.1", zone_of(squad.place) != zone_of(where)):
        return False, False
    units = await Number("units", "Insurgents units beside the street", "11.4.2.1", 0, 12, 0)
    suspects = await Number("suspects", "Suspects beside the street", "11.4.2.1", 0, 12, 0)
    loss, pinned, faces = await in_street(Street(units, suspects))
    word = crossing_text(loss, pinned)
    game.say(f"{squad.name} in the street: {', '.join(map(str, faces)) or 'no dice'}: {word}.", "11.4.2.1")
    return loss, pinned
