"""The rules in the order of the rulebook. Each is an ``async def`` that takes the referee and awaits questions and rolls."""

from __future__ import annotations

from functools import partial

from companion.core.odds import distribution
from companion.core.position import Position
from companion.core.referee import Referee
from companion.core.requests import Choice, Choose, Odds

ISLAND = 12  # Miles to the island
DAYS = 8  # Length of the game
TANKS = 8  # Barrels of fuel that the tanks hold
WEATHER = {"Calm": 3, "Wind": 2, "Storm": 2}  # Weather counter -> number in the cup


async def set_up(referee: Referee) -> None:
    """[1]"""
    for track, value in (("fuel", 5), ("crates", 6), ("way", 0), ("turn", 0)):
        referee.set_track(track, value, "1", "set-up")
    for name, count in WEATHER.items():
        for _ in range(count):
            referee.make("weather", name, "cup", "1", face="back")


def end_day(referee: Referee) -> None:
    """[1] Every action takes a day."""
    referee.shift_track("turn", 1, "1", "a day passes")


async def sail(referee: Referee) -> None:
    """[2]"""
    if not referee.position.track("fuel"):
        referee.forbid("the tanks are empty", "2", "Wait for fuel")
    open_sea = await choose_course(referee) == "sea"
    referee.shift_track("fuel", -1, "2", "a day at sea")
    (face,) = await referee.roll("miles", "How far the boat comes", "2")
    miles, where = (face, "on the open sea") if open_sea else ((face + 1) // 2, "along the coast")
    referee.shift_track("way", miles, "2", where)
    if open_sea:
        await draw_weather(referee)
    end_day(referee)


async def choose_course(referee: Referee) -> str:
    """[2] The only decision of the game, with the odds of the weather beside it."""
    choices = (Choice("sea", "the open sea"), Choice("coast", "along the coast"))
    request = Choose("course", "Which course", "2", choices)
    request.odds = partial(weather_odds, referee.position)
    return await request


async def draw_weather(referee: Referee) -> None:
    """[3]"""
    if not referee.position.at("cup"):
        referee.say("The cup is empty: every counter goes back", "3")
        for piece in referee.position.at("drawn"):
            referee.move(piece.id, "cup", "3")
    name = await referee.draw("weather", "The weather", "3", "cup", tuple(WEATHER))
    drawn = next((piece for piece in referee.position.at("cup") if piece.name == name), None)
    if drawn and referee.option("weather_back") == "aside":
        referee.move(drawn.id, "drawn", "3", "drawn")
    referee.say(f"The weather: {name}", "3")
    if name == "Storm":
        referee.shift_track("crates", -await storm_loss(referee), "4", "washed overboard")


async def storm_loss(referee: Referee) -> int:
    """[4] Return the number of crates that a storm takes."""
    (face,) = await referee.roll("storm", "The storm", "4")
    chart = referee.chart("storm")
    referee.say(chart.text(face, "told"), "4", f"{face} on the chart")
    return min(chart.number(face, "lost"), referee.position.track("crates"))


async def wait(referee: Referee) -> None:
    """[5]"""
    referee.shift_track("fuel", min(2, TANKS - referee.position.track("fuel")), "5", "from the harbour")
    end_day(referee)


def weather_odds(position: Position) -> Odds:
    """[3] Return the odds of the next counter on the open sea."""
    pool = position.at("cup") or position.at("drawn")
    rows = tuple((name, sum(piece.name == name for piece in pool) / len(pool)) for name in WEATHER)
    return Odds("The weather on the open sea", "3", (("The next counter", rows),) if pool else ())


async def storm_odds(referee: Referee) -> Odds:
    """[4] Return the odds of a storm, by playing the rule for every face of the die."""
    losses = distribution(lambda: storm_loss(referee.hypothetical()))
    rows = tuple((f"{lost} lost", chance) for lost, chance in sorted(losses.items()))
    return Odds("A storm", "4", (("Crates", rows),))
