"""The rules, top to bottom as the rulebook has them: each is an ``async def`` that awaits what it asks, rolls and draws."""

from __future__ import annotations

from companion.core.odds import distribution
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, Odds

FAR = 12
"""Miles to the island."""
LAST = 8
"""Days that there are."""
WEATHER = {"Calm": 3, "Wind": 2, "Storm": 2}
"""The counters of the cup, by name."""


class Boat(Referee):
    """The referee: the table with what a rule can do on it."""

    async def set_up(self) -> None:
        """[1]"""
        for track, value in (("fuel", 5), ("crates", 6), ("way", 0), ("turn", 0)):
            self.set_track(track, value, "1", "set-up")
        for name, many in WEATHER.items():
            for _ in range(many):
                self.make("weather", name, "cup", "1", face="back")

    async def sail(self) -> None:
        """[2]"""
        if not self.position.track("fuel"):
            self.forbid("the tanks are empty", "2", "Wait for fuel")
        open_sea = await self.course() == "sea"
        self.shift_track("fuel", -1, "2", "a day at sea")
        (face,) = await self.roll("miles", "How far the boat comes", "2")
        self.shift_track("way", face if open_sea else (face + 1) // 2, "2", "on the open sea" if open_sea else "along the coast")
        if open_sea:
            await self.weather()
        self.a_day()

    async def course(self) -> str:
        """[2] The one decision of the game, with what it may cost."""
        choices = (Choice("sea", "the open sea"), Choice("coast", "along the coast"))
        course = Choose("course", "Which course", "2", choices)
        course.odds = self.weather_odds
        return await course

    async def weather(self) -> None:
        """[3]"""
        if not self.position.at("cup"):
            self.say("The cup is empty: every counter goes back", "3")
            for piece in self.position.at("drawn"):
                self.move(piece.id, "cup", "3")
        name = await self.draw("weather", "The weather", "3", "cup", tuple(WEATHER))
        drawn = next((piece for piece in self.position.at("cup") if piece.name == name), None)
        if drawn and self.option("weather_back") == "aside":
            self.move(drawn.id, "drawn", "3", "drawn")
        self.say(f"The weather: {name}", "3")
        if name == "Storm":
            lost = await self.storm()
            self.shift_track("crates", -lost, "4", "washed overboard")

    async def storm(self) -> int:
        """[4] How many crates a storm takes."""
        (face,) = await self.roll("storm", "The storm", "4")
        chart = self.chart("storm")
        self.say(chart.text(face, "told"), "4", f"{face} on the chart")
        return min(chart.number(face, "lost"), self.position.track("crates"))

    async def wait(self) -> None:
        """[5]"""
        self.shift_track("fuel", min(2, 8 - self.position.track("fuel")), "5", "from the harbour")
        self.a_day()

    def a_day(self) -> None:
        """[1] Every action takes one."""
        self.shift_track("turn", 1, "1", "a day passes")

    def weather_odds(self) -> Odds:
        """[3] What the next counter is on the open sea."""
        pool = self.position.at("cup") or self.position.at("drawn")
        rows = tuple((name, sum(piece.name == name for piece in pool) / len(pool)) for name in WEATHER)
        return Odds("The weather on the open sea", "3", (("The next counter", rows),) if pool else ())


async def storm_odds(boat: Boat) -> Odds:
    """[4] By the rule itself, carried out for every face of the die."""

    async def storm() -> int:
        return await Boat(boat.position, boat.options, boat.charts).storm()

    rows = tuple((f"{lost} lost", chance) for lost, chance in sorted(distribution(storm).items()))
    return Odds("A storm", "4", (("Crates", rows),))
