"""The table as the Stage of an Assault: counters are moved, points kept, explosives and retreats asked for."""

from __future__ import annotations

from companion.core.position import Piece
from companion.core.requests import Confirm, LazyText
from companion.games.phantomfury.names import CAAT, EXPLOSIVES, FANATICISM, FURY, HERO, SUSPECTS_CUP
from companion.games.phantomfury.odds.chances import explosives_odds
from companion.games.phantomfury.pieces import controlled, marked
from companion.games.phantomfury.referee import Fury
from companion.games.phantomfury.rules.r05_losses import apply_loss, eliminate, eliminate_enemy, pin, swap
from companion.games.phantomfury.rules.r05_suspects import place_insurgent
from companion.games.phantomfury.rules.r13_muster import reached
from companion.games.phantomfury.rules.r13_retreat import mark_quiet, retreat
from companion.games.phantomfury.rules.r13_scene import Scene, Stage, comes_down
from companion.games.phantomfury.words.counters import HEROES
from companion.games.phantomfury.words.town import zone_of


class OnTable(Stage):
    """Stage of an Assault on the map: moves counters, scores points, asks about explosives."""

    def __init__(self, referee: Fury, squad: Piece, target: Piece, explosives: bool) -> None:
        self.referee = referee
        self.squad = squad
        self.target = target
        self.zone = zone_of(target.place)
        self.where = target.place
        super().__init__(explosives)
        self.at = f" at {self.where}"
        self.used = False

    def say(self, text: LazyText, rule: str, *because: LazyText) -> None:
        self.referee.explain(text, rule, because)

    async def explosives(self, scene: Scene, kind: str) -> bool:
        squad = self.referee.piece(self.squad.id)
        if not self.armed or not squad.mark(EXPLOSIVES):
            return False
        request = Confirm("explosives", "Use the CAAT's explosives? (CF 8, once a referee)", "13.7.1", False)
        request.odds = lambda: explosives_odds(self.referee, self.zone, scene, kind, self._behind(squad))
        self.used = await request
        return self.used

    def _behind(self, squad: Piece) -> list[Piece]:
        """[13.4.7.2] The enemies that Flooding would go on with, if the squad comes down from the roof."""
        return reached(self.referee, self.zone, self.where, self.where) if comes_down(squad.place, self.where) else []

    async def drawn(self, name: str, kind: str, rule: str, face: int) -> None:
        self.referee.move(self.target.id, SUSPECTS_CUP, "5.3.5", "Activated")
        self.target = place_insurgent(self.referee, name, kind, self.where, rule, f"The Suspect: {face}, ")

    async def gone(self, rule: str, why: str) -> None:
        self.referee.move(self.target.id, SUSPECTS_CUP, "5.3.5", why)

    async def weakened(self, cf: int, rule: str, why: str) -> None:
        self.target = await swap(self.referee, self.referee.piece(self.target.id), cf, rule, why)

    async def eliminated(self, rule: str, why: str) -> None:
        eliminate_enemy(self.referee, self.referee.piece(self.target.id), rule, why)

    async def hero(self, level: int) -> None:
        name = next(name for name, worth in HEROES.items() if worth == level)
        self.referee.mark(self.squad.id, HERO, name, "5.1.5.2" if level == 2 else "5.1.5.1", "Hero Event")

    async def fury(self) -> None:
        marker = marked(self.referee.position, self.zone, FURY)
        if marker:
            self.referee.flip(marker.id, "front", "13.4.3.2", "a new Phantom Fury Event")
        else:
            self.referee.put_marker(FURY, self.zone, "13.4.3.2", "Event: until the end of the next turn")

    async def fanatic(self) -> None:
        for zone in await self.referee.block(self.zone, "13.4.3.3"):
            if not controlled(self.referee.position, zone) and marked(self.referee.position, zone, FANATICISM) is None:
                self.referee.put_marker(FANATICISM, zone, "13.4.3.3", "Event: the Block's Zones under insurgent Control")

    async def pinned(self, rule: str, why: str) -> None:
        pin(self.referee, self.squad, rule, why)

    async def hurt(self, who: str, rule: str, why: str) -> None:
        apply_loss(self.referee, self.squad, who, rule, why)

    async def destroyed(self, rule: str, why: str) -> None:
        eliminate(self.referee, self.referee.piece(self.squad.id), rule, why)

    async def kept(self) -> None:
        mark_quiet(self.referee, self.zone)

    async def retreat(self, scene: Scene) -> bool:
        return await retreat(self.referee, self.referee.piece(self.target.id))

    def clear_explosives(self) -> None:
        """[13.7.1] Remove used explosives."""
        if self.used and self.referee.piece(self.squad.id).mark(CAAT):
            self.referee.mark(self.squad.id, EXPLOSIVES, None, "13.7.1", "used")
