"""Turns that are typed and counted: a bombing of three groups, attacks of one unit and of a stack, a British attack."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from companion.core.answering import Answers
from companion.games import make_game
from companion.session.desk import Desk
from companion.session.printed import import_text
from companion.session.store import Archive
from companion.session.tables import load
from tests.support.turns import Turn

SET = Path(__file__).parent / "scripts" / "made_up_set.toml"


def begun(*lost: str, operations: bool = True) -> Callable[[Archive], Desk]:
    """A game of the made-up set by hand against our opponent, with these boxes destroyed; in the Operation Phase."""

    def start(archive: Archive) -> Desk:
        import_text(archive, make_game("iraqwar2003", load("iraqwar2003")), SET.read_text())
        options = {"recommended": "on", "iraq": "bot"}
        desk = Desk.create(archive, "iraqwar2003", "war", options, dice="physical", draws="physical", seed="april")
        for box in lost:
            desk.adjust([(f"{box}.damaged", "1")], "as bombed before")
        if operations:
            desk.do("supply", Answers([("oos", "none")]))
        return desk

    return start


AIR_FIELDS = ("base airfield 1", "base airfield 2", "base airfield 3")

TURNS = (
    Turn(
        "Ground bombing: two units, one by stealth, a road",
        begun("south radar 1", "south radar 2", *AIR_FIELDS, operations=False),
        ("bomb",),
        {
            "target": ("11D by B-1", "SRG1 by B-2", "road 1421 by B-52", "done"),
            "where": ("open", "Baghdad"),
            "bomb": ("6", "6", "6"),
        },
        (11, 63),
    ),
    Turn(
        "Attack: one unit, no retreat, Iraq without Air Fields",
        begun(*AIR_FIELDS),
        ("move",),
        {"units": ("1/3ID",), "way": ("road, road",), "attack": ("51M", ""), "support": ("A-10",), "combat": ("1",)},
        (11, 38),
    ),
    Turn(
        "Attack: a stack into a city, retreat and advance",
        begun(),
        ("move",),
        {
            "units": ("1/3ID, 2/3ID",),
            "way": ("road, road",),
            "attack": ("11D", ""),
            "terrain": ("major city",),
            "combat": ("6",),
            "advance": ("1/3ID",),
            "taken": ("Nasiriyah",),
        },
        (13, 53),
    ),
    Turn(
        "Attack: the British, whom only their own support",
        begun(),
        ("move",),
        {"units": ("7Arm",), "way": ("road",), "attack": ("51M", ""), "combat": ("3",)},
        (12, 28),
    ),
)
