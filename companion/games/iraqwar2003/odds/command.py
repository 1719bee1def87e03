"""Exact odds of command points, from the procedure that receives them [11.1]."""

from __future__ import annotations

from companion.core.odds import distribution, mean, probability_of
from companion.core.requests import Odds
from companion.games.iraqwar2003.odds.paper import Paper
from companion.games.iraqwar2003.referee import IraqWar
from companion.games.iraqwar2003.rules.r11_command_points import DIE, receive, sources
from companion.games.iraqwar2003.words.sites import RADIO


def received(game: IraqWar, source: str) -> dict[int, float]:
    """[11.1] The command points by Radio or by die, each with its chance; none by a method that is not open."""

    async def play() -> int:
        paper = Paper(game)
        await receive(paper, source)
        return paper.position.track("cp")

    return distribution(play) if source in sources(game) else {0: 1.0}


def cp_odds(game: IraqWar) -> Odds:
    """[11.1] The die against the undestroyed Radio boxes."""
    faces, radio = received(game, DIE), received(game, RADIO)
    radios = int(mean(radio))
    rows = (
        ("the die brings more than Radio", probability_of(faces, lambda face: face > radios)),
        ("the same", faces.get(radios, 0.0)),
        ("less", probability_of(faces, lambda face: face < radios)),
    )
    means = (("by Radio", mean(radio)), ("by the die", mean(faces)))
    return Odds("Command points", "11.1", (("Die against Radio", rows),), means)
