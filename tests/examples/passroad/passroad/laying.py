"""Section 2: the set-up."""

from __future__ import annotations

from .land import DEPOT
from .referee import ASIDE, COLUMN, CUP, Pass


async def set_up(game: Pass) -> None:
    """[2.1, 2.2, 2.3] The column, the bands and the cup."""
    setup, own = game.tables.game["setup"], game.tables.game["scenario_data"][game.option("scenario")]
    tracks = {"turn": 1, "stores": setup["stores"], "fatigue": 0, "snow": own["snow"], "resolve": setup["resolve"]}
    for track, value in tracks.items():
        game.set_track(track, value, "2.1", "set-up")
    game.make("marker", "Column", DEPOT, "2.1")
    game.make("marker", "Rocks", ASIDE, "4.5")
    for name, strength in setup["companies"].items():
        game.make("company", name, COLUMN, "2.1", values={"strength": strength})
    for number in range(1, setup["wagons"] + 1):
        game.make("wagon", f"Wagon {number}", COLUMN, "2.1")
    places = {**setup["bands_at"], **own["bands_at"]}
    for letter, strength in setup["bands"].items():
        game.make("band", f"Band {letter}", places[letter], "2.2", values={"strength": strength})
    chits = game.chart("watch")
    for name in chits.rows:
        for _ in range(chits.number(name, game.option("scenario"))):
            game.make("chit", name, CUP, "2.3", face="back")
    game.instruct("Lay everything out; the cup is mixed", "2.3")
