"""Turns that are typed and counted: phases of bombing, attacks of one unit and of a stack, a British attack."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from companion.core.resolver import Answers
from companion.session.controller import SessionController
from companion.session.store import Archive
from tests.games.iraqwar2003.field import FACTS, FRONT
from tests.games.iraqwar2003.ground import FAR, GROUND
from tests.support.turns import Turn


def begun(
    *lost: str, operations: bool = True, told: Mapping[str, str] | None = None, dice: str = "physical", iraq: str = "bot"
) -> Callable[[Archive], SessionController]:
    """A game of the made-up set by hand against our opponent, with these boxes destroyed; in the Operation Phase.

    Args:
        told: of the map, and of who stands where.
    """

    def start(archive: Archive) -> SessionController:
        archive.record_facts("iraqwar2003", {**FACTS, **(told or {})})
        options = {"recommended": "on", "iraq": iraq}
        desk = SessionController.create(archive, "iraqwar2003", "war", options, dice=dice, draws=dice, seed="april")
        for box in lost:
            desk.adjust([(f"{box}.damaged", "1")], "as bombed before")
        if operations:
            desk.do("supply", Answers(accept=True))
        return desk

    return start


ONE = {**GROUND, **{f"at:{name}": number for name, number in {**FAR, "1/3ID": "2130", "51M": "2430"}.items()}}
STACK = {**ONE, "at:2/3ID": "2130"}
"""Beside a road that leads to the hex next to an Iraqi division, on a patch of the map that is told."""

AIR_FIELDS = ("base airfield 1", "base airfield 2", "base airfield 3")

SIX = (
    "comm radio 1 by B-1+F-15",
    "comm radio 2 by B-52+F-16",
    "comm radio 3 by CV-63+CV-64",
    "base airfield 1 by CVN-71+CVN-72",
    "base airfield 2 by B-2",
    "base airfield 3 by F-117",
)

TURNS = (
    Turn(
        "Facility phase: six groups, a line each",
        begun(operations=False, dice="computer"),
        ("facility",),
        {"target": (*SIX, "done")},
        (9, 180),
    ),
    Turn(
        "Facility phase: six groups in one line",
        begun(operations=False, dice="computer"),
        ("facility",),
        {"target": (", ".join((*SIX, "done")),)},
        (3, 186),
    ),
    Turn(
        "Facility phase: all of it at the action",
        begun(operations=False, dice="computer"),
        (f'facility "target={", ".join((*SIX, "done"))}"',),
        {},
        (2, 200),
    ),
    Turn(
        "Ground bombing, the map known: two units, one by stealth, a road",
        begun("south radar 1", "south radar 2", *AIR_FIELDS, operations=False, told=FRONT),
        ("bomb",),
        {"target": ("11D by B-1, SRG1 by B-2, road 1421 by B-52, done",), "bomb": ("6", "6", "6")},
        (5, 64),
    ),
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
        True,
        (13, 53),
    ),
    Turn(
        "Attack: the British, whom only their own support",
        begun(),
        ("move",),
        {"units": ("7Arm",), "way": ("road",), "attack": ("51M", ""), "combat": ("3",)},
        (12, 28),
    ),
    Turn(
        "Attack by the map: one unit",
        begun(*AIR_FIELDS, told=ONE),
        ("1/3 > 2230 2331",),
        {"attack": ("51M",), "support": ("A-10",), "combat": ("1",)},
        (4, 28),
    ),
    Turn(
        "Attack by the map: one unit, as one line",
        begun(*AIR_FIELDS, told=ONE),
        ("1/3 > 2230 2331 > 51M support=A-10 --dice 1",),
        {},
        (1, 44),
    ),
    Turn(
        "Attack by the map: a stack, retreat, advance",
        begun(*AIR_FIELDS, told=STACK),
        ("1/3,2/3 > 2230 2331",),
        {"attack": ("51M",), "support": ("A-10",), "combat": ("1",), "advance": ("1/3",)},
        (5, 40),
    ),
    Turn(
        "Attack by the map: a stack, two players",
        begun(told=STACK, iraq="player"),
        ("1/3,2/3 > 2230 2331 > 51M",),
        {"support": ("A-10",), "combat": ("1",), "retreat": ("2429",), "advance": ("1/3",)},
        (6, 50),
    ),
    Turn(
        "Attack by the map, by hexes",
        begun(*AIR_FIELDS, told=ONE),
        ("1/3 > 2230 2331",),
        {"attack": ("2430",), "support": ("A-10",), "combat": ("1",)},
        (4, 30),
    ),
    Turn(
        "Facility phase: target and group apart: what the number pad plays",
        begun(operations=False, dice="computer"),
        ("facility",),
        {"target": ("comm radio 1", "base airfield 3", "done"), "group": ("B-1+F-15", "F-117")},
        (7, 60),
        True,
    ),
    Turn(
        "Attack by the map: a stack, as one line",
        begun(told=STACK),
        ("1/3,2/3 > 2230 2331 > 51M support=A-10 counter=none advance=1/3 --dice 1",),
        {},
        (1, 75),
    ),
)
