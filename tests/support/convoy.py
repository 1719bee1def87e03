"""A small made-up game without pieces: four tracks, a chart, a choice, dice; its rules are numbered by whole numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.core.game import Action, Banner, Field, Game, Obstacle, Score, Tables
from companion.core.position import Position
from companion.core.procedures import Procedure
from companion.core.referee import Referee
from companion.core.requests import Choice


class Column(Referee):
    """The referee of the road."""

    def day(self) -> None:
        self.shift_track("day", 1, "1", "a day passes")

    async def set_up(self) -> None:
        """[1]"""
        for track, value in (("fuel", 8), ("trucks", 6), ("way", 0), ("day", 0)):
            self.set_track(track, value, "1", "set-up")

    async def drive(self) -> None:
        """[2]"""
        if not self.position.track("fuel"):
            self.forbid("there is no fuel", "2", "Rest first")
        road = await self.choose("road", "Which road", "2", (Choice("main", "main road"), Choice("side", "side road")))
        self.shift_track("fuel", -1, "2", "a day on the road")
        (far,) = await self.roll("far", "How far they come", "2")
        self.shift_track("way", far if road == "main" else far // 2, "2", f"the {road} road")
        if road == "main":
            await self.attacked()
        self.day()

    async def attacked(self) -> None:
        """[3]"""
        (face,) = await self.roll("attack", "Attack on the road", "3")
        self.shift_track("trucks", -self.chart("attack").number(face, "lost"), "3", "lost on the road")
        self.say(f"{face}: {self.chart('attack').text(face, 'told')}", "3")

    async def rest(self) -> None:
        """[4]"""
        fuel = 2
        if self.option("fuel_supply") == "die":
            (fuel,) = await self.roll("fuel", "Fuel that comes in", "4")
        self.shift_track("fuel", fuel, "4", "it comes in")
        self.day()


class Convoy(Game):
    """The game."""

    id = "convoy"

    def referee(self, position: Position, options: Mapping[str, str]) -> Column:
        return Column(position, options, self.tables.charts)

    def setup(self, referee: Column) -> Procedure[None]:
        return referee.set_up()

    @property
    def actions(self) -> Sequence[Action]:
        def thirsty(position: Position) -> Obstacle | None:
            return None if position.track("fuel") < 8 else Obstacle("the tanks are full", "4")

        return (Action("drive", "Drive on", "2", Column.drive), Action("rest", "Rest", "4", Column.rest, thirsty))

    def banner(self, position: Position, options: Mapping[str, str]) -> Banner:
        return Banner(f"Day {position.track('day')}", (Field("trucks", "Trucks", str(position.track("trucks"))),))

    def score(self, position: Position, options: Mapping[str, str]) -> Score:
        """[5]"""
        trucks = position.track("trucks") if position.track("way") >= 10 else 0
        return Score((("Trucks that came through", trucks, "5"),), trucks, "through" if trucks else "lost", "5")

    def over(self, position: Position) -> str:
        """[5]"""
        return "the way is at its end" if position.track("way") >= 10 else "" if position.track("trucks") else "all is lost"


def make(tables: Tables) -> Convoy:
    """The game over its tables."""
    return Convoy(tables)
