"""An Assault as it stands on the table: the scene read off the map, and the Field that moves the counters."""

from __future__ import annotations

from collections.abc import Sequence

from companion.core.position import Piece
from companion.core.requests import Confirm
from companion.games.phantomfury.counters import SUSPECT, cf_of, enemy_text, kind_of
from companion.games.phantomfury.losses import apply_loss, eliminate, eliminate_enemy, pin, swap
from companion.games.phantomfury.referee import (
    FANATICISM,
    FURY,
    INSURGENTS_CUP,
    NO_EVENT,
    SUSPECTS_CUP,
    Fury,
    controlled,
    element_of,
    fortified,
    marked,
    on_map,
)
from companion.games.phantomfury.retreat import mark_quiet, retreat
from companion.games.phantomfury.scene import Enemy, Field, Fighter, Scene
from companion.games.phantomfury.town import zone_of
from companion.games.phantomfury.zones import MOSQUE


def fighter(game: Fury, squad: Piece) -> Fighter:
    """A squad as it enters an Assault."""
    squad = game.piece(squad.id)
    hero = {"Silver Star": 1, "Medal of Honor": 2}.get(str(squad.mark("hero")), 0)
    return Fighter(
        squad.number("cf"),
        0 if not on_map(squad) else 1 if squad.face == "reduced" else 2,
        hero,
        element_of(game.position, squad) is not None,
        bool(squad.mark("caat")),
        bool(squad.mark("pinned")),
        squad.kind == "iif",
    )


def scene(game: Fury, squad: Piece, targets: Sequence[Piece], plain: bool = False) -> Scene:
    """The Assault as it stands on the table, against these counters of one Zone."""
    zone = zone_of(targets[0].place)
    quiet = marked(game.position, zone, NO_EVENT) is not None
    return Scene(
        fighter(game, squad),
        tuple(Enemy(kind_of(one), cf_of(one), "" if one.kind == SUSPECT else one.name) for one in targets),
        fortified(game.position, zone),
        zone == MOSQUE,
        game.near_fury(zone_of(squad.place)),
        marked(game.position, zone, FANATICISM) is not None,
        bool(game.elements_in(zone)),
        quiet,
        plain=plain,
        both=game.option("explosives_drm") == "both",
        cup=tuple(game.cup(INSURGENTS_CUP).items()),
    )


class Table(Field):
    """The Assault on the table: moves counters, keeps points, asks about explosives."""

    def __init__(self, game: Fury, squad: Piece, target: Piece, explosives: bool) -> None:
        self.game = game
        self.squad = squad
        self.target = target
        self.zone = zone_of(target.place)
        self.where = target.place
        self.offered = explosives
        self.used = False

    def say(self, text: str, rule: str, *because: str) -> None:
        self.game.say(text, rule, *because)

    async def explosives(self, scene: Scene, kind: str, fresh: bool) -> bool:
        from companion.games.phantomfury.chances import explosives_odds

        squad = self.game.piece(self.squad.id)
        if not self.offered or not squad.mark("explosives"):
            return False
        request = Confirm("explosives", "Use the CAAT's explosives (CF 8, once a game)", "13.7.1", False)
        request.odds = lambda: explosives_odds(self.game, scene, kind, fresh)
        self.used = await request
        return self.used

    async def drawn(self, name: str, kind: str, rule: str, face: int) -> None:
        game = self.game
        game.move(self.target.id, SUSPECTS_CUP, "5.3.5", "Activated")
        piece = game.take_from(INSURGENTS_CUP, name, self.where, rule, kind.title())
        game.flip(piece.id, "front" if kind != "martyrs" else "martyrs", rule)
        self.target = game.piece(piece.id)
        game.say(f"The Suspect: {face}, {enemy_text(self.target)} ({name}) at {self.where}.", rule)

    async def gone(self, rule: str, why: str) -> None:
        self.game.move(self.target.id, SUSPECTS_CUP, "5.3.5", why)

    async def weakened(self, cf: int, rule: str, why: str) -> None:
        self.target = await swap(self.game, self.game.piece(self.target.id), cf, rule, why)

    async def eliminated(self, rule: str, why: str) -> None:
        eliminate_enemy(self.game, self.game.piece(self.target.id), rule, why)

    async def hero(self, level: int) -> None:
        name = "Medal of Honor" if level == 2 else "Silver Star"
        self.game.mark(self.squad.id, "hero", name, "5.1.5.2" if level == 2 else "5.1.5.1", "Hero Event")

    async def fury(self) -> None:
        found = marked(self.game.position, self.zone, FURY)
        if found:
            self.game.flip(found.id, "front", "13.4.3.2", "a new Phantom Fury Event")
        else:
            self.game.put_marker(FURY, self.zone, "13.4.3.2", "Event: until the end of the next turn")

    async def fanatic(self) -> None:
        for zone in self.game.town.block(self.zone):
            if not controlled(self.game.position, zone) and marked(self.game.position, zone, FANATICISM) is None:
                self.game.put_marker(FANATICISM, zone, "13.4.3.3", "Event: the Block's Zones under insurgent Control")

    async def pinned(self, rule: str, why: str) -> None:
        pin(self.game, self.squad, rule, why)

    async def hurt(self, who: str, rule: str, why: str) -> None:
        apply_loss(self.game, self.squad, who, rule, why)

    async def destroyed(self, rule: str, why: str) -> None:
        eliminate(self.game, self.game.piece(self.squad.id), rule, why)

    async def kept(self) -> None:
        mark_quiet(self.game, self.zone)

    async def retreat(self, scene: Scene) -> bool:
        return await retreat(self.game, self.game.piece(self.target.id))

    def clear_explosives(self) -> None:
        """[13.7.1] The marker is spent."""
        if self.used and self.game.piece(self.squad.id).mark("caat"):
            self.game.mark(self.squad.id, "explosives", None, "13.7.1", "used")
