"""Section 7: the Evening."""

from __future__ import annotations

from .raids import loss
from .referee import Pass


async def evening(game: Pass) -> None:
    """[7.1, 7.2, 7.3, 7.4] Stores, cold, heart, and the next turn."""
    stores(game)
    await cold(game)
    heart(game)
    game.shift_track("turn", 1, "7.4", "the next turn")


def stores(game: Pass) -> None:
    """[7.1] What the column eats."""
    if game.track("stores"):
        game.shift_track("stores", -1, "7.1", "eaten")
    else:
        game.shift_track("fatigue", 1, "7.1", "nothing to eat")


async def cold(game: Pass) -> None:
    """[7.2] On a height in the snow, or without stores; ruling P-4: never in camp."""
    snow, hungry = game.track("snow"), not game.track("stores")
    exposed = (snow and game.land.ground(game.here) == "height") or hungry
    if not exposed or game.camp:
        return
    (face,) = await game.roll("cold", "The cold of the night", "7.2")
    bitten = face <= snow + hungry
    game.say(f"The cold: {face}, {snow + hungry} or less is a loss: {'a loss' if bitten else 'nothing'}", "7.2")
    if bitten:
        await loss(game, game.companies)


def heart(game: Pass) -> None:
    """[7.3] Without resolve the bands go home."""
    if game.track("resolve") or not game.bands:
        return
    game.say("The bands lose heart and go home", "7.3")
    for band in game.bands:
        game.move(band.id, "scattered", "7.3", "gone home")
