"""Section 4: the Dawn."""

from __future__ import annotations

from .bands import bands_act
from .land import FORT
from .referee import CUP, DRAWN, HILLS, Pass


async def dawn(game: Pass) -> None:
    """[1.5, 3.2, 4.1] A chit, what it says, and the bands."""
    chits = game.chart("watch")
    if not game.position.at(CUP):
        game.say("The cup is empty", "4.7")
        await bands_act(game, 1)
    else:
        name = await game.draw("chit", "Draw a chit for the dawn", "4.1", CUP, tuple(chits.rows), "chit")
        there = [piece for piece in game.position.at(CUP) if piece.name == name]
        if there:  # one that the player drew and that Companion believed to be gone is out of the game already
            game.move(there[0].id, DRAWN, "4.1")
        await carry_out(game, name)
        await bands_act(game, chits.number(name, "acts"))
    game.set_flag("order", True, "3.2")


async def carry_out(game: Pass, name: str) -> None:
    """What a chit says, but for the bands."""
    if name == "Quiet":
        game.say("A quiet dawn", "4.2")
    elif name == "Snow":
        game.shift_track("snow", 1, "4.4", "it snows")
    elif name == "Rockfall":
        rockfall(game)
    elif name == "Shepherd":
        await shepherd(game)


def rockfall(game: Pass) -> None:
    """[4.5] Onto the way of the column; ruling P-3 where that is the Fort."""
    area = game.land.onward(game.here)
    if area in ("", FORT):
        game.say("The rocks fall where nobody goes", "4.5")
        return
    game.move(game.rockfall.id, area, "4.5", "rockfall")
    game.say(f"Rocks bar the road at the {game.title(area)}", "4.5")


async def shepherd(game: Pass) -> None:
    """[4.6] A band is shown a false way, or stores are found."""
    if not game.around:
        game.shift_track("stores", 1, "4.6", "the shepherd's cheese")
        return
    band = await game.choose("band", "Which band does the shepherd mislead?", "4.6", game.choices(game.around))
    game.move(band, HILLS, "4.6", "misled")
