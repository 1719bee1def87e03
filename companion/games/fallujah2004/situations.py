"""What can be asked of chance in Fallujah 2004, besides a battle: each answered by the procedure that rolls it."""

from __future__ import annotations

from collections.abc import Mapping

from companion.core.cups import contents, draw_odds
from companion.core.dice import summed
from companion.core.errors import Impossible
from companion.core.odds import distribution
from companion.core.requests import Choice, Odds, Roll
from companion.games.fallujah2004.battle import Battle, Fighter, Stage, tactical_edge
from companion.games.fallujah2004.combat import scene
from companion.games.fallujah2004.morale import holy_spaces, picks
from companion.games.fallujah2004.referee import Fallujah
from companion.games.fallujah2004.spaces import TERRAINS


def _rows(results: Mapping[int, float]) -> tuple[tuple[str, float], ...]:
    return tuple((f"{value:+d}", results[value]) for value in sorted(results))


async def tactical_edge_odds(game: Fallujah) -> Odds:
    """[16.1(2)] Who gets the Edge, given both bonuses."""
    ours = await game.number("coalition", "Coalition bonus: contact, leader, NetWar, FOB", "16.1(2)", 0, 15)
    theirs = await game.number("opfor", "OPFOR bonus: contact, Node, event", "16.1(2)", 0, 15)
    terrain = await game.choose("terrain", "Terrain", "16.5", [Choice(word, word) for word in TERRAINS], "urban")
    stage = Stage(game, scene(game, terrain))
    battle = Battle((Fighter(0, ours),), (Fighter(0, theirs),))
    results = {after.edge: chance for after, chance in distribution(lambda: tactical_edge(stage, battle)).items()}
    rows = (("Coalition", results.get("coalition", 0.0)), ("OPFOR", results.get("opfor", 0.0)))
    return Odds("Tactical Edge", "16.1(2)", (("Who fires first", rows),))


async def morale_odds(game: Fallujah) -> Odds:
    """[9.2] Whether a morale check lowers or raises OPFOR morale."""
    held = await game.number("held", "Mosque and Objective spaces with Coalition units", "9.2", 0, 20, min(holy_spaces(game), 20))

    async def check() -> str:
        roll = await Roll("morale", "", "9.2", 3, outcomes=lambda: summed(3, int))
        return "lowered" if sum(roll) <= held else "raised"

    results = distribution(check)
    rows = (("lowered", results.get("lowered", 0.0)), ("raised", results.get("raised", 0.0)))
    return Odds("Morale check", "9.2", (("OPFOR morale is", rows),))


async def isr_odds(game: Fallujah) -> Odds:
    """[12.1] Whether some NetWar markers on one Node reveal it."""
    markers = await game.number("markers", "NetWar markers on the Node", "12.1", 1, 12, 1)
    chart = game.chart("netwar")

    def reveals(face: int) -> bool:
        return chart.text(face, "isr") == "reveal"

    async def look() -> bool:
        faces = await Roll("isr", "", "12.1", markers, outcomes=lambda: summed(markers, lambda face: int(reveals(face))))
        return any(reveals(face) for face in faces)

    results = distribution(look)
    rows = (("revealed", results.get(True, 0.0)), ("stays concealed", results.get(False, 0.0)))
    return Odds("J-2 ISR", "12.1", (("The Node", rows),))


async def infowar_odds(game: Fallujah) -> Odds:
    """[19.0] The OPs that an InfoWar brings."""
    markers = await game.number("markers", "NetWar markers committed", "19.0", 1, 12, 1)
    chart = game.chart("netwar")

    async def campaign() -> int:
        faces = await Roll(
            "infowar", "", "19.0", markers, outcomes=lambda: summed(markers, lambda face: chart.number(face, "infowar"))
        )
        return sum(chart.number(face, "infowar") for face in faces)

    results = distribution(campaign)
    mean = sum(value * chance for value, chance in results.items())
    return Odds("J-5 InfoWar", "19.0", (("OPs", _rows(results)),), (("OPs, before the one that the operation costs", mean),))


async def infiltration_odds(game: Fallujah) -> Odds:
    """[27.1] Whether SOF slip through a number of Node spaces."""
    contact = await game.number("contact", "Lowest contact in the SOF force", "27.1", 0, 9)
    spaces = await game.number("spaces", "Node spaces to pass", "27.1", 1, 6, 1)

    async def pass_through() -> bool:
        for _ in range(spaces):
            roll = await Roll("infiltrate", "", "27.1", outcomes=lambda: summed(1, lambda face: int(face <= contact)))
            if roll[0] > contact:
                return False
        return True

    results = distribution(pass_through)
    rows = (("passes", results.get(True, 0.0)), ("is stopped", results.get(False, 0.0)))
    return Odds("SOF infiltration", "27.1", (("The force", rows),))


async def draw_odds_of(game: Fallujah) -> Odds:
    """[14.1] What the next reaction may bring, given what the Reaction cup holds."""
    counts = contents(game.position, "reaction cup")
    if not counts:
        raise Impossible("the Reaction cup is empty, or no session is in play", rule="14.1", cure="Start one: new fallujah2004")
    number = await game.number("picks", "How many picks", "14.1", 1, 12, picks(game))
    total = sum(counts.values())
    single = tuple((name, count / total) for name, count in counts.items())
    some = draw_odds(counts, number)
    units = sum(piece.kind == "opfor" for piece in game.position.at("reaction cup"))
    none = 1.0
    for index in range(min(number, total)):
        none *= max(total - units - index, 0) / (total - index)
    return Odds(
        "Next reaction",
        "14.1",
        (
            ("The next counter is", single),
            (f"At least one among {number} picks", tuple(some.items())),
            ("Among them", (("at least one combat unit", 1.0 - none), ("no combat unit", none))),
        ),
        (("combat units", number * units / total),),
        ("Extra picks of Ambush, Martyrs and an Arms Cache are not counted.",),
    )
